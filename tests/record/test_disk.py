"""Records on disk: what was saved comes back equal, and damage is named with its file and the remedy."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.record.samples import GRAPHS, graphs, makers, positions, web

from periplus.errors import FormatError, InputError, ParameterError
from periplus.graph import Graph
from periplus.rank import RANKERS, hits, indegree, pagerank, subspace_hits
from periplus.record import (
    PageLabels,
    PagePositions,
    Record,
    Scores,
)
from periplus.record.plain import same
from periplus.structure import bowtie, strong_components
from periplus.structure.connectivity.bowtie import REGION_NAMES, BowTie
from periplus.structure.connectivity.components import Components


@makers
@graphs
def test_what_was_saved_comes_back_equal(maker: Callable[[Graph], Record], graph: Graph, tmp_path: Path) -> None:
    record = maker(graph)
    record.save(tmp_path / "new" / "folder")
    again = type(record).load(tmp_path / "new" / "folder", record.method, urls=graph.urls)
    assert again == record
    assert same(again.to_dict(), record.to_dict())
    assert again.array.dtype == record.array.dtype
    assert again.urls is graph.urls
    assert type(record).load(tmp_path / "new" / "folder", record.method) == record  # names do not count


@pytest.mark.parametrize("name", RANKERS)
def test_every_ranking_comes_back_equal(name: str, tmp_path: Path) -> None:
    graph = web(urls=True)
    needs = {"personalised": {"seeds": [0]}, "distillation": {"relevance": np.ones(7)}}.get(name, {})
    if "urls" in RANKERS[name].needs:
        needs |= {"hosts": np.arange(7)}  # one host would have one voice, and no link
    scores = RANKERS[name].function()(graph, **needs)
    scores.save(tmp_path)
    assert Scores.load(tmp_path, name) == scores


def test_arrays_of_any_length_come_back(tmp_path: Path) -> None:
    scores = subspace_hits(GRAPHS["with URLs"], dimensions=2)
    assert scores.extra["eigenvalues"].shape != scores.values.shape
    scores.save(tmp_path, "mine")
    again = Scores.load(tmp_path, "mine")
    assert again == scores
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "mine-eigenvalues.npy", "mine-hubs.npy", "mine.json", "mine.npy",
    ]  # fmt: skip
    assert not again.extra["eigenvalues"].flags.writeable


def test_what_is_odd_comes_back_too(tmp_path: Path) -> None:
    extra = {
        "flag": np.bool_(True),
        "count": np.int64(3),
        "share": np.float32(0.25),
        "none": None,
        "list": [1, [2.5, "x"]],
        "by": {"a": 1},
        "nan": math.nan,
        "grid": np.arange(6).reshape(2, 3),
    }
    parameters = {"damping": np.float64(0.5), "seeds": (1, 2), "window": None}
    scores = Scores("mine", np.array([1.0, math.inf, -math.inf]), parameters=parameters, converged=False, extra=extra)
    scores.save(tmp_path)
    assert Scores.load(tmp_path, "mine") == scores


def test_a_record_is_written_again_in_its_place(tmp_path: Path) -> None:
    graph = web(urls=True)
    hits(graph).save(tmp_path, "mine")
    indegree(graph).save(tmp_path, "mine")
    assert Scores.load(tmp_path, "mine") == indegree(graph)


@pytest.mark.parametrize("name", ["", "a/b", "../up", ".hidden", "a\\b"])
def test_a_name_is_no_path(name: str, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="the name of a file"):
        indegree(web(urls=True)).save(tmp_path, name)
    assert list(tmp_path.iterdir()) == []


def test_all_records_of_a_kind_are_loaded(tmp_path: Path) -> None:
    graph = web(urls=True)
    made = [pagerank(graph), hits(graph), strong_components(graph), bowtie(graph), positions(graph)]
    for record in made:
        record.save(tmp_path)
    (tmp_path / "digests.json").write_text('{"pagerank.npy": "abc"}')
    (tmp_path / "notes.txt").write_text("not a record")
    assert Scores.load_all(tmp_path, urls=graph.urls) == {"pagerank": made[0], "hits": made[1]}
    assert Scores.load_all(tmp_path, urls=graph.urls)["hits"].urls is graph.urls
    assert list(PageLabels.load_all(tmp_path)) == ["bowtie", "strong"]
    assert PagePositions.load_all(tmp_path) == {"drawn": made[4]}
    assert Scores.load_all(tmp_path / "..") == {}


def test_components_and_bowties_are_labels_to_those_who_do_not_know_them(tmp_path: Path) -> None:
    tie = bowtie(web(urls=True))
    tie.save(tmp_path)
    read = PageLabels.load(tmp_path, "bowtie")
    assert type(read) is PageLabels
    assert same(read.labels, tie.labels)
    assert tuple(read.names) == REGION_NAMES
    assert read.extra["ties"] == tie.ties
    assert BowTie.load(tmp_path, "bowtie") == tie
    PageLabels("bowtie", tie.labels).save(tmp_path)
    with pytest.raises(FormatError, match=r"bowtie.json: .*BowTie"):
        BowTie.load(tmp_path, "bowtie")
    with pytest.raises(FormatError, match=r"bowtie.json: .*Components"):
        Components.load(tmp_path, "bowtie")


def written_before(folder: Path, name: str, scores: Scores) -> None:
    """The files of a ranking as version 0.1 wrote them (pipeline/ranks.py `_files`, rank/scores.py `summary`)."""
    vectors = {name: scores.values}
    if "hubs" in scores.extra:
        vectors[f"{name}-hubs"] = scores.extra["hubs"]
    for stem, values in vectors.items():
        np.save(folder / f"{stem}.npy", values)
    kinds = (bool, int, float, str)
    summary = {
        "method": scores.method,
        "parameters": dict(scores.parameters),
        "iterations": scores.iterations,
        "residual": scores.residual,
        "error_bound": scores.error_bound if math.isfinite(scores.error_bound) else None,
        "converged": scores.converged,
        "graph_digest": scores.graph_digest,
        **{key: value for key, value in scores.extra.items() if isinstance(value, kinds)},
    }
    (folder / f"{name}.json").write_bytes(json.dumps(summary, indent=1, default=str).encode())


def test_rankings_of_the_version_before_are_read(tmp_path: Path) -> None:
    graph = web(urls=True)
    for scores in (hits(graph), pagerank(graph), Scores("none", np.ones(7), graph_digest=graph)):
        written_before(tmp_path, scores.method, scores)
        assert Scores.load(tmp_path, scores.method, urls=graph.urls) == scores
    assert sorted(Scores.load_all(tmp_path)) == ["hits", "none", "pagerank"]
    assert Scores.load(tmp_path, "hits").of_hubs().values.shape == (7,)
    assert math.isnan(Scores.load(tmp_path, "none").error_bound)


def saved(folder: Path) -> Scores:
    scores = hits(web(urls=True))
    scores.save(folder)
    return scores


def rewrite(path: Path, **changes: Any) -> None:
    stored = json.loads(path.read_bytes())
    path.write_text(json.dumps({key: value for key, value in {**stored, **changes}.items() if value != "absent"}))


@pytest.mark.parametrize(
    ("damage", "file"),
    [
        (lambda json_: json_.write_bytes(b""), "hits.json"),
        (lambda json_: json_.write_bytes(json_.read_bytes()[:-40]), "hits.json"),
        (lambda json_: json_.write_bytes(b"\xff\xfe\x00"), "hits.json"),
        (lambda json_: json_.write_text("[" * 100_000), "hits.json"),
        (lambda json_: json_.write_text("[1, 2]"), "hits.json"),
        (lambda json_: json_.write_text("{}"), "hits.json"),
        (lambda json_: rewrite(json_, method="absent"), "hits.json"),
        (lambda json_: rewrite(json_, method=3), "hits.json"),
        (lambda json_: rewrite(json_, record="labels"), "hits.json"),
        (lambda json_: rewrite(json_, record="songs"), "hits.json"),
        (lambda json_: rewrite(json_, iterations="many"), "hits.json"),
        (lambda json_: rewrite(json_, parameters=[]), "hits.json"),
        (lambda json_: rewrite(json_, error_bound="small"), "hits.json"),
        (lambda json_: rewrite(json_, arrays=["hubs"]), "hits.json"),
        (lambda json_: rewrite(json_, arrays={}), "hits.json"),
        (lambda json_: rewrite(json_, arrays={"values": [8], "hubs": [7]}), "hits.npy"),
        (lambda json_: json_.with_suffix(".npy").write_bytes(b""), "hits.npy"),
        (lambda json_: json_.with_suffix(".npy").write_bytes(json_.with_suffix(".npy").read_bytes()[:-8]), "hits.npy"),
        (lambda json_: json_.with_suffix(".npy").write_bytes(b"PK\x03\x04 no zip"), "hits.npy"),
        (lambda json_: np.save(json_.with_suffix(".npy"), np.ones(3)), "hits.npy"),
        (lambda json_: np.save(json_.with_suffix(".npy"), np.ones(7, np.int64)), "hits.npy"),
        (lambda json_: np.save(json_.with_suffix(".npy"), np.array([{}] * 7), allow_pickle=True), "hits.npy"),
        (lambda json_: np.save(json_.with_name("hits-hubs.npy"), np.ones(3)), "hits-hubs.npy"),
    ],
)
def test_damage_is_named_with_its_file_and_the_remedy(
    damage: Callable[[Path], object], file: str, tmp_path: Path
) -> None:
    saved(tmp_path)
    damage(tmp_path / "hits.json")
    with pytest.raises(FormatError) as caught:
        Scores.load(tmp_path, "hits")
    assert caught.value.path == str(tmp_path / file)
    assert "compute the record again and save it" in str(caught.value) or "load it as what it is" in str(caught.value)


@pytest.mark.parametrize("file", ["hits.json", "hits.npy", "hits-hubs.npy"])
def test_a_missing_file_is_named_with_what_is_there(file: str, tmp_path: Path) -> None:
    saved(tmp_path)
    indegree(web(urls=True)).save(tmp_path)
    (tmp_path / file).unlink()
    with pytest.raises(InputError, match=str(tmp_path / file)) as caught:
        Scores.load(tmp_path, "hits")
    assert "Records there: indegree" in str(caught.value) or "compute the record again" in str(caught.value)
    if file != "hits.json":
        with pytest.raises(InputError, match=str(tmp_path / file)):
            Scores.load_all(tmp_path)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        Scores.load_all(tmp_path / "none")
    with pytest.raises(InputError, match="Records there: none"):
        Scores.load(tmp_path / "none", "hits")
    saved(tmp_path)
    with pytest.raises(FormatError, match=r"hits.json: is about 7 pages, the graph has 3: compute the record again"):
        Scores.load(tmp_path, "hits", urls=web(urls=True, nodes=3).urls)
