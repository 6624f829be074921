"""SALSA over the base set: authorities and hubs, exact; see `periplus.rank.methods.salsa`."""

from __future__ import annotations

from periplus.focus.base import Focus
from periplus.rank.methods import salsa as whole
from periplus.record import Scores


def salsa(focus: Focus) -> Scores:
    """Authorities and hubs of every page of the base set."""
    return whole.salsa(focus.graph)
