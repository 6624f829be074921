"""One file per ranking of a query."""
