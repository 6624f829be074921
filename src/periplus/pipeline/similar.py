"""From what a person names to a method that finds pages like another: a collection, a graph file, a graph folder.

Of a collection the links that ask not to be followed are left out, as in every ranking, Companion and Cocitation know
the order of the links in each page, and words and vectors are kept once they were worked out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from periplus.collection import Collection
from periplus.errors import MissingStageError, ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray
from periplus.pipeline.graphs import open_graph
from periplus.pipeline.outside import outside_links
from periplus.pipeline.stages.graph import LinkDatabase, load_links
from periplus.pipeline.stages.scores import recommending
from periplus.pipeline.stages.similar import (
    keep_outside,
    keep_vectors,
    keep_words,
    load_flow,
    load_heard,
    load_outside,
    load_vectors,
    load_words,
)
from periplus.pipeline.terms import page_words
from periplus.similar.links import ByLinks
from periplus.similar.lsi import reasons_for
from periplus.similar.outside import Outside
from periplus.similar.record import Related
from periplus.similar.table import LINKS, SIMILAR
from periplus.similar.vectors import PageVectors
from periplus.similar.words import Words

SPARE = 10  # further pages are asked for, in the place of copies


def similar(target: str | Path, method: str, *, lenient: bool = False, **settings: Any) -> Any:
    """The record of a method of `SIMILAR` for a collection or a graph; `settings` are its parameters."""
    row = SIMILAR.find(method)
    given = row.checked(settings)
    if Collection.is_collection(target):
        return similar_in(Collection.open(target), method, given)
    if row.needs:
        links_alone = ", ".join(name for name, one in SIMILAR.items() if not one.needs)
        raise ParameterError("method", method, f"{links_alone} on a graph: only a collection has words and paths")
    return row.function()(open_graph(target, lenient=lenient), **given)


def similar_in(collection: Collection, method: str, given: Mapping[str, Any]) -> Any:
    """The same for a collection; what its usual parameters give is kept."""
    row, database = SIMILAR.find(method), load_links(collection)
    graph = recommending(database)
    if row.family == LINKS:
        return by_links(collection, database, graph, method, given)
    usual = dict(given) == row.checked({})
    if usual and (kept := kept_vectors(collection, graph).get(method)):
        return kept
    needed = [_needed(collection, graph, need) for need in row.needs]
    found = row.function()(graph, *needed, **given)
    if usual and isinstance(found, PageVectors):
        keep_vectors(collection, found)
    return found


def nearest_in(target: str | Path, record: Any, pages: Sequence[Any], count: int) -> Related:
    """The pages nearest to some by a record of `similar` for this target; of a collection each content once."""
    if not Collection.is_collection(target):
        return cast("Related", record.nearest(pages, count))
    copies = load_links(Collection.open(target)).representatives
    return each_once(record.nearest(pages, count + SPARE), copies, count)


def as_data(found: Related, urls: Any) -> dict[str, Any]:
    """The answer as plain data, the pages asked about with their URLs."""
    of = [{"id": page, "url": None if urls is None else str(urls[page])} for page in found.of]
    return {**found.to_dict(), "of": of}


def each_once(found: Related, copies: AnyArray, count: int) -> Related:
    """The answer without copies of the pages asked about and of better results."""
    seen, kept = {int(copies[page]) for page in found.of}, []
    for one in found.results:
        if int(copies[one.id]) not in seen:
            seen.add(int(copies[one.id]))
            kept.append(one)
    return replace(found, results=tuple(kept[:count]))


def by_links(
    collection: Collection, database: LinkDatabase, graph: Graph, method: str, given: Mapping[str, Any]
) -> ByLinks:
    """Companion or Cocitation over a collection, with what a collection knows beside its links."""
    made: ByLinks = SIMILAR[method].function()(graph, positions=positions_of(database), **given)
    heard, copies = load_heard(collection), database.representatives
    return replace(made, heard=heard, copies=copies, outside=lambda: outside_of(collection))


def kept_vectors(collection: Collection, graph: Graph) -> dict[str, PageVectors]:
    """The vectors of this graph that are kept, with the URLs of its pages and the reasons of each likeness."""
    words = load_words(collection)
    return {
        name: replace(one, urls=graph.urls, reasons=reasons_for(name, graph, words))
        for name, one in load_vectors(collection).items()
        if one.graph_digest == graph.digest
    }


def _needed(collection: Collection, graph: Graph, need: str) -> Any:
    """What a method reads beside the graph: the words of every page, or the steps that people took."""
    if need == "words":
        return words_of(collection, graph)
    flow = load_flow(collection, graph)
    if flow is None:
        raise MissingStageError(
            f"{collection.path} knows of no paths: `periplus usage {collection.path} LOG` reads them"
        )
    return flow


def words_of(collection: Collection, graph: Graph) -> Words:
    """The words of every page: those that are kept, or counted now and kept."""
    words = load_words(collection)
    if words is None:
        words = page_words(collection, graph)
        keep_words(collection, words)
    return words


def outside_of(collection: Collection) -> Outside:
    """The links to URLs that are not stored: those that are kept, or gathered now and kept."""
    outside = load_outside(collection)
    if outside is None:
        outside = outside_links(collection)
        keep_outside(collection, outside)
    return outside


def positions_of(database: LinkDatabase) -> AnyArray | None:
    """The place of each link that asks to be followed; None where the graph was built before they were kept."""
    places, followed = database.anchors.positions, database.anchors.followed
    return None if places is None else places[followed]
