"""Eight cadavers on a sled at 40 km/h (Gold Standard 1), and the generator's man of their mass in their place.

Shaw and others (Stapp 2009): rigid flat seat, knee bolster, foot rest, shoulder belt and lap belt apart, no load limiter. Curves and
what is known of the rig: the public repository saferhbm/validation (Apache-2.0), whose sled motion is differenced twice; the subjects'
weights, statures and ages are its table's; places of anchors, the webbing (6 % at 10 kN), how its ends give (9.6 mm each at 1 kN, 16 at 8),
how long it runs out freely (30 ms, under 20 N) and friction (0.7 on what is rigid, 0.3 under belts) are those of its model of the tests.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from solver.bodies import Body, Place, adult_dimensions, human, insert_body
from solver.bodies.insert import Touch
from solver.bodies.library.belting import laid
from solver.bodies.library.entries import Entry
from solver.bodies.library.occupants import occupant
from solver.project import Project, validated
from solver.project.merging import merged
from solver.project.pose import start_pose
from validation.gold_standard import posture
from validation.gold_standard.posture import Side

FOLDER = Path(__file__).resolve().parent.parent / "data" / "gold_standard_1"
G = 9.80665
KG, STATURE_M, AGE = 75.5, 1.7925, 54.0
"""Means of the eight subjects."""
SIDES = ("right_", "left_")
THIGH, SHANK, FOOT = 98.0, 45.0, 122.0
"""Pitch (degrees) of thighs, shanks and feet: those of a driver, assumed."""
TO_S = 0.15
"""End of what is judged."""
PAD_M, SITS, SITS_N = 0.041, 0.5, 440.0
"""Flesh under the sitting bones before and after sitting down on a flat rigid seat: 41.0 and 20.5 mm, means over 50 mm (PMC10267746,
table 4). It bears there what sits on it."""
SUNK_M = PAD_M * (1.0 - SITS)
"""Of the pelvis in the seat."""
WEBBING = (
    (0.0, 0.005, 0.01, 0.0133, 0.02, 0.03, 0.04, 0.05, 0.061),
    (0.0, 520.0, 1160.0, 1770.0, 3230.0, 5190.0, 6820.0, 8310.0, 9900.0),
)
END_M, END_N = (0.0, 0.0096, 0.0128, 0.01408, 0.016, 0.0176), (0.0, 1e3, 2e3, 3e3, 8e3, 20e3)
"""How each end of a belt gives; the shoulder belt has two such ends, the lap belt one."""
ENDS = {"shoulder": 2.0, "lap": 1.0}
FREE_S, FREE_N = 0.03, 20.0
"""How long webbing runs out freely, and under which tension."""
ANCHORS = {
    "shoulder": ((-0.09, -0.243, 0.24), (-0.416, 0.328, -0.616)), "lap": ((-0.0873, -0.238, 0.227), (-0.2136, 0.2945, 0.2929)),
}  # fmt: skip


def man() -> Body:
    """A dead man of the subjects' mean size and age: no tone."""
    size = adult_dimensions("male", weight_kg=KG, height_m=STATURE_M, age_years=AGE)
    return replace(human(size), tone=None)


def _down(pitch: float) -> Side:
    """Where a limb of a pitch (degrees) points."""
    return float(np.sin(np.radians(pitch))), float(np.cos(np.radians(pitch)))


def _rectangle(id_: str, name: str, at: Side, along: Side, ways: Side, turned: bool = False) -> dict[str, Any]:  # fmt: skip
    """A plane of the sled across it: from a place by two ways along a direction; it looks up, or down if turned."""
    y = 0.3 if turned else -0.3
    (x, z), (a, c), (near, far) = at, along, ways
    return {
        "id": id_, "name": name, "segment": "sled", "group": "Sled",
        "placement": {
            "kind": "points", "p1_m": (x + near * a, y, z + near * c), "p2_m": (x + near * a, -y, z + near * c),
            "p3_m": (x + far * a, y, z + far * c),
        },
    }  # fmt: skip


