"""`periplus model`: every row of the table is a command; what it writes is the graph that the library grows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from periplus.cli.graphs.model import model
from periplus.graph.formats import read_graph
from periplus.models import MODELS


def run(*arguments: str):
    return CliRunner().invoke(model, list(arguments), catch_exceptions=True)


def test_list_names_every_model_with_its_ranges() -> None:
    listed = json.loads(run("list", "--json").output)["models"]
    assert [entry["name"] for entry in listed] == list(MODELS)
    for entry in listed:
        for parameter in entry["parameters"]:
            assert parameter["range"]
            assert parameter["help"]
    assert all(name in run("list").output for name in MODELS)


@pytest.mark.parametrize("ending", ["tsv", "npz", "mtx", "metis", "gml", ""])
def test_the_ending_chooses_the_format(tmp_path: Path, ending: str) -> None:
    target = tmp_path / ("graph" + (f".{ending}" if ending else ""))
    name = "watts-strogatz"
    done = run(name, "--n", "60", "--d", "4", "--seed", "7", "-o", str(target), "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.output)
    grown = MODELS[name].generate(n=60, d=4, seed=7)
    assert told["digest"] == grown.digest
    assert told["links"] == grown.links
    assert read_graph(target).digest == grown.digest


def test_numbers_as_people_write_them() -> None:
    assert json.loads(run("linear-copying", "--n", "1e3", "--json").output)["nodes"] == 1000


def test_a_model_that_cannot_have_n_pages_says_so() -> None:
    assert "961 pages, not 1,000: the largest grid of at most n pages" in run("kleinberg", "--n", "1000").output
    assert "1,024 pages, not 1,000: n is rounded up to a power of two" in run("rmat", "--n", "1000").output
    assert "not 900" not in run("kleinberg", "--n", "900").output


def test_papers_are_named_not_abbreviated() -> None:
    shown = run("alpha-beta", "--help").output
    assert "Deo & Gupta 3.6" in " ".join(shown.split())


@pytest.mark.parametrize("name", MODELS)
def test_every_model_writes_its_report(tmp_path: Path, name: str) -> None:
    target = tmp_path / "report.html"
    done = run(name, "--n", "500", "--report", str(target), "--json")
    assert done.exit_code == 0, done.output
    page = target.read_text()
    assert page.count("<svg") >= 2
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")


def test_a_report_without_a_name_goes_beside(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("growth-only", "--n", "200", "--report")
    assert done.exit_code == 0
    assert (tmp_path / "growth-only.html").exists()
    assert "open growth-only.html" in done.output


def test_bad_values_are_refused_by_name() -> None:
    done = run("linear-copying", "--rho", "1.5")
    assert "rho" in str(done.exception)
    assert "0 < rho ≤ 1" in str(done.exception)


def test_what_an_edge_list_cannot_hold_is_said(tmp_path: Path) -> None:
    lonely = ("erdos-renyi", "--n", "1000", "--p", "0.0003", "--json", "-o")
    for name, said in (("er.tsv", True), ("er.npz", False), ("er", False)):
        done = run(*lonely, str(tmp_path / name))
        assert done.exit_code == 0, done.output
        assert ("no place for pages without links" in done.stderr) is said
        read = read_graph(tmp_path / name).nodes
        lost = 1000 - read
        assert (lost > 0) is said
        assert f"{lost:,} of the 1,000 pages" in done.stderr or not said
    done = run("watts-strogatz", "--n", "50", "-o", str(tmp_path / "ring.tsv"))
    assert "note:" not in done.stderr


def test_a_graph_without_any_link_is_lost_whole(tmp_path: Path) -> None:
    done = run("erdos-renyi", "--n", "20", "--p", "0", "-o", str(tmp_path / "none.tsv"))
    assert "20 of the 20 pages" in done.stderr


@pytest.mark.parametrize("name", ["directed-scale-free", "preference-only", "rmat"])
def test_a_model_that_merges_repeats_says_how_many(name: str) -> None:
    found = json.loads(run(name, "--n", "1000", "--json").output)
    assert found["links_drawn"] > found["links"]
    repeats = found["links_drawn"] - found["links"]
    assert f"About {repeats:,.0f} of the links drawn repeat others and were merged" in run(name, "--n", "1000").output


def test_more_links_than_pairs_are_refused() -> None:
    done = run("preference-only", "--n", "10", "--m", "100000")
    assert "m = 100000 is not allowed: at most 45" in str(done.exception)


def test_the_report_of_the_web_has_its_bow_tie_planned_and_found(tmp_path: Path) -> None:
    done = run("web", "--n", "2000", "--scc-share", "0.5")
    assert "at most 1 (it is 1.1402)" in str(done.exception)
    shape = ("--scc-share", "0.5", "--in-share", "0.2", "--out-share", "0.1", "--tendrils-share", "0.1")
    assert run("web", "--n", "2000", *shape, "--report", str(tmp_path / "web.html")).exit_code == 0
    page = (tmp_path / "web.html").read_text()
    assert "<th scope=row>pages in IN</th><td>400</td><td>400</td>" in page
    assert "<th scope=row>pages in OUT</th><td>200</td><td>200</td>" in page


def test_theory_in_the_reports_that_had_none(tmp_path: Path) -> None:
    for name in ("erdos-renyi-links", "preference-only", "rmat"):
        target = tmp_path / f"{name}.html"
        assert run(name, "--n", "500", "--report", str(target)).exit_code == 0
        assert "beside the law that theory gives" in target.read_text()
    assert "links in quadrant a, both ends low" in (tmp_path / "rmat.html").read_text()


def test_a_mixture_of_growth_rates(tmp_path: Path) -> None:
    mixed = ("site-growth", "--n", "3000", "--mixture", "0.05:0.7,0.1:0.3", "--json")
    grown = json.loads(run(*mixed).output)
    assert grown["digest"] == MODELS["site-growth"].generate(n=3000, mixture="0.05:0.7,0.1:0.3").digest
    assert run(*mixed, "--report", str(tmp_path / "sites.html")).exit_code == 0
    assert "exponent 1.41" in (tmp_path / "sites.html").read_text()
    assert "rate:share" in str(run("site-growth", "--mixture", "fast").exception)
