"""What a results file holds: groups, columns, units and shapes; writer and readers follow it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from solver.base.words import Refusal, msgid, tr

FORMAT = "manikin-results"
SCHEMA_VERSION = 2
"""Version 1 had events as words, cut to 80 bytes, in a column `event` of the steps."""

STATUSES = (msgid("running"), msgid("completed"), msgid("cancelled"), msgid("failed"))


@dataclass(frozen=True, slots=True)
class Column:
    """Describe one quantity of a group: its unit, the shape of one value, and its type."""

    unit: str
    shape: tuple[int, ...] = ()
    dtype: str = "f8"
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Describe a group: its columns, and whether it has one row for each element."""

    columns: Mapping[str, Column]
    has_ids: bool = True
    meaning: str = ""


def _group(meaning: str, *, has_ids: bool = True, **columns: Column) -> Group:
    return Group(MappingProxyType(columns), has_ids, meaning)


FRAME_GROUPS: Mapping[str, Group] = MappingProxyType(
    {
        "segments": _group(
            "Motion of the mass centres, ground axes unless said.",
            position=Column("m", (3,), meaning="mass centre"),
            quaternion_wxyz=Column(
                "1", (4,), meaning="turns segment components into ground components"
            ),
            velocity=Column("m/s", (3,), meaning="of the mass centre"),
            angular_velocity=Column("rad/s", (3,), meaning="segment axes"),
            acceleration=Column("m/s2", (3,), meaning="of the mass centre"),
            angular_acceleration=Column("rad/s2", (3,), meaning="segment axes"),
        ),
        "joints": _group(
            "Joints.",
            angle=Column(
                "rad",
                (3,),
                meaning="its own angles, of a ball yaw, pitch, roll; followed on past half a turn; unused "
                "ones 0",
            ),
            rate=Column(
                "rad/s", (3,), meaning="their rates; of a ball the angular velocity, child's frame"
            ),
            slide=Column(
                "m", meaning="distance slid, of three slides its length; 0 where nothing slides"
            ),
            torque=Column("N*m", (3,), meaning="on the child, ground axes"),
            force=Column("N", (3,), meaning="on the child, ground axes"),
            state=Column(
                "1", dtype="i1", meaning="bits 0 to 2 and 4 to 6: axis held; bit 3: broken"
            ),
        ),
        "contacts": _group(
            "Allowed contacts.",
            force=Column("N", (3,), meaning="on the first surface, ground axes"),
            penetration=Column("m", meaning="depth; 0 while apart"),
            point=Column("m", (3,), meaning="point of application, ground axes"),
            state=Column(
                "1",
                dtype="i1",
                meaning="0 idle, 1 pressing, 2 pressing while bristles of its friction hold",
            ),
        ),
        "belts": _group(
            "Simple belts, at anchors A and B.",
            tension=Column("N", (2,), meaning="at A and B"),
            strain=Column("1", (2,), meaning="of the parts at A and B"),
            length=Column("m", (2,), meaning="of the parts at A and B"),
        ),
        "harnesses": _group(
            "Straps of harnesses; ids are harness.strap.",
            tension=Column("N", (2,), meaning="of the first and last piece"),
            strain=Column("1", (2,), meaning="of the first and last piece"),
            payout=Column("m", (2,), meaning="webbing drawn from the devices at start and end"),
        ),
        "strap_points": _group(
            "Points of straps; ids are harness.strap.number, from zero.",
            position=Column("m", (3,), meaning="ground axes"),
            force=Column("N", (3,), meaning="of the webbing on the point, ground axes"),
            tension=Column("N", meaning="of the piece that follows; at the last point 0"),
        ),
        "airbags": _group(
            "Airbags.",
            pressure=Column("Pa", meaning="gauge"),
            volume=Column("m3", meaning="of the gas: a bag that fills or is slack is no larger"),
            temperature=Column("K"),
            mass=Column("kg", meaning="of the gas inside"),
            position=Column("m", (3,), meaning="centre, ground axes"),
            quaternion_wxyz=Column(
                "1", (4,), meaning="turns bag components into ground components"
            ),
            semi_axes=Column(
                "m", (3,), meaning="without what bodies press in; smaller while not filled"
            ),
            force=Column("N", (3,), meaning="sum on occupants, ground axes"),
            state=Column("1", dtype="i1", meaning="0 folded, 1 filling, 2 full"),
            mass_in=Column("kg", meaning="gas blown in since firing"),
            mass_out=Column("kg", meaning="gas lost through vents and fabric"),
            energy=Column("J", meaning="inner energy of the gas"),
            energy_in=Column("J", meaning="brought by gas blown in"),
            energy_out=Column("J", meaning="carried away by gas lost"),
        ),
        "airbag_contacts": _group(
            "What airbags press on, panels left out: 'bag.segment', and the surface where a segment has "
            "several.",
            force=Column("N", (3,), meaning="on the segment, ground axes"),
            point=Column("m", (3,), meaning="deepest point, ground axes; 0 where nothing touches"),
        ),
        "springs": _group(
            "Springs, dampers and bushings.",
            force=Column("N", (3,), meaning="on B, ground axes"),
            torque=Column("N*m", (3,), meaning="on B, ground axes; bushings only"),
            length=Column("m"),
        ),
        "tension_elements": _group("Tension elements.", tension=Column("N"), length=Column("m")),
        "constraints": _group(
            "Constraints.",
            force=Column("N", (3,), meaning="on the first segment, ground axes"),
            state=Column(
                "1",
                dtype="i1",
                meaning="0 off, 1 holding or rolling, 2 sliding, 3 breaking, 4 broken",
            ),
        ),
        "point_contacts": _group(
            "Constraints that roll or slide, where both surfaces meet.",
            normal=Column("N", meaning="load along the normal; above zero it presses"),
            friction=Column("N", meaning="load across the normal"),
            slip=Column("m/s", (3,), meaning="of the first surface over the second, ground axes"),
            gap=Column("m", meaning="between the surfaces; 0 while they touch"),
            point=Column("m", (3,), meaning="where they meet or come nearest, ground axes"),
            azimuth=Column(
                "rad",
                meaning="of that place as seen from the second surface's centre, its axes, from x to y",
            ),
            elevation=Column("rad", meaning="of that place, towards z"),
        ),
        "beams": _group(
            "Beams as a whole.",
            stress=Column("Pa", meaning="largest of the outer fibre, of either sign"),
            stress_at=Column("m", meaning="where that is, along the axis from the start"),
            bending=Column("N*m", meaning="largest bending moment"),
            end_deflection=Column(
                "m",
                (3,),
                meaning="of the end from where it would be unbent, axes of the first station",
            ),
            middle_deflection=Column(
                "m",
                (3,),
                meaning="of the middle from where it would be unbent between both ends; x from end to end",
            ),
        ),
        "beam_stations": _group(
            "Sections of beams; ids are beam.number, from zero. Loads are those of what follows on what comes before, "
            "in the station's axes: x along the beam.",
            position=Column("m", (3,), meaning="of the axis, ground axes"),
            axial=Column("N", meaning="pull; below zero it presses"),
            shear_y=Column("N"),
            shear_z=Column("N"),
            torsion=Column("N*m", meaning="about x"),
            bending_y=Column("N*m", meaning="about y"),
            bending_z=Column("N*m", meaning="about z"),
            stress=Column(
                "Pa", meaning="largest of the outer fibre, of either sign, by pull and bending"
            ),
        ),
        "couplings": _group(
            "Constraints that couple two axes of joints.",
            first_angle=Column("rad", meaning="of a first axis that turns"),
            first_way=Column("m", meaning="of a first axis that slides"),
            first_torque=Column("N*m", meaning="on the child of a first axis that turns"),
            first_force=Column("N", meaning="on the child of a first axis that slides"),
            second_angle=Column("rad", meaning="of a second axis that turns"),
            second_way=Column("m", meaning="of a second axis that slides"),
            second_torque=Column("N*m", meaning="on the child of a second axis that turns"),
            second_force=Column("N", meaning="on the child of a second axis that slides"),
            power=Column("W", meaning="handed on from the first axis to the second"),
        ),
        "closures": _group(
            "Constraints that close loops by frames: lines, planes, axes, pins, slides.",
            torque=Column(
                "N*m", (3,), meaning="on the first segment about B's origin, ground axes"
            ),
            way=Column(
                "m", (3,), meaning="from A's origin to B's, A's axes, the one that is meant last"
            ),
            angle=Column("rad", meaning="turn of B from A about that axis"),
        ),
        "curve_points": _group(
            "Constraints that keep a point or a roller on a curve.",
            normal=Column(
                "N", meaning="load across the curve; above zero it pushes the point to its side"
            ),
            along=Column(
                "m", meaning="how far along the curve its foot is, by straight lines between points"
            ),
            along_rate=Column("m/s", meaning="speed of the foot along the curve"),
            beyond=Column("m", meaning="how far the foot is beyond an end of an open curve"),
        ),
        "flexible_elements": _group(
            "Members of flexible elements; ids are element.segment.",
            torque=Column("N*m", (3,), meaning="of the bends on the segment, ground axes"),
        ),
        "modes": _group(
            "Modes of modal bodies; ids are body.number.",
            amplitude=Column(
                "m", meaning="rad for a mode of twist alone; other shapes as they are given"
            ),
            rate=Column("m/s", meaning="of the amplitude"),
            acceleration=Column("m/s2", meaning="of the amplitude"),
        ),
        "modal_nodes": _group(
            "Nodes of modal bodies; ids are body.joint.",
            shift=Column("m", (3,), meaning="displacement from rest, axes of the body's segment"),
            turn=Column(
                "rad",
                (3,),
                meaning="turn from rest as a rotation vector, axes of the body's segment",
            ),
        ),
        "symmetry": _group(
            "Entries of symmetry: what holds their segments, at the mass centres, ground axes.",
            force=Column("N", (3,), meaning="on the first segment, or the only one"),
            torque=Column("N*m", (3,), meaning="on it"),
            force_on_second=Column("N", (3,), meaning="on the second segment of a pair"),
            torque_on_second=Column("N*m", (3,), meaning="on it"),
        ),
        "loads": _group(
            "Forces and torques by time.",
            force=Column("N", (3,), meaning="of a force, ground axes"),
            torque=Column("N*m", (3,), meaning="of a torque, ground axes"),
            power=Column("W", meaning="given to the model"),
        ),
        "winds": _group("Winds.", force=Column("N", (3,), meaning="sum over targets, ground axes")),
        "drivers": _group(
            "Drivers of joint axes.",
            angle=Column("rad", meaning="of an axis that turns"),
            torque=Column("N*m", meaning="given to the child about an axis that turns"),
            slide=Column("m", meaning="of an axis that slides"),
            force=Column("N", meaning="given to the child along an axis that slides"),
            power=Column("W", meaning="given to the model"),
            state=Column("1", dtype="i1", meaning="0 free, 1 held, 2 moved"),
        ),
        "frame_drivers": _group(
            "Drivers of components of frames and points.",
            angle=Column("rad", meaning="of a component that is an angle"),
            torque=Column("N*m", meaning="given to the frame moved, along which its angle grows"),
            way=Column("m", meaning="of a component along an axis"),
            force=Column("N", meaning="given to the frame moved, along that axis"),
            power=Column("W", meaning="given to the model"),
            state=Column("1", dtype="i1", meaning="0 free, 1 held, 2 moved"),
        ),
        "coordinate_forces": _group(
            "Forces on coordinates; what they resist is counted from zero.",
            angle=Column("rad", meaning="of a coordinate that is an angle"),
            angular_rate=Column("rad/s", meaning="its rate"),
            torque=Column("N*m", meaning="resistance, positive against growth"),
            way=Column("m", meaning="of a coordinate that is a way"),
            rate=Column("m/s", meaning="its rate"),
            force=Column("N", meaning="resistance, positive against growth"),
        ),
        "actuators": _group(
            "Forces on coordinates that have actuators.",
            angle_off=Column(
                "rad", meaning="what an actuator goes by, less its target; of several, the last one"
            ),
            driving_torque=Column("N*m", meaning="part of actuators and muscles in the resistance"),
            way_off=Column(
                "m", meaning="what an actuator goes by, less its target; of several, the last one"
            ),
            driving_force=Column("N", meaning="part of actuators and muscles in the resistance"),
            driving_power=Column("W", meaning="given to the model by these"),
        ),
        "tyres": _group(
            "Tyres.",
            force=Column("N", (3,), meaning="of the road on the wheel, ground axes"),
            point=Column("m", (3,), meaning="where it touches, ground axes; 0 in the air"),
            normal=Column("N", meaning="load"),
            along=Column("N", meaning="part of the force ahead"),
            across=Column("N", meaning="part of the force to the right"),
            aligning=Column("N*m", meaning="moment about the road's normal"),
            slip=Column("1", meaning="slip ratio: 0 rolling freely, -1 locked"),
            slip_angle=Column("rad", meaning="above zero where it pushes to the right"),
            deflection=Column("m"),
            brake=Column("N*m", meaning="of the brake on the wheel, about its axle"),
        ),
        "signals": _group(
            "Signals of blocks, and pressures of cylinders, by element and name.",
            value=Column("1", meaning="in SI, of whatever it stands for; pressures in Pa"),
        ),
        "energy": _group(
            "Energy account.",
            has_ids=False,
            kinetic=Column("J"),
            potential=Column("J"),
            strain=Column("J"),
            dissipated=Column("J", meaning="by all causes together"),
            external=Column(
                "J",
                meaning="work of motions, loads, winds, airbags, muscles, actuators, planes of belts",
            ),
            balance=Column("J", meaning="what is left over; 0 in an exact solution"),
            lost_in_joint_springs=Column("J", meaning="dissipated in springs and stops of joints"),
            lost_in_joint_friction=Column("J", meaning="dissipated by friction of joints"),
            lost_in_springs=Column(
                "J", meaning="dissipated in springs, bushings, tension elements"
            ),
            lost_in_coordinate_forces=Column("J", meaning="dissipated by laws of coordinates"),
            lost_in_contacts=Column("J", meaning="dissipated in contacts, by their laws"),
            lost_in_contact_friction=Column("J", meaning="dissipated by friction of contacts"),
            lost_in_belts=Column("J", meaning="dissipated in the webbing of simple belts"),
            lost_in_harnesses=Column(
                "J", meaning="dissipated in harnesses, by slip and devices; pretensioners put in"
            ),
            lost_in_airbag_friction=Column("J", meaning="dissipated by friction of airbags"),
            lost_in_impulses=Column("J", meaning="dissipated at stops, locks and touches"),
            lost_in_rolling=Column("J", meaning="dissipated by sliding constraints"),
            lost_in_tyres=Column(
                "J", meaning="dissipated by slip and damping of tyres, and by brakes"
            ),
            work_of_loads=Column(
                "J",
                meaning="part of external, drives of wheels too, and what springs hold of joints that close again (`heals_below_m`)",
            ),
            work_of_motions=Column("J", meaning="part of external, impulses included"),
            work_of_winds=Column("J", meaning="part of external"),
            work_of_airbags=Column("J", meaning="part of external: pressure, springs, moving gas"),
            work_of_muscles=Column("J", meaning="part of external; of actuators, too"),
            work_of_belt_planes=Column(
                "J", meaning="part of external: what holds simple belts in planes that tilt"
            ),
            work_of_contact_geometry=Column(
                "J",
                meaning="part of external: what contacts do where depth changes otherwise than surfaces "
                "approach, over fading edges and along lines of centres",
            ),
            momentum=Column("N*s", (3,), meaning="of all segments, ground axes"),
            spin=Column("N*m*s", (3,), meaning="angular momentum about the ground's origin"),
        ),
    }
)
"""Groups with one entry for each frame, on the time base of `/time`."""

