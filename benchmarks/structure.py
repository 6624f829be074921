"""Components and bow-tie against scipy, igraph and NetworKit, in the same run on the same graph.

    python benchmarks/structure.py              cnr-2000, the web model, and a web of 10 million links
    python benchmarks/structure.py --full       and one of 100 million links

Every library gets the graph in its own form beforehand; only the search for components is timed. Ours holds both
directions, as the graphs of igraph and NetworKit do, and its transpose is not timed; scipy holds one, and ours is timed
once more with the links out alone ("one way"). scipy is given float64 values, so that it makes no copy of them. Peers
that do not answer within the limit are left out by name. Rounds are interleaved (one of each, then again), because the
machine is not alone; the table gives the median, the spread, and the ratio to the fastest peer. The bow-tie is measured
in passes of PageRank over the same graph: one pull of float64 contributions over all in-links on both cores.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numba import njit, prange

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from altavista import borders, pairs_of_web
from report import write_section
from tests.conftest import DATA

from periplus.graph import Graph
from periplus.graph.building.build import build_graph
from periplus.graph.formats import read_graph
from periplus.models.generators.webmodel import web_model
from periplus.structure.connectivity.bowtie import bowtie
from periplus.structure.connectivity.components import strong_components, weak_components


def cnr() -> Graph | None:
    """cnr-2000 from its list of links; None where the data is absent."""
    path = DATA / "cnr-2000" / "edges.tsv.xz"
    return read_graph(path) if path.exists() else None


def web(links: float) -> Graph:
    """A web of AltaVista's shape with about that many links, its ids in no good order."""
    scale = links / 1.5e9
    pieces = ((pairs[:, 0], pairs[:, 1]) for pairs in pairs_of_web(scale))
    return build_graph(pieces, nodes=int(borders(scale)[-1]))


def scipy_runs(graph: Graph) -> dict[str, Callable[[], int]]:
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    shape = (graph.nodes, graph.nodes)
    parts = (np.ones(graph.links), graph.out_targets.astype(np.int32), graph.out_offsets.astype(np.int32))
    matrix = csr_matrix(parts, shape=shape)
    return {
        "strong": lambda: connected_components(matrix, connection="strong")[0],
        "weak": lambda: connected_components(matrix, connection="weak")[0],
    }


def igraph_runs(graph: Graph) -> dict[str, Callable[[], int]]:
    import igraph

    sources = np.repeat(np.arange(graph.nodes), graph.out_degrees)
    twin = igraph.Graph(n=graph.nodes, edges=np.column_stack([sources, graph.out_targets]), directed=True)
    return {
        "strong": lambda: len(twin.connected_components("strong")),
        "weak": lambda: len(twin.connected_components("weak")),
    }


def networkit_runs(graph: Graph) -> dict[str, Callable[[], int]]:
    import networkit as nk

    sources = np.repeat(np.arange(graph.nodes, dtype=np.uint64), graph.out_degrees)
    ends = (sources, graph.out_targets.astype(np.uint64))
    twin = nk.GraphFromCoo((np.ones(graph.links), ends), n=graph.nodes, directed=True)

    def count(kind: str) -> int:
        search = getattr(nk.components, kind)(twin)
        search.run()
        return int(search.numberOfComponents())

    return {
        "strong": lambda: count("StronglyConnectedComponents"),
        "weak": lambda: count("WeaklyConnectedComponents"),
    }


def our_runs(graph: Graph) -> dict[str, Callable[[], int]]:
    return {"strong": lambda: strong_components(graph).count, "weak": lambda: weak_components(graph).count}


def one_way_runs(graph: Graph) -> dict[str, Callable[[], int]]:
    """Ours on a graph that holds the links out alone."""
    return our_runs(Graph(graph.out_offsets, graph.out_targets))


LIBRARIES = {
    "periplus": our_runs,
    "one way": one_way_runs,
    "scipy": scipy_runs,
    "igraph": igraph_runs,
    "networkit": networkit_runs,
}


TOLD: list[str] = []


def say(line: str) -> None:
    """Print a line now, and keep it for the page of figures."""
    print(line, flush=True)
    TOLD.append(line)


