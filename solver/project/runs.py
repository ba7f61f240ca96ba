"""How long and how finely a project is solved (section 3)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from solver.project.fields import (
    REQUIRED,
    Count,
    Element,
    Flag,
    Id,
    Number,
    Part,
    choice,
    number,
    ref,
)


class StepsByError(Part):
    """Choose each step by an estimate of its error."""

    kind: str = choice("", "Kind", "Method.")
    relative_tolerance: Number = number(
        1e-5,
        "1",
        "Relative tolerance",
        "Error allowed in a step, relative to the state.",
        ge=1e-13,
        le=0.1,
    )
    absolute_tolerance: Number = number(
        1e-7,
        "m|rad",
        "Absolute tolerance",
        "Error allowed in a step, in m and rad.",
        ge=1e-15,
        le=0.1,
    )
    first_step_s: Number | None = number(
        None, "s", "First step", "None: chosen from the model.", gt=0
    )
    largest_step_s: Number = number(0.005, "s", "Largest step", "No step is longer.", gt=0)
    smallest_step_s: Number = number(
        1e-9, "s", "Smallest step", "A shorter one ends the run with a sentence.", gt=0
    )


class DormandPrince(StepsByError):
    """Step by Dormand and Prince 5(4) with step control and event location."""

    kind: Literal["dopri"] = choice("dopri", "Kind", "Dormand-Prince 5(4).")
    when_stiff: Literal["implicit", "stay"] = choice(
        "implicit",
        "When stiff",
        "implicit: where stiffness or damping keeps steps short, the implicit method goes on; stay: never.",
    )


class BogackiShampine(StepsByError):
    """Step by Bogacki and Shampine 3(2): half the evaluations a step, for runs whose forces have corners, with contacts and belts."""

    kind: Literal["bogacki_shampine"] = choice("bogacki_shampine", "Kind", "Bogacki-Shampine 3(2).")
    when_stiff: Literal["implicit", "stay"] = choice(
        "implicit",
        "When stiff",
        "implicit: where stiffness or damping keeps steps short, the implicit method goes on; stay: never.",
    )


class Implicit(StepsByError):
    """Step by Radau's implicit method: stiff tissues and their damping do not shorten the steps."""

    kind: Literal["implicit"] = choice(
        "implicit", "Kind", "Radau's method of fifth order, implicit."
    )


class ConvergenceTests(Part):
    """Test one vector of one segment for convergence (section 3.2.3); zero switches a test off."""

    segment: Id = ref(REQUIRED, "segments", "Segment", "Segment whose vectors are tested.")
    vector: Literal[
        "angular_velocity",
        "linear_velocity",
        "angular_acceleration",
        "linear_acceleration",
    ] = choice(REQUIRED, "Vector", "Vector that is tested.")
    magnitude: Number = number(
        REQUIRED, "", "Magnitude (T1)", "No test below it; zero: never test.", ge=0
    )
    absolute: Number = number(0.0, "", "Absolute (T2)", "Error that always passes.", ge=0)
    relative: Number = number(1e-4, "1", "Relative (T3)", "Relative error that passes.", ge=0)


class VectorExponential(Part):
    """Step by the vector exponential integrator of the 1981 program (section 3)."""

    kind: Literal["vei"] = choice("vei", "Kind", "Vector exponential integrator.")
    first_step_s: Number = number(5e-4, "s", "First step", "Step after each reset.", gt=0)
    largest_step_s: Number = number(1e-3, "s", "Largest step", "No step is longer.", gt=0)
    smallest_step_s: Number = number(
        6.25e-5, "s", "Smallest step", "At this step every test passes.", gt=0
    )
    iterations: Count = choice(
        4, "Iterations (NDINT)", "Corrections before the step is halved.", ge=1, le=50
    )
    memory_rate_per_s: Number = number(
        1600.0,
        "1/s",
        "Memory rate",
        "U and V fade by exp(-rate x step) from step to step; the seed prints no rate.",
        ge=0,
    )
    as_program: Flag = choice(
        False,
        "As the program",
        "As version V.3 of the program, for comparison with what it printed: steps end at each output, contacts, webbing and joints "
        "unload and turn as printed whatever their own choice is, and contacts remember at the ends of steps alone.",
    )
    tests: tuple[ConvergenceTests, ...] = choice(
        (), "Convergence tests", "None: every angular acceleration, relative 1e-4."
    )


class EnergyMomentum(Part):
    """Step by the mid-point rule at a fixed step, and keep energy and momentum: long runs of what is elastic and loses nothing."""

    kind: Literal["energy_momentum"] = choice(
        "energy_momentum", "Kind", "Fixed steps that keep energy and momentum."
    )
    step_s: Number = number(
        1e-3, "s", "Step", "Length of every step; stiff springs do not shorten it.", gt=0
    )


class RungeKutta4(Part):
    """Step by the classical fourth-order method at a fixed step."""

    kind: Literal["rk4"] = choice("rk4", "Kind", "Runge-Kutta 4, fixed step.")
    step_s: Number = number(1e-4, "s", "Step", "Length of every step.", gt=0)


class SemiImplicitEuler(Part):
    """Step by semi-implicit Euler at a fixed step: a quick preview."""

    kind: Literal["semi_implicit_euler"] = choice(
        "semi_implicit_euler", "Kind", "Semi-implicit Euler, fixed step."
    )
    step_s: Number = number(1e-4, "s", "Step", "Length of every step.", gt=0)


class Run(Element):
    """Say how long, how finely and by which method to solve."""

    duration_s: Number = number(REQUIRED, "s", "Duration", "Simulated time.", gt=0, le=1000)
    frame_interval_s: Number = number(
        1e-3,
        "s",
        "Frame interval",
        "Time between stored positions of everything.",
        gt=0,
    )
    checkpoint_interval_s: Number | None = number(
        None,
        "s",
        "Checkpoint interval",
        "Time between states from which the run can be taken up again; none: one near the end.",
        gt=0,
    )
    channel_rate_hz: Number = number(
        10_000.0,
        "1/s",
        "Channel rate",
        "Samples of each output in a second.",
        gt=0,
        le=1e6,
    )
    body_sensors: Flag = choice(
        True,
        "Body sensors",
        "Whether head, neck, chest, pelvis and legs of bodies are followed unasked, for injury figures.",
    )
    integrator: Annotated[
        DormandPrince
        | BogackiShampine
        | Implicit
        | VectorExponential
        | EnergyMomentum
        | RungeKutta4
        | SemiImplicitEuler,
        Field(discriminator="kind"),
    ] = choice(DormandPrince(), "Integrator", "Method and its settings.")
