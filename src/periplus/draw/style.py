"""The look of every picture: one stylesheet, themed by five variables, and the escaping that SVG text needs.

Pictures carry class names and plain presentation attributes, never `style=`, so that a strict content security policy
lets them through; a page that includes `CHART_CSS` (or its own rules for the same classes) colours them. Without a
stylesheet they use the current text colour and stay readable. Series differ by shape and dash as well as by colour, so
that they survive a black-and-white printer.
"""

from __future__ import annotations

from html import escape as _escape

THEME_CSS = """\
:root{--paper:#fbf9f4;--ink:#22262e;--quiet:#5c6470;--line:#d8d3c7;--accent:#0b5f7a;--second:#b3541e}
@media (prefers-color-scheme:dark){:root{--paper:#0e1320;--ink:#e6e4dc;--quiet:#a2a9b8;--line:#2c3446;\
--accent:#6ec6e0;--second:#f0a868}}
"""
"""The five variables and the paper, for pages that do not define them."""

CHART_RULES = """\
.chart{max-width:100%;height:auto;color:var(--ink);font-variant-numeric:tabular-nums}
.chart text{fill:var(--ink)}
.chart .quiet{fill:var(--quiet)}
.chart .grid{stroke:var(--line);stroke-opacity:.8}
.chart .axis{stroke:var(--quiet)}
.chart .s0{stroke:var(--accent)}.chart .s0.full{fill:var(--accent)}
.chart .s1{stroke:var(--second)}.chart .s1.full{fill:var(--second)}
.chart .s2{stroke:var(--ink)}.chart .s2.full{fill:var(--ink)}
.chart .s3{stroke:var(--quiet)}.chart .s3.full{fill:var(--quiet)}
.chart .muted{stroke:var(--quiet)}.chart .muted.full{fill:var(--quiet)}
.chart .full{stroke:none}
.chart .region{stroke:var(--ink);fill:var(--accent)}
.chart .chart-title{font-weight:600}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,520px),1fr));gap:32px 24px;margin:24px 0}
.pictures figure{margin:0}
.pictures figcaption{color:var(--quiet);font-size:14px;max-width:72ch}
.sheet-wide{max-width:1360px;margin:0 auto;padding:24px 16px 64px}
"""
"""The rules of the pictures, for pages that define the variables themselves."""

CHART_CSS = THEME_CSS + CHART_RULES


def standalone(svg: str) -> str:
    """A picture that stands in a file by itself: its colours inside, and paper under it."""
    head, rest = svg.split(">", 1)
    return f'{head}><style>{CHART_CSS}</style><rect width="100%" height="100%" fill="var(--paper)"/>{rest}\n'


def text(value: str) -> str:
    """Escape for SVG text and attributes."""
    return _escape(value, quote=True)


def px(value: float) -> str:
    """A coordinate to a tenth of a pixel, which no eye can see."""
    return f"{value:.1f}".removesuffix(".0")
