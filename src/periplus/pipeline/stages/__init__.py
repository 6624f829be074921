"""The stages of a collection, in the order in which `build` runs them.

    pages ──parsed──▶ parsed ──graph──▶ graph ──scores──▶ scores
                        │                ├──structure──▶ structure
                        └───────────────index──▶ index

To add one: a file that exports `STAGE`, and a line here. `build`, `info`, `verify`, `Library.part` and
docs/collection.md read this table.
"""

from __future__ import annotations

from periplus.errors import ParameterError
from periplus.pipeline.stages import graph, index, parsed, scores, structure
from periplus.pipeline.stages.stage import Stage

__all__ = ["STAGES", "Stage", "find_stage"]

STAGES: dict[str, Stage] = {
    stage.name: stage
    for stage in (
        parsed.STAGE,
        graph.STAGE,
        scores.STAGE,
        index.STAGE,
        structure.STAGE,
    )
}


def find_stage(name: str) -> Stage:
    """The stage of that name; the error lists those there are."""
    if name not in STAGES:
        raise ParameterError("stage", name, f"one of {', '.join(STAGES)}")
    return STAGES[name]
