"""All inverse poses of a chain that are found: from many drawn starts, those that are the same put together."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from solver.analysis.linkages.least import Rows, in_box, least
from solver.analysis.linkages.loops import Loops, Moving
from solver.analysis.linkages.serial import LinkageError
from solver.analysis.linkages.synthesis import slopes_of
from solver.base.words import Sentence
from solver.engine.maths.rotation import Array
from solver.project.document import Project
from solver.project.fields import Vec3
from solver.project.geometry import Orientation, PointRef
from solver.project.pose import Placed, turn
from solver.project.posing import with_pose
from solver.project.problems import did_you_mean
from solver.project.segments import GROUND

STARTS = 512
MET, SAME = 1e-9, 1e-5
"""By how much (m, or of a turn's entries) a pose may miss, and by how much two that are one may differ."""


@dataclass(frozen=True, slots=True)
class Goal:
    """Ask that a point of a segment is at a place (m, ground axes), and its segment in an attitude; none of either: any."""

    point: PointRef
    place_m: Vec3 | None = None
    attitude: Orientation | None = None


@dataclass(frozen=True, slots=True)
class InversePose:
    """One pose: the `project` that starts in it, coordinates (rad, m) by their labels, and how many starts came to it."""

    project: Project
    coordinates: Mapping[str, float]
    starts: int


@dataclass(frozen=True, slots=True)
class InversePoses:
    """All that were found, the one that most starts came to first.

    `met` of `starts` came to a pose that meets the goals. A pose that was not found is one to which less than the part
    `unseen` of those comes, with a probability of 95 %: nothing shows that there is none.
    """

    poses: tuple[InversePose, ...]
    starts: int
    met: int

    @property
    def unseen(self) -> float:
        """The part that a pose draws at most that was not found (95 %)."""
        return 1.0 - 0.05 ** (1.0 / self.met) if self.met else 1.0


def inverse_poses(
    project: Project,
    goals: Sequence[Goal],
    hold: Sequence[str] = (),
    centre_m: Vec3 | None = None,
    starts: int = STARTS,
    seed: int = 1,
    watch: Callable[[float], object] | None = None,
) -> InversePoses:
    """Find the poses in which goals are met and loops are closed.

    `hold` names joints, roots, or one coordinate of them (`base.yaw`) that stay as they start; roots that are not held float.
    `centre_m` is where the mass centre of all segments is to be, as of what floats by itself. Raises LinkageError where
    goals leave a pose open, so that there are endlessly many, or where none is found.
    """
    carried = {joint.child for joint in project.joints}
    roots = [one.id for one in project.segments if one.id not in carried and one.id not in hold]
    points = {f"goal {n}": one.point for n, one in enumerate(goals)}
    if centre_m is not None:
        points |= {f"centre {s.id}": PointRef(segment=s.id) for s in project.segments}
    known = [one.id for one in project.segments]
    for one in points.values():
        if one.segment not in known:
            raise LinkageError("There is no segment '{name}'. {hint}", name=one.segment, hint=did_you_mean(one.segment, known) or Sentence(""))  # fmt: skip
    loops = Loops(project, points, roots)
    labels = [f"{of}.{name}" for of, name in loops.coordinates]
    joints = [one.id for one in project.joints]
    for word in hold:
        if (
            word not in labels
            and word not in {of for of, _ in loops.coordinates}
            and word not in known
            and word not in joints
        ):
            raise LinkageError("'{name}' is nothing that could be held. {hint}", name=word, hint=did_you_mean(word, labels) or Sentence(""))  # fmt: skip
    free = [
        k for k, (of, _) in enumerate(loops.coordinates) if of not in hold and labels[k] not in hold
    ]
    masses = np.array([one.mass_kg for one in project.segments])

    def off_by(x: Array, _: Rows) -> Array:
        q = np.repeat(loops.start[None], len(x), axis=0)
        q[:, free] = x
        seen = loops.moving(loops.numbers, q)
        return _missed(loops, seen, q, goals, centre_m, masses)

    size = max(_size(project), 1e-3)
    turns = np.array(loops.turns, bool)[free]
    low = np.full(len(free), -math.inf)
    box_low = np.where(turns, -math.pi, loops.start[free] - size)
    box_high = np.where(turns, math.pi, loops.start[free] + size)
    drawn = in_box(starts, box_low, box_high, seed)
    drawn[0] = loops.start[free]
    x, r = least(lambda one, rows: slopes_of(off_by, one, rows), drawn, low, -low, rounds=200, small=1e-13, step=1e-14, gain=1e-9)  # fmt: skip
    if watch is not None:
        watch(0.8)
    met = np.flatnonzero(np.abs(r).max(axis=1, initial=0.0) < MET)
    if not len(met):
        raise LinkageError(
            "No pose meets this from {starts} starts; the nearest misses by {off:.3g} m.",
            starts=starts, off=float(np.abs(r).max(axis=1).min()),
        )  # fmt: skip
    _refuse_open(off_by, x[met[:1]], [labels[k] for k in free])
    return InversePoses(tuple(_merged(project, loops, x[met], free, labels)), starts, len(met))


def _missed(
    loops: Loops,
    seen: Moving,
    q: Array,
    goals: Sequence[Goal],
    centre_m: Vec3 | None,
    masses: Array,
) -> Array:
    parts = [loops.open(loops.numbers, q)[0]]
    for n, goal in enumerate(goals):
        if goal.place_m is not None:
            at = loops.point(loops.numbers, seen, f"goal {n}")
            parts.append(np.broadcast_to(at - np.array(goal.place_m), (len(q), 3)))
        if goal.attitude is not None:
            R = np.broadcast_to(seen.pose[goal.point.segment][0], (len(q), 3, 3))
            parts.append((R - turn(goal.attitude)).reshape(len(q), 9))
    if centre_m is not None:
        sums = np.zeros((len(q), 3))
        for mass, segment in zip(masses, loops.project.segments, strict=True):
            sums = sums + mass * loops.point(loops.numbers, seen, f"centre {segment.id}")
        parts.append(sums / masses.sum() - np.array(centre_m))
    return np.concatenate(parts, axis=1)


def _size(project: Project) -> float:
    """About how long what is looked at is (m): the sum of all arms of joints."""
    arms = [np.linalg.norm(end.position_m) for joint in project.joints for end in (joint.parent_frame, joint.child_frame)]  # fmt: skip
    return float(np.sum(arms))


def _refuse_open(off_by: Callable[[Array, Rows], Array], x: Array, labels: Sequence[str]) -> None:
    """Refuse goals that leave a direction open: there are endlessly many poses."""
    _, J = slopes_of(off_by, x, np.zeros(1, np.int64))
    _, s, Vt = np.linalg.svd(J[0])
    s = np.concatenate([s, np.zeros(len(labels) - len(s))]) if len(s) < len(labels) else s
    if s[-1] < 1e-6 * s[0]:
        most = np.argsort(-np.abs(Vt[-1]))[:3]
        raise LinkageError(
            "These goals leave {names} open, so that there are endlessly many poses: hold one, or ask for more.",
            names=", ".join(labels[k] for k in most if abs(Vt[-1][k]) > 0.1),
        )


def _merged(
    project: Project, loops: Loops, x: Array, free: Sequence[int], labels: Sequence[str]
) -> list[InversePose]:
    q = np.repeat(loops.start[None], len(x), axis=0)
    q[:, free] = x
    # angles that differ by whole turns are one pose
    told = np.where(loops.turns, (q + math.pi) % (2.0 * math.pi) - math.pi, q)
    seen = loops.moving(loops.numbers, q)
    rows = np.concatenate([
        part.reshape(len(x), -1)
        for name in loops.order
        for part in (np.broadcast_to(seen.pose[name][0], (len(x), 3, 3)), np.broadcast_to(seen.pose[name][1], (len(x), 3)))
    ], axis=1)  # fmt: skip
    groups = list[list[int]]()
    for n, row in enumerate(rows):
        same = next((g for g in groups if np.abs(rows[g[0]] - row).max() < SAME), None)
        if same is None:
            groups.append([n])
        else:
            same.append(n)
    out = list[InversePose]()
    for group in sorted(groups, key=len, reverse=True):
        n = group[0]
        pose = {
            name: Placed(np.broadcast_to(seen.pose[name][0], (len(x), 3, 3))[n].copy(), np.broadcast_to(seen.pose[name][1], (len(x), 3))[n].copy())
            for name in loops.order
            if name != GROUND
        }  # fmt: skip
        joints = dict[str, tuple[float, ...]]()
        ids = {one.id for one in project.joints}
        for of in dict.fromkeys(of for of, _ in loops.coordinates if of in ids):
            joints[of] = tuple(
                float(told[n, k]) for k, (one, _) in enumerate(loops.coordinates) if one == of
            )
        values = {label: float(told[n, k]) for k, label in enumerate(labels)}
        out.append(InversePose(_posed(project, pose, joints), values, len(group)))
    return out


def _posed(
    project: Project, pose: Mapping[str, Placed], joints: Mapping[str, tuple[float, ...]]
) -> Project:
    from solver.analysis.tracking.fitting import carried_on

    return with_pose(project, carried_on(project, pose), dict(joints))
