"""The pose of a model from markers: least squares over its freedoms, and what the markers leave open.

Least is the sum of squares of weight times distance (`weigh` distances), or of weight times squared distance
(squares, as OpenSim's inverse kinematics has it).
What is determined is read from the singular values of the weighted Jacobian at the pose that was found, where
a way of 0.1 m counts as much as a turn of one radian (*assumed*).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from solver.analysis.tracking.chain import Chain
from solver.analysis.tracking.tracks import TrackError
from solver.engine.maths.rotation import Array
from solver.project.document import Project
from solver.project.pose import Placed
from solver.project.posing import with_pose

# The frame of a rigid body from its markers, by Kabsch's method (Acta Crystallographica A32, 1976).

FLAT = 1e-6
"""Size (m) across their line below which markers lie in one line."""


@dataclass(frozen=True, slots=True)
class RigidFit:
    """Where a segment is, and by how much (m) each marker misses its place."""

    placed: Placed
    miss: Mapping[str, float]

    @property
    def rms(self) -> float:
        """The root mean square of the misses (m)."""
        return float(np.sqrt(np.mean(np.square(list(self.miss.values())))))


def rigid_fit(
    on_segment: Mapping[str, Sequence[float] | Array],
    seen: Mapping[str, Sequence[float] | Array],
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


Weigh = Literal["distances", "squares"]
"""What a marker's weight multiplies: its distance, whose square then counts, or the square of its distance."""
Wanted = tuple[float, float | None]
"""Weight of a coordinate's squared distance from a value, and that (rad, m); none: where it is at the start."""
Ends = tuple[float, float]
"""Least and largest value of a coordinate (rad, m)."""
UNIT_WAY = 0.1
"""Way (m) that counts as much as a radian."""
WEAK = 0.02
"""A direction is told as weak where a unit of it moves no marker by more than this (m); *assumed*."""
OPEN = 1e-7
"""Part of the largest singular value below which markers do not determine a direction at all."""
PART, MOST_PARTS = 0.25, 6
"""Part of a direction's largest coordinate from which others are named, and how many at most."""


@dataclass(frozen=True, slots=True)
class Direction:
    """A direction that markers determine weakly (`open`: not at all), by its largest parts.

    A unit of it (rad, or 0.1 m) moves the marker that it moves most by `moves` (m). `ratio` is its singular
    value over the largest.
    """

    parts: tuple[tuple[str, float], ...]
    moves: float
    ratio: float
    open: bool

    @property
    def label(self) -> str:
        """Write it as a sum of coordinates."""
        words = [f"{part:+.2f} {name}" for name, part in self.parts]
        return " ".join(words)


@dataclass(frozen=True, slots=True)
class PoseFit:
    """A fitted pose: the `project` that starts in it, misses, and what is determined how well.

    `values` are the coordinates of joints, `coordinates` all that were free by their labels (rad or m; of
    roots places and yaw, pitch and roll in ground axes), `angles` those of them that are in rad.

    `miss` is the vector from each marker of the model to where it was seen (m). `deviation` is the
    standard deviation of each coordinate (rad or m) that follows from the misses; empty where as many
    coordinates as numbers are fitted, and of those that are not determined not a number.
    """

    project: Project
    values: Mapping[str, tuple[float, ...]]
    coordinates: Mapping[str, float]
    angles: frozenset[str]
    miss: Mapping[str, Array]
    deviation: Mapping[str, float]
    condition: float
    weak: tuple[Direction, ...]
    not_seen: tuple[str, ...]
    not_known: tuple[str, ...]

    @property
    def rms(self) -> float:
        """The root mean square of the distances (m)."""
        return float(np.sqrt(np.mean([v @ v for v in self.miss.values()])))


@dataclass(frozen=True, slots=True)
class Solved:
    """The coordinates that were found for one instant, with misses and Jacobian."""

    q: Array
    names: tuple[str, ...]
    miss: Array
    jacobian: Array
    weight: Array


