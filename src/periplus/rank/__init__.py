"""Link rankings. `RANKERS` is the one table that the CLI, the API, the docs and the contract test read.

`from periplus.rank import pagerank` imports the function on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from periplus.lazy import offers
from periplus.rank.table import RANKERS, SOLVERS, Ranker
from periplus.record import Scores

_HOMES = {entry.home.partition(":")[2]: entry.home.partition(":")[0] for entry in RANKERS.values()} | {
    "Opic": "periplus.rank.methods.opic",
    "Reputation": "periplus.rank.methods.reputation",
    "all_reputations": "periplus.rank.methods.reputation",
    "compare": "periplus.rank.study.compare",
    "kendall_tau": "periplus.rank.study.compare",
    "overturn": "periplus.rank.study.overturn",
    "personalised": "periplus.rank.methods.personalised",
    "push": "periplus.rank.methods.push",
    "rank_biased_overlap": "periplus.rank.study.compare",
    "singular_vectors": "periplus.rank.methods.hits_vectors",
    "stability": "periplus.rank.study.stability",
    "update": "periplus.rank.updating.update",
}

__all__ = ["RANKERS", "SOLVERS", "Ranker", "Scores", *sorted(_HOMES)]

if TYPE_CHECKING:
    from periplus.rank.methods.pagerank import pagerank as pagerank


__getattr__, __dir__ = offers(__name__, _HOMES)
