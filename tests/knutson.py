"""Knutson's point-contact joint (seed 004, Table F.1): the model, and its motion by equations of its own.

The equations are those of the thesis in a compact form: five coordinates x1 to x5, Kane's partial velocities,
and the gyroscopic term that the thesis leaves out. Nothing of the engine is in them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

Array = NDArray[np.float64]

R_A, R_B = 0.0381, 0.00635
CENTRE = np.array([-0.1539, -0.0011, -0.0053])
"""From the mass centre of the rod to the centre of its ball, rod axes (m)."""
ON_ROD = np.array([
    [0.0905, 0.0480, 0.0265], [0.0917, 0.0029, -0.0543], [0.0898, -0.0437, 0.0234],
    [0.1286, 0.0466, 0.0249], [0.1303, 0.0028, -0.0521], [0.1299, -0.0436, 0.0243],
])  # fmt: skip
ON_GROUND = np.array([
    [-0.0754, -0.2767, 0.1616], [-0.0710, -0.0088, -0.3042], [-0.0800, 0.2790, 0.1471],
    [-0.1200, -0.2761, 0.1625], [-0.1152, -0.0080, -0.3043], [-0.1249, 0.2782, 0.1481],
])  # fmt: skip
FREE_LENGTH = np.array([0.064, 0.062, 0.062, 0.067, 0.062, 0.060])
STIFFNESS = np.array([13.257, 13.257, 13.999, 13.244, 13.438, 12.908])
MARKERS = np.array([
    [0.3082, 0.0394, 0.0072], [0.3441, 0.0015, 0.0072], [0.3082, -0.0367, 0.0072], [0.3281, 0.0015, 0.0273],
])  # fmt: skip
MASS = 0.1755
TENSOR = np.array([
    [7.1e-5, -1.9e-7, 2.3e-5], [-1.9e-7, 1.4e-3, 2.8e-6], [2.3e-5, 2.8e-6, 1.4e-3],
])  # fmt: skip
GRAVITY = np.array([9.81, 0.0, 0.0])
"""The first axis of the thesis points down."""
TRIAL_5 = np.radians([-20.5, 17.3, 186.5, 16.2, 2.7])


def about(axis: int, angle: float) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    R = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R[i, i] = R[j, j] = c
    R[j, i], R[i, j] = s, -s
    return R


def frames(x: Sequence[float] | Array) -> tuple[Array, Array, Array]:
    """Give the turn of the rod, the direction to the point of contact, and the five axes of the speeds."""
    R1 = about(2, x[0])
    R2 = R1 @ about(1, x[1])
    R3 = R2 @ about(2, x[2])
    R4 = R3 @ about(1, x[3])
    T = R4 @ about(0, x[4])
    return T, R2[:, 0], np.array([R1[:, 2], R2[:, 1], R3[:, 2], R4[:, 1], T[:, 0]])


def velocities(x: Array, point: Array) -> tuple[Array, Array]:
    """Give the partial velocities (3, 5) of a point of the rod (from the ball's centre, ground axes), and of its turn."""
    _, e, axes = frames(x)
    out = across(axes, point)
    out[:2] += (R_A - R_B) * across(axes[:2], e)
    return out.T, axes.T


def across(a: Array, b: Array) -> Array:
    """Give the cross product of each row with a vector, sooner than `np.cross` gives that of three numbers."""
    x, y, z = b
    return a @ np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def place(x: Array, point: Sequence[float] | Array) -> Array:
    """Give the place of a point of the rod, given from the ball's centre in rod axes."""
    T, e, _ = frames(x)
    return (R_A - R_B) * e + T @ np.asarray(point)


def rates(x: Array, u: Array, friction: float = 0.0, soft: float = 1e-5) -> tuple[Array, Array]:
    """Give the rates of the five speeds, and the force of the socket on the ball (ground axes)."""
    T, e, _ = frames(x)
    jv, jw = velocities(x, -T @ CENTRE)
    h = 1e-6
    ahead, behind = x + h * u, x - h * u
    (av, aw), (bv, bw) = (velocities(y, -frames(y)[0] @ CENTRE) for y in (ahead, behind))
    inertia = T @ TENSOR @ T.T
    w = jw @ u
    force = MASS * GRAVITY
    torque = np.zeros(3)
    for on, off, free, k in zip(ON_ROD, ON_GROUND, FREE_LENGTH, STIFFNESS, strict=True):
        way = place(x, on) - off
        pull = -k * (1.0 - free / np.linalg.norm(way)) * way
        force = force + pull
        torque = torque + np.cross(T @ (on + CENTRE), pull)
    drag = np.zeros(3)
    if friction:
        slip = velocities(x, R_B * e)[0] @ u
        drag = -friction * slip / max(float(np.linalg.norm(slip)), soft)
    load = jv.T @ force + jw.T @ torque + velocities(x, R_B * e)[0].T @ drag
    load = load - MASS * jv.T @ ((av - bv) @ u / (2 * h))
    load = load - jw.T @ (inertia @ ((aw - bw) @ u / (2 * h)) + np.cross(w, inertia @ w))
    mass = MASS * jv.T @ jv + jw.T @ inertia @ jw
    found = np.linalg.solve(mass, load)
    acc = jv @ found + (av - bv) @ u / (2 * h)
    return found, MASS * acc - force


def pressing(x: Array, u: Array, friction: float = 0.0) -> float:
    """Give the load of the socket along the normal; above zero it presses."""
    return float(-rates(x, u, friction)[1] @ frames(x)[1])


def equilibrium() -> Array:
    start = np.radians([4.0, -6.0, 176.0, -5.0, 1.0])
    return np.asarray(fsolve(lambda x: rates(x, np.zeros(5))[0], start, xtol=1e-12))


def motion(times: Array, friction: float = 0.0, error: float = 1e-9) -> Array:
    """Give the coordinates (T, 5) of Trial 5, within an error at each step."""
    done = solve_ivp(
        lambda _, y: np.concatenate([y[5:], rates(y[:5], y[5:], friction)[0]]), (0.0, float(times[-1])),
        np.concatenate([TRIAL_5, np.zeros(5)]), method="LSODA", t_eval=times, rtol=error, atol=0.1 * error,
    )  # fmt: skip
    found: Array = done.y[:5].T
    return found


def project_data(
    x: Sequence[float] | Array = TRIAL_5, duration: float = 5.0, **contact: Any
) -> Any:
    """Give the project: ground axes are those of the thesis, the rod's start in its mass centre."""
    T, e, _ = frames(x)
    moments, axes = np.linalg.eigh(TENSOR)
    axes[:, 0] *= np.sign(np.linalg.det(axes))
    yaw, pitch, roll = _yaw_pitch_roll(axes)
    turned = _yaw_pitch_roll(T)
    at = (R_A - R_B) * e - T @ CENTRE
    ball = {
        "id": "ball",
        "kind": "ellipsoid",
        "centre_m": CENTRE.tolist(),
        "semi_axes_m": [R_B] * 3,
    }
    cup = {"id": "cup", "kind": "ellipsoid", "semi_axes_m": [R_A] * 3}
    return {
        "format": "manikin-project", "schema_version": 4, "gravity_m_per_s2": GRAVITY.tolist(),
        "segments": [
            {"id": "socket", "mass_kg": 1.0, "inertia_kgm2": [1.0, 1.0, 1.0], "surfaces": [cup]},
            {
                "id": "rod", "mass_kg": MASS, "inertia_kgm2": moments.tolist(),
                "principal_axes": {"angles_rad": [yaw, pitch, roll]}, "surfaces": [ball],
            },
        ],
        "joints": [{"id": "bench", "kind": "locked", "parent": "ground", "child": "socket"}],
        "springs": [
            {
                "id": f"spring_{name}", "kind": "linear", "a": {"segment": "rod", "position_m": (on + CENTRE).tolist()},
                "b": {"segment": "ground", "position_m": off.tolist()},
                "stiffness_n_per_m": float(k), "rest_length_m": float(free),
            }
            for name, on, off, free, k in zip("efghij", ON_ROD, ON_GROUND, FREE_LENGTH, STIFFNESS, strict=True)
        ],
        "constraints": [
            {
                "id": "contact", "kind": "roll_slide", "surface": {"segment": "rod", "surface": "ball"},
                "other": {"segment": "socket", "surface": "cup"}, "inside": True, **contact,
            }
        ],
        "outputs": [
            {"id": f"m{n}", "kind": "point", "segment": "rod", "quantity": "position", "axes": "relative", "point_m": (m + CENTRE).tolist()}
            for n, m in enumerate(MARKERS, 1)
        ],
        "initial": {
            "roots": [{"segment": "rod", "position_m": at.tolist()}],
            "attitudes": [{"segment": "rod", "orientation": {"angles_rad": list(turned)}}],
        },
        "runs": [{
            "id": "run", "duration_s": duration, "frame_interval_s": 0.01, "channel_rate_hz": 100.0,
            "integrator": {"kind": "dopri", "relative_tolerance": 1e-8, "absolute_tolerance": 1e-10},
        }],
    }  # fmt: skip


def _yaw_pitch_roll(R: Array) -> tuple[float, float, float]:
    return (
        math.atan2(R[1, 0], R[0, 0]), -math.asin(max(-1.0, min(1.0, R[2, 0]))), math.atan2(R[2, 1], R[2, 2]),
    )  # fmt: skip


def coordinates(R_WS: Array, direction: Array) -> Array:
    """Give x1 to x5 of a turn of the rod and a direction to the point of contact, x3 from 0 to 2 pi."""
    x1 = math.atan2(direction[1], direction[0])
    x2 = -math.asin(direction[2])
    rest = (about(2, x1) @ about(1, x2)).T @ R_WS
    yaw, pitch, roll = _yaw_pitch_roll(rest)
    return np.array([x1, x2, yaw % (2.0 * math.pi), pitch, roll])
