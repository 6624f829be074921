"""`periplus communities`: one command a method, made from the table `COMMUNITIES`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from periplus.cli.rank.common import ranked_graph, url_of
from periplus.cli.shared.options import options_of
from periplus.cli.shared.output import OutputFile, command, json_option, print_json, print_table, say, working
from periplus.cli.shared.target import LENIENT, lenient_option, page_id
from periplus.cli.shared.writing import write_values
from periplus.communities.table import COMMUNITIES, Method
from periplus.errors import ParameterError
from periplus.wording import counted_verb

if TYPE_CHECKING:
    from periplus.communities.groups import PageGroups
    from periplus.graph import Graph
    from periplus.record import PageLabels

_OUT = (
    "Write every page's community: .npy (a label per page, -1 for none), .csv, .json, .parquet or .xlsx (a table), "
    ".gexf or .graphml (the graph with its communities). Groups that overlap: .json (lists of pages), .csv, .parquet "
    "or .xlsx."
)
_ENDINGS = (".csv", ".gexf", ".graphml", ".json", ".npy", ".parquet", ".xlsx")
_LISTED = 5


class CommunityGroup(click.Group):
    """The commands below, and one for each entry of `COMMUNITIES`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMUNITIES, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return _command(COMMUNITIES[name]) if name in COMMUNITIES else super().get_command(ctx, name)


@click.group(cls=CommunityGroup)
def communities() -> None:
    """Find the communities of a graph.

    TARGET is a collection, a graph folder, a graph file of any format or the base name of a WebGraph.
    """


def _command(method: Method) -> click.Command:
    options: list[click.Parameter] = [
        click.Argument(["target"]),
        *options_of(method),
        click.Option(["--top"], type=click.IntRange(0), default=20, show_default=True, help="How many to list."),
        click.Option(["--out"], type=OutputFile(*_ENDINGS), help=_OUT),
        click.Option(["--lenient"], is_flag=True, help=LENIENT),
        click.Option(
            ["--json", "as_json"], is_flag=True, help="Print one JSON object on standard output, nothing else."
        ),
    ]

    def run(target: str, top: int, out: str | None, lenient: bool, as_json: bool, **given: Any) -> None:
        _find(method, target, given, top=top, out=out, lenient=lenient, as_json=as_json)

    return click.Command(method.name, params=options, callback=run, help=method.help, short_help=method.help)


def _find(
    method: Method, target: str, given: dict[str, Any], *, top: int, out: str | None, lenient: bool, as_json: bool
) -> None:
    from periplus.record import PageLabels

    with working(f"finding communities by {method.name}", quiet=as_json):
        graph = ranked_graph(target, lenient=lenient)
        found = method.function()(graph, **_arguments(method, graph, given))
    labels = found if isinstance(found, PageLabels) else None
    if out is not None:
        if isinstance(found, PageLabels):
            _write_labels(found, graph, out)
        else:
            _write_groups(found, out)
    if as_json:
        print_json(_described(labels, graph) if labels is not None else found.to_dict())
        return
    if isinstance(found, PageLabels):
        _print_labels(found, graph, target, top)
    else:
        _print_groups(found, graph, target, top)
    if out is None and len(found):
        file = f"{method.name}.{'npy' if labels is not None else 'json'}"
        again = command("communities", method.name, target, *_as_typed(method, given), "--out", file)
        say(f"Next: {again} keeps them.")


def _as_typed(method: Method, given: dict[str, Any]) -> list[Any]:
    """The parameters that were given, as the words of a command."""
    words: list[Any] = []
    for parameter in method.parameters:
        value = given[parameter.name]
        for one in value if isinstance(value, tuple) else (value,):
            words += [] if one is None else [f"--{parameter.name}", one]
    return words


def _arguments(method: Method, graph: Graph, given: dict[str, Any]) -> dict[str, Any]:
    arguments = {name: value for name, value in given.items() if value not in (None, ())}
    for parameter in method.parameters:
        if parameter.kind == "pages" and parameter.name in arguments:
            arguments[parameter.name] = [page_id(graph, page) for page in arguments[parameter.name]]
        elif parameter.required and parameter.name not in arguments:
            raise ParameterError(parameter.name, None, f"give --{parameter.name}: {parameter.allowed}")
    return arguments


# -- files ---------------------------------------------------------------------------------------------------


