"""A rule is one class and one row: a scratch rule works in a real crawl, through all its hooks."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.webs.server import Asked, Writer, honest_site, not_found, response, site

from periplus.crawl.outcome import Outcome
from periplus.crawl.rules import RULES
from periplus.crawl.rules.rule import Crawl, End, Postpone, Rule
from periplus.crawl.visit import Source, Visit

MANUAL = Path(__file__).parents[3] / "docs" / "crawling.md"
FRONT = "".join(f"<a href='/{name}'>x</a>" for name in ("refused", "ended", "later", "known", "plain"))
PAGES = {"/": FRONT, **{f"/{name}": f"<p>{name}</p>" for name in ("refused", "ended", "later", "plain", "added")}}


class Scratch(Rule):
    """Does one of everything that a rule may do."""

    made: Scratch

    def __init__(self, crawl: Crawl) -> None:
        super().__init__(crawl)
        self.fetched: list[str] = []
        self.sources: list[str | None] = []
        self.postponed = 0
        Scratch.made = self

    def admit(self, urls: list[str], source: Source) -> list[str]:
        self.sources.append(source.page.url if source.page else None)
        added = [url.replace("/plain", "/added") for url in urls if url.endswith("/plain")]
        return [url for url in urls if not url.endswith("/refused")] + added

    async def before_fetch(self, visit: Visit) -> Visit | End | Postpone:
        if visit.url.endswith("/ended"):
            return End(Outcome.FILTER_URL, "the scratch rule ends it")
        if visit.url.endswith("/later") and not self.postponed:
            self.postponed += 1
            return Postpone(0.01)
        if visit.url.endswith("/known"):
            return replace(visit, outcome=Outcome.ERR_DNS, reason="known without asking")
        return replace(visit, headers={"X-Scratch": "yes"})

    def after_fetch(self, visit: Visit) -> Visit:
        self.fetched.append(visit.url.rpartition("/")[2])
        return visit


def test_a_scratch_rule_works_in_a_real_crawl(web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULES, 650, Scratch)
    here = web(a=site(PAGES))
    report = here.crawl("http://a.run.test/")
    assert sorted(here.server.paths("a.run.test")) == ["/", "/added", "/later", "/plain"]
    assert report.outcomes == {"OK": 4, "FILTER_URL": 1, "ERR_DNS": 1}
    assert sorted(Scratch.made.fetched) == ["", "added", "known", "later", "plain"]
    assert Scratch.made.sources == [None, "http://a.run.test/"]
    assert here.log()["a/ended"]["reason"] == "the scratch rule ends it"
    assert here.log()["a/known"]["reason"] == "known without asking"
    sent = {asked.path: asked.headers.get("X-Scratch") for asked in here.server.asked}
    assert sent == {"/robots.txt": None, "/": "yes", "/added": "yes", "/later": "yes", "/plain": "yes"}


def test_the_rules_in_front_decide_first(web, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    class Last(Rule):
        async def before_fetch(self, visit: Visit) -> Visit:
            seen.append(visit.url)
            return visit

    monkeypatch.setitem(RULES, 999, Last)
    rules = response("User-agent: *\nDisallow: /private\n", content_type="text/plain")
    here = web(a=site({"/robots.txt": rules, "/": "<a href='/private'>p</a>", "/private": "x"}))
    here.crawl("http://a.run.test/")
    assert seen == ["http://a.run.test/"]


def test_a_host_that_fails_is_left_for_the_next_run(web) -> None:
    async def fails(asked: Asked, writer: Writer) -> None:
        if asked.path == "/robots.txt":
            await not_found(asked, writer)
        elif asked.path == "/":
            writer.write(response("".join(f"<a href='/{i}'>x</a>" for i in range(40))))
        else:
            writer.close()

    here = web(a=fails, b=site(honest_site(3)))
    report = here.crawl("http://a.run.test/", "http://b.run.test/", retries=0, concurrency=1)
    assert report.deferred_hosts == ("a.run.test: 10 failures in a row, the last ERR_CONNECT",)
    assert report.outcomes == {"OK": 4, "ERR_CONNECT": 10}
    assert report.waiting == 30


def test_a_host_that_has_given_enough_pages_gives_no_more(web) -> None:
    """Pages count once they are committed, so those under way come on top."""
    here = web(a=site(honest_site(400)))
    report = here.crawl("http://a.run.test/", max_host_pages=8, concurrency=1)
    assert 8 <= report.pages < 100
    assert report.outcomes["FILTER_TRAP"] >= 1
    assert report.waiting == 0


def test_the_manual_lists_every_rule() -> None:
    rows = re.findall(r"^\| (\d+) \| `(\w+)` \|", MANUAL.read_text(), re.MULTILINE)
    assert [(int(number), name) for number, name in rows] == [(n, RULES[n].__name__) for n in sorted(RULES)]


def test_patterns_choose_urls_but_never_drop_a_seed(web) -> None:
    pages = {"/": "".join(f"<a href='{path}'>x</a>" for path in ("/docs/a", "/docs/tag/b", "/blog/c"))}
    pages |= {path: f"<p>{path}</p>" for path in ("/docs/a", "/docs/tag/b", "/blog/c")}
    here = web(a=site(pages))
    here.crawl("http://a.run.test/", include=(r"/docs/", r"/wiki/"), exclude=(r"/tag/",))
    assert sorted(here.server.paths("a.run.test")) == ["/", "/docs/a"]


def test_the_target_of_a_redirected_seed_is_fetched_whatever_the_patterns_say(web) -> None:
    here = web(a=site({"/": response(status="301 Moved", Location="/home"), "/home": "<a href='/x'>x</a>"}))
    here.crawl("http://a.run.test/", include=("nothing",))
    assert sorted(here.server.paths("a.run.test")) == ["/", "/home"]
