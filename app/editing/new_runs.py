"""New motions, symmetry, outputs and runs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.editing.driving import BEGINS, drive, free_axes, stands_on_ground, vehicle
from app.editing.new_bodies import Row
from solver.base.units.table import STANDARD_GRAVITY
from solver.base.words import msgid, tr
from solver.editing.bench import Bench, CannotMake
from solver.project.outputs import LOADED, PointOutput
from solver.project.segments import GROUND, pack

_OUTPUT = msgid("An output")


def _motion(bench: Bench) -> str:
    segment = _to_be_moved(bench)
    if segment is None and stands_on_ground(bench.project):
        segment = vehicle(bench)
    if segment is None:
        raise CannotMake(
            tr("A motion needs a segment that is attached to no joint: a sled, a vehicle.")
        )
    pulse = {"kind": "half_sine", "amplitude": -20.0 * STANDARD_GRAVITY, "duration_s": 0.08}
    return bench.add(
        "motions",
        "Motion",
        "pulse",
        segment=segment,
        components=[{"component": "x", "pulse": pulse}],
    )


def _driver(bench: Bench) -> str:
    """Drive a free axis of the selected joint, else of the first that has one."""
    free = free_axes(bench.project)
    picked = bench.picked("joints")
    free.sort(key=lambda one: picked.index(one[0]) if one[0] in picked else len(picked))
    if not free:
        raise CannotMake(
            tr(
                "A driver needs a free axis of a pin, slip, universal or Euler joint, or of a joint of six."
            )
        )
    return drive(bench, *free[0])


def _frame_driver(bench: Bench) -> str:
    """Drive the selected segment along x, seen from the next selected one, else from ground."""
    segment = bench.segment(tr("A driver of a point"))
    others = [name for name in bench.picked("segments") if name != segment.id]
    return bench.add(
        "frame_drivers",
        "FrameDriver",
        f"{segment.id}_driver",
        moved={"segment": segment.id},
        seen_from={"segment": others[0] if others else GROUND},
        quantity="velocity",
        pulse=BEGINS,
    )


_BOX = np.array(
    [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
     [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
)  # fmt: skip
"""Faces of a box whose corners are counted by z, then y, then x."""


def _to_be_moved(bench: Bench) -> str | None:
    """Choose what a pulse moves: as selected, else what carries planes, else what stands alone.

    The root of a body is left alone unless it is selected: pulses move seats, not people.
    """
    project = bench.project
    carried = {joint.child for joint in project.joints}
    driven = {motion.segment for motion in project.motions}
    free = [s.id for s in bench.segments() if s.id not in carried | driven]
    picked = [name for name in bench.picked("segments") if name in free]
    with_planes = [name for name in free if any(p.segment == name for p in project.planes)]
    on_ground = stands_on_ground(project)
    parents = {joint.parent for joint in project.joints}
    alone = [name for name in free if name not in parents and not on_ground]
    return next(iter((*picked, *with_planes, *alone)), None)


def _marker(bench: Bench) -> str:
    segment = bench.segment(tr("A marker"))
    return bench.add("markers", "Marker", f"{segment.id}_marker", segment=segment.id)


def _mesh(bench: Bench) -> str:
    """Put a box of 0.1 m onto the selected segment, in the place of which a file is read."""
    corners = 0.05 * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    segment = next(iter(bench.picked("segments")), GROUND)
    return bench.add("meshes", "SegmentMesh", "mesh", segment=segment, packed=pack(corners, _BOX))


def _frame(bench: Bench) -> str:
    """Put a frame into the selected segment, within the selected frame, or onto the ground."""
    outer = bench.picked("frames")
    if outer:
        return bench.add("frames", "OwnFrame", "frame", relative_to=outer[0])
    return bench.add("frames", "OwnFrame", "frame", segment=next(iter(bench.picked("segments")), GROUND))  # fmt: skip


def _unit_system(bench: Bench) -> str:
    return bench.add("unit_systems", "UnitSystem", "units", units=("mm", "t", "s", "deg"))


def _planar(bench: Bench) -> str:
    segment = bench.segment(tr("Symmetry"))
    return bench.add("symmetry", "PlanarSymmetry", f"{segment.id}_plane", segment=segment.id)


def _pair(bench: Bench) -> str:
    segments = bench.segments()
    twins = [(s.id, s.mirror) for s in segments if s.mirror]
    if len(bench.picked("segments")) >= 2 or (not twins and len(segments) >= 2):
        twins = [(segments[0].id, segments[1].id)]
    if not twins:
        raise CannotMake(tr("A mirror pair needs two segments."))
    first, second = twins[0]
    return bench.add("symmetry", "PairSymmetry", f"{first}_pair", first=first, second=second)


def _point(bench: Bench) -> str:
    segment = bench.segment(tr(_OUTPUT))
    return bench.add("outputs", "PointOutput", f"{segment.id}_acceleration", segment=segment.id)


def _rotation(bench: Bench) -> str:
    segment = bench.segment(tr(_OUTPUT))
    return bench.add("outputs", "RotationOutput", f"{segment.id}_angles", segment=segment.id)


def _joint(bench: Bench) -> str:
    joint = bench.one("joints", tr("This output"), tr("a joint"))
    return bench.add("outputs", "JointOutput", f"{joint}_angle", joint=joint)


def _element(bench: Bench) -> str:
    for list_name in LOADED:
        ids = bench.picked(list_name)
        if ids:
            return _loads_of(bench, list_name, ids[0])
    for list_name in LOADED:
        for item in getattr(bench.project, list_name):
            return _loads_of(bench, list_name, item.id)
    raise CannotMake(tr("This output needs a contact, belt, airbag, spring or constraint."))


def _loads_of(bench: Bench, list_name: str, element: str) -> str:
    return bench.add("outputs", "ElementOutput", f"{element}_loads", of=list_name, element=element)


def _body(bench: Bench) -> str:
    picked = bench.picked("segments") or [s.id for s in bench.project.segments]
    if not picked:
        raise CannotMake(tr("A body output needs segments: add some first."))
    return bench.add("outputs", "BodyOutput", "whole_body", segments=picked)


def _injury(criterion: str) -> Callable[[Bench], str]:
    def make(bench: Bench) -> str:
        felt = [
            o.id
            for o in bench.project.outputs
            if isinstance(o, PointOutput) and o.quantity == "acceleration"
        ]
        picked = [one for one in bench.picked("outputs") if one in felt]
        head = [one for one in felt if "head" in one]
        source = (picked or head or felt)[0] if felt else _point(bench)
        return bench.add("outputs", "InjuryOutput", criterion, criterion=criterion, output=source)

    return make


def _run(bench: Bench) -> str:
    return bench.add("runs", "Run", "run", duration_s=0.2)


RUNS: tuple[Row, ...] = (
    ("motions", "", _motion),
    ("drivers", "", _driver),
    ("frame_drivers", "", _frame_driver),
    ("markers", "", _marker),
    ("meshes", "", _mesh),
    ("frames", "", _frame),
    ("unit_systems", "", _unit_system),
    ("symmetry", "planar", _planar),
    ("symmetry", "mirror", _pair),
    ("outputs", "point", _point),
    ("outputs", "rotation", _rotation),
    ("outputs", "joint", _joint),
    ("outputs", "element", _element),
    ("outputs", "body", _body),
    ("outputs", "injury", _injury("HIC15")),
    ("runs", "", _run),
)  # fmt: skip
