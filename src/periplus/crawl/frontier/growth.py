"""`Judge`: learns while crawling which URL spaces have no end and which parameters change nothing.

    a space        URLs of a host whose paths have the same segments in any order and number, digits left out, with or
                   without a query: /cal/2026/11/15; /a/b/a; /shop?size=3
    a stale page   says nothing new in its space: but for one in ten, or one alone, its blocks of text are known there
    closed         24 more stale pages than others (these count twice), whose own links go on giving birth to URLs of
                   the space: at twelve depths, or three to a page, or with paths that repeat a segment, or where even
                   the digits are known
    a tarpit       forty pages of a section (a first folder) in a row, or of forty sections, whose links, ten or more
                   each, nearly all (95 %) lead to URLs never seen
    a parameter    changes nothing if eight pages said the same as before with another value of it, and none differed

Honest pages differ in words, link to each other, and come to an end; each of these alone keeps a space open. Bounded in
memory (some 100 MB): the spaces and URLs met last.
"""

from __future__ import annotations

import re
from array import array
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from periplus.crawl.fetch.reading import Reading
from periplus.crawl.visit import Visit
from periplus.web.url import host_of

STALE, LEVELS, BORN = 24, 12, 3
ROW, ROW_LINKS, ROW_NEW = 40, 10, 0.95
SAME = 8
_ROWS, _MARKS, _ALL_MARKS, _URLS, _SAYINGS, _PARAMETERS = 4096, 4096, 1 << 20, 65536, 16384, 6
_EMPTY = 32  # marks: the size of a space without any
T = TypeVar("T")
_HEX = re.compile(r"(?=[0-9a-f-]*\d)[0-9a-f-]{8,}")
_DIGITS = re.compile(r"\d+")
_PILED = "**"
WHOLE_HOST = "*"


class Verdict(NamedTuple):
    """What was learned of a host: `what` is a space, a section, a parameter (`?name`) or the whole host, and why."""

    host: str
    what: str
    reason: str

    def __str__(self) -> str:
        return f"{self.host}{', the whole host' if self.what == WHOLE_HOST else ''}: {self.reason}"


def space_of(url: str) -> str:
    """The space of a URL, without its host."""
    path, query, _ = url.partition("?")
    if _repeats(path):
        return section_of(url) + _PILED
    segments = {_DIGITS.sub("0", _HEX.sub("x", segment)) for segment in path.split("/")[3:]}
    return "/".join(sorted(segments)) + query


def section_of(url: str) -> str:
    """The first folder of the path, with its slashes."""
    return f"/{url.split('/', 4)[3]}/" if url.count("/") > 3 else "/"


def without(url: str, parameter: str) -> str:
    """A URL without one parameter of its query."""
    path, mark, query = url.partition("?")
    kept = "&".join(pair for pair in query.split("&") if pair.partition("=")[0] != parameter)
    return f"{path}{mark}{kept}" if kept else path


def _repeats(url: str) -> bool:
    """Whether a word stands twice in the path of a URL without a query."""
    words = [segment for segment in url.split("/")[3:] if segment and not segment.isdigit()]
    return len(set(words)) < len(words)


@dataclass(slots=True)
class _Space:
    marks: set[int] = field(default_factory=set)
    exact: set[int] = field(default_factory=set)
    stale: int = 0
    exactly: int = 0  # as `stale`, with the digits
    levels: set[int] = field(default_factory=set)
    piled: int = 0
    born: deque[int] = field(default_factory=lambda: deque(maxlen=STALE))

    @property
    def size(self) -> int:
        return _EMPTY + len(self.marks) + len(self.exact)


