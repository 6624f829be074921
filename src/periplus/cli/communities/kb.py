"""`periplus kb`: communities about some words, with their hubs and authorities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from periplus.cli.shared.output import command, json_option, print_json, say, working
from periplus.cli.shared.target import lenient_option
from periplus.wording import counted

if TYPE_CHECKING:
    from periplus.communities import PageGroup, PageGroups

_SHOWN = 3


@click.command()
@click.argument("target")
@click.argument("words", nargs=-1)
@click.option("--number", type=click.IntRange(0), help="All that is known of the community of this number.")
@click.option("--top", type=click.IntRange(0), default=10, show_default=True, help="How many communities to list.")
@lenient_option
@json_option
def kb(target: str, words: tuple[str, ...], number: int | None, top: int, lenient: bool, as_json: bool) -> None:
    """Communities about WORDS, or the largest of all without words.

    TARGET is a collection, whose knowledge base `build` has made, or a graph, of which one is made now.
    """
    from periplus.communities.knowing.base import search
    from periplus.library.communities import community_facts

    with working("looking for communities", quiet=as_json):
        base = _base(target, lenient=lenient)
    if number is not None:
        _one(base, number, as_json)
        return
    query = " ".join(words)
    found = search(base, query) if query else list(range(len(base)))
    if as_json:
        print_json(
            {"query": query, "total": len(found), "communities": [community_facts(base, at) for at in found[:top]]}
        )
        return
    about = f" about “{query}”" if query else ""
    say(f"{len(found):,} communit{'y' if len(found) == 1 else 'ies'}{about} in {target}")
    for at in found[:top]:
        _print(base, at)
    if found:
        say(f"\nNext: {command('kb', target)} --number {found[0]} tells all of one.")
    if not found and query:
        say(f"Next: {command('kb', target)} lists them all.")


def _base(target: str, *, lenient: bool) -> PageGroups:
    from periplus.collection import Collection

    if Collection.is_collection(target):
        from periplus.pipeline.stages.communities import load_communities

        return load_communities(Collection.open(target)).base
    from periplus.cli.rank.common import ranked_graph
    from periplus.communities import knowledge

    return knowledge(ranked_graph(target, lenient=lenient))


def _one(base: PageGroups, number: int, as_json: bool) -> None:
    """A community with all its best pages, its core, and the pages that its words came from."""
    from periplus.errors import ParameterError
    from periplus.library.communities import community_facts

    if number >= len(base):
        raise ParameterError("number", number, f"0 ≤ number < {len(base)}" if len(base) else "there are no communities")
    told = community_facts(base, number)
    if as_json:
        print_json(told)
        return
    say(f"{told['name'] or '(no words)'}  ({counted(told['size'], 'page')})")
    for title in ("authorities", "hubs", "fans", "centres"):
        say(f"\n{title}")
        for page in told[title]:
            say(f"  {page}")
    for word, pages in told["sources"].items():
        say(f"\n“{word}” stands on {', '.join(map(str, pages[:_SHOWN]))}{' …' if len(pages) > _SHOWN else ''}")


def _print(base: PageGroups, at: int) -> None:
    group: PageGroup = base[at]
    say(f"\n{at}. {group.name or '(no words)'}  ({counted(group.facts['size'], 'page')})")
    for role, title in (("authorities", "authorities"), ("hubs", "hubs")):
        pages = group.parts[role].tolist()
        shown = [str(base.urls[page]) if base.urls is not None else f"page {page}" for page in pages[:_SHOWN]]
        say(f"  {title}: {', '.join(shown)}{' …' if len(pages) > _SHOWN else ''}")
    if group.facts["words"]:
        word = group.facts["words"][0]
        say(f"  “{word}” stands on {len(group.facts['sources'][word]):,} of its best pages")
