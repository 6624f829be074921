"""Commands that lay a web out in space."""
