"""One file per model of how the web grew."""
