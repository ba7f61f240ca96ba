"""Discs, ligaments and the ends of motion between bones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import erf

from solver.engine.maths.rotation import Array
from tools.necks.bones import MM, PAIRS, Posture, bones, rows, tilted
from tools.necks.muscles import segment

DISCS = {"C2": (5.0, 637e3), "C3": (5.4, 765e3), "C4": (5.7, 785e3), "C5": (5.99, 800e3), "C6": (6.07, 830e3), "C7": (6.37, 974e3)}  # fmt: skip
"""Below each bone: middle height (mm; C4-5 to C6-7 measured, the others between) and stiffness in
compression (N/m; Yoganandan, as de Jager has it)."""
DEPTH, WIDTH = 16e-3, 19e-3
"""Of all discs (m), the mean of the end plates."""
BENDS, SHEARS = 12.0, 62e3
"""Flexion (N m/rad) and shear (N/m) of a disc alone: Moroney and others (1988)."""
HELD_UPPER = 1e6
"""Stiffness (N/m) of the two upper joints along all axes (assumed)."""
ROUND = 1.1
"""Shear factor of an ellipse."""
UPPER = {"C1": (12.3, 12.1), "skull": (7.2, 20.2)}
"""Flexion and extension (degrees) below C1 and the skull: Panjabi and others (2001)."""
SHARES = {"C2": 0.083, "C3": 0.103, "C4": 0.105, "C5": 0.129, "C6": 0.114, "C7": 0.069}
"""Of the others, as parts of what C2 turns on T1: Barrett (2016)."""
ASIDE = {
    "skull": (0.0736, 3.3, 0.42), "C1": (0.0, 2.1, 0.83), "C2": (0.0, 3.2, 0.47), "C3": (0.0, 3.0, 0.37), "C4": (0.0, 3.0, 0.36),
    "C5": (0.0, 2.0, 0.55), "C6": (0.0, 1.5, 0.69), "C7": (0.0, 1.5, 0.69),
}  # fmt: skip
TWIST = {
    "skull": (0.0, 3.0, 0.3), "C1": (0.0127, 26.8, 2.0), "C2": (0.15, 0.8, 0.96), "C3": (0.172, 1.7, 0.83), "C4": (0.0767, 2.0, 0.45),
    "C5": (0.0, 1.0, 0.41), "C6": (0.33, 0.9, 2.5), "C7": (0.33, 0.9, 2.5),
}  # fmt: skip
"""Whole levels below a bone, sideways and in twist: N m for each degree, up to an angle (degrees), N m for the square of each degree
beyond it (Panjabi and others 2001, docs/spine-levels.md); C7 as C6: assumed."""
AHEAD_DEG = 12.0
"""Beyond which a level that is free so far gets the points of its table."""
SOFTLY = 0.1
"""Angle (rad) in which an end of motion comes to its stiffness (assumed)."""
STEEP = 5.0
"""Shape of the pull of the band behind the neck, that of a muscle at rest (Thelen 2003)."""
HELD = 5.0
LONGEST = 15.0
"""Elongation (mm) beyond which the force of ligaments is held, for the laws have no failure, and up to which."""
MOST = {"LF": 244.0, "CL": 220.0}
"""Highest mean forces of fast tests (N), at which these are held: Ndu and others (2007)."""
PAIRED = ("CL", "alar ligament", "LF", "PAAM", "PAOM")
"""Ligaments that stand on both sides; laws of the first two are of one side."""
NAMES = {
    "ALL": "Anterior longitudinal ligament", "PLL": "Posterior longitudinal ligament", "CL": "Capsular ligament",
    "ISL": "Interspinous ligament", "LF": "Ligamentum flavum", "AAOM": "Anterior atlanto-occipital membrane",
    "PAOM": "Posterior atlanto-occipital membrane", "PAAM": "Posterior atlanto-axial membrane",
    "alar ligament": "Alar ligament", "apical ligament": "Apical ligament", "tectoral membrane": "Tectorial membrane",
}  # fmt: skip


@dataclass(frozen=True)
class Softness:
    """What was fitted, as factors on the tables or in SI units."""

    bending: float
    shear: float
    stretching: float
    turning_damping: float
    upper: float
    flexion: float
    extension: float
    ends: float
    ends_upper: float
    nuchal: float
    nuchal_strain: float
    """Bending, shear, stretching of discs (factors); their damping about axes (N m s/rad); turning
    stiffness of the two upper joints (N m/rad); flexion and extension of C2 on T1 (rad) at which motion
    ends, the stiffness there and at the upper two joints (N m/rad); the force (N) with which the band
    behind the neck pulls at a strain."""


def plates(posture: Posture, lower: str, upper: str, pitch: float, height: float, shift: Array) -> list[dict[str, Any]]:  # fmt: skip
    """Two frames about the middle of a joint, z along the disc and up.

    They stand apart by the height and a shift (forward, up): so the joint bears at the start what it has to.
    """
    middle = posture.middle(upper)
    half = (tilted(pitch) @ np.array([0.0, height]) + shift) / 2.0
    return [
        {
            "segment": segment(bone),
            "frame": {
                "position_m": posture.local_of(bone, middle + sign * half),
                "orientation": {
                    "angles_rad": (0.0, round(posture.turn(bone) - pitch, 9), round(math.pi, 9))
                },
            },
        }
        for bone, sign in ((lower, -1.0), (upper, 1.0))
    ]


def discs(posture: Posture, soft: Softness, borne: dict[str, Array]) -> list[dict[str, Any]]:
    """The six discs and the two joints above them, which bear forces (forward, up) at the start."""
    out: list[dict[str, Any]] = []
    area = math.pi / 4.0 * DEPTH * WIDTH
    about_y, about_x = math.pi / 64.0 * WIDTH * DEPTH**3, math.pi / 64.0 * DEPTH * WIDTH**3
    for lower, upper in PAIRS:
        pair = f"{lower}_{upper}".lower().replace("skull", "head")
        if upper not in DISCS:
            a, b = plates(
                posture, lower, upper, posture.tilts[lower], 0.0, -borne[upper] / HELD_UPPER
            )
            about_z = soft.upper if upper == "skull" else _digits(math.degrees(TWIST[upper][0]), 3)
            out.append({
                "id": f"joint_{pair}", "name": f"Joint {lower}, {upper}", "group": "Discs", "kind": "bushing", "a": a, "b": b,
                "stiffness_n_per_m": (HELD_UPPER,) * 3, "damping_ns_per_m": (500.0,) * 3,
                "stiffness_nm_per_rad": (soft.upper, soft.upper, about_z), "damping_nms_per_rad": (0.78,) * 3,
                "note": "Ways: assumed. Damping of turns: Mortensen and others (2018). Turning stiffness: fitted; twist of C1: Panjabi and others (2001).",
            })  # fmt: skip
            continue
        height, axial = DISCS[upper][0] * MM, DISCS[upper][1] * soft.stretching
        pitch = (posture.tilts[lower] + posture.tilts[upper]) / 2.0
        shear, bends = SHEARS * soft.shear, BENDS * soft.bending
        # in bending and shear it is a beam: of both gives, the one along x is the sum
        across = 1.0 / (1.0 / shear + height**2 / (12.0 * bends))
        along = tilted(pitch)
        shift = along @ (-(along.T @ borne[upper]) / np.array([across, axial]))
        a, b = plates(posture, lower, upper, pitch, height, shift)
        out.append({
            "id": f"disc_{pair}", "name": f"Disc {lower}, {upper}", "group": "Discs", "kind": "disc", "a": a, "b": b,
            "height_m": height, "area_m2": round(area, 9), "moment_y_m4": _digits(about_y), "moment_x_m4": _digits(about_x),
            "polar_m4": _digits(about_x + about_y), "elastic_pa": _digits(bends * height / about_y),
            "shear_pa": _digits(shear * height * ROUND / area),
            "axial_pa": _digits(axial * height / area),
            "axial_damping_pas": _digits(1000.0 * height / area), "shear_factor_x": ROUND, "shear_factor_y": ROUND,
            "damping_nms_per_rad": (soft.turning_damping,) * 3,
        })  # fmt: skip
    return out


def way_of(upper: str, soft: Softness) -> tuple[float, float]:
    """Give flexion and extension (rad) at which the motion below a bone ends."""
    if upper in UPPER:
        flexion, extension = UPPER[upper]
        return math.radians(flexion), math.radians(extension)
    share = SHARES[upper] / sum(SHARES.values())
    return soft.flexion * share, soft.extension * share


def stiffness_of(upper: str, soft: Softness) -> float:
    """The stiffness (N m/rad) of the ends of motion below a bone."""
    return soft.ends_upper if upper in UPPER else soft.ends


def end_moment(beyond: Array, stiffness: float) -> Array:
    """The moment (N m) of an end of motion by how far (rad) it is beyond it: softly at first."""
    begun: Array = np.where(
        beyond < SOFTLY, beyond * beyond / (2.0 * SOFTLY), beyond - SOFTLY / 2.0
    )
    return stiffness * np.where(beyond > 0.0, begun, 0.0)


def end_moments(posture: Posture, soft: Softness) -> Array:
    """The moments (forward above zero) with which ends of motion hold the posture, from below."""
    found = []
    for lower, upper in PAIRS:
        flexion, extension = way_of(upper, soft)
        leans = [posture.tilts[bone] - bones()[bone].tilt for bone in (lower, upper)]
        bent = leans[1] - leans[0]
        beyond = np.array([bent - flexion, -bent - extension])
        back, forth = end_moment(beyond, stiffness_of(upper, soft))
        found.append(forth - back)
    return np.array(found)


def ends(posture: Posture, soft: Softness) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What ends the motion between bones, and its function."""
    forces = []
    for lower, upper in PAIRS:
        frames = [
            {
                "segment": segment(bone),
                "frame": {
                    "position_m": posture.local_of(bone, posture.pivot(upper)),
                    "orientation": {"angles_rad": (0.0, round(_own(posture, bone), 9), 0.0)},
                },
            }
            for bone in (lower, upper)
        ]
        flexion, extension = way_of(upper, soft)
        pair = f"{lower}_{upper}".lower().replace("skull", "head")
        law = {
            "kind": "stop", "lower": round(-flexion, 6), "upper": round(extension, 6),
            "above": "end_of_upper_motion" if upper in UPPER else "end_of_motion",
        }  # fmt: skip
        forces.append({
            "id": f"end_{pair}", "name": f"Ends of motion {lower}, {upper}", "group": "Ends of motion", "zero": 0.0,
            "coordinate": {"kind": "angle", "a": frames[0], "b": frames[1], "axis": "y"}, "laws": [law],
        })  # fmt: skip
    x = np.array([0.0, 0.02, 0.04, 0.06, 0.08, SOFTLY, 1.0])
    return forces, [
        _table(id_, name, "rad", "N*m", x, end_moment(x, stiffness))
        for id_, name, stiffness in (
            ("end_of_motion", "End of motion", soft.ends),
            ("end_of_upper_motion", "End of motion below C1 and the head", soft.ends_upper),
        )
    ]


