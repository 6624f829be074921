"""`QUERY_RANKERS`: one row per ranking of a query's pages, in the order of the menu.

The menu of the result page, `rank=`, `--rank`, /compare, the docs and the contract test read this table; nothing is
imported until `function()` is called. To add one: a file with a function `(focus) -> Scores`, a score for each page of
the base set, and a row here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from periplus.catalog import Algorithm, Catalogue

if TYPE_CHECKING:
    from periplus.focus.base import Focus
    from periplus.record import Scores

WORDS, PLAIN = ("text", "blended"), "blended"


@dataclass(frozen=True, slots=True)
class QueryRanker(Algorithm):
    """One ranking of a query's pages; `title` is its name for people.

    `needs`: "links" among the pages around the results, the "pagerank" of the collection, "topics" of its tree.
    """

    title: str = ""

    @property
    def hubs(self) -> bool:
        """Whether it returns hubs beside authorities."""
        return "hubs" in self.returns

    @property
    def by_words(self) -> bool:
        """Whether the text index alone can answer it, without the pages around."""
        return self.name in WORDS

    def function(self) -> Callable[[Focus], Scores]:
        """The ranking itself, imported now."""
        return Algorithm.function(self)


def _row(
    title: str,
    home: str,
    help: str,
    label: str,
    *needs: str,
    paper: str = "",
    when: str = "",
    hubs: bool = False,
) -> QueryRanker:
    name = home.partition(":")[0].replace("_", "-")
    returns = ("scores", "hubs") if hubs else ("scores",)
    home = f"periplus.focus.methods.{home}"
    return QueryRanker(name, home, help, "query", label, (), returns, needs, paper, when, title)


QUERY_RANKERS: Catalogue[QueryRanker] = Catalogue(
    "ranking",
    (
        _row(
            "Words and links", "blended:blended", "The score of the words, times the page's place by links.",
            "words and links together", when="nearly always: the default",
        ),
        _row(
            "Words alone", "text:text", "How often the words stand in a page, and where; links do not count.",
            "its words", when="you know the words of the page",
        ),
        _row(
            "PageRank", "pagerank:pagerank", "The pages with the words, the best-linked of the whole web first.",
            "PageRank", "pagerank", paper="Brin & Page 1998", when="a broad query: which of these are well known?",
        ),
        _row(
            "Topic PageRank", "topic:topic",
            "PageRank of a surfer who jumps only to the subjects that the results fall into.",
            "topic-sensitive PageRank", "topics", paper="Haveliwala 2002", when="a word with several meanings",
        ),
        _row(
            "Authorities", "hits:hits", "Pages around the results that good hubs link to (HITS).",
            "authority (HITS)", "links", paper="Kleinberg 1999; Deo & Gupta 7.2",
            when="a broad subject: whom do the link lists agree on?", hubs=True,
        ),
        _row(
            "SALSA", "salsa:salsa", "A random walk between hubs and authorities around the results.",
            "authority (SALSA)", "links", paper="Lempel & Moran 2001", when="HITS drifts to one close-knit group",
            hubs=True,
        ),
        _row(
            "Distilled", "distillation:distillation",
            "Authorities where each host has one voice and pages without the words are left out.",
            "authority on the topic", "links", paper="Bharat & Henzinger 1998 (Deo & Gupta 7.6)",
            when="many pages of one host link alike, or HITS leaves the subject", hubs=True,
        ),
        _row(
            "Reputation", "reputation:reputation", "How likely a surfer who looks for the words visits the page.",
            "reputation", paper="Rafiei & Mendelzon 2000 (Deo & Gupta 7.4.2)", when="“who is known for this?”",
        ),
        _row(
            "Two-level reputation", "two_level_reputation:two_level_reputation",
            "Reputation where the surfer goes forwards and backwards by turns.", "two-level reputation", "links",
            paper="Rafiei & Mendelzon 2000 (Deo & Gupta 7.4.2)",
            when="“who is known for this, and who lists them?”", hubs=True,
        ),
        _row(
            "Markov chain", "markov:markov",
            "A surfer among the results who stays where the words are, follows links, goes back or picks another.",
            "Markov-chain rank", paper="Zhang & Dong 2000 (Deo & Gupta 7.4.3)", when="words and links, both a little",
        ),
    ),
)  # fmt: skip
