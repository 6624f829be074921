"""`periplus page` and `periplus sites`: what a collection knows of one page, of one site, of all its sites."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from periplus.cli.collection.search import printable
from periplus.cli.shared.output import TableFile, command, json_option, print_json, print_table, say
from periplus.errors import ParameterError
from periplus.wording import counted, counted_verb, percent

if TYPE_CHECKING:
    from periplus.library import Library
    from periplus.library.page_links import Side

_SHOWN = 10


@click.command()
@click.argument("collection", type=click.Path())
@click.argument("url")
@click.option("--links", "side", type=click.Choice(("in", "out")), help="All links to it, or of it, best-ranked first.")
@click.option("--changes", is_flag=True, help="Its captures, and what changed in its text between the last two.")
@click.option("--site", default="", help="With --links: those of this site (registered domain) or host.")
@click.option("--offset", type=click.IntRange(0), default=0, help="With --links: pass over so many.")
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="With --links: how many to list.")
@click.option("-o", "--output", type=TableFile(), help="With --links: write all: .csv, .json, .parquet or .xlsx.")
@json_option
def page(collection: str, url: str, side: Side | None, changes: bool, as_json: bool, **part: Any) -> None:
    """All that COLLECTION knows of the page URL: names, ranks, communities, links on both sides."""
    from periplus.library import open_library
    from periplus.library.portrait import page_facts

    library = open_library(collection)
    if side is not None:
        shown = slice(part["offset"], part["offset"] + part["top"])
        _links(library, url, side, part["site"], shown, part["output"], as_json)
        return
    if changes:
        _changes(library, url, as_json)
        return
    if part["site"] or part["offset"] or part["output"]:
        raise ParameterError("--links", None, "`in` or `out`: --site, --offset and -o are of a list of links")
    found = page_facts(library, url)
    if as_json:
        print_json(found)
    else:
        _print_page(found, collection, url)


def _print_page(found: dict[str, Any], collection: str, url: str) -> None:
    say(f"{printable(found['title']) or 'No title'}\n{found['url']}\n")
    names = [(printable(one["text"]), one["links"], one["sites"]) for one in found["known_as"][:_SHOWN]]
    if names:
        print_table("Known as", ("text", "links", "sites"), names)
    if found["known_for"]:
        known = ((one["word"], percent(one["reputation"]), one["pages"]) for one in found["known_for"])
        print_table("\nKnown for", ("word", "reputation", "pages with it"), known)
    places = [(one["ranker"], one["place"], one["value"], _bound(one["error_bound"])) for one in found["ranks"]]
    print_table("\nIts place", ("ranking", "place", "value", "certified error"), places)
    if found["tree"]:
        say(f"\nIn the tree: {' › '.join(one['label'] for one in found['tree'])}")
    if found["communities"]:
        among = [(one["id"], one["name"], ", ".join(one["roles"])) for one in found["communities"][:_SHOWN]]
        print_table("\nIts communities", ("", "name", "as"), among)
    for title, ends in (("Pages that link here", found["in_links"]), ("Pages that it links to", found["out_links"])):
        rows = [(one["url"], printable(", ".join(one["texts"]))) for one in ends["links"][:_SHOWN]]
        print_table(f"\n{title}: {ends['total']:,}", ("url", "text"), rows)
    if len(found["captures"]) > 1:
        say(f"\n{counted(len(found['captures']), 'capture')}: {command('page', collection, url, '--changes')}")
    say(f"\nAll of them, best-ranked first: {command('page', collection, url, '--links', 'in')}")


def _changes(library: Library, url: str, as_json: bool) -> None:
    """The captures of a page, and what changed from the last but one to the last."""
    from periplus.library import difference, history_of

    moments = history_of(library, url)
    times = [one.timestamp for one in moments]
    found = difference(library, url, *times[-2:]) if len(times) > 1 else None
    if as_json:
        print_json({"captures": [asdict(one) for one in moments], "difference": found and asdict(found)})
        return
    rows = [(one.timestamp, one.status, "changed" if one.changed else "as before") for one in moments]
    rows[:1] = [(*row[:2], "the first") for row in rows[:1]]
    print_table(counted(len(moments), "capture"), ("time", "status", "content"), rows)
    if found is None:
        say("\nThere is nothing to compare yet: crawl the page again.")
        return
    marks = {"same": " ", "added": "+", "removed": "-", "skipped": "…"}
    say(f"\nFrom {found.before} to {found.after}: {found.added} paragraphs came, {found.removed} went")
    for one in found.changes:
        skipped = f"{one.text} unchanged" if one.kind == "skipped" else printable(one.text)
        say(f"{marks[one.kind]} {skipped}")


def _links(library: Library, url: str, side: Side, site: str, part: slice, output: str | None, as_json: bool) -> None:
    """The links on one side of a page: a part of them printed, or all written."""
    from periplus.library import links_of, links_table_of
    from periplus.library.neighbours import find_page
    from periplus.record import write_table

    node = find_page(library, url)
    if output is not None:
        made = links_table_of(library, node, side, site=site)
        write_table(output, made)
        click.echo(f"{counted(made.length, 'row')} in {output}", err=True)
    found = links_of(library, node, side, site=site, offset=part.start, size=part.stop - part.start)
    if as_json:
        print_json(asdict(found))
    elif output is None:
        rows = [(printable(end.title), end.url, printable(", ".join(end.texts))) for end in found.shown]
        of = f" on {site}" if site else ""
        way = "linking here" if side == "in" else "it links to"
        print_table(f"{counted(found.chosen, 'page')}{of} {way}, best-ranked first", ("title", "url", "text"), rows)
        if (rest := found.chosen - found.offset - len(found.shown)) > 0:
            say(f"and {rest:,} more: --offset {part.stop}")


def _bound(error: float | None) -> str:
    return "none" if error is None else f"{error:.2g}"


@click.command()
@click.argument("collection", type=click.Path())
@click.argument("host", required=False)
@click.option("--with", "other", help="Every link between HOST and this site or host, both ways.")
@click.option("--offset", type=click.IntRange(0), default=0, help="Pass over so many pages of HOST.")
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="How many to list.")
@json_option
def sites(collection: str, host: str | None, other: str | None, offset: int, top: int, as_json: bool) -> None:
    """The sites of COLLECTION, those most linked from outside first; or the pages of HOST and what it has with others.

    HOST is a site (registered domain) or a host of it: its pages, best first, who links to it, where it links, its
    regions of the bow-tie and its copies.
    """
    from periplus.library import open_library

    library = open_library(collection)
    if host is None:
        if other is not None:
            raise ParameterError("HOST", None, "the name of a site: --with tells of two sites")
        _all_sites(library, collection, top, as_json)
    elif other is not None:
        _two_sites(library, host.lower(), other.lower(), top, as_json)
    else:
        _one_site(library, host.lower(), slice(offset, offset + top), as_json)


def _all_sites(library: Library, collection: str, top: int, as_json: bool) -> None:
    from periplus.library import site_rows

    rows = site_rows(library)
    if as_json:
        listed = [{"site": row.site, "pages": row.pages, "links_from_other_sites": row.from_outside} for row in rows]
        print_json({"total": len(rows), "sites": listed})
        return
    shown = [(row.site, row.pages, row.from_outside) for row in rows[:top]]
    print_table(counted(len(rows), "site"), ("site", "pages", "links from other sites"), shown)
    if rows:
        say(f"\nOne of them: {command('sites', collection, rows[0].site)}")


def _one_site(library: Library, host: str, part: slice, as_json: bool) -> None:
    from periplus.library import best_pages, copies_in, linked_sites, linking_sites, pages_of, region_shares
    from periplus.web.url import site_of_host

    pages, own, size = pages_of(library, host), site_of_host(host), part.stop - part.start
    best = best_pages(library, pages, offset=part.start, size=size)
    related = {"linking_sites": linking_sites(library, pages, own), "linked_sites": linked_sites(library, pages, own)}
    regions, copies = region_shares(library, pages), copies_in(library, pages)
    if as_json:
        told: dict[str, Any] = {"host": host, "pages": len(pages), "best": [asdict(row) for row in best]}
        told |= {name: [{"site": site, "links": n} for site, n in found] for name, found in related.items()}
        told["regions"] = [{"region": words, "pages": count} for words, count in regions]
        print_json(told | {"copies": [{"url": copy, "copy_of": kept} for copy, kept in copies]})
        return
    rows = [(printable(row.title), row.in_links, row.url) for row in best]
    ranker = library.searcher.rankers.default
    print_table(f"{host}: {counted(len(pages), 'page')}, best by {ranker}", ("title", "in-links", "url"), rows)
    linking, linked = related.values()
    print_table(f"\n{counted_verb(len(linking), 'other site', 'links')} here", ("site", "links"), linking[:size])
    print_table(f"\nIt links to {counted(len(linked), 'other site')}", ("site", "links"), linked[:size])
    print_table("\nIn the bow-tie", ("region", "pages"), [(words.partition(":")[0], n) for words, n in regions])
    if copies:
        print_table(f"\n{counted(len(copies), 'copy')} of other pages", ("copy", "stands for it"), copies[:size])


def _two_sites(library: Library, host: str, other: str, top: int, as_json: bool) -> None:
    from periplus.library import crosstalk, pages_of

    here, there = pages_of(library, host), pages_of(library, other)
    ways = ((host, other, crosstalk(library, here, there)), (other, host, crosstalk(library, there, here)))
    if as_json:
        print_json(
            {"ways": [{"from": one, "to": two, "links": [asdict(x) for x in found]} for one, two, found in ways]}
        )
        return
    for one, two, found in ways:
        rows = [(link.source, link.target, printable(", ".join(link.texts))) for link in found[:top]]
        print_table(f"{one} → {two}: {counted(len(found), 'link')}\n", ("from", "to", "text"), rows)
