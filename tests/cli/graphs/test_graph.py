from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from periplus.cli.main import main
from periplus.collection import Collection, StageRecord
from periplus.graph import Graph
from periplus.graph.urls.table import UrlTable


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["graph", *map(str, arguments)])
    captured = capsys.readouterr()
    code = ended.value.code
    assert isinstance(code, int)
    return code, captured.out, captured.err


def run_json(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict:
    code, out, _ = run(capsys, *arguments, "--json")
    assert code == 0
    return json.loads(out)


@pytest.fixture
def links(tmp_path: Path) -> Path:
    path = tmp_path / "links.txt"
    path.write_text("# four pages\n0 1\n0 2\n1 1\n3 1\n0 1\n")
    return path


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """A graph folder with URLs: a home page with two children, and a page elsewhere."""
    table = UrlTable.from_urls(
        ["https://a.example/", "https://a.example/x", "https://a.example/y", "https://b.example/"]
    )
    Graph.from_edges(np.array([0, 0, 3]), np.array([1, 2, 0]), 4, urls=table).save(tmp_path / "web")
    return tmp_path / "web"


COUNTS = {"nodes": 4, "links": 4, "self_loops": 1, "dangling": 1, "max_in_degree": 3, "max_out_degree": 2}


def test_info(capsys: pytest.CaptureFixture[str], links: Path) -> None:
    facts = run_json(capsys, "info", links)
    assert {name: facts[name] for name in COUNTS} == COUNTS
    assert facts["format"] == "edge-list"
    assert len(facts["digest"]) == 64
    code, out, _ = run(capsys, "info", links)
    assert code == 0
    assert f"periplus graph top {links}" in out.splitlines()[-1]


def test_info_of_an_empty_graph(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "empty.tsv").write_text("")
    facts = run_json(capsys, "info", tmp_path / "empty.tsv")
    assert (facts["nodes"], facts["links"], facts["max_in_degree"]) == (0, 0, 0)


def test_info_of_a_webgraph(capsys: pytest.CaptureFixture[str], real_data) -> None:
    base = real_data("cnr-2000") / "cnr-2000"
    for target in (base, f"{base}.graph"):
        facts = run_json(capsys, "info", target)
        assert (facts["nodes"], facts["links"], facts["self_loops"]) == (325_557, 3_216_152, 87_442)
        assert facts["bits_per_link"] == pytest.approx(2.897, abs=0.001)


def test_info_of_a_collection(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    collection = Collection.create(tmp_path / "my.web")
    with collection.writing(), collection.new_generation("graph") as generation:
        Graph.from_edges(np.array([0]), np.array([1])).save(generation.path)
        generation.record = StageRecord("graph", {}, {}, {}, generation=generation.number)
    facts = run_json(capsys, "info", tmp_path / "my.web")
    assert (facts["format"], facts["nodes"], facts["links"]) == ("collection", 2, 1)


def test_convert_to_text_and_to_a_folder_and_back(
    capsys: pytest.CaptureFixture[str], links: Path, tmp_path: Path
) -> None:
    assert run_json(capsys, "convert", links, tmp_path / "folder")["links"] == 4
    assert (tmp_path / "folder" / "graph.json").exists()
    for name in ("out.tsv", "out.tsv.gz"):
        run_json(capsys, "convert", tmp_path / "folder", tmp_path / name)
        facts = run_json(capsys, "info", tmp_path / name)
        assert {key: facts[key] for key in COUNTS} == COUNTS
    assert (tmp_path / "out.tsv").read_text() == "0\t1\n0\t2\n1\t1\n3\t1\n"


def test_convert_within_a_budget(capsys: pytest.CaptureFixture[str], links: Path, tmp_path: Path) -> None:
    told = run_json(capsys, "convert", links, tmp_path / "folder", "--memory", "100MB", "--transpose")
    assert told["links"] == 4
    assert (tmp_path / "folder" / "in.sources.npy").exists()
    for arguments in ((links, tmp_path / "x.tsv"), (tmp_path / "folder", tmp_path / "again")):
        code, _, err = run(capsys, "convert", *arguments, "--memory", "100MB")
        assert code == 2
        assert "edge list" in err


def test_order_keeps_the_way_back(capsys: pytest.CaptureFixture[str], links: Path, tmp_path: Path) -> None:
    for name, original in (("ordered", "ordered/original.npy"), ("ordered.tsv", "ordered.tsv.original.npy")):
        told = run_json(capsys, "order", links, tmp_path / name, "--by", "degree")
        assert told["order"] == "degree"
        assert np.load(tmp_path / original).tolist() == [1, 2, 0, 3]
    code, _, err = run(capsys, "order", links, tmp_path / "no", "--by", "luck")
    assert code == 2
    assert "luck" in err


def test_top_and_neighbours(capsys: pytest.CaptureFixture[str], web: Path) -> None:
    assert run_json(capsys, "top", web, "--by", "out", "-n", 1)["pages"] == [
        {"id": 0, "out_degree": 2, "url": "https://a.example/"}
    ]
    near = run_json(capsys, "neighbours", web, "https://a.example/", "-n", 1)
    assert (near["out_degree"], near["in_degree"]) == (2, 1)
    assert near["out"] == [{"id": 1, "url": "https://a.example/x"}]
    assert near["in"] == [{"id": 3, "url": "https://b.example/"}]
    assert run_json(capsys, "neighbours", web, "0", "--direction", "in")["in"][0]["id"] == 3
    code, out, _ = run(capsys, "neighbours", web, "0")
    assert code == 0
    assert "links to 2 pages" in out
    code, out, _ = run(capsys, "top", web)
    assert code == 0
    assert "https://a.example/x" in out
    code, _, err = run(capsys, "neighbours", web, "https://nowhere.example/")
    assert code == 2
    assert "nowhere" in err


@pytest.mark.parametrize(
    ("options", "nodes", "links"),
    [
        (["--around", "https://b.example/"], 2, 1),
        (["--around", "3", "--depth", "2"], 4, 3),
        (["--around", "3", "--depth", "0"], 1, 0),
        (["--host", "a.example"], 3, 2),
        (["--site", "b.example"], 1, 0),
    ],
)
def test_extract(
    capsys: pytest.CaptureFixture[str], web: Path, tmp_path: Path, options: list[str], nodes: int, links: int
) -> None:
    told = run_json(capsys, "extract", web, tmp_path / "part", *options)
    assert (told["nodes"], told["links"]) == (nodes, links)
    assert Graph.open(tmp_path / "part").urls is not None


def test_extract_by_a_list(capsys: pytest.CaptureFixture[str], web: Path, tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_text("https://b.example/\n0\n")
    run_json(capsys, "extract", web, tmp_path / "part", "--ids", tmp_path / "ids.txt")
    part = Graph.open(tmp_path / "part")
    assert part.original_ids is not None
    assert part.original_ids.tolist() == [3, 0]
    assert part.has_edge(0, 1)


def test_extract_wants_one_way_to_choose(capsys: pytest.CaptureFixture[str], web: Path, tmp_path: Path) -> None:
    for options in ([], ["--host", "a.example", "--site", "a.example"], ["--host", "nowhere.example"]):
        code, _, err = run(capsys, "extract", web, tmp_path / "part", *options)
        assert code == 2
        assert err.startswith("periplus: ")
    assert not (tmp_path / "part").exists()


def test_bad_input_ends_in_one_line_and_leaves_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("0 1\n1 2\nnothing\n")
    code, out, err = run(capsys, "convert", tmp_path / "bad.txt", tmp_path / "out.tsv", "--json")
    assert code == 3
    assert json.loads(out)["error"] == "format"
    assert "line 3" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.txt"]
    code, out, err = run(capsys, "convert", tmp_path / "bad.txt", tmp_path / "out.tsv", "--lenient", "--json")
    assert code == 0
    assert json.loads(out)["links"] == 2
    assert "skipped 1" in err


def test_names_that_a_format_cannot_keep_are_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "named.csv").write_text("Source,Target\nhttp://a/,http://b/\n")
    _, _, err = run(capsys, "convert", tmp_path / "named.csv", tmp_path / "named.graphml")
    assert err == ""
    _, _, err = run(capsys, "convert", tmp_path / "named.csv", tmp_path / "ids.mtx")
    assert "no place for the names" in err
    assert "ids.mtx has ids only" in err


def test_a_target_that_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = run(capsys, "info", tmp_path / "absent")
    assert code == 3
    assert "does not exist" in err


def test_metis_holds_links_both_ways(capsys: pytest.CaptureFixture[str], links: Path, tmp_path: Path) -> None:
    code, _, err = run(capsys, "convert", links, tmp_path / "g.metis")
    assert code == 2
    assert "--symmetrise" in err
    written = run_json(capsys, "convert", links, tmp_path / "g.metis", "--symmetrise")
    assert written["links"] == 7  # three pairs both ways, and the self-link


def test_an_output_that_cannot_be_written_is_named_as_given(
    capsys: pytest.CaptureFixture[str], links: Path, tmp_path: Path
) -> None:
    (tmp_path / "folder.tsv").mkdir()
    for output in (tmp_path / "absent" / "g.tsv", links / "g.npz", tmp_path / "folder.tsv"):
        code, _, err = run(
            capsys, "convert", links, output, "--format", "npz" if output.suffix == ".npz" else "edge-list"
        )
        assert code == 3
        assert f"{output} cannot be written" in err


def test_a_list_of_pages_that_is_no_text(capsys: pytest.CaptureFixture[str], links: Path, tmp_path: Path) -> None:
    (tmp_path / "ids").write_bytes(b"\xff\xfe\x00")
    code, _, err = run(capsys, "extract", links, tmp_path / "part.tsv", "--ids", tmp_path / "ids")
    assert code == 2
    assert "is not allowed" in err
    code, _, err = run(capsys, "extract", links, tmp_path / "part.tsv", "--host", "a.example")
    assert code == 2
    assert "--host is for a graph with URLs" in err


def test_a_title_is_not_folded_to_a_narrow_table(capsys: pytest.CaptureFixture[str], links: Path) -> None:
    _, out, _ = run(capsys, "neighbours", links, 3)
    assert "3 links to 1 page" in out
