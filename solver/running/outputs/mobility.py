"""Watch whether joints of people go farther than such joints let them: no stop in a model makes a joint of rubber or bone go on for ever.

A joint is looked at between two parts of a body, whatever lies between them. How far it has turned is a bend, that of the way along
the part beyond it, and a twist about that way. Bends fore and aft are about the y axis of the part before it, to the side about its x.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from solver.base.words import Sentence, msgid
from solver.engine.dynamics.tree import Array
from solver.engine.maths.alike import arctan2
from solver.engine.maths.rotation import about_axis, matrices, quaternion
from solver.injury.parts import arms, joints_between, occupants
from solver.project.coordinate_forces import PlasticHinge
from solver.project.coordinates import JointCoordinate
from solver.project.document import Project
from solver.project.joint_table import is_cut, is_rigid, locks_of
from solver.project.joints import Joint
from solver.project.memo import memoised
from solver.project.pose import start_pose


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of joint: the parts it lies between, and how far it goes (degrees), as measured.

    `ahead` and `aback` are the ways fore and aft of the part beyond it, `out` and `inward` to the side. It is told where it goes beyond
    `times` that, and `plus`, both *assumed*; a bend of 180 has no farther one.
    """

    name: str
    before: str
    beyond: str
    ahead: float
    aback: float
    out: float
    inward: float
    twist: float
    times: float = 1.0
    plus: float = 25.0
    is_up: bool = False
    """Whether the part beyond stands above."""
    twists_to: float = 90.0
    """Bent farther than this, a part has no twist that can be told: it depends on the way that it came."""

    @property
    def overhead(self) -> float:
        """The bend (degrees) from which a part that reaches straight up came there the way up, and goes on behind it."""
        return 360.0 - (self.times * self.ahead + self.plus) if self.ahead == 180.0 else math.inf


KINDS = (
    Kind(
        msgid("neck"), "upper_torso", "head", 106.0, 106.0, 81.0, 81.0, 80.0, 1.25, 0.0, True, 132.0
    ),
    Kind(msgid("trunk"), "lower_torso", "upper_torso", 90.0, 30.0, 30.0, 30.0, 30.0, is_up=True),
    Kind(msgid("hip"), "lower_torso", "upper_leg", 141.0, 28.0, 45.0, 30.0, 45.0),
    Kind(msgid("knee"), "upper_leg", "lower_leg", 10.0, 153.0, 16.0, 16.0, 45.0),
    Kind(msgid("ankle"), "lower_leg", "foot", 45.0, 67.0, 35.0, 35.0, 35.0),
    Kind(msgid("shoulder"), "upper_torso", "upper_arm", 180.0, 89.0, 180.0, 180.0, 90.0),
    Kind(msgid("elbow"), "upper_arm", "forearm", 153.0, 37.0, 15.0, 15.0, 90.0),
    Kind(msgid("wrist"), "forearm", "hand", 95.0, 95.0, 95.0, 95.0, 90.0),
)
"""How far joints of people go; necks and ankles as far as those of dummies do.

neck: extension of the 50th-percentile dummy (49 CFR 572.33), to the side SID-IIs (49 CFR 572.193), twist of adults, counted from the start.
trunk: lumbar and thoracic spine together, 38 CFR 4.71a, plate V.
hip, knee, ankle down, elbow bent: largest mean of a group of Soucie and others (2011), children of 2 to 8 years; to the side and twist of
hip and foot: clinical ranges (AAOS). knee: straight, as far as lax people go; to the side until its ligaments tear (16 degrees, LLMS);
twist: bent, either way. ankle up: the dummies' ankle that is made for 45 degrees.
shoulder: twist, and up, 38 CFR 4.71, plate I; to the back the largest mean of a group, children below 2 years (Watanabe and others in Norkin and
White, table A.1: 78 to 89; women 70, men 62, AAOS 60); outwards and inwards none, as an arm that hangs and one that is raised come there by other ways.
elbow: straight, to the end of what the dummies' stops are given for, 37 degrees: people end at 15; twist, also of wrists: pronation, supination (38 CFR 4.71, plate I; means
of groups 71 to 96, table A.1). wrist: bent, 95th-percentile men of NASA-STD-3000 (largest mean of a group 96, table A.1), to all sides, as bodies do not tell apart how a
forearm is turned. What names no paragraph and no table, and NASA's, is from memory.
"""

