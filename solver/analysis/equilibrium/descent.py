"""Go down to equilibrium: damped steps along modes, until nothing accelerates.

With the stiffness K = -dQ/dx of the chosen freedoms and their mass M, a step is that of Newton's method
in each mode, with the size of the mode's stiffness: so it leads down where the model would run away
too, and only stable equilibria attract (saddle-free Newton; Dauphin et al., Adv. Neural Inf. Process.
Syst. 27, 2014). Where a mode is without stiffness, friction may bear what pushes along it. Along a step the work of the forces must not turn against it by much: a body that
falls goes on until it touches, and comes to rest there. Close to the end K itself is used, which needs not
be symmetrical. All derivatives are differences.

The forces sought balance the push along the soft modes, each at its contact and across its normal. Of
all that do, those with the least sum of `f^2 / (mu N)` are taken: where a body would just slide along,
every contact bears the same part of its `mu N`. Where they stay below it, friction holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from solver.analysis.equilibrium.freedoms import Freedoms, Reaching
from solver.analysis.equilibrium.statics import Columns, Statics
from solver.engine.dynamics.tree import Array
from solver.engine.forces.contacts.arrays import ON_PLANE
from solver.engine.forces.laws import LAW_FRICTION
from solver.engine.maths.curve import curve_at

# What friction bears at rest: pushes along directions in which nothing else holds a body.

MET = 1e-6
"""Part of a push that may be left where friction is said to bear it."""


def gripped(statics: Statics, columns: Columns, soft: Array, push: Array) -> tuple[Array, float]:
    """The forces of friction along all columns that balance those along the soft ones, and their share.

    `soft` are the columns' parts in each soft mode, `push` the force along each. The share is the largest
    part of `mu N` that a contact bears; without end where friction cannot hold.
    """
    ways, most = _ways(statics, columns)
    along = (ways @ soft).T
    if not len(most):
        return np.zeros(soft.shape[0]), np.inf
    weighted = along * np.repeat(most, 2)
    forces = -weighted.T @ np.linalg.lstsq(weighted @ along.T, push, rcond=1e-9)[0]
    if np.linalg.norm(along @ forces + push) > MET * np.linalg.norm(push):
        return np.zeros(soft.shape[0]), np.inf
    share = np.linalg.norm(forces.reshape(-1, 2), axis=1) / most
    return ways.T @ forces, float(share.max())


def _ways(statics: Statics, columns: Columns) -> tuple[Array, Array]:
    """How contacts slide along both tangents (two rows each) by each column, and what each bears (N)."""
    system, p = statics.system, statics.work.motion.p
    contacts, laws = system.contacts, system.laws
    ways, most = [], []
    for k, row in enumerate(contacts.workspace.seen):
        curve, size = (
            int(laws.curve[contacts.model.law[k], LAW_FRICTION]),
            float(np.linalg.norm(row[:3])),
        )
        bears = curve_at(system.curves, curve, float(row[3]))[0] * size if curve >= 0 else 0.0
        if bears <= 0.0:
            continue
        others = system.planes if contacts.model.kind[k] == ON_PLANE else system.surfaces
        slides = np.zeros(columns.v.shape[1:])
        for body, sign in (
            (int(system.surfaces.body[contacts.model.a[k]]), 1.0),
            (int(others.body[contacts.model.b[k]]), -1.0),
        ):
            if body >= 0:
                arm = row[4:7] - p[body]
                slides += sign * (columns.v[body] + np.cross(columns.w[body].T, arm).T)
        _, _, axes = np.linalg.svd(row[None, :3])
        ways.append(axes[1:] @ slides)
        most.append(bears)
    return np.concatenate([np.zeros((0, columns.v.shape[2])), *ways]), np.array(most)


G = 9.80665

AT_REST = 1e-7
"""Acceleration (g) of the free directions at which a model has come to rest."""

NEARLY = 1e-5
"""Acceleration (g) that is taken where rounding allows no less."""

ROUNDS = 400

LONGEST = 0.03
"""Longest way (m; rad: three times that) of any mass centre in one round."""

SLIP = 1e-6
"""Displacement (m, rad) of differences."""

SOFT = 1e-3
"""Stiffness by mass (1/s^2) below which a mode counts as without any: its step is bounded instead."""

UNSTABLE = 1.0
"""Negative stiffness by mass (1/s^2) from which an equilibrium counts as unstable: below it what moves
away takes longer than a second to grow threefold."""

NUDGE = 1e-3
"""Displacement (m, rad) that leads away from an unstable equilibrium."""

TIES = 1e-10
"""How closely constraints are held (m, rad)."""


@dataclass
class Descent:
    """The way down: the pose, what still accelerates, and how it went."""

    q: Array
    rounds: int = 0
    at_rest: bool = False
    stable: bool = True
    acceleration_g: float = np.inf
    residual: Array = field(default_factory=lambda: np.zeros(0))
    """Force along each free direction that is not balanced."""
    stiffness_by_mass: Array = field(default_factory=lambda: np.zeros(0))
    """Of each mode (1/s^2), lowest first."""
    modes: Array = field(default_factory=lambda: np.zeros((0, 0)))
    """Free directions in each mode (columns)."""
    share: float = 0.0
    """Largest part of what a contact's friction can bear that it bears, in modes without stiffness."""
    went_too_far: bool = False
    best: Array = field(default_factory=lambda: np.zeros(0))
    """Pose that accelerated least on the way."""


