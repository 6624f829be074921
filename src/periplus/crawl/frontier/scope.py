"""Which URLs belong to a crawl: the sites, hosts or folders of its seeds, or everything."""

from __future__ import annotations

from collections.abc import Iterable

from periplus.web.url import host_of, site_of


class Scope:
    """The sites (`site`), hosts (`host`) or folders (`prefix`) of the seeds, or no bound (`any`)."""

    def __init__(self, kind: str, seeds: Iterable[str] = ()) -> None:
        self.kind = kind
        self._roots: set[str] = set()
        self._hosts: dict[str, bool] = {}
        for seed in seeds:
            self.widen(seed)

    def widen(self, url: str) -> None:
        """Add a seed, or the target of a redirected seed, to the scope."""
        root = self._root(url)
        if root not in self._roots:
            self._roots.add(root)
            self._hosts.clear()

    def __contains__(self, url: str) -> bool:
        if self.kind == "any":
            return True
        if self.kind == "prefix":
            return any(url.startswith(root) for root in self._roots)
        host = host_of(url)
        inside = self._hosts.get(host)
        if inside is None:
            inside = self._hosts[host] = self._root(url) in self._roots
            if len(self._hosts) > 100_000:
                self._hosts.clear()
        return inside

    def _root(self, url: str) -> str:
        if self.kind == "prefix":
            return url.split("?", 1)[0].rpartition("/")[0] + "/"
        return site_of(url) if self.kind == "site" else host_of(url)
