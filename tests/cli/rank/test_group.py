"""`periplus rank` as a person and a program meet it."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from tests.cli.ranking import LINKS, failing, run

from periplus.cli.main import app
from periplus.rank import RANKERS


def test_json_has_exactly_the_promised_keys(target):
    found = json.loads(run("pagerank", target, "--top", "3", "--json"))
    assert list(found) == ["method", "converged", "iterations", "error_bound", "parameters", "top"]
    assert found["method"] == "pagerank"
    assert found["converged"] is True
    assert found["error_bound"] <= 1e-9
    assert found["parameters"]["damping"] == 0.85
    assert [list(row) for row in found["top"]] == [["id", "url", "score"]] * 3
    assert found["top"][0]["id"] == 0  # takes all that page 2 has, and page 2 most of what the others have
    assert found["top"][0]["score"] >= found["top"][1]["score"]


@pytest.mark.parametrize(
    "name", [name for name, row in RANKERS.items() if "urls" not in row.needs and not row.missing()]
)
def test_every_ranking_is_a_command(name, target, tmp_path):
    out = tmp_path / "scores.npy"
    found = json.loads(run(name, target, "--json", "--out", str(out)))
    assert found["method"] == name
    values = np.load(out)
    assert values.dtype == np.float64
    assert values.shape == (5,)
    best = found["top"][0]
    assert values[best["id"]] == best["score"] == values.max()


def test_rankings_that_need_more_say_what(target, capsys):
    assert "hosts" in failing(capsys, "weighted-hits", target)[2]
    assert "relevance" in failing(capsys, "distillation", target)[2]
    assert "seeds" in failing(capsys, "personalised", target)[2]


def test_out_keeps_the_name_given_and_hubs_are_the_other_vector(target, tmp_path):
    first, second = tmp_path / "authorities.npy", tmp_path / "hubs.npy"
    run("hits", target, "--out", str(first))
    run("hits", target, "--hubs", "--out", str(second))
    from periplus.cli.shared.target import load_graph
    from periplus.rank import hits

    scores = hits(load_graph(target))
    assert np.array_equal(np.load(first), scores.values)
    assert np.array_equal(np.load(second), scores.extra["hubs"])
    told = json.loads(run("hits", target, "--hubs", "--json", "--top", "1"))
    assert told["top"][0]["id"] == int(np.argmax(scores.extra["hubs"]))
    assert told["error_bound"] == scores.extra["hubs_error_bound"] != scores.error_bound
    assert json.loads(run("subspace-hits", target, "--hubs", "--json"))["error_bound"] is None


def test_options_come_from_the_table(target, tmp_path):
    preference = tmp_path / "preference.npy"
    np.save(preference, np.array([0, 0, 0, 1.0, 0]))
    found = json.loads(
        run("pagerank", target, "--damping", "0.5", "--preference", str(preference), "--dangling", "uniform", "--json")
    )
    assert found["parameters"]["damping"] == 0.5
    assert found["parameters"]["dangling"] == "uniform"
    assert found["top"][0]["id"] == 3
    assert json.loads(run("personalised", target, "--seeds", "3", "--seeds", "1", "--json"))["parameters"]["seeds"] == [
        1,
        3,
    ]
    markov = json.loads(run("markov", target, "--relevance", "0.1", "--novelty", "0.3", "--json"))
    assert markov["parameters"]["novelty"] == 0.3


def test_tolerance_and_passes_are_those_asked_for(target, capsys):
    assert json.loads(run("katz", target, "--tolerance", "1e-12", "--json"))["parameters"]["tolerance"] == 1e-12
    code, out, err = failing(capsys, "katz", target, "--max-iterations", "2", "--json")
    assert code == 7
    assert json.loads(out)["error"] == "not-converged"
    assert "2 passes" in err
    assert failing(capsys, "katz", target, "--tolerance", "1e-18")[0] == 2
    assert failing(capsys, "katz", target, "--max-iterations", "0")[0] == 2


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["pagerank", "TARGET", "--damping", "1.5"], 2),
        (["pagerank", "TARGET", "--dangling", "somewhere"], 2),
        (["pagerank", "/no/such/file"], 3),
        (["pagerank", "TARGET", "--preference", "TARGET"], 3),
        (["no-such-method", "TARGET"], 2),
        (["compare", "pagerank", "TARGET"], 2),
        (["compare", "pagerank", "hits"], 2),
        (["stability", "pagerank", "TARGET", "--add", "1"], 2),
        (["stability", "pagerank", "TARGET", "--add", "0,1"], 2),
        (["known-for", "TARGET", "0"], 2),
        (["reputation", "TARGET", "--term", "sea"], 2),
        (["stability", "hits", "TARGET", "--seed", "-1"], 2),
        (["stability", "hits", "TARGET", "--add", "99999999999999999999,1"], 2),
        (["subspace-hits", "TARGET", "--power", "1e308"], 2),
        (["monte-carlo", "TARGET", "--first", "99999999999999999999"], 2),
        (["pagerank", "TARGET", "--tolerance", "inf"], 2),
        (["pagerank", "TARGET", "--out", ""], 2),
    ],
)
def test_what_a_person_can_get_wrong_ends_in_one_line_and_a_code(arguments, code, target, capsys):
    found, _, err = failing(capsys, *(target if word == "TARGET" else word for word in arguments))
    assert found == code
    assert err.startswith("periplus: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "no whole array"),
        (np.array(["2020-01-01"] * 5, "datetime64[D]"), "datetime64"),
        (np.ones(5, np.complex128), "complex128"),
        (np.array(["1"] * 5), "no real numbers"),
    ],
    ids=["empty", "dates", "complex", "texts"],
)
def test_a_file_without_a_vector_of_numbers_is_named(content, said, target, tmp_path, capsys):
    path = tmp_path / "vector.npy"
    path.touch()
    if content is not None:
        np.save(path, content)
    code, out, err = failing(capsys, "pagerank", target, "--preference", str(path), "--json")
    assert code == 3
    assert json.loads(out)["error"] == "format"
    assert f"{path}: " in err
    assert said in err


def test_an_archive_is_no_vector(target, tmp_path, capsys):
    np.savez(tmp_path / "vectors.npz", first=np.ones(5))
    code, _, err = failing(capsys, "pagerank", target, "--preference", str(tmp_path / "vectors.npz"))
    assert code == 3
    assert "archive" in err


@pytest.mark.filterwarnings("error")
def test_an_error_names_the_option_that_was_given(target, tmp_path, capsys):
    path = str(tmp_path / "huge.npy")
    np.save(path, np.full(5, 1e308))
    for method, option in (("pagerank", "preference"), ("reputation", "topic"), ("two-level-reputation", "topic")):
        code, _, err = failing(capsys, method, target, f"--{option}", path)
        assert (code, err.count("\n")) == (2, 1)
        assert err.startswith(f"periplus: {option} = ")
    assert "'foo' is no ranking" in failing(capsys, "compare", "pagerank", "foo", target)[2]


def test_a_graph_without_links_is_a_clear_error(tmp_path, capsys):
    empty = tmp_path / "empty.mtx"
    empty.write_text("%%MatrixMarket matrix coordinate pattern general\n3 3 0\n")
    code, _, err = failing(capsys, "hits", str(empty))
    assert code == 2
    assert "at least one link" in err
    assert json.loads(run("pagerank", str(empty), "--json"))["top"][0]["score"] == pytest.approx(1 / 3)


def test_a_multiple_eigenvalue_is_not_hidden(tmp_path, capsys):
    cycle = tmp_path / "cycle.tsv"
    cycle.write_text("0\t1\n1\t2\n2\t0\n")
    code, out, err = failing(capsys, "hits", str(cycle), "--json")
    assert code == 0
    assert "multiple" in err
    assert json.loads(out)["top"][0]["score"] == pytest.approx(3**-0.5)


def test_list_is_the_table():
    found = json.loads(run("list", "--json"))["rankers"]
    assert [row["name"] for row in found] == list(RANKERS)
    text = run("list")
    assert all(name in text for name in RANKERS)


def test_people_get_a_table_and_the_next_command(target):
    text = run("salsa", target, "--top", "2")
    assert "authorities" in text
    assert "periplus rank compare" in text.splitlines()[-1]


def test_a_term_is_what_markov_s_pages_are_similar_to(tmp_path):
    path = tmp_path / "links.tsv"
    path.write_text(
        "http://a.org/sail\thttp://b.org/x\nhttp://b.org/x\thttp://a.org/sail\nhttp://b.org/x\thttp://c.org/\n"
    )
    plain, similar = (json.loads(run("markov", str(path), "--json", *more)) for more in ((), ("--term", "sail")))
    scores = [{row["url"]: row["score"] for row in found["top"]} for found in (plain, similar)]
    assert scores[1]["http://a.org/sail"] > scores[0]["http://a.org/sail"]
    assert similar["parameters"]["similarity"] == "given"


def test_terms_of_urls_are_topics(tmp_path):
    graph = tmp_path / "named.tsv"
    graph.write_text(
        "http://a.org/sea\thttp://b.org/ship\nhttp://c.org/sea\thttp://b.org/ship\nhttp://b.org/ship\thttp://a.org/sea\n"
    )
    top = json.loads(run("reputation", str(graph), "--term", "sea", "--json"))["top"]
    assert {row["url"] for row in top} == {"http://a.org/sea", "http://b.org/ship", "http://c.org/sea"}
    found = json.loads(run("known-for", str(graph), "http://c.org/sea", "--json"))
    assert "sea" in [row["term"] for row in found["terms"]]
    found = json.loads(run("weighted-hits", str(graph), "--json"))
    assert found["top"][0]["url"] == "http://b.org/ship"
    assert found["error_bound"] is None  # there is no certificate for it


def test_rankings_of_a_collection_are_kept_in_it(tmp_path):
    pages, web = tmp_path / "html", tmp_path / "my.web"
    pages.mkdir()
    for page in range(4):
        links = f"<a href='p{(page + 1) % 4}.html'>next</a><a href='p0.html'>home</a>"
        (pages / f"p{page}.html").write_text(f"<title>{page}</title>{links}")
    for command in (["add", str(web), str(pages)], ["build", str(web)]):
        assert CliRunner().invoke(app, command, catch_exceptions=False).exit_code == 0
    found = json.loads(run("subspace-hits", str(web), "--json"))
    assert found["top"][0]["url"].endswith("/p0.html")
    (kept,) = web.glob("scores/*/subspace-hits.json")
    record = json.loads(kept.read_text())
    assert record["method"] == "subspace-hits"
    assert 0 <= record["error_bound"] < 1e-9
    assert record["graph_digest"]
    assert {"parameters", "residual", "converged"} <= set(record)
    assert np.load(kept.with_suffix(".npy"))[found["top"][0]["id"]] == found["top"][0]["score"]
    assert CliRunner().invoke(app, ["verify", str(web)], catch_exceptions=False).exit_code == 0


def test_help_loads_no_kernels():
    code = """
