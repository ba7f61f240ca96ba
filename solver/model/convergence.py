"""Make settings of the vector exponential integrator into arrays."""

from __future__ import annotations

from solver.engine.integrate.convergence import VECTORS
from solver.engine.integrate.vei import Exponential, make_exponential
from solver.model.arrays import reals, wholes
from solver.model.tree import Trees
from solver.project.runs import (
    ConvergenceTests,
    RungeKutta4,
    SemiImplicitEuler,
    StepsByError,
    VectorExponential,
)

AT_REST = 1e-6
"""Angular acceleration (rad/s^2) that is none, where the run names no tests."""


def compile_vei(
    integrator: StepsByError | VectorExponential | RungeKutta4 | SemiImplicitEuler, trees: Trees
) -> Exponential:
    """Give the integrator's arrays and tests; for other methods they stand idle."""
    i = integrator if isinstance(integrator, VectorExponential) else VectorExponential(kind="vei")
    tests = i.tests or [
        ConvergenceTests(segment=s, vector="angular_acceleration", magnitude=AT_REST)
        for s in trees.body_of
    ]
    return make_exponential(
        trees.tree, trees.speeds, i.iterations, i.memory_rate_per_s,
        wholes(((trees.body_of[t.segment], VECTORS.index(t.vector)) for t in tests), 2),
        reals(((t.magnitude, t.absolute, t.relative) for t in tests), 3),
    )  # fmt: skip
