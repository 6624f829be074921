"""HITS over the base set: authorities and hubs, with the eigengap; see `periplus.rank.methods.hits`."""

from __future__ import annotations

from periplus.focus.base import Focus
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank.methods import hits as whole
from periplus.record import Scores

STOP = Tol(1e-6) | MaxIter(2000)


def hits(focus: Focus) -> Scores:
    """Authorities and hubs of every page of the base set."""
    return whole.hits(focus.graph, stop=STOP)
