"""Components, the bow-tie, reach, and robustness."""
