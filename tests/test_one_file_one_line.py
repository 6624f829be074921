"""A part is one file and one row of a table: a scratch part, added as a contributor would, shows up everywhere.

The package is copied, a file and a row are added to the copy by editing text, and the copy is asked in processes of its
own: the command line, the JSON API, the docs, and the contract test of such parts.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import periplus

ROOT = Path(__file__).parent.parent
PACKAGE = Path(periplus.__file__).parent


@dataclass(frozen=True)
class Copy:
    """A copy of the package in a folder of its own."""

    home: Path

    def add_file(self, path: str, text: str) -> None:
        """A new file, by its path inside the package."""
        target = self.home / "periplus" / path
        assert not target.exists(), f"{path} is there already"
        target.write_text(text)

    def add_row(self, path: str, table: str, row: str) -> None:
        """A row at the end of the table that begins with `table` in a file of the package."""
        target = self.home / "periplus" / path
        text = target.read_text()
        begin = text.index(table)
        end = begin + re.compile(r"^    \),\n\)", re.M).search(text[begin:]).start()  # type: ignore[union-attr]
        target.write_text(text[:end] + row + text[end:])

    def run(self, *arguments: str, folder: Path = ROOT) -> str:
        """What a Python process that has this copy prints."""
        paths = [str(self.home), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def periplus(self, *arguments: str) -> str:
        """What a command prints."""
        return self.run("-m", "periplus.cli.main", *arguments)

    def contract(self, path: str, name: str) -> str:
        """What the contract test says of one part."""
        return self.run("-m", "pytest", path, "-k", name, "-p", "no:cacheprovider")


def copy_of_the_package(home: Path) -> Copy:
    """Sources as they are; compiled kernels are shared, since a source of the same age has the same kernels."""
    shutil.copytree(PACKAGE, home / "periplus", ignore=shutil.ignore_patterns("__pycache__"))
    for compiled in PACKAGE.rglob("__pycache__"):
        (home / "periplus" / compiled.relative_to(PACKAGE)).symlink_to(compiled)
    return Copy(home)


# -- a ranking -----------------------------------------------------------------------------------------------

RANKER_FILE = '''"""Scratch: the share of all links that lead to a page. O(n)."""

from __future__ import annotations

import numpy as np

from periplus.catalog import checked
from periplus.graph.graph import Graph
from periplus.rank.table import RANKERS
from periplus.record import Scores


@checked(RANKERS["scratch"])
def scratch(graph: Graph, *, weight: float = 1.0) -> Scores:
    """In-degree over the number of links, times `weight`."""
    values = weight * graph.in_degrees / np.maximum(graph.links, 1)
    about = {"weight": weight}
    return Scores("scratch", values, parameters=about, error_bound=0.0, graph_digest=graph, urls=graph.urls)
'''
RANKER_ROW = """        _ranker(
            "scratch", "scratch:scratch", "The share of all links that lead here.", "counting", "share of the links",
            Parameter("weight", "float", 1.0, "Factor of all scores.", 0.0, open_low=True), paper="None 2000",
        ),
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The package with one scratch part of each kind, each a file and a row."""
    made = copy_of_the_package(tmp_path_factory.mktemp("copy"))
    made.add_file("rank/methods/scratch.py", RANKER_FILE)
    made.add_row("rank/table.py", "RANKERS: ", RANKER_ROW)
    return made


@pytest.fixture(scope="module")
def graph_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("graph") / "links.txt"
    path.write_text("0 1\n2 1\n1 0\n2 0\n3 1\n")
    return str(path)


def test_the_copy_is_asked_and_not_the_package(copy: Copy) -> None:
    assert copy.run("-c", "import periplus; print(periplus.__file__)").strip() == str(
        copy.home / "periplus/__init__.py"
    )
    assert "scratch" not in periplus.rank.RANKERS


def test_the_command_line_has_the_ranking(copy: Copy, graph_file: str) -> None:
    assert "scratch" in copy.periplus("rank", "list")
    listed = json.loads(copy.periplus("rank", "list", "--json"))["rankers"]
    assert listed[-1]["parameters"][0]["allowed"] == "0 < weight"
    found = json.loads(copy.periplus("rank", "scratch", graph_file, "--weight", "10", "--json"))
    assert found["method"] == "scratch"
    assert found["parameters"] == {"weight": 10.0}
    assert [(row["id"], row["score"]) for row in found["top"]] == [(1, 6.0), (0, 4.0), (2, 0.0), (3, 0.0)]
    assert "--weight" in copy.periplus("rank", "scratch", "--help")
    assert "scratch" in copy.periplus("rank", "compare", "scratch", "indegree", graph_file)


def test_python_has_the_ranking(copy: Copy) -> None:
    code = "from periplus.rank import scratch; from periplus.models import erdos_renyi; print(scratch(erdos_renyi(9)))"
    assert copy.run("-c", code).startswith("Scores(scratch, 9 pages, error ≤ 0)")


ASK = """
import json, sys
from pathlib import Path
sys.path.insert(0, ".")
from tests.serve.client import Client
from tests.serve.fake import FakeLibrary, FakePage
from periplus.serve.app import create_app
pages = [FakePage("https://a.example/", "One", links=[("https://b.example/", "two")]), FakePage("https://b.example/")]
print(Client(create_app(FakeLibrary(pages, Path(sys.argv[1])))).get("/api/algorithms").text)
"""


def test_the_json_api_has_the_ranking(copy: Copy, tmp_path: Path) -> None:
    told = json.loads(copy.run("-c", ASK, str(tmp_path)))
    assert [row["label"] for row in told["rankers"] if row["name"] == "scratch"] == ["share of the links"]


def test_the_docs_have_the_ranking(copy: Copy, tmp_path: Path) -> None:
    page = tmp_path / "rankers.md"
    page.write_text("# Rankings\n\n<!-- table: rankers -->\n<!-- end -->\n\nMore.\n")
    copy.run("-m", "periplus.cli.reference", str(page))
    text = page.read_text()
    assert "| `scratch` | The share of all links that lead here. |" in text
    assert "| `weight` | `scratch` | 0 < weight | `1.0` | Factor of all scores. |" in text
    assert text.endswith("<!-- end -->\n\nMore.\n")


def test_the_contract_holds_for_the_ranking(copy: Copy) -> None:
    told = copy.contract("tests/rank/test_contract.py", "scratch")
    passed = re.search(r"^(\d+) passed", told, re.M)
    assert passed is not None, told
    assert int(passed[1]) >= 8, told
