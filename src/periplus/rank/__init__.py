"""Link rankings. `RANKERS` is the one table that the CLI, the API, the docs and the contract test read.

`from periplus.rank import pagerank` gives the function; it is imported on first use. Some functions share the name
of their module (`periplus.rank.pagerank.pagerank`), and the import system would put the *module* in the package under
that name the moment anyone imports it: `_Package` keeps the function there, whatever is imported first.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from periplus.lazy import loader
from periplus.rank.scores import Scores
from periplus.rank.table import RANKERS, Parameter, Ranker, get_ranker

_HOMES = {entry.home.partition(":")[2]: entry.home.partition(":")[0] for entry in RANKERS.values()} | {
    "Opic": "periplus.rank.opic",
    "Reputation": "periplus.rank.reputation",
    "all_reputations": "periplus.rank.reputation",
    "compare": "periplus.rank.compare",
    "kendall_tau": "periplus.rank.compare",
    "overturn": "periplus.rank.overturn",
    "personalised": "periplus.rank.personalised",
    "prepare": "periplus.rank.prepare",
    "push": "periplus.rank.push",
    "rank_biased_overlap": "periplus.rank.compare",
    "singular_vectors": "periplus.rank.eigen",
    "stability": "periplus.rank.stability",
    "update": "periplus.rank.update",
}

__all__ = ["RANKERS", "Parameter", "Ranker", "Scores", "get_ranker", *sorted(_HOMES)]

if TYPE_CHECKING:
    from periplus.rank.pagerank import pagerank as pagerank


__getattr__ = loader(__name__, _HOMES)


class _Package(ModuleType):
    """A package in which a submodule never takes the place of the function of the same name."""

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and _HOMES.get(name) == value.__name__:
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
