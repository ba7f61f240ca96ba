"""Say what is written over the scene of a run: scales of colour, signs of forces, words at places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.scene.lens import Lens
from solver.engine.maths.rotation import Array
from solver.scene.tones import mixed

ForceKind = Literal["contacts", "webbing", "airbags"]
LENGTH_M = 0.1
"""Length of the arrow of 1 kN; four times the force makes it twice as long."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What colours mean: a title with its unit, the colours from nothing up, and the top as written."""

    title: str
    tones: tuple[str, ...]
    top: str


@dataclass(frozen=True, slots=True)
class Sign:
    """What an arrow of one form and colour means."""

    words: str
    tone: str
    kind: ForceKind


@dataclass(frozen=True, slots=True)
class Tag:
    """Hold words that are written at a place (m, ground axes)."""

    place: tuple[float, float, float]
    words: str
    other: tuple[float, float, float] | None = None
    """Where there is one, words begin at the place, in lines; without room there they lie above this other one."""


@dataclass(frozen=True, slots=True)
class Key:
    """All of it; `note` says how large arrows are."""

    scales: tuple[Scale, ...] = ()
    signs: tuple[Sign, ...] = ()
    note: str = ""
    tags: tuple[Tag, ...] = ()


NO_KEY = Key()


def tone_at(tones: tuple[str, ...], part: float) -> tuple[float, float, float]:
    """The colour at a part (0 to 1) of a scale."""
    place = float(np.clip(part, 0.0, 1.0)) * (len(tones) - 1)
    k = min(int(place), len(tones) - 2)
    return mixed(tones[k], tones[k + 1], place - k)


def rounded_up(value: float) -> float:
    """The next plain number: one or two digits and a power of ten."""
    if value <= 0.0:
        return 1.0
    power = 1.0
    while power * 10.0 <= value:
        power *= 10.0
    while power > value:
        power /= 10.0
    return next(power * step for step in _PLAIN if power * step >= value)


_PLAIN = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


WIDTH = 152.0
"""Width of a column; all lengths count in pixels of a window, downwards from the upper left corner."""
_EDGE, _LINE, _GAP = 10.0, 18.0, 8.0
_RAMP, _ARROW, _BESIDE = 6.0, 30.0, 40.0
_SMALL, _LETTER, _SCALE_WIDTH = 0.72, 7.4, 130.0
"""Of signs in a row: their size, and the width that a letter takes; and of scales in a row."""
_MARGIN, _APART = 4.0, 3.0
"""Between words at places and the edge of a picture, and between those of two places."""
_HEADS: dict[ForceKind, tuple[float, float, float]] = {
    "contacts": (1.2, 4.0, 19.0),
    "webbing": (0.8, 3.0, 22.0),
    "airbags": (2.0, 5.5, 16.0),
}
"""Half widths of stem and head, and where the head begins, as the arrows in the scene have them."""


@dataclass(frozen=True, slots=True)
class Words:
    """A line of words; `x` is its left end, or its right one."""

    x: float
    y: float
    text: str
    from_right: bool = False
    muted: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """A filled polygon."""

    corners: tuple[tuple[float, float], ...]
    tone: str


