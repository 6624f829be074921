"""`periplus groups`: who links to whom, group by group; and what `graph collapse` shares with it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from periplus.cli.shared.output import TableFile, command, json_option, print_json, print_table, say
from periplus.cli.shared.plots import plot_option, write_picture
from periplus.cli.shared.target import direction_option, lenient_option, load_graph, read_labels, showing_warnings
from periplus.wording import counted

if TYPE_CHECKING:
    from periplus.graph import Graph
    from periplus.numeric.arrays import Offsets
    from periplus.structure.studies.groups import GroupMixing

BY = (
    "host, site, tld, an attribute of the nodes, region, component, a method of communities, or a file: a page, a tab "
    "and its group per line, or one group per line for every page in turn."
)
by_option = click.option("--by", required=True, metavar="WHAT", help=f"The groups: {BY}")


def read_groups(target: str, graph: Graph, by: str) -> tuple[Offsets, tuple[str, ...]]:
    """The group of each page (−1: none), and what the groups are called."""
    import numpy as np

    from periplus.graph.attributes import Column
    from periplus.graph.collapse import BY_URL, groups_of
    from periplus.pipeline.columns import IN_TREE, LABELS, algorithms, columns_for

    if by in BY_URL or by in (graph.node_attributes or ()):
        return groups_of(graph, by)
    if Path(by).is_file():
        return _from_file(Path(by), graph)
    labelled = [
        *LABELS,
        *IN_TREE,
        *(name for name, row in algorithms().items() if "labels" in row.returns and name not in IN_TREE),
    ]
    if by not in labelled:
        from periplus.errors import ParameterError

        known = ", ".join([*BY_URL, *(graph.node_attributes or ()), *labelled])
        raise ParameterError("by", by, f"one of {known}, or a file of groups")
    labels, names = Column.of(columns_for(target, graph, [by], option="by")[by]).groups()
    return np.asarray(labels), names


def _from_file(path: Path, graph: Graph) -> tuple[Offsets, tuple[str, ...]]:
    """`page<TAB>group` per line, or, in a file without tabs, the group of every page in turn (an empty line: none)."""
    import numpy as np

    from periplus.errors import FormatError, storage
    from periplus.graph.attributes import Column

    with storage(path):
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    values: list[str | None] = [None] * graph.nodes
    if any("\t" in line for line in lines):
        for number, page, name in read_labels(path, graph):
            if values[page] not in (None, name):
                raise FormatError(path, f"page {page} was put into another group before", line=number)
            values[page] = name
    elif len(lines) != graph.nodes:
        found = f"holds {counted(len(lines), 'line')} for {counted(graph.nodes, 'page')}"
        raise FormatError(path, f"{found}: one group for each, or a page, a tab and its group per line")
    else:
        values = [line.strip() or None for line in lines]
    labels, names = Column.of_kind("text", values).groups()
    return np.asarray(labels), names


@click.command()
@click.argument("target")
@by_option
@click.option(
    "--most", type=click.IntRange(2, 400), default=20, show_default=True, help="Groups apart; the rest as one."
)
@click.option("--csv", "csv", type=TableFile(), help="Write the matrix, one row per pair of groups.")
@plot_option("the matrix as a heat map")
@direction_option
@lenient_option
@json_option
def groups(
    target: str,
    by: str,
    most: int,
    csv: str | None,
    plot: str | None,
    directed: bool | None,
    lenient: bool,
    as_json: bool,
) -> None:
    """Who links to whom, group by group: shares inside, and assortativity against chance.

    TARGET is a collection, a graph folder, a graph file of any format or the base name of a WebGraph. Chance keeps the
    links that every page has and gets, and joins them anew at random.
    """
    from periplus.record import Table, write_table
    from periplus.structure.studies.groups import group_mixing

    graph = load_graph(target, lenient=lenient, directed=directed)
    with showing_warnings():
        labels, names = read_groups(target, graph, by)
    found = group_mixing(graph, labels, names=names, most=most)
    if csv is not None:
        write_table(csv, Table.of(found.columns()))
    if plot is not None:
        write_picture(plot, partial(picture, found, by))
    for note in notes(found):
        click.echo(f"note: {note}", err=True)
    if as_json:
        print_json({"by": by, **found.to_dict()})
        return
    columns = ("group", "pages", "links out", "links in", "% inside", "% by chance")
    rows = [(*row[:4], *("–" if share != share else f"{100 * share:.1f}" for share in row[4:])) for row in found.rows()]
    print_table(f"Groups of {Path(target).name} by {Path(by).name}", columns, rows)
    say(f"\n{in_words(found)}")
    if csv is None:
        say(f"Every pair of groups: {command('groups', target, '--by', by, '--csv', 'groups.csv')}")


def in_words(found: GroupMixing) -> str:
    """What was found, in two sentences."""
    links = counted(int(found.links.sum()), "link")
    if found.assortativity != found.assortativity or found.inside_by_chance != found.inside_by_chance:
        return f"{links}, and fewer than two groups or four links: nothing to compare with chance."
    low, high = found.inside_interval
    return (
        f"{100 * found.inside:.1f} % of {links} stay inside their group; by chance "
        f"{100 * found.inside_by_chance:.1f} % would ({100 * low:.1f} to {100 * high:.1f} %). "
        f"Assortativity r = {found.assortativity:.3f} (by chance 0 ± {found.assortativity_interval[1]:.3f})."
    )


def notes(found: GroupMixing) -> list[str]:
    """What is not in the matrix, or not apart."""
    told = []
    if found.pages_in_none:
        told.append(
            f"{counted(found.pages_in_none, 'page')} in no group, with {counted(found.links_in_none, 'link')}: left out"
        )
    if found.all_groups > len(found.groups):
        rest = found.all_groups - len(found.groups) + 1
        told.append(f"{counted(rest, 'group')} of {found.all_groups:,} together as (others); --most shows more apart")
    if found.self_links:
        told.append(f"{counted(found.self_links, 'link')} of a page to itself count as inside")
    return told


def picture(found: GroupMixing, by: str, *, width: int) -> str:
    """The matrix as a heat map of the shares of each row."""
    from periplus.draw.heatmap import heatmap

    left = found.links.sum(axis=1, keepdims=True)
    shares: Any = [
        [n / out if out else float("nan") for n in row] for row, (out,) in zip(found.links, left, strict=True)
    ]
    if found.assortativity != found.assortativity:
        return heatmap(found.groups, shares, title="Links between groups", notes=[in_words(found)], width=width)
    title = f"{100 * found.inside:.0f} % of links stay inside, by chance {100 * found.inside_by_chance:.0f} %"
    notes = [
        f"Each row: where the links of that group lead, in %. Groups by {Path(by).name}.",
        f"Assortativity r = {found.assortativity:.3f} (by chance 0 ± {found.assortativity_interval[1]:.3f}).",
    ]
    return heatmap(found.groups, shares, title=title, notes=notes, width=width)


@click.command()
@click.argument("target")
@click.argument("output")
@by_option
@direction_option
@lenient_option
@json_option
def collapse(target: str, output: str, by: str, directed: bool | None, lenient: bool, as_json: bool) -> None:
    """Write the graph of groups: a node per group, with its pages; a link's weight is the number of links behind it."""
    import numpy as np

    from periplus.cli.shared.writing import write_output
    from periplus.graph.collapse import NONE
    from periplus.graph.collapse import collapse as collapsed

    graph = load_graph(target, lenient=lenient, directed=directed)
    with showing_warnings():
        labels, names = read_groups(target, graph, by)
        if (labels < 0).any():
            labels, names = np.where(labels < 0, len(names), labels), (*names, NONE)
        found = collapsed(graph, labels, names=names).graph
    write_output(found, output)
    if as_json:
        print_json({"output": output, "nodes": found.nodes, "links": found.links, "by": by})
        return
    following = command("graph", "info", output)
    say(f"Wrote {counted(found.nodes, 'group')} and {counted(found.links, 'link')} between them. Next: {following}")
