"""Deo and Gupta, World Wide Web: models, the bow-tie, sampling, search engines, communities, ranking, routing."""