def beside(posture: Posture, soft: Softness) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What facets and ligaments bear sideways and in twist beyond discs and joints, so that a level bears what it was measured to."""
    forces, functions = [], []
    for lower, upper in PAIRS:
        pair = f"{lower}_{upper}".lower().replace("skull", "head")
        frames = [
            {
                "segment": segment(bone),
                "frame": {
                    "position_m": posture.local_of(bone, posture.pivot(upper)),
                    "orientation": {"angles_rad": (0.0, round(posture.turn(bone) - posture.tilts[upper], 9), 0.0)},
                },
            }
            for bone in (lower, upper)
        ]  # fmt: skip
        for axis, id_, words, levels, borne in (
            ("x", "aside", "Sideways", ASIDE, _bends_aside(upper, soft)), ("z", "twist", "Twist", TWIST, _twists(upper, soft)),
        ):  # fmt: skip
            linear, stop, beyond = levels[upper]
            from_ = stop if stop > AHEAD_DEG else 0.0
            x = np.unique([0.0, *(from_ + np.arange(0.0, 12.0)), *(from_ + np.arange(12.0, 60.0, 4.0))])  # fmt: skip
            whole = linear * x + beyond * np.maximum(x - stop, 0.0) ** 2
            y = np.maximum(whole - math.radians(borne) * x, 0.0)
            functions.append(_table(f"{id_}_{pair}", f"{words} {lower}, {upper}", "rad", "N*m", np.radians(x), y))  # fmt: skip
            forces.append({
                "id": f"{id_}_{pair}", "name": f"{words} {lower}, {upper}", "group": "Ends of motion", "zero": 0.0,
                "coordinate": {"kind": "angle", "a": frames[0], "b": frames[1], "axis": axis},
                "laws": [{"kind": "rest", "above": f"{id_}_{pair}"}],
            })  # fmt: skip
    return forces, functions


def _bends_aside(upper: str, soft: Softness) -> float:
    """How stiff (N m/rad) a disc is when it bends sideways, or a joint above the discs."""
    return soft.upper if upper in UPPER else BENDS * soft.bending * (WIDTH / DEPTH) ** 2


def _twists(upper: str, soft: Softness) -> float:
    """How stiff (N m/rad) a disc is in twist, or a joint above the discs."""
    if upper in UPPER:
        return soft.upper if upper == "skull" else math.degrees(TWIST[upper][0])
    return SHEARS * soft.shear * ROUND * (WIDTH**2 + DEPTH**2) / 16.0


def _own(posture: Posture, bone: str) -> float:
    """The turn from a bone's segment to axes that are level where the neck is at rest."""
    return posture.turn(bone) - (posture.tilts[bone] - bones()[bone].tilt)


