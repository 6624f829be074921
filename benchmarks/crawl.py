"""Crawl, store and parse on loopback with politeness off: pages per second, beside Scrapy on the same pages.

    python benchmarks/crawl.py                      5,000 pages of 2 kB and of 35 kB, three rounds each
    python benchmarks/crawl.py --orders             every order of Periplus, beside breadth-first
    python benchmarks/crawl.py --memory             memory of Periplus at 5,000 and at 50,000 pages
    python benchmarks/crawl.py --pages 20000 --sizes 8 --rounds 5

A generated site lies on eight loopback addresses and is served by a process of its own. Every program runs in a fresh
process, reads robots.txt, keeps 64 requests under way, extracts every link and follows the new ones, and writes what
it fetched to disk: Periplus as WARC with an index, a log and a frontier that survives `kill -9`; Scrapy as raw bytes in
one file, its queue in memory. Scrapy is measured twice: with its `LinkExtractor`, which gives target, text and
`nofollow` as Periplus does, and with the bare `href`s, which is the least that it can do. The ratio is against the
faster of the two. Times are the crawls' own, without the start of the interpreter.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HOSTS = 8
LINKS = 20
WORDS = [
    "sea",
    "harbour",
    "coast",
    "wind",
    "sail",
    "chart",
    "port",
    "island",
    "current",
    "reef",
    "anchor",
    "tide",
    "mast",
    "cape",
    "gulf",
    "strait",
    "pilot",
    "voyage",
]


# -- the site ------------------------------------------------------------------------------------------------


def serve(port: int, pages: int, kilobytes: int) -> None:
    """Serve the site until killed: `/p0` to `/p(pages-1)`, spread over 127.0.0.1 to 127.0.0.8."""
    import uvloop

    rng = random.Random(1)
    text = " ".join(rng.choice(WORDS) + str(rng.randrange(10_000)) for _ in range(200_000)).encode()
    missing = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nno"

    def page(number: int) -> bytes:
        chance = random.Random(number)
        targets = [2 * number + 1, 2 * number + 2, number + 1] + [chance.randrange(pages) for _ in range(LINKS - 3)]
        links = "".join(
            f'<li><a href="http://127.0.0.{1 + t % HOSTS}:{port}/p{t}">the page of {WORDS[t % len(WORDS)]} {t}</a></li>'
            for t in (target % pages for target in targets)
        ).encode()
        start = number * 7919 % (len(text) - kilobytes * 1024)
        filler = text[start : start + max(0, kilobytes * 1024 - len(links))]
        body = b"<!doctype html><title>Page %d</title><h1>Page %d</h1><ul>%s</ul><p>%s</p>" % (
            number,
            number,
            links,
            filler,
        )
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(body)
        return head + body

    class Protocol(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self.transport, self.buffer = transport, b""

        def data_received(self, data: bytes) -> None:
            self.buffer += data
            while b"\r\n\r\n" in self.buffer:
                head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
                path = head.split(b" ", 2)[1]
                number = int(path[2:]) if path[:2] == b"/p" and path[2:].isdigit() else pages
                self.transport.write(page(number) if number < pages else missing)  # type: ignore[attr-defined]

    async def run() -> None:
        addresses = [f"127.0.0.{1 + host}" for host in range(HOSTS)]
        server = await asyncio.get_running_loop().create_server(Protocol, addresses, port, backlog=1024)
        print("ready", flush=True)
        await server.serve_forever()

    uvloop.run(run())


# -- the programs --------------------------------------------------------------------------------------------


def tree_memory() -> int:
    """Resident bytes of this process and its children, shared pages counted in each."""
    import psutil

    here = psutil.Process()
    return sum(process.memory_info().rss for process in [here, *here.children(recursive=True)])


def cpu_seconds() -> float:
    """User and system time of this process and of the children that have ended."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def run_periplus(port: int, folder: Path, order: str) -> dict[str, float]:
    from periplus.collection import Collection
    from periplus.crawl.engine.report import CrawlProgress
    from periplus.crawl.engine.run import crawl
    from periplus.crawl.options import CrawlOptions

    memory: dict[int, int] = {}

    def watch(progress: CrawlProgress) -> None:
        for mark in (5_000, 50_000):
            if progress.pages >= mark * 0.99 and mark not in memory:
                memory[mark] = tree_memory()

    before = cpu_seconds()
    options = CrawlOptions(scope="any", delay=0.0, allow_net=("127.0.0.0/8",), max_host_pages=10**9, order=order)
    report = crawl(Collection.create(folder / "spine.web"), [f"http://127.0.0.1:{port}/p0"], options, watch)
    cpu = cpu_seconds() - before
    return {
        "pages": report.pages,
        "seconds": report.seconds,
        "cpu": cpu,
        **{f"memory_{k}": v for k, v in memory.items()},
    }


