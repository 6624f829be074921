"""Solvers of the PageRank system y = α Hᵀ y + b, and the passes over the links that they share."""
