"""`ORDERS`: the orders in which pages may be protected, and the function that scores the pages of each.

A function takes (graph, sources of a sample, seed); the pages with the highest scores are protected first. The command
line reads the names, so nothing is imported until `load(ORDERS[name])` is called.
"""

from __future__ import annotations

_HOME = "periplus.dynamics.immunisation"

ORDERS = {
    "degree": f"{_HOME}:by_degree",
    "pagerank": f"{_HOME}:by_pagerank",
    "betweenness": f"{_HOME}:by_betweenness",
    "random": f"{_HOME}:at_random",
}
