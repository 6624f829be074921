"""`periplus rank`: one command a ranking, made from the table `RANKERS`, and the commands that compare them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from periplus.cli.rank.common import ranked_graph, terms_of, url_of, warn_if_degenerate
from periplus.cli.rank.compare import compare, known_for, overturn, stability
from periplus.cli.rank.near import near, topics, update
from periplus.cli.shared.options import options_of, stop_given
from periplus.cli.shared.output import TableFile, command, json_option, print_json, print_table, working
from periplus.cli.shared.target import LENIENT, page_id, read_numbers
from periplus.cli.shared.writing import write_values
from periplus.errors import ParameterError
from periplus.rank.table import RANKERS, Ranker
from periplus.wording import counted

if TYPE_CHECKING:
    from periplus.graph import Graph
    from periplus.record import Scores

OUT = "Write all scores; the ending decides: .csv, .json, .parquet or .xlsx (a table), .npy (float64 by page id)."
_TERM_PARAMETERS = ("topic", "relevance", "similarity")


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
    options: list[click.Parameter] = [click.Argument(["target"]), *options_of(ranker)]
    if _of_a_term(ranker):
        about = "A word: the pages (where there is a graph alone, the URLs) that hold it are the topic."
        options.append(click.Option(["--term"], help=about))
    if ranker.hubs:
        options.append(click.Option(["--hubs"], is_flag=True, help="The hubs instead of the authorities."))
    options += [
        click.Option(["--top"], type=click.IntRange(0), default=20, show_default=True, help="How many pages to list."),
        click.Option(["--out"], type=TableFile(".npy"), help=OUT),
        click.Option(["--lenient"], is_flag=True, help=LENIENT),
        click.Option(
            ["--json", "as_json"], is_flag=True, help="Print one JSON object on standard output, nothing else."
        ),
    ]

    def run(target: str, top: int, out: str | None, as_json: bool, **given: Any) -> None:
        _rank(ranker, target, given, top=top, out=out, as_json=as_json)

    return click.Command(ranker.name, params=options, callback=run, help=ranker.help, short_help=ranker.help)


def _of_a_term(ranker: Ranker) -> list[str]:
    """The parameters that a word can set, by the pages that contain it."""
    return [p.name for p in ranker.parameters if p.kind == "vector" and p.name in _TERM_PARAMETERS]


def _rank(ranker: Ranker, target: str, given: dict[str, Any], *, top: int, out: str | None, as_json: bool) -> None:
    hubs, lenient = bool(given.pop("hubs", False)), given.pop("lenient")
    with working(f"ranking by {ranker.name}", quiet=as_json):
        graph = ranked_graph(target, lenient=lenient)
        arguments = _arguments(ranker, target, graph, given)
        if "urls" in ranker.needs and graph.urls is None:
            raise ParameterError("target", target, f"a graph with URLs: {ranker.name} reads hosts from them")
        scores = ranker.function()(graph, **arguments)
    shown = scores.of_hubs() if hubs else scores
    if out is not None:
        write_values(out, shown.values, _with_widths(shown))
    kept = _keep(ranker, target, {**given, **arguments}, scores)
    warn_if_degenerate(scores)
    rows = _top(graph, shown, top)
    if as_json:
        print_json(_record(shown, rows))
        return
    what = "hubs" if hubs else "authorities" if ranker.hubs else "pages"
    columns = ("place", "page", "score", *(["±"] if rows and "half_width" in rows[0] else []), "url")
    print_table(f"{ranker.name}: {what} of {target}", columns, _table(rows))
    click.echo(f"\n{_certainty(shown, sampled='±' in columns)}")
    if kept:
        click.echo(f"Kept in {target}: {command('search', target, 'your words', '--ranker', kept)} ranks by it.")
    comparable = not ranker.missing() and "urls" not in ranker.needs
    other = "indegree" if ranker.name != "indegree" else "pagerank"
    first = ranker.name if comparable else "pagerank"
    click.echo(f"Against the others: {command('rank', 'compare', first, other, target)}")


def _keep(ranker: Ranker, target: str, given: dict[str, Any], scores: Scores) -> str | None:
    """Store a ranking in its collection; returns the name under which it is kept there.

    A ranking with other settings than the usual ones is kept beside the usual one, never instead of it: search goes on
    as before.
    """
    from periplus.collection import Collection

    if not Collection.is_collection(target):
        return None
    from periplus.pipeline import store_scores

    name = variant(ranker, given)
    store_scores(Collection.open(target), scores, name=name)
    return name


def variant(ranker: Ranker, given: dict[str, Any]) -> str:
    """The name of a ranking with these settings: those that are not the usual ones stand in it."""
    usual = {parameter.name: parameter.default for parameter in ranker.parameters if parameter.kind != "stop"}
    vectors = {parameter.name for parameter in ranker.parameters if parameter.kind == "vector"}
    parts = [ranker.name]
    for name in (*usual, "term", "tolerance", "max_iterations"):
        value = given.get(name)
        if value is None or (name in vectors and given.get("term") is not None):
            continue  # not set; or the topic of a term, which the term itself names
        if name in vectors:
            parts.append(f"{name}-{_digest(value.tobytes())}")
        elif value != usual.get(name):
            text = "-".join(map(str, value)) if isinstance(value, list) else str(value)
            parts.append(f"{name}-{text if len(text) <= 40 else _digest(text.encode())}")
    return re.sub(r"[^\w.+-]", "_", "-".join(parts).replace("_", "-"))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:8]


def _arguments(ranker: Ranker, target: str, graph: Graph, given: dict[str, Any]) -> dict[str, Any]:
    """What the function is called with: options that were set, vectors read, the stopping rule put together."""
    kinds = {parameter.name: parameter.kind for parameter in ranker.parameters}
    arguments = {name: value for name, value in given.items() if name in kinds and value not in (None, ())}
    for name in arguments:
        if kinds[name] == "vector":
            arguments[name] = read_numbers(arguments[name])
        elif kinds[name] == "pages":
            arguments[name] = [page_id(graph, page) for page in arguments[name]]
    if given.get("term") is not None:
        arguments[_of_a_term(ranker)[0]] = terms_of(target, graph).topic(given["term"])
    for parameter in ranker.parameters:
        if parameter.name in ranker.missing(arguments):
            word = " (or --term WORD)" if parameter.name in _of_a_term(ranker) else ""
            raise ParameterError(parameter.name, None, f"give --{parameter.name}{word}: {parameter.allowed}")
    if ranker.stop is not None:
        arguments |= stop_given(ranker.stop, given)
    return arguments


def _top(graph: Graph, scores: Scores, count: int) -> list[dict[str, Any]]:
    import numpy as np

    rows = [
        {"id": page, "url": url_of(graph, page), "score": float(scores.values[page])}
        for page in scores.best(count).tolist()
    ]
    widths = scores.extra.get("half_width", 0.0)  # of a sample: one per page, or one for all
    if np.any(widths):
        for row in rows:
            row["half_width"] = float(np.broadcast_to(widths, scores.values.shape)[row["id"]])
    return rows


def _with_widths(scores: Scores) -> dict[str, Any]:
    """The table of scores; of a sample also the half-width of each."""
    import numpy as np

    widths = scores.extra.get("half_width", 0.0)
    return scores.columns() | ({"half_width": np.broadcast_to(widths, len(scores))} if np.any(widths) else {})


def _table(rows: Sequence[dict[str, Any]]) -> list[list[Any]]:
    # An id is a name: no thousands commas in it.
    return [
        [place, str(row["id"]), row["score"], *([row["half_width"]] if "half_width" in row else []), row["url"] or ""]
        for place, row in enumerate(rows, 1)
    ]


def _record(scores: Scores, rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "method": scores.method,
        "converged": scores.converged,
        "iterations": scores.iterations,
        "error_bound": scores.error_bound,
        "parameters": dict(scores.parameters),
        **scores.findings,
        "top": rows,
    }


def _certainty(scores: Scores, *, sampled: bool) -> str:
    if sampled:
        bound = f"± is the {100 * float(scores.parameters.get('confidence', 0.95)):g} % confidence interval of a page"
    else:
        known = scores.error_bound == scores.error_bound
        bound = f"error at most {scores.error_bound:.2g}" if known else "no error bound"
    gap = f"; eigengap {scores.extra['eigengap']:.4g}" if "eigengap" in scores.extra else ""
    passes = counted(scores.iterations, "pass")
    return f"{passes}, {bound}{gap}."


# -- the others ----------------------------------------------------------------------------------------------


@rank.command(name="list")
@json_option
def list_(as_json: bool) -> None:
    """Every ranking there is, with its parameters."""
    if as_json:
        print_json({"rankers": [{**ranker.to_dict(), "hubs": ranker.hubs} for ranker in RANKERS.values()]})
        return
    rows = [
        (ranker.name, ranker.family, ranker.help, ", ".join(p.name for p in ranker.parameters if p.kind != "stop"))
        for ranker in RANKERS.values()
    ]
    print_table("Rankings", ("method", "family", "what it says", "parameters"), rows)
    click.echo("\nOne of them: periplus rank pagerank TARGET")


for other in (compare, near, topics, stability, overturn, update, known_for):
    rank.add_command(other)
