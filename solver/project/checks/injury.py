"""Check that injury figures are made of what they need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from solver.base.words import Sentence, msgid
from solver.project.checks.index import Index
from solver.project.checks.registry import TOPOLOGY, finds, problem
from solver.project.criteria import CRITERIA, Option
from solver.project.joint_table import way_of
from solver.project.outputs import (
    ElementOutput,
    InjuryOutput,
    JointOutput,
    PointOutput,
    RotationOutput,
)
from solver.project.problems import Problem

WORDS = {
    "acceleration": (
        msgid("the acceleration of a point"),
        msgid("of kind point with quantity acceleration"),
    ),
    "rate": (
        msgid("the angular velocity of a segment"),
        msgid("of kind rotation with quantity velocity"),
    ),
    "angular_acceleration": (
        msgid("the angular acceleration of a segment"),
        msgid("of kind rotation with quantity acceleration"),
    ),
    "force": (msgid("the force in a joint"), msgid("of kind joint with quantity force")),
    "torque": (msgid("the torque in a joint"), msgid("of kind joint with quantity torque")),
    "touch": (msgid("the load of a contact"), msgid("of kind element with list contacts")),
    "tension": (
        msgid("the tension of a strap"),
        msgid("of kind element with list belts, harnesses or tension_elements"),
    ),
    "deflection": (
        msgid("a deflection"),
        msgid(
            "that is the position of a point, or a contact, spring or tension element, or the angle of a slip joint"
        ),
    ),
}
CHANNELS = {"contacts": "penetration", "springs": "length", "tension_elements": "length"}
"""Channel of an element that is a deflection."""
STRAPS = ("belts", "harnesses", "tension_elements")
"""Lists of what has a tension."""


def usual_channel(output: Any, way: str = "") -> str:
    """The channel of an output that is a deflection; empty where there is none.

    Of a joint it is its way, where it slides along one alone.
    """
    match output:
        case PointOutput():
            return "x" if output.quantity == "position" else ""
        case ElementOutput():
            return CHANNELS.get(output.of, "")
        case JointOutput():
            return way if output.quantity == "angle" else ""
        case _:
            return ""


@finds(
    TOPOLOGY,
    error={
        "injury-wrong-output": "An injury figure is made of the wrong kind of output.",
        "injury-no-second": "An injury figure needs a second output.",
        "injury-second-idle": "An injury figure names a second output that it does not use.",
        "injury-wrong-channel": "The channel of a deflection is not in its output.",
        "injury-ground-axes": "A load is to be known along the axes of a segment.",
        "injury-no-lever": "A pubic load has no way from the cut to the symphysis.",
        "injury-two-joints": "Force and torque of an injury figure are not of one joint and axes.",
    },
    warning={"injury-option-idle": "An option is set that the criterion does not look at."},
)
def injury(index: Index) -> Iterator[Problem]:
    """Find injury figures that cannot be computed, and options without effect."""
    for figure, path in index.of(InjuryOutput):
        needs = CRITERIA[figure.criterion].needs
        given = [index.by_id["outputs"].get(figure.output)]
        if figure.second is not None:
            given.append(index.by_id["outputs"].get(figure.second))
        if len(needs) == 2 and figure.second is None:
            words, which = WORDS[needs[1]]
            sentence = Sentence(
                "{criterion} also needs {words}.", criterion=figure.criterion, words=Sentence(words)
            )
            yield problem(
                "injury-no-second",
                f"{path}/second",
                sentence,
                Sentence("Name an output {which}.", which=Sentence(which)),
            )
        elif len(needs) == 1 and figure.second is not None:
            sentence = Sentence("{criterion} is made of one output.", criterion=figure.criterion)
            yield problem("injury-second-idle", f"{path}/second", sentence, "Leave it out.")
            given = given[:1]
        if figure.criterion == "pubic_load" and figure.lever_m <= 0.0:
            sentence = Sentence(
                "A pubic load is a moment over a lever, and the lever is not above zero."
            )
            hint = Sentence("Set 'lever_m' to the way from the cut of the pelvis to the symphysis.")
            yield problem("injury-no-lever", f"{path}/lever_m", sentence, hint)
        yield from _inputs(index, figure, path, given)
        yield from _idle(figure, path)


def _inputs(index: Index, figure: InjuryOutput, path: str, given: list[Any]) -> Iterator[Problem]:
    """Look at each output that is named and there."""
    for field, need, output in zip(
        ("output", "second"), CRITERIA[figure.criterion].needs, given, strict=False
    ):
        if output is None:
            continue
        where = f"{path}/{field}"
        joint = index.by_id["joints"].get(getattr(output, "joint", ""))
        way = "slide" if joint is None else way_of(joint)
        if not _fits(output, need, way):
            words, which = WORDS[need]
            sentence = Sentence(
                "'{output}' is not {words}, which {criterion} needs.",
                output=output.id,
                words=Sentence(words),
                criterion=figure.criterion,
            )
            yield problem(
                "injury-wrong-output",
                where,
                sentence,
                Sentence("Name an output {which}.", which=Sentence(which)),
            )
        elif need in ("force", "torque") and output.in_axes_of == "ground":
            sentence = Sentence("'{output}' is written along ground axes.", output=output.id)
            hint = Sentence(
                "Set its 'in_axes_of' to 'child' or 'parent', whichever is the loaded segment."
            )
            yield problem("injury-ground-axes", where, sentence, hint)
        elif need == "deflection" and figure.channel is not None:
            has = (
                ("x", "y", "z", "resultant")
                if isinstance(output, PointOutput)
                else (usual_channel(output, way),)
            )
            if figure.channel not in has:
                sentence = Sentence(
                    "'{output}' has no channel '{channel}' that is a deflection.",
                    output=output.id,
                    channel=figure.channel,
                )
                hint = Sentence("It has {has}.", has=", ".join(has))
                yield problem("injury-wrong-channel", f"{path}/channel", sentence, hint)
    if (
        len(given) == 2
        and None not in given
        and CRITERIA[figure.criterion].needs == ("force", "torque")
    ):
        one, two = given
        if {one.kind, two.kind} == {"joint"} and (one.joint, one.in_axes_of) != (
            two.joint,
            two.in_axes_of,
        ):
            sentence = Sentence(
                "'{one}' and '{two}' are not of the same joint along the same axes.",
                one=one.id,
                two=two.id,
            )
            yield problem("injury-two-joints", f"{path}/second", sentence, "Name outputs that are.")


def _fits(output: Any, need: str, way: str) -> bool:
    """Whether an output gives what is needed."""
    if need == "acceleration":
        return isinstance(output, PointOutput) and output.quantity == "acceleration"
    if need in ("rate", "angular_acceleration"):
        quantity = "velocity" if need == "rate" else "acceleration"
        return isinstance(output, RotationOutput) and output.quantity == quantity
    if need == "touch":
        return isinstance(output, ElementOutput) and output.of == "contacts"
    if need in ("force", "torque"):
        return isinstance(output, JointOutput) and output.quantity == need
    if need == "tension":
        return isinstance(output, ElementOutput) and output.of in STRAPS
    return usual_channel(output, way) != ""


def _idle(figure: InjuryOutput, path: str) -> Iterator[Problem]:
    """Find options that were set and have no effect."""
    info = CRITERIA[figure.criterion]
    looked_at = {*info.options, *(["channel"] if "deflection" in info.needs else [])}
    for name in ("channel", *get_args(Option)):
        default = InjuryOutput.model_fields[name].default
        if name not in looked_at and getattr(figure, name) != default:
            sentence = Sentence(
                "{criterion} does not look at '{name}'.", criterion=figure.criterion, name=name
            )
            yield problem("injury-option-idle", f"{path}/{name}", sentence, "Leave it out.")
