"""`Anchors`: for every link of a graph, the texts it is written with and its place in the page.

This is the anchor file of Deo and Gupta, §6.1.

The texts are kept once each; link k (the k-th of `graph.out_targets`) has the texts `text_ids[link_offsets[k] :
link_offsets[k + 1]]`. Anchor text counts for the *target* of a link (Litvak): a page can be found by what others call
it. `positions[k]` is the place of link k among all links of its page, from 0, where it stands first; links to pages
outside the graph count too. 4 bytes per anchor, 12 per link, and each distinct text once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Bools, Ids, Offsets
from periplus.numeric.npy import load_array, save_array

_NAMES = ("link_offsets", "text_ids", "text_offsets", "text_bytes", "followed")
_POSITIONS = "positions.npy"


class Anchors:
    """The anchor texts of a graph's links, where each stands in its page, and which links ask to be followed.

    `positions` is None where the graph was built before they were kept.
    """

    def __init__(
        self,
        graph: Graph,
        link_offsets: Offsets,
        text_ids: Ids,
        texts: tuple[Offsets, AnyArray],
        followed: Bools,
        positions: Ids | None,
    ) -> None:
        self._graph = graph
        self._link_offsets = link_offsets
        self._text_ids = text_ids
        self._text_offsets, self._text_bytes = texts
        self.followed = followed
        self.positions = positions

    @classmethod
    def build(
        cls,
        graph: Graph,
        links: tuple[AnyArray, AnyArray],
        text_ids: AnyArray,
        positions: AnyArray,
        followed: AnyArray,
        texts: Sequence[str],
    ) -> Anchors:
        """From one entry per anchor: its link's ends, the number of its text, its place, whether it is to be followed.

        Entries of one page come in the order of their places. A link is followed when any of its anchors is.
        """
        keys = _link_keys(graph)
        wanted = links[0].astype(np.uint64) << np.uint64(32) | links[1].astype(np.uint64)
        link_of = np.searchsorted(keys, wanted)
        follows = np.zeros(graph.links, dtype=np.bool_)
        follows[link_of[followed.astype(np.bool_)]] = True
        first = np.zeros(graph.links, dtype=np.uint32)
        first[link_of[::-1]] = positions[::-1]  # of several anchors the first is written last, and stays
        order = np.lexsort((text_ids, link_of))
        link_of, text_ids = link_of[order], np.asarray(text_ids, dtype=np.uint32)[order]
        fresh = np.ones(len(link_of), dtype=np.bool_)
        fresh[1:] = (link_of[1:] != link_of[:-1]) | (text_ids[1:] != text_ids[:-1])
        link_of, text_ids = link_of[fresh], text_ids[fresh]
        counts = np.bincount(link_of, minlength=graph.links)
        encoded = [text.encode("utf-8", "replace") for text in texts]
        lengths = np.array([len(text) for text in encoded], dtype=np.int64)
        blob = np.frombuffer(b"".join(encoded), dtype=np.uint8)
        return cls(graph, _starts(counts), text_ids, (_starts(lengths), blob), follows, first)

    def of_link(self, link: int) -> list[str]:
        """The texts of the k-th link."""
        return [
            self._text(number) for number in self._text_ids[self._link_offsets[link] : self._link_offsets[link + 1]]
        ]

    @property
    def entries(self) -> int:
        """How many pairs of a link and a text there are."""
        return len(self._text_ids)

    def of_links(self, begin: int, end: int) -> tuple[Offsets, list[str]]:
        """How many texts each of a run of links has, and these texts, link by link."""
        starts = self._link_offsets[begin : end + 1]
        known: dict[int, str] = {}
        numbers = self._text_ids[starts[0] : starts[-1]].tolist()
        for number in numbers:
            if number not in known:
                known[number] = self._text(number)
        return np.diff(starts), [known[number] for number in numbers]

    def of_page(self, page: int) -> Iterator[tuple[int, str]]:
        """What others call a page: (the page that says it, the text), by source."""
        for source in self._graph.predecessors(page):
            for text in self.of_link(self._link(int(source), page)):
                yield int(source), text

    def calls(self) -> tuple[Ids, Ids, Ids, list[str]]:
        """What other pages call pages: for each call who says it, the page meant, the number of the text; all texts."""
        sources = np.repeat(np.arange(self._graph.nodes, dtype=np.uint32), self._graph.out_degrees)
        counts = np.diff(self._link_offsets)
        meant = np.repeat(self._graph.out_targets, counts)
        sources = np.repeat(sources, counts)
        other = sources != meant
        blob = bytes(self._text_bytes)
        texts = [blob[begin:end].decode("utf-8", "replace") for begin, end in pairwise(self._text_offsets.tolist())]
        return sources[other], meant[other], np.asarray(self._text_ids)[other], texts

    def between(self, source: int, target: int) -> list[str]:
        """The texts of the link from one page to another; empty when there is none."""
        link = self._link(source, target)
        return self.of_link(link) if link >= 0 else []

    @property
    def _arrays(self) -> tuple[AnyArray, ...]:
        """The arrays of `_NAMES`."""
        return self._link_offsets, self._text_ids, self._text_offsets, self._text_bytes, self.followed

    def save(self, folder: Path) -> None:
        """Write the arrays into a folder of their own."""
        folder.mkdir()
        for name, array in zip(_NAMES, self._arrays, strict=True):
            save_array(folder / f"{name}.npy", array)
        if self.positions is not None:
            save_array(folder / _POSITIONS, self.positions)

    @property
    def stored_bytes(self) -> int:
        """What `save` writes, but for headers."""
        places = 0 if self.positions is None else self.positions.nbytes
        return places + sum(array.nbytes for array in self._arrays)

    @classmethod
    def open(cls, graph: Graph, folder: Path) -> Anchors:
        """Memory-map what `save` wrote."""
        found = [_mapped(folder / f"{name}.npy") for name in _NAMES]
        places = _mapped(folder / _POSITIONS) if (folder / _POSITIONS).exists() else None
        return cls(graph, found[0], found[1], (found[2], found[3]), found[4], places)

    def _link(self, source: int, target: int) -> int:
        row = self._graph.successors(source)
        place = int(np.searchsorted(row, target))
        if place == len(row) or row[place] != target:
            return -1
        return int(self._graph.out_offsets[source]) + place

    def _text(self, number: int) -> str:
        begin, end = self._text_offsets[number], self._text_offsets[number + 1]
        return bytes(self._text_bytes[begin:end]).decode("utf-8", "replace")


def _link_keys(graph: Graph) -> AnyArray:
    sources = np.repeat(np.arange(graph.nodes, dtype=np.uint64), graph.out_degrees)
    return sources << np.uint64(32) | graph.out_targets.astype(np.uint64)


def _starts(counts: AnyArray) -> Offsets:
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)


def _mapped(path: Path) -> AnyArray:
    # A plain view: indexing numpy's memmap class costs a microsecond more each time.
    return load_array(path, mapped=True).view(np.ndarray)
