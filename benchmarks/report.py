"""What the benchmarks of the rankings share: a graph read into memory, and a section each of docs/performance.md."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from periplus.graph import Graph

PAGE = Path(__file__).resolve().parent.parent / "docs" / "performance.md"
OPENING = "# Performance\n\nEvery figure here was printed by the command named.\n"


def in_memory(folder: Path) -> Graph:
    """A stored graph with its in side and digest, every byte of it read: what a call adds to it is its own."""
    graph = Graph.open(folder)
    for part in (graph.out_offsets, graph.out_targets, graph.in_offsets, graph.in_sources):
        part.max()
    graph.digest  # noqa: B018
    return graph


def write_section(script: str, title: str, report: str, page: Path = PAGE) -> None:
    """Put the report of `script` (with `--full`, say, in its name), and the command that made it, between its marks."""
    begin, end = f"<!-- benchmarks/{script} -->", f"<!-- end of benchmarks/{script} -->"
    text = page.read_text() if page.exists() else OPENING
    command = " ".join(["python", f"benchmarks/{Path(sys.argv[0]).name}", *sys.argv[1:]])
    machine = f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end"
    section = "\n".join([begin, f"## {title}", "", f"`{command}` · {machine}", "", report, "", end])
    if begin in text and end in text:
        text = text[: text.index(begin)] + section + text[text.index(end) + len(end) :]
    else:
        text = text.rstrip() + "\n\n" + section + "\n"
    page.write_text(text)
