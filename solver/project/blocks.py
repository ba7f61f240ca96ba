"""Blocks: control laws drawn as signals that run from sensors through blocks, and the servo-hydraulic cylinder that they move.

Every block takes the sum of what its wires bring, each times a gain. Signals are in SI, of whatever they stand for.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from solver.project.belts import Trigger
from solver.project.coordinates import CoordinateLaw, Sensor
from solver.project.fields import (
    REQUIRED,
    Id,
    Number,
    NumberOrFunction,
    Numbers,
    Part,
    choice,
    number,
    ref,
    value_or_function,
)


class NamedSensor(Sensor):
    """Sense a coordinate, or its rate, as a signal."""

    name: Id = choice(REQUIRED, "Name", "What wires call it.")
    quantity: Literal["value", "rate"] = choice(
        "value", "Quantity", "value: the coordinate from zero; rate: how fast it grows."
    )
    scale: Number = number(1.0, "", "Scale", "Factor on it.")


class Wire(Part):
    """Bring the signal of a sensor or a block."""

    of: Id = choice(REQUIRED, "Of", "Name of a sensor or a block of the same law.")
    gain: Number = number(1.0, "", "Gain", "Factor on it; -1 takes it away.")


class BlockBase(Part):
    """Hold what all blocks share."""

    name: Id = choice(REQUIRED, "Name", "What wires call it.")


class Wired(BlockBase):
    """Hold what all blocks with an input share."""

    inputs: tuple[Wire, ...] = choice(
        REQUIRED, "Inputs", "What comes in; several add up.", min_length=1, max_length=50
    )


class SourceBlock(BlockBase):
    """Give a constant, or a function of the law's time."""

    kind: Literal["source"] = choice("source", "Kind", "A constant, or a function of time.")
    value: NumberOrFunction = value_or_function(
        0.0, "", "s", "Value", "Constant or by time, in SI of whatever it stands for."
    )


class SumBlock(Wired):
    """Give the sum of its inputs, each times its gain."""

    kind: Literal["sum"] = choice("sum", "Kind", "Sum with gains.")
    bias: Number = number(0.0, "", "Bias", "What is added.")


class ProductBlock(Wired):
    """Give the product of its inputs, each times its gain."""

    kind: Literal["product"] = choice("product", "Kind", "Product.")


class CurveBlock(Wired):
    """Give a function of its input."""

    kind: Literal["curve"] = choice("curve", "Kind", "A function of the input.")
    function: Id = ref(REQUIRED, "functions", "Function", "Output by input.")


class IntegratorBlock(Wired):
    """Sum its input over time: 1/s; it stands still at its limits."""

    kind: Literal["integrator"] = choice("integrator", "Kind", "Integrator: 1/s.")
    start: Number = number(0.0, "", "Start", "Its output at the start.")
    lower: Number | None = number(None, "", "Lower limit", "Least output; none: no limit.")
    upper: Number | None = number(None, "", "Upper limit", "Largest output; none: no limit.")


class LagBlock(Wired):
    """Follow its input with a lag of first order: 1 / (1 + T s)."""

    kind: Literal["lag"] = choice("lag", "Kind", "First order: 1 / (1 + T s).")
    time_s: Number = number(REQUIRED, "s", "Time constant", "T.", gt=0)
    start: Number = number(0.0, "", "Start", "Its output at the start.")


class SecondOrderBlock(Wired):
    """Follow its input as a mass on a spring: w^2 / (s^2 + 2 zeta w s + w^2)."""

    kind: Literal["second_order"] = choice(
        "second_order", "Kind", "Second order: w^2 / (s^2 + 2 zeta w s + w^2)."
    )
    frequency_hz: Number = number(
        REQUIRED, "1/s", "Natural frequency", "Undamped: w = 2 pi times it.", gt=0
    )
    damping_ratio: Number = number(0.7, "1", "Damping ratio", "zeta.", ge=0)
    start: Number = number(0.0, "", "Start", "Its output at the start, where it stands still.")


class TransferBlock(Wired):
    """Answer by a transfer function: a quotient of polynomials in s; it starts from rest."""

    kind: Literal["transfer"] = choice("transfer", "Kind", "A transfer function of s.")
    numerator: Numbers = number(
        REQUIRED, "", "Numerator", "Coefficients, highest power of s first.", min_length=1, max_length=9
    )  # fmt: skip
    denominator: Numbers = number(
        REQUIRED, "", "Denominator", "Coefficients, highest power of s first; no lower order than the numerator.",
        min_length=2, max_length=9,
    )  # fmt: skip


class LimiterBlock(Wired):
    """Pass its input on between two limits."""

    kind: Literal["limiter"] = choice("limiter", "Kind", "Limiter.")
    lower: Number = number(REQUIRED, "", "Lower limit", "Least output.")
    upper: Number = number(REQUIRED, "", "Upper limit", "Largest output.")


class DeadZoneBlock(Wired):
    """Give nothing between two limits, and beyond them by how far the input is beyond."""

    kind: Literal["dead_zone"] = choice("dead_zone", "Kind", "Dead zone.")
    lower: Number = number(REQUIRED, "", "Lower limit", "Input below which it gives something.")
    upper: Number = number(REQUIRED, "", "Upper limit", "Input above which it gives something.")


class RateLimiterBlock(Wired):
    """Follow its input no faster than two rates: near it with a lag of first order."""

    kind: Literal["rate_limiter"] = choice("rate_limiter", "Kind", "Rate limiter.")
    rising: Number = number(REQUIRED, "", "Rising", "Fastest growth a second.", gt=0)
    falling: Number = number(REQUIRED, "", "Falling", "Fastest fall a second, above zero.", gt=0)
    time_s: Number = number(
        0.001, "s", "Time constant", "Of the lag with which it follows slower inputs.", gt=0
    )
    start: Number = number(0.0, "", "Start", "Its output at the start.")


