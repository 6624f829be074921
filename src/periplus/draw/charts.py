"""Charts as inline SVG: points, lines, bars and steps on linear or logarithmic axes.

`chart([Series("pages", x, y)], title="In-degree follows a power law", …)` returns one `<svg>` string with no script, no
external reference and no `style=` attribute. The title states the finding; the axes carry labels; series differ by
marker, dash and colour. Values that cannot stand on a logarithmic axis (zero, negative) are left out, points that would
fall on the same pixel are drawn once, so that a million rows still make a small picture. `series_csv` returns its data.
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy.typing as npt

from periplus.draw.axes import Axis, ScaleName, fit_axis, label, told
from periplus.draw.style import CHART_CSS, opening, px, text, title_lines
from periplus.errors import ParameterError

__all__ = ["CHART_CSS", "Series", "chart", "series_csv"]

Kind = Literal["points", "line", "bars", "steps"]
_DASHES = ("", "6 4", "2 3", "8 3 2 3")
_STYLES = 4
_POINTED = 480  # pixels from which on a picture is not for a phone
_MOST_HITS = 48


@dataclass(frozen=True, slots=True)
class Series:
    """One set of (x, y) pairs and how to draw it; `muted` marks a series for comparison only."""

    label: str
    x: npt.ArrayLike
    y: npt.ArrayLike
    kind: Kind = "points"
    muted: bool = False

    def pairs(self) -> list[tuple[float, float]]:
        xs, ys = _floats(self.x), _floats(self.y)
        if len(xs) != len(ys):
            raise ParameterError("y", len(ys), f"as many values as x ({len(xs)}) in series {self.label!r}")
        return list(zip(xs, ys, strict=True))


def _floats(values: npt.ArrayLike) -> list[float]:
    listed = values.tolist() if hasattr(values, "tolist") else values
    return [float(v) for v in listed]  # type: ignore[union-attr, arg-type]


@dataclass(frozen=True, slots=True)
class _Frame:
    """The two axes and where the plot lies inside the picture."""

    x: Axis
    y: Axis

    def place(self, pairs: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        return [(self.x(a), self.y(b)) for a, b in pairs if self.x.shows(a) and self.y.shows(b)]


def chart(
    series: Sequence[Series],
    *,
    title: str,
    x_label: str,
    y_label: str,
    x_scale: ScaleName = "linear",
    y_scale: ScaleName = "linear",
    width: int = 640,
    height: int = 0,
    note: str = "",
) -> str:
    """A self-contained, themeable inline SVG of the series; the height follows the width unless given.

    Pointed at, a place tells its values; not in pictures for phones, which have no pointer.
    """
    titles = title_lines(title, width)
    notes = textwrap.wrap(note, max(20, int((width - 24) / 7)))
    legend, legend_rows = _legend(series, width, 20 + 20 * len(titles))
    top = 20 * len(titles) + 20 * legend_rows + 34
    height = height or round(top + max(190, 0.44 * width)) + 46 + 16 * len(notes)
    bottom = height - 46 - 16 * len(notes)
    data = [one.pairs() for one in series]
    has_bars = any(one.kind == "bars" for one in series)
    gaps = [_bar_gap(pairs) for one, pairs in zip(series, data, strict=True) if one.kind == "bars" and pairs]
    half = max(gaps, default=0.0) / 2 if x_scale == "linear" else 0.0
    xs = [x + side for pairs in data for x, _ in pairs for side in ({-half, half} if half else {0.0})]
    frame = _Frame(
        fit_axis(xs, x_scale, (64, width - 26)),
        fit_axis((y for pairs in data for _, y in pairs), y_scale, (bottom, top), from_zero=has_bars),
    )
    parts = [opening(width, height, title), *titles, *legend, *_grid(frame, x_label, y_label)]
    for index, (one, pairs) in enumerate(zip(series, data, strict=True)):
        parts.append(_DRAW[one.kind](frame, pairs, _classes(index, one), index))
    if width >= _POINTED:
        parts += [_hits(frame, one, pairs) for one, pairs in zip(series, data, strict=True)]
    if not any(frame.place(pairs) for pairs in data):
        parts.append(
            f'<text class="quiet" x="{width / 2}" y="{(top + bottom) / 2}" text-anchor="middle">no data</text>'
        )
    parts += [
        f'<text class="quiet" x="12" y="{height - 8 - 16 * (len(notes) - 1 - at)}">{text(line)}</text>'
        for at, line in enumerate(notes)
    ]
    return "".join([*parts, "</svg>"])


def series_csv(series: Sequence[Series]) -> str:
    """The data of a chart as CSV: series, x, y."""
    lines = ["series,x,y"]
    for one in series:
        name = '"' + one.label.replace('"', '""') + '"'
        lines += [f"{name},{x:.12g},{y:.12g}" for x, y in one.pairs()]
    return "\n".join(lines) + "\n"


# -- the frame -----------------------------------------------------------------------------------------------


def _grid(frame: _Frame, x_label: str, y_label: str) -> list[str]:
    left, right, bottom, top = frame.x.start, frame.x.end, frame.y.start, frame.y.end
    grid = 'class="grid" stroke="currentColor" stroke-opacity="0.25"'
    axis = 'class="axis" stroke="currentColor"'
    parts = []
    for value in frame.y.ticks(max(3, int((bottom - top) / 48))):
        y = px(frame.y(value))
        parts.append(f'<path {grid} d="M{px(left)} {y}H{px(right)}"/>')
        parts.append(f'<text class="quiet" x="{px(left - 8)}" y="{y}" dy="4" text-anchor="end">{label(value)}</text>')
    for value in frame.x.ticks(max(4, int((right - left) / 84))):
        x = px(frame.x(value))
        parts.append(f'<path {axis} d="M{x} {px(bottom)}v5"/>')
        parts.append(f'<text class="quiet" x="{x}" y="{px(bottom + 19)}" text-anchor="middle">{label(value)}</text>')
    parts.append(f'<path {axis} d="M{px(left)} {px(bottom)}H{px(right)}"/>')
    parts.append(f'<text x="{px(right)}" y="{px(bottom + 37)}" text-anchor="end">{text(x_label)}</text>')
    parts.append(f'<text x="12" y="{px(top - 12)}">{text(y_label)}</text>')
    return parts


def _legend(series: Sequence[Series], width: int, baseline: float) -> tuple[list[str], int]:
    """One row (or more) of swatch and name; a single series needs none, the title speaks for it."""
    if len(series) < 2:
        return [], 0
    parts, x, row = [], 12.0, 0
    for index, one in enumerate(series):
        needs = 30 + 7.2 * len(one.label) + 18
        if x > 12 and x + needs - 18 > width - 12:
            x, row = 12.0, row + 1
        y = baseline + 20 * row
        parts.append(_swatch(one, index, x, y - 4))
        parts.append(f'<text x="{px(x + 28)}" y="{px(y)}">{text(one.label)}</text>')
        x += needs
    return parts, row + 1


def _swatch(one: Series, index: int, x: float, y: float) -> str:
    classes = _classes(index, one)
    if one.kind == "points":
        return _marks([(x + 11, y)], classes, index)
    if one.kind == "bars":
        return f'<path {_fill(classes)} fill-opacity="0.7" d="M{px(x + 4)} {px(y - 6)}h14v11h-14z"/>'
    return f'<path {_stroke(classes, index)} d="M{px(x)} {px(y)}h22"/>'


# -- the marks -----------------------------------------------------------------------------------------------


def _classes(index: int, one: Series) -> str:
    return "muted" if one.muted else f"s{index % _STYLES}"


def _stroke(classes: str, index: int) -> str:
    dash = _DASHES[(index + index // _STYLES) % _STYLES]  # the fifth has the first colour and another dash
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'class="{classes}" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round"{dashed}'


def _fill(classes: str) -> str:
    return f'class="{classes} full" stroke="none"'


def _line(frame: _Frame, pairs: Sequence[tuple[float, float]], classes: str, index: int) -> str:
    placed = _thinned(frame.place(pairs))
    if not placed:
        return ""
    path = "L".join(f"{px(x)} {px(y)}" for x, y in placed)
    return f'<path {_stroke(classes, index)} d="M{path}"/>'


def _steps(frame: _Frame, pairs: Sequence[tuple[float, float]], classes: str, index: int) -> str:
    placed = _thinned(frame.place(pairs))
    if not placed:
        return ""
    path = f"M{px(placed[0][0])} {px(placed[0][1])}" + "".join(f"H{px(x)}V{px(y)}" for x, y in placed[1:])
    return f'<path {_stroke(classes, index)} d="{path}"/>'


def _points(frame: _Frame, pairs: Sequence[tuple[float, float]], classes: str, index: int) -> str:
    return _marks(_thinned(frame.place(pairs)), classes, index)


def _marks(placed: Sequence[tuple[float, float]], classes: str, index: int) -> str:
    """Circles, squares, triangles or diamonds, all in one path element."""
    shape = (
        "m-2.4 0a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0 -4.8 0",
        "m-2.3 -2.3h4.6v4.6h-4.6z",
        "m0 -3l2.8 5h-5.6z",
        "m0 -3l3 3l-3 3l-3 -3z",
    )[index % _STYLES]
    marks = "".join(f"M{px(x)} {px(y)}{shape}" for x, y in placed)
    return f'<path {_fill(classes)} fill-opacity="0.75" d="{marks}"/>' if marks else ""


def _bars(frame: _Frame, pairs: Sequence[tuple[float, float]], classes: str, index: int) -> str:
    gap = _bar_gap(pairs)
    parts = []
    for x, y in pairs:
        if not (frame.x.shows(x) and frame.y.shows(y)):
            continue
        centre, height = frame.x(x), frame.y.start - frame.y(y)
        wide = abs(frame.x(x + gap) - centre) if frame.x.shows(x + gap) else 12.0
        wide = max(1.0, 0.78 * wide)
        parts.append(f"M{px(centre - wide / 2)} {px(frame.y.start)}v{px(-height)}h{px(wide)}v{px(height)}z")
    return f'<path {_fill(classes)} fill-opacity="0.7" d="{"".join(parts)}"/>' if parts else ""


def _bar_gap(pairs: Sequence[tuple[float, float]]) -> float:
    xs = sorted({x for x, _ in pairs})
    return min((b - a for a, b in itertools.pairwise(xs)), default=1.0)


def _hits(frame: _Frame, one: Series, pairs: Sequence[tuple[float, float]]) -> str:
    """Unseen circles that tell their values when pointed at, where many stand every so many of them."""
    shown = [pair for pair in pairs if frame.x.shows(pair[0]) and frame.y.shows(pair[1])]
    every = max(1, -(-len(shown) // _MOST_HITS))
    return "".join(
        f'<circle class="hit" fill="none" cx="{px(frame.x(x))}" cy="{px(frame.y(y))}" r="6">'
        f"<title>{text(one.label)}: {told(x)}, {told(y)}</title></circle>"
        for x, y in shown[::every]
    )


def _thinned(placed: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The first of all marks that round to the same half pixel, in order."""
    seen: dict[tuple[int, int], tuple[float, float]] = {}
    for x, y in placed:
        seen.setdefault((round(x * 2), round(y * 2)), (x, y))
    return list(seen.values())


_DRAW: dict[Kind, Callable[[_Frame, Sequence[tuple[float, float]], str, int], str]] = {
    "points": _points,
    "line": _line,
    "steps": _steps,
    "bars": _bars,
}
