"""The linear equations of small motions about one instant, x' = A x + B u, y = C x + D u: responses, buckling.

x holds the ways along the free directions, then those of what is driven, then the speeds of both, then the
states of gas and laws. Free directions are the open speeds of the model, or, where constraints hold it, an
orthonormal basis of what these allow (a null space of their rows). As rows may hold speeds alone, as rolling
does, there may be fewer free speeds than free ways. u holds the inputs: accelerations of all that is driven,
then forces and torques that were named.

The stiffness of small motions about a pose that the loads leave as it is grows in proportion to them:
K(f) = K0 + f K1, where K0 is without the loads and K1 what their whole size adds. Frequencies are zero where
K0 y = -f K1 y, an eigenvalue problem; the smallest f above zero is the load factor. The model is then
linearised once more under that load, and its lowest frequency there is given as the proof.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solver.analysis.linear.modes import Mode, modes_of
from solver.analysis.linear.operating_point import LinearError, OperatingPoint, derivative
from solver.analysis.linear.variables import Input, Outputs, Space, chosen_inputs, space_of
from solver.base.words import Sentence
from solver.engine.dynamics.tree import Array
from solver.project.problems import did_you_mean
from solver.running.stepper import Stepper

# Answers of linear equations to harmonic inputs: C (i w - A)^-1 B + D.

Complex = NDArray[np.complex128]


def frequency_response(
    A: Array, B: Array, C: Array, D: Array, frequencies: Sequence[float] | Array
) -> Complex:
    """The answer (frequencies, outputs, inputs) by frequency (Hz)."""
    wanted = np.asarray(frequencies, float)
    if wanted.ndim != 1 or not np.isfinite(wanted).all() or (wanted <= 0.0).any():
        raise LinearError("Frequencies are a row of finite numbers above zero (Hz).")
    out = np.zeros((len(wanted), len(C), B.shape[1]), complex)
    one = np.eye(len(A))
    for k, hz in enumerate(wanted):
        try:
            out[k] = C @ np.linalg.solve(2j * math.pi * hz * one - A, B.astype(complex)) + D
        except np.linalg.LinAlgError:
            raise LinearError(
                "At {hz:.9g} Hz the answer has no bound: an undamped mode lies there.", hz=float(hz)
            ) from None
    return out


# The linear equations of small motions about one instant: x' = A x + B u, y = C x + D u.

AT_REST_G = 1e-3
"""Acceleration, in the measure of the speeds' own units (m/s2, rad/s2), from which it is told."""


