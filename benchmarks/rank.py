"""Rankings: PageRank against every peer at the same measured error, many vectors at once, and updates.

    python benchmarks/rank.py               cnr-2000, and 1 M pages / 10 M links by the copying model and at random
    python benchmarks/rank.py --full        10 M pages / 100 M links instead, in natural and in shuffled order
    python benchmarks/rank.py --graph TARGET      any graphs that `periplus graph info` can read instead; only printed

Every contender runs in a process of its own on two threads, one at a time, from the same graph on disk. Not timed:
imports, compilation (a warm-up on a small graph), turning the graph into the peer's own form, and for us the transpose
and the digest, which a stored graph has. Timed: everything from there to the vector of scores. All solve the strongly
preferential PageRank at damping 0.85; the ℓ1 error is measured against a reference solved to the last bit, and each
contender gets the loosest of its settings whose measured error is at most 1e-9. Rounds are interleaved; the table gives
the median and the spread; "memory" is what the first call adds to the graph in its own form (later ones add what the
allocator keeps between calls). The table goes into docs/performance.md.
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
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

THREADS = "2"
for variable in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, THREADS)

import numpy as np  # noqa: E402
from report import in_memory, write_section  # noqa: E402

from periplus.graph import Graph  # noqa: E402

DAMPING, WANTED = 0.85, 1e-9
LIMIT = 180  # seconds for one contender on one graph, with loading and trials
DATA = Path(os.environ.get("PERIPLUS_DATA", Path(__file__).resolve().parent.parent.parent / "shared" / "data"))

# -- contenders: graph -> settings from loose to tight, each a call that gives the vector -----------------------------

Attempts = Iterator[Callable[[], np.ndarray]]


def periplus(graph: Graph, solver: str = "auto") -> Attempts:
    from periplus.numeric.stop import MaxIter, Tol
    from periplus.rank.methods.pagerank import pagerank

    yield lambda: pagerank(graph, damping=DAMPING, solver=solver, stop=Tol(WANTED) | MaxIter(1000)).values


def igraph(graph: Graph) -> Attempts:
    import igraph as library

    sources = np.repeat(np.arange(graph.nodes, dtype=np.int64), graph.out_degrees)
    peer = library.Graph(n=graph.nodes, edges=np.stack([sources, graph.out_targets.astype(np.int64)], 1), directed=True)
    yield lambda: np.asarray(peer.pagerank(damping=DAMPING, implementation="prpack"))


def networkit(graph: Graph) -> Attempts:
    import networkit as library

    library.setNumberOfThreads(int(THREADS))
    sources = np.repeat(np.arange(graph.nodes, dtype=np.uint64), graph.out_degrees)
    coo = (np.ones(graph.links), (sources, graph.out_targets.astype(np.uint64)))
    peer = library.GraphFromCoo(coo, n=graph.nodes, weighted=False, directed=True)
    sinks = library.centrality.SinkHandling.DistributeSinks

    def run(tolerance: float) -> np.ndarray:
        ranker = library.centrality.PageRank(peer, DAMPING, tolerance, distributeSinks=sinks)
        ranker.norm = library.centrality.Norm.l1norm
        ranker.maxIterations = 1000
        return np.asarray(ranker.run().scores())

    for tolerance in (1e-9, 2e-10, 1e-10):
        yield lambda tolerance=tolerance: run(tolerance)


def scikit_network(graph: Graph) -> Attempts:
    from sknetwork.ranking import PageRank

    matrix = _matrix(graph)
    for passes in (25, 35, 50, 70, 90, 115, 140):
        yield lambda passes=passes: PageRank(DAMPING, solver="RH", n_iter=passes, tol=0).fit_predict(matrix)


def scipy_power(graph: Graph) -> Attempts:
    degrees = graph.out_degrees
    inverse = np.divide(1.0, degrees, out=np.zeros(graph.nodes), where=degrees > 0)
    matrix = _matrix(graph, inverse).T.tocsr()

    def run(tolerance: float) -> np.ndarray:
        scores = np.full(graph.nodes, 1 / graph.nodes)
        while True:
            new = DAMPING * (matrix @ scores)
            new += (1 - new.sum()) / graph.nodes  # the jumps, and what dangling pages held
            change = np.abs(new - scores).sum()
            scores = new
            if change * DAMPING / (1 - DAMPING) <= tolerance:
                return scores

    yield lambda: run(WANTED)


def _matrix(graph: Graph, row_weight: np.ndarray | None = None) -> Any:
    from scipy.sparse import csr_matrix

    weights = np.ones(graph.links) if row_weight is None else np.repeat(row_weight, graph.out_degrees)
    shape = (graph.nodes, graph.nodes)
    return csr_matrix((weights, graph.out_targets.astype(np.int32), graph.out_offsets), shape=shape)


PEERS: dict[str, Callable[[Graph], Attempts]] = {
    "igraph (PRPACK)": igraph,
    "igraph (PRPACK), one thread": igraph,
    "NetworKit": networkit,
    "scikit-network (RH)": scikit_network,
    "scipy power iteration": scipy_power,
}
SOLVER_NAMES = ("power", "adaptive", "gauss-seidel", "lumped", "scc", "extrapolation", "blocking", "krylov")
CONTENDERS = {"Periplus": periplus, **PEERS}


# -- one contender in a process of its own ----------------------------------------------------------------------------


def child(name: str, folder: str, repeats: int) -> None:
    """Warm up, find the loosest setting that meets the reference, time it; one JSON line."""
    make = CONTENDERS.get(name) or (lambda graph: periplus(graph, name))
    # Links anywhere, near by, and back only: what `auto` takes is warm whichever way it goes.
    rng, pages = np.random.default_rng(1), np.arange(120_000) // 24
    for ends in (
        rng.integers(0, 5000, 120_000),
        (pages + rng.integers(1, 9, 120_000)) % 5000,
        pages * rng.random(120_000),
    ):
        next(make(_stored(Graph.from_edges(pages, ends.astype(np.int64), 5000))))()
    graph = in_memory(Path(folder))
    reference = np.load(Path(folder) / "reference.npy")
    for attempt in make(graph):
        held = _peak_memory(restart=True)
        times, busy, error, memory = [], [], np.inf, 0
        for _ in range(repeats):
            begin, work = time.perf_counter(), time.process_time()
            values = attempt()
            times.append(time.perf_counter() - begin)
            busy.append(time.process_time() - work)
            memory = memory or _peak_memory() - held
            error = float(np.abs(values - reference).sum())
            if error > WANTED:
                break
        if error <= WANTED:
            break
    print(json.dumps({"times": times, "busy": busy, "error": error, "memory": memory}))


def _stored(graph: Graph) -> Graph:
    """The graph as it comes from disk: in side and digest at hand."""
    graph.in_offsets, graph.digest  # noqa: B018
    return graph


def _peak_memory(*, restart: bool = False) -> int:
    """The highest resident size so far in bytes; `restart` begins to count anew (Linux)."""
    if restart:
        Path("/proc/self/clear_refs").write_text("5")
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) * 1024
    return 0


def run_child(name: str, folder: Path, repeats: int) -> dict[str, Any]:
    command = [sys.executable, __file__, "--child", name, "--folder", str(folder), "--repeats", str(repeats)]
    # PRPACK's threads wait for each other often: on a busy machine one alone is faster, and it may have that.
    threads = {"OMP_NUM_THREADS": "1"} if name.endswith("one thread") else {}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, env=os.environ | threads)
    except subprocess.TimeoutExpired:
        return {"times": [], "error": float("nan"), "failed": [f"more than {LIMIT} s, loading and trials counted"]}
    if done.returncode:
        return {"times": [], "error": float("nan"), "failed": done.stderr.strip().splitlines()[-1:]}
    return dict(json.loads(done.stdout.strip().splitlines()[-1]))


# -- graphs -----------------------------------------------------------------------------------------------------------


def cnr_2000() -> Graph | None:
    basename = DATA / "cnr-2000" / "cnr-2000"
    if not basename.with_suffix(".graph").exists():
        return None
    from periplus.cli.shared.target import load_graph

    return load_graph(str(basename))


def copying(nodes: int, shuffled: bool) -> Graph:
    """The linear-growth copying model (Deo and Gupta 3.5); without cycles, as it grows, except for its seed."""
    from periplus.models.generators.copying import linear_copying

    graph = linear_copying(nodes, rho=0.5, out_degree=10, seed=1)
    if not shuffled:
        return graph
    names = np.random.default_rng(2).permutation(nodes).astype(np.uint32)
    sources = np.repeat(names, graph.out_degrees)
    return Graph.from_edges(sources, names[graph.out_targets], nodes)


def at_random(nodes: int) -> Graph:
    """Ten links per page that lead anywhere: few passes do, and little else helps."""
    rng = np.random.default_rng(1)
    return Graph.from_edges(rng.integers(0, nodes, 10 * nodes), rng.integers(0, nodes, 10 * nodes), nodes)


def save(graph: Graph, folder: Path) -> None:
    """The graph with its in side, and the reference: sixty Gauss–Seidel sweeps more than 1e-9 needs."""
    from periplus.numeric.stop import MaxIter
    from periplus.rank.methods.pagerank import pagerank

    graph.save(folder, transpose=True)
    near = pagerank(graph, damping=DAMPING).values
    reference = pagerank(graph, damping=DAMPING, solver="gauss-seidel", stop=MaxIter(60), start=near).values
    np.save(folder / "reference.npy", reference)


# -- the trials -------------------------------------------------------------------------------------------------------


def against_peers(label: str, folder: Path, names: list[str], rounds: int, repeats: int) -> list[str]:
    """A table of all contenders on one graph."""
    results: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            results[name].append(run_child(name, folder, repeats))
            print(f"  {label}: {name}: {results[name][-1]}", file=sys.stderr, flush=True)
    seconds = {name: [t for run in runs for t in run["times"]] for name, runs in results.items()}
    medians = {name: statistics.median(times) for name, times in seconds.items() if times}
    ours = medians["Periplus"]
    peers = [medians[name] for name in names if name in PEERS and name in medians]
    busy = {name: statistics.median([t for run in results[name] for t in run["busy"]]) for name in medians}
    lines = [f"### {label}", ""]
    lines += ["| | seconds: median (least–most) | times ours | CPU seconds | times ours | measured ℓ1 error | memory |"]
    lines += ["|---|---|---|---|---|---|---|"]
    for name in names:
        if name not in medians:
            lines.append(f"| {name} | {' '.join(results[name][-1].get('failed', ['failed']))} | | | | | |")
            continue
        last = results[name][-1]
        spread = f"{min(seconds[name]):.3g}–{max(seconds[name]):.3g}"
        memory = f"{last['memory'] / 2**20:.0f} MiB"
        lines.append(
            f"| {name} | {medians[name]:.3g} ({spread}) | {medians[name] / ours:.1f} | {busy[name]:.3g} | "
            f"{busy[name] / busy['Periplus']:.1f} | {last['error']:.1e} | {memory} |"
        )
    if peers:
        lines += ["", f"Fastest peer / Periplus: **{min(peers) / ours:.1f}×**."]
        lines += ["CPU seconds are those of all threads together; on a busy machine they are the steadier figure."]
    return [*lines, ""]


def passes_per_second(label: str, folder: Path, repeats: int = 15) -> list[str]:
    """Links a second of one pass on both cores, pulled and through bins."""
    from periplus.rank.linear.bins import Bins, pays
    from periplus.rank.linear.passes import Pull, link_weights

    graph = Graph.open(folder)
    given = link_weights(graph, DAMPING) / graph.nodes
    base, values = np.full(graph.nodes, 0.15 / graph.nodes), np.zeros(graph.nodes)
    lines = []
    for name, kind in (("pulled", Pull), ("through bins", Bins)):
        times = timed(partial(kind(graph), given, base, values), repeats + 1)[1:]
        rates = [graph.links / seconds / 1e6 for seconds in times]
        taken = ", preferred here" if pays(graph) == (kind is Bins) else ""
        lines.append(
            f"| one pass {name}, {label} | {statistics.median(rates):,.0f} M links/s (best {max(rates):,.0f}){taken} |"
        )
    return lines


def many_vectors(label: str, folder: Path, vectors: int = 64) -> str:
    from periplus.rank.methods.personalised import personalised

    graph = _stored(Graph.open(folder))
    preferences = np.random.default_rng(3).random((graph.nodes, vectors))
    one = preferences[:, :1].copy()
    personalised(graph, preferences[:, :2]), personalised(graph, one)
    single = statistics.median(timed(lambda: personalised(graph, one), 5))
    block = statistics.median(timed(lambda: personalised(graph, preferences), 3))
    return (
        f"| {vectors} personalised vectors, {label} | {block:.3g} s, **{block / single:.1f}×** one vector "
        f"({single:.3g} s) |"
    )


def after_changes(label: str, folder: Path, share: float = 0.001) -> str:
    """0.1 % of the pages exchange a tenth of their links, one at least, for links to pages near by.

    Counted: all of `update`, to the certified vector; once with the changed pages named, once with both graphs
    compared. Not counted, as everywhere: in side and digest.
    """
    from periplus.rank.methods.pagerank import pagerank
    from periplus.rank.updating.update import update

    before = _stored(Graph.open(folder))
    after, chosen = _edited(before, share)
    scores = pagerank(before)
    new = update(before, scores, after, changed=chosen)
    ways = {
        "pages named": lambda: update(before, scores, after, changed=chosen),
        "graphs compared": lambda: update(before, scores, after),
    }
    cold, shares = side_by_side(lambda: pagerank(after), ways)
    told = ", ".join(f"{name} **{100 * share:.0f} %** ({100 * least:.0f}–{100 * most:.0f})"
                     for name, (share, least, most) in shares.items())  # fmt: skip
    return (
        f"| update, {len(chosen):,} pages changed, {label} | of a cold solve ({cold:.3g} s): {told}; "
        f"by {new.parameters['solver']}, certified {new.error_bound:.1e} |"
    )


def side_by_side(
    call: Callable[[], Any], others: dict[str, Callable[[], Any]]
) -> tuple[float, dict[str, tuple[float, float, float]]]:
    """Median seconds of one call, and the share of it that each other one takes right after it: median, least, most.

    Taken in turns, so that minutes in which the machine is slow count for both, and neither finds its own memory warm.
    """
    call()
    rounds = 5 if timed(call, 1)[0] > 0.5 else 25
    seconds: list[float] = []
    ratios: dict[str, list[float]] = {name: [] for name in others}
    for name, other in others.items():
        other()
        for _ in range(rounds):
            seconds += timed(call, 1)
            ratios[name] += [timed(other, 1)[0] / seconds[-1]]
    shares = {name: (statistics.median(found), min(found), max(found)) for name, found in ratios.items()}
    return statistics.median(seconds), shares


def _edited(before: Graph, share: float) -> tuple[Graph, np.ndarray]:
    """The graph with some pages' links moved, and these pages; a page without links gets one."""
    rng = np.random.default_rng(4)
    sources, targets = np.repeat(np.arange(before.nodes), before.out_degrees), before.out_targets.astype(np.int64)
    chosen = np.sort(rng.choice(before.nodes, int(share * before.nodes), replace=False))
    degrees = before.out_degrees[chosen]
    flags = np.zeros(before.nodes, np.bool_)
    flags[chosen] = True
    moved = flags[sources] & (rng.random(before.links) < 0.1)
    linked = chosen[degrees > 0]
    moved[before.out_offsets[linked] + rng.integers(0, degrees[degrees > 0])] = True
    # Never upwards: a graph that grew by addition stays one.
    targets[moved] = np.maximum(sources[moved] - rng.integers(1, 200, np.count_nonzero(moved)), 0)
    bare = chosen[degrees == 0]
    targets = np.append(targets, np.maximum(bare - rng.integers(1, 200, len(bare)), 0))
    return _stored(Graph.from_edges(np.append(sources, bare), targets, before.nodes)), chosen


