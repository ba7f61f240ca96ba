"""Make the integrator of a run into the kernels' form."""

from __future__ import annotations

from solver.integrate.implicit import make_implicit
from solver.integrate.plan import Method
from solver.integrate.stages import DOPRI, EULER, IMPLICIT, RK4, VEI
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
    vei = compile_vei(i, model.trees)
    changes = isinstance(i, DormandPrince) and i.when_stiff == "implicit" and speeds <= MOST_SPEEDS
    implicit = make_implicit(0)
    if isinstance(i, StepsByError) and (changes or isinstance(i, Implicit)):
        implicit = make_implicit(speeds, model.states, i.relative_tolerance, i.absolute_tolerance)
    if isinstance(i, DormandPrince):
        return Method(
            DOPRI, i.relative_tolerance, i.absolute_tolerance, i.first_step_s or 0.0,
            i.largest_step_s, i.smallest_step_s, vei, implicit,
        )  # fmt: skip
    if isinstance(i, Implicit):
        return Method(
            IMPLICIT, i.relative_tolerance, i.absolute_tolerance, i.first_step_s or 0.0,
            i.largest_step_s, i.smallest_step_s, vei, implicit,
        )  # fmt: skip
    if isinstance(i, VectorExponential):
        return Method(
            VEI, 0.0, 0.0, i.first_step_s, i.largest_step_s, i.smallest_step_s, vei, implicit
        )
    kind = RK4 if isinstance(i, RungeKutta4) else EULER
    assert isinstance(i, RungeKutta4 | SemiImplicitEuler)
    return Method(kind, 0.0, 0.0, i.step_s, i.step_s, i.step_s, vei, implicit)


def longest_step(run: Run) -> float:
    """Give the length that no step of a run exceeds (s)."""
    i = run.integrator
    return i.step_s if isinstance(i, RungeKutta4 | SemiImplicitEuler) else i.largest_step_s