def _planes(body: Body) -> list[dict[str, Any]]:
    """Give seat, bolster and foot rest where they touch the seated body."""
    hips = start_pose(insert_body(Project(), body, at=Place(anchor="hips")))

    def joint(id_: str) -> Side:
        one = body.joint(id_)
        x, _, z = hips[one.parent].of(one.parent_frame.position_m)
        return float(x), float(z)

    def under(segment: str, way: Side) -> Side:
        """The point of a body's ellipsoid that lies farthest in a direction."""
        placed, (a, _, c) = hips[segment], body.segment(segment).surfaces[0].semi_axes_m
        middle = placed.of(body.segment(segment).surfaces[0].centre_m)
        out = np.array((way[0], 0.0, way[1]))
        local = placed.R_WS.T @ out * np.array((a, 0.0, c))
        x, _, z = middle + placed.R_WS @ (local / np.linalg.norm(local) * np.array((a, 0.0, c)))
        return float(x), float(z)

    x, low = under("lower_torso", (0.0, 1.0))
    toes, shin = _down(FOOT), _down(SHANK)
    sole, ahead = (-toes[1], toes[0]), (shin[1], -shin[0])
    return [
        _rectangle("seat", "Rigid seat", (x, low - SUNK_M), (1.0, 0.0), (-0.2, 0.4)),
        _rectangle("bolster", "Knee bolster", under("right_knee_block", ahead), shin, (-0.1, 0.1), turned=True),
        _rectangle("foot_rest", "Foot rest", under("right_foot", sole), toes, (-0.2, 0.3)),
    ]  # fmt: skip


def pad() -> tuple[list[float], list[float]]:
    """Give force (N) by depth (m) of flesh on a seat: rubber of its thickness, F = c (1 / s^2 - s) at s of its height."""
    left = np.array((1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.07, 0.05))
    c = SITS_N / (SITS**-2 - SITS)
    return ((1.0 - left) * PAD_M).tolist(), (c * (left**-2 - left)).tolist()


def shears() -> float:
    """How stiff that rubber is across, in parts of its force by its depth, as it is sat on.

    A pressed column is sheared by c / h, h its height without load (W = G / 2 (I1 - 3)): s^2 / (1 + s + s^2) at s of its height.
    """
    return SITS**2 / (1.0 + SITS + SITS**2)


def rig(body: Body) -> Project:
    """The sled with seat, bolster and foot rest."""
    pulse = np.genfromtxt(FOLDER / "sled_pulse.csv", delimiter=",", names=True)
    lossy = {
        "kind": "hysteretic",
        "energy_ratio": 0.3,
        "offset_ratio": 0.6,
        "friction": 0.7,
        "friction_ramp_m_per_s": 0.1,
        "source": "assumed",
    }

    def force(
        id_: str, name: str, x: list[float], y: list[float], source: str = "assumed"
    ) -> dict[str, Any]:
        return {
            "id": id_,
            "name": name,
            "x_unit": "m",
            "y_unit": "N",
            "source": source,
            "form": {"kind": "table", "x": x, "y": y},
        }

    return validated(
        {
            "title": "Gold Standard 1: sled, 40 km/h",
            "segments": [{"id": "sled", "name": "Sled", "mass_kg": 1000.0, "inertia_kgm2": [100.0] * 3, "note": "Prescribed; its mass does not matter."}],
            "functions": [
                {
                    "id": "sled_pulse", "name": "Acceleration of the sled", "x_unit": "s", "y_unit": "m/s2",
                    "form": {"kind": "table", "x": (pulse["t_ms"] * 1e-3).tolist(), "y": (G * pulse["sled_ax_g"]).tolist()},
                },
                force("flesh", "Buttocks and thighs on what is rigid: force", *pad(), "thickness: PMC10267746; rubber: assumed"),
                force("bone", "Knees and soles on what is rigid: force", [0.0, 0.1], [0.0, 20000.0]),
            ],
            "motions": [{"id": "sled", "segment": "sled", "components": [{"component": "x", "pulse": {"kind": "function", "function": "sled_pulse"}}]}],
            "contact_laws": [
                {"id": "fleshy", "base": "flesh", **lossy, "friction_law": "bristle", "friction_stiffness_ratio": round(shears(), 4)},
                {"id": "bony", "base": "bone", **lossy},
            ],
            "planes": _planes(body),
            "initial": {"roots": [{"segment": "sled"}]},
            "runs": [{"id": "run", "duration_s": TO_S, "frame_interval_s": 1e-3, "body_sensors": False}],
        }
    )  # fmt: skip


