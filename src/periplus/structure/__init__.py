"""The shape of a web: components, bow-tie, laws of degree, distances, robustness, sampling, and the whole study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from periplus.lazy import offers

_HOMES = {
    "bowtie": "periplus.structure.connectivity.bowtie",
    "clustering": "periplus.structure.paths.clustering",
    "degrees": "periplus.structure.laws.degrees",
    "diameter": "periplus.structure.paths.diameter",
    "distances": "periplus.structure.paths.distances",
    "expected_distance": "periplus.structure.paths.distances",
    "fit_law": "periplus.structure.laws.power_law",
    "fit_law_of_counts": "periplus.structure.laws.power_law",
    "group_mixing": "periplus.structure.studies.groups",
    "growth": "periplus.structure.studies.growth",
    "html_report": "periplus.structure.studies.report",
    "local_clustering": "periplus.structure.paths.clustering",
    "mixing": "periplus.structure.walks.sampling",
    "reach_experiment": "periplus.structure.connectivity.reach",
    "regions": "periplus.structure.connectivity.bowtie",
    "robustness": "periplus.structure.connectivity.robustness",
    "sample": "periplus.structure.walks.sampling",
    "sample_live": "periplus.structure.walks.sampling",
    "self_similarity": "periplus.structure.studies.selfsimilar",
    "small_world": "periplus.structure.paths.clustering",
    "strong_components": "periplus.structure.connectivity.components",
    "study": "periplus.structure.studies.study",
    "survey": "periplus.structure.walks.survey",
    "weak_components": "periplus.structure.connectivity.components",
}

__all__ = [
    "bowtie",
    "clustering",
    "degrees",
    "diameter",
    "distances",
    "expected_distance",
    "fit_law",
    "fit_law_of_counts",
    "group_mixing",
    "growth",
    "html_report",
    "local_clustering",
    "mixing",
    "reach_experiment",
    "regions",
    "robustness",
    "sample",
    "sample_live",
    "self_similarity",
    "small_world",
    "strong_components",
    "study",
    "survey",
    "weak_components",
]

if TYPE_CHECKING:
    from periplus.structure.connectivity.bowtie import bowtie, regions
    from periplus.structure.connectivity.components import strong_components, weak_components
    from periplus.structure.connectivity.reach import reach_experiment
    from periplus.structure.connectivity.robustness import robustness
    from periplus.structure.laws.degrees import degrees
    from periplus.structure.laws.power_law import fit_law, fit_law_of_counts
    from periplus.structure.paths.clustering import clustering, local_clustering, small_world
    from periplus.structure.paths.diameter import diameter
    from periplus.structure.paths.distances import distances, expected_distance
    from periplus.structure.studies.groups import group_mixing
    from periplus.structure.studies.growth import growth
    from periplus.structure.studies.report import html_report
    from periplus.structure.studies.selfsimilar import self_similarity
    from periplus.structure.studies.study import study
    from periplus.structure.walks.sampling import mixing, sample, sample_live
    from periplus.structure.walks.survey import survey

__getattr__, __dir__ = offers(__name__, _HOMES)
