"""Build samples: `python -m tools.samples [NAME ...]`, all of them without a name."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from solver.project import save_project
from solver.project.checks import check

FOLDER = Path(__file__).resolve().parent.parent.parent / "sample_projects"

BUILT = (
    "frontal",
    "frontal_5f",
    "rear_seat",
    "child_seat",
    "aircraft_16g",
    "rear_impact",
    "side_impact",
    "pedestrian",
    "fall",
    "ejection_seat",
    "padded_wall",
    "seat_ride",
    "sled",
    "neck_pendulum",
    "pendulum",
    "point_contact",
    "volunteer_15g",
    "head_struck",
    "driven_limb",
    "braking",
    "variseg_occupant",
)


def main(names: list[str]) -> int:
    """Build samples, write them, and say what their checks find."""
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
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
