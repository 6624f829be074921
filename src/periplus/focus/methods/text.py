"""By the words alone: the text score of each page of the root set."""

from __future__ import annotations

from periplus.focus.base import Focus
from periplus.record import Scores


def text(focus: Focus) -> Scores:
    """The text scores as the index gives them; exact."""
    return Scores("text", focus.over_base(focus.text), error_bound=0.0)
