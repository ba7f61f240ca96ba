"""Fingers of hands: how they are bent at rest, and how they close around a wheel or a grip that a hand lies at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.pose import Placed, turn
from solver.scene.furnishing import TUBE, is_called_wheel
from solver.scene.meshes import Indices
from solver.scene.people.apart import legs
from solver.scene.people.build import Arm, Build, Person
from solver.scene.placing import Pose

_DIGITS = (
    # across, along and into the palm, where each begins; how far it leans to the thumb; length; half thickness
    (0.145, 0.51, 0.005, 0.05, 0.40, 0.050),
    (0.050, 0.535, 0.0, 0.01, 0.44, 0.051),
    (-0.045, 0.52, 0.0, -0.04, 0.41, 0.049),
    (-0.130, 0.47, 0.010, -0.10, 0.33, 0.043),
)
"""Fingers from the forefinger on, in lengths of hands (assumed, after hands seen)."""
_PARTS = (0.46, 0.29, 0.25)
"""Parts of a finger's length that are its bones."""
_THUMB = (0.115, 0.13, 0.055), (0.62, 0.68, 0.38), (0.20, 0.16, 0.13), 0.058
"""Where the thumb begins, its way (to its side, along the hand, into the palm), its bones, half thickness."""
_REST = (
    (0.30, 0.42, 0.22),
    (0.38, 0.46, 0.24),
    (0.44, 0.50, 0.26),
    (0.52, 0.52, 0.28),
    (0.05, 0.22, 0.20),
)
"""How far (rad) the joints of each finger are bent at rest, the thumb last (assumed: a hand that hangs)."""
_THUMB_HOLDS = (0.80, 0.55, 0.65)
"""How far (rad) those of a thumb are that holds something (assumed)."""
_SIDES, _ROWS = 7, ((-0.14, 1.0), (0.0, 1.06), (0.22, 0.97), (0.46, 1.0), (0.60, 0.92), (0.75, 0.93), (0.88, 0.86), (0.965, 0.62))  # fmt: skip
"""Points around a finger; where its rings are in parts of its length, and how thick."""
_HELD_AT, _DEEP = 0.42, 0.075
"""Where along a hand lies what it holds, and how thick its palm is there, in lengths of hands."""
_NEAR_M, _FAR_M = 0.08, 0.13
"""From the middle of a palm to what it holds: up to here it holds it, from there on it does not (assumed)."""
_GRIPS = r"\b(grip|grab|handle|handlebar|handgrip|lever|stick|yoke)\b"
_SLIM = 0.35
"""A grip is thinner than this part of its length."""