import sys
from periplus.cli.main import main
try:
    main(["rank", "hits", "--help"])
except SystemExit:
    pass
assert "numba" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60, capture_output=True)


@pytest.mark.parametrize("ending", [".csv", ".json", ".parquet", ".xlsx"])
def test_out_is_the_table_that_its_ending_says(ending, target, tmp_path):
    import pandas

    readers = {".csv": "read_csv", ".json": "read_json", ".parquet": "read_parquet", ".xlsx": "read_excel"}
    if package := {".parquet": "pyarrow", ".xlsx": "xlsxwriter"}.get(ending):
        pytest.importorskip(package)
    if ending == ".xlsx":
        pytest.importorskip("openpyxl")
    out = tmp_path / f"scores{ending}"
    best = json.loads(run("pagerank", target, "--json", "--out", str(out)))["top"]
    table = getattr(pandas, readers[ending])(out)
    assert list(table.columns) == ["page", "score", "rank", "tied_with"]
    assert table["page"].tolist() == [0, 1, 2, 3, 4]
    assert [table["score"][row["id"]] for row in best] == pytest.approx([row["score"] for row in best], rel=1e-15)
    assert table["score"].rank(ascending=False, method="min").tolist() == table["rank"].tolist()


@pytest.mark.parametrize("name", ["pr.txt", "pr", "pr.csv.gz"])
def test_an_ending_that_says_nothing_is_refused_before_the_work(name, tmp_path, capsys):
    table = tmp_path / "topics.tsv"
    table.write_text("1\tsea\n")
    for words in (("pagerank",), ("update", "absent"), ("topics", "absent", str(table))):
        where = ("absent",) if len(words) < 3 else ()
        code, _, err = failing(capsys, *words, *where, "--out", str(tmp_path / name))
        assert code == 2
        assert "must end in .csv, .json, .npy, .parquet or .xlsx" in err
    assert [entry.name for entry in tmp_path.iterdir()] == ["topics.tsv"]