@dataclass(frozen=True, slots=True)
class Ramp:
    """A bar that runs from left to right through colours."""

    x: float
    y: float
    width: float
    height: float
    tones: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Hold everything, and how large it is."""

    parts: tuple[Words | Area | Ramp, ...]
    width: float
    height: float


def sheet(key: Key) -> Sheet:
    """Lay out signs and scales one below the other; no height where there are none."""
    parts: list[Words | Area | Ramp] = []
    y = _EDGE
    for sign in key.signs:
        parts += _sign(sign, _EDGE, y)
        y += _LINE
    if key.note:
        parts.append(Words(_EDGE, y, key.note, muted=True))
        y += _LINE
    for scale in key.scales:
        y += _GAP if parts else 0.0
        parts += _scale(scale, _EDGE, y, WIDTH - 2.0 * _EDGE)
        y += 2.0 * _LINE + _RAMP
    return Sheet(tuple(parts), WIDTH, y + _EDGE - 4.0 if parts else 0.0)


def flat_sheet(key: Key) -> Sheet:
    """Lay out signs in a row and scales in another, for a view that is higher than wide."""
    parts: list[Words | Area | Ramp] = []
    x, y, width = _EDGE, _EDGE - 3.0, 0.0
    for sign in key.signs:
        parts += _sign(sign, x, y, _SMALL)
        x += _SMALL * _BESIDE + _LETTER * len(sign.words) + _GAP
    width = x
    if key.signs:
        y += _LINE
    if key.note:
        parts.append(Words(_EDGE, y, key.note, muted=True))
        y += _LINE
    x = _EDGE
    for scale in key.scales:
        parts += _scale(scale, x, y, _SCALE_WIDTH - 2.0 * _EDGE)
        x += _SCALE_WIDTH
    if key.scales:
        y += 2.0 * _LINE + _RAMP
    return Sheet(tuple(parts), max(width, x), y + _EDGE - 6.0 if parts else 0.0)


Box = tuple[float, float, float, float]
"""Left, top, width and height."""


@dataclass(frozen=True, eq=False, slots=True)
class Surroundings:
    """What words at places are to leave free: pixels at which people are seen, over a run and now, and boxes.

    Boxes are left, top, right and lower edge.
    """

    course: Array
    now: Array
    boxes: tuple[Box, ...] = ()


NOBODY = Surroundings(np.zeros((0, 2)), np.zeros((0, 2)))


def tag_boxes(
    tags: Sequence[Tag],
    lens: Lens,
    size: Callable[[Tag], tuple[float, float]],
    scale: float = 1.0,
    around: Surroundings = NOBODY,
) -> list[tuple[Tag, Box]]:
    """Place words in a picture: beside people where they say what a place has, or to the right of it, else above, none on another."""
    found: list[tuple[Tag, Box]] = []
    margin = _MARGIN * scale
    for tag in tags:
        place = np.array(tag.place)
        if not lens.is_ahead(place):
            continue
        width, height = size(tag)
        x, y = (float(v) for v in lens.pixel(place))
        left, top = x - 0.5 * width, y - 0.5 * height
        if tag.other is not None:
            left = x
            if left + width > lens.width - margin:
                x, y = (float(v) for v in lens.pixel(np.array(tag.other)))
                left = max(min(x + 0.5 * width, lens.width - margin) - width, margin)
                top = max(y - height, margin)
            while below := [a for _, a in found if _meet((left, top, width, height), a)]:
                top = max(a[1] + a[3] for a in below) + _APART * scale
        elif len(around.course):
            left, top = _beside((left, top, width, height), lens, around, [box for _, box in found])
        found.append((tag, (left, top, width, height)))
    return found


def line_to(
    tag: Tag, box: Box, lens: Lens
) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """The line from words that stand beside their place to it; None where they stand on it."""
    if tag.other is not None:
        return None
    x, y = (float(v) for v in lens.pixel(np.array(tag.place)))
    left, top, width, height = box
    near = min(max(x, left), left + width), min(max(y, top), top + height)
    return None if near == (x, y) else (near, (x, y))


def _beside(
    box: Box, lens: Lens, around: Surroundings, others: Sequence[Box]
) -> tuple[float, float]:
    """Where words stand free of people, of what is written and of other words, as near to their place as can be.

    Where nothing is free over the whole run they leave free where people are now.
    """
    left, top, width, height = box
    taken = [(a, b, c - a, d - b) for a, b, c, d in around.boxes] + list(others)
    for people in (_grid(around.course, lens), _grid(around.now, lens)):
        for dx, dy in _WAYS:
            x, y = left + dx, top + dy
            is_in = _MARGIN < x < lens.width - width - _MARGIN
            if not (is_in and _MARGIN < y < lens.height - height - _MARGIN):
                continue
            rows = slice(int(y / _CELL_PX), int((y + height) / _CELL_PX) + 3)
            columns = slice(int(x / _CELL_PX), int((x + width) / _CELL_PX) + 3)
            if not people[rows, columns].any() and not any(
                _meet((x, y, width, height), one) for one in taken
            ):
                return x, y
    return left, top


_CELL_PX, _REACH_PX, _STEP_PX = 8.0, 440, 20
"""Of the grid in which people are looked for; how far from their place words go at most, and by which steps."""
_WAYS = sorted(
    (
        (right * a, down * b)
        for a in range(0, _REACH_PX, _STEP_PX)
        for b in range(0, _REACH_PX, _STEP_PX)
        for right in (1, -1)
        for down in (-1, 1)
    ),
    key=lambda way: way[0] ** 2 + 4 * way[1] ** 2,
)
"""Ways from a place, sideways first."""


def _grid(pixels: Array, lens: Lens) -> NDArray[np.bool_]:
    """Which cells of a picture hold any pixel, with a rim of one about it."""
    size = int(lens.height / _CELL_PX) + 3, int(lens.width / _CELL_PX) + 3
    found = np.zeros(size, bool)
    cells = np.floor(pixels[:, ::-1] / _CELL_PX).astype(int) + 1
    cells = cells[((cells >= 0) & (cells < size)).all(axis=1)]
    found[cells[:, 0], cells[:, 1]] = True
    return found


def _meet(one: Box, other: Box) -> bool:
    return all(one[k] < other[k] + other[k + 2] and other[k] < one[k] + one[k + 2] for k in (0, 1))


def _sign(sign: Sign, x: float, y: float, size: float = 1.0) -> list[Words | Area | Ramp]:
    thin, wide, neck = _HEADS[sign.kind]
    middle = y + 0.5 * _LINE
    along, across = (
        (0.0, neck, neck, _ARROW, neck, neck, 0.0),
        (-thin, -thin, -wide, 0.0, wide, thin, thin),
    )
    corners = tuple((x + size * a, middle + b) for a, b in zip(along, across, strict=True))
    return [Area(corners, sign.tone), Words(x + size * _BESIDE, y, sign.words)]


def _scale(scale: Scale, x: float, y: float, width: float) -> list[Words | Area | Ramp]:
    below = y + _LINE
    return [
        Words(x, y, scale.title),
        Ramp(x, below + 2.0, width, _RAMP, scale.tones),
        Words(x, below + _RAMP + 2.0, "0", muted=True),
        Words(x + width, below + _RAMP + 2.0, scale.top, from_right=True, muted=True),
    ]
