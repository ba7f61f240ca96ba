"""What acts on segments of a run, source by source: together it is mass times acceleration."""

from solver.analysis.acting.account import Account, account, with_own_parts
from solver.analysis.acting.share import SOURCES, Share

__all__ = ["SOURCES", "Account", "Share", "account", "with_own_parts"]
