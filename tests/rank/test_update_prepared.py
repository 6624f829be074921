"""Updates from a prepared record: both ways meet the dense oracle within their bound, whatever changes."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse.linalg
from tests.oracles.pagerank import dense_pagerank

from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank import prepare as prepare_function
from periplus.rank.linear.elimination import eliminate
from periplus.rank.linear.factors import FEW, MOST_CHANGED, Factors, factors
from periplus.rank.linear.responses import FILL
from periplus.rank.methods.pagerank import pagerank
from periplus.rank.updating.edits import NO_EDITS
from periplus.rank.updating.forward import Forward, forward
from periplus.rank.updating.prepare import prepare
from periplus.rank.updating.update import update


def cyclic(rng: np.random.Generator, nodes: int, links: int) -> Graph:
    """Links to pages near by, cliques, self-links, pages without links: much like a site."""
    sources = rng.integers(0, nodes, links)
    targets = np.abs(sources + rng.integers(-4, 5, links)) % nodes
    clique = rng.choice(nodes, min(5, nodes), replace=False)
    return Graph.from_edges(
        np.concatenate((sources, np.repeat(clique, len(clique)))),
        np.concatenate((targets, np.tile(clique, len(clique)))),
        nodes,
    )


def acyclic(rng: np.random.Generator, nodes: int, links: int) -> Graph:
    names = rng.permutation(nodes)
    sources = rng.integers(1, max(nodes, 2), links) % nodes
    targets = (rng.random(links) * sources).astype(np.int64)
    return Graph.from_edges(names[sources], names[targets], nodes)


def edited(rng: np.random.Generator, graph: Graph, new_pages: int) -> tuple[Graph, np.ndarray]:
    """Some pages lose all links, some gain (dangling ones, themselves, new pages); and the old pages that changed."""
    nodes = graph.nodes + new_pages
    pages = rng.choice(graph.nodes, min(4, graph.nodes), replace=False)
    sources = np.repeat(np.arange(graph.nodes), graph.out_degrees)
    keep = sources != pages[0]
    more = np.concatenate((pages[1:], pages[1:], np.arange(graph.nodes, nodes)))
    ends = rng.integers(0, nodes, len(more))
    ends[: len(pages) - 1] = pages[1:]
    targets = graph.out_targets[keep].astype(np.int64)
    return Graph.from_edges(np.append(sources[keep], more), np.append(targets, ends), nodes), pages


def exact(graph: Graph) -> np.ndarray:
    return dense_pagerank(graph, 0.85, np.full(graph.nodes, 1 / graph.nodes), "preference")


@pytest.mark.parametrize("trial", range(60))
@pytest.mark.parametrize("make", [cyclic, acyclic])
def test_many_changes_from_one_record(make, trial: int) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(trial)
    before = make(rng, int(rng.integers(2, 80)), int(rng.integers(1, 250)))
    scores = pagerank(before)
    prepared = prepare(before, scores)
    after, touched = before, np.empty(0, np.int64)
    for step in range(4):
        after, pages = edited(rng, after, (trial + step) % 3)
        touched = np.union1d(touched, pages)
        new = update(before, scores, after, prepared=prepared, changed=touched if step % 2 else None)
        assert new.converged
        assert make is acyclic or new.parameters["solver"] == "update"
        assert np.abs(new.values - exact(after)).sum() <= new.error_bound + 1e-14
        assert new.error_bound <= 1e-9
        assert new.graph_digest == after.digest


@pytest.mark.parametrize("damping", [0.5, 0.85, 0.99])
@pytest.mark.parametrize("trial", range(10))
def test_the_factors_invert_the_system(trial: int, damping: float) -> None:
    rng = np.random.default_rng(trial)
    graph = cyclic(rng, 60, 240)
    way = factors(graph, damping)
    assert way is not None
    right = rng.random(60) - 0.5
    solution = np.zeros(60)
    way.settle(graph, NO_EDITS, solution, right.copy(), damping, 1e-12)
    matrix = np.zeros((60, 60))
    for page in range(60):
        row = graph.successors(page)
        matrix[row, page] = damping / max(len(row), 1)
    np.testing.assert_allclose(solution, np.linalg.solve(np.eye(60) - matrix, right), atol=1e-12)


def test_an_update_does_not_depend_on_the_threads() -> None:
    import numba

    rng = np.random.default_rng(9)
    # Sites that are trees with ways up and down; the first links to all, and half of them link back.
    pages, site = np.arange(60_000), np.arange(60_000) // 300 * 300
    parent = site + (pages - site) // 2
    sources = np.concatenate((pages, parent, pages, pages[:300], pages[:30_000:97]))
    targets = np.concatenate((parent, pages, site, rng.integers(0, 60_000, 300), pages[:30_000:97] % 300))
    before = Graph.from_edges(sources, targets, 60_000)
    scores = pagerank(before)
    prepared = prepare(before, scores)
    assert isinstance(prepared.way, Factors)
    assert np.diff(prepared.way.inverse.parts).all()
    after, pages = edited(rng, before, 0)
    both = update(before, scores, after, prepared=prepared, changed=pages).values
    numba.set_num_threads(1)
    try:
        one = update(before, scores, after, prepared=prepared, changed=pages).values
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    np.testing.assert_array_equal(one, both)


def test_the_way_follows_the_graph() -> None:
    rng = np.random.default_rng(1)
    ring = Graph.from_edges(np.arange(50), (np.arange(50) + 1) % 50, 50)
    assert isinstance(prepare(ring, pagerank(ring)).way, Factors)
    tree = acyclic(rng, 200, 600)
    assert isinstance(prepare(tree, pagerank(tree)).way, Forward)


def test_an_acyclic_graph_is_settled_in_one_round() -> None:
    """Shuffled names: the order is found, and every link of the renumbered graph points down."""
    rng = np.random.default_rng(2)
    graph = acyclic(rng, 300, 1500)
    way = forward(graph)
    sources = np.repeat(np.arange(300), way.graph.out_degrees)
    loops = np.count_nonzero(graph.out_targets == np.repeat(np.arange(300), graph.out_degrees))
    assert np.count_nonzero(way.graph.out_targets >= sources) == loops
    residual = np.zeros(300)
    residual[rng.integers(0, 300, 5)] = 1.0
    settled = way.settle(graph, NO_EDITS, np.zeros(300), residual, 0.85, 1e-12)
    assert settled.rounds == 1 or loops > 0
    assert settled.links_read < graph.links


def test_a_graph_that_fills_in_is_given_up_and_still_updated() -> None:
    rng = np.random.default_rng(3)
    graph = Graph.from_edges(rng.integers(0, 1500, 15_000), rng.integers(0, 1500, 15_000), 1500)
    assert factors(graph, 0.85) is None
    scores = pagerank(graph)
    prepared = prepare(graph, scores)
    assert isinstance(prepared.way, Forward)
    after, pages = edited(rng, graph, 0)
    new = update(graph, scores, after, prepared=prepared, changed=pages)
    assert np.abs(new.values - exact(after)).sum() <= new.error_bound <= 1e-9


def test_too_many_changes_for_the_factors_are_solved_from_the_old_ranks() -> None:
    rng = np.random.default_rng(5)
    before = cyclic(rng, 400, 1600)
    scores = pagerank(before)
    prepared = prepare(before, scores)
    assert isinstance(prepared.way, Factors)
    sources, targets = np.repeat(np.arange(400), before.out_degrees), before.out_targets.astype(np.int64)
    targets[sources < 150] += 1
    after = Graph.from_edges(sources, targets % 400, 400)
    new = update(before, scores, after, prepared=prepared)
    assert new.extra["pages_changed"] > max(FEW, MOST_CHANGED * 400)
    assert new.parameters["solver"] != "update"
    assert np.abs(new.values - exact(after)).sum() <= new.error_bound <= 1e-9


def test_elimination_stops_at_its_bounds() -> None:
    """Thirty unknowns that all read each other: no order saves anything."""
    sources = np.tile(np.arange(30, dtype=np.uint32), 30)
    sources = sources[sources != np.repeat(np.arange(30), 30)]
    arguments = (np.arange(0, 871, 29), sources, np.full(870, 0.02), np.full(30, 0.02))
    assert eliminate(*arguments, 900, 10**6)[0] == 30
    assert eliminate(*arguments, 200, 10**6)[0] < 30
    assert eliminate(*arguments, 900, 100)[0] < 30


def test_pages_of_equal_rank_that_swap_links_leave_nothing_to_do() -> None:
    """The changes cancel to the last bit, and the residual to start from is exactly zero."""
    before = Graph.from_edges([0, 1, 2, 3, 4], [2, 3, 3, 4, 2], 5)
    after = Graph.from_edges([0, 1, 2, 3, 4], [3, 2, 3, 4, 2], 5)
    scores = pagerank(before)
    prepared = prepare(before, scores)
    assert isinstance(prepared.way, Factors)
    new = update(before, scores, after, prepared=prepared)
    assert np.abs(new.values - exact(after)).sum() <= new.error_bound + 1e-15


def test_naming_more_pages_does_no_harm() -> None:
    rng = np.random.default_rng(6)
    before = cyclic(rng, 400, 1600)
    scores = pagerank(before)
    prepared = prepare(before, scores)
    after, pages = edited(rng, before, 3)
    new = update(before, scores, after, prepared=prepared, changed=np.arange(400))
    assert new.parameters["solver"] == "update"
    assert new.extra["pages_changed"] <= len(pages) + 3
    mask = np.zeros(after.nodes, np.bool_)
    mask[pages] = True
    np.testing.assert_array_equal(update(before, scores, after, prepared=prepared, changed=mask).values, new.values)


@pytest.mark.parametrize("damping", [0.99, 0.999])
def test_near_one_the_bound_still_holds(damping: float) -> None:
    rng = np.random.default_rng(7)
    for _ in range(20):
        before = cyclic(rng, 60, 200)
        scores = pagerank(before, damping=damping, stop=Tol(1e-11) | MaxIter(100_000))
        prepared = prepare(before, scores)
        after, _ = edited(rng, before, 2)
        new = update(before, scores, after, prepared=prepared, stop=Tol(1e-11) | MaxIter(100_000))
        wanted = dense_pagerank(after, damping, np.full(after.nodes, 1 / after.nodes), "preference")
        assert np.abs(new.values - wanted).sum() <= new.error_bound + 1e-12


def test_bad_arguments_are_named() -> None:
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], 3)
    other = Graph.from_edges([0, 1, 2], [1, 0, 0], 3)
    scores = pagerank(graph)
    with pytest.raises(ParameterError, match="prepared"):
        update(graph, scores, other, prepared=prepare(other, pagerank(other)))
    with pytest.raises(ParameterError, match="prepared"):
        update(graph, scores, other, prepared=prepare(graph, pagerank(graph, damping=0.5)))
    with pytest.raises(ParameterError, match="scores"):
        prepare(other, scores)
    with pytest.raises(ParameterError, match="changed"):
        update(graph, scores, other, changed=[3])
    with pytest.raises(ParameterError, match="changed"):
        update(graph, scores, other, changed=[0.5])
    with pytest.raises(ParameterError, match="changed"):
        update(graph, scores, other, changed=[True, False])
    assert prepare_function is prepare


def test_changed_pages_that_link_to_each_other_do_not_fill_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain both ways, and some of its pages linked to four others of them: exact factors of what these do to each
    other would take most of a full matrix; an estimate has no use for them."""
    nodes = 150_000
    chain = np.arange(nodes - 1)
    sources, targets = np.append(chain, chain + 1), np.append(chain + 1, chain)
    before = Graph.from_edges(sources, targets, nodes)
    pages = np.arange(0, nodes, 101)
    linked = np.repeat(pages, 4), np.random.default_rng(0).choice(pages, 4 * len(pages))
    after = Graph.from_edges(np.append(sources, linked[0]), np.append(targets, linked[1]), nodes)
    entries: list[tuple[int, int, int]] = []
    estimated = scipy.sparse.linalg.spilu

    def counted(system, **settings):  # type: ignore[no-untyped-def]
        found, exact = estimated(system, **settings), scipy.sparse.linalg.splu(system)
        entries.append((system.nnz, found.L.nnz + found.U.nnz, exact.L.nnz + exact.U.nnz))
        return found

    monkeypatch.setattr(scipy.sparse.linalg, "spilu", counted)
    scores = pagerank(before)
    prepared = prepare(before, scores)
    assert isinstance(prepared.way, Factors)
    new = update(before, scores, after, prepared=prepared, changed=pages)
    wanted = pagerank(after, stop=Tol(1e-13) | MaxIter(1000))
    assert np.abs(new.values - wanted.values).sum() <= new.error_bound + wanted.error_bound
    (given, kept, exact), *_ = entries
    assert kept <= 2 * FILL * given
    assert kept < exact / 4, "this graph does not fill in"
