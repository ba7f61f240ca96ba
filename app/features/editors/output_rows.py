"""Say what outputs write, and make new ones of an element and a quantity; no Qt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app import texts
from app.editing.bench import Bench
from app.editing.shape import spoken_word
from app.elements import called, find, name_of
from solver.base.words import msgid, tr
from solver.project import Project
from solver.project.outputs import LOADED
from solver.project.segments import GROUND

_JOINT_QUANTITIES: dict[str, str] = {
    "angle": msgid("joint angles"),
    "torque": msgid("joint torque"),
    "force": msgid("reaction force"),
}
_TURN_QUANTITIES: dict[str, str] = {
    "angle": msgid("angles"),
    "velocity": msgid("angular velocity"),
    "acceleration": msgid("angular acceleration"),
}
_POINT_QUANTITIES: dict[str, str] = {
    "position": msgid("position"),
    "velocity": msgid("velocity"),
    "acceleration": msgid("acceleration"),
}

Made = tuple[str, dict[str, Any]]
"""A model of the schema, and its fields."""

OF_SEGMENT: dict[str, Made] = {
    "felt": ("PointOutput", {"quantity": "acceleration", "with_gravity": True}),
    "acceleration": ("PointOutput", {"quantity": "acceleration"}),
    "velocity": ("PointOutput", {"quantity": "velocity"}),
    "position": ("PointOutput", {"quantity": "position"}),
    "angles": ("RotationOutput", {"quantity": "angle"}),
    "angular_velocity": ("RotationOutput", {"quantity": "velocity"}),
    "angular_acceleration": ("RotationOutput", {"quantity": "acceleration"}),
}  # fmt: skip
OF_JOINT: dict[str, Made] = {
    "angles": ("JointOutput", {"quantity": "angle"}),
    "torque": ("JointOutput", {"quantity": "torque"}),
    "force": ("JointOutput", {"quantity": "force"}),
}
OF_ELEMENT: dict[str, Made] = {"loads": ("ElementOutput", {})}
OF_BODY: dict[str, Made] = {"body": ("BodyOutput", {})}
BODY = "body"
"""Stands for all segments together."""


def sources(project: Project) -> Iterator[tuple[str, str]]:
    """Give all that can be written about: the words and the path."""
    if project.segments:
        yield tr("All segments together"), BODY
    for list_name in ("segments", "joints", *LOADED):
        for item in getattr(project, list_name):
            yield (
                f"{called(project, item)}  ·  {tr(texts.elements.ONE[list_name])}",
                f"{list_name}/{item.id}",
            )


def quantities_of(path: str) -> dict[str, Made]:
    """Give what can be written about an element."""
    if path == BODY:
        return OF_BODY
    list_name = path.split("/", 1)[0]
    return {"segments": OF_SEGMENT, "joints": OF_JOINT}.get(list_name, OF_ELEMENT)


def with_output(
    project: Project, path: str, quantity: str, cfc: int | None, relative_to: str = GROUND
) -> tuple[Project, str, bool]:
    """Add an output; gives the project, the output's path, and whether it is new."""
    model, fields = quantities_of(path)[quantity]
    fields = dict(fields)
    list_name, _, id_ = path.partition("/")
    if path == BODY:
        fields["segments"], id_ = tuple(s.id for s in project.segments), "whole_body"
    elif list_name == "segments":
        fields["segment"] = id_
    elif list_name == "joints":
        fields["joint"] = id_
    else:
        fields |= {"of": list_name, "element": id_}
    if list_name in ("segments", BODY) and relative_to != id_:
        fields["relative_to"] = relative_to
    if cfc is not None:
        fields["cfc"] = cfc
    bench = Bench(project)
    made = bench.part(model, id="new", **fields)
    for one in project.outputs:
        if type(one) is type(made) and _same(one, made):
            return project, f"outputs/{one.id}", False
    last = fields.get("quantity", "loads" if list_name in LOADED else "")
    new = bench.add("outputs", model, f"{id_}_{last}".rstrip("_"), **fields)
    return bench.project, f"outputs/{new}", True


def _same(one: Any, other: Any) -> bool:
    """Tell whether two outputs write the same."""
    ignored = {"id", "name", "group", "note", "source"}
    return all(
        getattr(one, name) == getattr(other, name)
        for name in type(one).model_fields
        if name not in ignored
    )


def row(project: Project, output: Any) -> tuple[str, str, str, str]:
    """Give an output's name, of what it is, what it writes, and its filter."""
    kind = output.kind
    cfc = getattr(output, "cfc", None)
    filtered = (
        tr("by criterion")
        if kind == "injury" and cfc is None
        else tr(texts.words.CFC, cfc=cfc)
        if cfc
        else "–"
    )
    if kind == "injury":
        said = ", ".join(_sources_of(project, output)) or "–"
        return name_of(output), said, spoken_word(output.criterion), filtered
    if kind == "body":
        count = len(output.segments)
        return (
            name_of(output),
            tr("{count} segments", count=count),
            tr("mass centre, momenta, energy"),
            filtered,
        )
    if kind == "element":
        of = _named(project, f"{output.of}/{output.element}")
        return (
            name_of(output),
            of,
            tr("loads of the {kind}", kind=tr(texts.elements.ONE[output.of])),
            filtered,
        )
    if kind == "joint":
        what = tr(_JOINT_QUANTITIES[output.quantity])
        return name_of(output), _named(project, f"joints/{output.joint}"), what, filtered
    of = _named(project, f"segments/{output.segment}")
    if kind == "rotation":
        what = tr(_TURN_QUANTITIES[output.quantity])
    else:
        what = tr(_POINT_QUANTITIES[output.quantity])
        if output.with_gravity:
            what = tr("{what}, as felt", what=what)
    if output.relative_to != GROUND:
        other = _named(project, f"segments/{output.relative_to}")
        what = tr("{what} seen from {name}", what=what, name=other)
    return name_of(output), of, what, filtered


def _sources_of(project: Project, output: Any) -> list[str]:
    named = (output.output, output.second)
    return [_named(project, f"outputs/{one}") for one in named if one is not None]


def _named(project: Project, path: str) -> str:
    found = find(project, path)
    return (
        called(project, found)
        if found is not None
        else tr("{id} (missing)", id=path.rsplit("/", 1)[-1])
    )
