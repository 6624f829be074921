"""Communities at speed, with igraph, leidenalg, scikit-network and scipy in the same run.

    python benchmarks/communities.py            minutes: cnr-2000, webs of 100,000 and 200,000 pages
    python benchmarks/communities.py --full     the bars: a copying web of 100 M links trawled, a tree of 1 M pages

Not timed: imports, compilation (each is called once on a small web first), reading the graph, and turning it into a
peer's own form. Every contender of a table is given the same links and the same weights. Quality beside the time: two
partitions are compared by their modularity as Periplus counts it.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

THREADS = "2"
for variable in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, THREADS)

import numpy as np  # noqa: E402
from copying import copying_links, nearby_links  # noqa: E402
from report import write_section  # noqa: E402

from periplus.communities import core_counts, leiden, min_cut, trawl, tree  # noqa: E402
from periplus.communities.modular.leiden import modularity_of  # noqa: E402
from periplus.communities.modular.partition import partition  # noqa: E402
from periplus.communities.modular.weighted import Weighted, undirected  # noqa: E402
from periplus.graph import Graph, read_graph  # noqa: E402
from periplus.graph.building.build import build_graph  # noqa: E402
from periplus.models import linear_copying  # noqa: E402

DATA = Path(os.environ.get("PERIPLUS_DATA", Path(__file__).resolve().parent.parent.parent / "shared" / "data"))
SEEDS = 300


def timed(call: Callable[[], Any]) -> tuple[Any, float, float]:
    """What a call returns, the seconds it took, and those of all its threads together."""
    begin, busy = time.perf_counter(), time.process_time()
    found = call()
    return found, time.perf_counter() - begin, time.process_time() - busy


def peak() -> str:
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GiB"


def warm_up() -> None:
    small = linear_copying(2000, rho=0.3, seed=1)
    trawl(small), leiden(small), tree(small), min_cut(small, seeds=[1])


# -- cores ---------------------------------------------------------------------------------------------------


def cores(webs: list[tuple[str, Graph]], *, highest: int = 6) -> Iterator[str]:
    """All sizes from (3, 3) to (6, 6) of each web, and a web of equal size whose links fall by chance."""
    yield "| web | pages | links | seconds | CPU seconds | (3,3) | (4,4) | (6,6) | (3,3) by chance |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for name, graph in webs:
        found, seconds, busy = timed(lambda graph=graph: core_counts(graph, highest=highest, cap=50))
        counts = [found.counts[size - 3][size - 3] for size in (3, 4, 6)]
        rng = np.random.default_rng(1)
        by_chance = Graph.from_edges(*rng.integers(0, graph.nodes, (2, graph.links)), graph.nodes)
        told = " | ".join(f"{count:,}" for count in counts)
        yield (
            f"| {name} | {graph.nodes:,} | {graph.links:,} | {seconds:.2f} | {busy:.2f} | {told} | "
            f"{len(trawl(by_chance)):,} |"
        )


def large_cores(links: int) -> Iterator[str]:
    """All sizes of a copying web too large for the other table, from a graph on disk."""
    with tempfile.TemporaryDirectory() as folder:
        graph = build_graph(copying_links(links // 10), memory="2GB", into=Path(folder) / "graph", transpose=True)
        found, seconds, _ = timed(lambda: core_counts(graph, cap=50))
    counts = ", ".join(f"({size},{size}) {found.counts[size - 3][size - 3]:,}" for size in (3, 4, 5, 6))
    yield f"A copying web of {graph.nodes:,} pages and {graph.links:,} links: all (3 … 6)² sizes in {seconds:.0f} s,"
    yield f"peak memory {peak()}; {counts}."


# -- the minimum cut -----------------------------------------------------------------------------------------


def cuts(webs: list[tuple[str, Graph]]) -> Iterator[str]:
    """Around random pages that have links, with vicinities of 2,000 pages at most."""
    yield "| web | calls | vicinity: median | ms: median | 99 of 100 below | CPU ms: median | 99 of 100 below |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for name, graph in webs:
        linked = np.flatnonzero(graph.out_degrees + graph.in_degrees > 0)
        times, used, sizes = [], [], []
        for page in np.random.default_rng(1).choice(linked, SEEDS, replace=False).tolist():
            found, seconds, busy = timed(lambda graph=graph, page=page: min_cut(graph, seeds=[page]))
            times.append(1000 * seconds)
            used.append(1000 * busy)
            sizes.append(found.extra["vicinity"])
        yield (
            f"| {name} | {SEEDS} | {statistics.median(sizes):,.0f} | {statistics.median(times):.1f} | "
            f"{np.percentile(times, 99):.1f} | {statistics.median(used):.1f} | {np.percentile(used, 99):.1f} |"
        )


# -- Leiden --------------------------------------------------------------------------------------------------


def contenders(weighted: Weighted) -> dict[str, Callable[[], Any]]:
    """Each returns labels; peers get the same links with the same weights, once each."""
    rows = np.repeat(np.arange(weighted.nodes), np.diff(weighted.offsets))
    once = rows < weighted.neighbours
    pairs, weights = np.stack([rows[once], weighted.neighbours[once]], axis=1), weighted.weights[once]
    made: dict[str, Callable[[], Any]] = {}
    try:
        import igraph

        one = igraph.Graph(weighted.nodes, pairs)
        listed = weights.tolist()
        for rounds in (1, 2):
            made[f"igraph, {rounds} iteration{'s' * (rounds > 1)}"] = lambda rounds=rounds: np.array(
                one.community_leiden("modularity", weights=listed, n_iterations=rounds).membership
            )
        import leidenalg

        made["leidenalg, 1 iteration"] = lambda: np.array(
            leidenalg.find_partition(
                one, leidenalg.ModularityVertexPartition, weights=listed, n_iterations=1, seed=1
            ).membership
        )
    except ImportError as error:
        print(f"{error.name} is not installed: left out", file=sys.stderr)
    try:
        from scipy.sparse import csr_matrix
        from sknetwork.clustering import Leiden

        shape = (weighted.nodes, weighted.nodes)
        matrix = csr_matrix((weighted.weights, weighted.neighbours.astype(np.int32), weighted.offsets), shape=shape)
        made["scikit-network"] = lambda: Leiden(random_state=1).fit_predict(matrix)
    except ImportError as error:
        print(f"{error.name} is not installed: left out", file=sys.stderr)
    return made


def three_rounds(graph: Graph) -> Any:
    """Leiden without the rounds that gain little: about as good as a peer's second iteration."""
    weighted = undirected(graph)
    return partition(weighted, 1.0 / weighted.sizes.sum(), rounds=3).labels


