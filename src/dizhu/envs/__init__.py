"""Environments for research (extra `rl`): many hands at once, PettingZoo, Gymnasium, RLCard and OpenSpiel adapters."""
