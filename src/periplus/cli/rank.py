"""`periplus rank`: one command a ranking, made from the table `RANKERS`, and the commands that compare them."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from periplus.cli.output import json_option, print_json, print_table
from periplus.cli.target import load_graph, page_id
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
        options.append(click.Option(["--term"], help="A word: the pages whose URL holds it are the topic."))
    if ranker.stops:
        options.append(click.Option(["--tolerance"], type=float, help="Error to stop at."))
        options.append(click.Option(["--max-iterations"], type=int, help="Passes to stop at, converged or not."))
    if ranker.hubs:
        options.append(click.Option(["--hubs"], is_flag=True, help="The hubs instead of the authorities."))
    options += [
        click.Option(["--top"], type=click.IntRange(0), default=20, show_default=True, help="How many pages to list."),
        click.Option(["--out"], type=click.Path(dir_okay=False), help="Write the scores, float64 by page id (.npy)."),
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
    hubs = bool(given.pop("hubs", False))
    graph = _graph(target)
    scores = ranker.function()(graph, **_arguments(ranker, graph, given))
    values = scores.extra["hubs"] if hubs else scores.values
    if out is not None:
        _write_vector(Path(out), values)
    _keep(target, scores)
    _warn_if_degenerate(scores)
    rows = _top(graph, values, top)
    if as_json:
        print_json(_record(scores, rows))
        return
    what = "hubs" if hubs else "authorities" if ranker.hubs else "pages"
    print_table(f"{ranker.name}: {what} of {target}", ("place", "page", "score", "url"), _table(rows))
    click.echo(f"\n{_certainty(scores)}")
    click.echo(f"Against the others: periplus rank compare {ranker.name} {_other(ranker.name)} {target}")


def _other(name: str) -> str:
    return "indegree" if name != "indegree" else "pagerank"


def _graph(target: str) -> Graph:
    """The graph to rank: of a collection, the links that recommend, as in its own stored rankings."""
    from periplus.collection import Collection

    if not Collection.is_collection(target):
        return load_graph(target)
    from periplus.pipeline.links import LinkDatabase
    from periplus.pipeline.ranks import recommending

    return recommending(LinkDatabase.open(Collection.open(target).current("graph")))


def _keep(target: str, scores: Scores) -> None:
    from periplus.collection import Collection

    if Collection.is_collection(target):
        from periplus.pipeline import store_scores

        store_scores(Collection.open(target), scores)


def _arguments(ranker: Ranker, graph: Graph, given: dict[str, Any]) -> dict[str, Any]:
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
        arguments[name] = _url_terms(graph).topic(given["term"])
    for parameter in ranker.parameters:
        if parameter.required and parameter.name not in arguments:
            raise ParameterError(parameter.name, None, f"give --{parameter.name}: {parameter.allowed}")
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
        raise InputError(f"{path}: not a vector that numpy.save wrote ({error})") from error


def _write_vector(path: Path, values: Floats) -> None:
    import numpy as np

    from periplus.collection import write_atomically

    buffer = BytesIO()
    np.save(buffer, values)
    write_atomically(path, buffer.getvalue())


def _top(graph: Graph, values: Floats, count: int) -> list[dict[str, Any]]:
    import numpy as np

    order = np.lexsort((np.arange(len(values)), -values))[:count].tolist()
    return [{"id": page, "url": _url(graph, page), "score": float(values[page])} for page in order]


def _url(graph: Graph, page: int) -> str | None:
    return None if graph.urls is None else str(graph.urls[page])


def _table(rows: Sequence[dict[str, Any]]) -> list[list[Any]]:
    return [[place, row["id"], row["score"], row["url"] or ""] for place, row in enumerate(rows, 1)]


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
    return f"{scores.iterations} passes, {bound}{gap}."


def _warn_if_degenerate(scores: Scores) -> None:
    if scores.extra.get("degenerate"):
        click.echo(
            "note: the eigenvalue is multiple, so other vectors are as good an answer; this one is the limit of "
            "Kleinberg's iteration from all ones. Try salsa, subspace-hits or randomised-hits.",
            err=True,
        )


def _url_terms(graph: Graph) -> Any:
    from periplus.rank.terms import term_matrix

    if graph.urls is None:
        raise ParameterError("term", "a word", "a graph with URLs to read words from")
    return term_matrix(str(graph.urls[page]) for page in range(graph.nodes))


# -- many rankings -------------------------------------------------------------------------------------------


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


@rank.command()
@click.argument("methods_and_targets", nargs=-1, required=True, metavar="METHOD... TARGET...")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="Places to show side by side.")
@click.option("--persistence", type=float, default=0.9, show_default=True, help="Of rank-biased overlap, in (0, 1).")
@click.option("--plot", type=click.Path(dir_okay=False), help="Draw the places against each other (.svg).")
@json_option
def compare(
    methods_and_targets: tuple[str, ...], top: int, persistence: float, plot: str | None, as_json: bool
) -> None:
    """Rank by several methods and show them side by side, with Kendall's τ and rank-biased overlap."""
    methods, targets = _split(methods_and_targets)
    if plot is not None and len(targets) > 1:
        raise click.UsageError("--plot draws one target: give one")
    reports = []
    for target in targets:
        reports.append(_compare_one(methods, target, top, persistence, plot, as_json))
    if as_json:
        print_json(reports[0] if len(reports) == 1 else {"comparisons": reports})


