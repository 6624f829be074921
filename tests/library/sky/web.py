"""Three sites whose pages link among themselves: enough for communities, figures and colours."""

from __future__ import annotations

from pathlib import Path

from tests.serve.fake import FakeLibrary, FakePage

SITES = ("harbour", "forest", "market")
PAGES = 60


def small_web(folder: Path) -> FakeLibrary:
    """Each page links to the next two of its site and to its first; the first pages link to each other."""
    pages = []
    for number, site in enumerate(SITES):
        home = f"http://{site}.example.org/0" if number else "http://harbour.example.org/0"
        for page in range(PAGES):
            links = [(f"http://{site}.example.org/{(page + step) % PAGES}", f"{site} {page + step}") for step in (1, 2)]
            links += [(home, f"the {site}")]
            if page == 0:
                links += [(f"http://{other}.example.org/0", other) for other in SITES]
            pages.append(
                FakePage(f"http://{site}.example.org/{page}", f"{site} {page}", f"a page on {site} {page}", links=links)
            )
    return FakeLibrary(pages, folder)