class Judge:
    """What one crawl has learned; `verdicts` are those of earlier runs."""

    def __init__(self, verdicts: list[Verdict]) -> None:
        self._closed: dict[str, dict[str, str]] = {}  # host: what: why
        self._parameters: dict[str, set[str]] = {}  # host: those that change nothing
        self._spaces: OrderedDict[tuple[str, str], _Space] = OrderedDict()
        self._rows: OrderedDict[tuple[str, str], set[str]] = OrderedDict()
        self._known: set[int] = set()
        self._older: set[int] = set()
        self._sayings: OrderedDict[int, tuple[str, int]] = OrderedDict()
        self._votes: OrderedDict[tuple[str, str], int] = OrderedDict()  # host, parameter: how often it changed nothing
        self._held = 0  # the size of all spaces together
        for verdict in verdicts:
            self._note(verdict)

    # -- what was learned ------------------------------------------------------------------------------------

    def reason(self, url: str) -> str:
        """Why a URL is not worth a fetch; empty if it is."""
        closed = self._closed.get(host_of(url))
        if not closed:
            return ""
        return closed.get(WHOLE_HOST) or closed.get(space_of(url)) or closed.get(section_of(url), "")

    def closes_host(self, host: str) -> bool:
        """Whether a whole host is left."""
        return WHOLE_HOST in self._closed.get(host, {})

    def plain(self, url: str) -> str:
        """A URL without the parameters that change nothing on its host."""
        if "?" in url:
            for parameter in self._parameters.get(host_of(url), ()):
                url = without(url, parameter)
        return url

    # -- learning --------------------------------------------------------------------------------------------

    def learn(self, visit: Visit, links: list[str]) -> list[Verdict]:
        """See a page and its links; returns what this taught."""
        reading = visit.reading
        if reading is None or not reading.html:
            return []
        host = host_of(visit.url)
        new = self._new(links)
        taught = [*self._parameter(host, visit.url, reading.saying), *self._space(host, visit, new)]
        taught += self._row(host, visit.url, links, new)
        taught = [verdict for verdict in taught if verdict.what not in self._closed.get(host, ())]
        for verdict in taught:
            self._note(verdict)
        return taught

    def _note(self, verdict: Verdict) -> None:
        if verdict.what.startswith("?"):
            self._parameters.setdefault(verdict.host, set()).add(verdict.what[1:])
        else:
            self._closed.setdefault(verdict.host, {})[verdict.what] = verdict.reason

    def _new(self, links: list[str]) -> list[str]:
        new = []
        for url in links:
            mark = hash(url)
            if mark not in self._known:
                if mark not in self._older:
                    new.append(url)
                self._known.add(mark)
        if len(self._known) >= _URLS:
            self._older, self._known = self._known, set()
        return new

    def _space(self, host: str, visit: Visit, new: list[str]) -> list[Verdict]:
        assert visit.reading is not None
        name = space_of(visit.url)
        self._held -= self._spaces[host, name].size if (host, name) in self._spaces else 0
        space = _kept(self._spaces, (host, name), _Space, _ALL_MARKS)
        self._hear(space, visit.reading)
        self._make_room(space.size)
        if not space.stale:
            return []
        space.levels.add(visit.depth)
        space.piled += name.endswith(_PILED)
        space.born.append(sum(1 for url in new if host_of(url) == host and space_of(url) == name))
        born, full = sum(space.born), len(space.born) == STALE
        if space.stale < STALE or not full or born < STALE - 4:
            return []
        deep, wide, piled = len(space.levels) >= LEVELS, born >= BORN * STALE, space.piled >= STALE // 2
        if not (deep or wide or piled or space.exactly >= STALE):
            return []
        return [Verdict(host, name, f"{space.stale} pages like {visit.url} said nothing new and led to ever more")]

    def _hear(self, space: _Space, reading: Reading) -> None:
        """Count what a page says that its space did not say before."""
        marks = array("I", reading.marks)
        fresh = [mark for mark in marks if mark not in space.marks]
        stale = bool(space.marks) and len(fresh) <= max(1, len(marks) // 10)
        if len(space.marks) < _MARKS:
            space.marks.update(fresh)
        space.stale = space.stale + 1 if stale else max(0, space.stale - 2)
        exact = array("I", reading.exact)
        unread = [mark for mark in exact if mark not in space.exact]
        space.exactly = space.exactly + 1 if len(unread) <= len(exact) // 10 else max(0, space.exactly - 2)
        if len(space.exact) < _MARKS:
            space.exact.update(unread)

    def _make_room(self, more: int) -> None:
        """The spaces met longest ago go, once all together are too large."""
        self._held += more
        while self._held > _ALL_MARKS and len(self._spaces) > 1:
            self._held -= self._spaces.popitem(last=False)[1].size

    def _row(self, host: str, url: str, links: list[str], new: list[str]) -> list[Verdict]:
        own = sum(1 for target in new if host_of(target) == host)
        endless = own >= max(ROW_LINKS, ROW_NEW * len(links))
        why = f"{ROW} pages in a row had only links never seen before"
        return [
            Verdict(host, what, why)
            for what in (section_of(url), WHOLE_HOST)
            if self._in_a_row(host, what, url, endless)
        ][:1]

    def _in_a_row(self, host: str, what: str, url: str, endless: bool) -> bool:
        """Whether this page completes a row; a row of the whole host has as many sections as pages."""
        row = _kept(self._rows, (host, what), set, _ROWS)
        if not endless:
            row.clear()
            return False
        row.add(section_of(url) if what == WHOLE_HOST else url)
        return len(row) >= ROW

    def _parameter(self, host: str, url: str, saying: int) -> list[Verdict]:
        taught = []
        query = url.partition("?")[2]
        for pair in query.split("&")[:_PARAMETERS] if query else ():
            name = pair.partition("=")[0]
            place = hash((without(url, name), name))
            before = self._sayings.get(place)
            if before is None:
                self._sayings[place] = (pair, saying)
                if len(self._sayings) > _SAYINGS:
                    self._sayings.popitem(last=False)
            elif before[0] != pair:
                vote = (host, name)
                told = _kept(self._votes, vote, int, _ROWS)  # below 0: it changed something
                self._votes[vote] = told + 1 if before[1] == saying and told >= 0 else -1
                if self._votes[vote] == SAME:
                    taught.append(Verdict(host, f"?{name}", f"the parameter {name} changed nothing on {SAME} pages"))
        return taught


def _kept(table: OrderedDict[tuple[str, str], T], key: tuple[str, str], make: Callable[[], T], most: int) -> T:
    """The entry of a table, made if it is not there; the one used longest ago makes room."""
    entry = table.pop(key, None) or make()
    table[key] = entry
    if len(table) > most:
        table.popitem(last=False)
    return entry
