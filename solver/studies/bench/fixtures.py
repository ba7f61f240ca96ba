"""Scenes of bench tests: a dummy, or a part of one, in its fixture."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from solver.bodies.body import LEFT, RIGHT, Body
from solver.bodies.insert import insert_body
from solver.bodies.poses import pose
from solver.project.document import Project
from solver.project.fields import ZERO3
from solver.project.geometry import Orientation
from solver.project.merging import merged
from solver.project.motions import Initial, JointStart
from solver.project.pose import start_pose
from solver.project.runs import Run
from solver.studies.bench.pieces import ARM, OVER, G, only, speed_loss
from solver.studies.bench.sideways import SIDEWAYS
from solver.studies.bench.table import BenchTest

Data = dict[str, Any]
NECK = ("neck_1", "neck_2", "neck_3", "neck_4", "head")


def scene(test: BenchTest, body: Body) -> Project:
    """The project of a bench test of a dummy."""
    made = FIXTURES[test.kind](test, body)
    title = f"{body.title}: {made.title}"
    return made.model_copy(update={"title": title, "source": test.paragraph})


def _neck(test: BenchTest, body: Body) -> Project:
    """Hang head and neck from a pendulum that is stopped; backwards for extension."""
    assert test.pulse is not None
    ahead = 1.0 if test.kind == "neck_flexion" else -1.0
    arm = {
        "id": "arm", "name": "Pendulum", "mass_kg": 30.0, "inertia_kgm2": (30.0, 30.0, 1.0),
        "note": "Prescribed; its mass does not matter, and its shape is for the eye.",
        "surfaces": [{"id": "body", "kind": "ellipsoid", "semi_axes_m": (0.03, 0.03, ARM / 2), "centre_m": (0.0, 0.0, ARM / 2)}],
    }  # fmt: skip
    loss = speed_loss(test.pulse.ms, test.pulse.g)
    stopping = [-ahead * G * g * test.speed / loss / ARM for g in test.pulse.g]
    pulse = {
        "id": "stopping", "name": "Pendulum is stopped", "x_unit": "s", "y_unit": "rad/s2",
        "form": {"kind": "table", "x": [t * 1e-3 for t in test.pulse.ms], "y": stopping},
    }  # fmt: skip
    moved = {
        "component": "pitch", "quantity": "acceleration", "start_rate": ahead * test.speed / ARM,
        "pulse": {"kind": "function", "function": "stopping"},
    }  # fmt: skip
    bracket = {
        "id": "bracket", "name": "Bracket", "mass_kg": 0.5, "inertia_kgm2": (1e-3, 1e-3, 1e-3),
        "note": "Upside down at the arm's end; moves with it.",
    }  # fmt: skip
    held = {
        "id": "bracket", "kind": "locked", "parent": "arm", "child": "bracket",
        "parent_frame": {"position_m": (0.0, 0.0, ARM), "orientation": OVER},
    }  # fmt: skip
    part = only(body, NECK, "disc_1", "bracket")
    fixture = Project.model_validate(
        {
            "title": "neck pendulum, flexion" if ahead > 0 else "neck pendulum, extension",
            "segments": [arm, bracket], "joints": [held], "functions": [pulse],
            "motions": [{"id": "stop", "segment": "arm", "components": [moved]}],
            "initial": {"roots": [{"segment": "arm"}]},
            "outputs": [
                {"kind": "rotation", "id": "turn", "segment": "head", "angles": "about_axis", "axis": (0.0, -ahead, 0.0), "relative_to": "bracket"},
                {"kind": "joint", "id": "condyles", "joint": "condyles", "quantity": "torque", "in_axes_of": "child", "cfc": 600},
                {"kind": "joint", "id": "condyle_force", "joint": "condyles", "quantity": "force", "in_axes_of": "child"},
                {"kind": "point", "id": "arm", "segment": "arm", "point_m": (0.0, 0.0, ARM), "cfc": test.cfc, "quantity": "acceleration"},
            ],
            "runs": [{"id": "run", "duration_s": 0.18, "frame_interval_s": 5e-4, "body_sensors": False}],
        }
    )  # fmt: skip
    return merged(fixture, part)


def _head(test: BenchTest, body: Body) -> Project:
    """Drop the head on a rigid plate, forehead first."""
    part = only(body, ("head",))
    head = body.segment("head").surfaces[0]
    lean = math.radians(FOREHEAD)
    reach = math.hypot(head.semi_axes_m[0] * math.sin(lean), head.semi_axes_m[2] * math.cos(lean))
    orientation = Orientation(angles_rad=(0.0, -lean - math.pi, 0.0))
    fixture = Project.model_validate(
        {
            "title": "head drop",
            "planes": [{"id": "plate", "name": "Steel plate", "placement": {"kind": "frame", "frame": {"orientation": OVER}}}],
            "contacts": [{"id": "plate", "kind": "plane", "plane": "plate", "surface": {"segment": "head", "surface": "body"}, "law": "head_skin"}],
            "initial": {
                "roots": [
                    {"segment": "head", "position_m": (0.0, 0.0, -reach), "velocity_m_per_s": (0.0, 0.0, math.sqrt(2 * G * test.drop))}
                ],
                "attitudes": [{"segment": "head", "orientation": orientation}],
            },
            "outputs": [{"kind": "point", "id": "head", "segment": "head", "quantity": "acceleration", "cfc": 1000}],
            "runs": [{"id": "run", "duration_s": 0.02, "frame_interval_s": 1e-4, "body_sensors": False}],
        }
    )  # fmt: skip
    return merged(fixture, part)


FOREHEAD = 62.0
"""Angle (degrees) by which the crown leans from straight down when the forehead meets the plate: assumed."""


LEVEL = Orientation(angles_rad=(0.0, math.pi / 2, 0.0))
FORWARD = Orientation(angles_rad=(0.0, -math.pi / 2, 0.0))


@dataclass(frozen=True, slots=True)
class Hub:
    """A probe: mass (kg), speed (m/s), breadth of its round face (m), channel class of the deflection."""

    mass: float
    speed: float
    face: float
    cfc: int | None = 180


def _probe(test: Hub | BenchTest, at: tuple[float, float, float]) -> Data:
    """A probe that flies rearwards along x, its face at a place."""
    side = test.face * math.sqrt(math.pi) / 2
    return {
        "segments": [
            {"id": "probe", "name": "Probe", "mass_kg": test.mass, "inertia_kgm2": (0.05, 0.05, 0.05), "note": "Guided; it cannot turn."}
        ],
        "joints": [
            {
                "id": "guide", "kind": "slip", "rotation": "none", "parent": "ground", "child": "probe",
                "parent_frame": {"position_m": at, "orientation": FORWARD}, "child_frame": {"orientation": FORWARD},
            }
        ],
        "planes": [
            {
                "id": "face", "name": "Face of the probe", "segment": "probe", "bounded": True,
                "placement": {"kind": "frame", "frame": {"orientation": FORWARD}, "length_m": side, "width_m": side},
            }
        ],
        "initial": {"joints": [{"joint": "guide", "values": [0.0], "rates": [test.speed]}]},
    }  # fmt: skip


def _thorax(test: BenchTest, body: Body) -> Project:
    """Let the probe meet the sternum of a dummy that sits free, arms and legs level."""
    return hub_on_chest(body, Hub(test.mass, test.speed, test.face, test.cfc))


def _pressed(test: BenchTest, body: Body) -> Project:
    """Press the sternum slowly; the spine is held."""
    part = only(body, ("upper_torso", "sternum"))
    fixture = {
        "title": "thorax pressed",
        "joints": [{"id": "held", "kind": "locked", "parent": "ground", "child": "upper_torso"}],
        "functions": [_ramp("growing", "N", ((0.0, 0.0), (1.0, test.load)))],
        "loads": [{"id": "press", "segment": "sternum", "point_m": ZERO3, "direction": (-1.0, 0.0, 0.0), "history": "growing"}],
        "gravity_m_per_s2": ZERO3,
        "outputs": [{"kind": "joint", "id": "sternum", "joint": "sternum", "quantity": "angle"}],
        "runs": [{"id": "run", "duration_s": 1.0, "frame_interval_s": 2e-3, "body_sensors": False}],
    }  # fmt: skip
    return merged(Project.model_validate(fixture), part)


SHANK = ("lower_leg", "knee_clevis", "ankle_block")
"""A shank and what lies beyond its load cells, where it has them."""


def _leg(body: Body, *parts: str) -> tuple[str, ...]:
    known = {segment.id for segment in body.segments}
    return tuple(id_ for part in parts if (id_ := f"{RIGHT}{part}") in known)


def hub_on_chest(body: Body, hub: Hub, law: str = "jacket") -> Project:
    """Let a probe meet the sternum of a body that sits free and upright, arms and legs level; `law` is the body's."""
    level = (
        "upper_arm",
        "forearm",
        "hand",
        "upper_leg",
        "knee_block",
        "knee_slider",
        *SHANK,
    )
    upright = {}
    for segment in body.segments:
        part = segment.id.removeprefix(RIGHT).removeprefix(LEFT)
        upright[segment.id] = (
            OVER_BACK if part == "foot" else LEVEL if part in level else Orientation()
        )
    sitting = pose(body, "seated", upright)
    empty = Project(
        runs=(Run(id="run", duration_s=0.08, frame_interval_s=2e-4, body_sensors=False),)
    )
    seated = insert_body(empty, sitting)
    sternum = body.segment("sternum").surfaces[0]
    place = _place(seated, "sternum")
    front = place[0] + sternum.centre_m[0] + sternum.semi_axes_m[0]
    fixture = _probe(hub, (front, 0.0, place[2]))
    fixture |= {
        "contacts": [
            {"id": f"probe-{one}", "kind": "plane", "plane": "face", "surface": {"segment": one, "surface": "body"}, "law": law}
            for one in ("sternum", "upper_torso")
        ],
        "outputs": [
            {"kind": "point", "id": "probe", "segment": "probe", "quantity": "acceleration", "cfc": 180},
            {"kind": "joint", "id": "sternum", "joint": "sternum", "quantity": "angle", "cfc": hub.cfc},
        ],
    }  # fmt: skip
    made = merged(seated, Project.model_validate(fixture))
    return made.model_copy(update={"title": "thorax impact", "gravity_m_per_s2": ZERO3})


