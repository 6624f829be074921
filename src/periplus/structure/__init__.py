"""The shape of a web: components, bow-tie, laws of degree, distances, robustness, sampling, and the whole study."""
