"""Exchange left and right in ids and names."""

from __future__ import annotations

from solver.bodies import mirror_of

_SIDES: dict[str, str] = {"left": "right", "right": "left", "Left": "Right", "Right": "Left"}
_MIRRORED = "{name}, mirrored"


def other_side(id_: str) -> str:
    """Exchange left and right in an id: words, or a last r or l behind a line."""
    other = mirror_of(id_)
    if other != id_:
        return other
    head, line, last = id_.rpartition("_")
    swap = {"r": "l", "l": "r", "right": "left", "left": "right"}
    return f"{head}{line}{swap[last]}" if line and last in swap else id_


def said_of_other(name: str) -> str:
    """Exchange left and right in a name that people read."""
    for word, other in _SIDES.items():
        if word in name.replace(",", " ").split():
            return name.replace(word, other, 1)
    return _MIRRORED.format(name=name) if name else name
