"""What secure pages load over connections that are not."""

from __future__ import annotations

from collections.abc import Iterator

from periplus.library.audit.evidence import Evidence
from periplus.library.audit.finding import Finding, Place


def mixed_content(evidence: Evidence) -> Iterator[Finding]:
    """Pages that came over https and load parts (pictures, scripts, style sheets, frames) over plain http."""
    for page, told in enumerate(evidence.told):
        if told.insecure:
            count = "a part" if len(told.insecure) == 1 else f"{len(told.insecure)} parts"
            yield Finding(evidence.url(page), f"loads {count} over plain http", tuple(map(Place, told.insecure)))
