"""One section of docs/performance.md for each benchmark that has one; the others' stay as they are."""

from __future__ import annotations

import os
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "performance.md"
OPENING = "# Performance\n\nEvery figure here was printed by the command named.\n"


def write_section(script: str, title: str, report: str, page: Path = PAGE) -> None:
    """Put the report of `script`, with the command that made it, between its marks on the page."""
    begin, end = f"<!-- benchmarks/{script} -->", f"<!-- end of benchmarks/{script} -->"
    text = page.read_text() if page.exists() else OPENING
    command = " ".join(["python", f"benchmarks/{script}", *sys.argv[1:]])
    machine = f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end"
    section = "\n".join([begin, f"## {title}", "", f"`{command}` · {machine}", "", report, "", end])
    if begin in text and end in text:
        text = text[: text.index(begin)] + section + text[text.index(end) + len(end) :]
    else:
        text = text.rstrip() + "\n\n" + section + "\n"
    page.write_text(text)
