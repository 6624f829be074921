"""OPIC: page importance computed while crawling, without a stored graph (Abiteboul, Preda and Cobena 2003; Litvak
[1]).

All the cash in the world is 1. When a page is visited, its cash goes into its *history*; of this cash α goes in equal
parts to the pages that it links to and 1 − α to a virtual page, which a dangling page gives everything. The virtual
page hands its cash in equal parts to all pages known so far (this is the paper's "virtual page", with α in place of
one more link among the others). A page's importance is its share of the history.

**Relation to PageRank.** With h the history, c the cash now and c₀ the cash at the start, c = c₀ + hT − h, where T is
the walk above. So h/‖h‖ satisfies the equation of that walk up to 2/‖h‖₁, whatever the order of the visits, as long
as every page keeps being visited; and the stationary vector of T on the real pages, normalised, is the strongly
preferential PageRank with damping α. On a fixed graph OPIC therefore converges to `pagerank(graph)` like 1/‖h‖₁.

**Change.** With `window` W, in units of all the cash, a page's history is a running estimate of what it received
while the last W of cash moved (the paper's Adaptive OPIC, by interpolation), so links that come and go are forgotten.

The virtual page's gifts are kept as one running sum that a page claims when visited: O(d⁺) a visit.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np
from numba import njit

from periplus.catalog import Parameter, checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.rank.methods.pagerank import certify
from periplus.rank.table import RANKERS
from periplus.record import Scores


class Opic:
    """Importance of pages as a crawler meets them: `visit(page, links)` after each fetch.

    Pages are any hashable keys: ids or URLs. The virtual page is visited by itself whenever it holds more than the
    share `virtual_share` of all cash.
    """

    @checked(RANKERS["opic"], Parameter("virtual_share", "float", 0.1, "Cash it may hold.", 0.0, 1.0, open_high=True))
    def __init__(self, *, damping: float = 0.85, window: float | None = None, virtual_share: float = 0.1) -> None:
        self.damping, self.window, self.virtual_share = damping, window, virtual_share
        self.moved = 0.0
        self.virtual_cash = 1.0
        self._handed_out = 0.0
        self._number: dict[Hashable, int] = {}
        self._cash: list[float] = []
        self._claimed: list[float] = []
        self._history: list[float] = []
        self._last_visit: list[float] = []

    def __len__(self) -> int:
        return len(self._cash)

    def add(self, page: Hashable) -> None:
        """Make a page known (a seed of the crawl); pages that are linked to become known by themselves."""
        self._known(page)

    def visit(self, page: Hashable, links: Iterable[Hashable]) -> float:
        """Spend the cash of `page` on its `links`, each counted once; returns the cash spent."""
        if isinstance(links, str | bytes):
            raise ParameterError("links", links, "a list of pages (this is one text, whose letters would be the pages)")
        number = self._known(page)
        targets = {self._known(link) for link in links}
        if self.virtual_cash > self.virtual_share:
            self._hand_out()
        cash = self.cash(page)
        self._cash[number], self._claimed[number] = 0.0, self._handed_out
        self.moved += cash
        self._remember(number, cash)
        for target in targets:
            self._cash[target] += self.damping * cash / len(targets)
        self.virtual_cash += (1 - self.damping) * cash if targets else cash
        return cash

    def cash(self, page: Hashable) -> float:
        """What the page holds now: the most urgent page of a frontier is the one with the most."""
        number = self._numbered(page)
        return self._cash[number] + self._handed_out - self._claimed[number]

    def importance(self, page: Hashable) -> float:
        """The page's share of the history so far; all shares add up to one (0 before any visit)."""
        total = sum(self._seen(number) for number in range(len(self)))
        return self._seen(self._numbered(page)) / total if total else 0.0

    def scores(self) -> dict[Hashable, float]:
        """The importance of every known page."""
        seen = [self._seen(number) for number in range(len(self))]
        total = sum(seen) or 1.0
        return {page: seen[number] / total for page, number in self._number.items()}

    def _numbered(self, page: Hashable) -> int:
        if page not in self._number:
            raise ParameterError("page", page, "a page that was added, visited or linked to")
        return self._number[page]

    def _known(self, page: Hashable) -> int:
        number = self._number.setdefault(page, len(self._cash))
        if number == len(self._cash):
            self._cash.append(0.0)
            self._claimed.append(self._handed_out)
            self._history.append(0.0)
            self._last_visit.append(self.moved)
        return number

    def _hand_out(self) -> None:
        self._handed_out += self.virtual_cash / len(self)
        self.moved += self.virtual_cash
        self.virtual_cash = 0.0

    def _remember(self, number: int, cash: float) -> None:
        """Add to the history; with a window, forget what lies before it, taking income as even between visits."""
        if self.window is None:
            self._history[number] += cash
            return
        gap = self.moved - self._last_visit[number]
        self._last_visit[number] = self.moved
        if gap < self.window:
            self._history[number] = self._history[number] * (1 - gap / self.window) + cash
        else:
            self._history[number] = cash * self.window / gap

    def _seen(self, number: int) -> float:
        # The cash in hand is history not yet written down: counting it halves the error (the paper's estimate).
        if self.window is not None:
            return self._history[number]
        return self._history[number] + self._cash[number] + self._handed_out - self._claimed[number]


