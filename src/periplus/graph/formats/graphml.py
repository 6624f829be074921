"""GraphML: XML with `<node id>` and `<edge source target>`, and typed data for both.

`edgedefault="undirected"`, or `directed="false"` on one edge, become links both ways. Names are texts of nodes whose
key is called url, label or name (the first of them there is); all other data are attributes, with the defaults of
their keys. Data that is XML itself (what yEd says of shapes) is passed over with a note, ports too; hyperedges are not
links and are refused.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import IO, Any, NamedTuple

from periplus.graph.attributes import Attributes, Kind
from periplus.graph.files import writing
from periplus.graph.formats.base import Format, LinkList, Probe, names_of, no_options
from periplus.graph.formats.values import rows_of, say, spelt
from periplus.graph.formats.xml import Escaper, XmlReader, is_xml_with
from periplus.graph.graph import Graph

_NAME_KEYS = ("url", "label", "name")
_KINDS: dict[str, Kind] = {"int": "whole", "long": "whole", "float": "number", "double": "number", "boolean": "flag"}
_TYPES: dict[Kind, str] = {"whole": "long", "number": "double", "flag": "boolean", "text": "string"}
_OURS = "attribute-"  # a key that we wrote so holds no names, whatever it is called
_ROLES = {"node": ("node",), "edge": ("edge",), "all": ("node", "edge")}


def recognises(probe: Probe) -> bool:
    return is_xml_with(probe.text, "graphml")


class _Key(NamedTuple):
    name: str
    kind: Kind


class _Reader:
    def __init__(self, path: Path, lenient: bool, directed: bool | None) -> None:
        self.links = LinkList(path, lenient)
        self._asked = directed
        self._directed = True
        self._keys: dict[tuple[str, str], _Key] = {}  # by what they are for, and their id
        self._begun = False
        self._names: str | None = None
        self._instead: list[str] = []  # keys that name a node where that one does not
        self._named: set[int] = set()
        self._open_key: tuple[str, str] | None = None  # the key whose default may follow
        self._defaults: dict[tuple[str, str], str] = {}
        self._at: list[tuple[str, int]] = []  # the node or edge we are in, and its row
        self._key = ""
        self._text: list[str] | None = None
        self._line = 0
        self._nested = 0
        self._passed: Counter[str] = Counter()

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        self._line = line
        if self._text is not None:
            self._nested += 1
        elif name == "key":
            self._declare(attributes)
        elif name == "default":
            self._text = []
        elif name == "graph":
            self._directed = attributes.get("edgedefault", "directed") != "undirected"
            if not self._begun:  # a graph may hold graphs
                self._choose_names()
        elif name == "node":
            self._node(attributes, line)
        elif name == "edge":
            self._edge(attributes, line)
        elif name == "hyperedge":
            self.links.problem("a hyperedge is not a link between two nodes", line)
        elif name == "data":
            self._key, self._text, self._nested = attributes.get("key", ""), [], 0
        elif name == "port":
            self._passed["ports"] += 1

    def _declare(self, attributes: dict[str, str]) -> None:
        name = attributes.get("attr.name", attributes.get("id", ""))
        told = _Key(name, _KINDS.get(attributes.get("attr.type", ""), "text"))
        self._open_key = attributes.get("for", "all"), attributes.get("id", "")
        for role in _ROLES.get(self._open_key[0], ()):
            self._keys[role, self._open_key[1]] = told

    def _choose_names(self) -> None:
        """Which key of the nodes holds their names; all others become columns."""
        self._begun = True
        texts = [
            (_NAME_KEYS.index(told.name.lower()), key)
            for (role, key), told in self._keys.items()
            if role == "node" and told.kind == "text" and told.name.lower() in _NAME_KEYS and not key.startswith(_OURS)
        ]
        in_turn = [key for _, key in sorted(texts)]
        self._names, self._instead = in_turn[0] if in_turn else None, in_turn[1:]
        for (role, key), told in self._keys.items():
            if role == "edge" or key != self._names:
                self._keys[role, key] = told._replace(name=self._values(role).declare(told.name, told.kind))

    def _values(self, role: str) -> Any:
        return self.links.node_values if role == "node" else self.links.link_values

    def _node(self, attributes: dict[str, str], line: int) -> None:
        if "id" not in attributes:
            self.links.problem("a node has no id", line)
            self._at.append(("", 0))
            return
        self._at.append(("node", self.links.declare(attributes["id"], line=line)))

    def _edge(self, attributes: dict[str, str], line: int) -> None:
        if "source" not in attributes or "target" not in attributes:
            self.links.problem("an edge has no source and target", line)
            self._at.append(("", 0))
            return
        source = self.links.node(attributes["source"], line)
        target = self.links.node(attributes["target"], line)
        one_way = attributes.get("directed", "true" if self._directed else "false") != "false"
        if self._asked is not None:
            one_way = self._asked
        self._at.append(("edge", self.links.link(source, target, both_ways=not one_way)))

    def end(self, name: str) -> None:
        if self._nested and name not in ("data", "default"):
            return
        if name == "default" and self._open_key is not None and self._text is not None:
            for role in _ROLES.get(self._open_key[0], ()):
                self._defaults[role, self._open_key[1]] = "".join(self._text)
            self._text = None
        elif name == "key":
            self._open_key = None
        elif name == "data" and self._text is not None:
            self._data("".join(self._text))
            self._text, self._nested = None, 0
        elif name in ("node", "edge") and self._at:
            self._at.pop()

    def _data(self, text: str) -> None:
        role, row = self._at[-1] if self._at else ("", 0)
        told = self._keys.get((role, self._key))
        if not role:
            return
        if told is None or self._nested:
            self._passed["data that are XML themselves" if self._nested else f"data of no key ({self._key})"] += 1
        elif role == "node" and self._key == self._names:
            self._name(row, text)
        else:
            self._values(role).put(row, told.name, self.links.value(told.kind, text, self._line))

    def _name(self, row: int, text: Any) -> None:
        if text and row not in self._named:
            self.links.names[row] = text
            self._named.add(row)

    def text(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def graph(self) -> Graph:
        for (role, key), text in self._defaults.items():
            if role != "node" or key != self._names:
                told = self._keys[role, key]
                rows = len(self.links.names) if role == "node" else self.links.count
                self._values(role).fill(told.name, self.links.value(told.kind, text), rows)
        for key in self._instead:
            for row, text in self.links.node_values.held(self._keys["node", key].name).items():
                self._name(row, text)
        for what, count in self._passed.items():
            say(self.links.path, f"passed over {count:,} {what}")
        return self.links.graph()


def read(path: Path, lenient: bool, *, directed: bool | None = None) -> Graph:
    reader = _Reader(path, lenient, directed)
    XmlReader(path, reader.start, reader.end, reader.text).run()
    return reader.graph()


# -- writing -------------------------------------------------------------------------------------------------


def write(graph: Graph, path: Path, **options: Any) -> None:
    no_options("GraphML", options)
    escaper = Escaper(path)
    with writing(path) as stream:
        stream.write(
            b'<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
        )
        if graph.urls is not None:
            stream.write(b'<key id="url" for="node" attr.name="url" attr.type="string"/>\n')
        node_keys = _write_keys(stream, escaper, "node", graph.node_attributes)
        link_keys = _write_keys(stream, escaper, "edge", graph.link_attributes)
        stream.write(b'<graph id="G" edgedefault="directed">\n')
        names = names_of(graph) if graph.urls is not None else (None for _ in range(graph.nodes))
        for i, (name, row) in enumerate(zip(names, rows_of(graph.node_attributes, graph.nodes), strict=True)):
            data = _data(escaper, node_keys, row)
            if name is not None:
                data = f'<data key="url">{escaper.text(name)}</data>{data}'
            stream.write((f'<node id="n{i}">{data}</node>\n' if data else f'<node id="n{i}"/>\n').encode())
        ends = zip(graph.sources.tolist(), graph.out_targets.tolist(), strict=True)
        for (source, target), row in zip(ends, rows_of(graph.link_attributes, graph.links), strict=True):
            data = _data(escaper, link_keys, row)
            edge = f'<edge source="n{source}" target="n{target}"'
            stream.write((f"{edge}>{data}</edge>\n" if data else f"{edge}/>\n").encode())
        stream.write(b"</graph>\n</graphml>\n")
    escaper.tell()


def _write_keys(stream: IO[bytes], escaper: Escaper, role: str, attributes: Attributes | None) -> list[str]:
    keys = []
    for number, (name, column) in enumerate((attributes or {}).items()):
        keys.append(f"{_OURS}{role}-{number}")
        told = f'<key id="{keys[-1]}" for="{role}" attr.name={escaper.attribute(name)}'
        stream.write(f'{told} attr.type="{_TYPES[column.kind]}"/>\n'.encode())
    return keys


def _data(escaper: Escaper, keys: list[str], row: tuple[Any, ...]) -> str:
    return "".join(
        f'<data key="{key}">{escaper.text(spelt(value))}</data>'
        for key, value in zip(keys, row, strict=True)
        if value is not None
    )


FORMAT = Format(
    name="graphml",
    title="GraphML",
    suffixes=(".graphml",),
    recognises=recognises,
    read=read,
    write=write,
    keeps_names=True,
    keeps_attributes=True,
    takes_direction=True,
)