@dataclass(frozen=True, eq=False)
class Linear:
    """A model linearised about one instant: matrices in SI, names of their rows and columns, modes."""

    time: float
    A: Array
    B: Array
    C: Array
    D: Array
    error: Array
    """How far each entry of A may be off."""
    states: tuple[str, ...]
    state_units: tuple[str, ...]
    inputs: tuple[str, ...]
    input_units: tuple[str, ...]
    outputs: tuple[str, ...]
    output_units: tuple[str, ...]
    is_free: NDArray[np.bool_]
    """Marks the states that nothing prescribes: modes are those of their part of A."""
    mass: Array
    """Mass matrix M of the free directions."""
    rates: Array
    """Rates of the free speeds at the instant itself; zero where the model rests."""
    segments: tuple[str, ...]
    place: Array = field(repr=False)
    turn: Array = field(repr=False)
    notes: tuple[Sentence, ...]
    _standing: OperatingPoint = field(repr=False)
    _space: Space = field(repr=False)

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing moves or speeds up at the instant."""
        return bool(
            np.abs(self._standing.v).max(initial=0.0) < 1e-6
            and np.abs(self.rates).max(initial=0.0) < AT_REST_G
        )

    @property
    def resistance(self) -> Array:
        """The matrix R of M q'' + R q' + K q = F along the free directions."""
        m, first = self._space.free_speeds, self._space.ways.shape[1]
        return np.asarray(-self.mass @ self.A[first : first + m, first : first + m])

    @property
    def stiffness(self) -> Array:
        """The matrix K of M q'' + R q' + K q = F along the free directions."""
        n, m = self._space.free_ways, self._space.free_speeds
        first = self._space.ways.shape[1]
        return np.asarray(-self.mass @ self.A[first : first + m, :n])

    @property
    def directions(self) -> Array:
        """The free directions over the speeds of the model: a column for each."""
        return self._space.ways[:, : self._space.free_ways]

    @cached_property
    def modes(self) -> tuple[Mode, ...]:
        """The modes of all that nothing prescribes, rigid ones first, then by frequency."""
        return modes_of(self.A, self.error, self.is_free, self._space, self._standing)

    def posed(self, mode: Mode, amplitude: float = 1.0, phase: float = 0.0) -> tuple[Array, Array]:
        """Places (segments, 3) and turns R_WS (segments, 3, 3) of all segments at a phase (rad) of a mode.

        The largest displacement of the mode is `amplitude` (m or rad).
        """
        from scipy.spatial.transform import Rotation

        off = amplitude * np.real(mode.shape * np.exp(1j * phase))
        turns = Rotation.from_rotvec(off[:, 3:]).as_matrix().reshape(-1, 3, 3)
        return self.place + off[:, :3], np.asarray(turns @ self.turn)

    def response(
        self,
        frequencies: Sequence[float] | Array,
        inputs: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
    ) -> Complex:
        """The complex answer (frequencies, outputs, inputs) to a harmonic input of one, by frequency (Hz)."""
        ins, outs = _numbers(self.inputs, inputs), _numbers(self.outputs, outputs)
        return frequency_response(
            self.A, self.B[:, ins], self.C[outs], self.D[np.ix_(outs, ins)], frequencies
        )

    def transmissibility(
        self, frequencies: Sequence[float] | Array, of: str, over: str, by: str | None = None
    ) -> Complex:
        """The complex ratio of two outputs by frequency (Hz), while one input acts; the first if none is named."""
        if not self.inputs:
            raise LinearError("Nothing shakes the model: name an input.")
        found = self.response(frequencies, [by or self.inputs[0]], [of, over])[:, :, 0]
        if (np.abs(found[:, 1]) == 0.0).any():
            raise LinearError("'{over}' does not move: there is no ratio to it.", over=over)
        return np.asarray(found[:, 0] / found[:, 1])


def _numbers(known: tuple[str, ...], wanted: Sequence[str] | None) -> list[int]:
    """Where names stand among inputs or outputs; all if none are named."""
    for name in wanted or ():
        if name not in known:
            hint = did_you_mean(name, known)
            raise LinearError(
                "'{name}' is neither an input nor an output here. {hint}",
                name=name,
                hint=hint or "",
            )
    return list(range(len(known))) if wanted is None else [known.index(name) for name in wanted]


def linearise_course(
    course: Stepper,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    *,
    still: bool = False,
    progress: Callable[[float], object] | None = None,
) -> Linear:
    """Linearise a run where it stands, or with all its speeds taken away; the course must not go on afterwards.

    `progress` is told the part that is done, column by column; what it raises ends the work.
    """
    return linearise(OperatingPoint(course, still=still), inputs, outputs, progress)


def linearise(
    standing: OperatingPoint,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    progress: Callable[[float], object] | None = None,
) -> Linear:
    """Linearise a model about an instant, with the branch of every law frozen."""
    chosen = chosen_inputs(standing, inputs)
    space = space_of(standing)
    near = _Near(standing, space)
    n = near.count
    base = near.rates(np.zeros(n))
    asked = Outputs(standing, outputs)
    columns = []
    for k in range(n):
        one = np.zeros(n)
        one[k] = 1.0
        columns.append(
            derivative(lambda h, one=one: near.rates(h * one), base, float(near.scales[k]))  # type: ignore[misc]
        )
        if progress is not None:
            progress((k + 1) / n)
    B = np.array([near.effect(one) for one in chosen]).reshape(len(chosen), n).T
    C, D = near.seen(asked, [c.step for c in columns], chosen)
    free = space.speeds[:, : space.free_speeds]
    names = tuple(standing.model.trees.body_of)
    bodies = [standing.model.trees.body_of[name] for name in names]
    turn = standing.turns[bodies].reshape(-1, 3, 3)
    arm = np.array([standing.model.trees.origin[name] for name in names]).reshape(-1, 3)
    rates = base[near.ways : near.ways + space.free_speeds]
    return Linear(
        time=standing.time,
        A=np.array([c.value for c in columns]).reshape(n, n).T,
        B=B, C=C, D=D,
        error=np.array([c.error for c in columns]).reshape(n, n).T,
        states=space.names, state_units=space.units,
        inputs=tuple(one.name for one in chosen), input_units=tuple(one.unit for one in chosen),
        outputs=asked.names, output_units=asked.units,
        is_free=space.is_free, mass=free.T @ standing.mass() @ free, rates=rates,
        segments=names, place=standing.places[bodies] - np.einsum("bij,bj->bi", turn, arm), turn=turn,
        notes=_notes(standing, [space.names[k] for k, c in enumerate(columns) if c.corner], rates),
        _standing=standing, _space=space,
    )  # fmt: skip


