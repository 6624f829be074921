"""The bow-tie as a picture: every region's *area* is its share of the pages, the same scale in every picture.

Left wing IN, round core SCC, right wing OUT, tubes as a band above, tendrils as blocks below the wings they belong
to, disconnected pages as islands along the bottom. Each carries its name, its share and its number of pages.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from periplus.draw.style import px, text

BRODER_1999: dict[str, int] = {
    "scc": 56_463_993,
    "in": 43_343_168,
    "out": 43_166_185,
    "tendrils": 43_797_944,
    "tubes": 0,
    "disconnected": 16_777_756,
}
"""Broder et al. 2000, 203,549,046 pages; they counted tubes among the tendrils."""

_WHOLE = 48_000.0  # square pixels for 100 % of the pages
_MIDDLE, _WIDTH, _HEIGHT = 188.0, 640, 470
_LOWEST_BLOCK, _LOWEST_ISLAND, _LAST_LABEL = 364.0, 418.0, 458.0
_SMALLEST = 4.0  # what is there at all is drawn at least this large
_OPACITY = {"scc": 0.85, "in": 0.5, "out": 0.5, "tubes": 0.3, "tendrils": 0.3, "disconnected": 0.12}


def bowtie_picture(counts: Mapping[str, int], *, title: str, note: str = "") -> str:
    """An inline SVG of the six regions (`scc`, `in`, `out`, `tendrils`, `tubes`, `disconnected`) drawn to scale."""
    total = max(sum(counts[name] for name in _OPACITY), 1)
    area = {name: _WHOLE * counts[name] / total for name in _OPACITY}
    radius = max(math.sqrt(area["scc"] / math.pi), _SMALLEST)
    centre = _WIDTH / 2
    left = _wing(area["in"], radius)
    right = _wing(area["out"], radius)
    spot = {  # where the labels stand
        "in": centre - max(radius + left[0] / 2, 120),
        "scc": centre,
        "out": centre + max(radius + right[0] / 2, 120),
    }
    parts = [
        f'<svg class="chart bowtie" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="{text(title)}" '
        'font-family="system-ui, sans-serif" font-size="12" fill="currentColor">',
        f'<text class="chart-title" x="12" y="20" font-size="15" font-family="Georgia, serif">{text(title)}</text>',
        _tube(area["tubes"], centre, radius, left, right),
        _wing_shape("in", centre - 0.8 * radius, -1, left),
        _wing_shape("out", centre + 0.8 * radius, 1, right),
        _shape("scc", _circle(centre, _MIDDLE, radius)) if counts["scc"] else "",
        _blocks(area["tendrils"], spot["in"], spot["out"]),
        _islands(area["disconnected"], centre),
        *(_label(name, x, 52.0, counts[name], total) for name, x in spot.items()),
        _label("tubes", centre - 170, _LAST_LABEL, counts["tubes"], total, anchor="end"),
        _label("tendrils", centre, _LAST_LABEL, counts["tendrils"], total),
        _label("disconnected", centre + 150, _LAST_LABEL, counts["disconnected"], total, anchor="start"),
        f'<text class="quiet" x="{_WIDTH - 12}" y="20" font-size="11" text-anchor="end">{text(note)}</text>',
        "</svg>",
    ]
    return "".join(parts)


def _wing(area: float, radius: float) -> tuple[float, float, float]:
    """Length, inner and outer half height of a trapezoid of that area."""
    inner = max(0.5 * radius, 12.0)
    outer = max(84.0, area / 230.0 - inner)
    return area / (inner + outer), inner, outer


def _wing_shape(name: str, x: float, side: int, wing: tuple[float, float, float]) -> str:
    length, inner, outer = wing
    if length <= 0:
        return ""
    length = max(length, 1.5)
    near, far = px(x), px(x + side * length)
    path = (
        f"M{near} {px(_MIDDLE - inner)}L{far} {px(_MIDDLE - outer)}V{px(_MIDDLE + outer)}L{near} {px(_MIDDLE + inner)}z"
    )
    return _shape(name, path)


def _tube(
    area: float, centre: float, radius: float, left: tuple[float, float, float], right: tuple[float, float, float]
) -> str:
    """A band from wing to wing over the core, as thick as its share makes it."""
    if area <= 0:
        return ""
    start, end = centre - 0.8 * radius - left[0] / 2, centre + 0.8 * radius + right[0] / 2
    top = max(_MIDDLE - 1.5 * radius - 30, 60.0)
    thick = max(area / max(1.3 * (end - start), 60.0), 1.5)
    return (
        f'<path class="tube axis" fill="none" stroke="currentColor" stroke-opacity="0.5" stroke-width="{px(thick)}" '
        f'd="M{px(start)} {px(_MIDDLE - 20)}C{px(start + 30)} {px(top)} {px(end - 30)} {px(top)} {px(end)} '
        f'{px(_MIDDLE - 20)}"/>'
    )


def _blocks(area: float, left: float, right: float) -> str:
    """Two hanging blocks, half of the tendrils each, below the wings."""
    if area <= 0:
        return ""
    high = max(30.0, area / 2 / 150.0)
    wide = max(area / 2 / high, 1.5)
    top = _LOWEST_BLOCK - high
    blocks = "".join(f"M{px(x - wide / 2)} {px(top)}h{px(wide)}v{px(high)}h{px(-wide)}z" for x in (left, right))
    stems = "".join(f"M{px(x)} {px(_MIDDLE + 84)}V{px(top)}" for x in (left, right) if top > _MIDDLE + 84)
    line = f'<path class="axis" stroke="currentColor" stroke-dasharray="2 3" fill="none" d="{stems}"/>' if stems else ""
    return line + _shape("tendrils", blocks)


def _islands(area: float, centre: float) -> str:
    """Twelve equal islands along the bottom that make up the area together, in two rows where they are large."""
    if area <= 0:
        return ""
    radius = max(math.sqrt(area / 12 / math.pi), 1.0)
    step = 2 * radius + 7
    row = 12 if 12 * step <= _WIDTH - 40 else 6
    circles = [
        _circle(centre + step * (k % row - (row - 1) / 2), _LOWEST_ISLAND - radius - step * (k // row), radius)
        for k in range(12)
    ]
    return _shape("disconnected", "".join(circles))


def _circle(x: float, y: float, radius: float) -> str:
    r = px(radius)
    return f"M{px(x - radius)} {px(y)}a{r} {r} 0 1 0 {px(2 * radius)} 0a{r} {r} 0 1 0 {px(-2 * radius)} 0z"


def _shape(name: str, path: str) -> str:
    opacity = _OPACITY[name]
    return f'<path class="region {name}" stroke="currentColor" fill-opacity="{opacity}" d="{path}"/>'


def _label(name: str, x: float, y: float, count: int, total: int, *, anchor: str = "middle") -> str:
    words = f"{name.upper()} {100 * count / total:.1f} %"
    pages = f"{count:,} page" + "s" * (count != 1)
    return (
        f'<text x="{px(x)}" y="{px(y - 13)}" text-anchor="{anchor}" font-weight="600">{words}</text>'
        f'<text class="quiet" x="{px(x)}" y="{px(y + 1)}" text-anchor="{anchor}" font-size="11">{pages}</text>'
    )
