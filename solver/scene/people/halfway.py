"""Stand a body half-way between standing and sitting, arms out, so that no joint is far from any of its poses."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project.pose import Placed
from solver.scene.people.who import Figure

_ARM, _FOREARM = (0.20, 0.75, 0.63), (0.60, 0.58, 0.55)
_THIGH, _SHANK = (0.64, 0.24, 0.73), (-0.08, 0.10, 0.99)
_OUT = (0.0, 1.0, 0.0)
"""Ways down the limbs of the right side, from trunk to end: x ahead, y to the right, z down."""

_WAYS = {
    "upper_arm": _ARM,
    "forearm": _FOREARM,
    "hand": _FOREARM,
    "upper_leg": _THIGH,
    "knee_block": _THIGH,
    "knee_slider": _SHANK,
    "leg_end": _SHANK,
    "lower_leg": _SHANK,
}


def halfway(figure: Figure) -> list[Placed]:
    """Give the place of each bone; the pelvis stands in the origin."""
    return stood(figure, _turn)


def stood(figure: Figure, turned: Callable[[str], Array]) -> list[Placed]:
    """Give the place of each bone whose parts are turned so; what has no name goes with what bears it."""
    places: list[Placed] = []
    for bone in figure.bones:
        R = turned(bone.part)
        if bone.on < 0:
            places.append(Placed(R, np.zeros(3)))
            continue
        below = places[bone.on]
        if not bone.part:
            R = below.R_WS
        joint = below.p_W + below.R_WS @ np.array(bone.on_m)
        places.append(Placed(R, joint - R @ np.array(bone.at_m)))
    return places


def _turn(part: str) -> Array:
    """Give the axes of a part: z down the limb, y about to the right."""
    side, _, limb = part.partition("_")
    if limb == "foot":
        # z from heel to toe, x up
        return np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    if limb not in _WAYS or side not in ("right", "left"):
        return np.eye(3)
    way = np.array(_WAYS[limb]) * (1.0, 1.0 if side == "right" else -1.0, 1.0)
    z = way / np.linalg.norm(way)
    y = np.array(_OUT) - z[1] * z
    y /= np.linalg.norm(y)
    return np.column_stack([np.cross(y, z), y, z])
