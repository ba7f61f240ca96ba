"""Head and neck pushed from behind: the library's relaxed neck, not fitted to it, in the corridors of ten subjects.

Stemper and others (AAAM 2004): isolated heads and necks, T1 driven forward by 1.8 and 2.6 m/s, no head restraint;
curves as the public repository saferhbm/validation (Apache-2.0) has digitised them. Given is the part of the
time in which an angle lies inside its corridor, and where it is at 126 ms.
"""

from __future__ import annotations

import csv
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
from matplotlib.path import Path as Outline

import manikin as mk
from solver.bodies.library.entries import fragment
from solver.engine.maths.rotation import Array
from validation.case import Verdict
from validation.sheets import PALE, RED, sheet
from validation.volunteers import G, Subject, model

FOLDER = Path(__file__).resolve().parent / "data" / "neck_rear"
PICTURE = "pictures/held_neck_rear.png"
TITLE = "Neck from behind"
SEGMENTS = {
    "C23": "end_c3_c2",
    "C34": "end_c4_c3",
    "C45": "end_c5_c4",
    "C56": "end_c6_c5",
    "C67": "end_c7_c6",
}
FROM_S, AT_S = 0.005, 0.126


def corridors() -> dict[tuple[str, str], Array]:
    """Read outlines (s, rad) by change of speed and angle."""
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    with (FOLDER / "corridors.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            place = 1e-3 * float(row["t_ms"]), np.radians(float(row["value"]))
            found.setdefault((row["T1_dv_m_s"][:3], row["segment"]), []).append(place)
    return {key: np.array(outline) for key, outline in found.items()}


@cache
def angles(speed: str) -> tuple[Array, dict[str, Array]]:
    """The angles of a run with the pulse of a change of speed."""
    data = np.genfromtxt(FOLDER / "t1_pulse.csv", delimiter=",", names=True)
    time, pulse = (data[name] for name in (data.dtype.names[0], data.dtype.names[1 if speed == "1.8" else 2]))  # fmt: skip
    known = np.isfinite(pulse)
    driven = Subject(f"{speed} m/s", time[known] / 1e3, G * pulse[known], 0.0 * time[known], {})
    run = mk.run(mk.Model(model(driven, fragment("head_and_neck"))), until=0.15)
    table, head = run.trajectory.table("coordinate_forces"), run["head_pitch_angle"]
    seen, time = list(table.ids), np.asarray(run.time)
    out = {name: np.asarray(table["angle"])[:, seen.index(end)] for name, end in SEGMENTS.items()}
    out["HT1"] = np.interp(time, head.time, head.value)
    return time, {name: angle - angle[0] for name, angle in out.items()}


def inside() -> dict[tuple[str, str], tuple[float, float]]:
    """Give part of the time inside, and the angle (rad) at 126 ms, by change of speed and angle."""
    found, out = {speed: angles(speed) for speed in ("1.8", "2.6")}, {}
    for (speed, name), outline in corridors().items():
        time, angle = found[speed][0], found[speed][1][name]
        here = (time > FROM_S) & (time < outline[:, 0].max())
        part = Outline(outline).contains_points(np.column_stack([time[here], angle[here]])).mean()
        out[speed, name] = float(part), float(np.interp(AT_S, time, angle))
    return out


def verdicts() -> list[Verdict]:
    """What came of it."""
    whole = {name: part >= 0.8 for name, (part, _) in inside().items()}
    out = ", ".join(f"{name} at {speed} m/s" for (speed, name), there in whole.items() if not there)
    return [Verdict(TITLE, "nothing fitted on it", f"{sum(whole.values())} of {len(whole)} angles inside for 80 % of the time", "all", not out, f"not {out}" if out else "")]  # fmt: skip


def section() -> str:
    """The book's part."""
    head = " ".join((__doc__ or "").split("\n\n")[1].split())
    found = inside()
    names = [*SEGMENTS, "HT1"]
    lines = ["| change of speed | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for speed in ("1.8", "2.6"):
        cells = [
            f"{part:.0%} ({np.degrees(angle):.1f}°)"
            for part, angle in (found[speed, n] for n in names)
        ]
        lines.append(f"| {speed} m/s | " + " | ".join(cells) + " |")
    mean = np.mean([part for (_, name), (part, _) in found.items() if name != "HT1"])
    lines += [
        "",
        f"On the mean of the ten angles between vertebrae: {mean:.0%}. HT1 is the head on T1.",
    ]
    shown = f"![Angles in their corridors]({PICTURE})"
    return f"## {TITLE}\n\n{head}\n\n{shown}\n\n" + "\n".join(lines) + "\n"


def picture(file: Path) -> None:
    """Draw each angle in its corridor, slower pushes above faster ones."""
    names = [*SEGMENTS, "HT1"]
    with sheet(file, 2, len(names), (11.0, 4.0)) as plots:
        for axes, (speed, name) in zip(plots, product(("1.8", "2.6"), names), strict=True):
            time, found = angles(speed)
            outline = corridors()[speed, name]
            axes.fill(
                1e3 * outline[:, 0], np.degrees(outline[:, 1]), color=PALE, label="ten subjects"
            )
            axes.plot(1e3 * time, np.degrees(found[name]), color=RED, lw=1.4, label="here")
            axes.set_title(f"{name}, {speed} m/s", fontsize=9)
        plots[0].set_ylabel("angle [°]", fontsize=8)
        plots[-1].set_xlabel("time [ms]", fontsize=8)
        plots[0].legend(frameon=False, fontsize=7)


if __name__ == "__main__":
    print(section())
