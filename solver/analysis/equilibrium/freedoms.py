"""What may move while a body settles, and what must stay at a place.

| name | what |
|---|---|
| `SEGMENT` | the whole body that stands on that segment (all six freedoms) |
| `SEGMENT.x`, `.y`, `.z` | its shift along an axis of the ground |
| `SEGMENT.roll`, `.pitch`, `.yaw` | its turn about the ground's x, y or z through the mass centre of its root |
| `JOINT` | all freedoms of a joint |
| `bodies`, `joints`, `all` | every whole body; every joint; both |

The joints between such a segment and the trunk follow; they hold whatever torque that takes. The trunk
begins where a segment carries more than one other, or at the root.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from solver.analysis.equilibrium.statics import SettleError, Statics
from solver.engine.dynamics.tree import FREE, HELD, Array
from solver.project.checks.index import Index
from solver.project.contact import PlaneContact
from solver.project.document import Project
from solver.project.geometry import PointRef
from solver.project.joint_table import carrying
from solver.project.posing import root_of
from solver.project.problems import did_you_mean
from solver.project.segments import GROUND

# Choose what may move: whole bodies, single directions of them, joints.

SHIFTS = ("x", "y", "z")
TURNS = ("roll", "pitch", "yaw")
WHOLE = (*SHIFTS, *TURNS)


@dataclass(frozen=True)
class Freedoms:
    """Hold directions in which a model may move: of whole bodies, and of joints."""

    bodies: tuple[tuple[str, tuple[str, ...]], ...]
    joints: tuple[str, ...]

    def names(self) -> tuple[str, ...]:
        """Name them as they can be chosen."""
        out: list[str] = []
        for root, ways in self.bodies:
            out += [root] if ways == WHOLE else [f"{root}.{way}" for way in ways]
        return (*out, *self.joints)

    def basis(self, statics: Statics) -> Array:
        """The directions over all speeds (speeds, columns) at the last evaluation."""
        columns: list[Array] = []
        count, trees = len(statics.rest), statics.model.trees
        for root, ways in self.bodies:
            body = trees.body_of[root]
            at = int(statics.tree.at_v[body])
            R = statics.work.motion.R[body].reshape(3, 3)
            for way in ways:
                column = np.zeros(count)
                if way in SHIFTS:
                    column[at + SHIFTS.index(way)] = 1.0
                else:
                    column[at + 3 : at + 6] = R[TURNS.index(way)]
                columns.append(column)
        for joint in self.joints:
            for s in open_speeds(statics, joint):
                column = np.zeros(count)
                column[s] = 1.0
                columns.append(column)
        return np.array(columns).reshape(-1, count).T

    def labels(self, statics: Statics) -> tuple[str, ...]:
        """Name each column."""
        out = [f"{root}.{way}" for root, ways in self.bodies for way in ways]
        return (*out, *(j for j in self.joints for _ in open_speeds(statics, j)))


def open_speeds(statics: Statics, joint: str) -> list[int]:
    """The numbers of the speeds of a joint that are not held."""
    made = statics.model.trees.joints[joint]
    locked = statics.system.locked
    return [int(s) for b in made.bodies if locked[b] != HELD for s in statics.speeds_of(b)]


def chosen(
    statics: Statics,
    project: Project,
    free: Sequence[str] | None,
    hold: Sequence[str],
    taken: Iterable[str] = (),
) -> Freedoms:
    """Choose freedoms by name: those of `free` less those of `hold` and joints that are `taken`.

    The project may have belts that its statics leave out.

    Without `free` every whole body that something can hold moves with its joints as they are, and beams bend; where
    there is none, all joints move.
    """
    roots = floating(statics)
    joints = {j: open_speeds(statics, j) for j in statics.model.trees.joints}
    movable = [j for j, speeds in joints.items() if speeds]
    open_joints: dict[str, None] = {}
    if free is None:
        held = holding(project)
        free = [r for r in roots if r in held] or (["bodies"] if roots else ["joints"])
        bends = {name for beam in project.beams for name in beam.stations[1:]}
        open_joints |= dict.fromkeys(j for j in movable if j in bends)
    ways: dict[str, dict[str, None]] = {}
    for name in free:
        for root, way in _bodies(statics, name, roots):
            ways.setdefault(root, {})[way] = None
        open_joints |= dict.fromkeys(_joints(name, joints, movable))
    for name in hold:
        for root, way in _bodies(statics, name, roots):
            ways.get(root, {}).pop(way, None)
        for joint in _joints(name, joints, movable, strict=False):
            open_joints.pop(joint, None)
    for joint in taken:
        open_joints.pop(joint, None)
    bodies = tuple(
        (root, tuple(way for way in WHOLE if way in ways[root])) for root in roots if ways.get(root)
    )
    found = Freedoms(bodies, tuple(j for j in movable if j in open_joints))
    if not found.bodies and not found.joints:
        raise SettleError(
            "Nothing is free to move: every segment is driven, locked or held. Free a body or a joint."
        )
    return found


def floating(statics: Statics) -> list[str]:
    """Name the segments on which whole bodies stand, without those that are driven."""
    tree, locked = statics.tree, statics.system.locked
    return [
        name
        for name, body in statics.model.trees.body_of.items()
        if tree.kind[body] == FREE and tree.parent[body] < 0 and locked[body] != HELD
    ]


def holding(project: Project) -> set[str]:
    """Name the roots of bodies that contacts, belts, springs, constraints or winds act on."""
    index = Index(project)
    lists = (
        "contacts", "belts", "harnesses", "springs", "tyres", "tension_elements", "constraints",
        "flexible_elements", "winds", "loads",
    )  # fmt: skip
    planes = {p.id: p.segment for p in project.planes}
    on = [planes[c.plane] for c in project.contacts if isinstance(c, PlaneContact)]
    return {root_of(project, name) for name in on} | {
        root_of(project, ref.value)
        for ref in index.refs
        if ref.field.to == "segments" and ref.path.split("/")[0] in lists
    }


def _bodies(statics: Statics, name: str, roots: Sequence[str]) -> list[tuple[str, str]]:
    """Give roots and directions that a name stands for."""
    if name in ("bodies", "all"):
        return [(root, way) for root in roots for way in WHOLE]
    segment, _, way = name.partition(".")
    if segment not in statics.model.trees.body_of:
        return []
    root = root_of(statics.project, segment)
    if root not in roots:
        why = "is attached to the ground by a joint" if root == GROUND else "is moved by a motion"
        raise SettleError(
            "'{segment}' cannot move as a whole: '{root}' {why}. Free joints instead.",
            segment=segment,
            root=root,
            why=why,
        )
    if way and way not in WHOLE:
        raise SettleError(
            "'{name}' is no freedom; those of a body are {whole}.",
            name=name,
            whole=", ".join(WHOLE),
        )
    return [(root, w) for w in ([way] if way else WHOLE)]


def _joints(
    name: str, joints: dict[str, list[int]], movable: Sequence[str], *, strict: bool = True
) -> list[str]:
    if name in ("joints", "all"):
        return list(movable)
    if name in joints:
        if strict and not joints[name]:
            raise SettleError("The joint '{name}' is locked: open it, or leave it out.", name=name)
        return [name]
    return []


def refuse_unknown(statics: Statics, names: Iterable[str]) -> None:
    """Raise SettleError for a name that is neither a segment nor a joint."""
    known = [*statics.model.trees.body_of, *statics.model.trees.joints, "bodies", "joints", "all"]
    for name in names:
        if name.partition(".")[0] not in known:
            hint = did_you_mean(name.partition(".")[0], known)
            raise SettleError(f"'{name}' is neither a segment nor a joint. {hint}".strip())


# Targets for hands and feet: points of segments that stay at a place while the body settles.

CLOSE = 1e-9
"""Distance (m) from the target at which a point has reached it."""

ROUNDS = 200
LONGEST = 0.15
"""Longest step of a joint (rad, m) in one round."""

NOTICED = math.radians(0.5)
"""How far (rad) beyond a stop a reaching joint may go."""


@dataclass(frozen=True)
class Reach:
    """Keep a point of a segment at a target: a point of another segment, or of the ground.

    `joints` are those that follow; none for those of the limb.
    """

    point: PointRef
    target: PointRef
    joints: tuple[str, ...] = ()


class Reaching:
    """Keep all targets while a model moves."""

    def __init__(self, statics: Statics, reach: Sequence[Reach]) -> None:
        self._statics, self._reach = statics, tuple(reach)
        names = dict.fromkeys(
            j for r in reach for j in (r.joints or limb(statics.project, r.point.segment))
        )
        for name in names:
            if name not in statics.model.trees.joints:
                raise SettleError("There is no joint '{name}' to reach with.", name=name)
        self.joints: tuple[str, ...] = tuple(names)
        self._speeds = [s for name in names for s in open_speeds(statics, name)]
        for r in reach:
            if not any(
                open_speeds(statics, j)
                for j in (r.joints or limb(statics.project, r.point.segment))
            ):
                raise SettleError(
                    "'{segment}' cannot reach: no joint between it and the trunk is open. Name the joints that may move, or leave the target out.", segment=r.point.segment
                )  # fmt: skip

    def __bool__(self) -> bool:
        return bool(self._reach)

    def _rows(self) -> tuple[Array, Array]:
        """By how much points are off (3 rows a target) and what all speeds do to that."""
        statics = self._statics
        unit = statics.columns(np.eye(len(statics.rest)))
        error, rows = [], []
        for r in self._reach:
            p, A = _point(statics, unit.w, unit.v, r.point)
            t, B = _point(statics, unit.w, unit.v, r.target)
            error.append(p - t)
            rows.append(A - B)
        return np.concatenate(error), np.concatenate(rows)

    def followed(self, directions: Array) -> Array:
        """Let the limbs follow directions of the rest, at the last evaluation."""
        if not self._reach:
            return directions
        _, rows = self._rows()
        out = directions.copy()
        own = rows[:, self._speeds]
        out[self._speeds] -= np.linalg.pinv(own, rcond=1e-6) @ (rows @ directions)
        return out

    def reached(self, q: Array) -> Array:
        """Move the limbs until all points are at their targets, by the least changes of their joints."""
        if not self._reach:
            return q
        statics, damping = self._statics, 1e-3
        statics.evaluate(q)
        error, rows = self._rows()
        for _ in range(ROUNDS):
            off = float(np.linalg.norm(error))
            if off < CLOSE:
                return q
            own = rows[:, self._speeds]
            normal = own @ own.T + damping * damping * np.eye(len(error))
            step = -own.T @ np.linalg.solve(normal, error)
            step *= min(1.0, LONGEST / max(float(np.abs(step).max()), 1e-300))
            by = np.zeros(len(statics.rest))
            by[self._speeds] = step
            there = statics.moved(q, by)
            statics.evaluate(there)
            found, found_rows = self._rows()
            if float(np.linalg.norm(found)) < off:
                q, error, rows, damping = there, found, found_rows, max(0.3 * damping, 1e-9)
            elif damping > 1e3:
                break
            else:
                damping *= 4.0
        self._refuse(error)
        return q

    def _refuse(self, error: Array) -> None:
        off = np.linalg.norm(error.reshape(-1, 3), axis=1)
        worst = int(np.argmax(off))
        if off[worst] < 1e-6:
            return
        r = self._reach[worst]
        joints = ", ".join(
            f"'{j}'" for j in r.joints or limb(self._statics.project, r.point.segment)
        )
        where = "ground" if r.target.segment == GROUND else f"'{r.target.segment}'"
        raise SettleError(
            "'{segment}' does not reach its target on {where}: it is {off:.2g} mm away with {joints} as far as they go. Move the target or the body nearer, or let more joints follow.", segment=r.point.segment, where=where, off=1e3 * off[worst], joints=joints
        )  # fmt: skip


def limb(project: Project, segment: str) -> tuple[str, ...]:
    """Name the joints from a segment up to the trunk."""
    carried = {j.child: j for j in carrying(project.joints)}
    carries: dict[str, int] = {}
    for joint in carried.values():
        carries[joint.parent] = carries.get(joint.parent, 0) + 1
    out: list[str] = []
    while segment in carried:
        joint = carried[segment]
        out.append(joint.id)
        segment = joint.parent
        if segment == GROUND or carries[segment] > 1:
            break
    return tuple(out)


def _point(statics: Statics, w: Array, v: Array, point: PointRef) -> tuple[Array, Array]:
    """The place of a point, and its velocity by all speeds."""
    if point.segment == GROUND:
        return np.array(point.position_m), np.zeros((3, w.shape[2]))
    trees = statics.model.trees
    if point.segment not in trees.body_of:
        raise SettleError(
            "There is no segment '{segment}' to reach with or to.", segment=point.segment
        )
    i, motion = trees.body_of[point.segment], statics.work.motion
    arm = motion.R[i].reshape(3, 3) @ (np.array(point.position_m) - trees.origin[point.segment])
    return motion.p[i] + arm, v[i] + np.cross(w[i], arm[:, None], axis=0)
