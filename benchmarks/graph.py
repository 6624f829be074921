"""Graphs: text to graph against the libraries one would pick instead, opening, transposing, what an order is worth.

    python benchmarks/graph.py                    10 million links, a few minutes
    python benchmarks/graph.py --links 100e6      the size of the claim, with peers; needs 4 GB of disk, 14 GB of memory

Every reader runs in a process of its own, after a warm-up on a small file, from the same file in the page cache, and
ends with the same thing: a sorted adjacency structure in memory. Memory is the growth of the peak resident set.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

DEGREE = 10
MOST_MEMORY = int(14e9)  # a reader that wants more fails, and the machine lives on
SLOW = 8  # a reader that takes this many times ours is not run again in the next rounds


# -- the readers: path -> (nodes, links without repeats, or None where the library keeps repeats) ---------------------


def read_periplus(path: str) -> tuple[int, int | None]:
    from periplus.graph.building.text import read_edge_list

    graph = read_edge_list(path)
    return graph.nodes, graph.links


def read_polars(path: str) -> tuple[int, int | None]:
    """polars parses, scipy sorts and unites: the fastest pair that we found."""
    import polars
    from scipy.sparse import csr_array

    frame = polars.read_csv(path, separator="\t", has_header=False, schema={"s": polars.UInt32, "t": polars.UInt32})
    sources, targets = frame["s"].to_numpy(), frame["t"].to_numpy()
    nodes = int(max(sources.max(), targets.max())) + 1
    matrix = csr_array((np.ones(len(sources), np.bool_), (sources, targets)), shape=(nodes, nodes))
    matrix.sum_duplicates()
    return nodes, matrix.nnz


def _from_sorted(sources: np.ndarray, targets: np.ndarray) -> tuple[int, int | None]:
    from scipy.sparse import csr_array

    nodes = int(max(sources.max(), targets.max())) + 1
    offsets = np.concatenate(([0], np.cumsum(np.bincount(sources, minlength=nodes))))
    matrix = csr_array((np.ones(len(targets), np.bool_), targets, offsets), shape=(nodes, nodes))
    return nodes, matrix.nnz


def read_polars_sort(path: str) -> tuple[int, int | None]:
    import polars

    schema = {"s": polars.UInt32, "t": polars.UInt32}
    frame = polars.read_csv(path, separator="\t", has_header=False, schema=schema).unique().sort("s", "t")
    return _from_sorted(frame["s"].to_numpy(), frame["t"].to_numpy())


def read_duckdb_sort(path: str) -> tuple[int, int | None]:
    import duckdb

    columns = "{'s': 'UINTEGER', 't': 'UINTEGER'}"
    source = f"read_csv('{path}', delim='\\t', header=false, columns={columns})"
    found = duckdb.sql(f"SELECT DISTINCT s, t FROM {source} ORDER BY s, t").fetchnumpy()
    return _from_sorted(np.asarray(found["s"]), np.asarray(found["t"]))


def read_networkit(path: str) -> tuple[int, int | None]:
    import networkit

    graph = networkit.graphio.EdgeListReader("\t", 0, directed=True).read(path)
    return graph.numberOfNodes(), None


def read_igraph(path: str) -> tuple[int, int | None]:
    import igraph

    graph = igraph.Graph.Read_Edgelist(path, directed=True)
    return graph.vcount(), None


def read_sknetwork(path: str) -> tuple[int, int | None]:
    from sknetwork.data import from_csv

    matrix = from_csv(path, delimiter="\t", directed=True, reindex=False)
    return matrix.shape[0], matrix.nnz


READERS: dict[str, Callable[[str], tuple[int, int | None]]] = {
    "periplus": read_periplus,
    "polars + scipy": read_polars,
    "polars sort + scipy": read_polars_sort,
    "duckdb sort + scipy": read_duckdb_sort,
    "networkit": read_networkit,
    "igraph": read_igraph,
    "scikit-network": read_sknetwork,
}


# -- one reader, in its own process ------------------------------------------------------------------------------------


def resident(field: str) -> int:
    """`VmRSS` or `VmHWM` of this process, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    return 0


def measure_here(name: str, path: str, small: str) -> None:
    """Read once; print seconds and peak memory as one JSON line."""
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    READERS[name](small)
    before = resident("VmRSS:")
    Path("/proc/self/clear_refs").write_text("5")  # the peak counts from here
    start, busy = time.perf_counter(), time.process_time()
    nodes, links = READERS[name](path)
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
    memory = resident("VmHWM:") - before
    print(json.dumps({"seconds": seconds, "busy": busy, "memory": memory, "nodes": nodes, "links": links}))


