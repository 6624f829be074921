"""Edge lists as text: one `source target` per line, as SNAP, KONECT and CSV files have them.

Ids are decimal numbers from 0 to 2³² − 1 and are not changed (KONECT counts from 1: node 0 is then alone). Fields are
separated by tabs, spaces, commas or semicolons; `#` and `%` begin comments; a first line that names the columns
(`source,target`) is skipped; a third field (a weight, a time) is ignored, with one warning.

Blocks of lines are parsed on every core: a plain file is read by the threads that parse it, a compressed one (gz, xz,
zst, bz2) is decompressed in one thread while the others parse. About 16 bytes and 10 ns per link.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from periplus.errors import FormatError, InputError, PeriplusWarning
from periplus.graph.building.build import Progress, build_from_runs
from periplus.graph.building.runs import Run
from periplus.graph.files import read_blocks, writing
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Offsets
from periplus.numeric.digits import COMMA, NEWLINE, TAB, TOO_LARGE, format_rows, parse_pairs
from periplus.numeric.memory import parse_size
from periplus.numeric.parallel import Workspace, ordered_map

BLOCK = 1 << 23  # bytes parsed at a time
LONGEST_LINE = 1 << 20
_TAIL = 1 << 12  # read beyond a block, to finish its last line; more only where that is not enough
_PADDING = 18
_workspace = Workspace()
_LINKS_A_BLOCK = 1 << 18  # links written at a time
_COMPRESSED = (b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"BZh")
_COLUMN = (
    rb"\"?(?:source|target|src|dst|dest|destination|from|to|from_?node(?:_?id)?|to_?node(?:_?id)?|u|v|head|tail)\"?"
)
_HEADING = re.compile(rb"[ \t]*" + _COLUMN + rb"[ \t,;]+" + _COLUMN + rb"(?:[ \t,;][^\n]*)?(?:\r?\n|\Z)", re.IGNORECASE)


def read_edge_list(
    path: str | Path,
    *,
    lenient: bool = False,
    nodes: int | None = None,
    memory: str | int | None = None,
    into: str | Path | None = None,
    transpose: bool = False,
    progress: Progress | None = None,
) -> Graph:
    """The graph of an edge list; with `lenient`, other lines are counted and skipped.

    The other arguments are those of `build_graph`.
    """
    tally = _Tally(Path(path), lenient)
    block = BLOCK if memory is None else min(max(parse_size(memory) // 64, 1 << 16), BLOCK)
    runs = tally.watch(ordered_map(_parse, _blocks(Path(path), block)))
    graph = build_from_runs(runs, nodes=nodes, memory=memory, into=into, transpose=transpose, progress=progress)
    tally.warn()
    return graph


def write_edge_list(graph: Graph, path: str | Path, *, separator: str = "\t") -> None:
    """Write `source<TAB>target` lines, sorted; compressed where the name ends in .gz, .xz, .zst or .bz2."""
    code = {"\t": TAB, ",": COMMA, " ": 32}[separator]

    def block(rows: tuple[int, int]) -> AnyArray:
        first, last = rows
        offsets: Offsets = graph.out_offsets[first : last + 1]
        targets = graph.out_targets[offsets[0] : offsets[-1]]
        text = np.empty(22 * len(targets), np.uint8)
        return text[: format_rows(first, offsets - offsets[0], targets, text, code)]

    with writing(Path(path)) as stream:
        for text in ordered_map(block, _row_ranges(graph)):
            stream.write(text.data)


def _row_ranges(graph: Graph) -> Iterator[tuple[int, int]]:
    """Ranges of rows with about equally many links (at least one row each)."""
    first = 0
    while first < graph.nodes:
        goal = graph.out_offsets[first] + _LINKS_A_BLOCK
        last = max(first + 1, int(np.searchsorted(graph.out_offsets, goal, side="right")) - 1)
        yield first, last
        first = last


# -- blocks of whole lines -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Block:
    """Whole lines: `text[:end]`, and at least 16 line ends after it."""

    text: AnyArray
    end: int


def _blocks(path: Path, size: int) -> Iterator[partial[_Block]]:
    """The file as blocks still to be fetched: by the thread that parses, where the file is plain."""
    try:
        with path.open("rb") as file:
            magic = file.read(6)
            if magic.startswith(_COMPRESSED):
                yield from _unpacked_blocks(path, size)
                return
            for start in range(0, os.fstat(file.fileno()).st_size, size):
                yield partial(_read_lines, path, start, size)
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error


def _unpacked_blocks(path: Path, size: int) -> Iterator[partial[_Block]]:
    for number, block in enumerate(read_blocks(path, size)):
        yield partial(_unpacked, block, first=number == 0)


def _read_lines(path: Path, start: int, length: int) -> _Block:
    """The lines that begin in `start : start + length` of a plain file."""
    from_byte = max(start - 1, 0)  # the byte before tells whether a line begins at `start`
    wanted = start + length - from_byte
    for tail in (_TAIL, LONGEST_LINE):
        text, size = _read_padded(path, from_byte, wanted + tail)
        begin = 0 if start == 0 else _after_newline(text[:size], 0)
        end = _after_newline(text[:size], wanted - 1)
        if end >= 0 and begin >= 0:
            break
        if size < wanted + tail:  # the file ends here, so its last line does too
            begin, end = begin if begin >= 0 else size, end if end >= 0 else size
            break
    if begin < 0 or end < 0:
        raise FormatError(path, "a line is longer than 1 MiB: this is no edge list", byte=start)
    return _finished(text[begin : end + _PADDING], end - begin, first=start == 0)


def _read_padded(path: Path, start: int, size: int) -> tuple[AnyArray, int]:
    """Bytes of a file, in an array with room for padding, and how many there are."""
    text = _workspace.array("text", size + _PADDING, np.uint8)
    with path.open("rb", buffering=0) as file:
        file.seek(start)
        got = 0
        while count := file.readinto(text[got:size].data):
            got += count
    return text, got


def _after_newline(text: AnyArray, at: int) -> int:
    """Where the first line that begins after `at` begins; −1 where no line ends within the longest allowed."""
    if at >= len(text):
        return len(text)
    found = text[at : at + LONGEST_LINE].tobytes().find(b"\n")
    return at + found + 1 if found >= 0 else -1


def _unpacked(data: bytes, *, first: bool) -> _Block:
    text = _workspace.array("text", len(data) + _PADDING, np.uint8)
    text[: len(data)] = np.frombuffer(data, np.uint8)
    return _finished(text, len(data), first=first)


def _finished(text: AnyArray, size: int, *, first: bool) -> _Block:
    """The block `text[:size]` with line ends after it; a byte-order mark and a line of column names become blank."""
    text[size:] = NEWLINE
    if first:
        _blank_heading(text)
    whole = size == 0 or text[size - 1] == NEWLINE
    return _Block(text, size if whole else size + 1)


def _blank_heading(text: AnyArray) -> None:
    head = text[:LONGEST_LINE].tobytes()
    if head.startswith(b"\xef\xbb\xbf"):
        text[:3] = ord(" ")
        head = b"   " + head[3:]
    at = 0
    while head[at : at + 1] in (b"#", b"%", b"\n", b"\r"):
        at = head.find(b"\n", at) + 1 or len(head)
    heading = _HEADING.match(head, at)
    if heading is not None:
        text[at : heading.end()][text[at : heading.end()] != NEWLINE] = ord(" ")


# -- parsing -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Parsed:
    run: Run
    lines: int
    bad: int
    wide: int
    first_bad: int
    problem: int
    bad_text: str


def _parse(fetch: partial[_Block]) -> _Parsed:
    block = fetch()
    most = block.end // 4 + 1  # the shortest line with a pair is "1 2\n"
    sources, targets = (_workspace.array(name, most, np.uint32) for name in ("sources", "targets"))
    report = np.zeros(5, np.int64)
    pairs = parse_pairs(block.text, block.end, sources, targets, report)
    lines, bad, wide, first_bad, problem = (int(value) for value in report)
    bad_text = _line(block, first_bad) if bad else ""
    return _Parsed(Run.of(sources[:pairs], targets[:pairs]), lines, bad, wide, first_bad, problem, bad_text)


def _line(block: _Block, number: int) -> str:
    """One line of a block, for an error message."""
    line = block.text[: block.end].tobytes().split(b"\n", number + 1)[number]
    text = line[:60].decode("utf-8", "replace").strip()
    return text + "…" if len(line) > 60 else text


class _Tally:
    """Counts lines across blocks, so that errors name the line, and warns once at the end."""

    def __init__(self, path: Path, lenient: bool) -> None:
        self._path, self._lenient = path, lenient
        self._lines = self._skipped = self._wide = 0

    def watch(self, blocks: Iterator[_Parsed]) -> Iterator[Run]:
        for block in blocks:
            if block.bad and not self._lenient:
                raise FormatError(self._path, _complaint(block), line=self._lines + block.first_bad + 1)
            self._lines += block.lines
            self._skipped += block.bad
            self._wide += block.wide
            yield block.run

    def warn(self) -> None:
        if self._skipped:
            self._say(f"skipped {self._skipped:,} of {self._lines:,} lines that are no pair of ids")
        if self._wide:
            self._say(f"{self._wide:,} lines have more than two fields: weights and the like are ignored")

    def _say(self, what: str) -> None:
        warnings.warn(f"{self._path}: {what}", PeriplusWarning, stacklevel=4)


def _complaint(block: _Parsed) -> str:
    if block.problem == TOO_LARGE:
        return f"{block.bad_text!r} has an id past 2³² − 1: renumber the nodes"
    return f"{block.bad_text!r} is no pair of ids (--lenient passes such lines over)"
