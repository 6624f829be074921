"""`periplus serve`: a collection as web pages and a JSON API, until Ctrl-C."""

from __future__ import annotations

from urllib.parse import quote

import click

from periplus.cli.shared.output import json_option, print_json


@click.command()
@click.argument("directory", metavar="DIR")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8080, show_default=True, type=click.IntRange(0, 65535), help="0: any free one.")
@click.option("--name", "names", multiple=True, help="A further host name to answer to; may be given again.")
@click.option("--token", envvar="PERIPLUS_TOKEN", default="", help="A word that visitors must show ($PERIPLUS_TOKEN).")
@click.option("--public", "everybody", is_flag=True, help="Let everybody in who can reach another --host.")
@click.option("--open", "open_browser", is_flag=True, help="Open it in the browser.")
@json_option
def serve(
    directory: str,
    host: str,
    port: int,
    names: tuple[str, ...],
    token: str,
    everybody: bool,
    **told: bool,
) -> None:
    """Serve the collection DIR on this machine: search page, portraits of pages, JSON API.

    Only this machine can reach 127.0.0.1. Another --host lets other machines in, so it needs a --token that they must
    show, or --public; then pages that ask not to be indexed (noindex) are never found. On the command line of a shared
    machine others can read a token: set $PERIPLUS_TOKEN there.
    """
    from periplus.crawl.fetch.guard import is_loopback
    from periplus.library import open_library
    from periplus.serve.run import bind
    from periplus.serve.run import serve as run
    from periplus.serve.token import Token

    asked = Token(token) if token else None
    with bind(host, port, open_to_others=everybody or asked is not None) as listening:
        library = open_library(directory, public=not is_loopback(listening.getsockname()[0]))
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{listening.getsockname()[1]}/"

        def ready() -> None:
            if told["as_json"]:
                print_json({"address": address, "collection": str(directory)})
            else:
                click.echo(f"{library.collection.settings.name} at {address} (Ctrl-C stops)")
            if told["open_browser"]:
                click.launch(address + (f"?token={quote(token)}" if token else ""))

        run(library, listening, names=names, token=asked, ready=ready)
