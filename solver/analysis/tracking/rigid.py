"""The frame of a rigid body from its markers, by Kabsch's method (Acta Crystallographica A32, 1976)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from solver.analysis.tracking.tracks import TrackError
from solver.engine.maths.rotation import Array
from solver.project.pose import Placed

FLAT = 1e-6
"""Size (m) across their line below which markers lie in one line."""


@dataclass(frozen=True, slots=True)
class RigidFit:
    """Hold where a segment is, and by how much (m) each marker misses its place."""

    placed: Placed
    miss: Mapping[str, float]

    @property
    def rms(self) -> float:
        """Give the root mean square of the misses (m)."""
        return float(np.sqrt(np.mean(np.square(list(self.miss.values())))))


def rigid_fit(
    on_segment: Mapping[str, Sequence[float] | Array],
    seen: Mapping[str, Array],
    weights: Mapping[str, float] | None = None,
) -> RigidFit:
    """Place a segment so that its markers (m, segment axes) lie nearest to where they were seen (ground).

    The sum of weight times squared distance is least (of `fit_pose` by default that of squared weights). Three markers or more that do not lie in one line are needed.
    """
    from scipy.spatial.transform import Rotation

    names = [name for name in on_segment if name in seen]
    here = np.array([on_segment[name] for name in names], float).reshape(-1, 3)
    there = np.array([seen[name] for name in names], float).reshape(-1, 3)
    w = np.array([(weights or {}).get(name, 1.0) for name in names])
    if len(names) < 3:
        raise TrackError(
            "A rigid frame needs three markers; {count} were seen: {names}.",
            count=len(names),
            names=", ".join(names) or "-",
        )
    mid_here, mid_there = (w @ here) / w.sum(), (w @ there) / w.sum()
    if np.linalg.svd(here - mid_here, compute_uv=False)[1] < FLAT:
        raise TrackError(
            "The markers {names} lie in one line; the turn about it is not determined.",
            names=", ".join(names),
        )
    turned, _ = Rotation.align_vectors(there - mid_there, here - mid_here, weights=w)
    R = turned.as_matrix()
    p = mid_there - R @ mid_here
    miss = np.linalg.norm(there - (here @ R.T + p), axis=1)
    return RigidFit(Placed(R, p), dict(zip(names, miss.tolist(), strict=True)))
