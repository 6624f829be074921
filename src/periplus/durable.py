"""Files that are there whole or not at all, and on the disk before the call returns.

What is written goes under another name first, in the same folder, and takes its own name only when all of it is on the
disk; then the folder is put on the disk too. A reader never meets half a file, and neither does the next run after
`kill -9` or a power cut. The disk's refusals come as `StorageError`.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from periplus.errors import storage

DRAFT = ".tmp"


@contextmanager
def appearing(*paths: Path) -> Iterator[tuple[Path, ...]]:
    """Drafts to be written and closed within the block; they then take these names, in the order given.

    Readers should look for the last of them. After an error in the block nothing has changed.
    """
    drafts = tuple(path.with_name(f".{path.name}.{os.getpid()}{DRAFT}") for path in paths)
    try:
        with storage(paths[0]):
            for path in paths:
                clear_after_the_dead(path.parent, f".{path.name}.", DRAFT)
            yield drafts
            for draft in drafts:
                sync(draft)
            for draft, path in zip(drafts, paths, strict=True):
                os.replace(draft, path)
            for folder in {path.parent for path in paths}:
                sync(folder)
    finally:
        for draft in drafts:
            draft.unlink(missing_ok=True)


def is_draft_of(entry: Path, name: str) -> bool:
    """Whether this is what some process, perhaps a killed one, wrote to become the file `name`."""
    return entry.name.startswith(f".{name}.") and entry.name.endswith(DRAFT)


def clear_after_the_dead(folder: Path, prefix: str, suffix: str = "") -> None:
    """Remove what killed writers left, named prefix + process + suffix: they are gone, their gigabytes are not."""
    for entry in folder.iterdir():
        process = entry.name.removeprefix(prefix).removesuffix(suffix)
        if entry.name == f"{prefix}{process}{suffix}" and process.isdecimal() and not _runs_elsewhere(int(process)):
            if entry.is_dir():
                shutil.rmtree(entry, ignore_errors=True)
            else:
                entry.unlink(missing_ok=True)


def _runs_elsewhere(process: int) -> bool:
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
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