def measure(name: str, path: Path, small: Path, limit: float) -> dict[str, Any] | str:
    command = [sys.executable, __file__, "--reader", name, str(path), str(small)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return f"stopped after {limit:.0f} s"
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1]
        return f"failed: {last[:60]}"
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def race(path: Path, small: Path, rounds: int, limit: float, readers: list[str]) -> None:
    """All readers, `rounds` times in turn, the slow ones once; medians, with ours as the measure."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in readers}
    failed: dict[str, str] = {}
    for _ in range(rounds):
        for name in readers:
            slow = found[name] and found[name][0]["seconds"] > SLOW * found["periplus"][0]["seconds"]
            if name not in failed and not slow:
                answer = measure(name, path, small, limit)
                if isinstance(answer, str):
                    failed[name] = answer
                else:
                    found[name].append(answer)
    ours = found["periplus"]
    own = statistics.median(run["seconds"] for run in ours)
    links, nodes = ours[0]["links"], ours[0]["nodes"]
    rows = 4 * links + 8 * (nodes + 1)
    size = path.stat().st_size
    print(f"\ntext to graph: {size / 1e9:.2f} GB of text -> {nodes:,} nodes, {links:,} links without repeats")
    print(f"rows of one direction: {rows / 1e6:,.0f} MB")
    print(
        f"  {'reader':<22}{'median s':>9}{'fastest s':>10}{'slowest s':>10}{'to ours':>9}"
        f"{'CPU s':>8}{'peak MB':>9}{'to rows':>9}"
    )
    for name, runs in found.items():
        if name in failed:
            print(f"  {name:<22} {failed[name]}")
            continue
        if any(run["links"] not in (None, links) or run["nodes"] != nodes for run in runs):
            raise SystemExit(f"{name} read another graph: {runs[0]}")
        seconds = [run["seconds"] for run in runs]
        memory = max(run["memory"] for run in runs)
        print(
            f"  {name:<22}{statistics.median(seconds):>9.2f}{min(seconds):>10.2f}{max(seconds):>10.2f}"
            f"{statistics.median(seconds) / own:>8.1f}x{statistics.median(run['busy'] for run in runs):>8.2f}"
            f"{memory / 1e6:>9,.0f}{memory / rows:>8.2f}x"
        )


# -- what follows reading ----------------------------------------------------------------------------------------------


def write_text(path: Path, links: int) -> None:
    """The links of a copying model as text, repeats and all."""
    from copying import copying_links

    from periplus.numeric.digits import TAB, format_rows

    with path.open("wb") as file:
        for sources, targets in copying_links(max(1, links // DEGREE), DEGREE):
            text = np.empty(22 * len(targets), np.uint8)
            offsets = np.arange(0, len(targets) + 1, DEGREE)
            file.write(text[: format_rows(int(sources[0]), offsets, targets, text, TAB)].data)


def keep_and_turn(path: Path, folder: Path) -> None:
    """Save, open, transpose."""
    from periplus.graph import Graph
    from periplus.graph.building.text import read_edge_list

    graph = read_edge_list(path)
    start = time.perf_counter()
    graph.save(folder / "graph")
    saved = time.perf_counter() - start
    opened = []
    for _ in range(7):
        start = time.perf_counter()
        stored = Graph.open(folder / "graph")
        opened.append(time.perf_counter() - start)
    start = time.perf_counter()
    count = len(stored.in_sources)
    turned = time.perf_counter() - start
    print(f"\nsave {saved:.2f} s; open {statistics.median(opened) * 1e3:.2f} ms; transpose {turned:.2f} s", end="")
    print(f" ({turned / count * 1e9:.1f} ns per link)")


def worth_of_orders(nodes: int, llp: bool) -> None:
    """One pull pass (y = A^T x, each page sums over its in-links) over the same graph under several orders."""
    from copying import nearby_links
    from numba import njit

    from periplus.graph.building.build import build_graph
    from periplus.graph.order import mean_log_gap

    @njit(nogil=True)
    def pull(offsets, sources, values, sums):
        for page in range(len(sums)):
            total = 0.0
            for i in range(offsets[page], offsets[page + 1]):
                total += values[sources[i]]
            sums[page] = total

    grown = build_graph(nearby_links(nodes, DEGREE), nodes=nodes)
    shuffled = grown.reordered(np.random.default_rng(0).permutation(nodes))
    print(f"\nwhat an order is worth: {nodes:,} pages that link near by, {grown.links:,} links")
    print(f"  {'order':<12}{'seconds to order':>17}{'bits per gap':>12}{'ns per link':>11}{'gain':>7}")
    base = 0.0
    for name in ("shuffled", "degree", "bfs", *(["llp"] if llp else []), "as grown"):
        start = time.perf_counter()
        graph = {"shuffled": shuffled, "as grown": grown}.get(name) or shuffled.reordered(name)
        ordered = time.perf_counter() - start
        values, sums, passes = np.ones(nodes), np.empty(nodes), []
        for _ in range(5):
            start = time.perf_counter()
            pull(graph.in_offsets, graph.in_sources, values, sums)
            passes.append(time.perf_counter() - start)
        each = statistics.median(passes[1:]) / graph.links * 1e9
        base = base or each
        print(f"  {name:<12}{ordered:>17.2f}{mean_log_gap(graph):>12.2f}{each:>11.2f}{base / each:>6.1f}x")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--links", type=float, default=10e6, help="links in the text")
    parser.add_argument("--order-nodes", type=float, default=3e6, help="nodes of the graph that is put in order")
    parser.add_argument("--llp", action="store_true", help="put it in order by label propagation too: minutes")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=120, help="seconds after which a peer is stopped")
    parser.add_argument("--peers", nargs="*", choices=list(READERS)[1:], default=list(READERS)[1:], metavar="PEER")
    parser.add_argument("--scratch", default=os.environ.get("PERIPLUS_SCRATCH"), help="where the text is written")
    parser.add_argument("--reader", nargs=3, metavar=("NAME", "PATH", "SMALL"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.reader:
        measure_here(*options.reader)
        return
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        text, small = Path(folder) / "links.tsv", Path(folder) / "small.tsv"
        write_text(text, int(options.links))
        write_text(small, 10_000)
        race(text, small, options.rounds, options.limit, ["periplus", *options.peers])
        keep_and_turn(text, Path(folder))
    worth_of_orders(int(options.order_nodes), options.llp)


if __name__ == "__main__":
    main()
