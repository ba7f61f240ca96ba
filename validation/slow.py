"""Parts of people that are loaded slowly: a chest on a table under a hub, and a lumbar spine that is bent.

Kent and others (Stapp 2004): fifteen subjects on their backs, a hub on the breastbone; curves as the public repository
saferhbm/validation (Apache-2.0) has digitised them in a branch that it has not reviewed. The rate is not among them: 1 m/s, from
memory. Force is that on the back; what inertia does in the first millimetres is theirs and ours.

Demetropoulos and others (SAE 1998): spines from T12 to L5 without muscles and without a load along them, nine curves of the same
repository. The model's three joints hold six motion segments, the specimens had five: its angle counts by five sixths.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import manikin as mk
from solver.bodies import adult_dimensions, human
from solver.bodies.people.sizes import BENDS, SEGMENTS
from solver.engine.maths.rotation import Array
from solver.project.document import Project
from solver.project.merging import merged
from solver.project.pose import start_pose
from solver.studies.bench.pieces import only
from validation.case import Verdict
from validation.people import man
from validation.sheets import GREY, RED, sheet

FOLDER = Path(__file__).resolve().parent / "data"
RATE_M_PER_S = 1.0
PICTURE = "pictures/held_slow.png"
TITLE = "Chest and lumbar spine, loaded slowly"
DEPTHS_MM = (10.0, 20.0, 30.0)
ANGLES_DEG = (5.0, 10.0, 14.0)
SHORTER_MM = (2.0, 4.0, 6.0)
SHORTENS_M_PER_S = 0.1
MOST_NM = 40.0
MILLER_NM = 95.0
SPECIMENS, MODEL = 5, 6
"""Motion segments."""
FLAT = {"kind": "frame", "frame": {"orientation": {"angles_rad": (0.0, -math.pi / 2, 0.0)}}, "length_m": 0.135, "width_m": 0.135}  # fmt: skip


def _locked(segment: str) -> dict[str, Any]:
    return {"id": "held", "kind": "locked", "parent": "ground", "child": segment}


@cache
def pressed() -> tuple[Array, Array]:
    """Give deflection (mm) and force (N) of the man's chest under a hub at a steady rate, his spine on the table."""
    part = only(man(), ("upper_torso", "sternum"))
    slide, shape = next(j for j in part.joints if j.id == "sternum"), man().segment("sternum").surfaces[0]  # fmt: skip
    x, _, z = (
        a + b - c
        for a, b, c in zip(slide.parent_frame.position_m, shape.centre_m, slide.child_frame.position_m, strict=True)
    )  # fmt: skip
    front = x + shape.semi_axes_m[0]
    fixture = {
        "title": "Chest on a table", "joints": [_locked("upper_torso")], "gravity_m_per_s2": (0.0, 0.0, 0.0),
        "segments": [{"id": "hub", "name": "Hub", "mass_kg": 10.0, "inertia_kgm2": [0.05] * 3, "note": "Driven; its mass does not matter."}],
        "motions": [{"id": "hub", "segment": "hub", "components": [{"component": "x", "quantity": "velocity", "pulse": {"kind": "constant", "value": -RATE_M_PER_S}}]}],
        "planes": [{"id": "face", "name": "Face of the hub", "segment": "hub", "bounded": True, "placement": FLAT}],
        "contacts": [{"id": "hub", "kind": "plane", "plane": "face", "surface": {"segment": "sternum", "surface": "body"}, "law": "chest_skin"}],
        "initial": {"roots": [{"segment": "hub", "position_m": (front, 0.0, z)}]},
        "runs": [{"id": "run", "duration_s": 0.045, "frame_interval_s": 1e-4, "body_sensors": False}],
    }  # fmt: skip
    run = mk.run(mk.Model(merged(Project.model_validate(fixture), part)))
    table = run.trajectory.table("joints")
    back = np.asarray(table["force"])[:, list(table.ids).index("held")]
    return 1e3 * RATE_M_PER_S * np.asarray(run.time), np.abs(back[:, 0])


@cache
def bent() -> tuple[Array, Array]:
    """Give angle (degrees, of five motion segments) and moment (N m) of the man's lumbar spine in slow flexion."""
    part = only(man(), ("lower_torso", "lumbar_1", "centre_torso", "lumbar_2"))
    seconds = 4.0
    fixture = {
        "title": "Lumbar spine, flexion", "joints": [_locked("lower_torso")], "gravity_m_per_s2": (0.0, 0.0, 0.0),
        "functions": [{"id": "growing", "name": "Moment", "x_unit": "s", "y_unit": "N*m", "form": {"kind": "table", "x": [0.0, seconds], "y": [0.0, MOST_NM]}}],
        "loads": [{"id": "moment", "kind": "torque", "segment": "lumbar_2", "direction": (0.0, -1.0, 0.0), "axes": "ground", "history": "growing"}],
        "runs": [{"id": "run", "duration_s": seconds, "frame_interval_s": 0.02, "body_sensors": False}],
    }  # fmt: skip
    run = mk.run(mk.Model(merged(Project.model_validate(fixture), part)))
    wxyz = run.trajectory.segment("lumbar_2").quaternion_wxyz
    angle = np.degrees(-2.0 * np.arctan2(wxyz[:, 2], wxyz[:, 0]))
    return angle * SPECIMENS / MODEL, MOST_NM / seconds * np.asarray(run.time)


