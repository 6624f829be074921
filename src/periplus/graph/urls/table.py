"""URLs and names of nodes, id ↔ URL both ways, in a third of their bytes or less.

`UrlTable`: canonical URLs whose ids are their rank by `periplus.web.url.sort_key` (`com,example,www)http/a?b`), so that
every host, every site and every directory is one range of ids. `NameTable`: any names in any order (labels of a GML
file, the URLs of a given node list, Common Crawl's reversed host names) with two permutations, 8 bytes per name, or
none where the names are in order. Both: `table[i]`, `table.find(name)`, `len(table)`, iteration, `host_ids()`,
`site_ids()`, `take(ids)`, `save(path)`; `open_table(path)` opens either.

The strings lie in one mapped file, see `front_coding`: a lookup reads one block of about 2 KB and takes about ten
microseconds; opening reads nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from periplus.errors import FormatError, UrlError
from periplus.graph.files import writing
from periplus.graph.urls.front_coding import Strings, StringsWriter, pack
from periplus.numeric.arrays import AnyArray, Ids
from periplus.web.url import canonical, site_of_host, sort_key, url_of_key

_AFTER_SITE = (
    "-"  # the first character after ',' : `com,example-` ends all that begins with `com,example)` or `com,example,`
)


class _Table:
    """What both tables share: strings below, and labels by host and site made from the names."""

    def __init__(self, strings: Strings) -> None:
        self._strings = strings

    def __len__(self) -> int:
        return len(self._strings)

    @property
    def stored_bytes(self) -> int:
        """Bytes of the file or of the memory that hold the table."""
        return self._strings.stored_bytes

    @property
    def raw_bytes(self) -> int:
        """Bytes of the names themselves."""
        return self._strings.raw_bytes

    def save(self, path: str | Path) -> None:
        """Write the table to one file."""
        with writing(Path(path)) as stream:
            self._strings.save(stream)

    @cached_property
    def _hosts(self) -> tuple[Ids, list[str]]:
        """Computed when first asked for, then kept: 4 bytes per name."""
        return self._hosts_by_rank()

    def _hosts_by_rank(self) -> tuple[Ids, list[str]]:
        raise NotImplementedError

    def _by_id(self, labels: Ids) -> Ids:
        raise NotImplementedError

    def host_ids(self) -> Ids:
        """For every node the number of its host; hosts are numbered in the order of the sorted names."""
        return self._by_id(self._hosts[0])

    def hosts(self) -> list[str]:
        """The host names that `host_ids` numbers."""
        return self._hosts[1]

    def site_ids(self) -> Ids:
        """For every node the number of its site (registered domain)."""
        labels, hosts = self._hosts
        site_of, _ = _sites(hosts)
        return self._by_id(site_of[labels])

    def sites(self) -> list[str]:
        """The sites that `site_ids` numbers."""
        return _sites(self.hosts())[1]


def _sites(hosts: list[str]) -> tuple[Ids, list[str]]:
    """The number of each host's site, and the sites."""
    numbers: dict[str, int] = {}
    site_of = [numbers.setdefault(site_of_host(host), len(numbers)) for host in hosts]
    return np.array(site_of, dtype=np.uint32), list(numbers)


