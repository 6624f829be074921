"""`periplus rank compare`, `stability` and `overturn`: several rankings, or one after a change."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.cli.ranking import failing, run
from tests.conftest import data_path

from periplus.graph.files import writing


def test_only_known_pictures_are_drawn_and_that_is_said_before_the_work(tmp_path, capsys):
    for name in ("x.jpg", "x.foo", "x"):
        code, _, err = failing(capsys, "compare", "pagerank", "hits", "no-such-graph", "--plot", str(tmp_path / name))
        assert code == 2
        assert "x.svg" in err
    assert list(tmp_path.iterdir()) == []


def test_compare_side_by_side_and_drawn(target, tmp_path):
    plot = tmp_path / "places.svg"
    found = json.loads(run("compare", "pagerank", "hits", "indegree", target, "--plot", str(plot), "--json"))
    assert found["methods"] == ["pagerank", "hits", "indegree"]
    assert np.array(found["kendall_tau"]).shape == (3, 3)
    assert found["top"][0]["indegree"]["id"] == 2
    assert plot.read_text().startswith("<svg")
    assert "Kendall" in run("compare", "pagerank", "hits", target)
    assert len(json.loads(run("compare", "pagerank", "hits", target, target, "--json"))["comparisons"]) == 2


def test_a_figure_for_print_says_how_it_is_set(target, tmp_path, capsys):
    pytest.importorskip("typst")
    plot = tmp_path / "places.pdf"
    run("compare", "pagerank", "hits", target, "--plot", str(plot), "--width-mm", "85")
    assert plot.read_bytes().startswith(b"%PDF-")
    run("compare", "pagerank", "hits", target, "--plot", str(tmp_path / "x.svg"), "--width-mm", "85")
    assert 'width="85mm"' in (tmp_path / "x.svg").read_text()
    code, _, err = failing(capsys, "compare", "pagerank", "hits", target, "--plot", str(plot), "--font", "No Such Font")
    assert code == 2
    assert "Libertinus Serif" in err


def test_names_of_pages_can_come_from_a_table(target, tmp_path, capsys):
    table = tmp_path / "names.tsv"
    table.write_text("#id\tset\tname\n0\tR\tfirst\n2\tR\tthird page\n")
    text = run("compare", "pagerank", "indegree", target, "--names", str(table))
    assert "third page" in text
    table.write_text("0\tfine\n9\tno such page\n")
    code, _, err = failing(capsys, "compare", "pagerank", "indegree", target, "--names", str(table))
    assert code == 3
    assert "line 2" in err


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".bz2", ".zst"])
def test_a_table_of_names_may_be_compressed_and_damage_is_named(suffix, target, tmp_path, capsys):
    table = tmp_path / f"names.tsv{suffix}"
    with writing(table) as stream:
        stream.write(b"0\tR\tfirst\n2\tR\tthird page\n")
    assert "third page" in run("compare", "pagerank", "indegree", target, "--names", str(table))
    whole = table.read_bytes()
    for damaged in (whole[:-9], whole[:8] + bytes(12) + whole[20:], b"no such data"):
        table.write_bytes(damaged)
        code, _, err = failing(capsys, "compare", "pagerank", "indegree", target, "--names", str(table))
        assert code == 3
        assert str(table) in err


def test_stability_and_overturn(target):
    found = json.loads(run("stability", "pagerank", target, "--add", "4,2", "--remove", "0,1", "--json"))
    assert found["links_changed"] == 2
    assert found["distance"] <= found["sharper_bound"] <= found["bound"]
    assert "eigengap before" in run("stability", "hits", target, "--share", "0.2")
    changed = json.loads(run("overturn", "hits", target, "--json"))
    assert changed["found"]
    assert changed["changes"][0]["action"] in ("add", "remove")
    assert "First before" in run("overturn", "hits", target)


def test_query_graph_of_tsaparas():
    """Known of this graph: HITS drifts into one host's tightly knit pages, SALSA does not."""
    edges = data_path("tsaparas-query-graphs") / "vintage-cars.edges.tsv.xz"
    found = json.loads(run("compare", "hits", "salsa", "indegree", str(edges), "--json"))
    assert found["rank_biased_overlap"][0][1] < 0.2 < 0.8 < found["rank_biased_overlap"][1][2]


@pytest.mark.parametrize("words", [("compare", "personalised", "hits"), ("stability", "distillation")])
def test_a_ranking_that_needs_more_than_its_name_is_refused(target, capsys, words):
    code, _, err = failing(capsys, *words, target)
    assert code == 2
    assert f"which only `periplus rank {words[1]}` takes" in err
