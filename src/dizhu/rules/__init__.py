"""The rules of cards and combinations: pure functions of integers, standard library only."""
