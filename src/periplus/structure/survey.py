"""A survey by WebWalker: what a web consists of, from some thousand page visits, with intervals.

Bar-Yossef et al. asked the web of 2000 which share of its pages each top-level domain has and how many links a page
bears; this asks the same of a stored web, where the answer can be checked. The walks start at the page with the most
links and are thrown away for as long as the eigenvalue gap says they need, up to a limit that `mixed` tells.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from periplus.graph import Graph
from periplus.structure.sampling import Mixing, Share, mixing, sample

_LONGEST = 20_000  # visits thrown away at most; webs of nearly separate parts would need more
_MIXING_PAGES = 100_000  # beyond, the gap costs more than the longest walk: that is walked instead


@dataclass(frozen=True, slots=True)
class Survey:
    """Shares by top-level domain (empty without URLs), mean links a page, and how the walks went."""

    domains: dict[str, Share]
    links_a_page: Share
    dangling: Share
    visits: int
    steps: int
    thrown_away: int
    mixing: Mixing | None
    mixed: bool

    def to_dict(self) -> dict[str, Any]:
        return {
            "domains": {name: share.to_dict() for name, share in self.domains.items()},
            "links_a_page": self.links_a_page.to_dict(),
            "dangling": self.dangling.to_dict(),
            "visits": self.visits,
            "steps": self.steps,
            "thrown_away": self.thrown_away,
            "mixing": self.mixing.to_dict() if self.mixing else None,
            "mixed": self.mixed,
        }


def survey(graph: Graph, *, walks: int = 40, visits: int = 200, seed: int = 0) -> Survey:
    """Walk the weak component of the best linked page of a graph that has at least one page."""
    out_degrees = graph.out_degrees
    start = int(np.argmax(out_degrees + graph.in_degrees))
    gap = mixing(graph, start=start, seed=seed) if graph.nodes <= _MIXING_PAGES else None
    needed = gap.visits if gap is not None and gap.converged else float("inf")
    thrown = int(min(max(needed, visits), _LONGEST))
    walked = sample(graph, start=start, walks=walks, visits=visits, mixing=thrown, seed=seed)
    urls = graph.urls
    domains = walked.shares(lambda page: top_level_domain(urls[page])) if urls is not None else {}
    return Survey(
        domains=domains,
        links_a_page=walked.mean(lambda page: float(out_degrees[page])),
        dangling=walked.mean(lambda page: float(out_degrees[page] == 0)),
        visits=walks * visits,
        steps=walked.steps,
        thrown_away=walks * thrown,
        mixing=gap,
        mixed=needed <= thrown,
    )


def top_level_domain(url: str) -> str:
    """The top-level domain of a URL."""
    host = url.split("://", 1)[-1].split("/", 1)[0].rsplit("@", 1)[-1].split(":", 1)[0]
    return "." + host.rstrip(".").rsplit(".", 1)[-1]
