"""All measurements, one after the other: `make bench`."""

from __future__ import annotations

import platform
import warnings

import generation
import import_time
import random_games

# RLCard and OpenSpiel use what newer NumPy and Python versions deprecate.
warnings.simplefilter("ignore")

print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}")
import_time.report()
generation.report()
random_games.report()
