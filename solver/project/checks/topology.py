"""Check how joints, motions, flexible elements and symmetry hang together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from solver.base.units import SYSTEMS, UnitError, given_by, spelled
from solver.base.words import Sentence
from solver.project.belts import ChannelTrigger
from solver.project.checks.index import Index
from solver.project.checks.registry import TOPOLOGY, finds, problem
from solver.project.frames import FLAT, oblique
from solver.project.joint_table import axes_of
from solver.project.joints import BallJoint, EulerJoint, Lock
from solver.project.links import PlanarSymmetry
from solver.project.motions import Load
from solver.project.outputs import (
    BodyOutput,
    InjuryOutput,
    JointOutput,
    PointOutput,
    RotationOutput,
)
from solver.project.problems import Problem, listed
from solver.project.segments import GROUND


def rings(ahead: Mapping[Any, Any]) -> list[list[Any]]:
    """Every ring of a graph in which each node leads to one other at most."""
    done: set[Any] = set()
    found: list[list[Any]] = []
    for start in ahead:
        order: dict[Any, int] = {}
        here = start
        while here in ahead and here not in done and here not in order:
            order[here] = len(order)
            here = ahead[here]
        if here in order:
            found.append(list(order)[order[here] :])
        done.update(order)
    return found


def chain_text(names: Iterable[str], most: int = 10) -> str:
    """Write a ring as 'a' - 'b' - 'a', cut when it is long."""
    words = [f"'{name}'" for name in names]
    shown = words if len(words) <= most else [*words[:most], "..."]
    return " - ".join([*shown, words[0]])


@finds(
    TOPOLOGY,
    error={
        "joint-carries-ground": "A joint carries ground.",
        "joint-itself": "A joint joins a segment to itself.",
        "joint-second-parent": "A segment is carried by two joints.",
        "joint-ring": "Joints form a ring.",
    },
)
def trees(index: Index) -> Iterator[Problem]:
    """Find joints that do not build a tree."""
    ahead: dict[str, str] = {}
    for joint, path in index.elements("joints"):
        first = index.joint_of[joint.child]
        if joint.child == GROUND:
            sentence = Sentence("Ground cannot be carried by a joint.")
            yield problem("joint-carries-ground", f"{path}/child", sentence, "Swap the segments.")
        elif joint.parent == joint.child:
            sentence = Sentence(
                "'{joint}' joins '{child}' to itself.", joint=joint.id, child=joint.child
            )
            yield problem("joint-itself", f"{path}/child", sentence, "Name two segments.")
        elif first is not joint:
            sentence = Sentence(
                "'{child}' is carried by '{first}' and by '{joint}'.",
                child=joint.child,
                first=first.id,
                joint=joint.id,
            )
            hint = "Keep one, and close the loop by a constraint of kind zero_distance."
            yield problem("joint-second-parent", f"{path}/child", sentence, hint)
        else:
            ahead[joint.child] = joint.parent
    numbers = {joint.id: i for i, joint in enumerate(index.project.joints)}
    for ring in rings(ahead):
        names = list(reversed(ring))
        first = min((index.joint_of[name] for name in ring), key=lambda one: numbers[one.id])
        path = f"joints/{first.id}/parent"
        sentence = Sentence("The joints form a ring: {chain_text}.", chain_text=chain_text(names))
        hint = "Open it at one joint, and close it by a constraint of kind zero_distance."
        yield problem("joint-ring", path, sentence, hint)


@finds(
    TOPOLOGY,
    error={
        "motion-carried": "A motion is given to a segment that a joint carries.",
        "motion-twice": "Two motions move the same segment.",
        "motion-component-twice": "A component stands twice in a motion.",
        "motion-start-unused": "A start value is given that the motion does not use.",
    },
    warning={"load-no-effect": "A load acts on a segment whose motion is given."},
)
def motions(index: Index) -> Iterator[Problem]:
    """Find motions that contradict joints or each other, and what they make useless."""
    for motion, path in index.elements("motions"):
        joint = index.joint_of.get(motion.segment)
        if joint is not None:
            sentence = Sentence(
                "'{segment}' is carried by the joint '{joint}'.",
                segment=motion.segment,
                joint=joint.id,
            )
            hint = "Move the lowest segment of its tree instead, or remove the joint."
            yield problem("motion-carried", f"{path}/segment", sentence, hint)
        first = index.motion_of[motion.segment]
        if first is not motion:
            sentence = Sentence(
                "'{segment}' is already moved by '{first}'.", segment=motion.segment, first=first.id
            )
            yield problem("motion-twice", f"{path}/segment", sentence, "Join them into one motion.")
        seen: set[str] = set()
        for i, component in enumerate(motion.components):
            where = f"{path}/components/{i}"
            if component.component in seen:
                sentence = Sentence(
                    "'{component}' stands more than once in '{motion}'.",
                    component=component.component,
                    motion=motion.id,
                )
                yield problem("motion-component-twice", f"{where}/component", sentence, "Keep one.")
            seen.add(component.component)
            if component.quantity == "position" and component.start_value != 0.0:
                sentence = Sentence(
                    "The start value is not used: the position is given at all times."
                )
                hint = "Set it to 0, or add it to the function."
                yield problem("motion-start-unused", f"{where}/start_value", sentence, hint)
            if component.quantity != "acceleration" and component.start_rate != 0.0:
                sentence = Sentence(
                    "The start rate is not used: the {quantity} is given.",
                    quantity=component.quantity,
                )
                yield problem(
                    "motion-start-unused", f"{where}/start_rate", sentence, "Set it to 0."
                )
    for load, path in index.of(Load):
        if load.segment != GROUND and index.is_driven(load.segment):
            sentence = Sentence(
                "'{segment}' does not move freely; the load has no effect on it.",
                segment=load.segment,
            )
            yield problem("load-no-effect", f"{path}/segment", sentence, "Load another segment.")


@finds(
    TOPOLOGY,
    error={
        "flexible-member-twice": "A segment stands twice in a flexible element.",
        "flexible-joint": "Neighbours in a flexible element are not joined by a ball joint, or by an open Euler joint.",
        "flexible-bends": "A flexible element has too few or too many bends.",
        "flexible-shared": "An inner segment belongs to two flexible elements.",
    },
)
def flexible_elements(index: Index) -> Iterator[Problem]:
    """Find chains that are no chains of ball joints, and bends that do not fit."""
    inner_of: dict[str, str] = {}
    member_of: dict[str, list[str]] = {}
    for element, _ in index.elements("flexible_elements"):
        for name in element.segments[1:-1]:
            inner_of.setdefault(name, element.id)
        for name in dict.fromkeys(element.segments):
            member_of.setdefault(name, []).append(element.id)
    for element, path in index.elements("flexible_elements"):
        seen: set[str] = set()
        for i, name in enumerate(element.segments):
            where = f"{path}/segments/{i}"
            if name in seen:
                sentence = Sentence(
                    "'{name}' stands more than once in '{element}'.", name=name, element=element.id
                )
                yield problem("flexible-member-twice", where, sentence, "Name each segment once.")
            elif name in inner_of and member_of[name][0] != element.id:
                sentence = Sentence(
                    "'{name}' already belongs to '{member_of}'.",
                    name=name,
                    member_of=member_of[name][0],
                )
                hint = "Two flexible elements may share an end, but no inner segment."
                yield problem("flexible-shared", where, sentence, hint)
            seen.add(name)
        for i, (a, b) in enumerate(pairwise(element.segments), 1):
            if a != b and _is_known(index, a, b) and not _ball_between(index, a, b):
                sentence = Sentence(
                    "No ball joint and no Euler joint without locks joins '{a}' and '{b}'.",
                    a=a,
                    b=b,
                )
                hint = "Name the segments in order, each joined so to the next."
                yield problem("flexible-joint", f"{path}/segments/{i}", sentence, hint)
        needed, given = len(element.segments) - 2, len(element.bends)
        if needed != given:
            sentence = Sentence(
                "'{element}' has {given} bends, but {needed} inner segments.",
                element=element.id,
                given=given,
                needed=needed,
            )
            yield problem(
                "flexible-bends",
                f"{path}/bends",
                sentence,
                Sentence("Give {needed}.", needed=needed),
            )


def _is_known(index: Index, a: str, b: str) -> bool:
    return a in index.segments and b in index.segments


def _ball_between(index: Index, a: str, b: str) -> bool:
    for child, parent in ((a, b), (b, a)):
        joint = index.joint_of.get(child)
        if joint is not None and joint.parent == parent and isinstance(joint, BallJoint):
            return True
        if joint is not None and joint.parent == parent and isinstance(joint, EulerJoint):
            # an axis that is or becomes held would hold against the bends
            return all(axis.lock == Lock() for axis in axes_of(joint))
    return False


@finds(
    TOPOLOGY,
    error={
        "symmetry-itself": "A segment is paired with itself.",
        "symmetry-twice": "A segment stands in two entries of symmetry.",
    },
    warning={"symmetry-driven": "A segment whose motion is given is held symmetrical."},
)
def symmetry(index: Index) -> Iterator[Problem]:
    """Find segments that stand twice in the symmetry."""
    seen: dict[str, str] = {}
    for entry, path in index.elements("symmetry"):
        names = {"segment": entry.segment} if isinstance(entry, PlanarSymmetry) else None
        if names is None:
            names = {"first": entry.first, "second": entry.second}
            if entry.first == entry.second:
                sentence = Sentence("'{first}' is paired with itself.", first=entry.first)
                hint = "Use kind planar for a segment in the middle."
                yield problem("symmetry-itself", f"{path}/second", sentence, hint)
                names.pop("second")
        for field, name in names.items():
            if name in seen:
                sentence = Sentence(
                    "'{name}' stands in '{seen}' and in '{entry}'.",
                    name=name,
                    seen=seen[name],
                    entry=entry.id,
                )
                yield problem("symmetry-twice", f"{path}/{field}", sentence, "Keep one of them.")
            elif name != GROUND and index.is_driven(name):
                sentence = Sentence(
                    "'{name}' does not move freely; symmetry cannot change its motion.", name=name
                )
                yield problem("symmetry-driven", f"{path}/{field}", sentence, "Remove the entry.")
            seen.setdefault(name, entry.id)


@finds(
    TOPOLOGY,
    error={"body-member-twice": "A segment stands twice in a body output."},
)
def body_outputs(index: Index) -> Iterator[Problem]:
    """Find segments that would be counted twice."""
    for output, path in index.elements("outputs"):
        if isinstance(output, BodyOutput) and len(set(output.segments)) < len(output.segments):
            twice = [name for name, n in Counter(output.segments).items() if n > 1]
            sentence = Sentence("{twice} would be counted more than once.", twice=listed(twice))
            yield problem("body-member-twice", f"{path}/segments", sentence, "Name each once.")


# Check own frames and own systems of units, and outputs that are told in frames.


@finds(
    TOPOLOGY,
    error={
        "frame-cycle": "Frames stand within each other in a ring.",
        "frame-carrier": "A frame within another one names a segment.",
        "frame-flat": "The axes of a frame lie nearly in a plane.",
        "frame-name": "A frame has the name of a segment, so that '@name' could be either.",
    },
)
def own_frames(index: Index) -> Iterator[Problem]:
    """Find frames that stand nowhere, or have no space between their axes."""
    frames = list(index.elements("frames"))
    for ring in rings({one.id: one.relative_to for one, _ in frames if one.relative_to}):
        yield problem(
            "frame-cycle",
            f"frames/{ring[0]}/relative_to",
            Sentence("Frames stand within each other in a ring: {chain}.", chain=chain_text(ring)),
            "Put one of them into a segment.",
        )
    for one, path in frames:
        if one.relative_to is not None and one.segment != GROUND:
            yield problem(
                "frame-carrier",
                f"{path}/segment",
                Sentence("'{frame}' stands within '{outer}', which says what carries it.", frame=one.id, outer=one.relative_to),
                "Leave the segment at ground, or leave the outer frame out.",
            )  # fmt: skip
        within = all(0.0 < angle < np.pi for angle in one.between_rad)
        if not within or abs(float(np.linalg.det(oblique(one.between_rad)))) < FLAT:
            yield problem(
                "frame-flat",
                f"{path}/between_rad",
                Sentence("The axes of '{frame}' lie nearly in a plane: no place could be told by them.", frame=one.id),
                "Take angles above 0 and below 180 degrees, that leave a space between the axes.",
            )  # fmt: skip
        if one.id == GROUND or one.id in index.segments:
            sentence = Sentence("'{frame}' is the name of a segment too.", frame=one.id)
            yield problem("frame-name", f"{path}/id", sentence, "Choose another id for the frame.")


@finds(
    TOPOLOGY,
    error={
        "unit-unknown": "A unit of an own system cannot be read, or two are of one kind.",
        "unit-system-name": "An own system of units has the name of one that is there.",
    },
)
def unit_systems(index: Index) -> Iterator[Problem]:
    """Find own systems of units that are none."""
    for one, path in index.elements("unit_systems"):
        if one.id in SYSTEMS:
            sentence = Sentence("'{system}' is a system that is always there.", system=one.id)
            yield problem("unit-system-name", f"{path}/id", sentence, "Choose another id.")
        try:
            for unit in one.units:
                if not unit.strip() or "," in unit:
                    raise UnitError("'{unit}' is no unit.", unit=unit)
            given_by(spelled(one.units))
        except UnitError as failure:
            hint = "Write one unit of each kind, as mm, t, s, deg or 25.4*mm."
            yield problem("unit-unknown", f"{path}/units", failure.said, hint)


@finds(
    TOPOLOGY,
    error={
        "output-frame": "An output is told in a frame and by something else.",
        "injury-frame": "A figure is made of an output that is told in a frame.",
        "trigger-frame": "A trigger watches an output that is told in a frame.",
    },
)
def told_in_frames(index: Index) -> Iterator[Problem]:
    """Find outputs that say twice in which axes they are told."""
    in_frames = {one.id: one for one, _ in index.elements("outputs") if getattr(one, "frame", None)}
    for one, path in index.elements("outputs"):
        if one.id not in in_frames:
            continue
        if isinstance(one, PointOutput | RotationOutput) and one.relative_to != GROUND:
            yield problem(
                "output-frame",
                f"{path}/relative_to",
                Sentence("'{output}' is seen from what carries its frame '{frame}'.", output=one.id, frame=one.frame),
                "Leave 'relative to' at ground, or leave the frame out.",
            )  # fmt: skip
        if isinstance(one, JointOutput) and one.quantity == "angle":
            yield problem(
                "output-frame",
                f"{path}/frame",
                Sentence("Angles of a joint are counted in its own axes, not in '{frame}'.", frame=one.frame),
                "Leave the frame out.",
            )  # fmt: skip
    for figure, path in index.of(InjuryOutput):
        for field in ("output", "second"):
            if getattr(figure, field, None) in in_frames:
                yield problem(
                    "injury-frame",
                    f"{path}/{field}",
                    Sentence("'{output}' is told in a frame; figures are made along the segment's own axes.", output=getattr(figure, field)),
                    "Name an output without a frame.",
                )  # fmt: skip
    for trigger, path in index.of(ChannelTrigger):
        if trigger.output in in_frames:
            yield problem(
                "trigger-frame",
                f"{path}/output",
                Sentence("A trigger watches '{output}', which is told in a frame.", output=trigger.output),
                "Watch an output without a frame.",
            )  # fmt: skip
