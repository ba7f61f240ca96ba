"""What a model of MuJoCo says of itself as a whole (compiler, options, flags), and which attributes do nothing here."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from solver.base.words import Sentence, msgid
from solver.engine.maths.rotation import Array
from solver.exchange.trees.xml import BOUND, Element, TreeError

# Bodies as both kinds of file say them: a frame in the parent, joints, mass, shapes.

# What is said of a file while it is read or written.


@dataclass
class ReadNotes:
    """What became of a file's parts: sentences about what was changed or left out."""

    lines: list[Sentence] = field(default_factory=list)
    unread: dict[str, dict[str, int]] = field(default_factory=dict)
    """By tag: what of it nothing has read, and the line on which that stands first."""

    def say(self, template: str, **values: Any) -> None:
        """Note a sentence once."""
        read_notes = Sentence(template, **values)
        if read_notes not in self.lines:
            self.lines.append(read_notes)

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
    limits: list[Limit] = field(default_factory=list)
    ends: tuple[float, float] | None = None
    """Range of the coordinate, of which the file says no stiffness."""
    end_time: float = 0.02
    """Time (s) within which its ends bring it back."""
    armature: float = 0.0
    """Inertia of its drive (kg m2, kg)."""
    springdamper: tuple[float, float] | None = None
    """Time (s) and damping ratio from which stiffness and damping follow."""
    is_held: bool = False
    """Whether it stays as it starts, for good."""


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


End = tuple[int, Array, Array]
"""Number of a body (-1 is the ground), place and axes in its frame."""


@dataclass
class Link:
    """Join bodies beside the tree: a bushing, a straight spring, a path that slips through points, a muscle."""

    name: str
    kind: Literal["bushing", "spring", "path", "muscle"]
    ends: list[End]
    stiffness: tuple[float, ...] = ()
    """Of a bushing along and about its axes; of a spring one number."""
    damping: tuple[float, ...] = ()
    rest: float = 0.0
    pull: list[tuple[float, float]] = field(default_factory=list)
    """Of a spring or path that only pulls: strain and force."""
    muscle: dict[str, float] = field(default_factory=dict)
    """Of a muscle: the numbers of its law; `rest` is the length of its path at which they count."""


@dataclass
class Tie:
    """Hold two axes, or two bodies, to each other: a constraint of that kind."""

    name: str
    kind: Literal[
        "coupled", "sum", "zero_distance", "fixed_distance", "weld", "point_on_line", "revolute"
    ]
    axes: tuple[Axis, ...] = ()
    """Of a coupling: the one that leads, and the one that follows; of a sum all of them."""
    coefficients: tuple[float, ...] = ()
    """Of the first axis, from that without a power on; counted from the drawn pose."""
    terms: tuple[tuple[float, ...], ...] = ()
    """Of a sum: a polynomial of each axis, from that without a power on; together they are zero."""
    knots: tuple[Sequence[float], Sequence[float]] | None = None
    """Instead of a polynomial: values of both axes, to be joined by a spline."""
    ends: list[End] = field(default_factory=list)
    """Of bodies; of a line, or a pin, the frame whose z it is, and the point, or the other frame."""
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


def solid(kind: Kind, size: tuple[float, float, float]) -> tuple[float, Array]:
    """Give volume, and moments of inertia of a unit of mass, of a shape of even density."""
    a, b, c = size
    if kind == "ellipsoid":
        return 4.0 / 3.0 * np.pi * a * b * c, np.array(
            [b * b + c * c, a * a + c * c, a * a + b * b]
        ) / 5.0
    if kind == "box":
        return 8.0 * a * b * c, np.array([b * b + c * c, a * a + c * c, a * a + b * b]) / 3.0
    if kind == "cylinder":
        across = a * a / 4.0 + c * c / 3.0
        return 2.0 * np.pi * a * a * c, np.array([across, across, a * a / 2.0])
    if kind == "capsule":
        tube, balls = 2.0 * np.pi * a * a * c, 4.0 / 3.0 * np.pi * a**3
        volume = tube + balls
        along = (tube * a * a / 2.0 + balls * 0.4 * a * a) / volume
        # each half ball: its own about its centre of mass, which lies 3/8 of the radius beyond the tube's end
        across = (
            tube * (a * a / 4.0 + c * c / 3.0) + balls * (0.4 * a * a + c * c + 0.75 * a * c)
        ) / volume
        return volume, np.array([across, across, along])
    return 0.0, np.zeros(3)


def moved_inertia(mass: float, inertia: Array, by: Array) -> Array:
    """An inertia about a point that lies `by` from the mass centre."""
    return inertia + mass * (by @ by * np.eye(3) - np.outer(by, by))


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


