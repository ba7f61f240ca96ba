"""Cards B.3 to B.5 of a project's joints: the way back of `joints`."""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.exchange.decks.bodies import chained
from solver.exchange.decks.giving import Giving, card, short
from solver.exchange.decks.joints import EULER_AXES, STATES
from solver.exchange.decks.numbers import DEGREE
from solver.exchange.decks.order import Row
from solver.project.angles import angles_from
from solver.project.geometry import Frame, Orientation
from solver.project.joints import (
    Axis,
    EulerJoint,
    FreeJoint,
    Friction,
    Lock,
    Spring,
    UniversalJoint,
)
from solver.project.pose import turn


def give_joints(giving: Giving) -> list[Row]:
    """The cards B.3 to B.5, a joint for each segment after the first."""
    heads, springs, rubs = list[Row](), list[Row](), list[Row]()
    carried = {one.child: one for one in giving.project.joints}
    bent = chained(giving)
    names = set[str]()
    for name in giving.order[1:]:
        joint = carried.get(name)
        if (
            joint is None
            or isinstance(joint, FreeJoint)
            or giving.segment(joint.parent) not in range(1, len(giving.order) + 1)
        ):
            heads += [card("B.3.a", name=short("NONE", names)), card("B.3.b")]
            springs.append(card("B.4.a"))
            rubs.append(card("B.5.a", full_rate=30))
            continue
        giving.joints[joint.id] = giving.order.index(name)
        one = _Given(giving, joint)
        heads += one.heads(short(joint.name or joint.id, names))
        if name in bent:
            heads[-2].values["inner"] *= -1
        springs += one.springs()
        rubs += one.rubs()
    return heads + springs + rubs


TYPES = {"pin": 1, "ball": 2, "locked": -2, "euler": 4}
ONTO_EULER = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
"""Axes of an Euler joint that stands for a universal one, in those of that: x along y, y along z, z along x."""
SLIPS = {"ball": 5, "pin_y": 6, "pin_z": 7, "none": -6}


def as_euler(joint: UniversalJoint) -> EulerJoint:
    """A universal joint as an Euler joint whose spin is held: its x is precession, its y nutation."""

    def frame(of: Frame) -> Frame:
        R = turn(of.orientation) @ ONTO_EULER
        return Frame(
            position_m=of.position_m, orientation=Orientation(angles_rad=angles_from(R, "zyx"))
        )

    return EulerJoint(
        id=joint.id, name=joint.name, parent=joint.parent, child=joint.child, breakage=joint.breakage,
        parent_frame=frame(joint.parent_frame), child_frame=frame(joint.child_frame),
        precession=joint.first, nutation=joint.second, spin=Axis(lock=Lock(locked=True)),
    )  # fmt: skip


