"""Lay out the key of a scene as plain shapes and words, for whoever paints them: the window, a movie."""

from __future__ import annotations

from dataclasses import dataclass

from app.scene.key import ForceKind, Key, Scale, Sign

WIDTH = 152.0
"""Width of the sheet; all lengths count in pixels of a window, downwards from its upper left corner."""
_EDGE, _LINE, _GAP = 10.0, 18.0, 8.0
_RAMP, _ARROW, _BESIDE = 6.0, 30.0, 40.0
_HEADS: dict[ForceKind, tuple[float, float, float]] = {
    "contacts": (1.2, 4.0, 19.0),
    "webbing": (0.8, 3.0, 22.0),
    "airbags": (2.0, 5.5, 16.0),
}
"""Half widths of stem and head, and where the head begins, as the arrows in the scene have them."""


@dataclass(frozen=True, slots=True)
class Words:
    """Hold a line of words; `x` is its left end, or its right one."""

    x: float
    y: float
    text: str
    from_right: bool = False
    muted: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """Hold a filled polygon."""

    corners: tuple[tuple[float, float], ...]
    tone: str


@dataclass(frozen=True, slots=True)
class Ramp:
    """Hold a bar that runs from left to right through colours."""

    x: float
    y: float
    width: float
    height: float
    tones: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Hold everything, and how high it is."""

    parts: tuple[Words | Area | Ramp, ...]
    height: float


def sheet(key: Key) -> Sheet:
    """Lay out scales and signs one below the other; no height where there are none."""
    parts: list[Words | Area | Ramp] = []
    y = _EDGE
    for sign in key.signs:
        parts += _sign(sign, y)
        y += _LINE
    if key.note:
        parts.append(Words(_EDGE, y, key.note, muted=True))
        y += _LINE
    for scale in key.scales:
        y += _GAP if parts else 0.0
        parts += _scale(scale, y)
        y += 2.0 * _LINE + _RAMP
    return Sheet(tuple(parts), y + _EDGE - 4.0 if parts else 0.0)


def _sign(sign: Sign, y: float) -> list[Words | Area | Ramp]:
    thin, wide, neck = _HEADS[sign.kind]
    x, middle = _EDGE, y + 0.5 * _LINE
    arrow = (
        (x, middle - thin), (x + neck, middle - thin), (x + neck, middle - wide), (x + _ARROW, middle),
        (x + neck, middle + wide), (x + neck, middle + thin), (x, middle + thin),
    )  # fmt: skip
    return [Area(arrow, sign.tone), Words(_EDGE + _BESIDE, y, sign.words)]


def _scale(scale: Scale, y: float) -> list[Words | Area | Ramp]:
    below, width = y + _LINE, WIDTH - 2.0 * _EDGE
    return [
        Words(_EDGE, y, scale.title),
        Ramp(_EDGE, below + 2.0, width, _RAMP, scale.tones),
        Words(_EDGE, below + _RAMP + 2.0, "0", muted=True),
        Words(_EDGE + width, below + _RAMP + 2.0, scale.top, from_right=True, muted=True),
    ]
