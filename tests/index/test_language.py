"""Which language a page is in, and what the forms of a word share."""

from __future__ import annotations

import pytest

from periplus.index.language import STEMMERS, language_of, stemmer, stems_of


@pytest.mark.parametrize(
    ("text", "declared", "language"),
    [
        ("", "en-GB", "en"),
        ("", "pt_BR", "pt"),
        ("", "no", "nb"),
        ("", "und", ""),
        ("", "x", ""),
        ("Otter.", None, ""),
        ("This is the page of the otters, and it is for you.", None, "en"),
        ("Das ist nicht der Ort, und die Otter sind auf dem Land.", None, "de"),
        ("Les loutres sont dans la mer, et elles ne sont pas des poissons.", None, "fr"),
        ("Las nutrias del mar no son peces, pero el mar es su casa y la de los otros para siempre.", None, "es"),
        ("В этой книге и на море не все так, как это может быть.", None, "ru"),
        ("これは東京都の人口です", None, "ja"),
        ("这是一个关于北京的页面", None, "zh"),
        ("هذا كتاب في المكتبة على أن لا كان مع", None, "ar"),
        ("ภาษาไทยเป็นภาษา", None, "th"),
        ("Η θάλασσα και ο άνεμος", None, "el"),
        ("The the the the", "de", "de"),
    ],
)
def test_the_language_is_what_a_page_declares_or_else_shows(text: str, declared: str | None, language: str) -> None:
    assert language_of(text, declared) == language


def test_forms_of_a_word_share_a_stem() -> None:
    assert len(set(stems_of(["configure", "configures", "configured", "configuring"], "en"))) == 1
    assert stems_of(["farms"], "") == stems_of(["farms"], "en") == ["farm"]
    assert stems_of(["farms"], "ja") == ["farms"]


@pytest.mark.parametrize("language", STEMMERS)
def test_every_stemmer_is_known(language: str) -> None:
    assert stemmer(language).analyze("word")
