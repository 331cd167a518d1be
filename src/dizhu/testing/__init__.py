"""Checks that also users of the library can run: case files, and the conformance of a variant."""
