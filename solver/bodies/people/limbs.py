"""Legs and arms of a person."""

from __future__ import annotations

import math
from typing import Any

from solver.bodies.body import RIGHT
from solver.bodies.dimensions import ankle_height_m
from solver.bodies.entries import friction_of, read, spring_of, turn_of
from solver.bodies.parts import ASSUMED, Data, Vector
from solver.bodies.people.trunk import Trunk
from solver.bodies.shares import density

HAND_PART = 0.61 / 2.23
"""Of the hand in forearm and hand: de Leva (1996), men."""


class Limbs(Trunk):
    """Put legs and arms to the trunk."""

    def _printed(self, name: str, side: str) -> Data:
        """Give axes, stops and friction of a printed joint, moments carried over to this person."""
        entry: Any = read("joints")["joints"][name]
        factor = self.by.moments
        more: Data = {"friction": friction_of(read("joints")["friction"], factor)}
        flexure = spring_of(entry["flexure"], factor)
        if entry["kind"] == "pin":
            more["spring"] = flexure
        else:
            more |= {"flexure": flexure, "torsion": spring_of(entry["torsion"], factor)}
        for key in ("parent", "child"):
            if f"{key}_axes_deg" in entry:
                more[f"{key}_turn"] = turn_of(entry[f"{key}_axes_deg"]).model_dump()
        return more

    def _limb(
        self, name: str, part: str, mass: float, top: Vector, length: float, reach: tuple[float, float], centre: float
    ) -> float:  # fmt: skip
        """Add a part of a limb that hangs from a place, as thick as its mass asks for; give its radius."""
        x, y, z = top
        low, high = z - reach[0], z + length + reach[1]
        half = 0.5 * (high - low)
        radius = math.sqrt(mass / density(part) / (4.0 / 3.0 * math.pi * half))
        self._segment(
            name, mass, (x, y, z + centre * length), (radius, radius, half), "as thick as its mass asks for",
            centre=(x, y, 0.5 * (low + high)),
        )  # fmt: skip
        return radius

    def _leg(self, side: str) -> None:
        d, sign = self.d, 1.0 if side == RIGHT else -1.0
        y = 0.435 * (d["hip_breadth_standing_m"] / 2.0) * sign
        thigh, shank = self.thigh, self.shank
        knee = d["knee_circumference_m"] / (2.0 * math.pi)
        cut, block = 0.55 * thigh, 0.3
        mass = self.kg["upper_leg"]
        self._limb(
            f"{side}upper_leg",
            "upper_leg",
            (1.0 - block) * mass,
            (0.0, y, 0.0),
            0.78 * thigh,
            (0.3 * self.hip_z, 0.0),
            0.42,
        )
        self._limb(
            f"{side}knee_block",
            "upper_leg",
            block * mass,
            (0.0, y, cut),
            thigh - cut,
            (0.06 * thigh, 0.8 * knee),
            0.55,
        )
        self._limb(
            f"{side}lower_leg",
            "lower_leg",
            self.kg["lower_leg"],
            (0.0, y, thigh),
            shank,
            (0.3 * knee, 0.6 * self.ankle),
            0.44,
        )
        ankle: Vector = (0.0, y, thigh + shank)
        toe, high = d["foot_length_m"], ankle_height_m(d)
        self._segment(
            f"{side}foot", self.kg["foot"], (0.27 * toe, y, ankle[2] + self.ankle - 0.5 * high), (0.5 * high, d["foot_breadth_m"] / 2.0, 0.5 * toe),
            "outer dimensions", turned=True,
        )  # fmt: skip
        self._joint(
            f"{side}hip",
            "ball",
            "lower_torso",
            f"{side}upper_leg",
            (0.0, y, 0.0),
            self._said(),
            **self._printed("hip", side),
        )
        self._joint(
            f"{side}femur_cell", "locked", f"{side}upper_leg", f"{side}knee_block", (0.0, y, cut), "a rigid cut, for what the femur bears",
        )  # fmt: skip
        self._joint(
            f"{side}knee",
            "pin",
            f"{side}knee_block",
            f"{side}lower_leg",
            (0.0, y, thigh),
            self._said(),
            **self._printed("knee", side),
        )
        self._joint(
            f"{side}ankle",
            "ball",
            f"{side}lower_leg",
            f"{side}foot",
            ankle,
            self._said(),
            **self._printed("ankle", side),
        )

    def _said(self) -> str:
        return "stops and friction of the printed 50th-percentile man, by equal stress in bending"

    def _arm(self, side: str) -> None:
        x, y, z = self._shoulder(1.0 if side == RIGHT else -1.0)
        upper, fore, hand = self.upper_arm, self.forearm, self.hand
        palm = HAND_PART * self.kg["forearm"]
        radius = self.d["biceps_circumference_m"] / (2.0 * math.pi)
        self._limb(
            f"{side}upper_arm",
            "upper_arm",
            self.kg["upper_arm"],
            (x, y, z),
            upper,
            (0.7 * radius, 0.2 * radius),
            0.5772,
        )
        self._limb(
            f"{side}forearm",
            "forearm",
            self.kg["forearm"] - palm,
            (x, y, z + upper),
            fore,
            (0.3 * radius, 0.0),
            0.4574,
        )
        flat = palm / density("forearm") / (4.0 / 3.0 * math.pi * 0.5 * hand)
        self._segment(
            f"{side}hand", palm, (x, y, z + upper + fore + 0.45 * hand), (math.sqrt(flat / 2.2), math.sqrt(flat * 2.2), 0.5 * hand),
            "as thick as its mass asks for; 2.2 times as thick fore and aft as it is broad: assumed",
        )  # fmt: skip
        self._joint(
            f"{side}shoulder",
            "ball",
            f"{side}shoulder",
            f"{side}upper_arm",
            (x, y, z),
            self._said(),
            **self._printed("shoulder", side),
        )
        self._joint(
            f"{side}elbow",
            "pin",
            f"{side}upper_arm",
            f"{side}forearm",
            (x, y, z + upper),
            self._said(),
            **self._printed("elbow", side),
        )
        k = self.by.moments
        wrist = {
            "stop_rad": 0.9,
            "quadratic_nm_per_rad2": round(60.0 * k, 3),
            "returned_ratio": 0.7,
        }
        self._joint(
            f"{side}wrist", "ball", f"{side}forearm", f"{side}hand", (x, y, z + upper + fore), ASSUMED, flexure=wrist, torsion=dict(wrist),
            friction={"viscous_nms_per_rad": round(0.1 * k, 4)},
        )  # fmt: skip
