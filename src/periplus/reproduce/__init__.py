"""Every number that the five papers print, regenerated and held against what is printed.

A *claim* is one function of `papers/` and one row of the table `claims()`: where it stands, what it says in our own
words, how to work it out here. Running one gives a *result*: a check for each printed figure (ours with its interval,
a verdict by the rules of `checks`), how it was made, why it differs where it does, pictures, seconds.

    from periplus.reproduce import claims, run
    run("spanek.eigenvalue").verdict

`results.json` holds what `periplus reproduce all` found last; docs/reproduced.md and the page /papers show it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from periplus.lazy import offers

_HOMES = {
    "Claim": "periplus.reproduce.claim",
    "Data": "periplus.reproduce.data",
    "Result": "periplus.reproduce.claim",
    "chosen": "periplus.reproduce.table",
    "claims": "periplus.reproduce.table",
    "html_report": "periplus.reproduce.report",
    "markdown": "periplus.reproduce.docs",
    "run": "periplus.reproduce.table",
    "stored": "periplus.reproduce.kept",
}

__all__ = ["Claim", "Data", "Result", "chosen", "claims", "html_report", "markdown", "run", "stored"]

if TYPE_CHECKING:
    from periplus.reproduce.claim import Claim, Result
    from periplus.reproduce.data import Data
    from periplus.reproduce.docs import markdown
    from periplus.reproduce.kept import stored
    from periplus.reproduce.report import html_report
    from periplus.reproduce.table import chosen, claims, run

__getattr__, __dir__ = offers(__name__, _HOMES)
