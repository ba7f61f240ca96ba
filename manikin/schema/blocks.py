"""Blocks: control laws drawn as signals that run from sensors through blocks, and the servo-hydraulic cylinder that they move.

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypeAlias, TypedDict

from manikin.schema.coordinates import CoordinateLaw, Sensor

if TYPE_CHECKING:
    from collections.abc import Sequence

    import solver.project.blocks as _blocks
    from manikin.schema.belts import Trigger
    from manikin.schema.numbers import Numbers


class NamedSensor(Sensor, total=False):
    """Sense a coordinate, or its rate, as a signal."""

    name: Required[str]
    """Name (required): What wires call it."""
    quantity: Literal["value", "rate"]
    """Quantity ("value"): value: the coordinate from zero; rate: how fast it grows."""
    scale: float
    """Scale (1.0): Factor on it."""


class Wire(TypedDict, total=False):
    """Bring the signal of a sensor or a block."""

    of: Required[str]
    """Of (required): Name of a sensor or a block of the same law."""
    gain: float
    """Gain (1.0): Factor on it; -1 takes it away."""


class BlockBase(TypedDict, total=False):
    """Hold what all blocks share."""

    name: Required[str]
    """Name (required): What wires call it."""


class Wired(BlockBase, total=False):
    """Hold what all blocks with an input share."""

    inputs: Required[Sequence[Wire | _blocks.Wire]]
    """Inputs (at least 1 entry, at most 50 entries, required): What comes in; several add up."""


class SourceBlock(BlockBase, total=False):
    """Give a constant, or a function of the law's time."""

    kind: Required[Literal["source"]]
    """Kind ("source"): A constant, or a function of time."""
    value: float | str
    """Value (id in functions, 0.0): Constant or by time, in SI of whatever it stands for."""


class SumBlock(Wired, total=False):
    """Give the sum of its inputs, each times its gain."""

    kind: Required[Literal["sum"]]
    """Kind ("sum"): Sum with gains."""
    bias: float
    """Bias (0.0): What is added."""


class ProductBlock(Wired, total=False):
    """Give the product of its inputs, each times its gain."""

    kind: Required[Literal["product"]]
    """Kind ("product"): Product."""


class CurveBlock(Wired, total=False):
    """Give a function of its input."""

    kind: Required[Literal["curve"]]
    """Kind ("curve"): A function of the input."""
    function: Required[str]
    """Function (id in functions, required): Output by input."""


class IntegratorBlock(Wired, total=False):
    """Sum its input over time: 1/s; it stands still at its limits."""

    kind: Required[Literal["integrator"]]
    """Kind ("integrator"): Integrator: 1/s."""
    start: float
    """Start (0.0): Its output at the start."""
    lower: float | None
    """Lower limit (none): Least output; none: no limit."""
    upper: float | None
    """Upper limit (none): Largest output; none: no limit."""


class LagBlock(Wired, total=False):
    """Follow its input with a lag of first order: 1 / (1 + T s)."""

    kind: Required[Literal["lag"]]
    """Kind ("lag"): First order: 1 / (1 + T s)."""
    time_s: Required[float]
    """Time constant (s, > 0, required): T."""
    start: float
    """Start (0.0): Its output at the start."""


class SecondOrderBlock(Wired, total=False):
    """Follow its input as a mass on a spring: w^2 / (s^2 + 2 zeta w s + w^2)."""

    kind: Required[Literal["second_order"]]
    """Kind ("second_order"): Second order: w^2 / (s^2 + 2 zeta w s + w^2)."""
    frequency_hz: Required[float]
    """Natural frequency (1/s, > 0, required): Undamped: w = 2 pi times it."""
    damping_ratio: float
    """Damping ratio (1, ≥ 0, 0.7): zeta."""
    start: float
    """Start (0.0): Its output at the start, where it stands still."""


class TransferBlock(Wired, total=False):
    """Answer by a transfer function: a quotient of polynomials in s; it starts from rest."""

    kind: Required[Literal["transfer"]]
    """Kind ("transfer"): A transfer function of s."""
    numerator: Required[Numbers]
    """Numerator (at least 1 entry, at most 9 entries, required): Coefficients, highest power of s first."""
    denominator: Required[Numbers]
    """Denominator (at least 2 entries, at most 9 entries, required): Coefficients, highest power of s first; no lower order than the numerator."""


class LimiterBlock(Wired, total=False):
    """Pass its input on between two limits."""

    kind: Required[Literal["limiter"]]
    """Kind ("limiter"): Limiter."""
    lower: Required[float]
    """Lower limit (required): Least output."""
    upper: Required[float]
    """Upper limit (required): Largest output."""


class DeadZoneBlock(Wired, total=False):
    """Give nothing between two limits, and beyond them by how far the input is beyond."""

    kind: Required[Literal["dead_zone"]]
    """Kind ("dead_zone"): Dead zone."""
    lower: Required[float]
    """Lower limit (required): Input below which it gives something."""
    upper: Required[float]
    """Upper limit (required): Input above which it gives something."""


