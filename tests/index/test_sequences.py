"""Sequences of three words, and fingerprints that differ as much as the texts do."""

from __future__ import annotations

import math
import random

import pytest

from periplus.index.schema import words_of
from periplus.index.sequences import FEWEST, WINDOW, fingerprint, sequences

TEXT = " ".join(f"w{number}" for number in range(FEWEST + WINDOW - 1))


def likeness(first: str, second: str) -> float:
    """By sets of triples of words."""
    sets = [set(zip(words, words[1:], words[2:], strict=False)) for words in (words_of(first), words_of(second))]
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1])


def apart(first: str, second: str) -> int:
    return (fingerprint(first) ^ fingerprint(second)).bit_count()


def test_one_number_for_each_three_words() -> None:
    assert len(sequences(TEXT)) == len(set(sequences(TEXT).tolist())) == FEWEST
    assert sequences(TEXT).tolist() == sequences(TEXT.upper().replace(" ", " — ")).tolist()
    assert not set(sequences(TEXT).tolist()) & set(sequences(" ".join(reversed(TEXT.split()))).tolist())
    assert len(sequences("one two")) == len(sequences("")) == 0


@pytest.mark.parametrize("text", ["東京タワーは高い", "ab 東京 cd", "𠀀𠀁𠀂𠀃", "\ud800 a b c d"])
def test_characters_that_are_words_are_counted_one_by_one(text: str) -> None:
    words = words_of(text)
    assert len(sequences(text)) >= max(len(words) - WINDOW + 1, 0)


def test_sequences_are_told_apart_as_sets_of_words_are() -> None:
    chance = random.Random(1)
    words = [chance.choice(["wind", "farm", "Coal", "mine", "sun"]) for _ in range(2000)]
    assert len(set(sequences(" ".join(words)).tolist())) == 5**3


def test_a_short_text_has_no_fingerprint() -> None:
    assert fingerprint(TEXT) > 0
    assert fingerprint(TEXT.rpartition(" ")[0]) == fingerprint("") == 0


@pytest.mark.parametrize("changed", [0, 2, 10, 40, 100])
def test_bits_differ_as_the_angle_between_the_sets_says(changed: int) -> None:
    chance, found, expected = random.Random(changed), [], []
    for _ in range(40):
        words = [f"w{chance.randrange(10**6)}" for _ in range(400)]
        other = list(words)
        for _ in range(changed):
            other[chance.randrange(len(other))] = f"x{chance.randrange(10**6)}"
        first, second = " ".join(words), " ".join(other)
        found.append(apart(first, second))
        both = likeness(first, second)
        expected.append(64 / math.pi * math.acos(2 * both / (1 + both)))
    assert sum(found) / len(found) == pytest.approx(sum(expected) / len(expected), abs=1.5)
