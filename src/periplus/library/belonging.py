"""The communities of pages as columns of a table: the subject, the path in the tree, those of the knowledge base."""

from __future__ import annotations

from typing import Any

from periplus.library.library import Library
from periplus.numeric.arrays import AnyArray
from periplus.pipeline.columns import paths_of

BELONGING = ("subject", "tree", "communities")


def belonging(library: Library, pages: AnyArray) -> dict[str, list[Any]]:
    """For each page the name of its subject, its path in the tree, the names of its communities; None for none."""
    found = library.memberships
    if found is None:
        return {name: [None] * len(pages) for name in BELONGING}
    subjects, paths = paths_of(found.tree)
    leaves = found.tree.labels[pages].tolist()
    named = [[found.base[number].name for number in found.of_page(page)] for page in pages.tolist()]
    return {
        "subject": [subjects[leaf] for leaf in leaves],
        "tree": [paths[leaf] for leaf in leaves],
        "communities": ["; ".join(names) or None for names in named],
    }
