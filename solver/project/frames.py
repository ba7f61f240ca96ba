"""Own frames: coordinate systems of the user, in which places are given and results are told."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from solver.engine.maths.rotation import Array, from_angles
from solver.project.fields import REQUIRED, ZERO3, Element, Id, Text, Vec3, choice, number, ref
from solver.project.geometry import Orientation
from solver.project.segments import GROUND

RIGHT = 0.5 * math.pi
FLAT = 0.01
"""Volume of a frame's three unit axes below which they lie nearly in a plane; *assumed*."""


class OwnFrame(Element):
    """Be a coordinate system of its own: shifted, turned, clockwise, oblique, within another one.

    It does nothing in a run: places are entered and shown in it, outputs and quantities are told in it.
    """

    segment: Id = ref(
        GROUND, "segments", "Segment", "Segment that carries it; of a frame in a frame the outer one says."
    )  # fmt: skip
    relative_to: Id | None = ref(
        None, "frames", "Within", "Frame in which its place and turn are told; none for the segment's axes."
    )  # fmt: skip
    position_m: Vec3 = number(
        ZERO3, "m", "Origin", "In the outer frame; else from the segment's mass centre, segment axes."
    )  # fmt: skip
    orientation: Orientation = choice(
        Orientation(),
        "Orientation",
        "Turn from the right-angled axes of the outer frame, or from the segment's axes.",
    )
    reversed: Literal["none", "x", "y", "z"] = choice(
        "none",
        "Reversed axis",
        "Axis that points the other way: axes become left-handed, angles count clockwise.",
    )
    between_rad: Vec3 = number(
        (RIGHT, RIGHT, RIGHT),
        "rad",
        "Angles between axes",
        "Between y and z, z and x, x and y; x stays, y stays in the plane of x and y.",
    )


@dataclass(frozen=True)
class Axes:
    """Hold a frame as it stands in the segment that carries it."""

    segment: str
    origin_m: Array
    square: Array
    """Its right-angled axes before any is oblique, in columns, along the segment's axes."""
    axes: Array
    """Its axes, of length one, in columns, along the segment's axes."""
    mirror: Array
    """Reversed axes of it and of all outer frames, as a diagonal."""

    @property
    def hand(self) -> float:
        """Give 1 for right-handed axes, -1 for left-handed ones."""
        return float(np.prod(self.mirror))

    @property
    def is_oblique(self) -> bool:
        """Whether the axes, here or of an outer frame, are not at right angles."""
        return bool(np.abs(self.axes.T @ self.axes - np.eye(3)).max() > 1e-12)

    def place_in(self, places: Iterable[float] | Array) -> Array:
        """Places of the segment (..., 3) in the frame (m)."""
        return self.vector_in(np.asarray(places, float) - self.origin_m)

    def place_of(self, places: Iterable[float] | Array) -> Array:
        """Places of the frame (..., 3) in the segment (m)."""
        return self.origin_m + self.vector_of(places)

    def vector_in(self, vectors: Iterable[float] | Array) -> Array:
        """The parts of vectors along the frame's axes; they add up to the vector, also oblique ones."""
        out: Array = np.asarray(vectors, float) @ np.linalg.inv(self.axes).T
        return out

    def vector_of(self, vectors: Iterable[float] | Array) -> Array:
        """Give vectors of the frame along the segment's axes."""
        out: Array = np.asarray(vectors, float) @ self.axes.T
        return out

    def axial_in(self, vectors: Iterable[float] | Array) -> Array:
        """What turns (angular velocity, torque) in the frame: about left-handed axes by the left hand."""
        return self.hand * self.vector_in(vectors)

    def axial_of(self, vectors: Iterable[float] | Array) -> Array:
        """What turns along the segment's axes."""
        return self.hand * self.vector_of(vectors)

    def turn_in(self, R_SB: Array) -> Array:
        """A body's turn (..., 3, 3) from the segment, seen by the right-angled axes, its own reversed alike."""
        out: Array = self.square.T @ R_SB * self.mirror
        return out


def plain(segment: str) -> Axes:
    """The frame that a segment itself is."""
    return Axes(segment, np.zeros(3), np.eye(3), np.eye(3), np.ones(3))


def axes_of(frames: Sequence[OwnFrame]) -> dict[str, Axes]:
    """Frames as they stand in their segments; those that lead round or nowhere are left out."""
    by_id, found = {one.id: one for one in frames}, dict[str, Axes]()
    for one in frames:
        chain = chain_of(by_id, one)
        for inner in reversed(chain or []):
            if inner.id not in found:
                outer = found[inner.relative_to] if inner.relative_to else plain(inner.segment)
                found[inner.id] = _within(outer, inner)
    return found


def chain_of(by_id: dict[str, OwnFrame], one: OwnFrame) -> list[OwnFrame] | None:
    """A frame and those around it, outermost last; none where they lead round or nowhere."""
    chain, here = [one], one
    while here.relative_to is not None:
        outer = by_id.get(here.relative_to)
        if outer is None or outer in chain:
            return None
        chain.append(here := outer)
    return chain


def _within(outer: Axes, one: OwnFrame) -> Axes:
    R = from_angles(one.orientation.angles_rad, one.orientation.order)
    mirror = np.array([-1.0 if axis == one.reversed else 1.0 for axis in "xyz"])
    square = outer.square @ R * mirror
    return Axes(
        outer.segment,
        outer.place_of(one.position_m),
        square,
        square @ oblique(one.between_rad),
        outer.mirror * mirror,
    )


def oblique(between_rad: Sequence[float]) -> Array:
    """Three axes of length one by the angles between y and z, z and x, x and y, in columns."""
    yz, zx, xy = (0.0 if angle == RIGHT else math.cos(angle) for angle in between_rad)
    side = math.sqrt(max(1.0 - xy * xy, 0.0))
    across = (yz - zx * xy) / side if side > 0.0 else 0.0
    up = math.sqrt(max(1.0 - zx * zx - across * across, 0.0))
    return np.array([[1.0, xy, zx], [0.0, side, across], [0.0, 0.0, up]])


# Own systems of units.


class UnitSystem(Element):
    """Name the units in which numbers are shown, typed and exported; the file itself stays in SI.

    What they do not say follows from them: of mm, t and s a force is in t·mm/s², of in, lbf and s a mass in
    lbf·s²/in. Only what no unit of them measures stays in SI.
    """

    units: tuple[Text, ...] = choice(
        REQUIRED,
        "Units",
        "One of each kind, as mm, t, s, deg; any factor, as 25.4*mm; any derived one, as psi or g.",
        min_length=1,
        max_length=40,
    )
