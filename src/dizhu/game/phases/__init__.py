"""The phases of a hand, from which a variant is put together; each asks one kind of question."""
