"""`periplus rank`: one command a ranking, made from the table `RANKERS`, and the commands that compare them."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from periplus.cli.output import OutputFile, command, json_option, print_json, print_table, working
from periplus.cli.rank_compare import compare, known_for, overturn, stability
from periplus.cli.ranking import ranked_graph, terms_of, url_of, warn_if_degenerate
from periplus.cli.target import LENIENT, page_id
from periplus.errors import InputError, ParameterError
from periplus.rank.table import RANKERS, Parameter, Ranker

if TYPE_CHECKING:
    from periplus.graph import Graph
    from periplus.numeric.arrays import Floats
    from periplus.rank.scores import Scores

_TYPES: dict[str, Any] = {"float": float, "int": int, "text": str, "pages": str, "vector": click.Path(dir_okay=False)}
_TERM_PARAMETERS = ("topic", "relevance")


class RankGroup(click.Group):
    """The commands below, and one for each entry of `RANKERS`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*RANKERS, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return _command(RANKERS[name]) if name in RANKERS else super().get_command(ctx, name)


@click.group(cls=RankGroup)
def rank() -> None:
    """Rank the pages of a graph by its links.

    TARGET is a collection, a graph folder, a graph file of any format or the base name of a WebGraph. The ranking
    of a collection is also kept in it.
    """


# -- one ranking ---------------------------------------------------------------------------------------------


def _command(ranker: Ranker) -> click.Command:
    """The command of one ranker: its own parameters as options, then those that all share."""
    options: list[click.Parameter] = [click.Argument(["target"]), *map(_option, ranker.parameters)]
    if any(parameter.name in _TERM_PARAMETERS for parameter in ranker.parameters):
        about = "A word: the pages (where there is a graph alone, the URLs) that hold it are the topic."
        options.append(click.Option(["--term"], help=about))
    if ranker.stops:
        options.append(click.Option(["--tolerance"], type=float, help="Error to stop at."))
        options.append(click.Option(["--max-iterations"], type=int, help="Passes to stop at, converged or not."))
    if ranker.hubs:
        options.append(click.Option(["--hubs"], is_flag=True, help="The hubs instead of the authorities."))
    options += [
        click.Option(["--top"], type=click.IntRange(0), default=20, show_default=True, help="How many pages to list."),
        click.Option(["--out"], type=OutputFile(), help="Write the scores, float64 by page id (.npy)."),
        click.Option(["--lenient"], is_flag=True, help=LENIENT),
        click.Option(
            ["--json", "as_json"], is_flag=True, help="Print one JSON object on standard output, nothing else."
        ),
    ]

    def run(target: str, top: int, out: str | None, as_json: bool, **given: Any) -> None:
        _rank(ranker, target, given, top=top, out=out, as_json=as_json)

    return click.Command(ranker.name, params=options, callback=run, help=ranker.help, short_help=ranker.help)


def _option(parameter: Parameter) -> click.Option:
    kind = click.Choice(parameter.choices) if parameter.choices else _TYPES[parameter.kind]
    shown = "" if parameter.default is None else f" [default: {parameter.default}]"
    name = "--" + parameter.name.replace("_", "-")
    text = f"{parameter.help} {parameter.allowed}.{shown}"
    return click.Option([name, parameter.name], type=kind, multiple=parameter.kind == "pages", help=text)


def _rank(ranker: Ranker, target: str, given: dict[str, Any], *, top: int, out: str | None, as_json: bool) -> None:
    hubs, lenient = bool(given.pop("hubs", False)), given.pop("lenient")
    with working(f"ranking by {ranker.name}", quiet=as_json):
        graph = ranked_graph(target, lenient=lenient)
        arguments = _arguments(ranker, target, graph, given)
        scores = ranker.function()(graph, **arguments)
    values = scores.extra["hubs"] if hubs else scores.values
    if out is not None:
        _write_vector(Path(out), values)
    _keep(ranker, target, arguments, scores)
    warn_if_degenerate(scores)
    rows = _top(graph, values, top)
    if as_json:
        print_json(_record(scores, rows))
        return
    what = "hubs" if hubs else "authorities" if ranker.hubs else "pages"
    print_table(f"{ranker.name}: {what} of {target}", ("place", "page", "score", "url"), _table(rows))
    click.echo(f"\n{_certainty(scores)}")
    click.echo(f"Against the others: {command('rank', 'compare', ranker.name, _other(ranker.name), target)}")


def _other(name: str) -> str:
    return "indegree" if name != "indegree" else "pagerank"


