"""URL tables: both ways, ranges, labels, size, and damaged files."""

from __future__ import annotations

import lzma
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import data_path

from periplus.errors import FormatError, ParameterError, UrlError
from periplus.graph.urls.front_coding import BLOCK, pack
from periplus.graph.urls.table import NameTable, UrlTable, open_table
from periplus.web.url import canonical, host_of, site_of, sort_key


def urls_of(name: str, column: int = 1) -> list[str]:
    with lzma.open(data_path(name) / "nodes.tsv.xz", "rt") as stream:
        return [line.rstrip("\n").split("\t")[column] for line in stream if not line.startswith("#")]


def made_urls(count: int, seed: int = 1) -> list[str]:
    """Canonical URLs over a few hundred hosts, many to a directory; unlike each other at the end."""
    rng = np.random.default_rng(seed)
    words = ["".join(rng.choice(list("etaoinshrdlu"), size=rng.integers(3, 9))) for _ in range(400)]
    names = [f"{words[a]}.{words[b]}{words[c]}" for a, b, c in rng.integers(0, 400, (300, 3))]
    hosts = [f"{name}.{tld}" for name in names for tld in ("org", "de")]
    picks = rng.integers(0, 300, (count, 3))
    return [f"http://{hosts[a + b]}/{words[b % 40]}/{words[c]}-{n % 977}.html" for n, (a, b, c) in enumerate(picks)]


@pytest.fixture(scope="module")
def many() -> tuple[list[str], UrlTable]:
    urls = sorted(set(made_urls(6000)), key=lambda url: sort_key(url).encode())
    return urls, UrlTable.from_urls(reversed(urls))


def test_ids_follow_the_sort_keys_both_ways(many) -> None:
    urls, table = many
    assert list(table) == urls
    assert len(table) == len(urls)
    for i in range(0, len(urls), 37):
        assert table[i] == urls[i]
        assert table.find(urls[i]) == i
    assert list(table.keys()) == [sort_key(url) for url in urls]


def test_find_is_kind_about_spelling(many) -> None:
    urls, table = many
    assert table.find(urls[9].replace("http://", "HTTP://") + "#top") == 9
    assert table.find(urls[9] + "x") is None
    assert table.find("no url at all") is None
    assert table.find("") is None


def test_ends_of_the_table(many) -> None:
    urls, table = many
    assert table.find("http://0.example/") is None
    assert table.find("https://zzzz.zz/") is None
    with pytest.raises(IndexError):
        table[len(urls)]
    with pytest.raises(IndexError):
        table[-1]


def test_ranges_are_those_of_a_plain_search(many) -> None:
    urls, table = many
    host, site = host_of(urls[1234]), site_of(urls[1234])
    directory = urls[1234].rpartition("/")[0] + "/"
    assert [urls[i] for i in table.host_range(host)] == [url for url in urls if host_of(url) == host]
    assert [urls[i] for i in table.site_range(site)] == [url for url in urls if site_of(url) == site]
    assert [urls[i] for i in table.prefix_range(directory)] == [url for url in urls if url.startswith(directory)]
    assert len(table.host_range("nowhere.example")) == 0
    with pytest.raises(UrlError):
        table.prefix_range("http://exa mple")
    with pytest.raises(UrlError):
        table.host_range("not a host")


def test_a_site_range_has_sub_domains_and_no_longer_names() -> None:
    urls = ["http://example.com/", "http://a.example.com/", "http://example-a.com/", "http://examplea.com/"]
    table = UrlTable.from_urls(urls)
    assert {table[i] for i in table.site_range("example.com")} == set(urls[:2])
    assert {table[i] for i in table.host_range("example.com")} == {urls[0]}


def test_labels_by_host_and_site(many) -> None:
    urls, table = many
    hosts, sites = table.hosts(), table.sites()
    assert [hosts[label] for label in table.host_ids()] == [host_of(url) for url in urls]
    assert [sites[label] for label in table.site_ids()] == [site_of(url) for url in urls]
    assert table.host_ids().dtype == table.site_ids().dtype == np.uint32
    assert len(set(hosts)) == len(hosts)


@pytest.mark.parametrize("name", ["wb-cs-stanford", "kleinberg-california"])
def test_real_urls_take_at_most_a_third(name) -> None:
    urls = sorted({href for href in map(canonical, urls_of(name)) if href}, key=lambda url: sort_key(url).encode())
    table = UrlTable.from_urls(urls)
    assert table.stored_bytes <= sum(map(len, urls)) / 3
    assert list(table) == urls
    assert all(table.find(url) == i for i, url in enumerate(urls))


