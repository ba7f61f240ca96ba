"""Legs and arms of a person."""

from __future__ import annotations

import math
from typing import Any

from solver.bodies.body import RIGHT, friction_of, id_as_words, read, spring_of, turn_of
from solver.bodies.dimensions import ankle_height_m, density
from solver.bodies.parts import ASSUMED, Data, Vector
from solver.bodies.people.bones import (
    ARM_BONES,
    FEMUR_NM,
    FEMUR_SAID,
    FLESH,
    SHIN_NM,
    SHIN_SAID,
    Bones,
)
from solver.bodies.people.trunk import ABDOMEN

# Sides of a person: ribs on slides, right and left, and pelvis halves on rigid cuts.
#
# The cut of a half of the pelvis lies where it meets the sacrum. It tells all that this half hands over, and so what
# goes through the pubic symphysis: the sacroiliac joint is taken to bear no moment about the upright axis (*assumed*),
# so that the moment at the cut is borne by the push at the symphysis, over the way between both.

SIDES = {
    "side_belly": ("Side of the belly", 10.0e3, 0.225, 6.8),
    "side_pelvis": ("Side of the pelvis", 30.0e3, 0.95, 5.2),
}
"""Of the 50th man on what is rigid, F = k d (1 + c d'): k (N/m) and c (s/m), fitted on hubs at a speed (m/s) alone; each of the belly's two
slices has the law, the pelvis itself."""
RIBS, RIBS_LATE, RIBS_SPEED = 25.4e3, 0.165, 6.5
"""Of a side of the 50th man's chest, sideways, in the same form: k, c and the speed they were fitted at."""
RIBS_KG = 0.45
"""Of the 50th man, each side, out of the upper torso: as the sternum, assumed."""
RIBS_WIDE, RIBS_MEET, RIBS_TOGETHER = 0.45, 0.6, 82e3
"""Half breadth of the shape of a side's ribs, and how far one side goes in until the chest's walls meet behind lungs and heart, in parts of
half the chest's breadth: assumed, about as far as in the test that was fitted, as what lies between is in the law of the ribs. From there
(N/m) flesh on flesh (public sled deck)."""
HALF = 0.1
"""Of the pelvis with its flesh, each half out to the cut: assumed."""
CORE = 0.15
"""Half breadth of what ends the way of ribs, the spine, in parts of the chest's; of the pelvis between its halves 0.5: assumed."""


