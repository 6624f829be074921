"""`periplus kb`: communities about some words, with their hubs and authorities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from periplus.cli.shared.output import command, json_option, print_json, say, working
from periplus.cli.shared.target import lenient_option

if TYPE_CHECKING:
    from periplus.communities import PageGroup, PageGroups

_SHOWN = 3


@click.command()
@click.argument("target")
@click.argument("words", nargs=-1)
@click.option("--top", type=click.IntRange(0), default=10, show_default=True, help="How many communities to list.")
@lenient_option
@json_option
def kb(target: str, words: tuple[str, ...], top: int, lenient: bool, as_json: bool) -> None:
    """Communities about WORDS, or the largest of all without words.

    TARGET is a collection, whose knowledge base `build` has made, or a graph, of which one is made now.
    """
    from periplus.communities.knowing.base import search

    with working("looking for communities", quiet=as_json):
        base = _base(target, lenient=lenient)
    query = " ".join(words)
    found = search(base, query) if query else list(range(len(base)))
    if as_json:
        print_json({"query": query, "total": len(found), "communities": [_told(base, at) for at in found[:top]]})
        return
    about = f" about “{query}”" if query else ""
    say(f"{len(found):,} communit{'y' if len(found) == 1 else 'ies'}{about} in {target}")
    for at in found[:top]:
        _print(base, base[at])
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


def _told(base: PageGroups, at: int) -> dict[str, Any]:
    """A community as JSON: pages by URL where they have one."""
    group, urls = base[at], base.urls
    name = (lambda page: page) if urls is None else (lambda page: str(urls[page]))
    parts = {role: [name(page) for page in pages.tolist()] for role, pages in group.parts.items()}
    sources = {word: [name(page) for page in pages] for word, pages in group.facts["sources"].items()}
    return {"id": at, "name": group.name, "size": group.facts["size"], **parts, "sources": sources}


def _print(base: PageGroups, group: PageGroup) -> None:
    say(f"\n{group.name or '(no words)'}  ({group.facts['size']:,} pages)")
    for role, title in (("authorities", "authorities"), ("hubs", "hubs")):
        pages = group.parts[role].tolist()
        shown = [str(base.urls[page]) if base.urls is not None else f"page {page}" for page in pages[:_SHOWN]]
        say(f"  {title}: {', '.join(shown)}{' …' if len(pages) > _SHOWN else ''}")
    if group.facts["words"]:
        word = group.facts["words"][0]
        say(f"  “{word}” stands on {len(group.facts['sources'][word]):,} of its best pages")
