"""Records on disk: NAME.npy beside NAME.json, and NAME-KEY.npy for every further array (hubs, half-widths).

The JSON says what kind of record it is ("record"), how it came about, and the shape of every array ("arrays"), so that
an array which was cut short or belongs to another record is found out. Records written before 0.2 say neither: they are
scores, with hubs where NAME-hubs.npy is there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from periplus.errors import FormatError, InputError, ParameterError
from periplus.numeric.arrays import AnyArray
from periplus.numeric.npy import load_array

_KIND, _ARRAYS = "record", "arrays"
AGAIN = "compute the record again and save it"


def as_files(name: str, kind: str, described: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> dict[str, bytes]:
    """A record as files by name, the JSON last; the first array is the record's own."""
    if not name or name.startswith(".") or {"/", "\\", "\0"} & set(name):
        raise ParameterError("name", name, "the name of a file, without a folder")
    stems = _stems(name, list(arrays))
    shapes = {key: list(array.shape) for key, array in arrays.items()}
    text = json.dumps({_KIND: kind, **described, _ARRAYS: shapes}, indent=1, default=str)
    return {f"{stems[key]}.npy": _npy(array) for key, array in arrays.items()} | {f"{name}.json": text.encode()}


def read_record(path: Path, kind: str, main: str) -> tuple[dict[str, Any], dict[str, AnyArray]]:
    """What a record's JSON says, and its arrays, memory-mapped; `main` is the array that has a row per page."""
    described = _read_json(path)
    found = _kind(described)
    if found is None:
        raise FormatError(path, f"is no record of an algorithm: {AGAIN}")
    if found != kind:
        raise FormatError(path, f"holds {found}, not {kind}: load it as what it is")
    described.pop(_KIND, None)
    shapes = described.pop(_ARRAYS, None)
    if shapes is None:  # written before 0.2
        shapes = {main: None} | ({"hubs": None} if path.with_name(f"{path.stem}-hubs.npy").exists() else {})
    if not isinstance(shapes, dict) or next(iter(shapes), None) != main:
        raise FormatError(path, f"does not say which arrays belong to it: {AGAIN}")
    stems = _stems(path.stem, list(shapes))
    return described, {key: _read_array(path.with_name(f"{stems[key]}.npy"), shape) for key, shape in shapes.items()}


def record_names(folder: Path, kind: str) -> list[str]:
    """The records of one kind in a folder; other JSON files there are passed over."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder. Save a record there first, or name another folder")
    return [path.stem for path in sorted(folder.glob("*.json")) if _kind(_read_json(path)) == kind]


def _stems(name: str, keys: list[str]) -> dict[str, str]:
    """The file of each array, without its ending; the first is the record's own."""
    return {key: f"{name}-{key}" if at else name for at, key in enumerate(keys)}


def _kind(described: Mapping[str, Any]) -> str | None:
    """What kind of record this is; None where it is none."""
    if not isinstance(described.get("method"), str):
        return None
    return str(described.get(_KIND, "scores"))


def _read_json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except FileNotFoundError as error:
        here = ", ".join(sorted(one.stem for one in path.parent.glob("*.json"))) or "none"
        raise InputError(f"{path}: no such record. Records there: {here}") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise FormatError(path, f"is no JSON ({error}): {AGAIN}") from error
    if not isinstance(found, dict):
        raise FormatError(path, f"is no record of an algorithm: {AGAIN}")
    return found


def _read_array(path: Path, shape: object) -> AnyArray:
    try:
        found = load_array(path, mapped=True)
    except FormatError as error:
        raise FormatError(path, f"{error.problem}. Remedy: {AGAIN}") from error
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}. It belongs to a record: {AGAIN}") from error
    if shape is not None and list(found.shape) != shape:
        raise FormatError(path, f"has the shape {list(found.shape)}, its record says {shape}: {AGAIN}")
    return found


def _npy(values: AnyArray) -> bytes:
    buffer = BytesIO()
    np.save(buffer, values)
    return buffer.getvalue()
