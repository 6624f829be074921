"""The models against networkx, igraph, NetworKit and scikit-network; their cost by size; the web of AltaVista's size.

    python benchmarks/models.py                  every shared model beside every peer that has it
    python benchmarks/models.py --linear         nanoseconds a link from 10⁶ to 10⁸ links (10⁹ with --full), as a chart
    python benchmarks/models.py --altavista      the copying model at 203 million pages and 1.5 billion links
    python benchmarks/models.py --figures        the drawn examples of docs/models.md

With `--write` the first three put what they print into docs/models.md, in place of what stands there.

Every maker gets the same number of pages and the same parameters, and ends with its own graph: ours a `Graph` (sorted
rows without repeats), theirs whatever object their functions take. Rounds are interleaved (one of each, then again),
because the machine is not alone; the table gives the median of the rounds, their spread, the ratio to ours, and the
time of all cores together. A peer that takes longer than the limit is measured once. Ours is called once before, to
compile. Before each race there is a heat on few pages: peers that would take more than ten seconds on all of them, were
their time in proportion, do not run at full size, but for the fastest.

scikit-network draws G(n, p) out of a list of all n² pairs, which does not fit: it is left out there. networkx draws
G(n, p) by skipping, navigable grids in O(n²) (so that row is small), and keeps dictionaries. igraph's
"bag" and NetworKit's Batagelj–Brandes start their preferential attachment as L does and may link twice to one page;
the others draw different pages, as ours does. Configuration models of peers keep repeats and self-links. igraph's
Static_Power_Law and directed Barabasi are other models than the directed one of Bollobás et al., which networkx has.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from model_figures import draw_figures, standalone

from periplus.draw.charts import Series, chart
from periplus.models import MODELS
from periplus.models.generators.alpha_beta import alpha_of, degree_sequence
from periplus.models.generators.preferential import directed_parameters
from periplus.numeric.parallel import thread_count

DOCS = Path(__file__).resolve().parent.parent / "docs" / "models.md"
IMAGES = DOCS.parent / "img"
# Broder et al. (2000) counted so many pages and 1.5 billion links; with this rho the in-degree exponent is their 2.1.
ALTAVISTA_PAGES, ALTAVISTA_RHO = 203_549_046, 0.1
# Models whose cost is measured by size: links per page, both directions counted, and parameters.
LINEAR: dict[str, tuple[float, dict[str, object]]] = {
    "erdos-renyi": (10.0, {}),
    "watts-strogatz": (10.0, {"d": 10}),
    "preferential-attachment": (10.0, {"m0": 5}),
    "linear-copying": (7.0, {"out_degree": 7}),
    "rmat": (16.0, {"degree": 16}),
}
HEAT = 200  # the heats have so many times fewer pages: some peers take time as the square of them
Maker = Callable[[], object]


@dataclass(slots=True)
class Race:
    """One model with one set of parameters, and who else makes it."""

    model: str
    given: dict[str, object]
    peers: dict[str, Maker]
    note: str = ""
    slow: dict[str, float] = field(default_factory=dict)
    times: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    def ours(self) -> object:
        return MODELS[self.model].generate(**self.given)


# -- peers ---------------------------------------------------------------------------------------------------------


def races(n: int, degree: int) -> Iterator[Race]:
    """Every model that some peer shares, `n` pages and `degree` links per page, both directions counted."""
    import igraph
    import networkit
    import networkx
    from sknetwork import data as scikit

    igraph_make, kit = igraph.Graph, networkit.generators
    p, half, m = degree / (n - 1), degree // 2, n * degree // 2
    yield Race(
        "erdos-renyi",
        {"n": n, "p": p, "directed": False},
        {
            "networkx": lambda: networkx.fast_gnp_random_graph(n, p, seed=1),
            "igraph": lambda: igraph_make.Erdos_Renyi(n, p=p),
            "NetworKit": lambda: kit.ErdosRenyiGenerator(n, p).generate(),
        },
        "undirected",
    )
    yield Race(
        "erdos-renyi",
        {"n": n, "p": p},
        {
            "networkx": lambda: networkx.fast_gnp_random_graph(n, p, seed=1, directed=True),
            "igraph": lambda: igraph_make.Erdos_Renyi(n, p=p, directed=True),
            "NetworKit": lambda: kit.ErdosRenyiGenerator(n, p, directed=True).generate(),
        },
        "directed",
    )
    yield Race(
        "erdos-renyi-links",
        {"n": n, "m": m, "directed": False},
        {
            "networkx": lambda: networkx.gnm_random_graph(n, m, seed=1),
            "igraph": lambda: igraph_make.Erdos_Renyi(n, m=m),
        },
        "undirected",
    )
    yield Race(
        "watts-strogatz",
        {"n": n, "d": degree, "p": 0.1},
        {
            "networkx": lambda: networkx.watts_strogatz_graph(n, degree, 0.1, seed=1),
            "igraph": lambda: igraph_make.Watts_Strogatz(1, n, half, 0.1),
            "NetworKit": lambda: kit.WattsStrogatzGenerator(n, half, 0.1).generate(),
            "scikit-network": lambda: scikit.watts_strogatz(n, degree, 0.1, seed=1),
        },
    )
    yield Race(
        "edge-addition",
        {"n": n, "d": degree, "p": 0.1},
        {"networkx": lambda: networkx.newman_watts_strogatz_graph(n, degree, 0.1, seed=1)},
    )
    yield Race(
        "preferential-attachment",
        {"n": n, "m0": half},
        {
            "networkx": lambda: networkx.barabasi_albert_graph(n, half, seed=1),
            "igraph psumtree": lambda: igraph_make.Barabasi(n, half, implementation="psumtree"),
            "igraph bag": lambda: igraph_make.Barabasi(n, half, implementation="bag"),
            "NetworKit": lambda: kit.BarabasiAlbertGenerator(half, n, half, True).generate(),
            "NetworKit original": lambda: kit.BarabasiAlbertGenerator(half, n, half, False).generate(),
            "scikit-network": lambda: scikit.albert_barabasi(n, half, seed=1),
        },
    )
    yield Race(
        "growth-only",
        {"n": n, "m0": half},
        {"igraph": lambda: igraph_make.Growing_Random(n, half, citation=True)},
    )
    alpha, beta, delta_in, delta_out = directed_parameters(2.1, 2.7, degree, 0.02)
    yield Race(
        "directed-scale-free",
        {"n": n // 10, "mean_degree": degree},
        {
            "networkx": lambda: networkx.scale_free_graph(
                n // 10, alpha, beta, 1.0 - alpha - beta, delta_in, delta_out, seed=1
            )
        },
        f"{n // 10:,} pages",
    )
    degrees = degree_sequence(alpha_of(n, 2.1), 2.1).tolist()
    yield Race(
        "alpha-beta",
        {"n": n, "beta": 2.1},
        {
            "networkx": lambda: networkx.configuration_model(degrees, seed=1),
            "igraph": lambda: igraph_make.Degree_Sequence(degrees, method="configuration"),
            "NetworKit": lambda: kit.ConfigurationModelGenerator(degrees).generate(),
        },
    )
    scale = n.bit_length() - 1
    yield Race(
        "rmat",
        {"n": 1 << scale, "degree": degree},
        {
            "NetworKit": lambda: kit.RmatGenerator(scale, degree, 0.57, 0.19, 0.19, 0.05).generate(),
        },
        f"{1 << scale:,} pages",
    )
    yield Race(
        "kleinberg",
        {"n": 2500},
        {"networkx": lambda: networkx.navigable_small_world_graph(50, seed=1)},
        "2,500 pages",
    )


def race(options: argparse.Namespace) -> None:
    """One table over all models."""
    rows: dict[str, str] = _rows_written() if options.write and options.only else {}
    for one, small in zip(*(races(int(n), options.degree) for n in (options.n, options.n / HEAT)), strict=True):
        if options.only and one.model not in options.only:
            continue
        one.slow = _heat(small)
        one.ours()  # compiles
        runners = {"periplus": one.ours, **{name: make for name, make in one.peers.items() if name not in one.slow}}
        for _ in range(options.rounds):
            for name, make in runners.items():
                taken = one.times.setdefault(name, [])
                if not taken or min(taken)[0] < options.limit:
                    taken.append(_seconds(make))
        row = _tell(one)
        rows[row.split("|")[1]] = row
    slow = [title.strip() for title, row in rows.items() if float(row.split("|")[4]) < 5.0]
    told = f"Not five times as fast as the fastest peer: {'; '.join(slow) or 'none'}."
    print(f"\n{told}")
    if options.write:
        head = ["| model | ours | fastest peer | times as fast | the other peers |", "|---|---|---|---|---|"]
        write_section("race", [*head, *rows.values(), "", told])


def _heat(small: Race) -> dict[str, float]:
    """Peers, but the fastest, that would take more than ten seconds, and how many times slower than ours they are."""
    small.ours()
    ours = min(_seconds(small.ours)[0] for _ in range(3))
    taken = {name: _seconds(make)[0] for name, make in small.peers.items()}
    fastest = min(taken.values())
    return {name: seconds / ours for name, seconds in taken.items() if seconds > max(fastest, 10.0 / HEAT)}


def _seconds(make: Maker) -> tuple[float, float]:
    gc.collect()
    start, busy = time.perf_counter(), time.process_time()
    made = make()
    taken = time.perf_counter() - start, time.process_time() - busy
    del made
    return taken


def _tell(one: Race) -> str:
    """Print one race; its row of the table in the docs."""
    medians = {name: statistics.median(wall for wall, _ in taken) for name, taken in one.times.items()}
    busy = {name: statistics.median(cpu for _, cpu in taken) for name, taken in one.times.items()}
    best = min((seconds, name) for name, seconds in medians.items() if name != "periplus")
    ratio = best[0] / medians["periplus"]
    print(f"\n{one.model} {one.note}")
    for name, taken in sorted(one.times.items(), key=lambda item: medians[item[0]]):
        walls = [wall for wall, _ in taken]
        spread = f"{min(walls):.3f} … {max(walls):.3f}" if len(walls) > 1 else "once"
        line = f"  {name:<20}{medians[name]:9.3f} s   {spread:<19}{medians[name] / medians['periplus']:8.1f}"
        print(f"{line}   {busy[name]:8.3f} s of cores")
    print(f"  {ratio:.1f} times as fast as {best[1]}, the fastest peer", flush=True)
    others = [
        f"{name} {medians[name] / medians['periplus']:.1f}" for name in medians if name not in {"periplus", best[1]}
    ]
    others += [f"{name} {times:.0f}*" for name, times in one.slow.items()]
    for name, times in one.slow.items():
        print(f"  {name:<20}left out: {times:.0f} times as slow as ours in the heat")
    title = f"{one.model}, {one.note}" if one.note else one.model
    cells = (title, f"{medians['periplus']:.3f} s", f"{best[1]} {best[0]:.3f} s", f"{ratio:.1f}", ", ".join(others))
    return f"| {' | '.join(cells)} |"


def _rows_written() -> dict[str, str]:
    """The rows that stand in the docs, by their first cell: a run of some models keeps those of the others."""
    lines = DOCS.read_text(encoding="utf-8").split("<!-- race")[1].split("<!-- end of race")[0].splitlines()
    return {line.split("|")[1]: line for line in lines if line.startswith("| ") and not line.startswith("| model")}


def write_section(name: str, lines: list[str]) -> None:
    """Put lines between the two marks of that name in docs/models.md."""
    text = DOCS.read_text(encoding="utf-8")
    begin, end = f"<!-- {name}: written by benchmarks/models.py -->\n", f"<!-- end of {name} -->"
    before, rest = text.split(begin)
    after = rest.split(end)[1]
    DOCS.write_text(before + begin + "\n" + "\n".join(lines).strip() + "\n\n" + end + after, encoding="utf-8")
    print(f"written: {DOCS}")


# -- size ----------------------------------------------------------------------------------------------------------


def altavista(scale: float, write: bool) -> None:
    """The copying model with as many pages and links as Broder et al. counted, in one piece of memory."""
    pages = int(ALTAVISTA_PAGES * scale)
    MODELS["linear-copying"].generate(n=10_000, rho=ALTAVISTA_RHO, out_degree=8)  # compiles
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    graph = MODELS["linear-copying"].generate(n=pages, rho=ALTAVISTA_RHO, out_degree=8, seed=1)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    rows = graph.out_targets[: graph.out_offsets[min(pages, 1000)]]
    told = [
        f"linear-copying, rho = {ALTAVISTA_RHO}, out_degree = 8: {graph.nodes:,} pages, {graph.links:,} links",
        f"  {seconds:.0f} s on {thread_count()} cores, {seconds / graph.links * 1e9:.1f} ns per link",
        f"  peak memory {peak / 2**20:.2f} GiB, {before / 2**20:.2f} GiB of it interpreter and compiled code",
        f"  largest target among the first thousand pages {rows.max(initial=0)}: every link goes to an earlier page",
    ]
    print("\n".join(told))
    if write:
        write_section("altavista", ["```", *told[:3], "```"])


def linear(most: float, write: bool) -> None:
    """Nanoseconds a link by size, each measured in a process of its own, and a chart of it."""
    sizes = [size for size in (10**6, 10**7, 10**8, 10**9) if size <= most]
    series, rows = [], []
    for name in LINEAR:
        points = [_in_a_process(name, links) for links in sizes]
        series.append(Series(name, [p["links"] for p in points], [p["nanoseconds"] for p in points], kind="line"))
        costs = " | ".join(f"{p['nanoseconds']:.1f}" for p in points)
        rows.append(f"| {name} | {costs} | {points[-1]['gigabytes']:.1f} GB |")
    svg = chart(
        series,
        title="Time a link by the size of the graph",
        x_label="links",
        y_label="nanoseconds a link",
        x_scale="log",
    )
    (IMAGES / "models-linear.svg").write_text(standalone(svg), encoding="utf-8")
    print(f"drawn: {IMAGES / 'models-linear.svg'}")
    if write:
        heads = "".join(f" {size:.0e} links |".replace("e+0", "e") for size in sizes)
        write_section(
            "linear", [f"| ns per link |{heads} peak memory of the last |", f"|---|{'---|' * len(sizes)}---|", *rows]
        )


def _in_a_process(name: str, links: int) -> dict[str, float]:
    command = [sys.executable, str(Path(__file__).resolve()), "--size", name, str(links)]
    point: dict[str, float] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    cost = f"{point['nanoseconds']:7.1f} ns per link   {point['gigabytes']:6.2f} GB at the most"
    print(f"{name:<26}{point['links']:>14,.0f} links   {cost}", flush=True)
    return point


def one_size(name: str, links: int) -> dict[str, float]:
    """The median cost a link of one model at one size (of 5 rounds, or of what fits into a few seconds)."""
    a_page, given = LINEAR[name]
    n = int(links / a_page)
    MODELS[name].generate(n=5000, **_for_size(name, 5000, given))  # compiles
    # What no process has used yet a virtual machine must first ask its host for; that is not the model's cost.
    np.ones(min(12 * links, 10**10), dtype=np.uint8)
    taken: list[float] = []
    while len(taken) < 5 and sum(taken) < 3.0:
        gc.collect()
        start = time.perf_counter()
        made = MODELS[name].generate(n=n, **_for_size(name, n, given))
        taken.append(time.perf_counter() - start)
        count = made.links
        del made
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
    return {"links": count, "nanoseconds": statistics.median(taken) / count * 1e9, "gigabytes": peak}


def _for_size(name: str, n: int, given: dict[str, object]) -> dict[str, object]:
    return {"p": 10.0 / n, "directed": False} if name == "erdos-renyi" else given


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=float, default=1e6, help="pages of the shared models")
    parser.add_argument("--degree", type=int, default=10, help="links per page, both directions counted; even")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--limit", type=float, default=2, help="seconds over which a peer is measured once")
    parser.add_argument("--only", nargs="*", help="names of models")
    parser.add_argument(
        "--linear", type=float, nargs="?", const=1e8, metavar="MOST", help="cost by size instead, up to so many links"
    )
    parser.add_argument("--full", action="store_true", help="with --linear: up to 10⁹ links")
    parser.add_argument("--altavista", type=float, nargs="?", const=1.0, metavar="SCALE", help="the large web instead")
    parser.add_argument("--size", nargs=2, metavar=("MODEL", "LINKS"), help="one point of --linear, as JSON")
    parser.add_argument("--write", action="store_true", help="put the results into docs/models.md")
    parser.add_argument("--figures", action="store_true", help="draw the examples of docs/models.md instead")
    options = parser.parse_args()
    if options.figures:
        print("\n".join(f"drawn: {path}" for path in draw_figures(IMAGES)))
    elif options.altavista:
        altavista(options.altavista, options.write)
    elif options.size:
        print(json.dumps(one_size(options.size[0], int(float(options.size[1])))))
    elif options.linear:
        linear(1e9 if options.full else options.linear, options.write)
    else:
        race(options)


if __name__ == "__main__":
    main()