STEP_GROUP = _group(
    "One entry for each step of the integrator.",
    has_ids=False,
    time=Column("s", meaning="end of the step"),
    step=Column("s", meaning="its length"),
    evaluations=Column("1", dtype="i8", meaning="since the start"),
    rejected=Column("1", dtype="i8", meaning="since the start"),
)

EVENT_GROUP = _group(
    "One entry for each event.",
    has_ids=False,
    time=Column("s", meaning="when it happened"),
    kind=Column("1", dtype="i4", meaning="number, from zero, in `/events/kinds`"),
    element=Column("1", (2,), "i4", "numbers, from zero, in `/events/names`; -1 for none"),
    value=Column("1", (2,), meaning="values of its kind, SI; 0 where it has none"),
    more=Column("1", (12,), meaning="values of its kind from the third on; not in older files"),
)


CHECKPOINT_GROUP = _group(
    "States from which the run can be taken up again (`manikin run --from`).",
    has_ids=False,
    time=Column("s", meaning="end of the step that was made last"),
    length=Column("1", dtype="i8", meaning="bytes of each"),
    bytes=Column("1", dtype="u1", meaning="all of them, one after the other"),
)


LAST_STATES = "states"
"""States that stand in a part alone; the last of them is a checkpoint of the file that is made of a run that was not completed."""

