"""`periplus model`: grow a graph by a model of the web; one command per row of the table of models."""

from __future__ import annotations

from typing import Any

import click

from periplus.cli.shared.options import options_of
from periplus.cli.shared.output import OutputFile, command, json_option, print_json, print_table, say
from periplus.cli.shared.plots import figure_options, write_figures
from periplus.cli.shared.writing import write_output
from periplus.models.table import MODELS, Model
from periplus.wording import counted, sentence


@click.group()
def model() -> None:
    """Grow a graph by a model of the web, and compare it with theory.

    `periplus model list` names the models; each is a command with its own parameters.
    """


@model.command("list")
@json_option
def list_models(as_json: bool) -> None:
    """Name every model with its parameters and their ranges."""
    if as_json:
        print_json({"models": [_described(entry) for entry in MODELS.values()]})
        return
    rows = [
        (entry.name, entry.help, ", ".join(parameter.name for parameter in entry.parameters))
        for entry in MODELS.values()
    ]
    print_table("Models", ("model", "what it does", "parameters"), rows)
    say("Next: periplus model linear-copying --n 1e6 --seed 7 -o graph.tsv")


# The names that these facts had in 0.1, for programs that read them.
_OLD_TYPES = {"float": "float", "int": "int", "flag": "bool", "choice": "str", "text": "str"}


def _described(entry: Model) -> dict[str, Any]:
    described = entry.to_dict()
    for parameter in described["parameters"]:
        parameter |= {"type": _OLD_TYPES[parameter["kind"]], "range": parameter["allowed"]}
    return {**described, "directed": entry.directed, "sizes": entry.sizes}


def _command(entry: Model) -> click.Command:
    def run(output: str | None, report: str | None, as_json: bool, **given: Any) -> None:
        _grow(entry, {name: value for name, value in given.items() if value is not None}, output, report, as_json)

    page = f"{entry.name}.html"
    drawn = f"Draw theory against simulation into an HTML file [{page} when none is named]."
    kept = "Write the graph here; the ending chooses the format, a folder has none."
    options = [
        *options_of(entry),
        click.Option(["--report"], is_flag=False, flag_value=page, type=OutputFile(), help=drawn),
        click.Option(["-o", "--output"], type=click.Path(), help=kept),
        *figure_options(),
    ]
    text = f"{sentence(entry.help)} ({entry.paper})."
    return json_option(click.Command(entry.name, params=options, callback=run, help=text))


def _grow(entry: Model, given: dict[str, Any], output: str | None, report: str | None, as_json: bool) -> None:
    parameters = entry.checked(given)
    graph = entry.function()(**parameters)
    if output is not None:
        write_output(graph, output)
    if report:
        from periplus.models.pictures.report import write_report

        write_report(entry, parameters, graph, report)
    from periplus.models.pictures.report import figures

    drawn = write_figures(lambda: figures(entry, parameters, graph))
    record = {
        "model": entry.name,
        "parameters": parameters,
        "nodes": graph.nodes,
        "links": graph.links,
        "links_drawn": entry.drawn(parameters) if entry.drawn else graph.links,
        "digest": graph.digest,
        "output": output,
        "report": report,
    }
    if as_json:
        print_json(record)
        return
    said = ", ".join(f"{name} = {value}" for name, value in parameters.items())
    say(f"{entry.name} ({said}): {counted(graph.nodes, 'page')}, {counted(graph.links, 'link')}")
    if entry.drawn and (repeats := entry.drawn(parameters) - graph.links) > 0:
        left = f"{graph.links / graph.nodes:.1f} links per page are left"
        say(f"About {repeats:,.0f} of the links drawn repeat others and were merged: {left}.")
    if entry.sizes and graph.nodes != parameters["n"]:
        say(f"{counted(graph.nodes, 'page')}, not {parameters['n']:,}: {entry.sizes}.")
    if output:
        say(f"Next: {command('structure', output)}   or   {command('rank', 'pagerank', output)}")
    elif report:
        say(f"Next: open {report} in a browser; -o FILE keeps the graph.")
    elif not drawn:
        say("Nothing was written: -o FILE keeps the graph, --report FILE draws it.")


for _entry in MODELS.values():
    model.add_command(_command(_entry))
