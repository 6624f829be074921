"""Results as docs/reproduced.md: `make docs` writes it from the results shipped with the package."""

from __future__ import annotations

from collections.abc import Sequence

from periplus.reproduce.checks import VERDICTS
from periplus.reproduce.claim import PAPERS, Result
from periplus.reproduce.kept import Stored, by_paper
from periplus.reproduce.report import MARKS, RULES, TITLE, WEBS, lead, tally, verdict_words
from periplus.wording import duration

_HEAD = """\
What the five papers print in numbers, formulas and figures, worked out by one command and held against it. Counts of
the Web of their day that nothing here could give again, such as 2,500 search engines, have no row.

```
periplus reproduce                               the claims, and what came of each
periplus reproduce all --html report.html        all of them, with pictures
periplus reproduce fogaras.figure-2-rank         one
periplus reproduce deo-gupta --scale 10          ten times as large
```

This page is written from the results shipped with the package, as `/papers` of `periplus serve` is; both show pictures
of them too. Real webs are read from `$PERIPLUS_DATA` or `../shared/data`; where one is absent, the claim says so.

`make reproduce` works all of them out again for this page. A claim is one function with `@claim` above it, in
`src/periplus/reproduce/papers`; a test holds each to the verdict told here.

A verdict follows from our number and its interval by rule (`periplus.reproduce.checks`):
"""

_WEBS = "The webs that many claims are checked on:\n"


def markdown(kept: Stored) -> str:
    """The whole page."""
    papers = by_paper(kept.results)
    seconds = duration(sum(one.seconds for one in kept.results))
    rules = "\n".join(f"- {MARKS[name]} **{name}**: {rule}." for name, rule in RULES)
    webs = "\n".join(f"- **{name}**: {told}." for name, told in WEBS)
    made = f"Made on {kept.made} by Periplus {kept.version} in {seconds} of one core."
    parts = [f"# {TITLE}\n", _HEAD, rules, "", _WEBS, webs, "", f"{lead(kept.results)} {made}", "", _tallies(papers)]
    for paper, results in papers.items():
        parts += ["", f"## {PAPERS[paper]}", *map(_claim, results)]
    return "\n".join(parts) + "\n"


def _tallies(papers: dict[str, list[Result]]) -> str:
    lines = ["| paper | " + " | ".join(VERDICTS) + " |", "| --- | " + " | ".join(["---:"] * len(VERDICTS)) + " |"]
    for paper, results in papers.items():
        counts = tally(results)
        lines.append(f"| {PAPERS[paper]} | " + " | ".join(str(counts[one]) for one in VERDICTS) + " |")
    return "\n".join(lines)


def _claim(one: Result) -> str:
    lines = ["", f"**{one.place}.** {one.says}", "", f"{MARKS[one.verdict]} *{verdict_words(one)}* · `{one.id}`"]
    if one.checks:
        rows = [(check.what, check.printed, check.ours, MARKS[check.verdict]) for check in one.checks]
        lines += ["", *_table(("figure", "printed", "here", ""), rows)]
    told = " ".join(part for part in (one.why, one.how) if part)
    return "\n".join([*lines, "", f"{told} {duration(one.seconds)}."])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    cells = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in cells]
