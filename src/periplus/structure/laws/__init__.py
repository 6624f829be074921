"""Degrees and the laws of their tails."""
