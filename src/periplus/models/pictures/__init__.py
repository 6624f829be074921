"""A grown graph beside its theory, as pictures."""
