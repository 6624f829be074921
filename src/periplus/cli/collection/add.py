"""`periplus add`: pages that others fetched become part of a collection."""

from __future__ import annotations

from pathlib import Path

import click

from periplus.cli.shared.output import command, console, json_option, print_json, working
from periplus.wording import counted, counted_verb, duration


@click.command()
@click.argument("collection", type=click.Path(path_type=Path))
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--base", metavar="URL", help="The URL that a folder of HTML stood at, where its files do not tell.")
@json_option
def add(collection: Path, files: tuple[Path, ...], base: str | None, as_json: bool) -> None:
    """Add WARC, ARC and WACZ files, or folders of HTML, to COLLECTION.

    COLLECTION is made where it does not exist. A broken record is named and skipped; adding a file twice adds nothing.
    """
    from periplus.collection import Collection
    from periplus.errors import InputError
    from periplus.pages.add import add_files
    from periplus.pages.store import store_of

    for path in files:
        if not path.exists():
            raise InputError(f"{path} does not exist: nothing was added")
    target = Collection.open_or_create(collection)
    with target.writing(), working("adding", quiet=as_json) as part:
        report = add_files(
            store_of(target), files, base=base, progress=lambda name, pages: part(f"{name}, {counted(pages, 'page')}")
        )
    if as_json:
        print_json(
            {
                "files": report.files,
                "pages": report.pages,
                "redirects": report.redirects,
                "known": report.known,
                "skipped": report.skipped,
                "problems": [{"file": p.file, "byte": p.byte, "problem": p.problem} for p in report.problems],
                "notes": report.notes,
                "seconds": round(report.seconds, 3),
            }
        )
        return
    out = console()
    for problem in report.problems:
        console(err=True).print(f"broken record skipped: {problem}", style="yellow", markup=False)
    before = f", {counted_verb(report.known, 'page', 'was')} there before" if report.known else ""
    pages = counted(report.pages, "page") + (
        f" and {counted(report.redirects, 'redirect')}" if report.redirects else ""
    )
    added = f"{pages} added from {counted(report.files, 'file')}"
    out.print(f"{added} in {duration(report.seconds)}{before}")
    if report.skipped:
        out.print("not pages: " + ", ".join(f"{count:,} {kind}" for kind, count in report.skipped.items()))
    for note in report.notes:
        out.print(note, markup=False, soft_wrap=True)
    out.print(f"next: {command('build', collection)}", markup=False)
