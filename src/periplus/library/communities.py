"""The knowledge base of a collection: its communities as a list, one of them, and those of a page."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from periplus.communities.groups import PageGroups
from periplus.communities.knowing.base import ROLES
from periplus.errors import MissingStageError
from periplus.library.library import Library
from periplus.library.memberships import Memberships
from periplus.library.neighbours import title_of
from periplus.numeric.arrays import Ids
from periplus.record import Table

SHOWN = 30


@dataclass(frozen=True, slots=True)
class PageName:
    """A page as a list of pages shows it."""

    node: int
    url: str
    title: str


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a name, and the first of the `total` pages that it came from."""

    text: str
    pages: tuple[PageName, ...]
    total: int


@dataclass(frozen=True, slots=True)
class CommunityRow:
    """One community of the list: its number, its name, its pages, the best of them."""

    number: int
    name: str
    size: int
    authorities: tuple[PageName, ...]
    hubs: tuple[PageName, ...]


@dataclass(frozen=True, slots=True)
class CommunityView:
    """One community: authorities and hubs, the core it was grown from, and the pages that each word came from."""

    number: int
    name: str
    size: int
    authorities: tuple[PageName, ...]
    hubs: tuple[PageName, ...]
    fans: tuple[PageName, ...]
    centres: tuple[PageName, ...]
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Membership:
    """A community that a page is in, and what the page is to it."""

    number: int
    name: str
    size: int
    roles: tuple[str, ...]


def memberships_of(library: Library) -> Memberships:
    """Which page belongs where; an error that says what to do before the communities are found."""
    found: Memberships | None = library.memberships
    if found is None:
        raise MissingStageError(
            f"this collection has no communities yet: `periplus build {library.collection.path}` finds them"
        )
    return found


def communities_about(library: Library, query: str = "") -> list[int]:
    """The communities about some words, those with the most of the words first; all, the largest cores first."""
    found = memberships_of(library)
    return found.communities_about(query) if query.strip() else list(range(len(found.base)))


def community_rows(library: Library, numbers: Collection[int], *, best: int = 3) -> list[CommunityRow]:
    """Some communities as rows of a list, with their best pages."""
    base, rows = memberships_of(library).base, []
    for number in numbers:
        group = base[number]
        parts = [named(library, group.parts[role], best) for role in ("authorities", "hubs")]
        rows.append(CommunityRow(number, group.name, group.facts["size"], *parts))
    return rows


def community_view(library: Library, number: int) -> CommunityView:
    """All that is known of one community."""
    group = memberships_of(library).community(number)
    sources = group.facts["sources"]
    stood = {word: named(library, sources[word]) for word in group.facts["words"]}
    words = tuple(Word(word, pages, len(pages)) for word, pages in stood.items())
    parts = {role: named(library, group.parts[role]) for role in ROLES}
    return CommunityView(number=number, name=group.name, size=group.facts["size"], words=words, **parts)


def communities_of_page(library: Library, node: int) -> list[Membership]:
    """The communities that a page is in, those where it is an authority or a hub first."""
    found = library.memberships
    if found is None:
        return []
    listed = []
    for number in found.of_page(node):
        group = found.base[number]
        roles = tuple(found.roles(number, node))
        listed.append(Membership(number, group.name, group.facts["size"], roles))
    return sorted(listed, key=lambda one: (-len(one.roles), one.number))


def named(library: Library, pages: Ids | Collection[int], most: int | None = None) -> tuple[PageName, ...]:
    """Pages with their titles, at most so many; none that asks not to be shown to others."""
    shown = [int(page) for page in pages if int(page) not in library.searcher.hidden][:most]
    return tuple(PageName(page, library.graph.urls[page], title_of(library, page)) for page in shown)


# -- as data -------------------------------------------------------------------------------------------------


def community_facts(base: PageGroups, number: int, hidden: Collection[int] = ()) -> dict[str, Any]:
    """A community as plain data: pages by URL, or by id where the graph has no URLs."""
    group, urls = base[number], base.urls
    url: Callable[[int], Any] = (lambda page: page) if urls is None else (lambda page: str(urls[page]))

    def listed(pages: Any) -> list[Any]:
        return [url(int(page)) for page in pages if int(page) not in hidden]

    parts = {role: listed(pages) for role, pages in group.parts.items()}
    sources = {word: listed(pages) for word, pages in group.facts["sources"].items()}
    return {"id": number, "name": group.name, "size": group.facts["size"], **parts, "sources": sources}


def communities_table(library: Library) -> Table:
    """One row per community of the knowledge base, the largest cores first."""
    base, hidden = memberships_of(library).base, library.searcher.hidden
    rows = []
    for number in range(len(base)):
        told = community_facts(base, number, hidden)
        best = (" ".join(told[role]) for role in ("authorities", "hubs"))
        rows.append((number, told["name"], told["size"], len(told["fans"]), len(told["centres"]), *best))
    return Table.of_rows(("id", "name", "pages", "fans", "centres", "authorities", "hubs"), rows)
