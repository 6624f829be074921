"""Every number that bounds a crawl is checked, and the command line overrules the collection."""

from __future__ import annotations

import pytest

from periplus.crawl.options import CrawlOptions, from_policy
from periplus.errors import ParameterError


@pytest.mark.parametrize(
    ("name", "value"),
    [("max_pages", 0), ("delay", -1.0), ("delay", float("nan")), ("scope", "world"), ("order", "random"),
     ("concurrency", 0), ("total_timeout", 0.0), ("max_depth", -1)],
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
