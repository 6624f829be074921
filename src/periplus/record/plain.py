"""Values as JSON knows them, records whose fields are their JSON, and equality of values that hold arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np


class Findings:
    """A frozen dataclass whose fields are its JSON; the metadata {"json": NAME} renames a field, None leaves it out."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain data."""
        named = [(one.metadata.get("json", one.name), one.name) for one in fields(self)]  # type: ignore[arg-type]
        return {key: plain(getattr(self, name)) for key, name in named if key is not None}


def plain(value: Any) -> Any:
    """A value as JSON knows it: arrays as lists, records as objects, numbers of numpy as Python's."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


def same(first: Any, second: Any) -> bool:
    """Whether two values are equal; arrays are compared number by number, and NaN equals NaN."""
    if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
        one, other = np.asarray(first), np.asarray(second)
        return one.shape == other.shape and bool(np.all((one == other) | ((one != one) & (other != other))))
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return first.keys() == second.keys() and all(same(first[key], second[key]) for key in first)
    if isinstance(first, list | tuple) and isinstance(second, list | tuple):
        return len(first) == len(second) and all(map(same, first, second))
    return bool(first == second or (first != first and second != second))