def fit_pose(
    project: Project,
    seen: Mapping[str, Array],
    free: Sequence[str] = ("all",),
    hold: Sequence[str] = (),
    weights: Mapping[str, float] | None = None,
    weigh: Weigh = "distances",
    wanted: Mapping[str, Wanted] | None = None,
    ranges: Mapping[str, Ends] | None = None,
) -> PoseFit:
    """Find the pose in which the markers of a project lie nearest to where they were seen (m, ground).

    What may move is named as in settling: bodies, joints, all, a root, a joint, or one axis of them
    (`hip.pitch`). Joints that carry no marker stay as they are, and so do coordinates that the markers do
    not determine. Axes that are coupled follow; other constraints, contacts and stops are not looked at. What is locked
    moves only where it is named. `wanted` draws coordinates to values, `ranges` are ends that they do not leave, both by their labels or joints. By default weights multiply distances,
    so that a weight of 3 counts 9 times; with `weigh="squares"` it counts 3 times, as in OpenSim.
    """
    chain = Chain(project, free, hold)
    weight = weights_of(chain, weights, weigh)
    seen = {chain.known(name): place for name, place in seen.items()}
    held = goals(chain, wanted or {})
    laid_over(chain, seen, weight)
    solved = solve(chain, seen, weight, held, ends_of(chain, ranges or {}))
    pose = chain.pose(solved.q)
    target = {
        name: placed for name, placed in pose.items() if name in {s.id for s in project.segments}
    }
    values = chain.values(solved.q)
    names = [c.label for c in chain.coordinates]
    condition, weak, deviation = determined(chain, solved)
    return PoseFit(
        project=with_pose(project, carried_on(project, target), values),
        values=values,
        coordinates=dict(zip(names, absolute(chain, solved.q, pose), strict=True)),
        angles=frozenset(c.label for c in chain.coordinates if c.turns),
        miss=dict(zip(solved.names, solved.miss, strict=True)),
        deviation=deviation,
        condition=condition,
        weak=weak,
        not_seen=tuple(name for name in chain.markers if name not in seen),
        not_known=tuple(name for name in seen if name not in chain.markers),
    )


def carried_on(project: Project, target: Mapping[str, Placed]) -> dict[str, Placed]:
    """The pose; segments beyond the markers follow through their joints."""
    from solver.project.joint_table import carrying
    from solver.project.pose import start_pose

    old = start_pose(project)
    out = dict(target)
    left = [joint for joint in carrying(project.joints) if joint.child not in out]
    while left:
        ready = [joint for joint in left if joint.parent in out]
        if not ready:
            break
        for joint in ready:
            was, now = old[joint.parent], out[joint.parent]
            R = now.R_WS @ was.R_WS.T
            child = old[joint.child]
            out[joint.child] = Placed(R @ child.R_WS, now.p_W + R @ (child.p_W - was.p_W))
        left = [joint for joint in left if joint.child not in out]
    return out


def absolute(chain: Chain, q: Array, pose: Mapping[str, Placed]) -> list[float]:
    """Give coordinates as they are told: of roots places and attitudes, not changes."""
    from solver.project.angles import angles_from

    out = []
    for c, value in zip(chain.coordinates, q, strict=True):
        if not c.root:
            out.append(float(value))
        elif not c.turns:
            out.append(float(pose[c.of].p_W["xyz".index(c.name)]))
        else:
            yaw, pitch, roll = angles_from(pose[c.of].R_WS, "zyx")
            out.append({"yaw": yaw, "pitch": pitch, "roll": roll}[c.name])
    return out


def weights_of(
    chain: Chain, given: Mapping[str, float] | None, weigh: Weigh = "distances"
) -> dict[str, float]:
    """What multiplies the distance of each marker, or say which name or number is no weight."""
    if weigh not in get_args(Weigh):
        raise TrackError("Weights multiply distances or squares, not '{word}'.", word=weigh)
    out = dict.fromkeys(chain.markers, 1.0)
    for word, value in (given or {}).items():
        name = chain.known(word)
        if name not in out:
            raise TrackError("There is no marker '{name}' in the model.", name=name)
        if not (np.isfinite(value) and value >= 0.0):
            raise TrackError("The weight of a marker is not below zero; {value:g} is.", value=value)
        out[name] = float(value if weigh == "distances" else np.sqrt(value))
    return out


