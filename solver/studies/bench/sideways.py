"""Scenes of bench tests of dummies for side impacts: probes that come from the left, pendulums that swing to the side."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from solver.bodies.body import LEFT, RIGHT, Body
from solver.bodies.insert import insert_body
from solver.bodies.poses import pose
from solver.project.document import Project
from solver.project.fields import ZERO3
from solver.project.geometry import Orientation
from solver.project.merging import merged
from solver.project.pose import start_pose
from solver.project.runs import Run
from solver.studies.bench.pieces import ARM, OVER, G, only, speed_loss
from solver.studies.bench.table import BenchTest

Data = dict[str, Any]
TO_THE_RIGHT = Orientation(angles_rad=(0.0, 0.0, -math.pi / 2))
"""Its z points to the right."""
LEVEL, TOES_UP = (Orientation(angles_rad=(0.0, a, 0.0)) for a in (math.pi / 2, math.pi))
HEADFORM_KG, HEADFORM_ABOVE_M, HEADFORM_KGM2 = 3.9, 0.02, (0.012, 0.012, 0.015)
"""The certification headform: its mass (UN R95, annex 6, 5.6), its mass centre above its joint and its inertia (assumed)."""
RUBBER_KG = 0.5
"""What is between the two halves of a lumbar spine on the pendulum (assumed)."""
PLATE_LEANS_RAD = math.radians(35.0)
"""How far the head's middle plane leans from level as its side meets the plate."""
T12_UP_M = 0.02
"""How far above the joint of the lumbar spine the lower spine's accelerometer is (assumed)."""
LEGS = ("upper_leg", "knee_block", "knee_slider", "lower_leg", "knee_clevis", "ankle_block")


@dataclass(frozen=True, slots=True)
class Struck:
    """What a probe is aimed at, what of the body it may press on, how arms are held, and what is followed."""

    aim: str
    parts: tuple[str, ...]
    arm: str = "level"
    ways: Mapping[str, str] = field(default_factory=dict)
    cell: str = ""
    """Joint that is a load cell; both of its sides are left ones."""


SKINS = {
    "upper_arm": "arm_skin",
    "hip_pad": "pelvis_skin",
    "iliac_pad": "pelvis_skin",
    "upper_leg": "pelvis_skin",
}
"""Laws by which parts meet a probe, of those that do not by that of the ribs."""
RIBS = ("rib_1", "rib_2", "rib_3")
OF_RIBS = {"upper_rib": "rib_1", "middle_rib": "rib_2", "lower_rib": "rib_3"}
STRUCK: Mapping[str, Struck] = {
    "shoulder_side": Struck("upper_arm_top", ("upper_arm",), "hanging", {"shoulder": "clavicle"}),
    "thorax_side": Struck("rib_2", RIBS, "none", OF_RIBS),
    "thorax_arm": Struck("rib_2", ("upper_arm", *RIBS), "hanging", {"shoulder": "clavicle", **OF_RIBS}),
    "abdomen_side": Struck("belly", ("abdomen_pad", "belly_rib_1", "belly_rib_2"), "level", {"upper_belly": "belly_rib_1", "lower_belly": "belly_rib_2"}, "abdomen_cell"),
    "pelvis_side": Struck("hip_pad", ("hip_pad", "upper_leg"), "level", {}, "pubic_cell|acetabulum_cell"),
    "iliac_side": Struck("iliac_pad", ("iliac_pad",), "level", {}, "iliac_cell"),
}  # fmt: skip


def struck(test: BenchTest, body: Body) -> Project:
    """Let a guided probe meet the left side of a dummy that sits free and upright, without weight, legs level."""
    how = STRUCK[test.kind]
    upright = {}
    for segment in body.segments:
        part = segment.id.removeprefix(RIGHT).removeprefix(LEFT)
        level = part in LEGS or (part == "upper_arm" and how.arm == "level")
        upright[segment.id] = TOES_UP if part == "foot" else LEVEL if level else Orientation()
    empty = Project(
        runs=(Run(id="run", duration_s=0.06, frame_interval_s=2e-4, body_sensors=False),)
    )
    sitting = pose(body, "seated", upright)
    seated = insert_body(empty, _without_arms(sitting) if how.arm == "none" else sitting)
    fixture = Project.model_validate(_probe_and_outputs(test, how, body, seated))
    made = merged(seated, fixture)
    return made.model_copy(update={"title": test.kind.replace("_", " "), "gravity_m_per_s2": ZERO3})


