"""The real webs that some claims are checked on. The caller says in which folder they lie; nothing here looks for it.

A claim asks for a web by name; where its folder is absent, `DataAbsentError` ends the claim with the verdict "needs
data". Each web is read once.
"""

from __future__ import annotations

import lzma
from functools import lru_cache
from pathlib import Path

import numpy as np

from periplus.graph.formats import read_graph
from periplus.graph.graph import Graph
from periplus.graph.urls.table import NameTable

QUERIES = ("vintage-cars", "amusement-parks", "randomized-algorithms")


class DataAbsentError(LookupError):
    """A real web that a claim needs is not in the folder given, or no folder was given."""


class Data:
    """Real webs by name, from a folder that holds one folder for each (or from none)."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder

    def place(self, name: str) -> Path:
        """The folder of one data set."""
        if self.folder is None or not (self.folder / name).is_dir():
            where = f"is not in {self.folder}" if self.folder else "was not found"
            raise DataAbsentError(f"The data set {name!r} {where}")
        return self.folder / name

    def graph(self, name: str, part: str = "") -> Graph:
        """A web: a WebGraph, or a list of links (the part is what its name begins with); its URLs where it has any."""
        return _read(self.place(name), part)

    def query(self, name: str) -> Graph:
        """One of the base sets of real queries, with URLs."""
        return self.graph("tsaparas-query-graphs", f"{name}.")

    def lines(self, name: str, file: str) -> list[list[str]]:
        """The rows of a table, without its heading and comments."""
        with lzma.open(self.place(name) / file, "rt", encoding="utf-8") as rows:
            return [row.rstrip("\n").split("\t") for row in rows if row.strip() and row[0] != "#"]


@lru_cache(maxsize=8)
def _read(folder: Path, prefix: str) -> Graph:
    if (folder / f"{folder.name}.graph").exists():
        return read_graph(folder / folder.name)
    with lzma.open(folder / f"{prefix}edges.tsv.xz", "rt") as lines:
        ends = np.loadtxt(lines, dtype=np.int64)
    nodes = folder / f"{prefix}nodes.tsv.xz"
    if not nodes.exists():
        return Graph.from_edges(ends[:, 0], ends[:, 1])
    with lzma.open(nodes, "rt", encoding="utf-8") as rows:
        cells = [row.rstrip("\n").split("\t") for row in rows if row[0] != "#"]
    urls = [next((cell.strip() for cell in row if cell.startswith("http")), "") for row in cells]
    names = NameTable.from_names(urls) if all(urls) else None
    return Graph.from_edges(ends[:, 0], ends[:, 1], len(cells), urls=names)
