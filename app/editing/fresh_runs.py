"""New motions, symmetry, outputs and runs."""

from __future__ import annotations

from collections.abc import Callable

from app.editing.bench import Bench, CannotMake
from app.editing.fresh_bodies import Row
from solver.project.outputs import PointOutput


def _motion(bench: Bench) -> str:
    carried = {joint.child for joint in bench.project.joints}
    driven = {motion.segment for motion in bench.project.motions}
    for segment in bench.segments():
        if segment.id not in carried | driven:
            pulse = {"kind": "half_sine", "amplitude": -200.0, "duration_s": 0.08}
            return bench.add(
                "motions",
                "Motion",
                "pulse",
                segment=segment.id,
                components=[{"component": "x", "pulse": pulse}],
            )
    raise CannotMake("A motion needs a segment that hangs on no joint: a sled, a vehicle.")


def _planar(bench: Bench) -> str:
    segment = bench.segment("Symmetry")
    return bench.add("symmetry", "PlanarSymmetry", f"{segment.id}_plane", segment=segment.id)


def _pair(bench: Bench) -> str:
    segments = bench.segments()
    twins = [(s.id, s.mirror) for s in segments if s.mirror]
    if len(bench.picked("segments")) >= 2 or (not twins and len(segments) >= 2):
        twins = [(segments[0].id, segments[1].id)]
    if not twins:
        raise CannotMake("A mirror pair needs two segments.")
    first, second = twins[0]
    return bench.add("symmetry", "PairSymmetry", f"{first}_pair", first=first, second=second)


def _point(bench: Bench) -> str:
    segment = bench.segment("An output")
    return bench.add("outputs", "PointOutput", f"{segment.id}_acceleration", segment=segment.id)


def _rotation(bench: Bench) -> str:
    segment = bench.segment("An output")
    return bench.add("outputs", "RotationOutput", f"{segment.id}_angles", segment=segment.id)


def _joint(bench: Bench) -> str:
    joint = bench.one("joints", "This output", "a joint")
    return bench.add("outputs", "JointOutput", f"{joint}_angle", joint=joint)


def _element(bench: Bench) -> str:
    lists = ("contacts", "belts", "harnesses", "airbags", "springs", "tension_elements", "constraints", "winds")  # fmt: skip
    for list_name in lists:
        ids = bench.picked(list_name)
        if ids:
            return _loads_of(bench, list_name, ids[0])
    for list_name in lists:
        for item in getattr(bench.project, list_name):
            return _loads_of(bench, list_name, item.id)
    raise CannotMake("This output needs a contact, belt, airbag, spring or constraint.")


def _loads_of(bench: Bench, list_name: str, element: str) -> str:
    return bench.add("outputs", "ElementOutput", f"{element}_loads", of=list_name, element=element)


def _body(bench: Bench) -> str:
    picked = bench.picked("segments") or [s.id for s in bench.project.segments]
    if not picked:
        raise CannotMake("A body output needs segments: add some first.")
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
    ("motions", "", "Motion", "Moves a segment as prescribed: the crash pulse of a sled.", _motion),
    ("symmetry", "planar", "Stays in plane", "Keeps a segment from moving sideways.", _planar),
    ("symmetry", "mirror", "Mirror pair", "Moves two segments as mirror images.", _pair),
    ("outputs", "point", "Motion of a point", "Position, velocity or acceleration of a point.", _point),
    ("outputs", "rotation", "Turning of a segment", "Angles, angular velocity or acceleration.", _rotation),
    ("outputs", "joint", "Joint angles and loads", "Angles, torques or reaction force of a joint.", _joint),
    ("outputs", "element", "Loads of an element", "Forces and states of a contact, belt, airbag or spring.", _element),
    ("outputs", "body", "Figures of a body", "Mass centre, momenta and energy of several segments.", _body),
    ("outputs", "injury", "Injury figure", "HIC, severity index or 3 ms value of an acceleration.", _injury("HIC15")),
    ("runs", "", "Run", "How long and how finely to solve.", _run),
)  # fmt: skip
