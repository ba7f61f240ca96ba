"""Make the integrator of a run into the kernels' form."""

from __future__ import annotations

from solver.integrate.plan import Method
from solver.integrate.stages import DOPRI, EULER, RK4, VEI
from solver.model.compile import Model
from solver.model.convergence import compile_vei
from solver.project.runs import (
    DormandPrince,
    Run,
    RungeKutta4,
    SemiImplicitEuler,
    VectorExponential,
)


def method_of(run: Run, model: Model) -> Method:
    """Give a run's method in the kernels' form, with its memory if it has one."""
    i = run.integrator
    vei = compile_vei(i, model.trees)
    if isinstance(i, DormandPrince):
        return Method(
            DOPRI, i.relative_tolerance, i.absolute_tolerance, i.first_step_s or 0.0,
            i.largest_step_s, i.smallest_step_s, vei,
        )  # fmt: skip
    if isinstance(i, VectorExponential):
        return Method(VEI, 0.0, 0.0, i.first_step_s, i.largest_step_s, i.smallest_step_s, vei)
    kind = RK4 if isinstance(i, RungeKutta4) else EULER
    assert isinstance(i, RungeKutta4 | SemiImplicitEuler)
    return Method(kind, 0.0, 0.0, i.step_s, i.step_s, i.step_s, vei)


def longest_step(run: Run) -> float:
    """Give the length that no step of a run exceeds (s)."""
    i = run.integrator
    return i.largest_step_s if isinstance(i, DormandPrince | VectorExponential) else i.step_s
