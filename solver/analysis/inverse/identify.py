"""Inertial parameters and the loads that they make: regressors, what can be told, identification.

Loads along the speeds, and the reaction at the ground, are linear in ten parameters of each segment: its mass m,
its first moments mx, my, mz, and its inertia Jxx to Jyz about the point where its joint holds it (the mass centre
of one on its own), along its own axes (Fisette, Raucent, Samin 1993; Featherstone 2008, section 9.6.3). A column of
the regressor is what one unit of a parameter makes. Not all columns say something new: the rank is that
of its singular values, and base parameters are those columns, taken in order, with what of the others goes with
each (Gautier 1991).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from solver.analysis.inverse.bodies import At, InverseError, accelerations, at_motion, jacobians
from solver.analysis.inverse.motion import Motion
from solver.engine.dynamics.tree import BALL, FREE, OPEN, Array, move
from solver.project.problems import did_you_mean

PARAMETERS = ("m", "mx", "my", "mz", "Jxx", "Jyy", "Jzz", "Jxy", "Jxz", "Jyz")
Rows = Literal["joints", "reaction"]
"""What is measured: loads along the speeds, or torque about the ground's origin and force that the ground bears."""

STATES, SEED = 60, 19930
"""Random states at which it is seen what can be told, and what begins their series."""

TOLD = 1e-9
"""Part of the largest singular value, all columns of like size, above which one tells something."""

PART = 1e-7
"""Part below which a parameter is no part of a combination."""


@dataclass(frozen=True, eq=False)
class BaseParameters:
    """What can be told of inertial parameters: combinations, each with a part one of its own."""

    parameters: tuple[str, ...]
    """All of them, ten for each segment, `SEGMENT/m` and so on."""
    chosen: tuple[int, ...]
    """Numbers of the parameters that stand for the combinations."""
    mixing: Array
    """Combinations over all parameters (base, parameters)."""
    values: Array
    """Values of the combinations in the model."""
    singular: Array
    """Singular values of the regressor, columns of like size, the largest first."""
    unseen: tuple[str, ...]
    """Parameters without any effect."""
    rows: Rows

    @property
    def names(self) -> tuple[str, ...]:
        """Name the combinations, such as `upper/Jyy + 0.25 lower/m`."""
        return tuple(
            _named(self.parameters, row, c) for row, c in zip(self.mixing, self.chosen, strict=True)
        )

    def __len__(self) -> int:
        return len(self.chosen)


@dataclass(frozen=True, eq=False)
class Identified:
    """Hold parameters found by least squares: values, covariance, and how well the motion tells them."""

    base: BaseParameters
    value: Array
    covariance: Array
    residual: float
    """Root mean square of what the loads leave over (N, N*m)."""
    condition: float
    """Largest over smallest singular value of the regressor, columns of like size."""

    @property
    def spread(self) -> Array:
        """The standard deviation of each value."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))


def parameters_of(at: At, segments: Sequence[str] = ()) -> tuple[tuple[str, ...], Array]:
    """Name the inertial parameters of segments (all if none are named), and give their values."""
    trees, tree = at.compiled.trees, at.system.tree
    names, values = [], []
    for segment in _segments(at, segments):
        i = trees.body_of[segment]
        m, c = float(tree.mass[i]), tree.centre[i]
        xx, yy, zz, xy, xz, yz = tree.inertia[i]
        J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        J = J + m * (c @ c * np.eye(3) - np.outer(c, c))
        names += [f"{segment}/{p}" for p in PARAMETERS]
        values += [m, *(m * c), J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
    return tuple(names), np.array(values)


def regressor(
    at: At, q: Array, v: Array, rates: Array, rows: Rows = "joints", segments: Sequence[str] = ()
) -> Array:
    """What a unit of each parameter makes at one state: loads along the speeds, or the ground's six."""
    here = at_motion(at, q, v)
    motion = here.motion
    alpha, acc = accelerations(here, rates)
    bodies = [at.compiled.trees.body_of[segment] for segment in _segments(at, segments)]
    ways = jacobians(here) if rows == "joints" else []
    columns = []
    for i in bodies:
        R, w, a = motion.R[i].reshape(3, 3), motion.w[i], acc[i] - at.system.gravity
        torque, force = np.zeros((3, 10)), np.zeros((3, 10))
        force[:, 0] = a
        for k, e in enumerate(R.T, 1):
            force[:, k] = np.cross(alpha[i], e) + np.cross(w, np.cross(w, e))
            torque[:, k] = np.cross(e, a)
        for n, (j, k) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)), 4):
            unit = np.outer(R[:, j], R[:, k])
            J = unit if j == k else unit + unit.T
            torque[:, n] = J @ alpha[i] + np.cross(w, J @ w)
        if rows == "reaction":
            columns.append(np.vstack([torque + np.cross(motion.p[i], force.T).T, force]))
        else:
            turning, moving = ways[i]
            columns.append(turning.T @ torque + moving.T @ force)
    return np.hstack(columns)


def base_parameters(
    at: At,
    rows: Rows = "joints",
    segments: Sequence[str] = (),
    motion: Motion | None = None,
    of: Sequence[int] | None = None,
) -> BaseParameters:
    """What can be told of parameters: by any motion of the model, or by the one given."""
    names, values = parameters_of(at, segments)
    if motion is None:
        states = _random_states(at)
    else:
        states = list(zip(motion.q, motion.v, motion.rates, strict=True))
    W = np.vstack([_chosen(regressor(at, *s, rows, segments), of) for s in states])
    return _base(W, names, values, rows)


