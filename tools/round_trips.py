"""Write models that were read, read them again, and say what differs without a word: for `docs/exchange.md` and the tests.

`python -m tools.round_trips FOLDER --like WORDS` takes files of the checkouts of `tools.corpus`. Both models are put into the same
random moving state, with all forces that are written or not named; what the sentences of the writer name is taken out of the first.
MuJoCo and Pinocchio must load what is written, and move it as it is read.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Sequence
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

import manikin as mk
from solver.exchange.trees import read_tree, write_tree
from solver.exchange.trees.giving import LEFT_OUT
from solver.project import Project
from solver.project.checks import check
from solver.project.reading import validated

Axes = dict[str, tuple[float, float]]
"""Value and rate of each coordinate, by the name under which it is written."""
WRITTEN = {"pin": ("{}",), "slip": ("{}_slide",), "universal": ("{}_x", "{}_y")}


def apart(project: Project, back: Project, notes: Sequence[str], seed: int = 5) -> float:
    """How far accelerations of a model that was written and read again are off, by the largest."""
    rng = np.random.default_rng(seed)
    state: Axes = {}
    for joint in project.joints:
        for name in WRITTEN.get(joint.kind, ()):
            q, v = rng.uniform(-0.5, 0.5), rng.uniform(-1.0, 1.0)
            state[name.format(joint.id)] = float(q), float(v)
    for one in project.constraints:
        if one.kind == "coupled" and not _says(notes, one.id):
            first, second = (f"{of.joint}{'_slide' if of.axis == 'slide' else ''}" for of in (one.first, one.second))  # fmt: skip
            f = np.polynomial.Polynomial(one.coefficients)
            q, v = state[first]
            state[second] = float(f(q)), float(f.deriv()(q)) * v
    speeds = {one.segment: (rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3)) for one in project.initial.roots}  # fmt: skip
    a, b = (
        _accelerations(one, state, speeds)
        for one in (without(project, notes), without(back, notes))
    )
    common = set(a) & set(b)
    # another name is told, and none of what moves
    if {one.id for one in project.segments if one.mass_kg} - common - {"world"}:
        return float("inf")
    largest = max((float(np.abs(a[one]).max()) for one in common), default=1.0)
    off = max((float(np.abs(a[one] - b[one]).max()) for one in common), default=0.0)
    return off / max(largest, 1.0)


def ends(project: Project, notes: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Where stops of joints begin, to nine digits, by the name under which their axes are written."""
    names = {one.id: one.id.removesuffix("_slide") for one in project.joints}
    found = dict[str, list[str]]()
    for one in project.coordinate_forces:
        at = one.coordinate
        if at.kind == "joint" and one.laws[0].kind == "stop" and not _says(notes, one.id):
            edge = one.laws[0].lower if one.laws[0].upper is None else one.laws[0].upper
            found.setdefault(names[at.joint], []).append(f"{edge:.9g}")
    return {key: tuple(sorted(values)) for key, values in found.items()}


def without(project: Project, notes: Sequence[str]) -> Project:
    """The project without all that sentences name as left out."""
    data = project.model_dump()
    data |= {name: [] for name in (*LEFT_OUT, "studies", "outputs", "airbags")}
    for name in ("coordinate_forces", "constraints"):
        data[name] = [one for one in data[name] if not _says(notes, one["id"])]
    data["constraints"] = [one for one in data["constraints"] if one["kind"] == "coupled"]
    # a robot's springs and drives go with the joint that is named; the inertia of a drive counts in its stops
    data["coordinate_forces"] = [
        one for one in data["coordinate_forces"]
        if not (one["coordinate"]["kind"] == "joint" and one["laws"][0]["kind"] in ("linear", "actuator", "blocks", "stop")
                and _named(notes, one["coordinate"]["joint"]))
    ]  # fmt: skip
    for joint in data["joints"]:
        if _named(notes, joint["id"]):
            for part in (joint, joint.get("slide") or {}):
                part |= {key: 0.0 for key in ("drive_inertia_kgm2", "drive_mass_kg") if key in part}
    if any("Gravity has no place" in one for one in notes):
        data["gravity_m_per_s2"] = (0.0, 0.0, -9.80665)
    return validated(data)


def _named(notes: Sequence[str], joint: str) -> bool:
    """Whether a robot's joint is named for its spring or drive, by the name of any of its axes."""
    return any(_says(notes, one.format(joint), "Springs, drives") for one in ("{}", "{}_slide", "{}_x", "{}_y"))  # fmt: skip


def _says(notes: Sequence[str], name: str, word: str = "") -> bool:
    parts = (re.split(r"[ ',:.]+", one) for one in notes if word in one)
    return any(name in words for words in parts)


def _accelerations(project: Project, state: Axes, speeds: dict[str, Any]) -> dict[str, Any]:
    data = project.model_dump()
    moving = set[str]()
    starts = list[dict[str, Any]]()
    for joint in project.joints:
        known = [joint.id, *(one.format(joint.id) for one in WRITTEN.get(joint.kind, ()))]
        values = [state[one] for one in dict.fromkeys(known) if one in state]
        lock = getattr(joint, "slide", None) if joint.kind == "slip" else getattr(joint, "lock", None)  # fmt: skip
        if values and not (lock is not None and lock.locked):
            q, v = zip(*values, strict=True)
            starts.append({"joint": joint.id, "values": q, "rates": v})
            moving.add(joint.id)
    for root, attitude in zip(data["initial"]["roots"], data["initial"]["attitudes"], strict=False):
        root["velocity_m_per_s"], attitude["angular_velocity_rad_per_s"] = (
            tuple(map(float, one)) for one in speeds[root["segment"]]
        )
    # what is locked stays where it starts
    data["initial"]["joints"] = starts + [one for one in data["initial"]["joints"] if one["joint"] not in moving]  # fmt: skip
    with redirect_stderr(StringIO()):
        run = mk.run(mk.Model(validated(data)), until=1e-3)
    return {
        one.id: np.array([run[f"segments/{one.id}/{what}/{x}"].value[0] for what in ("acceleration", "angular_acceleration") for x in "xyz"])
        for one in project.segments if one.mass_kg
    }  # fmt: skip


def looked_at(file: Path, within: Path, ending: str, folder: Path) -> tuple[str, list[str]]:
    """What became of a file that was written: a difference or why there is none, and what was said."""
    first = read_tree(file, within).project
    if any(one.severity == "error" for one in check(first)):
        return "not read without errors", []
    written = folder / f"written{ending}"
    notes = [str(one) for one in write_tree(first, written)]
    back = read_tree(written).project
    if ending == ".xml":
        import mujoco

        from tools.moving import apart as there

        off = there(back, mujoco.MjModel.from_xml_path(str(written)))
    else:
        from tools.robots import apart as of_robot

        off = of_robot(back, written)
    return f"{apart(first, back, notes):.1e}, there {off:.1e}", notes


def main(arguments: list[str]) -> int:
    """Write and read the files of a folder."""
    from tools.corpus import files, quiet

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--like", nargs="+", default=[""], help="of paths that hold one of these words"
    )
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        for _, file in files(given.folder):
            name = file.relative_to(given.folder)
            if not any(one in str(name) for one in given.like):
                continue
            for ending in (".xml", ".urdf"):
                try:
                    with quiet():
                        found, notes = looked_at(file, given.folder / name.parts[0], ending, Path(folder))  # fmt: skip
                except Exception as failure:  # noqa: BLE001  whatever it is, it is told with its file
                    found, notes = f"{type(failure).__name__}: {str(failure)[:200]}", []
                print(f"{name} to {ending}: {found}; {len(notes)} sentences", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
