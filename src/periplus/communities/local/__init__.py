"""Communities of a part of a web: around seeds, within a result set, inside a site."""
