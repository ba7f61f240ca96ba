"""Bodies as both kinds of file say them: a frame in the parent, joints, mass, shapes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from solver.base.words import Sentence
from solver.engine.maths.rotation import Array
from solver.exchange.trees.xml import Element

# What is said of a file while it is read or written.


@dataclass
class ReadNotes:
    """Hold what became of a file's parts: sentences about what was changed or left out."""

    lines: list[Sentence] = field(default_factory=list)
    unread: dict[str, dict[str, int]] = field(default_factory=dict)
    """By tag: what of it nothing has read, and the line on which that stands first."""

    def say(self, template: str, **values: Any) -> None:
        """Note a sentence once."""
        told = Sentence(template, **values)
        if told not in self.lines:
            self.lines.append(told)

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
        """Give all sentences, last those about what nothing has read."""
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
    """Be one joint of a body: about or along an axis, through a point of the body's frame."""

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


@dataclass
class Shape:
    """Be a shape in a body's frame."""

    name: str
    kind: Kind
    size: tuple[float, float, float]
    """Half lengths; of a capsule its radius, none, half the straight length; of a plane half its edges."""
    place: Array = field(default_factory=_zero)
    R: Array = field(default_factory=_same)


@dataclass
class Body:
    """Be a rigid body in its parent; without a joint it is fixed there, or free where `is_free`."""

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
    """Join bodies beside the tree: a bushing, a straight spring, or a path that slips through points."""

    name: str
    kind: Literal["bushing", "spring", "path"]
    ends: list[End]
    stiffness: tuple[float, ...] = ()
    """Of a bushing along and about its axes; of a spring one number."""
    damping: tuple[float, ...] = ()
    rest: float = 0.0
    pull: list[tuple[float, float]] = field(default_factory=list)
    """Of a spring or path that only pulls: strain and force."""


@dataclass
class Model:
    """Be what a file holds: bodies in the order of their tree, gravity, a name, planes of the ground."""

    bodies: list[Body]
    gravity: Array
    title: str = ""
    planes: list[Shape] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    note: str = ""


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
    """Give an inertia about a point that lies `by` from the mass centre."""
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
