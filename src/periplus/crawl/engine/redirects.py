"""`Redirects`: where redirects lead, so that a loop of several is named when it closes.

The redirects of this run are in memory, the latest of them; earlier ones are looked up in the archive, so a loop that a
restart has cut in two is found as well.
"""

from __future__ import annotations

from periplus.crawl.frontier.store import Frontier
from periplus.pages.store import PageStore
from periplus.web.url import canonical

_REMEMBERED = 65536
_LONGEST = 20  # more in a row end by the limit of redirects anyhow


class Redirects:
    """Every redirect that the crawl has met, by its URL."""

    def __init__(self, frontier: Frontier, store: PageStore) -> None:
        self._frontier = frontier
        self._store = store
        self._targets: dict[str, str] = {}

    def loop(self, url: str, target: str) -> tuple[str, ...]:
        """Note that `url` redirects to `target`; if that closes a loop, the URLs of the loop, `url` first and last."""
        self._targets[url] = target
        if len(self._targets) > _REMEMBERED:
            del self._targets[next(iter(self._targets))]
        chain, at = [url], target
        while len(chain) < _LONGEST:
            chain.append(at)
            if at == url:
                return tuple(chain)
            after = self._targets.get(at) or self._stored(at)
            if after is None:
                break
            at = after
        return ()

    def _stored(self, url: str) -> str | None:
        """Where a URL redirects to by what an earlier run stored."""
        row = self._frontier.find(url)
        if row is None or not (row.outcome or "").startswith(("HTTP_3", "ERR_REDIRECT")):
            return None
        entry = self._store.find(url)
        return canonical(entry.redirect, url) if entry is not None and entry.redirect else None
