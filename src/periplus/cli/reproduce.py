"""`periplus reproduce`: the figures of the five papers, worked out anew and held against what is printed."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from periplus.cli.shared.output import (
    OutputFile,
    command,
    json_option,
    print_json,
    print_table,
    report_error,
    say,
    working,
)
from periplus.wording import duration

if TYPE_CHECKING:
    from periplus.reproduce.claim import Result
    from periplus.reproduce.kept import Stored

_BESIDE = Path("../shared/data")


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID…|PAPER…|all]")
@click.option("--html", type=OutputFile(), help="Write one self-contained page with the pictures here.")
@click.option(
    "--save", type=OutputFile(), help="Keep the results as JSON here; those there already are replaced by id."
)
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Where the real webs lie.")
@click.option("--scale", type=float, default=1.0, help="How many times larger to make what is grown [default 1].")
@json_option
def reproduce(
    ids: tuple[str, ...], html: str | None, save: str | None, data: Path | None, scale: float, as_json: bool
) -> None:
    """Work out every figure that the five papers print, and say what agrees.

    An ID is a claim (`fogaras.figure-2-rank`) or a paper (`fogaras`, `deo-gupta`, `litvak`, `bennouas`, `spanek`).
    Without any, the claims are listed with what the last run of all found. Real webs are looked for in $PERIPLUS_DATA,
    else in ../shared/data; claims whose data are absent say so.
    """
    from periplus.reproduce.kept import stored
    from periplus.reproduce.report import html_report

    kept = _run(ids, data or _usual_place(), scale, save, quiet=as_json) if ids else stored()
    if html:
        Path(html).write_text(html_report(kept), encoding="utf-8")
    if as_json:
        print_json({"made": kept.made, "version": kept.version, "results": [one.to_dict() for one in kept.results]})
        return
    _print(kept.results)
    say(
        f"Next: open {html} in a browser"
        if html
        else f"Next: {command('reproduce', *(ids or ['all']))} --html report.html"
    )


def _usual_place() -> Path | None:
    """The folder of the real webs, where there is one."""
    named = os.environ.get("PERIPLUS_DATA")
    return Path(named) if named else _BESIDE if _BESIDE.is_dir() else None


def _run(ids: tuple[str, ...], data: Path | None, scale: float, save: str | None, *, quiet: bool) -> Stored:
    """Work out what is asked for; what is done is saved at once, so that Ctrl-C and kill lose one claim at most."""
    from periplus import __version__
    from periplus.reproduce.data import Data
    from periplus.reproduce.kept import Stored, merged, today, write
    from periplus.reproduce.table import chosen, claims, run_all

    rows = chosen(ids)
    done: list[Result] = []
    with working("reproducing", quiet=quiet) as part:
        part(rows[0].id)
        try:
            for result in run_all(rows, data=Data(data), scale=scale):
                done.append(result)
                if save:
                    write(Path(save), merged(Path(save), [result], list(claims())))
                if len(done) < len(rows):
                    part(f"{rows[len(done)].id}, {len(done) + 1} of {len(rows)}")
        except KeyboardInterrupt:
            kept = f"{save} holds them" if save else "--save FILE keeps each as soon as it is done"
            told = f"stopped when {len(done):,} of {len(rows):,} claims were done; {kept}"
            sys.exit(report_error("interrupted", told, 130, as_json=quiet))
    return Stored(today(), __version__, tuple(done))


def _print(results: tuple[Result, ...]) -> None:
    from periplus.reproduce.report import MARKS, TITLE, lead, verdict_words

    if len(results) == 1:
        _print_one(results[0])
        return
    rows = [
        (MARKS[one.verdict], verdict_words(one), one.id, one.place, one.says, duration(one.seconds)) for one in results
    ]
    print_table(TITLE, ("", "verdict", "claim", "where", "what it says", "time"), rows)
    say(lead(results))


def _print_one(one: Result) -> None:
    from periplus.reproduce.claim import PAPERS
    from periplus.reproduce.report import MARKS, verdict_words

    say(f"{PAPERS[one.paper]}, {one.place}")
    say(one.says)
    rows = [(MARKS[check.verdict], check.what, check.printed, check.ours) for check in one.checks]
    if rows:
        print_table(verdict_words(one), ("", "figure", "printed", "here"), rows)
    else:
        say(verdict_words(one))
    for words in (one.why, one.how):
        if words:
            say(words)
    say(f"{duration(one.seconds)} of one core")
