"""Every claim of the papers: it has a row, and its verdict is what docs/reproduced.md says."""

from __future__ import annotations

import pytest
from tests.conftest import DATA, data_path

from periplus.reproduce.checks import VERDICTS
from periplus.reproduce.data import Data
from periplus.reproduce.kept import stored
from periplus.reproduce.table import claims, run

KEPT = {one.id: one for one in stored().results}
QUICK = 0.7  # seconds of a core; the others run with the long tests


def rows() -> list[object]:
    slow = pytest.mark.long
    return [pytest.param(id, marks=() if id in KEPT and KEPT[id].seconds <= QUICK else slow) for id in claims()]


@pytest.mark.parametrize("id", rows())
def test_its_verdict_is_what_the_docs_say(id: str) -> None:
    for name in claims()[id].data:
        data_path(name)
    found = run(id, data=Data(DATA))
    assert found.verdict == KEPT[id].verdict, [one.to_dict() for one in found.checks]
    assert [check.verdict for check in found.checks] == [check.verdict for check in KEPT[id].checks]
    assert len(found.pictures) == len(KEPT[id].pictures)


def test_every_claim_has_been_worked_out() -> None:
    assert list(KEPT) == list(claims())


@pytest.mark.parametrize("id", claims())
def test_every_row_says_what_it_is_about(id: str) -> None:
    row, kept = claims()[id], KEPT[id]
    assert row.place.startswith(("§", "abstract", "table", "figure", "page"))
    assert row.says.endswith(".")
    assert (kept.says, kept.place, kept.misprint) == (row.says, row.place, row.misprint), "run it again with --save"
    assert kept.verdict in VERDICTS[:3]
    assert kept.how
    assert kept.checks


@pytest.mark.parametrize("id", [id for id, row in claims().items() if row.misprint])
def test_a_misprint_fails_as_printed_and_holds_corrected(id: str) -> None:
    verdicts = [check.verdict for check in KEPT[id].checks]
    assert "differs" in verdicts
    assert "reproduced" in verdicts


@pytest.mark.parametrize("id", [id for id, one in KEPT.items() if one.verdict == "differs"])
def test_what_differs_says_why(id: str) -> None:
    assert KEPT[id].why
