"""`periplus audit`: what harms the readers of a site and its place in searches."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from periplus.cli.collection.search import printable
from periplus.cli.shared.output import OutputFile, command, json_option, print_json, print_table, say, working

if TYPE_CHECKING:
    from periplus.library.audit import Audit

_SHOWN, _PLACES = 3, 2


@click.command()
@click.argument("collection", type=click.Path())
@click.option("--site", default="", help="Only what concerns this site (registered domain) or host.")
@click.option("--clicks", type=click.IntRange(1), default=4, show_default=True, help="Deeper pages are told of.")
@click.option("--html", "html_path", type=OutputFile(".html"), help="Write the report as a page of its own (.html).")
@click.option("--csv", "csv_folder", type=click.Path(file_okay=False), help="Write a table a check into this folder.")
@json_option
def audit(
    collection: str, site: str, clicks: int, html_path: str | None, csv_folder: str | None, as_json: bool
) -> None:
    """What is wrong with the pages of COLLECTION, most harmful first, and where.

    Broken links with the pages and texts that hold them, redirects in chains and circles, orphans, deep pages, copies
    and near-copies, titles and descriptions, canonical addresses and robots, mixed content, hoarded and wasted rank.
    """
    from periplus.library import open_library, pages_of
    from periplus.library.audit import audit_of

    library = open_library(collection)
    if site:
        pages_of(library, site.lower())  # that it is there is asked before the work
    with working("Looking at every page", quiet=as_json):
        found = audit_of(library, clicks=clicks)
    found = found.of_site(site.lower()) if site else found
    if csv_folder is not None:
        _write_tables(found, Path(csv_folder))
    if html_path is not None:
        from periplus.durable import write_atomically
        from periplus.library.audit.page import report

        write_atomically(Path(html_path), report(found).encode("utf-8", "replace"))
        click.echo(f"Report in {html_path}", err=True)
    if as_json:
        print_json(found.to_dict())
        return
    _show(found)
    if html_path is None:
        say(f"\nAll of it, as a page: {command('audit', collection, '--html', 'audit.html')}")


def _write_tables(found: Audit, folder: Path) -> None:
    """One table of the checks, and one of the findings of each; without any it has the names of the columns alone."""
    from periplus.errors import storage
    from periplus.record import write_table

    with storage(folder):
        folder.mkdir(parents=True, exist_ok=True)
    write_table(folder / "audit.csv", found.table())
    for section in found.sections:
        write_table(folder / f"{section.name}.csv", section.table())
    click.echo(f"{len(found.sections) + 1} tables in {folder}", err=True)


def _show(found: Audit) -> None:
    from periplus.wording import counted

    of = f" that concern {found.site}" if found.site else ""
    rows = [(one.title, len(one.findings), one.why) for one in found.sections if one.findings]
    looked = f"{counted(found.count, 'finding')}{of}, {counted(found.pages, 'page')} looked at"
    print_table(f"{found.name}: {looked}", ("what", "findings", "why"), rows)
    for section in found.sections:
        if section.findings:
            say(f"\n{section.title}")
        for one in section.findings[:_SHOWN]:
            say(f"  {one.url} {printable(one.says)}")
            for place in one.places[:_PLACES]:
                say(f"    {place.url}{f' “{printable(place.text)}”' if place.text else ''}")
            if len(one.places) > _PLACES:
                say(f"    and {len(one.places) - _PLACES:,} more")
        if len(section.findings) > _SHOWN:
            say(f"  and {len(section.findings) - _SHOWN:,} more")
    clean = [section.title[:1].lower() + section.title[1:] for section in found.sections if not section.findings]
    if clean:
        say(f"\nNothing found: {', '.join(clean)}.")
    for note in found.notes:
        click.echo(f"note: {note}", err=True)
