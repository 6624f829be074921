"""Random directed graphs and textbook versions of components and bow-tie, written for reading, not for speed."""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx
import numpy as np

from periplus.graph import Graph


def random_graphs(count: int, *, seed: int = 0, largest: int = 40) -> Iterator[Graph]:
    """Sparse and dense, with loops, isolated pages and no links at all among them."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        nodes = int(rng.integers(1, largest))
        links = int(rng.integers(0, 3 * nodes))
        ends = rng.integers(0, nodes, (links, 2))
        yield Graph.from_edges(ends[:, 0], ends[:, 1], nodes)


def to_networkx(graph: Graph) -> nx.DiGraph:
    """The same graph, in the library that the oracles use."""
    twin = nx.DiGraph()
    twin.add_nodes_from(range(graph.nodes))
    sources = np.repeat(np.arange(graph.nodes), np.diff(graph.out_offsets))
    twin.add_edges_from(zip(sources.tolist(), graph.out_targets.tolist(), strict=True))
    return twin


def partition(labels: np.ndarray) -> set[frozenset[int]]:
    """A labelling as a set of sets, for comparing partitions whatever their numbering."""
    groups: dict[int, set[int]] = {}
    for page, label in enumerate(labels.tolist()):
        groups.setdefault(label, set()).add(page)
    return {frozenset(group) for group in groups.values()}


def bowtie_by_definition(graph: Graph) -> dict[str, set[int]]:
    """The regions, each straight from its definition with descendants and ancestors."""
    twin = to_networkx(graph)
    parts = [frozenset(part) for part in nx.strongly_connected_components(twin)]
    core = max(parts, key=lambda part: (len(part), -min(part)))
    down = set().union(*(nx.descendants(twin, page) for page in core)) - core
    up = set().union(*(nx.ancestors(twin, page) for page in core)) - core
    from_in = set().union(*(nx.descendants(twin, page) for page in up)) - core - down - up
    to_out = set().union(*(nx.ancestors(twin, page) for page in down)) - core - down - up
    weak = next(set(part) for part in nx.weakly_connected_components(twin) if core <= set(part))
    named = set(core) | down | up | from_in | to_out
    return {
        "scc": set(core),
        "in": up,
        "out": down,
        "tubes": from_in & to_out,
        "tendrils_from_in": from_in - to_out,
        "tendrils_into_out": to_out - from_in,
        "tendrils_other": weak - named,
        "disconnected": set(range(graph.nodes)) - weak,
    }


def letters(links: str) -> tuple[Graph, dict[str, int]]:
    """A graph from "A>B B>C"; letters become ids in alphabetical order."""
    pairs = [link.split(">") for link in links.split()]
    ids = {name: at for at, name in enumerate(sorted({name for pair in pairs for name in pair}))}
    return Graph.from_edges([ids[a] for a, _ in pairs], [ids[b] for _, b in pairs], len(ids)), ids


def composed_bowtie(sizes: dict[str, int], *, seed: int) -> tuple[Graph, np.ndarray]:
    """A graph with the given numbers of pages in each region, ids shuffled, and the region of every page.

    `tendrils` pages are shared out among the three kinds of tendrils and the tubes. Region codes as in `REGION_NAMES`.
    """
    rng = np.random.default_rng(seed)
    tubes, loose = sizes["tendrils"] // 10, sizes["tendrils"] // 20
    out_of_in = (sizes["tendrils"] - tubes - loose) // 2
    into_out = sizes["tendrils"] - tubes - loose - out_of_in
    counts = [sizes["disconnected"], sizes["scc"], sizes["in"], sizes["out"], tubes, out_of_in, into_out, loose]
    truth = np.repeat(np.arange(8, dtype=np.uint8), counts)
    ends = np.cumsum(counts)
    block = [np.arange(end - count, end) for end, count in zip(ends, counts, strict=True)]
    island, core, before, after, tube, tendril_in, tendril_out, other = block

    def some(pages: np.ndarray, count: int) -> np.ndarray:
        return rng.choice(pages, count)

    links = [
        (core, np.roll(core, 1)), (some(core, len(core)), some(core, len(core))),
        (before, some(np.r_[core, before[:1]], len(before))), (before[:1], core[:1]), (before[1:], before[:-1]),
        (some(core, len(after)), after), (core[:1], after[:1]), (after[:-1], after[1:]),
        (some(before, len(tube)), tube), (tube, some(after, len(tube))),
        (some(before, len(tendril_in)), tendril_in), (tendril_in[:-1], tendril_in[1:]),
        (tendril_out, some(after, len(tendril_out))), (tendril_out[1:], tendril_out[:-1]),
        (some(tendril_out, len(other)), other), (island[:-1], island[1:]),
    ]  # fmt: skip
    shuffle = rng.permutation(len(truth))
    sources = shuffle[np.concatenate([pair[0] for pair in links])]
    targets = shuffle[np.concatenate([pair[1] for pair in links])]
    shuffled = np.empty_like(truth)
    shuffled[shuffle] = truth
    return Graph.from_edges(sources, targets, len(truth)), shuffled
