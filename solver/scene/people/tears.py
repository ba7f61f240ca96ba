"""Where a skin is torn: bones that were joined have come apart, as those of broken legs do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.engine.maths.rotation import Array
from solver.project.pose import Placed
from solver.scene.people.skin import Skin

APART_M = 0.2
"""Bones that are farther apart than this, where they share skin, have come apart; cloth and flesh give so far (assumed)."""
_SHARED = 0.2

Pair = tuple[int, int]


class Tears:
    """Know where bones share skin, and which triangles hang between two of them."""

    def __init__(self, skin: Skin) -> None:
        self._skin = skin
        weights = skin.weights.toarray()
        both = weights > _SHARED
        count = len(skin.bones)
        found = [(a, b) for a in range(count) for b in range(a) if (both[:, a] & both[:, b]).any()]
        self.pairs = tuple(found)
        middles = [skin.mesh.points[both[:, a] & both[:, b]].mean(axis=0) for a, b in found]
        self._at = [np.array([_own(skin, pair[n], m) for pair, m in zip(found, middles, strict=True)]) for n in (0, 1)]  # fmt: skip

    def torn(self, places: Sequence[Placed]) -> tuple[Pair, ...]:
        """Name the pairs of bones that have come apart."""
        if not self.pairs:
            return ()
        turns = np.array([place.R_WS for place in places])
        centres = np.array([place.p_W for place in places])
        ends = []
        for n, own in enumerate(self._at):
            bones = [pair[n] for pair in self.pairs]
            ends.append(np.einsum("nij,nj->ni", turns[bones], own) + centres[bones])
        gap = np.linalg.norm(ends[0] - ends[1], axis=1)
        return tuple(pair for pair, far in zip(self.pairs, gap > APART_M, strict=True) if far)

    def between(self, torn: Sequence[Pair]) -> NDArray[np.bool_]:
        """Tell which triangles hang between bones that have come apart."""
        faces = self._skin.mesh.faces
        out = np.zeros(len(faces), bool)
        for a, b in torn:
            on = [self._skin.weights[:, [bone]].toarray().ravel()[faces] > 0.0 for bone in (a, b)]
            out |= on[0].any(axis=1) & on[1].any(axis=1)
        return out


@lru_cache(maxsize=24)
def tears_of(skin: Skin) -> Tears:
    """Look through a skin once, as it is made once for each body."""
    return Tears(skin)


def _own(skin: Skin, bone: int, point: Array) -> Array:
    place = skin.bones[bone]
    return np.asarray((point - place.p_W) @ place.R_WS)