FLEXES = msgid(
    "the {joint} at '{part}' flexes to {degrees:.0f}° at {time:.4g} ms; none goes beyond {limit:.0f}° (from {first:.4g} ms on)"
)
EXTENDS = msgid(
    "the {joint} at '{part}' extends to {degrees:.0f}° at {time:.4g} ms; none goes beyond {limit:.0f}° (from {first:.4g} ms on)"
)
BENDS = msgid(
    "the {joint} at '{part}' bends sideways to {degrees:.0f}° at {time:.4g} ms; none goes beyond {limit:.0f}° (from {first:.4g} ms on)"
)
TWISTS = msgid(
    "the {joint} at '{part}' twists to {degrees:.0f}° at {time:.4g} ms; none goes beyond {limit:.0f}° (from {first:.4g} ms on)"
)
FLEX_BACK = ("knee",)
"""Joints that flex to the back."""

PERSON = {"head", "upper_torso", "lower_torso"}
"""Parts without which a body is none of a person."""
LIMBS = ("upper_leg", "lower_leg", "upper_arm", "forearm")
"""Parts whose far joint lies along them."""

_TILTED = math.cos(math.radians(35.0))
_FOOT = about_axis("y", -math.pi / 2.0)


@dataclass(frozen=True, slots=True)
class MonitoredJoint:
    """A joint of a body: the segments before and beyond it, and how it goes.

    `axes` and `others` turn forward, right and down of both, alike where the joint is straight, into axes of the segments; `way` is the
    one along the part beyond. `most` are the ends (rad) of turns about forward and right, to either sign, and of twists.
    """

    kind: Kind
    part: str
    segments: tuple[str, str]
    axes: Array
    others: Array
    way: Array
    most: tuple[float, float, float, float, float]


@memoised
def joints(project: Project) -> tuple[MonitoredJoint, ...]:
    """Find the joints of people between parts that are of one body."""
    found = []
    for body in occupants(project):
        parts = {**body.segments, **arms(project, body)}
        whole = parts.keys() >= PERSON
        for kind in KINDS if whole else KINDS[:1]:
            for side in ("right_", "left_", ""):
                before = parts.get(f"{side}{kind.before}", parts.get(kind.before))
                beyond = parts.get(f"{side}{kind.beyond}")
                if before is not None and beyond is not None:
                    one = _monitored(project, kind, side, before, beyond)
                    found += [] if one is None else [one]
    return tuple(found)


def _monitored(
    project: Project, kind: Kind, side: str, before: str, beyond: str
) -> MonitoredJoint | None:
    """Say how a joint is looked at; not one that breaks, which is told then, nor one whose parts have axes that say nothing."""
    way = joints_between(project, before, beyond)
    if not way or any(one.breakage is not None and not _is_bone(one) for one in way):
        return None
    pose, ends = start_pose(project), _ends(way, before, beyond)
    if ends[0] == ends[1]:
        return None
    at, on = pose[beyond], pose[before]
    if kind.name == "neck":
        along = on.R_WS.T @ (at.p_W - on.p_W)
        axes = _axes(-along, 0.0)
        others = None if axes is None else at.R_WS.T @ on.R_WS @ axes
        along = along if axes is None else axes.T @ along / np.linalg.norm(along)
    else:
        sign = -1.0 if kind.is_up else 1.0
        along = np.array([0.0, 0.0, sign])
        others = _axes(sign * _from_joint(way[-1], beyond))
        axes = _axes(-_from_joint(way[0], before)) if kind.before in LIMBS else others
        if kind.beyond == "foot":
            others = axes
        if axes is not None and (others is None or not np.array_equal(axes, others)):
            return None
    if axes is None or others is None:
        return None
    if kind.beyond == "foot":
        # its own z may lie along it, as in the printed bodies
        turned = (on.R_WS @ axes).T @ at.R_WS @ axes
        lies_along = np.trace(turned @ _FOOT) > np.trace(turned)
        others = axes @ _FOOT if lies_along else axes
    hinged = _hinged(project, {one.id for one in way})
    return MonitoredJoint(
        kind, beyond, ends, pose[ends[0]].R_WS.T @ on.R_WS @ axes, pose[ends[1]].R_WS.T @ at.R_WS @ others,
        along, _most(kind, side, hinged),
    )  # fmt: skip


