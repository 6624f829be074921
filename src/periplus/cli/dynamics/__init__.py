"""`periplus dynamics`: what happens on a graph, and how pages and sites change."""
