"""Discs, ligaments and the ends of motion between bones."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import erf

from solver.engine.maths.rotation import Array
from tools.necks.bones import MM, PAIRS, Posture, bones, rows, tilted
from tools.necks.levels import ASIDE, EXTENSION, FLEXION, TWIST, borne, pulled, slack_of
from tools.necks.muscles import segment

DISCS = {"C2": (5.0, 637e3), "C3": (5.4, 765e3), "C4": (5.7, 785e3), "C5": (5.99, 800e3), "C6": (6.07, 830e3), "C7": (6.37, 974e3)}  # fmt: skip
"""Below each bone: middle height (mm; C4-5 to C6-7 measured, the others between) and stiffness in
compression (N/m; Yoganandan, as de Jager has it)."""
DEPTH, WIDTH = 16e-3, 19e-3
"""Of all discs (m), the mean of the end plates."""
BENDS = 3.0
"""Stiffness (N m/rad) of a disc that bends, about its rest: assumed (1 to 4; above that levels would be stiffer than measured ones; Moroney
and others (1988) have 12 at 1.8 N m). What a level bears beyond it is added as a whole."""
SHEARS = 62e3
"""The same for shear (N/m), of a disc alone: Moroney and others (1988)."""
UPPER = 0.6
"""Stiffness (N m/rad) of the two upper joints in turns, for a place of rest (assumed, as above)."""
HELD_UPPER = 1e6
"""Stiffness (N/m) of the two upper joints along all axes (assumed)."""
ROUND = 1.1
"""Shear factor of an ellipse."""
AHEAD_DEG = 12.0
"""Beyond which a level that is free so far gets the points of its table."""
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

    shear: float
    stretching: float
    turning_damping: float
    upper_damping: float
    nuchal: float
    nuchal_strain: float
    """Shear and stretching of discs (factors); their damping about axes and that of the two upper joints (N m s/rad);
    the force (N) with which the band behind the neck pulls at a strain."""


def plates(posture: Posture, lower: str, upper: str, pitch: float, height: float, shift: Array) -> list[dict[str, Any]]:  # fmt: skip
    """Two frames about the middle of a joint, z along the disc and up.

    They stand apart by the height and a shift (forward, up): so the joint bears at the start what it has to. Both are bent by what the
    posture is bent there.
    """
    middle, bent = posture.middle(upper), posture.bent(upper)
    half = (tilted(pitch) @ np.array([0.0, height]) + shift) / 2.0
    return [
        {
            "segment": segment(bone),
            "frame": {
                "position_m": posture.local_of(bone, middle + sign * half),
                "orientation": {
                    "angles_rad": (
                        0.0,
                        round(posture.turn(bone) - pitch - 0.5 * sign * bent, 9),
                        round(math.pi, 9),
                    )
                },
            },
        }
        for bone, sign in ((lower, -1.0), (upper, 1.0))
    ]


def discs(posture: Posture, soft: Softness, bearing: dict[str, Array]) -> list[dict[str, Any]]:
    """The six discs and the two joints above them, which bear forces (forward, up) at the start."""
    out: list[dict[str, Any]] = []
    area = math.pi / 4.0 * DEPTH * WIDTH
    about_y, about_x = math.pi / 64.0 * WIDTH * DEPTH**3, math.pi / 64.0 * DEPTH * WIDTH**3
    for lower, upper in PAIRS:
        pair = f"{lower}_{upper}".lower().replace("skull", "head")
        if upper not in DISCS:
            a, b = plates(
                posture, lower, upper, posture.tilts[lower], 0.0, -bearing[upper] / HELD_UPPER
            )
            about_z = UPPER if upper == "skull" else _digits(math.degrees(TWIST[upper][0]), 3)
            out.append({
                "id": f"joint_{pair}", "name": f"Joint {lower}, {upper}", "group": "Discs", "kind": "bushing", "a": a, "b": b,
                "stiffness_n_per_m": (HELD_UPPER,) * 3, "damping_ns_per_m": (500.0,) * 3,
                "stiffness_nm_per_rad": (UPPER, UPPER, about_z), "damping_nms_per_rad": (soft.upper_damping,) * 3,
                "note": "Ways and turning stiffness: assumed; damping of turns: fitted; twist of C1: Panjabi and others (2001).",
            })  # fmt: skip
            continue
        height, axial = DISCS[upper][0] * MM, DISCS[upper][1] * soft.stretching
        pitch = (posture.tilts[lower] + posture.tilts[upper]) / 2.0
        shear, bends = SHEARS * soft.shear, BENDS
        # in bending and shear it is a beam: of both gives, the one along x is the sum
        across = 1.0 / (1.0 / shear + height**2 / (12.0 * bends))
        along = tilted(pitch)
        shift = along @ (-(along.T @ bearing[upper]) / np.array([across, axial]))
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


@functools.cache
def laws_of_levels() -> dict[str, tuple[Array, Array, Array]]:
    """What levels bear beyond discs and ligaments, by the bone above: turns (degrees), moments (N m) in flexion and in extension."""
    out, rest, found = {}, Posture(0.0, 1.0), bands()
    x = np.concatenate([np.arange(0.0, 24.0), np.arange(24.0, 61.0, 4.0)])
    for lower, upper in PAIRS:
        ways = []
        for way, level in (("flexion", FLEXION), ("extension", EXTENSION)):
            other = np.radians((BENDS if upper in DISCS else UPPER) * x)
            for one in found:
                if (one.below[0], one.above[0]) == (lower, upper):
                    law = one.law[0] + one.slack, one.law[1]
                    other = other + one.count * pulled(rest, one.below, one.above, law, way, x)
            ways.append(np.maximum.accumulate(np.maximum(borne(level[upper], x) - other, 0.0)))
        out[upper] = (x, ways[0], ways[1])
    return out


def end_moments(posture: Posture) -> Array:
    """The moments (forward above zero) with which levels hold the posture, from below."""
    found = []
    for _, upper in PAIRS:
        x, flexion, extension = laws_of_levels()[upper]
        bent = posture.bent(upper)
        beside = float(
            np.interp(math.degrees(-bent), x, extension) - np.interp(math.degrees(bent), x, flexion)
        )
        found.append(beside - (BENDS if upper in DISCS else UPPER) * bent)
    return np.array(found)


def ends(posture: Posture) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What whole levels bear in flexion and extension beyond discs and ligaments, and its functions."""
    forces, functions = [], []
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
        pair = f"{lower}_{upper}".lower().replace("skull", "head")
        x, flexion, extension = laws_of_levels()[upper]
        for words, y in (("Flexion", flexion), ("Extension", extension)):
            functions.append(_table(f"{words.lower()}_{pair}", f"{words} {lower}, {upper}", "rad", "N*m", np.radians(x), y))  # fmt: skip
        forces.append({
            "id": f"end_{pair}", "name": f"Flexion and extension {lower}, {upper}", "group": "Ends of motion", "zero": 0.0,
            "coordinate": {"kind": "angle", "a": frames[0], "b": frames[1], "axis": "y"},
            "laws": [{"kind": "rest", "above": f"extension_{pair}", "below": f"flexion_{pair}"}],
        })  # fmt: skip
    return forces, functions


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
        for axis, id_, words, levels, held in (
            ("x", "aside", "Sideways", ASIDE, _bends_aside(upper)), ("z", "twist", "Twist", TWIST, _twists(upper, soft)),
        ):  # fmt: skip
            _, stop, _ = levels[upper]
            from_ = stop if stop > AHEAD_DEG else 0.0
            x = np.unique([0.0, *(from_ + np.arange(0.0, 12.0)), *(from_ + np.arange(12.0, 60.0, 4.0))])  # fmt: skip
            y = np.maximum(borne(levels[upper], x) - math.radians(held) * x, 0.0)
            functions.append(_table(f"{id_}_{pair}", f"{words} {lower}, {upper}", "rad", "N*m", np.radians(x), y))  # fmt: skip
            forces.append({
                "id": f"{id_}_{pair}", "name": f"{words} {lower}, {upper}", "group": "Ends of motion", "zero": 0.0,
                "coordinate": {"kind": "angle", "a": frames[0], "b": frames[1], "axis": axis},
                "laws": [{"kind": "rest", "above": f"{id_}_{pair}"}],
            })  # fmt: skip
    return forces, functions


