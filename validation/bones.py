"""Bones of the legs that are bent until they break, as specimens were between two hinges.

Ivarsson and others (Stapp 2009): shafts of five men's femurs, pressed fore or aft in their middle. Harden and others (2021): ten
tibias, struck from the side at 6 m/s by two noses, 40 and 60 % of the way along. Kemper and others (ESV 05-0123): a woman's and three men's
humeri, struck in their middle at 3 m/s. Largest forces of curves that branches of the public
repository saferhbm/validation (Apache-2.0) have digitised; hinges and noses stand where its rigs have them. The cut of the bone is in the
middle, so that half of a rig is run: one end held, the other pushed at its hinge by half of the force, which rises evenly.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import manikin as mk
from solver.bodies import adult_dimensions, human
from solver.bodies.body import RIGHT
from solver.bodies.people.bones import BENDS
from solver.project.document import Project
from validation.case import Verdict
from validation.sheets import GREY, RED, sheet

TITLE = "Bones that are bent until they break"
PICTURE = "pictures/held_bones.png"
FILE = Path(__file__).resolve().parent / "data" / "bones" / "bent.csv"
PARTS = {
    "femur": ("upper_leg", "knee_block"), "tibia": ("lower_leg", "ankle_block"), "humerus": ("upper_arm", "elbow_block"),
}  # fmt: skip
KNOWN = dict.fromkeys(PARTS, "nothing fitted on it")
MOST_N, LASTS_S = 20e3, 2.0
WHY = "theirs broke within 1 ms of a blow at 6 m/s; the moment here is that of slower ones, and no rate is told"


@cache
def measured() -> dict[str, tuple[tuple[str, float, float], ...]]:
    """Of each bone its tests: name, arm from a hinge to where the moment is largest (m), largest force (N)."""
    with FILE.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {
        bone: tuple((row["test"], float(row["arm_m"]), 1e3 * float(row["force_kN"])) for row in rows if row["bone"] == bone)
        for bone in PARTS
    }  # fmt: skip


@cache
def breaks_at(bone: str, arm_m: float, across: tuple[float, float, float] = (1.0, 0.0, 0.0)) -> float:  # fmt: skip
    """Run half of a rig on the bone of the mid-size man; give the whole force (N) at which it breaks."""
    body = human(adult_dimensions("male"), breaking_bones=True)
    above, below = (f"{RIGHT}{part}" for part in PARTS[bone])
    (joint,) = (one for one in body.joints if (one.parent, one.child) == (above, below))
    x, y, z = joint.child_frame.position_m
    kept = [body.segment(one).model_copy(update={"mirror": None}) for one in (above, below)]
    piece = Project(title=bone, gravity_m_per_s2=(0.0, 0.0, 0.0), segments=tuple(kept), joints=(joint,))  # fmt: skip
    data: dict[str, Any] = piece.model_dump(mode="json")
    table = {"kind": "table", "x": [0.0, LASTS_S], "y": [0.0, 0.5 * MOST_N]}
    data["functions"] = [{"id": "rise", "x_unit": "s", "y_unit": "N", "form": table}]
    data["joints"].append({"kind": "locked", "id": "clamp", "parent": "ground", "child": above})
    data["loads"] = [
        {"kind": "force", "id": "hinge", "segment": below, "point_m": [x, y, z + arm_m], "direction": across, "axes": "segment", "history": "rise"}
    ]  # fmt: skip
    data["runs"] = [{"id": "run", "duration_s": LASTS_S}]
    run = mk.run(mk.Model(Project.model_validate(data))).trajectory
    return MOST_N / LASTS_S * next(one.time for one in run.events() if one.kind == "joint_breaks")


def found(bone: str) -> tuple[float, float, float]:
    """Of a bone: where it breaks here at the specimens' mean arm, the least and the most of theirs there by equal moment (N)."""
    tests = measured()[bone]
    mean = float(np.mean([arm for _, arm, _ in tests]))
    theirs = [force * arm / mean for _, arm, force in tests]
    return breaks_at(bone, mean), min(theirs), max(theirs)


