"""One file per ranking: a function that takes a `Graph` and returns `Scores`."""
