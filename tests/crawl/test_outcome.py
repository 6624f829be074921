"""Every outcome: the word that is written for it, and what follows from it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from periplus.crawl.outcome import Outcome

PAGES = {"OK", "UNCHANGED", "DUP", "TRUNC_LENGTH", "TRUNC_TIME", "TRUNC_DISCONNECT"}
MANUAL = Path(__file__).parents[2] / "docs" / "crawling.md"


def test_pages_errors_and_what_the_next_run_tries_again() -> None:
    assert {outcome.value for outcome in Outcome if outcome.page} == PAGES
    for outcome in Outcome:
        assert outcome.error == outcome.startswith("ERR_")
        assert outcome.reopens == outcome.startswith(("ERR_", "BLOCKED_"))
        assert not (outcome.retryable and not outcome.error)
    assert {outcome.value for outcome in Outcome if outcome.retryable} == {"ERR_CONNECT", "ERR_TIMEOUT"}


@pytest.mark.parametrize(
    ("status", "error", "retryable"),
    [(204, False, False), (301, False, False), (404, True, False), (429, True, True), (500, True, False),
     (502, True, True), (503, True, True), (504, True, True), (999, False, False)],
)  # fmt: skip
def test_a_status_is_an_outcome(status: int, error: bool, retryable: bool) -> None:
    outcome = Outcome.of_response(status, None)
    assert outcome == f"HTTP_{status}"
    assert (outcome.page, outcome.error, outcome.retryable, outcome.reopens) == (False, error, retryable, error)
    assert Outcome(outcome.value) is outcome


def test_what_a_response_is_before_it_is_read() -> None:
    assert Outcome.of_response(200, None) is Outcome.OK
    assert Outcome.of_response(203, "time") is Outcome.TRUNC_TIME
    assert Outcome.of_response(200, "unspecified") is Outcome.SKIP_TYPE
    assert Outcome.of_response(206, "length") == "HTTP_206"


def test_outcomes_are_written_as_plain_words() -> None:
    assert json.dumps({Outcome.OK: Outcome.of_response(404, None)}) == '{"OK": "HTTP_404"}'
    with pytest.raises(ValueError, match="nonsense"):
        Outcome("nonsense")


def test_the_manual_lists_every_outcome_of_the_log() -> None:
    listed = set(re.findall(r"`([A-Z]+(?:_[A-Z]+)?)`", MANUAL.read_text()))
    assert {outcome.value for outcome in Outcome} - {"WAITING", "ERR_ROBOTS"} <= listed
