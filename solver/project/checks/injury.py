"""Check that injury figures are made of what they need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from solver.project.checks.index import Index
from solver.project.checks.registry import TOPOLOGY, finds, problem
from solver.project.injury import NEEDS, OPTIONS, InjuryOutput
from solver.project.problems import Problem

WORDS = {
    "acceleration": ("the acceleration of a point", "of kind point with quantity acceleration"),
    "rate": ("the angular velocity of a segment", "of kind rotation with quantity velocity"),
    "angular_acceleration": (
        "the angular acceleration of a segment",
        "of kind rotation with quantity acceleration",
    ),
    "force": ("the force in a joint", "of kind joint with quantity force"),
    "torque": ("the torque in a joint", "of kind joint with quantity torque"),
    "touch": ("the load of a contact", "of kind element with list contacts"),
    "deflection": (
        "a deflection",
        "that is the position of a point, or a contact, spring or tension element, or the angle of a slip joint",
    ),
}
CHANNELS = {"contacts": "penetration", "springs": "length", "tension_elements": "length"}
"""Channel of an element that is a deflection."""


def usual_channel(output: Any, joint_kind: str = "") -> str:
    """Give the channel of an output that is a deflection; empty where there is none."""
    if output.kind == "point" and output.quantity == "position":
        return "x"
    if output.kind == "element":
        return CHANNELS.get(output.of, "")
    if output.kind == "joint" and output.quantity == "angle" and joint_kind == "slip":
        return "slide"
    return ""


@finds(
    TOPOLOGY,
    error={
        "injury-wrong-output": "An injury figure is made of the wrong kind of output.",
        "injury-no-second": "An injury figure needs a second output.",
        "injury-second-idle": "An injury figure names a second output that it does not use.",
        "injury-wrong-channel": "The channel of a deflection is not in its output.",
        "injury-ground-axes": "A load is to be known along the axes of a segment.",
        "injury-two-joints": "Force and torque of an injury figure are not of one joint and axes.",
    },
    warning={"injury-option-idle": "An option is set that the criterion does not look at."},
)
def injury(index: Index) -> Iterator[Problem]:
    """Find injury figures that cannot be computed, and options without effect."""
    for figure, path in index.of(InjuryOutput):
        needs = NEEDS[figure.criterion]
        given = [index.by_id["outputs"].get(figure.output)]
        if figure.second is not None:
            given.append(index.by_id["outputs"].get(figure.second))
        if len(needs) == 2 and figure.second is None:
            words, hint = WORDS[needs[1]]
            sentence = f"{figure.criterion} also needs {words}."
            yield problem("injury-no-second", f"{path}/second", sentence, f"Name an output {hint}.")
        elif len(needs) == 1 and figure.second is not None:
            sentence = f"{figure.criterion} is made of one output."
            yield problem("injury-second-idle", f"{path}/second", sentence, "Leave it out.")
            given = given[:1]
        yield from _inputs(index, figure, path, given)
        yield from _idle(figure, path)


def _inputs(index: Index, figure: InjuryOutput, path: str, given: list[Any]) -> Iterator[Problem]:
    """Look at each output that is named and there."""
    for field, need, output in zip(
        ("output", "second"), NEEDS[figure.criterion], given, strict=False
    ):
        if output is None:
            continue
        where = f"{path}/{field}"
        joint = index.by_id["joints"].get(getattr(output, "joint", ""))
        kind = joint.kind if joint is not None else "slip"
        if not _fits(output, need, kind):
            words, hint = WORDS[need]
            sentence = f"'{output.id}' is not {words}, which {figure.criterion} needs."
            yield problem("injury-wrong-output", where, sentence, f"Name an output {hint}.")
        elif need in ("force", "torque") and output.in_axes_of == "ground":
            sentence = f"'{output.id}' is written along ground axes."
            hint = "Set its 'in_axes_of' to 'child' or 'parent', whichever is the loaded segment."
            yield problem("injury-ground-axes", where, sentence, hint)
        elif need == "deflection" and figure.channel is not None:
            has = (
                ("x", "y", "z", "resultant")
                if output.kind == "point"
                else (usual_channel(output, kind),)
            )
            if figure.channel not in has:
                sentence = f"'{output.id}' has no channel '{figure.channel}' that is a deflection."
                hint = f"It has {', '.join(has)}."
                yield problem("injury-wrong-channel", f"{path}/channel", sentence, hint)
    if len(given) == 2 and None not in given and NEEDS[figure.criterion] == ("force", "torque"):
        one, two = given
        if {one.kind, two.kind} == {"joint"} and (one.joint, one.in_axes_of) != (
            two.joint,
            two.in_axes_of,
        ):
            sentence = f"'{one.id}' and '{two.id}' are not of the same joint along the same axes."
            yield problem("injury-two-joints", f"{path}/second", sentence, "Name outputs that are.")


def _fits(output: Any, need: str, joint_kind: str) -> bool:
    """Say whether an output gives what is needed."""
    if need == "acceleration":
        return bool(output.kind == "point" and output.quantity == "acceleration")
    if need in ("rate", "angular_acceleration"):
        quantity = "velocity" if need == "rate" else "acceleration"
        return bool(output.kind == "rotation" and output.quantity == quantity)
    if need == "touch":
        return bool(output.kind == "element" and output.of == "contacts")
    if need in ("force", "torque"):
        return bool(output.kind == "joint" and output.quantity == need)
    return usual_channel(output, joint_kind) != ""


def _idle(figure: InjuryOutput, path: str) -> Iterator[Problem]:
    """Find options that were set and have no effect."""
    for name, criteria in OPTIONS.items():
        default = InjuryOutput.model_fields[name].default
        if figure.criterion not in criteria and getattr(figure, name) != default:
            sentence = f"{figure.criterion} does not look at '{name}'."
            yield problem("injury-option-idle", f"{path}/{name}", sentence, "Leave it out.")
