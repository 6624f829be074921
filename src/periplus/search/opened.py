"""`Opened`: a text index opened for reading. Queries in, hits and stored pages out; nothing here ranks or words."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from periplus.index.build import NODES, open_index
from periplus.index.records import Records
from periplus.index.schema import NOINDEX, read_record
from periplus.numeric.arrays import AnyArray, Ids
from periplus.numeric.npy import load_array
from periplus.search.plan import Groups, Planner
from periplus.search.query import Filter, Term

Hit = tuple[float, Any]
"""The score of a page by its text, and its address in the index."""


class Opened:
    """One text index; `public` leaves out the pages that ask not to be indexed."""

    def __init__(self, folder: Path, *, public: bool = False, groups: Groups | None = None) -> None:
        index = open_index(Path(folder))
        self._records = Records(Path(folder))
        self._nodes = load_array(Path(folder) / NODES)
        self._schema = index.schema
        self.reader = index.searcher()
        self._groups = groups
        self.planner = Planner(index, self.reader, public=public, groups=self._members if groups else None)
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

    def newest_of(self, query: Any, limit: int) -> Any:
        """The query narrowed to its newest pages."""
        from tantivy import Occur, Query

        found: Any = self.reader.search(query, limit=limit, count=False, order_by_field="day")
        numbers = self._numbers([address for _, address in found.hits]).tolist()
        newest = Query.const_score_query(Query.term_set_query(self._schema, "number", numbers), 0.0)
        return Query.boolean_query([(Occur.Must, query), (Occur.Must, newest)])

    def count(self, query: Any) -> int:
        """How many pages a query finds."""
        return self.best(query, 1)[1]

    def pages_with(self, node: Term | Filter) -> int:
        """How many pages a word, phrase or filter finds by itself."""
        return self.count(self.planner.alone(node))

    def nodes(self, addresses: list[Any]) -> AnyArray:
        """The page of each address in the index."""
        return self._nodes[self._numbers(addresses)].astype(np.int64)

    def column(self, name: str, addresses: list[Any]) -> AnyArray:
        """A number of each page."""
        values: Any = self.reader.fast_field_values(name, addresses) if addresses else []
        return np.array(values, dtype=np.uint64)

    def page(self, address: Any) -> dict[str, Any]:
        """What the index keeps of a page."""
        number = int(self._numbers([address])[0])
        return {**read_record(self._records.read(number)), "node": int(self._nodes[number])}

    def page_of(self, node: int) -> dict[str, Any] | None:
        """The same, by the page's id."""
        found = self._numbers_of.get(node)
        return None if found is None else {**read_record(self._records.read(found)), "node": node}

    def _members(self, kind: str, text: str) -> Ids:
        """The numbers of the documents in a group of pages."""
        pages = self._groups(kind, text) if self._groups else ()
        return np.flatnonzero(np.isin(self._nodes, pages)).astype(np.uint32)

    def _numbers(self, addresses: list[Any]) -> AnyArray:
        return self.column("number", addresses).astype(np.int64)

    @cached_property
    def _numbers_of(self) -> dict[int, int]:
        return {node: number for number, node in enumerate(self._nodes.tolist())}

    def addresses_of(self, nodes: list[int]) -> dict[int, Any]:
        """Where pages stand in the index; those that are not in it are left out."""
        from tantivy import Query

        numbers = [self._numbers_of[node] for node in nodes if node in self._numbers_of]
        if not numbers:
            return {}
        hits, _ = self.best(Query.term_set_query(self._schema, "number", numbers), len(numbers), count=False)
        addresses = [address for _, address in hits]
        return dict(zip(self.nodes(addresses).tolist(), addresses, strict=True))

    @cached_property
    def sites(self) -> int:
        """About how many sites there are."""
        from tantivy import Query

        return round(self.reader.cardinality(Query.all_query(), "site"))

    @cached_property
    def hidden(self) -> frozenset[int]:
        """The pages that are never shown, because others can search here and the pages ask not to be indexed."""
        from tantivy import Query

        if not self.public:
            return frozenset()
        asks = Query.term_query(self._schema, "asks", NOINDEX, "basic")
        hits, _ = self.best(asks, max(self.documents, 1))
        return frozenset(self.nodes([address for _, address in hits]).tolist())