def _write_labels(found: PageLabels, graph: Graph, out: str) -> None:
    if out.lower().endswith((".gexf", ".graphml")):
        from periplus.cli.shared.writing import write_output

        names = {"community_name": [found.name(label) for label in found]} if len(found.names) else {}
        write_output(graph.described({"community": found.labels, **names}), out)
        return
    import numpy as np

    write_values(out, found.labels.astype(np.int64), found.columns())


def _write_groups(found: PageGroups, out: str) -> None:
    from periplus.durable import write_atomically
    from periplus.record import Table, write_table

    ending = Path(out).suffix.lower()
    if ending in (".npy", ".gexf", ".graphml"):
        raise ParameterError(
            "out", out, f"a .json or .csv file: {found.noun} may overlap, {ending} has one label per page"
        )
    if ending == ".json":
        write_atomically(Path(out), json.dumps([group.pages.tolist() for group in found]).encode())
        return
    write_table(out, Table.of(found.columns()))


# -- for people ----------------------------------------------------------------------------------------------


def _described(found: PageLabels, graph: Graph) -> dict[str, Any]:
    from periplus.communities.modular.leiden import modularity

    about = found.to_dict()
    about.setdefault("modularity", modularity(graph, found))
    in_none = int((found.labels < 0).sum())
    return about | {"pages": len(found), "count": found.count, "sizes": found.sizes.tolist(), "in_none": in_none}


def _print_labels(found: PageLabels, graph: Graph, target: str, top: int) -> None:
    about = _described(found, graph)
    rows = [
        (one.label, one.pages, found.name(one.label), _examples(graph, found.members(one.label)))
        for one in found.top(top)
    ]
    columns = ("label", "pages", "name", "first pages")
    if not len(found.names):
        rows, columns = [(row[0], row[1], row[3]) for row in rows], ("label", "pages", "first pages")  # type: ignore[misc,assignment]
    print_table(f"Communities of {target} by {found.method}: {found.count:,}", columns, rows)
    none = f"; {counted_verb(about['in_none'], 'page', 'is')} in none" if about["in_none"] else ""
    say(f"\nModularity {about['modularity']:.4f}{none}.")


def _print_groups(found: PageGroups, graph: Graph, target: str, top: int) -> None:
    roles = list(found[0].parts) if len(found) else []
    rows = [
        (number, *([group.name] if group.name else []), *(_examples(graph, group.parts[role]) for role in roles))
        for number, group in enumerate(found.groups[:top])
    ]
    named = ["name"] if len(found) and found[0].name else []
    print_table(f"{found.noun.capitalize()} of {target} by {found.method}: {len(found):,}", ("", *named, *roles), rows)
    for what, counts in found.extra.items():
        if isinstance(counts, dict):
            say(f"\n{what}: " + ", ".join(f"{name.replace('_', ' ')} {value:,}" for name, value in counts.items()))


def _examples(graph: Graph, pages: Any) -> str:
    more = f" … {len(pages):,} in all" if len(pages) > _LISTED else ""
    return ", ".join(url_of(graph, int(page)) or str(page) for page in pages[:_LISTED]) + more


# -- the others ----------------------------------------------------------------------------------------------


@communities.command(name="list")
@json_option
def list_(as_json: bool) -> None:
    """Every method there is, with its parameters."""
    if as_json:
        print_json({"methods": [method.to_dict() for method in COMMUNITIES.values()]})
        return
    rows = [(one.name, one.help, ", ".join(p.name for p in one.parameters)) for one in COMMUNITIES.values()]
    print_table("Communities", ("method", "what it finds", "parameters"), rows)
    say("\nOne of them: periplus communities leiden TARGET")


@communities.command(name="core-counts")
@click.argument("target")
@click.option("--highest", type=click.IntRange(3, 10), default=6, show_default=True, help="The largest i and j.")
@click.option("--cap", type=click.IntRange(1), default=50, show_default=True, help="In-links a centre has at most.")
@lenient_option
@json_option
def core_counts(target: str, highest: int, cap: int, lenient: bool, as_json: bool) -> None:
    """How many disjoint (i, j) cores a web has, for every i and j from 3 on."""
    from periplus.communities import core_counts as count

    with working("trawling", quiet=as_json):
        found = count(ranked_graph(target, lenient=lenient), highest=highest, cap=cap)
    if as_json:
        print_json(found.to_dict())
        return
    columns = ("fans", *(f"{j} centres" for j in range(found.lowest, found.highest + 1)))
    print_table(f"Cores of {target}", columns, found.rows())
    say("\nLeft out before: " + ", ".join(f"{name.replace('_', ' ')} {n:,}" for name, n in found.removed.items()))
