"""`periplus related` on a graph file, a graph with URLs, and a collection."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from periplus.cli.main import main
from periplus.cli.similar.related import related
from periplus.graph.graph import Graph
from periplus.graph.urls.table import NameTable
from periplus.pipeline.graphs import open_graph

ENDS = np.array([(0, 2), (0, 3), (1, 2), (1, 3), (1, 4)])
NAMES = [f"http://h{page}.example/a/p" for page in range(5)]


@pytest.fixture
def target(tmp_path: Path) -> str:
    path = tmp_path / "small.graph"
    Graph.from_edges(*ENDS.T, 5, urls=NameTable.from_names(NAMES)).save(path)
    return str(path)


def run(*arguments: str) -> str:
    found = CliRunner().invoke(related, list(arguments), catch_exceptions=False)
    assert found.exit_code == 0, found.output
    return found.output


@pytest.mark.parametrize("page", ["2", NAMES[2]])
def test_json_has_the_promised_shape(target: str, page: str) -> None:
    found = json.loads(run(target, page, "--json", "--top", "1"))
    assert found["method"] == "companion"
    assert found["of"] == [{"id": 2, "url": NAMES[2]}]
    assert [set(one) for one in found["results"]] == [{"id", "url", "score", "why"}]
    assert found["results"][0]["url"] == NAMES[3]


def test_a_graph_file_without_urls_is_asked_by_id(tmp_path: Path) -> None:
    path = tmp_path / "small.tsv"
    path.write_text("".join(f"{one}\t{other}\n" for one, other in ENDS))
    found = json.loads(run(str(path), "2", "--method", "cocitation", "--json"))
    assert found["results"] == [
        {"id": 3, "url": None, "score": 2.0, "why": "2 pages link to both, among them page 0, page 1"}
    ]


def test_people_see_a_table_and_the_reasons_when_they_ask(target: str) -> None:
    plain = run(target, NAMES[2])
    assert NAMES[3] in plain
    assert "link to both" not in plain
    assert "--why" in plain
    assert "link to both" in run(target, NAMES[2], "--why")
    assert "--set back=9 --why" in run(target, NAMES[2], "--set", "back=9")
    assert "No page is like 0 by cocitation. Other methods: companion" in run(target, "0", "--method", "cocitation")


def test_the_graph_of_an_association_is_written_with_its_weights(target: str, tmp_path: Path) -> None:
    out = tmp_path / "links.graphml"
    assert NAMES[3] in run(target, "0", "--method", "association-links", "--out", str(out))
    out.unlink()
    assert run(target, "--method", "association-links", "--out", str(out)) == ""
    graph = open_graph(out)
    assert (graph.nodes, graph.links) == (5, 10)
    assert set(graph.link_attributes["weight"].values.tolist()) == {1.0}


def test_a_longer_url_is_chopped_up_and_the_note_says_so(target: str) -> None:
    assert f"Note: {NAMES[2]}/x is not here: {NAMES[2]} stands for it." in run(target, NAMES[2] + "/x")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["99"], 2, "page ids from 0 to 4 or URLs"),
        (["http://nowhere.example/"], 2, "is not here, nor is any page above it"),
        (["2", "--set", "back=0"], 2, "back = 0 is not allowed: 1 ≤ back"),
        (["2", "--set", "bakc=3"], 2, "did you mean back?"),
        (["2", "--set", "back"], 2, "is not NAME=VALUE"),
        (["2", "--method", "magic"], 2, "companion"),
        (["2", "--top", "0"], 2, "top"),
        ([], 2, "Missing argument 'PAGES...'"),
        (["2", "--out", "x.gexf"], 2, "companion makes no graph; these do: association-links"),
    ],
)
def test_bad_input_is_one_line(
    target: str, arguments: list[str], code: int, words: str, capsys: pytest.CaptureFixture
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["related", target, *arguments])
    assert ended.value.code == code
    err = capsys.readouterr().err
    assert words in err
    assert "Traceback" not in err
