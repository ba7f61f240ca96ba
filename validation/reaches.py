"""The workspace of three-revolute arms after Ceccarelli (seed 001, pages 299 to 310), in closed form and as an envelope."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

import manikin as mk
from solver.engine.maths.rotation import Array
from validation.case import Case

CECCARELLI = (1.0, 3.506, 1.0, math.pi / 2, math.pi / 3, 3.192, 3.192)
"""An arm of three turns of length 11.89 whose tori enclose 1000.34: a1, a2, a3, alpha1, alpha2, d2, d3.

Ceccarelli prints the length and the volume of his optimum, and not its dimensions.
"""


def cases() -> Iterator[Case]:
    """All cases."""
    arm = arm_of_three(*CECCARELLI)
    found = mk.reach(arm, ("c", (CECCARELLI[2], 0.0, 0.0)), ("one", "two", "three"))
    yield Case("Arm of three turns, length 11.89 (proportions ours)", "001, p. 307; tori in closed form",
               "volume reached", 1000.34, found.volume_m3, 5.0, "m3")  # fmt: skip
    radial, _ = boundary_of_three(*CECCARELLI)
    far = float(np.hypot(found.points[:, 0], found.points[:, 1]).max())
    yield Case("Arm of three turns, length 11.89 (proportions ours)", "tori in closed form",
               "farthest from the axis", float(np.nanmax(radial)), far, 0.02, "m")  # fmt: skip


def _frame(z: float, along: float, turn: float) -> Any:
    """A pin's frame: its y axis stands where Denavit and Hartenberg have z, `turn` about the common normal."""
    return {"position_m": (along, -z * math.sin(turn), z * math.cos(turn)), "orientation": {"order": "xyz", "angles_rad": (turn + math.pi / 2, 0.0, 0.0)}}  # fmt: skip


def arm_of_three(
    a1: float, a2: float, a3: float, alpha1: float, alpha2: float, d2: float, d3: float
) -> mk.Model:
    """An arm of three turns with common normals a, twists alpha and offsets d; the hand is a3 out on `c` along x."""
    model = mk.new("three revolutes")
    for name in "abc":
        model = model.add_segment(name, mass_kg=1.0, inertia_kgm2=(0.01, 0.01, 0.01))
    own = _frame(0.0, 0.0, 0.0)
    model = model.add_joint("one", kind="pin", parent="ground", child="a", parent_frame=own, child_frame=own)  # fmt: skip
    for name, parent, child, a, alpha, d in (("two", "a", "b", a1, alpha1, d2), ("three", "b", "c", a2, alpha2, d3)):  # fmt: skip
        model = model.add_joint(name, kind="pin", parent=parent, child=child, parent_frame=_frame(d, a, alpha), child_frame=own)  # fmt: skip
    return model


def boundary_of_three(
    a1: float, a2: float, a3: float, alpha1: float, alpha2: float, d2: float, d3: float, count: int = 3601
) -> tuple[Array, Array]:  # fmt: skip
    """Radial and axial reach (2 branches, count) of the envelope of tori (equations 10 to 13); not a number where there is none.

    Coefficients are derived anew, since print and scan differ: every turn of joint 3 gives a torus, and the envelope is
    where its equation and that of its slope hold together.
    """
    t = np.linspace(0.0, 2.0 * math.pi, count)
    s1, c1, s2, c2 = math.sin(alpha1), math.cos(alpha1), math.sin(alpha2), math.cos(alpha2)
    x, y, z = a3 * np.cos(t) + a2, a3 * np.sin(t) * c2 - d3 * s2, d3 * c2 + a3 * np.sin(t) * s2 + d2
    dx, dy, dz = -a3 * np.sin(t), a3 * np.cos(t) * c2, a3 * np.cos(t) * s2
    rr = x * x + y * y
    drr = 2.0 * (x * dx + y * dy)
    # (r^2 + z^2 - A)^2 + (C z + D)^2 + B = 0 for the torus of one turn of joint 3
    A, B = a1 * a1 + rr + z * z, -4.0 * a1 * a1 * rr
    C, D = 2.0 * a1 / s1, -2.0 * a1 * z * c1 / s1
    E, F, G = -2.0 * (drr + 2.0 * z * dz), -4.0 * a1 * a1 * drr, -4.0 * a1 * dz * c1 / s1
    K = G * G + E * E
    Q = (F * G) ** 2 - K * (F * F + B * E * E)
    with np.errstate(all="ignore"):
        w = np.stack([(-F * G + sign * np.sqrt(Q)) / K for sign in (1.0, -1.0)])
        axial = (w - D) / C
        square = A - (w * G + F) / E - axial * axial
        radial = np.sqrt(square)
    return radial, axial


def volume_of_three(
    a1: float, a2: float, a3: float, alpha1: float, alpha2: float, d2: float, d3: float, count: int = 400
) -> float:  # fmt: skip
    """The volume of what is reached, by what of the half plane each turn of joints 2 and 3 fills (Pappus).

    A height and a radius are reached where the fourth-degree equation in the turn of joint 3 has a real root.
    """
    far = a1 + abs(d2) + abs(d3) + a2 + a3
    r, h = np.meshgrid((np.arange(count) + 0.5) * far / count, (np.arange(2 * count) + 0.5 - count) * far / count)  # fmt: skip
    s1, c1, s2, c2 = math.sin(alpha1), math.cos(alpha1), math.sin(alpha2), math.cos(alpha2)
    above, below = np.zeros(r.shape, bool), np.zeros(r.shape, bool)
    for t in np.linspace(0.0, 2.0 * math.pi, 361):
        x, y, z = a3 * math.cos(t) + a2, a3 * math.sin(t) * c2 - d3 * s2, d3 * c2 + a3 * math.sin(t) * s2 + d2  # fmt: skip
        rr = x * x + y * y
        A, B, C, D = (
            a1 * a1 + rr + z * z,
            -4.0 * a1 * a1 * rr,
            2.0 * a1 / s1,
            -2.0 * a1 * z * c1 / s1,
        )
        value = (r * r + h * h - A) ** 2 + (C * h + D) ** 2 + B
        above |= value >= 0.0
        below |= value <= 0.0
    cell = (far / count) ** 2
    return float((2.0 * math.pi * r * (above & below)).sum() * cell)
