"""Topic-sensitive PageRank (Haveliwala 2002), with the subjects of the collection's tree as topics.

    v = Σ_c P(c|q) · 1_c/|c|,      π = α π H + (α π·a + 1 − α) v

P(c|q) is the share of the root set's text scores that falls into topic c. Where every page has links PageRank is linear
in v, and π is Haveliwala's mixture Σ_c P(c|q) π_c, found by one solution instead of one per topic; from a page without
links the surfer jumps by v too. Pages without a topic count as one topic.
Cost: one PageRank to 1e-3, some ten sweeps over the links.
"""

from __future__ import annotations

import numpy as np

from periplus.focus.base import Focus
from periplus.focus.methods.reputation import walk
from periplus.record import Scores


def topic(focus: Focus) -> Scores:
    """PageRank with jumps to the topics of the query; values of the root set."""
    assert focus.web.topics is not None, "the row needs them"
    topics = np.asarray(focus.web.topics, np.int64) + 1
    sizes = np.bincount(topics)
    text = focus.text if focus.text.any() else np.ones(len(focus.root))
    shares = np.bincount(topics[focus.pages[focus.root]], weights=text, minlength=len(sizes)) / text.sum()
    weights = (shares / np.maximum(sizes, 1))[topics]
    found = walk(focus, "topic", weights)
    values = np.zeros(len(focus.pages))
    values[focus.root] = found.values[focus.root]
    return Scores("topic", values, parameters=found.parameters, error_bound=found.error_bound, extra=found.extra)
