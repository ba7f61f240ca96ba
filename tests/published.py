"""Published benchmark problems as projects, and each one's motion by other equations: nothing of the engine is in these."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from solver.engine.dynamics.tree import Array
from tests.models import base, point

G = 9.81
UP = [0.0, 0.0, -G]
FINE = {"kind": "dopri", "relative_tolerance": 1e-10, "absolute_tolerance": 1e-12}
Z_UP = {"orientation": {"angles_rad": [0.0, 0.0, math.pi / 2.0]}}
"""Axes whose y, about which pins turn, is the segment's z."""


def cross(a: Any, b: Any) -> list[float]:
    """Give a cross product of a few numbers."""
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def integrated(rates: Any, start: Any, times: Any, method: str = "DOP853", **more: Any) -> Array:
    """Give states at times by an integrator of SciPy."""
    limits = {"rtol": 1e-10, "atol": 1e-12} | more
    found = solve_ivp(rates, (0.0, float(times[-1])), start, method, t_eval=times, **limits)
    assert found.success, found.message
    states: Array = found.y.T
    return states


# A05 of the IFToMM library of computational benchmark problems: the stiff flyball governor (Gonzalez et al. 2006)

ROD, BALL, SLIDER, SHAFT = 0.3, 5.0, 3.0, 0.3
ARM, HINGE, SIDE = 1.0, 0.05, 0.05
STIFF, DAMPED, LONG = 8e5, 4e4, 0.5
THIN = 0.01
RISE = math.radians(30.0)
"""Rods hang by this much below the horizontal."""
SPIN = 2.0 * math.pi


def _cuboid(mass: float, x: float, y: float, z: float) -> Array:
    return mass / 12.0 * np.array([y * y + z * z, x * x + z * z, x * x + y * y])


def governor(duration: float, integrator: Any) -> Any:
    """Give the governor: shaft, slider, two rods with their balls, two stiff struts."""
    far = (ROD * ARM / 2.0 + BALL * ARM) / (ROD + BALL)
    own = _cuboid(ROD, ARM, THIN, THIN)
    own[1:] += ROD * (far - ARM / 2.0) ** 2 + BALL * (ARM - far) ** 2
    rods = [
        {"id": name, "mass_kg": ROD + BALL, "inertia_kgm2": own.tolist()} for name in ("left", "right")
    ]  # fmt: skip
    hinges = [
        {"id": f"hinge_{name}", "kind": "pin", "parent": "shaft", "child": name,
         "parent_frame": {"position_m": [side * HINGE, 0.0, 0.5]}, "child_frame": {"position_m": [-far, 0.0, 0.0]}}
        for name, side in (("left", 1.0), ("right", -1.0))
    ]  # fmt: skip
    struts = [
        {"id": f"strut_{name}", "kind": "linear", "a": point(name, ARM / 2.0 - far), "b": point("slider", side * SIDE),
         "stiffness_n_per_m": STIFF, "damping_ns_per_m": DAMPED, "rest_length_m": LONG}
        for name, side in (("left", 1.0), ("right", -1.0))
    ]  # fmt: skip
    return base(
        duration, integrator, gravity_m_per_s2=UP,
        segments=[
            {"id": "shaft", "mass_kg": SHAFT, "inertia_kgm2": _cuboid(SHAFT, THIN, THIN, 1.0).tolist()},
            {"id": "slider", "mass_kg": SLIDER, "inertia_kgm2": _cuboid(SLIDER, 0.1, 0.1, 0.1).tolist()},
            *rods,
        ],
        joints=[
            {"id": "spin", "kind": "pin", "parent": "ground", "child": "shaft", "parent_frame": {"position_m": [0.0, 0.0, 0.5], **Z_UP}, "child_frame": Z_UP},
            {"id": "slide", "kind": "slip", "parent": "shaft", "child": "slider", "parent_frame": {"position_m": [0.0, 0.0, -0.5]}},
            *hinges,
        ],
        springs=struts,
        initial={"joints": [
            {"joint": "spin", "values": [0.0], "rates": [SPIN]}, {"joint": "slide", "values": [0.5]},
            {"joint": "hinge_left", "values": [RISE]}, {"joint": "hinge_right", "values": [math.pi - RISE]},
        ]},
    )  # fmt: skip


