"""The demonstration web: 52 small sites with known links, written by hand and served over HTTP for tests."""
