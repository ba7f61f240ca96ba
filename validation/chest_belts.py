"""Chests under shoulder belts: a Hybrid III driver's by the measured pull of his belt, and a man's on a table.

NHTSA vehicle crash test 7292, the Hybrid III 50th-percentile man who drove the first car, whose airbag did not open; public data of that test by
joe-cormier/pycrash. Both straps of a belt pull with what was measured at each instant, and the sills move the car as they do for the woman behind him. Where
his belt lay is not in the data: seat and places are the library's bench and belt. **No number was fitted on it**, but it was known when the law's form was chosen:
ribs beside the breastbone give way by a law whose numbers are of other tests. Compared until 84 ms: later his chest comes back while the belt still pulls, as he strikes the wheel (head 204 g at 95 ms).

Kent and others (Stapp 2004), the subjects of the section above: a belt across the chest, over a collarbone and the lower ribs of the other side, and what the back
bears. Seven men, as the generated man is one; where the ends of the belt were is not in the data: beside and below the chest here. **Nothing was fitted on it.**
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import manikin as mk
from solver.bodies import Place, dummy, insert_body, pose
from solver.bodies.body import Body
from solver.bodies.library import insert
from solver.bodies.library.belting import between
from solver.bodies.library.entries import Strap, Waypoint
from solver.bodies.library.occupants import occupant
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.fields import ZERO3
from solver.project.geometry import PointRef
from solver.project.merging import merged
from solver.project.pose import start_pose
from solver.studies.bench.pieces import only
from validation import rear_seat
from validation.case import Verdict
from validation.people import man
from validation.sheets import GREY, RED, sheet
from validation.slow import RATE_M_PER_S, at_depth, by_depth, subjects

PICTURE = "pictures/held_chest_belts.png"
TITLE = "Chests under shoulder belts"
WHO = "driver"
SHOWN_MS = (56.0, 60.0, 64.0, 68.0, 72.0, 76.0, 80.0, 84.0)
"""From half of the largest deflection on, until the chest meets the wheel."""
DEPTHS_MM = (10.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0)
SPINE = ("upper_torso", "lower_ribs")
CHEST = (*SPINE, "sternum", "right_shoulder", "left_shoulder")
ENDS_M = ((-0.25, 0.22, 0.10), (-0.25, -0.18, -0.26))
"""Ends of the belt on the table, from the middle of the lower ribs: assumed."""
WEBBING_N = 400e3


@cache
def measured() -> dict[str, Array]:
    """Read the driver's curves: time (ms), deflection (mm) and pull of both straps (N)."""
    data = np.genfromtxt(rear_seat.FOLDER / "driver_belts.csv", delimiter=",", names=True)
    names = data.dtype.names or ()
    return {name: np.asarray(data[name], float) for name in names}


def driven() -> Project:
    """Seat the man on the bench, both straps of his belt pulled as measured."""
    at = Place(anchor="hips", relative_to="car", moves_with="car")
    project = insert_body(rear_seat.car(), pose(dummy("hybrid_iii_50m"), "seated"), WHO, at)
    for entry in ("car_rear_bench", "three_point_plain_left"):
        project = insert(project, entry, attach_to="car", on=WHO)
    data, test = project.model_dump(), measured()
    (belt,) = data["harnesses"]
    pulls = [
        _by_time(strap["id"], "N", 1e-3 * test["t_ms"], np.maximum(test[f"{strap['id']}_belt_N"], 0.0))
        for strap in belt["straps"]
    ]  # fmt: skip
    for strap in belt["straps"]:
        name = strap["id"]
        strap["end_device"] = {"given_tension": name}
        rings = [k for k, point in enumerate(strap["points"]) if point["kind"] == "ring"]
        if rings:
            # it was measured between the ring and the shoulder
            ring = strap["points"][rings[0]]
            end = {"kind": "anchor", "segment": ring["segment"], "position_m": ring["position_m"]}
            strap.update(points=[*strap["points"][: rings[0]], end], slack_m=0.0)
    way = {"kind": "joint", "id": "way", "joint": f"{WHO}_sternum", "quantity": "angle"}
    more = {
        "functions": [*data["functions"], *pulls], "outputs": [*data["outputs"], way],
        "runs": [data["runs"][0] | {"duration_s": 0.1}],
    }  # fmt: skip
    return Project.model_validate(data | more)


