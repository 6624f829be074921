"""What a stage is: a step of `build` that makes one folder of a collection from others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from periplus.collection import Collection

Progress = Callable[[str, int, int | None], None]


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of `build`.

    `inputs` names what it is made from: other stages, or "pages" for the archive. `run` fills a folder and returns its
    counts; a "digest" among them names the output, and where there is none the inputs do. `load` opens what it made.
    `version` changes when the output would. `files` says what each file in the folder holds. A stage with a `place`
    adds to one lasting folder; any other writes a fresh generation each time.
    """

    name: str
    help: str
    inputs: tuple[str, ...]
    run: Callable[[Collection, Path, Progress], Mapping[str, Any]]
    files: Mapping[str, str]
    load: Callable[[Collection], Any] | None = None
    version: int = 1
    place: Callable[[Collection], Path] | None = None

    def open(self, collection: Collection) -> Any:
        """What the stage made last; `MissingStageError` where it has not run."""
        return self.load(collection) if self.load is not None else collection.current(self.name)
