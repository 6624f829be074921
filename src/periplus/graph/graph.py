"""`Graph`: an immutable directed graph as compressed sparse rows, out and in.

Row i of the out side lists, in increasing order and without repeats, the pages that page i links to:
`out_targets[out_offsets[i] : out_offsets[i + 1]]`. The in side is the transpose: row j lists the pages that
link to j. Ids are uint32, offsets int64, so graphs past 2³¹ links work. Self-links are kept.

Memory: 4 bytes per link and 8 per page for each direction; the in side is built when first asked for, then kept. The
arrays are read-only views of whatever they were given (numpy, scipy, a memory-mapped file): nothing is copied.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from copy import copy
from functools import cached_property
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from periplus.errors import DamagedError, FormatError, ParameterError
from periplus.graph import store
from periplus.numeric.arrays import AnyArray, Bools, Ids, Offsets
from periplus.numeric.given import kind_of
from periplus.numeric.npy import save_array

if TYPE_CHECKING:
    from periplus.graph.attributes import Attributes
    from periplus.graph.collapse import Collapsed

# The library that a foreign graph comes from, and what makes a `Graph` of it.
_CONVERSIONS = {
    "networkx": "periplus.graph.convert.from_networkx",
    "igraph": "periplus.graph.convert.from_igraph",
    "networkit": "periplus.graph.convert.from_networkit",
    "scipy": "periplus.graph.convert.from_scipy",
    "pandas": "periplus.graph.convert.from_table",
    "polars": "periplus.graph.convert.from_table",
    "pyarrow": "periplus.graph.convert.from_table",
    "numpy": "Graph.from_edges(sources, targets)",
}


class Graph:
    """An immutable directed graph in CSR form; see the module docstring for the layout.

    The constructor trusts its arrays (`check` tests them); `from_edges` takes any links in any order.
    `urls` is None or a table with `urls[i]`, `urls.find(url)` and `len(urls)`. `original_ids` is None or, for a
    graph that was reordered or cut out of another, the id that each node had there. `node_attributes` and
    `link_attributes` are None or columns of values: one row per node, one per entry of `out_targets`.
    """

    NOUN: ClassVar[str] = "a periplus.Graph"

    def __init__(
        self, out_offsets: AnyArray, out_targets: AnyArray, *, urls: Any = None, original_ids: AnyArray | None = None
    ) -> None:
        self.out_offsets: Offsets = _read_only(out_offsets, np.int64)
        self.out_targets: Ids = _read_only(out_targets, np.uint32)
        self.urls = urls
        self.original_ids: Ids | None = None if original_ids is None else _read_only(original_ids, np.uint32)
        self.node_attributes: Attributes | None = None
        self.link_attributes: Attributes | None = None

    @classmethod
    def from_edges(cls, sources: AnyArray, targets: AnyArray, nodes: int | None = None, *, urls: Any = None) -> Graph:
        """A graph from two equally long arrays of ids; duplicates are dropped, order does not matter."""
        from periplus.graph.building.build import build_graph

        graph = build_graph([(np.asarray(sources), np.asarray(targets))], nodes=nodes)
        graph.urls = urls
        return graph

    @staticmethod
    def refuse(value: object) -> tuple[object, str]:
        """What to say of a value that is no graph: its type, and the function that makes a graph of it."""
        if isinstance(value, str | PathLike):
            return kind_of(value), "; periplus.open_graph(path) reads one"
        way = _CONVERSIONS.get(type(value).__module__.partition(".")[0])
        return kind_of(value), f"; {way} makes one of it" if way else ""

    # -- on disk -----------------------------------------------------------------------------------------

    @classmethod
    def open(cls, path: str | Path) -> Graph:
        """The graph saved in a folder, memory-mapped: milliseconds, whatever its size."""
        folder = Path(path)
        header = store.read_header(folder)
        nodes, links = header["nodes"], header["links"]
        offsets = store.map_array(folder / store.OUT_OFFSETS, "<i8", nodes + 1)
        targets = store.map_array(folder / store.OUT_TARGETS, "<u4", links)
        if offsets[0] != 0 or offsets[-1] != links:
            raise FormatError(folder / store.OUT_OFFSETS, f"does not run from 0 to {links}: build the graph again")
        graph = cls(offsets, targets, urls=_open_urls(folder / store.URLS, nodes))
        if (folder / store.ORIGINAL).exists():
            graph.original_ids = store.map_array(folder / store.ORIGINAL, "<u4", nodes)
        if (folder / store.IN_OFFSETS).exists():
            graph.__dict__["_transposed"] = (
                store.map_array(folder / store.IN_OFFSETS, "<i8", nodes + 1),
                store.map_array(folder / store.IN_SOURCES, "<u4", links),
            )
        graph.__dict__["digest"] = header["digest"]
        graph.node_attributes = _open_attributes(folder, "nodes", nodes)
        graph.link_attributes = _open_attributes(folder, "links", links)
        return graph

    def save(self, path: str | Path, *, transpose: bool = False) -> None:
        """Write the graph into a folder, whole or not at all; `transpose` keeps the in side there too."""
        with store.staged(path) as folder:
            save_array(folder / store.OUT_OFFSETS, self.out_offsets)
            save_array(folder / store.OUT_TARGETS, self.out_targets)
            if transpose:
                save_array(folder / store.IN_OFFSETS, self.in_offsets)
                save_array(folder / store.IN_SOURCES, self.in_sources)
            if self.original_ids is not None:
                save_array(folder / store.ORIGINAL, self.original_ids)
            if self.urls is not None:
                self.urls.save(folder / store.URLS)
            for stem, attributes in (("nodes", self.node_attributes), ("links", self.link_attributes)):
                if attributes:
                    from periplus.graph.attribute_files import save_attributes

                    save_attributes(folder, stem, attributes)
            store.write_header(folder, self.nodes, self.links, self.digest)

    # -- counts and neighbours ---------------------------------------------------------------------------

    @property
    def nodes(self) -> int:
        return len(self.out_offsets) - 1

    @property
    def links(self) -> int:
        return len(self.out_targets)

    @cached_property
    def _transposed(self) -> tuple[Offsets, Ids]:
        from periplus.graph.building.build import transpose_arrays

        offsets, sources = transpose_arrays(self.out_offsets, self.out_targets)
        return _read_only(offsets, np.int64), _read_only(sources, np.uint32)

    @property
    def in_offsets(self) -> Offsets:
        return self._transposed[0]

    @property
    def in_sources(self) -> Ids:
        return self._transposed[1]

    @property
    def sources(self) -> Ids:
        """The source of every link, in the order of `out_targets`; made again each time, 4 bytes per link."""
        return np.repeat(np.arange(self.nodes, dtype=np.uint32), self.out_degrees)

    @property
    def out_degrees(self) -> Offsets:
        return np.diff(self.out_offsets)

    @property
    def in_degrees(self) -> Offsets:
        return np.diff(self.in_offsets)

    @property
    def dangling(self) -> Bools:
        """True where a page has no out-link."""
        return self.out_degrees == 0

    def successors(self, page: int) -> Ids:
        """The pages that a page links to, in increasing order."""
        return self.out_targets[self.out_offsets[self._known(page)] : self.out_offsets[page + 1]]

    def predecessors(self, page: int) -> Ids:
        """The pages that link to a page, in increasing order."""
        return self.in_sources[self.in_offsets[self._known(page)] : self.in_offsets[page + 1]]

    def has_edge(self, source: int, target: int) -> bool:
        """Whether a link is there, by bisection of the source's row."""
        row = self.successors(source)
        at = int(np.searchsorted(row, self._known(target)))
        return at < len(row) and int(row[at]) == target

    def _known(self, page: int) -> int:
        if not isinstance(page, int | np.integer) or not 0 <= page < self.nodes:
            raise ParameterError("page", page, f"an id from 0 to {self.nodes - 1}")
        return page

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the out side: two graphs are equal exactly when their digests are."""
        return self._digest_of_rows()

    def _digest_of_rows(self) -> str:
        digest = hashlib.sha256(np.ascontiguousarray(self.out_offsets, dtype="<i8").data)
        digest.update(np.ascontiguousarray(self.out_targets, dtype="<u4").data)
        return digest.hexdigest()

    def check(self) -> None:
        """Read every row: offsets rise, targets are increasing known ids, the digest is right; else `DamagedError`."""
        from periplus.numeric.rows import first_fault

        if len(self.out_offsets) == 0 or self.out_offsets[0] != 0 or self.out_offsets[-1] != self.links:
            raise DamagedError(f"{self!r}: its offsets do not run from 0 to {self.links}")
        row = first_fault(self.out_offsets, self.out_targets)
        if row >= 0:
            raise DamagedError(f"{self!r}: the links of page {row} are not increasing ids below {self.nodes}")
        if self._digest_of_rows() != self.digest:
            raise DamagedError(f"{self!r}: the links are not those of its digest: build the graph again")

    # -- other graphs ------------------------------------------------------------------------------------

    def subgraph(self, ids: AnyArray) -> Graph:
        """The pages `ids` (or where a mask is True) and the links among them, renumbered in the order given."""
        from periplus.graph.cut import subgraph

        return subgraph(self, ids)

    def reverse(self) -> Graph:
        """Every link turned round; shares all arrays with this graph."""
        turned = Graph(self.in_offsets, self.in_sources, urls=self.urls, original_ids=self.original_ids)
        turned.__dict__["_transposed"] = (self.out_offsets, self.out_targets)
        turned.node_attributes = self.node_attributes
        if self.link_attributes is not None:
            turned.link_attributes = self.link_attributes.take(np.argsort(self.out_targets, kind="stable"))
        return turned

    def described(self, nodes: Mapping[str, Any] | None = None, links: Mapping[str, Any] | None = None) -> Graph:
        """The same graph with more attributes: columns of any values, None for a missing one; shares all arrays."""
        from periplus.graph.attributes import Attributes

        result = copy(self)
        if nodes:
            result.node_attributes = (self.node_attributes or Attributes({}, self.nodes)).joined(nodes)
        if links:
            result.link_attributes = (self.link_attributes or Attributes({}, self.links)).joined(links)
        return result

    def symmetrised(self) -> Graph:
        """Every link both ways: the undirected graph underneath."""
        from periplus.graph.cut import symmetrised

        return symmetrised(self)

    def without(self, links: Bools | str) -> Graph:
        """The graph less some links: a mask over `out_targets`, or "navigational" for those within one site."""
        from periplus.graph.cut import without

        return without(self, links)

    @cached_property
    def navigational(self) -> Bools:
        """For each link, whether both ends lie on one site; needs URLs."""
        from periplus.graph.cut import navigational

        return navigational(self)

    def collapse(self, by: AnyArray | str) -> Collapsed:
        """One node per group of pages (`by`: "host", "site", "tld", an attribute, labels of pages); see `collapse`."""
        from periplus.graph.collapse import collapse

        return collapse(self, by)

    def reordered(self, order: str | AnyArray) -> Graph:
        """The same graph with other ids: "url", "bfs", "llp", "degree", or the new id of each page.

        `original_ids` of the result keeps the way back.
        """
        from periplus.graph.order import reordered

        return reordered(self, order)

    def to_networkx(self) -> Any:
        """The same graph in networkx: a `networkx.DiGraph` of ids; needs networkx."""
        from periplus.graph.convert import to_networkx

        return to_networkx(self)

    # -- how it looks ------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """The number of nodes."""
        return self.nodes

    def __bool__(self) -> bool:
        """A graph is something even without a node: `if graph` asks whether there is one."""
        return True

    def __eq__(self, other: object) -> bool:
        """The same links between the same number of pages; names and attributes do not count."""
        if not isinstance(other, Graph):
            return NotImplemented
        return (self.nodes, self.links) == (other.nodes, other.links) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash((self.nodes, self.links))

    def __repr__(self) -> str:
        return f"Graph(nodes={self.nodes:,}, links={self.links:,})"

    def _repr_html_(self) -> str:
        rows = [("nodes", f"{self.nodes:,}"), ("links", f"{self.links:,}")]
        if self.nodes:
            rows += [
                ("links per node", f"{self.links / self.nodes:.2f}"),
                ("without out-links", f"{int(self.dangling.sum()):,}"),
                ("largest out-degree", f"{int(self.out_degrees.max()):,}"),
            ]
        for what, attributes in (("node", self.node_attributes), ("link", self.link_attributes)):
            if attributes:
                rows.append((f"{what} attributes", escape(", ".join(attributes))))
        if self.urls is not None:
            rows.append(("first URL", escape(str(self.urls[0])) if self.nodes else "–"))
        cells = "".join(f"<tr><th style='text-align:left'>{name}</th><td>{value}</td></tr>" for name, value in rows)
        return f"<table><caption>Graph</caption>{cells}</table>"


def _read_only(array: AnyArray, dtype: type[np.generic]) -> AnyArray:
    """A view that cannot be written through; kernels see one array type whether or not it lies on disk."""
    view = np.ascontiguousarray(array, dtype=dtype).view()
    view.flags.writeable = False
    return view


def _open_urls(path: Path, nodes: int) -> Any:
    if not path.exists():
        return None
    from periplus.graph.urls.table import open_table

    table = open_table(path)
    if len(table) != nodes:
        raise FormatError(path, f"holds {len(table)} names for {nodes} nodes: it belongs to another graph")
    return table


def _open_attributes(folder: Path, stem: str, length: int) -> Attributes | None:
    if not (folder / f"{stem}.json").exists():
        return None
    from periplus.graph.attribute_files import open_attributes

    return open_attributes(folder, stem, length)
