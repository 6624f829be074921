"""What a query that is being typed may become: titles and texts of links in which its words begin words side by side.

The last word may be half typed. Of the pages that the index finds so, the best by links give their names; names that
begin with what was typed come first. What is left is filled with words that begin like the last one and stand with the
others in some page. Cost: two queries of the index, then `READ` records; about 5 ms.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from periplus.errors import QueryError
from periplus.index.schema import title_parts, words_of
from periplus.search.opened import Opened
from periplus.search.query import parse_query
from periplus.search.rankers import RERANKED, Rankers

MOST = 8
READ = 24
_CALLS, _LONGEST, _TYPED = 12, 80, 100


def completions(opened: Opened, rankers: Rankers, typed: str) -> tuple[str, ...]:
    """At most `MOST` queries that go on like this one, likeliest first."""
    typed = " ".join(typed.split())[:_TYPED]
    words = words_of(typed)
    if not words:
        return ()
    found: dict[str, tuple[bool, int, str]] = {}
    for place, name in enumerate(_names(opened, rankers, words)):
        said = words_of(name)
        at = _stands(said, words)
        if at is not None and len(name) <= _LONGEST:
            found.setdefault(" ".join(said), (at > 0, place, name))
    likely = [name for _, _, name in sorted(found.values())][:MOST]
    if len(likely) < MOST:
        known = {name.lower() for name in likely}
        likely += [one for one in _last_words(opened, typed, words) if one.lower() not in known][: MOST - len(likely)]
    return tuple(likely)


def _names(opened: Opened, rankers: Rankers, words: list[str]) -> Iterator[str]:
    """Parts of titles, and what others call the pages, of the best pages that may have the words in them."""
    for field in ("title", "anchor"):
        hits, _ = opened.best(opened.planner.beginning(field, words), RERANKED, count=False)
        addresses = [address for _, address in hits]
        share = rankers.share(rankers.default, opened.nodes(addresses))
        for at in np.argsort(share, kind="stable")[:READ].tolist():
            page = opened.page(addresses[at])
            yield from (
                title_parts(page["title"]) if field == "title" else [call.text for call in page["calls"][:_CALLS]]
            )


def _stands(said: list[str], words: list[str]) -> int | None:
    """Where the words stand side by side, the last one begun at least."""
    *whole, begun = words
    for at in range(len(said) - len(whole)):
        if said[at : at + len(whole)] == whole and said[at + len(whole)].startswith(begun):
            return at
    return None


def _last_words(opened: Opened, typed: str, words: list[str]) -> Iterator[str]:
    """What was typed with its last word written out, if some page has them all."""
    before = typed[: len(typed) - len(typed.rpartition(" ")[2])]
    if words_of(before) != words[:-1] or len(words[-1]) < 2:
        return
    for word in opened.planner.expanded(words[-1])[:MOST]:
        with suppress(QueryError):  # before the word may stand a community that there is not
            if opened.count(opened.planner.plan(parse_query(before + word)).strict):
                yield before + word
