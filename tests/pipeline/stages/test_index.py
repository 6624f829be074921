"""What the text index is given of each page."""

from __future__ import annotations

from tests.pipeline.stages.test_graph import SITE, A, B, database, page

from periplus.pipeline.stages.index import index_documents


def test_anchors_of_all_copies_count_for_the_one_that_is_kept() -> None:
    captures = [
        page(A, (SITE + "guide", "otter guide"), (SITE + "copy", "the same guide")),
        page(B, (SITE + "guide", "otters")),
        page(SITE + "guide", (SITE + "copy", "a copy of mine"), digest="x", title="Guide"),
        page(SITE + "copy", digest="x", title="Guide"),
    ]
    made, _ = database(*captures)
    documents = {document.url: document for document in index_documents(lambda: iter(captures), made)}
    assert set(documents) == {A, B, SITE + "guide"}
    kept = documents[SITE + "guide"]
    assert [call.text for call in kept.calls] == ["otter guide", "otters", "the same guide"]
    assert kept.duplicates == (SITE + "copy",)