def partitions(webs: list[tuple[str, Graph]]) -> Iterator[str]:
    """Leiden of everybody on every web; our time includes making the graph undirected, a peer's does not."""
    yield "| web | | modularity | seconds | CPU seconds | times ours |"
    yield "|---|---|---:|---:|---:|---:|"
    for name, graph in webs:
        weighted = undirected(graph)
        runs = [timed(lambda graph=graph, seed=seed: leiden(graph, seed=seed).labels) for seed in range(3)]
        ours = sorted(runs, key=lambda run: run[1])[1]
        for label, (labels, seconds, busy) in {
            "Periplus": ours,
            "Periplus, 3 rounds": timed(lambda graph=graph: three_rounds(graph)),
            **{label: timed(call) for label, call in contenders(weighted).items()},
        }.items():
            ratio = seconds / ours[1]
            yield (
                f"| {name} | {label} | {modularity_of(weighted, labels):.4f} | {seconds:.2f} | {busy:.2f} | "
                f"{ratio:.1f} |"
            )


# -- the tree ------------------------------------------------------------------------------------------------


def trees(webs: list[tuple[str, Graph]]) -> Iterator[str]:
    """The whole tree: mixture, Leiden, names, facts."""
    yield "| web | pages | links | seconds | CPU seconds | nodes | steps to the deepest | peak memory so far |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for name, graph in webs:
        found, seconds, busy = timed(lambda graph=graph: tree(graph))
        yield (
            f"| {name} | {graph.nodes:,} | {graph.links:,} | {seconds:.1f} | {busy:.1f} | "
            f"{len(found.parents):,} | {int(found.depths.max())} | {peak()} |"
        )


# -- all of it -----------------------------------------------------------------------------------------------


def grown(links: Callable[[int], Any], pages: int) -> Graph:
    ends = list(links(pages))
    return Graph.from_edges(*(np.concatenate(column) for column in zip(*ends, strict=True)), pages)


def real_web() -> list[tuple[str, Graph]]:
    path = DATA / "cnr-2000" / "cnr-2000.graph"
    return [("cnr-2000", read_graph(path))] if path.exists() else []


def usual() -> dict[str, Callable[[], Iterator[str]]]:
    real, copied = real_web(), ("copying", linear_copying(200_000, rho=0.3, out_degree=10, seed=1))
    hundred = [(kind, grown(links, 100_000)) for kind, links in (("copying", copying_links), ("nearby", nearby_links))]
    return {
        "Cores": lambda: cores([*real, copied]),
        "Minimum cuts": lambda: cuts([*real, copied]),
        "Leiden": lambda: partitions([*real, hundred[0]]),
        "Tree": lambda: trees(hundred),
    }


def full() -> dict[str, Callable[[], Iterator[str]]]:
    return {
        "Cores of a hundred million links": lambda: large_cores(100_000_000),
        "Tree of a million pages": lambda: trees(
            [(kind, grown(links, 1_000_000)) for kind, links in (("copying", copying_links), ("nearby", nearby_links))]
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="the large webs: half an hour and 8 GB")
    parser.add_argument("--part", help="only the part whose title begins so; nothing is written")
    options = parser.parse_args()
    warm_up()
    lines: list[str] = []
    for title, part in (full() if options.full else usual()).items():
        if options.part and not title.lower().startswith(options.part.lower()):
            continue
        lines += [f"### {title}", ""]
        for line in part():
            lines.append(line)
            print(line, flush=True)
        lines.append("")
    if not options.part:
        name = "communities.py --full" if options.full else "communities.py"
        write_section(name, "Communities, large" if options.full else "Communities", "\n".join(lines).rstrip())


if __name__ == "__main__":
    main()
