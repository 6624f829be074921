"""Pages like one of a collection, for those who look at it: what is ready, and what a visitor may ask for.

Companion and Cocitation answer in milliseconds. Vectors are worked out when they are first asked for; on a large
collection that takes minutes, and is left to `periplus related`, which keeps them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

from periplus.catalog import Algorithm
from periplus.errors import MissingStageError, ParameterError
from periplus.library.library import Library
from periplus.pipeline.outside import outside_links
from periplus.pipeline.similar import SPARE, by_links, each_once, kept_vectors, similar_in
from periplus.pipeline.stages.similar import load_flow, load_outside
from periplus.similar.outside import Outside
from periplus.similar.record import Related
from periplus.similar.table import LINKS, SIMILAR

SMALL = 3_000  # pages whose vectors are found in seconds
STRIP = 6
_PREFERRED = ("lsi-smoothed", "lsi-stacked", "lsi-words", "lsi-both-ways", "companion", "cocitation")


class RelatedPages:
    """The methods of `SIMILAR` over an opened collection, each made when first asked for."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._made: dict[str, Any] = {}

    @property
    def _graph(self) -> Any:
        return self._library.recommending

    @cached_property
    def _kept(self) -> dict[str, Any]:
        try:
            return kept_vectors(self._library.collection, self._graph)
        except MissingStageError:
            return {}

    def methods(self) -> list[str]:
        """The methods that can be asked here: those by links, those kept, all on a small collection."""
        return [name for name, row in SIMILAR.items() if row.family == LINKS or name in self._kept or self._easy(row)]

    def _easy(self, row: Algorithm) -> bool:
        return self._graph.nodes <= SMALL and ("paths" not in row.needs or self._flow)

    @cached_property
    def _flow(self) -> bool:
        return load_flow(self._library.collection, self._graph) is not None

    def nearest(self, url: str, method: str, count: int = 10) -> Related:
        """The pages most like a URL by a method that can be asked here."""
        SIMILAR.find(method)
        if method not in self.methods():
            ready = ", ".join(self.methods())
            path = self._library.collection.path
            raise ParameterError(
                "method", method, f"{ready} here; `periplus related {path} URL --method {method}` works out the others"
            )
        return self._shown(self._record(method), url, count)

    def strip(self, url: str) -> Related:
        """A few related pages by the best method that is ready now."""
        empty = None
        for method in _PREFERRED:
            if method in self._kept or SIMILAR[method].family == LINKS:
                found = self._shown(self._record(method), url, STRIP)
                if found.results:
                    return found
                empty = empty or found
        assert empty is not None
        return empty

    def _record(self, method: str) -> Any:
        if method not in self._made:
            row = SIMILAR[method]
            if row.family == LINKS:
                made = self._by_links(method)
            else:
                made = self._kept.get(method) or similar_in(self._library.collection, method, row.checked({}))
            self._made[method] = made
        return self._made[method]

    def _by_links(self, method: str) -> Any:
        made = by_links(self._library.collection, self._library.links, self._graph, method, {})
        return replace(made, outside=lambda: self._outside)

    @cached_property
    def _outside(self) -> Outside | None:
        """The links to URLs that are not stored: those that are kept, and on a small collection gathered now."""
        collection = self._library.collection
        kept = load_outside(collection)
        return outside_links(collection) if kept is None and self._graph.nodes <= SMALL else kept

    def _shown(self, record: Any, url: str, count: int) -> Related:
        """What may be shown: each content once, to the public no page that asks not to be indexed."""
        found = record.nearest(url, count + SPARE)
        if self._library.public:
            texts = self._library.stored_text
            found = replace(found, results=tuple(one for one in found.results if texts(one.url) is not None))
        return each_once(found, self._library.links.representatives, count)
