"""`SIMILAR`: one row per way of finding pages like a given one.

The command line (`periplus related`), the API, the docs and the contract test read this table; nothing is imported
until `function()` is called. To add a method: a file with a function `(graph, …) -> record` under
`@checked(SIMILAR["name"])`, and a row here. A row that needs words takes a page × word matrix after the graph, one that
needs paths the paths that people took.
"""

from __future__ import annotations

from periplus.catalog import SEED, Algorithm, Catalogue, Parameter

LINKS, VECTORS, ASSOCIATION = "links", "vectors", "association"
WEIGHTINGS = ("tf", "log-tf", "tf-idf", "bm25")
VOICES = ("auto", "host", "directory", "page")

BACK = Parameter("back", "int", 2000, "B: pages that link here, at most; of more a random choice", 1)
BACK_FORWARD = Parameter("back_forward", "int", 8, "BF: links around the one here, on each page that links here", 1)
STOP_SHARE = Parameter(
    "stop_share", "float", 0.1, "a page that more than this share of the hosts link to is left out", 0.0, 1.0
)

K = Parameter("k", "int", 150, "dimensions of the vectors, fewer where the rank is smaller", 1, also=("n_components",))


def _weighting(default: str) -> Parameter:
    return Parameter("weighting", "choice", default, "what a word weighs on a page", choices=WEIGHTINGS)


NEIGHBOURS = Parameter("neighbours", "int", 20, "pages most alike in words, for each page", 1)
_PIROLLI = "Pirolli, Pitkow & Rao 1996 (Deo & Gupta 4)"


def _row(
    name: str,
    home: str,
    help: str,
    kind: str,
    *parameters: Parameter,
    paper: str,
    when: str,
    needs: tuple[str, ...] = (),
) -> Algorithm:
    returns = (kind if kind == VECTORS else "neighbours",)
    return Algorithm(name, f"periplus.similar.{home}", help, kind, name, parameters, returns, needs, paper, when)


SIMILAR: Catalogue[Algorithm] = Catalogue(
    "method",
    (
        _row(
            "companion", "companion:companion",
            "The best authorities among the pages that are linked to beside this one, one voice per host.", LINKS,
            BACK, BACK_FORWARD,
            Parameter("forward", "int", 50, "F: pages that this one links to, at most", 0),
            Parameter("forward_back", "int", 8, "FB: further pages that link to each of those, at most", 0),
            STOP_SHARE,
            Parameter(
                "voice", "choice", "auto", "who speaks with one voice; auto: hosts, where there are several",
                choices=VOICES,
            ),
            SEED,
            paper="Dean & Henzinger 1999 (Deo & Gupta 7.6)", when="a web of many sites; from one page or a few",
        ),
        _row(
            "cocitation", "cocitation:cocitation",
            "The pages that are most often linked to beside this one.", LINKS,
            BACK, BACK_FORWARD,
            Parameter("enough", "int", 15, "fewer pages cocited twice: the URL is chopped up", 0),
            STOP_SHARE, SEED,
            paper="Dean & Henzinger 1999 (Deo & Gupta 7.6)", when="to see at a glance why: which pages name both",
        ),
        _row(
            "cosine", "cosine:cosine", "The pages that say the same words.", VECTORS, _weighting("log-tf"),
            paper="Salton 1971 (Fogaras 4)", when="exact and plain; nothing is worked out beforehand", needs=("words",),
        ),
        _row(
            "lsi-words", "lsi:lsi_words", "The pages whose words stand in the same company.", VECTORS,
            K, _weighting("bm25"), SEED,
            paper="Deerwester et al. 1990 (Fogaras 4)", when="one site, or pages with few links", needs=("words",),
        ),
        _row(
            "lsi-links", "lsi:lsi_links", "The pages that link alike: the transposed adjacency matrix for the words.",
            VECTORS, K, SEED,
            paper="Fogaras 4", when="to compare with the paper; its first vectors are those of HITS",
        ),
        _row(
            "lsi-both-ways", "lsi:lsi_both_ways",
            "The pages that link alike and are linked to alike, rare neighbours weighing more.", VECTORS, K, SEED,
            paper="Fogaras 4", when="a graph without words",
        ),
        _row(
            "lsi-stacked", "lsi:lsi_stacked", "Words and links side by side in one matrix.", VECTORS,
            Parameter("mixing", "float", None, "part of the words (default: as far as they are reliable)", 0.0, 1.0),
            K, _weighting("bm25"), SEED,
            paper="Fogaras 4 [1]", when="words and links both say something", needs=("words",),
        ),
        _row(
            "lsi-smoothed", "lsi:lsi_smoothed", "The words of a page and of those it is linked with.", VECTORS,
            Parameter("rounds", "int", 2, "how many links far words are taken from", 0, 20),
            K, _weighting("bm25"), SEED,
            paper="Fogaras 4; Zhou et al. 2004", when="short pages whose links stay on the subject", needs=("words",),
        ),
        _row(
            "association-links", "association:association_links", "The pages that are linked, as a graph with weights.",
            ASSOCIATION, paper=_PIROLLI, when="beside the other two signs",
        ),
        _row(
            "association-text", "association:association_text", "The pages that say the same, as a graph with weights.",
            ASSOCIATION, NEIGHBOURS, _weighting("log-tf"),
            paper=_PIROLLI, when="communities or a map of texts", needs=("words",),
        ),
        _row(
            "association-usage", "association:association_usage",
            "The pages that people visit one after the other, as a graph with weights.", ASSOCIATION,
            paper=_PIROLLI, when="you have a web-server log: `periplus usage` reads it", needs=("paths",),
        ),
        _row(
            "association", "association:association", "Links, texts and steps of people together.", ASSOCIATION,
            Parameter("links", "float", 1.0, "the part of the links", 0.0),
            Parameter("text", "float", 1.0, "the part of the words", 0.0),
            Parameter("usage", "float", 1.0, "the part of the steps", 0.0),
            NEIGHBOURS, _weighting("log-tf"),
            paper=_PIROLLI, when="all three signs are there", needs=("words", "paths"),
        ),
    ),
)  # fmt: skip
