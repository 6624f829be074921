"""`--plot FILE` and `--figures FOLDER`: pictures for a browser (.svg), or for print on white (.pdf, .png)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from periplus.cli.shared.output import OutputFile

if TYPE_CHECKING:
    from periplus.draw.page import Figure

F = TypeVar("F", bound=Callable[..., Any])
_WIDTH, _FONT, _FOLDER, _KIND = (f"periplus.figures.{name}" for name in ("width", "font", "folder", "kind"))


class PlotFile(OutputFile):
    """A picture to write; what its ending needs must be installed."""

    def __init__(self) -> None:
        super().__init__(".svg", ".pdf", ".png")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        _require(Path(path).suffix.lower())
        return path


def _kept(name: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """A callback that keeps a value where the writer finds it, so that no command has to hand it on."""

    def keep(ctx: click.Context, _: click.Parameter, value: Any) -> None:
        ctx.meta[name] = value
        if name == _KIND and ctx.meta.get(_FOLDER):
            _require(f".{value}")

    return keep


def print_options() -> list[click.Option]:
    """How a figure for print is set."""
    width = "Width in millimetres, letters of 8 points at any. [default: 120 for .pdf and .png]"
    font = "Font of a figure for print, bundled or installed. [default: Libertinus Serif]"
    return [
        click.Option(
            ["--width-mm"], type=click.FloatRange(60, 400), expose_value=False, callback=_kept(_WIDTH), help=width
        ),
        click.Option(["--font"], expose_value=False, callback=_kept(_FONT), help=font),
    ]


def figure_options() -> list[click.Option]:
    """`--figures FOLDER` and how they are set, for commands that draw several."""
    folder = click.Path(file_okay=False, path_type=Path)
    kinds = click.Choice(["pdf", "png", "svg"])
    keep_folder, keep_kind = _kept(_FOLDER), _kept(_KIND)
    drawn = "Write every picture as a file of its own, its data as CSV beside it."
    return [
        click.Option(["--figures"], type=folder, expose_value=False, callback=keep_folder, is_eager=True, help=drawn),
        click.Option(
            ["--figures-as"],
            type=kinds,
            default="pdf",
            show_default=True,
            expose_value=False,
            callback=keep_kind,
            help="The kind of these files.",
        ),
        *print_options(),
    ]


def plot_option(what: str) -> Callable[[F], F]:
    """The `--plot` option of a command that draws `what`, and the options of figures for print."""

    def give(command: F) -> F:
        shown = click.option("--plot", type=PlotFile(), help=f"Draw {what} (.svg, .pdf, .png).")(command)
        return _given(shown, print_options())

    return give


def figures_option(command: F) -> F:
    """The `--figures` option of a command that draws several pictures."""
    return _given(command, figure_options())


def _given(command: F, options: Iterable[click.Option]) -> F:
    parameters: list[click.Parameter] = command.__dict__.setdefault("__click_params__", [])
    parameters.extend(reversed(list(options)))
    return command


def write_plot(path: str, series: Sequence[tuple[str, Any, Any, Any]], **words: Any) -> None:
    """Write a chart of (label, x, y, kind), `words` being the other arguments of `draw.charts.chart`."""
    from periplus.draw.charts import Series, chart

    write_picture(path, partial(chart, [Series(label, x, y, kind=kind) for label, x, y, kind in series], **words))


def write_picture(path: str | Path, draw: Callable[..., str]) -> None:
    """Write what `draw(width=…)` returns, whole or not at all, and say where and how it is set.

    An .svg without a width follows the themes of the page that shows it; everything else is for print.
    """
    from periplus.draw.page import WIDE
    from periplus.draw.printed import FONT, POINTS, WIDTH_MM, pixels, printed
    from periplus.draw.style import standalone
    from periplus.durable import write_atomically

    meta = click.get_current_context().meta
    width, font = meta.get(_WIDTH), meta.get(_FONT) or FONT
    if Path(path).suffix.lower() == ".svg" and width is None:
        write_atomically(Path(path), standalone(draw(width=WIDE)).encode())
        click.echo(f"Drawn in {path}", err=True)
        return
    width = width or WIDTH_MM
    write_atomically(Path(path), printed(draw(width=pixels(width)), path, width_mm=width, font=font))
    click.echo(f"Drawn in {path}: {width:g} mm wide, letters of {POINTS:g} points in {font}", err=True)


def write_figures(figures: Callable[[], Iterable[Figure]]) -> bool:
    """Write the figures, and their data as CSV, into the folder that `--figures` named; returns whether it did."""
    from periplus.durable import write_atomically

    meta = click.get_current_context().meta
    folder = meta.get(_FOLDER)
    if folder is None:
        return False
    folder.mkdir(parents=True, exist_ok=True)
    for one in figures():
        write_picture(folder / f"{one.name}.{meta[_KIND]}", one.draw)
        write_atomically(folder / f"{one.name}.csv", one.csv.encode())
    return True


def _require(ending: str) -> None:
    from periplus.draw.printed import require

    require(ending)
