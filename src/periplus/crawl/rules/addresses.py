"""Hosts that share an address share a pause (`--address-delay`)."""

from __future__ import annotations

from periplus.crawl.fetch.guard import is_loopback
from periplus.crawl.politeness.addresses import Addresses
from periplus.crawl.rules.rule import Crawl, Postpone, Rule
from periplus.crawl.visit import Visit

SHARE = 4
"""The pause of an address is this part of that of a host, unless it is given."""


class SharedAddresses(Rule):
    """Postpones a URL until its address has had its pause; this machine has none, unless one is given."""

    def __init__(self, crawl: Crawl) -> None:
        super().__init__(crawl)
        given = crawl.options.address_delay
        self._spared = given is None
        self._addresses = Addresses(crawl.options.delay / SHARE if given is None else given)

    async def before_fetch(self, visit: Visit) -> Visit | Postpone:
        host = visit.host
        if not self._addresses.delay:
            return visit
        if not host.address:
            host.address = await self.crawl.fetcher.address_of(visit.url)
        if not host.address or (self._spared and is_loopback(host.address)):
            return visit
        wait = self._addresses.wait(host.name, host.address, self.crawl.scheduler.clock())
        return Postpone(wait) if wait else visit
