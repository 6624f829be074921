"""Draw the house: every unit of src/periplus on its layer, with its rooms, and what imports what.

    python tools/house.py docs/img/house.svg

The layers come from ARCHITECTURE.md ("What may import what"), the arcs from the import statements. An arc that others
imply is left out. `make docs` runs this; tests/test_layers.py checks that the picture is fresh and the order is kept.
"""

from __future__ import annotations

import ast
import re
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "periplus"
WIDTH, LEFT, RIGHT = 960, 240, 936
ROOF, TOP, ROW, ROOMS, GAP = 24, 112, 30, 18, 8
LONGEST = 86  # letters of a line about a unit
STYLE = """\
text{font-family:system-ui,sans-serif;fill:#22262e}
.paper{fill:#fbf9f4}.floor{fill:#fffdf8;stroke:#dcd6c8}.roof{fill:#f3efe4;stroke:#dcd6c8}
.name{font-weight:600;font-size:14px}.about{font-size:12px;fill:#5a6270}.rooms{font-size:12px;fill:#0b5f7a}
.title{font-size:21px;font-weight:600;font-family:Palatino,Georgia,serif;text-anchor:middle}
.arc{fill:none;stroke:#0b5f7a;stroke-opacity:.5}.tip{fill:#0b5f7a}
@media (prefers-color-scheme:dark){text{fill:#e6e4dc}.paper{fill:#0e1320}.floor{fill:#141b2b;stroke:#2c3446}
.roof{fill:#1d2536;stroke:#2c3446}.about{fill:#a2a9b8}.rooms{fill:#6ec6e0}.arc{stroke:#6ec6e0}.tip{fill:#6ec6e0}}
"""


# -- what ARCHITECTURE.md says -------------------------------------------------------------------------------


def _block(heading: str) -> list[str]:
    """The lines of the first code block under a heading of ARCHITECTURE.md."""
    found = re.search(rf"## {heading}\n.*?```\n(.*?)```", (ROOT / "ARCHITECTURE.md").read_text(), re.S)
    assert found is not None, f"ARCHITECTURE.md has no code block under {heading!r}"
    return found[1].splitlines()


def layers() -> list[list[str]]:
    """The units by layer, highest first; some may have no folder or file yet."""
    return [[unit.strip() for unit in line.split("|")] for line in _block("What may import what")]


def orders() -> dict[str, list[list[str]]]:
    """The sub-folders of each unit that has several, by layer, highest first."""
    found = {}
    for line in _block("Inside a unit"):
        unit, _, order = line.partition(" ")
        found[unit] = [[folder.strip() for folder in layer.split("|")] for layer in order.split(">")]
    return found


# -- what the sources say ------------------------------------------------------------------------------------


def imports(path: Path, *, for_types: bool = True) -> set[str]:
    """The modules of ours that a file imports, wherever in it; `for_types` counts those under TYPE_CHECKING."""
    tree = ast.parse(path.read_text())
    left_out: set[ast.AST] = set()
    if not for_types:
        guards = (
            node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        )
        left_out = {inner for guard in guards for inner in ast.walk(guard)}
    found = set()
    for node in ast.walk(tree):
        if node in left_out:
            continue
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("periplus."):
            folder = SOURCE.parent.joinpath(*node.module.split("."))
            modules = {
                name.name
                for name in node.names
                if (folder / name.name).is_dir() or (folder / f"{name.name}.py").exists()
            }
            found |= {node.module, *(f"{node.module}.{name}" for name in modules)}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names if name.name.startswith("periplus.")}
    return found


def subfolders(unit: str) -> list[str]:
    """The packages inside a unit."""
    return sorted(path.parent.name for path in (SOURCE / unit).glob("*/__init__.py"))


def _files_of(unit: str) -> list[Path]:
    folder = SOURCE / unit
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]


def _exists(unit: str) -> bool:
    return (SOURCE / unit / "__init__.py").is_file() or (SOURCE / f"{unit}.py").is_file()


