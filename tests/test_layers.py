"""The import order of DESIGN, held: a module imports from its own unit or from a lower layer, never upwards."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "periplus"

# Lowest first; units on one line do not import each other.
LAYERS = [
    {"errors", "lazy", "wording"},
    {"durable", "sandbox", "web", "numeric", "draw"},
    {"catalog", "record"},
    {"graph", "pages", "collection"},
    {"engines"},
    {"structure"},
    {"rank"},
    {"dynamics"},
    {"similar", "models", "index"},
    {"gravity"},
    {"communities"},
    {"search", "crawl", "demo"},
    {"pipeline"},
    {"library"},
    {"serve"},
    {"cli"},
]
HEIGHT = {unit: level for level, units in enumerate(LAYERS) for unit in units}


def unit_of(module: str) -> str:
    return module.split(".")[1] if "." in module else "periplus"


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("periplus."):
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names if name.name.startswith("periplus.")}
    return found


MODULES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_go_downwards_only(path: Path) -> None:
    here = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    assert here in HEIGHT, f"{here} has no place in LAYERS: give it one here and in ARCHITECTURE.md"
    for module in imports(path):
        there = unit_of(module)
        if there != here and there != "periplus":
            assert HEIGHT[there] < HEIGHT[here], f"{here} imports {module}, which is not below it"
