"""Search: words in, pages out, ranked by text and links together, each with the reason it is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from periplus.lazy import offers

_HOMES = {
    "Result": "periplus.search.result",
    "Results": "periplus.search.result",
    "Searcher": "periplus.search.searcher",
    "parse_query": "periplus.search.query",
}

__all__ = ["Result", "Results", "Searcher", "parse_query"]

if TYPE_CHECKING:
    from periplus.search.query import parse_query
    from periplus.search.result import Result, Results
    from periplus.search.searcher import Searcher

__getattr__, __dir__ = offers(__name__, _HOMES)
