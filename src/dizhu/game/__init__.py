"""A hand of cards as a state machine: pure, with no clock, no network and no randomness but what it is handed."""
