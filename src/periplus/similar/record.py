"""What every method of `periplus.similar` returns, and what it says of one page.

    Similar             `nearest(pages, count)`: the pages most like the given ones
    ├── PageVectors     one vector per page; a page is as near as the cosine of the angle between two vectors
    └── ByLinks         Companion, Cocitation: worked out of the links around the page when it is asked for

`nearest` takes a page id, a URL, or several of either, and returns a `Related`: for each page found its id, URL, score
and the reason in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from periplus.catalog import checked
from periplus.errors import ParameterError, UnknownPageError
from periplus.numeric.given import is_whole
from periplus.record import Findings

Pages = int | str | Sequence[int | str]


class Neighbour(NamedTuple):
    """One page found: its id, its URL where the graph has URLs, how alike it is, and why."""

    id: int
    url: str | None
    score: float
    why: str

    def to_dict(self) -> dict[str, Any]:
        """The four fields by name."""
        return self._asdict()


@dataclass(frozen=True)
class Related(Findings):
    """The pages most like the given ones, best first; `of` are the pages that they are like."""

    method: str
    of: tuple[int, ...]
    results: tuple[Neighbour, ...]
    notes: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict, metadata={"json": None})

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Neighbour]:
        return iter(self.results)

    def __getitem__(self, place: int) -> Neighbour:
        return self.results[place]

    @property
    def pages(self) -> list[int]:
        """The ids of the pages found, best first."""
        return [found.id for found in self.results]


def start_pages(pages: Any, nodes: int, urls: Any) -> tuple[list[int], list[str]]:
    """The ids that `pages` names, and the URLs among them that the graph does not have."""
    given = [pages] if isinstance(pages, str) or is_whole(pages) else pages
    known: list[int] = []
    unknown: list[str] = []
    if not isinstance(given, Sequence) and not hasattr(given, "tolist"):
        raise ParameterError("pages", pages, _allowed(nodes, urls))
    for one in given:
        if is_whole(one) and 0 <= int(one) < nodes:
            known.append(int(one))
        elif isinstance(one, str) and urls is not None:
            found = urls.find(one)
            unknown.append(one) if found is None else known.append(int(found))
        else:
            raise ParameterError("pages", one, _allowed(nodes, urls))
    if not known and not unknown:
        raise ParameterError("pages", pages, _allowed(nodes, urls))
    return list(dict.fromkeys(known)), unknown


def known_pages(pages: Any, nodes: int, urls: Any) -> list[int]:
    """The ids that `pages` names, for a method that knows of the pages of the graph alone."""
    known, unknown = start_pages(pages, nodes, urls)
    if unknown:
        raise UnknownPageError(f"{_shown(unknown[0])} is not here; companion and cocitation can begin from any URL")
    return known


def unknown_page(url: str) -> UnknownPageError:
    """The error for a URL that is not here, nor anything above it."""
    return UnknownPageError(f"{_shown(url)} is not here, nor is any page above it on its host")


def _shown(url: str) -> str:
    return (url if len(url) <= 200 else url[:200] + "…") or "An empty address"


def _allowed(nodes: int, urls: Any) -> str:
    if not nodes:
        return "none: this graph has no pages"
    return f"page ids from 0 to {nodes - 1}" + (" or URLs, one or several" if urls is not None else ", one or several")


@checked
def check_count(count: int) -> int:
    """How many pages are asked for."""
    if count < 1:
        raise ParameterError("count", count, "at least 1")
    return count
