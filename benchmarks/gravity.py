"""The gravitational model: steps per second, cost by size, and what a web of AltaVista's size needs.

    python benchmarks/gravity.py                 1 million pages and 10 million links, in four orders of the ids
    python benchmarks/gravity.py --linear        one core's nanoseconds per link, from 10⁵ to 10⁸ links, as a chart
    python benchmarks/gravity.py --altavista FOLDER   three steps on the graph that benchmarks/altavista.py built there,
                                                 203 million pages and 1.5 billion links; says first what memory
                                                 that takes, and refuses where less is free

With `--write` what is printed goes into docs/performance.md. A web in local order is a ring of pages of which one link
in a hundred leads anywhere (Watts and Strogatz), as in a web in the order of its URLs; in a mixed one it is one in ten;
in random order the ids of the first are shuffled; and these are put in order again, breadth first. Rounds alternate,
because the machine is not alone: the table gives the best and the median round, and the time that all cores together
spent on a step, which other work on the machine hardly changes; cores / that time is what an idle machine would make.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numba import set_num_threads

sys.path.insert(0, str(Path(__file__).resolve().parent))

from report import PAGE, write_section

from periplus.draw.charts import Series, chart
from periplus.draw.style import standalone
from periplus.graph import Graph
from periplus.gravity import Simulation, ball
from periplus.gravity.constants import sky
from periplus.models import MODELS
from periplus.numeric.memory import available_memory
from periplus.numeric.parallel import thread_count

ALTAVISTA = (203_549_046, 1_466_000_000)
BARS = {"local": "15 (25)", "mixed": "–", "random": "8 (15)", "random, then breadth first": "–"}
STATE = 36  # bytes per page
CHART = PAGE.parent / "img" / "sky-linear.svg"


def local_web(pages: int, far: float = 0.01) -> Graph:
    """Ten links per page; a share of them leads anywhere, the others to pages with near ids."""
    return MODELS["watts-strogatz"].generate(n=pages, d=10, p=far, seed=1)


def shuffled(graph: Graph) -> Graph:
    """The same graph with ids that mean nothing."""
    return graph.reordered(np.random.default_rng(0).permutation(graph.nodes))


def moving(graph: Graph) -> Simulation:
    """A simulation that has made its first step: compiled, and every page in memory."""
    return Simulation(graph, ball(graph.nodes), sky(graph)).run(1)


def round_of(simulation: Simulation, steps: int) -> tuple[float, float]:
    """Seconds per step, of the clock and of all cores."""
    began, spent = time.perf_counter(), time.process_time()
    simulation.run(steps)
    return (time.perf_counter() - began) / steps, (time.process_time() - spent) / steps


def speed(pages: int, rounds: int, steps: int) -> Iterator[str]:
    near = local_web(pages)
    apart = shuffled(near)
    graphs = (near, local_web(pages, 0.1), apart, apart.reordered("bfs"))
    worlds = {name: moving(graph) for name, graph in zip(BARS, graphs, strict=True)}
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in worlds}
    for _ in range(rounds):
        for name, world in worlds.items():
            times[name].append(round_of(world, steps))
    size = f"{near.nodes:,} pages, {near.links:,} links"
    yield f"{size}, float32, {thread_count()} threads; {rounds} rounds of {steps} steps\n"
    yield "| order of the ids | steps/s, best round | median | core seconds a step | cores / that | bar (stretch) |"
    yield "|---|---:|---:|---:|---:|---:|"
    for name, found in times.items():
        clock, cores = ([one[kind] for one in found] for kind in (0, 1))
        spent = statistics.median(cores)
        cells = (
            f"{1 / min(clock):.1f} | {1 / statistics.median(clock):.1f} | {spent:.3f} | {thread_count() / spent:.1f}"
        )
        yield f"| {name} | {cells} | {BARS[name]} |"


def linear(most: int) -> Iterator[str]:
    set_num_threads(1)  # the time of one core: threads that wait for each other would count too
    sizes = [size for size in (10**5, 10**6, 10**7, 10**8) if size <= most]
    yield "| links | core ns per link and step, local order | random order |"
    yield "|---:|---:|---:|"
    lines: dict[str, list[float]] = {"local order": [], "random order": []}
    for links in sizes:
        graph = local_web(links // 10)
        steps = max(2, 3 * 10**7 // links)
        for name, one in (("local order", graph), ("random order", shuffled(graph))):
            world = moving(one)
            lines[name].append(min(round_of(world, steps)[1] for _ in range(3)) / one.links * 1e9)
            del world, one
        yield f"| {graph.links:,} | {lines['local order'][-1]:.2f} | {lines['random order'][-1]:.2f} |"
    title = "In local order a step of the sky takes time in proportion to the links"
    series = [Series(name, sizes, [ns * size / 1e9 for ns, size in zip(times, sizes, strict=True)], kind="line")
              for name, times in lines.items()]  # fmt: skip
    words = {"x_label": "links", "y_label": "core seconds per step", "x_scale": "log", "y_scale": "log"}
    CHART.write_text(standalone(chart(series, title=title, **words)))
    yield f"\n![{title}](img/{CHART.name})"
    yield ""
    yield on_paper("AltaVista's web", *ALTAVISTA)


def bytes_for(pages: int, links: int) -> tuple[int, int, int]:
    """Bytes of the state, of the links both ways, of their offsets."""
    return STATE * pages, 2 * 4 * links, 2 * 8 * (pages + 1)


def on_paper(name: str, pages: int, links: int) -> str:
    """What a web needs, in words."""
    state, ids, offsets = (size / 1e9 for size in bytes_for(pages, links))
    return (
        f"On paper, {name} ({pages:,} pages, {links:,} links): the state takes {state:.1f} GB, the links both ways "
        f"{ids:.1f} GB and their offsets {offsets:.1f} GB, together {state + ids + offsets:.1f} GB; links and offsets "
        "may stay in a mapped file, of which a step reads either side once."
    )


def altavista(folder: str) -> Iterator[str]:
    """Three steps at full size, the links mapped from the disk; refused where memory is short."""
    if not Path(folder).exists():
        sys.exit(f"{folder} is not there: `make bench-altavista` builds it")
    graph = Graph.open(folder)
    yield on_paper(Path(folder).name, graph.nodes, graph.links)
    needed, free = sum(bytes_for(graph.nodes, graph.links)), available_memory()
    print(f"four steps; {free / 1e9:.1f} GB of memory are free", flush=True)
    if free < needed:
        sys.exit(
            f"refused: {needed / 1e9:.1f} GB of free memory are needed. With less, every step reads the links from the "
            "disk again, page by page. Use a larger machine, or a smaller web: benchmarks/altavista.py --scale 0.1"
        )
    # A start that takes no room of its own beside the state.
    start = np.random.default_rng(0).random((graph.nodes, 3), np.float32)
    world = Simulation(graph, start, sky(graph)).run(1)
    seconds = round_of(world, 3)[0]
    each = seconds / graph.links * 1e9
    yield f"\nMeasured: {seconds:.1f} s per step, {each:.2f} ns per link."


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--linear", action="store_true")
    arguments.add_argument("--altavista", metavar="FOLDER")
    arguments.add_argument("--pages", type=int, default=1_000_000)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--most", type=int, default=10**8, help="links of the largest graph of --linear")
    arguments.add_argument("--write", action="store_true")
    given = arguments.parse_args()
    name, title, lines = "gravity.py", "The sky: steps per second", speed(given.pages, given.rounds, 10)
    if given.linear:
        name, title, lines = "gravity.py --linear", "The sky: cost by size", linear(given.most)
    elif given.altavista:
        name, title, lines = "gravity.py --altavista", "The sky of AltaVista's web", altavista(given.altavista)
    report = []
    for line in lines:
        print(line, flush=True)
        report.append(line)
    if given.write:
        write_section(name, title, "\n".join(report))


if __name__ == "__main__":
    main()
