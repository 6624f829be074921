"""GraphML: XML with `<node id>` and `<edge source target>`.

`edgedefault="undirected"`, or `directed="false"` on one edge, become links both ways. Names are the node data whose key
is called url, label or name (the first one present); other data, ports and nested graphs' attributes are ignored;
hyperedges are not links and are refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from periplus.graph.files import writing
from periplus.graph.formats.base import Format, LinkList, Probe, names_of, no_options, sources_of
from periplus.graph.formats.xml import XmlReader, is_xml_with, storable
from periplus.graph.graph import Graph

_NAME_KEYS = ("url", "label", "name")


def recognises(probe: Probe) -> bool:
    return is_xml_with(probe.text, "graphml")


class _Reader:
    def __init__(self, path: Path, lenient: bool) -> None:
        self.links = LinkList(path, lenient)
        self._directed = True
        self._key_names: dict[str, str] = {}
        self._node = ""
        self._rank = len(_NAME_KEYS)
        self._text: list[str] | None = None

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        if name == "graph":
            self._directed = attributes.get("edgedefault", "directed") != "undirected"
        elif name == "key" and attributes.get("for", "all") in ("node", "all"):
            self._key_names[attributes.get("id", "")] = attributes.get("attr.name", attributes.get("id", "")).lower()
        elif name == "node":
            self._start_node(attributes, line)
        elif name == "edge":
            self._edge(attributes, line)
        elif name == "hyperedge":
            self.links.problem("a hyperedge is not a link between two nodes", line)
        elif name == "data" and self._node:
            self._start_data(attributes)

    def _start_node(self, attributes: dict[str, str], line: int) -> None:
        if "id" not in attributes:
            self.links.problem("a node has no id", line)
            return
        self._node, self._rank = attributes["id"], len(_NAME_KEYS)
        self.links.declare(self._node, line=line)

    def _start_data(self, attributes: dict[str, str]) -> None:
        called = self._key_names.get(attributes.get("key", ""), "")
        if called in _NAME_KEYS[: self._rank]:
            self._rank, self._text = _NAME_KEYS.index(called), []

    def _edge(self, attributes: dict[str, str], line: int) -> None:
        if "source" not in attributes or "target" not in attributes:
            self.links.problem("an edge has no source and target", line)
            return
        source = self.links.node(attributes["source"], line)
        target = self.links.node(attributes["target"], line)
        self.links.link(source, target)
        if attributes.get("directed", "true" if self._directed else "false") == "false":
            self.links.link(target, source)

    def end(self, name: str) -> None:
        if name == "data" and self._text is not None:
            if text := "".join(self._text):
                self.links.rename(self._node, text)
            self._text = None
        elif name == "node":
            self._node = ""

    def text(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)


def read(path: Path, lenient: bool) -> Graph:
    reader = _Reader(path, lenient)
    XmlReader(path, reader.start, reader.end, reader.text).run()
    return reader.links.graph()


def write(graph: Graph, path: Path, **options: Any) -> None:
    no_options("GraphML", options)
    with writing(path) as stream:
        stream.write(
            b'<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
        )
        if graph.urls is not None:
            stream.write(b'<key id="url" for="node" attr.name="url" attr.type="string"/>\n')
        stream.write(b'<graph id="G" edgedefault="directed">\n')
        if graph.urls is None:
            stream.writelines(f'<node id="n{i}"/>\n'.encode() for i in range(graph.nodes))
        else:
            for i, name in enumerate(names_of(graph)):
                text = escape(storable(name), {"\r": "&#13;"})
                stream.write(f'<node id="n{i}"><data key="url">{text}</data></node>\n'.encode())
        for source, target in zip(sources_of(graph).tolist(), graph.out_targets.tolist(), strict=True):
            stream.write(f'<edge source="n{source}" target="n{target}"/>\n'.encode())
        stream.write(b"</graph>\n</graphml>\n")


FORMAT = Format(
    name="graphml",
    title="GraphML",
    suffixes=(".graphml",),
    recognises=recognises,
    read=read,
    write=write,
    keeps_names=True,
)
