"""What a collection found when it came back: pages that are new, gone, changed or moved, and one page over time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from periplus.collection import Collection
from periplus.crawl.frontier.store import stored_totals
from periplus.draw.page import html_page
from periplus.errors import UnknownPageError, UsageError
from periplus.pages.history import Seen, histories, history, is_page
from periplus.pages.store import store_of
from periplus.wording import counted

KINDS = ("new", "changed", "moved", "gone")


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one page: `was` and `now` are when it was last seen before, and since; `to` where it moved."""

    url: str
    kind: str
    was: str
    now: str
    to: str = ""


@dataclass(frozen=True, slots=True)
class Changes:
    """Every page that is not as it was at `since`, and how many are."""

    since: str
    changes: tuple[Change, ...]
    unchanged: int
    not_visited: int

    def count(self, kind: str) -> int:
        return sum(change.kind == kind for change in self.changes)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        rows = [{"url": c.url, "kind": c.kind, "was": c.was, "now": c.now, "to": c.to} for c in self.changes]
        counts = {kind: self.count(kind) for kind in KINDS}
        return {"since": self.since, **counts, "unchanged": self.unchanged, "not_visited": self.not_visited,
                "changes": rows}  # fmt: skip

    def to_html(self, name: str) -> str:
        """A page that holds the report."""
        told = ", ".join(f"{self.count(kind):,} {kind}" for kind in KINDS)
        lead = f"Since {self.since}: {told}; {counted(self.unchanged, 'page')} as before."
        rows = [(change.kind, change.url, change.was, change.now, change.to) for change in self.changes]
        return html_page(f"What changed in {name}", lead, ("", "page", "seen before", "seen now", "moved to"), rows, ())


def changes_of(collection: Collection, since: datetime | None = None) -> Changes:
    """What changed since a moment; without one, since the last round of the crawl began."""
    moment = since or _last_round(collection)
    found, unchanged, not_visited = [], 0, 0
    for url, visits in histories(store_of(collection)):
        told = [visit for visit in visits if visit.found != "failed"]
        before = [visit for visit in told if visit.at < moment]
        after = [visit for visit in told if visit.at >= moment]
        if not after:
            not_visited += bool(before) and is_page(before[-1].entry)
            continue
        change = _change(url, before[-1] if before else None, after[-1], any(v.found != "unchanged" for v in after))
        if change is None:
            unchanged += is_page(after[-1].entry)
            continue
        found.append(change)
    order = {kind: at for at, kind in enumerate(KINDS)}
    ranked = tuple(sorted(found, key=lambda change: (order[change.kind], change.url)))
    return Changes(moment.isoformat(timespec="seconds"), ranked, unchanged, not_visited)


def _change(url: str, before: Seen | None, now: Seen, moved_on: bool) -> Change | None:
    was, at = before.at.isoformat() if before else "", now.at.isoformat()
    page = is_page(now.entry)
    if before is None or not is_page(before.entry):
        return Change(url, "new", was, at) if page else None
    if not page:
        kind = "moved" if now.entry.redirect else "gone"
        return Change(url, kind, was, at, now.entry.redirect or "")
    return Change(url, "changed", was, at) if moved_on and now.entry.digest != before.entry.digest else None


def _last_round(collection: Collection) -> datetime:
    """When the crawl last began to come back."""
    path = collection.frontier_path
    if path.exists() and (at := stored_totals(path).get("round_at")):
        return datetime.fromtimestamp(at, UTC)
    raise UsageError(
        f"{collection.path} was not visited again yet: "
        f"run `periplus refresh {collection.path}` first, or give a date (--since)"
    )


@dataclass(frozen=True, slots=True)
class Capture:
    """One capture of a page, as its history shows it."""

    at: str
    found: str
    status: int
    mime: str
    digest: str
    bytes: int
    redirect: str


def visits_of(collection: Collection, url: str) -> tuple[Capture, ...]:
    """Every capture of a page, first to last, with what each found."""
    visits = history(store_of(collection), url)
    if not visits:
        raise UnknownPageError(f"{url} was never captured in {collection.path}")
    return tuple(
        Capture(v.at.isoformat(), v.found, v.entry.status, v.entry.mime, v.entry.digest, v.entry.length,
                v.entry.redirect or "")
        for v in visits
    )  # fmt: skip
