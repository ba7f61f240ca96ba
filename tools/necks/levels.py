"""What whole levels of the neck bear in each way, and how far they turn the ends of a ligament apart."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from solver.engine.maths.rotation import Array
from tools.necks.bones import BONES, Posture, tilted

Law = tuple[float, float, float]
"""N m for each degree, up to an angle (degrees), N m for the square of each degree beyond it."""
FLEXION: dict[str, Law] = {
    "skull": (0.0633, 3.97, 0.0779), "C1": (0.0424, 6.2, 0.0184), "C2": (0.0846, 1.15, 0.188), "C3": (0.0213, 1.42, 0.092),
    "C4": (0.0911, 3.05, 0.0825), "C5": (0.0186, 2.2, 0.0893), "C6": (0.132, 1.63, 0.111), "C7": (0.132, 1.63, 0.111),
}  # fmt: skip
EXTENSION: dict[str, Law] = {
    "skull": (0.0213, 12.6, 0.0521), "C1": (0.0361, 7.48, 0.12), "C2": (0.0305, 0.994, 0.219), "C3": (0.0265, 1.38, 0.198),
    "C4": (0.0653, 1.12, 0.0438), "C5": (0.0187, 1.62, 0.0843), "C6": (0.0266, 0.0, 0.0725), "C7": (0.0266, 0.0, 0.0725),
}  # fmt: skip
"""Levels below a bone, made by `python -m tools.people.fit neck_levels`: to 1 N m the mean of Panjabi and others (2001) and of Nightingale
and others (2007), beyond it as the latter go on; levels that these left out go on as those that they measured (assumed)."""
ASIDE: dict[str, Law] = {
    "skull": (0.0736, 3.3, 0.42), "C1": (0.0, 2.1, 0.83), "C2": (0.0, 3.2, 0.47), "C3": (0.0, 3.0, 0.37), "C4": (0.0, 3.0, 0.36),
    "C5": (0.0, 2.0, 0.55), "C6": (0.0, 1.5, 0.69), "C7": (0.0, 1.5, 0.69),
}  # fmt: skip
TWIST: dict[str, Law] = {
    "skull": (0.0, 3.0, 0.3), "C1": (0.0127, 26.8, 2.0), "C2": (0.15, 0.8, 0.96), "C3": (0.172, 1.7, 0.83), "C4": (0.0767, 2.0, 0.45),
    "C5": (0.0, 1.0, 0.41), "C6": (0.33, 0.9, 2.5), "C7": (0.33, 0.9, 2.5),
}  # fmt: skip
"""The same from Panjabi and others alone (docs/spine-levels.md); C7 as C6 in all ways: assumed."""
AXES = {"flexion": (0, -1.0), "extension": (0, 1.0), "right": (1, 1.0), "left": (1, -1.0), "one": (2, 1.0), "other": (2, -1.0)}  # fmt: skip
LAWS = {"flexion": FLEXION, "extension": EXTENSION, "right": ASIDE, "left": ASIDE, "one": TWIST, "other": TWIST}  # fmt: skip
"""Axes (right, forward, up) and signs of turns, by way, and the laws there."""
SLACK_NM = 1.0
"""Ligaments are slack as far as this moment turns their levels (N m): what a level bears until then is measured as a whole; assumed."""


def borne(law: Law, degrees: Array) -> Array:
    """The moment (N m) of a level by its turn."""
    linear, stop, beyond = law
    return np.asarray(linear * degrees + beyond * np.maximum(degrees - stop, 0.0) ** 2)


def turned_by(law: Law, moment: float) -> float:
    """The turn (degrees) of a level under a moment."""
    linear, stop, beyond = law
    over = moment - linear * stop
    if over <= 0.0:
        return moment / linear
    return stop + 2.0 * over / (linear + math.sqrt(linear**2 + 4.0 * beyond * over))


def apart(posture: Posture, a: tuple[str, Array], b: tuple[str, Array], turns: Mapping[str, tuple[str, float]]) -> float:  # fmt: skip
    """By how much (m) two points of bones are farther apart once levels have turned: by the bone above, way and degrees."""
    lower, upper = a[0], b[0]
    from_, at = (np.array([p[0] * posture.size, *posture.place(bone, p[1:])]) for bone, p in (a, b))
    before = float(np.linalg.norm(at - from_))
    for bone in reversed(BONES[BONES.index(lower) + 1 : BONES.index(upper) + 1]):
        if bone in turns:
            way, degrees = turns[bone]
            axis, sign = AXES[way]
            lean = np.eye(3)
            lean[1:, 1:] = tilted(posture.tilts[bone])
            middle = np.array([0.0, *posture.middle(bone)])
            turn = lean @ _about(axis, math.radians(sign * degrees)) @ lean.T
            at = middle + turn @ (at - middle)
    return float(np.linalg.norm(at - from_)) - before


def _about(axis: int, angle: float) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    i, j = ((1, 2), (2, 0), (0, 1))[axis]
    out = np.eye(3)
    out[i, i] = out[j, j] = c
    out[i, j], out[j, i] = -s, s
    return out


def slack_of(posture: Posture, a: tuple[str, Array], b: tuple[str, Array]) -> float:
    """How far (m) a ligament goes before it is taut: as the levels that it spans take it apart under `SLACK_NM`, in the way that takes it farthest."""
    spans = BONES[BONES.index(a[0]) + 1 : BONES.index(b[0]) + 1]
    ways = ({bone: (way, turned_by(LAWS[way][bone], SLACK_NM)) for bone in spans} for way in AXES)
    return max(0.0, *(apart(posture, a, b, turns) for turns in ways))


def pulled(posture: Posture, a: tuple[str, Array], b: tuple[str, Array], law: tuple[Array, Array], way: str, degrees: Array) -> Array:  # fmt: skip
    """The moment (N m) by which a ligament of one level, with its force by its length, resists a turn of it."""
    small = 0.05
    far, farther = (
        np.array([apart(posture, a, b, {b[0]: (way, float(d) + h)}) for d in degrees])
        for h in (-small, small)
    )
    pull = np.interp(0.5 * (far + farther), *law)
    return np.asarray(np.maximum(pull * (farther - far) / math.radians(2.0 * small), 0.0))
