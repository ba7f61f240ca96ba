"""Build samples and solve their stored runs: `python -m tools.samples [--runs] [NAME ...]`, all without a name.

With `--runs` the sample files stay as they are, and their runs alone are solved and stored again.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from solver.project import save_project
from solver.project.checks import check
from tools.samples.runs import store

FOLDER = Path(__file__).resolve().parent.parent.parent / "sample_projects"

RUNS = "--runs"
BUILT = (
    "frontal",
    "frontal_5f",
    "rear_seat",
    "child_seat",
    "aircraft_16g",
    "aircraft_dummy",
    "aircraft_14g",
    "rear_impact",
    "side_impact",
    "pedestrian",
    "pedestrian_car",
    "fall",
    "ejection_seat",
    "padded_wall",
    "seat_ride",
    "sled",
    "neck_pendulum",
    "pendulum",
    "cam_and_follower",
    "servo_table",
    "hands_reach",
    "point_contact",
    "volunteer_15g",
    "head_struck",
    "driven_limb",
    "braking",
    "braking_car",
    "ground_rollover",
    "variseg_occupant",
)


def main(names: list[str]) -> int:
    """Build samples, write them, say what their checks find, and store their runs."""
    if RUNS in names:
        every = sorted(file.stem for file in FOLDER.glob("*.json"))
        chosen = [name for name in names if name != RUNS] or every
        if unknown := [name for name in chosen if name not in every]:
            print(f"There is no sample {', '.join(unknown)}; there are: {', '.join(every)}.")
            return 2
        for name in chosen:
            store(name)
        return 0
    for name in names or BUILT:
        if name not in BUILT:
            print(f"'{name}' is not built here; these are: {', '.join(BUILT)}.")
            return 2
        project = import_module(f"tools.samples.{name}").build()
        for problem in check(project):
            if problem.severity != "note":
                print(f"{name}: {problem}")
        save_project(project, FOLDER / f"{name}.json")
        print(f"wrote {name}.json")
        store(name)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