class _Given:
    """Make the cards of one joint."""

    def __init__(self, giving: Giving, joint: Any) -> None:
        self.giving = giving
        self.joint: Any = as_euler(joint) if isinstance(joint, UniversalJoint) else joint
        self.path = f"joints/{joint.id}"
        for name, why in (
            ("breakage", "A joint of a deck does not break."),
            ("by_azimuth", "Torques by azimuth are not written; enter them on cards E.7."),
            ("globographic", "A globographic stop is not written; enter it on cards F.4."),
        ):
            if getattr(joint, name, None) is not None:
                giving.lose(self.path, why)

    def heads(self, name: str) -> list[Row]:
        """The cards B.3."""
        joint, giving = self.joint, self.giving
        kind, state, low, high = TYPES.get(joint.kind, 0), 0, 0.0, 0.0
        if joint.kind == "slip":
            kind = SLIPS[joint.rotation]
            slide = joint.slide
            state = -1 if slide.locked else 0
            low, high = (
                giving.number(v or 0.0, giving.units.force)
                for v in (slide.release_below_n, slide.release_above_n)
            )
            if slide.force or slide.viscous_ns_per_m or slide.coulomb_n or slide.coefficient:
                giving.lose(self.path, "A slide of a deck has neither spring nor friction.")
            if kind < 0 and not slide.locked:
                giving.lose(
                    self.path,
                    "A slide without rotation is an Euler joint in a deck: its slide is held.",
                )
                state = -1
        elif joint.kind in ("pin", "ball") and joint.lock.locked:
            kind = -kind
        elif joint.kind == "euler":
            held = tuple(
                axis.lock.locked for axis in (joint.precession, joint.nutation, joint.spin)
            )
            number = next(k for k, v in STATES.items() if v == held)
            kind = 4 if number == 8 else number - 11
        a, b = joint.parent_frame, joint.child_frame
        (first, one), (second, two) = giving.turn(a.orientation), giving.turn(b.orientation)
        centres = (
            [getattr(joint, axis).centre_rad for axis in EULER_AXES]
            if joint.kind == "euler"
            else ()
        )
        return [
            card("B.3.a", name=name, inner=giving.segment(joint.parent), type=kind, state=state,
                 inner_point=giving.lengths(a.position_m), outer_point=giving.lengths(b.position_m),
                 tension=low, compression=high),
            card("B.3.b", inner_angles=first, outer_angles=second, orders=(*one, *two),
                 centre_angles=giving.numbers(centres, DEGREE)),
        ]  # fmt: skip

    def springs(self) -> list[Row]:
        """The cards B.4."""
        joint = self.joint
        if joint.kind == "euler":
            p, n, s = (self._spring(getattr(joint, axis).spring) for axis in EULER_AXES)
            return [card("B.4.a", first=p[:4], first_stop=p[4], second=n[:4], second_stop=n[4]),
                    card("B.4.b", third=s[:4], third_stop=s[4])]  # fmt: skip
        if joint.kind == "locked":
            return [card("B.4.a")]
        first = self._spring(joint.spring if joint.kind == "pin" else joint.flexure)
        second = self._spring(joint.torsion) if joint.kind != "pin" else (0.0,) * 5
        return [
            card(
                "B.4.a",
                first=first[:4],
                first_stop=first[4],
                second=second[:4],
                second_stop=second[4],
            )
        ]

    def _spring(self, spring: Spring) -> tuple[float, ...]:
        giving, torque = self.giving, self.giving.units.torque
        if spring.torque is not None:
            giving.lose(
                self.path,
                "A torque by a function of the angle is not written; enter it on cards E.7.",
            )
            return (0.0,) * 5
        if spring.linear_nm_per_rad < 0.0:
            giving.lose(self.path, "A linear stiffness below zero would name a function.")
            return (0.0,) * 5
        s = [giving.number(spring.linear_nm_per_rad, torque / DEGREE),
             giving.number(spring.quadratic_nm_per_rad2, torque / DEGREE**2),
             giving.number(spring.cubic_nm_per_rad3, torque / DEGREE**3)]  # fmt: skip
        stop = giving.number(spring.stop_rad, DEGREE)
        if not any(s):
            return (0.0, 0.0, 0.0, 0.0, stop)
        if stop == 0.0 and any(s[1:]):
            giving.lose(self.path, "A stop at 0 is written as one at a millionth of a degree.")
            stop = 1e-6
        return (*s, spring.returned_ratio, stop)

    def rubs(self) -> list[Row]:
        """The cards B.5."""
        joint = self.joint
        if joint.kind == "locked":
            return [card("B.5.a", full_rate=30)]
        if joint.kind == "euler":
            axes = [getattr(joint, axis) for axis in EULER_AXES]
            return [self._rub(f"B.5.{letter}", axis.friction, axis.lock, axis.spring)
                    for letter, axis in zip("abc", axes, strict=True)]  # fmt: skip
        springs = [joint.spring] if joint.kind == "pin" else [joint.flexure, joint.torsion]
        return [self._rub("B.5.a", joint.friction, joint.lock, *springs)]

    def _rub(self, name: str, friction: Friction, lock: Lock, *springs: Spring) -> Row:
        giving, torque = self.giving, self.giving.units.torque
        if friction.coefficient:
            giving.lose(self.path, "Friction by the joint's own force has no place on a card.")
        if friction.relaxation_s is not None:
            giving.lose(self.path, "Viscous torque of a deck comes up at once.")
        if lock.keeps_torque:
            giving.lose(self.path, "A lock that keeps its torque has no place on a card.")
        restitutions = {spring.restitution for spring in springs}
        given = [e for e in restitutions if e is not None]
        if len(restitutions) > 1 and given:
            giving.lose(self.path, "A deck has one factor of an impulse for all of a joint.")
        return card(
            name, viscous=giving.number(friction.viscous_nms_per_rad, torque / DEGREE),
            coulomb=giving.number(friction.coulomb_nm, torque),
            full_rate=giving.number(friction.full_rate_rad_per_s, DEGREE),
            unlock=giving.number(lock.unlock_torque_nm or 0.0, torque),
            lock=giving.number(lock.lock_torque_nm or 0.0, torque),
            lock_rate=lock.lock_rate_rad_per_s or 0.0,
            impulse=(1.0 + given[0]) / 2.0 if given else 0.0,
        )  # fmt: skip
