"""One folder per graph: arrays as plain `.npy` files, memory-mapped, and `graph.json`, which is written last.

    my.graph/
      graph.json         format version, nodes, links, digest, what else is here
      out.offsets.npy    int64[nodes + 1]
      out.targets.npy    uint32[links], sorted within each row
      in.offsets.npy     the transpose, where it was saved
      in.sources.npy
      original.npy       uint32[nodes]: the id that each node had before it was reordered or cut out, where it was
      urls.table         the URL table, where the graph has one
      nodes.json         the attributes of the nodes, where it has any, see `attribute_files`; links.json: of the links

Opening maps the arrays and compares their lengths with `graph.json`; it reads no row, so it takes the same few
milliseconds whatever the size. A folder without `graph.json` is no graph: a killed writer leaves none.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from periplus.durable import remove_leftovers, sync
from periplus.errors import FormatError, InputError, NewerFormatError, storage
from periplus.numeric.arrays import AnyArray
from periplus.numeric.npy import load_array

FORMAT = 1
HEADER = "graph.json"
URLS = "urls.table"

OUT_OFFSETS, OUT_TARGETS = "out.offsets.npy", "out.targets.npy"
IN_OFFSETS, IN_SOURCES = "in.offsets.npy", "in.sources.npy"
ORIGINAL = "original.npy"
_ATTRIBUTES = re.compile(r"(nodes|links)\.(json|\d+(\.[a-z]+)?\.npy)")


def is_graph_folder(path: str | Path) -> bool:
    return (Path(path) / HEADER).is_file()


@contextmanager
def staged(path: str | Path) -> Iterator[Path]:
    """A folder to write into that becomes `path` when the block ends, and vanishes when it fails.

    A new path appears whole, by one rename. In a folder that already exists the files are replaced one by one
    and other files are left alone; its `graph.json` goes first and comes last, so it is never a mix.
    """
    path = Path(path)
    if path.exists() and not path.is_dir():
        raise InputError(f"{path} is a file: a graph is saved as a folder, choose another name")
    fresh = not path.exists()
    home, prefix = (path.parent, f".{path.name}.stage-") if fresh else (path, ".stage-")
    stage = home / f"{prefix}{os.getpid()}"
    with storage(path):
        home.mkdir(parents=True, exist_ok=True)
        remove_leftovers(home, prefix)
        stage.mkdir()
        try:
            yield stage
            for file in stage.rglob("*"):
                sync(file)
            if fresh:
                os.replace(stage, path)
                sync(path.parent)
            else:
                _move_in(stage, path)
        finally:
            shutil.rmtree(stage, ignore_errors=True)


def _move_in(stage: Path, path: Path) -> None:
    (path / HEADER).unlink(missing_ok=True)
    for name in (OUT_OFFSETS, OUT_TARGETS, IN_OFFSETS, IN_SOURCES, ORIGINAL, URLS):
        (path / name).unlink(missing_ok=True)
    for old in [*path.glob("nodes.*"), *path.glob("links.*")]:
        if _ATTRIBUTES.fullmatch(old.name):
            old.unlink()
    for file in sorted(stage.iterdir(), key=lambda file: file.name == HEADER):
        os.replace(file, path / file.name)
    sync(path)


def write_values(file: IO[bytes], values: AnyArray) -> None:
    """The bytes of an array; unlike `tofile`, this raises the error of the disk."""
    file.write(values.data)


class ArrayFile:
    """A `.npy` file of one dimension that grows by appending; its header is filled in when it is closed."""

    def __init__(self, path: Path, dtype: type[np.generic]) -> None:
        self._dtype = np.dtype(dtype)
        self._path = path
        self.length = 0

    def __enter__(self) -> ArrayFile:
        self._file: IO[bytes] = self._path.open("wb")
        self._write_header()
        return self

    def append(self, values: AnyArray) -> None:
        write_values(self._file, np.ascontiguousarray(values, self._dtype))
        self.length += len(values)

    def __exit__(self, failure: type[BaseException] | None, *rest: object) -> None:
        with self._file:
            if failure is None:
                self._file.seek(0)
                self._write_header()

    def _write_header(self) -> None:
        # 128 bytes for any one-dimensional array: numpy leaves room for the length to grow.
        header = {"descr": self._dtype.str, "fortran_order": False, "shape": (self.length,)}
        np.lib.format.write_array_header_1_0(self._file, header)


def write_header(folder: Path, nodes: int, links: int, digest: str) -> None:
    """`graph.json` for the arrays that lie in the folder."""
    body = {"format": FORMAT, "nodes": nodes, "links": links, "digest": digest}
    (folder / HEADER).write_text(json.dumps(body, indent=1) + "\n")


def read_header(folder: Path) -> dict[str, Any]:
    """`graph.json`, with every field that we use checked for its type."""
    path = folder / HEADER
    if not folder.exists():
        raise InputError(f"{folder} does not exist")
    if not path.is_file():
        raise InputError(f"{folder} is not a graph folder: it has no {HEADER}")
    try:
        header = json.loads(path.read_text())
        version = int(header["format"])
        fields = {"nodes": int(header["nodes"]), "links": int(header["links"]), "digest": str(header["digest"])}
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(path, f"cannot be read ({error!r}): build the graph again") from error
    if version > FORMAT:
        raise NewerFormatError(f"{folder} has graph format {version}, this Periplus knows up to {FORMAT}")
    return fields


def map_array(path: Path, dtype: str, length: int | None = None) -> AnyArray:
    """A read-only view of an array on disk; its type and, where given, its length must be what was promised."""
    try:
        array = np.asarray(load_array(path, mapped=True))
    except FormatError as error:
        raise FormatError(path, f"{error.problem}; build the graph again") from error
    except FileNotFoundError as error:
        raise FormatError(path, f"is missing, though {HEADER} names the graph: build it again") from error
    if array.ndim != 1 or array.dtype != np.dtype(dtype) or len(array) != (len(array) if length is None else length):
        raise FormatError(path, f"holds {array.dtype}{list(array.shape)} where {HEADER} promises {dtype}[{length}]")
    return array
