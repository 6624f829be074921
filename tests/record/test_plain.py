"""Records whose fields are their JSON."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import dataclass, field

import numpy as np

from periplus.record import (
    Findings,
    plain,
)


@dataclass(frozen=True, slots=True)
class Example(Findings):
    """Fields of every kind."""

    name: str
    overall: float = field(metadata={"json": "global"})
    hidden: np.ndarray = field(metadata={"json": None})
    counts: np.ndarray
    parts: tuple[Example, ...] = ()
    by: dict[int, np.float64] = field(default_factory=dict)


def test_the_fields_of_a_record_are_its_json() -> None:
    inner = Example("inner", 0.5, np.ones(2), np.array([1, 2]))
    found = Example("outer", np.float64(1.5), np.ones(2), np.array([[True]]), (inner,), {3: np.float64(2.5)}).to_dict()
    assert found == {
        "name": "outer",
        "global": 1.5,
        "counts": [[True]],
        "parts": [{"name": "inner", "global": 0.5, "counts": [1, 2], "parts": [], "by": {}}],
        "by": {"3": 2.5},
    }
    assert type(found["global"]) is float
    json.dumps(found)


def test_nan_stays_nan() -> None:
    assert math.isnan(plain(np.float64("nan")))
    assert math.isnan(plain([np.nan])[0])


def test_records_load_no_library_for_tables() -> None:
    code = "import sys, periplus.record; assert not {'pandas', 'polars', 'numba', 'scipy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