def _knee(test: BenchTest, body: Body) -> Project:
    """Let the probe meet the knee of a leg that is held behind its load cell."""
    leg = _leg(body, "knee_block", "knee_slider", *SHANK, "foot")
    cell = f"{RIGHT}femur_cell"
    part = only(body, leg, cell, "ground", LEVEL)
    part = part.model_copy(
        update={
            "initial": Initial(joints=(JointStart(joint=f"{RIGHT}knee", values=(-math.pi / 2,)),))
        }
    )
    block = body.segment(leg[0])
    surface = block.surfaces[0]
    behind = next(j for j in body.joints if j.id == cell).child_frame.position_m[2]
    front = surface.centre_m[2] + surface.semi_axes_m[2] - behind
    fixture = _probe(test, (front, 0.0, -surface.centre_m[0]))
    fixture |= {
        "title": "knee impact",
        "contacts": [{"id": "probe-knee", "kind": "plane", "plane": "face", "surface": {"segment": leg[0], "surface": "body"}, "law": "knee_skin"}],
        "outputs": [{"kind": "point", "id": "probe", "segment": "probe", "quantity": "acceleration", "cfc": 600}],
        "runs": [{"id": "run", "duration_s": 0.02, "frame_interval_s": 1e-4, "body_sensors": False}],
    }  # fmt: skip
    return merged(Project.model_validate(fixture), part)


