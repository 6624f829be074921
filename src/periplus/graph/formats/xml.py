"""XML files of graphs: read with names without their namespace, written with what XML can hold."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from periplus.errors import FormatError
from periplus.graph.files import read_pieces
from periplus.graph.formats.values import say
from periplus.web.xml import XmlError, XmlParser


class XmlReader:
    """Calls `start(name, attributes, line)`, `end(name)` and `text(data)`; names come without their namespace."""

    def __init__(
        self,
        path: Path,
        start: Callable[[str, dict[str, str], int], None],
        end: Callable[[str], None],
        text: Callable[[str], None],
    ) -> None:
        self._path = path
        self._start = start
        self._parser = XmlParser(self._on_start, lambda name: end(_local(name)), text)

    def run(self) -> None:
        try:
            for piece in read_pieces(self._path):
                self._parser.feed(piece)
            self._parser.feed(b"", last=True)
        except XmlError as error:
            raise FormatError(self._path, str(error), line=error.line) from error

    def _on_start(self, name: str, attributes: dict[str, str]) -> None:
        self._start(_local(name), attributes, self._parser.line)


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def is_xml_with(text: str, element: str) -> bool:
    """Whether a text begins as XML whose root is `element`, with or without a namespace prefix."""
    start = text.lstrip()
    return start.startswith("<") and (f"<{element}" in start or f":{element}" in start)


class Escaper:
    """Texts for XML; counts those with characters that XML cannot hold (control characters, half surrogates)."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._changed = 0

    def text(self, value: str) -> str:
        """Between tags."""
        return escape(self._storable(value), {"\r": "&#13;"})

    def attribute(self, value: str) -> str:
        """As the value of an attribute, in quotes."""
        return quoteattr(self._storable(value), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})

    def tell(self) -> None:
        """A note of what could not be held."""
        if self._changed:
            say(self._path, f"{self._changed:,} texts have characters that XML cannot hold: \ufffd stands for them")

    def _storable(self, value: str) -> str:
        kept = _UNSTORABLE.sub("\ufffd", value)
        self._changed += kept != value
        return kept


_UNSTORABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