class Descender:
    """Bring one model to rest along chosen freedoms."""

    def __init__(
        self, statics: Statics, freedoms: Freedoms, reaching: Reaching, soft: Array | None = None
    ) -> None:
        self._statics, self._freedoms, self._reaching = statics, freedoms, reaching
        self.soft: Array | None = soft
        """Free directions, without stiffness, in which friction holds (columns)."""

    def go(self, q: Array, too_far: Callable[[], bool]) -> Descent:
        """Go down from a pose; `too_far` says at the last evaluation whether to give up."""
        from scipy.linalg import eigh

        statics = self._statics
        q = self._closed(q)
        out = Descent(q, best=q)
        statics.evaluate(q)
        best, stuck, nudges, longest, strides = np.inf, 0, 0, LONGEST, False
        for out.rounds in range(1, ROUNDS + 1):
            self.soft = None
            basis, r, N, columns = self._gripped()
            M = self._mass(columns)
            K = self._stiffness(q, basis, r, N)
            values, modes = eigh(0.5 * (K + K.T), M)
            r, out.share = self._held(columns, M, modes[:, np.abs(values) < UNSTABLE], N)
            least = SOFT
            if self.soft is not None:
                # a push lets modes without stiffness seem to have some, or less than none
                K, least = self._stiffness(q, basis, r, N), UNSTABLE
            out.q, out.residual = q, r
            out.stiffness_by_mass, out.modes = values, N @ modes
            out.acceleration_g = self._acceleration(columns, M, N.T @ r)
            if out.acceleration_g < AT_REST or (out.acceleration_g < NEARLY and stuck > 3):
                if len(values) == 0 or values[0] > -UNSTABLE or nudges > 3:
                    out.at_rest, out.stable = True, len(values) == 0 or values[0] > -UNSTABLE
                    return out
                nudges, stuck, best = nudges + 1, 0, np.inf
                y = modes[:, 0] / max(self._size(columns, modes[:, 0]), 1e-300) * NUDGE
                q = self.moved(q, basis @ (N @ y))
                continue
            if too_far():
                out.went_too_far = True
                return out
            if out.acceleration_g < 0.9 * best:
                stuck = 0
            elif not strides:
                # on a long way down what accelerates need not become less
                stuck += 1
            if out.acceleration_g < best:
                best, out.best = out.acceleration_g, q
            if stuck > 150:
                return out
            if out.acceleration_g < 0.05 and values[0] > -UNSTABLE:
                kept = modes[:, np.abs(values) > least]
                there = self._newton(q, basis @ N, kept, K, N.T @ r, out.acceleration_g)
                if there is not None:
                    q = there
                    continue
            y = self._step(columns, values, modes, N.T @ r, longest)
            q, part = self._along(q, basis, N, y, r)
            strides = part == 1.0 and longest == LONGEST
            longest = min(2.0 * longest, LONGEST) if part == 1.0 else max(0.5 * longest, 1e-6)
        return out

    def acceleration_g(self) -> float:
        """The largest acceleration at the last evaluation, were the chosen freedoms let go (g)."""
        _, r, N, columns = self._gripped()
        return self._acceleration(columns, self._mass(columns), N.T @ r)

    def _held(self, columns: Columns, M: Array, soft: Array, N: Array) -> tuple[Array, float]:
        """Let friction bear what pushes along modes without stiffness, if it can.

        Gives the force along each free direction with that of friction, and its share.
        """
        r, self.soft = self._residual()[1], None
        push = soft.T @ (N.T @ r)
        if self._acceleration(columns, M, M @ (soft @ push)) < AT_REST:
            return r, 0.0
        held, share = gripped(self._statics, columns, soft, push)
        if share > 1.0:
            return r, 0.0
        self.soft = N @ soft
        return r + N @ held, share

    def _gripped(self) -> tuple[Array, Array, Array, Columns]:
        """What `_residual` does with the forces of friction in it, and what the ways do to all bodies."""
        basis, r, N = self._residual()
        columns = self._statics.columns(self._reaching.followed(basis @ N))
        if self.soft is not None:
            soft = N.T @ self.soft
            held, share = gripped(self._statics, columns, soft, soft.T @ (N.T @ r))
            r = r + N @ held if share <= 1.0 else r
        return basis, r, N, columns

    def _mass(self, columns: Columns) -> Array:
        M = self._statics.mass(columns)
        return np.asarray(M + 1e-12 * np.trace(M) * np.eye(len(M)))

    def _residual(self) -> tuple[Array, Array, Array]:
        """The free directions, the force along each that constraints leave, and what they allow."""
        statics = self._statics
        basis = self._freedoms.basis(statics)
        r = basis.T @ statics.forces()
        A, _ = statics.constraints()
        if len(A) == 0:
            return basis, r, np.eye(len(r))
        C = A @ basis
        _, sizes, ways = np.linalg.svd(C)
        rank = int(np.sum(sizes > 1e-9 * max(float(sizes.max(initial=0.0)), 1e-300)))
        N: Array = ways[rank:].T
        return basis, N @ (N.T @ r), N

    def _stiffness(self, q: Array, basis: Array, r: Array, N: Array) -> Array:
        """Give -dr/dy over what constraints allow, by differences."""
        statics, constrained = self._statics, N.shape[0] != N.shape[1]
        out = np.zeros((N.shape[1], N.shape[1]))
        directions = self._reaching.followed(basis @ N)
        for k in range(N.shape[1]):
            there = statics.moved(q, SLIP * directions[:, k])
            if constrained:
                there = self._closed(there)
            statics.again(there)
            found = self._gripped()[1]
            out[:, k] = -(N.T @ (found - r)) / SLIP
        statics.again(q)
        return out

    def _size(self, columns: Columns, y: Array) -> float:
        """How far a step goes: metres of mass centres, and a third of radians."""
        c = self._statics.centres(columns)
        turned = float(np.abs(columns.w @ y).max(initial=0.0))
        return max(float(np.linalg.norm(c @ y, axis=1).max(initial=0.0)), turned / 3.0)

    def _acceleration(self, columns: Columns, M: Array, r: Array) -> float:
        """The largest acceleration of a mass centre, were the chosen freedoms let go (g)."""
        if len(r) == 0:
            return 0.0
        a = np.linalg.solve(M, r)
        heavy = self._statics.tree.mass > 0.0
        c = self._statics.centres(columns)[heavy] @ a
        turned = np.linalg.norm(columns.w[heavy] @ a, axis=1)
        # turning counts as if at 10 cm, so that a body that turns about its mass centre is seen
        return float(max(np.linalg.norm(c, axis=1).max(), 0.1 * turned.max())) / G

    def _step(
        self, columns: Columns, values: Array, modes: Array, r: Array, longest: float
    ) -> Array:
        """A step of at most the longest way (Levenberg's and Marquardt's, in the measure of mass)."""
        along, stiff = modes.T @ r, np.abs(values)

        def step(least: float) -> Array:
            return np.asarray(modes @ (along / np.maximum(stiff, least)))

        least = SOFT
        if self._size(columns, step(least)) <= longest:
            return step(least)
        most = max(least, float(stiff.max(initial=0.0)))
        while self._size(columns, step(most)) > longest:
            most *= 10.0
        for _ in range(30):
            middle = float(np.sqrt(least * most))
            if self._size(columns, step(middle)) > longest:
                least = middle
            else:
                most = middle
        return step(most)

    def _newton(
        self, q: Array, directions: Array, modes: Array, K: Array, r: Array, before: float
    ) -> Array | None:
        """Take a step of Newton's method in the modes that have stiffness, if it leads much nearer to rest."""
        part = np.linalg.lstsq(modes.T @ K @ modes, modes.T @ r, rcond=None)[0]
        y = modes @ part
        if np.abs(y).max(initial=0.0) > LONGEST:
            return None
        there = self.moved(q, directions @ y)
        if self.acceleration_g() < 0.5 * before:
            return there
        self._statics.evaluate(q)
        return None

    def _along(self, q: Array, basis: Array, N: Array, y: Array, r: Array) -> tuple[Array, float]:
        """Go along a step as far as its forces do not turn against it by much; say how far that was."""
        d = N @ y
        start = float(r @ d)
        if start <= 0.0:
            return q, 0.0
        part, there = 1.0, q
        for _ in range(40):
            there = self.moved(q, part * (basis @ d))
            now = float(self._gripped()[1] @ d)
            if now >= -0.3 * start:
                return there, part
            # where the straight line between both works meets zero, never too close to either
            part *= min(max(start / (start - now), 0.1), 0.7)
        return there, part

    def moved(self, q: Array, by: Array) -> Array:
        """Move along speeds with the limbs following and constraints closed, and evaluate there."""
        there = self._statics.moved(q, self._reaching.followed(by[:, None])[:, 0])
        there = self._closed(there)
        self._statics.evaluate(there)
        return there

    def _closed(self, q: Array) -> Array:
        """Bring limbs to their targets and close constraints."""
        statics = self._statics
        q = self._reaching.reached(q)
        if statics.model.rows == 0:
            return q
        for _ in range(20):
            statics.again(q)
            A, error = statics.constraints()
            if len(error) == 0 or float(np.abs(error).max()) < TIES:
                break
            movable = self._freedoms.basis(statics)
            by = -movable @ (np.linalg.pinv(A @ movable, rcond=1e-9) @ error)
            q = statics.moved(q, by)
        return q
