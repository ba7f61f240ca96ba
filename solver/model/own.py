"""Laws of users: functions of their own, compiled, that give a force and a torque between two points at every evaluation."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

import numpy as np

from solver.base.words import Sentence
from solver.engine.forces.own import LOAD, SEEN, OwnLaws
from solver.model.arrays import reals, wholes
from solver.model.compile import Model
from solver.model.set_forces import refuse_unknown, three
from solver.model.tree import point_on
from solver.project.problems import SimulationError
from solver.project.segments import GROUND

Place = tuple[str, Sequence[float]]
"""A segment, or 'ground', and a point of it (m) from its mass centre, along its axes."""

ARGUMENTS = 5
"""Time, first point, second point, numbers, load."""


class Law:
    """A law of a user: a function `f(t, a, b, numbers, load)`, compiled by Numba when it is first used.

    `a` and `b` are what is known of two points and their bodies, ground axes: place (0 to 2), velocity (3 to 5), angular
    velocity (6 to 8), and the matrix that turns components along the body's axes into ground ones, row by row (9 to 17). The
    function writes the force on the second body at its point (N, `load[0]` to `load[2]`) and the torque on
    it (N*m, `load[3]` to `load[5]`), which are zero before; the first body gets the opposite at the same place. It
    returns the energy that is held (J), 0 for a law that holds none.

    It is called at every evaluation of the equations of motion, without Python: steps see it as they see every other law. It must
    depend on what it is given alone, and keep nothing.
    """

    def __init__(self, function: Callable[..., float]) -> None:
        if len(inspect.signature(function).parameters) != ARGUMENTS:
            raise SimulationError(
                "The law '{name}' takes five arguments: t, a, b, numbers, load.",
                name=function.__name__,
            )
        self.function = function
        self.__name__, self.__doc__ = function.__name__, function.__doc__
        self._made: Any = None

    @property
    def address(self) -> int:
        """Where its machine code stands; it is compiled now, if it is not yet."""
        if self._made is None:
            import numba
            from numba.core.errors import NumbaError

            cfunc: Any = numba.cfunc
            many = "CPointer(float64)"
            try:
                self._made = cfunc(f"float64(float64, {many}, {many}, {many}, {many})")(
                    _without_raising(numba, self.function)
                )
            except NumbaError as failure:
                raise SimulationError(
                    "The law '{name}' cannot be compiled. {why}",
                    name=self.__name__,
                    why=str(failure),
                ) from failure
        return int(self._made.address)

    def between(self, a: Place, b: Place, *numbers: float) -> OwnLaw:
        """Let it act between two points, with numbers of its own."""
        return OwnLaw(self, a, b, tuple(float(one) for one in numbers))


def _without_raising(numba: Any, function: Any) -> Callable[..., float]:
    """Let a law that raises, or divides by zero, have no value: the run with it fails, where it would go on with nothing."""
    law = function if numba.extending.is_jitted(function) else numba.njit(error_model="numpy")(function)  # fmt: skip
    none = math.nan

    def called(t: float, a: Any, b: Any, numbers: Any, load: Any) -> float:
        try:
            return law(t, a, b, numbers, load)  # type: ignore[no-any-return]
        except Exception:  # noqa: BLE001 (whatever it is)
            load[0] = none
            return none

    return called


@dataclass(frozen=True)
class OwnLaw:
    """A law of a user between two points."""

    law: Law
    a: Place
    b: Place
    numbers: tuple[float, ...] = ()

    def note(self) -> Sentence:
        """What a run's log says of it: the project alone does not tell all that acted."""
        return Sentence(
            "note: a law that is not in the project acts besides: '{name}' between {a} and {b}, with {numbers}",
            name=self.law.__name__,
            a=self.a[0],
            b=self.b[0],
            numbers=", ".join(f"{one:g}" for one in self.numbers) or "no numbers",
        )


def with_laws(model: Model, laws: Sequence[OwnLaw]) -> Model:
    """Give a model in which these laws act besides; raises SimulationError where one has no place."""
    if isinstance(laws, OwnLaw | Law) or not all(isinstance(one, OwnLaw) for one in laws):
        raise SimulationError("Laws are given in a list, each as `law.between(...)` makes it.")
    if not laws:
        return model
    points = []
    for one in laws:
        for place in (one.a, one.b):
            if isinstance(place, str) or len(place) != 2:
                raise SimulationError(
                    "'{name}' acts between two points, each a pair of a segment and a place on it; {place} is none.",
                    name=one.law.__name__,
                    place=repr(place),
                )
            segment, point = place
            if segment != GROUND:
                refuse_unknown(model, segment)
            three(point, f"The point of '{one.law.__name__}' on '{segment}'")
            points.append(point_on(model.trees, segment, point))
        if not all(map(math.isfinite, one.numbers)):
            raise SimulationError("Numbers of '{name}' are not finite.", name=one.law.__name__)
    own = OwnLaws(
        address=wholes(one.law.address for one in laws),
        a=wholes(body for body, _ in points[::2]),
        b=wholes(body for body, _ in points[1::2]),
        at_a=reals((at for _, at in points[::2]), 3),
        at_b=reals((at for _, at in points[1::2]), 3),
        first=wholes(accumulate((len(one.numbers) for one in laws), initial=0)),
        number=reals(x for one in laws for x in one.numbers),
        of_a=np.zeros((len(laws), SEEN)),
        of_b=np.zeros((len(laws), SEEN)),
        load=np.zeros((len(laws), LOAD)),
    )
    return replace(model, system=model.system._replace(own=own))
