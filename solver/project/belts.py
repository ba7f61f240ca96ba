"""Simple belts and harnesses (section 7.3 and the later programs' harness)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from solver.project.fields import (
    REQUIRED,
    Element,
    Flag,
    Id,
    Number,
    NumberOrFunction,
    Part,
    Vec3,
    choice,
    function,
    number,
    ref,
    value_or_function,
)
from solver.project.geometry import PointRef, SurfaceRef


class TimeTrigger(Part):
    """Fire at a time."""

    kind: Literal["time"] = choice("time", "Kind", "At a time.")
    time_s: Number = number(0.0, "s", "Time", "Time of firing.", ge=0)


class ChannelTrigger(Part):
    """Fire when an output passes a level, after a delay."""

    kind: Literal["channel"] = choice("channel", "Kind", "When an output passes a level.")
    output: Id = ref(
        REQUIRED,
        "outputs",
        "Output",
        "Output of a point, of a segment's turning or angles; of a contact: its force; of a belt or a "
        "harness: the largest tension in it; of an airbag: its pressure above that outside.",
    )
    component: Literal["x", "y", "z", "resultant"] = choice(
        "resultant", "Component", "Component that is watched; of angles the first, second or third."
    )
    level: Number = number(REQUIRED, "", "Level", "Value to pass, in the output's unit.")
    rising: Flag = choice(
        True, "Rising", "Whether it fires on the way up; otherwise on the way down."
    )
    delay_s: Number = number(0.0, "s", "Delay", "Time from passing the level to firing.", ge=0)


Trigger = Annotated[TimeTrigger | ChannelTrigger, Field(discriminator="kind")]


class Belt(Element):
    """Lay a belt in a plane from one anchor over an ellipsoid to another (section 7.3)."""

    anchor_a: PointRef = choice(REQUIRED, "Anchor A", "First anchor.")
    anchor_b: PointRef = choice(REQUIRED, "Anchor B", "Second anchor.")
    surface: SurfaceRef = choice(REQUIRED, "Surface", "Ellipsoid under the belt.")
    fixed_point_m: Vec3 = number(
        REQUIRED,
        "m",
        "Fixed point",
        "Point on the ellipsoid that spans the belt's plane with the anchors, segment axes.",
    )
    law: Id = ref(REQUIRED, "contact_laws", "Webbing", "Webbing law.")
    friction: Literal["none", "infinite"] = choice(
        "none",
        "Friction",
        "none: one tension over the whole length; infinite: each side by itself.",
    )
    slack_m: Number = number(
        0.0, "m", "Slack", "Spare length at the start; below zero: pretension."
    )


class AnchorPoint(Part):
    """Fix the webbing to a segment."""

    kind: Literal["anchor"] = choice("anchor", "Kind", "An end of the strap.")
    segment: Id = ref(REQUIRED, "segments", "Segment", "Segment that carries the anchor.")
    position_m: Vec3 = number(
        REQUIRED,
        "m",
        "Position",
        "Anchor from the segment's mass centre, segment axes.",
    )


class RingPoint(Part):
    """Run the webbing through a ring on a segment."""

    kind: Literal["ring"] = choice("ring", "Kind", "A slip ring.")
    segment: Id = ref(REQUIRED, "segments", "Segment", "Segment that carries the ring.")
    position_m: Vec3 = number(
        REQUIRED, "m", "Position", "Ring from the segment's mass centre, segment axes."
    )
    friction: Number = number(
        0.0, "1", "Friction", "Coefficient of the capstan law at the ring.", ge=0, le=10
    )


class JunctionPoint(Part):
    """Join this strap with others in one common point of the harness."""

    kind: Literal["junction"] = choice("junction", "Kind", "A point common to several straps.")
    junction: Id = choice(REQUIRED, "Junction", "Name; points with the same name are one point.")
    surface: SurfaceRef | None = choice(
        None,
        "Surface",
        "Surface that the junction lies on; none for a free junction (a buckle).",
    )
    position_m: Vec3 = number(
        REQUIRED,
        "m",
        "Position",
        "Start point: in segment axes on a surface, otherwise in ground axes.",
    )
    friction: NumberOrFunction = value_or_function(
        0.0,
        "1",
        "m",
        "Friction",
        "Of one on a surface: coefficient, the same in every direction, or a function of the depth.",
    )
    flesh: Id | None = ref(
        None,
        "contact_laws",
        "Flesh",
        "Of one on a surface: contact law into it; none for a rigid surface.",
    )


class SurfacePoint(Part):
    """Lay the webbing on a surface of a segment."""

    kind: Literal["surface"] = choice("surface", "Kind", "A point on a body surface.")
    surface: SurfaceRef = choice(REQUIRED, "Surface", "Surface under the webbing.")
    position_m: Vec3 = number(
        REQUIRED,
        "m",
        "Position",
        "Start point, segment axes; it is moved radially from the surface's centre onto it.",
    )
    follows: Literal["webbing", "body"] = choice(
        "webbing",
        "Follows",
        "webbing: a mark on the strap that slides over the body; body: a place that webbing runs through.",
    )
    friction_along: NumberOrFunction | None = value_or_function(
        None,
        "1",
        "m",
        "Friction along",
        "Coefficient along the strap. None: it does not slide while it presses, up to ten times "
        "the pressing force; with may_leave off it never slides.",
    )
    friction_across: NumberOrFunction | None = value_or_function(
        None,
        "1",
        "m",
        "Friction across",
        "Coefficient across the strap; none for no sliding.",
    )
    flesh: Id | None = ref(
        None,
        "contact_laws",
        "Flesh",
        "Contact law into the surface; none for a rigid surface.",
    )
    may_leave: Flag = choice(True, "May leave", "Whether the strap may lift off here and return.")
    preferred_direction: Vec3 | None = number(
        None,
        "1",
        "Along-belt direction",
        "Direction of the strap here, segment axes; none: its own.",
    )


StrapPoint = Annotated[
    AnchorPoint | RingPoint | JunctionPoint | SurfacePoint, Field(discriminator="kind")
]


class Retractor(Part):
    """Wind webbing on a spool until it locks."""

    lock_acceleration_m_per_s2: Number | None = number(
        None,
        "m/s2",
        "Lock acceleration",
        "Acceleration of the carrying segment that locks it.",
        gt=0,
    )
    lock_payout_m: Number | None = number(
        None, "m", "Lock pull-out", "Webbing drawn out that locks it.", ge=0
    )
    lock_payout_rate_m_per_s: Number | None = number(
        None, "m/s", "Lock pull-out speed", "Speed of drawing out that locks it.", gt=0
    )
    lock_delay_s: Number = number(0.0, "s", "Lock delay", "Time from sensing to holding.", ge=0)
    tension_n: Number = number(0.0, "N", "Winding tension", "Tension before it locks.", ge=0)
    spool_m: Number = number(0.5, "m", "On the spool", "Webbing that can still be drawn out.", ge=0)
    film_spool: Id | None = function(
        None, "m", "N", "Film spool", "Tension by webbing drawn from the locked spool."
    )


class Pretensioner(Part):
    """Pull webbing in once it has fired."""

    trigger: Trigger = choice(TimeTrigger(), "Trigger", "When it fires.")
    stroke: Id = function(REQUIRED, "s", "m", "Stroke", "Webbing pulled in by time from firing.")
    force_limit_n: Number | None = number(
        None, "N", "Force limit", "Tension at which it stops pulling.", gt=0
    )


class LoadLimiter(Part):
    """Let webbing out so that tension stays at a limit."""

    force: Id = function(REQUIRED, "m", "N", "Force", "Tension by webbing let out.")


class StrapEnd(Part):
    """Fit devices to one end of a strap, between the anchor and the webbing."""

    retractor: Retractor | None = choice(None, "Retractor", "Spool with lock.")
    pretensioner: Pretensioner | None = choice(None, "Pretensioner", "Pulls in when fired.")
    load_limiter: LoadLimiter | None = choice(None, "Load limiter", "Lets out at a limit.")
    given_tension: Id | None = function(
        None, "s", "N", "Given tension", "Tension by time, as measured; in place of devices."
    )
    given_payout: Id | None = function(
        None,
        "s",
        "m",
        "Given pull-out",
        "Webbing let out since the start by time, as measured; below zero: drawn in. In place of devices.",
    )

    @property
    def given(self) -> bool:
        """Whether a history drives it."""
        return self.given_tension is not None or self.given_payout is not None


class Strap(Part):
    """Run webbing over points in order."""

    id: Id = choice(REQUIRED, "Id", "Unique in its harness.")
    law: Id = ref(REQUIRED, "contact_laws", "Webbing", "Webbing law.")
    slack_m: Number = number(
        0.0, "m", "Slack", "Spare length at the start; below zero: pretension."
    )
    width_m: Number = number(0.047, "m", "Width", "Width as drawn.", gt=0, le=1)
    points: tuple[StrapPoint, ...] = choice(
        REQUIRED,
        "Points",
        "From one end to the other, at least two.",
        min_length=2,
        max_length=500,
    )
    start_device: StrapEnd | None = choice(None, "Device at start", "Devices at the first point.")
    end_device: StrapEnd | None = choice(None, "Device at end", "Devices at the last point.")


class Harness(Element):
    """Join straps that share junctions and slip over several segments."""

    straps: tuple[Strap, ...] = choice(
        REQUIRED, "Straps", "One or more straps.", min_length=1, max_length=100
    )

    @property
    def names_in_results(self) -> tuple[str, ...]:
        """Name its straps as results do: harness.strap."""
        return tuple(f"{self.id}.{strap.id}" for strap in self.straps)
