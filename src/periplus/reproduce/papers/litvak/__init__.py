"""Litvak, Googling Maths: the shape of the web, power laws, preferential attachment, PageRank and its rivals."""
