"""The bow-tie as a picture: every region's *area* is its share of the pages, the same scale in every picture.

Left wing IN, round core SCC, right wing OUT, tubes as a band above, tendrils as blocks below the wings they belong
to, disconnected pages as islands along the bottom. Each carries its name, its share and its number of pages.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from periplus.draw.style import opening, px, text, title_lines
from periplus.wording import counted, glued

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
_MIDDLE, _WIDTH, _NARROW = 188.0, 640, 480
_HIGHEST, _LOWEST_BLOCK, _LOWEST_ISLAND = 64.0, 364.0, 418.0
_ROOM = 14  # letters of 12 pixels that fit into a third of a phone
_SMALLEST = 4.0  # what is there at all is drawn at least this large
_OPACITY = {"scc": 0.85, "in": 0.5, "out": 0.5, "tubes": 0.3, "tendrils": 0.3, "disconnected": 0.12}


def bowtie_picture(
    counts: Mapping[str, int],
    *,
    title: str,
    note: str = "",
    width: int = 640,
    links: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """An inline SVG of the six regions (`scc`, `in`, `out`, `tendrils`, `tubes`, `disconnected`) drawn to scale.

    `links` are the addresses that the regions lead to.
    """
    total = max(sum(counts[name] for name in _OPACITY), 1)
    scale, narrow = width / _WIDTH, width < _NARROW
    titles = title_lines(title, width)
    above = 20.0 * len(titles) + (18 if note else 0)  # where the first labels may begin
    top = above + (68 if narrow else 52) - _HIGHEST * scale
    foot = top + _LOWEST_ISLAND * scale + 24
    spots, shapes = _shapes(counts, total, least=max(128.0, 118.0 / scale))
    parts = [
        *titles,
        f'<text class="quiet" x="12" y="{px(above)}">{text(note)}</text>' if note else "",
        f'<g transform="translate(0 {px(top)}) scale({scale:.4g})">',
        *(_leading(links.get(name, ""), shape + _told(name, counts[name], total)) for name, shape in shapes.items()),
        "</g>",
    ]
    for name in ("in", "scc", "out"):
        parts.append(
            _leading(links.get(name, ""), _label(name, spots[name] * scale, above + 22, counts, narrow=narrow))
        )
    for name, part in (("tubes", 1 / 6), ("tendrils", 1 / 2), ("disconnected", 5 / 6)):
        parts.append(_leading(links.get(name, ""), _label(name, part * width, foot, counts, narrow=narrow)))
    return "".join([opening(width, foot + (44 if narrow else 28), title, "chart bowtie"), *parts, "</svg>"])


def _shapes(counts: Mapping[str, int], total: int, least: float) -> tuple[dict[str, float], dict[str, str]]:
    """Where the upper labels stand, at least so far from the middle, and the shape of every region."""
    area = {name: _WHOLE * counts[name] / total for name in _OPACITY}
    radius = max(math.sqrt(area["scc"] / math.pi), _SMALLEST)
    centre = _WIDTH / 2
    left, right = _wing(area["in"], radius), _wing(area["out"], radius)
    spots = {
        "in": centre - max(radius + left[0] / 2, least),
        "scc": centre,
        "out": centre + max(radius + right[0] / 2, least),
    }
    return spots, {
        "tubes": _tube(area["tubes"], centre, radius, left, right),
        "in": _wing_shape("in", centre - 0.8 * radius, -1, left),
        "out": _wing_shape("out", centre + 0.8 * radius, 1, right),
        "scc": _shape("scc", _circle(centre, _MIDDLE, radius)) if counts["scc"] else "",
        "tendrils": _blocks(
            area["tendrils"],
            (spots["in"], _corner(centre, radius, -1, left)),
            (spots["out"], _corner(centre, radius, 1, right)),
        ),
        "disconnected": _islands(area["disconnected"], centre),
    }


def _leading(address: str, drawn: str) -> str:
    return f'<a href="{text(address)}">{drawn}</a>' if address and drawn else drawn


def _told(name: str, count: int, total: int) -> str:
    """What a region says when it is pointed at."""
    return f"<title>{name.upper()}: {counted(count, 'page')}, {100 * count / total:.1f} % of all</title>"


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


def _corner(centre: float, radius: float, side: int, wing: tuple[float, float, float]) -> tuple[float, float]:
    """The lower outer corner of a wing, or a place on the core where there is none."""
    length, _, outer = wing
    if length <= 0:
        return centre + 0.7 * side * radius, _MIDDLE + 0.7 * radius
    return centre + side * (0.8 * radius + max(length, 1.5)), _MIDDLE + outer


def _blocks(area: float, *sides: tuple[float, tuple[float, float]]) -> str:
    """Two blocks, half of the tendrils each, given where they stand and which corner of a wing they hang from."""
    if area <= 0:
        return ""
    high = max(30.0, area / 2 / 150.0)
    wide = max(area / 2 / high, 1.5)
    top = _LOWEST_BLOCK - high
    blocks = "".join(f"M{px(x - wide / 2)} {px(top)}h{px(wide)}v{px(high)}h{px(-wide)}z" for x, _ in sides)
    stems = "".join(f"M{px(from_x)} {px(from_y)}L{px(x)} {px(top)}" for x, (from_x, from_y) in sides if top > from_y)
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


def _label(name: str, x: float, y: float, counts: Mapping[str, int], *, narrow: bool) -> str:
    """Name and share of a region and its number of pages: on two lines, on three where there is little room."""
    share = f"{100 * counts[name] / max(sum(counts[one] for one in _OPACITY), 1):.1f} %"
    pages = counted(counts[name], "page")
    if narrow and len(pages) > _ROOM:
        pages = pages.partition(" ")[0]
    lines = [name.upper(), share] if narrow else [f"{name.upper()} {share}"]
    bold = "".join(
        f'<text x="{px(x)}" y="{px(y + 16 * at)}" text-anchor="middle" font-weight="600">{glued(line)}</text>'
        for at, line in enumerate(lines)
    )
    below = f'<text class="quiet" x="{px(x)}" y="{px(y + 16 * len(lines))}" text-anchor="middle">{glued(pages)}</text>'
    return bold + below
