"""Every exception of Periplus, under one base.

    PeriplusError                      exit   slug
    ├── UsageError                       2    usage              the command or call itself is wrong
    │   ├── ParameterError               2    parameter          one named argument is out of range
    │   │   └── UnknownParameterError    2    unknown-parameter  a function has no argument of that name
    │   ├── UrlError                     2    url                a text that is not an http(s) URL
    │   ├── QueryError                   2    query              a search query that is refused
    │   └── UnknownPageError             2    not-found          the collection does not hold this page or site
    ├── InputError                       3    input              an input file cannot be read
    │   ├── FormatError                  3    format             a file does not follow its format
    │   └── UnknownFormatError           3    unknown-format     no reader recognises the file
    ├── CollectionError                  4    collection         a collection cannot be used in this way
    │   ├── NotACollectionError          4    not-a-collection   the folder is not a collection
    │   ├── NewerFormatError             4    newer-format       written by a newer Periplus
    │   ├── LockedError                  4    locked             another process is writing it
    │   ├── MissingStageError            4    missing-stage      a stage that the command needs has not run yet
    │   └── DamagedError                 4    damaged            stored bytes differ from what was written
    ├── StorageError                     5    storage            the disk refused (full, read-only, I/O error)
    ├── NetworkError                     6    network            nothing could be fetched
    ├── NotConvergedError                7    not-converged      carries the partial record as `.partial`
    └── MissingDependencyError           8    missing-dependency an optional package is not installed

The message is for people: it says what happened, to which file or URL, and what to do. `slug` is for programs,
`exit_code` for shells. A `PeriplusWarning` informs without stopping.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar


class PeriplusError(Exception):
    """Base of everything that Periplus raises on purpose."""

    slug: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1


class UsageError(PeriplusError):
    """The command or call itself is wrong."""

    slug = "usage"
    exit_code = 2


class ParameterError(UsageError):
    """One named argument is out of range: `ParameterError("damping", 1.5, "0 ≤ damping < 1")`."""

    slug = "parameter"

    def __init__(self, name: str, value: object, allowed: str) -> None:
        super().__init__(f"{name} = {value!r} is not allowed: {allowed}")
        self.name, self.value, self.allowed = name, value, allowed


class UnknownParameterError(ParameterError, TypeError):
    """A function has no argument of that name; Python calls that a `TypeError`, and so may its callers."""

    slug = "unknown-parameter"

    def __init__(self, function: str, name: str, value: object, remedy: str) -> None:
        super().__init__(name, value, remedy)
        self.args = (f"{function} has no parameter {name!r}: {remedy}",)


class UrlError(UsageError):
    """A text that is not an http(s) URL."""

    slug = "url"


class QueryError(UsageError):
    """A search query that is refused."""

    slug = "query"


class UnknownPageError(UsageError):
    """A page or site that the collection does not hold."""

    slug = "not-found"


class InputError(PeriplusError):
    """An input file cannot be read."""

    slug = "input"
    exit_code = 3


class FormatError(InputError):
    """A file does not follow its format; the message names the file and the line or byte.

    What comes from no file (`Path()`), as a table of another library, is named by the problem alone.
    """

    slug = "format"

    def __init__(self, path: str | Path, problem: str, *, line: int | None = None, byte: int | None = None) -> None:
        where = f", line {line}" if line is not None else f", byte {byte}" if byte is not None else ""
        super().__init__(f"{path}{where}: {problem}" if path != Path() else problem)
        self.path, self.problem, self.line, self.byte = str(path), problem, line, byte


class UnknownFormatError(InputError):
    """No reader recognises the file."""

    slug = "unknown-format"


class CollectionError(PeriplusError):
    """A collection cannot be used in this way."""

    slug = "collection"
    exit_code = 4


class NotACollectionError(CollectionError):
    """The folder is not a collection."""

    slug = "not-a-collection"


class NewerFormatError(CollectionError):
    """The collection was written by a newer Periplus."""

    slug = "newer-format"


class LockedError(CollectionError):
    """Another process is writing the collection."""

    slug = "locked"


class MissingStageError(CollectionError):
    """A stage that the command needs has not run yet."""

    slug = "missing-stage"


class DamagedError(CollectionError):
    """Stored bytes differ from what was written."""

    slug = "damaged"


class StorageError(PeriplusError):
    """The disk refused: full, read-only, or an I/O error."""

    slug = "storage"
    exit_code = 5


class NetworkError(PeriplusError):
    """Nothing could be fetched."""

    slug = "network"
    exit_code = 6


class NotConvergedError(PeriplusError):
    """An iteration stopped before it reached its tolerance; `.partial` is the record so far."""

    slug = "not-converged"
    exit_code = 7

    def __init__(self, message: str, partial: Any) -> None:
        super().__init__(message)
        self.partial = partial


class MissingDependencyError(PeriplusError):
    """An optional package is not installed; `extra` names the extra of ours that brings it, None where none does."""

    slug = "missing-dependency"
    exit_code = 8

    def __init__(self, package: str, extra: str | None, purpose: str) -> None:
        wanted = package if extra is None else f"'periplus[{extra}]'"
        super().__init__(f"{purpose} needs {package}: pip install {wanted}")
        self.package, self.extra = package, extra


class PeriplusWarning(UserWarning):
    """Something that people should know and that does not stop the work."""


_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_REFUSALS_OF_THE_DISK = {*_FULL, errno.EROFS, errno.EIO}


@contextmanager
def storage(path: str | Path, needs: int = 0) -> Iterator[None]:
    """Translate refusals of the disk into `StorageError`, in one place.

    `needs` is the size of the file that is written within; the message then says how much room is missing.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _REFUSALS_OF_THE_DISK:
            missing = _missing(Path(path), needs, error.errno) if needs and error.errno in _FULL else 0
            raise refusal(error.filename or path, error.strerror or str(error), missing) from error
        raise


def refusal(path: object, why: str, missing: int = 0) -> StorageError:
    """The error for what the disk refuses; `missing` is how many bytes more it should have, 0 where nobody knows."""
    short = f"At least {missing:,} bytes more are needed. " if missing > 0 else ""
    return StorageError(
        f"{path}: {why.rstrip('.')}. {short}What was written before is safe; make room and run the same command again."
    )


def _missing(path: Path, needs: int, number: int) -> int:
    """The bytes of a file that found no room; a quota or a limit on files leaves space that we cannot have."""
    try:
        free = free_bytes(path.parent) if number == errno.ENOSPC else 0
        return needs - path.stat().st_size - free
    except OSError:
        return needs


def free_bytes(path: str | Path) -> int:
    """The room that is left to us on the disk of a file or folder."""
    disk = os.statvfs(path)
    return disk.f_bavail * disk.f_frsize