def _without_arms(body: Body) -> Body:
    arms = (f"{LEFT}upper_arm", f"{RIGHT}upper_arm")
    return replace(
        body,
        segments=tuple(s for s in body.segments if s.id not in arms),
        joints=tuple(j for j in body.joints if j.child not in arms),
        attitudes={id_: one for id_, one in body.attitudes.items() if id_ not in arms},
    )


def _probe_and_outputs(test: BenchTest, how: Struck, body: Body, seated: Project) -> Data:
    known = {segment.id: segment for segment in body.segments}
    at = start_pose(seated)
    parts = [f"{LEFT}{one}" for one in how.parts if f"{LEFT}{one}" in known]
    x, z = _aim(how.aim, body, at)
    # the face stands just outside the part that reaches out farthest
    out = min(
        float(at[one].p_W[1]) + shape.centre_m[1] - shape.semi_axes_m[1]
        for one in parts
        for shape in known[one].surfaces[:1]
        if one != f"{LEFT}upper_leg"
    )
    wide, high = (test.face, test.face_high) if test.face_high else 2 * (test.face * math.sqrt(math.pi) / 2,)  # fmt: skip
    joints = {joint.id for joint in body.joints}
    outputs: list[Data] = [
        {
            "kind": "point",
            "id": "probe",
            "segment": "probe",
            "quantity": "acceleration",
            "axes": "relative",
            "cfc": 180,
        }
    ]
    for name, joint in how.ways.items():
        if f"{LEFT}{joint}" in joints:
            outputs.append(
                {
                    "kind": "joint",
                    "id": name,
                    "joint": f"{LEFT}{joint}",
                    "quantity": "angle",
                    "cfc": 600 if test.cfc == 0 else test.cfc,
                }
            )
    for cell in how.cell.split("|"):
        for joint in (f"{LEFT}{cell}", cell):
            if cell and joint in joints:
                outputs.append(
                    {
                        "kind": "joint",
                        "id": "load",
                        "joint": joint,
                        "quantity": "force",
                        "in_axes_of": "parent",
                        "cfc": 600,
                    }
                )
    by_child = {joint.child: joint for joint in body.joints}
    arm, waist = (by_child[name] for name in (f"{LEFT}shoulder", "upper_torso"))
    for id_, segment, place in (
        ("T1", "upper_torso", (waist.child_frame.position_m[0], 0.0, arm.parent_frame.position_m[2])),
        ("T12", "upper_torso", (waist.child_frame.position_m[0], 0.0, waist.child_frame.position_m[2] - T12_UP_M)),
        ("pelvis", "lower_torso", ZERO3),
    ):  # fmt: skip
        outputs.append(
            {
                "kind": "point",
                "id": id_,
                "segment": segment,
                "point_m": place,
                "quantity": "acceleration",
                "cfc": 180,
            }
        )
    return {
        "segments": [
            {"id": "probe", "name": "Probe", "mass_kg": test.mass, "inertia_kgm2": (0.05, 0.05, 0.05), "note": "Guided; it cannot turn."}
        ],
        "joints": [
            {
                "id": "guide", "kind": "slip", "rotation": "none", "parent": "ground", "child": "probe",
                "parent_frame": {"position_m": (x, out, z), "orientation": TO_THE_RIGHT}, "child_frame": {"orientation": TO_THE_RIGHT},
            }
        ],
        "planes": [
            {
                "id": "face", "name": "Face of the probe", "segment": "probe", "bounded": True,
                "placement": {"kind": "frame", "frame": {"orientation": TO_THE_RIGHT}, "length_m": wide, "width_m": high},
            }
        ],
        "contacts": [
            {"id": f"probe-{one}", "kind": "plane", "plane": "face", "surface": {"segment": one, "surface": "body"}, "law": SKINS.get(one.removeprefix(LEFT), "flank_skin")}
            for one in parts
        ],
        "initial": {"joints": [{"joint": "guide", "values": [0.0], "rates": [test.speed]}]},
        "outputs": outputs,
    }  # fmt: skip


