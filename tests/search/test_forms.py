"""The other forms of a word are words of the index with the same stem."""

from __future__ import annotations

from pathlib import Path

from periplus.index import IndexDocument, build_index, open_index
from periplus.search.forms import Forms


def forms(folder: Path, **texts: str) -> Forms:
    pages = [
        IndexDocument(at, f"http://a.org/{at}", body=text, language=code)
        for at, (code, text) in enumerate(texts.items())
    ]
    build_index(pages, folder)
    return Forms(open_index(folder).searcher())


def test_forms_share_a_stem_in_the_language_of_the_page(tmp_path: Path) -> None:
    known = forms(
        tmp_path,
        en="configure configuring configured configuration confident run running runs runtime",
        de="Häuser Haus Hauses",
    )
    assert (
        {"configuring", "configured"}
        <= set(known.of("configure", "en"))
        <= {"configuring", "configured", "configuration"}
    )
    assert set(known.of("running", "en")) == {"run", "runs"}
    assert set(known.of("haus", "de")) == {"hauses", "hauser"}
    assert known.of("haus", "fr") == ()
    assert known.languages == ("de", "en")


def test_an_arabic_word_is_found_behind_its_article(tmp_path: Path) -> None:
    known = forms(tmp_path, ar="كتاب الكتاب")
    assert known.of("كتاب", "ar") == ("الكتاب",)
    assert known.of("الكتاب", "ar") == ("كتاب",)


def test_a_rarer_form_counts_no_more_than_the_word(tmp_path: Path) -> None:
    pages = [IndexDocument(at, f"http://a.org/{at}", body="file" if at else "filing files") for at in range(50)]
    build_index(pages, tmp_path)
    known = Forms(open_index(tmp_path).searcher())
    assert known.weight("file", "filing") < 1
    assert known.weight("filing", "file") == 1
