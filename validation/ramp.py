"""A seat that rises or falls forward under a man in a lap belt that may slide: where it rides over the iliac crests, and where it stays.

No test stands behind it: what is held is the order that such seats are built by. A pan that falls lets the pelvis sink, go far and turn back
under the belt; one that rises holds it. Webbing and flesh are those of the cadavers' sled. Anchors 15 cm below the hips were chosen of 0 to 20, as
pans differ most there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import manikin as mk
from solver.bodies import Place, adult_dimensions, human, insert_body, pose
from solver.bodies.insert import Touch
from solver.bodies.library.belting import laid
from solver.bodies.library.entries import Entry
from solver.bodies.library.occupants import occupant
from solver.engine.maths.rotation import matrices
from solver.project import Project, validated
from solver.project.merging import merged
from solver.project.pose import start_pose
from solver.running.outputs.submarining import Submarining, submarining
from validation import strips
from validation.case import Verdict
from validation.gold_standard.rig import SUNK_M, WEBBING, G, pad, shears

TITLE, PICTURE = "A seat ramp and a lap belt", "pictures/held_ramp.png"
RISES = (-10.0, 0.0, 10.0, 20.0)
"""How far the pan rises forward (degrees)."""
PULSE_G, STOPS_S, TO_S = 20.0, 0.055, 0.08
"""Deceleration, until when it lasts, and the end: 39 km/h."""
ANCHOR, HIGH = (-0.16, 0.15), (-0.42, 0.2, -0.6)
"""Lap anchors (forward, down, m) and the upper one of the shoulder belt, from the hips: assumed."""
FRICTION = 0.3
OVER = ("lap_belt_over_crest", "lap_belt_leaves")


@dataclass(frozen=True)
class Ridden:
    """What a pan did: how far the pelvis went forward (mm) and turned back (degrees), the lap belt's largest force (kN), what was told."""

    forward: float
    back: float
    pull: float
    told: tuple[Submarining, ...]

    @property
    def is_over(self) -> bool:
        """Whether the belt rode over the crests."""
        return any(one.kind in OVER for one in self.told)


def _sled(rises: float) -> Project:
    """The sled with its pan, under a man in a driver's posture whose hips stand at its origin."""
    body = pose(human(adult_dimensions("male")), "driving")
    placed = start_pose(insert_body(Project(), body, at=Place(anchor="hips")))["lower_torso"]
    flesh, angle = body.segment("lower_torso").surfaces[0], np.radians(rises)
    under, along = np.array((np.sin(angle), 0.0, np.cos(angle))), np.array((np.cos(angle), 0.0, -np.sin(angle)))  # fmt: skip
    wide = placed.R_WS @ np.diag(np.square(flesh.semi_axes_m)) @ placed.R_WS.T
    low = placed.of(flesh.centre_m) + wide @ under / np.sqrt(under @ wide @ under) - SUNK_M * under

    def corner(way: float, y: float) -> tuple[float, ...]:
        return tuple(float(v) for v in low + way * along + np.array((0.0, y, 0.0)))

    depth, force = pad()
    return validated(
        {
            "title": f"Lap belt over a pan that rises by {rises:g} degrees",
            "segments": [{"id": "sled", "name": "Sled", "mass_kg": 1000.0, "inertia_kgm2": [100.0] * 3, "note": "Prescribed; its mass does not matter."}],
            "functions": [
                {"id": "pulse", "x_unit": "s", "y_unit": "m/s2", "form": {"kind": "table", "x": [0.0, 0.01, STOPS_S, STOPS_S + 0.01], "y": [0.0, -PULSE_G * G, -PULSE_G * G, 0.0]}},
                {"id": "flesh", "x_unit": "m", "y_unit": "N", "form": {"kind": "table", "x": depth, "y": force}},
            ],
            "motions": [{"id": "sled", "segment": "sled", "components": [{"component": "x", "pulse": {"kind": "function", "function": "pulse"}}]}],
            "contact_laws": [{
                "id": "fleshy", "base": "flesh", "kind": "hysteretic", "energy_ratio": 0.3, "offset_ratio": 0.6, "source": "as on the cadavers' sled",
                "friction": FRICTION, "friction_law": "bristle", "friction_stiffness_ratio": round(shears(), 4),
            }],
            "planes": [{"id": "seat", "segment": "sled", "placement": {"kind": "points", "p1_m": corner(-0.2, -0.3), "p2_m": corner(-0.2, 0.3), "p3_m": corner(0.4, -0.3)}}],
            "initial": {"roots": [{"segment": "sled"}]},
            "runs": [{"id": "run", "duration_s": TO_S, "frame_interval_s": 1e-3, "body_sensors": False}],
        }
    )  # fmt: skip


