"""Make the integrator of a run into the kernels' form."""

from __future__ import annotations

import math

from solver.engine.integrate.implicit import make_implicit
from solver.engine.integrate.plan import Method
from solver.engine.integrate.stages import DOPRI, IMPLICIT, RK4, SEMI_IMPLICIT_EULER, VEI
from solver.model.compile import Model
from solver.model.convergence import compile_vei
from solver.project.runs import (
    DormandPrince,
    Implicit,
    Run,
    RungeKutta4,
    SemiImplicitEuler,
    StepsByError,
    VectorExponential,
)

MOST_SPEEDS = 150
"""Speeds up to which the implicit method may take over: its factors take time by their third power."""


def method_of(run: Run, model: Model) -> Method:
    """Give a run's method in the kernels' form, with its memory if it has one."""
    i, speeds = run.integrator, len(model.v)
    # what is sensed late has been kept by then: no step is longer than the shortest reflex time
    lag = float(min(model.system.coordinates.lag, default=math.inf))
    vei = compile_vei(i, model.trees)
    changes = isinstance(i, DormandPrince) and i.when_stiff == "implicit" and speeds <= MOST_SPEEDS
    implicit = make_implicit(0)
    if isinstance(i, StepsByError) and (changes or isinstance(i, Implicit)):
        implicit = make_implicit(speeds, model.states, i.relative_tolerance, i.absolute_tolerance)
    if isinstance(i, DormandPrince):
        return Method(
            DOPRI, i.relative_tolerance, i.absolute_tolerance, i.first_step_s or 0.0,
            min(i.largest_step_s, lag), i.smallest_step_s, vei, implicit,
        )  # fmt: skip
    if isinstance(i, Implicit):
        return Method(
            IMPLICIT, i.relative_tolerance, i.absolute_tolerance, i.first_step_s or 0.0,
            min(i.largest_step_s, lag), i.smallest_step_s, vei, implicit,
        )  # fmt: skip
    if isinstance(i, VectorExponential):
        return Method(
            VEI,
            0.0,
            0.0,
            i.first_step_s,
            min(i.largest_step_s, lag),
            i.smallest_step_s,
            vei,
            implicit,
        )
    kind = RK4 if isinstance(i, RungeKutta4) else SEMI_IMPLICIT_EULER
    assert isinstance(i, RungeKutta4 | SemiImplicitEuler)
    step = min(i.step_s, lag)
    return Method(kind, 0.0, 0.0, step, step, step, vei, implicit)


def longest_step(run: Run) -> float:
    """Give the length that no step of a run exceeds (s)."""
    i = run.integrator
    return i.step_s if isinstance(i, RungeKutta4 | SemiImplicitEuler) else i.largest_step_s