def _ends(way: Sequence[Joint], before: str, beyond: str) -> tuple[str, str]:
    """The segments that the joint itself lies between: what a bone does that breaks is none of its motion."""

    def past(joint: Joint, one: str) -> str:
        return joint.child if joint.parent == one else joint.parent

    for joint in way:
        if not _is_bone(joint):
            break
        before = past(joint, before)
    for joint in reversed(way):
        if not _is_bone(joint) or beyond == before:
            break
        beyond = past(joint, beyond)
    return before, beyond


def _is_bone(joint: Joint) -> bool:
    """Whether a joint is a cut in a bone, whole or broken."""
    if joint.breakage is not None and joint.breakage.hangs_nm is not None:
        return True
    return is_cut(joint) and (is_rigid(joint) or any(lock.locked for lock in locks_of(joint)))


def _from_joint(joint: Joint, segment: str) -> Array:
    """The way from a joint to a segment's mass centre, in its axes."""
    frame = joint.child_frame if joint.child == segment else joint.parent_frame
    return -np.array(frame.position_m)


def _axes(down: Array, least: float = _TILTED) -> Array | None:
    """Give forward (x), right and down in a segment's axes from a way down; None where it lies along none of them."""
    size = np.linalg.norm(down)
    sizes = np.abs(down[1:])
    n = 1 + int(np.argmax(sizes))
    if not size > 0.0 or abs(down[n]) < least * size:
        return None
    axis = np.zeros(3)
    axis[n] = math.copysign(1.0, down[n])
    forward = np.array([1.0, 0.0, 0.0])
    return np.stack([forward, np.cross(axis, forward), axis], axis=1)


def _hinged(project: Project, own: set[str]) -> bool:
    """Whether ligaments of a joint tear, in a plastic hinge: an event tells it."""
    return any(
        isinstance(one.coordinate, JointCoordinate)
        and one.coordinate.joint in own
        and any(isinstance(law, PlasticHinge) for law in one.laws)
        for one in project.coordinate_forces
    )


def _most(kind: Kind, side: str, hinged: bool) -> tuple[float, float, float, float, float]:
    """The ends of a joint by sign: of turns about forward, about right, and of twists."""

    def end(degrees: float) -> float:
        return math.radians(kind.times * degrees + kind.plus)

    widest = max(kind.out, kind.inward)
    right, left = {"right_": (kind.out, kind.inward), "left_": (kind.inward, kind.out)}.get(
        side, (widest, widest)
    )
    # about forward what hangs goes to the left, what stands to the right; about right what hangs goes ahead
    roll, pitch = (left, right), (kind.ahead, kind.aback)
    if kind.is_up:
        roll, pitch = roll[::-1], pitch[::-1]
    sideways = [math.inf if hinged else end(one) for one in roll]
    return (
        sideways[0],
        sideways[1],
        end(pitch[0]),
        end(pitch[1]),
        math.inf if hinged else end(kind.twist),
    )


class Farthest(NamedTuple):
    """How far a joint went beyond its end: which way, since when (s), and when it was the farthest, by how much (rad)."""

    way: str
    first: float
    time: float
    angle: float
    most: float


