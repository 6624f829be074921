"""`periplus dynamics`: what happens on a graph: epidemics, protection, messages; how pages change and sites grow."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from periplus.cli.dynamics.change import lifetimes, refresh, sites
from periplus.cli.rank.common import url_of
from periplus.cli.shared.output import command, json_option, print_json, print_table, say, working
from periplus.cli.shared.plots import plot_option, write_plot
from periplus.cli.shared.target import lenient_option, load_graph, read_numbers
from periplus.dynamics.orders import ORDERS
from periplus.errors import InputError, ParameterError
from periplus.wording import counted

if TYPE_CHECKING:
    from periplus.dynamics.epidemics import PercolationCurve
    from periplus.dynamics.immunisation import Protection
    from periplus.graph import Graph
    from periplus.numeric.arrays import AnyArray

SHARE = click.FloatRange(0.0, 1.0)
seed_option = click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the chances.")


@click.group()
def dynamics() -> None:
    """What happens on a web: epidemics, protection, routing, change and growth.

    TARGET is a collection, a graph folder, a graph file of any format or the base name of a WebGraph. A disease (or a
    rumour, or a fault) passes along links, both ways unless --directed is given.
    """


# -- epidemics -----------------------------------------------------------------------------------------------


@dynamics.command()
@click.argument("target")
@click.option("--infection", type=SHARE, default=0.1, show_default=True, help="Chance per step to infect a neighbour.")
@click.option(
    "--recovery", type=SHARE, default=1.0, show_default=True, help="Chance per step to recover (SIR); 0: never (SI)."
)
@click.option("--runs", type=click.IntRange(1), default=100, show_default=True, help="Outbreaks, each from any page.")
@click.option(
    "--steps", type=click.IntRange(0), default=10_000, show_default=True, help="At most this many steps each."
)
@click.option("--directed", is_flag=True, help="Along the links only, not against them.")
@seed_option
@plot_option("sick pages after each step")
@lenient_option
@json_option
def spread(target: str, lenient: bool, plot: str | None, as_json: bool, **given: Any) -> None:
    """Let a disease spread from random pages (SI, SIR).

    Theory for a random graph with the same degrees is printed beside it.
    """
    from periplus.dynamics.epidemics import spread as outbreaks
    from periplus.models import theory

    with working(f"infecting {Path(target).name}", quiet=as_json):
        graph = load_graph(target, lenient=lenient)
        found = outbreaks(graph, **given)
        contacts = graph.out_degrees if given["directed"] else graph.symmetrised().out_degrees
    passed_on = theory.transmissibility(given["infection"], given["recovery"])
    record: dict[str, Any] = {
        "model": found.method,
        "parameters": given,
        "nodes": graph.nodes,
        "mean_size": found.mean_size,
        "largest_size": int(found.sizes.max()),
        "peak_step": int(found.curve.argmax()),
        "peak_sick": float(found.curve.max()),
        "transmissibility": passed_on,
        "threshold_of_random_graph": theory.degree_threshold(contacts),
        "cases_a_case": passed_on * theory.branching(contacts),
        "sizes": found.sizes,
        "curve": found.curve,
    }
    if plot:
        share = found.mean_size / graph.nodes
        title = f"An outbreak reaches {share:.1%} of {counted(graph.nodes, 'page')} on average"
        write_plot(
            plot,
            [("sick", range(len(found.curve)), found.curve, "line")],
            title=title,
            x_label="step",
            y_label="sick pages, mean of the outbreaks",
        )
    if as_json:
        print_json(record)
        return
    _print_spread(record, target)


def _print_spread(record: dict[str, Any], target: str) -> None:
    given, nodes = record["parameters"], record["nodes"]
    rows = [
        ("mean outbreak, pages", f"{record['mean_size']:,.1f}", f"{record['mean_size'] / nodes:.2%}"),
        ("largest outbreak, pages", f"{record['largest_size']:,}", f"{record['largest_size'] / nodes:.2%}"),
        (f"most sick at a time, after step {record['peak_step']:,}", f"{record['peak_sick']:,.1f}", ""),
        ("chance that a case infects a given neighbour", f"{record['transmissibility']:.4g}", ""),
        ("… at which outbreaks diverge, random graph", f"{record['threshold_of_random_graph']:.4g}", ""),
        ("new cases an early case makes, random graph", f"{record['cases_a_case']:.4g}", ""),
    ]
    title = f"{record['model']} on {target}: infection {given['infection']:g}, recovery {given['recovery']:g}"
    print_table(f"{title}, {given['runs']:,} outbreaks", ("", "", "of all pages"), rows)
    say(f"\nWhom to protect first: {command('dynamics', 'protect', target)}")


@dynamics.command()
@click.argument("target")
@click.option("--f", "share", type=SHARE, default=0.5, show_default=True, help="Share of the pages susceptible.")
@seed_option
@plot_option("P(j), the share of susceptible pages in clusters of j")
@lenient_option
@json_option
def percolate(target: str, share: float, seed: int, lenient: bool, plot: str | None, as_json: bool) -> None:
    """Clusters of susceptible pages: how far an outbreak can go when a share of the pages can fall ill at all."""
    from periplus.dynamics.epidemics import percolation

    graph = load_graph(target, lenient=lenient)
    found = percolation(graph, f=share, seed=seed)
    sizes, shares = found.shares()
    record = {
        "f": share,
        "seed": seed,
        "nodes": graph.nodes,
        "susceptible": int(found.cluster_sizes.sum()),
        "clusters": len(found.cluster_sizes),
        "largest": found.largest,
        "second": found.second,
        "mean_outbreak": found.mean_outbreak,
        "cluster_sizes": sizes,
        "shares": shares,
    }
    if plot:
        write_plot(
            plot,
            [("P(j)", sizes, shares, "points")],
            title=f"With {share:.0%} of the pages susceptible the largest cluster has {found.largest:,}",
            x_label="j, pages of a cluster",
            y_label="share of susceptible pages",
            x_scale="log",
            y_scale="log",
        )
    if as_json:
        print_json(record)
        return
    names = ("susceptible", "clusters", "largest", "second", "mean_outbreak")
    rows = [(name.replace("_", " "), record[name]) for name in names]
    print_table(f"{share:.0%} of the {counted(graph.nodes, 'page')} of {target} susceptible", ("", "pages"), rows)
    say(f"\nThe share at which outbreaks become epidemics: {command('dynamics', 'threshold', target)}")


@dynamics.command()
@click.argument("target")
@click.option("--from", "low", type=SHARE, default=0.02, show_default=True, help="Lowest share tried.")
@click.option("--to", "high", type=SHARE, default=1.0, show_default=True, help="Highest share tried.")
@click.option("--points", type=click.IntRange(3), default=25, show_default=True, help="Shares tried.")
@click.option("--runs", type=click.IntRange(1), default=5, show_default=True, help="Draws at each share.")
@click.option("--d", "degree", type=click.IntRange(2), help="With --p: TARGET is an edge-addition small world.")
@click.option("--p", "shortcuts", type=click.FloatRange(0.0, min_open=True), help="Its shortcuts per link of the ring.")
@seed_option
@plot_option("largest and second largest cluster by share")
@lenient_option
@json_option
def threshold(
    target: str, low: float, high: float, lenient: bool, plot: str | None, as_json: bool, **given: Any
) -> None:
    """The share of susceptible pages at which outbreaks become epidemics, by simulation and by theory.

    Simulated, it is where the second largest cluster is largest. Theory: for a random graph of the same degrees, and
    with --d and --p Moore & Newman's formula for small worlds.
    """
    import numpy as np

    from periplus.dynamics.epidemics import percolation_curve
    from periplus.models import theory

    if not low < high:
        raise click.UsageError(f"--from {low:g} must be less than --to {high:g}")
    if (given["degree"] is None) != (given["shortcuts"] is None):
        raise click.UsageError("--d and --p belong together")
    with working(f"infecting {Path(target).name}", quiet=as_json):
        graph = load_graph(target, lenient=lenient)
        shares = np.linspace(low, high, given["points"])
        curve = percolation_curve(graph, shares=shares, runs=given["runs"], seed=given["seed"])
        expected = {"a random graph of the same degrees": theory.degree_threshold(graph.symmetrised().out_degrees)}
    if given["degree"] is not None:
        moore_newman = theory.percolation_threshold(given["degree"], given["shortcuts"])
        expected["an edge-addition small world (Moore & Newman)"] = moore_newman
    if plot:
        _plot_threshold(plot, graph, curve, expected)
    if as_json:
        figures = {name: getattr(curve, name) for name in ("clear", "shares", "largest", "second", "mean_outbreak")}
        print_json(
            {"nodes": graph.nodes, "threshold": curve.threshold, "theory": expected, "runs": curve.runs} | figures
        )
        return
    _print_threshold(curve, expected, target)


def _print_threshold(curve: PercolationCurve, expected: dict[str, float], target: str) -> None:
    picked = range(0, len(curve.shares), max(1, len(curve.shares) // 8))
    by_share = [(f"{curve.shares[at]:.3f}", float(curve.largest[at]), float(curve.second[at])) for at in picked]
    print_table(f"Clusters of {target}, mean pages", ("susceptible share", "largest", "second"), by_share)
    rows = [("simulated here", curve.threshold), *((f"theory, {name}", value) for name, value in expected.items())]
    print_table("\nOutbreaks become epidemics", ("", "at the susceptible share"), rows)
    if not curve.clear:
        say("Not a clear one: the second largest cluster peaks where the largest is many times larger already, or at")
        say("the end of the shares tried. Parts of a web that join one by one have no single threshold.")
    after = command("dynamics", "percolate", target, "--f", f"{min(1.0, 1.2 * curve.threshold):.3f}")
    say(f"\nClusters a little above: {after}")


def _plot_threshold(plot: str, graph: Graph, curve: PercolationCurve, expected: dict[str, float]) -> None:
    series: list[tuple[str, Any, Any, str]] = [
        ("largest cluster", curve.shares, curve.largest / graph.nodes, "line"),
        ("second largest × 10", curve.shares, 10 * curve.second / graph.nodes, "points"),
    ]
    series += [(f"theory: {name}", [value, value], [0.0, 1.0], "line") for name, value in expected.items()]
    write_plot(
        plot,
        series,
        title=f"Outbreaks become epidemics when {curve.threshold:.0%} of the pages are susceptible",
        x_label="share of susceptible pages",
        y_label="share of all pages",
    )


@dynamics.command()
@click.argument("target")
@click.option("--by", type=click.Choice(list(ORDERS)), multiple=True, help="An order; may be repeated.  [default: all]")
@click.option("--share", "shares", type=SHARE, multiple=True, help="A share of the pages to protect; may be repeated.")
@click.option("--sources", type=click.IntRange(1), default=64, show_default=True, help="Sources of the betweenness.")
@click.option("--top", type=click.IntRange(0), default=10, show_default=True, help="How many pages to list.")
@seed_option
@plot_option("the largest cluster left by protected pages")
@lenient_option
@json_option
def protect(target: str, by: tuple[str, ...], shares: tuple[float, ...], top: int, as_json: bool, **given: Any) -> None:
    """Which pages to protect first, by degree, PageRank or sampled betweenness.

    Prints the largest cluster that can still be infected when the first pages of each order are immune.
    """
    import numpy as np

    from periplus.dynamics.immunisation import protection

    plot, lenient = given.pop("plot"), given.pop("lenient")
    tried = sorted({0.0, *(shares or (0.001, 0.01, 0.02, 0.05, 0.1, 0.2))})
    with working(f"protecting {Path(target).name}", quiet=as_json):
        graph = load_graph(target, lenient=lenient)
        counts = np.rint(np.array(tried) * graph.nodes).astype(np.int64)
        found = protection(graph, by=by or tuple(ORDERS), counts=counts, **given)
    if plot:
        series = [(one.method, tried, one.left / graph.nodes, "line") for one in found]
        best = min(found, key=lambda one: int(one.left.sum()))
        write_plot(
            plot,
            series,
            title=f"Protecting pages by {best.method} leaves the least to infect",
            x_label="share of pages protected",
            y_label="largest cluster left, share of all pages",
        )
    if as_json:
        print_json({"nodes": graph.nodes, "counts": counts, "orders": [_order(graph, one, top) for one in found]})
        return
    _print_protection(graph, found, top, target)


def _order(graph: Graph, one: Protection, top: int) -> dict[str, Any]:
    first = [{"id": int(page), "url": url_of(graph, int(page))} for page in one.order[:top]]
    return {"by": one.method, "largest_left": one.left, "first": first}


def _print_protection(graph: Graph, found: list[Protection], top: int, target: str) -> None:
    rows = [[count, *(int(one.left[at]) for one in found)] for at, count in enumerate(found[0].counts)]
    title = f"Largest cluster left to infect, of the {counted(graph.nodes, 'page')} of {target}"
    print_table(title, ("pages protected", *(f"by {one.method}" for one in found)), rows)
    best = min(found, key=lambda one: int(one.left.sum()))
    listed = [[str(row["id"]), row["url"] or ""] for row in _order(graph, best, top)["first"]]
    print_table(f"\nFirst by {best.method}", ("page", "url"), listed)
    say(f"\nAn outbreak without protection: {command('dynamics', 'spread', target)}")


# -- routing -------------------------------------------------------------------------------------------------


@dynamics.command()
@click.argument("target")
@click.option(
    "--grid",
    type=click.IntRange(1, 8),
    help="Dimensions: page ids count along a grid, as in `periplus model kleinberg`.",
)
@click.option(
    "--positions",
    type=click.Path(exists=True, dir_okay=False),
    help="Positions, one row per page in the order of ids: .npy, or numbers separated by blanks or commas.",
)
@click.option("--trips", type=click.IntRange(1), default=1000, show_default=True, help="Messages sent.")
@seed_option
@plot_option("messages by their number of hops")
@lenient_option
@json_option
def route(target: str, grid: int | None, positions: str | None, plot: str | None, as_json: bool, **given: Any) -> None:
    """Pass messages to the contact nearest to their goal (greedy decentralised routing)."""
    import numpy as np

    from periplus.dynamics.routing import greedy_routing

    if (grid is None) == (positions is None):
        raise click.UsageError("say where the pages lie: --grid DIMENSIONS or --positions FILE")
    graph = load_graph(target, lenient=given.pop("lenient"))
    places = _grid(graph, grid) if grid is not None else _read_positions(str(positions))
    found = greedy_routing(graph, places, **given)
    hops, counts = np.unique(found.hops[found.hops >= 0], return_counts=True)
    if plot:
        write_plot(
            plot,
            [("messages", hops, counts, "bars")],
            title=f"{found.arrived:.0%} of the messages arrive, after {found.mean_hops:.1f} hops on average",
            x_label="hops",
            y_label="messages",
        )
    if as_json:
        record = {"nodes": graph.nodes, **given, "arrived": found.arrived, "mean_hops": found.mean_hops}
        print_json(record | {"standard_error": found.standard_error, "hops": hops, "messages": counts})
        return
    rows = [
        ("messages that arrive", f"{found.arrived:.1%}"),
        ("mean hops", f"{found.mean_hops:.2f} ± {found.standard_error:.2f}"),
        ("most hops", f"{hops.max():,}" if len(hops) else "none"),
    ]
    print_table(f"{given['trips']:,} messages on {target}", ("", ""), rows)
    say(f"\nHops by the exponent of long-range contacts: {command('model', 'kleinberg', '--report')}")


def _grid(graph: Graph, dimensions: int) -> AnyArray:
    from periplus.models.generators.kleinberg import positions, side_of

    if graph.nodes == 0 or side_of(graph.nodes, dimensions) ** dimensions != graph.nodes:
        allowed = f"such that the {graph.nodes:,} pages are a whole number to that power"
        raise ParameterError("grid", dimensions, allowed)
    return positions(graph.nodes, dimensions)


def _read_positions(path: str) -> AnyArray:
    import numpy as np

    try:
        if path.endswith(".npy"):
            return read_numbers(path)
        lines = Path(path).read_text(encoding="utf-8").replace(",", " ").splitlines()
        return np.loadtxt(lines, ndmin=2)
    except ValueError as error:
        raise InputError(f"{path} has no row of numbers for each page: {error}") from error


for other in (lifetimes, refresh, sites):
    dynamics.add_command(other)