class HoldBlock(Wired):
    """Take its input now and then, and hold it from one sample to the next."""

    kind: Literal["hold"] = choice("hold", "Kind", "Sample and hold.")
    period_s: Number = number(REQUIRED, "s", "Period", "Time between samples.", gt=0, le=10)
    start: Number = number(0.0, "", "Start", "Its output before the first sample.")


AnyBlock = Annotated[
    SourceBlock
    | SumBlock
    | ProductBlock
    | CurveBlock
    | IntegratorBlock
    | LagBlock
    | SecondOrderBlock
    | TransferBlock
    | LimiterBlock
    | DeadZoneBlock
    | RateLimiterBlock
    | HoldBlock,
    Field(discriminator="kind"),
]


class Diagram(CoordinateLaw):
    """Hold sensors and blocks that wires join by name."""

    sensors: tuple[NamedSensor, ...] = choice(
        (), "Sensors", "What is sensed, as signals.", max_length=50
    )
    blocks: tuple[AnyBlock, ...] = choice((), "Blocks", "In any order.", max_length=200)
    output: Id | None = choice(
        None, "Output", "Name of the block or sensor whose signal acts; none: nothing does."
    )
    gain: Number = number(1.0, "", "Gain", "Factor on that signal.")
    delay_s: Number = number(
        0.0, "s", "Delay", "How much later its time begins; before, states stand and no signal acts.", ge=0
    )  # fmt: skip
    trigger: Trigger | None = choice(
        None, "Trigger", "From when its time counts; none: from the start of the run."
    )


class BlockLaw(Diagram):
    """Drive the coordinate by a control law of blocks: a positive output pushes it to larger values."""

    law = "BLOCKS"
    kind: Literal["blocks"] = choice("blocks", "Kind", "A control law of blocks.")


class HydraulicLaw(Diagram):
    """Drive the coordinate by a cylinder with two chambers of oil behind a servo valve (seed 001, Leimbach and Hahn).

    Through each edge of the valve flows Q = opening * Qn * sqrt(drop / drop n); each pressure follows from p' = B / V (flow in - growth
    of V - leak). Chamber A pushes to larger values.
    """

    law = "HYDRAULIC"
    kind: Literal["hydraulic"] = choice("hydraulic", "Kind", "A servo-hydraulic cylinder.")
    opening: NumberOrFunction = value_or_function(
        0.0, "1", "s", "Opening", "Of the valve, from -1 to 1, where no output of blocks says it; above zero oil goes to A."
    )  # fmt: skip
    valve_flow_m3_per_s: Number = number(
        REQUIRED, "m3/s", "Rated flow", "Through one edge of the valve, wholly open, at the rated drop.", gt=0
    )  # fmt: skip
    valve_drop_pa: Number = number(
        3.5e6, "Pa", "Rated drop", "Drop of pressure over one edge at that flow.", gt=0
    )
    supply_pa: Number = number(REQUIRED, "Pa", "Supply pressure", "Above that around.", gt=0)
    return_pa: Number = number(0.0, "Pa", "Return pressure", "Above that around.", ge=0)
    area_a_m2: Number = number(REQUIRED, "m2|m3", "Area A", "Of the piston in chamber A.", gt=0)
    area_b_m2: Number = number(
        REQUIRED, "m2|m3", "Area B", "In chamber B, less that of the rod.", gt=0
    )
    volume_a_m3: Number = number(
        REQUIRED, "m3", "Volume A", "Oil between valve and piston, where the coordinate is zero.", gt=0
    )  # fmt: skip
    volume_b_m3: Number = number(REQUIRED, "m3", "Volume B", "The same of chamber B.", gt=0)
    bulk_modulus_pa: Number = number(
        1.4e9, "Pa", "Bulk modulus", "B, of oil with what air it holds.", gt=0
    )
    leak_m3_per_pa_s: Number = number(
        0.0, "m3/Pa/s", "Leak", "Past the piston, for each pascal between the chambers.", ge=0
    )
    pressure_a_pa: Number = number(0.0, "Pa", "Pressure A", "At the start.", ge=0)
    pressure_b_pa: Number = number(0.0, "Pa", "Pressure B", "At the start.", ge=0)


# In which order signals follow from each other.


def passes_on(block: object) -> bool:
    """Whether a block's output follows at once from its input; else from a state, a sample or the time alone."""
    if isinstance(block, TransferBlock):
        return len(block.numerator) == len(block.denominator) and block.numerator[0] != 0.0
    return isinstance(block, SumBlock | ProductBlock | CurveBlock | LimiterBlock | DeadZoneBlock)


def sorted_blocks(law: Diagram) -> list[AnyBlock] | None:
    """The blocks of a law, each behind those from which it follows at once; None where some follow from each other in a ring."""
    out: list[AnyBlock] = [one for one in law.blocks if not passes_on(one)]
    left = [one for one in law.blocks if passes_on(one)]
    known = {one.name for one in (*law.sensors, *out)}
    while left:
        ready = [one for one in left if isinstance(one, Wired) and all(w.of in known for w in one.inputs)]  # fmt: skip
        if not ready:
            return None
        out += ready
        known |= {one.name for one in ready}
        left = [one for one in left if one not in ready]
    return out


def signals_of(law: Diagram) -> list[str]:
    """The names of a law's signals, in the order in which the engine has them; pressures of chambers stand last."""
    pressures = ["pressure_a", "pressure_b"] if isinstance(law, HydraulicLaw) else []
    ordered = sorted_blocks(law) or law.blocks
    return [one.name for one in (*law.sensors, *ordered)] + pressures
