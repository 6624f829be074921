"""End to end over real HTTP: the demonstration web crawled, built, searched and served as a stranger would."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.serve.client import Client
from tests.serve.test_pages import Markup

from periplus.collection import Collection
from periplus.demo.web import DemoWeb
from periplus.library import open_library
from periplus.library.sites import best_of_sites
from periplus.serve.app import create_app


def periplus(*arguments: str | Path, code: int = 0) -> str:
    command = [sys.executable, "-m", "periplus.cli.main", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == code, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def charted(tmp_path_factory) -> Path:
    target = tmp_path_factory.mktemp("demo") / "demo.web"
    found = json.loads(periplus("demo", "--no-serve", "--into", target, "--json"))
    assert found["collection"] == str(target)
    assert len(found["searches"]) == 3
    assert all(search["total"] for search in found["searches"])
    return target


@pytest.fixture(scope="module")
def web() -> DemoWeb:
    return DemoWeb()


def test_the_crawled_graph_is_the_true_graph_link_for_link(charted: Path, web: DemoWeb) -> None:
    graph = open_library(charted).graph
    urls = [graph.urls[page] for page in range(graph.nodes)]
    edges = {(urls[page], urls[target]) for page in range(graph.nodes) for target in graph.successors(page)}
    assert edges == web.true_edges()
    assert set(urls) == set(web.reachable)


def test_the_page_known_only_by_what_others_call_it_is_found(charted: Path, web: DemoWeb) -> None:
    found = json.loads(periplus("search", charted, f'"{web.facts.anchor_only_phrase}"', "--json"))
    assert set(found) >= {"query", "total", "ms", "results"}
    best = found["results"][0]
    assert best["url"] == web.facts.anchor_only
    assert set(best) >= {"rank", "url", "title", "score", "snippet", "why"}
    assert web.facts.anchor_only_phrase in best["why"]
    assert web.facts.anchor_only_phrase.encode() not in web.pages[web.facts.anchor_only].body


def test_info_tells_what_is_there(charted: Path, web: DemoWeb) -> None:
    found = json.loads(periplus("info", charted, "--json"))
    assert found["pages"] == len(web.reachable)
    assert found["links"] == len(web.true_edges())
    assert found["sites"] >= 48
    assert {stage["state"] for stage in found["stages"].values()} == {"current"}
    assert found["hosts"] >= 48


def test_built_again_nothing_is_done(charted: Path) -> None:
    assert json.loads(periplus("build", charted, "--json"))["ran"] == []
    assert "up to date" in periplus("build", charted)


def test_verify_finds_it_sound_and_then_a_flipped_bit(charted: Path, tmp_path: Path) -> None:
    assert json.loads(periplus("verify", charted, "--json"))["sound"]
    copy = tmp_path / "copy.web"
    shutil.copytree(charted, copy)
    victim = max((copy / "graph").rglob("*"), key=lambda path: path.stat().st_size if path.is_file() else 0)
    data = bytearray(victim.read_bytes())
    data[len(data) // 2] ^= 1
    victim.write_bytes(data)
    found = json.loads(periplus("verify", copy, "--json", code=4))
    assert not found["sound"]
    assert victim.name in found["problems"][0]


def test_mirrors_are_found_once_with_their_copies(charted: Path, web: DemoWeb) -> None:
    library = open_library(charted)
    page, mirror = next(iter(web.facts.mirrors.items()))
    ids = [library.graph.urls.find(page), library.graph.urls.find(mirror)]
    assert len({int(library.links.representatives[i]) for i in ids}) == 1


def test_a_deleted_stage_is_made_again_and_nothing_else(charted: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.web"
    shutil.copytree(charted, copy)
    shutil.rmtree(copy / "scores")
    assert json.loads(periplus("build", copy, "--json"))["ran"] == ["scores"]


def test_a_killed_build_leaves_the_old_generation_and_goes_on(charted: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.web"
    shutil.copytree(charted, copy)
    (copy / "manifest.json").unlink()
    shutil.rmtree(copy / "parsed")
    process = subprocess.Popen(
        [sys.executable, "-m", "periplus.cli.main", "build", str(copy)], stderr=subprocess.DEVNULL
    )
    try:
        process.wait(timeout=2.5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    periplus("build", copy)
    before, after = Collection.open(charted).stages(), Collection.open(copy).stages()
    assert after["graph"].counts["digest"] == before["graph"].counts["digest"]
    assert json.loads(periplus("verify", copy, "--json"))["sound"]


BAD = [
    (["search", "{web}", "("], 2),
    (["search", "{web}", "(" * 10_000], 2),
    (["search", "{web}", "?!"], 2),
    (["search", "{tmp}/nowhere", "words"], 4),
    (["info", "{tmp}"], 4),
    (["build", "{tmp}/nowhere"], 4),
    (["verify", "{tmp}"], 4),
    (["serve", "{tmp}"], 4),
    (["crawl", "{tmp}/new.web", "not a url"], 2),
    (["crawl", "{tmp}/new.web", "ftp://files.example/"], 2),
    (["crawl", "{tmp}/new.web", "http://nobody.invalid/"], 2),
    (["crawl", "{tmp}/new.web", "http://nobody.invalid/", "--contact", "me@home.test"], 6),
    (["add", "{tmp}/new.web", "{tmp}/no-such-file.warc"], 3),
    (["nonsense"], 2),
    (["search", "{web}"], 2),
]


@pytest.mark.parametrize(("arguments", "code"), BAD, ids=lambda value: str(value)[:40])
def test_bad_input_gets_one_line_and_an_exit_code(
    charted: Path, tmp_path: Path, arguments: list[str], code: int
) -> None:
    filled = [argument.format(web=charted, tmp=tmp_path) if "{" in argument else argument for argument in arguments]
    command = [sys.executable, "-m", "periplus.cli.main", *filled]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == code, done.stderr
    if code:
        lines = [line for line in done.stderr.splitlines() if line.startswith("periplus: ")]
        assert len(lines) == 1
        assert "Traceback" not in done.stderr
        told = subprocess.run([*command, "--json"], capture_output=True, text=True, timeout=120)
        assert json.loads(told.stdout)["exit_code"] == code


def test_a_page_that_asks_not_to_be_indexed_is_found_at_home_and_not_in_public(charted: Path, web: DemoWeb) -> None:
    title = f'"{web.pages[web.facts.noindex].title}"'
    at_home = open_library(charted).searcher.search(title)
    assert web.facts.noindex in [result.url for result in at_home.results]
    in_public = open_library(charted, public=True).searcher.search(title)
    assert web.facts.noindex not in [result.url for result in in_public.results]


def test_the_text_of_a_page_that_asks_not_to_be_indexed_is_shown_at_home_only(charted: Path, web: DemoWeb) -> None:
    assert open_library(charted).stored_text(web.facts.noindex)
    assert open_library(charted, public=True).stored_text(web.facts.noindex) is None
    assert open_library(charted, public=True).stored_text(web.seeds[0])


# What no visible text may say, and what is wrong with it.
UNSAID = {
    "one of several": r"(?<![\d.,–])1 (pages|sites|links|copies|characters|other sites|more sites|URLs|words)\b",
    "several of one": r"\b(0|[2-9]|\d{2,}|\d,\d{3}) (page|site|link|character|other site)\b(?! link)",
    "a verb of one": r"(?<![\d.,])(0|[2-9]|\d{2,}) (pages|sites|other sites) links\b",
    "a capital in a URL": r"\bHttps?://",
    "the best of all": r"best 100 %|100 % by|best over 99",
    "a name of the machine": r"\b(hits-hubs|salsa-hubs|pagerank|indegree|scc|wcc)\b",
    "too many digits of a time": r"\d\.\d\d+ (ms|s|seconds)\b",
    "an empty number": r"\bnan\b|\bNone\b|\binf\b",
}


def test_every_page_reads_as_a_person_writes(charted: Path, web: DemoWeb) -> None:
    library = open_library(charted)
    client = Client(create_app(library, rate=1e9, burst=1e9))
    assert client.get("/structure.json").status == 200  # measured, so that the page has all to show
    urls = [library.graph.urls[page] for page in range(0, library.graph.nodes, 97)]
    asked = ["lens lightship", "lens xylophone", "xylophone", "the of keeper", "site:fresnel.example", "lighthous*"]
    rankers = library.searcher.rankers.names
    paths: list[tuple[str, dict[str, str]]] = [("/", {}), ("/sites", {}), ("/lab", {}), ("/structure", {})]
    paths += [("/search", {"q": query, "ranker": ranker}) for query in asked for ranker in rankers]
    paths += [("/page", {"url": url}) for url in [*urls, "http://not.here/"]]
    paths += [(f"/site/{host}", {}) for host in sorted({url.split("/")[2] for url in urls})[:20]]
    for path, parameters in paths:
        page = client.get(path, params=parameters).text
        page = re.sub(r'<div class="prose".*?</div>|<p class="snippet".*?</p>', "", page, flags=re.DOTALL)
        said = " ".join(Markup(page).text.split())
        for wrong, pattern in UNSAID.items():
            found = re.search(pattern, said)
            assert found is None, (path, parameters, wrong, said[max(0, found.start() - 60) : found.end() + 60])


def test_an_empty_answer_speaks_of_the_words_asked_and_leads_on(charted: Path) -> None:
    client = Client(create_app(open_library(charted), rate=1e9, burst=1e9))
    page = Markup(client.get("/search", params={"q": "lightshixx xylophone site:fresnel.example"}).text).text
    assert "No page has “lightshixx” or “xylophone”." in page
    assert "lightshi* words that begin so" in page
    found = Markup(client.get("/search", params={"q": "lens xylophone"}).text).text
    assert "No page has “xylophone”: these have other words of yours." in found


def test_the_first_page_offers_three_subjects_each_with_a_titled_page_of_its_own(charted: Path) -> None:
    library = open_library(charted)
    client = Client(create_app(library, rate=1e9, burst=1e9))
    offered = re.findall(
        r'<a href="(/tree/\d+)">([^<]+)</a>.*?class="first" href="([^"]+)" dir="auto">([^<]+)<',
        client.get("/").text,
        re.S,
    )
    assert [len(set(column)) for column in zip(*offered, strict=True)] == [3, 3, 3, 3]
    for tree, name, page, title in offered:
        assert name in client.get(tree).text
        assert title in client.get(page.replace("&amp;", "&")).text
        assert not title.startswith(("/", "http"))
    ports = best_of_sites(library)
    assert len(ports) == len({port.title for port in ports}) == len({port.site for port in ports}) == 3
