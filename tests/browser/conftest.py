"""One Chromium for each file of tests, and tables to sit at."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import expect, sync_playwright

from browser.site import HASTY
from browser.table_page import MILLISECONDS
from browser.visits import FLAGS, Profiles, Visits, missing


@pytest.fixture(scope="module")
def profiles() -> Iterator[Profiles]:
    """One Chromium for the tests of a file. Not for more: its thread can run no other event loop meanwhile."""
    if (reason := missing()) is not None:
        pytest.skip(reason)
    if HASTY.bundle is None or not (HASTY.bundle / "index.html").is_file():
        pytest.fail("the browser client is not built: `make bundle` builds it")
    expect.set_options(timeout=MILLISECONDS)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield Profiles(chromium)
        chromium.close()


@pytest.fixture
def visits(profiles: Profiles) -> Iterator[Visits]:
    """Tables to sit at."""
    with ExitStack() as stack:
        opened = Visits(profiles, stack)
        yield opened
        opened.check()
