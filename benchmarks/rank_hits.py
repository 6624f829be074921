"""HITS and SALSA against networkx (scipy), igraph and plain scipy, at the same measured error.

    python benchmarks/rank_hits.py                     cnr-2000, wb-cs-stanford, a copying model of 1 M pages
    python benchmarks/rank_hits.py --graph TARGET      any one graph that `periplus graph info` can read

Every contender runs in processes of its own on two threads, one at a time, from the same graph on disk. Not timed:
imports, compilation (a warm-up on a small stored graph), reading the graph into memory and turning it into the
peer's own form, but for "networkx.hits(G)", which does that in every call. Timed: from there to both vectors, hubs and
authorities. The error is the ℓ1 distance of the authorities (2-norm one for HITS, sum one for SALSA) from a reference,
and each contender gets the loosest of its settings whose measured error is at most 1e-7. networkx and igraph have no
SALSA: scipy computes it by the closed form that Periplus uses, on scipy's own components, and as the walk that it is
defined by, which converges slowly: the error in the table is what 100 steps leave. Rounds are interleaved; the table
gives the median, the spread, the processor time of all threads (steadier on a busy machine) and the ratio to Periplus
doing the same work: two vectors, no eigengap and with it no certificate. The table goes into docs/performance.md.
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
from report import in_memory, write_section  # noqa: E402

from periplus.graph import Graph  # noqa: E402

WANTED = 1e-7
# A contender runs again and again for about so long in each round; a slow one once.
SECONDS, MOST = 1.0, 7
# networkx needs a minute and some gigabytes to be handed a graph of this size, and the walk as long to walk it.
PATIENCE = 20_000_000
SLOW = ("networkx.hits(G)", "scipy, the walk")
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

    yield lambda: run(100)


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
        "Periplus, certified by the eigengap (default)": periplus_hits_gap,
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
    """Warm up, find the loosest setting that meets the reference, time it; one JSON line."""
    make = CONTENDERS[method][name]
    next(make(in_memory(Path(folder) / "small")))()
    graph = in_memory(Path(folder) / "graph")
    reference = np.load(Path(folder) / f"{method}.npy")
    for attempt in make(graph):
        times: list[float] = []
        busy: list[float] = []
        while not times or (sum(times) + times[-1] < SECONDS and len(times) < MOST):
            begin, work = time.perf_counter(), time.process_time()
            values = attempt()
            times.append(time.perf_counter() - begin)
            busy.append(time.process_time() - work)
        error = float(np.abs(values - reference).sum())
        if error <= WANTED:
            break
    print(json.dumps({"times": times, "busy": busy, "error": error}))


def prepare(graph: Graph, folder: Path) -> None:
    """The graph, a small one to warm up on, and the references."""
    from periplus.numeric.stop import MaxIter, Tol
    from periplus.rank import hits, salsa

    graph.save(folder / "graph", transpose=True)
    rng = np.random.default_rng(1)
    small = Graph.from_edges(rng.integers(0, 50_000, 200_000), rng.integers(0, 40_000, 200_000), 50_000)
    small.save(folder / "small", transpose=True)
    np.save(folder / "HITS.npy", hits(graph, stop=Tol(1e-10) | MaxIter(5000)).values)
    np.save(folder / "SALSA.npy", salsa(graph).values)


def contest(label: str, graph: Graph, rounds: int) -> list[str]:
    """The table of one graph."""
    lines = [f"### {label}: {graph.nodes:,} pages, {graph.links:,} links", ""]
    lines += [
        "| | | seconds: median (least–most) | times ours | CPU seconds | times ours | measured ℓ1 error |",
        "|---|---|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        prepare(graph, Path(folder))
        for method, contenders in CONTENDERS.items():
            names = [name for name in contenders if name not in SLOW or graph.links <= PATIENCE]
            runs: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
            for turn in range(rounds):
                for name in names:
                    if turn == 0 or name not in SLOW:
                        runs[name].append(run_child(method, name, folder))
                        print(f"  {label}: {method}: {name}: {runs[name][-1]}", file=sys.stderr, flush=True)
            lines += [table_row(method, name, taken, runs["Periplus"]) for name, taken in runs.items()]
    return [*lines, ""]


def run_child(method: str, name: str, folder: str) -> dict[str, Any]:
    command = [sys.executable, __file__, "--child", method, name, folder]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)
    return dict(json.loads(done.stdout.strip().splitlines()[-1]))


def table_row(method: str, name: str, taken: list[dict[str, Any]], ours: list[dict[str, Any]]) -> str:
    times = [seconds for run in taken for seconds in run["times"]]
    middle, busy = _median(taken, "times"), _median(taken, "busy")
    return (
        f"| {method} | {name} | {middle:.3g} ({min(times):.3g}–{max(times):.3g}) | "
        f"{middle / _median(ours, 'times'):.1f} | {busy:.3g} | {busy / _median(ours, 'busy'):.1f} | "
        f"{taken[-1]['error']:.1e} |"
    )


def _median(runs: list[dict[str, Any]], key: str) -> float:
    return statistics.median(value for run in runs for value in run[key])


def graphs(target: str | None) -> Iterator[tuple[str, Graph]]:
    from periplus.cli.shared.target import load_graph
    from periplus.models.generators.copying import linear_copying

    if target is not None:
        yield target, load_graph(target)
        return
    for name in ("cnr-2000", "wb-cs-stanford"):
        path = DATA / name / "edges.tsv.xz"
        if path.exists():
            yield name, load_graph(str(path))
    yield "copying model, natural order", linear_copying(1_000_000, rho=0.5, out_degree=10, seed=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", help="one graph in place of the three")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--child", nargs=3, metavar=("METHOD", "NAME", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(*options.child)
        return
    lines: list[str] = []
    for label, graph in graphs(options.graph):
        lines += contest(label, graph, options.rounds)
    report = "\n".join(lines).rstrip()
    print(report)
    if options.graph is None:
        write_section("rank_hits.py", "Hubs and authorities", report)


if __name__ == "__main__":
    main()
