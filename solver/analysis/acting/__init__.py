"""What acts on segments of a run, source by source: together it is mass times acceleration."""

from solver.analysis.acting.account import (
    SOURCES,
    Account,
    Share,
    account,
    greatest,
    with_own_parts,
)
from solver.analysis.acting.pressing import asked_of, slide_of

__all__ = [
    "SOURCES",
    "Account",
    "Share",
    "account",
    "asked_of",
    "greatest",
    "slide_of",
    "with_own_parts",
]