class UrlTable(_Table):
    """Canonical URLs, numbered by their sort keys."""

    @classmethod
    def build(cls, path: str | Path, keys: Iterable[str]) -> UrlTable:
        """Write a table from sort keys in rising order, taken as a stream, and open it."""
        with writing(Path(path)) as stream:
            writer = StringsWriter(stream, "url")
            writer.add(key.encode() for key in keys)
            writer.finish()
        return cls.open(path)

    @classmethod
    def from_urls(cls, urls: Iterable[str]) -> UrlTable:
        """A table in memory of canonical URLs in any order; ids follow their sort keys."""
        return cls.from_keys(sorted({sort_key(url) for url in urls}))

    @classmethod
    def from_keys(cls, keys: Iterable[str]) -> UrlTable:
        """A table in memory from sort keys in rising order."""
        return cls(pack((key.encode() for key in keys), "url"))

    @classmethod
    def open(cls, path: str | Path) -> UrlTable:
        table = open_table(path)
        if not isinstance(table, cls):
            raise FormatError(path, "a table of names, not of URLs")
        return table

    def __getitem__(self, index: int) -> str:
        return url_of_key(self._strings[int(index)].decode())

    def __iter__(self) -> Iterator[str]:
        return (url_of_key(key.decode()) for key in self._strings)

    def keys(self) -> Iterator[str]:
        """The sort keys, in order."""
        return (key.decode() for key in self._strings)

    def find(self, url: str) -> int | None:
        """The id of a URL, however it is spelt; None if it is not in the table or no URL."""
        if "/" in url.partition("://")[2]:
            # Most callers ask with the canonical form: try it as it is before paying for the parser.
            rank, found = self._strings.bisect(sort_key(url).encode("utf-8", "replace"))
            if found:
                return rank
        href = canonical(url)
        if href is None or href == url:
            return None
        rank, found = self._strings.bisect(sort_key(href).encode())
        return rank if found else None

    def prefix_range(self, prefix: str) -> range:
        """The ids of the URLs that begin with `prefix`, which must name a whole host: `https://example.com/blog/`."""
        href = canonical(prefix)
        if href is None or (href != prefix and href != prefix + "/"):
            raise UrlError(f"{prefix!r} does not begin with a scheme and a whole host: write https://host/path")
        return self._keys_range(sort_key(href))

    def host_range(self, host: str) -> range:
        """The ids of one host's URLs, http and https alike."""
        return self._keys_range(_host_part(host) + ")")

    def site_range(self, site: str) -> range:
        """The ids of the URLs on one site: the host of that name and all below it."""
        part = _host_part(site)
        return range(self._rank(part + ")"), self._rank(part + _AFTER_SITE))

    def _rank(self, key: str) -> int:
        return self._strings.bisect(key.encode())[0]

    def _keys_range(self, key: str) -> range:
        # Keys are ASCII, so 0x7f follows everything that begins with `key`.
        return range(self._rank(key), self._rank(key + "\x7f"))

    def _hosts_by_rank(self) -> tuple[Ids, list[str]]:
        labels = np.empty(len(self), dtype=np.uint32)
        hosts: list[str] = []
        current, at = b"", 0
        for block in self._strings.blocks():
            if not (current and block[-1].startswith(current) and block[0].startswith(current)):
                for i, key in enumerate(block):
                    if not (current and key.startswith(current)):
                        current = key[: key.index(b")") + 1]
                        hosts.append(_host_name(key.decode()))
                    labels[at + i] = len(hosts) - 1
            else:
                labels[at : at + len(block)] = len(hosts) - 1
            at += len(block)
        return labels, hosts

    def _by_id(self, labels: Ids) -> Ids:
        return labels

    def take(self, ids: AnyArray) -> UrlTable | NameTable:
        """The table of the URLs of these ids, in this order."""
        if len(ids) < 2 or bool((np.diff(ids.astype(np.int64)) > 0).all()):
            return UrlTable(pack((self._strings[int(i)] for i in ids), "url"))
        return NameTable.from_names([self[int(i)] for i in ids])

    def __repr__(self) -> str:
        return f"UrlTable({len(self):,} URLs, {self.stored_bytes / max(1, len(self)):.1f} bytes each)"


def _host_part(host: str) -> str:
    href = canonical(f"http://{host}/")
    if href is None:
        raise UrlError(f"{host!r} is no host name")
    return sort_key(href).partition(")")[0]


def _host_name(key: str) -> str:
    url = url_of_key(key)
    return _host_of_name(url)


