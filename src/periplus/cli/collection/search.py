"""`periplus search`: ask a collection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from periplus.cli.shared.output import command, console, json_option, print_json
from periplus.focus.table import PLAIN, QUERY_RANKERS
from periplus.wording import counted, counted_verb, duration, sentence

if TYPE_CHECKING:
    from rich.text import Text

    from periplus.search.result import Result, Results
    from periplus.search.snippet import Snippet


@click.command(context_settings={"ignore_unknown_options": True})  # -salt is a word to exclude
@click.argument("directory", metavar="DIR")
@click.argument("words", nargs=-1, required=True)
@click.option("--size", default=10, show_default=True, help="How many results.")
@click.option("--offset", default=0, show_default=True, help="How many results to pass over first.")
@click.option(
    "--rank", type=click.Choice(list(QUERY_RANKERS)), default=PLAIN, show_default=True, help="How pages are ranked."
)
@click.option("--ranker", default=None, help="The stored ranking that words are joined with; date: newest first.")
@click.option("--explain", is_flag=True, help="Say in words how each score came about.")
@click.option("--facets", is_flag=True, help="Also count the pages found by site, language, year and type.")
@click.option("--all", "every", is_flag=True, help="Every page by itself: near-copies, and all pages of a site.")
@json_option
def search(
    directory: str, words: tuple[str, ...], explain: bool, as_json: bool, facets: bool, every: bool, **asked: Any
) -> None:
    """Search the collection DIR: words, "phrases", site:, title:, anchor:, community:, -word, OR."""
    for word in words:
        if word.startswith("--"):
            raise click.NoSuchOption(word)
    from periplus.collection import Collection
    from periplus.library import open_searcher

    searcher = open_searcher(Collection.open(directory))
    found = searcher.search(" ".join(words), explain=explain, facts=facets, all_pages=every, **asked)
    if as_json:
        print_json(found.as_json())
    else:
        usual = {"size": 10, "offset": asked["offset"], "rank": PLAIN, "ranker": None}
        again = "".join(f" --{name} {value}" for name, value in asked.items() if value != usual[name])
        _print(found, directory, again + " --all" * every, asked["size"])


def _print(found: Results, directory: str, options: str, size: int) -> None:
    from rich.padding import Padding
    from rich.text import Text

    out = console()
    for note in found.notes:
        out.print(Text(f"{sentence(note)}.", style="italic"))
    for result in found.results:
        if out.is_terminal:
            out.print(Padding(as_text(result), (0, 0, 0, 2)))
        else:
            click.echo(as_text(result).plain)
    for name, values in found.facets.items():
        counts = " · ".join(f"{printable(one.value)} {one.count:,}" for one in values)
        out.print(Text.assemble((f"{name}: ", "bold"), counts), soft_wrap=True)
    if found.hubs and not found.offset:
        out.print(Text("Hubs beside them:"))
        for hub in found.hubs:
            out.print(Text(f"  {printable(hub.title)}  {printable(hub.url)}"), soft_wrap=True)
    count = counted(found.total, "page")
    if found.total and not found.results:
        count += f", none after the first {found.offset:,},"
    next_step = command("serve", directory)
    after = found.offset + len(found.results)
    if found.results and after < found.listed:
        next_step = f"{command('search', directory, found.query)}{options} --offset {found.offset + size}"
    line = Text(f"{count} in {duration(found.ms / 1000)}, ranked by {_ranked_by(found)}. Next: {printable(next_step)}")
    out.print(line, soft_wrap=True)  # a command is copied whole or not at all


def _ranked_by(found: Results) -> str:
    return found.ranker if found.rank == PLAIN else found.rank


def as_text(result: Result) -> Text:
    from rich.text import Text

    text = Text.assemble(f"{result.rank}. ", (printable(result.title), "bold"), "\n")
    text.append(printable(result.url), style="cyan")
    if result.snippet.text:
        text.append("\n").append_text(_marked(result.snippet))
    text.append(f"\n{printable(result.why)}.", style="italic")
    if result.lacks:
        text.append(f" Without {printable(', '.join(result.lacks))}.", style="italic")
    if result.duplicates:
        text.append(f" {counted(len(result.duplicates) + 1, 'copy')}.", style="italic")
    if result.copies:
        said = counted_verb(len(result.copies), "other page", "says")
        text.append(f" {said} nearly the same (--all lists them).", style="italic")
    if result.more_from:
        text.append(f" More with site:{printable(result.more_from)}", style="italic")
    for line in result.explanation:
        text.append(f"\n  {printable(line)}")
    text.append("\n")
    return text


def _marked(snippet: Snippet) -> Text:
    from rich.text import Text

    text, at = Text(), 0
    for begin, end in snippet.marks:
        text.append(printable(snippet.text[at:begin]))
        text.append(printable(snippet.text[begin:end]), style="bold yellow")
        at = end
    return text.append(printable(snippet.text[at:]))


def printable(text: str) -> str:
    """Text from the web without the control characters that could drive a terminal."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
