"""`periplus usage` over a collection and logs made for it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from periplus.cli.main import main
from periplus.cli.similar.related import related
from periplus.cli.similar.usage import usage
from periplus.collection import Collection
from periplus.pipeline import build
from periplus.pipeline.gather import add_pages
from periplus.pipeline.stages.graph import load_links
from periplus.pipeline.stages.similar import load_flow
from periplus.similar.usage.flow import Flow

HOST = "http://shop.example"
PAGES = {
    "/": '<a href="/maps">maps</a><a href="/about">about</a>',
    "/maps": '<a href="/charts">charts</a>',
    "/charts": '<a href="/harbour">harbour</a>',
    "/harbour": "The harbour chart.",
    "/about": "About us.",
}


def line(address: str, minute: int, path: str, referrer: str = "-", agent: str = "Mozilla/5.0") -> str:
    when = f"10/Oct/2026:13:{minute:02}:00 +0000"
    return f'{address} - - [{when}] "GET {path} HTTP/1.1" 200 512 "{referrer}" "{agent}"\n'


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("usage") / "shop.web"
    add_pages(target, {HOST + path: f"<html><title>{path}</title>{body}</html>" for path, body in PAGES.items()})
    build(Collection.open(target))
    return target


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "access.log.gz"
    people = "".join(
        line(f"203.0.113.{person}", at, page)
        for person in range(6)
        for at, page in enumerate(("/", "/maps", "/charts", "/harbour", "/style.css"))
    )
    jump = line("203.0.113.9", 1, "/about") + line("203.0.113.9", 2, "/harbour")
    path.write_bytes(gzip.compress((people + jump + line("203.0.113.77", 3, "/", agent="Googlebot/2.1")).encode()))
    return path


def run(*arguments: str) -> str:
    found = CliRunner().invoke(usage, list(arguments), catch_exceptions=False)
    assert found.exit_code == 0, found.output
    return found.output


def test_the_flow_and_what_it_says_of_the_links(web: Path, log: Path) -> None:
    found = json.loads(run(str(web), str(log), "--json"))
    assert (found["host"], found["paths"], found["steps"]) == ("shop.example", 7, 19)
    assert found["counts"] == {"lines": 33, "robots": 1, "page views": 26, "not of this collection": 6}
    assert found["off_the_links"] == [{"from": HOST + "/about", "to": HOST + "/harbour", "people": 1}]
    assert found["unused_links"] == [{"from": HOST + "/", "to": HOST + "/about", "visits": 6}]
    assert found["suggestions"][0] == {"from": HOST + "/", "to": HOST + "/harbour", "paths": 6, "clicks": 12}
    assert found["trial"]["share_shortened"] == 1.0


def test_pages_that_people_reach_without_links(web: Path, log: Path) -> None:
    found = json.loads(run(str(web), str(log), "--json"))
    assert found["without_links"] == [
        {"page": HOST + "/", "people": 6, "visits": 6},
        {"page": HOST + "/about", "people": 1, "visits": 1},
        {"page": HOST + "/harbour", "people": 1, "visits": 7},
    ]


def test_click_paths_over_a_graph_and_over_a_collection(web: Path, tmp_path: Path) -> None:
    graph, clicks = tmp_path / "small.tsv", tmp_path / "paths.tsv"
    graph.write_text("0\t1\n1\t2\n2\t3\n")
    clicks.write_text("# user\tpath\tgoal\na1\t0;1;2\tx\nb2\t0;1;<;1;2\ty\nc3\t3;9;1\tz\n")
    found = json.loads(run(str(graph), str(clicks), "--paths", "--json"))
    assert (found["paths"], found["steps"]) == (4, 6)
    assert found["counts"] == {"lines": 3, "page views": 9, "not of this collection": 1}
    assert found["suggestions"][0] == {"from": "0", "to": "2", "paths": 2, "clicks": 4}
    assert found["off_the_links"] == [{"from": "1", "to": "0", "people": 1}]
    clicks.write_text(f"{HOST}/\t{HOST}/maps\n")
    out = tmp_path / "flow.gexf"
    assert json.loads(run(str(web), str(clicks), "--paths", "--json", "--out", str(out)))["steps"] == 1


def test_a_build_takes_the_steps_along(web: Path, log: Path) -> None:
    run(str(web), str(log))
    before = load_flow(Collection.open(web), load_links(Collection.open(web)).graph)
    folder = Collection.open(web).current("similar")
    add_pages(web, {HOST + "/aardvark": "<html>A page whose id comes before those of the others.</html>"})
    build(Collection.open(web))
    assert Collection.open(web).current("similar") != folder
    graph = load_links(Collection.open(web)).graph
    after = load_flow(Collection.open(web), graph)
    assert steps_by_name(before) == steps_by_name(after)
    assert after.visits[graph.urls.find(HOST + "/harbour")] == 7
    assert after.starts.sum() == before.starts.sum()


def steps_by_name(flow: Flow) -> dict:
    sources = np.repeat(np.arange(flow.graph.nodes), flow.graph.out_degrees).tolist()
    pairs = zip(sources, flow.graph.out_targets.tolist(), flow.counts.tolist(), strict=True)
    return {(flow.graph.urls[source], flow.graph.urls[target]): count for source, target, count in pairs}


def test_nothing_of_an_address_is_stored(web: Path, log: Path, tmp_path: Path) -> None:
    out = tmp_path / "flow.gexf"
    told = run(str(web), str(log), "--key", "secret", "--out", str(out))
    assert "Links that would save clicks" in told
    assert out.exists()
    for path in [out, *web.rglob("*")]:
        if path.is_file():
            assert b"203.0.113" not in path.read_bytes()
    assert "203.0.113" not in told


def test_pages_that_people_visit_together(web: Path, log: Path) -> None:
    run(str(web), str(log))
    command = [str(web), HOST + "/maps", "--method", "association-usage", "--why"]
    found = CliRunner().invoke(related, command, catch_exceptions=False)
    assert "6 people went from one to the other" in found.output


@pytest.mark.parametrize(
    ("text", "options", "code", "words"),
    [
        ("no log at all\n", [], 3, "Common or Combined Log Format"),
        (line("192.0.2.1", 1, "/other-site"), [], 3, "none of the 1 lines asks for a page of shop.example"),
        (line("192.0.2.1", 1, "/"), ["--host", "elsewhere.example"], 3, "Is this the log of another site?"),
        ("", [], 3, "none of the 0 lines"),
        (line("192.0.2.1", 1, "/"), ["--key", "k" * 65], 2, "1 to 64 bytes"),
        ("a;b;c\n", ["--paths"], 3, "none of the 1 lines names a page of"),
        ("x" * (1 << 20) + "\n", ["--paths"], 3, "none of the 0 lines names a page of"),
        ("a;b;c\n", ["--paths", "--key", "k"], 2, "--host and --key are for logs"),
    ],
)
def test_bad_input_is_one_line(
    web: Path, tmp_path: Path, text: str, options: list[str], code: int, words: str, capsys: pytest.CaptureFixture
) -> None:
    path = tmp_path / "access.log"
    path.write_text(text)
    with pytest.raises(SystemExit) as ended:
        main(["usage", str(web), str(path), *options])
    err = capsys.readouterr().err
    assert words in err
    assert (ended.value.code, "Traceback" in err) == (code, False)
    with pytest.raises(SystemExit) as ended:
        main(["usage", str(web), str(tmp_path / "nothing.log")])
    assert ended.value.code == 3


def test_without_a_log_there_are_no_paths(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    target = tmp_path / "new.web"
    add_pages(target, {HOST + "/": "<html>Hello there</html>"})
    build(Collection.open(target))
    with pytest.raises(SystemExit) as ended:
        main(["related", str(target), "0", "--method", "association-usage"])
    assert ended.value.code == 4
    assert "periplus usage" in capsys.readouterr().err
