"""What every algorithm returns about the pages of a graph: the values, and all it takes to trust and repeat them.

    Record             method, parameters, iterations, residual, certified error, digest of the graph
    ├── Scores         one number per page         rankings
    ├── PageLabels     one label per page          components, regions of the bow-tie, communities
    └── PagePositions  one point in space per page the sky

A record knows the names of its pages where the graph has URLs. On disk it is NAME.npy beside NAME.json, and an array
NAME-KEY.npy for each further number per page (`extra`): hubs, half-widths.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from html import escape
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from periplus.durable import write_atomically
from periplus.errors import FormatError, MissingDependencyError, NotConvergedError, ParameterError
from periplus.numeric.arrays import AnyArray, Floats, Ids, Offsets
from periplus.numeric.npy import load_array

# Binary digits by which scores are told apart: what is left of a float64 below them is the rounding of a solver.
_DIGITS = 40
_SHOWN = 10


class Ranked(NamedTuple):
    """One line of a ranking: the place (pages that tie share one), the page, its URL where known, its score."""

    place: int
    page: int
    url: str | None
    score: float


class Findings:
    """A frozen dataclass whose fields are its JSON; the metadata {"json": NAME} renames a field, None leaves it out."""

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain data."""
        assert is_dataclass(self)
        named = [(one.metadata.get("json", one.name), one.name) for one in fields(self)]
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


