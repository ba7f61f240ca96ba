"""Loads that let points of a model that bends follow given ways, before these begin and after they end.

Where fewer coordinates are loaded than a model has, the loads for a wanted way of its tip follow from all that comes: taken as an
initial-value problem they grow without bound, and the one answer that stays small begins before the tip does (Bayo, A finite-element
approach to control the end-point motion of a single-link flexible robot, J. Robotic Systems 4, 1987; Ledesma and Bayo 1993). Here
the whole motion is one boundary-value problem, at rest at both ends: at each instant the coordinates that are not loaded keep to
the equations of motion, the points to their ways; speeds and rates are differences of the fourth order. Newton's method solves all
instants at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from solver.analysis.inverse.bodies import At, InverseError, at_motion, pushed
from solver.analysis.inverse.motion import JointLoads, Motion
from solver.analysis.linear.operating_point import speed_names, way_units
from solver.engine.dynamics.modes import MODE
from solver.engine.dynamics.tree import BALL, DRIVEN, HELD, SOLVED, Array, IntArray
from solver.engine.forces.state import State
from solver.engine.forces.system import evaluate, make_work
from solver.project.blocks import BlockLaw, HydraulicLaw
from solver.project.coordinate_forces import CrushTube, HillMuscle, Muscle, PlasticHinge
from solver.project.document import Project

SPEED = np.array([1.0, -8.0, 0.0, 8.0, -1.0]) / 12.0
RATE = np.array([-1.0, 16.0, -30.0, 16.0, -1.0]) / 12.0
"""Differences over five instants, by steps and their squares."""

STEP = 1e-6
"""Part of the size of a coordinate, or of one, by which equations are differenced."""

ROUNDS, EXACT = 40, 1e-9
"""Steps of Newton's method, and the change (m, rad) that counts as none."""

LEAD = 0.5
"""Time (s) before the way begins and after it ends that is looked at, unless another is given."""

STEPS = 100
"""Instants over the way, unless a step is given."""

REMEMBERS = ("constraints", "contacts", "belts", "harnesses", "airbags", "tyres", "motions", "drivers", "frame_drivers")  # fmt: skip
"""Lists of what holds, drives or keeps something in mind, for which this is not made."""
REMEMBERING = PlasticHinge | CrushTube | Muscle | HillMuscle | BlockLaw | HydraulicLaw
"""Laws of coordinates that do."""
BEGINS = 0.1
"""Part of its greatest speed with which a way may begin or end (*assumed*, 0.02 to 0.2: what noise of measured ways makes)."""


@dataclass(frozen=True)
class Times:
    """When loads are sought: how long (s) before and after the ways, and at what step; none for the usual ones."""

    before_s: float = LEAD
    after_s: float = LEAD
    step_s: float | None = None


def following_loads(
    at: At, time: Array, ways: Mapping[str, Array], by: Sequence[str], times: Times | None = None
) -> JointLoads:
    """Find the loads along the speeds `by` with which points follow `ways` (m by time); before and after these all is at rest.

    A way is named by a coordinate of a segment's mass centre, ground axes (`segments/load/position/x`). There are as many ways as loads.
    """
    times = times or Times()
    _refuse(at.compiled.project)
    whole, targets = _instants(np.asarray(time, float), ways, times)
    problem = _Problem(at, list(ways), by)
    q = problem.quasi_static(targets)
    q = problem.solved(q, targets, whole)
    step = whole[1] - whole[0]
    v, rates = _differences(q, step)
    values = np.array([problem.loads(*row) for row in zip(whole, q, v, rates, strict=True)])
    full = [np.array([problem.spread(x) for x in part]) for part in (v, rates)]
    places = np.array([problem.placed(x) for x in q])
    names, units = speed_names(at.compiled), way_units(at.compiled)
    chosen = [names.index(name) for name in by]
    none = np.zeros((len(whole), 0, 3))
    return JointLoads(
        whole, tuple(by), tuple("N" if units[k] == "m" else "N*m" for k in chosen), values, (), none, none,
        Motion(whole, places, full[0], full[1], at),
    )  # fmt: skip


def _refuse(project: Project) -> None:
    for name in REMEMBERS:
        found = getattr(project, name)
        if found:
            raise InverseError(
                "Loads that let points follow a way are found for open chains of joints, springs and bodies that bend: '{name}' in {list} is none of these.",
                name=found[0].id, list=name,
            )  # fmt: skip
    for one in project.coordinate_forces:
        if any(isinstance(law, REMEMBERING) for law in one.laws):
            raise InverseError(
                "'{name}' keeps in mind what was before, and loads that let points follow a way are found at all instants at once.", name=one.id
            )  # fmt: skip


