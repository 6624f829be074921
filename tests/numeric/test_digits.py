from __future__ import annotations

import re

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from periplus.numeric.digits import NO_PAIR, TOO_LARGE, parse_pairs

_ids = st.one_of(st.integers(0, 2**32 + 5), st.integers(0, 10).map(lambda power: 10**power - power % 2))
_lines = st.lists(
    st.one_of(
        st.builds("{}{}{}".format, _ids, st.sampled_from("\t ,;"), _ids),
        st.text(alphabet="0123456789 \t,;#%-.xé\r", max_size=12),
    ),
    max_size=12,
)


def by_regular_expression(lines: list[str]) -> tuple[list[tuple[int, int]], list[int]]:
    """What the kernel must find: the pairs, and what is wrong with each bad line."""
    pairs, problems = [], []
    for line in lines:
        bare = line.strip(" \t,;\r")
        if not bare or bare[0] in "#%":
            continue
        match = re.match(r"([0-9]+)[ \t,;\r]+([0-9]+)(?=[ \t,;\r]|$)", bare)
        if match is None:
            problems.append(NO_PAIR)
        elif int(match[1]) >= 2**32 or int(match[2]) >= 2**32:
            problems.append(TOO_LARGE)
        else:
            pairs.append((int(match[1]), int(match[2])))
    return pairs, problems


@given(_lines)
@settings(max_examples=100, derandomize=True, deadline=None)
def test_the_kernel_reads_what_a_regular_expression_reads(lines: list[str]) -> None:
    data = "".join(line + "\n" for line in lines).encode()
    text = np.frombuffer(data + b"\n" * 16, np.uint8)
    sources, targets = np.empty(len(data) + 1, np.uint32), np.empty(len(data) + 1, np.uint32)
    report = np.zeros(5, np.int64)
    count = parse_pairs(text, len(data), sources, targets, report)
    pairs, problems = by_regular_expression(lines)
    assert list(zip(sources[:count].tolist(), targets[:count].tolist(), strict=True)) == pairs
    assert report[0] == len(lines)
    assert report[1] == len(problems)
    assert report[4] == (problems[0] if problems else 0)
