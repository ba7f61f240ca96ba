"""Find in which state each connector was when: held, open, sliding, breaking, broken, rolling, apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from app.elements import called
from solver.base.words import msgid, tr
from solver.editing.persons import people
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.contact import Contact
from solver.project.joint_table import axes_of, ball_of, carrying, is_cut, row_of, slides_of
from solver.project.joints import Joint
from solver.project.links import Constraint
from solver.results.events import Event
from solver.results.trajectory import Trajectory

State = Literal[
    "free", "held", "partly", "sliding", "sticking", "breaking", "broken", "rolling", "apart"
]

STATES: dict[State, str] = {
    "free": msgid("moves"),
    "held": msgid("fixed"),
    "partly": msgid("partly fixed"),
    "sliding": msgid("sliding"),
    "sticking": msgid("sticking"),
    "breaking": msgid("breaking"),
    "broken": msgid("broken"),
    "rolling": msgid("rolling"),
    "apart": msgid("apart"),
}
_ROLLING: tuple[State, ...] = ("apart", "rolling", "sliding", "breaking", "broken")
"""By the numbers of the results file."""

_TOUCHING: tuple[State, ...] = ("apart", "sliding", "sticking")
"""The same of contacts."""

_STICKS = 2

_OPENS = ("joint_opens", "joint_released")
_KINDS = {
    *_OPENS, "joint_held", "joint_breaks", "joint_parts", "joint_heals", "constraint_breaks", "constraint_parts",
    "constraint_heals", "edge_holds", "edge_slides", "rolling_changes", "rolling_lets_go",
}  # fmt: skip
"""Kinds of events that change the state of a connector."""


@dataclass(frozen=True, slots=True)
class Span:
    """A state from one time to another (s), and what is held in words."""

    start: float
    end: float
    state: State
    held: str = ""

    @property
    def words(self) -> str:
        """Say the state: 'partly fixed: length'."""
        text = tr(STATES[self.state])
        if not self.held:
            return text
        if self.state == "partly":
            return f"{text}: {self.held}"
        return tr("{state}, fixed: {axes}", state=text, axes=self.held)


@dataclass(frozen=True, slots=True)
class Lane:
    """The states of one connector, in order of time."""

    element: str
    name: str
    spans: tuple[Span, ...]


def lanes(project: Project, trajectory: Trajectory) -> list[Lane]:
    """The states of all connectors that change theirs, in the order of the document.

    What holds a person's posture until a load comes lets go in every crash: where that is all, there is no lane.
    What lets go at a rigid cut in a bone has broken.
    """
    changes: dict[str, list[Event]] = {}
    for event in trajectory.events():
        if event.kind in _KINDS and event.elements:
            path = "/".join(event.elements[0].split("/")[:2])
            changes.setdefault(path, []).append(event)
    rubbing = _that_stick(project, trajectory)
    if not changes and not rubbing:
        return []
    end = float(trajectory.time[-1]) if len(trajectory.time) else 0.0
    within = _within_people(project)
    bones = [joint for joint in within if is_cut(joint)]
    found = []
    for joint in carrying(project.joints):
        path = f"joints/{joint.id}"
        if path in changes:
            spans = _spans(_of_joint(joint, changes[path], is_bone=joint in bones), end)
            found.append(Lane(path, called(project, joint), spans))
    for constraint in project.constraints:
        path = f"constraints/{constraint.id}"
        if path in changes:
            spans = _spans(_of_constraint(constraint, changes[path], trajectory), end)
            found.append(Lane(path, called(project, constraint), spans))
    for contact, column in rubbing:
        spans = _spans(_of_contact(column, trajectory), end)
        found.append(Lane(f"contacts/{contact.id}", called(project, contact), spans))
    posture = {f"joints/{joint.id}" for joint in within if joint not in bones}
    return [
        lane
        for lane in found
        if (len(lane.spans) > 1 or lane.spans[0].start > 0.0)
        and not (lane.element in posture and [one.state for one in lane.spans] == ["held", "free"])
    ]


def _that_stick(project: Project, trajectory: Trajectory) -> list[tuple[Contact, Array]]:
    """Contacts whose bristles hold at some time, with their states at all frames."""
    laws = {law.id for law in project.contact_laws if getattr(law, "friction_law", "") == "bristle"}
    rubbing = [one for one in project.contacts if one.law in laws]
    if not rubbing:
        return []
    table = trajectory.table("contacts")
    states = table["state"]
    return [
        (one, states[:, table.ids.index(one.id)])
        for one in rubbing
        if one.id in table.ids and np.any(states[:, table.ids.index(one.id)] == _STICKS)
    ]


def _of_contact(column: Array, trajectory: Trajectory) -> Iterator[_Change]:
    """The states of a contact whose friction rests, from frame to frame."""
    for n in (0, *(np.flatnonzero(np.diff(column)) + 1).tolist()):
        yield float(trajectory.time[n]) if n else 0.0, _TOUCHING[int(column[n])], ""


def _within_people(project: Project) -> list[Joint]:
    parts = [set(person.segments) for person in people(project)]
    return [
        joint
        for joint in project.joints
        if any({joint.parent, joint.child} <= segments for segments in parts)
    ]


_Change = tuple[float, State, str]


def _spans(changes: Iterator[_Change], end: float) -> tuple[Span, ...]:
    """Join what follows each other in one state; of what happens at one time the last counts."""
    kept: list[_Change] = []
    for change in changes:
        if kept and kept[-1][0] == change[0]:
            kept.pop()
        if not kept or kept[-1][1:] != change[1:]:
            kept.append(change)
    ends = [*(change[0] for change in kept[1:]), max(end, kept[-1][0])]
    return tuple(
        Span(start, until, state, held) for (start, state, held), until in zip(kept, ends, strict=True)
    )  # fmt: skip


def _of_joint(joint: Joint, events: list[Event], *, is_bone: bool) -> Iterator[_Change]:
    locks, keeps = _axes(joint)
    slips, broken = dict.fromkeys(locks, False), ""
    fades = joint.breakage is not None and joint.breakage.fades
    yield 0.0, *_state(locks, slips, broken)
    before = dict(locks)
    for event in events:
        parts = event.elements[0].split("/")
        axis = parts[2] if len(parts) > 2 else ""
        match event.kind:
            case "joint_opens" | "joint_released":
                locks[axis], slips[axis] = False, keeps.get(axis, False)
                broken = "broken" if is_bone else broken
            case "joint_held":
                locks[axis], slips[axis] = True, False
            case "joint_breaks":
                before, broken = dict(locks), "breaking" if fades else "broken"
            case "joint_parts":
                broken = "broken"
            case "joint_heals":
                locks, broken = before, ""
                slips = dict.fromkeys(locks, False)
        yield event.time, *_state(locks, slips, broken)


def _axes(joint: Joint) -> tuple[dict[str, bool], dict[str, bool]]:
    """Give, by the part that events name, whether each axis is held at the start and keeps its load."""
    locks: dict[str, bool] = {}
    keeps: dict[str, bool] = {}
    for along, slide in slides_of(joint):
        locks[along.field], keeps[along.field] = slide.locked, slide.keeps_force
    ball = ball_of(joint)
    if ball is not None:
        locks[""], keeps[""] = ball.lock.locked, False
    for axis in axes_of(joint):
        locks[axis.part], keeps[axis.part] = axis.lock.locked, axis.lock.keeps_torque
    if not row_of(joint).freedoms:
        locks[""] = True
    chain = [one.field for one in row_of(joint).freedoms]
    ordered = sorted(locks, key=lambda name: chain.index(name) if name in chain else len(chain))
    return {name: locks[name] for name in ordered}, keeps


def _state(locks: dict[str, bool], slips: dict[str, bool], broken: str) -> tuple[State, str]:
    if broken == "broken":
        return "broken", ""
    if broken:
        return "breaking", ""
    held = [name for name, lock in locks.items() if lock]
    words = ", ".join(name.replace("_", " ") for name in held if name)
    if any(slips.values()):
        return "sliding", words
    if not held:
        return "free", ""
    return ("held", "") if len(held) == len(locks) else ("partly", words)


def _of_constraint(
    constraint: Constraint, events: list[Event], trajectory: Trajectory
) -> Iterator[_Change]:
    """The states by events; whether a pair rolls, slides or is apart is read from the frames."""
    table, time = trajectory.table("constraints"), trajectory.time
    column = table["state"][:, table.ids.index(constraint.id)]
    is_rolling = constraint.kind == "roll_slide"

    def seen(at: float) -> State:
        row = min(int(np.searchsorted(time, at, side="right")), len(column) - 1)
        state = _ROLLING[int(column[row])]
        return state if is_rolling or state != "rolling" else "held"

    fades = constraint.breakage is not None and constraint.breakage.ramp_m is not None
    first = _ROLLING[int(column[0])]
    yield 0.0, first if is_rolling or first != "rolling" else "held", ""
    states: dict[str, State] = {
        "constraint_breaks": "breaking" if fades else "broken",
        "constraint_parts": "broken", "edge_holds": "held", "edge_slides": "sliding", "rolling_lets_go": "apart",
    }  # fmt: skip
    for event in events:
        yield event.time, states.get(event.kind) or seen(event.time), ""
