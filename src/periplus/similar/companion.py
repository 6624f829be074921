"""Companion: the best authorities around a page (Dean and Henzinger 1999; Deo and Gupta 7.6).

1. The vicinity graph of u (`periplus.similar.vicinity`) and the links among its pages.
2. Near-duplicates become one page that has the links of all (`periplus.similar.mirrors`).
3. A link within a host weighs 0; of k links from one host to a page each weighs 1/k for authority, of l links from a
   page to one host each weighs 1/l for hubs.
4. a(v) = Σ_{w→v} h(w) · authority weight, h(w) = Σ_{w→v} a(v) · hub weight, until they settle (weighted HITS, see
   `periplus.rank.methods.weighted`). The best authorities other than u are its companions.

On a collection of one host every link weighs 0; there directories count as hosts, then pages, and a note says so.

Cost: the links around u only: milliseconds a page, whatever the size of the graph.
"""

from __future__ import annotations

import numpy as np

from periplus.catalog import checked
from periplus.errors import NotConvergedError, ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Bools, Floats, Ids, Offsets
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank.methods.weighted import weighted_hits
from periplus.record import best_first
from periplus.similar.links import NAMED, ByLinks
from periplus.similar.mirrors import merged
from periplus.similar.record import Neighbour, Related
from periplus.similar.table import SIMILAR
from periplus.similar.vicinity import Reach, vicinity

# The order of the first ten is settled long before the scores are: 1e-6 of the whole takes some ten passes.
_STOP = Tol(1e-6) | MaxIter(200)
_OF_ONE_SITE = "all links here are within one host, and would weigh nothing: each {} counts as a host"


@checked(SIMILAR["companion"])
def companion(
    graph: Graph,
    *,
    positions: AnyArray | None = None,
    back: int = 2000,
    back_forward: int = 8,
    forward: int = 50,
    forward_back: int = 8,
    stop_share: float = 0.1,
    voice: str = "auto",
    seed: int = 0,
) -> Companion:
    """Companions of any page of a graph; `positions` says where each link stands in its page."""
    reach = Reach(back, back_forward, forward, forward_back, seed)
    parameters = {**reach._asdict(), "stop_share": stop_share, "voice": voice}
    return Companion("companion", graph, reach, parameters, positions)


class Companion(ByLinks):
    """Companions of the pages of a graph: `nearest(page, 10)`."""

    def _found(self, starts: list[int], count: int, notes: list[str]) -> Related:
        pages = vicinity(self.links, starts, self.reach)
        stands = merged(self.graph, pages, self.copies)
        part, firsts = _contracted(self.graph, pages, stands)
        own = np.unique(stands[np.searchsorted(pages, starts)])
        level, authorities, hubs = self._scores(part, pages[firsts], ~np.isin(firsts, own))
        order = [at for at in best_first(authorities, count + len(own)).tolist() if authorities[at] > 0]
        if order:
            notes += [self._voice_note(level)] if level != "host" and self.parameters["voice"] == "auto" else []
            notes += self._order_note()
        around = _Around(self, part, pages[firsts], np.flatnonzero(np.isin(firsts, own)).tolist(), hubs)
        results = tuple(around.neighbour(at, float(authorities[at])) for at in order[:count])
        facts = {"vicinity": len(pages), "merged": len(pages) - len(firsts), "links": part.links, "voice": level}
        return Related(self.method, tuple(starts), results, tuple(notes), facts)

    def _voice_note(self, level: str) -> str:
        if self.urls is None:
            return "this graph has no URLs to read hosts from: each page counts as a host"
        return _OF_ONE_SITE.format(level)

    def _scores(self, part: Graph, pages: Ids, others: Bools) -> tuple[str, Floats, Floats]:
        """Authorities and hubs by the first level of voices under which any other page has some; u itself has none."""
        level, nothing = "", np.zeros(part.nodes)
        for level in self.voices.levels(self.parameters["voice"]):
            try:
                scores = weighted_hits(part, hosts=self.voices.labels(level)[pages], stop=_STOP)
            except NotConvergedError as error:
                scores = error.partial  # the first ten are settled; the certificate is not asked for
            except ParameterError:  # no link between two voices
                continue
            authorities = np.where(others, scores.values, 0.0)
            if authorities.any():
                return level, authorities, scores.extra["hubs"]
        return level, nothing, nothing


class _Around:
    """Why a page is a companion: the best hubs that link to it and, where there are any, to the page asked about."""

    def __init__(self, of: Companion, part: Graph, pages: Ids, starts: list[int], hubs: Floats) -> None:
        self._of, self._part, self._pages, self._hubs = of, part, pages, hubs
        self._to_start = {int(one) for start in starts for one in part.predecessors(start)}

    def neighbour(self, at: int, score: float) -> Neighbour:
        """One result."""
        return self._of._neighbour(int(self._pages[at]), score, self._why(at))

    def _why(self, at: int) -> str:
        linking = set(self._part.predecessors(at).tolist())
        shared = sorted(linking & self._to_start, key=lambda one: (-self._hubs[one], one))
        best = shared or sorted(linking, key=lambda one: (-self._hubs[one], one))
        names = ", ".join(self._of.name(int(self._pages[one])) for one in best[:NAMED])
        if shared:
            return f"{len(shared):,} page{'' if len(shared) == 1 else 's'} around link to both, first {names}"
        return f"the hubs around link here, first {names}"


def _contracted(graph: Graph, pages: Ids, stands: Offsets) -> tuple[Graph, Offsets]:
    """The links among these pages with near-duplicates as one, without loops; and the page behind each node of it."""
    firsts, groups = np.unique(stands, return_inverse=True)
    part = graph.subgraph(pages)
    if len(firsts) == len(pages):
        return part, firsts
    sources = groups[np.repeat(np.arange(part.nodes), part.out_degrees)]
    targets = groups[part.out_targets.astype(np.int64)]
    apart = sources != targets
    return Graph.from_edges(sources[apart], targets[apart], len(firsts)), firsts
