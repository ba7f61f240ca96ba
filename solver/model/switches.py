"""Make the events of joints into arrays, each with its kind and the path of what it happens to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.forces import switches as kinds
from solver.engine.forces.breaking import Breakings
from solver.engine.forces.relocking import FIT_ROWS
from solver.engine.forces.switches import Switches
from solver.model.arrays import reals, wholes
from solver.model.joints import Numbers
from solver.model.tree import Trees
from solver.project.document import Project
from solver.project.joint_table import (
    Acting,
    axes_of,
    bending_of,
    carrying,
    contour_of,
    row_of,
    slides_of,
)
from solver.project.joints import Breakage, Joint, Lock, Spring

LEVEL = {
    kinds.UNLOCK,
    kinds.RELEASE_BELOW,
    kinds.RELEASE_ABOVE,
    kinds.BREAK_FORCE,
    kinds.BREAK_TORQUE,
    kinds.BREAK_FORCE_PART,
    kinds.BREAK_TORQUE_PART,
    kinds.REVERSES,
    kinds.UPRIGHT,
}


Axis = tuple[float, float, float]


@dataclass
class _Events:
    """Collect events in order."""

    rows: list[tuple[int, int, int, int, float, float, float, int, int, int, Axis, int]] = field(
        default_factory=list
    )
    named: list[tuple[str, str]] = field(default_factory=list)
    ends: tuple[int, int, int] = (0, 0, -1)
    """First and last elementary body of the present joint, and the one that carries it."""

    def add(
        self,
        what: str,
        path: str,
        kind: int,
        body: int,
        limit: float | None,
        *,
        law: int = -1,
        axis: int = 0,
        restitution: float = 0.0,
        at: float = 0.0,
        across: Axis = (0.0, 0.0, 0.0),
        keeps: bool = False,
    ) -> int:
        """Add an event, unless it has no limit and so never happens; gives its number, or -1."""
        if limit is None:
            return -1
        self.rows.append(
            (kind, body, law, axis, limit, restitution, at, *self.ends, across, int(keeps))
        )
        self.named.append((what, path))
        return len(self.rows) - 1

    def turn_round(self, path: str, body: int, opened: int, other: int) -> None:
        """Add that what slips at a kept load turns round: after one event, and after the one the other way."""
        if opened >= 0:
            self.add("joint_held", path, kinds.REVERSES, body, 1.0, law=opened, axis=other)

    def lock(self, path: str, lock: Lock, body: int, law: int = -1, axis: int = 0) -> None:
        """Add what opens and holds an axis."""
        torque = lock.unlock_torque_nm
        opened = self.add(
            "joint_opens", path, kinds.UNLOCK, body, torque, law=law, axis=axis, keeps=lock.keeps_torque
        )  # fmt: skip
        if lock.keeps_torque:
            self.turn_round(path, body, opened, opened)
        for kind, limit in (
            (kinds.RELOCK_RATE, lock.lock_rate_rad_per_s),
            (kinds.RELOCK_TORQUE, lock.lock_torque_nm),
        ):
            self.add("joint_held", path, kind, body, limit, law=law, axis=axis)

    def stop(
        self, path: str, spring: Spring, kind: int, body: int, law: int, axis: int, at: float
    ) -> None:
        """Add the impulse at a stop."""
        if spring.restitution is not None:
            self.add(
                "joint_at_stop", path, kind, body, spring.stop_rad,
                law=law, axis=axis, restitution=spring.restitution, at=at,
            )  # fmt: skip

    def axis(self, joint: str, axis: Acting, body: int, law: int = -1, number: int = 0) -> None:
        """Add what opens, holds and stops one turn of a joint."""
        path = f"{joint}/{axis.part}" if axis.part else joint
        self.lock(path, axis.lock, body, law, number)
        self.stop(path, axis.spring, kinds.STOP, body, law, number, axis.centre_rad)


def compile_switches(
    project: Project, trees: Trees, numbers: Numbers
) -> tuple[Switches, tuple[tuple[str, str], ...]]:
    """All events, and of each its kind and the path of what it happens to."""
    events = _Events()
    numbers = {**numbers, **{("ramp", j.id): n for n, j in enumerate(fading(project))}}
    for joint in carrying(project.joints):
        _joint(events, joint, trees, numbers)
    rows = events.rows
    switches = Switches(
        kind=wholes(r[0] for r in rows),
        body=wholes(r[1] for r in rows),
        law=wholes(r[2] for r in rows),
        axis=wholes(r[3] for r in rows),
        limit=reals(r[4] for r in rows),
        restitution=reals(r[5] for r in rows),
        at=reals(r[6] for r in rows),
        level=wholes(r[0] in LEVEL for r in rows),
        first=wholes(r[7] for r in rows),
        last=wholes(r[8] for r in rows),
        parent=wholes(r[9] for r in rows),
        across=np.array([r[10] for r in rows], float).reshape(-1, 3),
        keeps=wholes(r[11] for r in rows),
        carried=np.zeros(len(rows)),
        kept=np.zeros(len(rows)),
    )
    return switches, tuple(events.named)


def _joint(events: _Events, joint: Joint, trees: Trees, numbers: Numbers) -> None:
    bodies, path = trees.joints[joint.id].bodies, f"joints/{joint.id}"
    last = bodies[-1]
    events.ends = bodies[0], last, trees.body_of.get(joint.parent, -1)
    row = row_of(joint)
    for body, (along, slide) in zip(row.slid(bodies), slides_of(joint), strict=False):
        part = f"{path}/{along.field}"
        keeps = slide.keeps_force
        one, other = (
            events.add("joint_released", part, kind, body, limit, keeps=keeps)
            for kind, limit in (
                (kinds.RELEASE_BELOW, slide.release_below_n),
                (kinds.RELEASE_ABOVE, slide.release_above_n),
            )
        )
        if keeps:
            events.turn_round(part, body, one, other)
            events.turn_round(part, body, other, one)
        events.add("joint_held", part, kinds.RELOCK_RATE, body, slide.lock_rate_m_per_s)
        events.add("joint_held", part, kinds.RELOCK_TORQUE, body, slide.lock_force_n)
    turning = row.turned(bodies)
    match row.acts:
        case "ball":
            ball, law = bending_of(joint), numbers.get(("ball", joint.id), -1)
            events.lock(path, ball.lock, last)
            flexure, torsion = f"{path}/flexure", f"{path}/torsion"
            events.stop(flexure, ball.flexure, kinds.STOP_FLEXURE, last, law, 0, 0.0)
            events.stop(torsion, ball.torsion, kinds.STOP_TORSION, last, law, 1, 0.0)
        case "euler":
            law = numbers.get(("euler", joint.id), -1)
            all_three = turning if len(turning) == 3 else turning * 3
            for k, (body, axis) in enumerate(zip(all_three, axes_of(joint), strict=True)):
                events.axis(path, axis, body, law, k)
        case "axes":
            law = numbers["euler", joint.id] if trees.joints[joint.id].start else -1
            for k, (body, axis) in enumerate(zip(turning, axes_of(joint), strict=True)):
                events.axis(path, axis, body, law, k)
            if law >= 0:
                events.add("joint_held", path, kinds.UPRIGHT, last, 0.0, law=law)
        case "nothing":
            pass
        case _:
            assert_never(row.acts)
    contour = contour_of(joint)
    if contour is not None and contour.restitution is not None:
        events.add(
            "joint_at_contour", path, kinds.STOP_CONTOUR, last, 0.0,
            law=numbers[("contour", joint.id)], restitution=contour.restitution,
        )  # fmt: skip
    if joint.breakage is not None:
        hangs = joint.breakage.hangs_nm is not None
        law = numbers.get(("ball" if hangs else "ramp", joint.id), -1)
        _breakage(events, joint.breakage, path, last, trees.joints[joint.id].R_PF, law)


def _breakage(
    events: _Events, breakage: Breakage, path: str, last: int, R_PF: Array, law: int
) -> None:
    """Add what breaks a joint: the whole of its load, or a part of it along an axis of its frame; `law` is its ramp, or its ball law."""
    hangs = breakage.hangs_nm is not None
    for kind, limit in (
        (kinds.BREAK_FORCE, breakage.force_n),
        (kinds.BREAK_TORQUE, breakage.torque_nm),
    ):
        events.add("joint_breaks", path, kind, last, limit, law=law, keeps=hangs)
    forces = breakage.force_x_n, breakage.force_y_n, breakage.force_z_n
    torques = breakage.torque_x_nm, breakage.torque_y_nm, breakage.torque_z_nm
    for kind, limits in ((kinds.BREAK_FORCE_PART, forces), (kinds.BREAK_TORQUE_PART, torques)):
        for limit, (x, y, z) in zip(limits, R_PF.T, strict=True):
            across = float(x), float(y), float(z)
            events.add("joint_breaks", path, kind, last, limit, law=law, across=across, keeps=hangs)
    if breakage.fades:
        events.add("joint_parts", path, kinds.PARTS, last, 0.0, law=law)
        if breakage.heals_below_m is not None:
            events.add("joint_heals", path, kinds.HEALS, last, 0.0, law=law)


def fading(project: Project) -> list[Joint]:
    """The joints that break over a ramp, in the order of their numbers."""
    return [j for j in carrying(project.joints) if j.breakage is not None and j.breakage.fades]


def compile_breakings(project: Project, trees: Trees, first: int) -> Breakings:
    """The joints that break over a ramp; their states stand from `first` on, two for each."""
    joints = fading(project)
    held = [j.breakage for j in joints if j.breakage]
    ramps = [(one.ramp_m or 0.0, one.ramp_rad or 0.0) for one in held]
    heals = [(one.heals_below_m or 0.0, one.heals_below_rad or 0.0) for one in held]
    n, tree = len(joints), trees.tree
    # what a joint was counts only where one may close again
    bodies, coordinates = (len(tree.parent), len(trees.q)) if n else (0, 0)
    return Breakings(
        body=wholes(trees.joints[j.id].bodies[-1] for j in joints),
        parent=wholes(trees.body_of.get(j.parent, -1) for j in joints),
        ramp=np.array(ramps, float).reshape(-1, 2),
        state=np.zeros(n, np.int64), at=np.zeros((n, 3)), turned=np.zeros((n, 9)), force=np.zeros((n, 3)),
        torque=np.zeros((n, 3)), seen=np.zeros((n, 7)), first=first + 2 * np.arange(n),
        heal=np.array(heals, float).reshape(-1, 2), kind=np.zeros(n, np.int64), onto=np.zeros(n, np.int64),
        R0=np.zeros((n, 9)), locked=np.zeros(bodies, np.int64), q=np.zeros(coordinates),
        space=np.zeros((FIT_ROWS if n else 0, 6)),
    )  # fmt: skip