GROWING: Mapping[str, Group] = MappingProxyType(
    {
        "integrator": STEP_GROUP,
        "events": EVENT_GROUP,
        "checkpoints": CHECKPOINT_GROUP,
        LAST_STATES: CHECKPOINT_GROUP,
    }
)
"""Groups that are not on the time base of frames."""


@dataclass(frozen=True, slots=True)
class ChannelSpec:
    """Describe a dense channel: a quantity sampled at its own rate."""

    name: str
    unit: str
    quantity: str = ""
    segment: str = ""
    axis: str = ""
    cfc: int = 0


@dataclass(frozen=True, slots=True)
class InjuryValue:
    """One injury figure with its window, channel and filter class (0 for none)."""

    name: str
    value: float
    unit: str = "1"
    t1: float = 0.0
    t2: float = 0.0
    channel: str = ""
    filter: int = 0


class ResultsError(Refusal):
    """Say in one sentence what is wrong with a results file, or with writing it."""

    __module__ = "manikin"


def layout_label(name: str) -> str:
    """Say a name of the layout as people do: 'angular velocity'."""
    return tr(name.replace("_", " "))


def safe_name(name: str) -> str:
    """A channel name that can be an HDF5 path element; refuse one that cannot."""
    if not name or name in (".", "..") or "/" in name or "\0" in name or len(name) > 200:
        raise ResultsError(
            "'{name}' cannot be the name of a channel: no slash, not empty.", name=name[:80]
        )
    return name
