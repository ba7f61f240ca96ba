"""Legs and arms of a person."""

from __future__ import annotations

import math
from typing import Any

from solver.bodies.body import RIGHT, said
from solver.bodies.dimensions import ankle_height_m
from solver.bodies.entries import friction_of, read, spring_of, turn_of
from solver.bodies.parts import ASSUMED, Data, Vector
from solver.bodies.people.flanks import Flanks
from solver.bodies.shares import density

HAND_PART = 0.61 / 2.23
"""Of the hand in forearm and hand: de Leva (1996), men."""

CALF_PART = 0.62
"""Of the shank's mass above its middle: so that with both halves' own middles the whole balances at 0.44 of its length."""

KNEE_NM, KNEE_TORN_DEG, KNEE_LEFT_NM, KNEE_LATE_S = 134.0, (16.0, 30.0), 25.0, 0.002
"""Moment sideways at which a man's knee fails, the angles where it does and where its ligaments are torn, what is left
then, and damping as a time of the stiffness."""
KNEE_SAID = (
    "fails sideways at 134 N*m (SAE 2003-01-0895: three knees, SD 7), at 16 degrees by a published model of the leg "
    "(LLMS, its abstract); what is left when it is torn, and damping: assumed"
)

SHIN_NM, SHIN_LEFT_NM = 291.0, 10.0
"""Moment at which a man's tibia breaks, and what holds it then."""
SHIN_SAID = (
    "a rigid cut that breaks at 291 N*m (SAE 2003-01-0895: bending sideways, eight tibias, SD 69); a broken one is held by "
    "10 N*m, assumed"
)


class Limbs(Flanks):
    """Put legs and arms to the trunk."""

    def _printed(self, name: str, side: str) -> Data:
        """Give axes, stops and friction of a printed joint, moments and ranges carried over to this person."""
        entry: Any = read("joints")["joints"][name]
        factor = self.by.moments
        more: Data = {"friction": friction_of(read("joints")["friction"], factor)}
        far = self.ranges.limbs[name]
        flexure = spring_of(entry["flexure"], factor, far)
        if entry["kind"] == "pin":
            more["spring"] = flexure
        else:
            more |= {"flexure": flexure, "torsion": spring_of(entry["torsion"], factor, far)}
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
        broken = thigh + 0.5 * shank
        calf = self.kg["lower_leg"]
        self._limb(
            f"{side}lower_leg", "lower_leg", CALF_PART * calf, (0.0, y, thigh), 0.5 * shank,
            (0.3 * knee, 0.06 * shank), 0.5,
        )  # fmt: skip
        self._limb(
            f"{side}ankle_block", "lower_leg", (1.0 - CALF_PART) * calf, (0.0, y, broken), 0.5 * shank,
            (0.06 * shank, 0.6 * self.ankle), 0.5,
        )  # fmt: skip
        ankle: Vector = (0.0, y, thigh + shank)
        toe, high = d["foot_length_m"], ankle_height_m(d)
        self._segment(
            f"{side}foot", self.kg["foot"], (0.27 * toe, y, ankle[2] + self.ankle - 0.5 * high), (0.5 * high, d["foot_breadth_m"] / 2.0, 0.5 * toe),
            "outer dimensions", turned=True,
        )  # fmt: skip
        self._joint(
            f"{side}hip",
            "ball",
            f"{side}ilium",
            f"{side}upper_leg",
            (0.0, y, 0.0),
            self._said(),
            **self._printed("hip", side),
        )
        self._joint(
            f"{side}femur_cell", "locked", f"{side}upper_leg", f"{side}knee_block", (0.0, y, cut), "a rigid cut, for what the femur bears",
        )  # fmt: skip
        self._knee(side, (0.0, y, thigh))
        self._shin(side, (0.0, y, broken))
        self._joint(
            f"{side}ankle",
            "ball",
            f"{side}ankle_block",
            f"{side}foot",
            ankle,
            self._said(),
            **self._printed("ankle", side),
        )

    def _knee(self, side: str, place: Vector) -> None:
        """Add a knee that bends as printed, and sideways until its ligaments tear."""
        printed = self._printed("knee", side)
        # flexion about the thigh's y, then sideways about the shank's own x
        across = {"angles_rad": (math.pi / 2, 0.0, 0.0)}
        rest = -float(read("joints")["joints"]["knee"]["child_axes_deg"][1])
        factor = self.by.moments
        self._joint(
            f"{side}knee", "universal", f"{side}knee_block", f"{side}lower_leg", place,
            f"{self._said()}; sideways: {KNEE_SAID}", parent_turn=across, child_turn=across,
            first={"centre_rad": math.radians(rest), "spring": printed["spring"], "friction": printed["friction"]},
        )  # fmt: skip
        turned = tuple(
            math.radians(angle)
            for angle in (-60.0, *(-a for a in KNEE_TORN_DEG[::-1]), *KNEE_TORN_DEG, 60.0)
        )
        left = factor * KNEE_LEFT_NM
        limit = factor * KNEE_NM
        if side == RIGHT:
            self._function(
                "knee_ligaments", "Knee, ligaments: moment sideways", "rad", "N*m",
                turned, (left, left, limit, limit, left, left), KNEE_SAID,
            )  # fmt: skip
        stiffness = limit / math.radians(KNEE_TORN_DEG[0])
        self.coordinate_forces.append(
            {
                "id": f"{side}knee_ligaments", "name": f"{said(side + 'knee')}, sideways", "source": KNEE_SAID,
                "coordinate": {"kind": "joint", "joint": f"{side}knee", "axis": "second"}, "zero": 0.0,
                "laws": [
                    {"kind": "plastic", "stiffness": round(stiffness, 2), "limit": "knee_ligaments"},
                    {"kind": "viscous", "damping": round(KNEE_LATE_S * stiffness, 4)},
                ],
            }
        )  # fmt: skip

    def _shin(self, side: str, place: Vector) -> None:
        """Add the cut in a shin that tells what it bears, and where it breaks."""
        factor = self.by.moments
        self._joint(
            f"{side}tibia_cell", "ball", f"{side}lower_leg", f"{side}ankle_block", place, SHIN_SAID,
            lock={"locked": True, "unlock_torque_nm": round(factor * SHIN_NM, 2)},
            friction={"coulomb_nm": round(factor * SHIN_LEFT_NM, 3), "full_rate_rad_per_s": 0.5},
        )  # fmt: skip

    def _said(self) -> str:
        return "stops and friction of the printed 50th-percentile man, by equal stress in bending; range by sex and age (Soucie 2011)"

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
