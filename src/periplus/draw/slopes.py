"""Slopes: a column per ranking, a line per page from place to place, names on those that move most.

Places stand on a logarithmic axis, the first on top, since to fall from 1 to 10 means as much as from 10 to 100. What
stays is thin and of one grey; what moves is told apart by dash and by the names at both ends of its line, so that no
two lines need two greys.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from periplus.draw.axes import Axis
from periplus.draw.style import opening, px, text, title_lines
from periplus.wording import glued, ordinal

_APART = 14.0
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "5 5", "1 4")
_LETTER = 6.6


@dataclass(frozen=True, slots=True)
class Slope:
    """A page and its place in each ranking; a `named` one is drawn strongly, with its name."""

    name: str
    places: tuple[int, ...]
    named: bool = False


def slopes(
    columns: Sequence[str], lines: Sequence[Slope], *, title: str, note: str = "", width: int = 640, height: int = 0
) -> str:
    """An SVG of the lines between the columns."""
    titles = title_lines(title, width)
    top = 20.0 * len(titles) + 60
    bottom = (height or top + max(300, 0.62 * width) + 30) - 30
    lowest = max((place for line in lines for place in line.places), default=2)
    axis = Axis("log", 1, max(lowest, 2), top, bottom)
    room = min(0.25 * width, 160.0)
    xs = [44 + room + at * (width - 56 - 2 * room) / max(len(columns) - 1, 1) for at in range(len(columns))]
    parts = [opening(width, bottom + 30, title, "chart slopes"), *titles, *_frame(axis, columns, xs, width)]
    plain = [line for line in lines if not line.named]
    parts += [_path(line, axis, xs, columns, 'class="grid" stroke-width="1.2"') for line in plain]
    named = [line for line in lines if line.named]
    for at, line in enumerate(named):
        dash = f' stroke-dasharray="{_DASHES[at % len(_DASHES)]}"' if at % len(_DASHES) else ""
        parts.append(_path(line, axis, xs, columns, f'class="s{at % 3}" stroke-width="2"{dash}'))
    letters = int((room - 12) / _LETTER)
    parts += _names(named, 0, axis, xs[0] - 8, "end", letters) + _names(named, -1, axis, xs[-1] + 8, "start", letters)
    if note:
        parts.append(f'<text class="quiet" x="12" y="{px(bottom + 24)}">{text(glued(note))}</text>')
    return "".join([*parts, "</svg>"])


def _frame(axis: Axis, columns: Sequence[str], xs: Sequence[float], width: int) -> list[str]:
    parts = []
    for place in axis.ticks(8):
        y = px(axis(place))
        parts.append(f'<text class="quiet" x="36" y="{y}" dy="4" text-anchor="end">{place:,.0f}</text>')
    for name, x in zip(columns, xs, strict=True):
        head, _, rest = name.partition(" (")
        for words, above in ((head, 32), (f"({rest}" if rest else "", 17)):
            where = f'x="{px(x)}" y="{px(axis.start - above)}" text-anchor="middle" font-weight="600"'
            parts.append(f"<text {where}>{text(words)}</text>" if words else "")
        parts.append(f'<path class="axis" stroke="currentColor" d="M{px(x)} {px(axis.start - 8)}V{px(axis.end + 4)}"/>')
    return parts


def _path(line: Slope, axis: Axis, xs: Sequence[float], columns: Sequence[str], look: str) -> str:
    points = "L".join(f"{px(x)} {px(axis(place))}" for x, place in zip(xs, line.places, strict=True))
    told = ", ".join(f"{ordinal(place)} by {name}" for place, name in zip(line.places, columns, strict=True))
    title = f"<title>{text(line.name)}: {text(told)}</title>"
    return f'<path {look} fill="none" stroke="currentColor" stroke-linejoin="round" d="M{points}">{title}</path>'


def _names(lines: Sequence[Slope], end: int, axis: Axis, x: float, anchor: str, letters: int) -> list[str]:
    """The names at one end, each as near to its line as the others let it."""
    ordered = sorted(lines, key=lambda line: line.places[end])
    wanted = [axis(line.places[end]) for line in ordered]
    heights: list[float] = []
    for y in wanted:
        heights.append(max(y, heights[-1] + _APART) if heights else y)
    over = (heights[-1] - axis.end) if heights else 0.0
    if over > 0:  # the lowest names have slipped off: push all back up as far as they need
        limit = math.inf
        for at in range(len(heights) - 1, -1, -1):
            heights[at] = min(heights[at], axis.end if at == len(heights) - 1 else limit)
            limit = heights[at] - _APART
    return [
        f'<text x="{px(x)}" y="{px(y)}" dy="4" text-anchor="{anchor}">{text(_short(line.name, letters))}</text>'
        for line, y in zip(ordered, heights, strict=True)
    ]


def _short(name: str, letters: int) -> str:
    """A name cut in its middle, where URLs differ least."""
    if len(name) <= letters:
        return name
    tail = letters // 2
    return f"{name[: letters - tail - 1]}…{name[-tail:]}"
