"""`periplus map`: let the pages of a web move to where their links pull them, and keep, draw or film it."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from periplus.cli.shared.options import options_of
from periplus.cli.shared.output import OutputFile, command, json_option, print_json, print_table, say, working
from periplus.cli.shared.plots import plot_option, write_plot
from periplus.cli.shared.target import lenient_option
from periplus.cli.sky.pictures import draw, media_options, scene_of
from periplus.errors import LockedError
from periplus.gravity.table import CONSTANTS, LAYOUTS, STARTS
from periplus.wording import counted

if TYPE_CHECKING:
    from periplus.communities import Tree
    from periplus.graph import Graph
    from periplus.gravity.formation import Formation
    from periplus.pipeline.shelf import Shelf
    from periplus.record import PagePositions

_EVERY = 60.0  # seconds between checkpoints
_HEAVIEST = 10


@click.command()
@click.argument("target")
@click.option("--preset", type=click.Choice(list(LAYOUTS)), default="sky", show_default=True, help="Which world.")
@click.option("--steps", type=click.IntRange(0, 10**7), help="Steps of time [default: 60 in sky, 3,000 in paper].")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="The same seed gives the same sky.")
@click.option(
    "--start",
    type=click.Choice(["tree", "cubes", *STARTS]),
    help="Where pages begin: by the tree of communities, each with the same room [default in sky] or in its cubes; by "
    "site; in a ring, a lattice, a ball; auto: by site where there are URLs, else in a ball [default in paper].",
)
@click.option("--navigational", is_flag=True, help="Keep the links within a site.")
@click.option("--out", type=OutputFile(".npy"), help="Write the positions: float32, a row of three numbers per page.")
@media_options
@plot_option("energy, mass and spread over time")
@click.option("--keep", metavar="NAME", help="The name that a collection keeps it under [default: that of the preset].")
@lenient_option
@json_option
def map(
    target: str, preset: str, out: str | None, plot: str | None, keep: str | None, as_json: bool, **settings: Any
) -> None:
    """Lay a web out in space by the gravitational model: a sky in which linked pages gather.

    TARGET is a collection, a graph folder, a graph file of any format or the base name of a WebGraph. A collection
    keeps its sky, which `periplus serve` shows. Ctrl-C loses nothing: the same command goes on from there.
    """
    from periplus.pipeline.shelf import Shelf

    with working(f"moving the pages of {Path(target).name}", quiet=as_json) as tell:
        media = {name: settings.pop(name) for name in ("png", "video", "size", "seconds")}
        shelf = Shelf.of(target, keep or preset, out or media["video"] or media["png"] or plot)
        if keep and shelf.collection is None:
            only = "only a collection keeps skies by name; --out keeps the positions of any other graph"
            raise click.BadParameter(only, param_hint="--keep")
        forming, tree = _formation(target, preset, settings)
        sky = _formed(forming, shelf, tell)
        if media["png"] or media["video"]:
            draw(sky, scene_of(target, sky, forming.simulation.graph, tree), **media, tell=tell)
    if out is not None:
        from periplus.cli.shared.writing import write_values

        write_values(out, sky.positions.astype("float32"), {})
    if plot is not None:
        _plot(plot, sky, Path(target).name)
    shelf.clear()
    if as_json:
        print_json(_described(sky, out))
        return
    _print(sky, target)
    if shelf.collection is not None:
        say(f"\nNext: {command('serve', target)} and look at /map.")
    elif out is None:
        say(f"\nNext: {command('map', target, '--out', 'positions.npy')} keeps the positions.")


map.params += options_of(CONSTANTS)


def _formation(target: str, preset: str, settings: dict[str, Any]) -> tuple[Formation, Tree | None]:
    """The formation asked for, before its first step, and the tree that it starts from."""
    from periplus.cli.rank.common import ranked_graph
    from periplus.pipeline.stages.sky import form, usual_steps

    graph = ranked_graph(target, lenient=settings.pop("lenient"))
    asked = {name: value for name, value in settings.items() if value is not None}
    steps = asked.pop("steps", usual_steps(preset))
    start = asked.pop("start", "tree" if preset == "sky" else "auto")
    tree = _tree(target, graph, asked["seed"]) if start in ("tree", "cubes") else None
    return form(graph, preset, steps=steps, tree=tree, start=start, **asked), tree


def _tree(target: str, graph: Graph, seed: int) -> Tree:
    """The tree that the build of a collection grew; of any other graph one grown now."""
    from periplus.collection import Collection
    from periplus.communities import tree
    from periplus.pipeline.stages.communities import load_communities

    if Collection.is_collection(target):
        return load_communities(Collection.open(target)).tree
    return tree(graph, seed=seed)


def _formed(forming: Formation, shelf: Shelf, tell: Callable[[str], None]) -> PagePositions:
    """The finished sky: the one kept, or the run from where it stopped, or from the beginning."""
    from periplus.gravity.formation import Formation

    kept = shelf.found(forming)
    if kept is not None and kept.converged:
        return kept
    shelf.ready()
    if kept is not None:
        forming = Formation.resume(forming.simulation.graph, kept)
    last = time.monotonic()

    with _interruption() as asked:

        def each(so_far: Formation) -> None:
            nonlocal last
            tell(f"step {so_far.simulation.steps:,} of {so_far.steps:,}")
            if asked() or time.monotonic() - last > _EVERY:
                with suppress(LockedError):  # somebody builds it just now: the next checkpoint may succeed
                    shelf.keep(so_far.record())
                last = time.monotonic()
            if asked():
                raise KeyboardInterrupt

        sky = forming.run(each=each).record()
    shelf.keep(sky)
    return sky


@contextmanager
def _interruption() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed: a step is never left half done."""
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, before)


