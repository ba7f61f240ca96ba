"""How the public model of the tests sits when its belts lock: it was set by the means of the subjects' markers, which are not public.

Its body is not public either, but rigs of its parts are (saferhbm/validation). Each turns and moves a part from where it stands in the
whole body; turned and moved back, pots, bolts and the ball in the hip's socket tell where vertebrae and hips stand there. From there the
model was turned by a degree, put on the seat, and sank in for 350 ms: how far five vertebrae moved meanwhile is in its results.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache

import numpy as np

from solver.bodies import Body, Place, insert_body, pose
from solver.bodies.body import turn_of
from solver.project import Project
from solver.project.pose import start_pose

Side = tuple[float, float]
"""A place or a direction seen from the side: forward, down."""
STANDS_MM = {
    "hips": (-0.7, 31.2),
    "lumbar_1": (-84.2, -21.8), "lumbar_2": (-124.2, -91.2), "lumbar_3": (-159.5, -152.1),
    "thoracic_1": (-188.0, -208.0), "thoracic_2": (-213.0, -292.0), "disc_1": (-198.0, -470.0),
}  # fmt: skip
"""Of the public model in its own axes. Hips: ball on the pelvis (Guillemot's rig, turned by 6 degrees; Kemper's agrees to 2 mm). Discs
below L5, L3, L1: the pots of T12 and L5 (Demetropoulos', turned by 30) and where discs lie between them in its picture. Discs below T11
and T8, and C7 on T1: bolts and pots (Panjabi's, vertebra by vertebra; Stemper's)."""
SANK_MM = {-21.8: (6.1, 35.5), -74.7: (-2.5, 39.1), -137.9: (-9.3, 44.2), -305.0: (-18.8, 47.5), -460.0: (-12.8, 47.9)}  # fmt: skip
"""How far S1, L4, L2, T8 and T1 moved until the belts locked, by where they stood (down)."""
HEAD_MM = (45.1, 55.6)
"""The head, likewise."""
BELT_MM = (-17.1, -393.5)
"""Where the middle of the model's shoulder belt crosses the middle of its chest, before it sinks; it is taken to sink with the chest."""
STATURE_M = 1.75
"""Of the public model."""
LINES = {
    "lower_torso": ("hips", "lumbar_1"), "lumbar_1": ("lumbar_1", "lumbar_2"), "centre_torso": ("lumbar_2", "lumbar_3"),
    "lumbar_2": ("lumbar_3", "thoracic_1"), "lower_ribs": ("thoracic_1", "thoracic_2"), "upper_torso": ("thoracic_2", "disc_1"),
}  # fmt: skip
"""Segments, each with the joints at its ends."""
NECK = ("neck_1", "neck_2", "neck_3")


def _on_seat(place: Side) -> Side:
    """A place of the model as the rig puts it: moved, turned by a degree, moved again."""
    x, z = place[0] + 10.0, place[1] - 5.0
    c, s = math.cos(math.radians(1.0)), math.sin(math.radians(1.0))
    return x * c + z * s + 5.0, z * c - x * s - 18.0


def _sunk(stood: float) -> Side:
    """How far a place of the trunk moved while the model sank in."""
    heights = sorted(SANK_MM)
    x, z = (np.interp(stood, heights, [SANK_MM[one][k] for one in heights]) for k in (0, 1))
    return float(x), float(z)


def _moved(place: Side, way: Side) -> Side:
    return place[0] + way[0], place[1] + way[1]


def lean(low: Side, high: Side) -> float:
    """How far the line between two places leans forward (degrees)."""
    return math.degrees(math.atan2(high[0] - low[0], low[1] - high[1]))


@cache
def start() -> Mapping[str, Side]:
    """Where hips and joints of the model are when the belts lock (mm): forward, down, in the axes of the sled."""
    seat = {name: _on_seat(place) for name, place in STANDS_MM.items()}
    found = {
        name: _moved(seat[name], _sunk(z)) for name, (_, z) in STANDS_MM.items() if name != "hips"
    }
    # nothing tells how far the hips sank: the pelvis is taken to turn as the lumbar spine does
    back = math.radians(
        lean(seat["lumbar_2"], seat["lumbar_3"]) - lean(found["lumbar_2"], found["lumbar_3"])
    )
    x, z = (a - b for a, b in zip(seat["hips"], seat["lumbar_1"], strict=True))
    turned = (x * math.cos(back) + z * math.sin(back), z * math.cos(back) - x * math.sin(back))
    return found | {"hips": _moved(found["lumbar_1"], turned)}


def belt(stature_m: float) -> Side:
    """Where the shoulder belt crosses the chest's middle (m), from the hips of somebody of another stature."""
    hips = start()["hips"]
    x, z = _moved(BELT_MM, _sunk(BELT_MM[1]))
    return 1e-3 * (x - hips[0]) * stature_m / STATURE_M, 1e-3 * (
        z - hips[1]
    ) * stature_m / STATURE_M


def joints(body: Body) -> dict[str, Side]:
    """Give joints of a body's trunk and its head's mass centre as it stands in its pose (m), from its hips."""
    placed = start_pose(insert_body(Project(), body, at=Place(anchor="hips")))
    found: dict[str, Side] = {"hips": (0.0, 0.0)}
    for name in (*STANDS_MM, "condyles"):
        if name != "hips":
            one = body.joint(name)
            x, _, z = placed[one.parent].of(one.parent_frame.position_m)
            found[name] = (float(x), float(z))
    x, _, z = placed["head"].p_W
    return found | {"head": (float(x), float(z))}


def head_leans(length_mm: float) -> float:
    """How far the line from T1 to the head leans forward (degrees) once the head has moved, on a neck that keeps its length."""
    x, z = (a - b for a, b in zip(HEAD_MM, SANK_MM[min(SANK_MM)], strict=True))
    turned = 2.0 * math.asin(0.5 * math.hypot(x, z) / length_mm)
    return math.degrees(math.atan2(z, x) + 0.5 * turned)


def seated(body: Body) -> Body:
    """A standing body in the model's posture: its trunk's segments lean as there, its head is as far ahead and level, legs are a driver's."""
    here, there = joints(body), start()
    back = {
        name: lean(here[low], here[high]) - lean(there[low], there[high])
        for name, (low, high) in LINES.items()
    }
    neck, top, head = (here[name] for name in ("disc_1", "condyles", "head"))
    long = math.hypot(head[0] - neck[0], head[1] - neck[1])
    ahead = math.radians(head_leans(1e3 * long * STATURE_M / body.dimensions["standing_height_m"]))
    off = (top[1] - head[1]) * math.sin(ahead) - (head[0] - top[0]) * math.cos(ahead)
    turned = math.degrees(
        ahead + math.asin(off / math.hypot(top[0] - neck[0], top[1] - neck[1]))
    ) - lean(neck, top)
    back |= dict.fromkeys(NECK, -turned) | {"head": 0.0}
    return pose(body, "driving", {name: turn_of((0.0, by, 0.0)) for name, by in back.items()})