def _instants(time: Array, ways: Mapping[str, Array], times: Times) -> tuple[Array, Array]:
    """Give even instants with the time before and after, and the ways at these."""
    from scipy.interpolate import make_interp_spline

    if len(time) < 6 or not (np.diff(time) > 0.0).all() or not np.isfinite(time).all():
        raise InverseError("Ways need six instants or more, each later than the one before.")
    span = float(time[-1] - time[0])
    step = times.step_s or span / STEPS
    if not 0.0 < step <= span / 5.0 or not 0.0 <= times.before_s < np.inf or not 0.0 <= times.after_s < np.inf:  # fmt: skip
        raise InverseError("The step must be a fifth of the way's time at most, and times before and after not below zero.")  # fmt: skip
    whole = np.arange(time[0] - times.before_s, time[-1] + times.after_s + 0.5 * step, step)
    out = np.zeros((len(whole), len(ways)))
    for n, (name, values) in enumerate(ways.items()):
        values = np.asarray(values, float)
        if len(values) != len(time) or not np.isfinite(values).all():
            raise InverseError("The way '{name}' has gaps, or not as many values as times.", name=name)  # fmt: skip
        course = make_interp_spline(time, values, k=5)
        speed = np.abs(course(time, 1))
        if max(speed[0], speed[-1]) > BEGINS * speed.max() + EXACT:
            raise InverseError("The way '{name}' does not begin and end at rest: no load takes a point from rest to a speed at once.", name=name)  # fmt: skip
        out[:, n] = course(np.clip(whole, time[0], time[-1]))
    return whole, out


def _differences(q: Array, step: float) -> tuple[Array, Array]:
    """Give speeds and rates of coordinates (instants, n) that rest before and after."""
    padded = np.concatenate([q[:1], q[:1], q, q[-1:], q[-1:]])
    around = np.stack([padded[k : k + len(q)] for k in range(5)])
    return np.tensordot(SPEED, around, 1) / step, np.tensordot(RATE, around, 1) / step**2


