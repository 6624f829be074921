"""`SIMILAR`: one row a way of finding pages like a given one.

The command line (`periplus related`), the API, the docs and the contract test read this table; nothing is imported
until `function()` is called. To add a method: a file with a function `(graph, …) -> record` under
`@checked(SIMILAR["name"])`, and a row here. A row that needs words takes a page × word matrix as its second argument.
"""

from __future__ import annotations

from periplus.catalog import SEED, Algorithm, Catalogue, Parameter

LINKS, VECTORS = "links", "vectors"
VOICES = ("auto", "host", "directory", "page")

BACK = Parameter("back", "int", 2000, "B: pages that link here, at most; of more a random choice", 1)
BACK_FORWARD = Parameter("back_forward", "int", 8, "BF: links around the one here, on each page that links here", 1)
STOP_SHARE = Parameter(
    "stop_share", "float", 0.1, "a page that more than this share of the hosts link to is left out", 0.0, 1.0
)


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
            "The best authorities among the pages that are linked to beside this one, one voice a host.", LINKS,
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
    ),
)  # fmt: skip
