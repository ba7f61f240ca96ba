"""The book's part on the eight cadavers, with its picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from validation import strips
from validation.case import Verdict
from validation.gold_standard import rig
from validation.gold_standard.reading import PATHS, TURNED_MS, Found, found, measured, solved
from validation.gold_standard.rig import AGE, KG, STATURE_M, TO_S

ASKED = 0.8
EXCURSION_MM = (319.0, 452.0)
BARS = (("L4", "L2"), ("L2", "T8"), ("T8", "T1"))
TITLE = "Eight cadavers at 40 km/h"
PICTURE = "pictures/held_gold_standard.png"
SHOWN_MS = (0, 50, 75, 100, 125)


def verdicts() -> list[Verdict]:
    """What came of it."""
    here, known = found(), "nothing fitted on it"
    forward, down = (sum(here.inside(name, axis) >= ASKED for name in PATHS) for axis in "xz")
    (low, high), most = EXCURSION_MM, float(here.path["head"][:, 0].max())
    pull = float(here.lap.max())
    return [
        Verdict(TITLE, known, f"{forward} of {len(PATHS)} paths forward inside for 80 % of the time", "5", forward >= 5, "the spine bends where the subjects' straightened"),
        Verdict(TITLE, known, f"{down} of {len(PATHS)} paths down", "3", down >= 3, "hips sink into the flesh on the seat"),
        Verdict(TITLE, known, f"head {most:.0f} mm forward", f"{low:.0f} to {high:.0f}", low <= most <= high),
        Verdict(TITLE, known, f"lap belt {pull:.1f} kN", "1.6 to 2.2", 1.6 <= pull <= 2.2, "hips sink, knees bear it all"),
    ]  # fmt: skip


def section() -> str:
    """The book's part."""
    here, asked = found(), measured()
    until = asked["paths_time"] <= TO_S
    rows = []
    for name in PATHS:
        cells = []
        for axis in "xz":
            mine, mean = (
                here.path[name][:, "xz".index(axis)],
                asked[f"{name}_{axis}_mean_mm"][until],
            )
            peak = int(np.argmax(np.abs(mean)))
            low, high = (asked[f"{name}_{axis}_{end}_mm"][until][peak] for end in ("lo", "hi"))
            inside = here.inside(name, axis)
            mark = f"{inside:.0%}" if inside >= ASKED else f"**{inside:.0%}**"
            cells.append(
                f"{mine[np.argmax(np.abs(mine))]:.0f} | {mean[peak]:.0f} ({low:.0f} to {high:.0f}) | {mark}"
            )
        rows.append(f"| {name} | " + " | ".join(cells) + " |")
    bars = []
    for low, high in BARS:
        cells = [
            f"{mine:.0f} ({theirs:.0f})"
            for mine, theirs in zip(*here.turns(low, high), strict=True)
        ]
        bars.append(f"| {low} to {high} | " + " | ".join(cells) + " |")
    forward = sum(here.inside(name, "x") >= ASKED for name in PATHS)
    most = float(here.path["head"][:, 0].max())
    within = "within" if EXCURSION_MM[0] <= most <= EXCURSION_MM[1] else "**outside**"
    pulls = []
    for belt in ("upper", "lower"):
        mine, mean, sd = here.belt[belt], asked[f"{belt}_mean_kN"], asked[f"{belt}_sd_kN"]
        k, j = int(np.argmax(mine)), int(np.argmax(mean))
        off = abs(mine[k] - mean[j]) / sd[j]
        pulls.append(
            f"| {belt} | {mine[k]:.2f} kN, {1e3 * here.time[k]:.0f} ms | {mean[j]:.2f} ± {sd[j]:.2f} kN, {1e3 * asked['belts_time'][j]:.0f} ms "
            f"| {off:.1f} SD | {here.near(belt):.0%} |"
        )
    head = (rig.__doc__ or "").split("\n\n")[1].replace("\n", " ").strip()
    return "\n".join(
        [
            f"## {TITLE}", "", head, "",
            f"The man weighs {KG:g} kg, is {STATURE_M:g} m tall and {AGE:g} years old, as the subjects were in the mean, and has no tone; nothing of him was fitted on these tests. "
            "Flesh on the seat is rubber, 41 mm thick, of which half is left under who sits there (PMC10267746); it is sheared as that rubber is (bristles of 0.14 of force by depth: closed form). **Assumed** are how legs stand, what knees and "
            "soles give way on rigid planes, what all that give back, and that knees and belts touch from the start.", "",
            "**Posture.** He sits as the public model of the tests does when its belts lock ([where that comes from](tried.md#the-posture-and-where-it-comes-from)).", "",
            f"![Motion, paths and belt forces]({PICTURE})", "",
            "Ways from the start, seen from the sled: the farthest, and which part of 0 to 150 ms lies between the lowest and the highest of eight.", "",
            "| point | forward, mm | measured | inside | down, mm | measured | inside |", "|---|---|---|---|---|---|---|", *rows, "",
            "How far lines between points have turned forward, by their ways, degrees: here, and (measured).", "",
            "| line | " + " | ".join(f"{ms:g} ms" for ms in TURNED_MS) + " |", "|---|---|---|---|", *bars, "",
            "| shoulder belt | largest | measured | apart | within 2 SD |", "|---|---|---|---|---|", *pulls, "", _chest(here), "", _lower(here), "", *_judged(here, forward, most, within),
        ]
    )  # fmt: skip