def goals(chain: Chain, wanted: Mapping[str, Wanted]) -> dict[int, tuple[float, float]]:
    """Value, and what multiplies the distance from it, of the coordinates that are drawn somewhere, by their numbers.

    One that moves nothing, or follows another, is left out.
    """
    start, found = chain.start(), dict[int, tuple[float, float]]()
    for name, (weight, value) in wanted.items():
        for k, c in enumerate(chain.coordinates):
            if name in (c.label, c.of) and not c.root and weight > 0.0:
                found[k] = float(start[k]) if value is None else value, float(np.sqrt(weight))
    return found


def ends_of(chain: Chain, ranges: Mapping[str, Ends]) -> Array | None:
    """Least and largest values of all coordinates (2, n), or none where nothing ends; of roots nothing does."""
    found = np.repeat([[-np.inf], [np.inf]], len(chain.coordinates), axis=1)
    for k, c in enumerate(chain.coordinates):
        for name in (c.label, c.of):
            if not c.root and name in ranges:
                found[:, k] = sorted(ranges[name])
                break
    return found if np.isfinite(found).any() else None


def laid_over(chain: Chain, seen: Mapping[str, Array], weight: Mapping[str, float]) -> None:
    """Lay trees that may move freely over their markers as they stand, so that turns of any size are found."""
    whole = [
        root for root in chain.roots if sum(c.root and c.of == root for c in chain.coordinates) == 6
    ]
    start = chain.start()
    pose = chain.pose(start)
    # rigid fits take weights of squares
    squared = {name: w**2 for name, w in weight.items()}
    for root in whole:
        here = {
            name: pose[root].R_WS.T @ (p - pose[root].p_W)
            for name, p in zip(chain.markers, chain.places(start, list(chain.markers)), strict=True)
            if chain.root_of_marker(name) == root and weight[name] > 0.0
        }
        try:
            chain.placed_at(root, rigid_fit(here, seen, squared).placed)
        except TrackError:
            continue


def solve(
    chain: Chain,
    seen: Mapping[str, Array],
    weight: Mapping[str, float],
    wanted: Mapping[int, tuple[float, float]] | None = None,
    ends: Array | None = None,
) -> Solved:
    """Find the coordinates at which markers lie nearest to where they were seen, by Gauss and Newton's steps.

    Steps that do not bring them nearer are damped (Levenberg and Marquardt). `wanted` are value and root of the weight of
    coordinates by their numbers, `ends` the values between which all stay.
    """
    names = tuple(name for name in chain.markers if name in seen and weight[name] > 0.0)
    if not names:
        raise TrackError(
            "None of the model's markers was seen: {names}.", names=", ".join(chain.markers)
        )
    there = np.array([seen[name] for name in names], float)
    w = np.array([weight[name] for name in names])
    scale = np.array([1.0 if c.turns else UNIT_WAY for c in chain.coordinates])
    at = list(wanted or {})
    goal, heavy = (np.array([(wanted or {})[k][n] for k in at]) for n in (0, 1))
    held = np.zeros((len(at), len(scale)))
    held[range(len(at)), at] = heavy * scale[at]

    def off(u: Array) -> tuple[Array, Array, Array]:
        """Give misses, slopes of all rows, and their values."""
        place, J = chain.places_and_slopes(scale * u, names)
        miss = there - place
        rows = np.concatenate([-(w[:, None] * miss).ravel(), heavy * (scale[at] * u[at] - goal)])
        return miss, np.concatenate([np.repeat(w, 3)[:, None] * J * scale, held]), rows

    low, high = (None, None) if ends is None else ends / scale
    u = chain.start() / scale if ends is None else np.clip(chain.start() / scale, low, high)
    miss, J, r = off(u)
    cost, damping = float(r @ r), 0.0
    for _ in range(MOST_STEPS):
        step, s = _step(J, r, damping)
        if low is not None and not ((low <= u + step) & (u + step <= high)).all():
            step = _within(J, r, damping, low - u, high - u)
        step *= min(1.0, LONGEST / max(float(np.abs(step).max()), 1e-300))
        tried = off(u + step)
        now = float(tried[2] @ tried[2])
        small = float(np.abs(step).max()) <= SMALLEST
        if now <= cost or small:
            better = cost - now
            (miss, J, r), u, damping = tried, u + step, damping * 0.1 if damping > 1e-9 * s[0] ** 2 else 0.0  # fmt: skip
            cost = now
            if small or better <= SAME_COST * cost:
                break
        elif damping > 1e6 * s[0] ** 2:
            break
        else:
            damping = max(10.0 * damping, 1e-4 * float(s[0]) ** 2)
    return Solved(scale * u, names, miss, J[: 3 * len(names)], w)


