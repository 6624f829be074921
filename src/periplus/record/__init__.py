"""What every algorithm returns: the answer, and all it takes to trust and repeat it.

    Findings           a record whose fields are its JSON     a study, a law, an outbreak
    Record             method, parameters, iterations, residual, certified error, digest of the graph
    ├── Scores         one number per page                    rankings
    ├── PageLabels     one label per page                     components, regions of the bow-tie, communities
    └── PagePositions  one point in space per page            the sky

Every one has `to_dict()`. A `Record` has a row per page: `scores[3]`, `scores["http://…"]`, `len`, `to_pandas()`,
`to_polars()`, `to_csv(path)`, `save(folder)`, `load(folder, name)`. It knows the names of its pages where the graph has
URLs.
"""

from periplus.lazy import offers
from periplus.record.base import Record, more_to_allow
from periplus.record.kinds import Group, PageLabels, PagePositions, Ranked, Scores
from periplus.record.order import best_first, rounded
from periplus.record.plain import Findings, plain
from periplus.record.tables import csv_pieces, csv_text
from periplus.record.writing import Table, write_table

__all__ = [
    "Findings",
    "Group",
    "PageLabels",
    "PagePositions",
    "Ranked",
    "Record",
    "Scores",
    "Table",
    "best_first",
    "csv_pieces",
    "csv_text",
    "more_to_allow",
    "plain",
    "rounded",
    "write_table",
]

_, __dir__ = offers(__name__, {})
