"""A URL that was visited before is asked for only if it has changed (RFC 9110, If-None-Match, If-Modified-Since)."""

from __future__ import annotations

from dataclasses import replace

from periplus.crawl.rules.rule import Rule
from periplus.crawl.visit import Visit
from periplus.errors import DamagedError
from periplus.pages import cdx
from periplus.pages.cdx import Entry
from periplus.pages.warc import parse_head


class Revisit(Rule):
    """Gives a visit what is known of its URL: its outcome, its last capture, and the conditions of the request."""

    async def before_fetch(self, visit: Visit) -> Visit:
        row = self.crawl.scheduler.frontier.find(visit.url)
        if row is None or not row.outcome:
            return visit
        store = self.crawl.commits.journal.store
        # Only finished files: a URL is visited once in a run, and the writer has merged what earlier ones wrote.
        entries = cdx.lookup(store.cdx_path, visit.url) if store.cdx_path.exists() else []
        last = max(entries, key=lambda entry: (entry.timestamp, entry.filename, entry.offset), default=None)
        known = None if last is None else store.original(last)
        if known is None or known.truncated == "disconnect":
            return replace(visit, earlier=row.outcome)
        return replace(visit, earlier=row.outcome, known=known, headers={**(visit.headers or {}), **self._ask(known)})

    def _ask(self, known: Entry) -> dict[str, str]:
        try:
            _, headers = parse_head(self.crawl.commits.journal.store.record(known).head)
        except DamagedError:  # then the page is fetched whole
            return {}
        found = {name.lower(): value for name, value in reversed(headers)}
        asked = {"If-None-Match": found.get("etag"), "If-Modified-Since": found.get("last-modified")}
        return {name: value for name, value in asked.items() if value and known.status == 200}