NAMES = {"name", "class", "childclass", "user", "group"}
"""Attributes that order a model, or draw it."""
IDLE = {
    "compiler": {
        "alignfree", "assetdir", "conflict", "convexhull", "discardvisual", "exactmeshinertia", "fitaabb", "fusestatic",
        "meshdir", "passthrough", "savecanonical", "savecompiled", "saveinertial", "strippath", "texturedir", "usethread",
    },
    "option": {
        "actuatorgroupdisable", "apirate", "ccd_iterations", "ccd_tolerance", "cone", "impratio", "integrator", "iterations",
        "jacobian", "ls_iterations", "ls_tolerance", "mpr_iterations", "mpr_tolerance", "noslip_iterations",
        "noslip_tolerance", "o_friction", "o_margin", "o_solimp", "o_solref", "sdf_initpoints", "sdf_iterations",
        "sleep_tolerance", "solver", "timestep", "tolerance",
    },
    "flag": {
        "actuation", "autoreset", "clampctrl", "contact", "diagexact", "energy", "eulerdamp", "filterparent", "fwdinv",
        "invdiscrete", "ipc", "island", "midphase", "multiccd", "nativeccd", "override", "refsafe", "sensor", "sleep",
        "speculative", "warmstart",
    },
    "body": {*NAMES, "fuse", "simple", "sleep"},
    "freejoint": {*NAMES, "align"},
    "joint": NAMES,
    "inertial": NAMES,
    "geom": {*NAMES, "castshadow", "fitscale", "hfield", "material", "mesh", "rgba"},
}  # fmt: skip
"""By tag: attributes that do nothing to a motion here: names, drawing, MuJoCo's own numerics, contacts, drives."""
CONTACT = (
    "contype", "conaffinity", "condim", "priority", "friction", "solmix", "solref", "solimp", "margin", "gap", "adhesion", "surfacevel",
)  # fmt: skip
LEFT_OUT = {
    "actuator": "Actuators are left out.", "sensor": "Sensors are left out.", "contact": "Pairs and exclusions of contact are left out: allow contacts here.",
    "keyframe": "Key frames are left out.", "deformable": "", "extension": "Plugins are left out.",
}  # fmt: skip
KNOWN = {
    "asset",
    "compiler",
    "custom",
    "default",
    "equality",
    "option",
    "size",
    "statistic",
    "tendon",
    "visual",
    "worldbody",
}
DRAWN = {"site", "camera", "light"}
OFF = {
    "gravity": msgid("gravity"), "spring": msgid("springs of joints"), "damper": msgid("dampers of joints"),
    "passive": msgid("springs and dampers of joints"), "limit": msgid("limits of joints"),
    "frictionloss": msgid("dry friction of joints"), "equality": msgid("equality constraints"),
    "constraint": msgid("limits and dry friction of joints, and equality constraints"),
}  # fmt: skip
"""Flags that change how a model moves, and what they switch off."""


class Options:
    """What holds for all of a model."""

    def __init__(self, top: Element, read_notes: ReadNotes) -> None:
        self.read_notes = read_notes
        self._compiler(top)
        self._options(top)
        for one in top.children:
            if one.tag in LEFT_OUT:
                if one.tag == "deformable" and one.children:
                    names = ", ".join(each.given.get("name", each.tag) for each in one.children)
                    read_notes.say("Deformable parts are left out: {names}.", names=names)
                elif one.children:
                    read_notes.say(LEFT_OUT[one.tag])
            elif one.tag not in KNOWN:
                read_notes.say("Line {line}: <{tag}> is left out.", line=one.line, tag=one.tag)

    def _compiler(self, top: Element) -> None:
        given = dict[str, str]()
        for one in top.all("compiler"):
            given |= one.given
        first = top.first("compiler")
        one = Element("compiler", given, first.line if first else 0)
        self.degree = math.pi / 180.0 if one.given.get("angle", "degree") == "degree" else 1.0
        self.order = one.given.get("eulerseq", "xyz")
        self.from_geom = one.given.get("inertiafromgeom", "auto")
        self.auto_limits = one.given.get("autolimits", "true") == "true"
        low, high = one.numbers("inertiagrouprange", 2, (-BOUND, BOUND))
        self.groups = low, high
        if one.given.get("coordinate", "local") != "local":
            raise TreeError(
                "Places in global coordinates were given up by MuJoCo; write them local first."
            )
        if one.given.get("balanceinertia", "false") == "true":
            self.read_notes.say("The compiler's {name} is not carried out.", name="balanceinertia")
        for name in ("settotalmass", "boundmass", "boundinertia"):
            if one.numbers(name, 1, (0.0,))[0] > 0.0:
                self.read_notes.say("The compiler's {name} is not carried out.", name=name)
        self.read_notes.rest(one, IDLE["compiler"])

    def _options(self, top: Element) -> None:
        self.gravity: Array = np.array([0.0, 0.0, -9.81])
        flags = dict[str, bool]()
        for one in top.all("option"):
            self.gravity = np.array(one.numbers("gravity", 3, tuple(self.gravity)))
            for name in ("wind", "density", "viscosity", "magnetic"):
                if any(one.numbers(name, 0, (0.0,))):
                    self.read_notes.say("The option {name} is left out.", name=name)
            for flag in one.all("flag"):
                for name in OFF:
                    value = flag.given.get(name)
                    if value not in (None, "enable", "disable"):
                        raise flag.wrong(name, "it is neither enable nor disable")
                    if value is not None:
                        flags[name] = value == "disable"
                self.read_notes.rest(flag, IDLE["flag"])
            self.read_notes.rest(one, IDLE["option"])
        off = {name for name, is_off in flags.items() if is_off}
        for name in OFF:
            if name in off:
                self.read_notes.say("The file switches off the {what}.", what=Sentence(OFF[name]))
        if "gravity" in off:
            self.gravity = np.zeros(3)
        self.springs, self.dampers = (not off & {name, "passive"} for name in ("spring", "damper"))
        self.limits, self.friction, self.equal = (not off & {name, "constraint"} for name in ("limit", "frictionloss", "equality"))  # fmt: skip