def _by_time(id_: str, unit: str, x: Any, y: Any) -> dict[str, Any]:
    form = {"kind": "table", "x": np.asarray(x).tolist(), "y": np.round(y, 6).tolist()}
    return {"id": id_, "name": id_, "x_unit": "s", "y_unit": unit, "form": form}


@cache
def deflected() -> tuple[Array, Array]:
    """Run the driver: time (ms) and deflection of his chest (mm)."""
    way = mk.run(mk.Model(driven()))["way_slide"]
    return 1e3 * np.asarray(way.time), 1e3 * np.abs(np.asarray(way.value))


@cache
def ratios() -> Array:
    """Give the deflection in parts of the measured one, at each instant that is shown."""
    test = measured()
    there = np.interp(SHOWN_MS, test["t_ms"], -test["chest_defl_mm"])
    found: Array = np.interp(SHOWN_MS, *deflected()) / there
    return found


def on_table(body: Body) -> Project:
    """Lay a belt across a chest, its spine held, and wind it in steadily from one end."""
    part, until = only(body, CHEST), 0.07
    place = start_pose(part)
    fixture = {
        "title": "Belt across a chest on a table", "gravity_m_per_s2": ZERO3,
        "functions": [_by_time("webbing", "N", (0.0, 1.0), (0.0, WEBBING_N)) | {"x_unit": "1"}, _by_time("winds", "m", (0.0, until), (0.0, -RATE_M_PER_S * until))],
        "contact_laws": [{"kind": "webbing", "id": "webbing", "base": "webbing"}],
        "outputs": [{"kind": "joint", "id": "way", "joint": "sternum", "quantity": "angle"}],
        "runs": [{"id": "run", "duration_s": until, "frame_interval_s": 2.5e-4, "body_sensors": False}],
    }  # fmt: skip
    data = merged(Project.model_validate(fixture), part).model_dump()
    between_them = next(j["id"] for j in data["joints"] if j["child"] in SPINE)
    data["joints"] = [joint for joint in data["joints"] if joint["id"] != between_them]
    data["joints"] += [
        {"kind": "locked", "id": f"held_{id_}", "parent": "ground", "child": id_, "parent_frame": {"position_m": tuple(map(float, place[id_].p_W))}}
        for id_ in SPINE
    ]  # fmt: skip
    data["coordinate_forces"] = [
        one for one in data["coordinate_forces"] if one["coordinate"].get("joint") != between_them
    ]
    held = Project.model_validate(data)
    who, stop = occupant(held), Waypoint(position_m=ZERO3, over=("upper_torso",))
    assert who is not None
    laid = Strap(id="belt", law="webbing", waypoints=(stop, stop), follows="body", friction=0.2)
    low, high = (PointRef(segment="ground", position_m=end) for end in ENDS_M)
    points = [point.model_dump() for point in between(held, laid, low, high, stop, who)]
    ends = [{"kind": "anchor", "segment": "ground", "position_m": end} for end in ENDS_M]
    strap = {"id": "belt", "law": "webbing", "points": [ends[0], *points, ends[1]], "end_device": {"given_payout": "winds"}}  # fmt: skip
    return Project.model_validate(data | {"harnesses": [{"id": "belt", "straps": [strap]}]})


@cache
def belted() -> tuple[Array, Array]:
    """Give compression (mm) of the man's chest under the belt and the force on his back (N), until the chest comes back."""
    run = mk.run(mk.Model(on_table(man())))
    table, way = run.trajectory.table("joints"), run["way_slide"]
    rows = [k for k, id_ in enumerate(table.ids) if id_.startswith("held_")]
    force = np.abs(np.asarray(table["force"])[:, rows, 0].sum(axis=1))
    deep = 1e3 * np.abs(np.interp(run.time, way.time, way.value))
    end = int(np.argmax(deep)) + 1
    return deep[:end], force[:end]


