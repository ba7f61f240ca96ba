"""Bodies as files of all kinds say them: a frame in the parent, joints, mass, shapes; what is said while they are read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from solver.base.words import Sentence
from solver.engine.maths.rotation import Array
from solver.exchange.trees.xml import Element

NAMED = 6
"""Names that a sentence about a file that was read gives of all that it is said of."""

# What is said of a file while it is read or written.


@dataclass
class ReadNotes:
    """What became of a file's parts: sentences about what was changed or left out."""

    lines: list[Sentence] = field(default_factory=list)
    unread: dict[str, dict[str, int]] = field(default_factory=dict)
    """By tag: what of it nothing has read, and the line on which that stands first."""
    most: int = NAMED
    """Names that a sentence gives of all that it is said of."""
    named: dict[str, tuple[int, dict[str, None]]] = field(default_factory=dict)
    """By template: the number of its sentence, and the names in it."""

    def say(self, template: str, **values: Any) -> None:
        """Note a sentence once."""
        read_notes = Sentence(template, **values)
        if read_notes not in self.lines:
            self.lines.append(read_notes)

    def name(self, template: str, name: str) -> None:
        """Note a sentence once about all names of which it is said: `{count}`, and `{names}` of the first ones."""
        at, names = self.named.setdefault(template, (len(self.lines), {}))
        names[name] = None
        first = ", ".join(list(names)[: self.most]) + (", …" if len(names) > self.most else "")
        self.lines[at : at + 1] = [Sentence(template, count=len(names), names=first)]

    def rest(self, one: Element, idle: Collection[str], as_tag: str = "") -> None:
        """Note the attributes of an element that nothing has read and that do something."""
        for name in one.given.unread():
            if name not in idle:
                self.unread.setdefault(as_tag or one.tag, {}).setdefault(name, one.line)

    def rest_within(self, one: Element, idle: Collection[str]) -> None:
        """Note the children of an element that nothing has asked for and that do something."""
        for child in one.children:
            if not child.seen and child.tag not in idle:
                self.unread.setdefault(one.tag, {}).setdefault(f"<{child.tag}>", child.line)

    def close(self) -> tuple[Sentence, ...]:
        """All sentences, last those about what nothing has read."""
        for tag, names in self.unread.items():
            self.say(
                "<{tag}>: not read: {names} (first on line {line}).",
                tag=tag, names=", ".join(names), line=min(names.values()),
            )  # fmt: skip
        return tuple(self.lines)


Touching = Literal["ground", "all"]
"""Whether shapes of a model of MuJoCo touch planes of the ground alone, or each other, too."""


@dataclass(frozen=True)
class Asked:
    """What is asked for of a file of MuJoCo beside what it says."""

    keyframe: str = ""
    """Name of the key frame from which it starts."""
    contacts: Touching = "ground"


Motion = Literal["hinge", "slide", "ball"]
Kind = Literal["ellipsoid", "box", "cylinder", "capsule", "plane"]


def _zero() -> Array:
    return np.zeros(3)


def _same() -> Array:
    return np.eye(3)


@dataclass
class Limit:
    """Stop a coordinate on one side, by a stiffness (N m/rad or N/m)."""

    at: float
    is_upper: bool
    stiffness: float
    damping: float = 0.0
    """While it is pressed (N m s/rad or N s/m); such a limit gives back as little as it can."""
    transition: float = 0.0
    """Way beyond it (rad, m) over which stiffness and damping, then both ways, grow by a smooth step."""


@dataclass
class Servo:
    """Drive a coordinate to a place, counted from the drawn pose, by gains; a limit of its load or none."""

    name: str
    target: float
    gain: float
    rate_gain: float
    limit: float | None = None


Numbers3 = tuple[float, float, float]


@dataclass
class Motor:
    """Drive a coordinate by a control that is a number until someone makes it a function of time.

    With l and v the way and the rate of the coordinate, times the gear, and u the control or what follows it:
    load = gear ((g0 + g1 l + g2 v) u + b0 + b1 l + b2 v), where all but the first factor stays within limits.
    """

    name: str
    gear: float
    control: float
    span: tuple[float, float] | None
    """Between which the control stays."""
    follows: Literal["at_once", "lag", "integrator"]
    """How what acts follows the control."""
    time: float
    """Of the lag (s)."""
    begin: float
    """What acts at the start."""
    stays: tuple[float, float] | None
    """Between which what acts stays."""
    gain: Numbers3
    bias: Numbers3
    limits: tuple[float, float] | None
    zero: float
    """Length l in the drawn pose."""


