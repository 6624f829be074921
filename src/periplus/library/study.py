"""The study of the shape of a collection's web, measured once and then kept with the collection."""

from __future__ import annotations

from typing import Any

from periplus.collection import Collection
from periplus.library.library import Library
from periplus.pipeline.stages.structure import complete_study, load_study


def study_of(library: Library) -> dict[str, Any]:
    """The study as `Study.to_dict` returns it: the one that is kept, otherwise measured now (`fast`) and kept."""
    from periplus.structure.studies.study import study

    in_memory = not isinstance(library.collection, Collection)
    if not in_memory and (kept := load_study(library.collection, library.graph.digest)) is not None:
        return kept
    ranks = library.scores.get("pagerank")
    found = study(library.graph, fast=True, pagerank=None if ranks is None else ranks.values).to_dict()
    return found if in_memory else complete_study(found, library.collection, library.graph)
