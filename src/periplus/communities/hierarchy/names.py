"""Names of the nodes of a tree: the words that tell a node from its siblings.

For term t, a of the node's A pages have it, and b of its siblings' B pages. The log-likelihood ratio (Dunning 1993)

    G² = 2 · Σ over the four cells of a table  observed · log(observed / expected)

says how surprising it is that the two shares differ; a term counts for the node where its own share is the larger. It
needs documents, not counts: a page that repeats a word a hundred times says it once.

Words that call pages make good names, and are few; what the pages say themselves tells how well a name fits. So the
terms are those that call two pages or more, in a title or the text of a link, and a page has them where it is called so
or says so (`naming_terms`).

The first three terms make the name, a plural and its singular counting as one. Of siblings that would be called alike
the later takes further terms, and a number when it has none. Without texts the words of the URLs serve, and without
URLs numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from periplus.index.schema import COMMON_WORDS
from periplus.numeric.arrays import AnyArray, Floats

if TYPE_CHECKING:
    from periplus.rank.methods.terms import Terms

WORDS = 3
LEAD = 3000  # characters of a page's text that are read for its terms
_CANDIDATES = 40
ROOT, ELSEWHERE = "all pages", "elsewhere"


def naming_terms(called: Terms, said: Terms) -> Terms:
    """The terms that call two pages or more, on every page that is called so or says so itself."""
    from periplus.rank.methods.terms import Terms

    kept = np.flatnonzero(np.diff(called.matrix.indptr) > 1).tolist()
    vocabulary = tuple(called.vocabulary[at] for at in kept)
    place = {term: at for at, term in enumerate(said.vocabulary)}
    pairs = [(row, place[term]) for row, term in enumerate(vocabulary) if term in place]
    rows, columns = np.array(pairs, np.int64).reshape(-1, 2).T
    chosen = csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(kept), len(said.vocabulary)))
    matrix = csr_array(called.matrix[kept] + chosen @ said.matrix)
    matrix.data[:] = 1.0
    return Terms(vocabulary, matrix)


def names_of(parents: AnyArray, levels: Iterable[AnyArray], terms: Terms, *, elsewhere: int = -1) -> list[str]:
    """A name for each node; `levels[d][page]` is the node of a page d steps below the root, or its leaf above."""
    names = [""] * len(parents)
    names[0] = ROOT
    used: dict[int, set[str]] = {}
    for nodes in levels:
        fresh = {node for node in np.unique(nodes).tolist() if not names[node]}
        for node, words in telling_words(nodes, parents, terms, fresh).items():
            taken = used.setdefault(int(parents[node]), {ELSEWHERE})
            names[node] = ELSEWHERE if node == elsewhere else _unlike(taken, words)
            taken.add(names[node])
    return names


def telling_words(nodes: AnyArray, parents: AnyArray, terms: Terms, fresh: set[int]) -> dict[int, list[str]]:
    """For each of the nodes `fresh` the terms that tell it from its siblings, the most telling first."""
    count, wide = len(parents), np.int64(len(parents))
    pages = np.bincount(nodes, minlength=count)
    above = np.where(parents >= 0, parents, count)
    families = np.bincount(above, weights=pages, minlength=count + 1)
    term, page = terms.matrix.nonzero()
    keys, inside = np.unique(term.astype(np.int64) * wide + nodes[page], return_counts=True)
    term, node = keys // wide, keys % wide
    _, family, back = np.unique(term * (wide + 1) + above[node], return_index=True, return_inverse=True)
    outside = np.bincount(back, weights=inside, minlength=len(family))[back] - inside
    values = likelihood(inside, pages[node], outside, families[above[node]] - pages[node])
    order = np.lexsort((term, -values, node))
    order = order[values[order] > 0]
    words: dict[int, list[str]] = {one: [] for one in sorted(fresh)}
    starts = np.searchsorted(node[order], np.arange(count + 1))
    for one, listed in words.items():
        listed += [terms.vocabulary[at] for at in term[order[starts[one] : starts[one + 1]][:_CANDIDATES]].tolist()]
    return words


def likelihood(inside: AnyArray, pages: AnyArray, outside: AnyArray, others: AnyArray) -> Floats:
    """G² of each term, 0 where the share outside is as large; where there is nobody outside, the count inside."""
    whole, everyone = inside + outside, pages + others
    expected = whole * pages / everyone, whole * others / everyone
    g2 = _part(inside, expected[0]) + _part(outside, expected[1])
    g2 = g2 + _part(pages - inside, pages - expected[0]) + _part(others - outside, others - expected[1])
    return np.where(others == 0, inside, np.where(inside * others > outside * pages, 2 * g2, 0.0))


def _part(observed: AnyArray, expected: AnyArray) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(observed > 0, observed * np.log(observed / expected), 0.0)


def _unlike(used: set[str], words: Sequence[str]) -> str:
    """The shortest name from these words that no sibling has."""
    kept = distinct_words(words)
    for length in range(WORDS, len(kept) + 1):
        if (name := " · ".join(kept[:length])) not in used:
            return name
    name = " · ".join(kept[:WORDS])
    number = 1
    while not name or name in used:
        name, number = f"{' · '.join(kept[:WORDS]) or 'group'} {number}", number + 1
    return name


def distinct_words(words: Sequence[str]) -> list[str]:
    """The words without numbers, function words, and those that differ from an earlier one by an ending."""
    kept: list[str] = []
    for word in words:
        if word.isdecimal() or word in COMMON_WORDS or any(same_stem(word, other) for other in kept):
            continue
        kept.append(word)
    return kept


def same_stem(first: str, second: str) -> bool:
    """Whether two words are a singular and its regular plural."""
    short, long = sorted((first, second), key=len)
    return long in (short, short + "s", short + "es") or (short.endswith("y") and long == short[:-1] + "ies")
