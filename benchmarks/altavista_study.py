"""The whole study of a web of AltaVista's size on one machine, step by step: seconds and peak memory of each.

    python benchmarks/altavista.py --into /scratch/altavista.graph     first builds it
    python benchmarks/altavista_study.py /scratch/altavista.graph      then studies it

Strong and weak components, bow-tie, degree laws, sampled distances, PageRank. The graph stays memory-mapped: "own"
is what the process allocated, "with files" includes the pages of the graph that it holds in memory. The bow-tie must
have the counts of Broder et al. that the web was made with.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from periplus.graph import Graph
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank.pagerank import pagerank
from periplus.structure.bowtie import bowtie
from periplus.structure.components import strong_components, weak_components
from periplus.structure.degrees import degrees
from periplus.structure.distances import distances


def resident() -> tuple[float, float]:
    """Gigabytes of this process: its own, and with the pages of files."""
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":" in line)
    own, files = (int(lines[name].split()[0]) / 1e6 for name in ("RssAnon", "RssFile"))
    return own, own + files


class Peak:
    """The most memory seen while a step ran."""

    def __init__(self) -> None:
        self.own = self.all = 0.0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._done.wait(0.1):
            own, both = resident()
            self.own, self.all = max(self.own, own), max(self.all, both)

    def end(self) -> None:
        self._done.set()
        self._thread.join()


def step(name: str, work: Callable[[], Any], words: Callable[[Any], str]) -> None:
    """Run one step and print its line."""
    peak, start = Peak(), time.perf_counter()
    result = work()
    seconds = time.perf_counter() - start
    peak.end()
    print(f"| {name} | {seconds:.1f} | {peak.own:.1f} | {peak.all:.1f} | {words(result)} |", flush=True)


def study(graph: Graph, *, sources: int, tolerance: float) -> None:
    """All steps; each frees what it made before the next begins."""
    print("| step | seconds | own GB | with files GB | result |\n|---|---|---|---|---|")
    step("strong components", lambda: strong_components(graph), lambda c: f"{c.count:,}, largest {c.largest:,}")
    step("weak components", lambda: weak_components(graph), lambda c: f"{c.count:,}, largest {c.largest:,}")
    step("bow-tie", lambda: bowtie(graph), lambda b: ", ".join(f"{k} {v:,}" for k, v in b.counts.items() if v))
    for kind in ("in", "out"):
        step(f"{kind}-degree", lambda kind=kind: degrees(graph, kind, samples=20), lambda d: d.law.verdict)
    step(
        "distances",
        lambda: distances(graph, method="sampled", sources=sources),
        lambda d: f"{100 * d.connected_share:.1f} % joined, mean {d.mean:.2f}, at least {d.diameter_lower} long",
    )
    stop = Tol(tolerance) | MaxIter(200)
    step(
        "PageRank", lambda: pagerank(graph, stop=stop), lambda s: f"{s.iterations} passes, error ≤ {s.error_bound:.1e}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph", type=Path, help="the folder of the graph, with both directions")
    parser.add_argument("--sources", type=int, default=8, help="searches for the distances")
    parser.add_argument("--tolerance", type=float, default=1e-4, help="certified ℓ1 error of PageRank")
    options = parser.parse_args()
    graph = Graph.open(options.graph)
    print(f"{graph.nodes:,} pages, {graph.links:,} links\n")
    start = time.perf_counter()
    study(graph, sources=options.sources, tolerance=options.tolerance)
    print(f"\nwhole study: {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
