"""The whole study of a web of AltaVista's size on one machine, step by step: seconds and peak memory of each.

    python benchmarks/altavista.py --into /scratch/altavista.graph     first builds it
    python benchmarks/altavista_study.py /scratch/altavista.graph      then studies it

Strong and weak components, bow-tie, degree laws, sampled distances, PageRank; each in a process of its own, so that its
memory is its own and one that fails leaves the others. The graph stays memory-mapped: "own" is what the process
allocated, "with files" includes the pages of the graph that it holds in memory. Kernels are compiled on a small graph
before the clock starts. What a step found is kept beside the graph: the same command again goes on with the steps that
are missing (`--again` does all of them). The bow-tie must have the counts of Broder et al. that the web was made with.
The table of the full web is written into docs/scale.md, between its two marks.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from periplus.graph import Graph

FULL = 200_000_000  # pages from which on the table is that of the whole web of 1999
DOCS = Path(__file__).resolve().parent.parent / "docs" / "scale.md"
MARKS = ("<!-- study -->", "<!-- /study -->")
HEAD = "| step | seconds | own GB | with files GB | result |\n|---|---|---|---|---|"


class Step(NamedTuple):
    """What is done with the graph, and the words for what came of it."""

    work: Callable[[Graph, argparse.Namespace], Any]
    words: Callable[[Any], str]


def strong(graph: Graph, _: argparse.Namespace) -> Any:
    from periplus.structure.connectivity.components import strong_components

    return strong_components(graph)


def weak(graph: Graph, _: argparse.Namespace) -> Any:
    from periplus.structure.connectivity.components import weak_components

    return weak_components(graph)


def bow_tie(graph: Graph, _: argparse.Namespace) -> Any:
    from periplus.structure.connectivity.bowtie import bowtie

    return bowtie(graph)


def degree_law(kind: str) -> Callable[[Graph, argparse.Namespace], Any]:
    def work(graph: Graph, _: argparse.Namespace) -> Any:
        from periplus.structure.laws.degrees import degrees

        return degrees(graph, kind, samples=20)

    return work


def far(graph: Graph, options: argparse.Namespace) -> Any:
    from periplus.structure.paths.distances import distances

    return distances(graph, method="sampled", sources=options.sources)


def ranks(graph: Graph, options: argparse.Namespace) -> Any:
    """By a named solver that holds six vectors: what `auto` takes may want more memory than there is."""
    from periplus.numeric.stop import MaxIter, Tol
    from periplus.rank.methods.pagerank import pagerank

    return pagerank(graph, solver=options.solver, stop=Tol(options.tolerance) | MaxIter(200))


def parts(found: Any) -> str:
    return f"{found.count:,}, largest {found.largest:,}"


def law(found: Any) -> str:
    return f"α = {found.law.alpha:.2f} from {found.law.xmin:.0f} on; {found.law.verdict}"


STEPS: dict[str, Step] = {
    "strong components": Step(strong, parts),
    "weak components": Step(weak, parts),
    "bow-tie": Step(bow_tie, lambda b: ", ".join(f"{k} {v:,}" for k, v in b.counts.items() if v)),
    "in-degree": Step(degree_law("in"), law),
    "out-degree": Step(degree_law("out"), law),
    "distances": Step(
        far,
        lambda d: (
            f"{100 * d.connected_share:.0f} ± {100 * d.connected_share_error:.0f} % of pairs joined, "
            f"mean {d.mean:.2f} ± {d.mean_error:.2f}, at least {d.diameter_lower} long"
        ),
    ),
    "PageRank": Step(
        ranks, lambda s: f"{s.parameters['solver']}, {s.iterations} passes, ℓ1 error ≤ {s.error_bound:.1e}"
    ),
}


# -- one step, in its own process --------------------------------------------------------------------------------------


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
        ended = False
        while not ended:
            ended = self._done.wait(0.1)
            own, both = resident()
            self.own, self.all = max(self.own, own), max(self.all, both)

    def end(self) -> None:
        self._done.set()
        self._thread.join()


def small_web() -> Graph:
    rng = np.random.default_rng(0)
    graph = Graph.from_edges(rng.integers(0, 300, 1500), rng.integers(0, 300, 1500), 300)
    assert graph.in_sources is not None
    return graph


def run_step(name: str, options: argparse.Namespace) -> dict[str, Any]:
    """Do one step here and now."""
    step = STEPS[name]
    step.work(small_web(), options)
    graph = Graph.open(options.graph)
    peak, start = Peak(), time.perf_counter()
    found = step.work(graph, options)
    seconds = time.perf_counter() - start
    words = step.words(found)
    peak.end()
    return {"seconds": round(seconds, 1), "own": round(peak.own, 1), "all": round(peak.all, 1), "words": words}


# -- all of them -------------------------------------------------------------------------------------------------------


def in_a_process(name: str, options: argparse.Namespace) -> dict[str, Any]:
    """Have one step done; what went wrong is its result where it did."""
    command = [sys.executable, __file__, str(options.graph), "--step", name, "--solver", options.solver]
    command += ["--sources", str(options.sources), "--tolerance", str(options.tolerance)]
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0:
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return found
    why = f"failed with exit code {done.returncode}" + (" (killed: out of memory?)" if done.returncode == -9 else "")
    return {"seconds": round(time.perf_counter() - start, 1), "own": 0.0, "all": 0.0, "words": why, "failed": True}


def row(name: str, found: dict[str, Any]) -> str:
    return f"| {name} | {found['seconds']} | {found['own']} | {found['all']} | {found['words']} |"


def study(graph: Graph, options: argparse.Namespace) -> dict[str, Any]:
    """All steps that are not done yet; each is printed, and kept, as soon as it is."""
    kept_at = options.graph.with_suffix(".study.json")
    kept = json.loads(kept_at.read_text()) if kept_at.exists() and not options.again else {}
    done: dict[str, Any] = kept.get("steps", {}) if kept.get("digest") == graph.digest else {}
    print(HEAD, flush=True)
    for name in STEPS:
        if name not in done or "failed" in done[name]:
            done[name] = in_a_process(name, options)
            kept_at.write_text(json.dumps({"digest": graph.digest, "steps": done}, indent=1))
        print(row(name, done[name]), flush=True)
    return done


def into_docs(path: Path, graph: Graph, done: dict[str, Any]) -> None:
    """Put the table between the marks of a page of the documentation."""
    text = path.read_text(encoding="utf-8")
    before, middle, rest = text.partition(MARKS[0])
    _, end, after = rest.partition(MARKS[1])
    if not middle or not end:
        sys.exit(f"{path} has no place for the table: it needs {MARKS[0]} and {MARKS[1]}")
    table = "\n".join([HEAD, *(row(name, found) for name, found in done.items())])
    said = f"{graph.nodes:,} pages, {graph.links:,} links; {sum(f['seconds'] for f in done.values()):.0f} s in all."
    path.write_text(f"{before}{MARKS[0]}\n{said}\n\n{table}\n{MARKS[1]}{after}", encoding="utf-8")
    print(f"written into {path}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph", type=Path, help="the folder of the graph, with both directions")
    parser.add_argument("--sources", type=int, default=8, help="searches for the distances")
    parser.add_argument("--tolerance", type=float, default=1e-3, help="certified ℓ1 error of PageRank")
    parser.add_argument("--solver", default="gauss-seidel", help="of PageRank")
    parser.add_argument("--again", action="store_true", help="do all steps, also those that are done")
    parser.add_argument("--docs", type=Path, help="put the table here [default: docs/scale.md for the full web]")
    parser.add_argument("--step", choices=list(STEPS), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        print(json.dumps(run_step(options.step, options)))
        return
    graph = Graph.open(options.graph)
    print(f"{graph.nodes:,} pages, {graph.links:,} links\n")
    done = study(graph, options)
    print(f"\nwhole study: {sum(found['seconds'] for found in done.values()):.0f} s")
    if failed := [name for name, found in done.items() if "failed" in found]:
        sys.exit(f"not done: {', '.join(failed)}; the same command again tries them once more")
    if options.docs or graph.nodes >= FULL:
        into_docs(options.docs or DOCS, graph, done)


if __name__ == "__main__":
    main()