def _bends_aside(upper: str) -> float:
    """How stiff (N m/rad) a disc is when it bends sideways, or a joint above the discs."""
    return BENDS * (WIDTH / DEPTH) ** 2 if upper in DISCS else UPPER


def _twists(upper: str, soft: Softness) -> float:
    """How stiff (N m/rad) a disc is in twist, or a joint above the discs."""
    if upper not in DISCS:
        return UPPER if upper == "skull" else math.degrees(TWIST[upper][0])
    return SHEARS * soft.shear * ROUND * (WIDTH**2 + DEPTH**2) / 16.0


def _own(posture: Posture, bone: str) -> float:
    """The turn from a bone's segment to axes that are level where the neck is at rest."""
    return posture.turn(bone) - (posture.tilts[bone] - bones()[bone].tilt)


@dataclass(frozen=True)
class Band:
    """A ligament: its name and level, its ends by bone, its force (N) by how much it is longer (m) than slack, how many there are, its slack (m)."""

    name: str
    level: str
    below: tuple[str, Array]
    above: tuple[str, Array]
    law: tuple[Array, Array]
    count: int
    slack: float


@functools.cache
def bands() -> tuple[Band, ...]:
    """All ligaments of the tables."""
    laws = {(row[0], row[1]): [float(x) for x in row[2:10]] for row in rows("ligaments")}
    ways: dict[tuple[str, str], list[tuple[str, Array, str, Array]]] = {}
    for row in rows("ligament_points"):
        a, b = (MM * np.array([float(n) for n in row[at : at + 3]]) for at in (3, 7))
        ways.setdefault((row[0], row[1]), []).append((row[2], a, row[6], b))
    out = []
    for (name, level), elements in ways.items():
        if (name, level) not in laws or name not in NAMES:
            continue
        below = elements[0][0], np.mean([one[1] for one in elements], axis=0)
        above = elements[0][2], np.mean([one[3] for one in elements], axis=0)
        x, y = _pull(laws[name, level], MOST.get(name))
        y = (0.5 if name in PAIRED[2:] else 1.0) * y
        count, slack = 1 + (name in PAIRED), slack_of(Posture(0.0, 1.0), below, above)
        out.append(Band(name, level, below, above, (x, y), count, slack))
    return tuple(out)


