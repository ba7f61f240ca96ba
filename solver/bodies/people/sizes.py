"""Sizes and masses of a person, from which its parts are put together."""

from __future__ import annotations

import math

from solver.bodies.dimensions import Dimensions
from solver.bodies.entries import read
from solver.bodies.from_tables import BEIER_M
from solver.bodies.parts import Origin, Parts
from solver.bodies.people.ranges import ranges
from solver.bodies.people.scaling import scaling
from solver.bodies.people.spine import ALONG, HEAD_MM, joints_m
from solver.bodies.shares import NECK_PART, density, shares

FITTED = "fitted on the chests of Kroell at 7.15 m/s and of Kent at 1 m/s (docs/validation.md), other sizes by equal stress, equal velocity"
PLACES = (
    "dimensions of the generator; spine: solver/bodies/people/spine.py; limbs: parts of the stature"
)
UPPER_ARM, FOREARM = 0.1618, 0.1545
"""Lengths between joints in parts of the stature: de Leva (1996), from memory; they go with the arm's outer lengths."""
THIGH_PART = 0.245 / (0.245 + 0.246)
"""Of the thigh in the way from hip to ankle: Drillis and Contini (1966)."""


class Sized(Parts):
    """Hold a person while it is put together."""

    def __init__(self, d: Dimensions, *, compressing: bool = False) -> None:
        """Begin with sizes and masses, and with which joints of the spine give way along themselves."""
        self.d, self.by, self.kg = d, scaling(d), shares(d)
        self.along = ALONG if compressing else {}
        self.ranges = ranges(d)
        self.hip_z = d["thigh_circumference_m"] / (2.0 * math.pi)
        grown = d["head_length_m"] / BEIER_M
        self.head_kg = (1.0 - NECK_PART) * self.kg["head"]
        long, wide = d["head_length_m"] / 2.0, d["head_breadth_m"] / 2.0
        self.head = (
            long,
            wide,
            self.head_kg / density("head") / (4.0 / 3.0 * math.pi * long * wide),
        )
        self.centre = (1e-3 * HEAD_MM[0] * grown, 1e-3 * HEAD_MM[1] * grown)
        crown = self.centre[1] + self.head[2]
        self.spine = joints_m(d, crown, self.hip_z)
        hip_x = self.d["buttock_depth_m"] * 0.57
        lengths = {"hip_x": hip_x, "hip_z": self.hip_z}
        super().__init__(lengths.__getitem__, Origin(read("shares")["source"], PLACES, FITTED))
        self._legs_and_arms()

    def _legs_and_arms(self) -> None:
        d, tall = self.d, self.d["standing_height_m"]
        self.ankle = 0.039 * tall
        way = tall - d["seated_height_m"] + self.hip_z - self.ankle
        self.thigh, self.shank = THIGH_PART * way, (1.0 - THIGH_PART) * way
        # in parts of a man's, whose outer lengths are 0.2028 and 0.2786 of the stature
        self.upper_arm = UPPER_ARM * d["shoulder_to_elbow_length_m"] / 0.2028
        self.forearm = FOREARM * d["forearm_hand_length_m"] / 0.2786
        self.hand = 0.108 * d["forearm_hand_length_m"] / 0.2786
