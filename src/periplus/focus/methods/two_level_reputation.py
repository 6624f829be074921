"""Two-level reputation on the words of a query, over the base set; see `periplus.rank.methods.reputation`."""

from __future__ import annotations

from periplus.focus.base import Focus
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank.methods import reputation
from periplus.record import Scores

STOP = Tol(1e-6) | MaxIter(1000)


def two_level_reputation(focus: Focus) -> Scores:
    """Authority and hub reputation of every page of the base set; the surfer jumps to the root set."""
    return reputation.two_level_reputation(focus.graph, topic=focus.over_base(1.0), stop=STOP)
