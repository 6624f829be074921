"""What to visit again: learnt rates against known ones, policies over a simulated season, and the report of changes."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from tests.crawl.test_again import Living
from tests.webs.server import honest_site

from periplus.cli.main import main
from periplus.collection import Collection
from periplus.crawl.options import CrawlOptions
from periplus.crawl.refresh.plan import Budget, Pages, pages_of, plan
from periplus.crawl.refresh.run import refresh
from periplus.demo.web import DemoWeb
from periplus.dynamics.change import change_times
from periplus.dynamics.revisits import Visits, freshness, rates_of, refresh_frequencies
from periplus.errors import ParameterError, UnknownPageError, UsageError
from periplus.library import changes_of, visits_of
from periplus.pages.store import store_of
from periplus.web.page import Page

START = datetime(2026, 1, 1, tzinfo=UTC)
MIXES = {  # changes a day, of a quarter of the pages each
    "two paces": (0.01, 0.1, 4.0, 4.0),
    "spread": (0.01, 0.1, 1.0, 10.0),
    "alike": (0.2, 0.2, 0.2, 0.2),
    "mostly slow": (0.01, 0.02, 0.05, 2.0),
    "mostly fast": (0.1, 2.0, 5.0, 10.0),
}


def living_demo(mix: tuple[float, ...], count: int, days: float) -> tuple[list[str], np.ndarray, list[np.ndarray]]:
    """Pages of the demonstration web, each with a known rate of change, and the moments at which it changes."""
    urls = sorted(DemoWeb().reachable)[:count]
    rates = np.array([mix[at % len(mix)] for at in range(len(urls))])
    return urls, rates, [change_times(float(rate), days, seed=7 + at) for at, rate in enumerate(rates)]


def season(
    mix: tuple[float, ...], policy: str, days: int = 70, count: int = 80
) -> tuple[np.ndarray, np.ndarray, Pages]:
    """How often each page is fresh in the second half of a season of daily runs, its true rate, and what was learnt.

    The budget of a day is an eighth of the pages.
    """
    urls, rates, changes = living_demo(mix, count, days + 1)
    visited = [[0.0] for _ in urls]
    fresh = []
    for day in range(1, days + 1):
        learnt = _learnt(urls, visited, changes, day)
        chosen = plan(learnt, Budget(count // 8, 1.0), policy=policy)
        place = {url: at for at, url in enumerate(urls)}
        for url in chosen.urls:
            visited[place[url]].append(float(day))
        if day > days // 2:
            moments = day + np.linspace(0.05, 0.95, 7)
            fresh.append([[not ((c > v[-1]) & (c <= m)).any() for c, v in zip(changes, visited, strict=True)]
                          for m in moments])  # fmt: skip
    return np.mean(fresh, axis=(0, 1)), rates, _learnt(urls, visited, changes, days + 1)


def _learnt(urls, visited, changes, now: float) -> Pages:
    page, gap, changed = [], [], []
    for at, times in enumerate(visited):
        for before, after in pairwise(times):
            page.append(at)
            gap.append(after - before)
            changed.append(bool(((changes[at] > before) & (changes[at] <= after)).any()))
    ages = np.array([now - times[-1] for times in visited])
    columns = np.array(page, int), np.array(gap, float), np.array(changed, bool)
    return Pages(tuple(urls), ages, Visits(*columns, len(urls)))


@pytest.mark.parametrize(
    "name", [name if at == 0 else pytest.param(name, marks=pytest.mark.long) for at, name in enumerate(MIXES)]
)
def test_a_season_on_the_demonstration_web(name: str) -> None:
    """Rates that are learnt while the policy works cost it nothing, whatever the mix: within sampling error."""
    uniform, rates, learnt = season(MIXES[name], "uniform")
    optimal, _, _ = season(MIXES[name], "optimal")
    theory = freshness(rates, refresh_frequencies(rates, len(rates) / 8, policy="uniform"))
    assert uniform.mean() == pytest.approx(theory.mean(), abs=3 * _error(uniform - theory))
    assert optimal.mean() - uniform.mean() >= -3 * _error(optimal - uniform)
    told = rates_of(learnt.visits)
    assert ((told.low <= rates) & (rates <= told.high)).mean() >= 0.9


def _error(values: np.ndarray) -> float:
    """The standard error of a mean over pages."""
    return float(values.std(ddof=1) / np.sqrt(len(values)))


def archive(folder: Path, visits: dict[str, list[tuple[float, int, str]]]) -> Collection:
    """A collection of captures at given days: (day, status, body)."""
    collection = Collection.create(folder)
    with store_of(collection).writer("added") as writer:
        for url, told in visits.items():
            for day, status, body in told:
                headers = {"content-type": "text/html"} | ({"location": body} if 300 <= status < 400 else {})
                writer.append(Page(url, status, headers, body.encode(), START + timedelta(days=day)))
    return collection


VISITS = {
    "http://a.test/same": [(0, 200, "x"), (2, 200, "x"), (9, 200, "x")],
    "http://a.test/often": [(0, 200, "a"), (2, 200, "b"), (9, 200, "c")],
    "http://a.test/gone": [(0, 200, "g"), (9, 404, "")],
    "http://a.test/moved": [(0, 200, "m"), (9, 301, "http://a.test/there")],
    "http://a.test/new": [(9, 200, "n")],
    "http://a.test/down": [(0, 200, "d"), (9, 503, "busy")],
    "http://a.test/back": [(0, 200, "r"), (2, 404, ""), (9, 200, "r")],
}


def test_changes_since_a_day(tmp_path: Path) -> None:
    collection = archive(tmp_path / "a.web", VISITS)
    found = changes_of(collection, START + timedelta(days=5))
    assert {change.url[14:]: change.kind for change in found.changes} == {
        "often": "changed", "gone": "gone", "moved": "moved", "new": "new", "back": "new"}  # fmt: skip
    assert (found.unchanged, found.not_visited) == (1, 1)
    assert next(change.to for change in found.changes if change.kind == "moved") == "http://a.test/there"
    assert "<table>" in found.to_html("a <b>")
    assert "a &lt;b&gt;" in found.to_html("a <b>")
    with pytest.raises(UsageError, match="--since"):
        changes_of(collection)


def test_the_visits_of_a_page(tmp_path: Path) -> None:
    collection = archive(tmp_path / "a.web", VISITS)
    found = {name: [one.found for one in visits_of(collection, f"http://a.test/{name}")]
             for name in ("same", "often", "gone", "moved", "down", "back")}  # fmt: skip
    assert found == {
        "same": ["new", "unchanged", "unchanged"], "often": ["new", "changed", "changed"], "gone": ["new", "gone"],
        "moved": ["new", "moved"], "down": ["new", "failed"], "back": ["new", "gone", "changed"]}  # fmt: skip
    with pytest.raises(UnknownPageError):
        visits_of(collection, "http://a.test/never")


def test_the_plan_takes_what_changes_and_what_was_spent_counts(tmp_path: Path) -> None:
    store = store_of(archive(tmp_path / "a.web", VISITS))
    now = START + timedelta(days=9, hours=12)
    pages = pages_of(store, Budget(3, 1.0), now=now)
    assert pages.spent == 4
    assert plan(pages, Budget(3, 1.0)).urls == ()
    later = pages_of(store, Budget(3, 1.0), now=START + timedelta(days=12))
    chosen = plan(later, Budget(3, 1.0))
    assert len(chosen.urls) == 3
    assert "http://a.test/down" in chosen.urls  # longest not seen
    assert "http://a.test/moved" not in later.urls
    assert 0.0 < chosen.currency["now"] <= chosen.currency["within a day"] <= chosen.currency["within a week"] <= 1.0
    hinted = plan(later, Budget(1, 1.0), modified={"http://a.test/same": 0.5})
    assert hinted.urls == ("http://a.test/same",)


def test_budgets_are_read_as_people_write_them() -> None:
    assert Budget.parse("1,000 per Day") == Budget(1000, 1.0)
    assert Budget.parse("5000/week").a_day == pytest.approx(5000 / 7)
    for wrong in ("", "many", "0/day", "10/fortnight", "-1/day"):
        with pytest.raises(ParameterError):
            Budget.parse(wrong)


def test_a_refresh_visits_what_it_may_and_finds_what_changed(web, capsys) -> None:
    living = Living(honest_site(12), "etag")
    made = web(a=living)
    made.crawl("http://a.run.test/")
    living.pages["/4"] = "<p>another text"
    collection = Collection.open(made.folder)
    options = CrawlOptions(delay=0.0, connect_to=(f"*.run.test=127.0.0.1:{made.server.port}",))
    done = refresh(collection, Budget(12, 1.0), options)
    assert done.report is not None
    assert done.report.outcomes == {"OK": 1, "UNCHANGED": 11}
    assert done.plan.pages == 12
    assert refresh(collection, Budget(12, 1.0), options).report is None  # it is spent
    more = refresh(collection, Budget(17, 1.0), options).report
    assert more is not None
    assert sum(more.outcomes.values()) <= 5
    found = visits_of(collection, "http://a.run.test/4")
    assert [one.found for one in found] == ["new", "changed"]
    with pytest.raises(SystemExit):
        main(["changes", str(made.folder), "--since", "2020-01-01", "--json"])
    assert json.loads(capsys.readouterr().out)["new"] == 12
    with pytest.raises(SystemExit):
        main(["refresh", str(made.folder), "--dry-run", "--budget", "50/hour", "--json"])
    assert json.loads(capsys.readouterr().out)["spent"] >= 12
    with pytest.raises(SystemExit):
        main(["history", str(made.folder), "http://a.run.test/4"])
    assert "changed" in capsys.readouterr().out
