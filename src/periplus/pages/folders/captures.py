"""A folder of HTML files as captures: each file becomes the page that a web server would make of it.

`files` finds the pages, `addresses` tells the URL of each. Other URLs by which links may reach a file become redirects
to it. `Mirror` counts where the links within lead, so that a folder which was added under a wrong name or from a wrong
place is noticed, and `notes` says what to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from periplus.pages.folders.addresses import Address
from periplus.pages.folders.files import Files, capture_of_file, files_of
from periplus.pages.folders.survey import addresses_of, own_url
from periplus.pages.warc import Capture, head_bytes
from periplus.web.html import extract_links
from periplus.web.url import canonical, host_of

_WORTH_A_REMEDY = 0.2  # of the links within; less is what any copy of a site lacks
_LOOKED_FOR = 1000  # lost targets, the most linked first, that are looked for beside the folder
_UP = 4
_ENDINGS = 5


class Mirror:
    """The pages of one folder, or of a single file."""

    def __init__(self, source: Path, base: str | None = None) -> None:
        self.source = source
        self.folder = source if source.is_dir() else source.parent
        self.files = files_of(source) if source.is_dir() else Files(pages=[source])
        self.addresses = addresses_of(self.folder, self.files.pages, base)
        self._told = base is None  # whether a page may say where it stood
        self._links: Counter[str] = Counter()
        self._known: set[str] = set()
        self._hosts: Counter[str] = Counter()

    # -- the pages -------------------------------------------------------------------------------------------

    def captures(self) -> Iterator[Capture]:
        """Every page, and the redirects from its other URLs."""
        places = {path: found for path in self.files.pages if (found := self.addresses.of(path)) is not None}
        self._known = {url for found in places.values() for url in (found.url, *found.aliases)}
        for path, place in places.items():
            page = capture_of_file(path, place.url)
            at = self._with_own(page, place)
            self._known.update((at.url, *at.aliases))
            self._hosts[at.url[: at.url.index("/", 8) + 1]] += 1
            for alias in at.aliases:
                location = [(b"Location", at.url.encode()), (b"Content-Length", b"0")]
                yield Capture(alias, page.fetched, head_bytes(301, "Moved Permanently", location), b"")
            self._note_links(page, at.url)
            yield page if at.url == page.url else replace(page, url=at.url, _parsed=[])

    def _with_own(self, page: Capture, place: Address) -> Address:
        """The address of a page with the URL that it tells of itself, unless another file has that already.

        It is the page's URL where no host is known, and otherwise one more way to it.
        """
        own = own_url(page.payload) if self._told else None
        if own is None or own in self._known:
            return place
        if host_of(place.url).endswith(".local"):
            return Address(own, (place.url, *place.aliases))
        return replace(place, aliases=(*place.aliases, own)) if host_of(own) == host_of(place.url) else place

    def _note_links(self, page: Capture, url: str) -> None:
        here = host_of(url)
        found = extract_links(page.payload, url, page.header("content-type"))
        self._links.update(link.target for link in found.links if link.target != url and host_of(link.target) == here)

    # -- what is to be said of it ----------------------------------------------------------------------------

    @property
    def passed_over(self) -> dict[str, int]:
        """How many files are no pages, by their endings."""
        endings = Counter(path.suffix.lower() for path in self.files.others)
        named = {f"{ending or 'nameless'} file": count for ending, count in endings.most_common(_ENDINGS)}
        rest = len(self.files.others) - sum(named.values())
        found = named | {"other file": rest, "file of HTTrack's own": self.files.ours}
        return {kind: count for kind, count in found.items() if count}

    def notes(self) -> list[str]:
        """Where the pages stand now, and which share of the links within leads nowhere; after `captures` only."""
        if not self.source.is_dir() or not self._hosts:
            return []
        first, others = self._hosts.most_common(1)[0][0], len(self._hosts) - 1
        more = f" and {others:,} other host{'' if others == 1 else 's'}" if others else ""
        unknown = "; no file tells their real host: --base URL names it" if first.endswith(".local/") else ""
        notes = [f"{self.source}: its pages stand under {first}{more}{unknown}"]
        lost = self._lost()
        links, nowhere = self._links.total(), lost.total()
        if nowhere:
            share = nowhere / links
            text = f"{self.source}: {share:.1%} of its {links:,} links within a host lead to no file of the folder"
            notes.append(text + (f"; {self._remedy(lost)}" if share >= _WORTH_A_REMEDY else ""))
        return notes

    def _lost(self) -> Counter[str]:
        """The targets within our hosts that are no file here, and how many links each has."""
        others = {found.url for path in self.files.others if (found := self.addresses.of(path)) is not None}
        return Counter({url: n for url, n in self._links.items() if url not in self._known and url not in others})

    def _remedy(self, lost: Counter[str]) -> str:
        outer, there = self._beside(lost)
        if there:
            here = Path.cwd()
            name = outer.relative_to(here) if here in outer.parents else outer
            return f"{there:,} of these lead to files beside it: add {name} instead"
        url = lost.most_common(1)[0][0]
        return f"most often to {url}: save these pages too or, if the folder stood elsewhere, give --base URL"

    def _beside(self, lost: Counter[str]) -> tuple[Path, int]:
        """The folder above that holds most of the lost files, and how many links would lead to them."""
        best = (self.folder, 0)
        for above in self.folder.resolve().parents[:_UP]:
            there = sum(
                count
                for url, count in lost.most_common(_LOOKED_FOR)
                if (above / unquote(urlsplit(url).path).strip("/")).is_file()
            )
            best = max(best, (above, there), key=lambda one: one[1])
        return best


def checked_base(base: str) -> str | None:
    """A base URL as it is used, with a slash at its end; None for what is no http(s) URL."""
    href = canonical(base)
    return href if href is None or href.endswith("/") else f"{href}/"
