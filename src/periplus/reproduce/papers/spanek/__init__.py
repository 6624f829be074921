"""Špánek, Web Search Engines and Linear Algebra: HITS, the matrices H, S and G, the power method."""