def ligaments(posture: Posture) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """All ligaments as springs that only pull, and their functions."""
    laws = {(row[0], row[1]): [float(x) for x in row[2:10]] for row in rows("ligaments")}
    ways: dict[tuple[str, str], list[tuple[str, Array, str, Array]]] = {}
    for row in rows("ligament_points"):
        a, b = (MM * np.array([float(n) for n in row[at : at + 3]]) for at in (3, 7))
        ways.setdefault((row[0], row[1]), []).append((row[2], a, row[6], b))
    springs, functions = [], []
    for (name, level), elements in ways.items():
        if (name, level) not in laws or name not in NAMES:
            continue
        below, above = elements[0][0], elements[0][2]
        a = np.mean([one[1] for one in elements], axis=0)
        b = np.mean([one[3] for one in elements], axis=0)
        plain = (
            f"{name}_{level}".lower().replace(" ", "_").replace("-", "_").replace("skull", "head")
        )
        share = 0.5 if name in PAIRED[2:] else 1.0
        x, y = _pull(laws[name, level], MOST.get(name))
        functions.append(_table(plain, f"{NAMES[name]} {level}", "m", "N", x, share * y))
        sides = (("_right", 1.0), ("_left", -1.0)) if name in PAIRED else (("", 0.0),)
        for side, sign in sides:
            over = np.array([sign, 1.0, 1.0])
            springs.append({
                "id": f"{plain}{side}", "name": f"{NAMES[name]} {level}{side.replace('_', ', ')}", "group": "Ligaments",
                "kind": "tabulated", "tension_only": True, "force": plain,
                "a": {"segment": segment(below), "position_m": posture.local(below, a * over)},
                "b": {"segment": segment(above), "position_m": posture.local(above, b * over)},
            })  # fmt: skip
    return springs, functions


