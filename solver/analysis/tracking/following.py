"""The motion of a model from tracks: its pose at each instant, from one to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from solver.analysis.tracking.chain import Chain, Coordinate
from solver.analysis.tracking.fitting import (
    Weigh,
    absolute,
    carried_on,
    laid_over,
    solve,
    weights_of,
)
from solver.analysis.tracking.tracks import TrackError, Tracks
from solver.engine.maths.rotation import Array
from solver.project.document import Project
from solver.project.pose import Placed
from solver.project.posing import with_pose

Told = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Followed:
    """Hold a motion: at each `time` (s) the `value` (T, n) of each coordinate (rad or m).

    Of roots these are places and yaw, pitch and roll in ground axes; `place` and `attitude` hold the same
    as (T, 3) and (T, 3, 3). `miss` is the root mean square distance of the markers (m), `worst` the same
    for each marker over all times. `project` starts in the first pose.
    """

    project: Project
    time: Array
    coordinates: tuple[Coordinate, ...]
    value: Array
    miss: Array
    worst: Mapping[str, float]
    place: Mapping[str, Array]
    attitude: Mapping[str, Array]
    left_out: int

    @property
    def rms(self) -> float:
        """Give the root mean square distance over all times (m)."""
        return float(np.sqrt((self.miss**2).mean()))

    def smoothed(self, cut_off_hz: float) -> Followed:
        """Give the motion without what is faster than a frequency: Butterworth, forward and backward."""
        from scipy.spatial.transform import Rotation

        from solver.engine.signals import low_pass, period

        step = period(self.time)

        def slow(values: Array) -> Array:
            columns = [low_pass(column, step, cut_off_hz) for column in values.T]
            return np.stack(columns, axis=1)

        attitude = {}
        for root, R in self.attitude.items():
            # turns from the first attitude, as rotation vectors without jumps, are smoothed
            turned = _continuous(Rotation.from_matrix(R @ R[0].T).as_rotvec())
            attitude[root] = Rotation.from_rotvec(slow(turned)).as_matrix() @ R[0]
        return replace(
            self,
            value=slow(self.value),
            place={root: slow(p) for root, p in self.place.items()},
            attitude=attitude,
        )


def _continuous(turned: Array) -> Array:
    """Give rotation vectors without jumps from one to the next by a whole turn."""
    out = turned.copy()
    for n in range(1, len(out)):
        angle = float(np.linalg.norm(out[n]))
        if angle == 0.0:
            continue
        axis = out[n] / angle
        whole = np.round((out[n - 1] @ axis - angle) / (2.0 * np.pi))
        out[n] = (angle + 2.0 * np.pi * whole) * axis
    return out


def follow(
    project: Project,
    tracks: Tracks,
    free: Sequence[str] = ("all",),
    hold: Sequence[str] = (),
    weights: Mapping[str, float] | None = None,
    told: Told | None = None,
    weigh: Weigh = "distances",
) -> Followed:
    """Find the pose at each time of the tracks, each from the one before.

    What the markers seen at a time do not determine stays as it was. Times at which none of the model's
    markers was seen are left out. `told` is called with the part that is done.
    """
    chain = Chain(project, free, hold)
    weight = weights_of(chain, weights, weigh)
    names = [name for name in tracks.names if weight.get(name, 0.0) > 0.0]
    if not names:
        raise TrackError(
            "None of the model's markers was seen: {names}.", names=", ".join(chain.markers)
        )
    seen = tracks.selected(names)
    kept = np.flatnonzero(seen.seen.any(axis=1))
    if not len(kept):
        raise TrackError("None of the markers was seen at any time.")
    roots = chain.roots
    values, misses, each = [], [], {name: [] for name in names}  # type: ignore[var-annotated]
    place: dict[str, list[Array]] = {root: [] for root in roots}
    attitude: dict[str, list[Array]] = {root: [] for root in roots}
    first: Project | None = None
    for count, k in enumerate(kept):
        here = {n: p for n, p in zip(names, seen.point[k], strict=True) if np.isfinite(p).all()}
        if count == 0:
            laid_over(chain, here, weight)
        solved = solve(chain, here, weight)
        pose = chain.pose(solved.q)
        if first is None:
            first = _posed(project, pose, chain.values(solved.q))
        values.append(absolute(chain, solved.q, pose))
        distance = np.linalg.norm(solved.miss, axis=1)
        misses.append(float(np.sqrt((distance**2).mean())))
        for name, off in zip(solved.names, distance, strict=True):
            each[name].append(float(off))
        for root in roots:
            place[root].append(pose[root].p_W)
            attitude[root].append(pose[root].R_WS)
        chain.moved_to(solved.q)
        if told is not None:
            told((count + 1) / len(kept))
    assert first is not None
    value = np.array(values)
    for n, c in enumerate(chain.coordinates):
        if c.root and c.turns:
            value[:, n] = np.unwrap(value[:, n])
    return Followed(
        project=first,
        time=seen.time[kept],
        coordinates=chain.coordinates,
        value=value,
        miss=np.array(misses),
        worst={n: float(np.sqrt(np.mean(np.square(off)))) for n, off in each.items() if off},
        place={root: np.array(rows) for root, rows in place.items()},
        attitude={root: np.array(rows) for root, rows in attitude.items()},
        left_out=len(seen.time) - len(kept),
    )


def _posed(
    project: Project, pose: Mapping[str, Placed], values: Mapping[str, tuple[float, ...]]
) -> Project:
    segments = {segment.id for segment in project.segments}
    target = {name: placed for name, placed in pose.items() if name in segments}
    return with_pose(project, carried_on(project, target), values)
