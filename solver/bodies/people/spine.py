"""Spine and neck of the 50th-percentile man: where joints stand, how stiff they are, how far they go.

Heights of levels, masses of slices: a public whole-body model (hyperknot/spine-sim, after Bruno and others 2015). Curve:
lordosis L1-S1 43.5 degrees (default of a public lumbar generator), T1 tilted 20.3 degrees and the neck above it as measured bones
lie at rest (Barrett 2016); what lies between is assumed. Stiffness and range are of one motion segment; links hold several in a row.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from solver.bodies.dimensions import Dimensions

HIP_BELOW_MM = 78.5
"""Of the hip joints below the origin in which heights of levels count (Rajagopal's pelvis)."""
LEVELS_MM = {
    "lumbar_1": 22.0,
    "lumbar_2": 95.7,
    "lumbar_3": 164.7,
    "thoracic_1": 229.5,
    "thoracic_2": 311.3,
    "disc_1": 493.6,
}
"""Heights of the joints below L5, L3, L1, T11, T8 and of C7 on T1, standing."""
NECK_MM = {
    "disc_1": (0.0, 0.0),
    "disc_2": (10.0, 32.5),
    "disc_3": (11.0, 65.9),
    "condyles": (2.8, 129.2),
}
"""Of the joints C7-T1, C5-C6, C3-C4 and the condyles from the first: forward, up (Barrett 2016, chained)."""
HEAD_MM = (23.0, 55.0)
"""Of the head's mass centre from the condyles: forward, up (Barrett 2016)."""
TILT_MM = (22.0, 95.7, 164.7, 197.7, 229.5, 311.3, 400.0, 493.6)
TILT_DEG = (28.0, 6.0, -10.0, -15.5, -18.0, -8.0, 8.0, 20.3)
"""How far the spine leans forward on its way up, by height: lordosis 43.5 degrees to T12-L1, kyphosis 38; between: assumed."""
FIRST_FORWARD_MM = -44.4
"""Of the joint below L5 from the hip joints: Rajagopal's lumbar joint."""
SLICES_KG = {
    "lower_torso": 8.343, "lumbar_1": 4.2811, "centre_torso": 4.0036, "lumbar_2": 3.9992, "lower_ribs": 4.4555,
    "upper_torso": 8.8154,
}  # fmt: skip
"""Masses of the trunk's slices: pelvis, L5-L4, L3-L2, L1-T12, T11-T9, T8-T1, flesh and organs with them."""
NECK_SHARES = (0.31, 0.31, 0.38)
"""Of the neck's mass in C7-C6, C5-C4, C3-C1, from the masses of its vertebrae with flesh (Barrett 2016)."""
STIFFENS = 1.0
"""At the end of the range a joint is twice as far up as a line would be: M = k a (1 + (a / range)^2); assumed."""


@dataclass(frozen=True, slots=True)
class Bends:
    """Hold the linear stiffness (N m/rad) and range (rad) of a joint in each way, and its damping (N m s/rad)."""

    flexion: tuple[float, float]
    extension: tuple[float, float]
    sideways: tuple[float, float]
    twist: tuple[float, float]
    damping: float
    source: str


@dataclass(frozen=True, slots=True)
class Along:
    """Hold the stiffness (N/m) of a joint along itself, pressed and drawn, and its damping (N s/m)."""

    pressed: float
    drawn: float
    damping: float
    source: str


def _row(
    per_degree: tuple[float, float, float, float], ranges: tuple[float, float, float, float], segments: float, more: float,
    source: str,
) -> Bends:  # fmt: skip
    """Put motion segments in a row; stiffness per degree each, ranges (degrees) each; `more` multiplies bending."""
    ways = []
    for number, (k, degrees) in enumerate(zip(per_degree, ranges, strict=True)):
        factor = 1.0 if number == 3 else more
        ways.append((k * factor * 180.0 / math.pi / segments, math.radians(degrees) * segments))
    return Bends(ways[0], ways[1], ways[2], ways[3], DAMPED_S * ways[0][0], source)


DAMPED_S = 0.03
"""Damping of joints of the trunk over their stiffness in flexion (s): assumed."""
SEGMENTS = 2
"""Lumbar motion segments that a joint stands for."""
UPON_N, LOADED = 500.0, 2.11
"""A load along a lumbar segment, as sitting people have, and how much stiffer it bends under it (Gardner-Morse and Stokes 2004)."""
_LUMBAR = _row(
    (3.0, 4.5, 4.0, 8.0), (10.0, 4.0, 5.0, 2.0), SEGMENTS, LOADED,
    "whole motion segments (PMC4844119, middle of the ranges), bending times 2.11 for 500 N upon it (Gardner-Morse and Stokes "
    "2004); ranges: from memory; two segments in a row",
)  # fmt: skip
_PANJABI = "Panjabi (1976), from memory, bending times 1.7 for its load; four segments in a row"


def _thoracic(cage: float, why: str) -> Bends:
    """Give a joint of the thoracic spine, so much stiffer for the rib cage."""
    per_degree = (2.7 * cage, 3.3 * cage, 3.0 * cage, 2.6 * 0.5 * cage)
    return _row(per_degree, (4.0, 3.0, 6.0, 7.0), 4.0, 1.7, f"{_PANJABI}, times {cage:g} for {why}")


_LOW_THORACIC = _thoracic(6.0, "floating ribs: assumed")
_HIGH_THORACIC = _thoracic(
    40.0,
    "ribs that tie it to the sternum: fitted on the mass that a hub on the chest finds behind it",
)
NECK_RANGE_DEG = {"flexion": 50.0, "extension": 80.0, "sideways": 45.0, "twist": 80.0}
_NECK_MOMENT = 14.6
"""Moment at the end of the range (N m): 10 as relaxed people bear (McGill 1994), times 1.46 for speed (Voo 1998)."""
_NECK_PARTS = {
    # of flexion and extension, sideways, twist: Barrett's shares of motion
    "disc_1": (0.183, 0.221, 0.112), "disc_2": (0.234, 0.218, 0.129), "disc_3": (0.186, 0.223, 0.116), "condyles": (0.398, 0.338, 0.643),
}  # fmt: skip


FITTED_NECK = {"discs": (0.956, 3.83), "condyles": (3.30, 0.396)}
"""Moments in flexion and extension, and damping, in parts of those above: fitted on the heads of three volunteers at 15 g."""
FITTED_RANGE = 0.653
"""Of flexion and extension, the same: muscles end them before the joints do."""
DISC_DAMPING = 1.0
"""Before the fit (N m s/rad): assumed."""


def neck_joint(name: str) -> Bends:
    """Give a joint of the neck: its part of the range, and the neck's moment at its end."""
    bend, side, twist = _NECK_PARTS[name]
    stiffer, damping = FITTED_NECK["condyles" if name == "condyles" else "discs"]

    def way(kind: str, part: float) -> tuple[float, float]:
        far = math.radians(NECK_RANGE_DEG[kind] * part)
        return _NECK_MOMENT / ((1.0 + STIFFENS) * far), far

    def fitted(kind: str) -> tuple[float, float]:
        stiff, far = way(kind, bend)
        return stiffer * stiff, FITTED_RANGE * far

    return Bends(
        fitted("flexion"), fitted("extension"), way("sideways", side), way("twist", twist), damping * DISC_DAMPING,
        "flexion, extension and damping: fitted on volunteers 1635, 1637, 1638 at 15 g (docs/bodies.md), from 14.6 N m at the end of "
        "the neck's range: 10 as relaxed people bear (McGill 1994), 1.46 times that when fast (Voo 1998); shares of joints: Barrett (2016)",
    )  # fmt: skip


BENDS = {
    "lumbar_1": _LUMBAR, "lumbar_2": _LUMBAR, "lumbar_3": _LUMBAR, "thoracic_1": _LOW_THORACIC, "thoracic_2": _HIGH_THORACIC,
    **{name: neck_joint(name) for name in _NECK_PARTS},
}  # fmt: skip
PRESSED_N_PER_M, DRAWN_N_PER_M = 2.02e6, 0.45e6
"""Of a lumbar segment along itself. Pressed: Kemper and others (2007), drawn down to rest; drawn: middle of nine spines at 1 to 2 mm."""
PRESSED_S = 0.003
"""Damping over that stiffness: what Kemper's rates add at a millimetre."""
_PRESSED = Along(
    PRESSED_N_PER_M / SEGMENTS, DRAWN_N_PER_M / SEGMENTS, PRESSED_S * PRESSED_N_PER_M / SEGMENTS,
    "pressed: segments at 7 to 73 lengths a second (Kemper and others 2007, from memory); drawn: spines from T12 to L5 (Demetropoulos and "
    "others 1998); two segments in a row",
)  # fmt: skip
ALONG = {"lumbar_1": _PRESSED, "lumbar_2": _PRESSED, "lumbar_3": _PRESSED}
"""Joints that give way along themselves, where discs do: a run may take half as long again."""
TRUNK = ("lumbar_1", "lumbar_2", "lumbar_3", "thoracic_1", "thoracic_2")
LINKS = {
    "lumbar_1": ("lower_torso", "lumbar_1"), "lumbar_2": ("lumbar_1", "centre_torso"), "lumbar_3": ("centre_torso", "lumbar_2"),
    "thoracic_1": ("lumbar_2", "lower_ribs"), "thoracic_2": ("lower_ribs", "upper_torso"), "disc_1": ("upper_torso", "neck_1"),
    "disc_2": ("neck_1", "neck_2"), "disc_3": ("neck_2", "neck_3"), "condyles": ("neck_3", "head"),
}  # fmt: skip
"""Joints from the pelvis up, each with its two segments."""


def joints_m(d: Dimensions, crown_m: float, hip_m: float) -> dict[str, tuple[float, float]]:
    """Give joints forward and up from the hip joints, so that a person sits upright as tall as asked.

    `crown_m` is the crown's height above the condyles, `hip_m` that of the hip joints above the seat.
    """
    man = 1e-3 * (LEVELS_MM["disc_1"] + HIP_BELOW_MM + NECK_MM["condyles"][1])
    grown = (d["seated_height_m"] - hip_m - crown_m) / man
    found = {}
    for name, height in LEVELS_MM.items():
        found[name] = (1e-3 * _forward(height) * grown, 1e-3 * (height + HIP_BELOW_MM) * grown)
    x, z = found["disc_1"]
    for name, (ahead, up) in NECK_MM.items():
        found[name] = (x + 1e-3 * ahead * grown, z + 1e-3 * up * grown)
    return found


def _forward(height: float) -> float:
    """Follow the curve from the joint below L5 (mm)."""
    at = np.linspace(LEVELS_MM["lumbar_1"], height, 200)
    lean = np.tan(np.radians(np.interp(at, TILT_MM, TILT_DEG)))
    return FIRST_FORWARD_MM + float(np.trapezoid(lean, at))
