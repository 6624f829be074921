"""The blocks of a page's text, and which of them are main text.

A reader marks the text of a page: where blocks end, where links and regions of navigation begin and end. A block is
navigation if it stands in such a region (`<nav>`, or a header, footer or aside of the whole page) or if more than half
of it is links. Fewer than `RUN` blocks of links between main text belong to it (the names in a table), as a few short
words between links belong to these. A page that is hardly more than links has these as its main text. Nothing here
depends on the language. What a site repeats from page to page shows only beside its other pages (`pipeline.repeated`).

Cost: linear. The marks are white space of ASCII: a page that has them itself harms nobody else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

BREAK = "\N{PARAGRAPH SEPARATOR}"
LINK, LINK_END, REGION, REGION_END = "\x1e", "\x1f", "\x1c", "\x1d"
MAIN, ASIDE = "m", "a"

RUN = 3
SHORT = 25
LEAST_PLAIN = 0.2
_MARK = re.compile(f"([{REGION}{REGION_END}{LINK}{LINK_END}])")


class _Block(NamedTuple):
    text: str
    region: bool
    linked: int


def read_blocks(marked: str) -> tuple[str, str]:
    """The folded text, a line per block, and a letter per block: `MAIN` or `ASIDE`."""
    blocks = list(_blocks(marked))
    return "\n".join(block.text for block in blocks), _kinds(blocks)


def main_lines(text: str, kinds: str) -> list[bool]:
    """For each line of a text whether it is main text; all are where nobody told the kinds."""
    count = text.count("\n") + 1
    return [kind == MAIN for kind in kinds] if len(kinds) == count else [True] * count


def _blocks(marked: str) -> Iterator[_Block]:
    depth, linking = 0, False
    for piece in marked.split(BREAK):
        region, words, letters = depth > 0, [], 0
        for part in _MARK.split(piece):
            if part in (LINK, LINK_END):
                linking = part == LINK
            elif part == REGION:
                depth, region = depth + 1, True
            elif part == REGION_END:
                depth = max(0, depth - 1)
            else:
                words.append(part)
                letters += len(part.strip()) if linking else 0
        if text := " ".join("".join(words).split()):
            yield _Block(text, region, letters)


def _kinds(blocks: list[_Block]) -> str:
    links = [2 * block.linked > len(block.text) for block in blocks]
    within = sum(len(block.text) for block in blocks if not block.region)
    plain = sum(len(block.text) for block, dense in zip(blocks, links, strict=True) if not (block.region or dense))
    if plain < LEAST_PLAIN * within:
        links = [False] * len(blocks)
    else:
        _settle(links, [len(block.text) for block in blocks])
    kinds = "".join(ASIDE if block.region or dense else MAIN for block, dense in zip(blocks, links, strict=True))
    return kinds if MAIN in kinds else MAIN * len(kinds)


def _settle(links: list[bool], lengths: list[int]) -> None:
    """Let short runs follow what stands on both sides of them: words between links first, then links in main text."""
    for dense in (False, True):
        runs = [list(run) for _, run in groupby(range(len(links)), key=lambda at: links[at])]
        for run in runs[1:-1]:
            few = len(run) < RUN if dense else sum(lengths[at] for at in run) < SHORT
            if links[run[0]] == dense and few:
                for at in run:
                    links[at] = not dense
