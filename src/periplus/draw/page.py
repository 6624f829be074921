"""Pictures with their captions and data, and a page that holds them: no script, no other file, no network."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape

from periplus.draw.style import CHART_CSS

WIDE, PHONE = 560, 358
"""Pixels that a picture is drawn for: on a screen, and on a phone of 390 pixels between its margins."""

PAGE_CSS = """\
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
h1{font:600 28px/1.2 var(--serif);margin:8px 0}
p{max-width:72ch}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
td,th{padding:4px 16px 4px 0;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600}
a{color:var(--accent)}
.narrow{display:none}
@media (max-width:640px){.wide{display:none}.narrow{display:block}}
"""


@dataclass(frozen=True, slots=True)
class Figure:
    """One picture: `name` for its file, what draws it, what it shows in a sentence, and its data as CSV.

    `picture(width=…)` returns the SVG, with letters of the same size at every width.
    """

    name: str
    picture: Callable[..., str]
    caption: str
    csv: str

    def draw(self, width: int = WIDE) -> str:
        """The SVG, so many pixels wide."""
        return self.picture(width=width)

    @property
    def svg(self) -> str:
        """The SVG as wide as a screen shows it."""
        return self.draw()


def html_page(
    title: str, lead: str, columns: Sequence[str], rows: Iterable[Sequence[str]], figures: Iterable[Figure]
) -> str:
    """A whole page: title, a sentence with the finding, a table, the pictures."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(
        f"<tr><th scope=row>{escape(row[0])}</th>{''.join(f'<td>{escape(cell)}</td>' for cell in row[1:])}</tr>"
        for row in rows
    )
    pictures = "".join(figure_html(one) for one in figures)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<style>{CHART_CSS}{PAGE_CSS}</style></head><body>"
        f'<main class="sheet-wide"><h1>{escape(title)}</h1><p>{escape(lead)}</p>'
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        f'<div class="pictures">{pictures}</div></main></body></html>\n'
    )


def figure_html(one: Figure) -> str:
    """A picture at both widths, its caption, and its data to download."""
    data = b64encode(one.csv.encode()).decode()
    link = f'<a download="{one.name}.csv" href="data:text/csv;base64,{data}">data (CSV)</a>'
    pictures = f'<div class="wide">{one.draw(WIDE)}</div><div class="narrow">{one.draw(PHONE)}</div>'
    return f'<figure id="{one.name}">{pictures}<figcaption>{escape(one.caption)} {link}</figcaption></figure>'
