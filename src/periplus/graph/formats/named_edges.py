"""Links between names: `from<TAB>to`, two columns of text, as the Wikispeedia `links.tsv` has them.

The nodes are numbered in the order of the sorted names. Only tabs separate (names may hold blanks); `#` begins a
comment. A node without links has no place in such a file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from periplus.errors import ParameterError
from periplus.graph.files import read_lines, writing
from periplus.graph.formats.base import Format, LinkList, Probe, build_graph, names_of, no_options, warn_skipped
from periplus.graph.graph import Graph


def recognises(probe: Probe) -> bool:
    """At least two lines, each of two names, not all of them numbers."""
    if b"\0" in probe.head:
        return False
    lines = [line.rstrip("\r") for line in probe.first_lines if not line.startswith("#")]
    if len(probe.head) >= 1 << 16:
        lines = lines[:-1]
    pairs = [line.split("\t") for line in lines]
    names = [word for pair in pairs for word in pair]
    return (
        len(pairs) >= 2 and all(len(pair) == 2 and all(pair) for pair in pairs) and not any(map(str.isdecimal, names))
    )


def read(path: Path, lenient: bool) -> Graph:
    problems = LinkList(path, lenient)
    sources: list[str] = []
    targets: list[str] = []
    for number, line in read_lines(path):
        text = line.decode("utf-8", "surrogateescape")
        if not text.strip() or text.startswith("#"):
            continue
        pair = text.split("\t")
        if len(pair) < 2 or not pair[0] or not pair[1]:
            problems.problem(f"{text[:80]!r} is no pair of names", number)
            continue
        sources.append(pair[0])
        targets.append(pair[1])
    warn_skipped(path, problems.skipped)
    names = sorted({*sources, *targets}, key=lambda name: name.encode("utf-8", "surrogateescape"))
    ids = {name: i for i, name in enumerate(names)}
    first, second = (np.array([ids[name] for name in column], dtype=np.int64) for column in (sources, targets))
    return build_graph(first, second, len(names), names=names)


def write(graph: Graph, path: Path, **options: Any) -> None:
    no_options("named edges", options)
    if graph.urls is None:
        raise ParameterError("graph", repr(graph), "with names; a graph without them is an edge list")
    names = [name.replace("\t", " ").replace("\n", " ").encode("utf-8", "surrogateescape") for name in names_of(graph)]
    with writing(path) as stream:
        for i in range(graph.nodes):
            stream.writelines(names[i] + b"\t" + names[j] + b"\n" for j in graph.successors(i).tolist())


FORMAT = Format(
    name="named-edges",
    title="links between names (TSV)",
    suffixes=(".names.tsv",),
    recognises=recognises,
    read=read,
    write=write,
    keeps_names=True,
)
