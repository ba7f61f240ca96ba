"""Cut a beam into stations, and join them by springs that bend, twist, shear and stretch as it does.

The springs are those of a short elastic column at half of its height (002, (57) to (65)): against the middle of a
piece of length h the block of bending and shear is diagonal, `12 E I / (h^3 P)` and `E I / h` with
`P = 1 + 12 E I k / (G A h^2)`. So under loads at its stations a straight beam is as stiff as Timoshenko's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from solver.engine.maths.rotation import Array, cross, from_angles
from solver.project.angles import angles_from
from solver.project.beams import SURFACE, Beam, BeamEnd
from solver.project.geometry import Frame, FrameRef, Hyperellipsoid, Orientation
from solver.project.joints import BallJoint, FreeJoint, Joint, LockedJoint, PinJoint
from solver.project.links import Bushing
from solver.project.motions import JointStart
from solver.project.pose import turn
from solver.project.segments import Segment

MEETS_M = 1e-4
"""How far (m) a beam that is held at both ends may be from the second, by its length: parts in ten thousand."""
BACK = -0.999
"""Cosine between two ways that follow each other below which the second goes back along the first."""
FINE = 64
"""Chords between two points of a smooth curve."""


class Laid(NamedTuple):
    """Hold where a beam's axis lies unbent, in the axes of the frame at its start."""

    nodes: Array
    """Places of the stations (n + 1, 3)."""
    turns: Array
    """Axes of the stations (n + 1, 3, 3)."""
    chords: Array
    """Axes of the pieces (n, 3, 3)."""
    lengths: Array

    @property
    def middles(self) -> Array:
        """The middles of the pieces (n, 3)."""
        out: Array = 0.5 * (self.nodes[1:] + self.nodes[:-1])
        return out

    @property
    def length(self) -> float:
        """How long it is (m)."""
        return float(self.lengths.sum())


class Holder(NamedTuple):
    """Hold where the frame at the end is, in the axes of that at the start."""

    R: Array
    p: Array

    @property
    def frame(self) -> Frame:
        """The same in numbers of a project."""
        x, y, z = (float(v) for v in self.p)
        return Frame(position_m=(x, y, z), orientation=_orientation(self.R))


def unbent(beam: Beam) -> Holder | None:
    """Where the frame at the end of a beam is unbent, if it is said."""
    if beam.unbent_end is None or not beam.is_held[1]:
        return None
    return Holder(turn(beam.unbent_end.orientation), np.array(beam.unbent_end.position_m))


def lay(beam: Beam, end: Holder | None = None) -> Laid:
    """Lay a beam out; where both ends are held a straight one goes from the one to the other."""
    if beam.curve_m:
        nodes, tangents = _along(beam)
    else:
        way = np.array([beam.length_m or 0.0, 0.0, 0.0]) if end is None else end.p
        nodes, tangents = np.linspace(0.0, 1.0, beam.pieces + 1)[:, None] * way, np.stack([way, way])  # fmt: skip
    apart = np.diff(nodes, axis=0)
    lengths = np.linalg.norm(apart, axis=1)
    x = apart / np.maximum(lengths, 1e-300)[:, None]
    chords = np.empty((beam.pieces, 3, 3))
    up = np.array([0.0, 0.0, 1.0])
    for k, along in enumerate(x):
        z = up - (up @ along) * along
        if np.linalg.norm(z) < 1e-6:
            # a right angle towards or away from its z, which turns with it
            z = np.array([-1.0, 0.0, 0.0]) if k == 0 else -np.sign(up @ along) * x[k - 1]
            z -= (z @ along) * along
        up = z / np.linalg.norm(z)
        chords[k] = np.stack([along, cross(up, along), up], axis=1)
    turns = np.empty((beam.pieces + 1, 3, 3))
    for k in range(beam.pieces + 1):
        before, behind = chords[max(k - 1, 0)], chords[min(k, beam.pieces - 1)]
        ends = k in (0, beam.pieces)
        along = tangents[-1 if k else 0] if ends else before[:, 0] + behind[:, 0]
        along = along / max(float(np.linalg.norm(along)), 1e-300)
        z = before[:, 2] + behind[:, 2]
        z -= (z @ along) * along
        z /= max(float(np.linalg.norm(z)), 1e-300)
        turns[k] = np.stack([along, cross(z, along), z], axis=1)
    return Laid(nodes, turns, chords, lengths)


