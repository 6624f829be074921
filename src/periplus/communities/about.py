"""Which names are about some words: the same for the knowledge base, the nodes of a tree, and `community:` in a query.

A word asked for and a word of a name are the same where the second begins with the first, or where one is the regular
plural of the other; case and accents do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from periplus.communities.hierarchy.names import same_stem
from periplus.index.schema import COMMON_WORDS, words_of


def about(names: Iterable[Sequence[str]], query: str, *, every: bool = False) -> list[int]:
    """The numbers of the names that have the words asked for: those with the most of them first, then in their order.

    With `every`, only those that have all of them.
    """
    words = list(dict.fromkeys(words_of(query)))
    asked = [word for word in words if word not in COMMON_WORDS] or words
    least = len(asked) if every else 1
    scores: dict[int, int] = {}
    for number, own in enumerate(names):
        score = sum(any(one.startswith(word) or same_stem(word, one) for one in own) for word in asked)
        if asked and score >= least:
            scores[number] = score
    return sorted(scores, key=lambda number: (-scores[number], number))
