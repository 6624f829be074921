"""Cocitation: the pages that are most often linked to beside a page (Dean and Henzinger 1999, 2.2).

Take up to B pages that link to u, and from each up to BF pages that it links to around the link to u. A page s of these
is cocited with u as often as such pages link to both. Where fewer than `enough` pages are cocited at least twice, u's
URL loses its last path element and the search starts again from that page, up to the host. Where no shorter URL has
enough, the answer is that of u itself. A page that is cocited once is no answer.

Cost: the rows of the pages that link to u.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.catalog import checked
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Ids
from periplus.record import best_first
from periplus.similar.links import NAMED, ByLinks
from periplus.similar.record import Neighbour, Related
from periplus.similar.starts import above
from periplus.similar.table import SIMILAR
from periplus.similar.vicinity import Reach, allowed_pages, parents_of, siblings

LEAST = 2


@checked(SIMILAR["cocitation"])
def cocitation(
    graph: Graph,
    *,
    positions: AnyArray | None = None,
    back: int = 2000,
    back_forward: int = 8,
    enough: int = 15,
    stop_share: float = 0.1,
    seed: int = 0,
) -> Cocitation:
    """Pages cocited with any page of a graph; `positions` says where each link stands in its page."""
    reach = Reach(back, back_forward, 0, 0, seed)
    parameters = {"back": back, "back_forward": back_forward, "enough": enough, "stop_share": stop_share, "seed": seed}
    return Cocitation("cocitation", graph, reach, parameters, positions)


class Cocitation(ByLinks):
    """Pages cocited with the pages of a graph: `nearest(page, 10)`."""

    def _found(self, starts: list[int], count: int, notes: list[str]) -> Related:
        asked, (pages, degrees, parents) = starts, self._cocited(starts)
        if len(pages) < self.parameters["enough"] and len(starts) == 1 and self.urls is not None:
            for shorter, page in above(str(self.urls[starts[0]]), self.urls):
                again = self._cocited([page])
                if len(again[0]) >= self.parameters["enough"]:
                    notes.append(f"only {len(pages)} pages are cocited with it twice: {shorter} stands for it")
                    starts, (pages, degrees, parents) = [page], again
                    break
        order = [at for at in best_first(degrees).tolist() if pages[at] not in asked][:count]
        if order:
            notes += self._order_note()
        results = tuple(self._result(int(pages[at]), int(degrees[at]), parents) for at in order)
        return Related(self.method, tuple(asked), results, tuple(notes), {"from": starts, "enough": len(pages)})

    def _cocited(self, starts: list[int]) -> tuple[Ids, AnyArray, Ids]:
        """The pages cocited at least twice with any of these, how often, and the pages that link to these."""
        allowed = allowed_pages(self.links, starts)
        parents = [parents_of(self.links, start, allowed, self.reach) for start in starts]
        pairs = [
            np.unique(siblings(self.links, start, found, allowed, self.reach.back_forward))
            for start, found in zip(starts, parents, strict=True)
        ]
        together = np.unique(np.concatenate(parents))
        pages = np.setdiff1d(np.concatenate(pairs), np.array(starts, np.uint32))
        degrees = _named_by(self.graph.out_offsets, self.graph.out_targets, together, pages)
        often = degrees >= LEAST
        return pages[often], degrees[often], together

    def _result(self, page: int, degree: int, parents: Ids) -> Neighbour:
        both = np.intersect1d(self.graph.predecessors(page), parents, assume_unique=True)
        # The page with the fewest links says the most by naming both.
        degrees = self.graph.out_offsets[both.astype(np.int64) + 1] - self.graph.out_offsets[both]
        short = both[np.argsort(degrees, kind="stable")]
        names = ", ".join(self.name(int(one)) for one in short[:NAMED])
        return self._neighbour(page, float(degree), f"{degree:,} pages link to both, among them {names}")


@njit(cache=True, nogil=True)
def _named_by(offsets, targets, parents, pages):  # type: ignore[no-untyped-def]
    """For each of the sorted `pages` how many of the parents link to it."""
    counts = np.zeros(len(pages), np.int64)
    if len(pages):
        for parent in parents:
            for link in range(offsets[parent], offsets[parent + 1]):
                at = np.searchsorted(pages, targets[link])
                if at < len(pages) and pages[at] == targets[link]:
                    counts[at] += 1
    return counts
