"""Names that a package offers and loads when they are first used, so that importing the package is cheap."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Container, Mapping
from typing import Any


def loader(package: str, homes: Mapping[str, str], parts: Container[str] = ()) -> Callable[[str], Any]:
    """The `__getattr__` of a package whose names live in the modules that `homes` tells, or are `parts` of it."""

    def load(name: str) -> Any:
        if name in parts:
            return importlib.import_module(f"{package}.{name}")
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(homes[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return load
