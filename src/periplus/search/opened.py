"""`Opened`: a text index opened for reading. Queries in, hits and stored pages out; nothing here ranks or words."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from periplus.index.build import open_index
from periplus.index.schema import NOINDEX, unpacked_calls, unpacked_list
from periplus.numeric.arrays import AnyArray
from periplus.search.plan import Groups, Planner
from periplus.search.query import Term

Hit = tuple[float, Any]
"""The score of a page by its text, and its address in the index."""


class Opened:
    """One text index; `public` leaves out the pages that ask not to be indexed."""

    def __init__(self, folder: Path, *, public: bool = False, groups: Groups | None = None) -> None:
        index = open_index(Path(folder))
        self._schema = index.schema
        self.reader = index.searcher()
        self.planner = Planner(index, self.reader, public=public, groups=groups)
        self.public = public

    @property
    def documents(self) -> int:
        """How many pages can be found."""
        count: int = self.reader.num_docs
        return count

    def best(self, query: Any, limit: int, *, count: bool = True) -> tuple[list[Hit], int]:
        """The best pages of a query by text, and how many it finds."""
        found: Any = self.reader.search(query, limit=limit, count=count)
        return found.hits, found.count if count else len(found.hits)

    def count(self, query: Any) -> int:
        """How many pages a query finds."""
        return self.best(query, 1)[1]

    def pages_with(self, term: Term) -> int:
        """How many pages a word or phrase finds by itself."""
        return self.count(self.planner.alone(term))

    def nodes(self, addresses: list[Any]) -> AnyArray:
        """The page of each address in the index."""
        return np.array(self.reader.fast_field_values("node", addresses) if addresses else [], dtype=np.int64)

    def page(self, address: Any) -> dict[str, Any]:
        """What the index keeps of a page."""
        document: Any = self.reader.doc(address)
        return {
            "node": document.get_first("node"),
            "title": " ".join(bytes(document.get_first("shown_title")).decode().split()),
            "body": bytes(document.get_first("shown_body")).decode(),
            "host": document.get_first("host") or "",
            "site": document.get_first("site") or "",
            "language": document.get_first("language") or "",
            "url": bytes(document.get_first("address")).decode("utf-8", "replace"),
            "calls": unpacked_calls(bytes(document.get_first("calls"))),
            "fetched": bytes(document.get_first("fetched")).decode("utf-8", "replace"),
            "duplicates": unpacked_list(bytes(document.get_first("duplicates"))),
        }

    def page_of(self, node: int) -> dict[str, Any] | None:
        """The same, by the page's id."""
        from tantivy import Query

        hits, _ = self.best(Query.term_query(self._schema, "node", node, "basic"), 1)
        return self.page(hits[0][1]) if hits else None

    def addresses_of(self, nodes: list[int]) -> dict[int, Any]:
        """Where pages stand in the index; those that are not in it are left out."""
        from tantivy import Query

        if not nodes:
            return {}
        hits, _ = self.best(Query.term_set_query(self._schema, "node", nodes), len(nodes), count=False)
        addresses = [address for _, address in hits]
        return dict(zip(self.nodes(addresses).tolist(), addresses, strict=True))

    @cached_property
    def hidden(self) -> frozenset[int]:
        """The pages that are never shown, because others can search here and the pages ask not to be indexed."""
        from tantivy import Query

        if not self.public:
            return frozenset()
        asks = Query.term_query(self._schema, "asks", NOINDEX, "basic")
        hits, _ = self.best(asks, max(self.documents, 1))
        return frozenset(self.nodes([address for _, address in hits]).tolist())
