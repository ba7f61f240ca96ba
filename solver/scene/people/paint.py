"""Say in which colours people are seen: skin, hair and clothes, or the vinyl, caps and marks of a dummy."""

from __future__ import annotations

from typing import Literal

import numpy as np

from solver.engine.maths.rotation import Array
from solver.scene.people.build import Build
from solver.scene.tones import rgb

Garment = Literal["head", "hair", "shirt", "trousers", "shoe", "hand", "cap", "mark", "dark"]

_PERSON: dict[Garment, str] = {
    "head": "#d9ab8c",
    "hair": "#4a382c",
    "shirt": "#7e93a6",
    "trousers": "#4d5766",
    "shoe": "#3c3632",
    "hand": "#d9ab8c",
}
_DUMMY: dict[Garment, str] = {
    "head": "#d8ae7c",
    "cap": "#6a6e73",
    "mark": "#f2c92b",
    "dark": "#1f1f20",
    "shirt": "#d0a673",
    "trousers": "#cba06c",
    "shoe": "#2f2f31",
    "hand": "#d8ae7c",
}
_LIPS, _WHITE, _IRIS, _BROW = "#b9786a", "#efe9e1", "#3f342c", "#6b4f3d"
_RUBBER = "#3a3a3c"


def painted(b: Build, garment: Garment, points: Array) -> Array:
    """Give the colour of each point of a garment, red, green, blue from 0 to 1."""
    tones = _DUMMY if b.figure.is_dummy else _PERSON
    colours = np.tile(rgb(tones[garment]), (len(points), 1))
    if garment == "head":
        _face(b, points, colours)
    return colours


def _face(b: Build, points: Array, colours: Array) -> None:
    """Paint eyes, brows and lips; a dummy has a neck of rubber."""
    a, w, h = (float(v) for v in b.head.half)
    h = min(h, 1.22 * a)
    top = float(b.head.middle[2] - b.head.half[2])
    c = np.array([b.head.middle[0], b.head.middle[1], top + h])
    x, y, z = ((points - c) * (1.0 / a, 1.0 / w, -1.0 / h)).T
    if b.figure.is_dummy:
        colours[(z < -0.75) & (x < 0.30)] = rgb(_RUBBER)
        return
    soft = [
        (_BROW, 0.65, (np.abs(y) - 0.38) / 0.20, (z - 0.185 + 0.10 * (np.abs(y) - 0.38) ** 2) / 0.045, 0.55),
        (_LIPS, 0.72, y / 0.26, (z + 0.56) / 0.085, 0.70),
        (_WHITE, 0.9, (np.abs(y) - 0.37) / 0.155, (z - 0.02) / 0.075, 0.70),
        (_IRIS, 0.95, (np.abs(y) - 0.37) / 0.075, (z - 0.02) / 0.075, 0.72),
    ]  # fmt: skip
    for tone, most, across, up, ahead in soft:
        part = most * np.clip(1.9 - 1.5 * (across**2 + up**2), 0.0, 1.0) * (x > ahead)
        colours += part[:, None] * (np.array(rgb(tone)) - colours)
