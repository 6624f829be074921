"""What an archive knows of each URL over time: when it was visited, and what each visit found.

    new         the first capture               unchanged   the payload of the capture before
    changed     another payload                 gone        404 or 410 where there was a page
    moved       a redirect where there was a page           failed    any other error

One pass over the merged index, which is sorted by URL; nothing is read from the WARC files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from periplus.pages import cdx
from periplus.pages.cdx import Entry
from periplus.pages.store import PageStore

SECONDS_A_DAY = 86400.0


@dataclass(frozen=True, slots=True)
class Seen:
    """One visit of a URL: its capture, and what it found compared with the visit before."""

    entry: Entry
    found: str

    @property
    def at(self) -> datetime:
        return self.entry.fetched


def histories(store: PageStore) -> Iterator[tuple[str, list[Seen]]]:
    """Every URL with its visits, first to last."""
    if not store.cdx_path.exists():
        return
    with cdx.merged_lines([store.cdx_path]) as lines:
        entries = (entry for line in lines if (entry := cdx.parse_line(line)) is not None)
        for url, of_url in groupby(entries, key=lambda entry: entry.url):
            yield url, seen(of_url)


def history(store: PageStore, url: str) -> list[Seen]:
    """The visits of one URL, first to last."""
    return seen(store.find_all(url))


def seen(entries: Iterable[Entry]) -> list[Seen]:
    """What each of the captures of one URL found."""
    before: Entry | None = None
    visits = []
    for entry in sorted(entries, key=lambda entry: (entry.timestamp, entry.filename, entry.offset)):
        found = _found(entry, before)
        visits.append(Seen(entry, found))
        if found != "failed":  # an error of the day says nothing of the page
            before = entry
    return visits


def is_page(entry: Entry) -> bool:
    """Whether the URL had a page at this capture; 304 says that it still has."""
    return entry.status in (200, 203, 304)


def _found(entry: Entry, before: Entry | None) -> str:
    if entry.status >= 400 and entry.status not in (404, 410):
        return "failed"
    if before is None:
        return "new"
    if entry.is_revisit or (entry.digest == before.digest and is_page(entry) == is_page(before)):
        return "unchanged"
    if is_page(before) and not is_page(entry):
        return "gone" if entry.status >= 400 else "moved"
    return "changed"