class _Near:
    """Evaluate states near an instant, by the entries of x."""

    def __init__(self, standing: OperatingPoint, space: Space) -> None:
        self._standing, self._space = standing, space
        self.ways, self._speeds = space.ways.shape[1], space.speeds.shape[1]
        self.count = self.ways + self._speeds + standing.states
        self.scales = np.ones(self.count)
        """Natural sizes of the entries: one, or what they are where that is more."""
        speeds = slice(self.ways, self.ways + self._speeds)
        self.scales[speeds] = np.maximum(1.0, np.abs(space.speeds.T @ standing.v))
        self.scales[speeds.stop :] = np.maximum(1.0, np.abs(standing.z[standing.first_state :]))

    def rates(self, x: Array, input_: Input | None = None, sign: float = 1.0) -> Array:
        """The rates of x at x."""
        standing, space = self._standing, self._space
        rates, force = (None, None) if input_ is None else input_.given(sign)
        standing.pushed(force)
        end = self.ways + self._speeds
        found = standing.at(
            space.ways @ x[: self.ways], space.speeds @ x[self.ways : end], x[end:], rates
        )
        open_, driven = standing.open, standing.driven
        return np.concatenate([
            space.ways[open_, : space.free_ways].T @ found.x[open_], found.x[driven],
            space.speeds[open_, : space.free_speeds].T @ found.v[open_], found.v[driven],
            found.z,
        ])  # fmt: skip

    def effect(self, input_: Input) -> Array:
        """What one input does to all rates; they are linear in it."""
        still = np.zeros(self.count)
        ahead, back = (self.rates(still, input_, sign) for sign in (1.0, -1.0))
        return np.asarray((ahead - back) / (2.0 * input_.size))

    def seen(
        self, asked: Outputs, steps: Sequence[float], inputs: Sequence[Input]
    ) -> tuple[Array, Array]:
        """Give C and D: the outputs differ over the same steps as the rates."""
        count, n = len(asked.names), self.count
        if not count:
            return np.zeros((0, n)), np.zeros((0, len(inputs)))
        rows = 4 * n + 2 * len(inputs)
        samples = self._standing.sampled(rows)
        row = 0
        for k, step in enumerate(steps):
            for part in (1.0, -1.0, 0.5, -0.5):
                x = np.zeros(n)
                x[k] = part * step
                self.rates(x)
                self._standing.keep(samples, row)
                row += 1
        for one in inputs:
            for sign in (1.0, -1.0):
                self.rates(np.zeros(n), one, sign)
                self._standing.keep(samples, row)
                row += 1
        found = asked.values(samples, rows)
        of_x = found[: 4 * n].reshape(n, 4, count)
        h = np.asarray(steps)[:, None]
        wide, close = (of_x[:, 0] - of_x[:, 1]) / (2.0 * h), (of_x[:, 2] - of_x[:, 3]) / h
        of_u = found[4 * n :].reshape(len(inputs), 2, count)
        size = np.array([one.size for one in inputs]).reshape(-1, 1)
        return ((4.0 * close - wide) / 3.0).T, ((of_u[:, 0] - of_u[:, 1]) / (2.0 * size)).T


