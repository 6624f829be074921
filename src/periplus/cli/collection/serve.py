"""`periplus serve`: a collection as web pages and a JSON API, until Ctrl-C."""

from __future__ import annotations

import click

from periplus.cli.shared.output import json_option, print_json

LOOPBACK = ("127.0.0.1", "localhost", "::1")


@click.command()
@click.argument("directory", metavar="DIR")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8080, show_default=True, type=click.IntRange(0, 65535), help="0: any free one.")
@click.option("--name", "names", multiple=True, help="A further host name to answer to; may be given again.")
@click.option("--open", "open_browser", is_flag=True, help="Open it in the browser.")
@json_option
def serve(directory: str, host: str, port: int, names: tuple[str, ...], open_browser: bool, as_json: bool) -> None:
    """Serve the collection DIR on this machine: search page, portraits of pages, JSON API.

    There is no password: only this machine can reach 127.0.0.1. Another --host makes it reachable from elsewhere;
    then pages that ask not to be indexed (noindex) are never found.
    """
    from periplus.library import open_library
    from periplus.serve.run import bind
    from periplus.serve.run import serve as run

    library = open_library(directory, public=host not in LOOPBACK)
    with bind(host, port) as listening:
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{listening.getsockname()[1]}/"

        def ready() -> None:
            if as_json:
                print_json({"address": address, "collection": str(directory)})
            else:
                click.echo(f"{library.collection.settings.name} at {address} (Ctrl-C stops)")
            if open_browser:
                click.launch(address)

        run(library, listening, names=names, ready=ready)