def test_names_keep_their_order_and_spelling() -> None:
    names = urls_of("kleinberg-california")
    table = NameTable.from_names(names)
    assert list(table) == names
    assert all(table[i] == name for i, name in enumerate(names))
    assert all(names[table.find(name)] == name for name in names)
    sites, hosts = table.sites(), table.hosts()
    assert hosts[table.host_ids()[4]] == "www.washingtonpost.com"
    assert sites[table.site_ids()[4]] == "washingtonpost.com"


@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.lists(st.text(max_size=40), max_size=200))
def test_any_names_go_round(names) -> None:
    table = NameTable.from_names(names)
    assert list(table) == names
    assert [table[i] for i in range(len(names))] == names
    for name in names:
        assert table.find(name) == names.index(name)
    assert table.find("a name that is not there \x01") is None


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(st.binary(max_size=12), max_size=300), st.lists(st.binary(max_size=12), max_size=30))
def test_bisect_is_that_of_a_list(strings, wanted) -> None:
    strings = sorted(strings)
    table = pack(strings, "name")
    for key in strings[::7] + wanted:
        smaller = sum(each < key for each in strings)
        assert table.bisect(key) == (smaller, key in strings)


def test_long_strings_and_long_shared_prefixes() -> None:
    names = sorted("x" * length + tail for length in (0, 200, 255, 256, 300, 5000) for tail in "abc")
    table = NameTable.from_names(names)
    assert list(table) == names
    assert [table.find(name) for name in names] == list(range(len(names)))
    with pytest.raises(ParameterError):
        NameTable.from_names(["x" * 70_000])


def test_names_that_are_no_text_survive() -> None:
    name = b"caf\xe9".decode("utf-8", "surrogateescape")
    table = NameTable.from_names([name, "b"])
    assert table[0] == name
    assert table.find(name) == 0


def test_take(many) -> None:
    urls, table = many
    ids = np.array([3, 70, 500])
    assert list(table.take(ids)) == [urls[i] for i in ids]
    assert list(table.take(ids[::-1])) == [urls[i] for i in ids[::-1]]
    assert isinstance(table.take(ids), UrlTable)


def test_save_and_open(tmp_path, many) -> None:
    urls, table = many
    table.save(tmp_path / "urls")
    back = UrlTable.open(tmp_path / "urls")
    assert list(back) == urls
    assert (tmp_path / "urls").stat().st_size == table.stored_bytes
    names = NameTable.from_names(["b", "a"])
    names.save(tmp_path / "names")
    assert list(open_table(tmp_path / "names")) == ["b", "a"]
    with pytest.raises(FormatError):
        UrlTable.open(tmp_path / "names")


def test_build_from_a_stream_wants_rising_keys(tmp_path, many) -> None:
    urls, _ = many
    built = UrlTable.build(tmp_path / "t", (sort_key(url) for url in urls))
    assert list(built) == urls
    for keys in (["b)http/", "a)http/"], ["a)http/", "a)http/"]):
        with pytest.raises(ParameterError):
            UrlTable.build(tmp_path / "bad", keys)
    assert [path.name for path in tmp_path.iterdir()] == ["t"]


def test_empty_and_single() -> None:
    assert list(UrlTable.from_urls([])) == []
    assert UrlTable.from_urls([]).find("http://a.com/") is None
    assert len(UrlTable.from_urls([]).host_range("a.com")) == 0
    assert UrlTable.from_urls(["http://a.com/"]).find("http://a.com/") == 0
    assert len(NameTable.from_names([]).host_ids()) == 0


def test_damage_is_told(tmp_path, many) -> None:
    _, table = many
    table.save(tmp_path / "t")
    whole = (tmp_path / "t").read_bytes()
    for damaged in (b"", whole[:100], whole[:-1], b"x" + whole[1:], whole[:-40] + b"~" * 24 + whole[-16:]):
        (tmp_path / "t").write_bytes(damaged)
        with pytest.raises(FormatError):
            open_table(tmp_path / "t")


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.data())
def test_a_flipped_bit_never_crashes(tmp_path_factory, many, data) -> None:
    _, table = many
    path = tmp_path_factory.mktemp("t") / "t"
    table.save(path)
    content = bytearray(path.read_bytes())
    index = len(content) - 16_000  # the offsets and the footer: damage there must not go unseen either
    place = data.draw(st.integers(0, len(content) - 1) | st.integers(index, len(content) - 1))
    content[place] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(content)
    try:
        damaged = open_table(path)
        for i in range(0, len(damaged), BLOCK):
            damaged._strings[min(i + 5, len(damaged) - 1)]
            damaged._strings.bisect(b"org,n")
    except FormatError:
        pass


def test_many_threads_read_one_table(many) -> None:
    urls, table = many
    wrong: list[int] = []

    def look(start: int) -> None:
        wrong.extend(i for i in range(start, len(urls), 11) if table[i] != urls[i] or table.find(urls[i]) != i)

    threads = [threading.Thread(target=look, args=(start,)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
