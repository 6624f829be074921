"""The import order of ARCHITECTURE.md, held: between units and between the sub-folders of one; and its picture."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tools.house import ROOT, SOURCE, imports, layers, orders, picture, subfolders

from periplus.catalog import CATALOGUES

HEIGHT = {unit: level for level, units in enumerate(reversed(layers())) for unit in units}
ABOVE_ALL = {SOURCE / "__init__.py", SOURCE / "__main__.py"}  # they offer what is below
MODULES = sorted(path for path in SOURCE.rglob("*.py") if path not in ABOVE_ALL)
UNITS = sorted({path.relative_to(SOURCE).parts[0].removesuffix(".py") for path in MODULES})


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_go_downwards_only(path: Path) -> None:
    here = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    assert here in HEIGHT, f"{here} has no layer: give it one in ARCHITECTURE.md"
    for module in imports(path):
        there = module.split(".")[1]
        if there != here:
            assert HEIGHT[there] < HEIGHT[here], f"{here} imports {module}, which is not below it"


WALK = re.findall(r"`([\w/]+)\.py` → `([\w/]+)\.py`", (ROOT / "ARCHITECTURE.md").read_text())


@pytest.mark.parametrize(("caller", "called"), WALK, ids=[" → ".join(hop) for hop in WALK])
def test_every_hop_of_the_walk_is_an_import(caller: str, called: str) -> None:
    module = f"periplus.{called.replace('/', '.')}".removesuffix(".__init__")
    assert module in imports(SOURCE / f"{caller}.py", for_types=False)


def test_the_walk_goes_from_a_seed_to_a_result() -> None:
    assert len(WALK) > 20
    assert WALK[0][0] == "cli/collection/crawl"
    assert WALK[-1][0] == "serve/front"


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_path_in_the_map_exists(page: str) -> None:
    for path in re.findall(r"`([\w.-]+(?:/[\w.-]+)*(?:/|\.py|\.md|\.svg))`", (ROOT / page).read_text()):
        assert path.endswith("yours.py") or any((home / path).exists() for home in (ROOT, SOURCE)), path


PARTS = re.findall(r"^\| [^|]+ \| [^|]+ \| `(\w+)` in `([\w/]+\.py)` \|$", (ROOT / "ARCHITECTURE.md").read_text(), re.M)


@pytest.mark.parametrize(("table", "path"), PARTS)
def test_every_table_of_parts_is_where_the_map_says(table: str, path: str) -> None:
    assert re.search(rf"^{table}\b.* = ", (SOURCE / path).read_text(), re.M)


def test_the_map_names_every_catalogue() -> None:
    homes = {home.removeprefix("periplus.").replace(".", "/") for home in CATALOGUES.values()}
    assert homes <= {f"{path.removesuffix('.py')}:{table}" for table, path in PARTS}


SEVERAL = [unit for unit in UNITS if len(subfolders(unit)) > 1]


@pytest.mark.parametrize("unit", SEVERAL)
def test_sub_folders_of_a_unit_import_one_way(unit: str) -> None:
    assert unit in orders(), f"{unit} has several sub-folders: give their order in ARCHITECTURE.md"
    height = {folder: level for level, layer in enumerate(reversed(orders()[unit])) for folder in layer}
    assert sorted(height) == subfolders(unit)
    for path in (path for folder in height for path in (SOURCE / unit / folder).rglob("*.py")):
        here = path.relative_to(SOURCE / unit).parts[0]
        for module in imports(path, for_types=False):
            _, there, inside, *_ = [*module.split("."), ""]
            if there == unit and inside in height and inside != here:
                assert height[inside] < height[here], f"{path.relative_to(SOURCE)} imports {module}"


def test_an_import_for_types_alone_is_told_from_others(tmp_path: Path) -> None:
    lines = ["from typing import TYPE_CHECKING", "import periplus.errors"]
    lines += ["if TYPE_CHECKING:", "    from periplus.graph.graph import Graph"]
    lines += ["def run():", "    from periplus.rank.table import RANKERS"]
    (tmp_path / "a.py").write_text("\n".join(lines))
    assert imports(tmp_path / "a.py", for_types=False) == {"periplus.errors", "periplus.rank.table"}
    assert imports(tmp_path / "a.py") == {"periplus.errors", "periplus.rank.table", "periplus.graph.graph"}


def test_the_picture_of_the_house_is_fresh() -> None:
    assert (ROOT / "docs/img/house.svg").read_text() == picture(), "run: python tools/house.py docs/img/house.svg"
