"""Companion and Cocitation, transcribed sentence by sentence from Dean and Henzinger (1999), slow and plain.

A web is a dict from page to the list of pages it links to, in the order of the links.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction

Web = dict[int, list[int]]


@dataclass(frozen=True)
class Sizes:
    back_forward: int
    forward: int
    forward_back: int


def parents_of(web: Web, page: int) -> list[int]:
    return [other for other, links in sorted(web.items()) if page in links]


def children_around(web: Web, parent: int, page: int, most: int, stop: set[int]) -> list[int]:
    children = [one for one in web[parent] if one not in stop]
    if len(children) <= most + 1:
        return [one for one in children if one != page]
    at = children.index(page)
    return children[max(0, at - most // 2) : at] + children[at + 1 : at + 1 + most // 2]


def vicinity(web: Web, page: int, sizes: Sizes, stop: set[int]) -> set[int]:
    stop = set() if page in stop else stop
    found = {page}
    for parent in parents_of(web, page):
        if parent not in stop and parent != page:
            found |= {parent, *children_around(web, parent, page, sizes.back_forward, stop)}
    children = [one for one in web[page] if one not in stop and one != page][: sizes.forward]
    found |= set(children)
    for child in children:
        others = [one for one in parents_of(web, child) if one not in stop and one != page]
        others.sort(key=lambda one: (-len(parents_of(web, one)), one))
        found |= set(others[: sizes.forward_back])
    return found


def near_duplicates(first: set[int], second: set[int]) -> bool:
    if len(first) <= 10 or len(second) <= 10:
        return False
    return Fraction(len(first & second), max(len(first), len(second))) > Fraction(95, 100)


def groups_of(web: Web, pages: set[int]) -> list[set[int]]:
    groups = [{page} for page in sorted(pages)]
    for one in sorted(pages):
        for other in sorted(pages):
            if one < other and near_duplicates(set(web[one]), set(web[other])):
                mine = next(group for group in groups if one in group)
                theirs = next(group for group in groups if other in group)
                if mine is not theirs:
                    mine |= theirs
                    groups.remove(theirs)
    return groups


def companions(web: Web, page: int, hosts: list[int], sizes: Sizes, stop: set[int]) -> dict[int, float]:
    """The authority of every page of the vicinity that stands for its near-duplicates; the page itself left out."""
    pages = vicinity(web, page, sizes, stop)
    best = {}
    for group in groups_of(web, pages):
        chief = min(group, key=lambda one: (-len(parents_of(web, one)), one))
        best |= dict.fromkeys(group, chief)
    edges = {(best[one], best[other]) for one in pages for other in web[one] if other in pages}
    edges = {(one, other) for one, other in edges if hosts[one] != hosts[other]}
    from_host: defaultdict[tuple[int, int], int] = defaultdict(int)
    to_host: defaultdict[tuple[int, int], int] = defaultdict(int)
    for one, other in edges:
        from_host[hosts[one], other] += 1
        to_host[one, hosts[other]] += 1
    nodes = set(best.values())
    authority, hub = dict.fromkeys(nodes, 1.0), dict.fromkeys(nodes, 1.0)
    for _ in range(500):
        hub = unit({v: sum(authority[w] / to_host[v, hosts[w]] for u, w in edges if u == v) for v in nodes})
        authority = unit({w: sum(hub[v] / from_host[hosts[v], w] for v, u in edges if u == w) for w in nodes})
    return {one: score for one, score in authority.items() if one != best[page]}


def unit(vector: dict[int, float]) -> dict[int, float]:
    norm = sum(value * value for value in vector.values()) ** 0.5
    return {key: value / norm if norm else 0.0 for key, value in vector.items()}


def cocited(web: Web, page: int, most: int, stop: set[int]) -> dict[int, int]:
    """How often every sibling is cocited with the page, from twice up."""
    stop = set() if page in stop else stop
    parents = [one for one in parents_of(web, page) if one not in stop and one != page]
    near = {one for parent in parents for one in children_around(web, parent, page, most, stop)} - {page}
    degrees = {one: sum(one in web[parent] for parent in parents) for one in near}
    return {one: degree for one, degree in degrees.items() if degree >= 2}
