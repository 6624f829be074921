"""`--plot FILE.svg`: a chart that a browser or a document shows as it is, with its own colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from periplus.cli.shared.output import OutputFile

F = TypeVar("F", bound=Callable[..., Any])


def plot_option(what: str) -> Callable[[F], F]:
    """The `--plot` option of a command that draws `what`."""
    return click.option("--plot", type=OutputFile(".svg"), help=f"Draw {what} (.svg).")


def write_plot(path: str, series: Sequence[tuple[str, Any, Any, Any]], **words: Any) -> None:
    """Write a chart of (label, x, y, kind), `words` being the other arguments of `draw.charts.chart`."""
    from periplus.draw.charts import Series, chart

    write_picture(path, chart([Series(label, x, y, kind=kind) for label, x, y, kind in series], **words))


def write_picture(path: str, svg: str) -> None:
    """Write a picture with its colours, whole or not at all, and say so."""
    from periplus.draw.style import standalone
    from periplus.durable import write_atomically

    write_atomically(Path(path), standalone(svg).encode())
    click.echo(f"Drawn in {path}", err=True)
