"""GEXF, Gephi's XML: `<node id label>`, `<edge source target>`, and typed attributes for both.

Edges of type `undirected` or `mutual`, or a `defaultedgetype` that says so, become links both ways; where it is missing
they are undirected, as the standard has it, and a note says so. Labels are the nodes' names. Attributes are the
`<attvalue>`s, with the defaults of their declarations, and what else stands in the tags (`weight`, `start`, an edge's
`label`). Colours, places and sizes (`viz:`) and the time spans of dynamic graphs are passed over with a note.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import IO, Any, NamedTuple

from periplus.graph.attributes import Attributes, Kind
from periplus.graph.files import writing
from periplus.graph.formats.base import Format, LinkList, Probe, names_of, no_options
from periplus.graph.formats.values import Bare, rows_of, say, spelt
from periplus.graph.formats.xml import Escaper, XmlReader, is_xml_with
from periplus.graph.graph import Graph

_KINDS: dict[str, Kind] = {
    **dict.fromkeys(("integer", "long", "short", "byte"), "whole"),
    **dict.fromkeys(("double", "float"), "number"),
    "boolean": "flag",
}
_TYPES: dict[Kind, str] = {"whole": "long", "number": "double", "flag": "boolean", "text": "string"}
_OURS = {"node": ("id", "label"), "edge": ("id", "source", "target", "type")}
_PASSED = {
    "color": "colours",
    "position": "places",
    "size": "sizes",
    "shape": "shapes",
    "thickness": "thicknesses",
    "spell": "time spans",
}


def recognises(probe: Probe) -> bool:
    return is_xml_with(probe.text, "gexf")


class _Attribute(NamedTuple):
    name: str
    kind: Kind


class _Reader:
    def __init__(self, path: Path, lenient: bool, directed: bool | None) -> None:
        self.links = LinkList(path, lenient)
        self._directed = directed
        self._default = ""
        self._class = ""
        self._declaring = ""  # the id of the attribute whose default may follow
        self._known: dict[tuple[str, str], _Attribute] = {}
        self._defaults: dict[tuple[str, str], str] = {}
        self._text: list[str] | None = None
        self._at: list[tuple[str, int]] = []  # the node or edge we are in, and its row
        self._passed: Counter[str] = Counter()

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        if name == "graph":
            self._default = attributes.get("defaultedgetype", "")
            if not self._default and self._directed is None:
                self.links.silent_about = "`defaultedgetype`"
        elif name == "attributes":
            self._class = attributes.get("class", "")
        elif name == "attribute":
            self._declare(attributes)
        elif name == "default":
            self._text = []
        elif name == "node":
            self._node(attributes, line)
        elif name == "edge":
            self._edge(attributes, line)
        elif name == "attvalue":
            self._value(attributes, line)
        elif name in _PASSED:
            self._passed[_PASSED[name]] += 1

    def _declare(self, attributes: dict[str, str]) -> None:
        self._declaring = attributes.get("id", "")
        if self._class in _OURS:
            kind = _KINDS.get(attributes.get("type", ""), "text")
            name = self._values(self._class).declare(attributes.get("title", self._declaring), kind)
            self._known[self._class, self._declaring] = _Attribute(name, kind)

    def _values(self, role: str) -> Any:
        return self.links.node_values if role == "node" else self.links.link_values

    def _node(self, attributes: dict[str, str], line: int) -> None:
        if "id" not in attributes:
            self.links.problem("a node has no id", line)
            self._at.append(("", 0))
            return
        self._at.append(("node", self.links.declare(attributes["id"], attributes.get("label", ""), line)))
        self._rest(attributes)

    def _edge(self, attributes: dict[str, str], line: int) -> None:
        if "source" not in attributes or "target" not in attributes:
            self.links.problem("an edge has no source and target", line)
            self._at.append(("", 0))
            return
        source = self.links.node(attributes["source"], line)
        target = self.links.node(attributes["target"], line)
        one_way = attributes.get("type", self._default) == "directed" if self._directed is None else self._directed
        self._at.append(("edge", self.links.link(source, target, both_ways=not one_way)))
        self._rest(attributes)

    def _rest(self, attributes: dict[str, str]) -> None:
        """What else stands in the tag of a node or an edge."""
        role, row = self._at[-1]
        for name, text in attributes.items():
            if name.rpartition(":")[2] not in _OURS[role]:
                self._values(role).put(row, name, Bare(text))

    def _value(self, attributes: dict[str, str], line: int) -> None:
        role, row = self._at[-1] if self._at else ("", 0)
        key = attributes.get("for", attributes.get("id", ""))
        told = self._known.get((role, key))
        if told is None:
            self.links.problem(f"a value is for attribute {key!r}, which the file does not declare", line)
        elif "value" in attributes:
            self._values(role).put(row, told.name, self.links.value(told.kind, attributes["value"], line))

    def text(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def end(self, name: str) -> None:
        if name in ("node", "edge") and self._at:
            self._at.pop()
        elif name == "default" and self._text is not None:
            self._defaults[self._class, self._declaring] = "".join(self._text)
            self._text = None

    def graph(self) -> Graph:
        for (role, key), text in self._defaults.items():
            if (told := self._known.get((role, key))) is not None:
                rows = len(self.links.names) if role == "node" else self.links.count
                self._values(role).fill(told.name, self.links.value(told.kind, text), rows)
        for what, count in self._passed.items():
            say(self.links.path, f"passed over {count:,} {what}")
        return self.links.graph()


def read(path: Path, lenient: bool, *, directed: bool | None = None) -> Graph:
    reader = _Reader(path, lenient, directed)
    XmlReader(path, reader.start, reader.end, reader.text).run()
    return reader.graph()


# -- writing -------------------------------------------------------------------------------------------------


def write(graph: Graph, path: Path, **options: Any) -> None:
    """`weight`, where links have one that is a number, stands in the tag: Gephi draws by it."""
    no_options("GEXF", options)
    escaper = Escaper(path)
    with writing(path) as stream:
        stream.write(b'<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://gexf.net/1.3" version="1.3">\n')
        stream.write(b'<graph mode="static" defaultedgetype="directed">\n')
        _declare(stream, escaper, "node", graph.node_attributes)
        weighted = _declare(stream, escaper, "edge", graph.link_attributes)
        stream.write(b"<nodes>\n")
        names = names_of(graph) if graph.urls is not None else map(str, range(graph.nodes))
        for i, (name, row) in enumerate(zip(names, rows_of(graph.node_attributes, graph.nodes), strict=True)):
            node, values = f'<node id="{i}" label={escaper.attribute(name)}', _attvalues(escaper, row, -1)
            stream.write((f"{node}>{values}</node>\n" if values else f"{node}/>\n").encode())
        stream.write(b"</nodes>\n<edges>\n")
        ends = zip(graph.sources.tolist(), graph.out_targets.tolist(), strict=True)
        rows = rows_of(graph.link_attributes, graph.links)
        for i, ((source, target), row) in enumerate(zip(ends, rows, strict=True)):
            edge, values = f'<edge id="{i}" source="{source}" target="{target}"', _attvalues(escaper, row, weighted)
            if weighted >= 0 and row[weighted] is not None:
                edge += f' weight="{spelt(row[weighted])}"'
            stream.write((f"{edge}>{values}</edge>\n" if values else f"{edge}/>\n").encode())
        stream.write(b"</edges>\n</graph>\n</gexf>\n")
    escaper.tell()


def _declare(stream: IO[bytes], escaper: Escaper, role: str, attributes: Attributes | None) -> int:
    """Declare the columns; returns the number of the one that stands as `weight` in the tag, −1 for none."""
    weight = -1
    lines = []
    for number, (name, column) in enumerate((attributes or {}).items()):
        known = column.values[~column.gaps]
        finite = column.kind in ("whole", "number") and bool((abs(known) < float("inf")).all())
        if (role, name) == ("edge", "weight") and finite and len(known):
            weight = number
            continue
        lines.append(f'<attribute id="{number}" title={escaper.attribute(name)} type="{_TYPES[column.kind]}"/>\n')
    if lines:
        stream.write(f'<attributes class="{role}">\n{"".join(lines)}</attributes>\n'.encode())
    return weight


def _attvalues(escaper: Escaper, row: tuple[Any, ...], weight: int) -> str:
    values = "".join(
        f'<attvalue for="{number}" value={escaper.attribute(spelt(value))}/>'
        for number, value in enumerate(row)
        if value is not None and number != weight
    )
    return f"<attvalues>{values}</attvalues>" if values else ""


FORMAT = Format(
    name="gexf",
    title="GEXF (Gephi)",
    suffixes=(".gexf",),
    recognises=recognises,
    read=read,
    write=write,
    keeps_names=True,
    keeps_attributes=True,
    takes_direction=True,
)
