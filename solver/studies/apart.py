"""What a fit leaves, in words: how far off each target is, and what its tests cannot tell apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from solver.base.words import Sentence

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


def left_over(one: Mapping[str, Any]) -> Sentence:
    """Say how far off one target of a fit is: of an entry of its `targets`."""
    if one.get("halves"):
        return Sentence("{off:.2f} of half its corridor", off=float(one["rms"]))
    return Sentence("{part:.3g} % of its peak", part=100.0 * float(one["rms"]))


def _moved(name: str, share: float) -> Sentence:
    if share > 0.0:
        return Sentence("'{name}' rises by {part:.2g} % of its range", name=name, part=share)
    return Sentence("'{name}' falls by {part:.2g} % of its range", name=name, part=-share)
