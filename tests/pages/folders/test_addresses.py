"""The names of files and folders, and the URLs that stand behind them."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from periplus.pages.folders.addresses import Address, Addresses, host_of_path, is_host, local_base, root_of, url_of_name


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("www.example.org", True), ("example.co.uk", True), ("localhost:8000", True), ("127.0.0.1", True),
        ("intranet:8080", True), ("docs", False), ("python3.11", False), ("1.2.3", False), ("node.js", False),
        ("my.web", False), ("web", False), ("a b.org", False), ("co.uk", False), ("a.test", True), ("x:y", False),
    ],
)  # fmt: skip
def test_folders_that_have_the_name_of_a_host(name: str, host: bool) -> None:
    assert is_host(name) is host


def test_the_host_of_a_path_is_its_first_folder() -> None:
    assert host_of_path(("www.example.org", "a", "b.html")) == ("www.example.org", ("a", "b.html"))
    assert host_of_path(("https", "example.org:81", "b.html")) == ("example.org:81", ("b.html",))
    assert host_of_path(("example.org",)) == ("", ("example.org",))  # a file of that name
    assert host_of_path(("docs", "www.example.org", "x.html"))[0] == ""


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("http:^^cs.cornell.edu^Info^", "http://cs.cornell.edu/Info/"),
        ("http:^^twinbrook.cis.uab.edu:70^AdPage.80", "http://twinbrook.cis.uab.edu:70/AdPage.80"),
        ("ftp:^^ftp.cs.wisc.edu^pub^devise^", "http://ftp.cs.wisc.edu/pub/devise/"),
        ("https%3A%2F%2Fexample.org%2Fa%3Fb%3D1", "https://example.org/a?b=1"),
        ("http.html", None), ("about:blank", None), ("http:^^", None),
    ],
)  # fmt: skip
def test_names_that_are_urls(name: str, url: str | None) -> None:
    assert url_of_name(name) == url


def address(name: str, *, coded: bool = False) -> Address | None:
    return Addresses(Path("site"), None, "http://h.test/", coded=coded).of(Path("site", name))


@pytest.mark.parametrize(
    ("name", "urls"),
    [
        ("a/b.html", ["a/b.html"]),
        ("a/index.html", ["a/", "a/index.html"]),
        ("index.html?p=2", ["?p=2", "index.html?p=2", "index.html%3Fp=2"]),
        ("list.php?id=3&all=1", ["list.php?id=3&all=1", "list.php%3Fid=3&all=1"]),
        ("list.php?id=3.html", ["list.php?id=3", "list.php?id=3.html", "list.php%3Fid=3.html"]),
        ("two words.html", ["two%20words.html"]),
        ("100%.html", ["100%25.html"]),
    ],
)
def test_the_urls_of_a_file(name: str, urls: list[str]) -> None:
    found = address(name)
    assert found is not None
    assert [found.url, *found.aliases] == [f"http://h.test/{url}" for url in urls]


def test_escapes_in_names_are_those_of_the_url_where_links_say_so() -> None:
    assert address("a%20b.html", coded=True) == Address("http://h.test/a%20b.html", ("http://h.test/a%2520b.html",))
    assert address("a%20b.html") == Address("http://h.test/a%2520b.html")


def test_what_a_person_says_comes_first() -> None:
    said = Addresses(Path("s"), "https://said.test/x/", "http://guess.test/")
    assert said.of(Path("s/www.example.org/index.html")).url == "https://said.test/x/www.example.org/"
    guessed = Addresses(Path("s"), None, "http://guess.test/", {"www.example.org": "https"})
    assert guessed.of(Path("s/www.example.org/index.html")).url == "https://www.example.org/"
    assert guessed.of(Path("s/https/b.example.org/c")).url == "https://b.example.org/c"
    assert guessed.of(Path("s/other/c")).url == "http://guess.test/other/c"


def test_the_base_is_what_stands_before_the_path() -> None:
    assert root_of("https://e.test/d/a/b.html", PurePosixPath("a/b.html")) == "https://e.test/d/"
    assert root_of("https://e.test/a/", PurePosixPath("a/index.html")) == "https://e.test/"
    assert root_of("https://e.test/about", PurePosixPath("about.html")) is None


def test_a_folder_of_no_host_is_local(tmp_path: Path) -> None:
    assert local_base(tmp_path / "My Site!") == "http://my-site.local/"