def _aim(aim: str, body: Body, at: Mapping[str, Any]) -> tuple[float, float]:
    """Where the middle of the face goes, forward and down."""
    if aim == "upper_arm_top":
        joint = next(j for j in body.joints if j.child == f"{LEFT}upper_arm")
        place = at[joint.parent].of(joint.parent_frame.position_m)
        return float(place[0]), float(place[2])
    if aim == "belly":
        known = {segment.id for segment in body.segments}
        two = [n for n in ("abdomen_pad", "belly_rib_1", "belly_rib_2") if f"{LEFT}{n}" in known]
        places = [at[f"{LEFT}{n}"].p_W for n in two]
        return tuple(float(sum(p[k] for p in places)) / len(places) for k in (0, 2))  # type: ignore[return-value]
    place = at[f"{LEFT}{aim}"].p_W
    return float(place[0]), float(place[2])


def rib(test: BenchTest, body: Body) -> Project:
    """Drop a mass on a rib module whose spine is held; weight goes to the right."""
    part = only(body, ("upper_torso", f"{LEFT}rib_2"))
    held = start_pose(part)[f"{LEFT}rib_2"].p_W - start_pose(part)["upper_torso"].p_W
    shape = body.segment(f"{LEFT}rib_2").surfaces[0]
    out = float(held[1]) - shape.semi_axes_m[1]
    speed = math.sqrt(2.0 * G * test.drop)
    fixture = {
        "title": "rib drop",
        "gravity_m_per_s2": (0.0, G, 0.0),
        "segments": [{"id": "probe", "name": "Mass that is dropped", "mass_kg": test.mass, "inertia_kgm2": (0.05, 0.05, 0.05), "note": "Guided; it cannot turn."}],
        "joints": [
            {"id": "held", "kind": "locked", "parent": "ground", "child": "upper_torso"},
            {
                "id": "guide", "kind": "slip", "rotation": "none", "parent": "ground", "child": "probe",
                "parent_frame": {"position_m": (float(held[0]), out, float(held[2])), "orientation": TO_THE_RIGHT}, "child_frame": {"orientation": TO_THE_RIGHT},
            },
        ],
        "planes": [
            {
                "id": "face", "name": "Face of the mass", "segment": "probe", "bounded": True,
                "placement": {"kind": "frame", "frame": {"orientation": TO_THE_RIGHT}, "length_m": test.face, "width_m": test.face},
            }
        ],
        "contacts": [{"id": "probe-rib", "kind": "plane", "plane": "face", "surface": {"segment": f"{LEFT}rib_2", "surface": "body"}, "law": "flank_skin"}],
        "initial": {"joints": [{"joint": "guide", "values": [0.0], "rates": [speed]}]},
        "outputs": [{"kind": "joint", "id": "middle_rib", "joint": f"{LEFT}rib_2", "quantity": "angle", "cfc": 180}],
        "runs": [{"id": "run", "duration_s": 0.05, "frame_interval_s": 2e-4, "body_sensors": False}],
    }  # fmt: skip
    return merged(Project.model_validate(fixture), part)


def head(test: BenchTest, body: Body) -> Project:
    """Drop the head on a rigid plate, on its side."""
    part = only(body, ("head",))
    shape = body.segment("head").surfaces[0]
    lean = PLATE_LEANS_RAD
    reach = math.hypot(shape.semi_axes_m[1] * math.cos(lean), shape.semi_axes_m[2] * math.sin(lean))
    # the left side down, and the crown lower than the chin
    turned = Orientation(angles_rad=(0.0, 0.0, -math.pi / 2 - lean))
    fixture = {
        "title": "head drop, side",
        "planes": [{"id": "plate", "name": "Steel plate", "placement": {"kind": "frame", "frame": {"orientation": OVER}}}],
        "contacts": [{"id": "plate", "kind": "plane", "plane": "plate", "surface": {"segment": "head", "surface": "body"}, "law": "head_skin"}],
        "initial": {
            "roots": [{"segment": "head", "position_m": (0.0, 0.0, -reach), "velocity_m_per_s": (0.0, 0.0, math.sqrt(2 * G * test.drop))}],
            "attitudes": [{"segment": "head", "orientation": turned}],
        },
        "outputs": [{"kind": "point", "id": "head", "segment": "head", "quantity": "acceleration", "cfc": 1000}],
        "runs": [{"id": "run", "duration_s": 0.02, "frame_interval_s": 1e-4, "body_sensors": False}],
    }  # fmt: skip
    return merged(Project.model_validate(fixture), part)


