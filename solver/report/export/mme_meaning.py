"""What a channel is of in its model, where the words of ids do not say it: whose, which restraint, which part, where on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from solver.injury import body_sensors, occupants
from solver.injury.parts import Occupant
from solver.project import Project
from solver.project.outputs import ElementOutput, JointOutput, PointOutput
from solver.project.references import keys_in
from solver.results.layout import FRAME_GROUPS
from solver.results.trajectory import Channel

_RESTRAINTS = {"belts": "SEBE", "harnesses": "SEBE", "strap_points": "SEBE", "airbags": "AIRB"}


@dataclass(frozen=True, slots=True)
class Meaning:
    """Say what the model knows: main location and fine location, or none; whose it is; whether it is at the mass centre."""

    main: str = ""
    fine: str = ""
    owner: int = 0
    is_central: bool = True
    is_felt: bool = False
    """Whether it is what an accelerometer shows, which has gravity in it."""


def meaning(project: Project, channel: Channel) -> Meaning:
    """Find what a channel is of."""
    bodies = occupants(project)
    output = next((o for o in _outputs(project) if channel.name.startswith(f"{o.id}_")), None)
    list_, id_ = _element(project, channel.name, output)
    item = next((one for one in getattr(project, list_, ()) if one.id == id_), None)
    main, fine = _RESTRAINTS.get(list_, ""), ""
    if list_ == "joints" and item is not None:
        main, fine = _neck(bodies, item.parent, item.child)
    keys = () if item is None else keys_in(item)
    segments = {channel.segment, *(key[1] for key in keys if key[0] in ("segments", "surfaces"))}
    if list_ == "segments":
        segments.add(id_)
    point = output if isinstance(output, PointOutput) else None
    is_central = point is None or (point.frame is None and not any(point.point_m))
    return Meaning(
        main, fine, _owner(bodies, id_ or channel.name, segments),
        is_central and "[" not in channel.name,
        point is not None and point.quantity == "acceleration" and point.with_gravity,
    )  # fmt: skip


def _outputs(project: Project) -> Iterator[Any]:
    """Give all that is recorded, longest ids first: one may begin as another one is."""
    return iter(sorted((*project.outputs, *body_sensors(project)), key=lambda o: -len(o.id)))


def _element(project: Project, name: str, output: Any) -> tuple[str, str]:
    """Give list and id of the element that a channel is of; the output's id where it is of none."""
    words = name.partition("@")[0].split("/")
    if len(words) > 2 and words[0] in FRAME_GROUPS:
        whole = re.split(r"[.\[]", words[1], maxsplit=1)[0]
        return words[0], whole
    if isinstance(output, ElementOutput):
        return output.of, output.element
    if isinstance(output, JointOutput):
        return "joints", output.joint
    return "", "" if output is None else output.id


def _neck(bodies: Sequence[Occupant], *ends: str) -> tuple[str, str]:
    """Tell the joints of a neck by what they hold: the head above, the chest below."""
    parts = {body.part_of(segment) for body in bodies for segment in ends}
    if "head" in parts:
        return "NECK", "UP"
    return ("NECK", "LO") if {"neck", "upper_torso"} <= parts else ("", "")


def _owner(bodies: Sequence[Occupant], id_: str, segments: set[str]) -> int:
    """Count whose it is: whose name its id bears, or who alone has a segment of it; 0 where it is nobody's."""
    named = ((number, body.name.lower()) for number, body in enumerate(bodies, start=1))
    low = id_.lower()
    found = [(len(name), number) for number, name in named if name and low.startswith(f"{name}_")]
    if found:
        return max(found)[1]
    theirs = [n for n, body in enumerate(bodies, 1) if segments & set(body.segments.values())]
    return theirs[0] if len(theirs) == 1 else 0
