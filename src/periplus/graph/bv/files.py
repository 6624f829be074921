"""Where the files of a BVGraph lie: a base name and three endings. No compiled code, so that looking is cheap."""

from __future__ import annotations

from pathlib import Path

from periplus.errors import InputError

ENDINGS = (".graph", ".properties", ".offsets")
_NAMES = (*ENDINGS, ".bv")  # what a person may write for the base name


def file_of(basename: Path, ending: str) -> Path:
    return basename.with_name(basename.name + ending)


def basename_of(path: str | Path) -> Path | None:
    """The base name that a path means: itself, one of the three files, or a folder with exactly one BVGraph."""
    path = Path(path)
    if path.is_dir():
        found = [each for each in sorted(path.glob("*.properties")) if each.with_suffix(".graph").is_file()]
        return found[0].with_suffix("") if len(found) == 1 else None
    for base in (path, path.with_suffix("")) if path.suffix in _NAMES else (path,):
        if file_of(base, ".properties").is_file() and file_of(base, ".graph").is_file():
            return base
    return None


def existing_basename(path: str | Path) -> Path:
    """The base name, or an error that says what is missing."""
    basename = basename_of(path)
    if basename is None:
        raise InputError(f"{path}: there is no {path}.graph with {path}.properties")
    return basename
