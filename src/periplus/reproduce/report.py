"""Results as a page to read from top to bottom: the body that both the report and the server show, and its rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape

from periplus.draw.page import PAGE_CSS, figure_html
from periplus.draw.style import CHART_CSS
from periplus.reproduce.checks import CONSISTENT, DIFFERS, NEEDS_DATA, REPRODUCED, VERDICTS, Check
from periplus.reproduce.claim import PAPERS, Result
from periplus.reproduce.kept import Stored, by_paper
from periplus.wording import agree, counted, duration, glued, listed

MARKS = {REPRODUCED: "●", CONSISTENT: "◐", DIFFERS: "○", NEEDS_DATA: "–"}
TITLE = "Five papers, figure by figure"
RULES = (
    ("reproduced", "our interval meets what is printed, and is no wider than a tenth of it either way"),
    ("consistent", "it meets what is printed, but is wider, or was measured on another web than the paper's"),
    ("differs", "it does not; the reason is given. A misprint differs by itself: the printed formula is shown to fail "
     "and the right one to hold"),
)  # fmt: skip

WEBS = (
    ("cnr-2000", "the sites of the Italian National Research Council, crawled in 2000: 325,557 pages"),
    ("base set", "the pages found for a real query and their neighbours, gathered by Tsaparas: 742 to 3,460 pages"),
    ("composed web", "a web that we make, planned to have the shape and the degrees of the Web of 1999"),
)

REPORT_RULES = """\
.claims{max-width:76ch;margin:0 auto}
.claims h2{font:600 24px/1.25 var(--serif);margin:56px 0 4px}
.claims .verdicts,.claims .how{color:var(--quiet)}
.claim{border-top:1px solid var(--line);padding:16px 0 8px}
.claim h3{font:400 17px/1.45 var(--serif);margin:4px 0 8px;max-width:70ch}
.claim p{margin:4px 0;max-width:72ch}
.claim .place{max-width:none;display:flex;justify-content:space-between;gap:16px;font-size:14px;color:var(--quiet)}
.claim .verdict{white-space:nowrap;color:var(--ink)}
.claim .differs{color:var(--second)}.claim .reproduced{color:var(--accent)}
.claim table{width:100%;border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums;margin:8px 0}
.claim td,.claim th{padding:4px 16px 4px 0;text-align:left;vertical-align:top;border:0;font-weight:400}
.claim thead th{color:var(--quiet);font-size:12px}
.claim td:last-child{padding-right:0;text-align:right}
.claim .how{font-size:14px}.claim figure{margin:16px 0}.claim figcaption{font-size:14px;color:var(--quiet)}
.tallies{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
.tallies th{font-weight:400;text-align:left}
.tallies th,.tallies td{padding:6px 24px 6px 0;border-bottom:1px solid var(--line);vertical-align:top}
.tallies td,.tallies thead th{text-align:right;white-space:nowrap}
.claims .rules{display:grid;grid-template-columns:max-content 1fr;gap:4px 24px;max-width:72ch}
.claims .rules dd{margin:0;color:var(--quiet)}
.claim code{overflow-wrap:anywhere}
.drawn.nets{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,260px),1fr));gap:0 24px}
@media (max-width:640px){.claim thead{display:none}.claim tbody th{display:block;padding:8px 0 0}
.claim td{display:inline;padding:0 12px 0 0}.claim td+td::before{content:"→ ";color:var(--quiet)}
.claim td:last-child::before{content:none}
.tallies .word{display:none}.tallies{font-size:14px}.claims .tallies th,.claims .tallies td{padding-right:8px}
.claims .rules{grid-template-columns:1fr}.claims .rules dd{padding-left:16px}}
"""


def tally(results: Iterable[Result]) -> Counter[str]:
    """How many claims have each verdict."""
    return Counter(one.verdict for one in results)


def lead(results: Sequence[Result]) -> str:
    """What came of all, in a sentence or two."""
    counts = tally(results)
    misprints = sum(one.misprint and one.verdict == DIFFERS for one in results)
    told = [f"{counts[name]:,} {agree(counts[name], 'is')} {name}" for name in (REPRODUCED, CONSISTENT) if counts[name]]
    if counts[DIFFERS]:
        by = f" ({misprints:,} of these by a misprint)" if misprints else ""
        told.append(f"{counts[DIFFERS]:,} {agree(counts[DIFFERS], 'differs')}{by}")
    if counts[NEEDS_DATA]:
        told.append(f"{counts[NEEDS_DATA]:,} {agree(counts[NEEDS_DATA], 'needs')} data that are not here")
    return f"Of {counted(len(results), 'claim')}, {listed(told)}."


def html_report(kept: Stored) -> str:
    """One self-contained page."""
    seconds = duration(sum(one.seconds for one in kept.results))
    made = f"Made on {kept.made} by Periplus {kept.version} in {seconds} of one core."
    papers = by_paper(kept.results)
    parts = [paper_html(paper, rows) for paper, rows in papers.items()]
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{TITLE}</title>'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<style>{CHART_CSS}{PAGE_CSS}{REPORT_RULES}</style></head><body>"
        f'<main class="sheet-wide"><div class="claims"><h1>{TITLE}</h1><p>{escape(glued(lead(kept.results)))}</p>'
        f"{rules_html()}{tallies_html(papers)}<p class=how>{escape(glued(made))}</p>{''.join(parts)}"
        "</div></main></body></html>\n"
    )


def rules_html() -> str:
    """How to read a verdict, and what the webs are that many claims are checked on."""
    named = [*((f"{MARKS[name]} {name}", rule) for name, rule in RULES), *WEBS]
    rows = "".join(f"<dt>{name}</dt><dd>{escape(told)}.</dd>" for name, told in named)
    return f'<dl class="rules">{rows}</dl>'


def tallies_html(papers: dict[str, list[Result]], address: str = "#") -> str:
    """The papers with how many claims of each verdict, each leading to its part."""
    shown = [one for one in VERDICTS if any(tally(rows)[one] for rows in papers.values())]
    head = "".join(
        f'<th scope=col title="{name}">{MARKS[name]} <span class="word">{name}</span></th>' for name in shown
    )
    rows = "".join(
        f'<tr><th scope=row><a href="{address}{paper}">{escape(PAPERS[paper])}</a></th>'
        f"{''.join(f'<td>{tally(results)[name]:,}</td>' for name in shown)}</tr>"
        for paper, results in papers.items()
    )
    return f'<table class="tallies"><thead><tr><th></th>{head}</tr></thead><tbody>{rows}</tbody></table>'


def paper_html(paper: str, results: Sequence[Result]) -> str:
    """All claims of a paper."""
    counts = tally(results)
    told = ", ".join(f"{counts[name]:,} {agree(counts[name], name)}" for name in VERDICTS if counts[name])
    body = "".join(map(_claim, results))
    return f'<section id="{paper}"><h2>{escape(PAPERS[paper])}</h2><p class="verdicts">{told}.</p>{body}</section>'


def verdict_words(result: Result) -> str:
    """The verdict as it is shown."""
    return f"{result.verdict}: misprint" if result.misprint and result.verdict == DIFFERS else result.verdict


def _claim(one: Result) -> str:
    name = one.verdict.replace(" ", "-")
    pictures = "".join(
        figure_html(picture.figure(f"{one.id}.{at}")) for at, picture in enumerate(one.pictures, start=1)
    )
    kind = "nets" if len(one.pictures) > 1 and all(each.kind == "network" for each in one.pictures) else ""
    how = f"{one.how} {duration(one.seconds)}." if one.how else ""
    return (
        f'<article class="claim" id="{one.id}"><p class="place"><span>{escape(one.place)}</span>'
        f'<span class="verdict {name}">{MARKS[one.verdict]} {verdict_words(one)}</span></p>'
        f"<h3>{escape(glued(one.says))}</h3>{_checks(one.checks)}"
        f"{f'<p>{escape(glued(one.why))}</p>' if one.why else ''}"
        f'<p class="how">{escape(glued(how))} <code>periplus reproduce {one.id}</code></p>'
        f'<div class="drawn {kind}">{pictures}</div></article>'
    )


def _checks(checks: Sequence[Check]) -> str:
    rows = "".join(
        f"<tr><th scope=row>{escape(one.what)}</th><td>{escape(glued(one.printed))}</td>"
        f"<td>{escape(glued(one.ours))}</td><td>{MARKS[one.verdict]}<span hidden> {one.verdict}</span></td></tr>"
        for one in checks
    )
    head = "<tr><th scope=col>figure</th><th scope=col>printed</th><th scope=col>here</th><th></th></tr>"
    return f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>" if checks else ""
