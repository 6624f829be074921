"""The place in the tree as columns: of a collection the tree that is kept, of a graph one grown now."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from tests.communities.webs import demonstration
from tests.webs.subjects import subjects_web

from periplus.cli.main import app
from periplus.communities import Tree, tree
from periplus.errors import ParameterError
from periplus.graph import read_graph
from periplus.pipeline.columns import columns_for, paths_of


def test_paths_of_every_node() -> None:
    parents = np.array([-1, 0, 1, 2, 0])
    grown = Tree("tree", np.array([3, 4]), ["all", "a", "b", "c", "d"], extra={"parents": parents})
    subjects, paths = paths_of(grown)
    assert subjects == [None, "a", "a", "a", "d"]
    assert paths == [None, "a", "a › b", "a › b › c", "d"]


def test_of_a_graph_the_tree_is_grown_now() -> None:
    graph, _, _ = demonstration()
    columns, grown = columns_for("web.npz", graph, ["subject", "tree"]), tree(graph)
    for page in range(0, graph.nodes, 97):
        names = [grown.name(node) for node in grown.path_of(page)[1:]]
        assert columns["tree"][page] == " › ".join(names)
        assert columns["subject"][page] == names[0]
    with pytest.raises(ParameterError, match="subject, "):
        columns_for("web.npz", graph, ["kind"])


def test_of_a_collection_the_kept_tree_is_written_and_grouped_by(tmp_path: Path) -> None:
    library = subjects_web(tmp_path)
    path, out = str(library.collection.path), tmp_path / "web.gexf"
    assert library.memberships is not None
    kept = library.memberships.tree
    done = CliRunner().invoke(
        app, ["graph", "convert", path, str(out), "--with", "subject,tree"], catch_exceptions=False
    )
    assert done.exit_code == 0, done.output
    written = read_graph(out).node_attributes
    assert list(written["subject"]) == [kept.name(kept.path_of(page)[1]) for page in range(len(kept))]
    grouped = CliRunner().invoke(app, ["groups", path, "--by", "subject"], catch_exceptions=False)
    assert all(kept.name(node) in grouped.stdout for node in kept.children[0])
