"""A graph as the textbook has it: a set of pairs. Slow, obvious, and independent of every kernel."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from periplus.graph import Graph

Links = list[tuple[int, int]]

# Ids that fall into one bucket, into several, and next to the borders between them.
_ids = st.one_of(
    st.integers(0, 9),
    st.integers(65_530, 65_540),
    st.integers(131_070, 131_075),
)
link_lists = st.lists(st.tuples(_ids, _ids), max_size=60)
small_link_lists = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=60)


def links_of(graph: Graph) -> set[tuple[int, int]]:
    """Every link of a graph, row by row."""
    return {(page, int(other)) for page in range(graph.nodes) for other in graph.successors(page)}


def in_links_of(graph: Graph) -> set[tuple[int, int]]:
    """Every link of a graph, read from its in side."""
    return {(int(other), page) for page in range(graph.nodes) for other in graph.predecessors(page)}


def assert_is_graph_of(graph: Graph, links: Iterable[tuple[int, int]], nodes: int | None = None) -> None:
    """The graph holds exactly these links, in rows that are sorted and without repeats."""
    expected = set(links)
    assert graph.links == len(expected)
    assert graph.nodes == (max((max(pair) for pair in expected), default=-1) + 1 if nodes is None else nodes)
    flat = sorted(expected)
    assert graph.out_targets.tolist() == [target for _, target in flat]
    degrees = [0] * graph.nodes
    for source, _ in flat:
        degrees[source] += 1
    assert graph.out_degrees.tolist() == degrees
