"""Hypothesis runs without a clock and from fixed seeds, so that a test that passed once passes again."""

from hypothesis import settings

settings.register_profile("fixed", deadline=None, derandomize=True, database=None)
settings.load_profile("fixed")
