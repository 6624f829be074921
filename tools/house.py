"""Draw the house: every unit of src/periplus on its layer, with its rooms, and what imports what.

    python tools/house.py docs/img/house.svg

The layers are those of ARCHITECTURE.md ("What may import what"), the arrows those of the import statements. An arrow
that other arrows imply is left out. `make docs` runs this; tests/test_layers.py checks that the picture is fresh.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "periplus"
WIDTH, ROW, BOX_HEIGHT, TOP = 960, 92, 56, 56
STYLE = """\
text{font-family:system-ui,sans-serif;fill:#22262e}
.paper{fill:#fbf9f4}.box{fill:#ffffff;stroke:#0b5f7a;stroke-width:1.2}
.name{font-weight:600;font-size:14px}.rooms{font-size:10.5px;fill:#5c6470}.title{font-size:15px;font-family:serif}
.arrow{fill:none;stroke:#5c6470;stroke-width:.8;stroke-opacity:.55}
@media (prefers-color-scheme:dark){text{fill:#e6e4dc}.paper{fill:#0e1320}.box{fill:#182033;stroke:#6ec6e0}
.rooms{fill:#a2a9b8}.arrow{stroke:#a2a9b8}}
"""


def layers() -> list[list[str]]:
    """The units by layer, highest first, from ARCHITECTURE.md; those without a folder or file yet are left out."""
    text = (ROOT / "ARCHITECTURE.md").read_text()
    block = re.search(r"## What may import what.*?```\n(.*?)```", text, re.S)
    assert block is not None, "ARCHITECTURE.md has no block of layers"
    return [[unit.strip() for unit in line.split("|")] for line in block.group(1).splitlines()]


def imports(path: Path) -> set[str]:
    """The modules of ours that a file imports, wherever in it the import stands."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("periplus."):
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names if name.name.startswith("periplus.")}
    return found


def files_of(unit: str) -> list[Path]:
    """The source files of a unit, which is a folder or one file."""
    folder = SOURCE / unit
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]


def there(unit: str) -> bool:
    return (SOURCE / unit).is_dir() or (SOURCE / f"{unit}.py").is_file()


def arrows(units: list[str]) -> list[tuple[str, str]]:
    """Who imports whom, without the arrows that follow from others."""
    direct = {
        unit: {name.split(".")[1] for path in files_of(unit) for name in imports(path)} & set(units) - {unit}
        for unit in units
    }
    reached: dict[str, set[str]] = {}

    def reach(unit: str) -> set[str]:
        if unit not in reached:
            reached[unit] = set()
            for other in direct[unit]:
                reached[unit] |= {other} | reach(other)
        return reached[unit]

    kept = []
    for unit in units:
        implied = set().union(*(reach(other) for other in direct[unit])) if direct[unit] else set()
        kept += [(unit, other) for other in sorted(direct[unit] - implied)]
    return kept


def rooms(unit: str) -> str:
    """The sub-folders of a unit, or how many files it has."""
    folder = SOURCE / unit
    if not folder.is_dir():
        return "one file"
    names = sorted(path.name for path in folder.iterdir() if path.is_dir() and any(path.glob("*.py")))
    count = sum(1 for path in folder.rglob("*.py") if path.name != "__init__.py")
    return f"{count} files" + (f": {', '.join(names)}" if names else "")


def picture() -> str:
    """The whole picture as SVG."""
    rows = [[unit for unit in row if there(unit)] for row in layers()]
    rows = [row for row in rows if row]
    middle: dict[str, tuple[float, float]] = {}
    boxes = []
    for level, row in enumerate(rows):
        width = min(440.0, (WIDTH - 40) / len(row) - 16)
        left = (WIDTH - len(row) * (width + 16) + 16) / 2
        for at, unit in enumerate(row):
            x, y = left + at * (width + 16), TOP + level * ROW
            middle[unit] = (x + width / 2, y)
            boxes.append(
                f'<rect class="box" x="{x:.0f}" y="{y}" width="{width:.0f}" height="{BOX_HEIGHT}" rx="6"/>'
                f'<text class="name" x="{x + 12:.0f}" y="{y + 23}">{unit}</text>'
                f'<text class="rooms" x="{x + 12:.0f}" y="{y + 42}">{_fitted(rooms(unit), width)}</text>'
            )
    lines = [_arrow(middle[one], middle[other]) for one, other in arrows([unit for row in rows for unit in row])]
    height = TOP + len(rows) * ROW
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">'
        f"<title>What imports what in Periplus: every arrow leads downwards</title><style>{STYLE}</style>"
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>'
        '<defs><marker id="tip" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="6" markerHeight="6" orient="auto">'
        '<path class="arrow" d="M0 0L6 3L0 6"/></marker></defs>'
        f'<text class="title" x="20" y="32">Every arrow leads downwards: a unit imports from lower layers only</text>'
        + "".join(lines) + "".join(boxes) + "</svg>\n"
    )  # fmt: skip


def _fitted(text: str, width: float) -> str:
    most = int((width - 20) / 5.2)
    return text if len(text) <= most else text[: most - 1].rstrip(" ,") + "…"


def _arrow(one: tuple[float, float], other: tuple[float, float]) -> str:
    (x1, y1), (x2, y2) = one, other
    y1 += BOX_HEIGHT
    bend = (y2 - y1) / 2
    return (
        f'<path class="arrow" marker-end="url(#tip)" '
        f'd="M{x1:.0f} {y1}C{x1:.0f} {y1 + bend:.0f} {x2:.0f} {y2 - bend:.0f} {x2:.0f} {y2 - 2}"/>'
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(picture())
