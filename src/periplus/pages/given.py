"""Pages that a program has in memory, as captures: pairs of URL and HTML, a mapping of them, or a table.

A table is a frame of pandas or polars, a table of Arrow, or anything else with named columns. Text is stored as UTF-8.
Without a time of its own a page counts as fetched now, so that it replaces what was stored of its URL before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any

from periplus.errors import ParameterError
from periplus.pages.warc import Capture
from periplus.web.url import canonical

NO_URL, NO_TEXT = "page of no http(s) URL", "page without HTML"
_ALLOWED = "pairs of URL and HTML, a mapping of them, or a table with such columns"


def captures(pages: Any, *, url: str = "url", html: str = "html", fetched: str = "fetched") -> Iterator[Capture | str]:
    """A capture per page, or what is wrong with it; the names are those of the columns of a table."""
    now = datetime.now(UTC).replace(microsecond=0)
    for address, text, when in _rows(pages, url, html, fetched):
        href = canonical(address) if isinstance(address, str) else None
        if href is None:
            yield NO_URL
        elif not isinstance(text, str | bytes):
            yield NO_TEXT
        else:
            body = text.encode("utf-8", "replace") if isinstance(text, str) else text
            mime = "text/html; charset=utf-8" if isinstance(text, str) else "text/html"
            yield Capture(href, _moment(when) or now, b"", body, kind="resource", mime=mime)


def _rows(pages: Any, url: str, html: str, fetched: str) -> Iterator[tuple[Any, Any, Any]]:
    names = getattr(pages, "column_names", getattr(pages, "columns", None))  # Arrow; pandas and polars
    if names is not None:
        yield from _rows_of_table(pages, [str(name) for name in names], url, html, fetched)
        return
    if isinstance(pages, str | bytes) or not isinstance(pages, Iterable):
        raise ParameterError("pages", type(pages).__name__, _ALLOWED)
    for pair in pages.items() if isinstance(pages, Mapping) else pages:
        if not isinstance(pair, tuple | list) or len(pair) not in (2, 3):
            raise ParameterError("pages", pair, f"{_ALLOWED}; a third value may say when a page was fetched")
        yield pair[0], pair[1], pair[2] if len(pair) == 3 else None


def _rows_of_table(table: Any, names: list[str], url: str, html: str, fetched: str) -> Iterator[tuple[Any, Any, Any]]:
    for parameter, name in (("url", url), ("html", html)):
        if name not in names:
            raise ParameterError(parameter, name, f"one of the columns of the table: {', '.join(names)}")
    times = _values(table[fetched]) if fetched in names else None
    for row, (address, text) in enumerate(zip(_values(table[url]), _values(table[html]), strict=True)):
        yield address, text, times[row] if times is not None else None


def _values(column: Any) -> list[Any]:
    found: list[Any] = column.to_pylist() if hasattr(column, "to_pylist") else column.to_list()
    return found


def _moment(when: Any) -> datetime | None:
    """A time given as such, as a date or as ISO text; None for no time (also pandas' NaT) and for what is none."""
    if isinstance(when, str):
        try:
            when = datetime.fromisoformat(when)
        except ValueError:
            return None
    if isinstance(when, date) and not isinstance(when, datetime):
        when = datetime(when.year, when.month, when.day, tzinfo=UTC)
    if not isinstance(when, datetime) or when != when:
        return None
    return when if when.tzinfo else when.replace(tzinfo=UTC)
