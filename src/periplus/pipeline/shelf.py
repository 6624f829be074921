"""`Shelf`: where a sky stands while it forms and afterwards, so that an interrupted run goes on.

Of a collection that is its sky stage. A graph file has no such place: a folder beside the file to be written holds the
checkpoint until that is done.
"""

from __future__ import annotations

import contextlib
import shutil
from dataclasses import dataclass
from pathlib import Path

from periplus.collection import Collection
from periplus.errors import InputError, ParameterError, PeriplusError
from periplus.gravity.formation import Formation
from periplus.pipeline.stages.sky import keep_sky, load_skies
from periplus.record import PagePositions


@dataclass(frozen=True, slots=True)
class Shelf:
    """A name in a collection, or in a folder; neither where nothing is to be written."""

    name: str
    collection: Collection | None = None
    folder: Path | None = None

    @classmethod
    def of(cls, target: str | Path, name: str, output: str | Path | None = None) -> Shelf:
        """The shelf of a target whose sky is written to `output`."""
        if Collection.is_collection(target):
            return cls(name, collection=Collection.open(target))
        return cls(name, folder=None if output is None else Path(f"{output}.checkpoint"))

    def ready(self) -> None:
        """Raise now what would keep a sky from being put there in the end: a bad name, another writer, no build."""
        if not self.name or self.name.startswith(".") or {"/", "\\", "\0"} & set(self.name):
            raise ParameterError("keep", self.name, "a name for a file, without a folder")
        if self.collection is not None:
            with self.collection.writing():
                self.collection.current("sky")

    def found(self, forming: Formation) -> PagePositions | None:
        """What stands there of this very formation, finished or not."""
        with contextlib.suppress(PeriplusError, OSError):
            kept = self._load()
            if kept is not None and dict(kept.parameters) == forming.parameters:
                return kept if kept.graph_digest == forming.simulation.graph.digest else None
        return None

    def _load(self) -> PagePositions | None:
        if self.collection is not None:
            return load_skies(self.collection).get(self.name)
        return None if self.folder is None else PagePositions.load(self.folder, self.name)

    def keep(self, sky: PagePositions) -> None:
        """Put a sky there, finished or not."""
        if self.collection is not None:
            keep_sky(self.collection, sky, self.name)
        elif self.folder is not None:
            sky.save(self.folder, self.name)

    def clear(self) -> None:
        """Remove the folder of the checkpoint: what it was for has been written."""
        if self.folder is not None:
            with contextlib.suppress(InputError, OSError):
                shutil.rmtree(self.folder)