def points_of(beam: Beam) -> Array:
    """The points of a curve with its start, which may be given as the first of them."""
    points = np.array(beam.curve_m, float).reshape(-1, 3)
    return points if not np.any(points[:1]) else np.vstack([np.zeros(3), points])


def has_twice(beam: Beam) -> bool:
    """Whether a curve has a point twice, one after the other, or none but its start."""
    points = points_of(beam)
    apart = np.linalg.norm(np.diff(points, axis=0), axis=1)
    return len(points) < 2 or float(apart.min()) <= 1e-9 * float(apart.sum())


def turns_back(beam: Beam) -> bool:
    """Whether a curve goes back the way it came, from point to point or as it is cut."""
    return any(
        float(np.min(np.sum(ways[1:] * ways[:-1], axis=1), initial=1.0)) < BACK
        for nodes in (points_of(beam), _along(beam)[0])
        for apart in (np.diff(nodes, axis=0),)
        for ways in (apart / np.maximum(np.linalg.norm(apart, axis=1), 1e-300)[:, None],)
    )


def _along(beam: Beam) -> tuple[Array, Array]:
    """Places at equal ways along a curve, and which way it goes at its start and at its end."""
    points = points_of(beam)
    at = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    if beam.curve_is == "straight" or len(points) < 3:
        wanted = np.linspace(0.0, at[-1], beam.pieces + 1)
        ways = np.diff(points[[0, 1, -2, -1]], axis=0)[[0, 2]]
        return np.stack([np.interp(wanted, at, points[:, k]) for k in range(3)], axis=1), ways
    from scipy.interpolate import CubicSpline

    curve = CubicSpline(at, points, bc_type="not-a-knot")
    fine = np.append(np.linspace(at[:-1], at[1:], FINE, endpoint=False).T.ravel(), at[-1])
    steps = np.linalg.norm(np.diff(curve(fine), axis=0), axis=1)
    way = np.concatenate([[0.0], np.cumsum(steps)])
    nodes: Array = curve(np.interp(np.linspace(0.0, way[-1], beam.pieces + 1), way, fine))
    return nodes, curve(at[[0, -1]], 1)


SEED, CLOSER, MOST_RAD = 40, 1e-9, 0.2
"""Steps by which a bent shape is closed at most, how near (by its length) that ends, and how far (rad) one turns a piece."""


def bowed(beam: Beam, laid: Laid, rest: Holder, end: Holder) -> tuple[Array, Array]:
    """How each station is turned and shifted from where it is unbent, so that the end is where it is held.

    What is too long for its ends bows out by a full wave about the softer axis; the least turns of pieces do the rest.
    """
    n, numbers = beam.pieces, beam.numbers
    free = {"about_y": [1], "about_z": [2]}.get(beam.freedoms, [0, 1, 2])
    soft = min((a for a in free if a), key=lambda a: (numbers.moment_y, numbers.moment_z)[a - 1])
    over = max(1.0 - float(np.linalg.norm(end.p) / np.linalg.norm(rest.p)), 0.0)
    wave = np.cos(2.0 * np.pi * (np.arange(n) + 0.5) / n)
    R = [_small(np.eye(3)[soft] * turned) for turned in 4.0 * np.pi / n * over**0.5 * wave]  # fmt: skip
    for _ in range(SEED):
        turns, shifts = _chain(laid, R)
        tip = turns[-1] @ rest.p + shifts[-1]
        miss = np.concatenate([(end.p - tip) / laid.length, _vector(end.R @ (turns[-1] @ rest.R).T)])  # fmt: skip
        if float(np.abs(miss).max()) < CLOSER:
            break
        columns = []
        for k in range(n):
            hinge = turns[k] @ laid.middles[k] + shifts[k]
            axes = turns[k] @ laid.chords[k]
            columns += [np.concatenate([cross(axes[:, a], tip - hinge) / laid.length, axes[:, a]]) for a in free]  # fmt: skip
        step = (np.linalg.pinv(np.array(columns).T, rcond=1e-9) @ miss).reshape(n, len(free))
        step *= min(1.0, MOST_RAD / max(float(np.abs(step).max()), 1e-300))
        for k in range(n):
            R[k] = _small(np.eye(3)[free].T @ step[k]) @ R[k]
    return _chain(laid, R)


def _small(turned: Array) -> Array:
    """A turn by about a vector."""
    return from_angles((float(turned[2]), float(turned[1]), float(turned[0])), "zyx")


def _vector(R: Array) -> Array:
    """About what vector a turn goes: its sine."""
    return 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])


