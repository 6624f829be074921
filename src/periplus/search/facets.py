"""How the pages that a query finds divide: by site, language, year and type, each with counts over all of them.

Cost: one pass over the columns of the pages found, about 2 ms for 100,000 of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from periplus.search.opened import Opened

MOST = 8
_EXACT = 65_000  # values that are counted in each part of the index before the most frequent are taken
_FIELDS = {"site": "site", "language": "language", "type": "filetype"}
_OPERATORS = {"site": "site:{}", "language": "lang:{}", "type": "filetype:{}"}


@dataclass(frozen=True, slots=True)
class FacetValue:
    """So many pages of an answer have this value; `narrows` is what to add to the query to see only these."""

    value: str
    count: int
    narrows: str


Facets = dict[str, tuple[FacetValue, ...]]
"""For `site`, `language`, `year` and `type` the values, most frequent first; years from the newest on."""


def facets_of(opened: Opened, query: Any) -> Facets:
    """The facets of what a query of the index finds."""
    asked: dict[str, Any] = {
        name: {"terms": {"field": field, "size": MOST + 1, "segment_size": _EXACT}} for name, field in _FIELDS.items()
    }
    asked["year"] = {"histogram": {"field": "day", "interval": 10_000, "min_doc_count": 1}}
    found: Any = opened.reader.aggregate(query, asked)
    made = {name: tuple(_values(name, found[name]["buckets"]))[:MOST] for name in _FIELDS}
    return {"site": made["site"], "language": made["language"], "year": _years(found), "type": made["type"]}


def _values(name: str, buckets: list[dict[str, Any]]) -> Iterator[FacetValue]:
    for bucket in sorted(buckets, key=lambda one: (-one["doc_count"], one["key"])):
        if bucket["key"]:
            yield FacetValue(bucket["key"], bucket["doc_count"], _OPERATORS[name].format(bucket["key"]))


def _years(found: Any) -> tuple[FacetValue, ...]:
    counts = {int(bucket["key"]) // 10_000: bucket["doc_count"] for bucket in found["year"]["buckets"]}
    return tuple(
        FacetValue(str(year), counts[year], f"after:{year} before:{year + 1}")
        for year in sorted(counts, reverse=True)
        if year
    )
