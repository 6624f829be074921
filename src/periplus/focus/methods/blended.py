"""By words and links together: the formula of `periplus.search.rankers`, for each page of the root set."""

from __future__ import annotations

from periplus.focus.base import Focus
from periplus.record import Scores


def blended(focus: Focus) -> Scores:
    """The scores as the searcher made them; exact as far as the stored ranking is."""
    return Scores("blended", focus.over_base(focus.blended))
