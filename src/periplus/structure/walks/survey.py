"""A survey by WebWalker: what a web consists of, from some thousand page visits, with intervals.

Bar-Yossef et al. asked the web of 2000 which share of its pages each top-level domain has and how many links a page
bears; this asks the same of a stored web, where the answer can be checked. All weak components are sampled, each by
its share of the pages (`sampling`), so that the shares are those of all pages. What a live web would have needed, the
visits until a walk from one page has forgotten it, is estimated for the largest component.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from periplus.catalog import checked
from periplus.graph import Graph
from periplus.record import Findings
from periplus.structure.walks.sampling import Mixing, Share, mixing, sample

NO_DOMAIN = "no domain (IP address)"
_MIXING_PAGES = 100_000  # beyond, the gap costs more than all the walks


@dataclass(frozen=True, slots=True)
class Survey(Findings):
    """Shares of all `pages` by top-level domain (empty without URLs), mean links per page, and how they were sampled.

    `walked` of the pages are in the `components` weak components that were walked; `others` says of all other pages
    whether there are "none", they were "drawn" at random, or "all" taken.
    """

    pages: int
    domains: dict[str, Share]
    links_a_page: Share
    dangling: Share
    visits: int
    steps: int
    components: int = field(metadata={"json": "components_walked"})
    walked: int = field(metadata={"json": "pages_walked"})
    others: str = field(metadata={"json": "other_pages"})
    mixing: Mixing | None

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain data, and of which pages they tell."""
        return {"of": f"all {self.pages:,} pages", **Findings.to_dict(self)}


@checked
def survey(graph: Graph, *, walks: int = 400, visits: int = 20, seed: int = 0) -> Survey:
    """Sample a graph that has at least one page: many short walks, which need not be thrown away until they mix."""
    out_degrees, urls = graph.out_degrees, graph.urls
    seen = sample(graph, walks=walks, visits=visits, seed=seed)
    best = int(np.argmax(out_degrees + graph.in_degrees))
    return Survey(
        pages=graph.nodes,
        domains=seen.shares(lambda page: top_level_domain(urls[page])) if urls is not None else {},
        links_a_page=seen.mean(lambda page: float(out_degrees[page])),
        dangling=seen.share(lambda page: bool(out_degrees[page] == 0)),
        visits=seen.moves,
        steps=seen.steps,
        components=sum(stratum.walked for stratum in seen.strata),
        walked=round(graph.nodes * sum(stratum.weight for stratum in seen.strata if stratum.walked)),
        others=next(("all" if one.whole else "drawn" for one in seen.strata if not one.walked), "none"),
        mixing=mixing(graph, start=best, seed=seed) if graph.nodes <= _MIXING_PAGES else None,
    )


def top_level_domain(url: str) -> str:
    """The top-level domain of a URL; IP addresses are in none."""
    host = url.split("://", 1)[-1].split("/", 1)[0].rsplit("@", 1)[-1]
    last = host.split(":", 1)[0].rstrip(".").rsplit(".", 1)[-1]
    # By the URL standard a host that ends in a number is an IPv4 address; one in brackets is IPv6.
    return NO_DOMAIN if host.startswith("[") or last.isdecimal() else f".{last}"
