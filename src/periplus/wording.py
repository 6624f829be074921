"""Numbers and sentences as a person writes them: "1 page links here", "2.3 s", "6 %", "125th".

The command line, the pages and the pictures say every count, duration and share by these functions, so that none of
them has plurals or digits of its own. Text for a page may be `glued` last: a number then never parts from its unit.
"""

from __future__ import annotations

import re

_ODD = {
    "has": "have", "is": "are", "was": "were", "does": "do", "its": "their", "it": "they", "passes": "pass",
}  # fmt: skip
_SIBILANT = re.compile(r"(s|x|z|ch|sh)\Z")
_UNITS = ("%", "ms", "s", "min", "h", "pages?", "sites?", "links?", "kB", "MB", "GB", "px", "mm", "pt")
_APART = re.compile(rf"(?<=\d) (?=(?:{'|'.join(_UNITS)})(?![\w]))|(?<=[=≈±×<≥≤]) (?=\d)|(?<=\d) (?=[±×])")
_NOT_A_WORD = re.compile(r"\S*(://|[/\\_=<>@|]|\.\w|\(|`)|\S+ = ")


def plural(noun: str) -> str:
    """The plural of an English noun: pages, matches, companies."""
    if _SIBILANT.search(noun):
        return noun + "es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


def counted(number: float | None, noun: str, many: str = "") -> str:
    """A number with its noun: `1 page`, `2,143 pages`; `many` is the plural where it is irregular."""
    if number is None:
        return f"– {many or plural(noun)}"
    return f"{number:,.0f} {noun if number == 1 else many or plural(noun)}"


def agree(number: float | None, verb: str) -> str:
    """The verb, given as one thing does it, for so many things: `links` for 1, `link` for 2; `has` and `have`."""
    if number == 1:
        return verb
    if verb in _ODD:
        return _ODD[verb]
    return verb[:-2] if _SIBILANT.search(verb[:-2]) and verb.endswith("es") else verb.removesuffix("s")


def counted_verb(number: float, noun: str, verb: str) -> str:
    """A count and what it does: `1 page links`, `12 pages link`."""
    return f"{counted(number, noun)} {agree(number, verb)}"


def duration(seconds: float) -> str:
    """A time with the digits that mean something: `less than 1 ms`, `38 ms`, `2.3 s`, `41 s`, `12 min`, `3.5 h`."""
    if seconds < 0.001:
        return "less than 1 ms"
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def rate(number: float, seconds: float) -> str:
    """How many a second: `137`, `4.2`; `–` where no time has passed."""
    if seconds <= 0:
        return "–"
    each = number / seconds
    return f"{each:,.0f}" if each >= 10 else f"{each:.1f}"


def percent(share: float) -> str:
    """A share in per cent, as exact as it is worth saying: `50 %`, `1.3 %`, `0.05 %`.

    Nearly all is not all: what is short of everything never rounds to 100 %.
    """
    value = share * 100
    if value >= 99.5:
        return "100 %" if share >= 1 else "over 99 %"
    return f"{value:.0f} %" if value >= 10 else f"{value:.2g} %"


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `113th`."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def sentence(text: str) -> str:
    """A sentence begins with a capital letter, unless it begins with a URL, a path, a name of a file or of code."""
    return text if not text or _NOT_A_WORD.match(text) else text[0].upper() + text[1:]


def listed(words: list[str], *, joint: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + f" {joint} {words[-1]}" if words else ""


def glued(text: str) -> str:
    """The text with no-break spaces between numbers and their units, for where lines are broken."""
    return _APART.sub("\N{NO-BREAK SPACE}", text)
