"""Search: words in, pages out, ranked by text and links together, each with the reason it is there."""

from __future__ import annotations

from periplus.search.query import parse_query
from periplus.search.result import Result, Results
from periplus.search.searcher import Searcher

__all__ = ["Result", "Results", "Searcher", "parse_query"]
