"""An icicle: a tree as columns, one a level, each piece as high as its share of the pages, beside its parent.

What is too low for letters has none; pointed at, it tells its name and size. A level is drawn where letters fit into
pieces with half of its pages at least. The links are for the pointer: an outline beside the picture serves the
keyboard, which would have to pass every one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from periplus.draw.style import opening, px, text, title_lines
from periplus.wording import counted, glued

_LOWEST, _HIGHEST, _LINE = 320.0, 960.0, 18.0
_LETTER, _FONT = 7.0, 13.2  # 11 pixels and more where a picture of 640 is shown on 540
_NARROW = 480
_MOST_LEVELS = 3
_SHADES = ((0.34, 0.26), (0.2, 0.13), (0.11, 0.06))


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a whole: its name, its number of pages, where it leads, and its own parts."""

    name: str
    size: int
    href: str = ""
    below: Sequence[Piece] = ()


@dataclass(frozen=True, slots=True)
class _Placed:
    """A piece with its place: column, upper edge, height, and whether its shade is the darker of two."""

    piece: Piece
    column: int
    top: float
    high: float
    odd: bool


def icicle(pieces: Sequence[Piece], *, title: str, width: int = 640) -> str:
    """An inline SVG of the pieces and what is below them, three levels at most, two on a phone."""
    whole = max(sum(piece.size for piece in pieces), 1)
    high = _height(pieces, whole)
    titles = title_lines(title, width)
    top = 20.0 * len(titles) + 16
    placed = list(_places(pieces, 0, top, high / whole))
    levels = _levels(placed, 2 if width < _NARROW else _MOST_LEVELS)
    out = [opening(width, top + high, title, "chart icicle"), *titles]
    out += [_drawn(one, width / levels) for one in placed if one.column < levels]
    return "".join([*out, "</svg>"])


def _height(pieces: Sequence[Piece], whole: int) -> float:
    """So high that half of the pieces of the second column, or of the only one, have room for a line."""
    sizes = sorted(one.size for piece in pieces for one in piece.below or (piece,))
    middle = sizes[len(sizes) // 2] if sizes else 1
    return float(min(max(_LOWEST, _LINE * whole / max(middle, 1)), _HIGHEST))


def _places(pieces: Sequence[Piece], column: int, top: float, scale: float) -> Iterator[_Placed]:
    for at, piece in enumerate(pieces):
        high = piece.size * scale
        if high >= 0.5 and column < _MOST_LEVELS:
            yield _Placed(piece, column, top, high, at % 2 == 0)
            yield from _places(piece.below, column + 1, top, scale)
        top += high


def _levels(placed: Sequence[_Placed], most: int) -> int:
    """How many columns are worth drawing."""
    levels = 1
    while levels < most:
        own = [one for one in placed if one.column == levels]
        readable = sum(one.piece.size for one in own if _fits(one))
        if not own or 2 * readable < sum(one.piece.size for one in own):
            break
        levels += 1
    return levels


def _fits(placed: _Placed) -> bool:
    return placed.high >= _FONT + 1


def _drawn(placed: _Placed, wide: float) -> str:
    piece, left = placed.piece, placed.column * wide
    shade = _SHADES[placed.column][not placed.odd]
    words = f"{piece.name}: {glued(counted(piece.size, 'page'))}"
    drawn = (
        f'<rect class="piece" x="{px(left)}" y="{px(placed.top)}" width="{px(wide)}" height="{px(placed.high)}" '
        f'fill-opacity="{shade}"><title>{text(words)}</title></rect>'
        f"{_label(placed, left + 8, wide - 16) if _fits(placed) else ''}"
    )
    return f'<a href="{text(piece.href)}" tabindex="-1">{drawn}</a>' if piece.href else drawn


def _label(placed: _Placed, left: float, room: float) -> str:
    """The name, as far as it fits, and the number of pages behind it or below it."""
    piece, middle = placed.piece, placed.top + placed.high / 2
    count, two_lines = f"{piece.size:,}", placed.high >= 2.6 * _FONT
    if two_lines:
        count = glued(counted(piece.size, "page"))
        name, at, below = _cut(piece.name, room), f'x="{px(left)}"', 13
    else:
        name = _cut(piece.name, room - _LETTER * (len(count) + 1))
        at, below = f'x="{px(left + room)}" text-anchor="end"', 4
    above = middle - 3 if two_lines else middle + 4
    return (
        f'<text x="{px(left)}" y="{px(above)}" font-size="{_FONT}">{text(name)}</text>'
        f'<text class="quiet" {at} y="{px(middle + below)}" font-size="{_FONT}">{text(count)}</text>'
    )


def _cut(name: str, room: float) -> str:
    fits = max(1, int(room / _LETTER))
    return name if len(name) <= fits else name[: fits - 1].rstrip(" ·") + "…"
