"""A heat map: how each row divides over the columns, as shades of one colour with the numbers in them."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence

from periplus.draw.style import opening, px, text, title_lines

_LONGEST = 22  # letters of a name
_LETTER = 6.6  # pixels of a letter
_SMALLEST, _LARGEST = 13.0, 72.0  # sides of a cell
_WIDE_ENOUGH = 27.0  # for a number


def heatmap(
    names: Sequence[str], shares: Sequence[Sequence[float]], *, title: str, notes: Sequence[str] = (), width: int = 640
) -> str:
    """Rows and columns of the same names; `shares[i][j]` from 0 to 1 is the share of row i that is column j."""
    size = max(len(names), 1)
    shown = [name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…" for name in names]
    longest = max((_LETTER * len(name) for name in shown), default=0.0)
    left = min(longest + 24, 0.4 * width)
    cell = max(_SMALLEST, min(_LARGEST, (width - left - 16) / size))
    turned = longest > cell - 4
    titles = title_lines(title, width)
    lines = [line for note in notes for line in textwrap.wrap(note, max(20, int((width - 24) / 6.1)))]
    head = 20 * len(titles) + 18 * len(lines) + 8
    top = head + (longest + 12 if turned else 24)
    out = [opening(max(width, left + cell * size + 16), top + cell * size + 16, title), *titles]
    for at, line in enumerate(lines):
        out.append(f'<text class="quiet" x="12" y="{px(20 * len(titles) + 16 + 18 * at)}">{text(line)}</text>')
    for at, name in enumerate(shown):
        x, y = left + cell * (at + 0.5), top + cell * (at + 0.5) + 4
        how = f'transform="rotate(-90 {px(x + 4)} {px(top - 7)})"' if turned else 'text-anchor="middle"'
        out.append(f'<text x="{px(x + 4 if turned else x)}" y="{px(top - 7)}" {how}>{text(name)}</text>')
        out.append(f'<text x="{px(left - 8)}" y="{px(y)}" text-anchor="end">{text(name)}</text>')
    for i, row in enumerate(shares):
        for j, share in enumerate(row):
            words = f"{names[i]} → {names[j]}: {100 * share:.1f} %" if math.isfinite(share) else f"{names[i]}: no links"
            out.append(_cell(words, share, (left + cell * j, top + cell * i, cell)))
    return "".join([*out, "</svg>"])


def _cell(words: str, share: float, place: tuple[float, float, float]) -> str:
    """One cell: its shade, its number where there is room (none for none), and in words where a pointer rests on it."""
    x, y, side = place
    shade = 0.04 + 0.86 * share if math.isfinite(share) else 0.0
    square = (
        f'<rect class="s0 full" x="{px(x + 0.5)}" y="{px(y + 0.5)}" width="{px(side - 1)}" height="{px(side - 1)}" '
        f'fill-opacity="{shade:.2f}"><title>{text(words)}</title></rect>'
    )
    if side < _WIDE_ENOUGH or not share > 0:
        return square
    number = f"{100 * share:.0f}" if share >= 0.0995 else f"{100 * share:.1f}"
    on = ' class="on" font-weight="600"' if shade > 0.58 else ""
    middle = f'x="{px(x + side / 2)}" y="{px(y + side / 2 + 4)}" text-anchor="middle" pointer-events="none"'
    return f"{square}<text{on} {middle}>{number}</text>"
