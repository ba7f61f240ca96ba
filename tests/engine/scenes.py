"""Random scenes of everything that pushes and pulls, and the same scenes turned, moved and mirrored."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from solver.engine.dynamics.tree import Array
from tests.models import base

MIRROR = np.array([1.0, -1.0, 1.0])


def table(id_: str, x: list[float], y: list[float], units: tuple[str, str]) -> Any:
    return {"id": id_, "x_unit": units[0], "y_unit": units[1],
            "form": {"kind": "table", "x": x, "y": y}}  # fmt: skip


FUNCTIONS = [
    table("pad", [0.0, 0.02, 0.05, 0.4], [0.0, 300.0, 1500.0, 4e4], ("m", "N")),
    table("spike", [0.0, 0.01, 0.02], [0.0, 200.0, 0.0], ("m", "N")),
    table("gate", [-5.0, 0.0, 1.0, 5.0], [0.0, 0.0, 1.0, 0.5], ("m/s", "1")),
    table("drag", [-20.0, 0.0, 20.0], [-200.0, 0.0, 600.0], ("m/s", "N")),
    table("web", [0.0, 0.05, 1.0], [0.0, 400.0, 3e4], ("1", "N")),
    table("web_drag", [-50.0, 50.0], [-1e3, 1e3], ("1/s", "N")),
    table("slippery", [0.0, 0.1], [0.4, 0.1], ("m", "1")),
    table("push", [0.0, 0.05, 0.1, 1.0], [0.0, 40.0, -20.0, 0.0], ("s", "N")),
    table("twist", [0.0, 0.05, 0.1, 1.0], [0.0, 2.0, -1.0, 0.0], ("s", "N*m")),
]
LAWS: dict[str, dict[str, Any]] = {
    "hysteretic": {"base": "pad", "energy_ratio": 0.6, "offset_ratio": 0.2, "friction": 0.3},
    "spiked": {"kind": "hysteretic", "base": "pad", "spike": "spike", "energy_ratio": 0.4,
               "offset_ratio": 0.3, "friction": "slippery"},
    "elastic": {"kind": "hysteretic", "base": "pad"},
    "rate": {"base": "pad", "factor": "pad", "gate": "gate", "damping": "drag", "friction": 0.2},
    "damped": {"base": "pad", "damping_ns_per_m": 30.0, "friction": 0.5},
    "kelvin_voigt": {"stiffness_n_per_m": 2e4, "damping_ns_per_m": 30.0, "application_ratio": 0.5},
    "hunt_crossley": {"stiffness_n_per_mn": 2e5, "damping_s_per_m": 0.2, "friction": 0.3},
    "lankarani_nikravesh": {"stiffness_n_per_mn": 2e5, "loss_restitution": 0.6},
    "permanent_indentation": {"stiffness_n_per_mn": 2e5, "loss_restitution": 0.7, "friction": 0.1},
    "exponential_panel": {"force_n": 200.0, "growth_per_m": 30.0, "damping_ns_per_m": 20.0,
                          "application_ratio": 1.0, "friction": 0.2},
    "struck": {"kind": "kelvin_voigt", "stiffness_n_per_m": 2e4, "damping_ns_per_m": 10.0,
               "restitution": 0.4, "friction": 0.2},
}  # fmt: skip


def _vector(rng: np.random.Generator, size: float) -> list[float]:
    return list(rng.uniform(-size, size, 3))


def _skin(rng: np.random.Generator, id_: str, size: float, hyper: bool = True) -> Any:
    skin: dict[str, Any] = {
        "id": id_, "kind": "ellipsoid", "semi_axes_m": list(size * rng.uniform(0.6, 1.4, 3)),
        "centre_m": _vector(rng, 0.1 * size), "orientation": {"angles_rad": _vector(rng, 1.0)},
    }  # fmt: skip
    if hyper and rng.random() < 0.4:
        skin |= {"kind": "hyperellipsoid", "powers": list(rng.uniform(2.0, 8.0, 3))}
    return skin


def _ref(name: str, skin: str = "skin") -> dict[str, str]:
    return {"segment": name, "surface": skin}


def scene(seed: int, *, closed: bool = False, law: str | None = None) -> Any:
    """Give a scene of five bodies; a closed one has nothing that pushes from outside.

    Body a falls on a plate and is held by a belt, b and c strike each other, d is inside e; springs
    and a bushing join them; loads, wind and gravity act unless it is closed.
    """
    rng = np.random.default_rng(seed)
    names, laws = ("a", "b", "c", "d", "e"), list(LAWS)
    segments = [
        {
            "id": name, "mass_kg": m, "inertia_kgm2": list(0.01 * m * rng.uniform(0.8, 1.2, 3)),
            "principal_axes": {"angles_rad": _vector(rng, 0.5)},
            "surfaces": [_skin(rng, "skin", size, name in "abc")],
        }
        for name, m, size in zip(names, (3.0, 2.0, 1.5, 1.0, 4.0), (0.12, 0.1, 0.15, 0.05, 0.3), strict=True)
    ]  # fmt: skip
    # the plate that a falls on; on e or fixed
    carrier = "e" if closed else "ground"
    plate = {"id": "plate", "segment": carrier, "placement": {
        "kind": "frame", "length_m": 0.5, "width_m": 0.4,
        "frame": {"position_m": [0.0, 0.0, 0.35 if closed else 0.0]}}}  # fmt: skip
    start = {"a": [0.0, 0.1, 0.5], "b": [0.6, 0.0, 0.6], "c": [0.95, 0.05, 0.6],
             "d": [0.0, 0.0, 0.0], "e": [0.0, 0.0, 0.0]}  # fmt: skip
    shift = np.zeros(3) if closed else np.array([-1.0, 0.0, 0.5])
    speed = {"a": [0.3, 0.2, -2.0], "b": [2.0, 0.3, -0.2], "c": [-1.0, 0.0, 0.3],
             "d": [1.5, 0.5, -1.0], "e": [0.0, 0.0, 0.0]}  # fmt: skip
    roots = [
        {
            "segment": name,
            "position_m": list(
                np.array(start[name]) + rng.uniform(-0.03, 0.03, 3) * (name in "abc")
                + (shift if name in "de" else 0.0)
            ),
            "velocity_m_per_s": list(np.array(speed[name]) + rng.uniform(-0.5, 0.5, 3)),
        }
        for name in names
    ]  # fmt: skip
    attitudes = [
        {
            "segment": name,
            "orientation": {"angles_rad": _vector(rng, 0.1 if name == "e" else 1.0)},
            "angular_velocity_rad_per_s": _vector(rng, 1.0 if name == "e" else 6.0),
        }
        for name in names
    ]
    chosen = [law or laws[rng.integers(len(laws))] for _ in range(4)]
    contacts = [
        {"id": "on_plate", "kind": "plane", "plane": "plate", "surface": _ref("a"), "law": chosen[0],
         "edge": ["fade", "sharp", "none"][rng.integers(3)]},
        {"id": "pair", "kind": "surfaces", "first": _ref("b"), "second": _ref("c"), "law": chosen[1],
         "depth": ["centres", "normal"][rng.integers(2)]},
        {"id": "within", "kind": "surfaces", "first": _ref("d"), "second": _ref("e"),
         "law": chosen[2], "inside": True},
        {"id": "third", "kind": "surfaces", "first": _ref("c"), "second": _ref("a"), "law": chosen[3],
         "depth": "normal"},
    ]  # fmt: skip
    end = {"segment": carrier}
    springs = [
        {"id": "line", "kind": "linear", "a": {"segment": "b", "position_m": _vector(rng, 0.1)},
         "b": {"segment": "d", "position_m": _vector(rng, 0.03)}, "stiffness_n_per_m": 30.0,
         "stiffness_n_per_m2": 10.0, "damping_ns_per_m": 1.0, "damping_ns2_per_m2": 0.3,
         "tension_only": bool(rng.random() < 0.5)},
        {"id": "curved", "kind": "tabulated", "a": {"segment": "c", "position_m": _vector(rng, 0.1)},
         "b": end | {"position_m": [0.8, 0.0, 0.3]}, "force": "pad", "damping": "drag",
         "rest_length_m": 0.3, "tension_only": True},
        {"id": "bush", "kind": "bushing", "a": end | {"frame": {
            "position_m": [0.9, 0.0, 0.6], "orientation": {"angles_rad": _vector(rng, 0.5)}}},
         "b": {"segment": "c", "frame": {"orientation": {"angles_rad": _vector(rng, 0.5)}}},
         "stiffness_n_per_m": [40.0, 60.0, 20.0], "damping_ns_per_m": [1.0, 2.0, 0.5],
         "stiffness_nm_per_rad": [2.0, 1.0, 3.0], "damping_nms_per_rad": [0.1, 0.2, 0.1]},
    ]  # fmt: skip
    return base(
        duration=0.25, integrator={"kind": "dopri"}, segments=segments, planes=[plate],
        functions=copy.deepcopy(FUNCTIONS),
        contact_laws=[{"id": k, "kind": k} | v for k, v in LAWS.items()],
        contacts=contacts, springs=springs, initial={"roots": roots, "attitudes": attitudes},
        **({"gravity_m_per_s2": [0.0, 0.0, 0.0]} if closed else _outside(rng)),
    )  # fmt: skip


def _outside(rng: np.random.Generator) -> dict[str, Any]:
    """Give what acts from outside: gravity, loads and winds."""
    loads = [
        {"id": "force", "kind": "force", "segment": "b", "point_m": _vector(rng, 0.1),
         "direction": _vector(rng, 1.0), "axes": "ground", "history": "push"},
        {"id": "follower", "kind": "force", "segment": "c", "point_m": _vector(rng, 0.1),
         "direction": _vector(rng, 1.0), "axes": "segment", "history": "push"},
        {"id": "torque", "kind": "torque", "segment": "a", "direction": _vector(rng, 1.0),
         "axes": "ground", "history": "twist"},
        {"id": "turning", "kind": "torque", "segment": "d", "direction": _vector(rng, 1.0),
         "axes": "segment", "history": "twist"},
    ]  # fmt: skip
    targets = [{"surface": _ref("e"), "method": "whole"},
               {"surface": _ref("d"), "method": "outline", "shields": [_ref("e")]}]  # fmt: skip
    winds = [
        {"id": "gust", "kind": "pressure", "pressure_x": 100.0, "pressure_y": -30.0,
         "pressure_z": 20.0, "targets": targets},
        {"id": "breeze", "kind": "speed", "air_velocity_m_per_s": _vector(rng, 20.0),
         "targets": targets[:1]},
    ]  # fmt: skip
    return {"gravity_m_per_s2": [0.0, 0.0, -9.81], "loads": loads, "winds": winds}


def turned(data: Any, R: Array, shift: Array) -> Any:
    """Give a scene turned as a whole, and moved."""
    data = copy.deepcopy(data)

    def turn(v: Any) -> Any:
        return list(R @ np.array(v))

    def place(v: Any) -> Any:
        return list(R @ np.array(v) + shift)

    def attitude(holder: Any) -> None:
        angles = holder.get("angles_rad", [0.0] * 3)
        whole = R @ Rotation.from_euler("ZYX", angles).as_matrix()
        holder["angles_rad"] = list(Rotation.from_matrix(whole).as_euler("ZYX"))

    data["gravity_m_per_s2"] = turn(data["gravity_m_per_s2"])
    for root in data["initial"]["roots"]:
        root["position_m"] = place(root["position_m"])
        root["velocity_m_per_s"] = turn(root["velocity_m_per_s"])
    for start in data["initial"]["attitudes"]:
        attitude(start["orientation"])
    for plane in data["planes"]:
        if plane.get("segment", "ground") == "ground":
            _turn_frame(plane["placement"]["frame"], attitude, place)
    for spring in data.get("springs", ()):
        for side in ("a", "b"):
            end = spring[side]
            if end["segment"] == "ground" and "frame" in end:
                _turn_frame(end["frame"], attitude, place)
            elif end["segment"] == "ground":
                end["position_m"] = place(end.get("position_m", [0.0] * 3))
    for belt in data.get("belts", ()):
        for side in ("anchor_a", "anchor_b"):
            if belt[side]["segment"] == "ground":
                belt[side]["position_m"] = place(belt[side]["position_m"])
    for load in data.get("loads", ()):
        if load["axes"] == "ground":
            load["direction"] = turn(load["direction"])
    for wind in data.get("winds", ()):
        pressure = turn([wind.get(f"pressure_{axis}", 0.0) for axis in "xyz"])
        wind |= {f"pressure_{axis}": p for axis, p in zip("xyz", pressure, strict=True)}
        wind["air_velocity_m_per_s"] = turn(wind.get("air_velocity_m_per_s", [0.0] * 3))
    return data


def _turn_frame(frame: Any, attitude: Any, place: Any) -> None:
    frame["position_m"] = place(frame.get("position_m", [0.0] * 3))
    attitude(frame.setdefault("orientation", {}))


TRUE_VECTORS = {"position_m", "velocity_m_per_s", "gravity_m_per_s2", "centre_m", "point_m",
                "fixed_point_m", "air_velocity_m_per_s", "centre_offset_m", "deployment_point_m"}  # fmt: skip
"""Vectors that a mirror leaves as they are but for their y."""


def mirrored(data: Any) -> Any:
    """Give a scene as a mirror across the x-z plane shows it."""
    if isinstance(data, list):
        return [mirrored(v) for v in data]
    if not isinstance(data, dict):
        return data
    out = {}
    for name, value in data.items():
        if name in TRUE_VECTORS:
            out[name] = list(MIRROR * np.array(value))
        elif name in ("angles_rad", "angular_velocity_rad_per_s"):
            out[name] = list(-MIRROR * np.array(value))
        elif name == "direction":
            sign = -1.0 if data["kind"] == "torque" else 1.0
            out[name] = list(sign * MIRROR * np.array(value))
        elif name == "pressure_y":
            out[name] = -value
        else:
            out[name] = mirrored(value)
    return out