def _chain(laid: Laid, R: list[Array]) -> tuple[Array, Array]:
    """Turns and shifts of the stations from where they are unbent, by the turns of pieces in their own axes."""
    turns, shifts = [np.eye(3)], [np.zeros(3)]
    for chord, middle, one in zip(laid.chords, laid.middles, R, strict=True):
        turned = chord @ one @ chord.T
        shifts.append(turns[-1] @ (middle - turned @ middle) + shifts[-1])
        turns.append(turns[-1] @ turned)
    return np.array(turns), np.array(shifts)


@dataclass(frozen=True)
class Pieces:
    """Hold what a beam becomes, in the order of the lists of a project."""

    segments: tuple[Segment, ...]
    joints: tuple[Joint, ...]
    springs: tuple[Bushing, ...]
    starts: tuple[JointStart, ...]
    axis: Array
    """Where the beam's axis is in each station, from its mass centre (n + 1, 3)."""


class _Rod(NamedTuple):
    """Hold a straight part of a station: its middle, its axes and its length."""

    middle: Array
    R: Array
    length: float


def pieces_of(beam: Beam, laid: Laid, end: Holder | None) -> Pieces:
    """Make a beam's stations, what joins them, and the springs between them."""
    names, centres, segments = beam.stations, [], []
    for k, name in enumerate(names):
        rods = _rods(laid, k)
        centre = sum((rod.length * rod.middle for rod in rods), np.zeros(3)) / sum(rod.length for rod in rods)  # fmt: skip
        centres.append(centre)
        segments.append(_station(beam, name, laid.turns[k], centre, rods))

    def frame(k: int, place: Array, R: Array) -> Frame:
        """A frame in a station, of a place and axes in the frame at the start."""
        back = laid.turns[k].T
        x, y, z = (float(v) for v in back @ (place - centres[k]))
        return Frame(position_m=(x, y, z), orientation=_orientation(back @ R))

    joints: list[Joint] = []
    starts: list[JointStart] = []
    springs: list[Bushing] = []
    first = _end(beam, "start", beam.start, names[0], frame(0, np.zeros(3), np.eye(3)))
    joints.append(first)
    if isinstance(first, FreeJoint):
        v, (wx, wy, wz) = beam.velocity_m_per_s, beam.angular_velocity_rad_per_s
        starts.append(JointStart(joint=first.id, values=(0.0,) * 6, rates=(*v, wz, wy, wx)))
    held = end is not None
    for k in range(1, beam.pieces + 1):
        chord, middle = laid.chords[k - 1], laid.middles[k - 1]
        id_ = names[k]
        ends = frame(k - 1, middle, chord), frame(k, middle, chord)
        closes = held and k == beam.pieces
        if not closes:
            turned = chord @ _UPRIGHT if beam.freedoms == "about_z" else chord
            made = _inner(beam, id_, names[k - 1], frame(k - 1, middle, turned), frame(k, middle, turned))  # fmt: skip
            joints.append(made)
            if isinstance(made, FreeJoint):
                starts.append(JointStart(joint=id_, values=(0.0,) * 6))
        springs.append(
            _spring(beam, id_, (names[k - 1], names[k]), ends, float(laid.lengths[k - 1]), laid.length, closes)
        )  # fmt: skip
    if end is not None:
        joints.append(
            _end(beam, "end", beam.end, names[-1], frame(beam.pieces, laid.nodes[-1], end.R))
        )
    axis = np.einsum("nji,nj->ni", laid.turns, laid.nodes - np.array(centres))
    return Pieces(tuple(segments), tuple(joints), tuple(springs), tuple(starts), axis)


_UPRIGHT = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""Axes whose y is another's z."""


def _orientation(R: Array) -> Orientation:
    yaw, pitch, roll = (round(float(a), 15) + 0.0 for a in angles_from(R, "zyx"))
    return Orientation(angles_rad=(yaw, pitch, roll))


def _rods(laid: Laid, k: int) -> list[_Rod]:
    """The halves of the pieces on both sides of a station."""
    rods = []
    for piece, share in ((k - 1, 0.75), (k, 0.25)):
        if 0 <= piece < len(laid.lengths):
            middle = laid.nodes[piece] + share * (laid.nodes[piece + 1] - laid.nodes[piece])
            rods.append(_Rod(middle, laid.chords[piece], 0.5 * float(laid.lengths[piece])))
    return rods