def governor_height(times: Any) -> Array:
    """Give the slider's height by Lagrange's equations of the symmetric motion; the spin follows from its momentum."""
    I = ROD * (ARM**2 + THIN**2) / 12.0 + ROD * ARM**2 / 4.0 + BALL * ARM**2  # noqa: E741
    lengthwise, across, _ = _cuboid(ROD, ARM, THIN, THIN)
    rest = _cuboid(SHAFT, THIN, THIN, 1.0)[2] + _cuboid(SLIDER, 0.1, 0.1, 0.1)[2]

    def about(a: float) -> tuple[float, float]:
        """Give the moment of inertia about the shaft, and its slope."""
        c, s = math.cos(a), math.sin(a)
        J = rest + 2.0 * (lengthwise * s * s + across * c * c + ROD * (HINGE + ARM / 2.0 * c) ** 2 + BALL * (HINGE + ARM * c) ** 2)  # fmt: skip
        slope = 4.0 * ((lengthwise - across) * s * c - ROD * (HINGE + ARM / 2.0 * c) * ARM / 2.0 * s - BALL * (HINGE + ARM * c) * ARM * s)  # fmt: skip
        return J, slope

    momentum = about(RISE)[0] * SPIN

    def rates(_: float, y: Array) -> list[float]:
        a, s, da, ds = y
        x, z = ARM / 2.0 * math.cos(a), 1.0 - ARM / 2.0 * math.sin(a) - s
        dx, dz = -ARM / 2.0 * math.sin(a) * da, -ARM / 2.0 * math.cos(a) * da - ds
        length = math.hypot(x, z)
        force = STIFF * (length - LONG) + DAMPED * (x * dx + z * dz) / length
        J, slope = about(a)
        by_angle = force * (x * -ARM / 2.0 * math.sin(a) + z * -ARM / 2.0 * math.cos(a)) / length
        weight = G * (ROD * ARM / 2.0 + BALL * ARM) * math.cos(a)
        return [da, ds, (slope * momentum**2 / (4.0 * J * J) + weight - by_angle) / I, 2.0 * force * z / length / SLIDER - G]  # fmt: skip

    found: Array = integrated(rates, [RISE, 0.5, 0.0, 0.0], times, "Radau", rtol=1e-10, atol=1e-12)[
        :, 1
    ]
    return found


# the heavy top of Bruls, Cardona and Arnold (2012), after Geradin and Cardona

TOP, OWN, AXIS = 15.0, (0.234375, 0.46875, 0.234375), np.array([0.0, 1.0, 0.0])
WHIRL = np.array([0.0, 150.0, -4.61538])


def heavy_top(duration: float, integrator: Any = FINE) -> Any:
    """Give a top that spins about its axis, which lies level at the start, on a ball joint."""
    return base(
        duration, integrator, gravity_m_per_s2=UP,
        segments=[{"id": "top", "mass_kg": TOP, "inertia_kgm2": list(OWN)}],
        joints=[{"id": "foot", "kind": "ball", "parent": "ground", "child": "top", "child_frame": {"position_m": (-AXIS).tolist()}}],
        initial={"attitudes": [{"segment": "top", "angular_velocity_rad_per_s": WHIRL.tolist()}]},
    )  # fmt: skip


