"""How the links of the demonstration web grow: the copying model inside a subject, with a few links across.

Pages arrive one after another. A new page takes an earlier page of its subject as its prototype; each of its links is,
with probability `RANDOM_LINK`, to an earlier page of the subject chosen uniformly, and otherwise copied from the
prototype. In-degrees then follow a power law, and pages that share a topic come to share references (Kumar et al.,
"Stochastic models for the web graph", FOCS 2000). Two planted authorities in each subject are linked from a quarter of
its pages, and one page in twenty links into another subject.

Roles shape the bow-tie: nobody links to an "in" site from outside, and an "out" site links to nobody but itself.
"""

from __future__ import annotations

from random import Random

from periplus.demo.draft import Draft, Reference

RANDOM_LINK = 0.3
AUTHORITY_LINK = 0.25
ACROSS_LINK = 0.05

_ANCHORS = ("{title}", "{topic}", "{topic}", "{site} on {topic}", "a page about {topic}", "{title}", "what {site} says")


def may_link(source: Draft, target: Draft) -> bool:
    """Whether the roles of two pages' sites allow a link."""
    if source.site is target.site:
        return source is not target
    return source.site.role != "out" and target.site.role != "in"


def anchor_for(random: Random, page: Draft) -> str:
    """Words under which another page may link to this one."""
    return random.choice(_ANCHORS).format(title=page.title, topic=page.topic or page.title, site=page.site.name)


def grow(random: Random, pages: list[Draft], authorities: list[Draft]) -> None:
    """Give every page of a subject its links, in the order of arrival."""
    targets: dict[int, list[Draft]] = {}
    for born, page in enumerate(pages):
        chosen: list[Draft] = []
        if born:
            prototype = targets[random.randrange(born)]
            for slot in range(random.randint(3, 6)):
                copied = slot < len(prototype) and random.random() >= RANDOM_LINK
                target = prototype[slot] if copied else pages[random.randrange(born)]
                if may_link(page, target) and target not in chosen:
                    chosen.append(target)
        if random.random() < AUTHORITY_LINK:
            authority = random.choice(authorities)
            if may_link(page, authority) and authority not in chosen:
                chosen.append(authority)
        targets[born] = chosen
        page.reading += [Reference(target.url, anchor_for(random, target)) for target in chosen]


def link_across(random: Random, subjects: list[list[Draft]]) -> None:
    """Let one page in twenty link to a page of another subject."""
    for number, pages in enumerate(subjects):
        elsewhere = [other for index, other in enumerate(subjects) if index != number]
        for page in pages:
            if random.random() < ACROSS_LINK:
                target = random.choice(random.choice(elsewhere))
                if may_link(page, target):
                    page.reading.append(Reference(target.url, anchor_for(random, target)))