def _split(words: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Leading names of rankings, then targets."""
    at = next((at for at, word in enumerate(words) if word not in RANKERS), len(words))
    if at < 2 or at == len(words):
        raise click.UsageError(f"give two rankings or more, then a target; rankings are {', '.join(RANKERS)}")
    return list(words[:at]), list(words[at:])


def _compare_one(
    methods: list[str], target: str, top: int, persistence: float, plot: str | None, as_json: bool
) -> dict[str, Any]:
    from periplus.rank.compare import compare as compare_rankings

    graph = _graph(target)
    found = compare_rankings(graph, methods, persistence=persistence)
    for scores in found.scores.values():
        _warn_if_degenerate(scores)
    if plot is not None:
        from periplus.collection import write_atomically
        from periplus.rank.compare import comparison_chart

        write_atomically(Path(plot), comparison_chart(found).encode())
    rows = [[{"id": page, "url": _url(graph, page)} for page in row] for row in found.top(top)]
    if not as_json:
        _print_comparison(found, rows, target, plot)
    return {
        "target": target,
        "methods": list(found.methods),
        "persistence": persistence,
        "kendall_tau": found.tau,
        "rank_biased_overlap": found.overlap,
        "top": [dict(zip(found.methods, row, strict=True)) for row in rows],
    }


def _print_comparison(found: Any, rows: list[list[dict[str, Any]]], target: str, plot: str | None) -> None:
    named = [[place, *(cell["url"] or cell["id"] for cell in row)] for place, row in enumerate(rows, 1)]
    print_table(f"{target}, side by side", ("place", *found.methods), named)
    pairs = [
        (f"{first} / {second}", float(found.tau[i, j]), float(found.overlap[i, j]))
        for j, second in enumerate(found.methods)
        for i, first in enumerate(found.methods[:j])
    ]
    print_table("\nAgreement", ("rankings", "Kendall τ", f"overlap (p = {found.persistence:g})"), pairs)
    click.echo(f"\nDrawn in {plot}" if plot else f"\nHow firm is one of them: periplus rank stability hits {target}")


# -- stability -----------------------------------------------------------------------------------------------


@rank.command()
@click.argument("method", type=click.Choice(list(RANKERS)))
@click.argument("target")
@click.option("--share", type=float, default=0.1, show_default=True, help="Share of the links to rewire at random.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the random change.")
@click.option("--add", "added", multiple=True, metavar="I,J", help="Add this link (ids) instead of a random change.")
@click.option("--remove", "removed", multiple=True, metavar="I,J", help="Remove this link (ids) likewise.")
@json_option
def stability(
    method: str, target: str, share: float, seed: int, added: tuple[str, ...], removed: tuple[str, ...], as_json: bool
) -> None:
    """How far a ranking moves when links change, against what theory promises."""
    from periplus.rank.stability import Perturbation, random_perturbation
    from periplus.rank.stability import stability as measure

    graph = _graph(target)
    if added or removed:
        change = Perturbation(_pairs(added), _pairs(removed))
    else:
        change = random_perturbation(graph, share=share, seed=seed)
    summary = measure(graph, method, change).summary()
    if as_json:
        print_json(summary)
        return
    print_table(
        f"{method} of {target} after a change", ("", ""), [(k.replace("_", " "), v) for k, v in summary.items()]
    )
    click.echo(f"\nThe smallest change that gives another first page: periplus rank overturn {method} {target}")


def _pairs(links: tuple[str, ...]) -> tuple[Any, Any]:
    import numpy as np

    try:
        ids = [[int(part) for part in link.split(",")] for link in links]
    except ValueError as error:
        raise click.UsageError("links are two page ids: --add 3,7") from error
    if any(len(pair) != 2 for pair in ids):
        raise click.UsageError("links are two page ids: --add 3,7")
    table = np.array(ids, dtype=np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


@rank.command()
@click.argument("method", type=click.Choice(list(RANKERS)))
@click.argument("target")
@click.option("--most", type=click.IntRange(1), default=3, show_default=True, help="Links to change at most.")
@json_option
def overturn(method: str, target: str, most: int, as_json: bool) -> None:
    """Search for the smallest link change that gives a ranking another first page."""
    from periplus.rank.overturn import overturn as search

    graph = _graph(target)
    found = search(graph, method=method, most=most)
    changes = [
        {"action": "add" if c.added else "remove", "source": c.source, "target": c.target} for c in found.changes
    ]
    if as_json:
        names = ("method", "found", "exact", "first_before", "first_after", "tried")
        print_json({name: getattr(found, name) for name in names} | {"changes": changes})
        return
    rows = [(c["action"], c["source"], c["target"]) for c in changes]
    title = "overturned by" if found.found else f"not overturned by {most} links; nearest"
    print_table(f"{method} of {target} {title}", ("", "from page", "to page"), rows)
    first, then = (_url(graph, page) or page for page in (found.first_before, found.first_after))
    if found.found:
        click.echo(f"\nFirst before: {first}; after: {then}" + ("; no smaller change does it." if found.exact else "."))
    click.echo(f"\nUnder a random change: periplus rank stability {method} {target}")


@rank.command(name="known-for")
@click.argument("target")
@click.argument("page")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="How many terms.")
@click.option("--tolerance", type=float, default=1e-3, show_default=True, help="ℓ1 error allowed for a term.")
@json_option
def known_for(target: str, page: str, top: int, tolerance: float, as_json: bool) -> None:
    """What PAGE (an id or a URL) is known for: the words, among those of URLs, with its highest reputation."""
    from periplus.rank.reputation import all_reputations

    graph = _graph(target)
    number = page_id(graph, page)
    terms = _url_terms(graph)
    found = all_reputations(graph, terms.matrix, tolerance=tolerance)
    best = [(terms.vocabulary[term], value) for term, value in found.known_for(number, top)]
    if as_json:
        rows = [{"term": term, "reputation": value} for term, value in best]
        print_json({"id": number, "url": _url(graph, number), "error_bound": found.error_bound, "terms": rows})
        return
    print_table(f"{_url(graph, number) or number} is known for", ("term", "reputation"), best)
    if best:
        click.echo(f"\nWho else is: periplus rank reputation {target} --term {best[0][0]}")