def heavy_top_places(times: Any) -> Array:
    """Give where its mass centre is, by Euler's equations about the foot along the top's axes."""
    J = np.diag(OWN) + TOP * (AXIS @ AXIS * np.eye(3) - np.outer(AXIS, AXIS))

    def rates(_: float, y: Array) -> Array:
        R, w = y[:9].reshape(3, 3), y[9:]
        turning = R @ np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        moment = np.array(cross(AXIS, R.T @ (TOP * np.array(UP))))
        return np.concatenate(
            [turning.ravel(), np.linalg.solve(J, moment - np.array(cross(w, J @ w)))]
        )

    states = integrated(rates, [*np.eye(3).ravel(), *WHIRL], times)
    found: Array = states[:, :9].reshape(-1, 3, 3) @ AXIS
    return found


# the rattleback of Kane and Levinson (1982)

STONE, BELOW = np.array([0.2, 0.03, 0.02]), np.array([0.0, 0.0, -0.01])
WOBBLE = np.array([[2e-4, -2e-5, 0.0], [-2e-5, 16e-4, 0.0], [0.0, 0.0, 17e-4]])
LEAN = math.radians(0.5)
ROLLED = -5.0


def _leaning() -> Array:
    c, s = math.cos(LEAN), math.sin(LEAN)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]]) @ np.array(
        [[c, 0, s], [0, 1, 0], [-s, 0, c]]
    )


def _foot(n: Array) -> Array:
    """Give the way from the mass centre to where the stone touches; n is the plane's normal in its axes."""
    return -(STONE**2) * n / math.sqrt(n @ (STONE**2 * n)) - BELOW


def rattleback(duration: float, integrator: Any = FINE) -> Any:
    """Give the stone on a level plane, on which it rolls without slipping, turning the wrong way."""
    R = _leaning()
    w = np.array([0.0, 0.0, ROLLED])
    r = _foot(R.T[:, 2])
    yaw, pitch, roll = 0.0, LEAN, LEAN
    return base(
        duration, integrator, gravity_m_per_s2=UP,
        segments=[{
            "id": "stone", "mass_kg": 1.0, "inertia_kgm2": np.diag(WOBBLE).tolist(), "products_kgm2": [WOBBLE[0, 1], WOBBLE[0, 2], WOBBLE[1, 2]],
            "surfaces": [{"id": "skin", "kind": "ellipsoid", "semi_axes_m": STONE.tolist(), "centre_m": (-BELOW).tolist()}],
        }],
        planes=[{"id": "table", "bounded": False, "placement": {"kind": "frame", "frame": {}}}],
        constraints=[{"id": "roll", "kind": "roll_slide", "plane": "table", "surface": {"segment": "stone", "surface": "skin"}, "mode": "roll"}],
        initial={
            "roots": [{"segment": "stone", "position_m": [0.0, 0.0, float(-(R @ r)[2])], "velocity_m_per_s": (R @ np.array(cross(r, w))).tolist()}],
            "attitudes": [{"segment": "stone", "orientation": {"angles_rad": [roll, pitch, yaw], "order": "xyz"}, "angular_velocity_rad_per_s": w.tolist()}],
        },
    )  # fmt: skip


def rattleback_spin(times: Any) -> Array:
    """Give its spin about the vertical: angular momentum about the mass centre, with the rolling put in."""
    J, semi = WOBBLE.tolist(), (STONE**2).tolist()

    def rates(_: float, y: Array) -> list[float]:
        # in plain numbers: NumPy takes ten times as long for three of them
        n, w = y[:3].tolist(), y[3:].tolist()
        dn = cross(n, w)
        root = math.sqrt(sum(s * a * a for s, a in zip(semi, n, strict=True)))
        grows = sum(s * a * d for s, a, d in zip(semi, n, dn, strict=True)) / root**3
        r = [-s * a / root - b for s, a, b in zip(semi, n, (0.0, 0.0, BELOW[2]), strict=True)]
        dr = [s * (a * grows - d / root) for s, a, d in zip(semi, n, dn, strict=True)]
        left = [[J[i][j] + (sum(x * x for x in r) if i == j else 0.0) - r[i] * r[j] for j in range(3)] for i in range(3)]  # fmt: skip
        carried = [a + b + G * c for a, b, c in zip(cross(dr, w), cross(w, cross(r, w)), n, strict=True)]  # fmt: skip
        spun = [sum(row[k] * w[k] for k in range(3)) for row in J]
        right = [a - b for a, b in zip(cross(r, carried), cross(w, spun), strict=True)]
        x, z = cross(left[1], left[2]), cross(left[0], left[1])
        y_ = cross(left[2], left[0])
        volume = sum(a * b for a, b in zip(left[0], x, strict=True))
        return [*dn, *((right[0] * a + right[1] * b + right[2] * c) / volume for a, b, c in zip(x, y_, z, strict=True))]  # fmt: skip

    states = integrated(rates, [*_leaning().T[:, 2], 0.0, 0.0, ROLLED], times)
    spin: Array = np.einsum("ij,ij->i", states[:, :3], states[:, 3:])
    return spin


