"""PageRank of the pages that have the words: the stored ranking of the whole web, read for the root set."""

from __future__ import annotations

import numpy as np

from periplus.focus.base import Focus
from periplus.record import Scores


def pagerank(focus: Focus) -> Scores:
    """The stored values; pages that came after the ranking was made have none."""
    standing = focus.web.standing
    assert standing is not None, "the row needs it"
    root = focus.pages[focus.root]
    values = np.zeros(len(root))
    known = root < len(standing)
    values[known] = standing[root[known]]
    return Scores("pagerank", focus.over_base(values), parameters={"damping": 0.85}, extra={"walk": standing})
