"""A study in plain words: the rows of its table and the findings that head its pictures.

All functions read the JSON of a study (`Study.to_dict`), so that a stored one reads the same as a fresh one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from periplus.wording import agree, counted

Study = Mapping[str, Any]

REGIONS = ("in", "scc", "out", "tubes", "tendrils", "disconnected")
_LAW_TITLES = {
    "scc_sizes": ("Strong component sizes", "pages"),
    "wcc_sizes": ("Weak component sizes", "pages"),
    "pages_a_site": ("Pages a site", "pages"),
    "pagerank": ("PageRank", ""),
}


def table(study: Study) -> list[tuple[str, str, str]]:
    """Rows of (what, value, Broder's or Albert's figure of 1999 beside it)."""
    n = study["nodes"]
    tie, far, near, small = study["bowtie"], study["distances"], study["undirected_distances"], study["small_world"]
    broder = {"scc": "27.7 %", "in": "21.3 %", "out": "21.2 %", "tendrils": "21.5 %", "disconnected": "8.2 %"}
    rows = [
        ("pages", f"{n:,}", "203,549,046"),
        ("links", f"{study['links']:,}", "1.5 billion"),
        ("weak components", f"{study['wcc']['count']:,}", ""),
        ("largest weak component", share_of(study["wcc"]["largest"], n), "91 %"),
        ("strong components", f"{study['scc']['count']:,} ({study['scc']['singletons']:,} of one page)", ""),
    ]
    rows += [(region_title(name), share_of(tie[name], n), broder.get(name, "")) for name in REGIONS]
    if tie["equal_largest"] > 1:
        rows.append(("equally large strong components", core_choice(tie["equal_largest"]), ""))
    rows += [
        ("in-degree", law_words(study["in_degree"]), "2.1"),
        ("out-degree", law_words(study["out_degree"]), "2.72"),
        ("pairs joined by a path", percent(far["connected_share"], far["connected_share_error"]), "24 %"),
        ("mean distance", plus_minus(far["mean"], far["mean_error"]), "16"),
        ("mean distance, links both ways", plus_minus(near["mean"], near["mean_error"]), "6.83"),
        *_albert(far),
        ("effective diameter (90 %)", plus_minus(far["effective_diameter"], far["effective_diameter_error"]), ""),
        ("diameter", diameter(far), "over 500"),
        ("diameter of the core", core_diameter(study["core_diameter"]), "at least 28"),
        ("clustering", beside(small, "clustering"), ""),
        ("path length, links both ways", beside(small, "path_length"), ""),
        ("reach forward, backward, both", reach_words(study["reach"]), ""),
    ]
    once = {"wcc_sizes": "2.5", "pagerank": "2.1"}
    fitted = {key: law for key, law in study["laws"].items() if law["alpha"] is not None}
    rows += [(law_titles(key)[0], law_words(law), once.get(key, "")) for key, law in fitted.items()]
    if study.get("growth"):
        rows.append(("growth", growth_finding(study["growth"]), ""))
    return rows + survey_rows(study.get("sampling"))


def _albert(far: Study) -> list[tuple[str, str, str]]:
    """What Albert's line expects, here and in a web ten times as large; nothing where no path joins two pages."""
    if not far["connected_share"]:
        return []
    return [
        ("Albert's 0.35 + 2.06 log₁₀ n", f"{far['albert_1999']:.2f}", "19 for the web"),
        ("mean distance at ten times the pages", f"{far['mean'] + 2.06:.2f} by Albert's slope", ""),
    ]


def core_choice(equal: int) -> str:
    """Which of several equally large components is taken for the core."""
    return f"{equal:,}; the core is the one with the page of smallest id"


def beside(small: Study, figure: str) -> str:
    """A figure of the small world beside those of the two graphs of its size."""
    own = small["path_length"] if figure == "path_length" else small["clustering"]["local"]
    return (
        f"{own:.3g}; random graph {small['random'][figure]:.2g}, Watts–Strogatz {small['watts_strogatz'][figure]:.2g}"
    )


def survey_rows(survey: Study | None) -> list[tuple[str, str, str]]:
    """The answers of the random walks with their 95 % intervals; none where none were asked."""
    if not survey:
        return []
    asked = [
        ("links per page", survey["links_a_page"], 1.0, ""),
        ("pages without links", survey["dangling"], 100.0, " %"),
    ]
    asked += [(f"pages in {name}", share, 100.0, " %") for name, share in list(survey["domains"].items())[:10]]
    return [
        (f"{name}, by walks", f"{k * at['value']:.2f}{unit} ({k * at['low']:.2f} to {k * at['high']:.2f})", "")
        for name, at, k, unit in asked
    ]


def survey_words(survey: Study) -> str:
    """Of what the walks give the shares, and how they were sampled."""
    count, walked = survey["components_walked"], survey["pages_walked"]
    parts = "one component" if count == 1 else f"{count} components"
    how = [f"walks in {parts} of {walked:,} pages"] if count else []
    if survey["other_pages"] != "none":
        taken = "all looked at" if survey["other_pages"] == "all" else "drawn from at random"
        how.append(f"{survey['pages'] - walked:,} pages of small components {taken}")
    return f"Shares of {survey['of']}, by {survey['visits']:,} visits: {', '.join(how)}."


def region_title(name: str) -> str:
    """A region as the pictures and tables call it."""
    return {"scc": "core (SCC)", "in": "IN", "out": "OUT"}.get(name, name.upper())


def share_of(count: int, whole: int) -> str:
    return f"{count:,} ({100 * count / whole:.1f} %)" if whole else f"{count:,}"