Hold = tuple[float, float]
"""By which part from 0 to 1 a hand is closed, and around which half thickness (m)."""
OPEN: Hold = (0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Fingers:
    """Bones of fingers, which no model has: five to each hand, of three bones each."""

    on: tuple[int, ...]
    """The bone that bears each hand."""
    sides: tuple[str, ...]
    pivots: Array
    """Joints of fingers, and the axes about which they bend, in the axes of what bears them (hands, 5, 3, 3)."""
    axes: Array
    reach: Array
    """Lengths of the bones (hands, 5, 3)."""
    wrist: Array
    """Wrists (hands, 3), hands' own axes with the thumb, the palm and the fingers as columns, and their lengths."""
    own: Array
    long: Array

    @property
    def count(self) -> int:
        """How many bones they are."""
        return 15 * len(self.on)

    @cached_property
    def _on(self) -> Indices:
        return np.array(self.on, dtype=np.int64)

    @cached_property
    def rest(self) -> Array:
        """Rows of all bones at rest, in the axes of what bears them (hands, 60, 3)."""
        return self._rows(np.array([_REST] * len(self.on)).reshape(-1, 5, 3))

    @lru_cache(maxsize=64)  # noqa: B019  (as long as its skin)
    def closed(self, holds: tuple[Hold, ...]) -> Array:
        """The same of hands that hold something."""
        return self._rows(np.array([self._angles(n, *one) for n, one in enumerate(holds)]))

    def _rows(self, angles: Array) -> Array:
        R, p = self.bent(angles)
        rows = np.concatenate([np.swapaxes(R, -1, -2), p[..., None, :]], axis=-2)
        return rows.reshape(len(self.on), 60, 3)

    def bent(self, angles: Array) -> tuple[Array, Array]:
        """What bends all bones by angles (hands, 5, 3), in the axes of what bears them: turns and shifts."""
        lever = _turns(self.axes, angles)
        shift = self.pivots - np.einsum("...ij,...j->...i", lever, self.pivots)
        R, p = np.array(lever), np.array(shift)
        for k in (1, 2):
            R[:, :, k] = R[:, :, k - 1] @ lever[:, :, k]
            p[:, :, k] = (
                np.einsum("...ij,...j->...i", R[:, :, k - 1], shift[:, :, k]) + p[:, :, k - 1]
            )
        return R, p

    def rows(self, moves: Array, holds: Sequence[Hold] = ()) -> Array:
        """Rows of axes and place (4, 3) of all bones of fingers, from those of bodies' bones; a hand that holds nothing is at rest."""
        bent = self.closed(tuple(holds)) if any(part > 0.0 for part, _ in holds) else self.rest
        on = moves[self._on]
        out: Array = bent @ on[:, :3]
        out = out.reshape(len(on), 15, 4, 3)
        # axes stand in rows, places below them
        out[:, :, 3] += on[:, None, 3]
        return out.reshape(-1, 4, 3)

    def beside(self, places: Sequence[Placed], holds: Sequence[Hold] = ()) -> Array:
        """Rows of axes and place of bodies' bones, and then of those of fingers (n, 4, 3)."""
        moves = np.empty((len(places), 4, 3))
        moves[:, :3] = np.array([place.R_WS for place in places]).transpose(0, 2, 1)
        moves[:, 3] = [place.p_W for place in places]
        return np.concatenate([moves, self.rows(moves, holds)])

    def _angles(self, hand: int, part: float, thick_m: float) -> Array:
        """How far fingers are bent: at rest, or so that each bone touches what they close around."""
        rest = np.array(_REST)
        if part <= 0.0:
            return rest
        long, r = float(self.long[hand]), thick_m + 0.055 * float(self.long[hand])
        half = np.arctan(0.5 * self.reach[hand] / r)
        closed = np.empty((5, 3))
        closed[:, 0] = np.arctan((0.51 - _HELD_AT) * long / r) + half[:, 0]
        closed[:, 1:] = half[:, :-1] + half[:, 1:]
        closed[4] = _THUMB_HOLDS
        return np.asarray(rest + part * (closed - rest))


def fingers(b: Build) -> Fingers:
    """Measure the fingers of a body."""
    on, sides, hands = [], [], []
    for arm, side in zip(b.arms, ("right", "left"), strict=True):
        bone = b.figure.number(f"{side}_hand")
        bone = b.figure.number(f"{side}_forearm") if bone < 0 else bone
        if not arm.is_half:
            on.append(bone)
            sides.append(side)
            hands.append((arm, b.places[bone]))
    rows = [_measured(*one) for one in hands]
    shapes = (5, 3, 3), (5, 3, 3), (5, 3), (3,), (3, 3), ()
    columns = [
        np.array([row[n] for row in rows]).reshape(-1, *shape) for n, shape in enumerate(shapes)
    ]
    return Fingers(tuple(on), tuple(sides), *columns)


def frame(arm: Arm) -> tuple[Array, Array, Array]:
    """Where thumb, palm and fingers of a hand point: as with arms hanging and thumbs to the thighs."""
    R = arm.hand_axes
    return -arm.side * R[:, 1], -R[:, 0], R[:, 2]


def _measured(arm: Arm, at: Placed) -> tuple[Array, Array, Array, Array, Array, float]:
    """Joints, axes and lengths of one hand's fingers, its wrist and its axes, in those of what bears it."""
    own = np.column_stack(frame(arm))
    long = float(np.linalg.norm(arm.tip - arm.wrist))
    pivots, axes, reach = [], [], []
    for begin, way, bones, bend in digits():
        ends = begin + np.cumsum([0.0, *bones[:-1]])[:, None] * way
        pivots.append(arm.wrist + long * ends @ own.T)
        axes.append(np.tile(own @ bend, (3, 1)))
        reach.append(long * np.array(bones))
    # which hand it is tells which way is to the palm
    axes = [np.linalg.det(own) * one for one in axes]
    # a thumb goes over to the fingers about the line of the hand
    axes[4][0] = np.cross(own[:, 0], own[:, 1])
    inside = np.array(pivots) - at.p_W
    turned = at.R_WS.T
    return (
        inside @ turned.T, np.array(axes) @ turned.T, np.array(reach),
        turned @ (arm.wrist - at.p_W), turned @ own, long,
    )  # fmt: skip


def digits() -> list[tuple[Array, Array, tuple[float, ...], Array]]:
    """Where each finger begins, its way, its bones, and the axis of its joints: thumb, palm, fingers, in lengths of hands."""
    out = []
    for across, along, deep, leans, length, _ in _DIGITS:
        way = np.array([leans, 0.0, 1.0]) / np.hypot(leans, 1.0)
        # down goes over to the palm
        bend = np.cross(way, (0.0, 1.0, 0.0))
        out.append((np.array([across, deep, along]), way, tuple(length * p for p in _PARTS), bend))
    (across, along, deep), (side, down, palm), bones, _ = _THUMB
    way = np.array([side, palm, down]) / np.linalg.norm((side, palm, down))
    bend = np.cross(way, (-0.80, 0.60, 0.0))
    out.append((np.array([across, deep, along]), way, bones, bend / np.linalg.norm(bend)))
    return out


def tubes(arm: Arm, rows: Array, at: Placed) -> tuple[Array, Indices, Array]:
    """The fingers of a hand as closed tubes: points, triangles, and how much of each point follows palm and 15 bones.

    They are bent as the rows of what bears them, which is `at` a place, and of its 15 bones.
    """
    own = np.column_stack(frame(arm))
    # its axes are of the left hand where those of a body are not
    is_turned = np.linalg.det(own) < 0.0
    long = float(np.linalg.norm(arm.tip - arm.wrist))
    thick = [one[-1] for one in _DIGITS] + [_THUMB[-1]]
    angle = 2.0 * np.pi * np.arange(_SIDES) / _SIDES
    points: list[Array] = []
    faces: list[Array] = []
    shares: list[Array] = []
    for n, ((begin, way, bones, bend), r) in enumerate(zip(digits(), thick, strict=True)):
        across, whole = np.cross(bend, way), float(np.sum(bones))
        joints = np.cumsum([0.0, *bones[:-1]])
        first = len(points)
        for part, size in (*_ROWS, (1.0, 0.0)):
            middle = begin + part * whole * way
            row = [middle]
            if size:
                row = list(middle + r * size * (np.cos(angle)[:, None] * bend + 0.92 * np.sin(angle)[:, None] * across))  # fmt: skip
            # a ring at a joint follows both bones, about half
            on = np.zeros(16)
            on[0] = 1.0
            for k, joint in enumerate(joints):
                share = float(np.clip(0.5 + (part * whole - joint) / (1.1 * r), 0.0, 1.0))
                on *= 1.0 - share
                on[1 + 3 * n + k] += share
            points += row
            shares += [on] * len(row)
        count = len(_ROWS)
        turns = np.arange(_SIDES)
        after = (turns + 1) % _SIDES
        for k in range(count - 1):
            a, b = first + k * _SIDES, first + (k + 1) * _SIDES
            faces += [np.column_stack([a + turns, a + after, b + after]), np.column_stack([a + turns, b + after, b + turns])]  # fmt: skip
        a, tip = first + (count - 1) * _SIDES, first + count * _SIDES
        faces.append(np.column_stack([a + turns, a + after, np.full(_SIDES, tip)]))
        faces += [np.array([[first, first + k + 1, first + k]]) for k in range(1, _SIDES - 1)]
    every: Indices = np.vstack(faces).astype(np.int64)
    straight = (arm.wrist + long * np.array(points) @ own.T - at.p_W) @ at.R_WS
    each = np.einsum("pj,bji->bpi", straight, rows[:, :3]) + rows[:, 3][:, None]
    where = np.einsum("pb,bpi->pi", np.array(shares), each)
    return where, every if is_turned else every[:, ::-1], np.array(shares)


def _turns(axes: Array, angles: Array) -> Array:
    """Turns about unit axes (..., 3) by angles (...), after Rodrigues."""
    c, s = np.cos(angles)[..., None, None], np.sin(angles)[..., None, None]
    x, y, z = axes[..., 0], axes[..., 1], axes[..., 2]
    o = np.zeros_like(x)
    K = np.stack([np.stack(row, axis=-1) for row in ((o, -z, y), (z, o, -x), (-y, x, o))], axis=-2)
    out: Array = np.eye(3) + s * K + (1.0 - c) * (K @ K)
    return out


# What hands may close around, and how an arm lies that holds it.


@dataclass(frozen=True, eq=False, slots=True)
class Held:
    """A rim, or a straight grip, in the axes of its segment."""

    segment: str
    centre: Array
    axis: Array
    """Of a rim the axis about which it is round, of a grip the way along it."""
    radius_m: float
    """Of a rim up to the middle of its tube; none for a straight grip."""
    half_m: float
    """Half the length of a grip."""
    thick_m: float
    """Half its thickness."""

    def nearest(self, place: Array, at: Placed) -> tuple[Array, Array]:
        """The place of its middle line that is nearest to another (m, ground axes), and the way along it there."""
        centre, axis = at.of(self.centre), at.R_WS @ self.axis
        away = place - centre
        along = float(away @ axis)
        if self.radius_m == 0.0:
            return centre + np.clip(along, -self.half_m, self.half_m) * axis, axis
        out = away - along * axis
        size = _size(out)
        out = out / size if size > 1e-9 else _across(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
        return centre + self.radius_m * out, _across(axis, out)


def grasps(project: Project) -> tuple[Held, ...]:
    """Find what hands may close around: rims of steering wheels, and slim grips by their names."""
    out = []
    for segment in project.segments:
        words = f"{segment.id} {segment.name}".replace("_", " ").lower()
        is_wheel = is_called_wheel(segment.id)
        if not segment.surfaces or not (is_wheel or re.search(_GRIPS, words)):
            continue
        widest = max(segment.surfaces, key=lambda one: max(one.semi_axes_m))
        a, R = np.array(widest.semi_axes_m), turn(widest.orientation)
        thin, most = int(a.argmin()), int(a.argmax())
        centre = np.array(widest.centre_m)
        if is_wheel:
            radius = float(np.delete(a, thin).mean())
            out.append(
                Held(segment.id, centre, R[:, thin], radius * (1.0 - TUBE), 0.0, radius * TUBE)
            )
        elif float(np.delete(a, most).max()) < _SLIM * float(a[most]):
            out.append(
                Held(
                    segment.id,
                    centre,
                    R[:, most],
                    0.0,
                    float(a[most]),
                    float(np.delete(a, most).mean()),
                )
            )
    return tuple(out)


class Hands:
    """A person's hands at what they may hold."""

    def __init__(self, person: Person, made: Fingers, held: Sequence[Held]) -> None:
        self._person, self._made, self._held = person, made, held
        self._legs = legs(person.figure)
        bones = person.figure.bones
        self._arms = []
        for side, hand in zip(made.sides, made.on, strict=True):
            named = {bone.part: n for n, bone in enumerate(bones)}
            upper, fore = named.get(f"{side}_upper_arm", -1), named.get(f"{side}_forearm", -1)
            also = [named.get(f"{side}_{one}", -1) for one in ("elbow_block", "wrist_block")]
            self._arms.append((upper, fore, hand, also))

    def held(self, pose: Pose) -> list[Placed]:
        """Where all is now that hands may hold: with a body's own places this tells whether it stands as before."""
        return [pose[one.segment] for one in self._held if one.segment in pose]

    def placed(self, pose: Pose, near: Array) -> tuple[list[Placed], list[Hold]]:
        """Where a person's bones are, about a place (m), legs beside each other, and how hands hold something, their arms with them."""
        places = [pose[segment] for segment in self._person.segments]
        holds = [self._hold(n, pose, places) for n in range(len(self._arms))] if self._held else []
        places = [Placed(one.R_WS, one.p_W - near) for one in places]
        self._legs.apart(places)
        return places, holds

    def _hold(self, n: int, pose: Pose, places: list[Placed]) -> Hold:
        """Close a hand that lies at something; its arm follows."""
        upper, fore, hand, also = self._arms[n]
        made, bones = self._made, self._person.figure.bones
        at, long = places[hand], float(made.long[n])
        own = at.R_WS @ made.own[n]
        wrist = at.of(made.wrist[n])
        palm = wrist + _HELD_AT * long * own[:, 2]
        found = [
            (*one.nearest(palm, pose[one.segment]), one)
            for one in self._held
            if one.segment in pose
        ]
        if not found:
            return OPEN
        place, along, one = (
            found[0] if len(found) == 1 else min(found, key=lambda each: _size(each[0] - palm))
        )
        away = _size(place - palm)
        part = float(np.clip((_FAR_M - away) / (_FAR_M - _NEAR_M), 0.0, 1.0))
        part *= part * (3.0 - 2.0 * part)
        if part == 0.0:
            return OPEN
        if hand == fore or upper < 0:
            return part, one.thick_m
        shoulder, elbow = (places[k].of(bones[k].at_m) for k in (upper, fore))
        there = _around(own, place - elbow, place - pose[one.segment].of(one.centre), along)
        turned = _between(own, there, part) @ own.T
        goal = place - _HELD_AT * long * there[:, 2] - (_DEEP * long + one.thick_m) * there[:, 1]
        goal = wrist + part * (goal - wrist)
        bent = _bent(shoulder, elbow, wrist, goal)
        first, last = (
            _carrying(elbow - shoulder, bent - shoulder),
            _carrying(wrist - elbow, goal - bent),
        )
        for k, R, centre, to in (
            (upper, first, shoulder, shoulder), (also[0], first, shoulder, shoulder),
            (fore, last, elbow, bent), (also[1], last, elbow, bent), (hand, turned, wrist, goal),
        ):  # fmt: skip
            if k >= 0:
                places[k] = Placed(R @ places[k].R_WS, to + R @ (places[k].p_W - centre))
        return part, one.thick_m


def _across(one: Array, other: Array) -> Array:
    """The product of two vectors, without what NumPy's own spends on shapes."""
    a, b, c = one.tolist()
    x, y, z = other.tolist()
    return np.array((b * z - c * y, c * x - a * z, a * y - b * x))


def _size(vector: Array) -> float:
    return float(np.sqrt(vector @ vector))


def _around(own: Array, way: Array, out: Array, along: Array) -> Array:
    """Thumb, palm and fingers of a hand that holds something: fingers across it, ahead of the arm, the palm towards its middle."""
    down = way - (way @ along) * along
    down /= max(_size(down), 1e-9)
    palm = _across(along, down)
    sign = np.sign(np.linalg.det(own))
    palm = -palm if palm @ out > 0.0 else palm
    return np.column_stack([sign * _across(palm, down), palm, down])


def _between(one: Array, other: Array, part: float) -> Array:
    """Axes that lie by a part between two."""
    R = other @ one.T
    cosine = float(np.clip(0.5 * (np.trace(R) - 1.0), -1.0, 1.0))
    axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    size = _size(axis)
    if part >= 1.0 or size < 1e-6:
        return other
    return np.asarray(_turns(axis / size, np.asarray(part * np.arccos(cosine))) @ one)


def _bent(shoulder: Array, elbow: Array, wrist: Array, goal: Array) -> Array:
    """Where an elbow goes as its wrist comes to a goal: as near to where it was as the lengths of the arm leave it."""
    a, b = _size(elbow - shoulder), _size(wrist - elbow)
    way = goal - shoulder
    far = _size(way)
    way = way / max(far, 1e-9)
    far = min(max(far, abs(a - b) + 1e-6), a + b - 1e-6)
    along = 0.5 * (a * a - b * b + far * far) / far
    off = (elbow - shoulder) - ((elbow - shoulder) @ way) * way
    size = _size(off)
    off = off / size if size > 1e-9 else _across(way, np.eye(3)[int(np.argmin(np.abs(way)))])
    return np.asarray(shoulder + along * way + np.sqrt(max(a * a - along * along, 0.0)) * off)


def _carrying(one: Array, other: Array) -> Array:
    """The least turn that takes a way to another."""
    a, b = one / _size(one), other / _size(other)
    v, c = _across(a, b), float(a @ b)
    K = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    return np.asarray(np.eye(3) + K + K @ K / max(1.0 + c, 1e-9))