def run_scrapy(port: int, folder: Path, links: str) -> dict[str, float]:
    import scrapy
    from scrapy.crawler import CrawlerProcess
    from scrapy.linkextractors import LinkExtractor

    extractor = LinkExtractor(unique=True)
    out = (folder / "raw.bin").open("wb")

    class Spider(scrapy.Spider):
        name = "spine"
        start_urls = [f"http://127.0.0.1:{port}/p0"]  # noqa: RUF012

        def parse(self, response):  # type: ignore[no-untyped-def]
            out.write(response.body)
            if links == "extractor":
                for link in extractor.extract_links(response):
                    yield scrapy.Request(link.url)
            else:
                for href in response.css("a::attr(href)").getall():
                    yield response.follow(href)

    process = CrawlerProcess(
        settings={
            "LOG_LEVEL": "ERROR",
            "ROBOTSTXT_OBEY": True,
            "CONCURRENT_REQUESTS": 64,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 64,
            "DOWNLOAD_DELAY": 0,
            "COOKIES_ENABLED": False,
            "TELNETCONSOLE_ENABLED": False,
            "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
            "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
        }
    )
    before = cpu_seconds()
    crawler = process.create_crawler(Spider)
    process.crawl(crawler)
    process.start()
    out.close()
    stats = crawler.stats.get_stats()
    return {
        "pages": stats["downloader/response_status_count/200"],
        "seconds": (stats["finish_time"] - stats["start_time"]).total_seconds(),
        "cpu": cpu_seconds() - before,
    }


# -- the comparison ------------------------------------------------------------------------------------------


def free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def measure(role: str, pages: int, kilobytes: int, order: str = "breadth-first") -> dict[str, float]:
    """One crawl of the whole site by a fresh process."""
    port, folder = free_port(), Path(tempfile.mkdtemp(prefix="crawl-"))
    here = [sys.executable, __file__, "--port", str(port), "--pages", str(pages), "--sizes", str(kilobytes)]
    server = subprocess.Popen([*here, "--role", "serve"], stdout=subprocess.PIPE)
    try:
        assert server.stdout is not None
        server.stdout.readline()
        run = [*here, "--role", role, "--folder", str(folder), "--order", order]
        done = subprocess.run(run, check=True, capture_output=True, text=True)
        result = json.loads(done.stdout.splitlines()[-1])
        # Scrapy does not filter its start URL and fetches it once more when a link leads there.
        assert 0 <= result["pages"] - pages <= 1, f"{role} fetched {result['pages']} of {pages} pages"
        return result
    finally:
        server.kill()
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)


ROLES = {"periplus": "Periplus", "scrapy-links": "Scrapy, LinkExtractor", "scrapy-bare": "Scrapy, bare hrefs"}


