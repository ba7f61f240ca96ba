"""Close loops that start open: the pose nearest to the start in which all constraints hold.

Unknown are displacements along the coordinates of the trees, so that joints stay together. Each coordinate counts by
the mass, or the inertia, that it carries: angles and slides count alike, and what is heavy moves least. A step leads to the
linearised rows by the least such movement, damped where the rows are nearly dependent (Levenberg and Marquardt);
once they hold, the way along them on which the whole movement falls is gone until it no longer falls.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solver.analysis.equilibrium.freedoms import open_speeds, refuse_unknown
from solver.analysis.equilibrium.skeleton import bound, skeleton
from solver.analysis.equilibrium.start_rates import with_speeds
from solver.analysis.equilibrium.statics import SettleError, Statics
from solver.base.words import Sentence
from solver.engine.dynamics.tree import BALL, FREE, HELD, SPEEDS, TURN, Array, IntArray
from solver.engine.maths.rotation import angle_between
from solver.project.checks import Checked, check
from solver.project.checks.registry import OPEN_AT_START
from solver.project.document import Project
from solver.project.joint_table import carrying, row_of
from solver.project.pose import Placed
from solver.project.posing import PoseError, angles_of, members, root_of, with_pose
from solver.project.problems import Problem, ProjectError
from solver.project.ranges import ranges_of
from solver.project.segments import GROUND

CLOSED = 1e-12
"""By how much (m, rad) rows may be open, all together, in a pose that counts as closed; `NEARLY` where rounding leaves more."""
NEARLY = 1e-9

ROUNDS, SLIDES = 80, 60
"""Steps to a closed pose, and ways along closed ones."""

LONGEST = 0.4
"""Longest step of an angle (rad); of a slide in parts of the model's size."""

DEPENDENT = 1e-9
"""Part of the largest singular value below which rows say nothing new."""

STARTS, SEED = 24, 1994
"""Starts from which further closures are looked for, and what they are drawn by."""

NOTICED, SAME = 1e-6, 1e-4
"""Movement (m, rad) into a stop that is told, and by which two closures differ."""


class AssemblyError(SettleError):
    """Say which loop of a model cannot be closed, and what would mend it."""

    __module__ = "manikin"


class Moved(NamedTuple):
    """Say how far a segment has been moved (m) and turned (rad) to close the loops."""

    segment: str
    way_m: float
    turn_rad: float


@dataclass(frozen=True)
class Closure:
    """One way to close all loops: the `project` that starts so, and what moved how far, the furthest first.

    `movement_m` is the root of the mean square of all movement, by mass. `off` is by how much start speeds missed what the
    constraints ask for; they have been changed to fit. `beyond` names joints that are further beyond a stop than they were.
    """

    project: Project
    moved: tuple[Moved, ...]
    movement_m: float
    off: float
    beyond: tuple[str, ...]

    def sentences(self) -> Iterator[Sentence]:
        """Say what moved, and what else it took."""
        for one in self.moved:
            yield Sentence(
                "'{segment}' moved by {mm:.4g} mm and turned by {degrees:.4g} degrees.",
                segment=one.segment,
                mm=1e3 * one.way_m,
                degrees=math.degrees(one.turn_rad),
            )
        if self.off:
            yield Sentence(
                "Start speeds missed the constraints by {off:.3g} (m/s or rad/s); they are changed by the impulse that makes them fit.",
                off=self.off,
            )
        for joint in self.beyond:
            yield Sentence(
                "'{joint}' is beyond its stop: the loops do not close before it.", joint=joint
            )


def is_open(problems: Sequence[Problem]) -> bool:
    """Whether open loops are all that stands in the way of a run."""
    errors = [one for one in problems if one.severity == "error"]
    return bool(errors) and all(one.code in OPEN_AT_START for one in errors)


def closed(project: Project | Checked, hold: Sequence[str] = ()) -> Closure:
    """Close all loops by the least movement; raises AssemblyError where they cannot be closed.

    `hold` names joints that keep their coordinates, and segments that stay where they are. Raises ProjectError where
    the project has other errors than loops that start open.
    """
    search = _Search(_plain(project), hold)
    return search.closure(search.nearest(np.zeros(search.count)))


def closures(
    project: Project | Checked, hold: Sequence[str] = (), starts: int = STARTS
) -> tuple[Closure, ...]:
    """List the ways to close all loops that are found from several starts, the least movement first.

    Each is the nearest pose of its branch: no pose beside it that closes the loops is nearer.
    """
    search = _Search(_plain(project), hold)
    found = [search.nearest(np.zeros(search.count))]
    random = np.random.default_rng(SEED)
    for _ in range(starts):
        try:
            other = search.nearest(search.drawn(random))
        except SettleError:
            continue
        if search.is_near(other) and not any(search.are_same(other, one) for one in found):
            found.append(other)
    return tuple(map(search.closure, sorted(found, key=search.size)))