class Mobility:
    """Look at frames as they come; keep when a joint first went too far, and how far it went."""

    def __init__(self, project: Project) -> None:
        rows = {segment.id: n for n, segment in enumerate(project.segments)}
        found = joints(project)
        if found:
            pose = start_pose(project)
            start = np.array([quaternion(pose[one].R_WS) for one in rows])[None]
            self._arrange(found, rows)
            bend, _, _, twist, most = self.angles(start)
            ends = np.array([one.most[4] for one in found])
            # who starts beyond an end has other axes
            starts = ((bend[0] < most[0]) | (bend[0] >= self._overhead)) & (np.abs(twist[0]) < ends)
            found = tuple(one for one, is_within in zip(found, starts, strict=True) if is_within)
        self._arrange(found, rows)
        self._found: dict[int, Farthest] = {}

    def _arrange(self, found: tuple[MonitoredJoint, ...], rows: Mapping[str, int]) -> None:
        self.watched = found
        self._rows = [[rows[one.segments[n]] for one in found] for n in (0, 1)]
        self._axes = np.array([one.axes for one in found])
        self._others = np.array([one.others for one in found])
        self._way = np.array([one.way for one in found])
        self._most = np.array([one.most for one in found])
        self._twists_to = np.radians([one.kind.twists_to for one in found])
        self._overhead = np.radians([one.kind.overhead for one in found])

    def memory(self) -> dict[int, Farthest]:
        """What has been seen."""
        return dict(self._found)

    def recall(self, memory: dict[int, Farthest]) -> None:
        """Follow on from there."""
        self._found = dict(memory)

    def angles(self, turns: Array) -> tuple[Array, Array, Array, Array, Array]:
        """The bend (rad) of each joint over time, its parts about right and forward, the twist, and how far it could bend that way.

        Attitudes are quaternions, (times, segments, 4).
        """
        before = matrices(turns[:, self._rows[0]]) @ self._axes
        beyond = matrices(turns[:, self._rows[1]]) @ self._others
        R = np.swapaxes(before, -1, -2) @ beyond
        way = np.einsum("tnij,nj->tni", R, self._way)
        axis = np.cross(self._way[None], way)
        bend = arctan2(np.linalg.norm(axis, axis=-1), np.einsum("tni,ni->tn", way, self._way))
        roll = axis[..., 0] / np.maximum(np.linalg.norm(axis, axis=-1), 1e-12)
        pitch = np.copysign(np.sqrt(np.maximum(1.0 - roll**2, 0.0)), axis[..., 1])
        ends = self._most.T
        most = 1.0 / np.maximum(
            np.hypot(
                pitch / np.where(pitch > 0.0, ends[2], ends[3]),
                roll / np.where(roll > 0.0, ends[0], ends[1]),
            ),
            1e-12,
        )
        # the twist is what is left once the bend is taken back
        spin = 0.5 * np.stack([R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]], axis=-1)  # fmt: skip
        half = np.maximum(1.0 + np.trace(R, axis1=-2, axis2=-1), 0.0)
        twist = 2.0 * arctan2(2.0 * np.einsum("tni,ni->tn", spin, self._way), half)
        twist = np.where(bend < self._twists_to, (twist + np.pi) % (2.0 * np.pi) - np.pi, 0.0)
        return bend, pitch, roll, twist, most

    def look(self, time: Array, segments: Mapping[str, Array]) -> None:
        """Look at the next frames."""
        if not self.watched:
            return
        bend, pitch, roll, twist, most = self.angles(segments["quaternion_wxyz"])
        by_bend = np.where(bend < self._overhead, bend / most, 0.0)
        by_twist = np.abs(twist) / self._most[:, 4]
        over = np.maximum(by_bend, by_twist)
        for n in np.flatnonzero(over.max(axis=0) > 1.0).tolist():
            k, joint, before = int(np.argmax(over[:, n])), self.watched[n], self._found.get(n)
            first = float(time[np.argmax(over[:, n] > 1.0)]) if before is None else before.first
            if before is not None and before.angle / before.most >= over[k, n]:
                continue
            if by_twist[k, n] > by_bend[k, n]:
                way, angle, end = TWISTS, abs(twist[k, n]), joint.most[4]
            else:
                way, angle, end = _way(joint.kind, pitch[k, n], roll[k, n]), bend[k, n], most[k, n]
            self._found[n] = Farthest(way, first, float(time[k]), float(angle), float(end))

    def sentences(self) -> Iterator[Sentence]:
        """Say which joints went farther than such joints do."""
        for n, far in self._found.items():
            yield Sentence(
                far.way, joint=Sentence(self.watched[n].kind.name), part=self.watched[n].part, degrees=math.degrees(far.angle),
                time=1e3 * far.time, limit=math.degrees(far.most), first=1e3 * far.first,
            )  # fmt: skip


def _way(kind: Kind, pitch: float, roll: float) -> str:
    """Say which way a part is bent: to the side where it is so more than fore or aft."""
    if abs(roll) > abs(pitch):
        return BENDS
    is_ahead = (pitch > 0.0) != kind.is_up
    return FLEXES if is_ahead != (kind.name in FLEX_BACK) else EXTENDS


def log_lines(found: Sequence[Sentence]) -> Iterator[Any]:
    """The lines of a log about joints."""
    for one in found:
        yield Sentence("warning: {what}", what=one)
