"""What a search returns: plain records, the same for the command line, the pages and the JSON API."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from periplus.search.facets import Facets
from periplus.search.snippet import Snippet


@dataclass(frozen=True, slots=True)
class Result:
    """One page found.

    `score` is the blend of `text_score` and `link_score` (see `periplus.search.rankers`); `share` is the part of all
    pages that rank at least as high by the chosen ranker (0.02: among the best 2 %; 1.0 without a ranker); `in_links`
    is known where facts were asked for; `lacks` are the words of the query that the page does not have;
    `places` are where the words stand in the text, as distinct multiples of 1/72 of its length; `copies` are the pages
    found that say nearly the same, as URL and title; `more_from` is the site that has more pages than the list shows.
    """

    rank: int
    node: int
    url: str
    title: str
    score: float
    snippet: Snippet
    why: str
    text_score: float
    link_score: float
    share: float = 1.0
    in_links: int | None = None
    host: str = ""
    site: str = ""
    fetched: str = ""
    duplicates: tuple[str, ...] = ()
    places: tuple[float, ...] = ()
    explanation: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    copies: tuple[tuple[str, str], ...] = ()
    more_from: str = ""

    def as_json(self) -> dict[str, Any]:
        """The stable JSON form; `snippet` is safe HTML with `<mark>`."""
        found: dict[str, Any] = {
            "rank": self.rank,
            "url": self.url,
            "title": self.title,
            "score": round(self.score, 6),
            "snippet": self.snippet.html,
            "why": self.why,
        }
        if self.lacks:
            found["without"] = list(self.lacks)
        if self.duplicates:
            found["copies"] = [self.url, *self.duplicates]
        if self.copies:
            found["near_copies"] = [url for url, _ in self.copies]
        if self.more_from:
            found["more_from"] = self.more_from
        if self.explanation:
            found["explanation"] = list(self.explanation)
        return found


@dataclass(frozen=True, slots=True)
class HubPage:
    """A page that links to good pages on the query."""

    node: int
    url: str
    title: str


@dataclass(frozen=True, slots=True)
class Results:
    """The answer to one query.

    `notes` say how the query was changed: words left out, words made optional. `suggestion` is what was probably meant,
    where a word of the query stands on no page; if it finds pages, the results are for it. `listed` is the length of
    the whole list, without what was folded away. `facets` say how the pages found divide and `best` has the ids of the
    first of them, where facts were asked for. `rank` is the row of `QUERY_RANKERS` that made the order, `hubs` the best
    hubs where it has hubs; `ranker` is the stored ranking that words were joined with.
    """

    query: str
    total: int
    ms: float
    results: tuple[Result, ...]
    ranker: str = "text"
    offset: int = 0
    notes: tuple[str, ...] = ()
    facets: Facets = field(default_factory=dict)
    best: tuple[int, ...] = ()
    suggestion: str | None = None
    listed: int = 0
    rank: str = "blended"
    hubs: tuple[HubPage, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The stable JSON form of the command line and of `/api/search`."""
        facets = {name: [asdict(one) for one in values] for name, values in self.facets.items()}
        return {
            "query": self.query,
            "total": self.total,
            "ms": round(self.ms, 3),
            "rank": self.rank,
            "ranker": self.ranker,
            "notes": list(self.notes),
            **({"suggestion": self.suggestion} if self.suggestion else {}),
            **({"facets": facets} if facets else {}),
            "results": [result.as_json() for result in self.results],
            **({"hubs": [{"url": hub.url, "title": hub.title} for hub in self.hubs]} if self.hubs else {}),
        }