def _station(beam: Beam, name: str, turn: Array, centre: Array, rods: Sequence[_Rod]) -> Segment:
    """A station with the mass of half a piece on either side."""
    numbers, line = beam.numbers, beam.line_mass
    spread = line / numbers.area
    across = spread * np.diag([numbers.polar, numbers.moment_y, numbers.moment_z])
    J = np.zeros((3, 3))
    for rod in rods:
        R, mass, arm = turn.T @ rod.R, line * rod.length, turn.T @ (rod.middle - centre)
        own = rod.length * across + mass * rod.length**2 / 12.0 * np.diag([0.0, 1.0, 1.0])
        J += R @ own @ R.T + mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    surfaces: tuple[Hyperellipsoid, ...] = ()
    if beam.touchable:
        half = 0.5 * sum(rod.length for rod in rods)
        around = (2.0, 2.0) if numbers.is_round else (8.0, 8.0)
        surfaces = (
            Hyperellipsoid(
                id=SURFACE, semi_axes_m=(half, numbers.outer_y, numbers.outer_z), powers=(8.0, *around)
            ),
        )  # fmt: skip
    products = tuple(0.0 if abs(J[a, b]) < 1e-12 * J.trace() else float(J[a, b]) for a, b in ((0, 1), (0, 2), (1, 2)))  # fmt: skip
    return Segment(
        id=name,
        group=beam.group,
        mass_kg=float(line * sum(rod.length for rod in rods)),
        inertia_kgm2=(float(J[0, 0]), float(J[1, 1]), float(J[2, 2])),
        products_kgm2=products,
        surfaces=surfaces,
        surfaces_are="part",
    )


def _end(beam: Beam, which: str, end: BeamEnd, station: str, child: Frame) -> Joint:
    """The joint by which something holds an end, or that says where a free beam starts."""
    kinds: dict[str, type[Any]] = {"fixed": LockedJoint, "pin": PinJoint, "ball": BallJoint, "free": FreeJoint}  # fmt: skip
    made: Joint = kinds[end.fixing](
        id=f"{beam.id}#{which}", parent=end.segment, child=station, parent_frame=end.frame, child_frame=child
    )  # fmt: skip
    return made


def _inner(beam: Beam, id_: str, parent: str, before: Frame, behind: Frame) -> Joint:
    """The joint in the middle of a piece."""
    kinds: dict[str, type[Any]] = {"turns": BallJoint, "all": FreeJoint}
    kind = kinds.get(beam.freedoms, PinJoint)
    made: Joint = kind(id=id_, parent=parent, child=id_, parent_frame=before, child_frame=behind)
    return made


def _spring(
    beam: Beam,
    id_: str,
    ends: tuple[str, str],
    frames: tuple[Frame, Frame],
    h: float,
    length: float,
    closes: bool,
) -> Bushing:
    """The springs in the middle of a piece of length h.

    What closes the loop of a beam that is held at both ends, and whose other pieces do not stretch, stretches for all.
    """
    n, e, g = beam.numbers, beam.elastic_pa, beam.shear_pa
    about_y = 1.0 + 12.0 * e * n.moment_y * n.shear_z / (g * n.area * h * h)
    about_z = 1.0 + 12.0 * e * n.moment_z * n.shear_y / (g * n.area * h * h)
    shifts = np.array(
        [e * n.area / h, 12.0 * e * n.moment_z / (h**3 * about_z), 12.0 * e * n.moment_y / (h**3 * about_y)]
    )  # fmt: skip
    turns = np.array([g * n.torsion / h, e * n.moment_y / h, e * n.moment_z / h])
    if beam.freedoms != "all":
        if closes:
            shifts[0] = e * n.area / length
        else:
            shifts[:] = 0.0
            if beam.freedoms != "turns":
                turns[[k for k in range(3) if k != (1 if beam.freedoms == "about_y" else 2)]] = 0.0
    damped = 0.0 if beam.damping_ratio == 0.0 else 2.0 * beam.damping_ratio / beam.lowest_rad_per_s(length)  # fmt: skip

    def three(values: Array) -> tuple[float, float, float]:
        x, y, z = (float(v) for v in values)
        return x, y, z

    return Bushing(
        id=id_,
        group=beam.group,
        a=FrameRef(segment=ends[0], frame=frames[0]),
        b=FrameRef(segment=ends[1], frame=frames[1]),
        stiffness_n_per_m=three(shifts),
        damping_ns_per_m=three(damped * shifts),
        stiffness_nm_per_rad=three(turns),
        damping_nms_per_rad=three(damped * turns),
    )
