"""`periplus rank near`, `topics` and `update`: around a page, many at once, after links changed."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from tests.cli.ranking import LINKS, failing, run


def test_near_reads_around_a_page_and_agrees_with_the_whole_ranking(target):
    found = json.loads(run("near", target, "1", "--top", "3", "--json"))
    whole = json.loads(run("personalised", target, "--seeds", "1", "--top", "3", "--json"))
    assert [row["id"] for row in found["top"]] == [row["id"] for row in whole["top"]]
    for near, far in zip(found["top"], whole["top"], strict=True):
        assert near["lower"] - 1e-9 <= far["score"] <= near["upper"] + 1e-9
    assert "rank personalised" in run("near", target, "1")


def test_topics_are_ranked_together_as_each_would_be_alone(target, tmp_path, capsys):
    table = tmp_path / "topics.tsv"
    table.write_text("# what is about what\n1\tsea\n2\tsea\n\n4\tland\n")
    found = json.loads(run("topics", target, str(table), "--top", "5", "--json", "--out", str(tmp_path / "t.npy")))
    assert list(found["topics"]) == ["sea", "land"]
    alone = json.loads(run("personalised", target, "--seeds", "4", "--top", "5", "--json"))
    scores = {row["id"]: row["score"] for row in found["topics"]["land"]}
    assert scores == pytest.approx({row["id"]: row["score"] for row in alone["top"]}, abs=1e-8)
    assert np.load(tmp_path / "t.npy").shape == (5, 2)
    assert "land" in run("topics", target, str(table), "--out", str(tmp_path / "t.csv"))
    head, *lines = (tmp_path / "t.csv").read_text().splitlines()
    assert head == "page,score of sea,score of land"
    assert [float(line.split(",")[2]) for line in lines] == np.load(tmp_path / "t.npy")[:, 1].tolist()
    table.write_text("1\tsea\n77\tland\n")
    code, _, err = failing(capsys, "topics", target, str(table))
    assert code == 3
    assert "line 2" in err
    table.write_text("\n")
    assert "no topic" in failing(capsys, "topics", target, str(table))[2]


def test_update_gives_the_ranking_of_the_later_graph(target, tmp_path, capsys):
    later = tmp_path / "later.tsv"
    later.write_text(LINKS + "5\t1\n4\t3\n")
    out = ("--out", str(tmp_path / "new.npy"))
    found = json.loads(run("update", target, str(later), "--by-id", "--json", *out))
    run("pagerank", str(later), "--out", str(tmp_path / "cold.npy"))
    assert np.abs(np.load(tmp_path / "new.npy") - np.load(tmp_path / "cold.npy")).sum() < 2e-9
    assert (found["pages_changed"], found["pages_new"], found["pages_gone"]) == (2, 1, 0)
    assert found["error_bound"] <= 1e-9
    assert "2 pages with changed links, 1 new, 0 gone" in run("update", target, str(later), "--by-id")
    for pair in ((target, str(later)), (str(later), target)):  # page 3 here may be another page there
        code, _, err = failing(capsys, "update", *pair)
        assert code == 2
        assert "--by-id" in err
    assert "1 gone" in run("update", str(later), target, "--by-id")
    assert "Neither side has names" in run("update", target, target)


def test_update_compares_pages_by_their_names(tmp_path):
    """One page more at the front moves every id; the changes shown are those of the same page."""
    before, after = tmp_path / "before.csv", tmp_path / "after.csv"
    before.write_text("source,target\nb,c\nc,b\nd,b\ngone,b\n")
    after.write_text("source,target\na,b\nb,c\nc,b\nd,c\n")
    found = json.loads(run("update", str(before), str(after), "--json"))
    cold = {
        path: {row["url"]: row["score"] for row in json.loads(run("pagerank", str(path), "--json"))["top"]}
        for path in (before, after)
    }
    assert (found["pages_new"], found["pages_gone"]) == (1, 1)
    assert {row["url"]: row["score"] for row in found["moved"]} == pytest.approx(cold[after], abs=1e-8)
    changes = {row["url"]: row["score"] - cold[before].get(row["url"], 0.0) for row in found["moved"]}
    assert {row["url"]: row["change"] for row in found["moved"]} == pytest.approx(changes, abs=1e-8)
    assert changes["b"] < 0 < changes["c"]
    assert [row["url"] for row in found["moved"] if row["new"]] == ["a"]
    assert re.search(r"^\d+ +[\d.]+ +new +a *$", run("update", str(before), str(after)), re.M)
