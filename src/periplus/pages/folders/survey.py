"""What the pages of a folder say of where they stood: their base, the scheme of each host, the root of their links.

Read from a sample of the pages, in this order:

- The folder, or one just above it, has the name of a host. Above it only if the pages name that host too.
- Pages that tell their own URL (`rel=canonical`, HTTrack's and browsers' "mirrored from", "saved from"): where the URL
  ends with the path of the file, what is before it is the base. More than half of those that tell must agree.
- Otherwise the web is unknown, and its host is the folder's name in `.local`. Its root is the folder, or one above it
  if more links then lead to a page: whoever adds `site/docs` means the pages that link to each other as `/docs/…`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from posixpath import normpath
from urllib.parse import unquote, urlsplit

from periplus.pages.folders.addresses import Addresses, is_host, local_base, root_of
from periplus.web.url import canonical

_SAMPLE, _BYTES = 200, 256 * 1024
_UP = 3  # folders above the given one that may be the root
_OWN = (
    re.compile(rb"<link\b(?=[^>]*\brel=[\"']?canonical\b)[^>]*\bhref=[\"']?([^\"'\s>]+)", re.IGNORECASE),
    re.compile(rb"<!-- Mirrored from (\S+) by HTTrack", re.IGNORECASE),
    re.compile(rb"<!-- saved from url=\(\d+\)(\S+)", re.IGNORECASE),
)
_HREF = re.compile(rb"<a\b[^>]*?\bhref\s*=\s*[\"']?([^\"'>\s]+)", re.IGNORECASE)
_ABSOLUTE = re.compile(rb"\b(https?)://([a-z0-9._-]+(?::\d+)?)", re.IGNORECASE)


def addresses_of(folder: Path, pages: Sequence[Path], base: str | None) -> Addresses:
    """Where the files of a folder stood; `base` is what a person says."""
    if base is not None:
        return Addresses(folder, base, base)
    seen = _Sample(folder, pages)
    return Addresses(folder, None, seen.base(), seen.schemes, seen.coded())


def own_url(body: bytes) -> str | None:
    """The URL that a page tells of itself."""
    for pattern in _OWN:
        if (found := pattern.search(body[:_BYTES])) is not None:
            text = found[1].decode("utf-8", "replace")
            return canonical(text if "://" in text else f"http://{text}")
    return None


class _Sample:
    """Some pages of a folder, spread evenly, and what they say."""

    def __init__(self, folder: Path, pages: Sequence[Path]) -> None:
        self.folder = folder.resolve()
        self._taken = {path.relative_to(folder).as_posix() for path in pages}
        self._links: list[tuple[PurePosixPath, str]] = []
        self._told: list[tuple[PurePosixPath, str]] = []
        named: Counter[tuple[str, str]] = Counter()
        for path in pages[:: len(pages) // _SAMPLE + 1]:
            with path.open("rb") as file:
                body = file.read(_BYTES)
            place = PurePosixPath(path.relative_to(folder).as_posix())
            self._links += [(place, href.decode("utf-8", "replace")) for href in _HREF.findall(body)]
            if (own := own_url(body)) is not None:
                self._told.append((place, own))
            named.update((host.decode().lower(), scheme.decode().lower()) for scheme, host in _ABSOLUTE.findall(body))
        self._named = {host for host, _ in named}
        self.schemes = {host: scheme for (host, scheme), _ in reversed(named.most_common())}

    def base(self) -> str:
        """The base of all pages whose own path names no host."""
        return self._of_a_host_above() or self._of_the_pages() or self._of_the_links()

    def coded(self) -> bool:
        """Whether links call a file by its very name although that has an escape in it."""
        escaped = {place.rpartition("/")[2] for place in self._taken if "%" in place}
        return any(href.rpartition("/")[2] in escaped for _, href in self._links)

    def _of_a_host_above(self) -> str | None:
        below: tuple[str, ...] = ()
        for level, above in enumerate((self.folder, *self.folder.parents)):
            host = above.name.lower()
            if level > _UP or host == "":
                return None
            if is_host(above.name) and (level == 0 or host in self._named):
                return f"{self.schemes.get(host, 'http')}://{host}/" + "".join(f"{part}/" for part in below)
            below = (above.name, *below)
        return None

    def _of_the_pages(self) -> str | None:
        roots = Counter(root for place, own in self._told if (root := root_of(own, place)) is not None)
        if not roots:
            return None
        base, votes = roots.most_common(1)[0]
        return base if 2 * votes > len(self._told) else None

    def _of_the_links(self) -> str:
        levels = [self.folder, *self.folder.parents][: _UP + 1]
        inner = [f"{'/'.join(self.folder.relative_to(root).parts)}/".lstrip("/") for root in levels if root.name]
        hits = [sum(self._leads(prefix, place, href) for place, href in self._links) for prefix in inner]
        best = max(range(len(hits)), key=lambda level: (hits[level], -level), default=0)
        return local_base(levels[best]) + (inner[best] if inner else "")

    def _leads(self, prefix: str, place: PurePosixPath, href: str) -> bool:
        """Whether a link leads to a page, if the folder lies at this prefix below the root of the web."""
        path = _path_of(href)
        if not path:
            return False
        at = "" if path.startswith("/") else f"/{prefix}{place.parent}/"
        target = normpath(f"/{at}{path}").lstrip("/")  # as in a URL, `..` ends at the root
        if target != prefix.rstrip("/") and not target.startswith(prefix):
            return False
        inside = target[len(prefix) :]
        return inside in self._taken or f"{inside}/index.html".lstrip("/") in self._taken


def _path_of(href: str) -> str:
    """The path of a link within its host; "" for a link to elsewhere or into the same page."""
    try:
        parts = urlsplit(href)
    except ValueError:
        return ""
    return "" if parts.scheme or parts.netloc else unquote(parts.path)
