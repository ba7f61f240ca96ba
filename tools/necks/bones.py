"""Bones of the neck: what is known of each, and where each stands in a posture.

A bone's own axes point right, forward and up. Its place in the mid plane is (forward, up); a tilt is
positive where its front comes down.
"""

from __future__ import annotations

import csv
import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from solver.engine.maths.rotation import Array

DATA = Path(__file__).resolve().parent / "data"
BONES = ("T1", "C7", "C6", "C5", "C4", "C3", "C2", "C1", "skull")
"""From below; each stands on the one before."""
PAIRS = tuple(pairwise(BONES))
SKULL, ATLAS = 0.242, 0.156
"""Parts of the head's turn on T1 between skull and C1, and C1 and C2: Barrett (2016)."""
MM = 1e-3


def rows(name: str) -> Iterator[list[str]]:
    """Give the rows of a table without its heading."""
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        lines = csv.reader(line for line in file if not line.startswith("#"))
        next(lines)
        yield from lines


@dataclass(frozen=True)
class Bone:
    """What is known of a bone: landmarks (m), tilt at rest (rad), mass (kg), inertia (kg m2)."""

    name: str
    marks: dict[str, Array]
    tilt: float
    mass: float
    inertia: Array
    """About axes forward, up and lateral through its mass centre."""

    def mark(self, name: str) -> Array:
        """A landmark in the mid plane: forward, up."""
        return self.marks[name][1:]

    def pivot(self, other: str) -> Array:
        """The centre of rotation with a neighbour."""
        wanted = {self.name, other}
        for name in self.marks:
            pair = name.removesuffix(" center of rotation").replace("C0", "skull").split("-")
            if set(pair) == wanted:
                return self.mark(name)
        raise KeyError(other)

    def plate(self, which: str) -> Array:
        """The middle of the upper ("superior") or lower ("inferior") end plate."""
        front = self.mark(f"anterior-{which} vertebral body")
        middle: Array = (front + self.mark(f"posterior-{which} vertebral body")) / 2.0
        return middle


@functools.cache
def bones() -> dict[str, Bone]:
    """Read all bones."""
    marks: dict[str, dict[str, Array]] = {name: {} for name in BONES}
    tilt, mass = dict.fromkeys(BONES, 0.0), dict.fromkeys(BONES, 0.0)
    inertia: dict[str, list[list[float]]] = {name: [] for name in BONES}
    for bone, kind, name, *numbers in rows("bones"):
        values = [float(number) for number in numbers if number]
        match kind:
            case "landmark_mm":
                marks[bone][name] = MM * np.array(values)
            case "axis_forward":
                tilt[bone] = math.atan2(-values[2], values[1])
            case "mass_kg":
                mass[bone] = values[0]
            case _:
                inertia[bone].append(values)
    return {
        name: Bone(name, marks[name], tilt[name], mass[name], np.array(inertia[name]))
        for name in BONES
    }


