"""Drive an axis of a joint, or find what drives it already."""

from __future__ import annotations

from app.editing.bench import Bench
from solver.project import Project
from solver.project.drivers import Driver
from solver.project.joint_table import driven_axes

BEGINS = {"kind": "haversine", "amplitude": 1.0, "duration_s": 0.1}
"""Pulse of a new driver's speed, which begins and ends at rest."""


def driver_of(project: Project, joint: str, axis: str) -> Driver | None:
    """Give the driver of an axis."""
    found = (one for one in project.drivers if (one.joint, one.axis) == (joint, axis))
    return next(found, None)


def free_axes(project: Project) -> list[tuple[str, str]]:
    """List the axes of joints that could be driven and are not, by joint and axis."""
    return [
        (joint.id, axis)
        for joint in project.joints
        for axis in driven_axes(joint)
        if driver_of(project, joint.id, axis) is None
    ]


def drive(bench: Bench, joint: str, axis: str) -> str:
    """Drive an axis, from where it starts, and give the driver's id."""
    return bench.add(
        "drivers",
        "Driver",
        f"{joint}_driver",
        joint=joint,
        axis=axis,
        quantity="velocity",
        pulse=BEGINS,
    )
