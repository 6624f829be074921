"""`periplus groups`, `graph collapse` and `graph convert --with`, as people call them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from periplus.cli.main import main
from periplus.graph import Graph, read_graph
from periplus.graph.formats import write_graph
from periplus.graph.urls.table import NameTable


@pytest.fixture
def target(tmp_path: Path) -> str:
    """Two camps of three pages on two hosts, one page without a camp."""
    names = [f"http://{host}.example/{page}" for host, page in zip("aaabbbb", range(7), strict=True)]
    graph = Graph.from_edges([0, 1, 2, 3, 4, 5, 0, 6], [1, 2, 0, 4, 5, 3, 3, 0], 7, urls=NameTable.from_names(names))
    path = tmp_path / "camps.graphml"
    write_graph(graph.described({"camp": [*["left"] * 3, *["right"] * 3, None], "hits": [0] * 7}), path)
    return str(path)


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main([str(one) for one in arguments])
    told = capsys.readouterr()
    return int(ended.value.code or 0), told.out, told.err


def test_groups_by_an_attribute(capsys: pytest.CaptureFixture[str], target: str, tmp_path: Path) -> None:
    table, plot = tmp_path / "g.csv", tmp_path / "g.svg"
    code, out, err = run(capsys, "groups", target, "--by", "camp", "--csv", table, "--plot", plot)
    assert code == 0
    assert "85.7 % of 7 links stay inside their group" in out
    assert "1 page in no group, with 1 link: left out" in err
    assert table.read_text().splitlines()[1] == "left,left,3,0.75,1.7142857142857142"
    assert "left → right: 25.0 %" in plot.read_text()
    told = json.loads(run(capsys, "groups", target, "--by", "camp", "--json")[1])
    assert told["links"] == [[3, 1], [0, 3]]
    assert told["by"] == "camp"


@pytest.mark.parametrize(("by", "groups"), [("host", 2), ("site", 2), ("tld", 1), ("component", 1), ("leiden", 2)])
def test_groups_by_what_is_worked_out(capsys: pytest.CaptureFixture[str], target: str, by: str, groups: int) -> None:
    assert len(json.loads(run(capsys, "groups", target, "--by", by, "--json")[1])["groups"]) == groups


def test_groups_of_a_file(capsys: pytest.CaptureFixture[str], target: str, tmp_path: Path) -> None:
    given = tmp_path / "camps.txt"
    given.write_text("x\ny\n\nx\ny\nx\ny\n")
    assert json.loads(run(capsys, "groups", target, "--by", given, "--json")[1])["pages"] == [3, 3]
    given.write_text("http://a.example/0\tx\n5\ty\n")
    assert json.loads(run(capsys, "groups", target, "--by", given, "--json")[1])["pages_in_none"] == 5
    given.write_text("x\ny\n")
    code, _, err = run(capsys, "groups", target, "--by", given)
    assert code == 3
    assert "2 lines for 7 pages" in err
    given.write_text("5\tx\n5\ty\n")
    assert "another group" in run(capsys, "groups", target, "--by", given)[2]


def test_what_is_no_group_is_answered_with_those_there_are(capsys: pytest.CaptureFixture[str], target: str) -> None:
    code, _, err = run(capsys, "groups", target, "--by", "leaning")
    assert code == 2
    assert "one of host, site, tld, camp, hits, region, component" in err


def test_many_groups_are_told(capsys: pytest.CaptureFixture[str], target: str, tmp_path: Path) -> None:
    given = tmp_path / "each.txt"
    given.write_text("\n".join("abcdefg"))
    err = run(capsys, "groups", target, "--by", given, "--most", 3)[2]
    assert "5 groups of 7 together as (others)" in err


def test_collapse(capsys: pytest.CaptureFixture[str], target: str, tmp_path: Path) -> None:
    code, out, _ = run(capsys, "graph", "collapse", target, tmp_path / "g.gexf", "--by", "camp")
    assert code == 0
    assert "Wrote 3 groups and 4 links" in out
    groups = read_graph(tmp_path / "g.gexf")
    assert list(groups.urls) == ["left", "right", "(none)"]
    assert groups.node_attributes["pages"].tolist() == [3, 3, 1]
    assert groups.link_attributes["weight"].tolist() == [3, 1, 3, 1]


def test_with_scores_and_labels(capsys: pytest.CaptureFixture[str], target: str, tmp_path: Path) -> None:
    out = tmp_path / "g.gml"
    code, _, err = run(capsys, "graph", "convert", target, out, "--with", "pagerank,hits,region,component,leiden")
    assert code == 0
    assert "attribute hits of the file gives way" in err
    kinds = {name: column.kind for name, column in read_graph(out).node_attributes.items()}
    assert kinds == {
        "camp": "text", "hits": "number", "pagerank": "number", "hits-hubs": "number", "region": "text",
        "component": "whole", "leiden": "whole",
    }  # fmt: skip
    from periplus.rank import pagerank

    assert read_graph(out).node_attributes["pagerank"].tolist() == pagerank(read_graph(target)).values.tolist()
    code, _, err = run(capsys, "graph", "convert", target, out, "--with", "pagerannk")
    assert code == 2
    assert "one of region, component" in err
    _, _, err = run(capsys, "graph", "convert", target, tmp_path / "g.mtx", "--with", "pagerank")
    assert "no place for attributes: camp, hits, pagerank left out" in err


def test_one_group_has_nothing_to_compare_with(capsys: pytest.CaptureFixture[str], target: str, tmp_path: Path) -> None:
    code, out, _ = run(capsys, "groups", target, "--by", "tld", "--plot", tmp_path / "g.svg")
    assert code == 0
    assert "8 links, and fewer than two groups" in out
    assert "nan" not in out + (tmp_path / "g.svg").read_text()