def tilted(angle: float) -> Array:
    """Turn (forward, up) of a bone into that of the ground."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, s], [-s, c]])


@dataclass(frozen=True)
class Posture:
    """Where all bones stand, counted from the front upper edge of T1's body.

    T1 slopes forward by `slope` more than the table's, and the neck leans forward by turns spread evenly
    over C7 to C2; C1 and the skull take both back but for the head's `nod`. `size` scales all lengths of the
    tables, `head` the mass of the head.
    """

    lean: float
    size: float
    slope: float = 0.0
    nod: float = 0.0
    head: float = 1.0

    @functools.cached_property
    def tilts(self) -> dict[str, float]:
        """The tilt of each bone."""
        share = {name: (k + 1) / 6 for k, name in enumerate(BONES[1:7])}
        share["T1"] = 0.0
        tilts = {name: bones()[name].tilt + self.slope + self.lean * share[name] for name in share}
        below = self.lean + self.slope
        atlas = below - ATLAS / (SKULL + ATLAS) * (below - self.nod)
        return tilts | {
            "C1": bones()["C1"].tilt + atlas,
            "skull": bones()["skull"].tilt + self.nod,
        }

    @functools.cached_property
    def _origins(self) -> dict[str, Array]:
        known = bones()
        edge = known["T1"].mark("anterior-superior vertebral body")
        found = {"T1": -tilted(self.tilts["T1"]) @ edge * self.size}
        for lower, upper in PAIRS:
            at = found[lower] + tilted(self.tilts[lower]) @ known[lower].pivot(upper) * self.size
            found[upper] = at - tilted(self.tilts[upper]) @ known[upper].pivot(lower) * self.size
        return found

    def place(self, bone: str, at: Array) -> Array:
        """Where a point of a bone stands: forward, up."""
        found: Array = self._origins[bone] + tilted(self.tilts[bone]) @ at * self.size
        return found

    def pivot(self, upper: str) -> Array:
        """Where the centre of rotation below a bone stands."""
        lower = BONES[BONES.index(upper) - 1]
        return self.place(upper, bones()[upper].pivot(lower))

    def middle(self, upper: str) -> Array:
        """Where the joint below a bone stands: the middle of its disc, or the centre of rotation."""
        return self._middles[upper]

    @functools.cached_property
    def _middles(self) -> dict[str, Array]:
        return {upper: self._found(upper) for upper in BONES[1:]}

    def _found(self, upper: str) -> Array:
        if upper in ("C1", "skull"):
            return self.pivot(upper)
        lower = BONES[BONES.index(upper) - 1]
        plates = (lower, "superior"), (upper, "inferior")
        below, above = (self.place(b, bones()[b].plate(which)) for b, which in plates)
        found: Array = (below + above) / 2.0
        return found

    def centre(self, bone: str) -> Array:
        """Where a bone's mass centre stands; of T1, its front upper edge."""
        return np.zeros(2) if bone == "T1" else self.place(bone, self._middle(bone))

    def local(self, bone: str, point: Array) -> tuple[float, float, float]:
        """A point (right, forward, up) of a bone in the axes of its segment: forward, right, down.

        T1's segment is whatever carries the neck, level.
        """
        right = point[0] * self.size
        if bone == "T1":
            forward, up = self.place("T1", point[1:])
        else:
            forward, up = (point[1:] - self._middle(bone)) * self.size
        return _tidy(forward), _tidy(right), _tidy(-up)

    def local_of(self, bone: str, at: Array) -> tuple[float, float, float]:
        """A place of the mid plane in the axes of a bone's segment."""
        own = tilted(self.tilts[bone]).T @ (at - self._origins[bone]) / self.size
        return self.local(bone, np.array([0.0, *own]))

    @property
    def condyles(self) -> tuple[float, float, float]:
        """The middle of the condyles in the head's segment (m)."""
        return self.local("skull", bones()["skull"].marks["occipital condyle"] * (0.0, 1.0, 1.0))

    @property
    def length(self) -> float:
        """Of the neck (m): from the front upper edge of T1's body to the middle of the condyles."""
        return float(
            np.linalg.norm(self.place("skull", bones()["skull"].mark("occipital condyle")))
        )

    def mass(self, bone: str) -> float:
        """The mass (kg) of a bone with its flesh."""
        return bones()[bone].mass * (self.head if bone == "skull" else 1.0)

    def turn(self, bone: str) -> float:
        """By how much a bone's segment is tilted; T1's stands level."""
        return 0.0 if bone == "T1" else self.tilts[bone]

    def bent(self, upper: str) -> float:
        """By how much a bone is bent forward on the one below, beside the tables."""
        low, high = (
            self.tilts[bone] - bones()[bone].tilt for bone in (BONES[BONES.index(upper) - 1], upper)
        )
        return high - low

    @staticmethod
    def _middle(bone: str) -> Array:
        return bones()[bone].mark("center of mass")


def _tidy(value: float) -> float:
    return round(float(value), 6) + 0.0
