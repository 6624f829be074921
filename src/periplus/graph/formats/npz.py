"""numpy `.npz` archives: what `scipy.sparse.save_npz` writes (CSR, CSC, COO, BSR not), and our own.

Row i, column j is the link i → j. We write the CSR layout of scipy, so that `scipy.sparse.load_npz` opens our files;
node names go into two more arrays, which scipy ignores. Nothing in an archive is unpickled.
"""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from periplus.errors import FormatError
from periplus.graph.files import writing
from periplus.graph.formats.base import MOST_NODES, Format, Probe, build_graph, check_nodes, names_of, no_options
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray


def recognises(probe: Probe) -> bool:
    if not probe.head.startswith(b"PK"):
        return False
    try:
        with zipfile.ZipFile(probe.path) as archive:
            return "shape.npy" in archive.namelist()
    except (zipfile.BadZipFile, OSError):
        return probe.suffix == ".npz"


def read(path: Path, lenient: bool) -> Graph:
    del lenient  # an archive is whole or damaged: there is nothing to skip
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except (zipfile.BadZipFile, ValueError, OSError, EOFError, KeyError) as error:
        raise FormatError(path, f"not a readable npz archive: {error}") from error
    try:
        check_nodes(path, int(arrays["shape"].max()))
        sources, targets, nodes = _links(arrays)
        names = _names(arrays)
    except (KeyError, ValueError, IndexError, TypeError) as error:
        raise FormatError(path, f"not a sparse matrix of a graph: {error}") from error
    if names is not None and len(names) != nodes:
        raise FormatError(path, f"{len(names):,} names for {nodes:,} nodes")
    return build_graph(sources, targets, nodes, names=names)


def _links(arrays: dict[str, AnyArray]) -> tuple[AnyArray, AnyArray, int]:
    rows, columns = (int(size) for size in arrays["shape"])
    if rows != columns or not 0 <= rows <= MOST_NODES:
        raise ValueError(f"the matrix is {rows} × {columns}, a graph needs a square one of at most 2³² rows")
    kind = arrays["format"].item()
    kind = kind.decode() if isinstance(kind, bytes) else str(kind)
    if kind == "coo":
        sources, targets = arrays["row"], arrays["col"]
    elif kind in ("csr", "csc"):
        sources, targets = _expand(arrays["indptr"], rows), arrays["indices"]
        if kind == "csc":
            sources, targets = targets, sources
    else:
        raise ValueError(f"matrix format {kind!r} is not csr, csc or coo")
    if len(sources) != len(targets):
        raise ValueError(f"{len(sources)} rows for {len(targets)} columns")
    for ids in (sources, targets):
        if not np.issubdtype(ids.dtype, np.integer) or (len(ids) and (ids.min() < 0 or ids.max() >= rows)):
            raise ValueError(f"an index is not between 0 and {rows - 1}")
    return sources, targets, rows


def _expand(offsets: AnyArray, rows: int) -> AnyArray:
    if len(offsets) != rows + 1 or offsets[0] != 0 or (np.diff(offsets) < 0).any():
        raise ValueError("the row pointers do not increase from 0")
    return np.repeat(np.arange(rows, dtype=np.int64), np.diff(offsets))


def _names(arrays: dict[str, AnyArray]) -> list[str] | None:
    if "name_bytes" not in arrays:
        return None
    ends, blob = arrays["name_ends"].tolist(), arrays["name_bytes"].tobytes()
    return [blob[a:b].decode("utf-8", "replace") for a, b in zip([0, *ends[:-1]], ends, strict=True)] if ends else []


def write(graph: Graph, path: Path, **options: Any) -> None:
    no_options("npz", options)
    index = np.int32 if max(graph.nodes, graph.links) < 2**31 else np.int64
    arrays: dict[str, Any] = {
        "format": np.array(b"csr"),
        "shape": np.array([graph.nodes, graph.nodes]),
        "indptr": np.asarray(graph.out_offsets, dtype=index),
        "indices": np.asarray(graph.out_targets, dtype=index),
        "data": np.ones(graph.links, dtype=np.uint8),
    }
    if graph.urls is not None:
        encoded = [name.encode("utf-8", "surrogateescape") for name in names_of(graph)]
        arrays["name_ends"] = np.cumsum([len(name) for name in encoded], dtype=np.int64)
        arrays["name_bytes"] = np.frombuffer(b"".join(encoded), dtype=np.uint8)
    with writing(path) as stream:
        np.savez_compressed(stream, **arrays)


FORMAT = Format(
    name="npz",
    title="numpy archive (scipy.sparse)",
    suffixes=(".npz",),
    recognises=recognises,
    read=read,
    write=write,
    keeps_names=True,
)