class _Problem:
    """The equations of one model at an instant, over the coordinates that move."""

    def __init__(self, at: At, ways: Sequence[str], by: Sequence[str]) -> None:
        tree, locked = at.system.tree, at.system.locked
        moving = [i for i in range(len(tree.kind)) if locked[i] != HELD]
        if any(tree.kind[i] >= BALL for i in moving):
            raise InverseError("Loads that let points follow a way are found for joints that turn about axes or slide, not for balls and bodies on their own.")  # fmt: skip
        names = speed_names(at.compiled)
        own = {names[int(tree.at_v[i])]: i for i in moving if tree.modals.role[i] != MODE}
        for name in by:
            if name not in own:
                raise InverseError(
                    "'{name}' is no speed that can be loaded: there are {names}.", name=name, names=", ".join(own)
                )  # fmt: skip
        if len(set(by)) != len(by) or len(ways) != len(by) or not by:
            raise InverseError("There must be as many ways to follow ({ways}) as loads that do it ({loads}).", ways=len(ways), loads=len(by))  # fmt: skip
        self._at = at
        self._q, self._v = np.array([tree.at_q[i] for i in moving]), np.array([tree.at_v[i] for i in moving])  # fmt: skip
        loaded = [own[name] for name in by]
        self._loaded = np.array([i in loaded for i in moving])
        self._by = np.array([int(tree.at_v[i]) for i in loaded])
        self._points = [_point(at, name) for name in ways]
        driven = locked.copy()
        driven[loaded] = DRIVEN
        self._driven = at.system._replace(locked=driven)
        self._work = make_work(self._driven, len(at.v), at.compiled.rows)

    def placed(self, x: Array) -> Array:
        """All coordinates of the model, by those that move."""
        q = self._at.q.copy()
        q[self._q] = x
        return q

    def spread(self, x: Array) -> Array:
        """All speeds of the model, by those that move."""
        v = np.zeros_like(self._at.v)
        v[self._v] = x
        return v

    def residual(self, time: float, q: Array, v: Array, a: Array) -> Array:
        """By how much the rates of all that is not loaded are off, and then where the points are."""
        rates, at = self.spread(a), self._at
        state = State(self.placed(q), self.spread(v), at.z.copy())
        status = evaluate(self._driven, self._work, time, time, state, rates, np.zeros_like(at.z))
        if status != SOLVED or not np.isfinite(rates).all():
            raise InverseError("The model has no rates where it would have to go: it bends further than its shapes can tell, or a mass is missing.")  # fmt: skip
        motion = self._work.motion
        off = (rates[self._v] - a)[~self._loaded]
        places = [
            motion.p[b][k] + (motion.R[b].reshape(3, 3) @ arm)[k] for b, k, arm in self._points
        ]
        return np.concatenate([off, places])

    def _slopes(self, call: Callable[[Array], Array], x: Array, columns: IntArray) -> Array:
        here, out = call(x), np.zeros((len(self._q), len(columns)))
        for n, k in enumerate(columns):
            there = x.copy()
            there[k] += STEP * max(1.0, abs(x[k]))
            out[:, n] = (call(there) - here) / (there[k] - x[k])
        return out

    def quasi_static(self, targets: Array) -> Array:
        """Where all would be on the ways if time stood still at each instant."""
        still, every = np.zeros(len(self._q)), np.arange(len(self._q))
        here, out = self._at.q[self._q], []
        slope: Array | None = None
        for target in targets:
            last = np.inf
            for _ in range(ROUNDS):
                off = self.residual(0.0, here, still, still)
                off[len(off) - len(target) :] -= target
                size = float(np.abs(off).max())
                if slope is None or size > 0.1 * last:
                    slope = self._slopes(lambda x: self.residual(0.0, x, still, still), here, every)
                last = size
                step = -_solved(slope, off)
                longest = float(np.abs(step).max())
                here = here + step * min(1.0, 0.2 / max(longest, 1e-300))
                if longest < 1e2 * EXACT:
                    break
            else:
                raise InverseError("The points do not reach their ways, not even at rest. Begin the model near to where they begin.")  # fmt: skip
            out.append(here)
        return np.array(out)

    def solved(self, q: Array, targets: Array, time: Array) -> Array:
        """Solve for all instants at once; derivatives are found again where the last ones lead on too slowly."""
        from scipy.sparse.linalg import splu

        step, last, factors = float(time[1] - time[0]), np.inf, None
        for _ in range(ROUNDS):
            off = self._off(q, targets, time, step)
            if factors is None:
                factors = splu(self._matrix(q, time, step))
            by = factors.solve(off.ravel()).reshape(q.shape)
            change = float(np.abs(by).max())
            q = q - by
            if change < EXACT:
                return q
            factors, last = (factors, change) if change < 0.3 * last else (None, np.inf)
        raise InverseError("No loads are found with which the points follow their ways. Give more time before and after, or slower ways.")  # fmt: skip

    def _off(self, q: Array, targets: Array, time: Array, step: float) -> Array:
        v, a = _differences(q, step)
        out = np.array([self.residual(*row) for row in zip(time, q, v, a, strict=True)])
        out[:, out.shape[1] - targets.shape[1] :] -= targets
        return out

    def _matrix(self, q: Array, time: Array, step: float) -> Any:
        """The derivatives of all instants' equations by all instants' coordinates."""
        from scipy.sparse import coo_matrix

        count, n = q.shape
        v, a = _differences(q, step)
        every, loaded, free = np.arange(n), np.flatnonzero(self._loaded), np.flatnonzero(~self._loaded)  # fmt: skip
        rows, columns = (one.ravel() for one in np.indices((n, n)))
        blocks: list[tuple[Array, IntArray, IntArray]] = []
        for k in range(count):
            now = partial(self.residual, float(time[k]))
            by_rate = np.zeros((n, n))
            by_rate[np.arange(len(free)), free] = -1.0
            by_rate[:, loaded] = self._slopes(partial(now, q[k], v[k]), a[k], loaded)
            by_speed = self._slopes(lambda s, now=now, k=k: now(q[k], s, a[k]), v[k], every)  # type: ignore[misc]
            by_place = self._slopes(lambda s, now=now, k=k: now(s, v[k], a[k]), q[k], every)  # type: ignore[misc]
            for m, (s, r) in enumerate(zip(SPEED, RATE, strict=True)):
                at = min(max(k + m - 2, 0), count - 1)
                block = by_speed * (s / step) + by_rate * (r / step**2) + by_place * (m == 2)
                blocks.append((block.ravel(), rows + k * n, columns + at * n))
        values, down, across = (np.concatenate(part) for part in zip(*blocks, strict=True))
        whole: Any = coo_matrix((values, (down, across)), shape=(count * n, count * n))
        return whole.tocsc()

    def loads(self, time: float, q: Array, v: Array, a: Array) -> Array:
        """The loads that bring about the rates of an instant: rates go straight with loads."""
        here = at_motion(self._at, self.placed(q), self.spread(v))
        n = len(self._by)
        found = []
        for k in range(n + 1):
            forces = np.zeros(len(here.v))
            if k < n:
                forces[self._by[k]] = 1.0
            one = pushed(here, forces)
            work = make_work(one.system, len(here.v), here.compiled.rows)
            rates = np.zeros(len(here.v))
            evaluate(one.system, work, time, time, State(here.q.copy(), here.v.copy(), here.z.copy()), rates, np.zeros_like(here.z))  # fmt: skip
            found.append(rates[self._by])
        slope = np.array([one - found[n] for one in found[:n]]).T
        wanted = self.spread(a)[self._by]
        return np.asarray(np.linalg.solve(slope, wanted - found[n]))


def _solved(slope: Array, off: Array) -> Array:
    try:
        return np.asarray(np.linalg.solve(slope, off))
    except np.linalg.LinAlgError:
        raise InverseError("The loads do not move the points along their ways: name others.") from None  # fmt: skip


def _point(at: At, name: str) -> tuple[int, int, Array]:
    """Give body, axis and arm from its origin of a way's point."""
    parts = name.split("/")
    trees = at.compiled.trees
    if len(parts) == 4 and parts[0] == "segments" and parts[2] == "position" and parts[3] in "xyz" and parts[1] in trees.body_of:  # fmt: skip
        return trees.body_of[parts[1]], "xyz".index(parts[3]), -trees.origin[parts[1]]
    raise InverseError(
        "'{name}' is no way of a point: name one as segments/ID/position/x, of the segments {names}.",
        name=name, names=", ".join(trees.body_of),
    )  # fmt: skip
