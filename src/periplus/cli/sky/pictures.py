"""What `periplus map` draws: which colours stars have, which links are lines, and what stars are called."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from periplus.cli.shared.output import OutputFile

if TYPE_CHECKING:
    from periplus.communities import Tree
    from periplus.graph import Graph
    from periplus.gravity.pictures.scene import Scene
    from periplus.numeric.arrays import AnyArray, Ids
    from periplus.record import PagePositions

_NAMED = 16
_ALIKE = 20  # letters by which titles are told apart
_LARGEST = 0.34  # share of the pages that one colour has at most, where the tree allows
_SITE = re.compile(r" [·|–—-] ")  # what many sites write between the title of a page and their own name
_MOST = 16_384  # pixels on a side


class MediaFile(OutputFile):
    """A picture or film of a sky; what encodes it must be installed."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        from periplus.gravity.pictures.film import require

        require()
        return path


class Pixels(click.ParamType[tuple[int, int]]):
    """Width and height, as 1920x1080; both even, as films need."""

    name = "WxH"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        width, _, height = str(value).lower().partition("x")
        if not (width.isdecimal() and height.isdecimal()):
            self.fail(f"{value} is no size: write it as 1920x1080", param, ctx)
        found = int(width), int(height)
        if min(found) < 16 or max(found) > _MOST or any(one % 2 for one in found):
            self.fail(f"{value}: both numbers must be even, from 16 to {_MOST:,}", param, ctx)
        return found


def media_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--png`, `--video` and how large and long they are."""
    filmed = "Film how it came about (.webm, .mp4, .gif)."
    options = (
        click.option("--png", type=MediaFile(".png"), help="Draw the sky."),
        click.option("--video", type=MediaFile(".webm", ".mp4", ".gif"), help=filmed),
        click.option("--size", type=Pixels(), default="1280x720", show_default=True, help="Pixels of both."),
        click.option(
            "--seconds", type=click.FloatRange(1, 600), default=12.0, show_default=True, help="Length of the film."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def draw(
    sky: PagePositions,
    scene: Scene,
    *,
    png: str | None,
    video: str | None,
    size: tuple[int, int],
    seconds: float,
    tell: Callable[[str], None],
) -> None:
    """Write what was asked for."""
    from periplus.gravity.pictures import film

    shape = film.Size(*size, seconds)
    if png is not None:
        film.write_still(png, film.still(sky, scene, shape))
    if video is None:
        return
    total = sum(film.frames_of(shape))

    def told() -> Any:
        for number, frame in enumerate(film.pictures(sky, scene, shape), 1):
            tell(f"frame {number:,} of {total:,}")
            yield frame

    film.write_film(video, told(), shape)


def scene_of(target: str, sky: PagePositions, graph: Graph, tree: Tree | None) -> Scene:
    """The stars of a sky, the heaviest first, with colours, names and the links that pulled."""
    import numpy as np

    from periplus.gravity.pictures.scene import Scene, sample_of_links

    order = np.asarray(sky.extra["order"])
    star = np.empty(len(order), np.int64)
    star[order] = np.arange(len(order))
    sources = np.repeat(star, graph.out_degrees)
    subjects = _subjects(tree)
    named = _named(order, subjects)
    names = _names(target, graph, order[named])
    return Scene(
        masses=np.asarray(sky.extra["masses"], float)[order],
        colours=_colours(graph, subjects)[order],
        links=sample_of_links(sources, star[graph.out_targets]),
        names=dict(zip(named, names, strict=True)) if names else {},
    )


def _colours(graph: Graph, subjects: AnyArray | None) -> AnyArray:
    """By subject where there is a tree, by site where there are several, else by id."""
    import numpy as np

    from periplus.gravity.layouts import has_sites
    from periplus.gravity.pictures import colours

    if subjects is not None:
        return colours.of_groups(subjects)
    if has_sites(graph) and len(np.unique(sites := graph.urls.site_ids())) > 1:
        return colours.of_groups(np.unique(sites, return_inverse=True)[1])
    return colours.along(graph.nodes)


def _subjects(tree: Tree | None) -> AnyArray | None:
    """The number of each page's subject: the highest level of the tree in which none has most of the pages."""
    import numpy as np

    if tree is None or not len(tree.parents) > 2:
        return None
    for level in islice(tree.levels(), 3):
        found = np.unique(level, return_inverse=True)[1]
        if np.bincount(found).max() <= _LARGEST * len(found):
            break
    return found


def _named(order: Ids, subjects: AnyArray | None) -> list[int]:
    """The heaviest star of each large subject, then the next heaviest, until there are enough."""
    import numpy as np

    stars = range(min(len(order), _NAMED))
    if subjects is None:
        return list(stars)
    first = np.unique(subjects[order], return_index=True)[1]
    largest = np.argsort(-np.bincount(subjects), kind="stable")[: _NAMED - 4]
    return sorted(list(dict.fromkeys([*first[largest].tolist(), *stars]))[:_NAMED])


def _names(target: str, graph: Graph, pages: Ids) -> list[str]:
    """Titles of a collection's pages, else the last part of their URLs; none where there are none."""
    from periplus.collection import Collection

    if graph.urls is None:
        return []
    urls = [str(graph.urls[page]) for page in pages.tolist()]
    titles = [""] * len(urls)
    if Collection.is_collection(target):
        from periplus.library.told import told_of

        told = told_of(Collection.open(target), graph.urls)
        titles = [_SITE.split(told[page].title)[0] for page in pages.tolist()]
    # Titles that begin alike tell nothing once they are cut: the addresses say more.
    alike = Counter(title[:_ALIKE] for title in titles)
    return [
        title if title and alike[title[:_ALIKE]] == 1 else _tail(url) for title, url in zip(titles, urls, strict=True)
    ]


def _tail(url: str) -> str:
    """The host, or the last part of the path where there is one."""
    from urllib.parse import unquote

    parts = urlsplit(url) if "://" in url else None
    path = url if parts is None else parts.path.strip("/")
    name = unquote(path.rpartition("/")[2]).replace("_", " ")
    return re.sub(r"\.(html?|php|aspx?)$", "", name) or (parts.netloc if parts else url)
