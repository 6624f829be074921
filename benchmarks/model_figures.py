"""The drawn examples of docs/models.md: figures 2–7 and 17 of Deo & Gupta, made by the generators themselves.

Called by `python benchmarks/models.py --figures`. The pictures carry their own colours, light and dark.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import numpy as np

from periplus.draw.charts import Series, chart
from periplus.draw.network import network_picture
from periplus.draw.style import standalone
from periplus.graph import Graph
from periplus.models.generators.copying import linear_copying
from periplus.models.generators.erdos_renyi import erdos_renyi_links
from periplus.models.generators.kleinberg import kleinberg, positions
from periplus.models.generators.preferential import preferential_attachment
from periplus.models.generators.sites import site_sizes, size_exponent
from periplus.models.generators.small_world import edge_addition, watts_strogatz

LETTERS = "abcdefghijklmnopqrstuvwxyz"
PANEL = 260


def draw_figures(folder: Path) -> list[Path]:
    """Write all of them; returns what was written."""
    made = {
        "2": _figure_2(),
        "3": _figure_3(),
        "4": _figure_4(),
        "5": _figure_5(),
        "6": standalone(_figure_6()),
        "7": _figure_7(),
        "17": standalone(_figure_17().replace("<svg ", '<svg font-family="system-ui, sans-serif" ', 1)),
    }
    paths = []
    for number, svg in made.items():
        paths.append(folder / f"models-figure-{number}.svg")
        paths[-1].write_text(svg, encoding="utf-8")
    return paths


def panels(pictures: Sequence[str], about: str) -> str:
    """Several pictures side by side, in one file."""
    columns = 2 if len(pictures) == 4 else min(len(pictures), 3)
    rows = -(-len(pictures) // columns)
    height = round(PANEL * 428 / 400)
    inner = ""
    for number, picture in enumerate(pictures):
        body = picture.split(">", 1)[1]
        x, y = number % columns * PANEL, number // columns * height
        inner += f'<svg x="{x}" y="{y}" width="{PANEL}" height="{height}" viewBox="0 0 400 428">{body}'
    size = f'viewBox="0 0 {columns * PANEL} {rows * height}" width="{columns * PANEL}" height="{rows * height}"'
    return standalone(
        f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{about}" '
        f'font-family="system-ui, sans-serif">{inner}</svg>'
    )


def _panel(graph: Graph, title: str, *, places: int = 0) -> str:
    """A graph on a circle with room for `places` pages, so that pages stay where they are while others come."""
    room = max(places, graph.nodes)
    turn = 2 * math.pi / room
    circle = [(math.sin(page * turn), -math.cos(page * turn)) for page in range(room)]
    picture = network_picture(room, _links(graph), title=title, places=circle).removesuffix("</svg>")
    marks = list(re.finditer(r'<circle class="s0 full" cx="([\d.]+)" cy="([\d.]+)" r="[\d.]+"/>', picture))
    spots = [(float(mark[1]), float(mark[2])) for mark in marks]
    x, y = (sum(axis) / room for axis in zip(*spots, strict=True))
    if graph.nodes < room:
        picture = picture[: marks[graph.nodes].start()]  # pages that are yet to come are not drawn
    for letter, (at_x, at_y) in zip(LETTERS, spots[: graph.nodes], strict=False):
        out = 1 + 17 / math.hypot(at_x - x, at_y - y)
        picture += (
            f'<text x="{x + out * (at_x - x):.0f}" y="{y + out * (at_y - y) + 5:.0f}" text-anchor="middle" '
            f'font-size="15">{letter}</text>'
        )
    return picture + "</svg>"


def _links(graph: Graph) -> list[tuple[int, int]]:
    return [(page, int(target)) for page in range(graph.nodes) for target in graph.successors(page)]


def _empty(pages: int) -> Graph:
    return Graph(np.zeros(pages + 1, dtype=np.int64), np.zeros(0, dtype=np.uint32))


def _moved(graph: Graph, lattice: Graph) -> int:
    return sum(not graph.has_edge(a, b) for a, b in _links(lattice)) // 2


def _figure_2() -> str:
    drawn = erdos_renyi_links(10, m=9, directed=False, seed=1)
    return panels(
        [_panel(_empty(10), "(a) ten pages, no link"), _panel(drawn, "(b) nine links, all graphs alike")],
        "Figure 2: a null graph and a random graph of 10 pages and 9 links",
    )


def _figure_3() -> str:
    lattice = watts_strogatz(10, d=4, p=0.0)
    some = next(g for s in count() if _moved(g := watts_strogatz(10, d=4, p=0.3, seed=s), lattice) == 6)
    return panels(
        [
            _panel(lattice, "(a) ring lattice, d = 4"),
            _panel(some, "(b) six links reassigned, p = 0.3"),
            _panel(watts_strogatz(10, d=4, p=1.0, seed=1), "(c) all links reassigned, p = 1"),
        ],
        "Figure 3: a ring lattice, six of its links reassigned, all of them",
    )


def _figure_4() -> str:
    added = next(g for s in count() if (g := edge_addition(10, d=4, p=0.2, seed=s)).links == 48)
    return panels(
        [
            _panel(edge_addition(10, d=4, p=0.0), "Ring lattice, d = 4"),
            _panel(added, "Four links added, p = 0.2"),
        ],
        "Figure 4: four links added to a ring lattice",
    )


def _figure_5() -> str:
    grown = [preferential_attachment(pages, m0=3, n0=4, seed=2) for pages in range(5, 9)]
    titles = [f"({'bcde'[i]}) page {LETTERS[4 + i]} links by degree" for i in range(4)]
    titles[0] = "(b) page e links to any three"
    pictures = [_panel(graph, title, places=8) for graph, title in zip(grown, titles, strict=True)]
    first = _panel(_empty(4), "(a) four pages, no link", places=8)
    return panels([first, *pictures], "Figure 5: four steps of preferential attachment")


def _figure_6() -> str:
    sizes = site_sizes(259_794, seed=6)
    edges = np.unique(np.ceil(10.0 ** np.arange(0.0, 5.01, 0.1)))
    counts, _ = np.histogram(sizes, edges)
    kept = counts > 0
    middles, shares = np.sqrt(edges[:-1] * (edges[1:] - 1))[kept], (counts / np.diff(edges) / len(sizes))[kept]
    exponent = size_exponent(0.05, 0.2, 0.035)
    tail = middles >= 30
    anchor = np.exp(np.mean(np.log(shares[tail]) + exponent * np.log(middles[tail])))
    return chart(
        [
            Series("259,794 grown sites", middles, shares),
            Series(f"N^-{exponent:.2f}", middles[tail], anchor * middles[tail] ** -exponent, kind="line"),
        ],
        title=f"Pages per site follow a power law of exponent {exponent:.2f}",
        x_label="pages of a site",
        y_label="share of sites",
        x_scale="log",
        y_scale="log",
        note="As many sites as in the Alexa crawl, for which Huberman & Adamic found 1.65 to 1.85.",
    )


def _figure_7() -> str:
    """The first seed with which every new page keeps three different links, as in the paper."""
    grown = next(g for s in count() if (g := linear_copying(6, rho=0.66, out_degree=3, seed=s)).links == 9)
    stages = [grown.subgraph(np.arange(pages)) for pages in range(4, 7)]
    pictures = [_panel(stage, f"({'bcd'[i]}) page {'def'[i]} added", places=6) for i, stage in enumerate(stages)]
    return panels(
        [_panel(_empty(3), "(a) three pages, no link", places=6), *pictures],
        "Figure 7: three steps of linear-growth copying",
    )


def _figure_17() -> str:
    graph = kleinberg(49, long_range=2, r=2.0, seed=3)
    place = positions(49, 2)
    path = _greedy(graph, place, 0, 48)
    return network_picture(
        49,
        _links(graph),
        title=f"Corner to corner in {len(path) - 1} hops, not {int(np.abs(place[48] - place[0]).sum())}",
        places=[(float(x), float(y)) for y, x in place],
        path=path,
    )


def _greedy(graph: Graph, place: np.ndarray, start: int, goal: int) -> list[int]:
    """The pages that a message passes, each the contact nearest to the goal."""
    path = [start]
    while path[-1] != goal:
        contacts = graph.successors(path[-1]).astype(np.int64)
        path.append(int(contacts[np.argmin(np.abs(place[contacts] - place[goal]).sum(axis=1))]))
    return path
