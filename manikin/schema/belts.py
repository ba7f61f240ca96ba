"""Simple belts and harnesses (section 7.3 and the later programs' harness).

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypeAlias, TypedDict

from manikin.schema.fields import Element

if TYPE_CHECKING:
    from collections.abc import Sequence

    import solver.project.belts as _belts
    import solver.project.geometry as _geometry
    from manikin.schema.geometry import PointRef, SurfaceRef
    from manikin.schema.numbers import Vec3


class TimeTrigger(TypedDict, total=False):
    """Fire at a time."""

    kind: Required[Literal["time"]]
    """Kind ("time"): At a time."""
    time_s: float
    """Time (s, ≥ 0, 0.0): Time of firing."""


class ChannelTrigger(TypedDict, total=False):
    """Fire when an output passes a level, after a delay."""

    kind: Required[Literal["channel"]]
    """Kind ("channel"): When an output passes a level."""
    output: Required[str]
    """Output (id in outputs, required): Output of a point, of a segment's turning or angles; of a contact: its force; of a belt or a harness: the largest tension in it; of an airbag: its pressure above that outside."""
    component: Literal["x", "y", "z", "resultant"]
    """Component ("resultant"): Component that is watched; of angles the first, second or third."""
    level: Required[float]
    """Level (required): Value to pass, in the output's unit."""
    rising: bool
    """Rising (true): Whether it fires on the way up; otherwise on the way down."""
    delay_s: float
    """Delay (s, ≥ 0, 0.0): Time from passing the level to firing."""


class Belt(Element, total=False):
    """Lay a belt in a plane from one anchor over an ellipsoid to another (section 7.3)."""

    anchor_a: Required[PointRef | _geometry.PointRef]
    """Anchor A (required): First anchor."""
    anchor_b: Required[PointRef | _geometry.PointRef]
    """Anchor B (required): Second anchor."""
    surface: Required[SurfaceRef | _geometry.SurfaceRef]
    """Surface (required): Ellipsoid under the belt."""
    fixed_point_m: Required[Vec3]
    """Fixed point (m, required): Point on the ellipsoid that spans the belt's plane with the anchors, segment axes."""
    law: Required[str]
    """Webbing (id in contact_laws, required): Webbing law."""
    friction: Literal["none", "infinite"]
    """Friction ("none"): none: one tension over the whole length; infinite: each side by itself."""
    slack_m: float
    """Slack (m, 0.0): Spare length at the start; below zero: pretension."""


class AnchorPoint(TypedDict, total=False):
    """Fix the webbing to a segment."""

    kind: Required[Literal["anchor"]]
    """Kind ("anchor"): An end of the strap."""
    segment: Required[str]
    """Segment (id in segments, required): Segment that carries the anchor."""
    position_m: Required[Vec3]
    """Position (m, required): Anchor from the segment's mass centre, segment axes."""


class RingPoint(TypedDict, total=False):
    """Run the webbing through a ring on a segment."""

    kind: Required[Literal["ring"]]
    """Kind ("ring"): A slip ring."""
    segment: Required[str]
    """Segment (id in segments, required): Segment that carries the ring."""
    position_m: Required[Vec3]
    """Position (m, required): Ring from the segment's mass centre, segment axes."""
    friction: float
    """Friction (1, ≥ 0, ≤ 10, 0.0): Coefficient of the capstan law at the ring."""


class JunctionPoint(TypedDict, total=False):
    """Join this strap with others in one common point of the harness."""

    kind: Required[Literal["junction"]]
    """Kind ("junction"): A point common to several straps."""
    junction: Required[str]
    """Junction (required): Name; points with the same name are one point."""
    surface: SurfaceRef | _geometry.SurfaceRef | None
    """Surface (none): Surface that the junction lies on; none for a free junction (a buckle)."""
    position_m: Required[Vec3]
    """Position (m, required): Start point: in segment axes on a surface, otherwise in ground axes."""
    friction: float | str
    """Friction (id in functions, 1, 0.0): Of one on a surface: coefficient, the same in every direction, or a function of the depth."""
    flesh: str | None
    """Flesh (id in contact_laws, none): Of one on a surface: contact law into it; none for a rigid surface."""