def test_a_sample_says_how_sure_it_is_of_every_page(target, tmp_path):
    run("monte-carlo", target, "--out", str(tmp_path / "mc.csv"))
    with open(tmp_path / "mc.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert all(float(row["half_width"]) >= 0 for row in rows)
    assert any(float(row["half_width"]) > 0 for row in rows)


def test_an_output_without_a_folder_is_refused_before_the_work(target, tmp_path, capsys):
    for arguments in (("pagerank", target, "--out"), ("compare", "pagerank", "hits", target, "--plot")):
        code, _, err = failing(capsys, *arguments, str(tmp_path / "absent" / "x"))
        assert code == 2
        assert f"there is no folder {tmp_path / 'absent'}" in err


def test_a_topic_is_read_from_the_pages_of_a_collection_and_not_kept_as_its_ranking(tmp_path) -> None:
    from click.testing import CliRunner

    from periplus.cli.rank.group import rank
    from periplus.collection import Collection
    from periplus.library import open_library
    from periplus.pipeline import add, build

    site = tmp_path / "site"
    site.mkdir()
    (site / "a.html").write_text('<title>one</title>tide tables <a href="b.html">b</a>')
    (site / "b.html").write_text("<title>two</title>nothing of the kind")
    add(tmp_path / "my.web", [site], base="http://a.example/")
    build(Collection.open(tmp_path / "my.web"))
    done = CliRunner().invoke(rank, ["reputation", str(tmp_path / "my.web"), "--term", "tide", "--json"])
    assert done.exit_code == 0, done.output
    assert "reputation" not in open_library(tmp_path / "my.web").scores


def test_lenient_passes_over_what_cannot_be_read(tmp_path, capsys):
    path = tmp_path / "with spaces.tsv"
    path.write_text(LINKS + "nothing\n")
    assert failing(capsys, "pagerank", str(path))[0] == 3
    assert f"periplus rank compare pagerank indegree '{path}'" in run("pagerank", str(path), "--lenient")
    assert "Agreement" in run("compare", "pagerank", "indegree", str(path), "--lenient")


def test_a_reader_that_leaves_ends_the_command_quietly(target):
    command = [sys.executable, "-m", "periplus.cli.main", "rank", "list"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        running.stdout.close()
        assert running.stderr.read() == ""
        assert running.wait(30) == 1


@pytest.fixture
def collection(tmp_path: Path) -> str:
    from periplus.pipeline import add, build

    site = tmp_path / "site"
    site.mkdir()
    for name, links in {"a": "bc", "b": "c", "c": "a", "d": "ac"}.items():
        body = "".join(f'<a href="{other}.html">to {other}</a> ' for other in links)
        (site / f"{name}.html").write_text(f"<title>page {name}</title>{body}")
    add(tmp_path / "small.web", [site], base="http://x.example/")
    from periplus.collection import Collection

    build(Collection.open(tmp_path / "small.web"))
    return str(tmp_path / "small.web")


def stored(collection: str) -> dict[str, np.ndarray]:
    from periplus.collection import Collection
    from periplus.pipeline.stages.scores import load_scores

    return {name: np.array(values) for name, values in load_scores(Collection.open(collection)).items()}


def test_a_trial_is_kept_beside_the_usual_ranking_and_not_in_its_place(collection):
    usual = stored(collection)
    assert set(usual) == {"pagerank", "indegree", "hits", "hits-hubs", "salsa", "salsa-hubs"}
    out = run("pagerank", collection, "--damping", "0.2", "--max-iterations", "500")
    assert "--ranker pagerank-damping-0.2-max-iterations-500" in out
    run("personalised", collection, "--seeds", "http://x.example/a.html", "--json")
    run("reputation", collection, "--term", "page", "--json")
    kept = stored(collection)
    assert set(kept) - set(usual) == {
        "pagerank-damping-0.2-max-iterations-500",
        "personalised-seeds-0",
        "reputation-term-page",
    }
    np.testing.assert_array_equal(kept["pagerank"], usual["pagerank"])
    assert np.abs(kept["pagerank-damping-0.2-max-iterations-500"] - usual["pagerank"]).sum() > 0.01
    run("pagerank", collection, "--damping", "0.85", "--json")  # the usual one, said aloud
    assert set(stored(collection)) == set(kept)


def test_hits_tells_its_eigengap_in_json_and_in_the_collection(collection):
    found = json.loads(run("hits", collection, "--json"))
    assert found["eigengap"] > 0
    assert found["degenerate"] is False
    from periplus.collection import Collection

    summary = json.loads((Collection.open(collection).current("scores") / "hits.json").read_text())
    assert summary["eigengap"] == found["eigengap"]


def test_a_sample_tells_the_interval_of_each_page(target):
    found = json.loads(run("monte-carlo", target, "--walks", "40", "--json"))
    exact = json.loads(run("pagerank", target, "--json"))
    values = {row["id"]: row["score"] for row in exact["top"]}
    assert all(abs(row["score"] - values[row["id"]]) < 2 * row["half_width"] < 0.3 for row in found["top"])
    assert "±" in run("monte-carlo", target)
    assert "±" not in run("harmonic", target)


def test_unnormalised_scores_have_mean_one(target, tmp_path):
    run("pagerank", target, "--no-normalised", "--out", str(tmp_path / "s.npy"))
    assert np.load(tmp_path / "s.npy").mean() == pytest.approx(1)


def test_a_ranking_that_needs_more_points_to_a_comparison_that_runs(target):
    assert "rank compare pagerank indegree" in run("personalised", target, "--seeds", "0")