def _ramp(id_: str, unit: str, points: Collection[tuple[float, float]]) -> Data:
    times, values = zip(*points, strict=True)
    return {
        "id": id_,
        "x_unit": "s",
        "y_unit": unit,
        "form": {"kind": "table", "x": times, "y": values},
    }


def _slow(duration_s: float) -> Data:
    """A test of seconds: channels of 1 kHz follow what moves so slowly, and are a tenth of the samples."""
    return {
        "id": "run",
        "duration_s": duration_s,
        "frame_interval_s": 0.01,
        "channel_rate_hz": 1000.0,
        "body_sensors": False,
    }


HELD = {"id": "held", "kind": "locked", "parent": "ground", "child": "lower_torso"}
"""What holds a pelvis."""


RAISED_PER_S = math.radians(7.5)
"""5 to 10 degrees a second: 572.35 (c)."""


def _hip(test: BenchTest, body: Body) -> Project:
    """Raise a thigh slowly, whatever that takes; the pelvis is held, without weight."""
    leg = _leg(body, "upper_leg", "knee_block", "knee_slider", *SHANK, "foot")
    part = only(body, ("lower_torso", *leg))
    highest = math.radians(60.0)
    raising = {
        "id": "raising", "name": "Arm that raises the thigh", "zero": 0.0,
        "coordinate": {"kind": "joint", "joint": f"{RIGHT}hip", "axis": "turn_y"},
        "laws": [{"kind": "actuator", "target": "raised", "proportional": 5e4, "derivative": 500.0}],
    }  # fmt: skip
    fixture = {
        "title": "hip joint, femur flexion",
        "joints": [HELD],
        "functions": [_ramp("raised", "rad", ((0.0, 0.0), (highest / RAISED_PER_S, highest)))],
        "coordinate_forces": [raising],
        "gravity_m_per_s2": ZERO3,
        "initial": {"joints": [{"joint": f"{RIGHT}knee", "values": [-math.pi / 2]}]},
        "outputs": [
            {"kind": "element", "id": "raising", "of": "coordinate_forces", "element": "raising"},
        ],
        "runs": [_slow(highest / RAISED_PER_S)],
    }  # fmt: skip
    return merged(Project.model_validate(fixture), part)


