"""Laws of force on one coordinate: an axis of a joint, a distance, a component, an angle.

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypeAlias

from manikin.schema.coordinates import CoordinateLaw
from manikin.schema.fields import Element

if TYPE_CHECKING:
    from collections.abc import Sequence

    import solver.project.blocks as _blocks
    import solver.project.coordinate_forces as _coordinate_forces
    import solver.project.coordinates as _coordinates
    import solver.project.sections as _sections
    from manikin.schema.belts import Trigger
    from manikin.schema.blocks import BlockLaw, HydraulicLaw
    from manikin.schema.contact import AtStart
    from manikin.schema.coordinates import Actuator, AnyCoordinate, Reflex
    from manikin.schema.sections import BoxSection, TubeSection


class LinearResistance(CoordinateLaw, total=False):
    """Resist in proportion: F = k d."""

    kind: Required[Literal["linear"]]
    """Kind ("linear"): In proportion."""
    stiffness: Required[float]
    """Stiffness (N/m or N*m/rad, ≥ 0, required): k."""


class Sided(CoordinateLaw, total=False):
    """Load by a curve on each side, unload by another."""

    above: Required[str]
    """Above (id in functions, required): Resistance by how far it is above."""
    below: str | None
    """Below (id in functions, none): Resistance by how far it is below; none: as above."""
    energy_ratio: float | str
    """Energy returned (R) (id in functions, 1, 1.0): Part of the loading work given back, by how far it went."""
    offset_ratio: float | str
    """Offset kept (G) (id in functions, 1, 0.0): Part of the way that stays, by how far it went."""
    at_start: AtStart
    """Pressed at the start ("turning"): turning: it has been pressed in along its loading curve, once and just so deep; what comes out gives back along the unloading curve, as in the 1981 program. elastic: what comes out goes back along the loading curve, until it has been apart or has gone in again."""


class RestResistance(Sided, total=False):
    """Resist what leaves a place of rest, to both sides (003, Table 4.1)."""

    kind: Required[Literal["rest"]]
    """Kind ("rest"): From a place of rest."""
    at: float
    """At (m or rad, 0.0): Place of rest."""


class StopResistance(Sided, total=False):
    """Resist what goes beyond a lower or an upper limit (003, Table 4.2)."""

    kind: Required[Literal["stop"]]
    """Kind ("stop"): Beyond limits."""
    lower: float | None
    """Lower limit (m or rad, none): Where it is stopped below; none: nowhere."""
    upper: float | None
    """Upper limit (m or rad, none): Where it is stopped above; none: nowhere."""


class CoulombResistance(CoordinateLaw, total=False):
    """Resist any motion by the same, full from a rate on (003, Table 4.3)."""

    kind: Required[Literal["coulomb"]]
    """Kind ("coulomb"): Dry friction."""
    size: Required[float]
    """Size (N or N*m, ≥ 0, required): Resistance at full rate."""
    full_rate: float
    """Full rate (m/s or rad/s, > 0, 0.01): Rate from which it is full; in proportion below."""


class ViscousResistance(CoordinateLaw, total=False):
    """Resist in proportion to the rate, with a soft beginning if one is given (003, Table 4.4)."""

    kind: Required[Literal["viscous"]]
    """Kind ("viscous"): In proportion to the rate."""
    damping: Required[float]
    """Damping (N*s/m or N*m*s/rad, ≥ 0, required): C."""
    full_rate: float
    """Full rate (m/s or rad/s, ≥ 0, 0.0): Rate below which damping falls in proportion; 0: nowhere."""


class RateResistance(CoordinateLaw, total=False):
    """Resist by functions of coordinate and rate: F1(d) + F2(d) F3(rate) + F4(rate)."""

    kind: Required[Literal["rate"]]
    """Kind ("rate"): By functions of coordinate and rate."""
    base: str | None
    """Base (F1) (id in functions, none): Resistance by coordinate."""
    factor: str | None
    """Rate factor (F2) (id in functions, none): By coordinate, multiplied by the gate."""
    gate: str | None
    """Rate gate (F3) (id in functions, none): Multiplier by rate."""
    damping: str | None
    """Damping (F4) (id in functions, none): Resistance by rate."""


class OneWayDamper(CoordinateLaw, total=False):
    """Damp one way only, and more beyond limits: F = (C0 + C1 excess) rate (002, (68) and (69))."""

    kind: Required[Literal["one_way_damper"]]
    """Kind ("one_way_damper"): Damps one way."""
    damping: float
    """Damping (N*s/m or N*m*s/rad, ≥ 0, 0.0): C0."""
    growth: float
    """Growth (N*s/m2 or N*m*s/rad2, ≥ 0, 0.0): C1, for each metre or radian beyond the limit."""
    lower: float | None
    """Lower limit (m or rad, none): Below it damping grows; none: nowhere."""
    upper: float | None
    """Upper limit (m or rad, none): Above it damping grows; none: nowhere."""
    acts: Literal["growing", "falling", "both"]
    """Acts ("growing"): growing: while the coordinate grows; falling: while it falls; both."""
    as_printed: bool
    """As printed (false): Below the lower limit, as (69) is printed: C0 + C1 (d - lower), which falls. Else it grows there, too."""


class Muscle(CoordinateLaw, total=False):
    """Pull as a spring and a damper in a row, both by activation M (003, Table 4.5).

    The resistance P follows P' + (k/c) P = k rate, with k = a1 + a2 |M| and c = a3 |M|; without activation
    there is none.
    """

    kind: Required[Literal["muscle"]]
    """Kind ("muscle"): Spring and damper in a row, by activation."""
    stiffness: Required[float]
    """Stiffness at rest (N/m or N*m/rad, ≥ 0, required): a1."""
    stiffness_active: float
    """Stiffness by activation (N/m or N*m/rad, ≥ 0, 0.0): a2."""
    damping: Required[float]
    """Damping by activation (N*s/m or N*m*s/rad, > 0, required): a3."""
    activation: float | str
    """Activation (id in functions, 1, 1.0): M, constant or by time."""
    delay_s: float
    """Delay (s, ≥ 0, 0.0): How much later the muscle follows its activation."""
    trigger: Trigger | None
    """Trigger (none): From when the time of activation counts; none: from the start of the run."""


class HillMuscle(CoordinateLaw, total=False):
    """Pull as muscle does, by activation, length and speed: F = F0 (a fl(l) fv(l') + fp(l)), never pushing.

    Lengths l are in parts of the fibres' best one; tendons do not give. Shapes are those of Thelen (2003).
    """

    kind: Required[Literal["hill"]]
    """Kind ("hill"): Muscle by activation, length and speed."""
    strength: Required[float]
    """Strength (N or N*m, > 0, required): F0, whole activation, best length, held still."""
    fibre: Required[float]
    """Fibre length (m or rad, > 0, required): Length of its fibres at which they are strongest."""
    stretch: float
    """Stretch at zero (1, > 0, 1.0): Length of the fibres at zero, in parts of the best."""
    pulls: Literal["back", "on"]
    """Pulls ("back"): back: against growth, as along a distance; on: towards larger values."""
    speed_per_s: float
    """Greatest speed (1/s, > 0, 10.0): Best lengths per second at which it shortens freely."""
    passive_strain: float
    """Passive strain (1, > 0, 0.6): Stretch beyond the best length at which it pulls by F0 at rest."""
    activation: float | str
    """Wanted activation (id in functions, 1, 0.0): From 0 to 1, constant or by time; it follows as below."""
    resting: float
    """Before (1, ≥ 0, ≤ 1, 0.0): Activation before that time begins."""
    rise_s: float
    """Rise (s, > 0, 0.015): Time in which activation rises."""
    fall_s: float
    """Fall (s, > 0, 0.05): Time in which activation falls."""
    delay_s: float
    """Delay (s, ≥ 0, 0.0): How much later the muscle is asked for its activation."""
    reflex: Reflex | _coordinates.Reflex | None
    """Reflex (none): What it is asked for beside that, by what is sensed; none: nothing."""
    trigger: Trigger | None
    """Trigger (none): From when the time of activation counts; none: from the start of the run."""


class PlasticHinge(CoordinateLaw, total=False):
    """Give in beyond a limit and keep the way: F = k (d - set), between -limit and limit (001, Dias and Pereira)."""

    kind: Required[Literal["plastic"]]
    """Kind ("plastic"): Gives in and keeps the way."""
    stiffness: Required[float]
    """Stiffness (N/m or N*m/rad, > 0, required): k, below the limit."""
    limit: Required[float | str]
    """Limit (id in functions, N or N*m, required): Resistance at which it gives in, constant or by coordinate; above zero."""
    limit_below: float | str | None
    """Limit below (id in functions, N or N*m, none): The same on the way down, above zero; none: as above."""
    limit_goes_by: Literal["value", "size"]
    """Limit goes by ("value"): value: the coordinate; size: how far it is from zero, so that both sides are alike."""


class CrushTube(CoordinateLaw, total=False):
    """Fold along a distance as a thin tube does: elastic to its mean crushing force until it is folded up, then squashed, then packed.

    With M = s t^2 / 4 by flow stress s and wall t a box of mean side c crushes at 52.22 M (c/t)^(1/3) over 0.73 of its
    length, a round tube of mean diameter D at 2/sqrt(3) M (20.79 (D/t)^(1/2) + 11.90) / e over the part
    e = 0.86 - 0.568 (t/D)^(1/2) of it (Abramowicz and Jones 1984, Int. J. Impact Engng 2). Folds that close
    wholly: 38.27 M (c/t)^(1/3) (Wierzbicki and Abramowicz 1983), 2/sqrt(3) M (20.73 (D/t)^(1/2) + 6.283) (Alexander 1960).
    """

    kind: Required[Literal["crush_tube"]]
    """Kind ("crush_tube"): A tube that folds."""
    section: Required[BoxSection | _sections.BoxSection | TubeSection | _sections.TubeSection]
    """Section (required): Shape across: a box or a round tube."""
    length_m: Required[float]
    """Length (m, > 0, required): Of the tube, uncrushed."""
    elastic_pa: Required[float]
    """Elastic modulus (Pa, > 0, required): E. It loads and unloads along E A / L; a folded one springs back further, as by E down to a tenth (assumed)."""
    flow_pa: Required[float]
    """Flow stress (Pa, > 0, required): Mean stress of what flows, between yield and strength."""
    folds: Literal["effective", "whole"]
    """Folds ("effective"): effective: they close as far as walls do that have a thickness and round bends; whole: wholly, as first published."""
    faster: float
    """Rate factor (1, ≥ 1, ≤ 5, 1.0): By how much it resists more at the speed of the crash than slowly."""
    rate_per_s: float | None
    """Rate constant (1/s, > 0, none): D of Cowper and Symonds: forces are larger by 1 + (strain rate / D)^(1/p) at the speed of each instant; 6844 for the flow of mild steel in tubes (Abramowicz and Jones 1986). None: as slowly."""
    rate_exponent: float
    """Rate exponent (1, ≥ 1, ≤ 100, 3.91): p of Cowper and Symonds; 3.91 with 6844 1/s."""
    packed: float
    """Packed stiffness (1, ≥ 0, ≤ 100, 1.0): Of the folded stack, once all of it flows, by E A / L of the tube: it springs back. Assumed; 0.1 with gaps to 14, a block without any that is 0.27 of its length high. 0: it gives way for ever."""
    fixed: bool
    """Fixed (true): Whether both its ends are fixed, so that it can be pulled until all of it flows; else it only pushes."""


class CoordinateForce(Element, total=False):
    """Resist one coordinate by any number of laws together."""

    coordinate: Required[AnyCoordinate]
    """Coordinate (required): What is resisted."""
    zero: float | None
    """Zero (m or rad, none): Value from which laws count; none: as it is at the start."""
    side: Literal["both", "above", "below"]
    """Side ("both"): above: acts only above zero and never drives it up, as a strap or a muscle; below: the same below."""
    blend: float
    """Blend (m or rad, > 0, 0.001): Of one side: way from zero within which what depends on the rate comes up."""
    laws: Required[Sequence[AnyLaw]]
    """Laws (at least 1 entry, at most 200 entries, required): Their resistances add up."""


AnyLaw: TypeAlias = "LinearResistance | _coordinate_forces.LinearResistance | RestResistance | _coordinate_forces.RestResistance | StopResistance | _coordinate_forces.StopResistance | CoulombResistance | _coordinate_forces.CoulombResistance | ViscousResistance | _coordinate_forces.ViscousResistance | RateResistance | _coordinate_forces.RateResistance | OneWayDamper | _coordinate_forces.OneWayDamper | Muscle | _coordinate_forces.Muscle | HillMuscle | _coordinate_forces.HillMuscle | Actuator | _coordinates.Actuator | BlockLaw | _blocks.BlockLaw | HydraulicLaw | _blocks.HydraulicLaw | PlasticHinge | _coordinate_forces.PlasticHinge | CrushTube | _coordinate_forces.CrushTube"
