"""`periplus overlap`: how much two collections share, and how large each is beside the other."""

from __future__ import annotations

from typing import Any

import click

from periplus.cli.shared.output import json_option, print_json, say
from periplus.collection import Collection


@click.command()
@click.argument("a", type=click.Path())
@click.argument("b", type=click.Path())
@click.option("--sample", type=int, default=1000, show_default=True, help="Pages of each to look for in the other.")
@click.option("--seed", type=int, default=0, show_default=True, help="Which pages are drawn.")
@json_option
def overlap(a: str, b: str, sample: int, seed: int, as_json: bool) -> None:
    """The share of the pages of collection A that B has, and the other way round (Bharat and Broder 1998)."""
    from periplus.pages.history import histories, is_page
    from periplus.pages.overlap import Share
    from periplus.pages.overlap import overlap as run
    from periplus.pages.store import store_of

    def pages(path: str) -> dict[str, None]:
        store = store_of(Collection.open(path))
        return {url: None for url, seen in histories(store) if is_page(seen[-1].entry)}

    of_a, of_b = pages(a), pages(b)
    found = run(list(of_a), list(of_b), of_a.__contains__, of_b.__contains__, sample=sample, seed=seed)

    def told(share: Share) -> dict[str, Any]:
        return {"share": share.value, "interval": share.interval, "found": share.found, "asked": share.asked}

    if as_json:
        ratio = {"ratio": found.ratio, "interval": found.ratio_interval}
        print_json({"of_a_in_b": told(found.of_a_in_b), "of_b_in_a": told(found.of_b_in_a), "a_beside_b": ratio})
        return
    for one, other, share in ((a, b, found.of_a_in_b), (b, a, found.of_b_in_a)):
        low, high = share.interval
        say(f"{100 * share.value:.1f} % of the pages of {one} are in {other} ({100 * low:.1f} to {100 * high:.1f} %)")
    if found.of_a_in_b.found:
        low, high = found.ratio_interval
        say(f"{a} is {found.ratio:.3g} times as large as {b} ({low:.3g} to {high:.3g})")