@dataclass
class Axis:
    """One joint of a body: about or along an axis, through a point of the body's frame."""

    name: str
    motion: Motion
    axis: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    place: Array = field(default_factory=_zero)
    damping: float = 0.0
    friction: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0
    """Coordinate at which the spring is at rest, from that of the drawn pose."""
    start: float = 0.0
    """Coordinate at the start, from that of the drawn pose."""
    turn: Array = field(default_factory=_same)
    """Of a ball at the start: turn of the child from the drawn pose, in the joint's place."""
    speed: float = 0.0
    """Rate of the coordinate at the start."""
    spin: Array = field(default_factory=_zero)
    """Of a ball at the start: angular velocity of the child from the parent, along the axes of the drawn pose."""
    limits: list[Limit] = field(default_factory=list)
    ends: tuple[float, float] | None = None
    """Range of the coordinate, of which the file says no stiffness."""
    end_time: float = 0.02
    """Time (s) within which its ends bring it back."""
    armature: float = 0.0
    """Inertia of its drive (kg m2, kg)."""
    is_held: bool = False
    """Whether it stays as it starts, for good."""
    servos: list[Servo] = field(default_factory=list)
    """Drives that go to a place of it."""
    motors: list[Motor] = field(default_factory=list)
    """Drives that give a load by a control."""
    shared: tuple[float, float] | None = None
    """Between which all its motors together stay."""
    driven: dict[str, Any] | None = None
    """Form of the function of time by which it moves."""


@dataclass
class Shape:
    """A shape in a body's frame."""

    name: str
    kind: Kind
    size: tuple[float, float, float]
    """Half lengths; of a capsule its radius, none, half the straight length; of a plane half its edges."""
    place: Array = field(default_factory=_zero)
    R: Array = field(default_factory=_same)


@dataclass
class Body:
    """A rigid body in its parent; without a joint it is fixed there, or free where `is_free`."""

    name: str
    parent: int
    """Number of the parent; -1 is the ground."""
    place: Array = field(default_factory=_zero)
    R: Array = field(default_factory=_same)
    is_free: bool = False
    joints: list[Axis] = field(default_factory=list)
    mass: float = 0.0
    centre: Array = field(default_factory=_zero)
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))
    """About the mass centre, along the body's axes."""
    shapes: list[Shape] = field(default_factory=list)
    lift: Array = field(default_factory=_zero)
    """Steady force at the mass centre (N, ground axes)."""
    velocity: Array = field(default_factory=_zero)
    """Of a free body at the start: of its mass centre (ground axes)."""
    spin: Array = field(default_factory=_zero)
    """The same of its turning (own axes)."""


End = tuple[int, Array, Array]
"""Number of a body (-1 is the ground), place and axes in its frame."""


MOST_POINTS = 22
"""Points of a line that are taken."""


@dataclass
class Move:
    """Move a point along an axis of its body by a function of a joint's coordinate."""

    axis: int
    by: Axis
    x: Sequence[float]
    y: Sequence[float]
    """Values of that coordinate, and ways (m), to be joined by a spline."""


@dataclass
class Over:
    """An obstacle of a line: its frame, sizes, side, and the points of the line between which it lies."""

    name: str
    kind: Literal["sphere", "cylinder", "ellipsoid"]
    end: End
    size: tuple[float, ...]
    length: float | None = None
    side: Sequence[float] | None = None
    within: bool = False
    first: int = 0
    last: int | None = None


@dataclass
class Line:
    """What a line has beside its points, which stand in `ends` of a link or tension."""

    moves: dict[int, list[Move]] = field(default_factory=dict)
    """By the number of a point."""
    only: dict[int, tuple[Axis, float, float]] = field(default_factory=dict)
    """By the number of a point: within which range of a coordinate it counts."""
    over: list[Over] = field(default_factory=list)


@dataclass
class Link:
    """Join bodies beside the tree: a bushing, a straight spring, a path that slips through points, a muscle."""

    name: str
    kind: Literal["bushing", "spring", "path", "muscle"]
    ends: list[End]
    stiffness: tuple[float, ...] = ()
    """Of a bushing along and about its axes; of a spring one number."""
    damping: tuple[float, ...] = ()
    drag: tuple[float, ...] = ()
    """Of a fluid around the second body: by the square, along and about that body's axes, like its damping."""
    rest: float = 0.0
    pull: list[tuple[float, float]] = field(default_factory=list)
    """Of a spring or path that only pulls: strain and force."""
    dissipation: float = 0.0
    """Of a path: how much more it pulls for each m/s (s/m)."""
    muscle: dict[str, float] = field(default_factory=dict)
    """Of a muscle: the numbers of its law; `rest` is the length of its path at which they count."""
    control: dict[str, Any] | None = None
    """Form of the function of time that a muscle's activation follows from what its numbers say on."""
    line: Line = field(default_factory=Line)


