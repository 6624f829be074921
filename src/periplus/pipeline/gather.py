"""The two ways pages come into a collection: fetched by the spider, or added from archives and folders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from periplus.collection import Collection
from periplus.pages.store import store_of

if TYPE_CHECKING:
    from periplus.crawl.engine.report import CrawlProgress, CrawlReport
    from periplus.crawl.options import CrawlOptions
    from periplus.pages.add import AddReport


def crawl(
    target: str | Path,
    seeds: Sequence[str],
    options: CrawlOptions | None = None,
    progress: Callable[[CrawlProgress], None] | None = None,
) -> CrawlReport:
    """Fetch pages from seed URLs into a collection, which is made where there is none."""
    from periplus.crawl.engine.run import crawl as run
    from periplus.web.url import Url

    urls = [Url.parse(seed).href for seed in seeds]
    return run(Collection.open_or_create(target, seeds=urls), urls, options, progress)


def add(target: str | Path, files: Sequence[str | Path], *, base: str | None = None) -> AddReport:
    """Add WARC, WACZ and ARC files or folders of HTML to a collection, which is made where there is none."""
    from periplus.pages.add import add_files

    collection = Collection.open_or_create(target)
    with collection.writing():
        return add_files(store_of(collection), [Path(name) for name in files], base=base)
