"""Compiled loops that several generators share."""