class NameTable(_Table):
    """Names in any order; `find` returns the smallest id where a name occurs twice."""

    def __init__(self, strings: Strings) -> None:
        super().__init__(strings)
        self._id_of_rank: AnyArray | None = strings.arrays.get("id_of_rank")
        self._rank_of_id: AnyArray | None = strings.arrays.get("rank_of_id")
        for array in (self._id_of_rank, self._rank_of_id):
            if array is not None and (len(array) != len(strings) or (len(array) and int(array.max()) >= len(array))):
                raise FormatError(strings.path, "the order of the names is damaged")

    @classmethod
    def from_names(cls, names: Iterable[str]) -> NameTable:
        """A table in memory; name i belongs to node i."""
        encoded = [name.encode("utf-8", "surrogateescape") for name in names]
        order = sorted(range(len(encoded)), key=encoded.__getitem__)
        arrays: dict[str, AnyArray] = {}
        if any(rank != i for rank, i in enumerate(order)):
            id_of_rank = np.array(order, dtype=np.uint32)
            rank_of_id = np.empty_like(id_of_rank)
            rank_of_id[id_of_rank] = np.arange(len(order), dtype=np.uint32)
            arrays = {"id_of_rank": id_of_rank, "rank_of_id": rank_of_id}
        return cls(pack((encoded[i] for i in order), "name", arrays))

    @classmethod
    def from_sorted(cls, names: Iterable[bytes]) -> NameTable:
        """A table in memory of names that come in byte order, taken as a stream."""
        return cls(pack(names, "name"))

    @classmethod
    def open(cls, path: str | Path) -> NameTable:
        table = open_table(path)
        if not isinstance(table, cls):
            raise FormatError(path, "a table of URLs, not of names")
        return table

    def __getitem__(self, index: int) -> str:
        if not 0 <= index < len(self):
            raise IndexError(index)
        rank = int(index) if self._rank_of_id is None else int(self._rank_of_id[index])
        return self._strings[rank].decode("utf-8", "surrogateescape")

    def __iter__(self) -> Iterator[str]:
        if self._rank_of_id is None:
            return (name.decode("utf-8", "surrogateescape") for name in self._strings)
        by_rank = list(self._strings)
        return (by_rank[rank].decode("utf-8", "surrogateescape") for rank in self._rank_of_id)

    def find(self, name: str) -> int | None:
        """The id of a name; a URL is also looked for in its canonical form."""
        rank, found = self._strings.bisect(name.encode("utf-8", "surrogateescape"))
        if not found:
            href = canonical(name) if "://" in name else None
            return self.find(href) if href is not None and href != name else None
        return rank if self._id_of_rank is None else int(self._id_of_rank[rank])

    def _hosts_by_rank(self) -> tuple[Ids, list[str]]:
        numbers: dict[str, int] = {}
        labels = [
            numbers.setdefault(_host_of_name(name.decode("utf-8", "replace")), len(numbers)) for name in self._strings
        ]
        return np.array(labels, dtype=np.uint32), list(numbers)

    def _by_id(self, labels: Ids) -> Ids:
        return labels if self._rank_of_id is None else labels[self._rank_of_id]

    def take(self, ids: AnyArray) -> NameTable:
        """The table of the names of these ids, in this order."""
        return NameTable.from_names([self[int(i)] for i in ids])

    def __repr__(self) -> str:
        return f"NameTable({len(self):,} names, {self.stored_bytes / max(1, len(self)):.1f} bytes each)"


def _host_of_name(name: str) -> str:
    """The host of a URL or of a name that begins with one (`example.com/blog`), without the port."""
    authority = name.partition("://")[2] or name
    host = authority.partition("/")[0].partition("?")[0].rpartition("@")[2]
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0].lower()


def open_table(path: str | Path) -> Any:
    """Open a `UrlTable` or `NameTable`, whichever the file holds."""
    strings = Strings.open(path)
    kinds: dict[str, type[UrlTable] | type[NameTable]] = {"url": UrlTable, "name": NameTable}
    if strings.kind not in kinds:
        raise FormatError(path, f"a table of {strings.kind!r}, which this version does not know")
    return kinds[strings.kind](strings)
