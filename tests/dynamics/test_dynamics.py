"""Epidemics, routing and page change against formulas, peers and published figures."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from scipy import stats

from periplus.dynamics import change
from periplus.dynamics.epidemics import betweenness_sample, percolation, percolation_curve, protect, spread, threshold
from periplus.dynamics.routing import greedy_routing
from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.models import theory
from periplus.models.generators.erdos_renyi import erdos_renyi
from periplus.models.generators.kleinberg import _draw_contacts, _spheres, kleinberg, positions
from periplus.models.generators.preferential import preferential_attachment
from periplus.models.generators.small_world import edge_addition

# -- percolation and epidemics -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("d", "p"), [(2, 0.1), (2, 0.5), (4, 0.05)])
def test_the_threshold_is_moore_and_newmans(d: int, p: float) -> None:
    graph = edge_addition(20_000, d=d, p=p, seed=3)
    expected = theory.percolation_threshold(d, p)
    found = threshold(graph, shares=np.linspace(expected - 0.12, expected + 0.12, 9), runs=3, seed=1)
    assert found == pytest.approx(expected, abs=0.03)


def test_the_formula_by_itself() -> None:
    """κ = 1: φ = (1−f)/(2f(1+f)); no shortcuts, no epidemic; more shortcuts, fewer susceptible needed."""
    f = 0.6
    assert theory.percolation_shortcuts(f, 2) == pytest.approx((1 - f) / (2 * f * (1 + f)))
    assert theory.percolation_threshold(2, 0.0) == 1.0
    thresholds = [theory.percolation_threshold(6, p) for p in (0.01, 0.1, 1.0)]
    assert thresholds == sorted(thresholds, reverse=True)


def test_clusters_are_those_of_the_subgraph() -> None:
    graph = edge_addition(500, d=4, p=0.1, seed=1)
    found = percolation(graph, f=0.5, seed=7)
    pages = int(found.cluster_sizes.sum())
    assert pages == pytest.approx(250, abs=60)
    sizes, shares = found.shares()
    assert shares.sum() == pytest.approx(1.0)
    everything = percolation(graph, f=1.0)
    pairs = [(a, int(b)) for a in range(500) for b in graph.successors(a)]
    assert sorted(everything.cluster_sizes) == sorted(len(c) for c in nx.connected_components(nx.Graph(pairs)))
    assert percolation(graph, f=0.0).largest == 0
    assert sizes.max() == found.largest


def test_near_the_threshold_cluster_sizes_fall_as_three_halves() -> None:
    """Pages in clusters of j: ∝ j·j^{−5/2}; counted by page, P(j) ∝ j^{−3/2} (Moore & Newman)."""
    d, p = 2, 0.3
    graph = edge_addition(200_000, d=d, p=p, seed=2)
    found = percolation(graph, f=theory.percolation_threshold(d, p), seed=5)
    sizes, shares = found.shares()
    bins = np.array([16, 32, 64, 128, 256, 512])
    mass = [shares[(sizes >= low) & (sizes < 2 * low)].sum() / low for low in bins]
    slope = np.polyfit(np.log(bins), np.log(mass), 1)[0]
    assert slope == pytest.approx(-1.5, abs=0.2)


def test_certain_infection_reaches_exactly_the_component() -> None:
    graph = erdos_renyi(300, p=0.004, directed=False, seed=4)
    pairs = [(a, int(b)) for a in range(300) for b in graph.successors(a)]
    peer = nx.Graph(pairs)
    peer.add_nodes_from(range(300))
    sizes = set(map(len, nx.connected_components(peer)))
    for recovery in (0.0, 1.0):
        assert set(spread(graph, infection=1.0, recovery=recovery, runs=60).sizes) <= sizes
    assert set(spread(graph, infection=0.0, runs=20).sizes) == {1}


def test_sir_is_bond_percolation() -> None:
    """With recovery after one step the outbreak is a bond cluster: its mean on a long ring is (1+q)/(1−q)."""
    n, q = 2000, 0.6
    ring = Graph.from_edges(np.arange(n), (np.arange(n) + 1) % n, nodes=n)
    sizes = spread(ring, infection=q, runs=4000, seed=3).sizes
    error = sizes.std() / np.sqrt(len(sizes))
    assert abs(sizes.mean() - (1 + q) / (1 - q)) < 4 * error


def test_who_never_recovers_infects_the_whole_component_in_the_end() -> None:
    """SI goes on through steps in which chance infects nobody; after t steps on a pair, 1 + (1 − (1−q)^t) are sick."""
    n, q = 30, 0.3
    ring = Graph.from_edges(np.arange(n), (np.arange(n) + 1) % n, nodes=n)
    found = spread(ring, infection=0.05, recovery=0.0, runs=20, seed=2)
    assert set(found.sizes) == {n}
    assert (np.diff(found.curve) >= 0).all()
    assert found.curve[0] == 1.0
    assert found.curve[-1] == n
    pair = Graph.from_edges(np.array([0]), np.array([1]), nodes=2)
    curve = spread(pair, infection=q, recovery=0.0, runs=4000, seed=1).curve[:6]
    assert curve == pytest.approx(2 - (1 - q) ** np.arange(6), abs=4 * 0.5 / np.sqrt(4000))


def test_an_outbreak_lasts_as_many_steps_as_it_may() -> None:
    n = 50
    chain = Graph.from_edges(np.arange(n - 1), np.arange(1, n), nodes=n)
    for steps in (0, 1, 3):
        found = spread(chain, infection=1.0, recovery=0.0, runs=200, steps=steps, directed=True)
        assert found.sizes.max() == steps + 1
        assert len(found.curve) == steps + 1
    with pytest.raises(ParameterError, match="steps"):
        spread(chain, infection=1.0, steps=-1)


def test_direction_counts_when_asked() -> None:
    chain = Graph.from_edges(np.array([0, 1]), np.array([1, 2]), nodes=3)
    assert set(spread(chain, infection=1.0, runs=50, directed=True).sizes) == {1, 2, 3}
    assert set(spread(chain, infection=1.0, runs=50).sizes) == {3}


def test_betweenness_of_all_sources_is_brandes() -> None:
    graph = edge_addition(120, d=4, p=0.1, seed=8)
    pairs = [(a, int(b)) for a in range(120) for b in graph.successors(a)]
    expected = nx.betweenness_centrality(nx.Graph(pairs), normalized=False)
    found = betweenness_sample(graph, sources=120) / 2
    assert found == pytest.approx([expected[page] for page in range(120)])


def test_protecting_hubs_beats_protecting_anyone() -> None:
    graph = preferential_attachment(3000, m0=2, seed=1)
    hubs = np.argsort(-graph.out_degrees, kind="stable")
    anyone = np.random.default_rng(1).permutation(3000)
    counts = [0, 150, 300, 600]
    left, control = protect(graph, hubs, counts=counts), protect(graph, anyone, counts=counts)
    assert left[0] == control[0] == 3000
    assert (left[1:] < control[1:]).all()
    assert left[3] < 0.05 * control[3]


@pytest.mark.parametrize("bad", [-0.1, 1.1, float("nan")])
def test_shares_outside_their_range(bad: float) -> None:
    graph = edge_addition(20, d=2, p=0.1)
    with pytest.raises(ParameterError, match="infection"):
        spread(graph, infection=bad)
    with pytest.raises(ParameterError, match="f = "):
        percolation(graph, f=bad)


def test_protect_refuses_repeated_pages() -> None:
    with pytest.raises(ParameterError, match="order"):
        protect(edge_addition(20, d=2, p=0.1), np.array([1, 1]), counts=[1])
    with pytest.raises(ParameterError, match="counts"):
        protect(edge_addition(20, d=2, p=0.1), np.array([1, 2]), counts=[-1])
    with pytest.raises(ParameterError, match="sources"):
        betweenness_sample(edge_addition(20, d=2, p=0.1), sources=0)


# -- routing -----------------------------------------------------------------------------------------------------


def hops(side: int, r: float, seed: int = 1) -> float:
    graph = kleinberg(side * side, r=r, seed=seed)
    routed = greedy_routing(graph, positions(side * side, 2), trips=1500, seed=seed)
    assert routed.arrived == 1.0
    return routed.mean_hops


def test_hops_grow_as_log_squared_at_two_and_as_powers_elsewhere() -> None:
    sides = [32, 64, 128, 256, 512]
    at_two = np.array([hops(side, 2.0) for side in sides])
    logs = np.log(sides)
    # log² n: hops/ln² n settles, and the local power keeps falling as 2/ln n does.
    ratio = at_two / logs**2
    assert ratio.max() / ratio.min() < 1.35
    powers = np.diff(np.log(at_two)) / np.diff(logs)
    assert powers[-1] < powers[0]
    far = np.array([hops(side, 3.0) for side in sides])
    assert np.polyfit(logs[2:], np.log(far[2:]), 1)[0] > theory.routing_exponent(2, 3.0)
    near = np.array([hops(side, 0.0) for side in sides])
    slope = np.polyfit(logs[2:], np.log(near[2:]), 1)[0]
    assert slope == pytest.approx(theory.routing_exponent(2, 0.0), abs=0.12)
    assert near[-1] > at_two[-1]


def test_theory_of_routing() -> None:
    assert theory.routing_exponent(2, 2.0) == 0.0
    assert theory.routing_exponent(2, 0.0) == pytest.approx(2 / 3)
    assert theory.routing_exponent(3, 3.0) == 0.0


@pytest.mark.parametrize(("dimensions", "side", "r"), [(1, 40, 1.0), (2, 15, 2.0), (2, 15, 0.0), (3, 7, 2.5)])
def test_long_range_contacts_follow_their_law(dimensions: int, side: int, r: float) -> None:
    """Every page v ≠ u is drawn with probability ∝ L(u, v)^−r, corners and centre alike."""
    pages, draws = side**dimensions, 4000
    weights, kinds = _spheres(side, dimensions, r)
    far = np.empty(pages * draws, dtype=np.uint32)
    _draw_contacts(side, dimensions, draws, weights, kinds, 5, far)
    place = positions(pages, dimensions)
    for page in (0, pages // 2, pages - side // 2 - 1):
        distance = np.abs(place - place[page]).sum(axis=1).astype(float)
        law = np.where(distance > 0, np.maximum(distance, 1.0) ** -r, 0.0)
        observed = np.bincount(far[page * draws : (page + 1) * draws], minlength=pages)
        assert observed[page] == 0
        expected = np.bincount(distance.astype(int), law / law.sum() * draws)[1:]
        counted = np.bincount(distance.astype(int), observed)[1:]
        assert stats.chisquare(counted, expected).pvalue > 1e-3
        # Pages at one distance are alike.
        ring = observed[distance == distance.max() // 2]
        assert len(ring) == 1 or stats.chisquare(ring).pvalue > 1e-3


@pytest.mark.parametrize(("dimensions", "pages"), [(1, 30), (2, 49), (3, 64)])
def test_local_contacts_are_all_within_reach(dimensions: int, pages: int) -> None:
    for reach in (1, 2):
        graph = kleinberg(pages, dimensions=dimensions, reach=reach, long_range=0)
        place = positions(graph.nodes, dimensions)
        for page in range(graph.nodes):
            distance = np.abs(place - place[page]).sum(axis=1)
            assert set(graph.successors(page)) == set(np.flatnonzero((distance > 0) & (distance <= reach)))


def test_a_message_without_a_nearer_contact_is_stuck() -> None:
    graph = Graph.from_edges(np.array([0]), np.array([1]), nodes=3)
    routed = greedy_routing(graph, np.array([[0.0], [1.0], [2.0]]), trips=200, seed=1)
    assert set(routed.hops) == {-1, 1}
    with pytest.raises(ParameterError, match="positions"):
        greedy_routing(graph, np.zeros((2, 1)))


# -- change and freshness ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("grace", "days", "millions"), [(7.0, 18.0, 45.0), (1.0, 8.5, 94.0)])
def test_brewington_and_cybenko(grace: float, days: float, millions: float) -> None:
    """800 million pages, 95 % current: 18 days and 45 million per day to a week, 8.5 and 94 to a day."""
    found = change.refetch(change.brewington_rates(), pages=change.BREWINGTON_PAGES, grace_days=grace)
    assert found.period_days == pytest.approx(days, rel=0.03)
    assert found.fetches_a_day / 1e6 == pytest.approx(millions, rel=0.05)
    assert np.median(1 / change.brewington_rates()) == pytest.approx(117, abs=1)


@pytest.mark.parametrize(("rate", "period", "grace"), [(0.05, 20.0, 0.0), (0.3, 10.0, 3.0), (0.001, 50.0, 7.0)])
def test_currency_by_simulation(rate: float, period: float, grace: float) -> None:
    rng = np.random.default_rng(2)
    moments = rng.random(40_000) * period
    exposed = np.maximum(0.0, moments - grace)
    current = rng.poisson(rate * exposed) == 0
    error = np.sqrt(current.var() / len(current)) + 1e-6
    assert abs(current.mean() - change.currency(np.array([rate]), period, grace)) < 4 * error


def test_change_times_are_poisson() -> None:
    counts = [len(change.change_times(0.2, 50.0, seed=seed)) for seed in range(400)]
    assert stats.chisquare(*_binned(counts, 10.0)).pvalue > 1e-3
    gaps = np.diff(change.change_times(0.5, 4000.0, seed=1))
    assert stats.kstest(gaps, "expon", args=(0, 2.0)).pvalue > 1e-3
    assert change.lifetime_survival(0.5, 2.0) == pytest.approx(np.exp(-1))


def _binned(counts: list[int], mean: float) -> tuple[np.ndarray, np.ndarray]:
    edges = [0, 6, 8, 10, 12, 14, 100]
    expected = np.diff(stats.poisson.cdf(np.array(edges) - 1, mean)) * len(counts)
    observed = np.histogram(counts, edges)[0].astype(float)
    return observed, expected * observed.sum() / expected.sum()


def test_change_rate_is_found_back() -> None:
    rng = np.random.default_rng(1)
    rate, interval, visits = 0.4, 2.0, 4000
    changed = int((rng.poisson(rate * interval, visits) > 0).sum())
    assert change.change_rate(visits, changed, interval) == pytest.approx(rate, rel=0.06)
    assert change.change_rate(10, 0, 1.0) == 0.0
    assert np.isfinite(change.change_rate(10, 10, 1.0))


def test_pages_that_never_change_need_no_visits() -> None:
    assert change.refetch(np.zeros(10), pages=10).fetches_a_day == 0.0


@pytest.mark.parametrize(
    "call",
    [
        lambda: change.change_rate(0, 0, 1.0),
        lambda: change.change_rate(5, 6, 1.0),
        lambda: change.change_rate(5, 1, 0.0),
        lambda: change.change_times(-1.0, 5.0),
        lambda: change.refetch(np.ones(3), pages=3, currency_wanted=1.0),
        lambda: change.refetch(np.ones(3), pages=3, grace_days=-1.0),
        lambda: change.refetch(np.array([0.1, -0.2]), pages=2),
        lambda: change.refetch(np.array([np.nan]), pages=1),
        lambda: change.refetch(np.zeros(0), pages=1),
        lambda: change.refetch(np.ones(3), pages=-3),
        lambda: change.change_times(0.1, -5.0),
        lambda: change.change_times(0.1, 5.0, seed=-1),
        lambda: change.currency(np.ones(3), 0.0, 0.0),
        lambda: change.currency(np.ones(3), 7.0, -1.0),
        lambda: change.lifetime_survival(-0.1, 2.0),
        lambda: change.survival(np.array([-0.1]), 2.0),
        lambda: change.draw_lifetimes(np.ones(3), seed=-1),
        lambda: change.brewington_rates(0),
    ],
)
def test_bad_numbers_are_refused(call) -> None:
    with pytest.raises(ParameterError):
        call()


def test_lifetimes_of_a_mixture_of_rates() -> None:
    rates = change.brewington_rates(20_000)
    drawn = change.draw_lifetimes(rates, seed=3)
    ages = np.array([1.0, 7.0, 30.0, 100.0, 365.0])
    expected = change.survival(rates, ages)
    assert expected == pytest.approx([(drawn > age).mean() for age in ages], abs=0.015)
    assert change.survival(np.array([0.0]), 1e6) == pytest.approx([1.0])
    assert np.isinf(change.draw_lifetimes(np.array([0.0]))).all()


def test_the_curve_of_percolation_is_percolation_at_each_share() -> None:
    graph = edge_addition(2000, d=4, p=0.1, seed=1)
    curve = percolation_curve(graph, shares=[0.9, 0.3, 0.6], runs=2, seed=5)
    assert curve.shares.tolist() == [0.3, 0.6, 0.9]
    for at, f in enumerate(curve.shares):
        both = [percolation(graph, f=float(f), seed=seed) for seed in (5, 6)]
        assert curve.largest[at] == np.mean([one.largest for one in both])
        assert curve.second[at] == np.mean([one.second for one in both])
    assert curve.threshold == threshold(graph, shares=[0.3, 0.6, 0.9], runs=2, seed=5)
    with pytest.raises(ParameterError, match="runs"):
        percolation_curve(graph, shares=[0.1, 0.2, 0.3], runs=0)
    with pytest.raises(ParameterError, match="shares"):
        percolation_curve(graph, shares=[0.1, 0.2])


def test_a_web_of_parts_that_join_late_has_no_clear_threshold() -> None:
    """A large random graph and a small one of its own: the second cluster grows while the first is giant long since."""
    shares = np.linspace(0.05, 1.0, 20)
    random = erdos_renyi(5000, p=4 / 5000, directed=False, seed=1)
    assert percolation_curve(random, shares=shares, runs=3).clear
    pages = np.arange(400)
    clique_of_rings = [(5000 + pages, 5000 + (pages + step) % 400) for step in range(1, 4)]
    first = np.repeat(np.arange(5000), np.diff(random.out_offsets)), random.out_targets
    sources = np.concatenate([first[0], *(a for a, _ in clique_of_rings)])
    targets = np.concatenate([first[1], *(b for _, b in clique_of_rings)])
    assert not percolation_curve(Graph.from_edges(sources, targets, nodes=5400), shares=shares, runs=3).clear
    assert not percolation_curve(random, shares=shares[:3], runs=3).clear  # the threshold, a quarter, lies beyond


def test_negative_seeds_are_refused() -> None:
    graph = edge_addition(20, d=2, p=0.1)
    for call in (
        lambda: spread(graph, infection=0.1, seed=-1),
        lambda: percolation(graph, f=0.1, seed=-1),
        lambda: betweenness_sample(graph, seed=-1),
        lambda: greedy_routing(graph, np.zeros((20, 2)), seed=-1),
    ):
        with pytest.raises(ParameterError, match="seed"):
            call()
