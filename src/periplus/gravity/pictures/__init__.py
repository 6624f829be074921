"""Stills and films of a sky, drawn without a graphics card: light is added up star by star, then developed."""
