"""New motions, symmetry, outputs and runs."""

from __future__ import annotations

from collections.abc import Callable

from app import texts
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
    raise CannotMake(texts.making.MOTION_NEEDS)


def _planar(bench: Bench) -> str:
    segment = bench.segment(texts.making.SYMMETRY)
    return bench.add("symmetry", "PlanarSymmetry", f"{segment.id}_plane", segment=segment.id)


def _pair(bench: Bench) -> str:
    segments = bench.segments()
    twins = [(s.id, s.mirror) for s in segments if s.mirror]
    if len(bench.picked("segments")) >= 2 or (not twins and len(segments) >= 2):
        twins = [(segments[0].id, segments[1].id)]
    if not twins:
        raise CannotMake(texts.making.PAIR_NEEDS)
    first, second = twins[0]
    return bench.add("symmetry", "PairSymmetry", f"{first}_pair", first=first, second=second)


def _point(bench: Bench) -> str:
    segment = bench.segment(texts.making.OUTPUT)
    return bench.add("outputs", "PointOutput", f"{segment.id}_acceleration", segment=segment.id)


def _rotation(bench: Bench) -> str:
    segment = bench.segment(texts.making.OUTPUT)
    return bench.add("outputs", "RotationOutput", f"{segment.id}_angles", segment=segment.id)


def _joint(bench: Bench) -> str:
    joint = bench.one("joints", texts.making.THIS_OUTPUT, texts.making.A_JOINT)
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
    raise CannotMake(texts.making.ELEMENT_NEEDED)


def _loads_of(bench: Bench, list_name: str, element: str) -> str:
    return bench.add("outputs", "ElementOutput", f"{element}_loads", of=list_name, element=element)


def _body(bench: Bench) -> str:
    picked = bench.picked("segments") or [s.id for s in bench.project.segments]
    if not picked:
        raise CannotMake(texts.making.BODY_NEEDS)
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
