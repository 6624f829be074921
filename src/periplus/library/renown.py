"""What a page is known for (Rafiei and Mendelzon 2000; Deo and Gupta 7.4.2): the words with its highest reputation.

R(w, τ) is how often a surfer who looks for τ is found on w: who starts on a page with τ, follows links and stops now
and then. It is the mean, over the pages with τ, of what each contributes to w (`periplus.rank.methods.contributions`).
A word is asked about where at least `LEAST` other pages that lead here have it in their title, or say it in a link to
the page. Cost: the in-links read, `LOOKED_AT` titles, and a look-up in the index for each of `ASKED` words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np

from periplus.index.schema import COMMON_WORDS, words_of
from periplus.library.library import Library
from periplus.library.neighbours import MAX_NEIGHBOURS
from periplus.numeric.arrays import Floats
from periplus.rank.methods.contributions import contributions
from periplus.search.query import Term

SHOWN, LOOKED_AT, ASKED, LEAST = 8, 60, 16, 2
MOST_PAGES = 5_000  # a word that more pages have is nobody's in particular
TOLERANCE = 1e-4


@dataclass(frozen=True, slots=True)
class KnownWord:
    """A word, the page's reputation on it, within `error_bound` from below, and how many pages have the word."""

    word: str
    reputation: float
    pages: int
    error_bound: float


def known_for(library: Library, node: int, *, count: int = SHOWN) -> tuple[KnownWord, ...]:
    """The words that a page has the highest reputation on, best first."""
    found = contributions(library.recommending, node, tolerance=TOLERANCE)
    asked = _candidates(library, node, found.values)
    known = []
    for word in asked:
        holding = library.searcher.holding(word, MOST_PAGES)
        holding = holding[holding < len(found.values)]
        if len(holding) > 1:
            reputation = float(found.values[holding].mean())
            known.append(KnownWord(word, reputation, len(holding), found.error_bound))
    return tuple(sorted(known, key=lambda one: (-one.reputation, one.word))[:count])


def _candidates(library: Library, node: int, values: Floats) -> list[str]:
    """The likeliest words: by what the pages that say them contribute, over how many pages have them."""
    weights: defaultdict[str, float] = defaultdict(float)
    said: Counter[str] = Counter()
    near = np.argsort(-values, kind="stable")[:LOOKED_AT]
    for page in near[values[near] > 0].tolist():
        stored = library.searcher.document(page) if page not in library.searcher.hidden else None
        for word in _words(stored["title"] if stored else ""):
            weights[word] += float(values[page])
            said[word] += page != node
    if len(library.graph.predecessors(node)) <= MAX_NEIGHBOURS:
        for source, text in library.anchors_of(node):
            for word in _words(text) if source != node else ():
                weights[word] += float(values[source])
                said[word] += 1
    pages = {word: library.searcher.pages_with(Term(word, (word,))) for word in weights if said[word] >= LEAST}
    likely = [word for word, holding in pages.items() if 1 < holding <= MOST_PAGES]
    return sorted(likely, key=lambda word: (-weights[word] / pages[word], word))[:ASKED]


def _words(text: str) -> set[str]:
    return {word for word in words_of(text) if len(word) > 1 and not word.isdecimal()} - COMMON_WORDS
