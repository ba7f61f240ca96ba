"""Bones of a person's limbs: cuts that tell what they bear, shafts that bend until they break, flesh apart from them."""

from __future__ import annotations

import math

from solver.bodies.body import RIGHT, id_as_words
from solver.bodies.parts import Data, Vector
from solver.bodies.people.trunk import Trunk

SHIN_NM, FEMUR_NM, BONE_LEFT_NM = 291.0, 382.0, 10.0
"""Moments at which a man's tibia and femur break, and what holds a broken bone."""
HUMERUS_NM, FOREARM_NM = 230.0, 94.0
"""Moments at which a man's upper arm and forearm break."""
SHIN_SAID, FEMUR_SAID, HUMERUS_SAID, FOREARM_SAID = (
    f"breaks at {limit:g} N*m ({source}); a broken one is held by {BONE_LEFT_NM:g} N*m, assumed"
    for limit, source in (
        (SHIN_NM, "SAE 2003-01-0895: bending sideways, SD 69, eight tibias"),
        (
            FEMUR_NM,
            "SAE 2003-01-0895: bending sideways, SD 103; five men's bent fore and aft bore 219 to 438, Ivarsson 2009",
        ),
        (
            HUMERUS_NM,
            "of the 50th man, SAE 962416, abstract; three men's struck at 3 m/s bore 184 to 239, Kemper 2005",
        ),
        (FOREARM_NM, "SAE 983149: thirty forearms struck at 3 and 8 m/s, mean, from memory"),
    )
)

ARM_BONES = {"upper_arm": (HUMERUS_NM, HUMERUS_SAID), "forearm": (FOREARM_NM, FOREARM_SAID)}
"""Of parts of an arm: the moment at which its bone breaks, and its source."""

BENDS, TWISTS, BONE_LATE_S = 2300.0 / FEMUR_NM, 0.13, 1e-4
"""Of a shaft that bends in its cut: stiffness by the moment that breaks it (1/rad), that in twist by that in bending, damping as a time of it."""
BENDS_SAID = (
    "bends in its cut as a beam that is pushed there, 3 EI / L: a femur of 300 N*m2 (Heiner 2008, from memory) over 0.39 m, 2300 N*m/rad (1600: bones with "
    "what else gave way in the rigs of Ivarsson 2009; 4500: a tube of 27 by 7 mm); others bend as far before they break, 9.5 degrees (four humeri at 3 m/s 7.3 to 12.1, Kemper 2005); twist 2 G / 3 E of a tube "
    "(Reilly and Burstein 1975); damping: a loss of 0.03 at 50 Hz (compact bone, Garner 2000, from memory)"
)

BONE_PART = {"upper_leg": 0.12, "lower_leg": 0.22, "upper_arm": 0.15, "forearm": 0.2}
"""Of the mass of a part of a limb: bone with marrow (legs: cadavers of Clarys 1984, from memory; 0.10 to 0.15, 0.18 to 0.26; arms: assumed, 0.12 to 0.2, 0.15 to 0.26)."""
FLESH = {
    "upper_leg": ("upper_leg", "knee_block"), "lower_leg": ("lower_leg", "ankle_block"),
    "upper_arm": ("upper_arm", "elbow_block"), "forearm": ("forearm", "wrist_block"),
}  # fmt: skip
"""Parts of a limb before and beyond the cut of its bone, whose flesh is numbered in this order."""
FLESH_HZ, FLESH_DAMPING = 20.0, 0.3
"""Frequency and damping of flesh on its bone (muscles of thigh and calf swing at 10 to 50 Hz, damped by 0.2 to 0.6: Wakeling and Nigg 2001, from memory)."""
FLESH_WAY, FLESH_STIFFENS = 0.5, 10.0
"""Way of the flesh over its bone, in parts of the limb's radius, from which it is so many times as stiff: assumed."""
FLESH_SAID = (
    f"flesh swings on its bone at {FLESH_HZ:g} Hz, damped by {FLESH_DAMPING:g} (10 to 50 Hz, 0.2 to 0.6: Wakeling and Nigg 2001, from memory), and is "
    f"{FLESH_STIFFENS:g} times as stiff beyond half of the limb's radius: assumed"
)