def percent(share: float, error: float = 0.0) -> str:
    return f"{100 * share:.1f} %" if not error else f"{100 * share:.1f} ± {100 * error:.1f} %"


def plus_minus(value: float, error: float) -> str:
    return f"{value:.2f}" if not error else f"{value:.2f} ± {error:.2f}"


def diameter(far: Study) -> str:
    return f"{far['diameter_lower']:,}" if far["diameter_exact"] else f"at least {far['diameter_lower']:,}"


def core_diameter(core: Study) -> str:
    return f"{core['lower']:,}" if core["exact"] else f"{core['lower']:,} to {core['upper']:,}"


def reach_words(reach: Study) -> str:
    shares = (reach["explode_forward"], reach["explode_backward"], reach["explode_both"])
    return ", ".join(f"{100 * share:.0f} %" for share in shares) + " of starts explode"


def exponent(law: Study) -> str:
    """α ± σ with as many decimals as the error allows."""
    decimals = 2 if law["sigma"] >= 0.005 else 3
    return f"{law['alpha']:.{decimals}f} ± {law['sigma']:.{decimals}f}"


def law_words(law: Study) -> str:
    """Exponent and verdict of a law in one line."""
    if law["alpha"] is None:
        return str(law["verdict"])
    return f"{exponent(law)} from {law['xmin']:.4g} on; {law['verdict']}"


def law_finding(name: str, law: Study, unit: str) -> str:
    """The title of a law's picture."""
    if law["alpha"] is None:
        return f"{name}: {law['verdict']}"
    start = f"from {law['xmin']:.4g} {unit}".rstrip() + " on"
    if law["plausible"]:
        return f"{name}: a power law is plausible, exponent {exponent(law)} {start}"
    return f"{name}: not a power law (best exponent {law['alpha']:.2f} {start})"


def law_titles(key: str) -> tuple[str, str]:
    """What a law is about, and its unit."""
    return _LAW_TITLES.get(key, (key.replace("_", "-").capitalize(), "links"))


def bowtie_finding(study: Study) -> str:
    tie, n = study["bowtie"], max(study["nodes"], 1)
    if study["scc"]["largest"] <= 1:
        return "No bow-tie: no page can be reached back from where it leads"
    tied = f", one of {tie['equal_largest']} equally large" if tie["equal_largest"] > 1 else ""
    return f"{100 * tie['scc'] / n:.0f} % of the pages form the core{tied}"


def distance_finding(far: Study) -> str:
    if not far["connected_share"]:
        return "No two pages are joined by a path"
    joined = f"{100 * far['connected_share']:.0f} % of the pairs are joined by a path"
    return f"{joined}, {far['mean']:.1f} clicks long on average"


def robustness_finding(study: Study) -> str:
    curve, n = study["robustness"], study["nodes"]
    if not n:
        return "Nothing to remove"
    row = max((k for k, gone in enumerate(curve["removed"]) if gone <= 0.05 * n), default=0)
    left = max(n - curve["removed"][row], 1)
    gone, joined = 100 * curve["removed"][row] / n, 100 * curve["largest"][row] / left
    return f"Without the {gone:.1f} % best known pages, {joined:.0f} % of the rest hang together"


def reach_finding(reach: Study) -> str:
    if not reach["starts"]:
        return "No page to start from"
    return f"{100 * reach['explode_both']:.0f} % of random starts reach, and are reached from, much of the web"


def small_world_finding(small: Study) -> str:
    """Whether it is a small world: far more clustered than a random graph, and hardly longer paths."""
    own, random = small["clustering"]["local"], small["random"]
    if not own or not random["path_length"]:
        return "No small world: no two neighbours of a page are neighbours"
    longer = small["path_length"] / random["path_length"]
    much = "" if not random["clustering"] else f"{own / random['clustering']:,.0f} times "
    words = "A small world" if longer < 2 and own > 3 * random["clustering"] else "Not a small world"
    more = "more clustered than" if own > random["clustering"] else "as clustered as"
    return f"{words}: {much}{more} a random graph, paths {longer:.1f} times as long"


def grew(growth: Study) -> bool:
    """Whether the dates tell of growth: what was fetched within some seconds was there before."""
    return len(growth["pages"]) > 1 and growth["unit"] != "second"


def growth_finding(growth: Study) -> str:
    """How many pages came in which time."""
    passed, pages = growth["elapsed"][-1], counted(growth["pages"][-1], "page")
    if not grew(growth):
        return f"{pages}, all first seen on {growth['first'][:10]}"
    units = growth["unit"] if f"{passed:.3g}" == "1" else f"{growth['unit']}s"
    return f"{pages} in {passed:.3g} {units}, {growth['pages'][0]:,} of them at the start"


def similar_finding(similar: Study) -> str:
    if not similar["parts"]:
        return f"No part has the {similar.get('smallest', 50)} pages that make a web of its own"
    mean = [sum(part["bowtie"]["scc"] for part in similar[side]) / len(similar[side]) for side in ("parts", "random")]
    by = {"site": "sites", "host": "hosts", "given group": "groups"}.get(similar["by"], "parts")
    return f"Cores of {by} hold {100 * mean[0]:.0f} % of their pages on average; of random sets {100 * mean[1]:.1f} %"


def similar_caption(similar: Study) -> str:
    """What the strips show, and how many parts are not among them."""
    says = f"Each {similar['by']} as a web of its own, above a random set of as many pages, where structure is lost."
    shown, small = len(similar["parts"]), similar.get("too_small", 0)
    if shown < similar.get("groups", shown):
        few = f"{small:,} {agree(small, 'has')} fewer than {similar['smallest']} pages"
        says += f" The {shown} largest of {similar['groups']:,}; {few}."
    return says
