"""`Collection`: one directory on disk that holds a charted piece of the web.

    my.web/
      collection.toml   name, format version, seeds, policy: the only file a person edits
      manifest.json     each stage: inputs, parameters, counts, time, generation; written last, by rename
      lock              held (flock) by the one process that writes
      crawl/            frontier.sqlite, log.jsonl
      pages/            *.warc.gz, pages.cdxj
      parsed/           what was read out of the pages
      STAGE/gNNNN/      what each stage of `periplus.pipeline.stages` made, one folder per generation

Each generation, and the folder of a crawl that has ended, also holds digests.json, the SHA-256 of its files. The
manifest holds its own, that of collection.toml and those of parsed/. `periplus verify` checks them all. This module
knows the names above. `pages.store` names the WARC files; each stage names the files in its own folder (`Stage.files`).

A stage writes into a fresh generation folder. The last step of a build replaces the manifest by rename; the manifest
says which generations are current. So a reader sees the old state of all stages or the new one, never a mix, whenever
the writer was killed. The manifest also lists, as pending, what a killed build had finished; the next build goes on
from there.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from periplus import __version__
from periplus.durable import file_digest, is_draft_of, seal, unseal, write_atomically
from periplus.errors import (
    CollectionError,
    DamagedError,
    LockedError,
    MissingStageError,
    NewerFormatError,
    NotACollectionError,
    ParameterError,
    storage,
)

FORMAT = 1
SETTINGS = "collection.toml"
MANIFEST = "manifest.json"
LOCK = "lock"


@dataclass(frozen=True, slots=True)
class StageRecord:
    """What one stage did last: enough to tell whether it is stale and to repeat it."""

    name: str
    inputs: Mapping[str, str]
    parameters: Mapping[str, Any]
    counts: Mapping[str, Any]
    generation: int = 0
    seconds: float = 0.0
    finished: str = ""
    version: str = __version__
    digests: Mapping[str, str] = field(default_factory=dict)  # of the files in its place, if it has a lasting one


@dataclass(frozen=True, slots=True)
class Settings:
    """`collection.toml`: what a person decides about a collection."""

    name: str
    format: int = FORMAT
    created: str = ""
    seeds: tuple[str, ...] = ()
    policy: Mapping[str, Any] = field(default_factory=dict)


class Collection:
    """A collection directory; open it with `Collection.open`, make it with `Collection.create`."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self.path = path
        self.settings = settings
        self._building = False

    # -- making and opening ------------------------------------------------------------------------------

    @classmethod
    def create(cls, path: str | Path, *, name: str = "", seeds: Sequence[str] = ()) -> Collection:
        """Make an empty collection; an existing non-empty folder that is none is left alone."""
        path = _path(path)
        if (path / SETTINGS).exists():
            raise CollectionError(f"{path} already holds a collection")
        if _is_taken(path):
            raise CollectionError(f"{path} exists and is not empty: choose another name or empty it")
        now = datetime.now(UTC).isoformat(timespec="seconds")
        settings = Settings(name=name or path.resolve().stem, created=now, seeds=tuple(seeds))
        with storage(path):
            path.mkdir(parents=True, exist_ok=True)
            write_atomically(path / SETTINGS, _settings_toml(settings).encode())
        return cls(path, settings)

    @classmethod
    def open(cls, path: str | Path) -> Collection:
        """Open an existing collection."""
        path = _path(path)
        if not path.exists():
            raise NotACollectionError(
                f"{path} does not exist: `periplus crawl {path} URL` or `periplus add {path} FILES` makes it"
            )
        if not (path / SETTINGS).is_file():
            raise NotACollectionError(f"{path} is not a collection: it has no {SETTINGS}")
        return cls(path, _read_settings(path / SETTINGS))

    @classmethod
    def open_or_create(cls, path: str | Path, *, seeds: Sequence[str] = ()) -> Collection:
        """Open the collection, or make it where the folder is absent or empty."""
        path = _path(path)
        if (path / SETTINGS).exists():
            return cls.open(path)
        if _is_taken(path):
            raise NotACollectionError(f"{path} is not a collection: it has no {SETTINGS}, and it is not empty")
        return cls.create(path, seeds=seeds)

    @staticmethod
    def is_collection(path: str | Path) -> bool:
        return (Path(path) / SETTINGS).is_file()

    # -- one writer --------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the writer's lock; the kernel releases it when the process dies, however it dies."""
        with storage(self.path), (self.path / LOCK).open("a+") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                handle.seek(0)
                holder = handle.read().strip() or "another process"
                raise LockedError(f"{self.path} is being written by {holder}: wait for it, or stop it") from error
            handle.truncate(0)
            handle.write(f"process {os.getpid()}")
            handle.flush()
            self._note_settings()
            yield

    # -- places ------------------------------------------------------------------------------------------

    @property
    def frontier_path(self) -> Path:
        return self._made("crawl") / "frontier.sqlite"

    @property
    def crawl_log_path(self) -> Path:
        return self._made("crawl") / "log.jsonl"

    @property
    def pages_dir(self) -> Path:
        return self._made("pages")

    @property
    def cdx_path(self) -> Path:
        return self._made("pages") / "pages.cdxj"

    @property
    def parsed_dir(self) -> Path:
        return self._made("parsed")

    def _made(self, name: str) -> Path:
        folder = self.path / name
        folder.mkdir(exist_ok=True)
        return folder

    # -- stages and generations --------------------------------------------------------------------------

    def stages(self) -> dict[str, StageRecord]:
        """What each stage did last, as readers see it; inside `building`, with what this build has finished."""
        published, pending = self._manifest()
        return published | pending if self._building else published

    def finished_since(self) -> tuple[str, ...]:
        """The stages that a build under way, or one that was stopped, has finished and not yet published."""
        return tuple(self._manifest()[1])

    @property
    def state(self) -> tuple[int, int]:
        """Changes whenever a build publishes: when the manifest was written, and its inode."""
        try:
            found = (self.path / MANIFEST).stat()
        except FileNotFoundError:
            return 0, 0
        return found.st_mtime_ns, found.st_ino

    @contextlib.contextmanager
    def building(self) -> Iterator[None]:
        """Within the block, see what was finished and not yet published; publish it when the block ends well."""
        self._building = True
        try:
            yield
            published, pending = self._manifest()
            if pending:
                self._write_manifest(published | pending, {})
                self._remove_old_generations()
        finally:
            self._building = False

    def _manifest(self) -> tuple[dict[str, StageRecord], dict[str, StageRecord]]:
        """The stages that readers see, and those that a build has finished since."""
        stored = self._stored_manifest()
        try:
            entries = stored["stages"], stored.get("pending", {})
            published, pending = ({name: StageRecord(**one) for name, one in part.items()} for part in entries)
        except (KeyError, TypeError, AttributeError) as error:
            raise self._damaged_manifest(error) from error
        return published, pending

    def _stored_manifest(self) -> dict[str, Any]:
        """The manifest as it was written, which its own digest proves."""
        path = self.path / MANIFEST
        if not path.exists():
            return {"stages": {}}
        try:
            stored = dict(json.loads(path.read_text()))
        except (ValueError, TypeError) as error:
            raise self._damaged_manifest(error) from error
        declared = stored.pop("sha256", None)
        # Earlier versions wrote neither a digest nor the one of the settings.
        if (declared is not None or "settings" in stored) and declared != _digest_of(stored):
            raise self._damaged_manifest("its bytes are not those whose digest was kept")
        return stored

    def _damaged_manifest(self, why: object) -> DamagedError:
        return DamagedError(
            f"{self.path / MANIFEST} is damaged ({why}): `periplus build {self.path}` makes all that it names again"
        )

    def _write_manifest(self, published: Mapping[str, StageRecord], pending: Mapping[str, StageRecord]) -> None:
        body: dict[str, Any] = {
            "format": FORMAT,
            "settings": file_digest(self.path / SETTINGS),
            "stages": {name: asdict(one) for name, one in published.items()},
        }
        if pending:
            body["pending"] = {name: asdict(one) for name, one in pending.items()}
        body["sha256"] = _digest_of(body)
        write_atomically(self.path / MANIFEST, _json(body).encode())

    def mend_manifest(self) -> str | None:
        """Remove a damaged manifest, so that a build makes everything again; returns what was wrong with it."""
        try:
            self._manifest()
        except DamagedError as error:
            (self.path / MANIFEST).unlink()
            return str(error)
        return None

    def settings_problems(self) -> list[str]:
        """Whether `collection.toml` is still what the last writer read, in a sentence if it is not."""
        path = self.path / SETTINGS
        if self._stored_manifest().get("settings", file_digest(path)) == file_digest(path):
            return []
        accept = f"If you edited it, `periplus build {self.path}` accepts it; if not, look at what it says"
        return [f"{path}: changed since the last crawl, add or build. {accept}"]

    def _note_settings(self) -> None:
        """Who writes to a collection accepts its settings as they are now."""
        with contextlib.suppress(DamagedError):  # a build mends it
            published, pending = self._manifest()
            if self._stored_manifest().get("settings") != file_digest(self.path / SETTINGS):
                self._write_manifest(published, pending)

    def _remove_old_generations(self) -> None:
        for name, folder in self.generations().items():
            for old in (self.path / name).glob("g*"):
                if old != folder:
                    shutil.rmtree(old, ignore_errors=True)

    def stage(self, name: str) -> StageRecord | None:
        return self.stages().get(name)

    def current(self, stage: str) -> Path:
        """The folder of a stage's current generation."""
        record = self.stage(stage)
        folder = self.path / stage / f"g{record.generation:04d}" if record else None
        if record is None or folder is None or not folder.is_dir():
            raise MissingStageError(f"{self.path} has no {stage} yet: run `periplus build {self.path}` first")
        return folder

    @contextlib.contextmanager
    def new_generation(self, stage: str) -> Iterator[Generation]:
        """A fresh folder for a stage; what is written there counts once the manifest names it.

        The caller calls `.finish(record)` before leaving; on any exception the folder is removed.
        """
        published, pending = self._manifest()
        there = [int(old.name[1:]) for old in self._made(stage).glob("g[0-9]*") if old.name[1:].isdecimal()]
        named = [part[stage].generation for part in (published, pending) if stage in part]
        number = 1 + max([0, *named, *([] if named else there)])  # where no record is left, readers may have the last
        folder = self._made(stage) / f"g{number:04d}"
        with storage(folder):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            generation = Generation(folder, number)
            try:
                yield generation
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
            if generation.record is None:
                raise CollectionError(f"stage {stage} left no record of what it did")
            seal(folder)
            self.record(generation.record)

    def keep(self, stage: str, files: Mapping[str, bytes]) -> None:
        """Put more files into the current generation of a stage: worked out of it later, and true of it."""
        with self.writing():
            folder = self.current(stage)
            # Unsealed first: killed between the two, the generation holds files more, not damaged ones.
            unseal(folder, files)
            for name, data in files.items():
                write_atomically(folder / name, data)
            seal(folder)

    def generations(self) -> dict[str, Path]:
        """The current generation of every stage that writes generations."""
        return {name: self.current(name) for name, record in self.stages().items() if record.generation}

    def record(self, record: StageRecord) -> None:
        """Write a stage's record into the manifest, atomically; inside `building` readers see it only at the end."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        published, pending = self._manifest()
        made = {record.name: replace(record, finished=now)}
        if self._building:
            self._write_manifest(published, pending | made)
        else:
            self._write_manifest(published | made, pending)
            self._remove_old_generations()


@dataclass(slots=True)
class Generation:
    """A stage's folder while it is being written."""

    path: Path
    number: int
    record: StageRecord | None = None

    def finish(self, record: StageRecord) -> None:
        """Say what was done; the manifest will name this generation."""
        self.record = replace(record, generation=self.number)


