"""`periplus model`: grow a graph by a model of the web; one command a row of the table of models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from periplus.cli.output import OutputFile, command, json_option, print_json, print_table, say
from periplus.cli.writing import write_output
from periplus.models import MODELS
from periplus.models.base import Model, Parameter


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


def _described(entry: Model) -> dict[str, Any]:
    return {
        "name": entry.name,
        "help": entry.help,
        "paper": entry.paper,
        "directed": entry.directed,
        "sizes": entry.sizes,
        "parameters": [
            {
                "name": parameter.name,
                "type": parameter.kind.__name__,
                "default": parameter.default,
                "range": parameter.range,
                "help": parameter.help,
                "choices": list(parameter.choices),
            }
            for parameter in entry.parameters
        ],
    }


def _option(parameter: Parameter) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    flag = f"--{parameter.name.replace('_', '-')}"
    text = f"{parameter.help} [{parameter.range}]"
    if parameter.kind is bool:
        return click.option(f"{flag}/--no-{flag[2:]}", parameter.name, default=parameter.default, help=text)
    # Numbers are read by the table's own check, so that 1e6 is a whole number and errors name the range.
    return click.option(flag, parameter.name, default=str(parameter.default), show_default=True, help=text)


def _command(entry: Model) -> click.Command:
    def run(output: str | None, report: str | None, as_json: bool, **given: Any) -> None:
        _grow(entry, given, output, report, as_json)

    run.__doc__ = f"{entry.help[0].upper()}{entry.help[1:]} ({entry.paper})."
    for parameter in reversed(entry.parameters):
        run = _option(parameter)(run)
    run = click.option(
        "--report",
        is_flag=False,
        flag_value=f"{entry.name}.html",
        type=OutputFile(),
        help=f"Draw theory against simulation into an HTML file [{entry.name}.html when none is named].",
    )(run)
    run = click.option(
        "-o",
        "--output",
        type=click.Path(),
        help="Write the graph here; the ending chooses the format, a folder has none.",
    )(run)
    return click.command(entry.name)(json_option(run))


def _grow(entry: Model, given: dict[str, Any], output: str | None, report: str | None, as_json: bool) -> None:
    parameters = entry.checked(given)
    graph = entry.function()(**parameters)
    if output is not None:
        write_output(graph, output)
    if report:
        from periplus.models.report import write_report

        write_report(entry, parameters, graph, report)
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
    say(f"{entry.name} ({said}): {graph.nodes:,} pages, {graph.links:,} links")
    if entry.drawn and (repeats := entry.drawn(parameters) - graph.links) > 0:
        left = f"{graph.links / graph.nodes:.1f} links a page are left"
        say(f"About {repeats:,.0f} of the links drawn repeat others and were merged: {left}.")
    if entry.sizes and graph.nodes != parameters["n"]:
        say(f"{graph.nodes:,} pages, not {parameters['n']:,}: {entry.sizes}.")
    if output:
        say(f"Next: {command('structure', output)}   or   {command('rank', 'pagerank', output)}")
    elif report:
        say(f"Next: open {report} in a browser; -o FILE keeps the graph.")
    else:
        say("Nothing was written: -o FILE keeps the graph, --report FILE draws it.")


for _entry in MODELS.values():
    model.add_command(_command(_entry))
