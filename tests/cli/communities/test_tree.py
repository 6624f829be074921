"""`periplus tree` on a collection, where build has grown it, and on a graph file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.communities.webs import blocks

from periplus.cli.main import app
from periplus.collection import Collection
from periplus.graph import write_graph
from periplus.library import Library
from periplus.pipeline import add, build


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["tree", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def page(subject: str, number: int, count: int = 40) -> str:
    links = "".join(
        f'<a href="{subject}{(number + step) % count}.html">{subject} {step}</a>' for step in (1, 2, 3, 5, 8)
    )
    return f"<html><title>{subject} page {number}</title><body>About {subject}.{links}</body></html>"


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three subjects of forty pages that do not link to each other."""
    folder = tmp_path_factory.mktemp("tree")
    (folder / "site").mkdir()
    for subject in ("tides", "bread", "bees"):
        for number in range(40):
            (folder / "site" / f"{subject}{number}.html").write_text(page(subject, number))
    add(folder / "my.web", [folder / "site"])
    build(Collection.open(folder / "my.web"))
    return folder / "my.web"


def test_build_grows_the_tree_and_names_it(collection: Path) -> None:
    told = json.loads(run(str(collection), "--json"))
    names = [node["label"] for node in told["nodes"]]
    assert {"tides", "bread", "bees"} <= {name.split(" · ")[0] for name in names}
    assert len(told["leaf_of"]) == 120
    found = Library(Collection.open(collection)).part("communities").tree
    assert found.as_tree() == told
    assert "tides" in run(str(collection), "--depth", "1")
    again = json.loads(run(str(collection), "--seed", "3", "--json"))
    assert {"tides", "bread", "bees"} <= {node["label"].split(" · ")[0] for node in again["nodes"]}


def test_a_graph_file_with_texts(tmp_path: Path) -> None:
    write_graph(blocks(3, 5, 20, links=(8, 2, 1), seed=2), tmp_path / "web.npz")
    (tmp_path / "titles.tsv").write_text(
        "".join(f"{p}\t{('tides', 'bread', 'bees')[p // 100]} {p}\n" for p in range(300))
    )
    arguments = (str(tmp_path / "web.npz"), "--texts", str(tmp_path / "titles.tsv"))
    run(*arguments, "--out", str(tmp_path / "tree.json"), "--html", str(tmp_path / "tree.html"))
    told = json.loads((tmp_path / "tree.json").read_text())
    assert {"id", "parent", "label", "size"} <= set(told["nodes"][1])
    assert len(told["leaf_of"]) == 300
    text = (tmp_path / "tree.html").read_text()
    assert text.count("<details>") == sum(
        any(one["parent"] == node["id"] for one in told["nodes"]) for node in told["nodes"][1:]
    )
    assert "tides" in text
    assert "<script" not in text


def test_the_knowledge_base_is_searched(collection: Path) -> None:
    told = json.loads(
        CliRunner().invoke(app, ["kb", str(collection), "bread", "--json"], catch_exceptions=False).output
    )
    assert told["query"] == "bread"
    said = CliRunner().invoke(app, ["kb", str(collection)], catch_exceptions=False)
    assert said.exit_code == 0
    assert "communit" in said.output
    assert len(Library(Collection.open(collection)).part("communities").base) >= told["total"]
