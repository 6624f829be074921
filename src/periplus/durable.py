"""Files that are complete or absent, and on disk before the call returns.

A file is first written as a *draft*, under another name in the same folder. When the draft is on disk, it is renamed,
and the folder is synced too. No reader ever sees part of a file, not even after `kill -9` or a power cut. Refusals of
the disk are raised as `StorageError`.

A folder is *sealed* when `digests.json` in it holds the SHA-256 of its files; `broken_seals` says what differs since.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from periplus.errors import StorageError, free_bytes, refusal, storage

DRAFT = ".tmp"
DIGESTS = "digests.json"
_numbers = itertools.count()


@contextlib.contextmanager
def atomic_files(*paths: Path) -> Iterator[tuple[Path, ...]]:
    """Drafts to write and close within the block; after it they get these names, in the given order.

    Readers should look for the last of them. After an error in the block nothing has changed.
    """
    goals = tuple(path.resolve() if path.is_symlink() else path for path in paths)
    drafts = tuple(_draft_of(goal) for goal in goals)
    moved = [(draft, goal) for draft, goal in zip(drafts, goals, strict=True) if draft != goal]
    try:
        with storage(paths[0]), _named_as_given(dict(zip(drafts, paths, strict=True))):
            for _, goal in moved:
                remove_leftovers(goal.parent, f".{goal.name}.", DRAFT)
            yield drafts
            for draft, _ in moved:
                sync(draft)
            for draft, goal in moved:
                os.replace(draft, goal)
            for folder in {goal.parent for _, goal in moved}:
                sync(folder)
    finally:
        for draft, _ in moved:
            with contextlib.suppress(OSError):  # the first error says more
                draft.unlink(missing_ok=True)


@contextlib.contextmanager
def _named_as_given(paths: dict[Path, Path]) -> Iterator[None]:
    """Let errors name the file that was asked for, not its draft, which nobody knows."""
    try:
        yield
    except OSError as error:
        if isinstance(error.filename, str | os.PathLike):
            draft = Path(os.fsdecode(error.filename))
            error.filename = str(paths.get(draft, draft))
        raise


def _draft_of(goal: Path) -> Path:
    """The draft of a file, with a name that no other thread uses; an existing pipe or device is its own draft."""
    if goal.exists() and not goal.is_file() and not goal.is_dir():
        return goal
    return goal.with_name(f".{goal.name}.{os.getpid()}-{next(_numbers)}{DRAFT}")


def is_draft_of(entry: Path, name: str) -> bool:
    """Whether this is a draft of the file `name`, perhaps of a process that was killed."""
    return entry.name.startswith(f".{name}.") and entry.name.endswith(DRAFT)


def remove_leftovers(folder: Path, prefix: str, suffix: str = "") -> None:
    """Remove what killed processes left, named prefix + process id + suffix; it may be gigabytes.

    A leftover with the id of this process, and no number after it, is removed too: an earlier process had the same id.
    """
    for entry in folder.iterdir():
        middle = entry.name.removeprefix(prefix).removesuffix(suffix)
        process, numbered, _ = middle.partition("-")
        if entry.name != f"{prefix}{middle}{suffix}" or not process.isdecimal():
            continue
        if not _is_alive(int(process)) or (int(process) == os.getpid() and not numbered):
            with contextlib.suppress(OSError):  # it belongs to somebody else, in a shared folder
                if entry.is_dir():
                    shutil.rmtree(entry, ignore_errors=True)
                else:
                    entry.unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file completely or not at all."""
    with atomic_files(path) as (draft,):
        draft.write_bytes(data)


def sync(path: Path) -> None:
    """Make sure that a file, or the list of files in a folder, is on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def ask_for_room(path: Path, needs: int) -> None:
    """`StorageError` now, if the disk of a folder has less room than what is to be written there."""
    free = free_bytes(path)
    if needs > free:
        raise refusal(path, f"{needs:,} bytes are to be written here and {free:,} are free", needs - free)


# -- seals ---------------------------------------------------------------------------------------------------


def seal(folder: Path) -> None:
    """Put every file of a finished folder on the disk, and their digests beside them."""
    digests = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != DIGESTS and not path.name.endswith((DRAFT, "-wal", "-shm")):
            sync(path)
            digests[str(path.relative_to(folder))] = file_digest(path)
    write_digests(folder, digests)


def unseal(folder: Path, names: Iterable[str] | None = None) -> None:
    """Take the digests of some files away before these are written to, or all of them."""
    if names is None:
        (folder / DIGESTS).unlink(missing_ok=True)
        return
    digests = digests_of(folder)
    if not digests.keys().isdisjoint(names := set(names)):
        write_digests(folder, {name: digest for name, digest in digests.items() if name not in names})


@contextlib.contextmanager
def sealed_after(folder: Path) -> Iterator[None]:
    """Files of a folder are written to within the block, and sealed after it however it ends, but by a kill."""
    unseal(folder)
    try:
        yield
    finally:
        with contextlib.suppress(OSError, StorageError):  # on a full disk they stay without digests
            seal(folder)


def digests_of(folder: Path) -> dict[str, str]:
    """The digests beside the files of a folder; none where these are not there, or damaged."""
    try:
        return dict(json.loads((folder / DIGESTS).read_text()))
    except (OSError, ValueError, TypeError):
        return {}


def write_digests(folder: Path, digests: Mapping[str, str]) -> None:
    """Seal the named files of a folder with digests that are known."""
    write_atomically(folder / DIGESTS, json.dumps(digests, indent=1).encode())


def broken_seals(folder: Path) -> list[str]:
    """What differs from the digests of a sealed folder, one sentence each."""
    try:
        digests = dict(json.loads((folder / DIGESTS).read_text()))
    except (OSError, ValueError, TypeError) as error:
        return [f"{folder / DIGESTS}: cannot be read ({error})"]
    return list(broken_files(folder, digests).values())


def broken_files(folder: Path, digests: Mapping[str, str]) -> dict[str, str]:
    """Which of these files in a folder are missing, or have other digests: a sentence for each name."""
    problems = {}
    for name, digest in digests.items():
        path = folder / name
        if not path.is_file():
            problems[name] = f"{path}: missing"
        elif file_digest(path) != digest:
            problems[name] = f"{path}: its bytes are not those whose digest was kept"
    return problems


def file_digest(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()
