"""Textbook trawling: every set of fans and every set of centres is tried."""

from __future__ import annotations

from itertools import combinations

from periplus.graph.graph import Graph


def rows_of(graph: Graph, cap: int) -> list[set[int]]:
    """The links that count: none to itself, none to a page with more than `cap` in-links from others."""
    rows = [set(graph.successors(page).tolist()) - {page} for page in range(graph.nodes)]
    counts = [sum(page in row for row in rows) for page in range(graph.nodes)]
    return [{target for target in row if counts[target] <= cap} for row in rows]


def has_core(rows: list[set[int]], i: int, j: int, gone_fans: set[int], gone_centres: set[int]) -> bool:
    """Whether some i fans that are left have j centres in common that are left."""
    left = {fan: row - gone_centres for fan, row in enumerate(rows) if fan not in gone_fans}
    fans = [fan for fan, row in left.items() if len(row) >= j]
    return any(len(set.intersection(*(left[fan] for fan in chosen))) >= j for chosen in combinations(fans, i))
