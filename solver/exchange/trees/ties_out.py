"""From a project: what holds axes and bodies to each other beside the tree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.exchange.trees.bodies import Axis, Body, ReadNotes, Tie
from solver.project.closures import FIRST_AXIS, PointOnPlane, Revolute, Weld
from solver.project.coordinates import ComponentCoordinate
from solver.project.couplings import COUPLINGS, Coupled
from solver.project.document import Project
from solver.project.geometry import Frame, FrameRef
from solver.project.joints import FreeJoint
from solver.project.links import FixedDistance, ZeroDistance
from solver.project.pose import Placed, start_pose, turn
from solver.project.segments import GROUND

NAMED = {"angle": "{}", "first": "{}_x", "second": "{}_y", "slide": "{}_slide"}
"""How `files` names the axes of a joint that it writes."""


@dataclass(frozen=True)
class Sum:
    """Axes whose polynomials add up to zero, as links without mass hold them (`ties.py` makes such)."""

    terms: tuple[tuple[Any, tuple[float, ...]], ...]
    links: frozenset[str]
    couplings: frozenset[str]


def sums_of(project: Project) -> dict[str, Sum]:
    """Find what stands in a project for sums of axes, by the constraint that closes each."""
    chains = _Chains(project)
    found = dict[str, Sum]()
    for item in project.constraints:
        if not isinstance(item, PointOnPlane) or item.a != FrameRef(segment=GROUND) or any(item.b.position_m):  # fmt: skip
            continue
        if item.axis == "z" and (made := chains.to(item.b.segment)):
            found[item.id] = made
    return found


def followed_of(project: Project) -> dict[str, Sum]:
    """Find sums of axes that forces act on, by the last link of each."""
    chains, found = _Chains(project), dict[str, Sum]()
    for item in project.coordinate_forces:
        at = item.coordinate
        if isinstance(at, ComponentCoordinate) and at.a == FrameRef(segment=GROUND) and at.axis == "z":  # fmt: skip
            made = None if any(at.b.position_m) else chains.to(at.b.segment, with_mass=True)
            if made:
                found[at.b.segment] = made
    return found


class _Chains:
    """Links that slide on each other from the ground on, each as an axis of a joint says."""

    def __init__(self, project: Project) -> None:
        self.carried = {one.child: one for one in project.joints if not isinstance(one, FreeJoint)}
        self.bare = {one.id: one.mass_kg for one in project.segments if not one.surfaces}
        self.leads = defaultdict[str, list[Coupled]](list)
        for item in project.constraints:
            if isinstance(item, Coupled) and item.coefficients:
                self.leads[item.second.joint].append(item)

    def to(self, segment: str, with_mass: bool = False) -> Sum | None:
        """Find the sum at the last link of a chain, which may have a mass."""
        couplings, links, plain = list[Coupled](), set[str](), Frame()
        while segment in self.bare and (with_mass or not self.bare[segment]):
            joint = self.carried.get(segment)
            if joint is None or joint.kind != "slip" or len(self.leads[joint.id]) != 1:
                break
            if (joint.parent_frame, joint.child_frame) != (plain, plain):
                break
            links.add(segment)
            couplings += self.leads[joint.id]
            segment, with_mass = joint.parent, False
        if not couplings or segment != GROUND:
            return None
        terms = tuple((one.first, one.coefficients) for one in couplings[::-1])
        return Sum(terms, frozenset(links), frozenset(one.id for one in couplings))


def ties_from(
    project: Project, bodies: Sequence[Body], chains: tuple[Mapping[str, Sum], Mapping[str, Sum]], read_notes: ReadNotes
) -> list[Tie]:  # fmt: skip
    """Give the constraints of a project that files of trees can say; the others are named. Sums that hold, and sums that are followed, are told apart."""
    sums, followed = chains
    axes = {axis.name: axis for body in bodies for axis in body.joints}
    number = {body.name: n for n, body in enumerate(bodies)} | {"ground": -1}
    pose = start_pose(project)
    ties, left = list[Tie](), list[str]()
    within = {name for one in (*sums.values(), *followed.values()) for name in one.couplings}

    def named(of: Any) -> Axis | None:
        return axes.get(NAMED.get(of.axis, "").format(of.joint))

    for item in project.constraints:
        tie = None
        if item.id in within:
            continue
        if item.id in sums:
            terms = [(named(of), numbers) for of, numbers in sums[item.id].terms]
            of_all = tuple(axis for axis, _ in terms if axis is not None)
            if len(of_all) == len(terms):
                tie = Tie(item.id, "sum", of_all, terms=tuple(numbers for _, numbers in terms))
        elif isinstance(item, COUPLINGS):
            pair = named(item.first), named(item.second)
            numbers = _coefficients(item, pair)
            if numbers and pair[0] and pair[1]:
                tie = Tie(item.id, "coupled", (pair[0], pair[1]), numbers)
        elif isinstance(item, ZeroDistance | FixedDistance | Weld | Revolute):
            if item.a.segment in number and item.b.segment in number:
                tie = _bodies_held(item, number, pose)
            if tie is not None and getattr(item, "breakage", None):
                read_notes.say("Constraint '{name}' does not break there.", name=item.id)
        left += [f"{item.id} ({item.kind})"] if tie is None else []
        ties += [tie] if tie else []
    if left:
        read_notes.say("Constraints that such files cannot say are left out: {names}.", names=", ".join(left))  # fmt: skip
    return ties


def _coefficients(item: Any, pair: Sequence[Axis | None]) -> tuple[float, ...]:
    """Give a polynomial of the first axis, whole; none where it is no polynomial."""
    numbers = item.coefficients if isinstance(item, Coupled) else (0.0, item.slope)
    if not numbers or pair[0] is None or pair[1] is None:
        return ()
    offset = item.offset
    if offset is None:
        value = float(np.polynomial.polynomial.polyval(pair[0].start, np.array(numbers)))
        offset = pair[1].start - value
    return (numbers[0] + offset, *numbers[1:])


def _bodies_held(item: Any, number: Mapping[str, int], pose: Mapping[str, Placed]) -> Tie:
    if isinstance(item, Weld | Revolute):
        # the axis comes last
        order = list(FIRST_AXIS[item.axis])
        ends = [
            (number[one.segment], np.array(one.frame.position_m), turn(one.frame.orientation)[:, order])
            for one in (item.a, item.b)
        ]  # fmt: skip
        return Tie(item.id, item.kind, ends=ends)
    ends = [(number[one.segment], np.array(one.position_m), np.eye(3)) for one in (item.a, item.b)]
    if isinstance(item, ZeroDistance):
        return Tie(item.id, "zero_distance", ends=ends)
    distance = item.distance_m
    if distance is None:
        a, b = (pose[one.segment].of(one.position_m) for one in (item.a, item.b))
        distance = float(np.linalg.norm(b - a))
    return Tie(item.id, "fixed_distance", ends=ends, distance=distance)
