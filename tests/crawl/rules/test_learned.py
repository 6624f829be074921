"""Traps are learned while crawling, without a rule for any of them; honest pages are not lost."""

from __future__ import annotations

import pytest
from tests.webs.endless import HONEST, TRAPS
from tests.webs.server import honest_site, site

SEED = "http://a.run.test/"


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_costs_at_most_sixty_pages(web, name: str) -> None:
    here = web(a=TRAPS[name])
    report = here.crawl(SEED, concurrency=4, max_host_pages=400)
    log = here.log()
    got = [url for url, record in log.items() if record["outcome"] in ("OK", "DUP")]
    articles = {url.partition("?")[0] for url in got if "/article/" in url}
    assert len(articles) == HONEST
    assert len(got) - HONEST - 1 <= 60
    assert len(report.learned) == 1


def test_what_was_learned_is_known_in_the_next_run(web) -> None:
    here = web(a=TRAPS["calendar"])
    here.crawl(SEED, concurrency=4)
    asked = len(here.server.asked)
    here.crawl(SEED, "http://a.run.test/cal/2030/01/01", concurrency=4)
    assert len(here.server.asked) == asked + 1  # the new seed, but nothing that it leads to


def test_a_trap_is_fetched_where_the_user_says_so(web) -> None:
    here = web(a=TRAPS["tarpit"])
    assert here.crawl(SEED, concurrency=4, learn=False, max_pages=200).pages >= 200


def test_honest_pages_that_differ_in_numbers_alone_are_all_fetched(web) -> None:
    here = web(a=site(honest_site(300)))
    assert here.crawl(SEED).outcomes == {"OK": 300}
    listed = {"/": "".join(f"<a href='/item/{i}'>item {i}</a>" for i in range(300))}
    items = {f"/item/{i}": f"<p>item {i}</p><a href='/'>up</a>" for i in range(300)}
    there = web(a=site({**listed, **items}))
    there.folder = here.folder.with_name("other.web")
    assert there.crawl(SEED).outcomes == {"OK": 301}


def test_a_parameter_that_matters_once_is_kept(web) -> None:
    """Nine pages say the same whatever the view is; the tenth differs by it."""
    pages = {f"/{i}?view={v}": f"<p>page {i}</p>" for i in range(9) for v in "ab"}
    pages |= {"/0?view=c": "<p>page in another view</p>"}
    first = "".join(f"<a href='{path}'>x</a>" for path in ["/0?view=a", "/0?view=c", *pages])
    here = web(a=site({**pages, "/": first}))
    assert here.crawl(SEED, concurrency=1).pages == len(pages) + 1
