"""Put a person together: pelvis, spine, chest with a sternum that slides, shoulder girdle, neck, head, limbs."""

from __future__ import annotations

import math
from typing import Any

from solver.bodies.body import LEFT, RIGHT, Body, Holding
from solver.bodies.dimensions import Dimensions, ankle_height_m
from solver.bodies.entries import friction_of, read, spring_of, turn_of
from solver.bodies.from_tables import BEIER_M, HEAD_RADII
from solver.bodies.parts import ASSUMED, Data, Origin, Parts, Ribs, Vector
from solver.bodies.people.scaling import scaling
from solver.bodies.people.spine import (
    BENDS,
    HEAD_MM,
    LINKS,
    NECK_SHARES,
    SLICES_KG,
    STIFFENS,
    TRUNK,
    Bends,
    joints_m,
)  # fmt: skip
from solver.bodies.poses import STANDING, attitudes_of
from solver.bodies.shares import NECK_PART, density, shares
from solver.project.document import Project
from solver.words import tr

CHEST = Ribs(25.25e3, 28.92e3, 0.038, 53.96e3, 378.9, 385.8, 1274.0)
"""Of the 50th man: fitted, from Lobdell's numbers (26.3, 78.9 and 13.2 kN/m; 175, 525 and 1226 N s/m)."""
SKIN = 339e3
FITTED = "fitted on the chests of Kroell at 7.15 m/s (docs/validation.md), other sizes by equal stress, equal velocity"
STERNUM_KG = 0.45
"""Of the 50th man (Lobdell 1973, from memory)."""
TONE = Holding(frequency_hz=3.0, damping=0.7, limit=1.0)
"""What holds head and trunk as they start: assumed. It bears no more than the weight of what is carried, held out level."""
SPINE = (
    "lower_torso",
    "lumbar_1",
    "centre_torso",
    "lumbar_2",
    "lower_thorax",
    "upper_torso",
    "neck_1",
    "neck_2",
    "neck_3",
    "head",
)
PLACES = (
    "dimensions of the generator; spine: solver/bodies/people/spine.py; limbs: parts of the stature"
)
UPPER_ARM, FOREARM = 0.1618, 0.1545
"""Lengths between joints in parts of the stature: de Leva (1996), from memory; they go with the arm's outer lengths."""
THIGH_PART = 0.245 / (0.245 + 0.246)
"""Of the thigh in the way from hip to ankle: Drillis and Contini (1966)."""
HAND_PART = 0.61 / 2.23
"""Of the hand in forearm and hand: de Leva (1996), men."""


def human(d: Dimensions, *, title: str = "") -> Body:
    """Make a person with a flexible spine, standing; `pose` seats it.

    Sizes are those of the dimensions, masses of published tables, laws of the 50th-percentile man carried over by the rules
    of `solver.bodies.people.scaling`.
    """
    piece = Project.model_validate(Person(d).data())
    said = d.said[0].upper() + d.said[1:]
    ids = [segment.id for segment in piece.segments]
    return Body(
        title=title or tr("{who}, flexible spine", who=said),
        source=f"Generated: {d.said}; {read('shares')['source']}; {read('dimensions')['source']}",
        note="Spine, chest and limbs by named rules from the 50th-percentile man; docs/bodies.md says what is measured, fitted, assumed.",
        segments=piece.segments,
        joints=piece.joints,
        functions=piece.functions,
        attitudes=attitudes_of(STANDING, ids),
        pose=STANDING,
        dimensions=dict(d.values),
        sex=d.sex,
        also=Project(contact_laws=piece.contact_laws, coordinate_forces=piece.coordinate_forces),
        rests=tuple(LINKS),
        tone=TONE,
        toned=SPINE,
    )


