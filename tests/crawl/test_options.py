"""Every number that bounds a crawl is checked, and the command line overrules the collection."""

from __future__ import annotations

import pytest

from periplus.crawl.options import CrawlOptions, from_policy, parse_duration
from periplus.errors import ParameterError


@pytest.mark.parametrize(
    ("name", "value"),
    [("max_pages", 0), ("delay", -1.0), ("delay", float("nan")), ("scope", "world"), ("order", "random"),
     ("concurrency", 0), ("total_timeout", 0.0), ("max_depth", -1), ("max_seconds", 0.0), ("max_bytes", 0),
     ("include", ("(",)), ("exclude", ("[",))],
)  # fmt: skip
def test_options_out_of_range(name: str, value: object) -> None:
    with pytest.raises(ParameterError, match=name):
        CrawlOptions(**{name: value})


def test_the_command_line_overrules_the_policy() -> None:
    options = from_policy({"max-pages": 10, "delay": 2, "allow_net": ["10.0.0.1"]}, {"delay": 0.5, "max_pages": None})
    assert (options.max_pages, options.delay, options.allow_net) == (10, 0.5, ("10.0.0.1",))
    with pytest.raises(ParameterError, match="speed"):
        from_policy({"speed": 9}, {})
    with pytest.raises(ParameterError, match="policy"):
        from_policy({"max_pages": "many"}, {})


def test_the_agent_names_a_contact() -> None:
    assert CrawlOptions(contact="https://me.example/bot").agent.endswith(" (+https://me.example/bot)")
    assert "\n" not in CrawlOptions(user_agent="a\r\nX: y", contact="b\nc").agent


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("30s", 30), ("10 min", 600), ("5m", 300), ("2h", 7200), ("1.5d", 129600), (7.5, 7.5)],
)
def test_times_as_people_write_them(text: str | float, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "h", "2 hours", "-5s", "1e3s", "nan"])
def test_times_that_are_none(text: str) -> None:
    with pytest.raises(ParameterError, match="2h"):
        parse_duration(text)


def test_sizes_and_times_in_the_policy() -> None:
    options = from_policy({"max-bytes": "5GB", "max-seconds": "2h", "exclude": ["/tag/"]}, {})
    assert (options.max_bytes, options.max_seconds, options.exclude) == (5 * 10**9, 7200, ("/tag/",))
