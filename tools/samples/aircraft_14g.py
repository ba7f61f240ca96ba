"""Transport aircraft seat with the Hybrid III 50th man: combined test of 14 g, downwards and forwards."""

from __future__ import annotations

from solver.project.document import Project
from tools.samples.aircraft_dummy import belted, in_seat
from tools.samples.common import vehicle


def build() -> Project:
    """Build the sample."""
    project = vehicle(
        "Aircraft seat: downward test of 14 g, Hybrid III 50th man",
        "The dummy in a transport seat under the triangle of 14 CFR 25.562(b)(1): 35 ft/s downwards, the nose 30 degrees down. "
        "What counts is the load of the lumbar spine.",
        "Pulse as published; dummy: docs/dummies.md; seat and belt of the library, marked as assumed",
        0.15,
        load_case="aircraft",
    )
    return belted(in_seat(project, "far25_vertical"))
