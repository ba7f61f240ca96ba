"""What stands on each card: its fields with their columns, once for reading, writing and docs/decks.md."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Kind = Literal["A", "I", "F"]
_PIECE = re.compile(r"(?:(~?)(\w+):(\d*)([AIF])(\d+)|(\d+)X)")
LABELS = 72
"""Columns after these usually hold the name of the card."""


@dataclass(frozen=True)
class Field:
    """One field of a card, or several of a kind in a row."""

    name: str
    kind: Kind
    start: int
    """First column, from 0."""
    width: int
    count: int
    """How many; 0 for a single one."""
    fixed_only: bool
    """Whether it is missing in free form."""

    @property
    def slots(self) -> int:
        """Count its values."""
        return self.count or 1

    @property
    def end(self) -> int:
        """Give the column after its last one, from 0."""
        return self.start + self.slots * self.width

    @property
    def form(self) -> str:
        """Write its form as Fortran does."""
        return f"{self.count or ''}{self.kind}{self.width}"


@dataclass(frozen=True)
class Card:
    """Describe a card: its name, what it is about, its fields."""

    name: str
    says: str
    layout: str

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """Give its fields, in order."""
        at, found = 0, list[Field]()
        for piece in self.layout.split():
            match = _PIECE.fullmatch(piece)
            assert match, piece
            if match[6]:
                at += int(match[6])
                continue
            kind: Kind = match[4]  # type: ignore[assignment]
            one = Field(match[2], kind, at, int(match[5]), int(match[3] or 0), bool(match[1]))
            found.append(one)
            at = one.end
        return tuple(found)

    @cached_property
    def end(self) -> int:
        """Give the column after its last field."""
        return self.fields[-1].end

    @cached_property
    def group(self) -> str:
        """The group's name, such as B.3."""
        return ".".join(self.name.split(" ")[0].rstrip("+").split(".")[:2])

    @cached_property
    def is_text(self) -> bool:
        """Whether it holds nothing but a text."""
        return all(one.kind == "A" for one in self.fields)


