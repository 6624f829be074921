"""The stages of a collection, in the order in which `build` runs them.

    pages ──parsed──▶ parsed ──graph──▶ graph ──scores──▶ scores
                        │                ├──structure──▶ structure
                        ├───────────────index──▶ index
                        ├───────────────similar──▶ similar
                        └──────────communities──▶ communities ──sky──▶ sky

To add one: a file here that exports `STAGE`, and its name in the table below. `build`, `info`, `verify`,
`Library.part`, `/api/info` and docs/collection.md read this table.
"""

from __future__ import annotations

from importlib import import_module

from periplus.errors import ParameterError
from periplus.pipeline.stages.stage import Stage

__all__ = ["STAGES", "Stage", "find_stage"]

STAGES: dict[str, Stage] = {
    name: import_module(f"periplus.pipeline.stages.{name}").STAGE
    for name in (
        "parsed",
        "graph",
        "scores",
        "index",
        "structure",
        "similar",
        "communities",
        "sky",
    )
}


def find_stage(name: str) -> Stage:
    """The stage of that name; the error lists those there are."""
    if name not in STAGES:
        raise ParameterError("stage", name, f"one of {', '.join(STAGES)}")
    return STAGES[name]
