"""Topic distillation over the base set (Bharat and Henzinger 1998; Deo and Gupta 7.6).

The relevance of a page is its text score by any of the words, over the highest: BM25 in the place of the paper's cosine
with the beginnings of the root set. Pages below the median relevance are left out, as are those without a word. Each
host has one voice; where links within a site count, each page has its own. See `periplus.rank.methods.weighted`.
"""

from __future__ import annotations

import numpy as np

from periplus.focus.base import Focus
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank.methods.weighted import topic_distillation
from periplus.record import Scores

STOP = Tol(1e-6) | MaxIter(1000)


def distillation(focus: Focus) -> Scores:
    """Authorities and hubs on the topic."""
    urls = focus.web.graph.urls
    alone = focus.navigation or urls is None
    hosts = np.arange(len(focus.pages)) if alone else np.asarray(urls.host_ids())[focus.pages]
    return topic_distillation(focus.graph, relevance=focus.likeness, hosts=hosts, stop=STOP)