def identify(
    motion: Motion,
    loads: Array,
    rows: Rows = "joints",
    segments: Sequence[str] = (),
    of: Sequence[int] | None = None,
) -> Identified:
    """Find inertial parameters by least squares from a motion and the loads in it (instants, rows).

    `of` are the numbers of the rows that were measured, all if none are given. Parameters of other segments
    than those named are taken as the model has them.
    """
    at = motion.at
    names, values = parameters_of(at, segments)
    states = list(zip(motion.q, motion.v, motion.rates, strict=True))
    W: Array = np.vstack([_chosen(regressor(at, *s, rows, segments), of) for s in states])
    y: Array = np.asarray(loads, float).reshape(len(states), -1)
    if y.size != len(W) or not np.isfinite(y).all():
        raise InverseError(
            "There are {count} loads for {rows} rows of the regressor: each instant needs one finite load for each row.",
            count=y.size,
            rows=len(W),
        )
    known = [s for s in at.compiled.trees.body_of if s not in _segments(at, segments)]
    if known:
        _, theirs = parameters_of(at, known)
        others = np.vstack([_chosen(regressor(at, *s, rows, known), of) for s in states])
        y = y.ravel() - others @ theirs
    y = y.ravel()
    base = _base(W, names, values, rows)
    if not len(base):
        raise InverseError("This motion makes no load that tells a parameter.")
    X = W[:, list(base.chosen)]
    size = np.linalg.norm(X, axis=0)
    U, s, right = np.linalg.svd(X / size, full_matrices=False)
    found = (right.T @ ((U.T @ y) / s)) / size
    left = y - X @ found
    free = max(len(y) - len(found), 1)
    variance = float(left @ left) / free
    spread = (right.T / s) / size[:, None]
    return Identified(
        base,
        found,
        variance * spread @ spread.T,
        float(np.sqrt(np.mean(left**2))),
        float(s[0] / s[-1]),
    )


def _chosen(W: Array, of: Sequence[int] | None) -> Array:
    return W if of is None else W[list(of)]


def _segments(at: At, segments: Sequence[str]) -> tuple[str, ...]:
    known = tuple(at.compiled.trees.body_of)
    for name in segments:
        if name not in known:
            hint = did_you_mean(name, known)
            raise InverseError("There is no segment '{name}'. {hint}", name=name, hint=hint or "")
    return tuple(segments) or known


def _random_states(at: At) -> list[tuple[Array, Array, Array]]:
    """Give states anywhere around the start, the same ones every time."""
    rng, tree, out = np.random.default_rng(SEED), at.system.tree, []
    open_ = np.zeros(len(at.v))
    for i, locked in enumerate(at.system.locked):
        if locked in (OPEN, 2):
            size = {BALL: 3, FREE: 6}.get(int(tree.kind[i]), 1)
            open_[tree.at_v[i] : tree.at_v[i] + size] = 1.0
    for _ in range(STATES):
        by, v, rates = (rng.normal(size=len(at.v)) * open_ for _ in range(3))
        q = at.q.copy()
        move(tree, at.system.locked, at.q, by, 1.0, q)
        out.append((q, 2.0 * v, 5.0 * rates))
    return out


def _base(W: Array, names: tuple[str, ...], values: Array, rows: Rows) -> BaseParameters:
    size = np.linalg.norm(W, axis=0)
    least = 1e-12 * float(size.max(initial=0.0))
    seen = np.flatnonzero(size > least)
    scaled = W[:, seen] / size[seen]
    singular = np.linalg.svd(scaled, compute_uv=False) if len(seen) else np.zeros(0)
    rank = int(np.sum(singular > TOLD * singular[0])) if len(singular) else 0
    chosen = _independent(scaled, rank)
    base = scaled[:, chosen]
    parts = np.linalg.lstsq(base, scaled, rcond=None)[0] if rank else np.zeros((0, len(seen)))
    mixing = np.zeros((rank, len(names)))
    mixing[:, seen] = parts * size[seen][None, :] / size[seen][chosen][:, None]
    mixing[np.abs(mixing) < PART * np.abs(mixing).max(initial=0.0)] = 0.0
    numbers = tuple(int(seen[c]) for c in chosen)
    gone = tuple(names[k] for k in range(len(names)) if k not in set(seen.tolist()))
    return BaseParameters(names, numbers, mixing, mixing @ values, singular, gone, rows)


def _independent(scaled: Array, rank: int) -> list[int]:
    """Take columns in their order that add to the rank, those that stand well apart before others."""
    chosen: list[int] = []
    basis = np.zeros((len(scaled), 0))
    for least in (1e-3, 1e-5, 1e-7, TOLD):
        for k in range(scaled.shape[1]):
            if len(chosen) == rank:
                break
            if k in chosen:
                continue
            rest = scaled[:, k] - basis @ (basis.T @ scaled[:, k])
            rest = rest - basis @ (basis.T @ rest)
            length = float(np.linalg.norm(rest))
            if length > least:
                chosen.append(k)
                basis = np.hstack([basis, (rest / length)[:, None]])
    return sorted(chosen)


def _named(names: tuple[str, ...], row: Array, own: int) -> str:
    """Write a combination as a sum, its own parameter first."""
    text = names[own]
    for k in np.flatnonzero(row):
        if k == own:
            continue
        part = row[k]
        size = "" if abs(abs(part) - 1.0) < PART else f"{abs(part):.6g} "
        text += f" {'+' if part > 0 else '-'} {size}{names[k]}"
    return text