def pendulum(test: BenchTest, body: Body) -> Project:
    """Hang a neck or a lumbar spine with the headform from a pendulum that swings to the left and is stopped."""
    assert test.pulse is not None
    low, middle, high = (
        ("neck_base", "neck", "condyles")
        if test.kind == "neck_side"
        else ("lumbar", "centre_torso", "waist")
    )
    loss = speed_loss(test.pulse.ms, test.pulse.g)
    stopping = [G * g * test.speed / loss / ARM for g in test.pulse.g]
    joints = {joint.id: joint for joint in body.joints}
    part = only(body, (middle,), low, "bracket")
    upper = joints[high].model_copy(update={"child": "headform"})
    frame = upper.child_frame.model_copy(update={"position_m": (0.0, 0.0, HEADFORM_ABOVE_M)})
    upper = upper.model_copy(
        update={
            "child_frame": frame,
            "parent_frame": upper.parent_frame.model_copy(
                update={"position_m": (0.0, 0.0, upper.parent_frame.position_m[2])}
            ),
        }
    )
    lower = part.joints[0]
    straight = lower.child_frame.model_copy(
        update={"position_m": (0.0, 0.0, lower.child_frame.position_m[2])}
    )
    segments = part.segments
    if test.kind == "lumbar_side":
        segments = tuple(
            s.model_copy(update={"mass_kg": RUBBER_KG, "inertia_kgm2": (5e-4, 5e-4, 3e-4)})
            for s in segments
        )
    part = part.model_copy(
        update={
            "segments": segments,
            "joints": (lower.model_copy(update={"child_frame": straight}), upper),
        }
    )
    arm = {
        "id": "arm", "name": "Pendulum", "mass_kg": 30.0, "inertia_kgm2": (30.0, 30.0, 1.0),
        "note": "Prescribed; its mass does not matter, and its shape is for the eye.",
        "surfaces": [{"id": "body", "kind": "ellipsoid", "semi_axes_m": (0.03, 0.03, ARM / 2), "centre_m": (0.0, 0.0, ARM / 2)}],
    }  # fmt: skip
    headform = {
        "id": "headform", "name": "Headform", "mass_kg": HEADFORM_KG, "inertia_kgm2": HEADFORM_KGM2,
        "surfaces": [{"id": "body", "kind": "ellipsoid", "semi_axes_m": (0.07, 0.07, 0.03)}],
    }  # fmt: skip
    moved = {
        "component": "roll", "quantity": "acceleration", "start_rate": test.speed / ARM,
        "pulse": {"kind": "function", "function": "stopping"},
    }  # fmt: skip
    fixture = {
        "title": "neck pendulum, side" if test.kind == "neck_side" else "lumbar spine on a pendulum, side",
        "segments": [arm, {"id": "bracket", "name": "Bracket", "mass_kg": 0.5, "inertia_kgm2": (1e-3, 1e-3, 1e-3), "note": "Upside down at the arm's end; moves with it."}, headform],
        "joints": [{"id": "bracket", "kind": "locked", "parent": "arm", "child": "bracket", "parent_frame": {"position_m": (0.0, 0.0, ARM), "orientation": OVER}}],
        "functions": [{"id": "stopping", "name": "Pendulum is stopped", "x_unit": "s", "y_unit": "rad/s2", "form": {"kind": "table", "x": [t * 1e-3 for t in test.pulse.ms], "y": [-v for v in stopping]}}],
        "motions": [{"id": "stop", "segment": "arm", "components": [moved]}],
        "initial": {"roots": [{"segment": "arm"}]},
        "outputs": [
            {"kind": "rotation", "id": "turn", "segment": "headform", "angles": "about_axis", "axis": (1.0, 0.0, 0.0), "relative_to": "bracket"},
            {"kind": "joint", "id": "top", "joint": high, "quantity": "torque", "in_axes_of": "child", "cfc": 600},
            {"kind": "point", "id": "arm", "segment": "arm", "point_m": (0.0, 0.0, ARM), "cfc": test.cfc or 60, "quantity": "acceleration"},
        ],
        "runs": [{"id": "run", "duration_s": 0.16, "frame_interval_s": 5e-4, "body_sensors": False}],
    }  # fmt: skip
    return merged(Project.model_validate(fixture), part)


SIDEWAYS: Mapping[str, Callable[[BenchTest, Body], Project]] = {
    "head_side": head, "neck_side": pendulum, "lumbar_side": pendulum, "rib_drop": rib, "rib_drop_low": rib,
    **dict.fromkeys(STRUCK, struck),
}  # fmt: skip