@dataclass(frozen=True)
class Record:
    """How an answer came about. Subclasses add the answer: one array with a row per page.

    `error_bound` is a certified bound on ‖values − exact‖₁ (NaN where the method has none; its docstring says). `extra`
    holds what only some methods have: the hub vector, the eigengap, confidence half-widths.
    """

    ARRAY: ClassVar[str]
    VALUE: ClassVar[str]

    method: str
    _: KW_ONLY
    parameters: Mapping[str, Any] = field(default_factory=dict)
    iterations: int = 0
    residual: float = 0.0
    error_bound: float = math.nan
    converged: bool = True
    graph_digest: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    urls: Any = field(default=None, repr=False, compare=False)

    @property
    def array(self) -> AnyArray:
        """The answer itself, one row per page."""
        return getattr(self, self.ARRAY)

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, page: int | str) -> Any:
        """The value of one page, by id or by URL."""
        return plain(self.array[self.page(page) if isinstance(page, str) else page])

    def page(self, url: str) -> int:
        """The id of a URL."""
        found: int | None = None if self.urls is None else self.urls.find(url)
        if found is None:
            raise ParameterError("page", url, "a page id, or the URL of a page of this graph")
        return found

    def url(self, page: int) -> str | None:
        """The URL of a page; None where the graph has no URLs."""
        return None if self.urls is None else str(self.urls[page])

    @property
    def findings(self) -> dict[str, Any]:
        """What only this method tells, and is one number or word."""
        return {name: value for name, value in self.extra.items() if isinstance(value, bool | int | float | str)}

    def to_dict(self) -> dict[str, Any]:
        """The JSON beside the array on disk: everything but the arrays. A bound that does not exist is null."""
        return {
            "method": self.method,
            "parameters": dict(self.parameters),
            "iterations": self.iterations,
            "residual": self.residual,
            "error_bound": self.error_bound if math.isfinite(self.error_bound) else None,
            "converged": self.converged,
            "graph_digest": self.graph_digest,
            **self.findings,
        }

    def or_raise(self, *, spent: bool = True) -> Self:
        """Self when converged; otherwise `NotConvergedError` that carries this record.

        `spent` says that all passes allowed were made: where more were allowed, rounding leaves none to gain.
        """
        if self.converged:
            return self
        bound = math.isfinite(self.error_bound)
        reached = f"an error bound of {self.error_bound:.3g}" if bound else f"a residual of {self.residual:.3g}"
        raise NotConvergedError(
            f"{self.method} stopped after {self.iterations} passes with {reached}: allow {more_to_allow(spent)}", self
        )

    # -- on disk -----------------------------------------------------------------------------------------

    def files(self, name: str) -> dict[str, bytes]:
        """The record as files: its arrays, and the JSON beside them."""
        further = {key: value for key, value in self.extra.items() if self._is_per_page(value)}
        arrays = {name: self.array} | {f"{name}-{key}": value for key, value in further.items()}
        described = {"record": type(self).__name__, **self.to_dict(), "arrays": sorted(further)}
        files = {f"{stem}.npy": _npy(values) for stem, values in arrays.items()}
        return files | {f"{name}.json": json.dumps(described, indent=1, default=str).encode()}

    def save(self, folder: str | Path, name: str | None = None) -> None:
        """Write the record into a folder, under its method's name or another; the JSON comes last."""
        for file, data in self.files(name or self.method).items():
            write_atomically(Path(folder) / file, data)

    @classmethod
    def load(cls, folder: str | Path, name: str, *, urls: Any = None) -> Self:
        """The record of that name, its arrays memory-mapped."""
        path = Path(folder) / f"{name}.json"
        try:
            stored = json.loads(path.read_bytes())
            arrays = stored.pop("arrays", None)
            known: dict[str, Any] = {one: stored.pop(one) for one in _STORED if one in stored}
        except (ValueError, AttributeError) as error:
            raise FormatError(path, f"is no record of an algorithm ({error})") from error
        stored.pop("record", None)
        if arrays is None:  # written before 0.2, which kept hubs only
            arrays = ["hubs"] if path.with_name(f"{name}-hubs.npy").exists() else []
        further = {key: load_array(path.with_name(f"{name}-{key}.npy"), mapped=True) for key in arrays}
        bound = known.pop("error_bound", None)
        known[cls.ARRAY] = load_array(path.with_name(f"{name}.npy"), mapped=True)
        return cls(error_bound=math.nan if bound is None else bound, extra=stored | further, urls=urls, **known)

    @classmethod
    def load_all(cls, folder: str | Path, *, urls: Any = None) -> dict[str, Self]:
        """Every record of a folder by name."""
        names = [path.stem for path in sorted(Path(folder).glob("*.json")) if path.with_suffix(".npy").exists()]
        return {name: cls.load(folder, name, urls=urls) for name in names}

    def _is_per_page(self, value: object) -> bool:
        return isinstance(value, np.ndarray) and value.shape[:1] == self.array.shape[:1]

    # -- as a table --------------------------------------------------------------------------------------

    def columns(self) -> dict[str, Any]:
        """One list or array per column of the table of pages, by page id."""
        table: dict[str, Any] = {"page": np.arange(len(self))}
        if self.urls is not None:
            table["url"] = [str(self.urls[page]) for page in range(len(self))]
        return table | {self.VALUE: self.array}

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The rows of `columns`, in the order of the ids."""
        return zip(*map(_as_list, self.columns().values()), strict=True)

    def to_csv(self, path: str | Path) -> None:
        """Write the table of pages; texts that a spreadsheet would run as a formula get an apostrophe in front."""
        write_atomically(Path(path), csv_text(tuple(self.columns()), self.rows()).encode("utf-8", "replace"))

    def to_pandas(self) -> Any:
        """The table of pages as a pandas DataFrame."""
        return _library("pandas").DataFrame(self.columns())

    def to_polars(self) -> Any:
        """The table of pages as a polars DataFrame."""
        return _library("polars").DataFrame({name: _as_list(column) for name, column in self.columns().items()})

    def _repr_html_(self) -> str:
        """The short view of a notebook: what it is, how sure, and the first lines."""
        sure = f", error at most {self.error_bound:.2g}" if math.isfinite(self.error_bound) else ""
        head = f"<b>{escape(self.method)}</b>: {len(self):,} pages, {self.iterations:,} passes{sure}"
        names, lines = self._shown()
        cells = "".join(f"<th>{escape(name)}</th>" for name in names)
        body = "".join("<tr>" + "".join(f"<td>{escape(str(one))}</td>" for one in line) + "</tr>" for line in lines)
        return f"<div>{head}<table><tr>{cells}</tr>{body}</table></div>"

    def _shown(self) -> tuple[Sequence[str], Iterable[Sequence[object]]]:
        """Column names and the few rows that a notebook shows."""
        return tuple(self.columns()), [row for row, _ in zip(self.rows(), range(_SHOWN), strict=False)]


_STORED = ("method", "parameters", "iterations", "residual", "error_bound", "converged", "graph_digest")


@dataclass(frozen=True, repr=False)
class Scores(Record):
    """One float64 per page; more is better."""

    ARRAY = "values"
    VALUE = "score"

    values: Floats

    def __repr__(self) -> str:
        bound = f", error ≤ {self.error_bound:.2g}" if math.isfinite(self.error_bound) else ""
        return f"Scores({self.method}, {len(self):,} pages{bound})"

    def best(self, count: int = 20) -> Ids:
        """Ids of the best pages, best first; equal scores by smaller id, so the order is one for all."""
        return best_first(self.values)[: max(0, count)].astype(np.uint32)

    def top(self, count: int = 20) -> list[Ranked]:
        """The best pages, best first, with their places, URLs and scores."""
        pages = self.best(count).tolist()
        return [Ranked(int(self.places[page]), page, self.url(page), float(self.values[page])) for page in pages]

    @cached_property
    def places(self) -> Offsets:
        """The place of every page: one more than the pages with a higher score; to twelve digits, ties share one."""
        ordered = np.sort(-rounded(self.values))
        return np.searchsorted(ordered, -rounded(self.values), side="left") + 1

    @cached_property
    def tied_with(self) -> Offsets:
        """How many other pages have the same score, to twelve digits."""
        ordered = np.sort(-rounded(self.values))
        return np.searchsorted(ordered, -rounded(self.values), side="right") - self.places

    def of_hubs(self) -> Scores:
        """The same record about the hubs: their vector, and the bound that holds for it (NaN where there is none)."""
        if "hubs" not in self.extra:
            raise ParameterError("method", self.method, "a ranking with hubs, such as hits or salsa")
        bound = self.extra.get("hubs_error_bound", math.nan)
        return replace(self, values=self.extra["hubs"], error_bound=float(bound))

    def columns(self) -> dict[str, Any]:
        return super().columns() | {"rank": self.places, "tied_with": self.tied_with}

    def _shown(self) -> tuple[Sequence[str], Iterable[Sequence[object]]]:
        lines = [(one.place, one.url or one.page, f"{one.score:.6g}") for one in self.top(_SHOWN)]
        return ("place", "page", "score"), lines


@dataclass(frozen=True, repr=False)
class PageLabels(Record):
    """One label per page: the number of its group, −1 for none. `names[label]` is what a group is called."""

    ARRAY = "labels"
    VALUE = "label"

    labels: AnyArray
    names: Sequence[str] = ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.method}, {len(self):,} pages in {len(self.sizes):,} groups)"

    @cached_property
    def sizes(self) -> Offsets:
        """The number of pages in each group."""
        return np.bincount(self.labels[self.labels >= 0], minlength=len(self.names)).astype(np.int64)

    def members(self, label: int) -> Ids:
        """The pages of one group."""
        return np.flatnonzero(self.labels == label).astype(np.uint32)

    def top(self, count: int = 20) -> list[tuple[int, str, int]]:
        """The largest groups: label, name, pages."""
        order = np.argsort(-self.sizes, kind="stable")[: max(0, count)].tolist()
        return [(label, self.name(label), int(self.sizes[label])) for label in order]

    def name(self, label: int) -> str:
        """What a group is called; its number where it has no name."""
        return self.names[label] if 0 <= label < len(self.names) else str(label)

    def columns(self) -> dict[str, Any]:
        named = {"name": [self.name(label) for label in self.labels.tolist()]} if len(self.names) else {}
        return super().columns() | named

    def _shown(self) -> tuple[Sequence[str], Iterable[Sequence[object]]]:
        return ("label", "name", "pages"), self.top(_SHOWN)


@dataclass(frozen=True, repr=False)
class PagePositions(Record):
    """One point in space per page."""

    ARRAY = "positions"
    VALUE = "position"

    positions: AnyArray

    def __repr__(self) -> str:
        return f"PagePositions({self.method}, {len(self):,} pages)"

    def columns(self) -> dict[str, Any]:
        table = {name: column for name, column in super().columns().items() if name != self.VALUE}
        return table | {axis: self.positions[:, at] for at, axis in enumerate("xyz"[: self.positions.shape[1]])}


# -- the order of scores -------------------------------------------------------------------------------------


def rounded(values: AnyArray) -> Floats:
    """The values to twelve digits, so that pages which tie but for a solver's rounding tie."""
    mantissa, exponent = np.frexp(np.asarray(values, dtype=np.float64))
    return np.ldexp(np.round(np.ldexp(mantissa, _DIGITS)), exponent - _DIGITS)


def best_first(values: AnyArray) -> Offsets:
    """Ids of the pages, best first; scores that agree to twelve digits go by smaller id, in all rankings alike."""
    return np.argsort(-rounded(values), kind="stable")


def more_to_allow(spent: bool) -> str:
    """What to allow an algorithm that has not converged, after all passes allowed or before."""
    return "more passes or a larger tolerance" if spent else "a larger tolerance (more passes gain nothing)"


# -- tables as text ------------------------------------------------------------------------------------------

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV; a text that a spreadsheet would run as a formula gets an apostrophe in front."""
    out = StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([f"'{one}" if isinstance(one, str) and one.startswith(_FORMULA) else one for one in row])
    return out.getvalue()


def _npy(values: AnyArray) -> bytes:
    buffer = BytesIO()
    np.save(buffer, values)
    return buffer.getvalue()


def _as_list(column: Any) -> list[Any]:
    return column.tolist() if isinstance(column, np.ndarray) else list(column)


def _library(name: str) -> Any:
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingDependencyError(name, name, "A table as a DataFrame") from error
