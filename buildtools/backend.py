"""The build back-end (PEP 517 and PEP 660): setuptools, after the browser client is in the package.

A source distribution carries the sources of the client, not the bundle; a wheel and an editable install carry the
bundle. It is built by npm; where there is none, Node comes from PyPI into the build's own environment and goes with it.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_sdist,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

from browser_bundle import NODE_FROM_PYPI, Bundle, BundleError, npm_on_path

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

Settings = dict[str, Any] | None

_ROOT = Path(__file__).resolve().parent.parent


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Ask for Node from PyPI where the client must be built and npm is missing."""
    return [*build_meta.get_requires_for_build_wheel(config_settings), *_node()]


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """Ask for Node from PyPI where the client must be built and npm is missing."""
    return [*build_meta.get_requires_for_build_editable(config_settings), *_node()]


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """Build the client, then the wheel."""
    _build_bundle()
    # setuptools keeps what earlier builds copied there, and would put the files of an older bundle into the wheel.
    for left_over in (_ROOT / "build").glob("lib*"):
        shutil.rmtree(left_over)
    return build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """Build the client in the source tree, then the wheel that points there."""
    _build_bundle()
    return build_meta.build_editable(wheel_directory, config_settings, metadata_directory)


def _node() -> list[str]:
    return [] if Bundle(_ROOT).is_current() or npm_on_path() else [NODE_FROM_PYPI]


def _build_bundle() -> None:
    try:
        Bundle(_ROOT).build()
    except BundleError as error:
        sys.exit(str(error))
