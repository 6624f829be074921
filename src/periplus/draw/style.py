"""The look of every picture: one stylesheet, themed by five variables, and the escaping that SVG text needs.

Pictures carry class names and plain presentation attributes, never `style=`, so that a strict content security policy
lets them through; a page that includes `CHART_CSS` (or its own rules for the same classes) colours them. Without a
stylesheet they use the current text colour and stay readable. Series differ by shape and dash as well as by colour, so
that they survive a black-and-white printer.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from html import escape as _escape

from periplus.wording import glued

SERIF = (
    "'Iowan Old Style','Palatino Linotype',Palatino,'Book Antiqua','URW Palladio L','Source Serif 4',Georgia,"
    "'DejaVu Serif',serif"
)
DAY = {
    "paper": "#fbf9f4", "ink": "#22262e", "quiet": "#5c6470", "line": "#d8d3c7", "accent": "#0b5f7a",
    "second": "#b3541e", "serif": SERIF,
}  # fmt: skip
NIGHT = {
    "paper": "#0e1320", "ink": "#e6e4dc", "quiet": "#a2a9b8", "line": "#2c3446", "accent": "#6ec6e0",
    "second": "#f0a868",
}  # fmt: skip


def _defined(colours: Mapping[str, str]) -> str:
    return ":root{" + ";".join(f"--{name}:{value}" for name, value in colours.items()) + "}"


THEME_CSS = f"{_defined(DAY)}\n@media (prefers-color-scheme:dark){{{_defined(NIGHT)}}}\n"
"""The five variables, the paper and the serif, for pages that do not define them."""

CHART_RULES = """\
.chart{max-width:100%;height:auto;color:var(--ink);font-variant-numeric:tabular-nums}
.chart text{fill:var(--ink)}
.chart .quiet{fill:var(--quiet)}
.chart .on{fill:var(--paper)}
.chart .grid{stroke:var(--line);stroke-opacity:.8}
.chart .axis{stroke:var(--quiet)}
.chart .s0{stroke:var(--accent)}.chart .s0.full{fill:var(--accent)}
.chart .s1{stroke:var(--second)}.chart .s1.full{fill:var(--second)}
.chart .s2{stroke:var(--ink)}.chart .s2.full{fill:var(--ink)}
.chart .s3{stroke:var(--quiet)}.chart .s3.full{fill:var(--quiet)}
.chart .muted{stroke:var(--quiet)}.chart .muted.full{fill:var(--quiet)}
.chart .full{stroke:none}
.chart .hit{fill:transparent;stroke:none}.chart .hit:hover{stroke:var(--ink)}
.chart a text{fill:var(--accent)}
.chart a:hover .region,.chart .region:hover{fill-opacity:1}
.chart a:hover text,.chart a:focus text{text-decoration:underline}
.chart .region{stroke:var(--ink);fill:var(--accent)}
.chart .chart-title{font-weight:600;font-family:var(--serif)}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,520px),1fr));gap:32px 24px;margin:24px 0}
.pictures figure{margin:0}
.pictures figcaption{color:var(--quiet);font-size:14px;max-width:72ch}
.sheet-wide{max-width:1360px;margin:0 auto;padding:24px 16px 64px}
"""
"""The rules of the pictures, for pages that define the variables themselves."""

CHART_CSS = THEME_CSS + CHART_RULES


_VARIABLE = re.compile(r"var\(--(\w+)\)")
_FILE_RULES = "".join(line for line in CHART_RULES.splitlines(keepends=True) if line.startswith(".chart"))


def resolved(colours: Mapping[str, str]) -> str:
    """The rules of the pictures with every variable replaced: programs that draw SVG for print know none."""
    values = {**DAY, **colours}
    return _VARIABLE.sub(lambda found: values[found[1]], _FILE_RULES)


def standalone(svg: str) -> str:
    """A picture that stands in a file by itself: its colours inside, by day and by night, and paper under it."""
    head, rest = svg.split(">", 1)
    by_night = f"@media (prefers-color-scheme:dark){{{resolved(NIGHT)}.paper{{fill:{NIGHT['paper']}}}}}"
    rules = f".paper{{fill:{DAY['paper']}}}{resolved(DAY)}{by_night}"
    return f'{head}><style>{rules}</style><rect class="paper" width="100%" height="100%"/>{rest}\n'


def opening(width: float, height: float, title: str, kind: str = "chart") -> str:
    """The first tag of every picture."""
    return (
        f'<svg class="{kind}" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {px(width)} {px(height)}" '
        f'width="{px(width)}" height="{px(height)}" role="img" aria-label="{text(title)}" '
        'font-family="system-ui, sans-serif" font-size="12" fill="currentColor">'
    )


def title_lines(title: str, width: float) -> list[str]:
    """The title as SVG, as many lines as the width needs, 20 pixels each; numbers stay with their units."""
    lines = textwrap.wrap(glued(title), max(20, int((width - 24) / 9.9))) or [""]
    return [
        f'<text class="chart-title" x="12" y="{20 + 20 * at}" font-size="15" font-family="{text(SERIF)}">'
        f"{text(line)}</text>"
        for at, line in enumerate(lines)
    ]


def text(value: str) -> str:
    """Escape for SVG text and attributes."""
    return _escape(value, quote=True)


def px(value: float) -> str:
    """A coordinate to a tenth of a pixel, which no eye can see."""
    return f"{value:.1f}".removesuffix(".0")