def _torso(test: BenchTest, body: Body) -> Project:
    """Pull the torso forward at the head's pin, the pelvis held, and let it go again."""
    legs = {s.id for s in body.segments if any(w in s.id for w in ("leg", "knee", "foot"))}
    part = only(body, [s.id for s in body.segments if s.id not in legs])
    chest, pin = _place(part, "upper_torso"), _place(part, "head")
    neck = next(j for j in body.joints if j.id == "condyles")
    up = pin[2] + neck.child_frame.position_m[2] - chest[2]
    fixture = {
        "title": "torso flexion",
        "joints": [HELD],
        "functions": [_ramp("growing", "N", ((0.0, 0.0), (1.0, 0.0), (4.0, test.load), (4.01, 0.0), (7.0, 0.0)))],
        "loads": [{"id": "pull", "segment": "upper_torso", "point_m": (0.0, 0.0, up), "direction": (1.0, 0.0, 0.0), "history": "growing"}],
        "outputs": [{"kind": "rotation", "id": "leaning", "segment": "upper_torso", "relative_to": "lower_torso", "angles": "about_axis", "axis": (0.0, -1.0, 0.0)}],
        "runs": [_slow(7.0)],
    }  # fmt: skip
    return merged(Project.model_validate(fixture), part)


def _place(project: Project, segment: str) -> tuple[float, float, float]:
    x, y, z = (float(v) for v in start_pose(project)[segment].p_W)
    return x, y, z


OVER_BACK = Orientation(angles_rad=(0.0, math.pi, 0.0))
"""A foot whose toes point up, of a leg that lies level."""

FIXTURES: Mapping[str, Callable[[BenchTest, Body], Project]] = {
    "neck_flexion": _neck,
    "neck_extension": _neck,
    "head_drop": _head,
    "thorax": _thorax,
    "thorax_slow": _thorax,
    "thorax_pressed": _pressed,
    "knee": _knee,
    "hip": _hip,
    "torso_flexion": _torso,
    **SIDEWAYS,
}
