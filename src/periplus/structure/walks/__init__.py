"""Sampling a web by random walks."""