def turns_deg() -> tuple[float, tuple[float, ...]]:
    """How far bones are bent in their middle as they break, here and of each humerus: from the way in the middle, 4 d / L."""
    with FILE.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["bent_mm"]]
    theirs = (4e-3 * float(row["bent_mm"]) / float(row["span_m"]) for row in rows)
    return float(np.degrees(1.0 / BENDS)), tuple(float(np.degrees(one)) for one in theirs)


def verdicts() -> list[Verdict]:
    """What came of it."""
    here, theirs = turns_deg()
    bent = f"{min(theirs):.1f} to {max(theirs):.1f}"
    out = [
        Verdict(TITLE, "nothing fitted on it", f"bones break bent by {here:.1f}°", bent, min(theirs) <= here <= max(theirs), "")
    ]  # fmt: skip
    for bone in PARTS:
        here, least, most = found(bone)
        holds = least <= here <= most
        out.append(
            Verdict(TITLE, KNOWN[bone], f"{bone} breaks at {1e-3 * here:.1f} kN", f"{1e-3 * least:.1f} to {1e-3 * most:.1f}", holds, "" if holds else WHY)
        )  # fmt: skip
    return out


def section() -> str:
    """The book's part."""
    head = " ".join(" ".join((__doc__ or "").split("\n\n")[1:]).split())
    lines = [
        "| bone | arm | specimens | they broke at | mean | here |",
        "|---|---|---|---|---|---|",
    ]
    for bone, tests in measured().items():
        here, least, most = found(bone)
        arm = np.mean([one for _, one, _ in tests])
        mean = np.mean([force * one for _, one, force in tests]) / arm
        lines.append(
            f"| {bone} | {1e3 * arm:.0f} mm | {len(tests)} | {1e-3 * least:.1f} to {1e-3 * most:.1f} kN | {1e-3 * mean:.1f} kN | {1e-3 * here:.1f} kN |"
        )  # fmt: skip
    turn, theirs = turns_deg()
    more = (
        f"All bones are bent in their middle by {turn:.1f}° as they break; humeri were by {min(theirs):.1f} to {max(theirs):.1f} (4 d / L, with what yields "
        "in them and in their rigs; here a shaft is elastic). Moments at which bones break are printed ones ([sources](bodies-sources.md)), not taken from "
        "these curves. The same men's other humeri, pressed at 0.01 m/s, bore 0.8 times as much: 8 % for each ten times in rate, which is not told here. "
        f"**What fails**: struck tibias bore more than twice as much. {WHY[0].upper()}{WHY[1:]}; what the holders of the load cells weigh is in their "
        "forces, and is not known. Nothing was found to hold the forearm to; pelvis and ribs do not break here."
    )
    return (
        f"## {TITLE}\n\n{head}\n\n![Forces at which bones broke]({PICTURE})\n\n"
        + "\n".join(lines)
        + f"\n\n{more}\n"
    )


def picture(file: Path) -> None:
    """Draw the force of each specimen and ours."""
    with sheet(file, 1, len(PARTS), (7.0, 2.6)) as plots:
        for axes, (bone, tests) in zip(plots, measured().items(), strict=True):
            here, mean = found(bone)[0], np.mean([arm for _, arm, _ in tests])
            axes.bar([n for n, _, _ in tests], [1e-3 * f * arm / mean for _, arm, f in tests], color=GREY, label="specimens")  # fmt: skip
            axes.axhline(1e-3 * here, color=RED, lw=1.4, label="here")
            axes.tick_params(axis="x", rotation=60)
            axes.set_title(bone, fontsize=9)
        plots[0].set_ylabel("force that breaks it [kN]", fontsize=8)
        plots[0].legend(frameon=False, fontsize=7)


if __name__ == "__main__":
    print(section())