class Person(Parts):
    """Hold a person while it is put together."""

    def __init__(self, d: Dimensions) -> None:
        """Begin with sizes and masses."""
        self.d, self.by, self.kg = d, scaling(d), shares(d)
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

    def data(self) -> Data:
        """Give the piece of a project."""
        self._trunk()
        self._chest()
        self._neck_and_head()
        for side in (RIGHT, LEFT):
            self._girdle(side)
            self._leg(side)
            self._arm(side)
        self._skins()
        lists = ("functions", "contact_laws", "segments", "joints", "coordinate_forces")
        return {name: getattr(self, name) for name in lists}

    # trunk

    def _slice(self, name: str) -> float:
        return self.kg["trunk"] * SLICES_KG[name] / sum(SLICES_KG.values())

    def _trunk(self) -> None:
        d, s = self.d, self.spine
        half = d["hip_breadth_standing_m"] / 2.0
        deep = d["buttock_depth_m"] / 2.0
        self._thick(
            "lower_torso",
            self._slice("lower_torso"),
            (deep - self._("hip_x"), self.hip_z),
            deep,
            half,
            1.03,
            on_seat=True,
        )
        self._iliac(half, 0.03 * self.by.sitting)
        belly, belt = d["waist_depth_m"], d["waist_breadth_m"] / 2.0
        chest, broad = d["chest_depth_m"], d["chest_breadth_m"] / 2.0
        for name, low, high, depth, breadth, dense in (
            ("lumbar_1", "lumbar_1", "lumbar_2", belly, belt, 1.03),
            ("centre_torso", "lumbar_2", "lumbar_3", belly, belt, 1.03),
            (
                "lumbar_2",
                "lumbar_3",
                "thoracic_1",
                0.5 * (belly + chest),
                0.5 * (belt + broad),
                1.0,
            ),
            ("lower_thorax", "thoracic_1", "thoracic_2", chest, broad, 0.92),
        ):
            ahead = 0.15 if depth == belly else 0.18
            x = 0.5 * (s[low][0] + s[high][0]) + ahead * depth
            z = 0.5 * (s[low][1] + s[high][1])
            self._thick(name, self._slice(name), (x, z), 0.46 * depth, 0.97 * breadth, dense)
        low, high = s["thoracic_2"], s["disc_1"]
        self.back = 0.5 * (low[0] + high[0]) - 0.06 * chest / 0.245
        mass = self._slice("upper_torso") - 2.0 * self._girdle_kg() - self._sternum_kg()
        middle = low[1] + 0.44 * (high[1] - low[1])
        self._thick(
            "upper_torso", mass, (self.back + 0.34 * chest, middle), 0.34 * chest, broad, 0.92
        )
        flanks: Vector = (self.back + 0.45 * chest, 0.0, -(low[1] + 0.05 * (high[1] - low[1])))
        self._flanks(flanks, chest, broad, self.by.sitting)
        for name in TRUNK:
            self._bends(name, self.by.moments)

    def _thick(
        self, name: str, mass: float, place: tuple[float, float], deep: float, wide: float, dense: float, *, on_seat: bool = False
    ) -> None:  # fmt: skip
        """Add a slice of the trunk, as high as its mass asks for."""
        high = mass / (1e3 * dense) / (4.0 / 3.0 * math.pi * deep * wide)
        x, z = place
        at: Vector = (x, 0.0, self.hip_z - high if on_seat else -z)
        self._segment(
            name, mass, at, (deep, wide, high), f"as high as its mass asks for at {dense:g} kg/l"
        )

    def _bends(self, name: str, factor: float) -> None:
        """Add a joint of the spine."""
        parent, child = LINKS[name]
        x, z = self.spine[name]
        law: Bends = BENDS[name]
        ways = {"flexion": law.flexion, "extension": law.extension, "sideways": law.sideways}
        for way, (stiff, far) in ways.items():
            k = stiff * factor
            said = name.replace("_", " ").capitalize()
            self._cubic(
                f"{name}_{way}",
                f"{said}: moment in {way}",
                round(k, 3),
                round(STIFFENS * k / far**2, 3),
                law.source,
            )
        k = law.twist[0] * factor
        turn = {"angles_rad": (math.pi, 0.0, 0.0)}
        self._joint(
            name, "ball", parent, child, (x, 0.0, -z), law.source,
            by_azimuth=self._azimuths(*(f"{name}_{way}" for way in ways)),
            torsion={"linear_nm_per_rad": round(k, 3), "cubic_nm_per_rad3": round(STIFFENS * k / law.twist[1] ** 2, 3)},
            friction={"viscous_nms_per_rad": round(law.damping * factor, 4)}, parent_turn=turn, child_turn=turn,
        )  # fmt: skip

    # chest and shoulders

    def _sternum_kg(self) -> float:
        return STERNUM_KG * self.by.mass

    def _chest(self) -> None:
        depth, broad = self.d["chest_depth_m"], self.d["chest_breadth_m"] / 2.0
        thick = 0.17 * depth
        low, high = self.spine["thoracic_2"][1], self.spine["disc_1"][1]
        place: Vector = (self.back + depth - thick, 0.0, -(low + 0.25 * (high - low)))
        self._segment(
            "sternum", self._sternum_kg(), place, (thick, 0.6 * broad, 0.5 * (high - low)),
            "0.45 kg of the 50th man (Lobdell 1973, from memory), others by their mass",
        )  # fmt: skip
        self._ribs(place, self.by.ribs(CHEST), "form of Lobdell (1973)")

    def _girdle_kg(self) -> float:
        return 0.115 * self._slice("upper_torso")

    def _shoulder(self, sign: float) -> Vector:
        d = self.d
        above = d["standing_height_m"] - d["seated_height_m"] + self.hip_z
        up = d["shoulder_height_m"] - 0.35 * (d["shoulder_height_m"] - d["armpit_height_m"]) - above
        return (self.spine["disc_1"][0] - 0.01, 0.43 * d["shoulder_breadth_m"] * sign, -up)

    def _girdle(self, side: str) -> None:
        sign = 1.0 if side == RIGHT else -1.0
        x, y, z = self._shoulder(sign)
        high = self.spine["disc_1"][1]
        breast: Vector = (
            self.back + 0.62 * self.d["chest_depth_m"],
            0.15 * y,
            -(high - 0.035 * self.by.sitting),
        )
        grown = self.by.sitting
        self._segment(
            f"{side}shoulder", self._girdle_kg(), (x, 0.75 * y, z - 0.02 * grown), (0.055 * grown, 0.45 * abs(y), 0.05 * grown),
            "11.5 % of the upper torso: assumed; the shape is that of the clavicle under a belt, from the neck's base outwards: assumed",
            centre=(x + 0.02 * grown, 0.56 * y, z - 0.025 * grown),
        )  # fmt: skip
        k = self.by.moments
        law = {
            "linear_nm_per_rad": round(120.0 * k, 3),
            "stop_rad": 0.25,
            "quadratic_nm_per_rad2": round(2000.0 * k, 2),
        }
        self._joint(
            f"{side}clavicle", "ball", "upper_torso", f"{side}shoulder", breast, ASSUMED, flexure=law, torsion=dict(law),
            friction={"viscous_nms_per_rad": round(2.0 * k, 4)},
        )  # fmt: skip

    # neck and head

    def _neck_and_head(self) -> None:
        neck, s = NECK_PART * self.kg["head"], self.spine
        around = self.d["neck_circumference_m"] / (2.0 * math.pi)
        names = ("disc_1", "disc_2", "disc_3", "condyles")
        for number, share in enumerate(NECK_SHARES, 1):
            low, high = s[names[number - 1]], s[names[number]]
            middle: Vector = (
                0.5 * (low[0] + high[0]) - 0.1 * around,
                0.0,
                -0.5 * (low[1] + high[1]),
            )
            tall = 0.75 * (high[1] - low[1])
            self._segment(
                f"neck_{number}",
                share * neck,
                middle,
                (around, around, tall),
                "neck by its vertebrae",
            )
        x, z = s["condyles"]
        ahead, up = self.centre
        self._segment(
            "head", self.head_kg, (x + ahead, 0.0, -(z + up)), self.head, "as high as its mass asks for at 1.11 kg/l",
            inertia=self._radii(), inertia_from="radii of gyration: Beier and others (1980), by the head's length",
        )  # fmt: skip
        for name in names:
            self._bends(name, self.by.neck_moments)

    def _radii(self) -> Vector:
        grown = self.d["head_length_m"] / BEIER_M
        x, y, z = (self.head_kg * (k * grown) ** 2 for k in HEAD_RADII)
        return (x, y, z)

    # limbs

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
            (0.3 * knee, 0.0),
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

    # what presses

    def _skins(self) -> None:
        k = self.by.chest_stiffness
        self.contact_laws.append(
            {
                "kind": "kelvin_voigt", "id": "chest_skin", "name": "Skin over the sternum on what is rigid",
                "source": f"339 kN/m of the 50th man (Lobdell 1973: 281, from memory); {FITTED}",
                "stiffness_n_per_m": round(SKIN * k, 1), "damping_ns_per_m": 0.0,
            }
        )  # fmt: skip
