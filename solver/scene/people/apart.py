"""How legs are drawn that the engine lets into each other: moved aside until their skins about touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project.pose import Placed
from solver.scene.meshes import Indices
from solver.scene.people.build import SIDES, Figure, build

_GIVES_M = 0.012
"""How deep legs may lie in each other before they are moved (m): flesh and cloth give so far (assumed)."""
_MOST_M = 0.08
"""How far a knee or an ankle is moved at most at a time (m)."""
_ALONG = np.array([0.35, 0.5, 0.65, 0.8, 1.0])
"""Where along thighs and shanks it is looked."""
_TIMES, _SHORT_M = 3, 0.01
"""How often legs are moved, and from where on their distance has a direction (m)."""


@dataclass(frozen=True, eq=False, slots=True)
class Legs:
    """Both legs of a body: their joints, the bones that go with thighs and shanks, and how thick they are."""

    bones: Indices
    """Bones of hips, knees and ankles, of the right one first, and where these are in their axes (m)."""
    own: Array
    along: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    thick: Array
    """Half thicknesses where it is looked (2, 10), and their largest sum."""
    wide: float

    def apart(self, places: list[Placed]) -> None:
        """Move them apart by equal parts, where they lie deepest in each other, and again where they still do."""
        for _ in range(_TIMES):
            at = np.array([places[n].R_WS @ own + places[n].p_W for n, own in zip(self.bones, self.own, strict=True)])  # fmt: skip
            across = (at - places[0].p_W) @ places[0].R_WS[:, 1]
            if float(across[:3].min() - across[3:].max()) > self.wide:
                return
            joints = at.reshape(2, 3, 3)
            ways = joints[:, 1:] - joints[:, :2]
            points = joints[:, :2, None] + _ALONG[:, None] * ways[:, :, None]
            right, left = points.reshape(2, -1, 3)
            away = right[:, None] - left
            far = np.sqrt(np.einsum("nmi,nmi->nm", away, away))
            deep = self.thick[0][:, None] + self.thick[1] - far
            k, m = divmod(int(deep.argmax()), deep.shape[1])
            lack = float(deep[k, m]) - _GIVES_M
            if lack <= 0.0:
                return
            way = away[k, m] / far[k, m] if far[k, m] > _SHORT_M else places[0].R_WS[:, 1]
            for leg, n, by in ((0, k, 0.5 * lack), (1, m, -0.5 * lack)):
                bone, row = divmod(n, len(_ALONG))
                shift = min(_MOST_M, abs(by) / float(_ALONG[row])) * np.sign(by) * way
                start = joints[leg, bone]
                _turn(places, self.along[leg][bone], start, ways[leg, bone], shift)


def _turn(places: list[Placed], bones: Sequence[int], at: Array, way: Array, by: Array) -> None:
    """Turn bones about a place so that the end of a way from it goes aside."""
    a, b = way / np.linalg.norm(way), way + by
    b = b / np.linalg.norm(b)
    x, y, z = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    R = np.eye(3) + K + K @ K / (1.0 + float(a @ b))
    for n in bones:
        places[n] = Placed(R @ places[n].R_WS, at + R @ (places[n].p_W - at))


@lru_cache(maxsize=64)
def legs(figure: Figure) -> Legs:
    """Measure the legs of a body."""
    b = build(figure)
    below: list[set[int]] = [{n} for n in range(len(figure.bones))]
    for n in reversed(range(1, len(figure.bones))):
        below[figure.bones[n].on] |= below[n]
    bones, own, along, thick = [], [], [], []
    for side, leg in zip(SIDES, b.legs, strict=True):
        thigh, shank = (figure.number(f"{side}_{part}") for part in ("upper_leg", "lower_leg"))
        at = b.places[shank].R_WS.T @ (leg.ankle - b.places[shank].p_W)
        bones += [thigh, shank, shank]
        own += [np.array(figure.bones[n].at_m) for n in (thigh, shank)] + [at]
        along.append((tuple(below[thigh]), tuple(below[shank])))
        t, s = leg.upper_m, leg.lower_m
        # as trousers are
        upper = np.interp(_ALONG, (0.0, 0.35, 0.75, 1.0), (1.03 * t, t, 0.92 * t, 0.84 * t))
        lower = np.interp(_ALONG, (0.28, 0.65, 1.0), (1.15 * s, 1.05 * s, s))
        # hips lie in each other in anybody
        upper[0] = 0.0
        thick.append(np.concatenate([upper, lower]))
    wide = sum(float(one.max()) for one in thick)
    return Legs(np.array(bones), np.array(own), tuple(along), np.array(thick), wide)
