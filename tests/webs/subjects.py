"""A web of three subjects with a planted core each: small, and deep enough for a tree of two levels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from tests.webs.composed import composed, html, link

from periplus.library import Library, open_library

SUBJECTS = ("whale", "bread", "bridge")
SITES, PAGES = 4, 11
HIDDEN = "http://bread0.example/5"
HOSTILE = "http://whale1.example/7"
HOSTILE_TITLE = '"&gt;&lt;img src=x onerror=alert(1)> whale <svg onload=alert(1)>'


def fans(subject: str) -> list[str]:
    """The pages that all link to the same centres, each of a site of its own."""
    return [f"http://{subject}{site}.example/0" for site in range(SITES)]


def centres(subject: str) -> list[str]:
    """Three pages of further sites."""
    return [f"http://{subject}-{place}.example/" for place in ("east", "south", "west")]


def answers() -> dict[str, str]:
    """Four sites of eleven pages a subject, each page with five links inside its subject, and the centres."""
    random, made = np.random.default_rng(3), {}
    for subject in SUBJECTS:
        pages = [f"http://{subject}{site}.example/{page}" for site in range(SITES) for page in range(PAGES)]
        for at, url in enumerate(pages):
            near = random.choice(len(pages), 5, replace=False).tolist()
            links = [link(pages[other], f"{subject} number {other}") for other in near if other != at]
            if url in fans(subject):
                links += [link(centre, f"the {subject} centre") for centre in centres(subject)]
            title = HOSTILE_TITLE if url == HOSTILE else f"{subject} page {at}"
            head = '<meta name="robots" content="noindex">' if url == HIDDEN else ""
            made[url] = html(f"A text about the {subject}, number {at}.", *links, title=title, head=head)
        made |= {
            centre: html(f"All about the {subject}: {centre}.", link(pages[0], "front"), title=f"The {subject} centre")
            for centre in centres(subject)
        }
    return made


def subjects_web(folder: Path, *, public: bool = False) -> Library:
    """The web as a built collection, opened."""
    return open_library(composed(folder / "subjects.web", answers()).path, public=public)