@dataclass
class Tension:
    """Pull and push along a line through points, beyond a range of lengths without force."""

    name: str
    ends: list[End]
    stiffness: float
    damping: float
    slack: tuple[float, float]
    friction: float = 0.0
    line: Line = field(default_factory=Line)
    range: tuple[float, float] | None = None
    """Lengths at which it is stopped."""
    range_stiffness: float = 0.0
    range_damping: float = 0.0
    laws: list[dict[str, Any]] = field(default_factory=list)
    """Laws of muscles, each with its name and the length from which it counts (`zero`)."""
    servos: list[Servo] = field(default_factory=list)
    """Drives that go to a length of it."""
    motors: list[Motor] = field(default_factory=list)
    """Drives that pull by a control."""
    shared: tuple[float, float] | None = None
    """Between which all its motors together stay."""
    armature: float = 0.0
    """Inertia of its drives (kg); only sums of axes have one."""
    total: list[tuple[Axis, float, float]] = field(default_factory=list)
    """Instead of a line a sum of axes: each with its factor, and the way of it in the drawn pose."""


@dataclass
class Push:
    """Push and turn a body along axes that move with it, by what a control gives."""

    name: str
    end: End
    force: Array
    """For each unit of the control, along the axes of its end; the torque likewise."""
    torque: Array
    control: float
    """What the control gives."""


@dataclass
class Touch:
    """Let a body's shape press on a plane or shape of another body (-1 is the ground), by a law."""

    body: int
    shape: Shape
    other: int
    on: Shape
    law: dict[str, Any]
    """As in a project, without its id."""
    called: str
    """Base of the law's id."""


@dataclass
class Tie:
    """Hold two axes, or two bodies, to each other: a constraint of that kind."""

    name: str
    kind: Literal[
        "coupled", "sum", "zero_distance", "fixed_distance", "weld", "point_on_line", "revolute", "prismatic", "universal_closure", "point_on_plane"
    ]  # fmt: skip
    axes: tuple[Axis, ...] = ()
    """Of a coupling: the one that leads, and the one that follows; of a sum all of them."""
    coefficients: tuple[float, ...] = ()
    """Of the first axis, from that without a power on; counted from the drawn pose."""
    terms: tuple[tuple[float, ...], ...] = ()
    """Of a sum: a polynomial of each axis, from that without a power on; together they are zero."""
    knots: tuple[Sequence[float], Sequence[float]] | None = None
    """Instead of a polynomial: values of both axes, to be joined by a spline."""
    ends: list[End] = field(default_factory=list)
    """Of bodies; of a line, a plane or a pin, the frame whose z it is, and the point, or the other frame."""
    distance: float | None = None


@dataclass
class Model:
    """What a file holds: bodies in the order of their tree, gravity, a name, planes of the ground."""

    bodies: list[Body]
    gravity: Array
    title: str = ""
    planes: list[Shape] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    note: str = ""
    ties: list[Tie] = field(default_factory=list)
    markers: list[tuple[str, End]] = field(default_factory=list)
    tensions: list[Tension] = field(default_factory=list)
    touches: list[Touch] = field(default_factory=list)
    pushes: list[Push] = field(default_factory=list)
    led: dict[int, Array] = field(default_factory=dict)
    """By the number of a free body: the velocity with which it goes on, whatever acts on it."""
    ranges: dict[str, tuple[float, float]] = field(default_factory=dict)
    """By the name of an axis: between which values a search for poses keeps it; nothing stops it there."""
    keyframes: tuple[str, ...] = ()
    """Names of starts that the file offers."""


def frame_of(axis: Array, along: int) -> Array:
    """Give axes of which one points along a direction: 1 for y, 2 for z."""
    e = axis / np.linalg.norm(axis)
    other = np.eye(3)[int(np.argmin(np.abs(e)))]
    first = np.cross(other, e)
    first /= np.linalg.norm(first)
    second = np.cross(e, first)
    columns = (first, second, e) if along == 2 else (second, e, first)
    R: Array = np.column_stack(columns)
    return R