def belts() -> Entry:
    """The two belts, which the hips' middle carries."""

    def place(p: tuple[float, float, float]) -> tuple[float, float, float]:
        x, z = (
            round(a - 1e-3 * b, 4) for a, b in zip(p[::2], posture.start()["hips"], strict=True)
        )
        return x, p[1], z

    def strap(id_: str, over: str, **plane: Any) -> dict[str, Any]:
        first, last = (place(p) for p in ANCHORS[id_])
        return {
            "id": id_, "law": "belt", "spacing_m": 0.09, "friction": 0.3, "follows": "body",
            "waypoints": [{"position_m": first}, {"position_m": last, "over": [over], **plane}],
            "end_device": {"retractor": {
                # the sled brakes from the start on
                "lock_acceleration_m_per_s2": 0.1, "lock_delay_s": FREE_S, "tension_n": FREE_N, "film_spool": f"{id_}_ends",
            }},
        }  # fmt: skip

    ahead, down = (round(one, 4) for one in posture.belt(STATURE_M))

    def ends(id_: str) -> dict[str, Any]:
        x = [round(ENDS[id_] * one, 5) for one in END_M]
        form = {"kind": "table", "x": x, "y": END_N}
        return {
            "id": f"{id_}_ends",
            "name": f"Ends of the {id_} belt: tension",
            "x_unit": "m",
            "y_unit": "N",
            "form": form,
        }

    return Entry.model_validate(
        {
            "id": "gold_standard_belts", "name": "Shoulder belt and lap belt apart", "source": "saferhbm/validation", "basis": "published",
            "origin": "the middle between the hip joints of the occupant", "harness": "belts",
            "straps": [strap("shoulder", "upper_torso", towards_m=(ahead, 0.0, down)), strap("lap", "lower_torso")],
            "fragment": {
                "functions": [{"id": "belt_tension", "name": "Webbing: tension", "x_unit": "1", "y_unit": "N", "form": {"kind": "table", "x": WEBBING[0], "y": WEBBING[1]}}, *(ends(id_) for id_ in ENDS)],
                "contact_laws": [{"id": "belt", "kind": "webbing", "base": "belt_tension", "energy_ratio": 0.34, "offset_ratio": 0.27}],
            },
        }
    )  # fmt: skip


def scene(body: Body | None = None) -> Project:
    """The test."""
    body = posture.seated(body or man())
    touches = [
        Touch(s, "seat", "fleshy") for s in ("lower_torso", *(f"{side}upper_leg" for side in SIDES))
    ]
    touches += [
        Touch(f"{side}{part}", "bolster", "bony")
        for side in SIDES
        for part in ("lower_leg", "knee_block")
    ]
    touches += [Touch(f"{side}foot", "foot_rest", "bony") for side in SIDES]
    at = Place(anchor="hips", relative_to="sled", moves_with="sled")
    project, one = insert_body(rig(body), body, "p", at, touches=touches), belts()
    who = occupant(project, "p")
    assert who is not None
    return laid(merged(project, one.fragment), one, "", "sled", (0.0, 0.0, 0.0), None, who)  # fmt: skip
