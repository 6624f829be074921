"""How commands speak: people get tables and one progress line, programs get one JSON object."""

from __future__ import annotations

import errno
import json
import math
import numbers
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from rich.console import Console

F = TypeVar("F", bound=Callable[..., Any])


class OutputFile(click.Path):
    """A file to write; its folder and its ending are checked before the work."""

    name = "file"

    def __init__(self, *endings: str) -> None:
        super().__init__(dir_okay=False)
        self.endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not value:
            self.fail("a file to write needs a name", param, ctx)
        path = super().convert(value, param, ctx)
        name = Path(os.fsdecode(path))
        if not name.parent.is_dir():
            self.fail(f"{name} cannot be written: there is no folder {name.parent}", param, ctx)
        if self.endings and name.suffix.lower() not in self.endings:
            told = (
                " or ".join((", ".join(self.endings[:-1]), self.endings[-1])) if self.endings[1:] else self.endings[0]
            )
            self.fail(
                f"{name} cannot be written: its name must end in {told}, as {name.stem}{self.endings[0]}", param, ctx
            )
        return path


class TableFile(OutputFile):
    """A table to write; the packages for its ending must be installed. `also`: endings of other files."""

    def __init__(self, *also: str) -> None:
        super().__init__(*sorted((*TABLE_ENDINGS, *also)))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        from periplus.record.writing import check_ending

        check_ending(path, self.endings)
        return path


TABLE_ENDINGS = (".csv", ".json", ".parquet", ".xlsx")  # those of `record.writing.FORMATS`, known without an import


def json_option(function: F) -> F:
    """The `--json` flag that every command has."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print one JSON object on standard output, nothing else."
    )(function)


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):  # numpy scalars and arrays, without importing numpy for `--help`
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        return None  # JSON has no NaN and no infinity
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    return value


def print_json(value: Any) -> None:
    """One object on standard output; non-finite numbers become null, so that any reader accepts it."""
    click.echo(json.dumps(_plain(value), ensure_ascii=False, default=str, allow_nan=False))


def report_error(slug: str, message: str, code: int, *, as_json: bool) -> int:
    """One line on standard error (and, with `--json`, the object on standard output); returns the exit code."""
    line = " ".join(message.split())
    click.echo(f"periplus: {line}", err=True)
    if as_json:
        print_json({"error": slug, "message": line, "exit_code": code})
    return code


def console(*, err: bool = False) -> Console:
    """A rich console: colour on a terminal, plain text when piped."""
    from rich.console import Console

    class Ours(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError(errno.EPIPE, "the reader has gone")  # as in `| head`: click then ends quietly

    stream = sys.stderr if err else sys.stdout
    # Piped output has no width: 160 columns keep tables unfolded.
    return Ours(stderr=err, highlight=False, width=None if stream.isatty() else 160)


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A table with figures on the right; a column is numeric when all its cells but those of None are numbers."""
    from rich.table import Table

    cells = [list(row) for row in rows]
    table = Table(box=None, pad_edge=False, header_style="bold", show_header=any(columns))
    for at, name in enumerate(columns):
        told = [row[at] for row in cells if row[at] is not None]
        numeric = bool(told) and all(isinstance(value, numbers.Real) for value in told)
        table.add_column(name, justify="right" if numeric else "left", overflow="fold")
    for row in cells:
        table.add_row(*(_cell(value) for value in row))
    screen = console()
    screen.print(title, style="italic", markup=False)  # not the table's own title, which is folded to its width
    screen.print(table)


def _cell(value: Any) -> str:
    from rich.markup import escape

    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, numbers.Integral):
        return f"{int(value):,}"
    if isinstance(value, numbers.Real):
        return f"{float(value):.6g}"
    return escape(str(value))


def command(*words: object) -> str:
    """A command of ours to copy and run: names with spaces and the like in quotes."""
    return shlex.join(["periplus", *map(str, words)])


def say(line: str) -> None:
    """One line for a person, on standard output."""
    click.echo(line)


@contextmanager
def working(what: str, *, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """One moving line on a terminal while something takes long; nothing when piped or asked to be quiet.

    Call what it yields with the name of the part that begins; the line shows it.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda part: None
        return
    from rich.text import Text

    with console(err=True).status(Text(f"{what} …")) as line:
        yield lambda part: line.update(Text(f"{what}: {part} …"))


@contextmanager
def build_progress(*, quiet: bool) -> Iterator[Callable[[str, int, int | None], None] | None]:
    """One live line per stage on a terminal; silent when piped or quiet."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:10}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(err=True)) as bars:
        tasks: dict[str, Any] = {}

        def advance(stage: str, done: int, total: int | None) -> None:
            for earlier, task in tasks.items():
                if earlier != stage:
                    bars.update(task, total=1, completed=1)
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield advance
        for task in tasks.values():
            bars.update(task, total=1, completed=1)
