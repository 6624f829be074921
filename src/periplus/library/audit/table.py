"""`CHECKS`: what the audit looks for, most harmful first; `audit_of` runs them all.

To add a check: write a function from `Evidence` to findings in `checks/`, and add a row to this table. Its title tells
what is wrong, `why` what it does to readers or searchers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from periplus.collection import Collection
from periplus.errors import ParameterError
from periplus.library.audit.checks import copies, heads, links, parts, rank, reach, robots
from periplus.library.audit.evidence import Evidence, gather
from periplus.library.audit.finding import Audit, Finding, Section, by_weight
from periplus.library.library import Library
from periplus.pipeline.run import is_stale
from periplus.pipeline.stages import find_stage

CLICKS = 4


class Check(NamedTuple):
    """One row: what is wrong, why it matters in a sentence, and the function that finds it.

    `where` says what the places of a finding are. `by_places`: the findings that show in the most places come first;
    otherwise they come as they are found.
    """

    name: str
    title: str
    why: str
    find: Callable[[Evidence], Iterable[Finding]]
    where: str = "Linked from"
    by_places: bool = True


CHECKS: tuple[Check, ...] = (
    Check(
        "broken-links",
        "Links that lead nowhere",
        "Readers who follow them find nothing, and what the link recommends is lost.",
        links.broken,
    ),
    Check(
        "redirect-loops",
        "Redirects that never end",
        "Browsers give up on them, so the link is as good as broken.",
        links.loops,
    ),
    Check(
        "failing-links",
        "Links to what could not be had",
        "Readers meet an error; it may have passed, so crawl again before mending the link.",
        links.failing,
    ),
    Check(
        "canonical-contradictions",
        "Canonical addresses that contradict themselves",
        "Search engines may drop the page, or keep the wrong one.",
        robots.canonicals,
        "Its canonical address",
    ),
    Check(
        "noindex-linked",
        "Pages that ask not to be indexed, but are linked",
        "Either the page should be found and is not, or its links lead searchers away from pages that may be found.",
        robots.noindex_linked,
    ),
    Check(
        "orphans",
        "Pages that no page links to",
        "Readers cannot come to them, and without links they rank last.",
        reach.orphans,
    ),
    Check(
        "islands",
        "Pages without a path from a start page",
        "Readers who begin at a front page never come to them, nor does a crawler.",
        reach.islands,
    ),
    Check(
        "mixed-content",
        "Secure pages with insecure parts",
        "Browsers block such parts or warn of them, and anybody on the way can change them.",
        parts.mixed_content,
        "The parts",
    ),
    Check(
        "duplicates",
        "The same page at several addresses",
        "Links divide between the copies, so each ranks lower than one page would.",
        copies.duplicates,
        "The copies",
    ),
    Check(
        "near-duplicates",
        "Pages that say nearly the same",
        "They compete with each other: search engines show one of them, perhaps not the one you want.",
        copies.near_duplicates,
        "The others",
    ),
    Check(
        "redirect-chains",
        "Links through several redirects",
        "Every redirect costs readers a wait, and crawlers give up after a few.",
        links.chains,
    ),
    Check(
        "missing-titles",
        "Pages without a title",
        "Results, bookmarks and tabs have nothing to call the page by.",
        heads.missing_titles,
        by_places=False,
    ),
    Check(
        "repeated-titles",
        "Pages that share a title",
        "Searchers cannot tell them apart in a list of results.",
        heads.repeated_titles,
        "The others",
    ),
    Check(
        "deep-pages",
        "Pages many clicks away",
        "Few readers go so far, and the deeper a page lies the less rank reaches it.",
        reach.deep,
        "One click nearer",
        by_places=False,
    ),
    Check(
        "rank-wasted",
        "Pages that waste rank",
        "What they could pass on to your other pages goes to links that are dead.",
        rank.wasted,
        by_places=False,
    ),
    Check(
        "rank-hoarded",
        "Pages that hoard rank",
        "Many links lead readers there and none leads on, so the rank stays where it cannot help other pages.",
        rank.hoarded,
        by_places=False,
    ),
    Check(
        "blocked-links",
        "Links to what robots.txt forbids",
        "Readers may go there and search engines may not, so the link recommends nothing.",
        links.blocked,
    ),
    Check(
        "repeated-descriptions",
        "Pages that share a description",
        "Search engines show it under each of them, and it says what none of them is about.",
        heads.repeated_descriptions,
        "The others",
    ),
    Check(
        "missing-descriptions",
        "Pages without a description",
        "Search engines choose a passage by themselves, which may say little.",
        heads.missing_descriptions,
        by_places=False,
    ),
    Check(
        "absent-targets",
        "Links to what the collection does not hold",
        "Where the collection is the whole site these links are broken; where it is a part, nothing is known of them.",
        links.absent,
    ),
)


def audit_of(library: Library, *, clicks: int = CLICKS) -> Audit:
    """Run every check; a page is deep where it is more than `clicks` links from the nearest start page."""
    if clicks < 1:
        raise ParameterError("clicks", clicks, "at least 1")
    evidence = gather(library, clicks=clicks)
    return Audit(
        name=library.collection.settings.name,
        charted=str(library.counts.get("charted", "")),
        pages=library.graph.nodes,
        links=library.graph.links,
        clicks=clicks,
        starts=tuple(evidence.url(page) for page in evidence.starts),
        sections=tuple(_section(check, evidence) for check in CHECKS),
        notes=tuple(_notes(library.collection, evidence)),
    )


def _section(check: Check, evidence: Evidence) -> Section:
    found = list(check.find(evidence))
    findings = tuple(by_weight(found) if check.by_places else found)
    return Section(check.name, check.title, check.why, check.where, findings)


def _notes(collection: Collection, evidence: Evidence) -> Iterable[str]:
    """What could not be looked at, and what would help."""
    if not evidence.graph.nodes:
        yield "The collection holds no page."
    if is_stale(collection, find_stage("parsed")):
        yield f"Pages were stored since the last build: `periplus build {collection.path}` takes them in."
    if any(told.fetched and told.description is None for told in evidence.told):
        yield (
            "Some pages were read by an earlier version, which kept no descriptions and parts: remove the folder "
            f"{collection.parsed_dir} and run `periplus build {collection.path}` to have them looked at."
        )
    if not evidence.starts and evidence.graph.nodes:
        yield "There is no seed and no front page in the collection: deep pages and pages out of reach cannot be found."
    if evidence.ranks is None and evidence.graph.nodes:
        yield "No PageRank is stored: pages that hoard or waste rank cannot be found."
