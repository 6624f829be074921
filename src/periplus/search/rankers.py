"""The one formula that joins the text of a page with its links.

    score = text × (1 + NAME · name) × (1 + LINK · link)

* text ≥ 0: the sum over the query's words of the best field's BM25 (k₁ = 1.2, b = 0.75), each field with its boost
  (`periplus.search.plan.BOOSTS`), plus `TIE` times the other fields, plus a bonus where the words stand side by side.
* name ∈ {0, 1}: 1 where the query is exactly the page's title, a part of it (`Wind farm | Example` has two), its first
  heading, or the last piece of its path.
* link ∈ [0, 1]: link = −ln(share) / ln(n), where share is the part of the n pages whose rank is at least this page's.
  The best page has 1, the best 1 % of a million pages a third, the middle page next to 0: ten times fewer better pages
  always add the same amount. Only the order of the ranks counts, so every ranker fits.

The ranks stay outside the index in arrays; the first `RERANKED` pages by text are re-ranked, so nothing is rebuilt when
ranks change. Cost: one sort of the ranks when a ranker is first used, then one binary search per page.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from periplus.errors import ParameterError
from periplus.numeric.arrays import AnyArray, Floats
from periplus.rank.table import RANKERS, Ranker
from periplus.record import Scores
from periplus.wording import percent

NAME = 2.0
LINK = 1.0
RERANKED = 1000
TEXT_ONLY = "text"
DATE = "date"
WITHOUT_LINKS = {TEXT_ONLY: "Words alone", DATE: "Newest first"}
_SAID = {
    TEXT_ONLY: "How often the words stand in a page, and where; links do not count.",
    DATE: "Pages fetched last come first; those of one day by their words.",
}
_PREFERRED = ("pagerank", "indegree")
_HUBS = "-hubs"


class Rankers:
    """The rankings a search may use, by name; `text` and `date` use none."""

    def __init__(self, scores: Mapping[str, Scores]) -> None:
        self.records = scores
        self._scores = {name: record.values for name, record in scores.items()}
        self._sorted: dict[str, Floats] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Every ranker, the default first, `text` last."""
        preferred = [name for name in _PREFERRED if name in self._scores]
        return (*dict.fromkeys([*preferred, *sorted(self._scores)]), TEXT_ONLY)

    @property
    def orders(self) -> tuple[str, ...]:
        """What results may be ordered by: every ranker, and the date."""
        return (*self.names, DATE)

    @property
    def default(self) -> str:
        return self.names[0]

    def check(self, name: str | None, *, among: tuple[str, ...] = ()) -> str:
        """The name itself, or the default; `ParameterError` names those that are there."""
        among = among or self.names
        if name is None or name == "":
            return self.default
        if name not in among:
            raise ParameterError("ranker", name, "one of " + ", ".join(among))
        return name

    def share(self, name: str, nodes: AnyArray) -> Floats:
        """For each page, the part of all pages whose rank is at least its own; 1 without a ranking."""
        if name in WITHOUT_LINKS or not len(self._scores[name]):
            return np.ones(len(nodes))
        ordered = self._ordered(name)
        values = np.full(len(nodes), -np.inf)
        known = nodes < len(ordered)
        values[known] = np.nan_to_num(self._scores[name][nodes[known]], nan=-np.inf)
        return np.clip((len(ordered) - np.searchsorted(ordered, values, side="left")) / len(ordered), 0.0, 1.0)

    def link(self, name: str, share: AnyArray) -> Floats:
        """The link part of the formula, in [0, 1], from the pages' shares."""
        if name in WITHOUT_LINKS or len(self._scores[name]) < 2:
            return np.zeros(len(share))
        return np.clip(-np.log(share) / np.log(len(self._scores[name])), 0.0, 1.0)

    def value(self, name: str, node: int) -> float | None:
        """The rank itself, None where there is none."""
        if name in WITHOUT_LINKS or node >= len(self._scores[name]):
            return None
        return float(self._scores[name][node])

    def error_bound(self, name: str) -> float:
        """The certified error of a ranking as stored; NaN where it has none."""
        return math.nan if name in WITHOUT_LINKS else self.records[name].error_bound

    def label(self, name: str) -> str:
        """What a ranker measures, for a sentence; settings other than the usual ones stand in brackets."""
        row, hubs, settings = self._described(name)
        return name if row is None else _with(row.hub_label if hubs else row.label, settings)

    def title(self, name: str) -> str:
        """A ranker as a person calls it: `PageRank`, `Authorities`, `Hubs`."""
        row, hubs, settings = self._described(name)
        if row is None:
            return WITHOUT_LINKS.get(name, name)
        return _with(row.heading(hubs=hubs), settings)

    def explained(self, name: str) -> str:
        """What a ranker measures, in one line."""
        row, hubs, _ = self._described(name)
        if row is None:
            return _SAID.get(name, "")
        return row.explained(hubs=hubs)

    def _described(self, name: str) -> tuple[Ranker | None, bool, str]:
        """The row of the table, whether it is of hubs, and the settings other than the usual ones."""
        record = self.records.get(name)
        row = None if record is None else RANKERS.get(record.method)
        if row is None:
            return None, False, ""
        hubs = row.hubs and name.endswith(_HUBS)
        return row, hubs, (name.removesuffix(_HUBS) if hubs else name).removeprefix(row.name).strip("-")

    def _ordered(self, name: str) -> Floats:
        if name not in self._sorted:
            self._sorted[name] = np.sort(np.nan_to_num(self._scores[name], nan=-np.inf))
        return self._sorted[name]


def blend(text: AnyArray, named: AnyArray, link: AnyArray) -> Floats:
    """The formula of the module docstring."""
    return np.asarray(text * (1.0 + NAME * named) * (1.0 + LINK * link), dtype=np.float64)


def share_in_words(share: float, pages: int) -> str:
    """A share of the pages as a person says it: `2 %`, `0.3 %`; one page is the least."""
    least = max(share, 1.0 / max(pages, 1))
    return percent(round(least, 2) if least >= 0.01 else float(f"{least:.1g}"))


def _with(words: str, settings: str) -> str:
    """Words with settings in the brackets at their end."""
    if not settings:
        return words
    return f"{words[:-1]}, {settings})" if words.endswith(")") else f"{words} ({settings})"
