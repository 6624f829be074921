"""The ways pages come into a collection: fetched by the spider, added from archives and folders, or from memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from periplus.collection import Collection
from periplus.pages.store import store_of

if TYPE_CHECKING:
    from periplus.crawl.engine.report import CrawlProgress, CrawlReport
    from periplus.crawl.options import CrawlOptions
    from periplus.pages.add import AddReport


def crawl(
    target: str | Path,
    seeds: str | Sequence[str],
    options: CrawlOptions | None = None,
    progress: Callable[[CrawlProgress], None] | None = None,
) -> CrawlReport:
    """Fetch pages from seed URLs into a collection, which is made where there is none."""
    from periplus.crawl.engine.run import crawl as run
    from periplus.web.url import Url

    urls = [Url.parse(seed).href for seed in ([seeds] if isinstance(seeds, str) else seeds)]
    return run(Collection.open_or_create(target, seeds=urls), urls, options, progress)


def add(target: str | Path, files: str | Path | Sequence[str | Path], *, base: str | None = None) -> AddReport:
    """Add WARC, WACZ and ARC files or folders of HTML to a collection, which is made where there is none."""
    from periplus.pages.add import add_files

    names = [files] if isinstance(files, str | Path) else files
    collection = Collection.open_or_create(target)
    with collection.writing():
        return add_files(store_of(collection), [Path(name) for name in names], base=base)


def add_pages(
    target: str | Path, pages: Any, *, url: str = "url", html: str = "html", fetched: str = "fetched"
) -> AddReport:
    """Add pages from memory to a collection, which is made where there is none.

    `pages` are pairs `(url, html)`, a mapping of them, or a table of pandas, polars or Arrow whose columns `url` and
    `html` name. HTML is text, or bytes in the page's own charset. When a page was fetched may be a third value, or the
    column `fetched` (a time, a date or ISO text); otherwise it is now.
    """
    from periplus.pages.add import add_pages as run

    collection = Collection.open_or_create(target)
    with collection.writing():
        return run(store_of(collection), pages, url=url, html=html, fetched=fetched)
