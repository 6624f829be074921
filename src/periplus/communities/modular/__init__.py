"""Leiden: communities of a weighted graph, each of them connected."""