@cache
def shortened() -> tuple[Array, Array]:
    """How much shorter (mm, of five motion segments) and force (N) of the lumbar spine of a man with discs that shorten.

    Both ends are held against turning, as in pots; the upper comes down steadily.
    """
    body = replace(human(adult_dimensions("male"), compressing=True), tone=None)
    part = only(body, ("lower_torso", "lumbar_1", "centre_torso", "lumbar_2"))
    top = start_pose(merged(Project.model_validate({"joints": [_locked("lower_torso")]}), part))["lumbar_2"].p_W  # fmt: skip
    fixture = {
        "title": "Lumbar spine, compression", "joints": [_locked("lower_torso")], "gravity_m_per_s2": (0.0, 0.0, 0.0),
        "segments": [{"id": "pot", "name": "Pot", "mass_kg": 1.0, "inertia_kgm2": [0.01] * 3, "note": "Driven; its mass does not matter."}],
        "motions": [{"id": "pot", "segment": "pot", "components": [{"component": "z", "quantity": "velocity", "pulse": {"kind": "constant", "value": SHORTENS_M_PER_S}}]}],
        "springs": [
            {
                "id": "cement", "kind": "bushing", "a": {"segment": "pot"}, "b": {"segment": "lumbar_2"}, "stiffness_n_per_m": [3e7] * 3,
                "damping_ns_per_m": [3e3] * 3, "stiffness_nm_per_rad": [1e5] * 3, "damping_nms_per_rad": [50.0] * 3,
            }
        ],
        "initial": {"roots": [{"segment": "pot", "position_m": tuple(float(v) for v in top)}]},
        "runs": [{"id": "run", "duration_s": 0.09, "frame_interval_s": 5e-4, "body_sensors": False}],
    }  # fmt: skip
    run = mk.run(mk.Model(merged(Project.model_validate(fixture), part)))
    table = run.trajectory.table("joints")
    held = np.asarray(table["force"])[:, list(table.ids).index("held")]
    z = run.trajectory.segment("lumbar_2").position[:, 2]
    return 1e3 * (z - z[0]) * SPECIMENS / MODEL, np.abs(held[:, 2])


@cache
def subjects(loaded: str) -> dict[str, Array]:
    """Read the subjects' compression (mm) and force (N) under the hub, or a diagonal belt, by sex and number."""
    file = FOLDER / "chests" / f"kent_2004_{loaded}.csv"
    rows = file.read_text(encoding="utf-8").splitlines()[1:]
    found: dict[str, list[list[float]]] = {}
    for who, sex, *values in (row.split(",") for row in rows):
        found.setdefault(f"{sex}{who}", []).append([float(v) for v in values])
    return {who: np.array(curve) for who, curve in found.items()}


@cache
def demetropoulos(way: str = "flexion") -> dict[str, Array]:
    """Read the specimens' angle (degrees) and moment (N m) in flexion, or what they shorten (mm) and force (N) in compression."""
    data = np.genfromtxt(
        FOLDER / "lumbar" / f"demetropoulos_1998_{way}.csv", delimiter=",", skip_header=1
    )
    return {f"{n:.0f}": data[data[:, 0] == n, 1:] for n in np.unique(data[:, 0])}


def at_depth(x: float, curves: dict[str, Array]) -> Array:
    """What those curves say there that reach so far."""
    return np.array(
        [np.interp(x, *np.unique(c, axis=0).T) for c in curves.values() if c[:, 0].max() >= x]
    )


def by_depth(
    at: tuple[float, ...], mine: tuple[Array, Array], theirs: dict[str, Array]
) -> list[str]:
    """Give rows of force by compression, here and measured."""
    return _table("compression, mm", "N", at, mine, theirs)


def _table(
    what: str, unit: str, at: tuple[float, ...], mine: tuple[Array, Array], theirs: dict[str, Array]
) -> list[str]:
    lines = [
        f"| {what} | here, {unit} | measured, {unit}: mean (least to most) | of so many |",
        "|---|---|---|---|",
    ]
    for x in at:
        values = at_depth(x, theirs)
        here = float(np.interp(x, *mine))
        shown = ".0f" if unit == "N" else ".1f"
        lines.append(
            f"| {x:g} | {here:{shown}} | {values.mean():{shown}} ({values.min():{shown}} to {values.max():{shown}}) | {len(values)} |"
        )
    return lines


