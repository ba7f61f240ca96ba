"""Make the events of joints into arrays, each with its kind and the path of what it happens to."""

from __future__ import annotations

from dataclasses import dataclass, field

from solver.forces import switches as kinds
from solver.forces.switches import Switches
from solver.model.arrays import reals, wholes
from solver.model.joints import Numbers
from solver.model.tree import Trees
from solver.project.document import Project
from solver.project.joints import (
    BallJoint,
    EulerJoint,
    Joint,
    Lock,
    PinJoint,
    SlipJoint,
    Spring,
    UniversalJoint,
)

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


def compile_switches(
    project: Project, trees: Trees, numbers: Numbers
) -> tuple[Switches, tuple[tuple[str, str], ...]]:
    """Give all events, and of each its kind and the path of what it happens to."""
    events = _Events()
    for joint in project.joints:
        if joint.kind != "free":
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
    ball = numbers.get(("ball", joint.id), -1)
    if isinstance(joint, PinJoint):
        events.lock(path, joint.lock, last)
        events.stop(path, joint.spring, kinds.STOP, last, -1, 0, 0.0)
    elif isinstance(joint, BallJoint):
        events.lock(path, joint.lock, last)
        _ball_stops(events, path, joint.flexure, joint.torsion, last, ball)
    elif isinstance(joint, UniversalJoint):
        for body, axis, which in zip(
            bodies, (joint.first, joint.second), ("first", "second"), strict=True
        ):
            part = f"{path}/{which}"
            events.lock(part, axis.lock, body)
            events.stop(part, axis.spring, kinds.STOP, body, -1, 0, axis.centre_rad)
    elif isinstance(joint, EulerJoint):
        law = numbers.get(("euler", joint.id), -1)
        for k, which in enumerate(("precession", "nutation", "spin")):
            axis = getattr(joint, which)
            part, body = f"{path}/{which}", bodies[k] if len(bodies) == 3 else last
            events.lock(part, axis.lock, body, law, k)
            events.stop(part, axis.spring, kinds.STOP, body, law, k, axis.centre_rad)
    elif isinstance(joint, SlipJoint):
        _slip(events, joint, bodies, path, ball)
    stop = getattr(joint, "globographic", None)
    if stop is not None and stop.restitution is not None:
        events.add(
            "joint_at_contour", path, kinds.STOP_CONTOUR, last, 0.0,
            law=numbers[("contour", joint.id)], restitution=stop.restitution,
        )  # fmt: skip
    if joint.breakage is not None:
        events.add("joint_breaks", path, kinds.BREAK_FORCE, last, joint.breakage.force_n)
        events.add("joint_breaks", path, kinds.BREAK_TORQUE, last, joint.breakage.torque_nm)


def _ball_stops(
    events: _Events, path: str, flexure: Spring, torsion: Spring, body: int, law: int
) -> None:
    events.stop(f"{path}/flexure", flexure, kinds.STOP_FLEXURE, body, law, 0, 0.0)
    events.stop(f"{path}/torsion", torsion, kinds.STOP_TORSION, body, law, 1, 0.0)


def _slip(events: _Events, joint: SlipJoint, bodies: tuple[int, ...], path: str, ball: int) -> None:
    slide, part = joint.slide, f"{path}/slide"
    events.add("joint_released", part, kinds.RELEASE_BELOW, bodies[0], slide.release_below_n)
    events.add("joint_released", part, kinds.RELEASE_ABOVE, bodies[0], slide.release_above_n)
    if joint.rotation == "ball":
        events.lock(path, joint.lock, bodies[-1])
        _ball_stops(events, path, joint.flexure, joint.torsion, bodies[-1], ball)
    elif joint.rotation != "none":
        events.lock(path, joint.lock, bodies[-1])
        spring = joint.flexure if joint.rotation == "pin_y" else joint.torsion
        events.stop(path, spring, kinds.STOP, bodies[-1], -1, 0, 0.0)
