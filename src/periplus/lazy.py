"""Names that a package offers and loads when they are first used, so that importing the package is cheap."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any


def offers(
    package: str, homes: Mapping[str, str], parts: Iterable[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package that offers the names in `homes`.

    `homes` maps each name to the module that defines it; `parts` are sub-packages, reached as attributes. A module that
    bears an offered name does not take its place: importing a module makes it an attribute of its package.
    """
    parts = tuple(parts)

    class Offering(ModuleType):
        def __setattr__(self, name: str, value: object) -> None:
            if not (name in homes and isinstance(value, ModuleType)):
                super().__setattr__(name, value)

    sys.modules[package].__class__ = Offering

    def load(name: str) -> Any:
        if name in parts:
            return importlib.import_module(f"{package}.{name}")
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(homes[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    def listed() -> list[str]:
        return sorted({*sys.modules[package].__all__, *parts})

    return load, listed
