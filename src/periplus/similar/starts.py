"""From a URL to the page that stands for it: a URL that is not here is chopped up, one path element at a time.

`a.com/X/Y/Z` becomes `a.com/X/Y`, `a.com/X` and at last `a.com` (Dean and Henzinger 1999, 2.2). Each is tried with and
without a slash at its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from periplus.errors import UrlError
from periplus.web.url import Url


def chopped(url: str) -> Iterator[str]:
    """The URLs above one, nearest first, each with a slash at its end and then without."""
    try:
        parsed = Url.parse(url)
    except UrlError:
        return
    pieces = [piece for piece in parsed.path.split("/") if piece]
    if parsed.query is not None and pieces:
        pieces.append("")  # the query is the first thing to go
    for size in range(len(pieces) - 1, 0, -1):
        above = f"{parsed.origin}/{'/'.join(pieces[:size])}".rstrip("/")
        yield above + "/"
        yield above
    if pieces or parsed.query is not None:
        yield parsed.origin + "/"


def itself_and_above(url: str) -> Iterator[str]:
    """A URL as it is, then those above it."""
    yield url
    yield from chopped(url)


def above(url: str, urls: Any) -> Iterator[tuple[str, int]]:
    """The pages of this graph that a URL is chopped up to, nearest first."""
    for shorter in chopped(url):
        found = urls.find(shorter)
        if found is not None:
            yield shorter, int(found)