@checked(RANKERS["opic"])
def opic(graph: Graph, *, rounds: int = 20, damping: float = 0.85, window: float | None = None) -> Scores:
    """OPIC over a stored graph: `rounds` times around all pages, in the order of the ids.

    The certified error falls like 1/rounds: for more than a few digits `pagerank` is the tool; this is what a crawler
    that visits all pages in turn would know.
    """
    rules = Opic(damping=damping, window=window)
    seen = visit_in_turn(
        graph.out_offsets, graph.out_targets, rounds, damping, float(window or 0.0), rules.virtual_share
    )  # fmt: skip
    values = seen / max(seen.sum(), np.finfo(np.float64).tiny)
    preference = np.full(graph.nodes, 1 / max(graph.nodes, 1))
    residual, rounding = certify(graph, damping, preference, "preference", values)
    return Scores(
        method="opic",
        values=values,
        parameters={"damping": damping, "rounds": rounds, "window": window},
        iterations=rounds,
        residual=residual,
        error_bound=(residual + rounding) / (1 - damping),
        graph_digest=graph.digest,
        urls=graph.urls,
    )


@njit(cache=True, nogil=True)
def visit_in_turn(offsets, targets, rounds, damping, window, virtual_share):  # type: ignore[no-untyped-def]
    """`Opic.visit` for every page in turn, all known from the start; what each has seen (window 0: forget nothing)."""
    nodes = len(offsets) - 1
    cash, claimed, history, last_visit = np.zeros(nodes), np.zeros(nodes), np.zeros(nodes), np.zeros(nodes)
    virtual, handed_out, moved = 1.0, 0.0, 0.0
    for _ in range(rounds):
        for page in range(nodes):
            if virtual > virtual_share:
                handed_out += virtual / nodes
                moved += virtual
                virtual = 0.0
            amount = cash[page] + handed_out - claimed[page]
            cash[page], claimed[page] = 0.0, handed_out
            moved += amount
            gap = moved - last_visit[page]
            last_visit[page] = moved
            if window == 0.0:
                history[page] += amount
            elif gap < window:
                history[page] = history[page] * (1.0 - gap / window) + amount
            else:
                history[page] = amount * window / gap
            degree = offsets[page + 1] - offsets[page]
            for link in range(offsets[page], offsets[page + 1]):
                cash[targets[link]] += damping * amount / degree
            virtual += (1.0 - damping) * amount if degree else amount
    if window == 0.0:
        history += cash + handed_out - claimed
    return history
