"""What all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# Without a clock and from fixed seeds, so that a test that passed once passes again.
settings.register_profile("fixed", deadline=None, derandomize=True, database=None)
settings.load_profile("fixed")


@pytest.fixture(scope="session")
def project() -> Path:
    """The top folder of the source tree."""
    return Path(__file__).resolve().parent.parent