def arcs(units: list[str]) -> list[tuple[str, str]]:
    """Who imports whom, without what follows from others."""
    direct = {
        unit: {name.split(".")[1] for path in _files_of(unit) for name in imports(path)} & set(units) - {unit}
        for unit in units
    }
    reached: dict[str, set[str]] = {}
    for unit in reversed(units):  # the lowest first: what they reach is known when it is needed
        reached[unit] = direct[unit].union(*(reached[other] for other in direct[unit]))
    kept = []
    for unit in units:
        implied = set().union(*(reached[other] for other in direct[unit]))
        kept += [(unit, other) for other in units if other in direct[unit] - implied]
    return kept


def _about(unit: str) -> str:
    """The first sentence of a unit's docstring, or as many of its clauses as fit."""
    path = SOURCE / unit / "__init__.py"
    text = ast.get_docstring(ast.parse((path if path.exists() else SOURCE / f"{unit}.py").read_text())) or ""
    line = re.sub(r"^`\w+`: ", "", re.split(r"\. |\.?$|\n", text, maxsplit=1)[0].rstrip(".")).replace("`", "")
    if len(line) > LONGEST:
        line = re.sub(r" \([^)]*\)", "", line)
    while len(line) > LONGEST:
        line = re.sub(r"(.*)[,;:] .*", r"\1", line)
    return line[:1].upper() + line[1:]


# -- the picture ---------------------------------------------------------------------------------------------


def picture() -> str:
    """The whole picture as SVG: a floor per layer, a line per unit, arcs on the left."""
    floors = [floor for layer in layers() if (floor := [unit for unit in layer if _exists(unit)])]
    at: dict[str, int] = {}
    parts, y = [], TOP
    for floor in floors:
        top = y
        for unit in floor:
            at[unit] = y + 15
            parts.append(_unit(unit, y))
            y += ROW + (ROOMS if subfolders(unit) else 0)
        shape = f'<rect class="floor" x="{LEFT}" y="{top}" width="{RIGHT - LEFT}" height="{y - top}" rx="4"/>'
        parts.insert(len(parts) - len(floor), shape)
        y += GAP
    parts += [_arc(at[one], at[other]) for one, other in arcs(list(at))]
    return f"{_head(y + 16)}\n" + "\n".join(parts) + "</svg>\n"


def _head(height: int) -> str:
    middle = (LEFT + RIGHT) // 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">'
        f"<title>What imports what in Periplus: every arc leads downwards</title><style>{STYLE}</style>"
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>'
        '<defs><marker id="tip" viewBox="0 0 6 6" refX="5.4" refY="3" markerWidth="6" markerHeight="6" orient="auto">'
        '<path class="tip" d="M0 .6L6 3L0 5.4z"/></marker></defs>'
        f'<path class="roof" d="M{LEFT - 16} {TOP - GAP}L{middle} {ROOF}L{RIGHT + 16} {TOP - GAP}z"/>'
        f'<text class="title" x="{middle}" y="{TOP - 24}">periplus</text>'
        f'<text class="about" x="20" y="{TOP - 40}">An arc: the upper imports</text>'
        f'<text class="about" x="20" y="{TOP - 24}">the lower. What other arcs</text>'
        f'<text class="about" x="20" y="{TOP - 8}">imply is left out.</text>'
    )


def _unit(unit: str, y: int) -> str:
    """One line: the name, what it is, and below that its sub-folders."""
    rooms = " · ".join(subfolders(unit))
    return (
        f'<text class="name" x="{LEFT + 16}" y="{y + 20}">{unit}</text>'
        f'<text class="about" x="{LEFT + 124}" y="{y + 20}">{escape(_about(unit))}</text>'
        + (f'<text class="rooms" x="{LEFT + 124}" y="{y + 37}">{rooms}</text>' if rooms else "")
    )


def _arc(start: int, end: int) -> str:
    """From the left side of one line down to another; the further, the wider."""
    out = LEFT - min(280, 20 + 2 * (end - start) // 5)
    return (
        f'<path class="arc" marker-end="url(#tip)" '
        f'd="M{LEFT} {start + 4}C{out} {start + 4} {out} {end - 4} {LEFT} {end - 4}"/>'
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(picture())
