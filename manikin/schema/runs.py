"""How long and how finely a project is solved (section 3).

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypedDict

from manikin.schema.fields import Element

if TYPE_CHECKING:
    from collections.abc import Sequence

    import solver.project.runs as _runs


class DormandPrince(TypedDict, total=False):
    """Step by Dormand and Prince 5(4) with step control and event location."""

    relative_tolerance: float
    """Relative tolerance (1, ≥ 1e-13, ≤ 0.1, 1e-05): Error allowed in a step, relative to the state."""
    absolute_tolerance: float
    """Absolute tolerance (m or rad, ≥ 1e-15, ≤ 0.1, 1e-07): Error allowed in a step, in m and rad."""
    first_step_s: float | None
    """First step (s, > 0, none): None: chosen from the model."""
    largest_step_s: float
    """Largest step (s, > 0, 0.005): No step is longer."""
    smallest_step_s: float
    """Smallest step (s, > 0, 1e-09): A shorter one ends the run with a sentence."""
    kind: Required[Literal["dopri"]]
    """Kind ("dopri"): Dormand-Prince 5(4)."""
    when_stiff: Literal["implicit", "stay"]
    """When stiff ("implicit"): implicit: where stiffness or damping keeps steps short, the implicit method goes on; stay: never."""


class BogackiShampine(TypedDict, total=False):
    """Step by Bogacki and Shampine 3(2): half the evaluations a step, for runs whose forces have corners, with contacts and belts."""

    relative_tolerance: float
    """Relative tolerance (1, ≥ 1e-13, ≤ 0.1, 1e-05): Error allowed in a step, relative to the state."""
    absolute_tolerance: float
    """Absolute tolerance (m or rad, ≥ 1e-15, ≤ 0.1, 1e-07): Error allowed in a step, in m and rad."""
    first_step_s: float | None
    """First step (s, > 0, none): None: chosen from the model."""
    largest_step_s: float
    """Largest step (s, > 0, 0.005): No step is longer."""
    smallest_step_s: float
    """Smallest step (s, > 0, 1e-09): A shorter one ends the run with a sentence."""
    kind: Required[Literal["bogacki_shampine"]]
    """Kind ("bogacki_shampine"): Bogacki-Shampine 3(2)."""
    when_stiff: Literal["implicit", "stay"]
    """When stiff ("implicit"): implicit: where stiffness or damping keeps steps short, the implicit method goes on; stay: never."""


class Implicit(TypedDict, total=False):
    """Step by Radau's implicit method: stiff tissues and their damping do not shorten the steps."""

    relative_tolerance: float
    """Relative tolerance (1, ≥ 1e-13, ≤ 0.1, 1e-05): Error allowed in a step, relative to the state."""
    absolute_tolerance: float
    """Absolute tolerance (m or rad, ≥ 1e-15, ≤ 0.1, 1e-07): Error allowed in a step, in m and rad."""
    first_step_s: float | None
    """First step (s, > 0, none): None: chosen from the model."""
    largest_step_s: float
    """Largest step (s, > 0, 0.005): No step is longer."""
    smallest_step_s: float
    """Smallest step (s, > 0, 1e-09): A shorter one ends the run with a sentence."""
    kind: Required[Literal["implicit"]]
    """Kind ("implicit"): Radau's method of fifth order, implicit."""


class ConvergenceTests(TypedDict, total=False):
    """Test one vector of one segment for convergence (section 3.2.3); zero switches a test off."""

    segment: Required[str]
    """Segment (id in segments, required): Segment whose vectors are tested."""
    vector: Required[
        Literal[
            "angular_velocity", "linear_velocity", "angular_acceleration", "linear_acceleration"
        ]
    ]
    """Vector (required): Vector that is tested."""
    magnitude: Required[float]
    """Magnitude (T1) (≥ 0, required): No test below it; zero: never test."""
    absolute: float
    """Absolute (T2) (≥ 0, 0.0): Error that always passes."""
    relative: float
    """Relative (T3) (1, ≥ 0, 0.0001): Relative error that passes."""


class VectorExponential(TypedDict, total=False):
    """Step by the vector exponential integrator of the 1981 program (section 3)."""

    kind: Required[Literal["vei"]]
    """Kind ("vei"): Vector exponential integrator."""
    first_step_s: float
    """First step (s, > 0, 0.0005): Step after each reset."""
    largest_step_s: float
    """Largest step (s, > 0, 0.001): No step is longer."""
    smallest_step_s: float
    """Smallest step (s, > 0, 6.25e-05): At this step every test passes."""
    iterations: int
    """Iterations (NDINT) (≥ 1, ≤ 50, 4): Corrections before the step is halved."""
    memory_rate_per_s: float
    """Memory rate (1/s, ≥ 0, 1600.0): U and V fade by exp(-rate x step) from step to step; the seed prints no rate."""
    as_program: bool
    """As the program (false): As version V.3 of the program, for comparison with what it printed: steps end at each output, contacts, webbing and joints unload and turn as printed whatever their own choice is, and contacts remember at the ends of steps alone."""
    tests: Sequence[ConvergenceTests | _runs.ConvergenceTests]
    """Convergence tests ([]): None: every angular acceleration, relative 1e-4."""


class EnergyMomentum(TypedDict, total=False):
    """Step by the mid-point rule at a fixed step, and keep energy and momentum: long runs of what is elastic and loses nothing."""

    kind: Required[Literal["energy_momentum"]]
    """Kind ("energy_momentum"): Fixed steps that keep energy and momentum."""
    step_s: float
    """Step (s, > 0, 0.001): Length of every step; stiff springs do not shorten it."""


class RungeKutta4(TypedDict, total=False):
    """Step by the classical fourth-order method at a fixed step."""

    kind: Required[Literal["rk4"]]
    """Kind ("rk4"): Runge-Kutta 4, fixed step."""
    step_s: float
    """Step (s, > 0, 0.0001): Length of every step."""


class SemiImplicitEuler(TypedDict, total=False):
    """Step by semi-implicit Euler at a fixed step: a quick preview."""

    kind: Required[Literal["semi_implicit_euler"]]
    """Kind ("semi_implicit_euler"): Semi-implicit Euler, fixed step."""
    step_s: float
    """Step (s, > 0, 0.0001): Length of every step."""


class Run(Element, total=False):
    """Say how long, how finely and by which method to solve."""

    duration_s: Required[float]
    """Duration (s, > 0, ≤ 1000, required): Simulated time."""
    frame_interval_s: float
    """Frame interval (s, > 0, 0.001): Time between stored positions of everything."""
    checkpoint_interval_s: float | None
    """Checkpoint interval (s, > 0, none): Time between states from which the run can be taken up again; none: one near the end."""
    channel_rate_hz: float
    """Channel rate (1/s, > 0, ≤ 1e+06, 10000.0): Samples of each output in a second."""
    body_sensors: bool
    """Body sensors (true): Whether head, neck, chest, pelvis and legs of bodies are followed unasked, for injury figures."""
    integrator: (
        DormandPrince
        | _runs.DormandPrince
        | BogackiShampine
        | _runs.BogackiShampine
        | Implicit
        | _runs.Implicit
        | VectorExponential
        | _runs.VectorExponential
        | EnergyMomentum
        | _runs.EnergyMomentum
        | RungeKutta4
        | _runs.RungeKutta4
        | SemiImplicitEuler
        | _runs.SemiImplicitEuler
    )
    """Integrator (its own defaults): Method and its settings."""