def race(graph: Graph, rounds: int) -> None:
    """Strong and weak components by every library, interleaved."""
    runs = {}
    for name, make in LIBRARIES.items():
        try:
            runs[name] = make(graph)
        except (ImportError, MemoryError) as error:
            say(f"  {name} left out: {error or type(error).__name__}")
    for kind in ("strong", "weak"):
        seconds: dict[str, list[float]] = {name: [] for name in runs}
        counts = {name: run[kind]() for name, run in runs.items()}  # compiles, warms up, and must agree
        assert len(set(counts.values())) == 1, counts
        for _ in range(rounds):
            for name, run in runs.items():
                gc.collect()
                start = time.perf_counter()
                run[kind]()
                seconds[name].append(time.perf_counter() - start)
        report(kind, counts["periplus"], seconds)


def report(kind: str, count: int, seconds: dict[str, list[float]]) -> None:
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    peers = [name for name in medians if name not in ("periplus", "one way")]
    fastest = min(peers, key=medians.__getitem__, default="periplus")
    say(f"  {kind} components: {count:,}")
    for name, times in seconds.items():
        mine = "" if name == "periplus" else f"   {medians[name] / medians['periplus']:6.2f} × ours"
        say(f"    {name:<10}{medians[name] * 1e3:10.1f} ms   ({min(times) * 1e3:.1f} to {max(times) * 1e3:.1f}){mine}")
    best = {name: min(times) for name, times in seconds.items()}
    ratio, quiet = medians[fastest] / medians["periplus"], best[fastest] / best["periplus"]
    say(f"    fastest peer {fastest}: {ratio:.2f} × by medians, {quiet:.2f} × by best rounds")


@njit(cache=True, nogil=True, parallel=True)
def pagerank_pass(offsets, sources, ranks, inverse, out):
    """One pull: out[v] = 0.15/n + 0.85 Σ ranks[u]/d+(u) over the links u → v."""
    nodes = len(offsets) - 1
    for v in prange(nodes):
        total = 0.0
        for at in range(offsets[v], offsets[v + 1]):
            u = sources[at]
            total += ranks[u] * inverse[u]
        out[v] = 0.15 / nodes + 0.85 * total


def bowtie_in_passes(graph: Graph, rounds: int) -> None:
    """The bow-tie's time in PageRank passes, interleaved."""
    ranks, out = np.full(graph.nodes, 1.0 / graph.nodes), np.empty(graph.nodes)
    inverse = 1.0 / np.maximum(graph.out_degrees, 1)
    ties, passes = [], []
    found = bowtie(graph)
    pagerank_pass(graph.in_offsets, graph.in_sources, ranks, inverse, out)
    for _ in range(rounds):
        start = time.perf_counter()
        bowtie(graph)
        middle = time.perf_counter()
        pagerank_pass(graph.in_offsets, graph.in_sources, ranks, inverse, out)
        ties.append(middle - start)
        passes.append(time.perf_counter() - middle)
    tie, one = statistics.median(ties), statistics.median(passes)
    beside = f"one PageRank pass {one * 1e3:.1f} ms: {tie / one:.1f} passes"
    say(f"  bow-tie ({found.found_by}): {tie * 1e3:.1f} ms, {beside}")
    say(f"    {found.to_dict()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="also a web of 100 million links (needs 12 GB)")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    makers: list[tuple[str, Callable[[], Graph | None], int]] = [
        ("cnr-2000", cnr, 3 * options.rounds),
        ("the web model", lambda: web_model(1_000_000, seed=1), options.rounds),
        ("10 million links", lambda: web(1e7), options.rounds),
    ]
    if options.full:
        makers.append(("100 million links", lambda: web(1e8), max(3, options.rounds // 2)))
    for name, make, rounds in makers:
        graph = make()
        if graph is None:
            say(f"{name}: not here (set PERIPLUS_DATA)")
            continue
        say(f"{name}: {graph.nodes:,} pages, {graph.links:,} links")
        _ = graph.in_sources
        race(graph, rounds)
        bowtie_in_passes(graph, rounds)
        del graph
        gc.collect()
    write_section("structure.py", "Components and bow-tie", "\n".join(["```", *TOLD, "```"]))


if __name__ == "__main__":
    main()