class Bones(Trunk):
    """Put bones, and the flesh around them, to what is there of a limb."""

    def _bone(
        self, id_: str, ends: tuple[str, str], place: Vector, limit: float, said: str
    ) -> None:
        """Add the cut in a bone that tells what it bears, and where it breaks: rigid, or a hinge in which its shaft bends."""
        factor = self.by.moments
        torque, left = round(factor * limit, 2), round(factor * BONE_LEFT_NM, 3)
        if not self.breaking_bones:
            self._joint(
                id_, "ball", *ends, place, f"a rigid cut that {said}", lock={"locked": True, "unlock_torque_nm": torque},
                friction={"coulomb_nm": left, "full_rate_rad_per_s": 0.5},
            )  # fmt: skip
            return
        stiff = factor * limit * BENDS
        self._joint(
            id_, "ball", *ends, place, f"{said}; {BENDS_SAID}",
            flexure={"linear_nm_per_rad": round(stiff, 2)}, torsion={"linear_nm_per_rad": round(TWISTS * stiff, 2)},
            friction={"viscous_nms_per_rad": round(BONE_LATE_S * stiff, 5), "full_rate_rad_per_s": 0.5},
            breakage={"torque_nm": torque, "hangs_nm": left},
        )  # fmt: skip

    def _flesh(self, side: str) -> None:
        """Take the flesh off the parts of a side's limbs, and hang it on the bones that are left, where bones break."""
        if self.breaking_bones:
            parts = [(part, BONE_PART[limb]) for limb, both in FLESH.items() for part in both]
            for number, (part, bone) in enumerate(parts, 1):
                self._hung(side, f"flesh_{number}", f"{side}{part}", bone)

    def _hung(self, side: str, name: str, part: str, bone: float) -> None:
        """Hang the flesh of a part on its bone: it swings all six ways at one frequency."""
        one = next(s for s in self.segments if s["id"] == part)
        mass = (1.0 - bone) * one["mass_kg"]
        inertia = tuple((1.0 - bone) * i for i in one["inertia_kgm2"])
        id_, place, shape = f"{side}{name}", self.places[part], one["surfaces"][0]["semi_axes_m"]
        self._segment(
            id_, mass, place, None, FLESH_SAID, size=shape, inertia=(inertia[0], inertia[1], inertia[2]),
            inertia_from="its part of the limb's",
        )  # fmt: skip
        one["mass_kg"] = round(bone * one["mass_kg"], 5)
        one["inertia_kgm2"] = tuple(float(f"{bone * i:.5g}") for i in one["inertia_kgm2"])
        rate = 2.0 * math.pi * FLESH_HZ
        stiff, way = mass * rate**2, FLESH_WAY * shape[0]
        force = f"{name}_force"
        if side == RIGHT:
            self._function(
                force, f"{id_as_words(name)}: force by way over the bone", "m", "N",
                (0.0, way, 3.0 * way), (0.0, stiff * way, stiff * way * (1.0 + 2.0 * FLESH_STIFFENS)), FLESH_SAID,
            )  # fmt: skip
        slide = {"force": force, "viscous_ns_per_m": round(2.0 * FLESH_DAMPING * mass * rate, 3)}
        turns: dict[str, Data] = {
            axis: {
                "spring": {"linear_nm_per_rad": round(i * rate**2, 4)},
                "friction": {"viscous_nms_per_rad": round(2.0 * FLESH_DAMPING * i * rate, 5)},
            }
            for axis, i in zip(("roll", "pitch", "yaw"), inertia, strict=True)
        }
        self._joint(id_, "six", part, id_, place, FLESH_SAID, x=slide, y=slide, z=slide, **turns)
