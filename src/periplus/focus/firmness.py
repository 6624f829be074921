"""How firmly the first pages of a query's ranking stand, by the theorem that speaks of it or by an experiment.

*A walk with jumps* (PageRank, topic-sensitive, reputation). If only the links of pages v change, the ranking moves by
‖r − r̃‖₁ ≤ 2α Σ r_v/(1−α) (Fogaras, Theorem 9, as its proof gives it). Two pages can change places only if it moves by
their distance in score. So with m the distance between the last page shown and the best one that is not, all links of
pages that hold less than m(1−α)/(2α) together may change. `safe_pages`: on how many pages that is true of each alone.

*HITS*. δ = λ₁ − λ₂ of AᵀA; some change of Frobenius norm 2δ turns the first eigenvector over completely (Theorem 8).

*All that stand on the links of the base set* are ranked again after a tenth of these links was replaced at random: how
many of the first pages stay. Cost: one more ranking.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from periplus.focus.base import Focus
from periplus.focus.ranking import FocusRanking, perturbed, rank_focus
from periplus.record import Findings
from periplus.record.order import rounded
from periplus.wording import counted, percent, sentence

SHARE = 0.1


@dataclass(frozen=True, slots=True)
class Firmness(Findings):
    """How firm the first `shown` pages are; None or NaN for what does not apply, `kept` of an experiment with links."""

    ranking: str
    shown: int
    kept: int | None = None
    eigengap: float = math.nan
    eigenvalue: float = math.nan
    degenerate: bool = False
    margin: float = math.nan
    safe_pages: int | None = None
    pages: int = 0

    @property
    def sentence(self) -> str:
        """What a reader should know, in a sentence; empty where there is nothing to say."""
        if not self.shown:
            return ""
        parts = [*self._of_walk(), *self._of_gap(), *self._of_experiment()]
        return sentence("; ".join(parts)) if parts else "Links play no part" if self.ranking == "text" else ""

    def _of_walk(self) -> list[str]:
        if self.safe_pages is None:
            return []
        them = "This page stays" if self.shown == 1 else f"These {self.shown} stay"
        if self.safe_pages == 0:
            return ["By Theorem 9 a change of one page’s links may already change this list"]
        share = percent(self.safe_pages / max(self.pages, 1))
        return [f"{them} whatever links any one of {counted(self.safe_pages, 'page')} has ({share} of all; Theorem 9)"]

    def _of_gap(self) -> list[str]:
        if math.isnan(self.eigengap):
            return []
        if self.degenerate:
            return ["The first eigenvalue is multiple: another community has an equal right to this list"]
        share = self.eigengap / self.eigenvalue if self.eigenvalue else 0.0
        firm = "a wide eigengap" if share >= 0.25 else "an eigengap" if share >= 0.05 else "a narrow eigengap"
        return [f"{firm[0].upper()}{firm[1:]} of {percent(share)}: a change of norm {2 * self.eigengap:.3g} "
                "can turn it over (Theorem 8)"]  # fmt: skip

    def _of_experiment(self) -> list[str]:
        if self.kept is None:
            return []
        if self.ranking == "blended":
            return [f"{self.kept} of these {self.shown} stand here by the words alone, the others by their links"]
        them = "this page" if self.shown == 1 else f"these {self.shown}"
        which = f"{them} stay{'s' * (self.shown == 1)}" if self.kept == self.shown else f"{self.kept} of {them} stay"
        return [f"{which} when a tenth of the links around is replaced at random"]


def firmness_of(focus: Focus, found: FocusRanking, *, top: int = 10, seed: int = 0) -> Firmness:
    """How firm the first `top` pages of a ranking are."""
    shown = min(top, found.scored)
    extra, kept = found.scores.extra, None
    if shown and ("links" in found.row.needs or found.row.name == "blended"):
        by_links = "links" in found.row.needs
        again = perturbed(focus, found.row.name, share=SHARE, seed=seed) if by_links else rank_focus(focus, "text")
        kept = len(set(found.pages[:shown].tolist()) & set(again.pages[:shown].tolist()))
    margin, safe = _safe(focus, found, shown) if "walk" in extra and shown else (math.nan, None)
    return Firmness(
        ranking=found.row.name,
        shown=shown,
        kept=kept,
        eigengap=float(extra.get("eigengap", math.nan)),
        eigenvalue=float(extra.get("eigenvalue", math.nan)),
        degenerate=bool(extra.get("degenerate", False)),
        margin=margin,
        safe_pages=safe,
        pages=len(extra.get("walk", ())),
    )


def _safe(focus: Focus, found: FocusRanking, shown: int) -> tuple[float, int]:
    """The distance in score between the last page shown and the next, and how many pages it makes harmless."""
    values = found.scores.values[np.searchsorted(focus.pages, found.pages)]
    following = values[shown] if len(values) > shown else 0.0
    margin = float(rounded(values[shown - 1 : shown])[0] - rounded(np.array([following]))[0])
    damping = float(found.scores.parameters["damping"])
    harmless = margin * (1 - damping) / (2 * damping)
    return margin, int(np.count_nonzero(found.scores.extra["walk"] < harmless))
