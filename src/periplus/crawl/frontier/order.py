"""In which order to fetch: a table of functions that give a URL its key; within a host, the smallest key goes first.

Ties are broken by the order of discovery. To add an order: one function here and one line in `ORDERS`.
"""

from __future__ import annotations

from collections.abc import Callable

Order = Callable[[str, int], float]
"""From a URL and its distance in links from the seeds to a key."""


def breadth_first(url: str, depth: int) -> float:
    """Pages near the seeds first: Najork and Wiener (WWW 2001) found that this meets pages of high rank early."""
    return float(depth)


ORDERS: dict[str, Order] = {"breadth-first": breadth_first}