def _step(J: Array, r: Array, damping: float) -> tuple[Array, Array]:
    """Give the damped step to the least sum of squares, and the singular values; what is flat stays."""
    U, s, Vt = np.linalg.svd(J, full_matrices=False)
    s[s < FLAT_SLOPE * s[0]] = 0.0
    part = np.divide(s, s**2 + damping, out=np.zeros_like(s), where=s > 0.0)
    return -Vt.T @ (part * (U.T @ r)), s


def _within(J: Array, r: Array, damping: float, low: Array, high: Array) -> Array:
    """Give the damped step whose sum of squares is least between ends: what goes beyond one is held there until its slope leads back."""
    n = len(low)
    step, held = np.zeros(n), np.zeros(n, bool)
    for _ in range(ROUNDS * n):
        free = ~held
        if free.any():
            step[free] = _step(J[:, free], r + J[:, held] @ step[held], damping)[0]
        out = free & ((step < low) | (step > high))
        step = np.clip(step, low, high)
        if out.any():
            held |= out
            continue
        slope = J.T @ (r + J @ step) + damping * step
        back = np.where(held, np.where(step <= low, -slope, slope), 0.0)
        k = int(np.argmax(back))
        if back[k] <= LEADS_BACK * float(np.abs(slope).max()) or low[k] == high[k]:
            break
        held[k] = False
    return step


ROUNDS = 3
"""How often, for each coordinate, a step between ends is sought again."""
LEADS_BACK = 1e-9
"""Part of the largest slope from which one leads away from an end."""
MOST_STEPS = 200
LONGEST = 1.0
"""Longest step of a coordinate (rad, or `UNIT_WAY`)."""
SMALLEST, SAME_COST = 1e-7, 1e-12
"""Step of all coordinates, and part of the sum of squares, below which a pose is found."""
FLAT_SLOPE = 1e-10
"""Part of the largest singular value below which a direction is left as it is."""


def determined(
    chain: Chain, solved: Solved
) -> tuple[float, tuple[Direction, ...], dict[str, float]]:
    """The condition number, the weak directions (weakest first), and deviations by the misses."""
    _, s, Vt = np.linalg.svd(solved.jacobian, full_matrices=True)
    count = len(chain.coordinates)
    s = np.concatenate([s, np.zeros(count - len(s))])
    top = float(s[0])
    if not top > 0.0:
        raise TrackError("The markers do not move with anything that is free.")
    labels = [c.label for c in chain.coordinates]
    weak = []
    for value, v in zip(s[::-1], Vt[::-1], strict=True):
        is_open = bool(value <= OPEN * top)
        unweighted = (solved.jacobian @ v).reshape(-1, 3) / solved.weight[:, None]
        moves = float(np.linalg.norm(unweighted, axis=1).max())
        if is_open or moves < WEAK:
            largest = np.argsort(-np.abs(v))[:MOST_PARTS]
            parts = [
                (labels[k], float(v[k])) for k in largest if abs(v[k]) >= PART * np.abs(v).max()
            ]
            sign = 1.0 if parts[0][1] > 0.0 else -1.0
            signed = tuple((name, sign * part) for name, part in parts)
            weak.append(Direction(signed, moves, float(value) / top, is_open))
    condition = top / float(s[-1]) if s[-1] > OPEN * top else float("inf")
    numbers = 3 * len(solved.names)
    deviation: dict[str, float] = {}
    if numbers > count:
        left = float((solved.weight[:, None] ** 2 * solved.miss**2).sum()) / (numbers - count)
        inverse = np.where(s > OPEN * top, 1.0 / np.where(s > 0.0, s, 1.0), np.nan)
        for k, c in enumerate(chain.coordinates):
            terms = np.where(np.abs(Vt[:, k]) > 1e-9, inverse * Vt[:, k], 0.0)
            scale = 1.0 if c.turns else UNIT_WAY
            deviation[c.label] = float(scale * np.sqrt(left * (terms**2).sum()))
    return condition, tuple(weak), deviation
