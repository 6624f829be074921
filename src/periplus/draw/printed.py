"""Figures for print: a picture as PDF, PNG or SVG on white, its width and font stated.

A picture is drawn anew for its width on paper, so that letters have 8 points whether the figure fills a column or the
page: 12 pixels are 8 points, one pixel is 0.2352 mm. Every style is resolved (no variables, one colour scheme), since
programs for print know no others. PDF keeps lines and letters as such, with the font embedded; PNG has 300 dots per
inch. Both need the package typst: `pip install 'periplus[figures]'`.
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from periplus.draw.style import resolved, text
from periplus.errors import MissingDependencyError, ParameterError

ENDINGS = (".svg", ".pdf", ".png")
WIDTH_MM, NARROWEST_MM, WIDEST_MM = 120.0, 60.0, 400.0
FONT = "Libertinus Serif"
"""Comes with the package, so that a figure looks the same on every machine."""
POINTS = 8.0

_PIXEL_MM = POINTS / 12 * 25.4 / 72
_DOTS = 300.0
_BUNDLED = ("Libertinus Serif", "New Computer Modern", "DejaVu Sans Mono")
_INK = {
    "paper": "#ffffff", "ink": "#000000", "quiet": "#444444", "line": "#cccccc", "accent": "#0a4a66",
    "second": "#d2722a",
}  # fmt: skip
_FAMILY = re.compile(r'font-family="[^"]*"')
_SIZE = re.compile(r' width="[\d.]+" height="[\d.]+" role')
_VIEW = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


def require(ending: str) -> None:
    """Raise `MissingDependencyError` where what draws such a file is not installed."""
    if ending in (".pdf", ".png"):
        try:
            importlib.import_module("typst")
        except ImportError as error:
            raise MissingDependencyError("typst", "figures", "Drawing PDF and PNG files") from error


def pixels(width_mm: float) -> int:
    """The width to draw a picture for, so that its letters have 8 points on paper."""
    return round(width_mm / _PIXEL_MM)


def printed(svg: str, path: str | Path, *, width_mm: float = WIDTH_MM, font: str = FONT) -> bytes:
    """A picture, drawn `pixels(width_mm)` wide, as the bytes of a file of the path's ending."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise ParameterError("file", str(path), f"a name that ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")
    if not NARROWEST_MM <= width_mm <= WIDEST_MM:
        raise ParameterError("width_mm", width_mm, f"{NARROWEST_MM:g} ≤ width_mm ≤ {WIDEST_MM:g}")
    inked = on_white(svg, width_mm=width_mm, font=font)
    return inked.encode() if ending == ".svg" else _typeset(inked, ending, width_mm, font)


def on_white(svg: str, *, width_mm: float, font: str) -> str:
    """The picture with its size in millimetres, one font, and every colour as it is printed."""
    size = _VIEW.search(svg)
    assert size is not None  # every picture of ours has one
    height_mm = width_mm * float(size[2]) / float(size[1])
    svg = _SIZE.sub(f' width="{width_mm:g}mm" height="{height_mm:.2f}mm" role', svg, count=1)
    head, rest = _FAMILY.sub(f'font-family="{text(font)}"', svg).split(">", 1)
    rules = resolved({**_INK, "serif": f"'{font}'"})
    return f'{head}><style>{rules}</style><rect width="100%" height="100%" fill="{_INK["paper"]}"/>{rest}\n'


def _typeset(svg: str, ending: str, width_mm: float, font: str) -> bytes:
    require(ending)
    import typst

    if font not in _BUNDLED and font not in (known := typst.Fonts().families()):
        raise ParameterError("font", font, f"one of {', '.join(_BUNDLED)}, or one that is installed ({len(known)} are)")
    page = f"#set page(width: {width_mm}mm, height: auto, margin: 0pt, fill: white)\n"
    source = page + '#image(bytes(sys.inputs.picture), format: "svg", width: 100%)'
    made = typst.compile(
        source.encode(), format="pdf" if ending == ".pdf" else "png", ppi=_DOTS, sys_inputs={"picture": svg},
        ignore_system_fonts=font in _BUNDLED,
    )  # fmt: skip
    assert isinstance(made, bytes)  # one page
    return made