class Flanks(Bones):
    """Put the sides to the trunk."""

    def _core(self, segment: str, part: float) -> None:
        """Add to a slice the narrower shape that what is around meets beside the ribs, or between halves of the pelvis."""
        one = next(s for s in self.segments if s["id"] == segment)
        shape = next((s for s in one["surfaces"] if s["id"] == "jacket"), one["surfaces"][0])
        a, b, c = shape["semi_axes_m"]
        one["surfaces"].append(
            {
                "kind": "ellipsoid", "id": "core", "name": "Core", "semi_axes_m": (a, round(part * b, 5), c),
                "centre_m": shape["centre_m"],
            }
        )  # fmt: skip

    def _out_of(
        self, whole: str, id_: str, mass: float, semi: Vector, centre: Vector, note: str
    ) -> None:
        """Add a part of one side out of a slice: as heavy and as hard to turn as before, both sides and the slice together."""
        x, _, z = self.places[whole]
        self._segment(
            id_, mass, (x, centre[1], z), semi, f"{note}; mass centre as high as that of its slice", centre=centre
        )  # fmt: skip
        one, part = (next(s for s in self.segments if s["id"] == name) for name in (whole, id_))
        far = mass * centre[1] ** 2
        one["mass_kg"] = round(one["mass_kg"] - mass, 5)
        one["inertia_kgm2"] = tuple(
            float(f"{i - j - (0.0 if axis == 1 else far):.5g}")
            for axis, (i, j) in enumerate(
                zip(one["inertia_kgm2"], part["inertia_kgm2"], strict=True)
            )
        )

    def _cores(self) -> None:
        for segment, part in (("upper_torso", CORE), ("lower_ribs", CORE), ("lower_torso", 0.5)):
            self._core(segment, part)

    def _side(self, side: str) -> None:
        """Add the ribs of a side and the half of the pelvis."""
        self._side_ribs(side, 1.0 if side == RIGHT else -1.0)
        self._half(side, 1.0 if side == RIGHT else -1.0)

    def _side_ribs(self, side: str, sign: float) -> None:
        depth, broad = self.d["chest_depth_m"], self.d["chest_breadth_m"] / 2.0
        low, middle = self.spine["thoracic_1"][1], self.spine["thoracic_2"][1]
        top = middle + 0.2 * (self.spine["disc_1"][1] - middle)
        wide = RIBS_WIDE * broad
        place: Vector = (self.back + 0.5 * depth, sign * (broad - wide), -0.5 * (low + top))
        id_ = f"{side}ribs"
        self._out_of(
            "upper_torso", id_, RIBS_KG * self.by.mass, (0.36 * depth, wide, 0.5 * (top - low)), place,
            f"0.45 kg of the 50th man, others by their mass; shape: {ASSUMED}",
        )  # fmt: skip
        inwards = {"angles_rad": (0.0, 0.0, sign * math.pi / 2)}
        law = f"F = k d (1 + c d'), fitted on a hub at {RIBS_SPEED:g} m/s (Viano 1989; docs/validation.md), other sizes by equal stress, equal velocity"
        self._joint(
            id_, "slip", "upper_torso", id_, place, law, rotation="none", parent_turn=inwards, child_turn=inwards,
        )  # fmt: skip
        stiff = RIBS * self.by.chest_stiffness
        if side == RIGHT:
            self._function(
                "side_ribs_force", "Ribs of a side: force by deflection", "m", "N", (0.0, 0.2), (0.0, 0.2 * stiff), law
            )  # fmt: skip
        late = RIBS_LATE * stiff
        self.coordinate_forces.append(
            {
                "id": id_, "name": f"{id_as_words(id_)}, sideways", "source": law, "zero": 0.0,
                "coordinate": {"kind": "joint", "joint": id_, "axis": "slide"},
                "laws": [
                    {"kind": "rest", "above": "side_ribs_force", "below": "ribs_outward"},
                    *(
                        {"kind": "one_way_damper", "acts": acts, "damping": 0.0, "growth": round(late, 2), "upper": 0.0}
                        for acts in ("growing", "falling")
                    ),
                ],
            }
        )  # fmt: skip

    def _half(self, side: str, sign: float) -> None:
        """Add a half of the pelvis, out to its cut at the sacrum."""
        half = self.d["hip_breadth_standing_m"] / 2.0
        deep = self.d["buttock_depth_m"] / 2.0
        wide = 0.4 * half
        self._out_of(
            "lower_torso", f"{side}ilium", HALF * self._slice("lower_torso"), (0.5 * deep, wide, 0.6 * self.hip_z),
            (0.0, sign * (half - wide), 0.0),
            f"a tenth of the pelvis with its flesh, shape of the side over the trochanter: {ASSUMED}",
        )  # fmt: skip
        # as far behind the hips as the joint below L5, above them by half of it
        x, up = self.spine["lumbar_1"]
        self._joint(
            f"{side}sacroiliac", "locked", "lower_torso", f"{side}ilium", (x, sign * 0.3 * half, -0.5 * up),
            f"a rigid cut, for what a half of the pelvis bears; as far behind the hips as the joint below L5: {ASSUMED}",
        )  # fmt: skip

    def _to_pubis(self) -> float:
        """The way forward from the cuts to the pubic symphysis, which lies below the iliac spines (m)."""
        ahead = 0.19 * 1.37 * self.d["hip_breadth_standing_m"] / 2.0
        return ahead - self.spine["lumbar_1"][0]

    def _side_outputs(self) -> None:
        """Add what reports the sides: deflection of ribs and its viscous criterion, load of halves of the pelvis, pubic load.

        The viscous criterion from ahead takes the depth of this chest, and no factor of a dummy's (Lau and Viano 1986, from memory).
        """
        broad = self.d["chest_breadth_m"] / 2.0
        self.outputs += [
            {"kind": "joint", "id": "sternum_way", "name": "Sternum, way inwards", "joint": "sternum", "quantity": "angle", "cfc": 180},
            {
                "kind": "injury", "id": "chest_VC", "name": "Chest, viscous criterion", "criterion": "VC", "output": "sternum_way",
                "depth_m": round(self.d["chest_depth_m"], 4), "scale": 1.0,
            },
        ]  # fmt: skip
        for side in ("right_", "left_"):
            way, cut = f"{side}ribs_way", f"{side}pelvis_half"
            name = id_as_words(side + "ribs")
            self.outputs += [
                {"kind": "joint", "id": way, "name": f"{name}, way inwards", "joint": f"{side}ribs", "quantity": "angle", "cfc": 180},
                {"kind": "injury", "id": f"{side}rib_deflection", "name": f"{name}, deflection", "criterion": "rib_deflection", "output": way},
                {
                    "kind": "injury", "id": f"{side}rib_VC", "name": f"{name}, viscous criterion", "criterion": "VC", "output": way,
                    "depth_m": round(broad, 4), "scale": 1.0,
                },
                {
                    "kind": "joint", "id": f"{cut}_force", "name": f"{id_as_words(cut)}, force", "joint": f"{side}sacroiliac", "quantity": "force",
                    "in_axes_of": "parent", "cfc": 600,
                },
                {
                    "kind": "joint", "id": f"{cut}_moment", "name": f"{id_as_words(cut)}, moment", "joint": f"{side}sacroiliac", "quantity": "torque",
                    "in_axes_of": "parent", "cfc": 600,
                },
                {
                    "kind": "injury", "id": f"{side}pubic_load", "name": f"Pubic load by the {side.removesuffix('_')} half",
                    "criterion": "pubic_load", "output": f"{cut}_moment", "lever_m": round(self._to_pubis(), 4),
                },
            ]  # fmt: skip

    def _skins(self) -> None:
        super()._skins()
        factors = {
            "side_belly": self.by.soft * self.by.sitting,
            "side_pelvis": self.by.chest_stiffness,
        }
        self._inside()
        for id_, (name, stiff, damping, speed) in SIDES.items():
            self.contact_laws.append(
                {
                    "kind": "hunt_crossley", "id": id_, "name": f"{name} on what is rigid",
                    "source": f"fitted on hubs at {speed:g} m/s (Viano 1989; docs/validation.md), other sizes by equal stress, equal velocity",
                    "stiffness_n_per_mn": round(stiff * factors[id_], 1), "exponent": 1.0, "damping_s_per_m": damping,
                }
            )  # fmt: skip

    def _inside(self) -> None:
        """Add the laws of parts of the trunk on each other: ribs of both sides, and the belly with the ribs above."""
        half = self.d["chest_breadth_m"] / 2.0
        begins, ends = (RIBS_MEET - 2.0 + 4.0 * RIBS_WIDE) * half, 2.0 * RIBS_WIDE * half
        walls = RIBS_TOGETHER * self.by.chest_stiffness
        belly = ABDOMEN * self.by.soft * self.by.sitting
        for id_, name, x, y, label in (
            (
                "ribs_together", "Ribs of both sides on each other", (0.0, begins, ends), (0.0, 0.0, walls * (ends - begins)),
                f"from where one side has gone in by {RIBS_MEET:g} of half the chest's breadth ({ASSUMED}) as flesh on flesh of the public sled deck",
            ),
            ("ribs_on_belly", "Ribs on the belly below", (0.0, 0.15), (0.0, 0.15 * belly), f"as stiff as under a belt at the navel: {ASSUMED}"),
        ):  # fmt: skip
            self._function(f"{id_}_force", f"{name}: force by depth", "m", "N", x, y, label)
            self.contact_laws.append(
                {
                    "kind": "damped", "id": id_, "name": name, "source": label, "base": f"{id_}_force", "damping_ns_per_m": 0.0,
                }
            )  # fmt: skip


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
        bones = (
            (f"{side}upper_leg", f"{side}knee_block"),
            (f"{side}lower_leg", f"{side}ankle_block"),
        )
        if self.breaking_bones:
            self._bone(f"{side}femur_cell", bones[0], (0.0, y, cut), FEMUR_NM, FEMUR_SAID)
        else:
            self._joint(
                f"{side}femur_cell", "locked", *bones[0], (0.0, y, cut), "a rigid cut, for what the femur bears",
            )  # fmt: skip
        self._knee(side, (0.0, y, thigh))
        self._bone(f"{side}tibia_cell", bones[1], (0.0, y, broken), SHIN_NM, SHIN_SAID)
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
                "id": f"{side}knee_ligaments", "name": f"{id_as_words(side + 'knee')}, sideways", "source": KNEE_SAID,
                "coordinate": {"kind": "joint", "joint": f"{side}knee", "axis": "second"}, "zero": 0.0,
                "laws": [
                    {"kind": "plastic", "stiffness": round(stiffness, 2), "limit": "knee_ligaments"},
                    {"kind": "viscous", "damping": round(KNEE_LATE_S * stiffness, 4)},
                ],
            }
        )  # fmt: skip

    def _said(self) -> str:
        return "stops and friction of the printed 50th-percentile man, by equal stress in bending; range by sex and age (Soucie 2011)"

    def _halves(
        self, side: str, name: str, mass: float, top: Vector, length: float, reach: tuple[float, float], centre: float
    ) -> str:  # fmt: skip
        """Add a part of an arm, where bones break in two halves with a cut between them, that balance as one would; name its far end."""
        whole, (x, y, z) = f"{side}{name}", top
        if not self.breaking_bones:
            self._limb(whole, name, mass, top, length, reach, centre)
            return whole
        half, over, farther = 0.5 * length, 0.06 * length, f"{side}{FLESH[name][1]}"
        beyond = 2.0 * centre - 0.5
        self._limb(whole, name, (1.0 - beyond) * mass, top, half, (reach[0], over), 0.5)
        place = (x, y, z + half)
        self._limb(farther, name, beyond * mass, place, half, (over, reach[1]), 0.5)
        return farther

    def _arm_bone(self, side: str, name: str, place: Vector) -> None:
        """Add the cut of a part of an arm, where bones break."""
        if self.breaking_bones:
            ends = f"{side}{name}", f"{side}{FLESH[name][1]}"
            self._bone(f"{side}{name}_cell", ends, place, *ARM_BONES[name])

    def _arm(self, side: str) -> None:
        x, y, z = self._shoulder(1.0 if side == RIGHT else -1.0)
        upper, fore, hand = self.upper_arm, self.forearm, self.hand
        palm = HAND_PART * self.kg["forearm"]
        radius = self.d["biceps_circumference_m"] / (2.0 * math.pi)
        elbow = self._halves(
            side, "upper_arm", self.kg["upper_arm"], (x, y, z), upper, (0.7 * radius, 0.2 * radius), 0.5772
        )  # fmt: skip
        wrist_at = self._halves(
            side, "forearm", self.kg["forearm"] - palm, (x, y, z + upper), fore, (0.3 * radius, 0.0), 0.4574
        )  # fmt: skip
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
        self._arm_bone(side, "upper_arm", (x, y, z + 0.5 * upper))
        self._joint(
            f"{side}elbow",
            "pin",
            elbow,
            f"{side}forearm",
            (x, y, z + upper),
            self._said(),
            **self._printed("elbow", side),
        )
        self._arm_bone(side, "forearm", (x, y, z + upper + 0.5 * fore))
        k = self.by.moments
        wrist = {
            "stop_rad": 0.9,
            "quadratic_nm_per_rad2": round(60.0 * k, 3),
            "returned_ratio": 0.7,
        }
        self._joint(
            f"{side}wrist", "ball", wrist_at, f"{side}hand", (x, y, z + upper + fore), ASSUMED, flexure=wrist, torsion=dict(wrist),
            friction={"viscous_nms_per_rad": round(0.1 * k, 4)},
        )  # fmt: skip
        self._flesh(side)
