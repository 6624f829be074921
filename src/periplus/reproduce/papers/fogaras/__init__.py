"""Fogaras, Algorithms on the Web Graph: degrees, cores, simple and damped PageRank, HITS, stability, LSI."""