def _belts() -> Entry:
    def strap(id_: str, over: str, last: tuple[float, ...], follows: str) -> dict[str, Any]:
        first = (ANCHOR[0], -0.24, ANCHOR[1])
        return {
            "id": id_, "law": "belt", "spacing_m": 0.09, "friction": FRICTION, "follows": follows,
            "waypoints": [{"position_m": first}, {"position_m": last, "over": [over]}],
        }  # fmt: skip

    return Entry.model_validate(
        {
            "id": "ramp_belts", "name": "Lap belt that slides, shoulder belt", "source": "assumed", "basis": "assumed",
            "origin": "the middle between the hip joints of the occupant", "harness": "belts",
            "straps": [strap("lap", "lower_torso", (ANCHOR[0], 0.24, ANCHOR[1]), "webbing"), strap("shoulder", "upper_torso", HIGH, "body")],
            "fragment": {
                "functions": [{"id": "belt_tension", "x_unit": "1", "y_unit": "N", "form": {"kind": "table", "x": WEBBING[0], "y": WEBBING[1]}}],
                "contact_laws": [{"id": "belt", "kind": "webbing", "base": "belt_tension", "energy_ratio": 0.34, "offset_ratio": 0.27}],
            },
        }
    )  # fmt: skip


def scene(rises: float) -> Project:
    """The man on a pan, in his belts."""
    body = pose(human(adult_dimensions("male")), "driving")
    touches = [Touch(one, "seat", "fleshy") for one in ("lower_torso", "right_upper_leg", "left_upper_leg")]  # fmt: skip
    at, one = Place(anchor="hips", relative_to="sled", moves_with="sled"), _belts()
    project = insert_body(_sled(rises), body, "p", at, touches=touches)
    who = occupant(project, "p")
    assert who is not None
    return laid(merged(project, one.fragment), one, "", "sled", (0.0, 0.0, 0.0), None, who)


@cache
def solved(rises: float) -> tuple[Project, mk.Run]:
    """Run one pan."""
    project = scene(rises)
    return project, mk.run(mk.Model(project))


@cache
def ridden(rises: float) -> Ridden:
    """What a pan did."""
    project, run = solved(rises)
    pelvis, sled = (run.trajectory.segment(one) for one in ("p_lower_torso", "sled"))
    way = (pelvis.position - sled.position)[:, 0]
    turn = matrices(pelvis.quaternion_wxyz)
    pitch = np.degrees(np.unwrap(np.arctan2(turn[:, 0, 2], turn[:, 2, 2])))
    lap = run.trajectory.table("harnesses")["tension"][:, 0]
    return Ridden(
        float(1e3 * (way - way[0]).max()), float((pitch - pitch[0]).max()), float(1e-3 * lap.max()),
        submarining(project, run.trajectory),
    )  # fmt: skip


def verdicts() -> list[Verdict]:
    """What came of it."""
    over = [one for one in RISES if ridden(one).is_over]
    found = ", ".join(f"{one:g}" for one in over) or "none"
    known = "no test, the order alone; anchors chosen"
    return [Verdict(TITLE, known, f"rides over the crests at a rise of {found} degrees", "falling, not rising", over == [RISES[0]])]  # fmt: skip


def section() -> str:
    """The book's part."""
    rows = []
    for rises in RISES:
        one = ridden(rises)
        told = "; ".join(f"{said.kind.removeprefix('lap_belt_').replace('_', ' ')}, {1e3 * said.time_s:.0f} ms" for said in one.told)  # fmt: skip
        rows.append(f"| {rises:g} | {one.forward:.0f} mm | {one.back:.0f} degrees | {one.pull:.1f} kN | {told or 'nothing: it stays'} |")  # fmt: skip
    head = (__doc__ or "").split("\n\n")[1].replace("\n", " ").strip()
    return "\n".join(
        [
            f"## {TITLE}", "", head, "",
            f"The man of the generator sits as a driver on a hard pan of {RISES[0]:g} to {RISES[-1]:g} degrees, with nothing before knees and feet; {PULSE_G:g} g stop him ({3.6 * PULSE_G * G * STOPS_S:.0f} km/h). "
            f"The lap belt slides over him with a friction of {FRICTION:g}, along and across, from anchors 16 cm behind the hips and 15 below.", "",
            f"![On a pan that falls by 10 degrees]({PICTURE})", "",
            "| pan rises by | pelvis forward | turns back | lap belt | what is told |", "|---|---|---|---|---|", *rows, "",
            "**How sure that is.** With anchors 3 cm higher the flat pan lets it over, too (68 ms), and so does one that rises by 20 degrees: it throws the pelvis up, which turns back by 42 degrees; at 10 degrees it stays. "
            "With a friction of 0.5 and anchors 10 cm below it stays on pans of 0 and 20 degrees (up to 60 ms). With 0.2 and anchors 20 cm below it slips down from the front of the pelvis: straps over people do not meet their thighs, which would hold it there. "
            "Samples and *New crash* lay their belts on places of the body, where [what would slide is told by its pull](engine.md#lap-belts).", "",
        ]
    )  # fmt: skip


def picture(file: Path) -> None:
    """Draw the belt that rides over."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(10.0, 2.6), layout="constrained")
    strips.draw(drawing.add_subplot(), *solved(RISES[0]), (0, 30, 50, 65, 80))
    drawing.savefig(file, dpi=90)