_PAIRS = "reference:I3 segment:I3 point:3F12 ~node:I6"
_CONTACT = "functions:5I4 option:I4 output:I4"
_TABLE: tuple[tuple[str, str, str], ...] = (
    ("A.1", "date; restarts of older versions",
     "date:A12 ~restart_in:I4 ~restart_out:I4 ~restart_time:F8"),
    ("A.2", "two lines that say what it is about", "text:A80"),
    ("A.3", "units of length, force and time; gravity; its size",
     "length:A4 force:A4 time:A4 gravity:3F12 size:F12"),
    ("A.4", "corrections of a step; outputs and time between them; first, largest, smallest step",
     "iterations:I4 steps:I4 interval:F8 first:F8 largest:F8 smallest:F8"),
    ("A.5", "what is printed", "flags:36I2"),
    ("A.6", "windows of time for printing",
     "print:A1 1X tables:A1 1X view:A1 1X start:F10 1X end:F10"),
    ("B.1", "segments, joints, name of the body; deformable bodies of version V, or more of the name",
     "segments:I6 joints:I6 8X title:A20 ~deformable:A32"),
    ("B.2.a", "a segment: weight, moments of inertia, ellipsoid; 1 where B.2.b follows",
     "name:A4 1X ~symbol:A1 weight:F6 inertia:3F6 semi_axes:3F6 centre:3F6 principal:I4"),
    ("B.2.b", "axes of inertia: yaw, pitch, roll", "12X angles:3F6"),
    ("B.3.a", "a joint: inner segment, type, point in the inner and in the outer segment; Euler state, limits of a slide",
     "name:A4 1X ~symbol:A1 inner:I4 type:I4 inner_point:3F6 outer_point:3F6 state:I4 tension:F6 compression:F6"),
    ("B.3.b", "axes of the joint in the inner and in the outer segment, centre angles; orders of axes",
     "14X inner_angles:3F6 outer_angles:3F6 centre_angles:3F6 orders:6I2"),
    ("B.4.a", "springs and stops: flexure and torsion, or precession and nutation",
     "first:4F6 first_stop:F12 second:4F6 second_stop:F12"),
    ("B.4.b", "of an Euler joint: spin, start angles", "third:4F6 third_stop:F12 start:3F6"),
    ("B.5.a", "friction, locks and impulse: of a joint, or about its first axis",
     "viscous:F6 coulomb:F6 full_rate:F6 unlock:F6 lock:F6 18X lock_rate:F6 impulse:F6"),
    ("B.5.b", "of an Euler joint: about its second axis",
     "viscous:F6 coulomb:F6 full_rate:F6 unlock:F6 lock:F6 18X lock_rate:F6 impulse:F6"),
    ("B.5.c", "of an Euler joint: about its third axis",
     "viscous:F6 coulomb:F6 full_rate:F6 unlock:F6 lock:F6 18X lock_rate:F6 impulse:F6"),
    ("B.6", "convergence tests of a segment: magnitude, absolute, relative, for four vectors",
     "angular_velocity:3F6 linear_velocity:3F6 angular_acceleration:3F6 linear_acceleration:3F6"),
    ("B.7.a", "inner segments of flexible elements", "count:I4 segments:17I4"),
    ("B.7.b", "how such a segment bends", "values:12F6"),
    ("C.1", "title of a vehicle's motion", "title:A80"),
    ("C.2", "direction, speed, duration, origin; points of a table; first time, interval; option, reference, segment",
     "angles:3F6 speed:F6 duration:F6 origin:3F6 points:I6 first_time:F6 interval:F6 option:I2 reference:I2 segment:I2"),
    ("C.2.b", "of a motion in six components: what its tables give, degree of its curves, points; angular velocity",
     "gives:I6 degree:I6 points:I6 22X rate:3F10"),
    ("C.3", "decelerations in g", "values:12F6"),
    ("C.4", "decelerations in g along the ground's axes, angular accelerations about the vehicle's own",
     "10X linear:3F10 angular:3F10"),
    ("C.5", "time; places, speeds or decelerations; angles, angular velocities or accelerations",
     "time:F10 linear:3F10 angular:3F10"),
    ("D.1.a", "how many planes, belts, bags, ellipsoids, constraints, springs, harnesses, winds, old joint functions, "
     "forces, water forces; whether D.1.b follows",
     "planes:I6 belts:I6 bags:I6 ellipsoids:I6 constraints:I6 springs:I6 harnesses:I6 winds:I6 joint_functions:I6 "
     "forces:I6 water:I6 more:I6"),
    ("D.1.b", "how many actuators", "actuators:I6"),
    ("D.2.a", "a plane", "number:I4 4X title:A20"),
    ("D.2.b", "first corner", "corner:3F12"),
    ("D.2.c", "end of the first edge", "corner:3F12"),
    ("D.2.d", "end of the second edge", "corner:3F12"),
    ("D.3.a", "a simple belt", "title:A20"),
    ("D.3.b", "its anchors", "anchor_a:3F12 anchor_b:3F12"),
    ("D.3.c", "its fixed point; slack, or minus its length", "fixed:3F12 unused:F12 slack:F12"),
    ("D.4.a", "an airbag; panels", "title:A20 panels:I4"),
    ("D.4.b", "its semi-axes and centre", "semi_axes:3F12 centre:3F12"),
    ("D.4.c", "its turn and deployment point", "angles:3F12 point:3F12"),
    ("D.4.d", "weight, time, pressures, temperature and volume of the supply",
     "weight:F12 time:F12 ambient:F12 supply:F12 temperature:F12 volume:F12"),
    ("D.4.e", "nozzle, gas, throat; when the vent opens, its coefficient",
     "nozzle:F12 ratio:F12 gas:F12 throat:F12 opens:F12 vent_coefficient:F12"),
    ("D.4.f", "vent, spring to the panel, friction, an unused number, factor on the mass",
     "vent:F12 spring:F12 friction:F12 unused:F12 factor:F12"),
    ("D.4.g", "a panel's ellipsoid", "semi_axes:3F12 centre:3F12"),
    ("D.4.h", "a panel's place", "place:3F12 angles:3F12"),
    ("D.5", "an ellipsoid: semi-axes, centre, yaw, pitch, roll, powers",
     "number:I6 semi_axes:3F6 centre:3F6 angles:3F6 powers:3F4"),
    ("D.6", "a constraint: type, segments, points; of a heavy string a second card: masses A, B, AB; stiffness, damping, length",
     "type:I6 first:I6 second:I6 first_point:3F6 second_point:3F6"),
    ("D.7", "symmetry of each segment", "flags:18I4"),
    ("D.8", "a spring and damper: segments, points, rest length, coefficients",
     "first:I3 second:I3 first_point:3F6 second_point:3F6 rest:F6 spring:2F6 damping:2F6"),
    ("D.9", "a force by time: segment, function, point, direction",
     "segment:I6 function:I6 point:3F10 angles:3F10"),
    ("E.1", "a function", "number:I4 4X title:A20"),
    ("E.2", "where its parts end", "d:5F12"),
    ("E.3", "coefficients of a polynomial", "a:6F12"),
    ("E.4.a", "points of a table", "points:I6"),
    ("E.4.b", "pairs of a table", "pairs:6F12"),
    ("E.6.a", "a function of wind", "number:I4 4X title:A20"),
    ("E.6.b", "kind of the wind; segments", "d:3F12 segment:I12 reference:I12"),
    ("E.6.c", "its points", "points:I6"),
    ("E.6.d", "time and three components", "row:4F12"),
    ("E.7.a", "a torque by flexure and azimuth", "number:I4 4X title:A20"),
    ("E.7.b", "not used", "d:5F12"),
    ("E.7.c", "how many angles and azimuths", "angles:I6 azimuths:I6"),
    ("E.7.d", "torques at an azimuth", "values:6F12"),
    ("F.1.a", "contacts of each plane", "counts:18I4"),
    ("F.1.b", "a plane, its segment; segment and ellipsoid on it; functions; edge option",
     f"plane:I4 carrier:I4 segment:I4 ellipsoid:I4 {_CONTACT}"),
    ("F.2.a", "contacts of each belt", "counts:8I4"),
    ("F.2.b", "a belt, its segment; segment and ellipsoid under it; functions",
     f"belt:I4 carrier:I4 segment:I4 ellipsoid:I4 {_CONTACT}"),
    ("F.3.a", "contacts of each segment", "counts:18I4"),
    ("F.3.b", "a segment and its ellipsoid, another; functions",
     "first:I4 first_ellipsoid:I4 second:I4 second_ellipsoid:I4 functions:5I4 ~option:I4 output:I4"),
    ("F.4.a", "joints with a globographic stop", "flags:18I4"),
    ("F.4.b", "a stop: joint; functions", f"joint:I4 segments:3I4 {_CONTACT}"),
    ("F.5", "torques of joints, of versions before V: stepped over", "text:A72"),
    ("F.6", "a bag and what it may press on", "bag:I4 count:I4 pairs:20I2"),
    ("F.7.a", "segments in the wind", "flags:18I4"),
    ("F.7.b", "segment, ellipsoid; the plane's segment, plane; functions; blockers",
     "segment:I4 ellipsoid:I4 carrier:I4 plane:I4 function:I4 drag:I4 count:I4 blockers:22I2"),
    ("F.7.c", "further blockers", "28X blockers:14I2"),
    ("F.8.a", "belts of each harness; limit and tolerance of the balance",
     "belts:5I4 20X iterations:I4 tolerance:F8"),
    ("F.8.b", "points of each belt", "points:18I4"),
    ("F.8.c", "a belt: functions, slack", "functions:5I4 slack:F12"),
    ("F.8.d1", "a point: segment, ellipsoid, flags, functions, place",
     "segment:I4 ellipsoid:I4 directed:I4 follows:I4 functions:5I4 point:3F12"),
    ("F.8.d2", "its offset and direction", "offset:3F12 direction:3F12"),
    ("F.9", "forces of water: stepped over", "text:A72"),
    ("F.10", "an actuator: joint, base segment; functions of target and gains",
     "joint:I4 base:I4 target:I4 proportional:I4 derivative:I4 integral:I4"),
    ("G.1", "plot origin; equilibrium, start of velocities",
     "~origin:3F10 equilibrium:I4 ~second:I4 ~third:I4 ~fourth:I4 velocities:I4"),
    ("G.2", "place and velocity of a root; segments they count from",
     "position:3F10 velocity:3F10 moves_with:I3 reference:I3"),
    ("G.3", "turn and angular velocity of a segment; order of axes, reference",
     "angles:3F10 rate:3F10 orders:3I3 reference:I3"),
    ("G.3.b", "behind a G.3 whose first axis is below zero: two axes by their projections; plane and axis of each",
     "a:6F10 numbers:4I3"),
    ("G.4", "equilibrium: variables, constraints", "variables:I4 constraints:I4"),
    ("G.5", "a variable of the equilibrium",
     "kind:I4 component:I4 segment:I4 target:F8 largest:F8 plane:I4 contact:I4 count:I4 also:5I4"),
    ("G.6", "a constraint of the equilibrium", "plane:I4 segment:I4 kind:I4 variable:I4"),
    ("H.1", "accelerations of points", f"count:I6 {_PAIRS}"),
    ("H.1+", "further points", f"6X {_PAIRS}"),
    ("H.1 end", "read by the old program behind one point or none", "nothing:I2"),
    ("H.2", "velocities of points", f"count:I6 {_PAIRS}"),
    ("H.2+", "further points", f"6X {_PAIRS}"),
    ("H.2 end", "read by the old program behind one point or none", "nothing:I2"),
    ("H.3", "places of points", f"count:I6 {_PAIRS}"),
    ("H.3+", "further points", f"6X {_PAIRS}"),
    ("H.3 end", "read by the old program behind one point or none", "nothing:I2"),
    ("H.4", "angular accelerations of segments", "count:I6 pairs:22I3"),
    ("H.4+", "further segments", "6X pairs:22I3"),
    ("H.5", "angular velocities of segments", "count:I6 pairs:22I3"),
    ("H.5+", "further segments", "6X pairs:22I3"),
    ("H.6", "angles of segments", "count:I6 pairs:22I3"),
    ("H.6+", "further segments", "6X pairs:22I3"),
    ("H.7", "joint angles and torques", "count:I6 pairs:22I3"),
    ("H.7+", "further joints", "6X pairs:22I3"),
    ("H.7 free", "the same in free form: joints alone", "count:I6 joints:11I6"),
    ("H.8", "forces of wind", "count:I6 pairs:22I3"),
    ("H.8+", "further segments", "6X pairs:22I3"),
    ("H.9", "joint forces", "count:I6 pairs:22I3"),
    ("H.9+", "further joints", "6X pairs:22I3"),
    ("H.10.a", "sets of segments seen as one body", "sets:I6"),
    ("H.10.b", "a set: reference, segments", "reference:I3 count:I3 segments:22I3"),
    ("H.10+", "further segments", "6X segments:22I3"),
    ("H.10.c", "its origin, turn, order of axes, option", "origin:3F10 angles:3F10 orders:3I4 option:I4"),
    ("H.11", "actuators that are followed", "count:I6 numbers:11I6"),
    ("H.12", "injury figures: sets, longest window; body, head, chest of each set",
     "sets:I4 window:F8 numbers:15I4"),
    ("H.12+", "further sets", "numbers:15I4"),
)  # fmt: skip

CARDS: dict[str, Card] = {name: Card(name, says, layout) for name, says, layout in _TABLE}
"""Every card that is read and written, by name."""
