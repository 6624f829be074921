"""The audit as HTML: the parts that the server puts into its own page, and the report that stands alone.

Every text from the web is escaped; only http and https addresses become links. At most `SHOWN` findings per check and
`PLACES` places per finding are in the report, the rest in the tables (`Section.table`), and it says how many. The
server shows the first few of each check, and a page per check with all of them (`Ways`).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from html import escape
from typing import NamedTuple
from urllib.parse import urlsplit

from periplus.draw.style import THEME_CSS
from periplus.library.audit.finding import Audit, Finding, Place, Section
from periplus.wording import counted

SHOWN, PLACES, OPEN = 500, 50, 5
FEW = 8

RULES = """\
.audit-table{width:100%;border-collapse:collapse;margin:24px 0}
.audit-table th{text-align:left;font-weight:500;color:var(--quiet);font-size:.875rem}
.audit-table th,.audit-table td{padding:8px 16px 8px 0;border-bottom:1px solid var(--line);vertical-align:top}
.audit-table .num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.audit-table .why{color:var(--quiet)}
.audit-section{margin:48px 0 0;break-inside:auto}
.audit-section h2{font-size:1.375rem;break-after:avoid}
.audit-section h2 .n{color:var(--quiet);font:400 1rem/1 system-ui,sans-serif;font-variant-numeric:tabular-nums}
.audit-why{font-style:italic;max-width:72ch;margin:4px 0 16px;break-after:avoid}
.audit-finding{border-left:3px solid var(--second);padding:2px 0 2px 16px;margin:0 0 16px;break-inside:avoid}
.audit-finding p{margin:0;max-width:80ch}
.audit-finding>p a{color:var(--ink);font-weight:600}
.audit-finding .audit-where{color:var(--quiet);font-size:.8125rem;margin-top:4px}
.audit-finding ul{list-style:none;margin:0;padding:0 0 0 16px;font-size:.9375rem}
.audit-finding li{padding:2px 0}
.audit-finding q{color:var(--quiet);font-style:italic}
.audit-finding summary{cursor:pointer;color:var(--quiet);font-size:.9375rem}
.audit-rest,.audit-clean,.audit-notes{color:var(--quiet);max-width:72ch}
.audit-notes{border-left:3px solid var(--accent);padding-left:16px;margin:24px 0;list-style:none}
@media (max-width:640px){.audit-table .why,.audit-table .why-head{display:none}}
@media print{.audit-section{margin-top:24px}.audit-finding{margin-bottom:8px}a{color:inherit}}
"""
"""The rules of the parts below, for pages that define the variables of `draw.style`."""

_ALONE = """\
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;\
overflow-wrap:anywhere}
main{max-width:960px;margin:0 auto;padding:48px 24px 96px}
h1,h2{font-family:"Iowan Old Style","Palatino Linotype",Palatino,Georgia,serif;font-weight:500;line-height:1.25;\
margin:0;text-wrap:balance}
h1{font-size:2.25rem}
.lead{color:var(--quiet);max-width:72ch;margin:8px 0 0}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
q{quotes:"“" "”"}
@media print{:root{--paper:#fff;--ink:#000;--quiet:#444;--line:#bbb;--accent:#000;--second:#777}\
main{max-width:none;padding:0}body{font-size:10.5pt}}
"""

Address = Callable[[str], str | None]


class Ways(NamedTuple):
    """Where a server has the table of a check, and the page with all that it found."""

    table: Callable[[str], str]
    page: Callable[[str], str]


def report(audit: Audit) -> str:
    """The whole report as one page: no script, no other file, no network."""
    title = f"Audit of {audit.site or audit.name}"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<style>{THEME_CSS}{_ALONE}{RULES}</style></head>\n<body><main>\n"
        f"<h1>{escape(title)}</h1>\n{body(audit, web_address)}</main></body></html>\n"
    )


def body(audit: Audit, address: Address, ways: Ways | None = None) -> str:
    """What stands under the title: the sentence that sums up, the table of checks, every finding with its places.

    `address` says where a URL leads to. With `ways` of a server the first findings of each check stand for all.
    """
    told = [section for section in audit.sections if section.findings]
    clean = [section.title[:1].lower() + section.title[1:] for section in audit.sections if not section.findings]
    parts = [f'<p class="lead">{escape(summary(audit))}</p>\n']
    if audit.notes:
        notes = "".join(f"<li>{escape(note)}</li>" for note in audit.notes)
        parts.append(f'<ul class="audit-notes">{notes}</ul>\n')
    if told:
        parts.append(_contents(told))
    if clean:
        parts.append(f'<p class="audit-clean">Nothing was found of: {escape(", ".join(clean))}.</p>\n')
    return "".join([*parts, *(_section(section, address, ways) for section in told)])


def summary(audit: Audit) -> str:
    """What was looked at and how much was found, in a sentence or two."""
    things = {0: "Nothing is wrong", 1: "One thing is wrong"}.get(audit.count, f"{audit.count:,} things are wrong")
    of = f" with what concerns {audit.site}" if audit.site else ""
    checks = sum(bool(section.findings) for section in audit.sections)
    told = f", by {counted(checks, 'check')} of {len(audit.sections)}, the most harmful first" if audit.count else ""
    looked = f"{counted(audit.pages, 'page')} and {counted(audit.links, 'link')} looked at"
    date = datetime.fromisoformat(audit.charted) if audit.charted else None
    day = f", as charted on {date.day} {date:%b %Y}" if date else ""
    return f"{things}{of}{told}. {looked}{day}."


def web_address(url: str) -> str | None:
    """The URL where it may be a link: http or https, and nothing odd in it."""
    plain = url.isprintable() and not any(mark in url for mark in " <>\"'\\")
    return url if plain and urlsplit(url).scheme in ("http", "https") else None


def _contents(told: list[Section]) -> str:
    rows = "".join(
        f'<tr><td><a href="#{section.name}">{escape(section.title)}</a></td>'
        f'<td class="num">{len(section.findings):,}</td><td class="why">{escape(section.why)}</td></tr>\n'
        for section in told
    )
    head = (
        '<tr><th scope="col">What</th><th scope="col" class="num">Findings</th>'
        '<th scope="col" class="why-head">Why it matters</th></tr>'
    )
    return f'<table class="audit-table"><thead>{head}</thead><tbody>\n{rows}</tbody></table>\n'


def listed(section: Section, address: Address, first: int = 0, most: int = SHOWN) -> str:
    """So many findings of a check, one below the other."""
    return "".join(_finding(one, section.where, address) for one in section.findings[first : first + most])


def _section(section: Section, address: Address, ways: Ways | None) -> str:
    most = SHOWN if ways is None else FEW
    rest = len(section.findings) - most
    more = ""
    if ways is not None:
        whole = f'<a href="{escape(ways.page(section.name))}">All {len(section.findings):,}</a> · ' if rest > 0 else ""
        more = f'{whole}<a href="{escape(ways.table(section.name))}">Data as CSV</a>'
    elif rest > 0:
        more = f"and {rest:,} more in the table {section.name}.csv"
    return (
        f'<section class="audit-section" id="{section.name}">'
        f'<h2>{escape(section.title)} <span class="n">{len(section.findings):,}</span></h2>\n'
        f'<p class="audit-why">{escape(section.why)}</p>\n'
        f"{listed(section, address, most=most)}"
        f"{f'<p class=audit-rest>{more}</p>' if more else ''}</section>\n"
    )


def _finding(finding: Finding, where: str, address: Address) -> str:
    told = f'<p><bdi>{_link(finding.url, address)}</bdi> <span class="says">{escape(finding.says)}</span></p>'
    return f'<div class="audit-finding">{told}{_places(finding.places, where, address)}</div>\n'


def _places(places: tuple[Place, ...], where: str, address: Address) -> str:
    if not places:
        return ""
    rest = len(places) - PLACES
    more = f'<li class="audit-rest">and {rest:,} more in the table</li>' if rest > 0 else ""
    listed = f"<ul>{''.join(_place(place, address) for place in places[:PLACES])}{more}</ul>"
    if len(places) <= OPEN:
        return f'<p class="audit-where">{escape(where)}</p>{listed}'
    return f"<details><summary>{escape(where)}: {len(places):,}</summary>{listed}</details>"


def _place(place: Place, address: Address) -> str:
    said = f' <q dir="auto">{escape(place.text)}</q>' if place.text else ""
    return f"<li><bdi>{_link(place.url, address)}</bdi>{said}</li>"


def _link(url: str, address: Address) -> str:
    target = address(url)
    return escape(url) if target is None else f'<a href="{escape(target)}" rel="noreferrer">{escape(url)}</a>'
