"""`PageGroups`: groups of pages that may overlap, each with the roles its pages play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from periplus.errors import ParameterError
from periplus.numeric.arrays import Ids, Offsets
from periplus.record import plain


@dataclass(frozen=True, eq=False, slots=True)
class PageGroup:
    """One group: its pages by role ("fans" and "centres", "hubs" and "authorities", or all as "pages").

    `facts` are what is known of it besides.
    """

    parts: Mapping[str, Ids]
    name: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def pages(self) -> Ids:
        """Every page of the group once, by id."""
        return np.unique(np.concatenate([*self.parts.values()])).astype(np.uint32)

    def to_dict(self) -> dict[str, Any]:
        """Pages by role, the name where there is one, the facts."""
        name = {"name": self.name} if self.name else {}
        return {**name, **plain(dict(self.parts)), **plain(dict(self.facts))}


@dataclass(frozen=True, eq=False)
class PageGroups:
    """Groups of pages of one graph, in the order in which the method found or ordered them.

    `noun` is what the groups are called in JSON; `extra` holds what only some methods tell.
    """

    method: str
    groups: tuple[PageGroup, ...]
    nodes: int
    parameters: Mapping[str, Any] = field(default_factory=dict)
    noun: str = "groups"
    graph_digest: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    urls: Any = None

    def __repr__(self) -> str:
        return f"PageGroups({self.method}, {len(self.groups):,} {self.noun} of {self.nodes:,} pages)"

    def __len__(self) -> int:
        return len(self.groups)

    def __iter__(self) -> Iterator[PageGroup]:
        return iter(self.groups)

    def __getitem__(self, number: int) -> PageGroup:
        return self.groups[number]

    @property
    def sizes(self) -> Offsets:
        """The number of pages of each group."""
        return np.array([len(group.pages) for group in self.groups], np.int64)

    def of_page(self, page: int | str) -> list[int]:
        """The numbers of the groups that a page, given by id or URL, belongs to."""
        found = self.urls.find(page) if isinstance(page, str) and self.urls is not None else page
        if not isinstance(found, int) or not 0 <= found < self.nodes:
            raise ParameterError("page", page, f"a page of this graph, of {self.nodes:,} pages")
        return [number for number, group in enumerate(self.groups) if found in group.pages]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "method": self.method,
            "parameters": plain(dict(self.parameters)),
            "count": len(self.groups),
            "sizes": self.sizes.tolist(),
            self.noun: [group.to_dict() for group in self.groups],
            "graph_digest": self.graph_digest,
            **plain(dict(self.extra)),
        }

    def columns(self) -> dict[str, Any]:
        """The table of memberships: a row per group, role and page."""
        rows = [
            (number, role, int(page))
            for number, group in enumerate(self.groups)
            for role, pages in group.parts.items()
            for page in pages
        ]
        pages = [page for _, _, page in rows]
        table: dict[str, Any] = {"group": [number for number, _, _ in rows], "role": [role for _, role, _ in rows]}
        table["page"] = pages
        return table if self.urls is None else table | {"url": [str(self.urls[page]) for page in pages]}
