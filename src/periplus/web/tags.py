"""The grammar of HTML tags as regular expressions, equal to the tokenizer of the HTML standard.

All repeats are possessive, so matching takes linear time on any text. `TOKEN` finds the next comment, tag or other
markup; `ATTRIBUTE` finds the next attribute inside a tag. Both exist for bytes and for text.
"""

from __future__ import annotations

import re

_SPACE = r"\t\n\x0c\r "
_NAME = rf"[^{_SPACE}/>][^{_SPACE}/>=]*+"
_EQUALS = rf"[{_SPACE}]*+=[{_SPACE}]*+"
_QUOTED = r""""[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)"""

_ATTRIBUTES = rf"""(?:[{_SPACE}/]++|{_NAME}(?:{_EQUALS}(?:{_QUOTED}|[^{_SPACE}>]*+))?+)*+"""
_TOKEN = rf"<!--(?:>|->|.*?(?:-->|--!>|\Z))|<(/?)([a-zA-Z][^{_SPACE}/>]*+)({_ATTRIBUTES})(>?)|<[!/?][^>]*+>?"
_ATTRIBUTE = rf"""({_NAME})(?:{_EQUALS}(?:"([^"]*+)"?|'([^']*+)'?|([^{_SPACE}>]*+)))?+"""

TOKEN = re.compile(_TOKEN, re.DOTALL)
TOKEN_BYTES = re.compile(_TOKEN.encode("ascii"), re.DOTALL)
ATTRIBUTE = re.compile(_ATTRIBUTE)
ATTRIBUTE_BYTES = re.compile(_ATTRIBUTE.encode("ascii"))

BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "br",
        "caption",
        "dd",
        "details",
        "dialog",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "legend",
        "li",
        "main",
        "nav",
        "ol",
        "option",
        "p",
        "pre",
        "section",
        "select",
        "summary",
        "table",
        "td",
        "textarea",
        "th",
        "title",
        "tr",
        "ul",
    ]
)
