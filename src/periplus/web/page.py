"""`Page`: one fetched resource with its bytes; `Document`: what was read out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from periplus.web.link import Link


@dataclass(frozen=True, slots=True)
class Page:
    """One HTTP response; its body is decoded from transfer and content encodings."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    fetched: datetime = field(default_factory=lambda: datetime.now(UTC))
    truncated: str | None = None

    @property
    def content_type(self) -> str:
        """The media type in lower case, without parameters; empty if the server sent none."""
        for name, value in self.headers.items():
            if name.lower() == "content-type":
                return value.split(";")[0].strip().lower()
        return ""


@dataclass(frozen=True, slots=True)
class Document:
    """The content of an HTML page: its words, separated by where they occur, and its links.

    `text` has a line per block; `kinds` has a letter per block, which tells main text from navigation (see `blocks`).
    `parts`: the parts of words like `ArgumentParser`.
    `links_truncated`: the page has more links than are kept. `flattened`: its tree would have been too expensive to
    build, so it was read tag by tag. `description`: of the meta element. `insecure`: what an https page loads over
    plain http. Both are None where they were not looked for, as in what an earlier version stored. `refresh`: where a
    page sends its readers at once, as a redirect does. `feeds`: the feeds that it names. Neither is stored.
    """

    url: str
    title: str = ""
    headings: tuple[str, ...] = ()
    text: str = ""
    kinds: str = ""
    parts: str = ""
    links: tuple[Link, ...] = ()
    canonical: str | None = None
    language: str | None = None
    description: str | None = None
    insecure: tuple[str, ...] | None = None
    charset: str = "utf-8"
    noindex: bool = False
    nofollow: bool = False
    links_truncated: bool = False
    flattened: bool = False
    refresh: str | None = None
    feeds: tuple[str, ...] = ()