# What each joint feels of the bodies in the drawn pose: springs and dampers that are told as a time and a ratio.


def spring_up(bodies: list[Body]) -> None:
    """Set stiffness and damping where a file tells time T and ratio z: k = I/(T z)^2, c = 2 I/T.

    I is what the joint feels in the drawn pose when all others are free: one by the mean of its
    entries on the diagonal of the inverse mass matrix.
    """
    if not any(axis.springdamper for body in bodies for axis in body.joints):
        return
    at = 0
    felt = np.diag(np.linalg.pinv(mass_matrix(bodies), hermitian=True))
    for body in bodies:
        at += 6 * body.is_free
        for axis in body.joints:
            count = 3 if axis.motion == "ball" else 1
            inertia = count / max(float(felt[at : at + count].sum()), 1e-15)
            at += count
            if axis.springdamper:
                time, ratio = axis.springdamper
                axis.stiffness = inertia / (time * ratio) ** 2
                axis.damping = 2.0 * inertia / time


def mass_matrix(bodies: list[Body]) -> Array:
    """The mass matrix in the drawn pose: of each body six freedoms where it is free, then its joints."""
    sizes = [6 * b.is_free + sum(3 if a.motion == "ball" else 1 for a in b.joints) for b in bodies]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    M = np.zeros((starts[-1], starts[-1]))
    R, p = list[Array](), list[Array]()
    moves: list[list[tuple[int, Array, Array]]] = []
    for n, body in enumerate(bodies):
        R_p, p_p = (R[body.parent], p[body.parent]) if body.parent >= 0 else (np.eye(3), np.zeros(3))  # fmt: skip
        R.append(R_p @ body.R)
        p.append(p_p + R_p @ body.place)
        here = list(moves[body.parent]) if body.parent >= 0 else []
        here += _moves(body, R[n], p[n], int(starts[n]), M)
        moves.append(here)
        centre, J = p[n] + R[n] @ body.centre, R[n] @ body.inertia @ R[n].T
        index = [k for k, _, _ in here]
        turning = np.array([w for _, w, _ in here]).reshape(-1, 3)
        along = np.array([v + np.cross(w, centre) for _, w, v in here]).reshape(-1, 3)
        M[np.ix_(index, index)] += turning @ J @ turning.T + body.mass * along @ along.T
    return M


def _moves(body: Body, R: Array, p: Array, at: int, M: Array) -> list[tuple[int, Array, Array]]:
    """Each freedom's number, rate of turning, and velocity of the point at the origin."""
    found = list[tuple[int, Array, Array]]()
    if body.is_free:
        found += [(at + k, np.zeros(3), e) for k, e in enumerate(np.eye(3))]
        found += [(at + 3 + k, e, -np.cross(e, p)) for k, e in enumerate(R.T)]
        at += 6
    for axis in body.joints:
        point = p + R @ axis.place
        if axis.motion == "slide":
            found.append((at, np.zeros(3), R @ axis.axis / np.linalg.norm(axis.axis)))
        else:
            ways = R.T if axis.motion == "ball" else [R @ axis.axis / np.linalg.norm(axis.axis)]
            found += [(at + k, e, -np.cross(e, point)) for k, e in enumerate(ways)]
        count = 3 if axis.motion == "ball" else 1
        M[range(at, at + count), range(at, at + count)] += axis.armature
        at += count
    return found
