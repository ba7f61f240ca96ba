"""A model that uses nearly everything and has no problem at all, and a way to change it."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from solver.project import Project, validated
from solver.project.segments import pack

Data = dict[str, Any]
REMOVED = object()


def body(name: str, mass: float, radius: float, **more: Any) -> Data:
    """Give a segment with one round surface 'skin'."""
    inertia = 0.4 * mass * radius**2
    skin = {"kind": "ellipsoid", "id": "skin", "semi_axes_m": [radius] * 3}
    return {
        "id": name,
        "mass_kg": mass,
        "inertia_kgm2": [inertia] * 3,
        "surfaces": [skin],
        **more,
    }


def joint(name: str, kind: str, parent: str, child: str, up: Any, down: Any, **more: Any) -> Data:
    return {
        "kind": kind,
        "id": name,
        "parent": parent,
        "child": child,
        "parent_frame": {"position_m": up},
        "child_frame": {"position_m": down},
        **more,
    }


def table(name: str, x_unit: str, y_unit: str, x: list[float], y: list[float]) -> Data:
    form = {"kind": "table", "x": x, "y": y}
    return {"id": name, "x_unit": x_unit, "y_unit": y_unit, "form": form}


def on(segment: str, surface: str = "skin") -> Data:
    return {"segment": segment, "surface": surface}


def at(segment: str, *position: float) -> Data:
    return {"segment": segment, "position_m": list(position or (0.0, 0.0, 0.0))}


FLOOR = {"kind": "points", "p1_m": [-5.0, -5.0, 0.0], "p2_m": [-5.0, 5.0, 0.0], "p3_m": [5.0, -5.0, 0.0]}  # fmt: skip
UNIT = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
HALF = [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5]]


def _segments() -> list[Data]:
    box = body("box", 10.0, 0.15)
    box["surfaces"][0] |= {"kind": "hyperellipsoid", "powers": [4.0, 6.0, 8.0]}
    return [
        body("sled", 500.0, 0.2),
        body("pelvis", 12.0, 0.12),
        body("torso", 25.0, 0.2),
        body("neck", 1.5, 0.06),
        body("head", 4.5, 0.1),
        body("arm_l", 2.0, 0.07, mirror="arm_r"),
        body("arm_r", 2.0, 0.07, mirror="arm_l"),
        body("hand", 0.6, 0.05),
        body("leg", 8.0, 0.1),
        body("foot", 1.2, 0.06),
        body("toe", 0.2, 0.03),
        box,
        body("roller", 5.0, 0.1),
    ]


def _joints() -> list[Data]:
    return [
        joint("waist", "ball", "pelvis", "torso", [0.0, 0.0, -0.2], [0.0, 0.0, 0.2]),
        joint("low", "ball", "torso", "neck", [0.0, 0.0, -0.25], [0.0, 0.0, 0.05]),
        joint("high", "ball", "neck", "head", [0.0, 0.0, -0.05], [0.0, 0.0, 0.15]),
        joint("shoulder_l", "pin", "torso", "arm_l", [0.0, 0.3, -0.2], [0.0, 0.0, -0.15]),
        joint("shoulder_r", "pin", "torso", "arm_r", [0.0, -0.3, -0.2], [0.0, 0.0, -0.15]),
        joint("wrist", "euler", "arm_l", "hand", [0.0, 0.0, 0.15], [0.0, 0.0, -0.05]),
        joint("hip", "slip", "pelvis", "leg", [0.0, 0.1, 0.1], [0.0, 0.0, -0.2], rotation="ball"),
        joint("ankle", "universal", "leg", "foot", [0.0, 0.0, 0.2], [0.0, 0.0, -0.05]),
        joint("toes", "locked", "foot", "toe", [0.08, 0.0, 0.0], [-0.03, 0.0, 0.0]),
    ]


def _functions() -> list[Data]:
    return [
        table("pad_force", "m", "N", [0.0, 0.1], [0.0, 1000.0]),
        table("catch_force", "m", "N", [0.0, 0.1], [0.0, 500.0]),
        table("web_force", "1", "N", [0.0, 0.1], [0.0, 8000.0]),
        table("pulse", "s", "m/s2", [0.0, 0.05, 0.1], [0.0, -100.0, 0.0]),
        table("push", "s", "N", [0.0, 0.1], [0.0, 10.0]),
        table("stop_torque", "rad", "N*m", [0.0, 0.5], [0.0, 100.0]),
        table("damper", "m/s", "N", [-1.0, 0.0, 1.0], [-50.0, 0.0, 50.0]),
        table("limiter_force", "m", "N", [0.0, 0.1], [0.0, 1000.0]),
        table("stroke", "s", "m", [0.0, 0.01], [0.0, 0.1]),
        {
            "id": "slide_force",
            "x_unit": "m",
            "y_unit": "N",
            "form": {"kind": "polynomial", "coefficients": [0.0, 500.0], "x_min": -1.0, "x_max": 1.0},
        },
        {
            "id": "padded",
            "x_unit": "m",
            "y_unit": "N",
            "form": {
                "kind": "two_ranges",
                "split": 0.02,
                "first": {"kind": "polynomial", "coefficients": [0.0, 1000.0], "x_max": 0.02},
                "second": {"kind": "table", "x": [0.02, 0.1], "y": [20.0, 900.0]},
            },
        },
    ]  # fmt: skip


def _laws() -> list[Data]:
    return [
        {
            "kind": "hysteretic",
            "id": "pad",
            "base": "pad_force",
            "energy_ratio": 0.5,
            "offset_ratio": 0.4,
        },
        {"kind": "damped", "id": "soft", "base": "padded", "damping_ns_per_m": 10.0},
        {"kind": "kelvin_voigt", "id": "stiff", "stiffness_n_per_m": 1e5},
        {"kind": "webbing", "id": "web", "base": "web_force"},
    ]


def _contacts() -> list[Data]:
    return [
        {"kind": "plane", "id": "foot_floor", "plane": "floor", "surface": on("foot"), "law": "pad"},
        {"kind": "plane", "id": "foot_dash", "plane": "dash", "surface": on("foot"), "law": "pad"},
        {"kind": "surfaces", "id": "head_sled", "first": on("head"), "second": on("sled"), "law": "soft"},
        {"kind": "surfaces", "id": "arm_box", "first": on("arm_r"), "second": on("box"), "law": "stiff"},
    ]  # fmt: skip


def _harness() -> Data:
    buckle = {"kind": "junction", "junction": "buckle", "position_m": [0.25, 0.1, -1.3]}
    device = {
        "retractor": {"lock_payout_m": 0.02},
        "pretensioner": {
            "trigger": {"kind": "channel", "output": "head_acc", "level": 50.0},
            "stroke": "stroke",
        },
        "load_limiter": {"force": "limiter_force"},
    }
    shoulder = {
        "id": "shoulder",
        "law": "web",
        "points": [
            {"kind": "anchor", **at("sled", -2.4, -0.3, -0.9)},
            {"kind": "ring", **at("torso", 0.05, -0.22, -0.2)},
            {"kind": "surface", "surface": on("torso"), "position_m": [0.2, 0.0, 0.0], "flesh": "pad"},
            buckle,
        ],
        "start_device": device,
    }  # fmt: skip
    lap = {"id": "lap", "law": "web", "points": [buckle, {"kind": "anchor", **at("sled", -2.0, 0.5, 0.0)}]}  # fmt: skip
    return {"id": "harness", "straps": [shoulder, lap]}


def _airbag() -> Data:
    return {
        "id": "bag",
        "panels": [on("sled")],
        "semi_axes_m": [0.2, 0.2, 0.2],
        "fabric_mass_kg": 0.3,
        "inflator": {
            "kind": "tank",
            "volume_m3": 0.01,
            "pressure_pa": 2e6,
            "throat_area_m2": 1e-4,
        },
        "vents": [{"area_m2": 1e-3}],
        "touches": [on("torso"), on("head")],
    }


def _links() -> Data:
    return {
        "springs": [
            {"kind": "linear", "id": "bungee", "a": at("pelvis"), "b": at("ground"), "stiffness_n_per_m": 100.0, "rest_length_m": 1.0},
            {"kind": "tabulated", "id": "strut", "a": at("box"), "b": at("sled"), "damping": "damper"},
            {"kind": "disc", "id": "pad", "a": {"segment": "ground", "frame": {"position_m": [3.0, 0.0, -1.05]}}, "b": {"segment": "box"}, "height_m": 0.05, "area_m2": 1e-3, "moment_y_m4": 1e-7, "moment_x_m4": 1e-7, "polar_m4": 2e-7, "elastic_pa": 1e4, "shear_pa": 4e3},
            {"kind": "bushing", "id": "mount", "a": {"segment": "box"}, "b": {"segment": "ground"}, "stiffness_n_per_m": [1.0, 1.0, 1.0]},
        ],
        "coordinate_forces": [
            {"id": "catch", "coordinate": {"kind": "joint", "joint": "hip", "axis": "slide"}, "laws": [
                {"kind": "stop", "lower": -0.1, "upper": 0.1, "above": "catch_force", "energy_ratio": 0.8},
                {"kind": "one_way_damper", "damping": 5.0, "growth": 1.0, "upper": 0.05},
                {"kind": "rate", "base": "slide_force"},
            ]},
            {"id": "sinew", "coordinate": {"kind": "distance", "a": at("box"), "b": at("ground", 3.0, 0.0, -1.8)}, "side": "above", "laws": [
                {"kind": "muscle", "stiffness": 10.0, "damping": 5.0, "activation": 0.5},
            ]},
            {"id": "absorber", "coordinate": {"kind": "distance", "a": at("box"), "b": at("ground", 3.0, 0.0, -1.8)}, "laws": [
                {"kind": "crush_tube", "section": {"kind": "tube", "diameter_m": 0.05, "wall_m": 0.002}, "length_m": 0.3, "elastic_pa": 7e8, "flow_pa": 2e6},
            ]},
            {"id": "bracket", "coordinate": {"kind": "angle", "a": {"segment": "ground"}, "b": {"segment": "box"}, "axis": "y"}, "laws": [
                {"kind": "plastic", "stiffness": 100.0, "limit": 5.0},
            ]},
        ],
        "tension_elements": [
            {"id": "rope", "a": at("box"), "b": at("ground"), "mass_a_kg": 0.1, "mass_b_kg": 0.1, "mass_ab_kg": 0.05, "stiffness_n_per_m": 100.0, "rest_length_m": 1.0}
        ],
        "constraints": [
            {"kind": "zero_distance", "id": "hook", "a": at("box", 0.0, 0.0, 0.2), "b": at("ground", 3.0, 0.0, -0.8)},
            {"kind": "fixed_distance", "id": "rod", "a": at("box"), "b": at("sled"), "distance_m": 1.0},
            {"kind": "roll_slide", "id": "roll", "surface": on("roller"), "plane": "floor"},
        ],
        "beams": [
            {"id": "mast", "section": {"kind": "tube", "diameter_m": 0.02, "wall_m": 0.002}, "elastic_pa": 7e10, "shear_pa": 2.6e10,
             "density_kg_per_m3": 2700.0, "length_m": 0.5, "pieces": 3, "start": {"segment": "box", "frame": {"position_m": [0.0, 0.0, -0.2]}}},
        ],
        "crash_frames": [
            {"id": "rail", "segment": "box", "elastic_pa": 7e10, "yield_pa": 2e8, "density_kg_per_m3": 2700.0,
             "nodes": [{"id": "root", "position_m": [0.0, 0.0, 0.0], "held": "fixed"}, {"id": "tip", "position_m": [0.5, 0.0, 0.0]}],
             "members": [{"id": "bar", "a": "root", "b": "tip", "section": {"kind": "tube", "diameter_m": 0.03, "wall_m": 0.002}}]},
        ],
        "flexible_elements": [
            {"id": "spine", "segments": ["torso", "neck", "head"], "bends": [{"linear": HALF}]}
        ],
        "modal_bodies": [
            {"id": "sole", "segment": "foot", "nodes": ["toes"], "shapes": {"kind": "beam", "frame": {"position_m": [0.06, 0.0, 0.0]}, "length_m": 0.1, "section": {"kind": "box", "width_m": 0.06, "height_m": 0.01, "wall_m": 0.002}, "elastic_pa": 1e9, "shear_pa": 4e8, "density_kg_per_m3": 1000.0, "bending_z": 1}}
        ],
        "symmetry": [{"kind": "mirror", "id": "arms", "first": "arm_l", "second": "arm_r"}],
    }  # fmt: skip


def _outputs() -> list[Data]:
    return [
        {"kind": "point", "id": "head_acc", "segment": "head", "cfc": 1000},
        {"kind": "rotation", "id": "head_turn", "segment": "head"},
        {"kind": "joint", "id": "waist_load", "joint": "waist"},
        {"kind": "element", "id": "bag_state", "of": "airbags", "element": "bag"},
        {"kind": "body", "id": "whole", "segments": ["pelvis", "torso"]},
        {"kind": "injury", "id": "hic", "criterion": "HIC15", "output": "head_acc"},
    ]


SCAN = pack(0.1 * np.eye(3), np.array([[0, 1, 2]]))


def _start() -> Data:
    return {
        "roots": [
            {"segment": "sled", "position_m": [2.0, 0.0, -1.0]},
            {"segment": "pelvis", "position_m": [0.0, 0.0, -1.0], "moves_with": "sled"},
            {"segment": "box", "position_m": [3.0, 0.0, -1.0], "relative_to": "ground"},
            {"segment": "roller", "position_m": [4.0, 0.0, -0.1]},
        ],
        "attitudes": [{"segment": "torso", "relative_to": "pelvis"}],
        "joints": [{"joint": "shoulder_l", "values": [0.1]}],
    }


@cache
def _base_text() -> str:
    vei = {"kind": "vei", "tests": [{"segment": "head", "vector": "angular_velocity", "magnitude": 1.0}]}  # fmt: skip
    data = {
        "format": "manikin-project",
        "schema_version": 4,
        "segments": _segments(),
        "joints": _joints(),
        "planes": [
            {"id": "floor", "placement": FLOOR},
            {"id": "dash", "segment": "sled", "placement": {"kind": "frame"}, "bounded": False},
        ],
        "functions": _functions(),
        "contact_laws": _laws(),
        "contacts": _contacts(),
        "belts": [
            {
                "id": "lap_belt",
                "anchor_a": at("sled", -2.3, -0.4, 0.2),
                "anchor_b": at("sled", -2.3, 0.4, 0.2),
                "surface": on("pelvis"),
                "fixed_point_m": [0.12, 0.0, 0.0],
                "law": "web",
            }
        ],
        "harnesses": [_harness()],
        "airbags": [_airbag()],
        **_links(),
        "motions": [
            {
                "id": "crash",
                "segment": "sled",
                "components": [
                    {"component": "x", "pulse": {"kind": "function", "function": "pulse"}},
                    {
                        "component": "pitch",
                        "quantity": "velocity",
                        "pulse": {"kind": "trapezoid", "amplitude": 0.1, "duration_s": 0.1},
                    },
                ],
            }
        ],
        "drivers": [
            {
                "id": "step",
                "joint": "ankle",
                "axis": "first",
                "quantity": "acceleration",
                "pulse": {"kind": "haversine", "amplitude": 5.0, "duration_s": 0.05},
            }
        ],
        "meshes": [{"id": "scan", "segment": "head", "packed": SCAN}],
        "frames": [
            {"id": "bench", "segment": "sled", "position_m": [0.1, 0.0, 0.2], "reversed": "y"},
            {"id": "skewed", "relative_to": "bench", "between_rad": [1.4, 1.2, 1.5]},
        ],
        "unit_systems": [{"id": "shop", "units": ["mm", "t", "s", "deg"]}],
        "markers": [{"id": "brow", "segment": "head", "point_m": [0.1, 0.0, 0.0]}],
        "frame_drivers": [
            {
                "id": "reach",
                "moved": {"segment": "hand"},
                "seen_from": {"segment": "torso"},
                "component": "y",
                "quantity": "acceleration",
                "pulse": {"kind": "haversine", "amplitude": 5.0, "duration_s": 0.05},
            }
        ],
        "tyres": [
            {
                "id": "roller",
                "wheel": "box",
                "roads": ["floor"],
                "radius_m": 0.1,
                "stiffness_n_per_m": 1e5,
                "cornering_n_per_rad": 1e3,
                "slip_stiffness_n": 1e3,
            }
        ],
        "winds": [
            {"id": "blast", "pressure_x": 100.0, "targets": [{"surface": on("hand")}]},
            {
                "id": "gale",
                "kind": "speed",
                "air_velocity_m_per_s": [10.0, 0.0, 0.0],
                "targets": [{"surface": on("head"), "shields": [on("torso")]}],
            },
        ],
        "loads": [
            {"id": "shove", "segment": "box", "history": "push"},
        ],
        "initial": _start(),
        "outputs": _outputs(),
        "runs": [
            {"id": "main", "duration_s": 0.1},
            {"id": "old", "duration_s": 0.1, "integrator": vei},
            {"id": "fast", "duration_s": 0.1, "integrator": {"kind": "rk4"}},
        ],
        "studies": [
            {
                "id": "seats",
                "kind": "sample",
                "parameters": [
                    {
                        "id": "seat",
                        "path": "segments/pelvis/mass_kg",
                        "spread": {"kind": "normal", "mean": 12.0, "deviation": 0.5},
                    }
                ],
                "responses": [{"kind": "channel", "id": "felt", "quantity": "energy/kinetic"}],
            }
        ],
        "assumed": [
            {
                "id": "torso_mass",
                "path": "segments/pelvis/mass_kg",
                "low": 10.0,
                "high": 14.0,
                "source": "assumed range",
            }
        ],
    }
    data["joints"][0]["globographic"] = {"contour": {"kind": "polynomial", "coefficients": [1.0, 0.1]}, "torque": "stop_torque"}  # fmt: skip
    data["joints"][6]["slide"] = {"force": "slide_force"}
    return json.dumps(data)


def base() -> Data:
    """Give the model as plain data, to be changed at will."""
    data: Data = json.loads(_base_text())
    return data


def changed(edits: Mapping[str, Any]) -> Project:
    """Give the model with values set by path; a path ending in '+' adds to a list."""
    data = base()
    for path, value in edits.items():
        put(data, path, value if value is REMOVED else copy.deepcopy(value))
    return _sharing(data, validated(data))


@cache
def _whole() -> tuple[Data, Project]:
    data = base()
    return data, validated(data)


def _sharing(data: Data, project: Project) -> Project:
    """Let what was not changed be the very parts of the whole model, as an editor leaves them."""
    before, whole = _whole()
    shared = dict[str, Any]()
    for name, now in data.items():
        was = before.get(name)
        if now == was:
            shared[name] = getattr(whole, name)
        elif isinstance(now, list) and isinstance(was, list):
            old, new = getattr(whole, name), getattr(project, name)
            shared[name] = tuple(
                old[i] if i < len(was) and now[i] == was[i] else one for i, one in enumerate(new)
            )
    return project.model_copy(
        update={name: value for name, value in shared.items() if name in Project.model_fields}
    )


def put(data: Data, path: str, value: Any) -> None:
    """Set, add or remove one value of plain data."""
    adds = path.endswith("+")
    words = path.rstrip("+").split("/")
    holder: Any = data
    for word in words[:-1]:
        holder = holder[_key(holder, word)]
    key = _key(holder, words[-1])
    if adds:
        if isinstance(holder, dict):
            holder[key] = holder[key] or []
        holder[key].append(value)
    elif value is REMOVED:
        del holder[key]
    else:
        holder[key] = value


def _key(holder: Any, word: str) -> Any:
    if isinstance(holder, dict):
        if word not in holder and isinstance(holder, dict):
            holder.setdefault(word, {})
        return word
    ids = [item.get("id") if isinstance(item, dict) else None for item in holder]
    return ids.index(word) if word in ids else int(word)