def ligaments(posture: Posture) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """All ligaments as springs that only pull once they are taut, and their functions."""
    springs, functions = [], []
    rest = Posture(0.0, posture.size)
    for one in bands():
        plain = f"{one.name}_{one.level}".lower().replace(" ", "_").replace("-", "_").replace("skull", "head")  # fmt: skip
        functions.append(_table(plain, f"{NAMES[one.name]} {one.level}", "m", "N", *one.law))
        ends_at = [
            np.array([p[0] * rest.size, *rest.place(bone, p[1:])])
            for bone, p in (one.below, one.above)
        ]
        taut = float(np.linalg.norm(ends_at[1] - ends_at[0])) + one.slack * posture.size
        sides = (("_right", 1.0), ("_left", -1.0)) if one.count == 2 else (("", 0.0),)
        for side, sign in sides:
            over = np.array([sign, 1.0, 1.0])
            places = [
                {"segment": segment(bone), "position_m": posture.local(bone, p * over)}
                for bone, p in (one.below, one.above)
            ]
            springs.append({
                "id": f"{plain}{side}", "name": f"{NAMES[one.name]} {one.level}{side.replace('_', ', ')}", "group": "Ligaments",
                "kind": "tabulated", "tension_only": True, "force": plain, "rest_length_m": round(taut, 6),
                "a": places[0], "b": places[1],
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
