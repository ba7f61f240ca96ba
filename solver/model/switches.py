"""Make the events of joints into arrays, each with its kind and the path of what it happens to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from solver.forces import switches as kinds
from solver.forces.switches import Switches
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
from solver.project.joints import Joint, Lock, Spring

LEVEL = {
    kinds.UNLOCK,
    kinds.RELEASE_BELOW,
    kinds.RELEASE_ABOVE,
    kinds.BREAK_FORCE,
    kinds.BREAK_TORQUE,
}


@dataclass
class _Events:
    """Collect events in order."""

    rows: list[tuple[int, int, int, int, float, float, float, int, int]] = field(
        default_factory=list
    )
    named: list[tuple[str, str]] = field(default_factory=list)
    ends: tuple[int, int] = (0, 0)
    """First and last elementary body of the present joint."""

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
    ) -> None:
        """Add an event, unless it has no limit and so never happens."""
        if limit is not None:
            self.rows.append((kind, body, law, axis, limit, restitution, at, *self.ends))
            self.named.append((what, path))

    def lock(self, path: str, lock: Lock, body: int, law: int = -1, axis: int = 0) -> None:
        """Add what opens and holds an axis."""
        torque = lock.unlock_torque_nm
        self.add("joint_opens", path, kinds.UNLOCK, body, torque, law=law, axis=axis)
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
    """Give all events, and of each its kind and the path of what it happens to."""
    events = _Events()
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
    )
    return switches, tuple(events.named)


def _joint(events: _Events, joint: Joint, trees: Trees, numbers: Numbers) -> None:
    bodies, path = trees.joints[joint.id].bodies, f"joints/{joint.id}"
    last = bodies[-1]
    events.ends = bodies[0], last
    row = row_of(joint)
    for body, (along, slide) in zip(bodies, slides_of(joint), strict=False):
        part = f"{path}/{along.field}"
        events.add("joint_released", part, kinds.RELEASE_BELOW, body, slide.release_below_n)
        events.add("joint_released", part, kinds.RELEASE_ABOVE, body, slide.release_above_n)
    turning = bodies[len(row.slides) :]
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
            for body, axis in zip(turning, axes_of(joint), strict=True):
                events.axis(path, axis, body)
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
        events.add("joint_breaks", path, kinds.BREAK_FORCE, last, joint.breakage.force_n)
        events.add("joint_breaks", path, kinds.BREAK_TORQUE, last, joint.breakage.torque_nm)
