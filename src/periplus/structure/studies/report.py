"""A study as pictures and as one self-contained page.

`figures` draws what there is to see from the JSON of a study; the command line writes them into a page of its own
(`html_report`), the web view shows the same ones. Every picture comes with its data as CSV.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from periplus.catalog import checked
from periplus.draw.bowtie import BRODER_1999, bowtie_picture
from periplus.draw.charts import Series, chart, series_csv
from periplus.draw.page import Figure, html_page
from periplus.draw.strips import strips
from periplus.structure.studies import words
from periplus.wording import counted, sentence

Study = Mapping[str, Any]


def figures(study: Study, *, leads_to: Mapping[str, str] = MappingProxyType({})) -> list[Figure]:
    """All pictures of a study, in the order in which they should be read; the regions lead to the addresses given."""
    found = [
        *_bowties(study, leads_to),
        _law(study, "in_degree"),
        _law(study, "out_degree"),
        _distances(study),
        _reach(study),
    ]
    sized = [key for key in study["laws"] if len(study["distributions"].get(key, {}).get("values", ())) >= 8]
    found += [_law(study, key) for key in sized if study["laws"][key]["alpha"] is not None]
    found += [_small_world(study), _robustness(study), _parts(study)]
    grown = study.get("growth")
    return [*found, _growth(grown)] if grown and words.grew(grown) else found


def _bowties(study: Study, leads_to: Mapping[str, str]) -> list[Figure]:
    tie = {name: int(study["bowtie"][name]) for name in words.REGIONS}
    rows = "region,pages,broder_1999\n" + "".join(f"{name},{tie[name]},{BRODER_1999[name]}\n" for name in tie)
    ours = partial(
        bowtie_picture, tie, title=words.bowtie_finding(study), note=counted(study["nodes"], "page"), links=leads_to
    )
    theirs = partial(bowtie_picture, BRODER_1999, title="AltaVista, May 1999", note="203,549,046 pages")
    says = "Areas are shares of the pages, in the same scale in both pictures."
    return [
        Figure("bowtie", ours, says, rows),
        Figure("broder", theirs, "Broder et al. 2000 counted tubes among the tendrils.", rows),
    ]


def _law(study: Study, key: str) -> Figure:
    """How many have at least so much, on log–log paper, with the fitted tail where there is one."""
    law = study["laws"].get(key) or study[key]
    name, unit = words.law_titles(key)
    data = study["distributions"][key]
    values = [v for v in data["values"] if v > 0]
    counts = data["at_least"][len(data["values"]) - len(values) :]
    whole = counts[0] if counts else 1
    series = [Series("share with at least so many", values, [c / whole for c in counts])]
    if law["alpha"] is not None:
        grid = _log_grid(law["xmin"], max(values))
        start = law["tail"] / whole
        fit = [start * ((x - 0.5) / (law["xmin"] - 0.5)) ** (1 - law["alpha"]) for x in grid]
        fit = [y if y * whole >= 0.3 else math.nan for y in fit]  # below a third of one page there is nothing to see
        series.append(Series(f"fitted tail, exponent {law['alpha']:.2f}", grid, fit, kind="line"))
    picture = partial(
        chart,
        series,
        title=words.law_finding(name, law, unit),
        x_label=unit,
        y_label="share with at least so many",
        x_scale="log",
        y_scale="log",
    )
    return Figure(key, picture, _law_caption(law), series_csv(series))


def _law_caption(law: Study) -> str:
    verdict = f"{sentence(law['verdict'])}."
    if law["alpha"] is None:
        return verdict
    return f"{verdict} Maximum likelihood on {law['tail']:,} of {counted(law['values'], 'value')}."


def _log_grid(low: float, high: float, points: int = 40) -> list[float]:
    steps = max(points - 1, 1)
    return [low * (high / low) ** (k / steps) for k in range(points)]


def _distances(study: Study) -> Figure:
    far, near = study["distances"], study["undirected_distances"]
    series = []
    for label, kind, data in (("along the links", "bars", far), ("links both ways", "line", near)):
        pairs = sum(data["histogram"]) or 1.0
        shown = _until(data["histogram"], 0.999)
        series.append(Series(label, list(range(1, len(shown))), [count / pairs for count in shown[1:]], kind=kind))  # type: ignore[arg-type]
    picture = partial(
        chart,
        series,
        title=words.distance_finding(far),
        x_label="distance in clicks",
        y_label="share of the joined pairs",
    )
    method = {"exact": "Exact", "hyperball": "HyperBall counters", "sampled": "Searches from random pages"}
    error = "" if far["diameter_exact"] else f", mean ± {far['mean_error']:.2g} (one standard error)"
    says = f"{method[far['method']]}{error}. Diameter: {words.diameter(far)}. Albert's line: {far['albert_1999']:.1f}."
    return Figure("distances", picture, says, series_csv(series))


def _until(histogram: Sequence[float], share: float) -> Sequence[float]:
    """The histogram up to where that share of the pairs is in it."""
    total, running = sum(histogram), 0.0
    for at, count in enumerate(histogram):
        running += count
        if running >= share * total:
            return histogram[: at + 1]
    return histogram


def _reach(study: Study) -> Figure:
    reach = study["reach"]
    n = max(len(reach["forward"]), 1)
    xs = [(k + 1) / n for k in range(len(reach["forward"]))]
    series = [
        Series("along the links", xs, reach["forward"], kind="steps"),
        Series("against the links", xs, reach["backward"], kind="steps"),
    ]
    picture = partial(
        chart,
        series,
        title=words.reach_finding(reach),
        x_label="share of the starts that reach at most so many",
        y_label="pages reached",
        y_scale="log",
    )
    says = f"Broder's third experiment from {reach['starts']:,} random pages: a search dies out at once or explodes."
    return Figure("reach", picture, says, series_csv(series))


def _small_world(study: Study) -> Figure:
    """Clustering over path length: the web, the random graph and the rewired ring of its size."""
    small = study["small_world"]
    ring = small["watts_strogatz"]
    places = {
        "this web": (small["path_length"], small["clustering"]["local"]),
        "random graph": (small["random"]["path_length"], small["random"]["clustering"]),
        f"Watts–Strogatz, {100 * ring['rewiring']:.0f} % rewired": (ring["path_length"], ring["clustering"]),
    }
    series = [Series(label, [x], [y]) for label, (x, y) in places.items()]
    picture = partial(
        chart,
        series,
        title=words.small_world_finding(small),
        x_label="mean path length",
        y_label="clustering",
    )
    says = (
        "Both comparisons have as many pages and links; the ring is rewired until it would be as clustered. "
        "A small world stands far above the random graph, and not far to its right."
    )
    return Figure("small_world", picture, says, series_csv(series))


def _robustness(study: Study) -> Figure:
    curve, n = study["robustness"], max(study["nodes"], 1)
    gone = [count / n for count in curve["removed"]]
    series = [
        Series("best known pages first", gone, [size / n for size in curve["largest"]], kind="line"),
        Series("pages at random", gone, [size / n for size in curve["at_random"]], kind="line", muted=True),
    ]
    picture = partial(
        chart,
        series,
        title=words.robustness_finding(study),
        x_label="share of the pages removed",
        y_label="largest weak component, share of all pages",
    )
    return Figure("robustness", picture, "Pages are removed in order of in-degree, highest first.", series_csv(series))


def _parts(study: Study) -> Figure:
    similar = study["self_similarity"]
    rows, lines = [], ["part,pages,links," + ",".join(words.REGIONS)]
    for part, random in zip(similar["parts"], similar["random"], strict=True):
        for one in (part, random):
            rows.append((one["name"], {words.region_title(name): one["bowtie"][name] for name in words.REGIONS}))
            shares = ",".join(f"{one['bowtie'][name]:.6f}" for name in words.REGIONS)
            lines.append(f'"{one["name"]}",{one["pages"]},{one["links"]},{shares}')
    picture = partial(
        strips, rows, title=words.similar_finding(similar), parts=tuple(map(words.region_title, words.REGIONS))
    )
    return Figure("parts", picture, words.similar_caption(similar), "\n".join(lines) + "\n")


def _growth(growth: Study) -> Figure:
    series = [Series("pages", growth["elapsed"], growth["pages"], kind="steps")]
    picture = partial(
        chart,
        series,
        title=words.growth_finding(growth),
        x_label=f"{growth['unit']}s since the first",
        y_label="pages known",
    )
    says = f"Pages by the date of their first fetch, from {growth['first']} to {growth['last']}."
    if growth["undated"]:
        says += f" {growth['undated']:,} more are linked to and were never fetched."
    return Figure("growth", picture, says, series_csv(series))


@checked
def html_report(study: Study, *, name: str) -> str:
    """One page with everything in it: no script, no other file, no network."""
    lead = f"{words.bowtie_finding(study)}; {words.distance_finding(study['distances'])}."
    if study.get("sampling"):
        lead += f" {words.survey_words(study['sampling'])}"
    columns = ("figure", "this web", "the web of 1999")
    return html_page(f"The shape of {name}", lead, columns, words.table(study), figures(study))
