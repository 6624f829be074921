"""A query's pages by one of `QUERY_RANKERS`: hits → base set → `Ranked`, with what is to be said of each page.

    hits ──focused──▶ base set ──rank_focus──▶ order ──around──▶ pages of the index

Pages around the results are listed although they lack the words, but for a query that binds its pages (site:, lang:,
-word and the like): there only pages that it matches are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from periplus.focus.base import Focus, Matches, Web, focus_on
from periplus.focus.ranking import FocusRanking, rank_focus
from periplus.numeric.arrays import AnyArray, Floats
from periplus.search.opened import Opened
from periplus.search.plan import Plan
from periplus.search.query import AnyOf, ParsedQuery, Term
from periplus.search.rankers import blend
from periplus.search.ranking import Ranked
from periplus.search.result import HubPage
from periplus.wording import counted, ordinal

LISTED = 1000  # of one ranking, as of a search by words
PARTLY = 2000
HUBS = 5


def focused(opened: Opened, web: Web, plan: Plan, ranked: Ranked) -> Focus:
    """The base set of a query, from its pages as the searcher ranks them."""
    words = blend(ranked.text, ranked.named, np.zeros(len(ranked.nodes)))
    words, both = (_lacking_below(scores, ranked.full) for scores in (words, ranked.score))
    order = np.lexsort((ranked.nodes, -words))
    hits = opened.best(plan.relaxed, PARTLY, count=False)[0] if plan.relaxed is not None else []
    matches = Matches(
        pages=ranked.nodes[order].astype(np.uint32),
        text=words[order],
        blended=both[order],
        partly=opened.nodes([address for _, address in hits]).astype(np.uint32),
        partly_text=np.array([score for score, _ in hits], dtype=np.float64),
    )
    return focus_on(web, matches)


def _lacking_below(scores: Floats, full: int) -> Floats:
    """Scores in which no page that lacks words reaches one that has them all."""
    lowest, highest = scores[:full].min(initial=np.inf), scores[full:].max(initial=0.0)
    if lowest > highest:
        return scores
    return np.concatenate((scores[:full], scores[full:] * (lowest / highest / 2)))


@dataclass(frozen=True)
class Around:
    """A query's pages by one ranking, as results are made of them."""

    focus: Focus
    found: FocusRanking
    ranked: Ranked
    hubs: tuple[HubPage, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What was ranked, and what the ranking says of itself."""
        root, matching = len(self.focus.root), len(self.focus.matches.pages)
        best = f"the best {root}" if matching > root else f"the {counted(root, 'page')}" if root > 1 else "the page"
        beside = len(self.focus.pages) - root
        around = f" and {counted(beside, 'page')} around" if beside else ""
        said = f"ranked by {self.found.row.label}: {best} with your words{around}"
        return (said, *self.found.notes) if root else self.found.notes

    def of(self, opened: Opened, at: int) -> tuple[str, str]:
        """Of the page at a place: who links to it here, and the line that explains its place."""
        node = int(self.ranked.nodes[at])
        place = int(np.searchsorted(self.focus.pages, node))
        linking = self.focus.graph.predecessors(place)
        scores = self.found.scores
        line = (
            f"By {self.found.row.label} it is {ordinal(at + 1)} of {counted(len(self.found.pages), 'page')} "
            f"({scores.values[place]:.3g})."
        )
        if not len(linking):
            return "" if self.ranked.text[at] else "your words are not in it", line
        worth = scores.extra.get("hubs", scores.values)
        for best in linking[np.lexsort((linking, -worth[linking]))].tolist():
            page = opened.page_of(int(self.focus.pages[best]))
            if page is not None and page["title"] and page["node"] not in opened.hidden:
                return f"{_linked(len(linking))}, among them “{_cut(page['title'])}”", line
        return _linked(len(linking)), line


def around(opened: Opened, focus: Focus, parsed: ParsedQuery, ranked: Ranked, name: str) -> Around:
    """The pages around a query by one ranking, those of the index only; `ranked` are its hits."""
    found = rank_focus(focus, name)
    bound = any(not isinstance(part, Term | AnyOf) for part in parsed.root.parts)
    return Around(focus, found, _listed(opened, focus, found, ranked, bound=bound), _best_hubs(opened, found))


def _best_hubs(opened: Opened, found: FocusRanking) -> tuple[HubPage, ...]:
    """The best hubs of a ranking that may be shown."""
    shown: list[HubPage] = []
    for node in found.hubs[: 4 * HUBS].tolist():
        page = opened.page_of(node) if node not in opened.hidden and len(shown) < HUBS else None
        if page is not None:
            shown.append(HubPage(node, page["url"], page["title"] or page["url"]))
    return tuple(shown)


def _listed(opened: Opened, focus: Focus, found: FocusRanking, ranked: Ranked, *, bound: bool) -> Ranked:
    """The pages of a ranking that are in the index and may be shown, as hits."""
    matching = {int(node): at for at, node in enumerate(ranked.nodes)}
    wanted = [node for node in found.pages.tolist() if node in matching or not bound]
    others = opened.addresses_of([node for node in wanted if node not in matching][: 2 * LISTED])
    shown = [node for node in wanted if (node in matching or node in others) and node not in opened.hidden][:LISTED]
    nodes = np.array(shown, dtype=np.int64)

    def column(values: AnyArray) -> AnyArray:
        return np.array([float(values[matching[node]]) if node in matching else 0.0 for node in shown])

    return Ranked(
        addresses=[ranked.addresses[matching[node]] if node in matching else others[node] for node in shown],
        nodes=nodes,
        text=column(ranked.text),
        named=column(ranked.named),
        share=np.ones(len(shown)),
        link=np.zeros(len(shown)),
        score=found.scores.values[np.searchsorted(focus.pages, nodes)],
        total=len(shown),
        full=len(shown),
    )


def _linked(count: int) -> str:
    return f"{counted(count, 'page')} around your words {'links' if count == 1 else 'link'} here"


def _cut(title: str) -> str:
    return title if len(title) <= 60 else title[:59].rstrip() + "…"