def compare(pages: int, sizes: list[int], rounds: int) -> bool:
    """Print the table; True where Periplus is at least three times as fast as the faster Scrapy."""
    fast = True
    for kilobytes in sizes:
        rates: dict[str, list[float]] = {role: [] for role in ROLES}
        costs: dict[str, list[float]] = {role: [] for role in ROLES}
        for _ in range(rounds):  # interleaved, so that a noisy minute falls on all of them
            for role in ROLES:
                result = measure(role, pages, kilobytes)
                rates[role].append(result["pages"] / result["seconds"])
                costs[role].append(1000 * result["cpu"] / result["pages"])
        print(f"\n{pages:,} pages of {kilobytes} kB, {rounds} rounds          pages/s   lowest  highest   CPU ms/page")
        for role, label in ROLES.items():
            values, cost = rates[role], statistics.median(costs[role])
            print(f"  {label:34}{statistics.median(values):18,.0f}{min(values):9,.0f}{max(values):9,.0f}{cost:14.2f}")
        best = max(statistics.median(rates[role]) for role in ROLES if role != "periplus")
        ratio = statistics.median(rates["periplus"]) / best
        print(f"  Periplus to the faster Scrapy: {ratio:.2f} times")
        fast = fast and ratio >= 3.0
    return fast


def orders(pages: int, kilobytes: int, rounds: int) -> bool:
    """Print the rate of every order; True where each costs at most a fifth of the rate of breadth-first."""
    from periplus.crawl.orders import ORDERS

    names = [name for name in ORDERS if name not in ("topic", "nearness")]  # these need more than links
    runs = [{name: measure("periplus", pages, kilobytes, name) for name in names} for _ in range(rounds)]
    rates = {name: statistics.median(run[name]["pages"] / run[name]["seconds"] for run in runs) for name in names}
    print(f"\n{pages:,} pages of {kilobytes} kB, {rounds} rounds     pages/s   to breadth-first   CPU ms/page")
    for name, rate in rates.items():
        cost = statistics.median(1000 * run[name]["cpu"] / run[name]["pages"] for run in runs)
        print(f"  {name:34}{rate:11,.0f}{rate / rates['breadth-first']:19.2f}{cost:14.2f}")
    return all(rate >= 0.8 * rates["breadth-first"] for rate in rates.values())


def memory(kilobytes: int) -> bool:
    """Print the memory of one crawl of 50,000 pages at its tenth and at its end; True where they are within 10 %."""
    started = time.perf_counter()
    result = measure("periplus", 50_000, kilobytes)
    early, late = result["memory_5000"] / 2**20, result["memory_50000"] / 2**20
    rate = result["pages"] / result["seconds"]
    print(
        f"\n50,000 pages of {kilobytes} kB at {rate:,.0f} pages/s ({time.perf_counter() - started:.0f} s with set-up)"
    )
    print(f"  memory at 5,000 pages: {early:.0f} MiB, at 50,000: {late:.0f} MiB ({100 * (late / early - 1):+.1f} %)")
    return abs(late / early - 1) <= 0.10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=5_000)
    parser.add_argument("--sizes", type=int, nargs="+", default=[2, 35], metavar="KB")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", action="store_true", help="measure memory instead of speed")
    parser.add_argument("--orders", action="store_true", help="compare the orders of a crawl instead")
    parser.add_argument("--order", default="breadth-first", help=argparse.SUPPRESS)
    parser.add_argument("--role", choices=["serve", *ROLES], help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.role == "serve":
        serve(chosen.port, chosen.pages, chosen.sizes[0])
    elif chosen.role == "periplus":
        print(json.dumps(run_periplus(chosen.port, chosen.folder, chosen.order)))
    elif chosen.role:
        print(json.dumps(run_scrapy(chosen.port, chosen.folder, "extractor" if "links" in chosen.role else "bare")))
    elif chosen.orders:
        sys.exit(0 if orders(chosen.pages, chosen.sizes[0], chosen.rounds) else 1)
    elif chosen.memory:
        sys.exit(0 if memory(chosen.sizes[0]) else 1)
    else:
        sys.exit(0 if compare(chosen.pages, chosen.sizes, chosen.rounds) else 1)


if __name__ == "__main__":
    main()
