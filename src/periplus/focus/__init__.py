"""The rankings of one query: by the links around the pages that have its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from periplus.lazy import offers

_HOMES = {
    "Firmness": "periplus.focus.firmness",
    "Focus": "periplus.focus.base",
    "Matches": "periplus.focus.base",
    "QUERY_RANKERS": "periplus.focus.table",
    "Web": "periplus.focus.base",
    "firmness_of": "periplus.focus.firmness",
    "focus_on": "periplus.focus.base",
    "order_of": "periplus.focus.ranking",
    "rank_focus": "periplus.focus.ranking",
}

__all__ = [
    "QUERY_RANKERS",
    "Firmness",
    "Focus",
    "Matches",
    "Web",
    "firmness_of",
    "focus_on",
    "order_of",
    "rank_focus",
]

if TYPE_CHECKING:
    from periplus.focus.base import Focus, Matches, Web, focus_on
    from periplus.focus.firmness import Firmness, firmness_of
    from periplus.focus.ranking import order_of, rank_focus
    from periplus.focus.table import QUERY_RANKERS

__getattr__, __dir__ = offers(__name__, _HOMES)