def _json(body: Mapping[str, Any]) -> str:
    return json.dumps(body, indent=1, default=str)


def _digest_of(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(_json(body).encode()).hexdigest()


def _path(path: str | os.PathLike[str]) -> Path:
    """The path of a collection that a person names."""
    if not isinstance(path, str | os.PathLike):
        raise ParameterError("path", f"a value of type {type(path).__name__}", "the path of a collection, as 'my.web'")
    return Path(path)


def _is_taken(path: Path) -> bool:
    """Whether something of somebody else's is there; what a killed `create` left behind does not count."""
    if not path.is_dir():
        return path.exists()
    return any(not is_draft_of(entry, SETTINGS) for entry in path.iterdir())


def _read_settings(path: Path) -> Settings:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        settings = Settings(
            name=str(values["name"]),
            format=int(values["format"]),
            created=str(values.get("created", "")),
            seeds=tuple(values.get("seeds", ())),
            policy=dict(values.get("policy", {})),
        )
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
        raise DamagedError(f"{path} cannot be read: {error}. It is a small text file: mend it by hand") from error
    if settings.format > FORMAT:
        raise NewerFormatError(
            f"{path.parent} has format {settings.format}, this Periplus {__version__} knows up to {FORMAT}: "
            "pip install --upgrade periplus"
        )
    return settings


def _settings_toml(settings: Settings) -> str:
    seeds = "".join(f"    {json.dumps(seed)},\n" for seed in settings.seeds)
    return (
        "# A Periplus collection. This is the only file in this folder to edit by hand.\n"
        f"name = {json.dumps(settings.name)}\n"
        f"format = {settings.format}\n"
        f"created = {json.dumps(settings.created)}\n"
        f"seeds = [\n{seeds}]\n\n"
        "# Any crawl option may stand here and holds whenever the command line does not say otherwise.\n"
        "[policy]\n"
    )
