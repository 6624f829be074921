"""Eigenpairs of AᵀA: the link operator, Lanczos, and the certified principal pair."""
