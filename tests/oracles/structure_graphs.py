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
