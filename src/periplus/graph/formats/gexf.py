"""GEXF, Gephi's XML: `<node id label>` and `<edge source target>`.

Edges of type `undirected` or `mutual`, or a `defaultedgetype` that says so (undirected where it is missing, as the
standard has it), become links both ways. Labels are the nodes' names. `attributes`, given when writing, are further
columns of the nodes: a list of whole numbers or texts each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from periplus.graph.files import writing
from periplus.graph.formats.base import Format, LinkList, Probe, names_of, no_options, sources_of
from periplus.graph.formats.xml import XmlReader, is_xml_with, storable
from periplus.graph.graph import Graph


def recognises(probe: Probe) -> bool:
    return is_xml_with(probe.text, "gexf")


class _Reader:
    def __init__(self, path: Path, lenient: bool) -> None:
        self.links = LinkList(path, lenient)
        self._default = "undirected"

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        if name == "graph":
            self._default = attributes.get("defaultedgetype", "undirected")
        elif name == "node":
            if "id" in attributes:
                self.links.declare(attributes["id"], attributes.get("label", ""), line)
            else:
                self.links.problem("a node has no id", line)
        elif name == "edge":
            self._edge(attributes, line)

    def _edge(self, attributes: dict[str, str], line: int) -> None:
        if "source" not in attributes or "target" not in attributes:
            self.links.problem("an edge has no source and target", line)
            return
        source = self.links.node(attributes["source"], line)
        target = self.links.node(attributes["target"], line)
        self.links.link(source, target)
        if attributes.get("type", self._default) != "directed":
            self.links.link(target, source)


def read(path: Path, lenient: bool) -> Graph:
    reader = _Reader(path, lenient)
    XmlReader(path, reader.start, lambda name: None, lambda data: None).run()
    return reader.links.graph()


def write(graph: Graph, path: Path, *, attributes: Mapping[str, Sequence[Any]] | None = None, **options: Any) -> None:
    no_options("GEXF", options)
    columns = attributes or {}
    with writing(path) as stream:
        stream.write(b'<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://gexf.net/1.3" version="1.3">\n')
        stream.write(b'<graph mode="static" defaultedgetype="directed">\n')
        stream.write(_declared(columns).encode())
        stream.write(b"<nodes>\n")
        names = names_of(graph) if graph.urls is not None else map(str, range(graph.nodes))
        for i, name in enumerate(names):
            end = f">{_values(columns, i)}</node>" if columns else "/>"
            stream.write(f'<node id="{i}" label={_quoted(name)}{end}\n'.encode())
        stream.write(b"</nodes>\n<edges>\n")
        pairs = zip(sources_of(graph).tolist(), graph.out_targets.tolist(), strict=True)
        for i, (source, target) in enumerate(pairs):
            stream.write(f'<edge id="{i}" source="{source}" target="{target}"/>\n'.encode())
        stream.write(b"</edges>\n</graph>\n</gexf>\n")


def _declared(columns: Mapping[str, Sequence[Any]]) -> str:
    """The names and types of further columns of the nodes; nothing where there are none."""
    if not columns:
        return ""
    kinds = {
        name: "string" if any(isinstance(one, str) for one in values) else "long" for name, values in columns.items()
    }
    told = (f'<attribute id="{name}" title="{name}" type="{kind}"/>' for name, kind in kinds.items())
    return f'<attributes class="node">{"".join(told)}</attributes>\n'


def _values(columns: Mapping[str, Sequence[Any]], node: int) -> str:
    told = (f'<attvalue for="{name}" value={_quoted(str(values[node]))}/>' for name, values in columns.items())
    return f"<attvalues>{''.join(told)}</attvalues>"


def _quoted(text: str) -> str:
    return quoteattr(storable(text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


FORMAT = Format(
    name="gexf",
    title="GEXF (Gephi)",
    suffixes=(".gexf",),
    recognises=recognises,
    read=read,
    write=write,
    keeps_names=True,
)
