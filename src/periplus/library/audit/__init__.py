"""The audit of a site: what harms its readers and its place in searches, each finding with its pages.

`CHECKS` is the table of what is looked for, most harmful first. A check is a function from `Evidence` to findings.
"""

from periplus.library.audit.evidence import Evidence
from periplus.library.audit.finding import Audit, Finding, Place, Section
from periplus.library.audit.table import CHECKS, Check, audit_of

__all__ = ["CHECKS", "Audit", "Check", "Evidence", "Finding", "Place", "Section", "audit_of"]
