"""A small graph drawn node by node: on a circle, or at given positions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from periplus.draw.style import opening, px, text, title_lines

_LARGEST = 400
_MARGIN = 28


def network_picture(
    nodes: int,
    links: Iterable[tuple[int, int]],
    *,
    title: str,
    places: Sequence[tuple[float, float]] | None = None,
    labels: Sequence[str] = (),
    path: Sequence[int] = (),
    width: int = 400,
) -> str:
    """An SVG of a graph of at most a few hundred pages; `path` is drawn on top, as a thick line.

    A link whose opposite exists too is one plain line; others have an arrow head at their target.
    """
    size = min(width, _LARGEST)
    titles = title_lines(title, size)
    head = 8.0 + 20 * len(titles)
    spots = _scaled(places, size, head) if places is not None else _circle(nodes, size, head)
    bottom = max((y for _, y in spots), default=head) + _MARGIN
    present = set(links)
    radius = 7.0 if nodes <= 40 else 3.5 if nodes <= 150 else 2.0
    parts = [opening(size, bottom, title), *titles]
    for a, b in sorted(present):
        if a == b:
            parts.append(_loop(spots[a], radius))
        elif (b, a) not in present:
            parts.append(_arrow(spots[a], spots[b], radius))
        elif a < b:
            parts.append(_segment(spots[a], spots[b], "axis", 1.0))
    parts += [_segment(spots[a], spots[b], "s1", 3.0) for a, b in pairwise(path)]
    for node in range(nodes):
        x, y = spots[node]
        parts.append(f'<circle class="s0 full" cx="{px(x)}" cy="{px(y)}" r="{radius}"/>')
        if node < len(labels):
            above = f'x="{px(x)}" y="{px(y - radius - 3)}"'
            parts.append(f'<text {above} text-anchor="middle" font-size="12">{text(labels[node])}</text>')
    return "".join([*parts, "</svg>"])


def _circle(nodes: int, size: int, head: float) -> list[tuple[float, float]]:
    centre, reach = size / 2, size / 2 - _MARGIN
    turn = 2 * math.pi / max(nodes, 1)
    return [(centre + reach * math.sin(i * turn), head + centre - reach * math.cos(i * turn)) for i in range(nodes)]


def _scaled(places: Sequence[tuple[float, float]], size: int, head: float) -> list[tuple[float, float]]:
    xs, ys = [x for x, _ in places], [y for _, y in places]
    span = max(max(xs) - min(xs), max(ys) - min(ys), 1e-9)
    scale = (size - 2 * _MARGIN) / span
    return [(_MARGIN + (x - min(xs)) * scale, head + _MARGIN + (y - min(ys)) * scale) for x, y in places]


def _segment(a: tuple[float, float], b: tuple[float, float], classes: str, width: float) -> str:
    return (
        f'<line class="{classes}" x1="{px(a[0])}" y1="{px(a[1])}" x2="{px(b[0])}" y2="{px(b[1])}" '
        f'stroke-width="{width}" stroke="currentColor"/>'
    )


def _arrow(a: tuple[float, float], b: tuple[float, float], radius: float) -> str:
    length = math.hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    tip = b[0] - ux * (radius + 1), b[1] - uy * (radius + 1)
    size = radius + 1
    left = tip[0] - ux * size - uy * size / 2, tip[1] - uy * size + ux * size / 2
    right = tip[0] - ux * size + uy * size / 2, tip[1] - uy * size - ux * size / 2
    head = " ".join(f"{px(x)},{px(y)}" for x, y in (tip, left, right))
    return _segment(a, tip, "axis", 1.0) + f'<polygon class="s3 full" points="{head}"/>'


def _loop(at: tuple[float, float], radius: float) -> str:
    return (
        f'<circle class="axis" cx="{px(at[0])}" cy="{px(at[1] - radius - 4)}" r="{radius}" fill="none" '
        'stroke="currentColor"/>'
    )
