"""Reading XML from strangers: a streaming parser that refuses whatever in XML can do harm.

Entity declarations (billion laughs, external files) and references to external entities are errors; a document type
without them is ignored. Elements come one at a time, so memory does not grow with the document.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.parsers import expat


class XmlError(ValueError):
    """The text is not well-formed XML, or has what is refused."""

    def __init__(self, problem: str, line: int) -> None:
        super().__init__(problem)
        self.line = line


class XmlParser:
    """Calls `start(name, attributes)`, `end(name)` and `text(data)`; names come as they are written."""

    def __init__(
        self, start: Callable[[str, dict[str, str]], None], end: Callable[[str], None], text: Callable[[str], None]
    ) -> None:
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = start
        self._parser.EndElementHandler = end
        self._parser.CharacterDataHandler = text
        self._parser.EntityDeclHandler = self._refuse
        self._parser.ExternalEntityRefHandler = self._refuse_reference

    @property
    def line(self) -> int:
        return self._parser.CurrentLineNumber

    def feed(self, piece: bytes, *, last: bool = False) -> None:
        """Read on; raises `XmlError`."""
        try:
            self._parser.Parse(piece, last)
        except expat.ExpatError as error:
            raise XmlError(f"not well-formed XML: {error}", error.lineno) from error

    def _refuse(self, *declaration: Any) -> None:
        problem = f"declares the entity {declaration[0]!r}: entities are refused, they can read files or fill memory"
        raise XmlError(problem, self.line)

    def _refuse_reference(self, *reference: Any) -> int:
        del reference
        raise XmlError("refers to an external entity, which is refused", self.line)
