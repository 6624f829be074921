"""Files that are there whole or not at all, and on the disk before the call returns.

What is written goes under another name first, in the same folder, and takes its own name only when all of it is on the
disk; then the folder is put on the disk too. A reader never meets half a file, and neither does the next run after
`kill -9` or a power cut. The disk's refusals come as `StorageError`.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from periplus.errors import storage

DRAFT = ".tmp"
_numbers = itertools.count()


@contextlib.contextmanager
def appearing(*paths: Path) -> Iterator[tuple[Path, ...]]:
    """Drafts to be written and closed within the block; they then take these names, in the order given.

    Readers should look for the last of them. After an error in the block nothing has changed.
    """
    goals = tuple(path.resolve() if path.is_symlink() else path for path in paths)
    drafts = tuple(_draft_of(goal) for goal in goals)
    moved = [(draft, goal) for draft, goal in zip(drafts, goals, strict=True) if draft != goal]
    try:
        with storage(paths[0]), _named_as_given(dict(zip(drafts, paths, strict=True))):
            for _, goal in moved:
                clear_after_the_dead(goal.parent, f".{goal.name}.", DRAFT)
            yield drafts
            for draft, _ in moved:
                sync(draft)
            for draft, goal in moved:
                os.replace(draft, goal)
            for folder in {goal.parent for _, goal in moved}:
                sync(folder)
    finally:
        for draft, _ in moved:
            with contextlib.suppress(OSError):  # what went wrong before says more
                draft.unlink(missing_ok=True)


@contextlib.contextmanager
def _named_as_given(paths: dict[Path, Path]) -> Iterator[None]:
    """Let the disk's refusals name the file that was asked for: nobody knows its draft."""
    try:
        yield
    except OSError as error:
        if isinstance(error.filename, str | os.PathLike):
            draft = Path(os.fsdecode(error.filename))
            error.filename = str(paths.get(draft, draft))
        raise


def _draft_of(goal: Path) -> Path:
    """Where to write first; a pipe or a device that is there already is written itself. Threads do not share names."""
    if goal.exists() and not goal.is_file() and not goal.is_dir():
        return goal
    return goal.with_name(f".{goal.name}.{os.getpid()}-{next(_numbers)}{DRAFT}")


def is_draft_of(entry: Path, name: str) -> bool:
    """Whether this is what some process, perhaps a killed one, wrote to become the file `name`."""
    return entry.name.startswith(f".{name}.") and entry.name.endswith(DRAFT)


def clear_after_the_dead(folder: Path, prefix: str, suffix: str = "") -> None:
    """Remove what killed writers left, named prefix + process + suffix: they are gone, their gigabytes are not.

    Of this process itself only what has no number after the process: a run before this one may have had the same.
    """
    for entry in folder.iterdir():
        middle = entry.name.removeprefix(prefix).removesuffix(suffix)
        process, numbered, _ = middle.partition("-")
        if entry.name != f"{prefix}{middle}{suffix}" or not process.isdecimal():
            continue
        if not _is_alive(int(process)) or (int(process) == os.getpid() and not numbered):
            with contextlib.suppress(OSError):  # another's, in a folder for all
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
    """Replace a file whole or not at all."""
    with appearing(path) as (draft,):
        draft.write_bytes(data)


def sync(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