def _notes(standing: OperatingPoint, corners: Sequence[str], rates: Array) -> tuple[Sentence, ...]:
    notes = []
    if corners:
        notes.append(
            Sentence(
                "A law has a corner here along {names}: the derivatives are the mean of both sides.",
                names=", ".join(corners),
            )
        )
    coordinates = standing.system.coordinates
    if len(coordinates.lag) or len(coordinates.period):
        notes.append(
            Sentence(
                "What is sensed late, or held from sample to sample, counts as a constant here."
            )
        )
    moving = np.abs(standing.v).max(initial=0.0) > 1e-6
    if np.abs(rates).max(initial=0.0) > AT_REST_G:
        notes.append(
            Sentence(
                "The model is not at rest here: something speeds up by {rate:.3g} (m/s2 or rad/s2). Frequencies are those of the matrix at this instant.",
                rate=float(np.abs(rates).max()),
            )
        )
    elif moving:
        notes.append(
            Sentence("The model moves here: frequencies are those of the matrix at this instant.")
        )
    return tuple(notes)


# Buckling: by how much loads may grow until the first frequency is zero.

REAL = 1e-6
"""Part of a factor's size up to which an imaginary part is one of rounding."""

MOVES = 1e-6
"""Acceleration that the loads may give, in parts of the stiffness that they change; more bends the pose."""


@dataclass(frozen=True)
class Buckling:
    """Hold load factors in order of size, the first mode's shape, and the proof."""

    factor: float
    factors: tuple[float, ...]
    shape: Array = field(repr=False)
    """Displacement and turn of each segment (segments, 6), ground axes; the largest component is 1."""
    segments: tuple[str, ...]
    lowest_hz: float
    """Lowest frequency under the loads at the factor."""
    unloaded_hz: float
    """Lowest frequency without them."""
    linear: Linear = field(repr=False)
    """The model under the loads at the factor."""


def buckling(course: Stepper, loads: Sequence[str], *, still: bool = False) -> Buckling:
    """The factors on the named loads at which small motions have no stiffness; the course must not go on."""
    standing = OperatingPoint(course, still=still)
    known = [load.id for load in standing.model.project.loads]
    for name in loads:
        if name not in known:
            hint = did_you_mean(name, known)
            raise LinearError("There is no load '{name}'. {hint}", name=name, hint=hint or "")
    if not loads:
        raise LinearError("Name the loads that grow until something buckles.")
    rows = [known.index(name) for name in loads]
    standing.scaled(rows, 0.0)
    without = linearise(standing)
    standing.scaled(rows, 1.0)
    whole = linearise(standing)
    if len(without.mass) == 0:
        raise LinearError("Nothing is free to move here: nothing can buckle.")
    if max(float(np.abs(one.rates).max(initial=0.0)) for one in (without, whole)) > AT_REST_G:
        raise LinearError(
            "The model is not at rest both without and with these loads: they bend it, and their factor follows from no eigenvalue. Give joints that the loads bend no freedom there, or settle it first."
        )
    K0 = without.stiffness
    K1 = whole.stiffness - K0
    from scipy.linalg import eig

    values, vectors = eig(K0, -K1)
    found = [
        (float(v.real), vectors[:, k].real)
        for k, v in enumerate(values)
        if np.isfinite(v) and v.real > 0.0 and abs(v.imag) <= REAL * abs(v)
    ]
    found.sort(key=lambda one: one[0])
    largest = 1e9
    found = [one for one in found if one[0] < largest]
    if not found:
        raise LinearError(
            "These loads take no stiffness away: nothing buckles however large they are."
        )
    factor, y = found[0]
    standing.scaled(rows, factor)
    at = linearise(standing)
    way = at.directions @ y
    turning, moving = standing.centres()
    bodies = [standing.model.trees.body_of[name] for name in at.segments]
    shape = np.concatenate([moving[bodies] @ way, turning[bodies] @ way], axis=1)
    largest_part = shape.ravel()[int(np.argmax(np.abs(shape)))]
    return Buckling(
        factor=factor,
        factors=tuple(one[0] for one in found),
        shape=shape / largest_part,
        segments=at.segments,
        lowest_hz=_lowest(at),
        unloaded_hz=_lowest(without),
        linear=at,
    )


def _lowest(linear: Linear) -> float:
    return min((mode.frequency_hz for mode in linear.modes), default=0.0)
