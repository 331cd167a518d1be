"""Checks that also users of the library can run: case files, and the conformance of a variant."""

from dizhu.testing.conformance import check_variant

__all__ = ["check_variant"]
