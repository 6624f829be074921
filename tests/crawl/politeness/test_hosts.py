"""What a host asks for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from periplus.crawl.politeness.hosts import retry_after


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("5", 5.0), ("0", 0.0), ("999999999", 3600.0), ("-1", None), ("soon", None), ("", None), (None, None),
     ("Mon, 16 Nov 2026 06:00:30 GMT", 30.0), ("Mon, 16 Nov 2020 06:00:30 GMT", 0.0), ("9" * 500, 3600.0)],
)  # fmt: skip
def test_retry_after(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, datetime(2026, 11, 16, 6, 0, tzinfo=UTC)) == seconds
