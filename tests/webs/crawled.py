"""A small web over real HTTP, and the collection that a crawl makes of it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.webs.server import Site, WebServer

from periplus.collection import Collection
from periplus.crawl.engine.report import CrawlReport
from periplus.crawl.engine.run import crawl
from periplus.crawl.options import CrawlOptions
from periplus.pages.store import PageStore, store_of


class Web:
    """A server, a collection, and `web.crawl(...)`."""

    def __init__(self, folder: Path, sites: dict[str, Site]) -> None:
        self.server = WebServer({f"{name}.run.test": serve for name, serve in sites.items()})
        self.folder = folder / "run.web"

    def crawl(self, *seeds: str, progress=None, again=False, **options) -> CrawlReport:
        chosen = {"delay": 0.0, "retry_delay": 0.05, "retries": 1, **options}
        connect = (f"*.run.test=127.0.0.1:{self.server.port}",)
        collection = Collection.open_or_create(self.folder)
        return crawl(collection, seeds, CrawlOptions(connect_to=connect, **chosen), progress, again=again)

    def log(self) -> dict[str, dict]:
        lines = Collection.open(self.folder).crawl_log_path.read_text().splitlines()
        records = [json.loads(line) for line in lines]
        assert len({record["url"] for record in records}) == len(records)
        return {record["url"].replace("http://", "").replace(".run.test", ""): record for record in records}

    def store(self) -> PageStore:
        return store_of(Collection.open(self.folder))
