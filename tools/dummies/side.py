"""Put the dummies of side impacts together: ribs and belly that give way to the side, a pelvis in halves, arms that end above the elbow."""

from __future__ import annotations

import math
from dataclasses import dataclass

from solver.bodies.body import LEFT, RIGHT, id_as_words
from solver.bodies.parts import ASSUMED, Data, Origin, Vector
from tools.dummies.abdomen import AHEAD, DEEP
from tools.dummies.build import FITTED, Maker
from tools.dummies.figures import MALE, MAN, Size, length
from tools.dummies.laws import SideLaws

OUTWARD = 300e3
"""Stiffness (N/m) against what pulls a part that gives way outwards: assumed."""


@dataclass(frozen=True)
class Pad:
    """What gives way to the side: stiffness at first and beyond a way, damping in and out, spring and damper in a row (SI)."""

    stiffness: float
    beyond: float
    knee_m: float
    damping: float
    out: float
    series: float = 0.0
    series_damping: float = 0.0


@dataclass(frozen=True)
class Layout:
    """Heights above the seat and sizes (m) of what a dummy has at its sides, and masses (kg) of one side."""

    ribs_z: tuple[float, ...]
    """Of the thorax, from above."""
    belly_ribs_z: tuple[float, ...]
    """Ribs below them; none: a belly of foam with its load cells."""
    shoulder_rib: bool
    """Whether the shoulder slides to the middle, or swings forward about its clavicle."""
    rib_kg: float
    deep: float
    """Half depth of a rib."""
    high: float
    """Half height of a rib."""
    way: float
    """How far a rib may go in before the core of the chest is met."""
    centre_z: float
    """Of the mass centre of the spine box."""
    belly_half: float
    acetabulum: bool
    """Whether the hip has a load cell and the wing of the ilium another, or both halves meet at a cell of the pubis."""


LAYOUTS = {
    "es_2re": Layout((0.502, 0.445, 0.388), (), False, 0.6, 0.115, 0.028, 0.085, 0.423, 0.140, False),
    "sid_iis": Layout((0.405, 0.365, 0.325), (0.288, 0.248), True, 0.30, 0.085, 0.019, 0.070, 0.352, 0.125, True),
}  # fmt: skip
SIDE_KG = {
    "ilium": 1.4,
    "hip_pad": 0.7,
    "abdomen_plate": 0.25,
    "abdomen_pad": 0.7,
    "acetabulum": 0.8,
}
PUBIS_KG = 0.1
"""Masses of parts of one side, and of the load cell between both (kg), of the mid-size man: assumed; the small woman's by her whole mass."""
SPINE_LONG = 1.5
"""By how much a spine box with its brackets for neck and lumbar spine is as hard to turn as a longer ellipsoid: assumed."""


def side_fragment(size: Size, chosen: SideLaws) -> Data:
    """A dummy for side impacts as a piece of a project, upright, arms and legs hanging."""
    return SideMaker(size, chosen).data()