def men() -> dict[str, Array]:
    """The curves of the male subjects under the belt."""
    return {who: c for who, c in subjects("diagonal").items() if who.startswith("M")}


def _inside() -> list[bool]:
    here = [float(np.interp(x, *belted())) for x in DEPTHS_MM]
    theirs = [at_depth(x, men()) for x in DEPTHS_MM]
    return [t.min() <= h <= t.max() for h, t in zip(here, theirs, strict=True)]


def verdicts() -> list[Verdict]:
    """What came of it."""
    least, most, inside = ratios().min(), ratios().max(), _inside()
    unseen = "nothing fitted on it"
    return [
        Verdict(TITLE, "known, no number fitted on it", f"driver's chest {least:.2f} to {most:.2f} times as deep, by his belt's pull", "0.8 to 1.2", bool(least >= 0.8 and most <= 1.2)),
        Verdict(TITLE, unseen, f"diagonal belt on a table: within seven men at {sum(inside)} of {len(inside)} depths", "all", all(inside), "" if all(inside) else "dampers bear at first"),
    ]  # fmt: skip


def section() -> str:
    """The book's part."""
    driver, table = (part.replace("\n", " ").strip() for part in (__doc__ or "").split("\n\n")[1:])
    test = measured()
    pull, deep = (np.interp(SHOWN_MS, test["t_ms"], test[name]) for name in ("shoulder_belt_N", "chest_defl_mm"))  # fmt: skip
    here = np.interp(SHOWN_MS, *deflected())
    rows = [
        f"| {ms:g} | {1e-3 * t:.2f} | {h:.1f} | {-m:.1f} | {-h / m:.2f} |"
        for ms, t, h, m in zip(SHOWN_MS, pull, here, deep, strict=True)
    ]
    return "\n".join(
        [
            f"## {TITLE}", "", f"![Chests under belts]({PICTURE})", "", driver, "",
            "| ms | shoulder belt, kN | deflection here, mm | in the test, mm | ratio |", "|---|---|---|---|---|", *rows, "",
            "With the breastbone alone, as before ([dummies](dummies.md#ribs-beside-the-breastbone)), it was 1.6 to 1.9 times as deep. **What this validates**: how deep a belt of known pull "
            "presses the mid-size man's chest, where its place is as usual. **What it does not**: other places of the belt, and the way back.", "", table, "",
            *by_depth(DEPTHS_MM, belted(), men()), "",
            "**What this validates**: what a man's chest bears under a belt that loads collarbone, breastbone and lower ribs together. In the first 10 mm dampers bear, as under the slow hub.", "",
        ]
    )  # fmt: skip


def picture(file: Path) -> None:
    """Draw the driver's deflection, and force by compression on the table."""
    test = measured()
    with sheet(file, 1, 2, (9.0, 3.2)) as (driver, table):
        driver.plot(test["t_ms"], -test["chest_defl_mm"], color=GREY, lw=1.6, label="measured")
        driver.plot(*deflected(), color=RED, lw=1.6, label="here")
        driver.set(xlim=(30.0, 100.0), ylim=(0.0, None))
        for n, curve in enumerate(men().values()):
            table.plot(*curve.T, color=GREY, lw=0.8, label="" if n else "measured")
        table.plot(*belted(), color=RED, lw=1.6, label="here")
        table.set(xlim=(0.0, 45.0), ylim=(0.0, None))
        for axes, x, y, title in (
            (driver, "time [ms]", "deflection [mm]", "Driver of NHTSA 7292, by his belt's pull"),
            (table, "compression [mm]", "force on the back [N]", "Diagonal belt on a table"),
        ):
            axes.set_xlabel(x, fontsize=8)
            axes.set_ylabel(y, fontsize=8)
            axes.set_title(title, fontsize=9)
            axes.legend(frameon=False, fontsize=7)


if __name__ == "__main__":
    print(section())
