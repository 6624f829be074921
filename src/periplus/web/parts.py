"""Words inside words: the parts of `ArgumentParser` and `HTTPServer`."""

from __future__ import annotations

import re

_HUMPS = re.compile(r"(?<![A-Za-z0-9])[A-Z]*(?:[a-z0-9]+[A-Z]|(?<=[A-Z]{2})[a-z]{2})[A-Za-z0-9]*")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def parts_of(*texts: str) -> str:
    """The parts of each such word, once for each distinct word, in the order of the texts."""
    words = dict.fromkeys(word for text in texts for word in _HUMPS.findall(text))
    return " ".join(_HUMP.sub(" ", word) for word in words)