class SurfacePoint(TypedDict, total=False):
    """Lay the webbing on a surface of a segment."""

    kind: Required[Literal["surface"]]
    """Kind ("surface"): A point on a body surface."""
    surface: Required[SurfaceRef | _geometry.SurfaceRef]
    """Surface (required): Surface under the webbing."""
    position_m: Required[Vec3]
    """Position (m, required): Start point, segment axes; it is moved radially from the surface's centre onto it."""
    follows: Literal["webbing", "body"]
    """Follows ("webbing"): webbing: a mark on the strap that slides over the body; body: a place that webbing runs through."""
    friction_along: float | str | None
    """Friction along (id in functions, 1, none): Coefficient along the strap. None: it does not slide while it presses, up to ten times the pressing force; with may_leave off it never slides."""
    friction_across: float | str | None
    """Friction across (id in functions, 1, none): Coefficient across the strap; none for no sliding."""
    flesh: str | None
    """Flesh (id in contact_laws, none): Contact law into the surface; none for a rigid surface."""
    may_leave: bool
    """May leave (true): Whether the strap may lift off here and return."""
    preferred_direction: Vec3 | None
    """Along-belt direction (1, none): Direction of the strap here, segment axes; none: its own."""


class Retractor(TypedDict, total=False):
    """Wind webbing on a spool until it locks."""

    lock_acceleration_m_per_s2: float | None
    """Lock acceleration (m/s2, > 0, none): Acceleration of the carrying segment that locks it."""
    lock_payout_m: float | None
    """Lock pull-out (m, ≥ 0, none): Webbing drawn out that locks it."""
    lock_payout_rate_m_per_s: float | None
    """Lock pull-out speed (m/s, > 0, none): Speed of drawing out that locks it."""
    lock_delay_s: float
    """Lock delay (s, ≥ 0, 0.0): Time from sensing to holding."""
    tension_n: float
    """Winding tension (N, ≥ 0, 0.0): Tension before it locks."""
    spool_m: float
    """On the spool (m, ≥ 0, 0.5): Webbing that can still be drawn out."""
    film_spool: str | None
    """Film spool (id in functions, none): Tension by webbing drawn from the locked spool."""


class Pretensioner(TypedDict, total=False):
    """Pull webbing in once it has fired."""

    trigger: Trigger
    """Trigger (its own defaults): When it fires."""
    stroke: Required[str]
    """Stroke (id in functions, required): Webbing pulled in by time from firing."""
    force_limit_n: float | None
    """Force limit (N, > 0, none): Tension at which it stops pulling."""


class LoadLimiter(TypedDict, total=False):
    """Let webbing out so that tension stays at a limit."""

    force: Required[str]
    """Force (id in functions, required): Tension by webbing let out."""


class StrapEnd(TypedDict, total=False):
    """Fit devices to one end of a strap, between the anchor and the webbing."""

    retractor: Retractor | _belts.Retractor | None
    """Retractor (none): Spool with lock."""
    pretensioner: Pretensioner | _belts.Pretensioner | None
    """Pretensioner (none): Pulls in when fired."""
    load_limiter: LoadLimiter | _belts.LoadLimiter | None
    """Load limiter (none): Lets out at a limit."""
    given_tension: str | None
    """Given tension (id in functions, none): Tension by time, as measured; in place of devices."""
    given_payout: str | None
    """Given pull-out (id in functions, none): Webbing let out since the start by time, as measured; below zero: drawn in. In place of devices."""


class Strap(TypedDict, total=False):
    """Run webbing over points in order."""

    id: Required[str]
    """Id (required): Unique in its harness."""
    law: Required[str]
    """Webbing (id in contact_laws, required): Webbing law."""
    slack_m: float
    """Slack (m, 0.0): Spare length at the start; below zero: pretension."""
    width_m: float
    """Width (m, > 0, ≤ 1, 0.047): Width as drawn."""
    points: Required[Sequence[StrapPoint]]
    """Points (at least 2 entries, at most 500 entries, required): From one end to the other, at least two."""
    start_device: StrapEnd | _belts.StrapEnd | None
    """Device at start (none): Devices at the first point."""
    end_device: StrapEnd | _belts.StrapEnd | None
    """Device at end (none): Devices at the last point."""


class Harness(Element, total=False):
    """Join straps that share junctions and slip over several segments."""

    straps: Required[Sequence[Strap | _belts.Strap]]
    """Straps (at least 1 entry, at most 100 entries, required): One or more straps."""


Trigger: TypeAlias = "TimeTrigger | _belts.TimeTrigger | ChannelTrigger | _belts.ChannelTrigger"


StrapPoint: TypeAlias = "AnchorPoint | _belts.AnchorPoint | RingPoint | _belts.RingPoint | JunctionPoint | _belts.JunctionPoint | SurfacePoint | _belts.SurfacePoint"
