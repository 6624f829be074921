"""Every exception of Periplus, under one base.

    PeriplusError                      exit   slug
    ├── UsageError                       2    usage              the command or call itself is wrong
    │   ├── ParameterError               2    parameter          one named argument is out of its range
    │   │   └── UnknownParameterError    2    unknown-parameter  a function has no argument of that name
    │   ├── UrlError                     2    url                a text that is no http(s) URL
    │   ├── QueryError                   2    query              a search query we refuse to run
    │   └── UnknownPageError             2    not-found          a page or site that the collection does not hold
    ├── InputError                       3    input              a file that we were given cannot be read
    │   ├── FormatError                  3    format             its bytes are not what its format promises
    │   └── UnknownFormatError           3    unknown-format     no reader recognises it
    ├── CollectionError                  4    collection         a collection cannot be used as asked
    │   ├── NotACollectionError          4    not-a-collection   the folder holds none
    │   ├── NewerFormatError             4    newer-format       written by a newer Periplus
    │   ├── LockedError                  4    locked             another process is writing it
    │   ├── MissingStageError            4    missing-stage      a stage that this needs has not been run
    │   └── DamagedError                 4    damaged            `verify` found damage
    ├── StorageError                     5    storage            the disk said no (full, read-only, I/O error)
    ├── NetworkError                     6    network            nothing could be fetched
    ├── NotConvergedError                7    not-converged      carries the partial record as `.partial`
    └── MissingDependencyError           8    missing-dependency an optional package is not installed

The message is for a person: what happened, to which file or URL, what to do. `slug` is for programs,
`exit_code` for shells. `PeriplusWarning` is what we tell without stopping.
"""

from __future__ import annotations

import errno
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
    """One named argument is out of its range: `ParameterError("damping", 1.5, "0 ≤ damping < 1")`."""

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
    """A text that is no http(s) URL."""

    slug = "url"


class QueryError(UsageError):
    """A search query we refuse to run."""

    slug = "query"


class UnknownPageError(UsageError):
    """A page or site that the collection does not hold."""

    slug = "not-found"


class InputError(PeriplusError):
    """A file that we were given cannot be read."""

    slug = "input"
    exit_code = 3


class FormatError(InputError):
    """The bytes of a file are not what its format promises; names the file and the line or byte."""

    slug = "format"

    def __init__(self, path: str | Path, problem: str, *, line: int | None = None, byte: int | None = None) -> None:
        where = f", line {line}" if line is not None else f", byte {byte}" if byte is not None else ""
        super().__init__(f"{path}{where}: {problem}")
        self.path, self.problem, self.line, self.byte = str(path), problem, line, byte


class UnknownFormatError(InputError):
    """No reader recognises the file."""

    slug = "unknown-format"


class CollectionError(PeriplusError):
    """A collection cannot be used as asked."""

    slug = "collection"
    exit_code = 4


class NotACollectionError(CollectionError):
    """The folder holds no collection."""

    slug = "not-a-collection"


class NewerFormatError(CollectionError):
    """The collection was written by a newer Periplus."""

    slug = "newer-format"


class LockedError(CollectionError):
    """Another process is writing the collection."""

    slug = "locked"


class MissingStageError(CollectionError):
    """A stage that this needs has not been run."""

    slug = "missing-stage"


class DamagedError(CollectionError):
    """`periplus verify` found damage."""

    slug = "damaged"


class StorageError(PeriplusError):
    """The disk said no: full, read-only, I/O error."""

    slug = "storage"
    exit_code = 5


class NetworkError(PeriplusError):
    """Nothing could be fetched."""

    slug = "network"
    exit_code = 6


class NotConvergedError(PeriplusError):
    """An iteration stopped before its tolerance; `.partial` is the record reached."""

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
    """Something a person should know that does not stop the work."""


_DISK_SAYS_NO = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EFBIG}


@contextmanager
def storage(path: str | Path) -> Iterator[None]:
    """Translate the operating system's refusals into `StorageError`, in one place."""
    try:
        yield
    except OSError as error:
        if error.errno in _DISK_SAYS_NO:
            what = error.strerror or str(error)
            raise StorageError(
                f"{error.filename or path}: {what}. What was written before is safe; "
                "make room and run the same command again."
            ) from error
        raise
