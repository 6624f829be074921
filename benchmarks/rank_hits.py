"""HITS and SALSA against networkx (scipy), igraph and plain scipy, at the same measured error.

    python benchmarks/rank_hits.py                     cnr-2000
    python benchmarks/rank_hits.py --graph TARGET      any graph that `periplus graph info` can read

Every contender runs in a process of its own on two threads, one at a time, from the same graph on disk. Not timed:
imports, compilation (a warm-up on a small graph) and turning the graph into the peer's own form, but for
"networkx.hits(G)", which does that in every call. Timed: from there to both vectors, hubs and authorities. The error is
the ℓ1 distance of the authorities (2-norm one for HITS, sum one for SALSA) from a reference, and each contender
gets the loosest of its settings whose measured error is at most 1e-7. networkx and igraph have no SALSA: scipy computes
it as the walk it is defined by, and by the closed form that Periplus uses. Rounds are interleaved; the table gives the
median, the spread, the processor time of all threads (which a busy machine does not change) and the ratio to
Periplus doing the same work: two vectors, no eigengap.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

THREADS = "2"
for variable in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, THREADS)

import numpy as np  # noqa: E402

from periplus.graph import Graph  # noqa: E402

WANTED = 1e-7
DATA = Path(os.environ.get("PERIPLUS_DATA", Path(__file__).resolve().parent.parent.parent / "shared" / "data"))
Attempts = Iterator[Callable[[], np.ndarray]]


def _matrix(graph: Graph) -> Any:
    from scipy.sparse import csr_array

    shape = (graph.nodes, graph.nodes)
    return csr_array((np.ones(graph.links), graph.out_targets.astype(np.int32), graph.out_offsets), shape=shape)


def _pairs(graph: Graph) -> np.ndarray:
    sources = np.repeat(np.arange(graph.nodes, dtype=np.int64), graph.out_degrees)
    return np.stack([sources, graph.out_targets.astype(np.int64)], 1)


def _unit(vector: np.ndarray) -> np.ndarray:
    return np.abs(vector) / np.linalg.norm(vector)


def periplus_hits(graph: Graph, *, gap: bool = False) -> Attempts:
    from periplus.rank import hits

    yield lambda: hits(graph, gap=gap).values


def periplus_hits_gap(graph: Graph) -> Attempts:
    return periplus_hits(graph, gap=True)


def scipy_svds(graph: Graph) -> Attempts:
    """What networkx.hits does once it has its matrix: the vectors, then h = A a."""
    from scipy.sparse.linalg import svds

    matrix = _matrix(graph)

    def run(tolerance: float) -> np.ndarray:
        authorities = svds(matrix, k=1, tol=tolerance, maxiter=1000)[2][0]
        matrix @ authorities
        return _unit(authorities)

    for tolerance in (1e-2, 1e-4, 1e-6, 1e-8):
        yield lambda tolerance=tolerance: run(tolerance)


def networkx_hits(graph: Graph) -> Attempts:
    import networkx

    peer = networkx.DiGraph()
    peer.add_nodes_from(range(graph.nodes))
    peer.add_edges_from(_pairs(graph).tolist())

    def run(tolerance: float) -> np.ndarray:
        return _unit(np.fromiter(networkx.hits(peer, tol=tolerance, max_iter=1000)[1].values(), float, graph.nodes))

    for tolerance in (1e-4, 1e-8):
        yield lambda tolerance=tolerance: run(tolerance)


def igraph_hits(graph: Graph) -> Attempts:
    import igraph

    warnings.simplefilter("ignore")  # it warns of zeros in every web graph
    peer = igraph.Graph(n=graph.nodes, edges=_pairs(graph), directed=True)

    def run() -> np.ndarray:
        peer.hub_score(scale=False)
        return _unit(np.asarray(peer.authority_score(scale=False)))

    yield run


def periplus_salsa(graph: Graph) -> Attempts:
    from periplus.rank import salsa

    yield lambda: salsa(graph).values


def scipy_salsa_walk(graph: Graph) -> Attempts:
    from scipy.sparse import diags_array

    matrix = _matrix(graph)
    back = (matrix @ diags_array(1 / np.maximum(graph.in_degrees, 1))).T.tocsr()
    forth = (diags_array(1 / np.maximum(graph.out_degrees, 1)) @ matrix).tocsr()
    step_back, step_forth = back.T.tocsr(), forth.T.tocsr()

    def run(passes: int) -> np.ndarray:
        authorities = (graph.in_degrees > 0) / np.count_nonzero(graph.in_degrees)
        hubs = (graph.out_degrees > 0) / np.count_nonzero(graph.out_degrees)
        for _ in range(passes):
            authorities = step_forth @ (step_back @ authorities)
            hubs = step_back @ (step_forth @ hubs)
        return authorities

    for passes in (100, 400):
        yield lambda passes=passes: run(passes)


def scipy_salsa_closed(graph: Graph) -> Attempts:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    pairs, nodes = _pairs(graph), graph.nodes
    two_sided = coo_array(
        (np.ones(graph.links), (pairs[:, 0], pairs[:, 1] + nodes)), shape=(2 * nodes, 2 * nodes)
    ).tocsr()
    into, out = graph.in_degrees, graph.out_degrees

    def run() -> np.ndarray:
        labels = connected_components(two_sided, directed=False)[1]
        links = np.bincount(labels[:nodes], weights=out, minlength=2 * nodes)
        vectors = []
        for side, degrees in ((labels[nodes:], into), (labels[:nodes], out)):
            members = np.bincount(side[degrees > 0], minlength=len(links))
            share = members[side] / np.count_nonzero(degrees)
            vectors.append(np.divide(share * degrees, links[side], out=np.zeros(nodes), where=degrees > 0))
        return vectors[0]

    yield run


CONTENDERS: dict[str, dict[str, Callable[[Graph], Attempts]]] = {
    "HITS": {
        "Periplus": periplus_hits,
        "Periplus, with the eigengap": periplus_hits_gap,
        "networkx's scipy svds, matrix ready": scipy_svds,
        "networkx.hits(G)": networkx_hits,
        "igraph": igraph_hits,
    },
    "SALSA": {
        "Periplus": periplus_salsa,
        "scipy, closed form": scipy_salsa_closed,
        "scipy, the walk": scipy_salsa_walk,
    },
}


def child(method: str, name: str, folder: str) -> None:
    """Warm up, take the loosest setting that meets the reference, time it once; one JSON line."""
    make = CONTENDERS[method][name]
    rng = np.random.default_rng(1)
    small = Graph.from_edges(rng.integers(0, 50_000, 200_000), rng.integers(0, 40_000, 200_000), 50_000)
    next(make(small))()
    graph = Graph.open(folder)
    graph.in_offsets, graph.in_sources, graph.digest  # noqa: B018  (part of a stored graph)
    reference = np.load(Path(folder) / f"{method}.npy")
    for attempt in make(graph):
        begin, used = time.perf_counter(), time.process_time()
        values = attempt()
        seconds, used = time.perf_counter() - begin, time.process_time() - used
        error = float(np.abs(values - reference).sum())
        if error <= WANTED:
            break
    print(json.dumps({"seconds": seconds, "cpu": used, "error": error}))


def references(graph: Graph, folder: str) -> None:
    from periplus.numeric.stop import MaxIter, Tol
    from periplus.rank import hits, salsa

    np.save(Path(folder) / "HITS.npy", hits(graph, stop=Tol(1e-10) | MaxIter(5000)).values)
    np.save(Path(folder) / "SALSA.npy", salsa(graph).values)


def rows(graph: Graph, rounds: int) -> list[tuple[str, str, float, float, float, float, float]]:
    """(method, contender, median seconds, spread, processor seconds, measured error, times the time of Periplus)."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        graph.save(folder, transpose=True)
        references(graph, folder)
        for method, contenders in CONTENDERS.items():
            runs: dict[str, list[dict[str, float]]] = {name: [] for name in contenders}
            for _ in range(rounds):
                for name, taken in runs.items():
                    command = [sys.executable, __file__, "--child", method, name, folder]
                    taken.append(json.loads(subprocess.run(command, check=True, capture_output=True).stdout))
            ours = statistics.median(run["seconds"] for run in runs["Periplus"])
            for name, taken in runs.items():
                seconds = [run["seconds"] for run in taken]
                middle, spread = statistics.median(seconds), max(seconds) - min(seconds)
                cpu = min(run["cpu"] for run in taken)
                found.append((method, name, middle, spread, cpu, taken[-1]["error"], middle / ours))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", default=str(DATA / "cnr-2000" / "edges.tsv.xz"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--child", nargs=3, metavar=("METHOD", "NAME", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(*options.child)
        return
    from periplus.cli.target import load_graph

    graph = load_graph(options.graph)
    print(f"{graph!r}, {options.rounds} rounds, load average {os.getloadavg()[0]:.1f}\n")
    print("| method | contender | seconds (median) | spread | processor seconds | measured ℓ1 error | times Periplus |")
    print("|---|---|---|---|---|---|---|")
    for method, name, middle, spread, cpu, error, times in rows(graph, options.rounds):
        print(f"| {method} | {name} | {middle:.3f} | {spread:.3f} | {cpu:.3f} | {error:.1e} | {times:.1f} |")


if __name__ == "__main__":
    main()
