"""Laws of force on one coordinate: an axis of a joint, a distance, a component, an angle.

Seed 003, (48) and (49): a resistance F of a coordinate d enters as the generalized force -F dd/dq.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field

from solver.project.belts import Trigger
from solver.project.blocks import BlockLaw, HydraulicLaw
from solver.project.contact import AtStart, pressed_at_start
from solver.project.coordinates import (
    DRAG,
    LOAD,
    RATE,
    RISE,
    WAY,
    Actuator,
    AnyCoordinate,
    CoordinateLaw,
    DistanceCoordinate,
    JointCoordinate,
    Reflex,
)
from solver.project.fields import (
    REQUIRED,
    Element,
    Flag,
    Id,
    Number,
    NumberOrFunction,
    choice,
    function,
    number,
    value_or_function,
)
from solver.project.geometry import PointRef
from solver.project.sections import BoxSection, TubeSection


class LinearResistance(CoordinateLaw):
    """Resist in proportion: F = k d."""

    law = "LINEAR"
    kind: Literal["linear"] = choice("linear", "Kind", "In proportion.")
    stiffness: Number = number(REQUIRED, RISE, "Stiffness", "k.", ge=0)


class Sided(CoordinateLaw):
    """Load by a curve on each side, unload by another."""

    above: Id = function(REQUIRED, WAY, LOAD, "Above", "Resistance by how far it is above.")
    below: Id | None = function(
        None, WAY, LOAD, "Below", "Resistance by how far it is below; none: as above."
    )
    energy_ratio: NumberOrFunction = value_or_function(
        1.0,
        "1",
        WAY,
        "Energy returned (R)",
        "Part of the loading work given back, by how far it went.",
    )
    offset_ratio: NumberOrFunction = value_or_function(
        0.0, "1", WAY, "Offset kept (G)", "Part of the way that stays, by how far it went."
    )
    at_start: AtStart = pressed_at_start()


class RestResistance(Sided):
    """Resist what leaves a place of rest, to both sides (003, Table 4.1)."""

    law = "SIDED"
    kind: Literal["rest"] = choice("rest", "Kind", "From a place of rest.")
    at: Number = number(0.0, WAY, "At", "Place of rest.")


class StopResistance(Sided):
    """Resist what goes beyond a lower or an upper limit (003, Table 4.2)."""

    law = "SIDED"
    kind: Literal["stop"] = choice("stop", "Kind", "Beyond limits.")
    lower: Number | None = number(
        None, WAY, "Lower limit", "Where it is stopped below; none: nowhere."
    )
    upper: Number | None = number(
        None, WAY, "Upper limit", "Where it is stopped above; none: nowhere."
    )


class CoulombResistance(CoordinateLaw):
    """Resist any motion by the same, full from a rate on (003, Table 4.3)."""

    law = "COULOMB"
    kind: Literal["coulomb"] = choice("coulomb", "Kind", "Dry friction.")
    size: Number = number(REQUIRED, LOAD, "Size", "Resistance at full rate.", ge=0)
    full_rate: Number = number(
        0.01, RATE, "Full rate", "Rate from which it is full; in proportion below.", gt=0
    )


class ViscousResistance(CoordinateLaw):
    """Resist in proportion to the rate, with a soft beginning if one is given (003, Table 4.4)."""

    law = "VISCOUS"
    kind: Literal["viscous"] = choice("viscous", "Kind", "In proportion to the rate.")
    damping: Number = number(REQUIRED, DRAG, "Damping", "C.", ge=0)
    full_rate: Number = number(
        0.0, RATE, "Full rate", "Rate below which damping falls in proportion; 0: nowhere.", ge=0
    )


class RateResistance(CoordinateLaw):
    """Resist by functions of coordinate and rate: F1(d) + F2(d) F3(rate) + F4(rate)."""

    law = "RATED"
    kind: Literal["rate"] = choice("rate", "Kind", "By functions of coordinate and rate.")
    base: Id | None = function(None, WAY, LOAD, "Base (F1)", "Resistance by coordinate.")
    factor: Id | None = function(
        None, WAY, LOAD, "Rate factor (F2)", "By coordinate, multiplied by the gate."
    )
    gate: Id | None = function(None, RATE, "1", "Rate gate (F3)", "Multiplier by rate.")
    damping: Id | None = function(None, RATE, LOAD, "Damping (F4)", "Resistance by rate.")


class OneWayDamper(CoordinateLaw):
    """Damp one way only, and more beyond limits: F = (C0 + C1 excess) rate (002, (68) and (69))."""

    law = "ONE_WAY"
    kind: Literal["one_way_damper"] = choice("one_way_damper", "Kind", "Damps one way.")
    damping: Number = number(0.0, DRAG, "Damping", "C0.", ge=0)
    growth: Number = number(
        0.0, "N*s/m2|N*m*s/rad2", "Growth", "C1, for each metre or radian beyond the limit.", ge=0
    )
    lower: Number | None = number(
        None, WAY, "Lower limit", "Below it damping grows; none: nowhere."
    )
    upper: Number | None = number(
        None, WAY, "Upper limit", "Above it damping grows; none: nowhere."
    )
    acts: Literal["growing", "falling", "both"] = choice(
        "growing", "Acts", "growing: while the coordinate grows; falling: while it falls; both."
    )
    as_printed: Flag = choice(
        False,
        "As printed",
        "Below the lower limit, as (69) is printed: C0 + C1 (d - lower), which falls. Else it grows there, too.",
    )


class Muscle(CoordinateLaw):
    """Pull as a spring and a damper in a row, both by activation M (003, Table 4.5).

    The resistance P follows P' + (k/c) P = k rate, with k = a1 + a2 |M| and c = a3 |M|; without activation
    there is none.
    """

    law = "MUSCLE"
    kind: Literal["muscle"] = choice("muscle", "Kind", "Spring and damper in a row, by activation.")
    stiffness: Number = number(REQUIRED, RISE, "Stiffness at rest", "a1.", ge=0)
    stiffness_active: Number = number(0.0, RISE, "Stiffness by activation", "a2.", ge=0)
    damping: Number = number(REQUIRED, DRAG, "Damping by activation", "a3.", gt=0)
    activation: NumberOrFunction = value_or_function(
        1.0, "1", "s", "Activation", "M, constant or by time."
    )
    delay_s: Number = number(
        0.0, "s", "Delay", "How much later the muscle follows its activation.", ge=0
    )
    trigger: Trigger | None = choice(
        None, "Trigger", "From when the time of activation counts; none: from the start of the run."
    )


class HillMuscle(CoordinateLaw):
    """Pull as muscle does, by activation, length and speed: F = F0 (a fl(l) fv(l') + fp(l)), never pushing.

    Lengths l are in parts of the fibres' best one; tendons do not give. Shapes are those of Thelen (2003).
    """

    law = "HILL"
    kind: Literal["hill"] = choice("hill", "Kind", "Muscle by activation, length and speed.")
    strength: Number = number(
        REQUIRED, LOAD, "Strength", "F0, whole activation, best length, held still.", gt=0
    )
    fibre: Number = number(
        REQUIRED, WAY, "Fibre length", "Length of its fibres at which they are strongest.", gt=0
    )
    stretch: Number = number(
        1.0, "1", "Stretch at zero", "Length of the fibres at zero, in parts of the best.", gt=0
    )
    pulls: Literal["back", "on"] = choice(
        "back", "Pulls", "back: against growth, as along a distance; on: towards larger values."
    )
    speed_per_s: Number = number(
        10.0, "1/s", "Greatest speed", "Best lengths per second at which it shortens freely.", gt=0
    )
    passive_strain: Number = number(
        0.6,
        "1",
        "Passive strain",
        "Stretch beyond the best length at which it pulls by F0 at rest.",
        gt=0,
    )
    activation: NumberOrFunction = value_or_function(
        0.0, "1", "s", "Wanted activation", "From 0 to 1, constant or by time; it follows as below."
    )
    resting: Number = number(0.0, "1", "Before", "Activation before that time begins.", ge=0, le=1)
    rise_s: Number = number(0.015, "s", "Rise", "Time in which activation rises.", gt=0)
    fall_s: Number = number(0.05, "s", "Fall", "Time in which activation falls.", gt=0)
    delay_s: Number = number(
        0.0, "s", "Delay", "How much later the muscle is asked for its activation.", ge=0
    )
    reflex: Reflex | None = choice(
        None, "Reflex", "What it is asked for beside that, by what is sensed; none: nothing."
    )
    trigger: Trigger | None = choice(
        None, "Trigger", "From when the time of activation counts; none: from the start of the run."
    )


class PlasticHinge(CoordinateLaw):
    """Give in beyond a limit and keep the way: F = k (d - set), between -limit and limit (001, Dias and Pereira)."""

    law = "PLASTIC"
    kind: Literal["plastic"] = choice("plastic", "Kind", "Gives in and keeps the way.")
    stiffness: Number = number(REQUIRED, RISE, "Stiffness", "k, below the limit.", gt=0)
    limit: NumberOrFunction = value_or_function(
        REQUIRED,
        LOAD,
        WAY,
        "Limit",
        "Resistance at which it gives in, constant or by coordinate; above zero.",
    )
    limit_below: NumberOrFunction | None = value_or_function(
        None, LOAD, WAY, "Limit below", "The same on the way down, above zero; none: as above."
    )
    limit_goes_by: Literal["value", "size"] = choice(
        "value", "Limit goes by", "value: the coordinate; size: how far it is from zero, so that both sides are alike."
    )  # fmt: skip


class CrushTube(CoordinateLaw):
    """Fold along a distance as a thin tube does: elastic to its mean crushing force until it is folded up, then squashed, then packed.

    With M = s t^2 / 4 by flow stress s and wall t a box of mean side c crushes at 52.22 M (c/t)^(1/3) over 0.73 of its
    length, a round tube of mean diameter D at 2/sqrt(3) M (20.79 (D/t)^(1/2) + 11.90) / e over the part
    e = 0.86 - 0.568 (t/D)^(1/2) of it (Abramowicz and Jones 1984, Int. J. Impact Engng 2). Folds that close
    wholly: 38.27 M (c/t)^(1/3) (Wierzbicki and Abramowicz 1983), 2/sqrt(3) M (20.73 (D/t)^(1/2) + 6.283) (Alexander 1960).
    """

    law = "PLASTIC"
    kind: Literal["crush_tube"] = choice("crush_tube", "Kind", "A tube that folds.")
    section: Annotated[BoxSection | TubeSection, Field(discriminator="kind")] = choice(
        REQUIRED, "Section", "Shape across: a box or a round tube."
    )
    length_m: Number = number(REQUIRED, "m", "Length", "Of the tube, uncrushed.", gt=0)
    elastic_pa: Number = number(REQUIRED, "Pa", "Elastic modulus", "E. It loads and unloads along E A / L; a folded one springs back further, as by E down to a tenth (assumed).", gt=0)  # fmt: skip
    flow_pa: Number = number(
        REQUIRED, "Pa", "Flow stress", "Mean stress of what flows, between yield and strength.", gt=0
    )  # fmt: skip
    folds: Literal["effective", "whole"] = choice(
        "effective",
        "Folds",
        "effective: they close as far as walls do that have a thickness and round bends; whole: wholly, as first published.",
    )
    faster: Number = number(
        1.0, "1", "Rate factor", "By how much it resists more at the speed of the crash than slowly.", ge=1, le=5
    )  # fmt: skip
    rate_per_s: Number | None = number(
        None,
        "1/s",
        "Rate constant",
        "D of Cowper and Symonds: forces are larger by 1 + (strain rate / D)^(1/p) at the speed of each instant; 6844 for "
        "the flow of mild steel in tubes (Abramowicz and Jones 1986). None: as slowly.",
        gt=0,
    )
    rate_exponent: Number = number(
        3.91, "1", "Rate exponent", "p of Cowper and Symonds; 3.91 with 6844 1/s.", ge=1, le=100
    )
    packed: Number = number(
        1.0,
        "1",
        "Packed stiffness",
        "Of the folded stack, once all of it flows, by E A / L of the tube: it springs back. Assumed; 0.1 with gaps to 14, a "
        "block without any that is 0.27 of its length high. 0: it gives way for ever.",
        ge=0,
        le=100,
    )
    fixed: Flag = choice(
        True, "Fixed", "Whether both its ends are fixed, so that it can be pulled until all of it flows; else it only pushes."
    )  # fmt: skip

    @property
    def part(self) -> float:
        """How much of its length folds up."""
        if self.folds == "whole":
            return 1.0
        return (
            0.73 if isinstance(self.section, BoxSection) else 0.86 - 0.568 / math.sqrt(self.slender)
        )

    @property
    def slender(self) -> float:
        """Mean side or diameter by wall."""
        section = self.section
        across = section.diameter_m if isinstance(section, TubeSection) else 0.5 * (section.width_m + section.height_m)  # fmt: skip
        return across / section.wall_m - 1.0

    @property
    def mean_n(self) -> float:
        """Its mean crushing force (N)."""
        moment, slender = 0.25 * self.flow_pa * self.section.wall_m**2, self.slender
        if isinstance(self.section, BoxSection):
            by = (38.27 if self.folds == "whole" else 52.22) * math.pow(slender, 1.0 / 3.0)
        else:
            root, constant = (20.73, 6.283) if self.folds == "whole" else (20.79, 11.90)
            by = 2.0 / math.sqrt(3.0) * (root * math.sqrt(slender) + constant) / self.part
        return self.faster * moment * by

    @property
    def quick_s_per_m(self) -> float:
        """Mean strain rate in a fold by the speed of crushing, over D: 0.33 v / c of a box, 0.25 v / (R e) of a round tube."""
        if self.rate_per_s is None:
            return 0.0
        across = self.slender * self.section.wall_m
        by = 0.33 * 0.73 if isinstance(self.section, BoxSection) else 0.5
        return by / (across * self.part * self.rate_per_s)

    @property
    def squash_n(self) -> float:
        """The force at which all of its section flows (N)."""
        return self.faster * self.flow_pa * self.section.numbers(0.3).area

    @property
    def stiffness(self) -> float:
        """Below that (N/m)."""
        return self.elastic_pa * self.section.numbers(0.3).area / self.length_m

    @property
    def limit(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Ways (m) and the force (N) at which it gives in there; folded up it is squashed."""
        stroke, rise = self.part * self.length_m, 2.0 * (self.squash_n - self.mean_n) / self.stiffness  # fmt: skip
        return (-stroke - rise, -stroke, 0.0), (self.squash_n, self.mean_n, self.mean_n)


AnyLaw = Annotated[
    LinearResistance
    | RestResistance
    | StopResistance
    | CoulombResistance
    | ViscousResistance
    | RateResistance
    | OneWayDamper
    | Muscle
    | HillMuscle
    | Actuator
    | BlockLaw
    | HydraulicLaw
    | PlasticHinge
    | CrushTube,
    Field(discriminator="kind"),
]


class CoordinateForce(Element):
    """Resist one coordinate by any number of laws together."""

    coordinate: AnyCoordinate = choice(REQUIRED, "Coordinate", "What is resisted.")
    zero: Number | None = number(
        None, WAY, "Zero", "Value from which laws count; none: as it is at the start."
    )
    side: Literal["both", "above", "below"] = choice(
        "both",
        "Side",
        "above: acts only above zero and never drives it up, as a strap or a muscle; below: the same below.",
    )
    blend: Number = number(
        0.001,
        WAY,
        "Blend",
        "Of one side: way from zero within which what depends on the rate comes up.",
        gt=0,
    )
    laws: tuple[AnyLaw, ...] = choice(
        REQUIRED, "Laws", "Their resistances add up.", min_length=1, max_length=200
    )


def across(
    forces: Iterable[CoordinateForce], above: Container[str]
) -> list[tuple[int, PointRef, PointRef]]:
    """Rows of lines between segments above a joint and others, each with the points between which it crosses, the one above first."""
    found: list[tuple[int, PointRef, PointRef]] = []
    for row, one in enumerate(forces):
        if isinstance(at := one.coordinate, DistanceCoordinate):
            for p, q in pairwise(at.points):
                if (p.segment in above) != (q.segment in above):
                    found.append((row, p, q) if p.segment in above else (row, q, p))
    return found


def beside(forces: Iterable[CoordinateForce], joint: str) -> list[tuple[int, int]]:
    """Rows and axes (0 to 2) of forces about the turns of a ball joint that bear beside it; actuators do not, they drive."""
    return [
        (row, "xyz".index(at.axis[-1]))
        for row, one in enumerate(forces)
        if isinstance(at := one.coordinate, JointCoordinate)
        and at.joint == joint
        and at.axis.startswith("turn_")
        and not any(law.kind == "actuator" for law in one.laws)
    ]
