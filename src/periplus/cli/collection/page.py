"""`periplus page` and `periplus sites`: what a collection knows of one page, of one site, of all its sites."""

from __future__ import annotations

from typing import Any

import click

from periplus.cli.collection.search import printable
from periplus.cli.shared.output import command, json_option, print_json, print_table, say
from periplus.wording import counted, counted_verb

_SHOWN = 10


@click.command()
@click.argument("collection", type=click.Path())
@click.argument("url")
@json_option
def page(collection: str, url: str, as_json: bool) -> None:
    """All that COLLECTION knows of the page URL: its names, its ranks, its links on both sides."""
    from periplus.library import open_library
    from periplus.library.portrait import page_facts

    found = page_facts(open_library(collection), url)
    if as_json:
        print_json(found)
        return
    say(f"{printable(found['title']) or 'No title'}\n{found['url']}\n")
    names = [(printable(one["text"]), one["links"], one["sites"]) for one in found["known_as"][:_SHOWN]]
    if names:
        print_table("Known as", ("text", "links", "sites"), names)
    places = [(one["ranker"], one["place"], one["value"], _bound(one["error_bound"])) for one in found["ranks"]]
    print_table("\nIts place", ("ranking", "place", "value", "certified error"), places)
    for title, side in (("Pages that link here", "in_links"), ("Pages that it links to", "out_links")):
        ends = found[side]
        rows = [(one["url"], printable(", ".join(one["texts"]))) for one in ends["links"][:_SHOWN]]
        print_table(f"\n{title}: {ends['total']:,}", ("url", "text"), rows)
    say("\nAll of them: --json")


def _bound(error: float | None) -> str:
    return "none" if error is None else f"{error:.2g}"


@click.command()
@click.argument("collection", type=click.Path())
@click.argument("host", required=False)
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="How many to list.")
@json_option
def sites(collection: str, host: str | None, top: int, as_json: bool) -> None:
    """The sites of COLLECTION, most linked from outside first; or the best pages of HOST and who links to it."""
    from periplus.library import open_library, site_rows

    library = open_library(collection)
    if host is not None:
        _one_site(library, host.lower(), top, as_json)
        return
    rows = site_rows(library)
    if as_json:
        listed = [{"site": row.site, "pages": row.pages, "links_from_other_sites": row.from_outside} for row in rows]
        print_json({"total": len(rows), "sites": listed})
        return
    shown = [(row.site, row.pages, row.from_outside) for row in rows[:top]]
    print_table(counted(len(rows), "site"), ("site", "pages", "links from other sites"), shown)
    if rows:
        say(f"\nOne of them: {command('sites', collection, rows[0].site)}")


def _one_site(library: Any, host: str, top: int, as_json: bool) -> None:
    from periplus.library import best_pages, linking_sites, pages_of
    from periplus.web.url import site_of_host

    pages = pages_of(library, host)
    ranker = library.searcher.rankers.default
    best = best_pages(library, pages, ranker)[:top]
    linking = linking_sites(library, pages, site_of_host(host))
    if as_json:
        listed = [{"url": row.url, "title": row.title, "in_links": row.in_links, "share": row.share} for row in best]
        by_site = [{"site": site, "links": links} for site, links in linking]
        print_json({"host": host, "pages": len(pages), "best": listed, "linking_sites": by_site})
        return
    rows = [(printable(row.title), row.in_links, row.url) for row in best]
    print_table(f"{host}: {counted(len(pages), 'page')}, best by {ranker}", ("title", "in-links", "url"), rows)
    print_table(f"\n{counted_verb(len(linking), 'other site', 'links')} here", ("site", "links"), linking[:top])
