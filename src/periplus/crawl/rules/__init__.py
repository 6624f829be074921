"""The rules of a crawl, in the order of their numbers.

To add one: write a file with a subclass of `Rule`, and add a row to this table. Numbers between two rows are free.
The rule that stops most URLs at the least cost is first.
"""

from __future__ import annotations

from periplus.crawl.rules.addresses import SharedAddresses
from periplus.crawl.rules.duplicates import Duplicates
from periplus.crawl.rules.failing_hosts import FailingHosts
from periplus.crawl.rules.learned import Learned
from periplus.crawl.rules.page_cap import PageCap
from periplus.crawl.rules.patterns import Patterns
from periplus.crawl.rules.recent import Recent
from periplus.crawl.rules.retry import Retry
from periplus.crawl.rules.revisit import Revisit
from periplus.crawl.rules.robots import RobotsTxt
from periplus.crawl.rules.rule import Rule
from periplus.crawl.rules.scope import InScope
from periplus.crawl.rules.traps import Traps

RULES: dict[int, type[Rule]] = {
    40: Revisit,
    50: Learned,
    100: Recent,
    200: InScope,
    250: Patterns,
    300: Traps,
    400: PageCap,
    500: Duplicates,
    550: SharedAddresses,
    600: RobotsTxt,
    700: Retry,
    800: FailingHosts,
}
