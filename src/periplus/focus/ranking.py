"""The pages around a query in the order of one ranking.

First the pages with a score, best first; scores that agree to twelve digits go by the words, then by id. Then the pages
of the root set without one, in the order of the words: nothing that was found is lost.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from periplus.errors import NotConvergedError, ParameterError
from periplus.focus.base import Focus, Web
from periplus.focus.table import QUERY_RANKERS, QueryRanker
from periplus.numeric.arrays import AnyArray, Ids, Offsets
from periplus.record import Scores
from periplus.record.order import rounded
from periplus.wording import counted

_MISSING = {
    "pagerank": "this collection has no PageRank yet: build it first",
    "topics": "this collection has no tree of subjects yet: build it first",
    "links": "no page around these results links to another of them: they stand in the order of the words",
}


@dataclass(frozen=True, slots=True)
class FocusRanking:
    """A query's pages by one ranking: ids best first, `hubs` likewise, and what a reader should know in `notes`.

    `scores` has a number for each page of the base set; the first `scored` pages have one that is not zero.
    """

    row: QueryRanker
    scores: Scores
    pages: Ids
    scored: int
    hubs: Ids
    notes: tuple[str, ...]


def offered(web: Web) -> tuple[str, ...]:
    """The rankings that this web can be asked for, in the order of the table."""
    has = {"pagerank": web.standing is not None, "topics": web.topics is not None, "links": True}
    return tuple(name for name, row in QUERY_RANKERS.items() if all(has[need] for need in row.needs))


def rank_focus(focus: Focus, name: str) -> FocusRanking:
    """Rank the pages around a query."""
    row = QUERY_RANKERS.find(name)
    if name not in offered(focus.web):
        raise ParameterError("rank", name, next(_MISSING[need] for need in row.needs if need in _MISSING))
    scores, notes = _scores(focus, row)
    order = order_of(focus, scores.values)
    hubs = order_of(focus, scores.extra["hubs"], scored_only=True) if "hubs" in scores.extra else np.zeros(0, np.int64)
    if not focus.whole and "walk" in scores.extra and name != "pagerank":
        notes.append(f"this web is large: the surfer walks over {counted(len(focus.pages), 'page')} around, not all")
    if focus.navigation and "links" in row.needs and focus.graph.links:
        notes.append("nearly all links here are within one site, and count")
    scored = int(np.count_nonzero(scores.values[order] > 0))
    return FocusRanking(row, scores, focus.pages[order], scored, focus.pages[hubs], tuple(notes))


def _scores(focus: Focus, row: QueryRanker) -> tuple[Scores, list[str]]:
    """The scores and what to say of them; all zero where there are no links to rank by."""
    nothing = Scores(row.name, np.zeros(len(focus.pages)))
    if not len(focus.pages):
        return nothing, []
    if "links" in row.needs and not focus.graph.links:
        return nothing, [_MISSING["links"]]
    try:
        return row.function()(focus), []
    except NotConvergedError as error:
        partial: Scores = error.partial
        return partial, [f"{row.title} did not settle: the order below the first places is not certain"]
    except ParameterError:  # no link between pages that count
        return nothing, [_MISSING["links"]]


def order_of(focus: Focus, values: AnyArray, *, scored_only: bool = False) -> Offsets:
    """Places in the base set: those with a score best first, then the others of the root set."""
    by_words = np.full(len(focus.pages), len(focus.root))
    by_words[focus.root] = np.arange(len(focus.root))
    listed = np.flatnonzero((values > 0) | (by_words < len(focus.root)) if not scored_only else values > 0)
    keys = (listed, by_words[listed], -rounded(np.maximum(values[listed], 0.0)))
    return np.asarray(listed[np.lexsort(keys)])


def perturbed(focus: Focus, name: str, *, share: float, seed: int) -> FocusRanking:
    """The same ranking after a share of the links around the query was replaced at random."""
    from periplus.rank.study.stability import random_perturbation

    change = random_perturbation(focus.graph, share=share, seed=seed)
    return rank_focus(replace(focus, graph=change.apply(focus.graph)), name)
