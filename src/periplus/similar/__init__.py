"""Pages like a given one, by the words they say, the links around them, the paths people take.

`SIMILAR` is the one table that the command line, the API, the docs and the contract test read. Functions are loaded
when they are first used: `from periplus.similar import companion`.
"""

from __future__ import annotations

from periplus.lazy import offers
from periplus.similar.table import SIMILAR

_HOMES = {row.home.partition(":")[2]: row.home.partition(":")[0] for row in SIMILAR.values()} | {
    "Flow": "periplus.similar.usage.flow",
    "Neighbour": "periplus.similar.record",
    "Related": "periplus.similar.record",
    "flow_of": "periplus.similar.usage.flow",
    "suggest": "periplus.similar.usage.suggest",
    "word_matrix": "periplus.similar.words",
}

__all__ = ["SIMILAR", *sorted(_HOMES)]

__getattr__, __dir__ = offers(__name__, _HOMES)
