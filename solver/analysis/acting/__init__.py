"""What acts on segments of a run, source by source: together it is mass times acceleration."""

from solver.analysis.acting.account import (
    SOURCES,
    Account,
    Share,
    account,
    greatest,
    with_own_parts,
)

__all__ = ["SOURCES", "Account", "Share", "account", "greatest", "with_own_parts"]
