"""Make the events of joints into arrays, each with the words that name it."""

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

    rows: list[tuple[int, int, int, int, float, float, float]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def add(
        self,
        words: str,
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
            self.rows.append((kind, body, law, axis, limit, restitution, at))
            self.words.append(words)

    def lock(self, name: str, lock: Lock, body: int, law: int = -1, axis: int = 0) -> None:
        """Add what opens and holds an axis."""
        self.add(f"{name} opens", kinds.UNLOCK, body, lock.unlock_torque_nm, law=law, axis=axis)
        for kind, limit in (
            (kinds.RELOCK_RATE, lock.lock_rate_rad_per_s),
            (kinds.RELOCK_TORQUE, lock.lock_torque_nm),
        ):
            self.add(f"{name} is held again", kind, body, limit, law=law, axis=axis)

    def stop(
        self, name: str, spring: Spring, kind: int, body: int, law: int, axis: int, at: float
    ) -> None:
        """Add the impulse at a stop."""
        if spring.restitution is not None:
            self.add(
                f"{name} strikes its stop", kind, body, spring.stop_rad,
                law=law, axis=axis, restitution=spring.restitution, at=at,
            )  # fmt: skip


def compile_switches(
    project: Project, trees: Trees, numbers: Numbers
) -> tuple[Switches, tuple[str, ...]]:
    """Give all events, and the words that name each."""
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
    )
    return switches, tuple(events.words)


def _joint(events: _Events, joint: Joint, trees: Trees, numbers: Numbers) -> None:
    bodies, name = trees.joints[joint.id].bodies, f"joint '{joint.id}'"
    last = bodies[-1]
    ball = numbers.get(("ball", joint.id), -1)
    if isinstance(joint, PinJoint):
        events.lock(name, joint.lock, last)
        events.stop(name, joint.spring, kinds.STOP, last, -1, 0, 0.0)
    elif isinstance(joint, BallJoint):
        events.lock(name, joint.lock, last)
        _ball_stops(events, name, joint.flexure, joint.torsion, last, ball)
    elif isinstance(joint, UniversalJoint):
        for body, axis, which in zip(
            bodies, (joint.first, joint.second), ("first", "second"), strict=True
        ):
            words = f"the {which} axis of {name}"
            events.lock(words, axis.lock, body)
            events.stop(words, axis.spring, kinds.STOP, body, -1, 0, axis.centre_rad)
    elif isinstance(joint, EulerJoint):
        law = numbers.get(("euler", joint.id), -1)
        for k, which in enumerate(("precession", "nutation", "spin")):
            axis = getattr(joint, which)
            words, body = f"the {which} of {name}", bodies[k] if len(bodies) == 3 else last
            events.lock(words, axis.lock, body, law, k)
            events.stop(words, axis.spring, kinds.STOP, body, law, k, axis.centre_rad)
    elif isinstance(joint, SlipJoint):
        _slip(events, joint, bodies, name, ball)
    stop = getattr(joint, "globographic", None)
    if stop is not None and stop.restitution is not None:
        events.add(
            f"{name} strikes its contour", kinds.STOP_CONTOUR, last, 0.0,
            law=numbers[("contour", joint.id)], restitution=stop.restitution,
        )  # fmt: skip
    if joint.breakage is not None:
        broken = f"{name} breaks"
        events.add(broken, kinds.BREAK_FORCE, last, joint.breakage.force_n)
        events.add(broken, kinds.BREAK_TORQUE, last, joint.breakage.torque_nm)


def _ball_stops(
    events: _Events, name: str, flexure: Spring, torsion: Spring, body: int, law: int
) -> None:
    events.stop(f"the flexure of {name}", flexure, kinds.STOP_FLEXURE, body, law, 0, 0.0)
    events.stop(f"the torsion of {name}", torsion, kinds.STOP_TORSION, body, law, 1, 0.0)


def _slip(events: _Events, joint: SlipJoint, bodies: tuple[int, ...], name: str, ball: int) -> None:
    released = f"the slide of {name} is released"
    slide = joint.slide
    events.add(released, kinds.RELEASE_BELOW, bodies[0], slide.release_below_n)
    events.add(released, kinds.RELEASE_ABOVE, bodies[0], slide.release_above_n)
    if joint.rotation == "ball":
        events.lock(name, joint.lock, bodies[-1])
        _ball_stops(events, name, joint.flexure, joint.torsion, bodies[-1], ball)
    elif joint.rotation != "none":
        events.lock(name, joint.lock, bodies[-1])
        spring = joint.flexure if joint.rotation == "pin_y" else joint.torsion
        events.stop(name, spring, kinds.STOP, bodies[-1], -1, 0, 0.0)
