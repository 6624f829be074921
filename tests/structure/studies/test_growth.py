"""Growth from dates: counts against a plain count, units, and the edges."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.errors import ParameterError
from periplus.structure.studies.growth import growth

DAY = 86_400


def test_every_date_is_counted() -> None:
    found = growth(np.array([10 * DAY, -1, 0, 5 * DAY, 5 * DAY]))
    assert found is not None
    assert found.to_dict() == {
        "first": "1970-01-01T00:00:00Z",
        "last": "1970-01-11T00:00:00Z",
        "unit": "day",
        "elapsed": [0.0, 5.0, 10.0],
        "pages": [1, 3, 4],
        "undated": 1,
    }


def test_many_dates_are_thinned_and_still_counted_exactly() -> None:
    seen = np.random.default_rng(3).integers(0, 400 * DAY, 5000)
    found = growth(seen, moments=50)
    assert found is not None
    assert len(found.pages) == 50
    assert found.pages[-1] == 5000
    start = seen.min()
    for passed, pages in zip(found.elapsed, found.pages, strict=True):
        assert pages == np.count_nonzero(seen <= start + round(passed * DAY))


@pytest.mark.parametrize(
    ("span", "unit"), [(0, "second"), (100, "second"), (600, "minute"), (4 * 3600, "hour"), (2000 * DAY, "year")]
)
def test_the_unit_fits_the_span(span: int, unit: str) -> None:
    found = growth(np.array([1000, 1000 + span]))
    assert found is not None
    assert found.unit == unit


def test_no_dates_and_bad_parameters() -> None:
    assert growth(np.full(4, -1)) is None
    assert growth(np.zeros(0, np.int64)) is None
    with pytest.raises(ParameterError):
        growth(np.array([1]), moments=1)
