"""The options of every command that fetches from the web: how politely, under which name, and from where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--delay", type=float, help="Seconds between two requests to one host. [default: 1]"),
    click.option("--user-agent", help="The name sent with every request and looked up in robots.txt."),
    click.option("--contact", help="An address or URL that administrators can turn to, sent with the name."),
    click.option(
        "--allow-net", multiple=True, metavar="ADDR[:PORT]", help="A private address that may be fetched from."
    ),
    click.option(
        "--connect-to", multiple=True, metavar="PATTERN=ADDR:PORT", help="Where these host names are, as curl has it."
    ),
)


def fetch_options(command: F) -> F:
    """Give a command all of them, in this order."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