def _keep(ranker: Ranker, target: str, arguments: dict[str, Any], scores: Scores) -> None:
    """Store a ranking in its collection; one for a topic or for given pages is no ranking of the collection."""
    from periplus.collection import Collection

    special = any(p.kind in ("vector", "pages") and p.name in arguments for p in ranker.parameters)
    if Collection.is_collection(target) and not special:
        from periplus.pipeline import store_scores

        store_scores(Collection.open(target), scores)


def _arguments(ranker: Ranker, target: str, graph: Graph, given: dict[str, Any]) -> dict[str, Any]:
    """What the function is called with: options that were set, vectors read, the stopping rule put together."""
    kinds = {parameter.name: parameter.kind for parameter in ranker.parameters}
    arguments = {name: value for name, value in given.items() if name in kinds and value not in (None, ())}
    for name in arguments:
        if kinds[name] == "vector":
            arguments[name] = _read_vector(arguments[name])
        elif kinds[name] == "pages":
            arguments[name] = [page_id(graph, page) for page in arguments[name]]
    if given.get("term") is not None:
        name = next(name for name in _TERM_PARAMETERS if name in kinds)
        arguments[name] = terms_of(target, graph).topic(given["term"])
    for parameter in ranker.parameters:
        if parameter.required and parameter.name not in arguments:
            word = " (or --term WORD)" if parameter.name in _TERM_PARAMETERS else ""
            raise ParameterError(parameter.name, None, f"give --{parameter.name}{word}: {parameter.allowed}")
    if ranker.stops:
        arguments |= _stop(ranker, given.get("tolerance"), given.get("max_iterations"))
    return arguments


def _stop(ranker: Ranker, tolerance: float | None, max_iterations: int | None) -> dict[str, Any]:
    """The stopping rule, where one was asked for: what was not given stays as the function has it."""
    if tolerance is None and max_iterations is None:
        return {}
    import inspect

    from periplus.numeric.stop import MaxIter, Stop, Tol

    default: Stop = inspect.signature(ranker.function()).parameters["stop"].default
    least = Tol(tolerance) if tolerance is not None else Tol(default.tolerance)
    return {"stop": least | MaxIter(default.max_iterations if max_iterations is None else max_iterations)}


def _read_vector(path: str) -> Floats:
    import numpy as np

    try:
        return np.asarray(np.load(path, allow_pickle=False), dtype=np.float64)
    except ValueError as error:
        raise InputError(f"{path} is no vector of numbers as numpy.save writes it (.npy)") from error


def _write_vector(path: Path, values: Floats) -> None:
    import numpy as np

    from periplus.collection import write_atomically

    buffer = BytesIO()
    np.save(buffer, values)
    write_atomically(path, buffer.getvalue())


def _top(graph: Graph, values: Floats, count: int) -> list[dict[str, Any]]:
    import numpy as np

    order = np.lexsort((np.arange(len(values)), -values))[:count].tolist()
    return [{"id": page, "url": url_of(graph, page), "score": float(values[page])} for page in order]


def _table(rows: Sequence[dict[str, Any]]) -> list[list[Any]]:
    # An id is a name: no thousands commas in it.
    return [[place, str(row["id"]), row["score"], row["url"] or ""] for place, row in enumerate(rows, 1)]


def _record(scores: Scores, rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "method": scores.method,
        "converged": scores.converged,
        "iterations": scores.iterations,
        "error_bound": scores.error_bound,
        "parameters": dict(scores.parameters),
        "top": rows,
    }


def _certainty(scores: Scores) -> str:
    bound = f"error at most {scores.error_bound:.2g}" if scores.error_bound == scores.error_bound else "no error bound"
    gap = f"; eigengap {scores.extra['eigengap']:.4g}" if "eigengap" in scores.extra else ""
    passes = "1 pass" if scores.iterations == 1 else f"{scores.iterations:,} passes"
    return f"{passes}, {bound}{gap}."


# -- the others ----------------------------------------------------------------------------------------------


@rank.command(name="list")
@json_option
def list_(as_json: bool) -> None:
    """Every ranking there is, with its parameters."""
    if as_json:
        print_json({"rankers": [ranker.summary() for ranker in RANKERS.values()]})
        return
    rows = [
        (ranker.name, ranker.family, ranker.help, ", ".join(p.name for p in ranker.parameters))
        for ranker in RANKERS.values()
    ]
    print_table("Rankings", ("method", "family", "what it says", "parameters"), rows)
    click.echo("\nOne of them: periplus rank pagerank TARGET")


for other in (compare, stability, overturn, known_for):
    rank.add_command(other)
