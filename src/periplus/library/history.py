"""The captures of one page over time, and what changed in its text between two of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from periplus.errors import ParameterError
from periplus.library.library import Library
from periplus.library.neighbours import find_page
from periplus.pages.cdx import Entry
from periplus.pages.parsed import read_capture
from periplus.web.html import paragraphs

MOST_CAPTURES, MOST_PARAGRAPHS, MOST_LETTERS = 500, 2_000, 2_000
BESIDE = 1  # unchanged paragraphs shown before and after a change
Kind = Literal["same", "added", "removed", "skipped"]


@dataclass(frozen=True, slots=True)
class Moment:
    """One capture: when, with which status, and whether its content is that of the one before."""

    timestamp: str
    status: int
    digest: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Change:
    """A paragraph of a comparison; of `skipped` ones only their number, as text."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """The text of a page at two moments; `truncated` where only the first paragraphs were compared."""

    before: str
    after: str
    changes: tuple[Change, ...]
    added: int
    removed: int
    truncated: bool


def history_of(library: Library, url: str) -> tuple[Moment, ...]:
    """The captures of a page, oldest first, the newest `MOST_CAPTURES` of them."""
    entries = _entries(library, url)
    before = [entry.digest for entry in (*entries[:1], *entries)]  # the first has changed from nothing
    moments = [
        Moment(entry.timestamp, entry.status, entry.digest, entry.digest != digest)
        for entry, digest in zip(entries, before, strict=False)
    ]
    return tuple(moments[-MOST_CAPTURES:])


def difference(library: Library, url: str, before: str, after: str) -> Difference:
    """What changed in the text of a page from one capture to another, paragraph by paragraph."""
    by_time = {entry.timestamp: entry for entry in _entries(library, url)}
    for name, moment in (("from", before), ("to", after)):
        if moment not in by_time:
            raise ParameterError(name, moment[:40], f"the time of a capture of this page: {_offered(by_time)}")
    texts = [_paragraphs(library, by_time[moment]) for moment in (before, after)]
    old, new = ([one[:MOST_LETTERS] for one in text[:MOST_PARAGRAPHS]] for text in texts)
    changes = _changes(old, new)
    added, removed = (sum(one.kind == kind for one in changes) for kind in ("added", "removed"))
    cut = any(len(text) > MOST_PARAGRAPHS for text in texts)
    return Difference(before, after, _shortened(changes), added, removed, cut)


def _entries(library: Library, url: str) -> list[Entry]:
    stored = library.graph.urls[find_page(library, url)]
    return sorted(library.pages.find_all(stored), key=lambda entry: (entry.timestamp, entry.filename, entry.offset))


def _offered(by_time: dict[str, Entry]) -> str:
    return ", ".join(sorted(by_time)[-3:]) or "there is none"


def _paragraphs(library: Library, entry: Entry) -> list[str]:
    """The text of one capture; nothing where it is not a page, or asks the public not to read it."""
    page = library.pages.read(entry)
    document = read_capture(entry, page).document
    if document is None or (library.public and document.noindex):
        return []
    return list(paragraphs(page.body, page.content_type))


def _changes(old: list[str], new: list[str]) -> list[Change]:
    """Both texts as one list: of what neither shares with the other, first what went, then what came."""
    found: list[Change] = []
    a = b = 0
    for at, to in [*_in_common(old, new), (len(old), len(new))]:
        found += [Change("removed", text) for text in old[a:at]]
        found += [Change("added", text) for text in new[b:to]]
        found += [Change("same", text) for text in old[at : at + 1]]
        a, b = at + 1, to + 1
    return found


def _in_common(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """The places of a longest common subsequence, in order.

    A row of the table of lengths is one number: bit j is 0 where the length grows at new[j] (Hyyrö 2004). The cost is
    the same for all texts: one addition of so many bits per paragraph; difflib's is cubic where paragraphs repeat.
    """
    stands: dict[str, int] = {}
    for at, text in enumerate(new):
        stands[text] = stands.get(text, 0) | 1 << at
    whole = (1 << len(new)) - 1
    rows = [whole]
    for text in old:
        row = rows[-1]
        kept = row & stands.get(text, 0)
        rows.append(((row + kept) | (row - kept)) & whole)
    pairs = []
    at, to = len(old), len(new)
    while at and to:
        if rows[at] >> (to - 1) & 1:
            to -= 1
            continue
        at -= 1
        if rows[at] >> (to - 1) & 1:
            to -= 1
            pairs.append((at, to))
    return pairs[::-1]


def _shortened(changes: list[Change]) -> tuple[Change, ...]:
    """Unchanged paragraphs far from any change give way to their number."""
    moved = [at for at, one in enumerate(changes) if one.kind != "same"]
    near = {at + by for at in moved for by in range(-BESIDE, BESIDE + 1)}
    found: list[Change] = []
    left_out = 0
    for at, one in enumerate(changes):
        if one.kind == "same" and at not in near:
            left_out += 1
            continue
        if left_out:
            found.append(Change("skipped", str(left_out)))
            left_out = 0
        found.append(one)
    return (*found, Change("skipped", str(left_out))) if left_out else tuple(found)
