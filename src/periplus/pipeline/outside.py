"""The links of a collection's pages to URLs that are not stored, out of the parsed pages."""

from __future__ import annotations

from array import array

import numpy as np

from periplus.collection import Collection
from periplus.graph.urls.table import UrlTable
from periplus.numeric.arrays import Ids, Offsets
from periplus.pipeline.stages.graph import Newest, captures_of
from periplus.similar.outside import Outside
from periplus.web.url import sort_key


def outside_links(collection: Collection) -> Outside:
    """Every link that asks to be followed and leads out of the collection, where it stands first in its page."""
    captures = captures_of(collection)
    newest = Newest(captures())
    numbers: dict[str, int] = {}
    targets, sources, places = array("q"), array("I"), array("I")
    for page, _, document in newest.documents(captures()):
        seen: set[str] = set()
        for place, link in enumerate(() if document.nofollow else document.links):
            if link.followed and link.target not in seen and newest.resolve(link.target) is None:
                seen.add(link.target)
                targets.append(numbers.setdefault(link.target, len(numbers)))
                sources.append(page)
                places.append(place)
    ends = np.array(targets, np.int64), np.array(sources, np.uint32), np.array(places, np.uint32)
    return _by_url(list(numbers), *ends)


def _by_url(urls: list[str], targets: Offsets, sources: Ids, places: Ids) -> Outside:
    keys = [sort_key(url) for url in urls]
    order = sorted(range(len(urls)), key=keys.__getitem__)
    rank = np.empty(len(urls), np.int64)
    rank[order] = np.arange(len(urls))
    ranked = rank[targets]
    by_url = np.lexsort((sources, ranked))
    offsets = np.concatenate(([0], np.cumsum(np.bincount(ranked, minlength=len(urls)))))
    return Outside(UrlTable.from_keys(keys[i] for i in order), offsets, sources[by_url], places[by_url])