# the swinging Atwood machine (Tufillaro, Abbott and Griffiths 1984)

HEAVY, LIGHT = 3.0, 1.0
"""With a ratio of 3 it has a second invariant (Tufillaro 1986)."""
REACH, AWAY = 1.0, 0.9
DROP, ROPE = 3.0, 1e5
"""Where the heavy mass hangs (m); tension (N) of the rope by strain."""
PULL = HEAVY * LIGHT * G * (1.0 + math.cos(AWAY)) / (HEAVY + LIGHT)
"""Tension at the start, at which a rope that does not stretch lets go."""


def atwood(duration: float, integrator: Any) -> Any:
    """Give two masses on a rope through two eyes; the light one swings in the x-z plane."""
    small = [1e-6] * 3
    whole = REACH + 1.0 + DROP
    return base(
        duration, integrator, gravity_m_per_s2=UP,
        segments=[{"id": "light", "mass_kg": LIGHT, "inertia_kgm2": small}, {"id": "heavy", "mass_kg": HEAVY, "inertia_kgm2": small}],
        functions=[{"id": "pull", "x_unit": "1", "y_unit": "N", "form": {"kind": "table", "x": [0.0, 1.0], "y": [0.0, ROPE]}}],
        contact_laws=[{"id": "rope", "kind": "webbing", "base": "pull"}],
        harnesses=[{"id": "rope", "straps": [{"id": "rope", "law": "rope", "slack_m": -whole * PULL / (ROPE + PULL), "points": [
            {"kind": "anchor", "segment": "light", "position_m": [0.0] * 3},
            {"kind": "ring", "segment": "ground", "position_m": [0.0] * 3},
            {"kind": "ring", "segment": "ground", "position_m": [-1.0, 0.0, 0.0]},
            {"kind": "anchor", "segment": "heavy", "position_m": [0.0] * 3},
        ]}]}],
        initial={"roots": [
            {"segment": "light", "position_m": [REACH * math.sin(AWAY), 0.0, -REACH * math.cos(AWAY)]},
            {"segment": "heavy", "position_m": [-1.0, 0.0, -DROP]},
        ]},
    )  # fmt: skip


def atwood_places(times: Any, rope: float | None = None) -> Array:
    """Give way and angle of the light mass, and their rates; without `rope` on one that does not stretch."""

    def whole(_: float, y: Array) -> list[float]:
        r, a, dr, da = y
        return [dr, da, (LIGHT * r * da * da + G * (LIGHT * math.cos(a) - HEAVY)) / (LIGHT + HEAVY), -(2.0 * dr * da + G * math.sin(a)) / r]  # fmt: skip

    def stretched(_: float, y: Array) -> list[float]:
        r, a, dr, da, drop, fall = y
        tension = rope * max((r + 1.0 + drop) / unstretched - 1.0, 0.0)
        return [dr, da, r * da * da + G * math.cos(a) - tension / LIGHT, -(2.0 * dr * da + G * math.sin(a)) / r, fall, G - tension / HEAVY]  # fmt: skip

    if rope is None:
        return integrated(whole, [REACH, AWAY, 0.0, 0.0], times)
    unstretched = (REACH + 1.0 + DROP) / (1.0 + PULL / rope)
    return integrated(stretched, [REACH, AWAY, 0.0, 0.0, DROP, 0.0], times)[:, :4]


