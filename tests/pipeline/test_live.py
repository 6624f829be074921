"""WebWalker over real HTTP: shares that hold, one polite fetch a page, and nothing fetched that may not be."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from tests.webs.server import WebServer, response, site

from periplus.cli.collection.sample import sample
from periplus.crawl.options import CrawlOptions
from periplus.demo.server import running_demo
from periplus.errors import NetworkError
from periplus.pipeline.live import _LiveWeb, sample_web

ALPHA, BETA = 30, 10
EXTRA = {
    "/robots.txt": response("User-agent: *\nDisallow: /secret\n", content_type="text/plain"),
    "/moved": response(status="301 Moved Permanently", Location="/1"),
    "/picture": response(b"GIF89a", content_type="image/gif"),
    "/secret": "<p>nobody may read this</p>",
}


def url_of(page: int) -> str:
    return f"http://w.alpha/{page}" if page < ALPHA else f"http://w.beta/{page}"


def two_domains(canary: int) -> dict[str, Any]:
    """Three pages in four are in .alpha; links go both ways; every page also names things that are no pages."""
    rng = np.random.default_rng(3)
    count = ALPHA + BETA
    pairs = {(k, (k + 1) % count) for k in range(count)} | {tuple(rng.integers(0, count, 2)) for _ in range(60)}
    around: dict[int, set[int]] = {page: set() for page in range(count)}
    for one, other in pairs:
        around[one].add(int(other))
        around[other].add(int(one))
    aside = "".join(f'<a href="{path}">aside</a>' for path in ("/moved", "/picture", "/secret", "/gone"))
    aside += f'<a href="http://127.0.0.1:{canary}/">inside</a>'
    texts = {
        url_of(page): "".join(f'<a href="{url_of(there)}">page</a>' for there in near) + (aside if page < 6 else "")
        for page, near in around.items()
    }
    hosts = ("w.alpha", "w.beta")
    return {
        host: {url.removeprefix(f"http://{host}"): text for url, text in texts.items() if f"//{host}/" in url} | EXTRA
        for host in hosts
    }


@pytest.fixture(scope="module")
def server():
    with WebServer({}) as running:
        running.sites |= {host: site(pages) for host, pages in two_domains(running.canary_port).items()}
        yield running


def options(server: WebServer, **more: Any) -> CrawlOptions:
    where = tuple(f"*.{name}=127.0.0.1:{server.port}" for name in ("alpha", "beta"))
    return CrawlOptions(**{"scope": "any", "delay": 0.0, "connect_to": where, **more})


def test_shares_hold_and_every_page_is_fetched_once(server: WebServer) -> None:
    server.asked.clear()
    found = sample_web(url_of(0), options(server), walks=20, visits=60, mixing=40, seed=1)
    alpha = found.domains[".alpha"]
    assert alpha.low <= ALPHA / (ALPHA + BETA) <= alpha.high
    assert alpha.high - alpha.low < 0.4
    assert found.domains[".alpha"].value + found.domains[".beta"].value == pytest.approx(1.0)
    assert found.pages == ALPHA + BETA
    assert found.steps > found.visits * 100  # the stays were skipped, not walked
    times = Counter((asked.host, asked.path) for asked in server.asked)
    assert set(times.values()) == {1}


def test_what_is_no_page_is_no_page_and_what_is_forbidden_is_not_asked_for(server: WebServer) -> None:
    server.asked.clear()
    found = sample_web(url_of(0), options(server), walks=20, visits=60, mixing=40, seed=2)
    assert set(found.outcomes) == {"OK", "HTTP_301", "HTTP_404", "SKIP_TYPE", "BLOCKED_ROBOTS", "BLOCKED_ADDR"}
    assert found.outcomes["OK"] == found.pages
    assert "/secret" not in {asked.path for asked in server.asked}
    assert server.canary_hits == 0


def test_links_are_walked_both_ways_or_not_at_all(server: WebServer) -> None:
    async def look() -> dict[str, frozenset[str]]:
        web = _LiveWeb(options(server), url_of(0))
        await web.open()
        try:
            for page in np.random.default_rng(5).permutation(ALPHA + BETA):
                await web.neighbours(url_of(int(page)))
        finally:
            await web.close()
        return web._around

    around = asyncio.run(look())
    visited = set(around)
    for url, near in around.items():
        assert all(url in around[there] for there in near & visited)


def test_a_host_has_its_pause(server: WebServer) -> None:
    server.asked.clear()
    sample_web(url_of(0), options(server, delay=0.05, scope="host"), walks=2, visits=4, mixing=0)
    at = [asked.at for asked in server.asked if asked.host == "w.alpha"]
    assert len(at) > 3
    assert min(after - before for before, after in pairwise(at)) > 0.045
    assert not server.paths("w.beta")


def test_a_start_that_gives_no_page_is_told(server: WebServer) -> None:
    for start in ("http://w.alpha/gone", "http://w.alpha/secret", "http://127.0.0.1:9/"):
        with pytest.raises(NetworkError, match="returned no page"):
            sample_web(start, options(server), walks=2, visits=2)


def test_the_demonstration_web() -> None:
    with running_demo() as running:
        where = CrawlOptions(scope="any", delay=0.0, connect_to=(f"*.example=127.0.0.1:{running.port}",))
        found = sample_web(running.web.seeds[0], where, walks=8, visits=15, mixing=15)
    assert list(found.domains) == [".example"]
    assert 40 < found.pages <= found.fetched <= 8 * 30
    assert found.links_a_page.low <= found.links_a_page.value <= found.links_a_page.high
    assert found.bytes_a_page.value > 500
    assert json.loads(json.dumps(found.to_dict()))["visits"] <= 8 * 15


def test_the_command(server: WebServer) -> None:
    where = [arg for name in ("alpha", "beta") for arg in ("--connect-to", f"*.{name}=127.0.0.1:{server.port}")]
    walk = [url_of(0), "--walks", "3", "--visits", "5", "--mixing", "2", "--delay", "0", "--scope", "any", *where]
    told = CliRunner().invoke(sample, walk)
    assert told.exit_code == 0, told.output
    assert "pages in .alpha, %" in told.output
    assert "Next: `periplus crawl" in told.output
    found = json.loads(CliRunner().invoke(sample, [*walk, "--json"]).output)
    assert found["domains"][".alpha"]["low"] <= found["domains"][".alpha"]["value"]