def _lower(here: Found) -> str:
    """Say what lap belt, hips and knees do."""
    asked = measured()

    said = []
    for name, unit in (("lap", "kN"), ("hip_x", "mm"), ("knee_x", "mm")):
        k = int(np.argmax(asked[f"{name}_mean_{unit}"]))
        mean, low, high = (asked[f"{name}_{end}_{unit}"][k] for end in ("mean", "lo", "hi"))
        form, at = ".1f" if unit == "kN" else ".0f", 1e3 * asked["lower_time"][k]
        said.append(f"measured {mean:{form}} ({low:{form}} to {high:{form}}) at {at:.0f} ms")
    lap, hip, knee = said
    return (
        f"Lap belt: at most {here.lap.max():.1f} kN; {lap}. Farthest forward hips {here.lower['hip'].max():.0f} mm, {hip}; "
        f"knees {here.lower['knee'].max():.0f} mm, {knee}."
    )


def _chest(here: Found) -> str:
    """Say how far the belt presses the chest."""
    asked, k = measured(), int(np.argmin(here.sternum))
    at = int(np.argmin(asked["low_mm"]))
    return (
        f"Breastbone into the chest: {-here.sternum[k]:.0f} mm at {1e3 * here.time[k]:.0f} ms; the subjects' corridor is widest at "
        f"{1e3 * asked['sternum_time'][at]:.0f} ms, {-asked['high_mm'][at]:.0f} to {-asked['low_mm'][at]:.0f} mm; from 80 ms inside for {here.pressed():.0%}."
    )


def _judged(here: Found, forward: int, most: float, within: str) -> list[str]:
    """Say what came of it."""
    low, high = EXCURSION_MM
    return [
        f"Asked: five of six paths inside for 80 %; forward it is **{forward} of {len(PATHS)}**, down none. The head's excursion is {most:.0f} mm, "
        f"{within} {low:.0f} to {high:.0f} mm.", "",
        f"**What fails, and why.** The lower a part of the subjects' trunk, the farther it turns: at 100 ms L4 to L2 by 43 degrees, T8 to T1 by 15 (table), so that the spine straightens, and T8 rises by 75 mm. "
        f"Here it bends: the pelvis turns {here.pelvis.max():.0f} degrees at most, T8 to T1 34. Pressed by the trunk's mass, the lumbar spine pushes the pelvis forward by 2.3 kN and down by as much or more along itself (40 to 50 ms); "
        "the knees, which touch the bolster from the start, push it back by 3.5 to 4.2 kN. Moments about the hips nearly cancel: -308 N m of the spine's push, 325 of the seat's, 15 of the lumbar joint's own, -13 of the hips', none of the lap belt (50 ms). "
        "So hips sink by 25 mm, the flesh under them is pressed flat, they rebound, and the lap belt falls slack just as it should bear. The subjects' pelvis point rose by 47 mm: if it stood 9 cm behind the hips, their pelvis turned by some 30 degrees, if 13 cm (behind the sacrum) by 20. "
        "Knees of the subjects went 44 mm forward, which these do not. Mass of the belly that goes forward apart from the spine would load the lap belt and let the pelvis go less far ([a trial](tried.md#what-holds-the-pelvis)): people here have none. So T1 goes 3 cm too far, and all stay too low. The neck has no part in it: from T1 the head has gone 118 mm forward and 112 down at 100 ms, measured 129 and 94.", "",
        "[What was put right, how sure that is, and what was tried](tried.md#eight-cadavers-at-40-kmh).", "",
        "**What this validates**: when the shoulder belt bears and how much, for two thirds of the time to 2 SD; how far forward the head, T8, L2 and L4 go, the head's excursion with them; how deep a belt presses the chest. **What it does "
        "not**: how far T1 goes (3 cm beyond the farthest subject's), the pelvis between 45 and 75 ms, the height of head, chest and spine, the turn of the pelvis and of the upper chest, the lap belt, and single ribs.", "",
    ]  # fmt: skip


def picture(file: Path) -> None:
    """Draw the motion, paths and belt forces."""
    from matplotlib.figure import Figure

    project, run = solved()
    here, asked = found(), measured()
    drawing = Figure(figsize=(10.0, 5.6), layout="constrained")
    grid = drawing.add_gridspec(2, 4, height_ratios=(1.0, 1.2))
    strips.draw(drawing.add_subplot(grid[0, :]), project, run, SHOWN_MS)
    ms = 1e3 * asked["paths_time"]
    for number, name in enumerate(("head", "T8", "pelvis")):
        axes = drawing.add_subplot(grid[1, number])
        for k, (axis, tone) in enumerate((("x", "#c0392b"), ("z", "#2c5f8a"))):
            axes.fill_between(
                ms,
                asked[f"{name}_{axis}_lo_mm"],
                asked[f"{name}_{axis}_hi_mm"],
                color=tone,
                alpha=0.2,
            )
            axes.plot(
                1e3 * here.time,
                here.path[name][:, k],
                color=tone,
                lw=1.5,
                label="forward" if axis == "x" else "down",
            )
        axes.set(title=f"{name} [mm]", xlabel="time [ms]", xlim=(0.0, 150.0))
        axes.grid(visible=True, alpha=0.3)
    drawing.axes[1].legend(frameon=False, fontsize=8)
    axes, ms = drawing.add_subplot(grid[1, 3]), 1e3 * asked["belts_time"]
    for belt, tone in (("upper", "#c0392b"), ("lower", "#2c5f8a")):
        mean, sd = asked[f"{belt}_mean_kN"], asked[f"{belt}_sd_kN"]
        axes.fill_between(ms, mean - 2 * sd, mean + 2 * sd, color=tone, alpha=0.2)
        axes.plot(1e3 * here.time, here.belt[belt], color=tone, lw=1.5, label=belt)
    axes.set(title="shoulder belt [kN]", xlabel="time [ms]", xlim=(0.0, 150.0))
    axes.legend(frameon=False, fontsize=8)
    axes.grid(visible=True, alpha=0.3)
    drawing.savefig(file, dpi=90)


if __name__ == "__main__":
    print(section())
