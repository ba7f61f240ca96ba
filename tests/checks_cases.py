"""For each code of the second and third pass: a change that brings it up, and one that does not.

A case is a code, the path of its problem, the change, a near miss that is clean, and the codes that
the change cannot help bringing up too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from solver.project.segments import pack
from tests.checks_model import FLOOR, REMOVED, SCAN, at, base, body, joint, on, table

Edits = dict[str, Any]


@dataclass(frozen=True)
class Case:
    code: str
    path: str
    bad: Edits
    good: Edits = field(default_factory=dict)
    also: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return f"{self.code}@{self.path}"


def case(code: str, path: str, bad: Any, good: Any = None, also: str = "") -> Case:
    """Make a case; where a change is a plain value, it is the value at the path."""
    bad = bad if isinstance(bad, dict) else {path: bad}
    good = {} if good is None else good if isinstance(good, dict) else {path: good}
    return Case(code, path, bad, good, frozenset(also.split()))


def table_edit(x: list[float], y: list[float]) -> Edits:
    return {"functions/push/form/x": x, "functions/push/form/y": y}


def swinging(**more: Any) -> Edits:
    """Push with a random signal, as long as the run."""
    form = {"kind": "random", "high_hz": 50.0, "line_hz": 1.0, "rms": 5.0, "duration_s": 0.1}
    return {"functions/push/form": form | more}


def waving(**more: Any) -> dict[str, Any]:
    form = {"kind": "sine", "amplitude": 5.0, "omega": 30.0, "x_max": 0.1}
    return {"functions/push/form": form | more}


def sweeping(**more: Any) -> Edits:
    form = {"kind": "sweep", "from_hz": 1.0, "to_hz": 50.0, "amplitude": 5.0, "duration_s": 0.1}
    return {"functions/push/form": form | more}


PULLS = table("pulls", "s", "N", [0.0, 0.1], [0.0, 10.0])
LOOSE = body("extra", 5.0, 0.1)
EDGES = {"segments+": LOOSE, "planes+": {"id": "rim", "segment": "extra", "placement": FLOOR}}
HELD_FOOT = joint("ankle", "locked", "sled", "foot", [0.0, 0.0, 0.2], [0.0, 0.0, -0.05])
STRUT = {"segments+": LOOSE, "initial/joints+": {"joint": "extra", "values": [0.0, 0.2]}}


def under(corners: list[int]) -> dict[str, Any]:
    """Give a triangle 8 cm under the box, which looks up or down by the order of its corners."""
    places = np.array([[2.0, -1.0, -0.92], [2.0, 1.0, -0.92], [5.0, 0.0, -0.92]])
    return {"id": "way", "segment": "ground", "packed": pack(places, np.array([corners]))}


def edges(**more: Any) -> Edits:
    return EDGES | {
        "constraints+": {"kind": "edge_on_edge", "id": "edges", "plane": "rim", "on": "floor"}
        | more
    }


def strut(**more: Any) -> Edits:
    return STRUT | {
        "joints+": joint(
            "extra",
            "extensional",
            "head",
            "extra",
            [0.0, 0.0, -0.1],
            [0.0, 0.0, 0.1],
            rotation="parent",
            **more,
        )
    }


SIX = joint("extra", "six", "head", "extra", [0.0, 0.0, -0.1], [0.0, 0.0, 0.1])
SPUN = [{"kind": "linear", "stiffness": 5.0}]
SWIVEL = joint("low", "euler", "torso", "neck", [0.0, 0.0, -0.25], [0.0, 0.0, 0.05])


def drawn(*blocks: Any, output: str = "a", **more: Any) -> Edits:
    """Let blocks drive a coordinate."""
    step = {"name": "step", "kind": "source", "value": 1.0}
    return {
        "coordinate_forces/sinew/laws/0": {
            "kind": "blocks",
            "blocks": [step, *blocks],
            "output": output,
            **more,
        }
    }


def wired(kind: str, *of: str, name: str = "a", **more: Any) -> Any:
    return {"name": name, "kind": kind, "inputs": [{"of": one} for one in of], **more}


def oiled(**more: Any) -> Edits:
    """Let a cylinder drive a coordinate."""
    sizes = {"valve_flow_m3_per_s": 1e-3, "area_a_m2": 1e-3, "area_b_m2": 1e-3, "volume_a_m3": 1e-4, "volume_b_m3": 1e-4}  # fmt: skip
    return {
        "coordinate_forces/sinew/laws/0": {"kind": "hydraulic", "supply_pa": 2e7, **sizes, **more}
    }


FAR = {"id": "tie", "a": "tip", "b": "far", "section": {"kind": "circle", "diameter_m": 0.02}}


def leading(**more: Any) -> Edits:
    """Look for dimensions with which an arm leads a marker."""
    place = {
        "id": "up",
        "path": "joints/shoulder_l/parent_frame/position_m/2",
        "spread": {"kind": "uniform", "low": -0.3, "high": -0.1},
    }
    along = {"kind": "points", "points_m": [[0.0, 0.3, -0.2], [0.1, 0.3, -0.2]]}
    lead = {
        "id": "lead",
        "kind": "synthesis",
        "marker": "brow",
        "crank": "shoulder_l",
        "parameters": [place],
        "along": along,
    }
    return {"studies+": lead | more}


def geared(first: str = "shoulder_l") -> Edits:
    """Let one arm turn with the other."""
    axes = {
        "first": {"joint": first, "axis": "angle"},
        "second": {"joint": "shoulder_r", "axis": "angle"},
    }
    return {
        "constraints+": {"kind": "gear", "id": "more", "ratio": 1.0, "offset_rad": None, **axes}
    }


def welded(a: str) -> Edits:
    return {
        "constraints+": {
            "kind": "weld",
            "id": "more",
            "a": {"segment": a},
            "b": {"segment": "sled"},
        }
    }


AIMLESS = {"kind": "actuator", "target": 0.1, "proportional": 0.0}
LATE = AIMLESS | {"integral": 1.0}
SWITCHED = AIMLESS | {"switch": {"size": 5.0, "on": 0.02, "off": 0.01}}
TURNED = {"coordinate": {"kind": "joint", "joint": "waist", "axis": "turn_x"}}
REFLEX = {
    "coordinate": {"kind": "distance", "a": at("box"), "b": at("ground", 3.0, 0.0, -1.8)},
    "proportional": 2.0,
}
HILL = {"kind": "hill", "strength": 100.0, "fibre": 0.1}
PIN = joint("extra", "pin", "head", "extra", [0.0, 0.0, -0.1], [0.0, 0.0, 0.1])
CORNERS = "planes/dash/placement"
LAP = "harnesses/harness/straps/lap"
SHOULDER = "harnesses/harness/straps/shoulder"
KNOTS = (f"{SHOULDER}/points/3", f"{LAP}/points/0")
STRUCK = {
    "kind": "lankarani_nikravesh",
    "id": "struck",
    "stiffness_n_per_mn": 1e5,
    "loss_restitution": 0.5,
}
BUCKLE = {"kind": "junction", "junction": "buckle", "position_m": [0.25, 0.1, -1.3]}
SURFACE = {"kind": "surface", "surface": on("pelvis"), "position_m": [0.0, 0.12, 0.0]}
RING = {"kind": "ring", **at("pelvis", 0.0, 0.2, 0.0)}
CRASH = "motions/crash/components"


def by_azimuth(one: float, other: float, start: float = 0.0) -> Edits:
    """Let the waist resist by two azimuths; the torque begins at `start`."""
    around = [{"azimuth_rad": at, "torque": "round"} for at in (one, other)]
    curve = table("round", "rad", "N*m", [0.0, 1.0], [start, 30.0])
    return {"functions+": curve, "joints/waist/by_azimuth": {"around": around}}


def driver(joint: str, axis: str) -> dict[str, Any]:
    pulse = {"kind": "haversine", "amplitude": 1.0, "duration_s": 0.05}
    return {"id": "more", "joint": joint, "axis": axis, "quantity": "acceleration", "pulse": pulse}


def frame_driver(**more: Any) -> dict[str, Any]:
    pulse = {"kind": "haversine", "amplitude": 1.0, "duration_s": 0.05}
    moved = {"segment": "hand"}
    return {"id": "more", "moved": moved, "quantity": "acceleration", "pulse": pulse, **more}


HELD_AFTER = {"frame_drivers/reach/after": "held", "frame_drivers/reach/until_s": 0.06}
FLAT = {"segment": "box", "frame": {"orientation": {"angles_rad": [0.0, math.pi / 2, 0.0]}}}


def corners(p2: Any, p3: Any, bounded: bool = True) -> Edits:
    placement = {"kind": "points", "p1_m": [0.0, 0.0, 0.0], "p2_m": p2, "p3_m": p3}
    return {CORNERS: placement, "planes/dash/bounded": bounded}


def watching(component: str, level: float) -> Edits:
    trigger = {"kind": "channel", "output": "head_turn", "component": component, "level": level}
    return {"airbags/bag/trigger": trigger}


def two_sided(spring: str, below: float) -> Edits:
    curve = {"functions/stop_torque/form/x": [-0.5, 0.0, 0.5]}
    return curve | {
        "functions/stop_torque/form/y": [below, 0.0, 100.0],
        spring: {"torque": "stop_torque"},
    }


def motion(**more: Any) -> Any:
    pulse = {"kind": "constant", "value": 0.0}
    return {"id": "extra", "components": [{"component": "x", "pulse": pulse}], **more}


def pulse(kind: str, **more: Any) -> Any:
    return {"kind": kind, "amplitude": 1.0, "duration_s": 0.1, **more}


def way(between: str, end: float = 0.1) -> Edits:
    """Let the car follow measured places."""
    form = {
        "kind": "table",
        "x": [0.0, 0.02, 0.05, 0.07, end],
        "y": [0.0, 0.1, 0.3, 0.4, 0.7],
        "between": between,
    }
    return {
        f"{CRASH}/0/quantity": "position",
        "functions/pulse": {"id": "pulse", "x_unit": "s", "y_unit": "m", "form": form},
    }


def plane_contact(**more: Any) -> Any:
    return {"kind": "plane", "id": "more", "plane": "floor", "surface": on("head"), "law": "pad", **more}  # fmt: skip


def pair(first: Any, second: Any, **more: Any) -> Any:
    return {"kind": "surfaces", "id": "more", "first": first, "second": second, "law": "pad", **more}  # fmt: skip


def zero(a: Any, b: Any) -> Any:
    return {"kind": "zero_distance", "id": "more", "a": a, "b": b}


def flow(value: float) -> Edits:
    return {
        "functions+": table("flow", "s", "kg/s", [0.0, 0.1], [0.0, value]),
        "airbags/bag/inflator": {"kind": "mass_flow", "flow": "flow", "temperature": 300.0},
    }


def burst(peak: float) -> Edits:
    return {
        "functions+": table("burst", "s", "kg/s", [0.0, 0.01, 0.02], [0.0, peak, 0.0]),
        "airbags/bag/inflator": {"kind": "mass_flow", "flow": "burst", "temperature": 300.0},
    }


IDS = [
    case("id-twice", "loads/shove/id", {"loads+": {"id": "shove", "segment": "box", "history": "push"}}, {"loads+": {"id": "shove2", "segment": "box", "history": "push"}}),
    case("surface-id-twice", "segments/box/surfaces/skin/id", {"segments/box/surfaces+": {"kind": "ellipsoid", "id": "skin", "semi_axes_m": [0.1, 0.1, 0.1]}}, {"segments/box/surfaces+": {"kind": "ellipsoid", "id": "lid", "semi_axes_m": [0.1, 0.1, 0.1]}}),
    case("strap-id-twice", "harnesses/harness/straps/shoulder/id", {f"{LAP}/id": "shoulder"}),
    case("id-ground", "segments/ground/id", {"segments+": body("ground", 1.0, 0.1)}),
    case("unknown-segment", "joints/low/parent", "nek", "torso", also="flexible-joint joint-second-parent"),
    case("unknown-segment", "outputs/whole/segments/1", "nek", "head"),
    case("unknown-joint", "outputs/waist_load/joint", "waste", "high"),
    case("unknown-plane", "contacts/foot_floor/plane", "flor", "floor"),
    case("unknown-function", "winds/blast/pressure_x", "3", 3.0),
    case("unknown-function", "contact_laws/pad/energy_ratio", "half", 0.4),
    case("unknown-law", "belts/lap_belt/law", "webb", "web"),
    case("unknown-output", "outputs/hic/output", "head", "head_acc"),
    case("unknown-frame", "frames/skewed/relative_to", "bnech", "bench"),
    case("unknown-marker", "studies/lead/marker", leading(marker="brwo"), leading()),
    case("unknown-joint", "studies/lead/crank", leading(crank="shouder"), leading()),
    case("unknown-joint", "modal_bodies/sole/nodes/0", "tows", "toes"),
    case("unknown-segment", "modal_bodies/sole/segment", "fot", "foot", also="modal-node-joint"),
    case("unknown-segment", "beams/mast/end/segment", {"beams/mast/end": {"fixing": "free", "segment": "bax"}}, {"beams/mast/end": {"fixing": "free"}}, also="beam-unused"),
    case("unknown-segment", "crash_frames/rail/segment", "bax", "box"),
    case("unknown-function", "crash_frames/rail/members/bar/limit_nm", "fold", None),
    case("unknown-plane", "tyres/roller/roads/0", "flor", "floor"),
    case("unknown-segment", "tyres/roller/carrier", "slde", "sled"),
    case("unknown-segment", "springs/bungee/a/segment", "mast#4", "mast#3"),
    case("unknown-joint", "constraints/more/first/joint", geared(first="shoulder"), geared()),
    case("unknown-segment", "constraints/more/a/segment", welded("bax"), welded("box"), also="closure-apart"),
    case("unknown-function", "coordinate_forces/sinew/laws/0/opening", oiled(opening="opens"), oiled(opening=0.5)),
    case("unknown-element", "outputs/bag_state/element", {"outputs/bag_state/of": "tyres"}, {"outputs/bag_state/of": "tyres", "outputs/bag_state/element": "roller"}),
    case("unknown-element", "outputs/bag_state/element", {"outputs/bag_state/of": "beams"}, {"outputs/bag_state/of": "beams", "outputs/bag_state/element": "mast"}),
    case("unknown-surface", "contacts/foot_floor/surface/surface", "skim", "skin"),
    case("unknown-surface", "airbags/bag/touches/0/surface", {"airbags/bag/touches/0/segment": "ground"}),
    case("unknown-element", "outputs/bag_state/element", "bax", "bag"),
    case("function-units", "contact_laws/pad/base", "web_force", "padded"),
    case("function-units", f"{CRASH}/1/pulse/function", {f"{CRASH}/1/pulse": {"kind": "function", "function": "pulse"}}),
    case("function-units", "loads/shove/history", {"loads/shove/kind": "torque"}),
    case("law-is-webbing", "contacts/foot_floor/law", "web", "soft"),
    case("law-is-webbing", f"{SHOULDER}/points/2/flesh", "web", "soft"),
    case("law-not-webbing", f"{LAP}/law", "pad", "web"),
    case("ground-driven", "motions/extra/segment", {"motions+": motion(segment="ground")}, {"motions+": motion(segment="extra"), "segments+": LOOSE}),
    case("ground-start", "initial/attitudes/1/segment", {"initial/attitudes+": {"segment": "ground"}}, {"initial/attitudes+": {"segment": "box"}}),
    case("ground-symmetry", "symmetry/more/segment", {"symmetry+": {"kind": "planar", "id": "more", "segment": "ground"}}, {"symmetry+": {"kind": "planar", "id": "more", "segment": "head"}}),
    case("ground-member", "outputs/whole/segments/1", "ground", "torso"),
    case("ground-member", "modal_bodies/sole/segment", {"modal_bodies/sole/segment": "ground", "modal_bodies/sole/nodes": []}, {"modal_bodies/sole/nodes": []}),
    case("ground-member", "tyres/roller/wheel", "ground", "box", also="tyre-own-road"),
    case("ground-mirror", "segments/box/mirror", "ground", None),
    case("ground-loaded", "loads/shove/segment", "ground", "head"),
    case("mirror-itself", "segments/box/mirror", "box", None),
    case("mirror-one-sided", "segments/box/mirror", "head", None),
]  # fmt: skip

TREES = [
    case("joint-carries-ground", "joints/more/child", {"joints+": joint("more", "free", "box", "ground", [0.0] * 3, [0.0] * 3)}),
    case("joint-itself", "joints/waist/child", {"joints/waist/parent": "torso"}),
    case("joint-second-parent", "joints/more/child", {"joints+": joint("more", "ball", "box", "head", [0.0] * 3, [0.0] * 3)}),
    case("joint-ring", "joints/waist/parent", {"joints/waist/parent": "head"}),
    case("motion-carried", "motions/extra/segment", {"motions+": motion(segment="foot")}, {"motions+": motion(segment="extra"), "segments+": LOOSE}),
    case("motion-twice", "motions/extra/segment", {"motions+": motion(segment="sled")}),
    case("motion-component-twice", f"{CRASH}/1/component", "x", "y"),
    case("motion-start-unused", f"{CRASH}/1/start_rate", 1.0, {f"{CRASH}/1/start_value": 1.0}),
    case("motion-start-unused", f"{CRASH}/1/start_value", {f"{CRASH}/1/start_value": 1.0, f"{CRASH}/1/quantity": "position"}, {f"{CRASH}/1/quantity": "position"}),
    case("driver-axis", "drivers/step/axis", "angle", "second"),
    case("driver-axis", "drivers/more/axis", {"drivers+": driver("waist", "angle")}),
    case("driver-twice", "drivers/more/axis", {"drivers+": driver("ankle", "first")}, {"drivers+": driver("ankle", "second")}),
    case("driver-held", "drivers/step/joint", {"joints/ankle/breakage": {"force_n": 1e4}}),
    case("driver-held", "drivers/step/axis", {"joints/ankle/first": {"lock": {"lock_torque_nm": 1.0}}}, {"joints/ankle/second": {"lock": {"lock_torque_nm": 1.0}}}),
    case("driver-held", "drivers/more/axis", {"drivers+": driver("hip", "slide"), "joints/hip/slide": {"locked": True}}, {"drivers+": driver("hip", "slide")}),
    case("drive-idle", "joints/ankle/first/drive_inertia_kgm2", {"joints/ankle/first": {"drive_inertia_kgm2": 0.1}}, {"joints/ankle/second": {"drive_inertia_kgm2": 0.1}}),
    case("driver-start", "initial/joints/1/rates/0", {"initial/joints+": {"joint": "ankle", "rates": [0.5, 0.0]}}, {"initial/joints+": {"joint": "ankle", "rates": [0.0, 0.5]}}),
    case("driver-start", "initial/joints/1/values/0", {"initial/joints+": {"joint": "ankle", "values": [0.2, 0.0]}, "drivers/step/start_value": 0.1}, {"initial/joints+": {"joint": "ankle", "values": [0.2, 0.0]}}),
    case("driver-start", "initial/attitudes/1", {"initial/attitudes+": {"segment": "foot", "relative_to": "leg"}, "drivers/step/start_value": 0.1}, {"initial/attitudes+": {"segment": "foot", "relative_to": "leg"}}),
    case("driver-start-unused", "drivers/step/start_rate", {"drivers/step/quantity": "velocity", "drivers/step/start_rate": 1.0}, {"drivers/step/start_rate": 1.0}),
    case("driver-start-unused", "drivers/step/start_value", {"drivers/step/quantity": "position", "drivers/step/start_value": 0.1}, {"drivers/step/start_value": 0.1}),
    case("driver-start-unused", "drivers/step/start_value", {"drivers/step/from_s": 0.01, "drivers/step/start_value": 0.1}, {"drivers/step/start_value": 0.0}),
    case("driver-start-unused", "frame_drivers/reach/start_rate", {"frame_drivers/reach/quantity": "velocity", "frame_drivers/reach/start_rate": 1.0}, {"frame_drivers/reach/start_rate": 1.0}),
    case("driver-times", "drivers/step/until_s", {"drivers/step/from_s": 0.01, "drivers/step/until_s": 0.01}, {"drivers/step/from_s": 0.01, "drivers/step/until_s": 0.02}),
    case("driver-rest-unused", "drivers/step/before", "held", {"drivers/step/before": "held", "drivers/step/from_s": 0.01}),
    case("driver-rest-unused", "frame_drivers/reach/after", "held", HELD_AFTER | {"frame_drivers/reach/quantity": "velocity"}),
    case("frame-driver-same", "frame_drivers/more/seen_from/segment", {"frame_drivers+": frame_driver(seen_from={"segment": "hand"})}, {"frame_drivers+": frame_driver(seen_from={"segment": "torso"})}),
    case("frame-driver-same", "frame_drivers/more/seen_from/segment", {"frame_drivers+": frame_driver(moved={"segment": "sled"})}, {"frame_drivers+": frame_driver(seen_from={"segment": "sled"})}),
    case("frame-driver-twice", "frame_drivers/more/component", {"frame_drivers+": frame_driver(seen_from={"segment": "torso"}, component="y")}, {"frame_drivers+": frame_driver(seen_from={"segment": "torso"}, component="z")}),
    case("load-no-effect", "loads/shove/segment", "sled", "torso"),
    case("load-no-effect", "loads/shove/segment", {"loads/shove/segment": "toe", "joints/ankle": HELD_FOOT, "modal_bodies": []}, {"loads/shove/segment": "toe", "joints/ankle": HELD_FOOT}, also="contact-rigid contact-driven driver-axis"),
    case("beam-section", "beams/mast/section", {"beams/mast/section/wall_m": 0.01}, {"beams/mast/section/wall_m": 0.009}),
    case("beam-section", "beams/mast/section", {"beams/mast/section": {"kind": "i", "width_m": 0.05, "height_m": 0.05, "flange_m": 0.025, "web_m": 0.005}}, {"beams/mast/section": {"kind": "i", "width_m": 0.05, "height_m": 0.05, "flange_m": 0.005, "web_m": 0.005}}),
    case("beam-length", "beams/mast/length_m", {"beams/mast/length_m": None}, {"beams/mast/length_m": None, "beams/mast/curve_m": [[0.5, 0.0, 0.1]]}),
    case("beam-curve", "beams/mast/curve_m", {"beams/mast/length_m": None, "beams/mast/curve_m": [[0.5, 0.0, 0.1], [0.5, 0.0, 0.1]]}, {"beams/mast/length_m": None, "beams/mast/curve_m": [[0.0, 0.0, 0.0], [0.5, 0.0, 0.1]]}),
    case("beam-curve", "beams/mast/curve_m", {"beams/mast/length_m": None, "beams/mast/curve_m": [[0.5, 0.0, 0.1], [0.1, 0.0, 0.02]]}, {"beams/mast/length_m": None, "beams/mast/curve_m": [[0.5, 0.0, 0.1], [0.5, 0.0, 0.5]]}),
    case("beam-length-twice", "beams/mast/length_m", {"beams/mast/curve_m": [[0.5, 0.0, 0.1]]}),
    case("beam-held-at-end", "beams/mast/start/fixing", {"beams/mast/start/fixing": "free", "beams/mast/end": {"segment": "sled"}}, {"beams/mast/start/fixing": "free"}),
    case("beam-numbers", "beams/mast", {"beams/mast/elastic_pa": 9e14, "beams/mast/shear_pa": 3e14, "beams/mast/section/diameter_m": 20.0, "beams/mast/section/wall_m": 2.0, "beams/mast/length_m": 500.0}, {"beams/mast/elastic_pa": 9e14, "beams/mast/shear_pa": 3e14}),
    case("beam-massless", "beams/mast/density_kg_per_m3", 0.0, {"beams/mast/density_kg_per_m3": 0.0, "beams/mast/extra_kg_per_m": 0.3}),
    case("beam-not-laid", "beams/mast", {"beams/mast/length_m": None, "beams/mast/end": {"segment": "box", "frame": {"position_m": [0.0, 0.0, -0.2]}}}, {"beams/mast/length_m": None, "beams/mast/end": {"segment": "box", "frame": {"position_m": [0.0, 0.0, 0.2]}}}),
    case("beam-shear-modulus", "beams/mast/shear_pa", 4e10, 3.4e10),
    case("beam-start-unused", "beams/mast/velocity_m_per_s", [1.0, 0.0, 0.0], {"beams/mast/velocity_m_per_s": [1.0, 0.0, 0.0], "beams/mast/start/fixing": "free"}),
    case("beam-unused", "beams/mast/end", {"beams/mast/end": {"fixing": "free", "frame": {"position_m": [0.5, 0.0, 0.0]}}}, {"beams/mast/end": {"fixing": "free"}}),
    case("beam-unused", "beams/mast/curve_is", "straight", {"beams/mast/curve_is": "straight", "beams/mast/length_m": None, "beams/mast/curve_m": [[0.5, 0.0, 0.1]]}),
    case("flexible-member-twice", "flexible_elements/spine/segments/2", "torso", "head"),
    case("flexible-joint", "flexible_elements/spine/segments/2", "box", "head"),
    case("flexible-joint", "flexible_elements/spine/segments/1", {"joints/low/kind": "pin"}),
    case("flexible-joint", "flexible_elements/spine/segments/1", {"joints/low": SWIVEL | {"nutation": {"lock": {"locked": True}}}}, {"joints/low": SWIVEL}),
    case("flexible-bends", "flexible_elements/spine/bends", {"flexible_elements/spine/bends+": {"linear": [[0.0] * 3] * 3}}),
    case("flexible-shared", "flexible_elements/more/segments/2", {"flexible_elements+": {"id": "more", "segments": ["pelvis", "torso", "neck"], "bends": [{"linear": [[0.0] * 3] * 3}]}}),
    case("symmetry-itself", "symmetry/arms/second", "arm_l", "arm_r"),
    case("symmetry-twice", "symmetry/more/segment", {"symmetry+": {"kind": "planar", "id": "more", "segment": "arm_l"}}, {"symmetry+": {"kind": "planar", "id": "more", "segment": "head"}}),
    case("symmetry-driven", "symmetry/more/segment", {"symmetry+": {"kind": "planar", "id": "more", "segment": "sled"}}),
    case("body-member-twice", "outputs/whole/segments", ["torso", "torso"], ["torso", "head"]),
]  # fmt: skip

BEAMS = [
    case("beam-ends-apart", "beams/mast/end", {"beams/mast/end": {"segment": "box", "frame": {"position_m": [0.5, 0.0, -0.19]}}}, {"beams/mast/end": {"segment": "box", "frame": {"position_m": [0.5, 0.0, -0.2]}}}),
    case("frame-part-twice", "crash_frames/rail", {"crash_frames/rail/members/bar/id": "tip"}),
    case("frame-node", "crash_frames/rail/members/bar/b", "tap", "tip"),
    case("frame-member-short", "crash_frames/rail/members/bar", {"crash_frames/rail/members/bar/b": "root"}, {"crash_frames/rail/nodes/tip/position_m": [0.1, 0.0, 0.0]}),
    case("frame-numbers", "crash_frames/rail", {"crash_frames/rail/elastic_pa": 9e14, "crash_frames/rail/members/bar/section/diameter_m": 20.0, "crash_frames/rail/members/bar/section/wall_m": 2.0, "crash_frames/rail/nodes/tip/position_m": [500.0, 0.0, 0.0]}, {"crash_frames/rail/elastic_pa": 9e14}),
    case("frame-hinge-limit", "crash_frames/rail/members/bar", {"crash_frames/rail/members/bar/section/wall_m": 0.02}, {"crash_frames/rail/members/bar/section/wall_m": 0.01}),
    case("frame-apart", "crash_frames/rail/members", {"crash_frames/rail/nodes+": {"id": "far", "position_m": [1.0, 0.0, 0.0]}}, {"crash_frames/rail/nodes+": {"id": "far", "position_m": [1.0, 0.0, 0.0], "held": "fixed"}}),
    case("frame-plane", "crash_frames/rail/nodes/tip/position_m", [0.5, 0.1, 0.0], {"crash_frames/rail/nodes/tip/position_m": [0.5, 0.1, 0.0], "crash_frames/rail/planar": False}),
    case("frame-folds-nowhere", "crash_frames/rail/members", {"crash_frames/rail/members/bar/hinges": "none"}, {"crash_frames/rail/members/bar/hinges": "a"}),
    case("frame-hinge-unused", "crash_frames/rail/members/bar/limit_nm", {"crash_frames/rail/members/bar/hinges": "none", "crash_frames/rail/members/bar/limit_nm": 500.0}, {"crash_frames/rail/members/bar/hinges": "b", "crash_frames/rail/members/bar/limit_nm": 500.0}, also="frame-folds-nowhere"),
    case("frame-node-alone", "crash_frames/rail/nodes/far", {"crash_frames/rail/nodes+": {"id": "far", "position_m": [1.0, 0.0, 0.0], "held": "fixed"}}, {"crash_frames/rail/nodes+": {"id": "far", "position_m": [1.0, 0.0, 0.0]}, "crash_frames/rail/members+": FAR}),
    case("hinge-limit", "crash_frames/rail", {"crash_frames/rail/members/bar/limit_nm": 0.0}, {"crash_frames/rail/members/bar/limit_nm": 500.0}),
    case("beam-unused", "beams/mast/unbent_end", {"beams/mast/unbent_end": {"position_m": [0.5, 0.0, 0.0]}}, {"beams/mast/unbent_end": {"position_m": [0.5, 0.0, 0.0]}, "beams/mast/end": {"segment": "box", "frame": {"position_m": [0.5, 0.0, -0.2]}}}),
    case("beam-starts-strained", "beams/mast", {"beams/mast/unbent_end": {"position_m": [0.5, 0.0, 0.0]}, "beams/mast/end": {"segment": "box", "frame": {"position_m": [0.499, 0.0, -0.2]}}}, {"beams/mast/unbent_end": {"position_m": [0.5, 0.0, 0.0]}, "beams/mast/end": {"segment": "box", "frame": {"position_m": [0.4999, 0.0, -0.2]}}}),
    case("beam-stout", "beams/mast", {"beams/mast/length_m": 0.05}, {"beams/mast/length_m": 0.07}),
]  # fmt: skip

START = [
    case("root-carried", "initial/roots/4/segment", {"initial/roots+": {"segment": "head"}}, {"initial/roots+": {"segment": "extra", "position_m": [0.0, 3.0, -1.0]}, "segments+": LOOSE}),
    case("root-twice", "initial/roots/4/segment", {"initial/roots+": {"segment": "box"}}),
    case("attitude-twice", "initial/attitudes/1/segment", {"initial/attitudes+": {"segment": "torso"}}, {"initial/attitudes+": {"segment": "head"}}),
    case("joint-start-twice", "initial/joints/1/joint", {"initial/joints+": {"joint": "shoulder_l"}}, {"initial/joints+": {"joint": "shoulder_r"}}),
    case("attitude-and-joint", "initial/joints/0/joint", {"initial/attitudes+": {"segment": "arm_l"}}, {"initial/attitudes+": {"segment": "arm_r"}}),
    case("joint-start-count", "initial/joints/0/values", [0.1, 0.2], [0.2]),
    case("joint-start-count", "initial/joints/0/rates", [0.1, 0.2], [0.2]),
    case("start-of-driven", "initial/roots/0/velocity_m_per_s", [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
    case("start-of-driven", "initial/attitudes/1/angular_velocity_rad_per_s", {"initial/attitudes+": {"segment": "sled", "angular_velocity_rad_per_s": [1.0, 0.0, 0.0]}}, {"initial/attitudes+": {"segment": "sled"}}),
    case("start-ring", "initial/roots/0/relative_to", {"initial/roots/0/relative_to": "pelvis", "initial/roots/1/relative_to": "sled"}, {"initial/roots/1": {"segment": "pelvis", "position_m": [-2.0, 0.0, 0.0], "relative_to": "sled"}}),
    case("start-ring", "initial/attitudes/0/relative_to", "head", "pelvis"),
    case("moves-with-itself", "initial/roots/1/moves_with", "head", "sled"),
    case("moves-with-ring", "initial/roots/1/moves_with", {"initial/roots/1/moves_with": "box", "initial/roots/2/moves_with": "head"}, {"initial/roots/2/moves_with": "head"}),
    case("attitude-unreachable", "initial/attitudes/1", {"initial/attitudes+": {"segment": "arm_r", "orientation": {"angles_rad": [0.2, 0.0, 0.0]}}}, {"initial/attitudes+": {"segment": "arm_r", "orientation": {"angles_rad": [0.0, 0.2, 0.0]}}}),
    case("pitch-upright", "initial/joints/1/values", {"joints+": SIX, "segments+": body("extra", 1.0, 0.05), "initial/joints+": {"joint": "extra", "values": [0.0, 0.0, 0.0, 0.0, 1.5708, 0.0]}}, {"joints+": SIX, "segments+": body("extra", 1.0, 0.05), "initial/joints+": {"joint": "extra", "values": [0.0, 0.0, 0.0, 0.0, 1.5, 0.0]}}),
    case("start-beyond-stop", "initial/joints/0/values", {"joints/shoulder_l/spring": {"stop_rad": 0.05, "quadratic_nm_per_rad2": 9.0}}, {"joints/shoulder_l/spring": {"stop_rad": 0.2, "quadratic_nm_per_rad2": 9.0}}),
    case("start-beyond-stop", "joints/wrist", {"joints/wrist/spin": {"centre_rad": 1.0, "spring": {"quadratic_nm_per_rad2": 9.0}}}, {"joints/wrist/spin": {"spring": {"quadratic_nm_per_rad2": 9.0}}}),
    case("start-beyond-contour", "joints/high", {"initial/attitudes+": {"segment": "head", "orientation": {"angles_rad": [0.0, 0.2, 0.0]}}, "flexible_elements/spine": REMOVED, "joints/high/globographic": {"contour": {"kind": "polynomial", "coefficients": [0.1]}, "torque": "stop_torque"}}, {"joints/high/globographic": {"contour": {"kind": "library", "name": "neck"}, "torque": "stop_torque"}}),
    case("flexible-start", "flexible_elements/spine/bends/0", {"initial/joints+": {"joint": "high", "values": [0.0, 0.2, 0.0]}}, {"initial/joints+": {"joint": "high", "values": [0.0, 0.1, 0.0]}, "initial/attitudes+": {"segment": "neck", "relative_to": "torso", "orientation": {"angles_rad": [0.0, 0.1, 0.0]}}}),
    case("start-fast", "initial/roots/2/velocity_m_per_s", [5000.0, 0.0, 0.0], [50.0, 0.0, 0.0]),
]  # fmt: skip

JOINTS = [
    case("spring-twice", "joints/waist/flexure/torque", {"joints/waist/flexure": {"linear_nm_per_rad": 5.0, "torque": "stop_torque"}}, {"joints/waist/flexure": {"torque": "stop_torque"}}),
    case("spring-stop-idle", "joints/waist/flexure/stop_rad", {"joints/waist/flexure": {"stop_rad": 0.5}}, {"joints/waist/flexure": {"stop_rad": 0.5, "cubic_nm_per_rad3": 1.0}}),
    case("spring-drives", "joints/waist/flexure/linear_nm_per_rad", -1.0, 1.0),
    case("spring-pulls", "joints/waist/flexure/cubic_nm_per_rad3", -1.0, 1.0),
    case("bend-one-sided", "joints/waist/flexure/torque", two_sided("joints/waist/flexure", -30.0), two_sided("joints/waist/flexure", -100.0)),
    case("bend-one-sided", "joints/waist/flexure/torque", two_sided("joints/waist/flexure", -30.0), two_sided("joints/waist/torsion", -30.0)),
    case("bend-one-sided", "joints/hip/flexure/torque", two_sided("joints/hip/flexure", -30.0), {"joints/hip/rotation": "pin_y", **two_sided("joints/hip/flexure", -30.0)}),
    case("bend-one-sided", "joints/waist/flexure/torque", two_sided("joints/waist/flexure", -30.0), two_sided("joints/wrist/nutation/spring", -30.0)),
    case("dummy-direction", "segments/torso", {"load_case": "side", "segments/torso/surfaces+": {"kind": "ellipsoid", "id": "jacket", "semi_axes_m": [0.12, 0.16, 0.2]}}, {"load_case": "frontal", "segments/torso/surfaces+": {"kind": "ellipsoid", "id": "jacket", "semi_axes_m": [0.12, 0.16, 0.2]}}),
    case("joint-endless", "joints/waist", {"segments/torso/name": "Upper torso"}, {"segments/torso/name": "Torso"}),
    case("azimuth-order", "joints/waist/by_azimuth/around/1/azimuth_rad", by_azimuth(1.0, 0.5), by_azimuth(0.5, 1.0)),
    case("azimuth-negative", "joints/waist/by_azimuth/around/0/torque", by_azimuth(-1.0, 1.0, -0.5), {**by_azimuth(-1.0, 1.0, -0.5), "joints/waist/torque_law": "printed"}),
    case("azimuth-straight", "joints/waist/by_azimuth/around/0/torque", by_azimuth(-1.0, 1.0, 0.5), by_azimuth(-1.0, 1.0, 0.0)),
    case("bearing-idle", "joints/waist/friction/radius_m", {"joints/waist/friction": {"coefficient": 0.1}}, {"joints/waist/friction": {"coefficient": 0.1, "radius_m": 0.02}}),
    case("relaxation-idle", "joints/waist/friction/relaxation_s", {"joints/waist/friction": {"relaxation_s": 1e-3}}, {"joints/waist/friction": {"viscous_nms_per_rad": 1.0, "relaxation_s": 1e-3}}),
    case("relaxation-short", "joints/waist/friction/relaxation_s", {"joints/waist/friction": {"viscous_nms_per_rad": 1.0, "relaxation_s": 1e-6}}, {"joints/waist/friction": {"viscous_nms_per_rad": 1.0, "relaxation_s": 1e-3}}),
    case("relaxation-euler", "joints/wrist/spin/friction/relaxation_s", {"joints/wrist/spin/friction": {"viscous_nms_per_rad": 1.0, "relaxation_s": 1e-3}}, {"joints/ankle/second/friction": {"viscous_nms_per_rad": 1.0, "relaxation_s": 1e-3}}),
    case("bearing-idle", "joints/waist/friction/coefficient", {"joints/waist/friction": {"radius_m": 0.1}}),
    case("torque-printed", "joints/waist/torque_law", "printed", "conserving"),
    case("lock-torques", "joints/waist/lock/lock_torque_nm", {"joints/waist/lock": {"unlock_torque_nm": 5.0, "lock_torque_nm": 6.0}}, {"joints/waist/lock": {"unlock_torque_nm": 5.0, "lock_torque_nm": 4.0}}),
    case("lock-idle", "joints/waist/lock/unlock_torque_nm", 5.0, {"joints/waist/lock": {"locked": True, "unlock_torque_nm": 5.0}}),
    case("lock-idle", "joints/waist/lock/lock_rate_rad_per_s", {"joints/waist/lock": {"locked": True, "lock_rate_rad_per_s": 5.0}}),
    case("slip-no-effect", "joints/hip/torsion", {"joints/hip/rotation": "pin_y", "joints/hip/torsion": {"linear_nm_per_rad": 1.0}}, {"joints/hip/rotation": "pin_y", "joints/hip/flexure": {"linear_nm_per_rad": 1.0}}),
    case("slide-release-idle", "joints/hip/slide/release_above_n", 5.0, {"joints/hip/slide": {"force": "slide_force", "locked": True, "release_above_n": 5.0}}),
    case("slide-lock-idle", "joints/hip/slide/lock_force_n", {"joints/hip/slide/locked": True, "joints/hip/slide/lock_force_n": 4.0}, {"joints/hip/slide/locked": True, "joints/hip/slide/lock_force_n": 4.0, "joints/hip/slide/release_above_n": 5.0}),
    case("slide-lock-order", "joints/hip/slide/lock_force_n", {"joints/hip/slide/locked": True, "joints/hip/slide/lock_force_n": 6.0, "joints/hip/slide/release_above_n": 5.0}, {"joints/hip/slide/locked": True, "joints/hip/slide/lock_force_n": 4.0, "joints/hip/slide/release_above_n": 5.0}),
    case("slide-release-order", "joints/hip/slide/release_below_n", {"joints/hip/slide/locked": True, "joints/hip/slide/release_below_n": 5.0, "joints/hip/slide/release_above_n": 4.0}, {"joints/hip/slide/locked": True, "joints/hip/slide/release_below_n": 3.0, "joints/hip/slide/release_above_n": 4.0}),
    case("breakage-free", "joints/more/breakage", {"segments+": LOOSE, "joints+": joint("more", "free", "head", "extra", [0.0, 0.0, -1.0], [0.0] * 3, breakage={"force_n": 5.0})}, {"segments+": LOOSE, "joints+": joint("more", "ball", "head", "extra", [0.0, 0.0, -1.0], [0.0] * 3, breakage={"force_n": 5.0})}),
    case("breakage-heals", "joints/waist/breakage/heals_below_m", {"joints/waist/breakage": {"force_n": 5.0, "heals_below_m": 0.001}}, {"joints/waist/breakage": {"force_n": 5.0, "heals_below_m": 0.001, "ramp_m": 0.01}}),
    case("breakage-hangs", "joints/waist/breakage/hangs_nm", {"joints/waist/breakage": {"torque_nm": 5.0, "hangs_nm": 1.0, "ramp_m": 0.01}}, {"joints/waist/breakage": {"torque_nm": 5.0, "hangs_nm": 1.0}}),
    case("lock-keeps", "joints/waist", {"joints/waist/lock": {"locked": True, "unlock_torque_nm": 5.0, "keeps_torque": True}}, {"joints/waist/lock": {"locked": True, "unlock_torque_nm": 5.0}}),
    case("slide-keeps", "joints/hip/slide/keeps_force", {"joints/hip/slide/locked": True, "joints/hip/slide/keeps_force": True, "joints/hip/slide/release_above_n": -5.0}, {"joints/hip/slide/locked": True, "joints/hip/slide/keeps_force": True, "joints/hip/slide/release_above_n": 5.0}),
    case("strut-no-effect", "joints/extra/at_child", strut(at_child={"centre_rad": 0.1}), strut(at_parent={"centre_rad": 0.1})),
    case("strut-length", "joints/extra", strut() | {"initial/joints+": {"joint": "extra", "values": [0.1, 0.0]}}, strut()),
    case("edge-unused", "constraints/edges/static_force_n", edges(mode="slide", static_force_n=5.0), edges(static_force_n=5.0)),
    case("edge-friction", "constraints/edges/sliding_force_n", edges(sliding_force_n=5.0), edges(sliding_force_n=5.0, static_force_n=6.0)),
    case("edges-apart", "constraints/edges", edges(edge="second"), edges()),
    case("breakage-none", "joints/waist/breakage", {"joints/waist/breakage": {}}, {"joints/waist/breakage": {"force_n": 5.0}}),
]  # fmt: skip

CONTACTS = [
    case("contact-itself", "contacts/more/second", {"contacts+": pair(on("head"), on("head"))}, {"contacts+": pair(on("head"), on("box"))}),
    case("contact-inside-shape", "contacts/more/first", {"segments/head/surfaces/skin/kind": "hyperellipsoid", "contacts+": pair(on("head"), on("sled"), inside=True)}, {"contacts+": pair(on("head"), on("sled"), inside=True)}, also="wind-shape airbag-shape"),
    case("contact-same-segment", "contacts/more/second", {"segments/box/surfaces+": {"kind": "ellipsoid", "id": "lid", "semi_axes_m": [0.1, 0.1, 0.1]}, "contacts+": pair(on("box"), on("box", "lid"))}),
    case("contact-own-plane", "contacts/more/surface", {"contacts+": plane_contact(plane="dash", surface=on("sled"))}, {"contacts+": plane_contact(plane="floor")}),
    case("contact-twice", "contacts/more", {"contacts+": pair(on("sled"), on("head"))}, {"contacts+": pair(on("sled"), on("hand"))}),
    case("contact-depth-idle", "contacts/more/depth", {"contacts+": pair(on("head"), on("sled"), inside=True, depth="centres")}, {"contacts+": pair(on("head"), on("sled"), inside=True)}, also="start-deep"),
    case("law-idle", "contact_laws/soft/application_ratio", {"contact_laws/soft/application_ratio": 0.5}, {"contact_laws/soft/application_ratio": 0.5, "contacts+": plane_contact(law="soft")}),
    case("law-idle", "contact_laws/flesh/friction", {"contact_laws+": {"kind": "hysteretic", "id": "flesh", "base": "pad_force", "friction": 0.3}, f"{SHOULDER}/points/2/flesh": "flesh"}, {"contact_laws/pad/friction": 0.3}),
    case("contact-edge-idle", "contacts/more/edge", {"planes/floor/bounded": False, "contacts+": plane_contact(edge="sharp")}, {"contacts+": plane_contact(edge="sharp")}),
    case("contact-rigid", "contacts/more/second", {"contacts+": pair(on("foot"), on("toe")), "modal_bodies": []}, {"contacts+": pair(on("foot"), on("toe"))}),
    case("contact-driven", "contacts/more/surface", {"contacts+": plane_contact(surface=on("sled"))}, {"contacts+": plane_contact()}),
    case("start-deep", "contacts/foot_floor", {"planes/floor/placement/p1_m": [-5.0, -5.0, -0.46], "planes/floor/placement/p2_m": [-5.0, 5.0, -0.46], "planes/floor/placement/p3_m": [5.0, -5.0, -0.46], "constraints/roll": REMOVED}),
    case("start-deep", "contacts/more", {"contacts+": pair(on("torso"), on("pelvis")), "joints/waist/child_frame/position_m": [0.0, 0.0, 0.05]}, {"contacts+": pair(on("torso"), on("pelvis"))}, also="start-pressed strap-points-meet"),
    case("start-pressed", "contacts/foot_floor", {f"planes/floor/placement/p{i}_m/2": -0.4 for i in (1, 2, 3)} | {"constraints/roll": REMOVED}, {f"planes/floor/placement/p{i}_m/2": -0.3 for i in (1, 2, 3)} | {"constraints/roll": REMOVED}),
    case("plane-faces-away", "planes/floor/placement", {"planes/floor/placement/p1_m": [10.0, -5.0, 0.0], "planes/floor/placement/p2_m": [20.0, -5.0, 0.0], "planes/floor/placement/p3_m": [10.0, 5.0, 0.0], "constraints/roll": REMOVED}, {"planes/floor/placement/p1_m": [10.0, -5.0, 0.0], "planes/floor/placement/p2_m": [10.0, 5.0, 0.0], "planes/floor/placement/p3_m": [20.0, -5.0, 0.0], "constraints/roll": REMOVED}),
    case("start-behind", "contacts/foot_floor", {f"planes/floor/placement/p{i}_m/2": -0.8 for i in (1, 2, 3)} | {"constraints/roll": REMOVED}),
]  # fmt: skip

COORDINATES = [
    case("coordinate-axis", "coordinate_forces/catch/coordinate/axis", "first", "slide", also="function-units"),
    case("coordinate-axis", "coordinate_forces/catch/coordinate/axis", {"coordinate_forces/catch/coordinate": {"kind": "joint", "joint": "waist", "axis": "spin"}, "coordinate_forces/catch/laws": SPUN}, {"coordinate_forces/catch/coordinate": {"kind": "joint", "joint": "waist", "axis": "turn_x"}, "coordinate_forces/catch/laws": SPUN}),
    case("coordinate-folds", "coordinate_forces/catch/coordinate", {"joints/waist/parent_frame/orientation": {"angles_rad": [0.0, 3.1, 0.0]}, "coordinate_forces/catch/coordinate": {"kind": "joint", "joint": "waist", "axis": "turn_x"}, "coordinate_forces/catch/laws": SPUN}, {"coordinate_forces/catch/coordinate": {"kind": "joint", "joint": "waist", "axis": "turn_x"}, "coordinate_forces/catch/laws": SPUN}, also="start-beyond-contour function-unused"),
    case("coordinate-limits", "coordinate_forces/catch/laws/0/lower", 0.2, 0.05),
    case("coordinate-limits", "coordinate_forces/catch/laws/1/lower", 0.06, 0.04),
    case("coordinate-same-segment", "coordinate_forces/sinew/coordinate/b/segment", "box", "ground", also="coordinate-nothing"),
    case("coordinate-nothing", "coordinate_forces/sinew/laws/0", {"coordinate_forces/sinew/laws/0/stiffness": 0.0}, {"coordinate_forces/sinew/laws/0/stiffness": 0.0, "coordinate_forces/sinew/laws/0/stiffness_active": 1.0}),
    case("coordinate-nothing", "coordinate_forces/sinew/laws/0", {"coordinate_forces/sinew/laws/0": AIMLESS}, {"coordinate_forces/sinew/laws/0": AIMLESS | {"integral": 1.0}}),
    case("coordinate-nothing", "coordinate_forces/catch/laws/0", {"coordinate_forces/catch/laws/0/lower": None, "coordinate_forces/catch/laws/0/upper": None}, {"coordinate_forces/catch/laws/0/lower": None}),
    case("coordinate-axis", "coordinate_forces/sinew/laws/0/senses/coordinate/axis", {"coordinate_forces/sinew/laws/0": LATE | {"senses": {"coordinate": {"kind": "joint", "joint": "hip", "axis": "angle"}}}}, {"coordinate_forces/sinew/laws/0": LATE | {"senses": {"coordinate": {"kind": "joint", "joint": "hip", "axis": "slide"}}}}, also="sensor-kind"),
    case("sensor-kind", "coordinate_forces/sinew/laws/0/senses/coordinate", {"coordinate_forces/sinew/laws/0": LATE | {"senses": TURNED}}, {"coordinate_forces/sinew/laws/0": LATE | {"senses": {"coordinate": REFLEX["coordinate"]}}}),
    case("switch-limits", "coordinate_forces/sinew/laws/0/switch/off", {"coordinate_forces/sinew/laws/0": SWITCHED, "coordinate_forces/sinew/laws/0/switch/off": 0.03}, {"coordinate_forces/sinew/laws/0": SWITCHED}),
    case("switch-limits", "coordinate_forces/sinew/laws/0/switch/off", {"coordinate_forces/sinew/laws/0": SWITCHED, "coordinate_forces/sinew/laws/0/switch/off": -0.03}, {"coordinate_forces/sinew/laws/0": SWITCHED, "coordinate_forces/sinew/laws/0/switch/off": -0.02}),
    case("switch-limits", "coordinate_forces/sinew/laws/0/switch/off", {"coordinate_forces/sinew/laws/0": SWITCHED, "coordinate_forces/sinew/laws/0/switch/off": 0.02}, {"coordinate_forces/sinew/laws/0": SWITCHED | {"period_s": 0.01}, "coordinate_forces/sinew/laws/0/switch/off": 0.02}),
    case("block-name", "coordinate_forces/sinew/laws/0/blocks/1/name", drawn(wired("sum", "step", name="step"), wired("sum", "step")), drawn(wired("sum", "step"))),
    case("block-unknown", "coordinate_forces/sinew/laws/0/blocks/1/inputs/0/of", drawn(wired("sum", "stop")), drawn(wired("sum", "step"))),
    case("block-unknown", "coordinate_forces/sinew/laws/0/output", drawn(wired("sum", "step"), output="b"), drawn(wired("sum", "step"))),
    case("block-ring", "coordinate_forces/sinew/laws/0/blocks", drawn(wired("sum", "b", "step"), wired("sum", "a", name="b")), drawn(wired("sum", "b", "step"), wired("lag", "a", name="b", time_s=0.1))),
    case("block-transfer", "coordinate_forces/sinew/laws/0/blocks/1/denominator", drawn(wired("transfer", "step", numerator=[1.0, 2.0, 3.0], denominator=[1.0, 2.0])), drawn(wired("transfer", "step", numerator=[2.0, 3.0], denominator=[1.0, 2.0]))),
    case("block-limits", "coordinate_forces/sinew/laws/0/blocks/1/lower", drawn(wired("limiter", "step", lower=1.0, upper=0.9)), drawn(wired("limiter", "step", lower=0.9, upper=0.9))),
    case("block-limits", "coordinate_forces/sinew/laws/0/blocks/1/start", drawn(wired("integrator", "step", upper=1.0, start=1.5)), drawn(wired("integrator", "step", upper=1.0, start=1.0))),
    case("block-gain-none", "coordinate_forces/sinew/laws/0/blocks/1/inputs/0/gain", drawn({"name": "a", "kind": "sum", "inputs": [{"of": "step", "gain": 0.0}]}), drawn(wired("sum", "step"))),
    case("block-gain-none", "coordinate_forces/sinew/laws/0/gain", oiled(blocks=[{"name": "a", "kind": "source", "value": 0.5}], output="a", gain=0.0), oiled(blocks=[{"name": "a", "kind": "source", "value": 0.5}], output="a")),
    case("hydraulic-opening", "coordinate_forces/sinew/laws/0/opening", oiled(blocks=[{"name": "a", "kind": "source", "value": 0.5}], output="a", opening=0.5), oiled(blocks=[{"name": "a", "kind": "source", "value": 0.5}], output="a")),
    case("hydraulic-opening", "coordinate_forces/sinew/laws/0/opening", oiled(opening=-1.1), oiled(opening=-1.0)),
    case("hydraulic-opening", "coordinate_forces/sinew/laws/0/opening", oiled(opening="opens") | {"functions+": table("opens", "s", "1", [0.0, 0.1], [0.0, 1.2])}, oiled(opening="opens") | {"functions+": table("opens", "s", "1", [0.0, 0.1], [0.0, 1.0])}),
    case("coordinate-unused", "coordinate_forces/sinew/laws/0/gain", oiled(opening=0.5, gain=2.0), oiled(opening=0.5)),
    case("block-unused", "coordinate_forces/sinew/laws/0/blocks/2", drawn(wired("sum", "step"), wired("sum", "step", name="b")), drawn(wired("sum", "b"), wired("sum", "step", name="b"))),
    case("hydraulic-pressure", "coordinate_forces/sinew/laws/0/pressure_b_pa", oiled(pressure_b_pa=2.1e7), oiled(pressure_b_pa=2e7)),
    case("hydraulic-pressure", "coordinate_forces/sinew/laws/0/supply_pa", oiled(return_pa=2e7), oiled(return_pa=1e7)),
    case("actuator-unused", "coordinate_forces/sinew/laws/0/switch", {"coordinate_forces/sinew/laws/0": SWITCHED, "coordinate_forces/sinew/laws/0/switch/size": 0.0}, {"coordinate_forces/sinew/laws/0": SWITCHED}),
    case("actuator-swings", "coordinate_forces/sinew/laws/0/derivative", {"coordinate_forces/sinew/laws/0": AIMLESS | {"proportional": 100.0, "derivative": 2.0, "reflex_s": 0.01, "period_s": 0.02}}, {"coordinate_forces/sinew/laws/0": AIMLESS | {"proportional": 100.0, "derivative": 2.0, "period_s": 0.02}}),
    case("reflex-nothing", "coordinate_forces/sinew/laws/0/reflex", {"coordinate_forces/sinew/laws/0": HILL | {"reflex": REFLEX | {"proportional": 0.0}}}, {"coordinate_forces/sinew/laws/0": HILL | {"reflex": REFLEX}}),
    case("coordinate-unused", "coordinate_forces/catch/blend", 0.01, 0.001),
    case("coordinate-unused", "coordinate_forces/catch/laws/1/growth", {"coordinate_forces/catch/laws/1/upper": None}, {"coordinate_forces/catch/laws/1/upper": None, "coordinate_forces/catch/laws/1/growth": 0.0}),
    case("coordinate-unused", "coordinate_forces/catch/laws/1/as_printed", True, {"coordinate_forces/catch/laws/1/as_printed": True, "coordinate_forces/catch/laws/1/lower": 0.0}),
    case("coordinate-unused", "coordinate_forces/catch/laws/2/gate", {"functions+": table("gate", "m/s", "1", [0.0, 1.0], [0.0, 1.0]), "coordinate_forces/catch/laws/2/gate": "gate"}),
    case("coordinate-unused", "coordinate_forces/catch/laws/0/below", {"coordinate_forces/catch/laws/0/lower": None, "coordinate_forces/catch/laws/0/below": "catch_force"}, {"coordinate_forces/catch/laws/0/below": "catch_force"}),
    case("coordinate-no-direction", "coordinate_forces/sinew/coordinate", {"coordinate_forces/sinew/coordinate/b": at("ground", 3.0, 0.0, -1.0)}, {"coordinate_forces/sinew/coordinate/b": at("ground", 3.0, 0.1, -1.0)}),
    case("line-axis", "coordinate_forces/sinew/coordinate/a/only/coordinate/joint", {"joints/hip/breakage": {"force_n": 1e4}, "coordinate_forces/sinew/coordinate/a/only": {"coordinate": {"joint": "hip", "axis": "slide"}}}, {"coordinate_forces/sinew/coordinate/a/only": {"coordinate": {"joint": "hip", "axis": "slide"}}}),
    case("line-obstacle", "coordinate_forces/sinew/coordinate/over/0/from_point", {"coordinate_forces/sinew/coordinate/over": [{"segment": "ground", "kind": "sphere", "radius_m": 0.01, "from_point": 1}]}, {"coordinate_forces/sinew/coordinate/over": [{"segment": "ground", "kind": "sphere", "radius_m": 0.01}]}),
    case("line-inside", "coordinate_forces/sinew/coordinate/over/0", {"coordinate_forces/sinew/coordinate/over": [{"segment": "ground", "kind": "sphere", "radius_m": 50.0}]}, {"coordinate_forces/sinew/coordinate/over": [{"segment": "ground", "kind": "sphere", "radius_m": 0.01}]}),
    case("crush-tube-way", "coordinate_forces/absorber/laws/0", {"coordinate_forces/absorber/coordinate": {"kind": "component", "a": {"segment": "ground"}, "b": {"segment": "box"}}}, {"coordinate_forces/absorber/coordinate/b/segment": "sled"}),
    case("crush-tube-way", "coordinate_forces/absorber/laws/0", {"coordinate_forces/absorber/side": "above"}, {"coordinate_forces/absorber/side": "below"}),
    case("crush-tube-long", "coordinate_forces/absorber/laws/0/length_m", {"coordinate_forces/absorber/zero": 0.2}, {"coordinate_forces/absorber/zero": 0.25}),
    case("crush-tube-walls", "coordinate_forces/absorber/laws/0/section", {"coordinate_forces/absorber/laws/0/section/wall_m": 0.025}, {"coordinate_forces/absorber/laws/0/section/wall_m": 0.004}),
    case("crush-tube-thin", "coordinate_forces/absorber/laws/0/section", {"coordinate_forces/absorber/laws/0/section/wall_m": 0.0001}, {"coordinate_forces/absorber/laws/0/section/wall_m": 0.00012}),
    case("crush-tube-rates", "coordinate_forces/absorber/laws/0/rate_exponent", 5.0, 3.91),
    case("crush-tube-rates", "coordinate_forces/absorber/laws/0/faster", {"coordinate_forces/absorber/laws/0/faster": 1.2, "coordinate_forces/absorber/laws/0/rate_per_s": 6844.0}, {"coordinate_forces/absorber/laws/0/rate_per_s": 6844.0}),
    case("hinge-limit", "coordinate_forces/bracket/laws/0/limit", -1.0, 1.0),
    case("hinge-limit", "coordinate_forces/bracket/laws/0/limit_below", 0.0, 1.0),
    case("hinge-limit", "coordinate_forces/bracket/laws/0/limit", {"functions+": table("give", "rad", "N*m", [-1.0, 1.0], [1.0, 301.0]), "coordinate_forces/bracket/laws/0/limit": "give"}, {"functions+": table("give", "rad", "N*m", [-1.0, 1.0], [1.0, 151.0]), "coordinate_forces/bracket/laws/0/limit": "give"}),
    case("muscle-stiff", "coordinate_forces/sinew/laws/0/damping", 1e-5, 1e-3),
    case("muscle-activation", "coordinate_forces/sinew/laws/0/activation", {"coordinate_forces/sinew/laws": [{"kind": "hill", "strength": 100.0, "fibre": 0.1, "activation": 1.2}]}, {"coordinate_forces/sinew/laws": [{"kind": "hill", "strength": 100.0, "fibre": 0.1, "activation": 0.8}]}),
    case("coordinate-folds", "coordinate_forces/bracket/coordinate", {"coordinate_forces/bracket/coordinate/a/frame": {"orientation": {"angles_rad": [0.0, 3.1, 0.0]}}}, {"coordinate_forces/bracket/coordinate/a/frame": {"orientation": {"angles_rad": [0.0, 1.5, 0.0]}}}),
    case("function-units", "coordinate_forces/catch/laws/2/base", "stop_torque", "slide_force"),
    case("law-returns-other", "coordinate_forces/catch/laws/0/energy_ratio", 0.2, 0.8),
    case("ratio-range", "coordinate_forces/catch/laws/0/energy_ratio", 1.5, 1.0),
]  # fmt: skip


def held(kind: str, **more: Any) -> Edits:
    """Hold the box or couple shoulders by a constraint of a kind."""
    return {"constraints+": {"kind": kind, "id": "more", **more}}


def shoulders(kind: str = "gear", **more: Any) -> Edits:
    first = {"joint": "shoulder_l", "axis": "angle"}
    ends = {"first": first, "second": {"joint": "shoulder_r", "axis": "angle"}}
    return held(kind, **(ends | ({"ratio": 1.0} if kind == "gear" else {}) | more))


HIP = {"joint": "hip", "axis": "slide"}
AT_BOX = {"segment": "ground", "frame": {"position_m": [3.0, 0.0, -1.0]}}
SQUARE = {"x_m": [0.1, 0.0, -0.1, 0.0], "y_m": [0.0, 0.1, 0.0, -0.1]}
BESIDE = {"segment": "ground", "frame": {"position_m": [2.9, 0.0, -1.0]}}
BESIDE_PELVIS = {"segment": "ground", "frame": {"position_m": [0.05, 0.0, -1.0]}}
BENT = {"functions+": table("bent", "rad", "rad", [-1.0, 0.0, 1.0], [0.0, 0.0, 1.0])}
SMOOTH = {"functions+": {"id": "bent", "x_unit": "rad", "y_unit": "rad", "form": {"kind": "table", "between": "spline", "x": [-1.0, 0.0, 1.0], "y": [1.0, 0.0, 1.0]}}}  # fmt: skip

CLOSURES = [
    case("coupling-axis", "constraints/more/second/axis", shoulders(second={"joint": "wrist", "axis": "spin"}), shoulders()),
    case("coupling-axis", "constraints/more/first/axis", shoulders(first={"joint": "waist", "axis": "angle"}), shoulders()),
    case("coupling-same", "constraints/more/second", shoulders(second={"joint": "shoulder_l", "axis": "angle"}), shoulders()),
    case("coupling-sort", "constraints/more/second/axis", shoulders(second=HIP), shoulders("rack", second=HIP, radius_m=0.1)),
    case("coupling-sort", "constraints/more/first/axis", shoulders("screw", first=HIP, second=HIP, lead_m=0.1), shoulders("screw", second=HIP, lead_m=0.1), also="coupling-same"),
    case("coupling-ratio", "constraints/more/ratio", shoulders(ratio=0.0), shoulders(ratio=-2.0)),
    case("coupling-ratio", "constraints/more/coefficients", shoulders("coupled", coefficients=[0.1, 0.0], start_value=None), shoulders("coupled", coefficients=[0.1, 0.5], start_value=None)),
    case("coupling-ratio", "constraints/more/scale", shoulders("coupled", function="bent", scale=0.0) | SMOOTH, shoulders("coupled", function="bent") | SMOOTH, also="coupling-start"),
    case("coupling-ratio", "constraints/more/function", shoulders("coupled", function="flat") | {"functions+": table("flat", "rad", "rad", [-1.0, 1.0], [0.1, 0.1])}, shoulders("coupled", function="bent") | SMOOTH),
    case("coupling-function", "constraints/more/function", shoulders("coupled"), shoulders("coupled", coefficients=[0.0, 1.0], start_value=None)),
    case("coupling-unused", "constraints/more/scale", shoulders("coupled", coefficients=[0.0, 1.0], start_value=None, scale=2.0), shoulders("coupled", coefficients=[0.0, 1.0], start_value=None)),
    case("coupling-driven", "constraints/more", shoulders() | {"joints/shoulder_l/lock": {"locked": True}, "joints/shoulder_r/lock": {"locked": True}}, shoulders() | {"joints/shoulder_l/lock": {"locked": True}}),
    case("coupling-start", "constraints/more/second", shoulders("rack", second=HIP, radius_m=0.1, offset_m=0.3), shoulders(offset_rad=-0.1)),
    case("coupling-jumps", "constraints/more/function", shoulders("coupled", function="bent") | BENT, shoulders("coupled", function="bent") | SMOOTH),
    case("function-units", "constraints/more/function", shoulders("coupled", second=HIP, function="bent", start_value=None) | SMOOTH, shoulders("coupled", function="bent") | SMOOTH),
    case("closure-apart", "constraints/more", held("revolute", a=BESIDE_PELVIS, b={"segment": "pelvis"}), held("revolute", a=AT_BOX, b={"segment": "box"})),
    case("closure-apart", "constraints/more", held("parallel_axes", axis="x", a=AT_BOX, b={"segment": "box", "frame": {"orientation": {"angles_rad": [0.2, 0.0, 0.0]}}}), held("parallel_axes", a=BESIDE, b={"segment": "box", "frame": {"orientation": {"angles_rad": [0.2, 0.0, 0.0]}}})),
    case("curve-points", "constraints/more/y_m", held("point_on_curve", a=BESIDE, b=at("box"), x_m=[0.0, 1.0, 2.0], y_m=[0.0, 1.0, 2.0, 3.0]), held("point_on_curve", a=BESIDE, b=at("box"), **SQUARE)),
    case("curve-apart", "constraints/more", held("point_on_curve", a=BESIDE_PELVIS, b=at("pelvis"), **SQUARE), held("point_on_curve", a=BESIDE, b=at("box"), **SQUARE)),
    case("curve-roller", "constraints/more/radius_m", held("point_on_curve", a=AT_BOX, b=at("box"), radius_m=0.1, closed=False, x_m=[-0.1, -0.07, 0.0, 0.07, 0.1], y_m=[0.0, -0.07, -0.1, -0.07, 0.0], side="left"), held("point_on_curve", a=BESIDE, b=at("box"), **SQUARE), also="curve-apart"),
]  # fmt: skip

SOLE = base()["modal_bodies"][0]["shapes"]
PADDED = {
    "kind": "nodes",
    "nodes": [{"position_m": [0.08, 0.0, 0.0], "mass_kg": 0.1, "shapes_m": [[0.0, 0.0, 1.0]]}],
    "modal_mass_kg": [[0.1]],
    "modal_stiffness_n_per_m": [[100.0]],
}


RULER = PADDED | {
    "nodes": [{**PADDED["nodes"][0], "position_m": [x, 0.0, 0.0]} for x in (0.08, 0.1)],
    "modal_mass_kg": [[0.2]],
}


def bending(shapes: Edits = SOLE, **more: Any) -> Edits:
    """Let the foot bend, with the toe at a node."""
    return {
        "modal_bodies": [
            {"id": "sole", "segment": "foot", "shapes": shapes, "nodes": ["toes"], **more}
        ]
    }


MODAL = [
    case("modal-twice", "modal_bodies/more/segment", {"modal_bodies": [*bending()["modal_bodies"], {"id": "more", "segment": "foot", "shapes": SOLE}]}, {"modal_bodies": [*bending()["modal_bodies"], {"id": "more", "segment": "leg", "shapes": SOLE}]}),
    case("modal-on-node", "modal_bodies/more/segment", {"modal_bodies": [*bending()["modal_bodies"], {"id": "more", "segment": "toe", "shapes": SOLE}]}, {"modal_bodies": [*bending(nodes=[])["modal_bodies"], {"id": "more", "segment": "toe", "shapes": SOLE}]}),
    case("modal-node-joint", "modal_bodies/sole/nodes/0", bending(nodes=["ankle"]), bending(), also="modal-node-off"),
    case("modal-node-twice", "modal_bodies/sole/nodes/1", bending(nodes=["toes", "toes"]), bending()),
    case("modal-node-breaks", "modal_bodies/sole/nodes/0", bending() | {"joints/toes/breakage": {"force_n": 500.0}}, bending(nodes=[]) | {"joints/toes/breakage": {"force_n": 500.0}}),
    case("modal-modes", "modal_bodies/sole/shapes", bending(SOLE | {"bending_z": 0}), bending()),
    case("modal-modes", "modal_bodies/sole/shapes", bending(SOLE | {"bending_z": 2, "pieces": 2, "ends": "pinned"}), bending(SOLE | {"bending_z": 2, "pieces": 3, "ends": "pinned"})),
    case("modal-modes", "modal_bodies/sole/shapes", bending(SOLE | {"bending_z": 1, "static": True}), bending(SOLE | {"bending_z": 2, "static": True})),
    case("modal-section", "modal_bodies/sole/shapes/section", {"modal_bodies/sole/shapes/section/wall_m": 0.005}, {"modal_bodies/sole/shapes/section/wall_m": 0.004}),
    case("modal-sizes", "modal_bodies/sole/shapes/modal_mass_kg", bending(PADDED | {"modal_mass_kg": [[0.1, 0.2]]}), bending(PADDED)),
    case("modal-sizes", "modal_bodies/sole/shapes/nodes/0", bending(PADDED | {"nodes": [{**PADDED["nodes"][0], "turns_rad": [[0.0] * 3] * 2}]}), bending(PADDED)),
    case("modal-sizes", "modal_bodies/sole/shapes/nodes/0/pairs_m", bending(PADDED | {"nodes": [{**PADDED["nodes"][0], "pairs_m": [[0.0] * 3] * 2}]}), bending(PADDED | {"nodes": [{**PADDED["nodes"][0], "pairs_m": [[0.0] * 3]}]})),
    case("modal-faces", "modal_bodies/sole/shapes/faces/0", bending(PADDED | {"faces": [[0.0, 0.0, 1.0]]}), bending(PADDED | {"faces": [[0.0, 0.0, 0.0]]})),
    case("modal-not-stiffened", "modal_bodies/sole/shapes", bending(RULER), bending(RULER | {"nodes": [{**one, "pairs_m": [[0.0] * 3]} for one in RULER["nodes"]]})),
    case("modal-damping", "modal_bodies/sole/damping/1", bending(SOLE | {"bending_z": 2}, damping=[0.1, -0.1]), bending(SOLE | {"bending_z": 2}, damping=[0.1, 0.0])),
    case("modal-damping-unused", "modal_bodies/sole/damping", bending(damping=[0.1, 0.2]), bending(damping=[0.1])),
    case("modal-mass-nodes", "modal_bodies/sole/shapes/modal_mass_kg", bending(PADDED | {"modal_mass_kg": [[0.25]]}), bending(PADDED | {"modal_mass_kg": [[0.19]]})),
    case("modal-mass-nodes", "modal_bodies/sole/shapes/modal_mass_kg", bending(PADDED | {"modal_mass_kg": [[0.04]]}), bending(PADDED | {"modal_mass_kg": [[0.06]]})),
    case("modal-sizes", "modal_bodies/sole/start_m", {"modal_bodies/sole/start_m": [0.0] * 7}, {"modal_bodies/sole/start_m": []}),
    case("modal-node-off", "modal_bodies/sole/nodes/0", bending(SOLE | {"length_m": 0.01}), bending()),
    case("modal-far-from-nodes", "loads/shove/point_m", bending(PADDED) | {"loads/shove/segment": "foot", "loads/shove/point_m": [0.1, 0.0, 0.0]}, bending(PADDED) | {"loads/shove/segment": "foot", "loads/shove/point_m": [0.08, 0.0, 0.0]}),
    case("modal-beside-nodes", "outputs/heel/segment", {"outputs+": {"kind": "point", "id": "heel", "segment": "foot", "point_m": [0.1, 0.0, 0.0], "frame": "bench"}}, {"outputs+": {"kind": "point", "id": "heel", "segment": "foot", "point_m": [0.1, 0.0, 0.0]}}),
    case("modal-beside-nodes", "joints/toes/parent", bending(nodes=[]), bending()),
    case("modal-beside-nodes", "contacts/foot_floor/surface", bending(SOLE | {"frame": {"position_m": [0.05, 0.0, 0.0]}}), bending()),
    case("modal-beside-nodes", "springs/pad/b/segment", {"springs/pad/b": {"segment": "foot", "frame": {"position_m": [0.1, 0.0, 0.0]}}}, {"springs/pad/b": {"segment": "toe"}}, also="disc-strained"),
    case("modal-held-where-it-bends", "modal_bodies/sole/shapes", bending(SOLE | {"ends": "free"}), bending(), also="modal-beside-nodes"),
    case("modal-clamped-moves", "modal_bodies/sole/shapes", bending(SOLE | {"bending_z": 4}), bending(SOLE | {"bending_z": 3, "twist": 4})),
    case("modal-mass", "modal_bodies/sole/shapes/modal_mass_kg", bending(PADDED | {"modal_mass_kg": [[0.0]]}), bending(PADDED)),
    case("modal-stiffness", "modal_bodies/sole/shapes/modal_stiffness_n_per_m", bending(PADDED | {"modal_stiffness_n_per_m": [[-1.0]]}), bending(PADDED)),
    case("modal-node-inertia", "modal_bodies/sole/shapes/nodes/0/inertia_kgm2", bending(PADDED | {"nodes": [PADDED["nodes"][0] | {"inertia_kgm2": [3e-5, 1e-5, 1e-5]}]}), bending(PADDED | {"nodes": [PADDED["nodes"][0] | {"inertia_kgm2": [2e-5, 1e-5, 1e-5]}]})),
    case("modal-node-inertia", "modal_bodies/sole/shapes/nodes/1/mass_kg", bending(PADDED | {"nodes": [*PADDED["nodes"], {"inertia_kgm2": [1e-5] * 3, "shapes_m": [[0.0] * 3]}]}), bending(PADDED | {"nodes": [*PADDED["nodes"], {"mass_kg": 0.1, "inertia_kgm2": [1e-5] * 3, "shapes_m": [[0.0] * 3]}]}), also="modal-not-stiffened"),
    case("modal-massless", "modal_bodies/sole/shapes/nodes", bending(PADDED | {"nodes": [{**PADDED["nodes"][0], "mass_kg": 0.0}]}), bending(PADDED)),
]  # fmt: skip

LINKS = [
    case("spring-same-segment", "springs/bungee/b/segment", "pelvis", {"springs/bungee/b": at("torso")}),
    case("spring-nothing", "springs/bungee/stiffness_n_per_m", 0.0, 5.0),
    case("disc-strained", "springs/pad", {"springs/pad/height_m": 0.12}, {"springs/pad/height_m": 0.06}),
    case("disc-strained", "springs/pad", {"springs/pad/b": {"segment": "box", "frame": {"orientation": {"angles_rad": [0.0, 0.6, 0.0]}}}}, {"springs/pad/b": {"segment": "box", "frame": {"orientation": {"angles_rad": [0.0, 0.4, 0.0]}}}}),
    case("spring-nothing", "springs/strut/force", {"springs/strut/damping": None}, also="function-unused"),
    case("tension-damps-across", "tension_elements/rope/damping_law", {"tension_elements/rope/damping_ns_per_m": 5.0, "tension_elements/rope/damping_law": "printed"}, {"tension_elements/rope/damping_ns_per_m": 5.0}),
    case("tension-same-segment", "tension_elements/rope/b/segment", "box", "pelvis"),
    case("constraint-same-segment", "constraints/hook/b/segment", {"constraints/hook/b": at("box")}),
    case("constraint-rigid", "constraints/more/b/segment", {"constraints+": zero(at("foot", 0.11, 0.0, 0.0), at("toe")), "modal_bodies": []}, {"constraints+": zero(at("foot", 0.11, 0.0, 0.0), at("toe"))}),
    case("constraint-rigid", "constraints/more/b/segment", {"constraints+": zero(at("sled"), at("ground", 2.0, 0.0, -1.0))}),
    case("roll-slide-partner", "constraints/roll/plane", None, "floor"),
    case("roll-slide-partner", "constraints/roll/other", {"constraints/roll/other": on("sled")}),
    case("roll-slide-shape", "constraints/roll/surface", {"constraints/roll/surface": on("box"), "constraints/roll/starts": "on_touch"}),
    case("roll-slide-inside", "constraints/roll/inside", True, False),
    case("roll-slide-unused", "constraints/roll/sliding_force_n", 5.0, {"constraints/roll/friction_law": "force", "constraints/roll/sliding_force_n": 5.0, "constraints/roll/static_force_n": 6.0, "constraints/roll/static_friction": 0.0, "constraints/roll/sliding_friction": 0.0}),
    case("roll-slide-friction", "constraints/roll/sliding_friction", 0.5, {"constraints/roll/sliding_friction": 0.5, "constraints/roll/static_friction": 0.6}),
    case("points-apart", "constraints/hook", {"constraints/hook/a/position_m": [0.0, 0.0, 0.19]}),
    case("distance-start", "constraints/rod/distance_m", 1.01, None),
    case("distance-none", "constraints/rod/distance_m", {"constraints/rod/distance_m": None, "constraints/rod/a/position_m": [-1.0, 0.0, 0.0]}, {"constraints/rod/distance_m": None}),
    case("roll-slide-apart", "constraints/roll/starts", {"initial/roots/3/position_m": [4.0, 0.0, -0.12]}, {"initial/roots/3/position_m": [4.0, 0.0, -0.12], "constraints/roll/starts": "on_touch"}),
    case("roll-slide-apart", "constraints/roll/starts", {"constraints/roll/plane": None, "constraints/roll/other": on("sled")}, {"constraints/roll/plane": None, "constraints/roll/other": on("sled"), "initial/roots/3/position_m": [2.0, 0.0, -0.7]}),
    case("spring-no-direction", "springs/bungee", {"springs/bungee/b": at("ground", 0.0, 0.0, -1.0)}),
    case("spring-strong-start", "springs/bungee/rest_length_m", {"springs/bungee/rest_length_m": 1000.0, "springs/bungee/stiffness_n_per_m": 1e4}),
    case("tension-masses", "tension_elements/rope/mass_ab_kg", 0.2, 0.05),
    case("symmetry-unequal", "symmetry/arms/second", {"segments/arm_r/mass_kg": 2.5}),
    case("load-direction", "loads/shove/direction", [0.0, 0.0, 0.0], [0.0, 2.0, 0.0]),
]  # fmt: skip

BELTS = [
    case("belt-shape", "belts/lap_belt/surface", {"segments/pelvis/surfaces/skin/kind": "hyperellipsoid"}),
    case("strap-end", f"{LAP}/points/1", {f"{LAP}/points/1": SURFACE}),
    case("strap-end", f"{LAP}/points/1", {f"{LAP}/points/1": RING}),
    case("strap-anchor-inside", f"{SHOULDER}/points/1", {f"{SHOULDER}/points/1": {"kind": "anchor", **at("torso", 0.05, -0.22, -0.2)}}),
    case("junction-end", f"{SHOULDER}/points/3", {f"{LAP}/points/0": {"kind": "anchor", **at("sled", -1.7, 0.1, -0.3)}}),
    case("junction-twice", f"{SHOULDER}/points/3", {f"{SHOULDER}/points/1": BUCKLE}),
    case("junction-surface", f"{LAP}/points/0/friction", {**{f"{strap}/surface": on("pelvis") for strap in KNOTS}, f"{KNOTS[0]}/friction": 0.5}, {f"{strap}/{field}": value for strap in KNOTS for field, value in (("surface", on("pelvis")), ("friction", 0.5))}, also="junction-place"),
    case("junction-idle", KNOTS[0], {f"{strap}/friction": 0.5 for strap in KNOTS}),
    case("junction-surface", f"{LAP}/points/0/surface", {f"{LAP}/points/0/surface": on("torso")}),
    case("junction-place", f"{LAP}/points/0/position_m", [0.25, 0.1, -1.2], [0.25, 0.1, -1.3]),
    case("device-place", f"{LAP}/start_device", {f"{LAP}/start_device": {"retractor": {"lock_payout_m": 0.1}}}, {f"{LAP}/end_device": {"retractor": {"lock_payout_m": 0.1}}}),
    case("junction-alone", f"{SHOULDER}/points/1", {f"{SHOULDER}/points/1": {"kind": "junction", "junction": "knot", "position_m": [0.1, -0.2, -1.6]}}),
    case("device-empty", f"{LAP}/end_device", {f"{LAP}/end_device": {}}),
    case("device-history", f"{SHOULDER}/start_device", {f"{SHOULDER}/start_device/given_tension": "pulls", "functions+": PULLS}, {f"{LAP}/end_device": {"given_tension": "pulls"}, "functions+": PULLS}),
    case("retractor-never-locks", f"{LAP}/end_device/retractor", {f"{LAP}/end_device": {"retractor": {}}}),
    case("belt-anchors", "belts/lap_belt/anchor_b", {"belts/lap_belt/anchor_b": at("sled", -2.3, -0.4, 0.2)}),
    case("anchor-stays", "belts/lap_belt/anchor_a/segment", "ground"),
    case("anchor-stays", f"{SHOULDER}/points/0/segment", "ground"),
    case("belt-anchor-inside", "belts/lap_belt/anchor_a", {"belts/lap_belt/anchor_a": at("pelvis", 0.0, 0.05, 0.0)}),
    case("belt-plane", "belts/lap_belt/fixed_point_m", {"belts/lap_belt/anchor_a": at("pelvis", 0.12, 0.5, 0.0), "belts/lap_belt/anchor_b": at("pelvis", 0.12, -0.5, 0.0)}),
    case("belt-point-off", "belts/lap_belt/fixed_point_m", [0.13, 0.0, 0.0], [0.1205, 0.0, 0.0]),
    case("belt-pretension", "belts/lap_belt/slack_m", -0.5, -0.01),
    case("belt-pretension", f"{LAP}/slack_m", -0.5, -0.01),
    case("strap-points-meet", f"{LAP}/points/1", {f"{LAP}/points/1": {"kind": "anchor", **at("sled", -1.75, 0.1, -0.3)}}),
    case("strap-direction", f"{SHOULDER}/points/2/preferred_direction", [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
    case("flesh-rate", f"{SHOULDER}/points/2/flesh", {"contact_laws+": STRUCK, f"{SHOULDER}/points/2/flesh": "struck"}, "soft"),
    case("device-falls", f"{SHOULDER}/start_device/load_limiter/force", {"functions/limiter_force/form/y": [1000.0, 900.0]}, {"functions/limiter_force/form/y": [1000.0, 1000.0]}),
    case("strap-point-moved", f"{SHOULDER}/points/2/position_m", [0.25, 0.0, 0.0], [0.205, 0.0, 0.0]),
]  # fmt: skip

AIRBAGS = [
    case("airbag-panel-twice", "airbags/bag/panels/0", {"airbags/bag/panels+": on("sled")}, {"airbags/bag/panels+": on("box")}),
    case("airbag-panel-twice", "airbags/bag/planes/1", {"airbags/bag/planes": ["dash", "dash"]}, {"airbags/bag/planes": ["dash"]}, also="airbag-behind"),
    case("airbag-no-panel", "airbags/bag/panels", {"airbags/bag/panels": []}, {"airbags/bag/panels": [], "airbags/bag/planes": ["dash"], "airbags/bag/orientation": {"angles_rad": [0.0, 1.5707963, 0.0]}}),
    case("airbag-behind", "airbags/bag/planes/0", {"airbags/bag/panels": [], "airbags/bag/planes": ["dash"], "airbags/bag/orientation": {"angles_rad": [0.0, -1.5707963, 0.0]}}, {"airbags/bag/panels": [], "airbags/bag/planes": ["dash"], "airbags/bag/orientation": {"angles_rad": [0.0, 1.5707963, 0.0]}}),
    case("airbag-shape", "airbags/bag/touches/0", {"segments/box/surfaces+": {"kind": "hyperellipsoid", "id": "crate", "semi_axes_m": [0.1, 0.1, 0.1], "powers": [4.0, 4.0, 4.0]}, "airbags/bag/touches": [{"segment": "box", "surface": "crate"}]}),
    case("trigger-component", "airbags/bag/trigger/component", {"airbags/bag/trigger": {"kind": "channel", "output": "head_turn", "level": 1.0}}, {"airbags/bag/trigger": {"kind": "channel", "output": "head_turn", "component": "y", "level": 1.0}}),
    case("trigger-beyond", "airbags/bag/trigger/level", watching("y", 1.6), watching("y", 1.5)),
    case("trigger-beyond", "airbags/bag/trigger/level", watching("x", 180.0), watching("x", 3.1)),
    case("trigger-beyond", "airbags/bag/trigger/level", {"outputs/head_turn/angles": "euler", **watching("y", -0.1)}, {"outputs/head_turn/angles": "euler", **watching("y", 1.6)}),
    case("trigger-output", "airbags/bag/trigger/output", {"outputs/head_turn/angles": "about_axis", **watching("y", 1.0)}, {"outputs/head_turn/angles": "euler", **watching("y", 1.0)}),
    case("trigger-output", "airbags/bag/trigger/output", {"airbags/bag/trigger": {"kind": "channel", "output": "hic", "level": 1.0}}, {"airbags/bag/trigger": {"kind": "channel", "output": "head_acc", "level": 1.0}}),
    case("airbag-touches-panel", "airbags/bag/touches/2", {"airbags/bag/touches+": on("sled")}, {"airbags/bag/touches+": on("hand")}),
    case("airbag-touches-twice", "airbags/bag/touches/0", {"airbags/bag/touches+": on("torso")}),
    case("airbag-touches-nothing", "airbags/bag/touches", {"airbags/bag/touches": []}),
    case("vent-stays-idle", "airbags/bag/vents/0/stays_open", True, {"airbags/bag/vents/0/stays_open": True, "airbags/bag/vents/0/opens_at_pa": 5.0}),
    case("airbag-pressure", "airbags/bag/inflator/pressure_pa", 1e5, 3e6),
    case("airbag-sealed", "airbags/bag/vents", {"airbags/bag/vents": []}, {"airbags/bag/vents": [], "airbags/bag/leakage": {"area_m2": 0.1, "ratio": 0.1}}),
    case("airbag-never-full", "airbags/bag/inflator", {"airbags/bag/inflator/volume_m3": 0.001}),
    case("airbag-never-full", "airbags/bag/inflator", burst(0.1), burst(4.0)),
    case("trigger-late", "airbags/bag/trigger/time_s", {"airbags/bag/trigger": {"kind": "time", "time_s": 20.0}}, {"airbags/bag/trigger": {"kind": "time", "time_s": 0.02}}),
    case("tyre-axle", "tyres/roller/axle", [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
    case("tyre-no-road", "tyres/roller/roads", {"tyres/roller/roads": []}),
    case("tyre-own-road", "tyres/roller/roads/0", EDGES | {"tyres/roller/roads/0": "rim", "tyres/roller/wheel": "extra"}, EDGES | {"tyres/roller/roads/0": "rim"}),
    case("tyre-road-twice", "tyres/roller/roads/1", {"tyres/roller/roads+": "floor"}),
    case("tyre-carrier", "tyres/roller/carrier", "box", "sled"),
    case("tyre-crown", "tyres/roller/crown_m", 0.11, 0.09),
    case("tyre-peak-ignored", "tyres/roller/peak_load_n", 5e3, {"tyres/roller/peak_load_n": 5e3, "tyres/roller/load_n": 3e3}),
    case("tyre-reacts-on-ground", "tyres/roller/brake_nm", 10.0, {"tyres/roller/brake_nm": 10.0, "tyres/roller/carrier": "sled"}),
    case("tyre-profile-narrow", "tyres/roller/profile", {"functions+": {"id": "bump", "x_unit": "m", "y_unit": "m", "form": {"kind": "table", "x": [0.0, 0.001, 0.002], "y": [0.0, 0.01, 0.0]}}, "tyres/roller/profile": "bump"}, {"functions+": {"id": "bump", "x_unit": "m", "y_unit": "m", "form": {"kind": "table", "x": [0.0, 0.05, 0.1], "y": [0.0, 0.01, 0.0]}}, "tyres/roller/profile": "bump"}),
    case("tyre-deep", "tyres/roller/roads/0", {"planes/floor/bounded": False, "tyres/roller/radius_m": 100.0}, {"tyres/roller/radius_m": 100.0}),
    case("tyre-deep", "tyres/roller/meshes/0", {"tyres/roller/meshes": ["way"], "meshes+": under([0, 2, 1])}, {"tyres/roller/meshes": ["way"], "meshes+": under([0, 1, 2])}),
    case("tyre-rigid", "tyres/roller/roads/0", {"tyres/roller/wheel": "sled", "tyres/roller/roads": ["edge"], "planes+": {"id": "edge", "segment": "extra", "placement": FLOOR}, "segments+": LOOSE, "joints+": joint("extra", "locked", "sled", "extra", [0.0] * 3, [0.0] * 3)}, {"tyres/roller/wheel": "sled"}, also="tyre-deep"),
    case("tyre-rim-unused", "tyres/roller/rim_stiffness_n_per_m", 2e6, {"tyres/roller/rim_stiffness_n_per_m": 2e6, "tyres/roller/rim_at_m": 0.05}),
    case("tyre-rim-unused", "tyres/roller/rim_stiffness_n_per_m", {"tyres/roller/rim_stiffness_n_per_m": 0.0, "tyres/roller/rim_at_m": 0.05}),
    case("tyre-rim-unused", "tyres/roller/rim_at_m", 0.1, 0.09),
    case("tyre-brake-negative", "tyres/roller/brake_nm", {"tyres/roller/carrier": "sled", "tyres/roller/brake_nm": -1.0}, {"tyres/roller/carrier": "sled", "tyres/roller/brake_nm": 1.0}),
    case("tyre-brake-negative", "tyres/roller/brake_nm", {"tyres/roller/carrier": "sled", "tyres/roller/brake_nm": "stops", "functions+": table("stops", "s", "N*m", [0.0, 0.1], [0.0, -9.0])}, {"tyres/roller/carrier": "sled", "tyres/roller/brake_nm": "stops", "functions+": table("stops", "s", "N*m", [0.0, 0.1], [0.0, 9.0])}),
    case("wind-ignored", "winds/gale/pressure_y", 5.0, {"winds/blast/pressure_y": 5.0}),
    case("wind-ignored", "winds/blast/drag", 0.5, {"winds/gale/drag": 0.5}),
    case("wind-shape", "winds/gale/targets/0/surface", {"segments/head/surfaces/skin/kind": "hyperellipsoid"}, also="airbag-shape"),
    case("wind-own-shield", "winds/gale/targets/0/shields/0", {"winds/gale/targets/0/shields": [on("head")]}),
    case("wind-shields-ignored", "winds/gale/targets/0/shields", {"winds/gale/targets/0/method": "whole"}, {"winds/blast/targets/0/method": "whole"}),
    case("wind-none", "winds/blast/pressure_x", 0.0, -1.0),
    case("wind-target-twice", "winds/blast/targets/0", {"winds/blast/targets+": {"surface": on("hand")}}, {"winds/blast/targets+": {"surface": on("foot")}}),
]  # fmt: skip

NIJ = {
    "outputs/waist_load/quantity": "force",
    "outputs/waist_load/in_axes_of": "child",
    "outputs+": {"kind": "joint", "id": "waist_torque", "joint": "waist", "quantity": "torque", "in_axes_of": "child"},
    "outputs/hic/criterion": "Nij",
    "outputs/hic/output": "waist_load",
    "outputs/hic/second": "waist_torque",
}  # fmt: skip
PUBIC = {
    **NIJ,
    "outputs/hic/criterion": "pubic_load",
    "outputs/hic/output": "waist_torque",
    "outputs/hic/second": None,
}
DEFLECTION = {"outputs/head_acc/quantity": "position", "outputs/hic/criterion": "chest_deflection"}
OUTPUTS = [
    case("injury-wrong-output", "outputs/hic/output", "head_turn", "head_acc"),
    case("injury-wrong-output", "outputs/hic/second", {**NIJ, "outputs/hic/second": "waist_load"}, NIJ),
    case("injury-no-second", "outputs/hic/second", {**NIJ, "outputs/hic/second": REMOVED}, NIJ),
    case("injury-second-idle", "outputs/hic/second", "head_turn", None),
    case("injury-wrong-channel", "outputs/hic/channel", {**DEFLECTION, "outputs/hic/channel": "penetration"}, {**DEFLECTION, "outputs/hic/channel": "z"}),
    case("injury-ground-axes", "outputs/hic/output", {**NIJ, "outputs/waist_load/in_axes_of": "ground"}, NIJ, also="injury-two-joints"),
    case("injury-two-joints", "outputs/hic/second", {**NIJ, "outputs/waist_load/in_axes_of": "parent"}, NIJ),
    case("injury-no-lever", "outputs/hic/lever_m", {**PUBIC, "outputs/hic/lever_m": -0.01}, {**PUBIC, "outputs/hic/lever_m": 0.09}),
    case("injury-option-idle", "outputs/hic/lever_m", 0.018, {**NIJ, "outputs/hic/lever_m": 0.018}),
    case("output-gravity-idle", "outputs/head_acc/with_gravity", {"outputs/head_acc/quantity": "velocity", "outputs/head_acc/with_gravity": True, "outputs/hic": REMOVED}, True),
    case("output-angles-idle", "outputs/head_turn/angles", {"outputs/head_turn/angles": "euler", "outputs/head_turn/quantity": "velocity"}, "euler"),
    case("output-angles-idle", "outputs/head_turn/axis", {"outputs/head_turn/axis": [0.0, 0.0, 1.0]}, {"outputs/head_turn/axis": [0.0, 0.0, 1.0], "outputs/head_turn/angles": "about_axis"}),
    case("output-axis-none", "outputs/head_turn/axis", {"outputs/head_turn/axis": [0.0, 0.0, 0.0], "outputs/head_turn/angles": "about_axis"}, {"outputs/head_turn/angles": "about_axis"}),
    case("output-axis-open", "outputs/head_turn/axis", {"outputs/head_turn/angles": "about_axis", "outputs/head_turn/segment": "box", "initial/attitudes+": {"segment": "box", "orientation": {"angles_rad": [0.0, 0.0, 3.14159]}}, "constraints/hook": REMOVED}, {"outputs/head_turn/angles": "about_axis", "outputs/head_turn/segment": "box", "initial/attitudes+": {"segment": "box", "orientation": {"angles_rad": [0.0, 0.0, 3.0]}}, "constraints/hook": REMOVED}, also="disc-strained coordinate-folds"),
    case("output-joint-none", "outputs/waist_load/quantity", {"outputs/waist_load/joint": "toes"}, {"outputs/waist_load/joint": "toes", "outputs/waist_load/quantity": "force"}),
    case("output-joint-none", "outputs/waist_load/joint", {"outputs/waist_load/joint": "toes", "joints/toes/kind": "free"}, {"joints/toes/kind": "free"}, also="modal-node-joint"),
    case("output-of-itself", "outputs/head_turn/relative_to", "head", "torso"),
    case("vei-test-twice", "runs/old/integrator/tests/1/vector", {"runs/old/integrator/tests+": {"segment": "head", "vector": "angular_velocity", "magnitude": 1.0}}, {"runs/old/integrator/tests+": {"segment": "head", "vector": "linear_velocity", "magnitude": 1.0}}),
    case("vei-test-off", "runs/old/integrator/tests/0/magnitude", 0.0, 0.5),
    case("energy-steps", "runs/fast/integrator", {"runs/fast/integrator": {"kind": "energy_momentum"}}),
    case("no-runs", "runs", {"runs": []}),
    case("no-outputs", "outputs", {"outputs": [], f"{SHOULDER}/start_device/pretensioner": None}, also="function-unused"),
    case("run-frames", "runs/main/frame_interval_s", 1.0, 0.1),
    case("run-samples", "runs/main/channel_rate_hz", 1.0, 10_000.0),
    case("run-large", "runs/main/frame_interval_s", 1e-7, 1e-4, also="run-rate-low"),
    case("run-too-large", "runs/main/frame_interval_s", 4e-9, 1e-4, also="run-rate-low"),
    case("run-endless", "runs/main/frame_interval_s", 1e-15, 1e-4, also="run-rate-low"),
    case("run-endless", "runs/main/channel_rate_hz", {"runs/main/duration_s": 1000.0, "runs/main/channel_rate_hz": 1e6}, 10_000.0, also="run-filter-rate pulse-short"),
    case("run-endless", "runs/fast/integrator/step_s", 1e-12, 1e-4),
    case("run-endless", "runs/old/integrator/largest_step_s", {"runs/old/integrator": {"kind": "dopri", "smallest_step_s": 1e-13, "largest_step_s": 1e-12}}, {"runs/old/integrator": {"kind": "dopri"}}),
    case("number-tiny", "runs/main/frame_interval_s", 5e-324, 1e-4),
    case("run-rate-low", "runs/main/channel_rate_hz", {"runs/main/channel_rate_hz": 500.0, "outputs/head_acc/cfc": None}, {"runs/main/channel_rate_hz": 1000.0, "outputs/head_acc/cfc": None}),
    case("run-filter-rate", "runs/main/channel_rate_hz", 5000.0, 20_000.0),
    case("run-step-order", "runs/main/integrator/first_step_s", {"runs/main/integrator": {"kind": "dopri", "first_step_s": 0.1}}, {"runs/main/integrator": {"kind": "dopri", "first_step_s": 0.001}}),
    case("run-step-order", "runs/old/integrator/smallest_step_s", 0.01, 1e-4),
    case("run-step-long", "runs/fast/integrator/step_s", 1.0, 1e-3),
    case("run-step-over-frame", "runs/fast/integrator/step_s", 0.002, 3e-4),
    case("run-step-over-reflex", "runs/fast/integrator/step_s", {"coordinate_forces/sinew/laws/0": LATE | {"reflex_s": 5e-5}}, {"coordinate_forces/sinew/laws/0": LATE | {"reflex_s": 0.05}}),
    case("run-endless", "coordinate_forces/sinew/laws/0/reflex_s", {"coordinate_forces/sinew/laws/0": LATE | {"reflex_s": 1e-12}}, {"coordinate_forces/sinew/laws/0": LATE | {"reflex_s": 0.05}}),
    case("run-endless", "coordinate_forces/sinew/laws/0/period_s", {"coordinate_forces/sinew/laws/0": LATE | {"period_s": 1e-12}}, {"coordinate_forces/sinew/laws/0": LATE | {"period_s": 0.01}}),
    case("actuator-period", "coordinate_forces/sinew/laws/0/period_s", {"coordinate_forces/sinew/laws/0": LATE | {"period_s": 1.0}}, {"coordinate_forces/sinew/laws/0": LATE | {"period_s": 0.01}}),
    case("motion-jumps", f"{CRASH}/1/pulse", {f"{CRASH}/1/quantity": "position", f"{CRASH}/1/pulse": pulse("half_sine", duration_s=0.05)}, {f"{CRASH}/1/quantity": "position", f"{CRASH}/1/pulse": pulse("haversine", duration_s=0.05)}),
    case("motion-jumps", f"{CRASH}/1/pulse", {f"{CRASH}/1/quantity": "position", f"{CRASH}/1/pulse": pulse("triangle")}, {f"{CRASH}/1/quantity": "position", f"{CRASH}/1/pulse": pulse("half_sine")}),
    case("motion-jumps", f"{CRASH}/1/pulse", {f"{CRASH}/1/pulse": pulse("trapezoid", rise_ratio=0.0, start_s=0.02, duration_s=0.08)}, {f"{CRASH}/1/pulse": pulse("trapezoid", rise_ratio=0.0)}),
    case("driver-jumps", "frame_drivers/reach/after", HELD_AFTER, HELD_AFTER | {"frame_drivers/reach/quantity": "velocity"}),
    case("driver-jumps", "drivers/step/before", {"drivers/step/before": "held", "drivers/step/from_s": 0.01, "drivers/step/quantity": "velocity"}, {"drivers/step/before": "held", "drivers/step/from_s": 0.01}),
    case("driver-late", "drivers/step/from_s", 20.0, 0.02),
    case("driver-flat", "drivers/more/axis", {"drivers+": driver("wrist", "nutation")}, {"drivers+": driver("wrist", "precession")}),
    case("frame-driver-start", "frame_drivers/reach/start_value", 1.0, {"frame_drivers/reach/quantity": "velocity"}),
    case("frame-driver-start", "frame_drivers/reach/pulse", {"frame_drivers/reach/quantity": "position"}, {"frame_drivers/reach/quantity": "position", "frame_drivers/reach/from_s": 0.01}),
    case("frame-driver-flat", "frame_drivers/more/seen_from/frame", {"frame_drivers+": frame_driver(moved=FLAT, component="yaw")}, {"frame_drivers+": frame_driver(moved=FLAT, component="x")}),
    case("motion-jumps", f"{CRASH}/0/pulse", way("lines"), way("spline")),
    case("motion-jumps", f"{CRASH}/0/pulse", way("four_points"), way("spline_at_rest")),
    case("motion-jumps", f"{CRASH}/0/pulse", way("spline", 0.09), way("spline_at_rest", 0.09), also="pulse-short"),
    case("pulse-ramps", f"{CRASH}/1/pulse/fall_ratio", 0.8, 0.75),
    case("pulse-never", f"{CRASH}/1/pulse/start_s", 5.0, {f"{CRASH}/1/pulse": pulse("half_sine", duration_s=0.05, start_s=0.05)}),
    case("pulse-short", "loads/shove/history", table_edit([0.0, 0.05], [0.0, 1.0]), table_edit([0.0, 0.1], [0.0, 1.0])),
    case("pulse-short", "loads/shove/history", table_edit([0.0, 0.05], [0.0, 1.0]), table_edit([0.0, 0.05], [1.0, 0.0])),
    case("pulse-long", "loads/shove/history", table_edit([0.0, 0.5], [0.0, 1.0])),
    case("pulse-long", f"{CRASH}/1/pulse/duration_s", 0.5, 0.05),
]  # fmt: skip

CURVES = [
    case("curve-lengths", "functions/push/form/y", [0.0], [0.0, 2.0]),
    case("curve-empty", "functions/push/form/x", table_edit([], []), {"functions/push/form": {"kind": "constant", "value": 1.0}}),
    case("curve-falls-back", "functions/push/form/x", [0.2, 0.1], [0.0, 0.1]),
    case("curve-equal-x", "functions/push/form/x", [0.1, 0.1], [0.0, 0.1]),
    case("polynomial-range", "functions/slide_force/form/x_max", -1.0, 2.0),
    case("wave-long", "functions/push/form/x_max", waving(omega=1e9), waving(omega=2e5)),
    case("wave-large", "functions/push/form/growth", waving(growth=400.0), waving(growth=300.0)),
    case("excitation-of-time", "functions/slide_force/x_unit", {"functions/slide_force/form": sweeping()["functions/push/form"]}, {"functions/slide_force/form": {"kind": "constant", "value": 1.0}}),
    case("excitation-long", "functions/push/form/duration_s", sweeping(to_hz=90000.0), sweeping(to_hz=80000.0)),
    case("excitation-ease", "functions/push/form/ease_s", sweeping(ease_s=0.06), sweeping(ease_s=0.05)),
    case("random-density", "functions/push/form/density", swinging(density_hz=[1.0, 9.0], density=[1.0]), swinging(density_hz=[1.0, 9.0], density=[1.0, 2.0])),
    case("random-density", "functions/push/form/density", swinging(density_hz=[9.0, 1.0], density=[1.0, 1.0]), swinging()),
    case("random-band", "functions/push/form/line_hz", swinging(low_hz=10.2, high_hz=10.8), swinging(low_hz=10.2, high_hz=11.0)),
    case("random-band", "functions/push/form/line_hz", swinging(line_hz=0.001), swinging(line_hz=0.1)),
    case("random-crest", "functions/push/form/crest", swinging(crest=30.0), swinging(crest=3.95)),
    case("split-outside", "functions/padded/form/split", 0.2, 0.03),
    case("split-outside", "functions/padded/form/split", -0.1, 0.01, also="law-at-zero law-falls law-starts-late"),
    case("function-unused", "functions/spare", {"functions+": table("spare", "m", "N", [0.0], [1.0])}),
    case("plane-untouched", "planes/shelf", {"planes+": {"id": "shelf", "placement": {"kind": "frame"}}}),
    case("law-unused", "contact_laws/spare", {"contact_laws+": {"kind": "kelvin_voigt", "id": "spare", "stiffness_n_per_m": 5.0}}),
    case("law-at-zero", "contact_laws/pad/base", {"functions/pad_force/form/y": [5.0, 100.0]}, {"functions/pad_force/form/y": [0.0, 100.0]}),
    case("law-starts-late", "contact_laws/pad/base", {"functions/pad_force/form": {"kind": "table", "x": [0.01, 0.1], "y": [5.0, 100.0]}}, {"functions/pad_force/form": {"kind": "table", "x": [0.01, 0.1], "y": [0.0, 100.0]}}),
    case("law-negative", "contact_laws/pad/base", {"functions/pad_force/form": {"kind": "table", "x": [0.0, 0.05, 0.1], "y": [0.0, -5.0, 100.0]}}, also="law-returns-other"),
    case("unloading-printed", "contact_laws/pad/unloading_law", "printed", "conserving"),
    case("law-returns-other", "contact_laws/pad/energy_ratio", 0.2, 0.45),
    case("law-unbounded", "contact_laws/struck/least_impact_speed_m_per_s", {"contact_laws+": STRUCK | {"least_impact_speed_m_per_s": 0.0}}, {"contact_laws+": STRUCK}, also="law-unused"),
    case("law-gains", "contact_laws/pad/energy_ratio", {"functions/pad_force/form": {"kind": "table", "x": [0.0, 0.09, 0.1], "y": [0.0, 1.0, 100.0]}}, {"functions/pad_force/form": {"kind": "table", "x": [0.0, 0.1], "y": [0.0, 100.0]}}, also="law-returns-other"),
    # sound at its corners, not between them
    case("law-gains", "contact_laws/pad/energy_ratio", {"functions/pad_force/form": {"kind": "table", "x": [0.0, 0.05, 0.1], "y": [0.0, 10.0, 1000.0]}, "contact_laws/pad/energy_ratio": 0.53, "contact_laws/pad/offset_ratio": 0.6}, {"functions/pad_force/form": {"kind": "table", "x": [0.0, 0.1], "y": [0.0, 100.0]}}, also="law-returns-other"),
    case("law-falls", "contact_laws/pad/base", {"functions/pad_force/form": {"kind": "table", "x": [0.0, 0.05, 0.1], "y": [0.0, 50.0, 10.0]}}, {"functions/pad_force/form": {"kind": "table", "x": [0.0, 0.05, 0.1], "y": [0.0, 50.0, 50.0]}}, also="law-returns-other"),
    case("law-never-pushes", "joints/waist/globographic/torque", {"functions/stop_torque/form/y": [0.0, 0.0]}),
    case("ratio-range", "contact_laws/pad/energy_ratio", 1.5, 1.0),
    case("ratio-range", "contact_laws/web/offset_ratio", {"functions+": table("g", "1", "1", [0.0, 1.0], [0.0, 1.2]), "contact_laws/web/offset_ratio": "g"}, {"functions+": table("g", "1", "1", [0.0, 1.0], [0.0, 0.9]), "contact_laws/web/offset_ratio": "g"}),
    case("friction-negative", "contact_laws/stiff/friction", -0.1, 0.1),
    case("friction-negative", f"{SHOULDER}/points/2/friction_along", -0.1, 0.1),
    case("friction-negative", "tyres/roller/friction", -0.1, 0.0),
    case("friction-negative", "tyres/roller/friction", {"functions+": table("ice", "m", "1", [0.0, 10.0], [0.5, -0.1]), "tyres/roller/friction": "ice"}, {"functions+": table("ice", "m", "1", [0.0, 10.0], [0.5, 0.1]), "tyres/roller/friction": "ice"}),
    case("temperature-range", "airbags/bag/inflator/temperature", flow(1.0) | {"airbags/bag/inflator/temperature": -20.0}, flow(1.0)),
    case("flow-negative", "airbags/bag/inflator/flow", flow(-1.0), flow(1.0)),
    case("contour-range", "joints/waist/globographic/contour/coefficients", [1.0, 2.0], [1.0, 0.5]),
    case("contour-range", "joints/waist/globographic/contour/angle", {"functions+": table("rim", "rad", "rad", [0.0, 6.0], [1.0, 4.0]), "joints/waist/globographic/contour": {"kind": "function", "angle": "rim"}}, {"functions+": table("rim", "rad", "rad", [0.0, 6.0], [1.0, math.pi]), "joints/waist/globographic/contour": {"kind": "function", "angle": "rim"}}),
    case("ramp-tiny", "joints/waist/friction/full_rate_rad_per_s", {"joints/waist/friction": {"coulomb_nm": 1.0, "full_rate_rad_per_s": 1e-6}}, {"joints/waist/friction": {"full_rate_rad_per_s": 1e-6}}),
    case("ramp-tiny", "joints/waist/friction/full_rate_rad_per_s", {"joints/waist/friction": {"coefficient": 1.0, "radius_m": 0.01, "full_rate_rad_per_s": 1e-6}}),
    case("ramp-tiny", "joints/hip/slide/full_rate_m_per_s", {"joints/hip/slide": {"force": "slide_force", "coulomb_n": 1.0, "full_rate_m_per_s": 1e-7}}),
    case("ramp-tiny", "contact_laws/stiff/friction_ramp_m_per_s", {"contact_laws/stiff/friction": 0.5, "contact_laws/stiff/friction_ramp_m_per_s": 1e-7}),
    case("friction-idle", "contact_laws/stiff/static_friction_ratio", {"contact_laws/stiff/friction": 0.5, "contact_laws/stiff/static_friction_ratio": 1.5}, {"contact_laws/stiff/friction": 0.5, "contact_laws/stiff/friction_law": "bristle", "contact_laws/stiff/static_friction_ratio": 1.5}),
    case("restitution-idle", "contact_laws/stiff/restitution_law", "poisson", {"contact_laws/stiff/restitution_law": "poisson", "contact_laws/stiff/restitution": 0.5}),
    case("restitution-idle", "contact_laws/stiff/restitution", {"contact_laws/stiff/restitution_law": "poisson", "contact_laws/stiff/restitution": -0.5}),
    case("friction-idle", "airbags/bag/friction_damping_ratio", {"airbags/bag/friction": 0.5, "airbags/bag/friction_damping_ratio": 0.5}),
    case("ramp-tiny", "airbags/bag/friction_ramp_m_per_s", {"airbags/bag/friction": 0.5, "airbags/bag/friction_ramp_m_per_s": 1e-7}),
]  # fmt: skip

BODIES = [
    case("inertia-triangle", "segments/box/inertia_kgm2", [0.1, 0.1, 0.3], [0.1, 0.1, 0.2]),
    case("inertia-triangle", "segments/box/inertia_kgm2", [0.1, 0.1, 0.201], [0.1, 0.1, 0.2]),
    case("inertia-negative", "segments/box/products_kgm2", [0.0, 0.0, 0.15], [0.0, 0.0, 0.03]),
    case("mass-huge", "segments/box/mass_kg", 1e7, 20.0),
    case("density", "segments/box/mass_kg", 1e4, 20.0),
    case("mass-missing", "segments/hand/mass_kg", {"segments/hand/mass_kg": 0.0, "segments/hand/inertia_kgm2": [0.0, 0.0, 0.0]}, {"segments/toe/mass_kg": 0.0, "segments/toe/inertia_kgm2": [0.0, 0.0, 0.0]}),
    case("inertia-missing", "segments/hand/inertia_kgm2", [0.0, 0.0, 0.0], [0.1, 0.1, 0.1]),
    case("massless-held", "segments/neck", {"segments/neck/mass_kg": 0.0, "segments/neck/inertia_kgm2": [0.0, 0.0, 0.0]}),
    case("massless-inside", "segments/leg", {"segments/leg/mass_kg": 0.0, "segments/leg/inertia_kgm2": [0.0, 0.0, 0.0]}),
    case("plane-degenerate", CORNERS, corners([1.0, 0.0, 0.0], [2.0, 0.0, 0.0]), corners([1.0, 0.0, 0.0], [0.0, 2.0, 0.0])),
    case("plane-ends-idle", "planes/dash/ends", {"planes/dash/ends": "first", "planes/dash/bounded": False}, {"planes/dash/ends": "first", "planes/dash/bounded": True}),
    case("plane-oblique", CORNERS, corners([1.0, 0.0, 0.0], [1.0, 1.0, 0.0]), corners([1.0, 0.0, 0.0], [1.0, 1.0, 0.0], bounded=False)),
    case("gravity-large", "gravity_m_per_s2", [0.0, 0.0, 981.0], [0.0, 0.0, 9.81]),
    case("gravity-none", "gravity_m_per_s2", [0.0, 0.0, 0.0], [0.0, 0.0, 1.62]),
    case("tree-loose", "segments/extra", {"segments+": LOOSE}, {"segments+": LOOSE, "initial/roots+": {"segment": "extra", "position_m": [0.0, 3.0, -1.0]}}),
]  # fmt: skip

MASS = {
    "id": "m",
    "path": "segments/head/mass_kg",
    "spread": {"kind": "uniform", "low": 4.0, "high": 5.0},
}
FELT = {"kind": "channel", "id": "peak", "quantity": "head_acc_x"}
RIDE = {"kind": "ride", "id": "peak", "quantity": "head_acc_x"}


def asks(kind: str = "grid", **more: Any) -> Edits:
    """A study, with what is given in place of its usual parts."""
    whole = {"id": "ask", "kind": kind, "parameters": [MASS], "responses": [FELT]} | more
    return {"studies+": whole}


def varies(**more: Any) -> Edits:
    return asks(parameters=[MASS | more])


def assumes(**more: Any) -> Edits:
    whole = {
        "id": "it",
        "path": "segments/head/mass_kg",
        "low": 1.0,
        "high": 20.0,
        "source": "seen",
    }
    return {"assumed+": whole | more}


def spreads(kind: str, study: str = "grid", **more: Any) -> Edits:
    return asks(study, parameters=[MASS | {"spread": {"kind": kind, **more}}])


def wants(**more: Any) -> Edits:
    return asks(responses=[FELT | more])


def formulas(*texts: str) -> Edits:
    made = [{"kind": "formula", "id": f"f{n}", "formula": text} for n, text in enumerate(texts)]
    return asks(responses=[FELT, *made])


def fits(changes: Any = (), **more: Any) -> Edits:
    target = {"quantity": "head_acc_x", "reference": "pulse"} | more
    return asks("fit", tests=[{"id": "sled", "changes": list(changes), "targets": [target]}])


ASK = "studies/ask"
STUDIES = [
    case("unknown-run", f"{ASK}/run", asks(run="mian"), asks(run="main")),
    case("study-empty", f"{ASK}/parameters", asks(parameters=[]), asks()),
    case("study-empty", f"{ASK}/responses", asks(responses=[]), asks(responses=[], curves=["head_acc_x"])),
    case("study-empty", f"{ASK}/tests", asks("fit"), fits()),
    case("study-empty", f"{ASK}/parameters", {"studies+": fits()["studies+"] | {"parameters": [MASS | {"basis": "validated"}]}}, fits()),
    case("study-name-twice", f"{ASK}/parameters/m/id", wants(id="m"), wants(id="n")),
    case("study-name-twice", f"{ASK}/parameters/max/id", varies(id="max"), varies(id="most")),
    case("study-name-twice", f"{ASK}/tests/a/id", asks("fit", tests=[{"id": "a", "targets": [{"quantity": "head_acc_x", "reference": "pulse"}]}] * 2), fits()),
    case("study-path", f"{ASK}/parameters/m/path", varies(path="segments/haed/mass_kg"), varies()),
    case("study-path", f"{ASK}/parameters/m/path", varies(path="segments/head/name"), varies(path="segments/head/inertia_kgm2/0", spread={"kind": "uniform", "low": 0.1, "high": 0.12})),
    case("study-path", f"{ASK}/parameters/m/path", varies(path="segments/head")),
    case("study-path", f"{ASK}/parameters/m/path", varies(path="functions/pad_force/form/y"), varies(path="functions/pad_force/form/y", is_factor=True)),
    case("study-path", f"{ASK}/parameters/m/path", varies(path="springs/spring/rest_length_m")),
    case("study-path", f"{ASK}/parameters/m/path", varies(path="studies/ask/levels")),
    case("study-path", f"{ASK}/tests/sled/changes/0", fits([{"path": "segments/haed/mass_kg", "value": 4.0}]), fits([{"path": "segments/head/mass_kg", "value": 4.0}])),
    case("study-path-twice", f"{ASK}/parameters/n/path", asks(parameters=[MASS, MASS | {"id": "n"}]), asks(parameters=[MASS, MASS | {"id": "n", "path": "segments/torso/mass_kg"}])),
    case("study-path", f"{ASK}/parameters/m/along/0", varies(along=["segments/haed/mass_kg"]), varies(along=["segments/torso/mass_kg"])),
    case("assumed-path", "assumed/it/path", assumes(path="segments/haed/mass_kg"), assumes()),
    case("assumed-path", "assumed/it/along/0", assumes(along=["segments/head/name"]), assumes(along=["segments/torso/mass_kg", "functions/pad_force/form/y"])),
    case("assumed-path-twice", "assumed/it/path", assumes(along=["segments/head/mass_kg"]), assumes()),
    case("assumed-range", "assumed/it/high", assumes(low=5.0, high=5.0), assumes()),
    case("assumed-range", "assumed/it/high", assumes(low=-1.0), assumes(low=0.1)),
    case("assumed-range", "assumed/it/low", assumes(low=40.0, high=50.0), assumes()),
    case("assumed-range", "assumed/it/low", assumes(is_factor=True, low=0.0, high=2.0), assumes(is_factor=True, low=0.5, high=2.0)),
    case("assumed-source", "assumed/it/source", assumes(source=" "), assumes()),
    case("study-range", f"{ASK}/parameters/m/spread/high", spreads("uniform", low=5.0, high=5.0), spreads("uniform", low=5.0, high=5.1)),
    case("study-range", f"{ASK}/parameters/m/spread/mode", spreads("triangular", low=4.0, mode=5.5, high=5.0), spreads("triangular", low=4.0, mode=5.0, high=5.0)),
    case("study-range", f"{ASK}/parameters/m/spread", spreads("uniform", low=-1.0, high=5.0), spreads("uniform", low=1.0, high=5.0)),
    case("study-range", f"{ASK}/parameters/m/spread", spreads("normal", "sample", mean=-4.0, deviation=0.1), spreads("normal", "sample", mean=4.0, deviation=0.1)),
    case("study-range", f"{ASK}/responses/peak/at_most", wants(at_least=3.0, at_most=2.0), wants(at_least=2.0, at_most=2.0)),
    case("study-ends", f"{ASK}/parameters/m/spread", spreads("normal", mean=4.0, deviation=0.1), spreads("normal", "sobol", mean=4.0, deviation=0.1)),
    case("study-ends", f"{ASK}/parameters/m/spread", spreads("lognormal", "morris", median=4.0, log_deviation=0.1), spreads("truncated_normal", "morris", mean=4.0, deviation=0.1, low=3.0, high=5.0)),
    case("study-formula", f"{ASK}/responses/f0/formula", formulas("peak +"), formulas("peak + m")),
    case("study-formula", f"{ASK}/responses/f0/formula", formulas("paek / 2"), formulas("peak / 2")),
    case("study-formula-circle", f"{ASK}/responses/f0/formula", formulas("f0 + peak"), formulas("peak", "f0 + 1")),
    case("study-quantity", f"{ASK}/responses/peak/quantity", wants(quantity="haed_acc_x"), wants(quantity="head_acc_resultant")),
    case("study-quantity", f"{ASK}/responses/peak/quantity", wants(quantity="segments/haed/velocity/x"), wants(quantity="segments/head[0,0,0.1]/velocity/x")),
    case("study-quantity", f"{ASK}/curves/0", asks(curves=["haed_acc_x"]), asks(curves=["head_acc_x"])),
    case("study-quantity", f"{ASK}/tests/sled/targets/0/quantity", fits(quantity="haed_acc_x"), fits()),
    case("study-quantity", f"{ASK}/responses/peak/figure", asks(responses=[{"kind": "injury", "id": "peak", "figure": "head_acc"}]), asks(responses=[{"kind": "injury", "id": "peak", "figure": "hic"}])),
    case("study-option", f"{ASK}/responses/peak/time_s", wants(take="at"), wants(take="at", time_s=0.05)),
    case("study-option", f"{ASK}/responses/peak/time_s", wants(time_s=0.05), wants(from_s=0.05)),
    case("study-option", f"{ASK}/responses/peak/take", wants(take="last", until_s=0.05), wants(take="mean", until_s=0.05)),
    case("study-option", f"{ASK}/responses/peak/until_s", wants(from_s=0.05, until_s=0.05), wants(from_s=0.05, until_s=0.06)),
    case("study-option", f"{ASK}/responses/peak/reference", asks(responses=[{"kind": "rating", "id": "peak", "quantity": "head_acc_x", "reference": "pad_force"}]), asks(responses=[{"kind": "rating", "id": "peak", "quantity": "head_acc_x", "reference": "pulse"}])),
    case("study-option", f"{ASK}/responses/peak/until_s", asks(responses=[RIDE | {"from_s": 0.05, "until_s": 0.05}]), asks(responses=[RIDE | {"from_s": 0.05, "until_s": 0.06}])),
    case("study-option", f"{ASK}/tests/sled/targets/0/reference", fits(reference="pad_force"), fits()),
    case("study-option", f"{ASK}/tests/sled/targets/0/until_s", fits(from_s=0.05, until_s=0.05), fits(from_s=0.05, until_s=0.06)),
    case("study-option", f"{ASK}/strong_ratio", asks("local", weak_ratio=0.2), asks("local", weak_ratio=0.1)),
    case("study-option", f"{ASK}/levels", asks("morris", levels=5), asks("morris", levels=6)),
    case("study-option", "studies/lead/run", leading(run="main"), leading()),
    case("study-size", f"{ASK}/runs", asks("sample", drawing="sobol", runs=100), asks("sample", drawing="sobol", runs=128)),
    case("study-size", f"{ASK}/base_runs", asks("sobol", base_runs=100), asks("sobol", base_runs=128)),
    case("study-size", f"{ASK}/levels", asks(levels=1001, parameters=[MASS, MASS | {"id": "n", "path": "segments/torso/mass_kg"}]), asks(levels=1000, parameters=[MASS, MASS | {"id": "n", "path": "segments/torso/mass_kg"}])),
    case("study-goal", f"{ASK}/responses", asks("optimum"), asks("optimum", responses=[FELT | {"goal": "minimise"}])),
]  # fmt: skip

FRAMES = [
    case("mesh-packed", "meshes/scan/packed", "eJw=", SCAN),
    case("frame-cycle", "frames/bench/relative_to", {"frames/bench/segment": "ground", "frames/bench/relative_to": "skewed"}, {"frames/bench/segment": "ground"}),
    case("frame-carrier", "frames/skewed/segment", "sled", "ground"),
    case("frame-flat", "frames/skewed/between_rad", [1.4, 1.2, 2.6], [1.4, 1.2, 2.5]),
    case("frame-flat", "frames/skewed/between_rad", [1.4, 1.2, -1.5]),
    case("frame-name", "frames/sled/id", {"frames/skewed/id": "sled"}, {"frames/skewed/id": "sledge"}),
    case("unit-unknown", "unit_systems/shop/units", ["mm", "ton"], ["mm", "t"]),
    case("unit-unknown", "unit_systems/shop/units", ["mm", "in"], ["12.5*in", "lbf"]),
    case("unit-system-name", "unit_systems/metric/id", {"unit_systems/shop/id": "metric"}, {"unit_systems/shop/id": "mine"}),
    case("output-frame", "outputs/head_turn/relative_to", {"outputs/head_turn/frame": "bench", "outputs/head_turn/relative_to": "torso"}, {"outputs/head_turn/frame": "bench"}),
    case("output-frame", "outputs/waist_load/frame", "bench", {"outputs/waist_load/frame": "bench", "outputs/waist_load/quantity": "force"}),
    case("injury-frame", "outputs/hic/output", {"outputs+": {"kind": "point", "id": "seen", "segment": "head", "frame": "bench"}, "outputs/hic/output": "seen"}, {"outputs+": {"kind": "point", "id": "seen", "segment": "head"}, "outputs/hic/output": "seen"}),
    case("trigger-frame", "harnesses/harness/straps/shoulder/start_device/pretensioner/trigger/output", {"outputs+": {"kind": "point", "id": "seen", "segment": "head", "frame": "bench"}, "harnesses/harness/straps/shoulder/start_device/pretensioner/trigger/output": "seen"}, {"outputs+": {"kind": "point", "id": "seen", "segment": "head"}, "harnesses/harness/straps/shoulder/start_device/pretensioner/trigger/output": "seen"}),
]  # fmt: skip

CASES = [
    *FRAMES,
    *IDS,
    *TREES,
    *BEAMS,
    *START,
    *JOINTS,
    *CONTACTS,
    *COORDINATES,
    *LINKS,
    *CLOSURES,
    *MODAL,
    *BELTS,
    *AIRBAGS,
    *OUTPUTS,
    *CURVES,
    *BODIES,
    *STUDIES,
]
