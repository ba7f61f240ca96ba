"""What the tests of a fit cannot tell apart, as a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from solver.words import Sentence

MOVED = 10.0
"""By so many hundredths of its range the sentence moves the parameter that takes most part."""


def not_told_apart(one: Mapping[str, Any]) -> Sentence:
    """Say along which direction the curves of the tests hardly change: of an entry of a fit's `not_told_apart`."""
    parts = sorted(one["parts"].items(), key=lambda part: -abs(part[1]))
    # which way a direction points means nothing: its first parameter rises
    shares = [(name, MOVED * value / parts[0][1]) for name, value in parts]
    how = _moved(*shares[0])
    for name, share in shares[1:]:
        how = Sentence("{first}, {then}", first=how, then=_moved(name, share))
    names, ratio = ", ".join(f"'{name}'" for name, _ in parts), float(one["ratio"])
    if len(parts) == 1:
        return Sentence(
            "These tests do not determine {names}: where {how}, their curves hardly change (singular value {ratio:.1g} of "
            "the largest).",
            names=names, how=how, ratio=ratio,
        )  # fmt: skip
    return Sentence(
        "These tests do not tell {names} apart: where {how}, their curves hardly change (singular value {ratio:.1g} of "
        "the largest).",
        names=names, how=how, ratio=ratio,
    )  # fmt: skip


def _moved(name: str, share: float) -> Sentence:
    if share > 0.0:
        return Sentence("'{name}' rises by {part:.2g} % of its range", name=name, part=share)
    return Sentence("'{name}' falls by {part:.2g} % of its range", name=name, part=-share)
