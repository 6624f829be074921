"""The generated parts of the documentation: `make docs`.

`docs/cli.md` is written whole, from the commands, `docs/reproduced.md` from the results of `periplus reproduce`. In
every other page the tables between `<!-- table: NAME -->` and
`<!-- end -->` are written from the catalogue of that name (`periplus.catalog.CATALOGUES`), from the stages of a
collection ("stages") or from the views of the server ("views").
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from periplus.catalog import CATALOGUES, Algorithm, Parameter, load
from periplus.cli.main import COMMANDS, app
from periplus.errors import ParameterError
from periplus.numeric.stop import Stop

_HEAD = """# Commands

Written by `make docs` from the commands themselves. Every command takes `--json` (one object on standard output,
nothing else there) and ends with a meaningful exit code: see [errors](errors.md). `python -m periplus` is the same as
`periplus`.

Commands and options are completed by the tab key after one of these lines, in `~/.bashrc`, in `~/.zshrc`, or in
`~/.config/fish/completions/periplus.fish`:

```
eval "$(_PERIPLUS_COMPLETE=bash_source periplus)"
eval "$(_PERIPLUS_COMPLETE=zsh_source periplus)"
_PERIPLUS_COMPLETE=fish_source periplus | source
```
"""
_TABLE = re.compile(r"(?P<begin><!-- table: (?P<name>[^>]*?) -->\n).*?(?P<end><!-- end -->)", re.S)


def reference() -> str:
    """The page of all commands, in Markdown."""
    context = click.Context(app, info_name="periplus", **app.context_settings)
    parts = [_HEAD]
    for name in COMMANDS:
        command = app.get_command(context, name)
        assert command is not None
        parts.extend(_section(command, click.Context(command, info_name=name, parent=context), 2))
    return "\n".join(parts)


def _section(command: click.Command, context: click.Context, depth: int) -> list[str]:
    context.terminal_width = context.max_content_width = 100
    lines = [f"{'#' * depth} {context.command_path}", "", "```", command.get_help(context).strip(), "```", ""]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            if child is not None and not child.hidden:
                lines += _section(child, click.Context(child, info_name=name, parent=context), depth + 1)
    return lines


# -- tables ---------------------------------------------------------------------------------


def tables_in(page: str) -> list[str]:
    """The catalogues that a page has the tables of."""
    return [found["name"] for found in _TABLE.finditer(page)]


def with_tables(page: str) -> str:
    """A page with the tables between its markers regenerated; the rest unchanged."""
    return _TABLE.sub(lambda found: f"{found['begin']}\n{_tables(found['name'])}\n\n{found['end']}", page)


def table_names() -> list[str]:
    """Every table that a page may have."""
    return [*CATALOGUES, *_OTHERS]


def _tables(name: str) -> str:
    if name in _OTHERS:
        return _OTHERS[name]()
    if name not in CATALOGUES:
        raise ParameterError("table", name, f"one of {', '.join(table_names())}")
    rows = list(load(CATALOGUES[name]).values())
    parts = [_overview(rows)]
    if any(row.parameters for row in rows):
        parts += ["Their parameters:", _parameters(rows)]
    return "\n\n".join(parts)


def _overview(rows: Sequence[Algorithm]) -> str:
    """One line per algorithm; a column that no algorithm fills is left out."""
    columns = {
        "name": [f"`{row.name}`" for row in rows],
        "what it does": [row.help for row in rows],
        "when": [row.when for row in rows],
        "paper": [row.paper for row in rows],
    }
    kept = {name: cells for name, cells in columns.items() if any(cells)}
    return _markdown(list(kept), zip(*kept.values(), strict=True))


def _parameters(rows: Sequence[Algorithm]) -> str:
    """One line per parameter; algorithms that share it share the line."""
    takers: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        for one in row.parameters:
            allowed = "a stopping rule" if one.kind == "stop" else one.allowed
            takers.setdefault((f"`{one.name}`", allowed, _default(one), one.help), []).append(f"`{row.name}`")
    cells = [(line[0], "all" if len(of) == len(rows) else ", ".join(of), *line[1:]) for line, of in takers.items()]
    return _markdown(("parameter", "of", "allowed", "default", "what it is"), cells)


def _default(parameter: Parameter) -> str:
    value = parameter.default
    if isinstance(value, Stop):
        tolerance = f"{value.tolerance:g}".replace("e-0", "e-")
        return f"`Tol({tolerance}) | MaxIter({value.max_iterations})`"
    if value is None or value == "":
        return "needed" if parameter.required else "none"
    return f"`{value}`"


def _markdown(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _stages() -> str:
    """The stages in order, and the files of each."""
    from periplus.pipeline.stages import STAGES

    rows = [(f"`{one.name}`", one.help, ", ".join(f"`{name}`" for name in one.inputs)) for one in STAGES.values()]
    files = [
        (f"`{one.name}/`" if one.place else f"`{one.name}/gNNNN/`", f"`{name}`", holds)
        for one in STAGES.values()
        for name, holds in one.files.items()
    ]
    parts = [_markdown(("stage", "what it does", "made from"), rows), "Their files:"]
    return "\n\n".join([*parts, _markdown(("folder", "file", "what it holds"), files)])


def _views() -> str:
    """Every address that the server answers, with the first line of what its handler says of itself."""
    from periplus.serve.app import VIEWS, addresses

    rows = [(f"`{path}`", what) for view in VIEWS for path, what in addresses(view)]
    return _markdown(("address", "what is there"), rows)


_OTHERS = {"stages": _stages, "views": _views}


def _reproduced() -> str:
    from periplus.reproduce.docs import markdown
    from periplus.reproduce.kept import stored

    return markdown(stored())


# The pages that are written whole.
_WHOLE = {"cli.md": reference, "reproduced.md": _reproduced}


def write(path: Path) -> None:
    """Regenerate one page."""
    whole = _WHOLE.get(path.name)
    page = whole() if whole else with_tables(path.read_text(encoding="utf-8"))
    path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        write(Path(name))