def nuchal(posture: Posture, soft: Softness) -> tuple[dict[str, Any], dict[str, Any]]:
    """The nuchal ligament, from the spine of C7 to the back of the head, and its function."""
    ends = ("C7", "spinous process"), ("skull", "occipital protuberance")
    marks = [(bone, bones()[bone].marks[name]) for bone, name in ends]
    a, b = (posture.place(bone, mark[1:]) for bone, mark in marks)
    length = float(np.linalg.norm(b - a))
    x = np.linspace(0.0, 2.0 * soft.nuchal_strain, 41)
    y = soft.nuchal * np.expm1(STEEP * x / soft.nuchal_strain) / math.expm1(STEEP)
    places = [
        {"segment": segment(bone), "position_m": posture.local(bone, mark)} for bone, mark in marks
    ]
    spring = {
        "id": "nuchal", "name": "Nuchal ligament", "group": "Ligaments", "kind": "tabulated", "tension_only": True,
        "force": "nuchal", "a": places[0], "b": places[1],
        "note": "With skin and fascia behind the neck. Its law was fitted; no measured one was found.",
    }  # fmt: skip
    return spring, _table("nuchal", "Nuchal ligament", "m", "N", length * x, y)


def _pull(law: list[float], most: float | None) -> tuple[Array, Array]:
    """Give the force of a ligament by its elongation (m): that of its law, from nothing at rest."""
    stiffness, spread, slack, level_force, level_way, _, force, way = law
    x = np.append(np.arange(0.0, HELD, 0.25), HELD)
    u = x * level_way * way + slack
    y = level_force * force * stiffness * (
        spread / math.sqrt(2.0 * math.pi) * np.exp(-(u**2) / (2.0 * spread**2))
        + u / 2.0 * (1.0 + erf(u / (spread * math.sqrt(2.0))))
    )  # fmt: skip
    y = np.maximum(y - y[0] * np.exp(-x / 0.3), 0.0)
    y = y if most is None else np.minimum(y, most)
    return np.append(x, LONGEST) * MM, np.append(y, y[-1])


def _table(id_: str, name: str, x_unit: str, y_unit: str, x: Array, y: Array) -> dict[str, Any]:
    values = [_digits(float(v), 5) for v in y]
    return {
        "id": id_, "name": name, "x_unit": x_unit, "y_unit": y_unit,
        "form": {"kind": "table", "x": [round(float(v), 6) for v in x], "y": values},
    }  # fmt: skip


def _digits(value: float, count: int = 6) -> float:
    return float(f"{value:.{count}g}")