def timed(call: Callable[[], Any], repeats: int) -> list[float]:
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="graphs of 10 M pages instead (12 GB, half an hour)")
    parser.add_argument("--order", choices=["natural", "shuffled", "both"], default="both", help="of the copying model")
    parser.add_argument("--pages", type=float, default=1e6, help="size of the copying model of the default run")
    parser.add_argument("--graph", action="append", default=[], help="a graph to race on, instead of the usual ones")
    parser.add_argument("--solvers", action="store_true", help="also each of our solvers by name on cnr-2000")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    parser.add_argument("--repeats", type=int, default=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child, options.folder, options.repeats)
        return
    lines: list[str] = []
    facts = ["| | |", "|---|---|"]
    with tempfile.TemporaryDirectory() as scratch:
        for label, graph in graphs(options):
            folder = Path(scratch) / "graph"
            save(graph, folder)
            large = graph.links > 5e7
            title = f"{label}: {graph.nodes:,} pages, {graph.links:,} links"
            del graph
            names = [name for name in CONTENDERS if not (large and name.endswith("one thread"))]
            lines += against_peers(title, folder, names, 1 if large else options.rounds, 1 if large else 7)
            if label == "cnr-2000" and options.solvers:
                lines += against_peers(f"{label}: each solver by name", folder, ["Periplus", *SOLVER_NAMES], 1, 3)
            facts += passes_per_second(label, folder)
            facts.append(after_changes(label, folder))
            if label == "cnr-2000":
                facts.append(many_vectors(label, folder))
            subprocess.run(["rm", "-r", str(folder)], check=True)
    report = "\n".join([*lines, "### Passes, blocks of vectors, updates", "", *facts])
    print(report)
    if options.graph:
        return
    if options.full:
        write_section(f"rank.py --full --order {options.order}", f"Ten million pages, {options.order} order", report)
    else:
        write_section("rank.py", "Rankings", report)


def graphs(options: argparse.Namespace) -> Iterator[tuple[str, Graph]]:
    if options.graph:
        from periplus.cli.shared.target import load_graph

        yield from ((Path(target).name, load_graph(target)) for target in options.graph)
        return
    real = None if options.full else cnr_2000()
    if real is not None:
        yield "cnr-2000", real
    nodes = 10_000_000 if options.full else int(options.pages)
    if options.order != "shuffled":
        yield "copying model, natural order", copying(nodes, shuffled=False)
    if options.order != "natural":
        yield "copying model, shuffled", copying(nodes, shuffled=True)
    if not options.full:
        yield "links at random", at_random(nodes)


if __name__ == "__main__":
    main()
