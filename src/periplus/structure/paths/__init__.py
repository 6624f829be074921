"""Distances, the diameter, and clustering."""
