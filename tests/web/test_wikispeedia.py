"""Real pages: the HTML of 4,604 articles gives back every link that was published from it, and the known others."""

from __future__ import annotations

import lzma
import tarfile
from collections import Counter
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

import pytest
from tests.conftest import data_path

from periplus.web.html import extract_links

ROOT = "http://wiki.example/"
LICENCE = "Wikipedia_Text_of_the_GNU_Free_Documentation_License"  # linked from the foot of every page


def rows(name: str) -> list[list[str]]:
    with lzma.open(data_path("wikispeedia") / name, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]


def name_of(text: str) -> str:
    """The name of an article in one spelling: its file names carry percent signs, which URLs encode once more."""
    return unquote(unquote(text))


def article_of(url: str) -> str:
    return name_of(PurePosixPath(url).name.removesuffix(".htm"))


@pytest.mark.long
def test_published_links_are_found() -> None:
    articles = {name_of(row[0]) for row in rows("articles.tsv.xz")}
    published = {(name_of(a), name_of(b)) for a, b in rows("links.tsv.xz")}
    found: set[tuple[str, str]] = set()
    with tarfile.open(data_path("wikispeedia") / "wpcd-html.tar.xz") as tar:
        for member in tar:
            if "/wp/" not in member.name or "/wp/index/" in member.name or not member.name.endswith(".htm"):
                continue
            url = ROOT + quote(member.name)
            source = article_of(url)
            if source in articles:
                links = extract_links(tar.extractfile(member).read(), url).links
                found |= {(source, article_of(link.target)) for link in links if "/wp/" in link.target}
    found = {(a, b) for a, b in found if b in articles}
    # Three of them stand in image maps, which a reader of <a> alone does not see.
    assert published - found == set()
    assert len(published) == 119_882
    extra = Counter(target for _, target in found - published if target != LICENCE)
    assert extra == {
        "Édouard_Manet": 12,
        "Åland": 11,
        "Éire": 4,
        "Áedán_mac_Gabráin": 3,
        "Óengus_I_of_the_Picts": 2,
    }
