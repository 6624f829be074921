"""From what a person names to a method that finds pages like another: a collection, a graph file, a graph folder.

Of a collection the links that ask not to be followed are left out, as in every ranking, and Companion and Cocitation
know the order of the links in each page.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from periplus.collection import Collection
from periplus.numeric.arrays import AnyArray
from periplus.pipeline.graphs import open_graph
from periplus.pipeline.stages.graph import LinkDatabase, load_links
from periplus.pipeline.stages.scores import recommending
from periplus.similar.table import SIMILAR


def similar(target: str | Path, method: str, *, lenient: bool = False, **settings: Any) -> Any:
    """The record of a method of `SIMILAR` for a collection or a graph; `settings` are its parameters."""
    row = SIMILAR.find(method)
    given = row.checked(settings)
    if not Collection.is_collection(target):
        return row.function()(open_graph(target, lenient=lenient), **given)
    return similar_in(Collection.open(target), method, given)


def similar_in(collection: Collection, method: str, given: Mapping[str, Any]) -> Any:
    """The same for a collection."""
    row, database = SIMILAR.find(method), load_links(collection)
    return row.function()(recommending(database), positions=_positions(database), **given)


def _positions(database: LinkDatabase) -> AnyArray | None:
    """The place of each link that asks to be followed; None where the graph was built before they were kept."""
    places, followed = database.anchors.positions, database.anchors.followed
    return None if places is None else places[followed]
