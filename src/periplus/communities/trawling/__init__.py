"""Trawling: every small complete bipartite core of a web, pairwise disjoint."""