def tufillaro(r: Any, a: Any, dr: Any, da: Any) -> Any:
    """Give the second invariant of a machine whose masses are as 3 to 1."""
    half_s, half_c = np.sin(a / 2.0), np.cos(a / 2.0)
    return r**2 * da * (dr * half_c - r * da / 2.0 * half_s) + G * r**2 * half_s * half_c**2


# Housner's block (1963)

WIDE, TALL, FOOT = 0.2, 1.0, 1e-6
"""Half the width and half the height (m) of the block; radius of its feet."""
SLENDER = math.atan2(WIDE, TALL)


def rocking_block(duration: float, tilt: float, integrator: Any = FINE) -> Any:
    """Give a block that rocks on two lines of its base, of feet that roll and let go; it leans by tilt about the first."""
    mass = 100.0
    inertia = mass * (WIDE**2 + TALL**2) / 3.0
    c, s = math.cos(tilt), math.sin(tilt)
    # about y a turn carries x to -z: the foot at +x goes down
    place = [-(c * WIDE) + s * TALL, 0.0, s * WIDE + c * TALL + FOOT]
    feet = [
        {"id": name, "kind": "ellipsoid", "semi_axes_m": [FOOT] * 3, "centre_m": [side * WIDE, 0.0, -TALL]}
        for name, side in (("first", 1.0), ("second", -1.0))
    ]  # fmt: skip
    holds = [
        {"id": name, "kind": "roll_slide", "plane": "floor", "surface": {"segment": "block", "surface": name}, "mode": "roll", "holds": "pressing", "starts": starts}
        for name, starts in (("first", "at_once"), ("second", "on_touch"))
    ]  # fmt: skip
    return base(
        duration, integrator, gravity_m_per_s2=UP,
        segments=[{"id": "block", "mass_kg": mass, "inertia_kgm2": [inertia, inertia, inertia], "surfaces": feet}],
        planes=[{"id": "floor", "bounded": False, "placement": {"kind": "frame", "frame": {}}}],
        constraints=holds,
        initial={
            "roots": [{"segment": "block", "position_m": place}],
            "attitudes": [{"segment": "block", "orientation": {"angles_rad": [tilt, 0.0, 0.0], "order": "yxz"}}],
        },
    )  # fmt: skip


def housner_quarter(tilt: float) -> float:
    """Give the time from a lean to the upright stand: the full equation of the turn about a corner, by quadrature."""
    from scipy.integrate import quad

    size = math.hypot(WIDE, TALL)
    p = math.sqrt(3.0 * G / (4.0 * size))

    def slowness(w: float) -> float:
        # w^2 = tilt - angle takes the root at the start away
        angle = tilt - w * w
        drop = math.cos(SLENDER - tilt) - math.cos(SLENDER - angle)
        if drop <= 0.0:
            return math.sqrt(2.0 / math.sin(SLENDER - tilt)) / p
        return 2.0 * w / (p * math.sqrt(2.0 * drop))

    return float(quad(slowness, 0.0, math.sqrt(tilt), epsabs=1e-13, epsrel=1e-12)[0])


def housner_strikes(tilt: float, count: int) -> list[float]:
    """Give when a foot strikes: at each the rate of turning falls to 1 - 3/2 sin^2 of the slenderness (his equation 11)."""
    kept = (1.0 - 1.5 * math.sin(SLENDER) ** 2) ** 2
    at = [housner_quarter(tilt)]
    for _ in range(count - 1):
        drop = kept * (math.cos(SLENDER - tilt) - math.cos(SLENDER))
        tilt = SLENDER - math.acos(math.cos(SLENDER) + drop)
        at.append(at[-1] + 2.0 * housner_quarter(tilt))
    return at
