"""What stands on more than a fifth of a site's pages is repeated; what another site has does not count."""

from __future__ import annotations

from periplus.pages.parsed import block_marks
from periplus.pipeline.repeated import Repeated


def test_blocks_of_a_fifth_of_the_pages_of_a_site() -> None:
    texts = [f"menu\npage {n}" + ("\nnotice" if n < 8 else "\nrare" if n < 12 else "") for n in range(40)]
    texts += [f"menu\nrare\nother {n}\nother {n}" for n in range(4)]
    sites = ["a.example"] * 40 + ["b.example"] * 4
    blocks = [block_marks(text) for text in texts]
    repeated = Repeated(blocks, sites)
    assert repeated.of(0, blocks[0]).tolist() == [True, False, True]
    assert repeated.of(9, blocks[9]).tolist() == [True, False, False]
    assert repeated.of(41, blocks[41]).tolist() == [False] * 4  # on four pages only


def test_no_pages() -> None:
    Repeated([], [])
    assert Repeated([b""], ["a.example"]).of(0, b"").tolist() == []
