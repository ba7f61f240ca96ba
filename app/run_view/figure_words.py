"""Say limits of injury figures, whose they are and where they were seen."""

from __future__ import annotations

from app import texts
from solver.base.words import tr
from solver.injury import Limit
from solver.injury.figures import shown


def limit_text(limit: Limit, unit: str) -> str:
    """Say a limit of a figure in its unit, whose it is, and where it was seen."""
    value, words = shown(limit.limit, unit)
    text = tr(texts.words.LIMIT_SOURCE, limit=value, unit=words, source=limit.source)
    seen = "" if limit.unchecked else limit.seen
    if not limit.unchecked and not limit.seen:
        return f"{text}; {limit.body}"
    return f"{text}; {limit.body} {tr(texts.words.LIMIT_SEEN[seen])}"