class RateLimiterBlock(Wired, total=False):
    """Follow its input no faster than two rates: near it with a lag of first order."""

    kind: Required[Literal["rate_limiter"]]
    """Kind ("rate_limiter"): Rate limiter."""
    rising: Required[float]
    """Rising (> 0, required): Fastest growth a second."""
    falling: Required[float]
    """Falling (> 0, required): Fastest fall a second, above zero."""
    time_s: float
    """Time constant (s, > 0, 0.001): Of the lag with which it follows slower inputs."""
    start: float
    """Start (0.0): Its output at the start."""


class HoldBlock(Wired, total=False):
    """Take its input now and then, and hold it from one sample to the next."""

    kind: Required[Literal["hold"]]
    """Kind ("hold"): Sample and hold."""
    period_s: Required[float]
    """Period (s, > 0, ≤ 10, required): Time between samples."""
    start: float
    """Start (0.0): Its output before the first sample."""


class Diagram(CoordinateLaw, total=False):
    """Hold sensors and blocks that wires join by name."""

    sensors: Sequence[NamedSensor | _blocks.NamedSensor]
    """Sensors (at most 50 entries, []): What is sensed, as signals."""
    blocks: Sequence[AnyBlock]
    """Blocks (at most 200 entries, []): In any order."""
    output: str | None
    """Output (none): Name of the block or sensor whose signal acts; none: nothing does."""
    gain: float
    """Gain (1.0): Factor on that signal."""
    delay_s: float
    """Delay (s, ≥ 0, 0.0): How much later its time begins; before, states stand and no signal acts."""
    trigger: Trigger | None
    """Trigger (none): From when its time counts; none: from the start of the run."""


class BlockLaw(Diagram, total=False):
    """Drive the coordinate by a control law of blocks: a positive output pushes it to larger values."""

    kind: Required[Literal["blocks"]]
    """Kind ("blocks"): A control law of blocks."""


class HydraulicLaw(Diagram, total=False):
    """Drive the coordinate by a cylinder with two chambers of oil behind a servo valve (seed 001, Leimbach and Hahn).

    Through each edge of the valve flows Q = opening * Qn * sqrt(drop / drop n); each pressure follows from p' = B / V (flow in - growth
    of V - leak). Chamber A pushes to larger values.
    """

    kind: Required[Literal["hydraulic"]]
    """Kind ("hydraulic"): A servo-hydraulic cylinder."""
    opening: float | str
    """Opening (id in functions, 1, 0.0): Of the valve, from -1 to 1, where no output of blocks says it; above zero oil goes to A."""
    valve_flow_m3_per_s: Required[float]
    """Rated flow (m3/s, > 0, required): Through one edge of the valve, wholly open, at the rated drop."""
    valve_drop_pa: float
    """Rated drop (Pa, > 0, 3500000.0): Drop of pressure over one edge at that flow."""
    supply_pa: Required[float]
    """Supply pressure (Pa, > 0, required): Above that around."""
    return_pa: float
    """Return pressure (Pa, ≥ 0, 0.0): Above that around."""
    area_a_m2: Required[float]
    """Area A (m2 or m3, > 0, required): Of the piston in chamber A."""
    area_b_m2: Required[float]
    """Area B (m2 or m3, > 0, required): In chamber B, less that of the rod."""
    volume_a_m3: Required[float]
    """Volume A (m3, > 0, required): Oil between valve and piston, where the coordinate is zero."""
    volume_b_m3: Required[float]
    """Volume B (m3, > 0, required): The same of chamber B."""
    bulk_modulus_pa: float
    """Bulk modulus (Pa, > 0, 1400000000.0): B, of oil with what air it holds."""
    leak_m3_per_pa_s: float
    """Leak (m3/Pa/s, ≥ 0, 0.0): Past the piston, for each pascal between the chambers."""
    pressure_a_pa: float
    """Pressure A (Pa, ≥ 0, 0.0): At the start."""
    pressure_b_pa: float
    """Pressure B (Pa, ≥ 0, 0.0): At the start."""


AnyBlock: TypeAlias = "SourceBlock | _blocks.SourceBlock | SumBlock | _blocks.SumBlock | ProductBlock | _blocks.ProductBlock | CurveBlock | _blocks.CurveBlock | IntegratorBlock | _blocks.IntegratorBlock | LagBlock | _blocks.LagBlock | SecondOrderBlock | _blocks.SecondOrderBlock | TransferBlock | _blocks.TransferBlock | LimiterBlock | _blocks.LimiterBlock | DeadZoneBlock | _blocks.DeadZoneBlock | RateLimiterBlock | _blocks.RateLimiterBlock | HoldBlock | _blocks.HoldBlock"
