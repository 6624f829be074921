"""A part is one file and one row of a table: a scratch part, added as a contributor would, shows up everywhere.

The package is copied, a file and a row are added to the copy by editing text, and the copy is asked in processes of its
own: the command line, the JSON API, the docs, and the contract test of such parts. So for a ranking, a stage of the
build and a view of the server.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
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
        end = begin + re.compile(r"^(    \),\n)?(    )?\)", re.M).search(text[begin:]).start()  # type: ignore[union-attr]
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

    def contract(self, path: str, name: str) -> int:
        """How many contract tests one part passes."""
        told = self.run("-m", "pytest", path, "-k", name, "-p", "no:cacheprovider")
        passed = re.search(r"^(\d+) passed", told, re.M)
        assert passed is not None, told
        return int(passed[1])


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

# -- a stage -------------------------------------------------------------------------------------------------

STAGE_FILE = '''"""Graph → the pages that nothing links to."""

from __future__ import annotations

import numpy as np

from periplus.pipeline.stages.graph import load_links
from periplus.pipeline.stages.stage import Stage


def _run(collection, folder, say):
    found = np.flatnonzero(load_links(collection).graph.in_degrees == 0)
    np.save(folder / "harbours.npy", found)
    return {"harbours": len(found)}


STAGE = Stage(
    "harbours", "find the pages that nothing links to", inputs=("graph",), run=_run,
    files={"harbours.npy": "ids of pages"}, load=lambda at: np.load(at.current("harbours") / "harbours.npy"),
)
'''
STAGE_ROW = """        "harbours",
"""

# -- a view --------------------------------------------------------------------------------------------------

VIEW_FILE = '''"""`/tides`: which pages have the most links."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from periplus.serve.render import page_link, render
from periplus.serve.state import library_of

router = APIRouter(include_in_schema=False)


@router.get("/tides")
def tides(request: Request) -> Response:
    """The pages with the most in-links."""
    graph = library_of(request).graph
    best = graph.in_degrees.argsort()[::-1][:10].tolist()
    rows = [((graph.urls[page], page_link(graph.urls[page])), int(graph.in_degrees[page])) for page in best]
    return render(
        request, "table.html", title="High tides", lead="Most linked.", columns=("Page", "Links"), rows=rows, csv=None
    )
'''
VIEW_ROW = """    View("periplus.serve.tides", "Tides", "/tides"),
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The package with one scratch part of each kind, each a file and a row."""
    made = copy_of_the_package(tmp_path_factory.mktemp("copy"))
    made.add_file("rank/methods/scratch.py", RANKER_FILE)
    made.add_row("rank/table.py", "RANKERS: ", RANKER_ROW)
    made.add_file("pipeline/stages/harbours.py", STAGE_FILE)
    made.add_row("pipeline/stages/__init__.py", "STAGES: ", STAGE_ROW)
    made.add_file("serve/tides.py", VIEW_FILE)
    made.add_row("serve/app.py", "VIEWS: ", VIEW_ROW)
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


MARKS = "<!-- table: {} -->\n<!-- end -->\n"


def test_the_docs_have_the_ranking(copy: Copy, tmp_path: Path) -> None:
    page = tmp_path / "rankers.md"
    page.write_text(f"# Rankings\n\n{MARKS.format('rankers')}\nMore.\n")
    copy.run("-m", "periplus.cli.reference", str(page))
    text = page.read_text()
    assert "| `scratch` | The share of all links that lead here. |" in text
    assert "| `weight` | `scratch` | 0 < weight | `1.0` | Factor of all scores. |" in text
    assert text.endswith("<!-- end -->\n\nMore.\n")


def test_the_contract_holds_for_the_ranking(copy: Copy) -> None:
    assert copy.contract("tests/rank/test_contract.py", "scratch") >= 8


@pytest.fixture(scope="module")
def coast(copy: Copy, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A collection of five pages that the copy has built."""
    folder = tmp_path_factory.mktemp("coast")
    with tarfile.open(ROOT / "tests/data/collection-format-1.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    path = str(folder / "coast.web")
    assert "harbours" in json.loads(copy.periplus("build", path, "--json"))["ran"]
    return path


def test_the_command_line_has_the_stage(copy: Copy, coast: str) -> None:
    stages = json.loads(copy.periplus("info", coast, "--json"))["stages"]
    assert stages["harbours"]["state"] == "current"
    assert stages["harbours"]["does"] == "find the pages that nothing links to"
    assert "harbours" in copy.periplus("info", coast)
    assert json.loads(copy.periplus("verify", coast, "--json"))["checked"]["harbours files"] == 2
    assert json.loads(copy.periplus("build", coast, "--json"))["ran"] == []


def test_python_has_the_stage(copy: Copy, coast: str) -> None:
    code = f"from periplus import open_library; print(open_library({coast!r}).part('harbours').dtype)"
    assert copy.run("-c", code).strip() == "int64"


ASK_OF_A_COLLECTION = """
import sys
sys.path.insert(0, ".")
from periplus import open_library
from periplus.serve.app import create_app
from tests.serve.client import Client
print(Client(create_app(open_library(sys.argv[1]))).get(sys.argv[2]).text)
"""


def test_the_json_api_has_the_stage(copy: Copy, coast: str) -> None:
    told = json.loads(copy.run("-c", ASK_OF_A_COLLECTION, coast, "/api/info"))["stages"]["harbours"]
    assert told["does"] == "find the pages that nothing links to"
    assert told["finished"]


def test_the_docs_have_the_stage_and_the_view(copy: Copy, tmp_path: Path) -> None:
    page = tmp_path / "collection.md"
    page.write_text(MARKS.format("stages") + MARKS.format("views"))
    copy.run("-m", "periplus.cli.reference", str(page))
    text = page.read_text()
    assert "| `harbours` | find the pages that nothing links to | `graph` |" in text
    assert "| `harbours/gNNNN/` | `harbours.npy` | ids of pages |" in text
    assert "| `/tides` | The pages with the most in-links. |" in text


def test_the_contract_holds_for_the_stage(copy: Copy) -> None:
    assert copy.contract("tests/pipeline/stages/test_contract.py", "harbours") == 3


def test_the_server_has_the_view(copy: Copy, coast: str) -> None:
    assert '<a href="/tides">Tides</a>' in copy.run("-c", ASK_OF_A_COLLECTION, coast, "/")
    page = copy.run("-c", ASK_OF_A_COLLECTION, coast, "/tides")
    assert '<a href="/tides" aria-current="page">Tides</a>' in page
    assert "http://coast.example/light.html</a>" in page


def test_the_contract_holds_for_the_view(copy: Copy) -> None:
    assert copy.contract("tests/serve/test_views.py", "tides or Tides") == 4
