"""`Record`: how an answer about the pages of a graph came about, what it says of each page, and where it is kept."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from html import escape
from pathlib import Path
from typing import Any, ClassVar, Self, overload

import numpy as np

from periplus.durable import write_atomically
from periplus.errors import FormatError, NotConvergedError, ParameterError
from periplus.numeric.arrays import AnyArray
from periplus.numeric.given import is_whole
from periplus.record import disk, tables
from periplus.record.plain import plain, same
from periplus.wording import counted

_SHOWN = 10
# What JSON holds of each field.
_IN_JSON: Mapping[str, type | tuple[type, ...]] = {
    "method": str,
    "parameters": dict,
    "iterations": int,
    "residual": (int, float),
    "error_bound": (int, float),
    "converged": bool,
    "graph_digest": str,
    "names": list,
}


class _Digest:
    """The digest of the graph: a text, or the graph itself, which is asked when somebody reads the digest.

    A digest reads every link, which takes longer than finding the components; most callers want only the labels.
    """

    @overload
    def __get__(self, record: None, owner: type) -> str: ...
    @overload
    def __get__(self, record: object, owner: type) -> str: ...
    def __get__(self, record: object | None, owner: type) -> str:
        if record is None:
            return ""  # the default of the field
        given = vars(record)["_digest"]
        if not isinstance(given, str):
            given = vars(record)["_digest"] = given.digest
        return given

    def __set__(self, record: object, value: Any) -> None:
        vars(record)["_digest"] = value


@dataclass(frozen=True, eq=False, repr=False)
class Record:
    """How an answer came about. Subclasses add the answer: one array with a row per page.

    `error_bound` is a certified bound on ‖values − exact‖₁ (NaN where the method has none; its docstring says).
    `graph_digest` may be given as the graph, whose digest is then read when it is asked for. `extra` holds what only
    some methods have: the hub vector, the eigengap, confidence half-widths.
    """

    KIND: ClassVar[str]  # what it is on disk, and in `Algorithm.returns`
    ARRAY: ClassVar[str]  # the field that holds a row per page
    VALUE: ClassVar[str]  # its column in a table
    FORM: ClassVar[tuple[int, str, str]]  # dimensions of that array, kinds of numbers in it, the same in words

    method: str
    _: KW_ONLY
    parameters: Mapping[str, Any] = field(default_factory=dict)
    iterations: int = 0
    residual: float = 0.0
    error_bound: float = math.nan
    converged: bool = True
    graph_digest: _Digest = _Digest()
    extra: Mapping[str, Any] = field(default_factory=dict)
    urls: Any = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.urls is not None and len(self.urls) != len(self):
            raise ParameterError("urls", f"{len(self.urls):,} names", f"one for each of {len(self):,} pages")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.method}, {self._counted()})"

    def _counted(self) -> str:
        return counted(len(self), "page")

    def __eq__(self, other: object) -> bool:
        """The same answer, number by number, that came about in the same way; names of pages do not count."""
        if type(other) is not type(self):
            return NotImplemented
        compared = [one.name for one in fields(self) if one.compare]
        return all(same(getattr(self, name), getattr(other, name)) for name in compared)

    def __hash__(self) -> int:
        return hash((type(self), self.method, len(self)))

    # -- pages -------------------------------------------------------------------------------------------

    @property
    def array(self) -> AnyArray:
        """The answer itself, one row per page."""
        return getattr(self, self.ARRAY)

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.array.tolist())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> AnyArray:
        return np.array(self.array, dtype=dtype, copy=copy)

    def __getitem__(self, page: int | str) -> Any:
        """The value of one page, by id or by URL."""
        return plain(self.array[self.page(page)])

    def page(self, page: int | str) -> int:
        """The id of a page that is given by id or by URL; what is no page of this graph is refused."""
        if is_whole(page) and 0 <= int(page) < len(self):
            return int(page)
        if isinstance(page, str) and self.urls is not None and (found := self.urls.find(page)) is not None:
            return int(found)
        ids = f"a page id from 0 to {len(self) - 1}" if len(self) else "none: this graph has no pages"
        known = ", or the URL of a page of this graph" if self.urls is not None else " (this graph has no URLs)"
        raise ParameterError("page", page, ids + (known if len(self) else ""))

    def url(self, page: int) -> str | None:
        """The URL of a page; None where the graph has no URLs."""
        return None if self.urls is None else str(self.urls[self.page(page)])

    # -- how it came about -------------------------------------------------------------------------------

    @property
    def findings(self) -> dict[str, Any]:
        """What only this method tells, without the arrays."""
        return {name: plain(value) for name, value in self.extra.items() if not isinstance(value, np.ndarray)}

    def to_dict(self) -> dict[str, Any]:
        """Everything but the arrays, as plain data. A bound that does not exist is null."""
        return self._described()

    def _described(self) -> dict[str, Any]:
        left_out = (self.ARRAY, "extra", "urls")
        told = {one.name: plain(getattr(self, one.name)) for one in fields(self) if one.name not in left_out}
        return told | {"error_bound": self.error_bound if math.isfinite(self.error_bound) else None} | self.findings

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
        further = {key: value for key, value in self.extra.items() if isinstance(value, np.ndarray)}
        return disk.as_files(name, self.KIND, self._described(), {self.ARRAY: self.array, **further})

    def save(self, folder: str | Path, name: str | None = None) -> None:
        """Write the record into a folder, under its method's name or another; the JSON comes last."""
        files = self.files(self.method if name is None else name)
        Path(folder).mkdir(parents=True, exist_ok=True)
        for file, data in files.items():
            write_atomically(Path(folder) / file, data)

    @classmethod
    def load(cls, folder: str | Path, name: str, *, urls: Any = None) -> Self:
        """The record of that name, its arrays memory-mapped; `urls` are those of its graph."""
        path = Path(folder) / f"{name}.json"
        described, arrays = disk.read_record(path, cls.KIND, cls.ARRAY)
        answer = arrays.pop(cls.ARRAY)
        dimensions, kinds, words = cls.FORM
        if answer.ndim != dimensions or answer.dtype.kind not in kinds:
            found = f"is an array of {answer.dtype} of shape {answer.shape}, not {words}"
            raise FormatError(path.with_name(f"{name}.npy"), f"{found}: {disk.AGAIN}")
        if urls is not None and len(urls) != len(answer):
            raise FormatError(path, f"is about {len(answer):,} pages, the graph has {len(urls):,}: {disk.AGAIN}")
        if described.get("error_bound") is None:
            described["error_bound"] = math.nan
        for key, kind in _IN_JSON.items():
            if key in described and not isinstance(described[key], kind):
                raise FormatError(path, f"{key} = {described[key]!r} cannot be: {disk.AGAIN}")
        own = {one.name for one in fields(cls)} & described.keys() - {"extra", "urls"}
        known: dict[str, Any] = {key: described.pop(key) for key in own} | {cls.ARRAY: answer}
        try:
            return cls(**known, extra=described | arrays, urls=urls)
        except TypeError as error:
            raise FormatError(path, f"is no whole {cls.__name__} ({error}): {disk.AGAIN}") from error

    @classmethod
    def load_all(cls, folder: str | Path, *, urls: Any = None) -> dict[str, Self]:
        """Every record of this kind in a folder, by name."""
        names = disk.record_names(Path(folder), cls.KIND)
        return {name: cls.load(folder, name, urls=urls) for name in names}

    # -- as a table --------------------------------------------------------------------------------------

    def columns(self) -> dict[str, Any]:
        """One list or array per column of the table of pages, by page id; `url` only where the graph has URLs."""
        table: dict[str, Any] = {"page": np.arange(len(self))}
        if self.urls is not None:
            table["url"] = [str(url) for url in self.urls]
        return table | {self.VALUE: self.array}

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The rows of `columns`, in the order of the ids."""
        return tables.rows_of(self.columns())

    def to_csv(self, path: str | Path) -> None:
        """Write the table of pages; texts that a spreadsheet would run as a formula get an apostrophe in front."""
        tables.write_csv(path, tuple(self.columns()), self.rows())

    def to_pandas(self) -> Any:
        """The table of pages as a pandas DataFrame."""
        return tables.data_frame("pandas", self.columns())

    def to_polars(self) -> Any:
        """The table of pages as a polars DataFrame."""
        return tables.data_frame("polars", self.columns())

    def _repr_html_(self) -> str:
        """The short view of a notebook: what it is, how sure, and the first lines."""
        facts = [self._counted()]
        if self.iterations:
            facts.append(counted(self.iterations, "pass"))
        if math.isfinite(self.error_bound):
            facts.append(f"error at most {self.error_bound:.2g}")
        if not self.converged:
            facts.append("not converged")
        return tables.html_table(f"<b>{escape(self.method)}</b>: {', '.join(facts)}", *self._shown())

    def _shown(self) -> tuple[Sequence[str], Iterable[Sequence[object]]]:
        """Column names and the few rows that a notebook shows."""
        return tuple(self.columns()), [row for row, _ in zip(self.rows(), range(_SHOWN), strict=False)]


def more_to_allow(spent: bool) -> str:
    """What to allow an algorithm that has not converged, after all passes allowed or before."""
    return "more passes or a larger tolerance" if spent else "a larger tolerance (more passes gain nothing)"