def verdicts() -> list[Verdict]:
    """What came of it."""
    chest = float(np.interp(30.0, *pressed())) / at_depth(30.0, subjects("hub")).mean()
    inside = []
    for at, mine, theirs in (
        (ANGLES_DEG, bent(), demetropoulos()),
        (SHORTER_MM, shortened(), demetropoulos("compression")),
    ):
        specimens = [at_depth(x, theirs) for x in at]
        inside.append(
            [
                one.min() <= np.interp(x, *mine) <= one.max()
                for x, one in zip(at, specimens, strict=True)
            ]
        )
    bends, shortens = inside
    return [
        Verdict(TITLE, "fitted on it among others", f"chest {chest:.1f} times as stiff at 30 mm", "1.2", chest <= 1.2, "dampers bear at first, and one does not serve 1 and 7 m/s"),
        Verdict(TITLE, "nothing fitted on it", f"lumbar flexion within nine spines at {sum(bends)} of {len(bends)} angles", "all", all(bends)),
        Verdict(TITLE, "nothing fitted on it", f"compression within nine spines at {sum(shortens)} of {len(shortens)} ways", "all", all(shortens)),
    ]  # fmt: skip


def section() -> str:
    """The book's part."""
    chest, spine = (part.replace("\n", " ").strip() for part in (__doc__ or "").split("\n\n")[1:3])
    linear, stop, beyond = BENDS["lumbar_2"].flexion
    far = math.degrees(stop + math.sqrt((MILLER_NM - linear * stop) / beyond)) / SEGMENTS
    return "\n".join(
        [
            f"## {TITLE}", "", f"![Chest under a slow hub, lumbar spine bent and pressed]({PICTURE})", "", chest, "",
            *by_depth(DEPTHS_MM, pressed(), subjects("hub")), "",
            "The fit of the chest counts these curves, so they validate nothing; they show what it could not do: half as much again at 30 mm and "
            "several times as much in the first 10 mm, where dampers bear. A belt on the same subjects is in the next section.", "", spine, "",
            *_table("flexion, degrees", "N m", ANGLES_DEG, bent(), demetropoulos()), "",
            "None of these curves was fitted: the joints follow other spines, level by level ([Levels of neck and spine](spine-levels.md)). Fourteen segments of young men, bent by up to "
            f"{MILLER_NM:g} N m and 18 degrees, resisted with 6 to 11 N m for each degree (Miller and others 1986, its abstract); two of the model's middle segments bear {MILLER_NM:g} N m at {far:.0f} degrees "
            f"each, {MILLER_NM / far:.1f} for each degree, ten times beyond the moments that they were fitted at. **What this validates**: flexion of the lumbar spine, within what nine spines bore.", "",
            f"The same spines in compression, at {SHORTENS_M_PER_S:g} m/s; here the man with discs that shorten, whose stiffness is that of other segments (Kemper and others 2007, "
            "from memory) and whose upper end does not turn.", "",
            *_table("shorter by, mm", "N", SHORTER_MM, shortened(), demetropoulos("compression")), "",
            "**What this validates**: that discs which shorten bear what spines do from some 4 mm on; at 6 mm they bear a seventh less, as the curved column between its pots also bends. **What it does not**: the first millimetres, where spines that bore nothing "
            "before are softer than those of who sits; and people without them, the usual ones, whose forces along the spine are those of a rigid column.", "",
        ]
    )  # fmt: skip


def picture(file: Path) -> None:
    """Draw the chest under the hub and the spine, bent and pressed, beside those of subjects."""
    with sheet(file, 1, 3, (12.0, 3.2)) as plots:
        for axes, theirs, mine, labels, most in (
            (plots[0], subjects("hub"), pressed(), ("compression [mm]", "force [N]", "Chest under a slow hub"), 45.0),
            (plots[1], demetropoulos(), bent(), ("flexion [°]", "moment [N m]", "Lumbar spine, bent slowly"), 20.0),
            (plots[2], demetropoulos("compression"), shortened(), ("shorter by [mm]", "force [N]", "Lumbar spine, discs that shorten"), 7.0),
        ):  # fmt: skip
            for n, curve in enumerate(theirs.values()):
                axes.plot(*curve.T, color=GREY, lw=0.8, label="" if n else "measured")
            axes.plot(*mine, color=RED, lw=1.6, label="here")
            axes.set(xlim=(0.0, most), ylim=(0.0, None))
            axes.set_xlabel(labels[0], fontsize=8)
            axes.set_ylabel(labels[1], fontsize=8)
            axes.set_title(labels[2], fontsize=9)
            axes.legend(frameon=False, fontsize=7)


if __name__ == "__main__":
    print(section())
