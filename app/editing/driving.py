"""Drive an axis of a joint, and put what stands on ground onto a vehicle that a pulse can move."""

from __future__ import annotations

from typing import Any

from solver.editing.bench import Bench
from solver.project import Project
from solver.project.fields import Part
from solver.project.joint_table import driven_axes
from solver.project.motions import Driver
from solver.project.segments import GROUND

BEGINS = {"kind": "haversine", "amplitude": 1.0, "duration_s": 0.1}
"""Pulse of a new driver's speed, which begins and ends at rest."""


def driver_of(project: Project, joint: str, axis: str) -> Driver | None:
    """The driver of an axis."""
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


_CARRIED = ("planes", "belts", "harnesses", "springs", "tension_elements", "constraints")
"""Lists whose elements go along where they stand on ground."""
_MASS_KG, _INERTIA_KGM2 = 500.0, 100.0
"""A vehicle moves as prescribed: its mass does not matter."""


def vehicle(bench: Bench) -> str:
    """Make a vehicle at the origin that carries what stood on ground; give its id."""
    name = bench.add(
        "segments",
        "Segment",
        "vehicle",
        name="Vehicle",
        note="Carries what stood on ground. Moves as prescribed; its mass does not matter.",
        mass_kg=_MASS_KG,
        inertia_kgm2=(_INERTIA_KGM2,) * 3,
    )
    bench.project = carried_by(bench.project, name)
    return name


def stands_on_ground(project: Project) -> bool:
    """Whether there is something on ground that a vehicle could carry."""
    return any(_on_ground(item) for name in _CARRIED for item in getattr(project, name))


def carried_by(project: Project, segment: str) -> Project:
    """The project with planes, anchors and ends of springs moved from ground to a segment there.

    Bodies that start on ground start on the segment; joints to ground stay where they are.
    """
    lists = {name: tuple(_moved(i, segment) for i in getattr(project, name)) for name in _CARRIED}
    initial = project.initial
    roots = tuple(
        root.model_copy(update={"moves_with": segment})
        if root.moves_with == GROUND and root.segment != segment
        else root
        for root in initial.roots
    )
    lists["initial"] = initial.model_copy(update={"roots": roots})  # type: ignore[assignment]
    return project.model_copy(update=lists)


def _moved(part: Any, segment: str) -> Any:
    """Give a part with every mention of ground as its segment changed, however deep."""
    if isinstance(part, tuple):
        parts = tuple(_moved(one, segment) for one in part)
        return part if all(a is b for a, b in zip(part, parts, strict=True)) else parts
    if not isinstance(part, Part):
        return part
    update = {}
    for name in type(part).model_fields:
        old = getattr(part, name)
        new = segment if name == "segment" and old == GROUND else _moved(old, segment)
        if new is not old:
            update[name] = new
    return part.model_copy(update=update) if update else part


def _on_ground(part: Any) -> bool:
    return _moved(part, "") is not part
