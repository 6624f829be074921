"""The command reference of the documentation, written from the commands themselves: `make docs`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from periplus.cli.main import COMMANDS, app

_HEAD = """# Commands

Written by `make docs` from the commands themselves. Every command takes `--json` (one object on standard output,
nothing else there) and ends with a meaningful exit code: see [errors](errors.md).
"""


def reference() -> str:
    """The whole page, in Markdown."""
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


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(reference(), encoding="utf-8")