# -- for people ----------------------------------------------------------------------------------------------


def _described(sky: PagePositions, out: str | None) -> dict[str, Any]:
    """The record, with the numbers of the last moment on top."""
    told = sky.to_dict()
    last = {name: values[-1] for name, values in told["history"].items() if values}
    return {"pages": len(sky), "out": out, **last, **told}


def _print(sky: PagePositions, target: str) -> None:
    history = sky.findings["history"]
    about = sky.parameters
    print_table(
        f"The sky of {Path(target).name}: {counted(len(sky), 'page')} after {counted(sky.iterations, 'step')} of "
        f"{about['preset']}, started by {about['start']}",
        ("", "at the start", "at the end"),
        [(words, values[0], values[-1]) for name, words in _WORDS.items() if (values := history[name])],
    )
    order, masses = sky.extra["order"][:_HEAVIEST].tolist(), sky.extra["masses"]
    rows = [(float(masses[page]), sky.url(page) or page) for page in order]
    say("")
    print_table("The heaviest pages (the mean mass is 1)", ("mass", "page"), rows)


_WORDS = {
    "radius": "radius",
    "link_distance": "mean distance along links",
    "pair_distance": "mean distance of pairs",
    "gathered": "links / pairs (below 1/2: linked pages have gathered)",
    "kinetic": "kinetic energy",
    "potential": "potential energy",
    "total_mass": "total mass",
    "largest_mass": "largest mass",
}
_PLOTTED = {
    "kinetic": "kinetic energy",
    "largest_mass": "largest mass",
    "radius": "radius",
    "link_distance": "distance along links",
    "gathered": "links / pairs",
}


def _plot(path: str, sky: PagePositions, name: str) -> None:
    history = sky.findings["history"]
    series = []
    for key, words in _PLOTTED.items():
        most = max((abs(value) for value in history[key]), default=0.0) or 1.0
        series.append((f"{words} (1 = {most:.3g})", history["step"], [value / most for value in history[key]], "line"))
    ratio = history["gathered"][-1] if history["gathered"] else 0.0
    title = f"{name}: links end at {ratio:.2f} of the distance of pairs"
    write_plot(path, series, title=title, x_label="step", y_label="share of its largest value")