class SideMaker(Maker):
    """Put the parts together: a trunk with sides, a neck on two joints, half arms, legs."""

    laws: SideLaws

    def __init__(self, size: Size, chosen: SideLaws) -> None:
        super(Maker, self).__init__(
            lambda name: length(size, name),
            Origin(size.masses_from, size.places_from, FITTED, size.limbs),
        )
        self.size, self.laws, self.lay = size, chosen, LAYOUTS[size.id]
        self.grown = size.mass_kg / MALE.mass_kg

    def data(self) -> Data:
        """The piece."""
        self._middle()
        self._thorax()
        self._neck()
        for side in (RIGHT, LEFT):
            self._flank(side, 1.0 if side == RIGHT else -1.0)
            self._leg(side)
            self._arm(side)
        if not self.lay.acetabulum:
            self._pubis()
        self._skins()
        self._reported()
        lists = ("functions", "contact_laws", "segments", "joints", "coordinate_forces", "outputs")
        return {name: getattr(self, name) for name in lists}

    # trunk

    def _kg(self, part: str) -> float:
        return SIDE_KG[part] * (1.0 if self.size is MALE else self.grown)

    def _middle(self) -> None:
        size, half, trunk = self.size, self._("pelvis_half_width"), self.size.trunk
        own = (
            ("ilium", "hip_pad")
            if not self.lay.acetabulum
            else ("ilium", "acetabulum", "hip_pad", "hip_pad")
        )
        belly = 5.0 if self.size is MALE else 0.12 * size.masses_kg["lower_torso"]
        pubis = 0.0 if self.lay.acetabulum else PUBIS_KG
        in_belly = (
            0.0
            if self.lay.belly_ribs_z
            else 2.0 * (self._kg("abdomen_plate") + self._kg("abdomen_pad"))
        )
        self._segment(
            "lower_torso", size.masses_kg["lower_torso"] - belly - 2.0 * sum(map(self._kg, own)) - pubis, self._at(0.118 * trunk, self._("hip_z") + 0.015 * trunk),
            (0.115 * trunk, half, 0.095 * trunk), "sacrum with its flesh; 'core' is what its sides leave, 'iliac' what a lap belt lies on: assumed",
        )  # fmt: skip
        self._core((0.10 * trunk, 0.55 * half, 0.085 * trunk))
        self._iliac(half, 0.03 * trunk)
        self._segment(
            "centre_torso", belly - in_belly, self._at(AHEAD * trunk, 0.5 * (self._("lumbar_z") + self._("waist_z"))),
            (DEEP * trunk, self.lay.belly_half - 0.03, 0.070 * trunk), "drum of the abdomen; belts sink into it by 'belt_abdomen': assumed",
        )  # fmt: skip
        self._insert()
        self._bends(
            "lumbar",
            "lower_torso",
            "centre_torso",
            self._at(self._("lumbar_x"), self._("lumbar_z")),
        )
        depth = self._("chest_depth")
        ribs = len(self.lay.ribs_z) + len(self.lay.belly_ribs_z)
        self._segment(
            "upper_torso", size.masses_kg["upper_torso"] - 2.0 * (ribs * self.lay.rib_kg + self._shoulder_kg()) - self._sternum_mass(), self._at(0.42 * depth, self.lay.centre_z),
            (0.28 * depth, self._("chest_half_width") - 0.6 * self.lay.way, 0.165 * trunk), "spine box, without ribs and shoulders; 'core' is what they leave: assumed",
            centre=self._at(0.28 * depth, 0.415 * trunk), size=(0.28 * depth, self._("chest_half_width"), SPINE_LONG * 0.165 * trunk),
        )  # fmt: skip
        self._core((0.35 * depth, self._("chest_half_width") - self.lay.way, 0.15 * trunk))
        self._jacket(self._at(0.5 * depth, 0.415 * trunk), (0.5 * depth, self._("chest_half_width") - 0.005, 0.165 * trunk))  # fmt: skip
        self._bends("waist", "centre_torso", "upper_torso", self._at(self._("waist_x"), self._("waist_z")))  # fmt: skip

    def _core(self, semi: Vector) -> None:
        self.segments[-1]["surfaces"].append(
            {"kind": "ellipsoid", "id": "core", "name": "Core", "semi_axes_m": tuple(round(v, 5) for v in semi), "centre_m": (0.0, 0.0, 0.0)}
        )  # fmt: skip

    def _bends(self, id_: str, parent: str, child: str, place: Vector) -> None:
        """Add one half of the lumbar spine, alike all round."""
        own = self.laws
        said = (
            self.fitted
            if self.size is MALE
            else f"mid-size man's by mass and sitting height: {ASSUMED}"
        )
        spring = {
            "linear_nm_per_rad": round(own.spine, 3),
            "cubic_nm_per_rad3": round(own.spine3, 3),
        }
        self._joint(
            id_, "ball", parent, child, place, said, flexure=spring, torsion={"linear_nm_per_rad": round(own.spine, 3)},
            friction={"viscous_nms_per_rad": round(own.spine_damping, 4)},
        )  # fmt: skip

    def _shoulder_kg(self) -> float:
        return 0.035 * self.size.masses_kg["upper_torso"]

    def _thorax(self) -> None:
        """Add the front of the ribs: it is stiff from ahead."""
        depth = self._("chest_depth")
        thick = 0.15 * depth
        place = self._at(depth - thick, self._("sternum_z"))
        self._segment(
            "sternum", self._sternum_mass(), place, (thick, 0.55 * self._("chest_half_width"), 0.09 * self.size.trunk),
            f"front of the ribs, rigid from ahead, that a belt lies on: {ASSUMED}",
        )  # fmt: skip
        self._joint("sternum", "locked", "upper_torso", "sternum", place, f"rigid from ahead: {ASSUMED}")  # fmt: skip

    # neck and head

    def _neck(self) -> None:
        size, own = self.size, self.laws
        long, wide, high = size.head_m
        grown = long / MAN.head_m[0]
        head = self._at(self._("head_back_x") + long / 2, size.sitting_height_m - high / 2)
        condyle = (head[0] - 0.014 * grown, 0.0, head[2] + 0.051 * grown)
        base = (condyle[0], 0.0, condyle[2] + self._("neck"))
        radius = 0.042 * size.trunk
        self._segment(
            "neck", size.masses_kg["neck"], (base[0], 0.0, 0.5 * (base[2] + condyle[2])), (radius, radius, 0.6 * self._("neck")), "the whole neck between its two joints",
        )  # fmt: skip
        at = {"parent_turn": {"angles_rad": (math.pi, 0.0, 0.0)}, "child_turn": {"angles_rad": (math.pi, 0.0, 0.0)}}  # fmt: skip
        said = f"{self.fitted}; alike all round: {ASSUMED}"
        twist = {"linear_nm_per_rad": own.neck_low}
        damped = {"viscous_nms_per_rad": own.neck_damping}
        self._joint(
            "neck_base", "ball", "upper_torso", "neck", base, said, torsion=twist, friction=damped,
            flexure={"linear_nm_per_rad": own.neck_low, "cubic_nm_per_rad3": own.neck_low3}, **at,
        )  # fmt: skip
        by_size = size.masses_kg["head"] / MAN.masses_kg["head"] * grown**2
        self._segment(
            "head", size.masses_kg["head"], head, (long / 2, wide / 2, high / 2), size.head_from,
            inertia=(round(0.0159 * by_size, 6), round(0.0240 * by_size, 6), round(0.0221 * by_size, 6)),
            inertia_from=f"Hybrid III 50th man's by mass and length of the head squared: {ASSUMED}",
        )  # fmt: skip
        self._chin((long / 2, wide / 2, high / 2), base, size.trunk)
        self._joint(
            "condyles", "ball", "neck", "head", condyle, said, torsion=twist, friction=damped,
            flexure={"linear_nm_per_rad": own.neck_high, "cubic_nm_per_rad3": own.neck_high3}, **at,
        )  # fmt: skip

    # sides

    def _flank(self, side: str, sign: float) -> None:
        own, lay = self.laws, self.lay
        depth, half = self._("chest_depth"), self._("chest_half_width")
        rib = Pad(own.rib, own.rib_beyond, 0.03, own.rib_damping, own.rib_damping_out, own.rib_series, own.rib_series_damping)  # fmt: skip
        for n, z in enumerate(lay.ribs_z, 1):
            self._gives(side, f"rib_{n}", "upper_torso", lay.rib_kg, self._at(0.5 * depth, z), half, (lay.deep, lay.way / 2, lay.high), rib)  # fmt: skip
        below = Pad(
            own.belly_rib, own.belly_rib, 0.03, own.belly_rib_damping, own.belly_rib_damping
        )
        for n, z in enumerate(lay.belly_ribs_z, 1):
            self._gives(side, f"belly_rib_{n}", "upper_torso", lay.rib_kg, self._at(0.5 * depth, z), half, (lay.deep, lay.way / 2, lay.high), below)  # fmt: skip
        if not lay.belly_ribs_z:
            self._belly(side, sign)
        self._half(side, sign)

    def _gives(
        self, side: str, part: str, on: str, mass: float, middle: Vector, half: float, semi: Vector, pad: Pad
    ) -> None:  # fmt: skip
        """Add a part that slides towards the middle; `half` is how far out it reaches."""
        sign = 1.0 if side == RIGHT else -1.0
        id_ = f"{side}{part}"
        place = (middle[0], sign * (half - semi[1]), middle[2])
        self._segment(id_, mass, place, semi, f"mass and shape: {ASSUMED}")
        inwards = {"angles_rad": (0.0, 0.0, sign * math.pi / 2)}
        self._joint(id_, "slip", on, id_, place, self.fitted, rotation="none", parent_turn=inwards, child_turn=inwards)  # fmt: skip
        self._pad(id_, part, pad, side == RIGHT)

    def _pad(self, id_: str, part: str, pad: Pad, is_first: bool) -> None:
        force = f"{part.rstrip('_123')}_force"
        if is_first and force not in {f["id"] for f in self.functions}:
            knee, ends = pad.knee_m, 0.15
            self._function(
                force, f"{id_as_words(part.rstrip('_123'))}: force by way", "m", "N", (0.0, knee, ends),
                (0.0, pad.stiffness * knee, pad.stiffness * knee + pad.beyond * (ends - knee)), self.fitted,
            )  # fmt: skip
        if "outward" not in {f["id"] for f in self.functions}:
            self._function("outward", "What gives way: force outwards", "m", "N", (0.0, 0.1), (0.0, 0.1 * OUTWARD), ASSUMED)  # fmt: skip
        laws: list[Data] = [
            {"kind": "rest", "above": force, "below": "outward"},
            {"kind": "one_way_damper", "acts": "growing", "damping": pad.damping},
            {"kind": "one_way_damper", "acts": "falling", "damping": pad.out},
        ]
        if pad.series:
            laws.append({"kind": "muscle", "stiffness": pad.series, "damping": pad.series_damping})
        self.coordinate_forces.append(
            {
                "id": id_, "name": id_as_words(id_), "source": self.fitted, "zero": 0.0,
                "coordinate": {"kind": "joint", "joint": id_, "axis": "slide"}, "laws": laws,
            }
        )  # fmt: skip

    def _belly(self, side: str, sign: float) -> None:
        """Add what lies at a side of the abdomen: a plate behind which the load cells are, and foam before it."""
        own, x, _, z = self.laws, *self.places["centre_torso"]
        trunk, out = self.size.trunk, self.lay.belly_half
        plate, place = f"{side}abdomen_plate", (x, sign * (out - 0.06), z)
        self._segment(plate, self._kg("abdomen_plate"), place, None, f"what the three load cells of a side bear: {ASSUMED}", size=(0.06, 0.01, 0.04))  # fmt: skip
        self._joint(f"{side}abdomen_cell", "locked", "centre_torso", plate, place, "load cells: a rigid cut that bears what all three do")  # fmt: skip
        part = own.belly_cells
        foam, beside = (
            Pad(
                p * own.belly,
                p * own.belly_beyond,
                0.02,
                p * own.belly_damping,
                p * own.belly_damping,
            )
            for p in (part, 1.0 - part)
        )
        self._gives(side, "abdomen_pad", plate, self._kg("abdomen_pad"), (x, 0.0, z), out, (0.075 * trunk, 0.03, 0.048 * trunk), foam)  # fmt: skip
        self._beside(side, "abdomen", "centre_torso", beside)

    def _beside(self, side: str, part: str, on: str, pad: Pad) -> None:
        """Let a part also press past its load cell."""
        sign = 1.0 if side == RIGHT else -1.0
        at, own = self.places[f"{side}{part}_pad"], self.places[on]
        place = tuple(round(p - q, 6) + 0.0 for p, q in zip(at, own, strict=True))
        self._pad(f"{side}{part}_beside", f"{part}_beside", pad, side == RIGHT)
        self.coordinate_forces[-1]["coordinate"] = {
            "kind": "component", "axis": "z", "b": {"segment": f"{side}{part}_pad"},
            "a": {"segment": on, "frame": {"position_m": place, "orientation": {"angles_rad": (0.0, 0.0, sign * math.pi / 2)}}},
        }  # fmt: skip

    def _half(self, side: str, sign: float) -> None:
        """Add a half of the pelvis: the wing, the flesh over the hip, and its load cells."""
        own, half, y = self.laws, self._("pelvis_half_width"), self._("hip_y") * sign
        trunk = self.size.trunk
        wing = f"{side}ilium"
        pad, beside = (
            Pad(
                p * own.hip_pad,
                p * own.hip_pad_beyond,
                0.02,
                p * own.hip_pad_damping,
                p * own.hip_pad_damping,
            )
            for p in (own.hip_cells, 1.0 - own.hip_cells)
        )
        shape: Vector = (0.075 * trunk, 0.045 * trunk, 0.065 * trunk)
        if not self.lay.acetabulum:
            place = (0.0, y, 0.0)
            self._segment(wing, self._kg("ilium"), place, None, f"wing of the ilium with its hip: {ASSUMED}", size=(0.06, 0.02, 0.07))  # fmt: skip
            inwards = {"angles_rad": (0.0, 0.0, sign * math.pi / 2)}
            spring = {"linear_n_per_m": own.sacroiliac}
            self._joint(
                f"{side}sacroiliac", "slip", "lower_torso", wing, place, self.fitted, rotation="none", parent_turn=inwards, child_turn=inwards,
            )  # fmt: skip
            self.coordinate_forces.append(
                {
                    "id": f"{side}sacroiliac", "name": f"{id_as_words(side + 'ilium')} on the sacrum", "source": self.fitted, "zero": 0.0,
                    "coordinate": {"kind": "joint", "joint": f"{side}sacroiliac", "axis": "slide"},
                    "laws": [{"kind": "linear", "stiffness": spring["linear_n_per_m"]}, {"kind": "viscous", "damping": LATE_S * own.sacroiliac}],
                }
            )  # fmt: skip
            self._gives(
                side, "hip_pad", wing, self._kg("hip_pad"), (0.0, 0.0, 0.0), half, shape, pad
            )
            return
        cell = f"{side}acetabulum"
        place = (0.0, y, 0.0)
        self._segment(cell, self._kg("acetabulum"), place, None, f"hip before its load cell: {ASSUMED}", size=(0.04, 0.03, 0.04))  # fmt: skip
        self._joint(
            f"{side}acetabulum_cell", "locked", "lower_torso", cell, place, "load cell: a rigid cut"
        )
        self._gives(side, "hip_pad", cell, self._kg("hip_pad"), (0.0, 0.0, 0.0), half, shape, pad)
        self._beside(side, "hip", "lower_torso", beside)
        up = 0.085 * trunk
        place = (-0.03, 0.7 * sign * half, -up)
        self._segment(wing, self._kg("ilium"), place, None, f"wing of the ilium before its load cell: {ASSUMED}", size=(0.05, 0.02, 0.04))  # fmt: skip
        self._joint(
            f"{side}iliac_cell", "locked", "lower_torso", wing, place, "load cell: a rigid cut"
        )
        flesh = Pad(own.iliac, own.iliac, 0.02, own.iliac_damping, own.iliac_damping)
        self._gives(side, "iliac_pad", wing, self._kg("hip_pad"), (-0.03, 0.0, -up), half, (0.055 * trunk, 0.055 * trunk, 0.035 * trunk), flesh)  # fmt: skip

    def _pubis(self) -> None:
        """Let both halves of the pelvis meet in front, at a load cell that the right one carries."""
        ahead: Vector = (0.19 * 1.37 * self._("pelvis_half_width"), 0.0, 0.02)
        self._segment("pubis", PUBIS_KG, ahead, None, f"load cell of the pubic symphysis: {ASSUMED}", size=(0.02, 0.02, 0.02))  # fmt: skip
        self._joint(
            "pubic_cell", "locked", f"{RIGHT}ilium", "pubis", ahead, "load cell: a rigid cut"
        )
        left = tuple(p - q for p, q in zip(ahead, self.places[f"{LEFT}ilium"], strict=True))
        self.coordinate_forces.append(
            {
                "id": "pubic_symphysis", "name": "Pubic symphysis", "source": self.fitted, "zero": 0.0,
                "coordinate": {
                    "kind": "component", "a": {"segment": "pubis"}, "b": {"segment": f"{LEFT}ilium", "position_m": tuple(round(v, 6) for v in left)}, "axis": "y",
                },
                "laws": [{"kind": "linear", "stiffness": self.laws.pubis}, {"kind": "viscous", "damping": LATE_S * self.laws.pubis}],
            }
        )  # fmt: skip

    # limbs

    def _hip(self, side: str, hip: Vector, mass: float, thigh: float) -> None:
        super()._hip(side, hip, mass, thigh)
        part = f"{side}acetabulum" if self.lay.acetabulum else f"{side}ilium"
        frame = self.joints[-1]["parent_frame"]
        frame["position_m"] = tuple(round(p - q, 6) + 0.0 for p, q in zip(hip, self.places[part], strict=True))  # fmt: skip
        self.joints[-1]["parent"] = part

    def _arm(self, side: str) -> None:
        own, sign, grown = self.laws, 1.0 if side == RIGHT else -1.0, self.size.trunk
        y, long = self._("shoulder_y") * sign, self._("upper_arm")
        at = self._at(self._("shoulder_x"), self._("shoulder_z"), y)
        middle = (at[0], 0.75 * y, at[2])
        mass, shape = self._shoulder_kg(), (0.055 * grown, 0.45 * abs(y), 0.045 * grown)
        if self.lay.shoulder_rib:
            rib = Pad(
                own.shoulder_rib,
                own.shoulder_rib,
                0.03,
                own.shoulder_rib_damping,
                own.shoulder_rib_damping,
            )
            self._gives(side, "shoulder", "upper_torso", mass, middle, 1.05 * abs(y), shape, rib)
            self.joints[-1]["id"] = self.joints[-1]["id"].replace("shoulder", "clavicle")
            self.coordinate_forces[-1]["coordinate"]["joint"] = self.joints[-1]["id"]
        else:
            self._segment(f"{side}shoulder", mass, middle, shape, f"clavicle; 3.5 % of the thorax: {ASSUMED}", centre=(at[0], 0.5 * y, at[2]))  # fmt: skip
            # behind the arm's joint and nearer to the middle: what is pushed inwards swings forward
            pivot = (at[0] - 0.06, 0.45 * y, at[2])
            self._joint(
                f"{side}clavicle", "pin", "upper_torso", f"{side}shoulder", pivot, f"{self.fitted}; axis: {ASSUMED}",
                spring={"linear_nm_per_rad": own.clavicle, "stop_rad": 0.8, "quadratic_nm_per_rad2": 3000.0}, friction={"viscous_nms_per_rad": own.clavicle_damping},
                parent_turn={"angles_rad": (0.0, 0.0, math.pi / 2)}, child_turn={"angles_rad": (0.0, 0.0, math.pi / 2)},
            )  # fmt: skip
        radius = self._("arm_radius")
        self._segment(
            f"{side}upper_arm", self.size.masses_kg["upper_arm"], (at[0], y, at[2] + 0.44 * long), (radius, radius, 0.5 * long + 0.3 * radius), f"half arm, which ends above the elbow; its plate hardly lets it turn about itself: {ASSUMED}",
        )  # fmt: skip
        stop = {"stop_rad": 2.1, "quadratic_nm_per_rad2": 8000.0, "returned_ratio": 0.7}
        self._joint(
            f"{side}shoulder", "ball", f"{side}shoulder", f"{side}upper_arm", at, ASSUMED, flexure=stop,
            torsion={**stop, "stop_rad": 0.4}, friction=self._one_g(self.size.masses_kg["upper_arm"], 0.44 * long),
        )  # fmt: skip

    # what presses, and what is reported

    def _skins(self) -> None:
        super()._skins()
        gone = ("knee_skin", "jacket")
        self.contact_laws = [one for one in self.contact_laws if one["id"] not in gone]
        for id_, name, stiff, said in (
            ("flank_skin", "Foam of the sides on what is rigid", self.laws.flank_skin, self.fitted),
            (
                "pelvis_skin",
                "Flesh of the pelvis on what is rigid",
                self.laws.pelvis_skin,
                self.fitted,
            ),
            ("arm_skin", "Foam of the arm on what is rigid", self.laws.arm_skin, self.fitted),
            ("arm_on_ribs", "Arm on the ribs beside it", self.laws.arm_on_ribs, self.fitted),
        ):
            self.contact_laws.append(
                {
                    "kind": "kelvin_voigt", "id": id_, "name": name, "source": f"stiffness: {said}; damping: {ASSUMED}",
                    "stiffness_n_per_m": stiff, "damping_ns_per_m": SKIN_LATE_S * stiff,
                }
            )  # fmt: skip

    def _reported(self) -> None:
        """Add what the dummy measures at its sides, and the criteria of it."""

        def way(id_: str, joint: str, name: str) -> Data:
            return {
                "kind": "joint",
                "id": id_,
                "name": name,
                "joint": joint,
                "quantity": "angle",
                "cfc": 180,
            }

        def cell(id_: str, joint: str, name: str) -> Data:
            return {
                "kind": "joint",
                "id": id_,
                "name": name,
                "joint": joint,
                "quantity": "force",
                "in_axes_of": "parent",
                "cfc": 600,
            }

        def injury(id_: str, criterion: str, name: str, output: str, **more: object) -> Data:
            return {
                "kind": "injury",
                "id": id_,
                "name": name,
                "criterion": criterion,
                "output": output,
                **more,
            }

        for side in (RIGHT, LEFT):
            says = id_as_words(side).strip()
            for n in range(1, len(self.lay.ribs_z) + 1):
                out, rib = f"{side}rib_{n}_way", f"{says} {('upper', 'middle', 'lower')[n - 1]} rib"
                self.outputs += [
                    way(out, f"{side}rib_{n}", f"{rib}, way inwards"),
                    injury(f"{side}rib_{n}_deflection", "rib_deflection", f"{rib}, deflection", out),
                    injury(f"{side}rib_{n}_VC", "VC", f"{rib}, viscous criterion", out, depth_m=HALF_CHEST[self.size.id], scale=1.0),
                ]  # fmt: skip
            for n in range(1, len(self.lay.belly_ribs_z) + 1):
                out, rib = (
                    f"{side}belly_rib_{n}_way",
                    f"{says} {('upper', 'lower')[n - 1]} abdominal rib",
                )
                self.outputs += [
                    way(out, f"{side}belly_rib_{n}", f"{rib}, way inwards"),
                    injury(f"{side}belly_rib_{n}_deflection", "abdomen_deflection", f"{rib}, deflection", out),
                ]  # fmt: skip
            if not self.lay.belly_ribs_z:
                self.outputs += [
                    cell(f"{side}abdomen_load", f"{side}abdomen_cell", f"{says} abdomen, force"),
                    injury(f"{side}abdomen_force", "abdomen_force", f"{says} abdomen, force of three cells together", f"{side}abdomen_load"),
                ]  # fmt: skip
            if self.lay.acetabulum:
                self.outputs += [
                    cell(f"{side}acetabulum_load", f"{side}acetabulum_cell", f"{says} acetabulum, force"),
                    cell(f"{side}iliac_load", f"{side}iliac_cell", f"{says} ilium, force"),
                    injury(f"{side}pelvic_force", "pelvic_force", f"{says} acetabulum and ilium together", f"{side}acetabulum_load", second=f"{side}iliac_load"),
                ]  # fmt: skip
        if not self.lay.acetabulum:
            self.outputs += [
                cell("pubic_load", "pubic_cell", "Pubic symphysis, force"),
                injury("pubic_force", "pubic_force", "Pubic symphysis, force", "pubic_load"),
            ]  # fmt: skip
        else:
            self.outputs += [
                {"kind": "point", "id": "T12_acceleration", "name": "Lower spine", "segment": "upper_torso", "point_m": self._t12(), "quantity": "acceleration", "cfc": 180},
                injury("lower_spine", "spine_acceleration", "Lower spine, acceleration", "T12_acceleration"),
            ]  # fmt: skip

    def _t12(self) -> Vector:
        """The place of the lower spine's accelerometer in the upper torso: on the back, above the waist (assumed)."""
        x, y, z = self._at(self._("waist_x"), self._("waist_z") + 0.02)
        p = self.places["upper_torso"]
        return (round(x - p[0], 6), round(y - p[1], 6), round(z - p[2], 6))


LATE_S = 2e-4
"""Damping of what is nearly rigid, as a time of its stiffness: assumed."""
SKIN_LATE_S = 0.0015
"""Damping of foam, as a time of its stiffness: assumed."""
HALF_CHEST = {"es_2re": 0.140, "sid_iis": 0.138}
"""Half width (m) of the chest in the viscous criterion: UN R95, 140 mm, from memory; the SID-IIs's by its chest: assumed."""