def _plain(project: Project | Checked) -> Project:
    """Refuse a project that has other errors than open loops."""
    if isinstance(project, Checked):
        return project.project
    problems = check(project)
    if any(one.severity == "error" and one.code not in OPEN_AT_START for one in problems):
        raise ProjectError(problems)
    return project


class _Look(NamedTuple):
    """Hold rows over the coordinates that may move, in their measure, and by how much each is open."""

    rows: Array
    error: Array


class _Search:
    """Look for closed poses of one model: displacements x along all its speeds from the start."""

    def __init__(self, project: Project, hold: Sequence[str]) -> None:
        self.project = project
        self.statics = Statics(skeleton(project))
        statics, tree = self.statics, self.statics.tree
        refuse_unknown(statics, hold)
        self.count = len(statics.rest)
        joints = statics.model.trees.joints
        # stations of beams and the like stand where what carries them says
        known = {one.id for one in project.segments}
        moves = {b for name, b in statics.model.trees.body_of.items() if name in known}
        moves |= {b for made in joints.values() for b in made.bodies}
        open_bodies = [int(b) for b in statics.open if int(b) in moves]
        self._hold, self._known = tuple(hold), known
        statics.evaluate(statics.q)
        self._start = statics.pose()
        for_good = {s for name in hold if name in joints for s in open_speeds(statics, name)}
        self._open = np.array(
            [s for b in open_bodies for s in statics.speeds_of(b) if s not in for_good],
            np.int64,
        )
        self._stays = [name for name in hold if name not in joints and name != GROUND]
        self._turns = [
            int(tree.at_v[b]) + (3 if tree.kind[b] == FREE else 0)
            for b in statics.open
            if tree.kind[b] in (BALL, FREE)
        ]
        self._angles = np.zeros(self.count, bool)
        self._whole = [int(tree.at_v[b]) for b in statics.open if tree.kind[b] == TURN]
        self._angles[self._whole] = True
        for at in self._turns:
            self._angles[at : at + 3] = True
        places = np.array([one.p_W for one in self._start.values()])
        self._length = max(float(np.ptp(places, axis=0).max()), 0.1)
        self._mass = max(float(np.sum(tree.mass)), 1e-300)
        self._half = self._measure()
        self._stops = tuple(self._limits())

    def _measure(self) -> Array:
        """The root of the mass of each elementary joint alone, in blocks, so that it does not depend on axes."""
        statics, tree = self.statics, self.statics.tree
        M = statics.mass(statics.columns(np.eye(self.count)))
        least = 1e-6 * self._mass
        half = np.eye(self.count)
        for b in statics.open:
            at, n = int(tree.at_v[b]), int(SPEEDS[tree.kind[b]])
            here = np.arange(at, at + n)
            floor = np.where(self._angles[here], least * self._length**2, least)
            values, axes = np.linalg.eigh(M[np.ix_(here, here)])
            root = np.sqrt(np.maximum(values, floor.min()))
            half[np.ix_(here, here)] = axes @ np.diag(root) @ axes.T
        return half

    def _limits(self) -> Iterator[tuple[str, int, float, float, float]]:
        """Stops of joints whose coordinates are speeds of their own: joint, speed, start, and where stops begin."""
        for joint in carrying(self.project.joints):
            row, made = row_of(joint), self.statics.model.trees.joints[joint.id]
            if row.acts != "axes" or row.coordinates != len(made.bodies):
                continue
            values = angles_of(self.project, joint.id, self._start)
            found = ranges_of(self.project, joint, values)
            for body, freedom, value in zip(made.bodies, row.freedoms, values, strict=True):
                one = found[freedom.name]
                if self.statics.system.locked[body] != HELD and not (
                    one.is_free or one.is_resisted
                ):
                    yield joint.id, int(self.statics.tree.at_v[body]), value, one.low, one.high

    # poses and rows

    def _at(self, x: Array, open_: IntArray) -> _Look:
        """Evaluate a displacement: rows by what may move, in its measure."""
        statics = self.statics
        statics.evaluate(statics.moved(statics.q, x))
        found = bound(statics)
        rows, error = found.rows[found.held], found.error[found.held]
        if self._stays:
            more, off = self._staying()
            rows, error = np.vstack([rows, more]), np.concatenate([error, off])
        rows = rows.copy()
        for at in self._turns:
            rows[:, at : at + 3] = rows[:, at : at + 3] @ _right(x[at : at + 3])
        inverse = (
            np.linalg.inv(self._half[np.ix_(open_, open_)]) if len(open_) else np.zeros((0, 0))
        )
        return _Look(rows[:, open_] @ inverse, error)

    def _staying(self) -> tuple[Array, Array]:
        """Rows that keep segments where they started."""
        statics, trees = self.statics, self.statics.model.trees
        unit, now = statics.columns(np.eye(self.count)), statics.pose()
        rows, error = [], []
        for name in self._stays:
            b, was = trees.body_of[name], self._start[name]
            rows += [unit.v[b], self._length * unit.w[b]]
            R = now[name].R_WS @ was.R_WS.T
            turn = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
            arm = now[name].R_WS @ trees.origin[name], was.R_WS @ trees.origin[name]
            error += [now[name].p_W + arm[0] - was.p_W - arm[1], self._length * turn]
        return np.concatenate(rows), np.concatenate(error)

    def _step(self, x: Array, open_: IntArray, dy: Array) -> Array:
        """Go on by a step in the measure, not further than `LONGEST`."""
        dx = np.linalg.solve(self._half[np.ix_(open_, open_)], dy)
        longest = np.where(self._angles[open_], LONGEST, LONGEST * self._length)
        part = min(1.0, 1.0 / max(float((np.abs(dx) / longest).max(initial=0.0)), 1e-300))
        out = x.copy()
        out[open_] += part * dx
        return out

    def _close(self, x: Array, open_: IntArray) -> tuple[Array, float]:
        """Go to the rows by least steps; give where that ends, and how far open they are there."""
        look, damping = self._at(x, open_), 1e-4
        off = float(np.linalg.norm(look.error))
        for _ in range(ROUNDS):
            if off < CLOSED or damping > 1e6 or not len(open_):
                break
            U, s, Vt = np.linalg.svd(look.rows, full_matrices=False)
            top = max(float(s.max(initial=0.0)), 1e-300)
            weak = s < DEPENDENT * top
            part = np.where(weak, 0.0, s / np.where(weak, 1.0, s * s + (damping * top) ** 2))
            there = self._step(x, open_, -Vt.T @ (part * (U.T @ look.error)))
            found = self._at(there, open_)
            now = float(np.linalg.norm(found.error))
            if now < off:
                x, look, off, damping = there, found, now, max(0.1 * damping, 1e-12)
            elif off < NEARLY:
                break
            else:
                damping = max(10.0 * damping, 1e-6)
        return x, off

    def _slide(self, x: Array, open_: IntArray) -> Array:
        """Go along closed poses to the nearest one."""
        H = self._half[np.ix_(open_, open_)]
        y = H @ x[open_]
        for _ in range(SLIDES):
            rows = self._at(x, open_).rows
            _, s, Vt = np.linalg.svd(rows, full_matrices=False)
            across = Vt[s > DEPENDENT * max(float(s.max(initial=0.0)), 1e-300)]
            along = across.T @ (across @ y) - y
            if float(np.linalg.norm(along)) < 1e-10 * self._length * math.sqrt(self._mass):
                break
            part = 1.0
            while part > 1e-3:
                there, off = self._close(self._step(x, open_, part * along), open_)
                new = H @ there[open_]
                if off < NEARLY and new @ new < (y @ y) * (1.0 - 1e-12):
                    break
                part *= 0.5
            else:
                break
            x, y = there, new
        return x

    # what is looked for

    def nearest(self, x: Array) -> Array:
        """Close from a displacement, and go to the nearest pose of that branch; stops are kept where that can be."""
        x, off = self._close(x, self._open)
        if off > NEARLY:
            raise self._refused(x)
        for at in self._whole:
            x[at] = math.remainder(x[at], 2.0 * math.pi)
        x = self._slide(x, self._open)
        open_ = self._open
        for _ in range(len(self._stops)):
            passed = {k: to for _, k, to in self._passed(x) if k in open_}
            if not passed:
                break
            tried, fewer = x.copy(), np.setdiff1d(open_, list(passed))
            for k, to in passed.items():
                tried[k] = to
            tried, off = self._close(tried, fewer)
            if off > NEARLY:
                break
            x, open_ = self._slide(tried, fewer), fewer
        return x

    def _passed(self, x: Array) -> Iterator[tuple[str, int, float]]:
        """Joints that a displacement leads into a stop, or further into one, the speed, and where that is met."""
        for joint, k, start, low, high in self._stops:
            if x[k] > max(high - start, 0.0) + NOTICED:
                yield joint, k, max(high - start, 0.0)
            elif x[k] < min(low - start, 0.0) - NOTICED:
                yield joint, k, min(low - start, 0.0)

    def drawn(self, random: np.random.Generator) -> Array:
        """Draw a displacement: any angle, and slides as long as the model."""
        x = np.zeros(self.count)
        for k in self._open:
            most = math.pi if self._angles[k] else 0.5 * self._length
            x[k] = random.uniform(-most, most)
        return x

    def is_near(self, x: Array) -> bool:
        """Whether no angle goes by more than half a turn, where the same pose has a shorter way."""
        return bool((np.abs(x[self._whole]) <= math.pi).all())

    def size(self, x: Array) -> float:
        """The root of the mean square of a movement, by mass (m)."""
        return float(np.linalg.norm(self._half @ x)) / math.sqrt(self._mass)

    def are_same(self, one: Array, other: Array) -> bool:
        """Whether two displacements lead to one pose."""
        a, b = self._pose(one), self._pose(other)
        return all(
            float(np.linalg.norm(a[n].p_W - b[n].p_W)) < SAME * self._length
            and angle_between(a[n].R_WS, b[n].R_WS) < SAME
            for n in a
        )

    def _pose(self, x: Array) -> dict[str, Placed]:
        self.statics.evaluate(self.statics.moved(self.statics.q, x))
        return self.statics.pose()

    def closure(self, x: Array) -> Closure:
        """Write a displacement into the project, and let its start speeds fit."""
        pose = self._pose(x)
        project = self._posed(x)
        if is_left := [one for one in check(project) if one.code in OPEN_AT_START]:
            raise _left(self.project, is_left[0])
        project, off = with_speeds(project, [n for n in self._hold if n in self.statics.model.trees.joints])  # fmt: skip
        moved = [
            Moved(
                name,
                float(np.linalg.norm(pose[name].p_W - was.p_W)),
                angle_between(pose[name].R_WS, was.R_WS),
            )
            for name, was in self._start.items()
        ]
        beyond = dict.fromkeys(joint for joint, _, _ in self._passed(x))
        return Closure(
            project=project,
            moved=tuple(
                sorted(
                    (m for m in moved if m.way_m > NEARLY or m.turn_rad > NEARLY),
                    key=lambda m: -m.way_m - self._length * m.turn_rad,
                )
            ),
            movement_m=self.size(x),
            off=off,
            beyond=tuple(beyond),
        )

    def _posed(self, x: Array) -> Project:
        pose, project = self._pose(x), self.project
        roots = dict.fromkeys(
            root_of(project, name)
            for name, was in self._start.items()
            if name in self._known
            and (
                np.abs(pose[name].p_W - was.p_W).max() > 0.0
                or np.abs(pose[name].R_WS - was.R_WS).max() > 0.0
            )
        )
        names = [n for root in roots for n in members(project, root) if n != GROUND]
        return with_pose(project, {n: pose[n] for n in names}, self.statics.joint_values())

    def _refused(self, x: Array) -> AssemblyError:
        """Say what stays open in the nearest pose."""
        try:
            problems = check(self._posed(x))
        except PoseError:
            problems = ()
        for one in problems:
            if one.code in OPEN_AT_START:
                return _left(self.project, one)
        return AssemblyError(
            "The loops cannot be closed: nothing that may move closes them. Change a dimension, or hold less."
        )


def _left(project: Project, problem: Problem) -> AssemblyError:
    return AssemblyError(
        "The loops cannot be closed. As near as it comes, this is left of '{name}': {sentence} Change a dimension, or hold less.",
        name=_named(project, problem.path),
        sentence=problem.what,
    )


def _named(project: Project, path: str) -> str:
    """The id of the element that a path lies in."""
    words = path.split("/")
    items = getattr(project, words[0], ())
    if len(words) > 1 and words[1].isdigit() and int(words[1]) < len(items):
        return str(items[int(words[1])].id)
    return words[1] if len(words) > 1 else path


def _right(x: Array) -> Array:
    """How a turn's own angular velocity follows from the rates of its rotation vector."""
    angle = float(np.linalg.norm(x))
    K = np.array([[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]])
    if angle < 1e-4:
        a, b = 0.5 - angle**2 / 24.0, 1.0 / 6.0 - angle**2 / 120.0
    else:
        a, b = (1.0 - math.cos(angle)) / angle**2, (angle - math.sin(angle)) / angle**3
    out: Array = np.eye(3) - a * K + b * (K @ K)
    return out
