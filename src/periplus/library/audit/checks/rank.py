"""Pages that hoard or waste rank, by the stored PageRank as multiples of an average page's.

A page *wastes* rank where what it gives to dead links (its rank times the share of its distinct links that are dead)
is more than an average page has. A page *hoards* rank where it has `HOARD` times as much as an average page and links
to no other page of the collection.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from periplus.library.audit.evidence import Evidence
from periplus.library.audit.finding import Finding

WASTE = 1.0
HOARD = 5.0


def wasted(evidence: Evidence) -> Iterator[Finding]:
    """Pages that give more rank to dead links than an average page has, those that give most first."""
    if evidence.ranks is None:
        return
    given = evidence.ranks * evidence.dead / np.maximum(evidence.targets, 1)
    for page in _highest(given, given > WASTE):
        told = f"gives {given[page]:.1f} times an average page's rank to dead links: {evidence.dead[page]} of its "
        yield Finding(evidence.url(page), f"{told}{evidence.targets[page]} links are dead")


def hoarded(evidence: Evidence) -> Iterator[Finding]:
    """Much linked pages that lead no further, those with most rank first."""
    if evidence.ranks is None:
        return
    graph = evidence.graph
    sources = np.repeat(np.arange(graph.nodes), graph.out_degrees)
    leads_on = np.zeros(graph.nodes, dtype=np.bool_)
    leads_on[sources[sources != graph.out_targets]] = True
    for page in _highest(evidence.ranks, ~leads_on & (evidence.ranks >= HOARD)):
        rank = evidence.ranks[page]
        yield Finding(evidence.url(page), f"has {rank:.1f} times an average page's rank and links to no other page")


def _highest(values: np.ndarray, chosen: np.ndarray) -> list[int]:
    found = np.flatnonzero(chosen)
    ordered: list[int] = found[np.argsort(-values[found], kind="stable")].tolist()
    return ordered
