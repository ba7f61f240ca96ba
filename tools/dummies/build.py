"""Put a dummy together: segments, joints and the laws of its rubber, ribs and skin."""

from __future__ import annotations

import math

from solver.bodies.body import LEFT, RIGHT, id_as_words
from solver.bodies.parts import ASSUMED, Data, Origin, Parts, Ribs, Vector
from tools.dummies.abdomen import AHEAD, BEHIND, DEEP, LATE_S, SOFT, SOURCE, curve
from tools.dummies.figures import GYRATION, GYRATION_FROM, MAN, MEMORY, WOMAN, Size, length
from tools.dummies.laws import Laws, laws

FITTED = "fitted on the bench tests of the dummy (docs/dummies.md)"
DISC_RELAXATION_S = 1e-4
"""Within this the dampers of the neck's discs relax, as rubber has a spring in a row with them: assumed, so short that
no bench test tells it from a damper alone, and long beside the time of a light plate on it, 14 us."""

BESIDE = (32.0 + 73.0) / (26.0 + 44.0)
"""How many times as stiff ribs are at their sides as at the breastbone: middles of what Cavanaugh and others (1988, abstract) pressed slowly, N/mm."""
BESIDE_FROM = (
    "what the breastbone's spring and dampers are at first, in the ratio of ribs pressed at their sides to those pressed at the breastbone, slowly "
    f"(Cavanaugh and others 1988, abstract); that damping goes with stiffness, and that either side bears by itself: {ASSUMED}"
)


def fragment(size: Size, chosen: Laws) -> Data:
    """A dummy as a piece of a project: upright, arms and legs hanging, its own axes in every segment."""
    return Maker(size, chosen).data()


class Maker(Parts):
    """Put the parts together: trunk, neck and head, limbs, skins."""

    def __init__(self, size: Size, chosen: Laws) -> None:
        self.size, self.laws = size, chosen
        fitted = (
            FITTED
            if not size.has_neck_test_alone
            else f"50th man's in proportion (tools/dummies/fit.py): {ASSUMED}"
        )
        super().__init__(
            lambda name: length(size, name),
            Origin(size.masses_from, size.places_from, fitted, size.limbs),
        )

    def data(self) -> Data:
        """The piece."""
        self._middle()
        self._thorax()
        # that of every dummy has its test
        scaled, self.fitted = self.fitted, FITTED
        self._neck()
        self.fitted = scaled
        for side in (RIGHT, LEFT):
            self._leg(side)
            self._arm(side)
        self._skins()
        lists = ("functions", "contact_laws", "segments", "joints", "coordinate_forces")
        return {name: getattr(self, name) for name in lists}

    # trunk

    def _middle(self) -> None:
        masses, half = self.size.masses_kg, self._("pelvis_half_width")
        abdomen = 0.12 * masses["lower_torso"]
        trunk = self.size.trunk
        self._segment(
            "lower_torso", masses["lower_torso"] - abdomen, self._at(0.118 * trunk, self._("hip_z") + 0.015 * trunk),
            (0.115 * trunk, half, 0.095 * trunk), "pelvis with its flesh and that of the upper thighs; 'iliac' is the "
            "front below the iliac spines that a lap belt lies on. Of their width hip joints lie 30 % lower and 19 % "
            "farther back (Bell and others 1990, from memory); width and flesh over them: assumed",
        )  # fmt: skip
        self._iliac(half, 0.03 * self.size.trunk)
        self._segment(
            "centre_torso", abdomen, self._at(AHEAD * trunk, 0.5 * (self._("lumbar_z") + self._("waist_z"))),
            (DEEP * trunk, 0.93 * half, 0.070 * trunk), "abdomen, 12 % of the lower torso: assumed; belts sink into it by 'belt_abdomen', a lap belt that comes over the crests into 'insert'",
        )  # fmt: skip
        self._insert()
        lumbar = self._at(self._("lumbar_x"), self._("lumbar_z"))
        waist = self._at(self._("waist_x"), self._("waist_z"))
        self._bends("lumbar", "lower_torso", "centre_torso", lumbar)
        shoulders = 2.0 * 0.06 * masses["upper_torso"]
        sternum = self._sternum_mass()
        depth = self._("chest_depth")
        self._segment(
            "upper_torso", masses["upper_torso"] - shoulders - sternum, self._at(0.42 * depth, 0.42 * self.size.trunk * 0.98),
            (0.28 * depth, self._("chest_half_width"), 0.165 * trunk), "spine box and ribs, without sternum and shoulders",
            centre=self._at(0.28 * depth, 0.415 * trunk), inertia_from=GYRATION_FROM,
            inertia=self._gyrating(masses["upper_torso"] - shoulders - sternum),
        )  # fmt: skip
        self._jacket(
            self._at(0.5 * depth, 0.415 * trunk),
            (0.5 * depth, self._("chest_half_width"), 0.165 * trunk),
        )
        self._rib_fronts(
            self._at(0.5 * depth, 0.415 * trunk),
            (0.5 * depth, self._("chest_half_width"), 0.165 * trunk),
        )
        self._bends("waist", "centre_torso", "upper_torso", waist)

    def _rib_fronts(self, place: Vector, semi: Vector) -> None:
        """Add to the last segment what a belt lies on beside the breastbone: ribs of either side, and how they give way."""
        chest, (deep, wide, high) = self.segments[-1], semi
        x, y, z = (p - q for p, q in zip(place, self.places["upper_torso"], strict=True))
        for side, sign in ((RIGHT, 1.0), (LEFT, -1.0)):
            id_ = f"{side}ribs"
            chest["surfaces"].append(
                {
                    "kind": "hyperellipsoid", "id": id_, "name": id_as_words(id_), "powers": (2.0, 2.0, 4.0),
                    "semi_axes_m": tuple(round(v, 5) for v in (math.sqrt(0.75) * deep, 0.5 * wide, high)),
                    "centre_m": tuple(round(v, 6) + 0.0 for v in (x, y + sign * 0.5 * wide, z)),
                }
            )  # fmt: skip
        chest["note"] += (
            f"; belts press on '{RIGHT}ribs' and '{LEFT}ribs' beside the breastbone, as deep as the jacket half way out: {ASSUMED}"
        )
        own = self.laws
        damped = own.ribs_damping_in + own.ribs_series_damping
        self.contact_laws.append(
            {
                "kind": "kelvin_voigt", "id": "belt_ribs", "name": "Ribs beside the breastbone under a belt", "source": BESIDE_FROM,
                "stiffness_n_per_m": round(BESIDE * own.ribs), "damping_ns_per_m": round(BESIDE * damped),
            }
        )  # fmt: skip

    def _gyrating(self, mass: float) -> Vector:
        """The upper torso's inertia by its radii of gyration."""
        x, y, z = (mass * (part * self.size.sitting_height_m) ** 2 for part in GYRATION)
        return x, y, z

    def _insert(self) -> None:
        """Add to the last segment what a lap belt meets that comes over the crests: the insert, flat in front, its lower end behind them."""
        pelvis, belly = self.segments[-2:]
        iliac, body = pelvis["surfaces"][-1], belly["surfaces"][0]
        # heights from the abdomen's middle, z down
        crest = (
            self.places[pelvis["id"]][2]
            + iliac["centre_m"][2]
            - iliac["semi_axes_m"][2]
            - self.places[belly["id"]][2]
        )
        deep, wide, high = body["semi_axes_m"]
        low = crest + BEHIND * self.size.trunk
        belly["surfaces"].append(
            {
                "kind": "hyperellipsoid", "id": "insert", "name": "Abdomen, front", "powers": (2.5, 2.0, 4.0),
                "semi_axes_m": (deep, wide, round(0.5 * (low + high), 5)), "centre_m": (0.0, 0.0, round(0.5 * (low - high), 6)),
            }
        )  # fmt: skip

    def _sternum_mass(self) -> float:
        return 0.45 / 17.19 * self.size.masses_kg["upper_torso"]

    def _bends(self, id_: str, parent: str, child: str, place: Vector) -> None:
        """Add one half of the lumbar spine: rubber that bends and twists. Men have no test of it."""
        own, source, grown = self.laws, f"stiffness: {self.fitted}; damping: {ASSUMED}", 1.0
        if not self.size.has_lumbar_test:
            own, source = laws(WOMAN.id), f"5th woman's by mass and sitting height: {ASSUMED}"
            grown = self.size.mass_kg / WOMAN.mass_kg * self.size.trunk / WOMAN.trunk
        spring = {
            "linear_nm_per_rad": round(own.lumbar * grown, 3),
            "cubic_nm_per_rad3": round(own.lumbar3 * grown, 3),
        }
        self._joint(
            id_, "ball", parent, child, place, source, flexure=spring, torsion=dict(spring),
            friction={"viscous_nms_per_rad": round(own.lumbar_damping * grown, 4)},
        )  # fmt: skip

    def _thorax(self) -> None:
        depth = self._("chest_depth")
        thick = 0.15 * depth
        place = self._at(depth - thick, self._("sternum_z"))
        self._segment(
            "sternum", self._sternum_mass(), place, (thick, 0.55 * self._("chest_half_width"), 0.09 * self.size.trunk),
            "0.45 kg of the 50th man (Lobdell 1973, from memory), others by the mass of their chest",
        )  # fmt: skip
        own = self.laws
        self._ribs(
            place,
            Ribs(
                own.ribs, own.ribs_beyond, own.ribs_knee, own.ribs_series, own.ribs_series_damping, own.ribs_damping_in,
                own.ribs_damping_out,
            ),
        )  # fmt: skip

    # neck and head

    def _neck(self) -> None:
        size = self.size
        long, wide, high = size.head_m
        grown = long / MAN.head_m[0]
        forward, up = 0.014 * grown, 0.051 * grown
        middle_x = self._("head_back_x") + long / 2
        crown = size.sitting_height_m
        head = self._at(middle_x, crown - high / 2)
        condyle = (head[0] - forward, 0.0, head[2] + up)
        neck, plates = self._("neck"), 4
        base = (condyle[0], 0.0, condyle[2] + neck)
        stiff = {
            "flexion": (self.laws.disc_flexion, self.laws.disc_flexion3),
            "extension": (self.laws.disc_extension, self.laws.disc_extension3),
        }
        for name, (a, b) in stiff.items():
            self._cubic(f"disc_{name}", f"Neck disc: moment in {name}", a, b)
        a, b = (0.5 * (one + other) for one, other in zip(*stiff.values(), strict=True))
        self._cubic(
            "disc_sideways", "Neck disc: moment sideways", a, b, f"mean of both ways: {ASSUMED}"
        )
        parent, step = "upper_torso", neck / plates
        for number in range(1, plates + 1):
            id_ = f"neck_{number}"
            bottom = (base[0], 0.0, base[2] - step * (number - 1))
            middle = (base[0], 0.0, bottom[2] - step / 2)
            radius = 0.042 * self.size.trunk
            self._segment(
                id_, size.masses_kg["neck"] / plates, middle, (radius, radius, 0.75 * step), "a quarter of the neck",
                surface="body",
            )  # fmt: skip
            around = self._azimuths("disc_flexion", "disc_extension", "disc_sideways")
            # z leans backwards in flexion; so x of the frame goes there
            turn = {"angles_rad": (math.pi, 0.0, 0.0)}
            self._joint(
                f"disc_{number}", "ball", parent, id_, bottom, f"{self.fitted}; relaxation: assumed", by_azimuth=around,
                torsion={"linear_nm_per_rad": 0.25 * (self.laws.disc_flexion + self.laws.disc_extension)},
                friction={"viscous_nms_per_rad": self.laws.disc_damping, "relaxation_s": DISC_RELAXATION_S},
                parent_turn=turn, child_turn=turn,
            )  # fmt: skip
            parent = id_
        x, y, z = 0.0159, 0.0240, 0.0221
        by_size = size.masses_kg["head"] / MAN.masses_kg["head"] * grown**2
        self._segment(
            "head", size.masses_kg["head"], head, (long / 2, wide / 2, high / 2), size.head_from,
            inertia=(round(x * by_size, 6), round(y * by_size, 6), round(z * by_size, 6)),
            inertia_from=f"50th man's {MEMORY}" if size is MAN else "50th man's by mass and length of the head squared: assumed",
        )  # fmt: skip
        self._chin((long / 2, wide / 2, high / 2), base, size.trunk)
        self._signed(
            "nodding_blocks", "Nodding blocks: moment by angle",
            (self.laws.nod_flexion, self.laws.nod_flexion3), (self.laws.nod_extension, self.laws.nod_extension3),
        )  # fmt: skip
        self._joint(
            "condyles", "pin", parent, "head", condyle, self.fitted, spring={"torque": "nodding_blocks"},
            friction={"viscous_nms_per_rad": self.laws.nod_damping},
        )  # fmt: skip

    # limbs

    def _leg(self, side: str) -> None:
        masses, y = self.size.masses_kg, self._("hip_y") * (1.0 if side == RIGHT else -1.0)
        thigh, shank = self._("thigh"), self._("shank")
        mass, radius = masses["upper_leg"], self._("thigh_radius")
        # x of a hanging thigh is up when it lies level
        top = self._("thigh_clearance") - self._("hip_z")
        hip = (0.0, y, 0.0)
        cut = (0.0, y, 0.55 * thigh)
        knee = (0.0, y, thigh)
        self._segment(
            f"{side}upper_leg", 0.68 * mass, (0.0, y, 0.36 * thigh), (0.5 * (top + radius), radius, 0.42 * thigh),
            "68 % of the thigh, behind its load cell: assumed; as high above the hip as its clearance above the seat, of a seated dummy",
            centre=(0.5 * (top - radius), y, 0.36 * thigh), size=(radius, radius, 0.42 * thigh),
        )  # fmt: skip
        small = self._("knee_radius")
        self._segment(
            f"{side}knee_block", 0.27 * mass, (0.0, y, 0.85 * thigh), (small, small, 0.15 * thigh + small),
            "27 % of the thigh, before its load cell, with the knee: assumed", centre=(0.0, y, 0.85 * thigh),
        )  # fmt: skip
        self._segment(
            f"{side}knee_slider",
            0.05 * mass,
            knee,
            None,
            "5 % of the thigh: assumed",
            size=(small, small, small),
        )
        lower = masses["lower_leg"]
        calf = self._("shank_radius")
        foot = 0.21 * lower
        ankle = (0.0, y, thigh + shank)
        self._segment(
            f"{side}lower_leg", lower - foot, (0.0, y, thigh + 0.43 * shank), (calf, calf, 0.5 * shank),
            "79 % of the leg below the knee: assumed",
        )  # fmt: skip
        above, below = self._shins(side, shank)
        sole, toe = self._("foot_height"), self._("foot_length")
        middle = (toe / 2 - self._("ankle_back"), y, ankle[2] + 0.5 * sole)
        self._segment(
            f"{side}foot", foot, middle, (0.5 * sole, 0.19 * toe, 0.5 * toe), "21 % of the leg below the knee: assumed",
            turned=True,
        )  # fmt: skip
        self._hip(side, hip, mass + lower, thigh)
        self._joint(
            f"{side}femur_cell",
            "locked",
            f"{side}upper_leg",
            f"{side}knee_block",
            cut,
            "load cell: a rigid cut",
        )
        # the shank bends backwards: below zero
        self._stop(f"{side}knee", 0.05, -2.3, 60.0, 600.0)
        self._joint(
            f"{side}knee", "pin", f"{side}knee_block", f"{side}knee_slider", knee, ASSUMED,
            spring={"torque": f"{side}knee_stop"}, friction=self._one_g(lower, 0.5 * shank),
        )  # fmt: skip
        backwards = {"angles_rad": (0.0, -math.pi / 2, 0.0)}
        self._joint(
            f"{side}knee_slider", "slip", f"{side}knee_slider", above, knee, ASSUMED, rotation="none",
            slide={"force": self._slider(), "viscous_ns_per_m": 200.0}, parent_turn=backwards, child_turn=backwards,
        )  # fmt: skip
        self._tibia_cells(side, above, below, knee, shank)
        stop = {"stop_rad": 0.5, "quadratic_nm_per_rad2": 2600.0, "returned_ratio": 0.7}
        level = {"angles_rad": (0.0, math.pi / 2, 0.0)}
        self._joint(
            f"{side}ankle", "ball", below, f"{side}foot", ankle, ASSUMED, flexure=stop,
            torsion={**stop, "stop_rad": 0.35}, friction=self._one_g(foot, 0.06 * self.size.limbs), parent_turn=level,
        )  # fmt: skip

    def _shins(self, side: str, shank: float) -> tuple[str, str]:
        """Cut a shank, the last segment, above and below its middle, where a load cell is; give what the knee and the ankle hold.

        Both ends come out of it as far from its mass centre: all three together weigh and turn as it did.
        """
        whole = f"{side}lower_leg"
        if not self.size.has_tibia_cells:
            return whole, whole
        one = self.segments[-1]
        x, y, z = self.places[whole]
        mass, far, small = 0.1 * one["mass_kg"], 0.35 * shank, self._("shank_radius")
        ends = []
        for name, way in (("knee_clevis", -far), ("ankle_block", far)):
            id_ = f"{side}{name}"
            self._segment(
                id_, mass, (x, y, z + way), None, f"a tenth of {id_as_words(whole).lower()}, beyond its load cell: {ASSUMED}",
                size=(small, small, 0.08 * shank),
            )  # fmt: skip
            across, upright = (self.segments[-1]["inertia_kgm2"][axis] for axis in (0, 2))
            one["mass_kg"] = round(one["mass_kg"] - mass, 5)
            lost = (across + mass * far**2, across + mass * far**2, upright)
            one["inertia_kgm2"] = tuple(
                float(f"{i - j:.5g}") for i, j in zip(one["inertia_kgm2"], lost, strict=True)
            )
            ends.append(id_)
        return ends[0], ends[1]

    def _tibia_cells(self, side: str, above: str, below: str, knee: Vector, shank: float) -> None:
        whole = f"{side}lower_leg"
        if above == below:
            return
        for place, pair, part in (("upper", (above, whole), 0.2), ("lower", (whole, below), 0.75)):
            self._joint(
                f"{side}tibia_{place}_cell", "locked", *pair, (knee[0], knee[1], knee[2] + part * shank),
                f"load cell: a rigid cut, at {part:.0%} of the shank: {ASSUMED}",
            )  # fmt: skip

    def _hip(self, side: str, hip: Vector, mass: float, thigh: float) -> None:
        """Add a hip whose middle is a thigh that lies level; its friction comes to the torques of the table."""
        ways = {
            "hip_flexion": ((0.0, 0.26, 0.5236, 0.7854, 1.1), (0.0, 0.0, 45.0, 165.0, 450.0), "572.35 (c)"),
            "hip_extension": ((0.0, 1.5, 1.9, 2.5), (0.0, 0.0, 120.0, 500.0), ASSUMED),
            "hip_sideways": ((0.0, 0.4, 0.8, 1.6), (0.0, 0.0, 150.0, 800.0), ASSUMED),
        }  # fmt: skip
        for id_, (angles, torques, source) in ways.items():
            if id_ not in {f["id"] for f in self.functions}:
                grown = mass / (MAN.masses_kg["upper_leg"] + MAN.masses_kg["lower_leg"])
                grown *= thigh / length(MAN, "thigh")
                name = id_as_words(id_).replace("Hip", "Hip: torque in")
                by = (
                    source
                    if self.size is MAN
                    else "50th man's by weight and length of the leg: assumed"
                )
                self._function(id_, name, "rad", "N*m", angles, [t * grown for t in torques], by)
        around = self._azimuths("hip_flexion", "hip_extension", "hip_sideways")
        self._joint(
            f"{side}hip", "ball", "lower_torso", f"{side}upper_leg", hip, "572.35 (c); the rest assumed",
            by_azimuth=around, torsion={"stop_rad": 0.6, "quadratic_nm_per_rad2": 500.0, "returned_ratio": 0.7},
            friction=self._one_g(mass, 0.42 * (thigh + self._("shank"))),
            parent_turn={"angles_rad": (0.0, math.pi / 2, 0.0)},
        )  # fmt: skip

    def _slider(self) -> str:
        if "knee_slider_force" not in {f["id"] for f in self.functions}:
            self._function(
                "knee_slider_force", "Knee slider: force by way", "m", "N", (-0.02, -0.001, 0.001, 0.015, 0.02),
                (-60e3, -500.0, 500.0, 2500.0, 60e3), ASSUMED,
            )  # fmt: skip
        return "knee_slider_force"

    def _arm(self, side: str) -> None:
        masses, sign = self.size.masses_kg, 1.0 if side == RIGHT else -1.0
        y = self._("shoulder_y") * sign
        upper, fore, hand = (self._(name) for name in ("upper_arm", "forearm", "hand"))
        shoulder = self._at(self._("shoulder_x"), self._("shoulder_z"), y)
        x, z = shoulder[0], shoulder[2]
        breast = self._at(0.45 * self._("chest_depth"), self._("shoulder_z"), 0.2 * y)
        grown = self.size.trunk
        self._segment(
            f"{side}shoulder", 0.06 * masses["upper_torso"], (x, 0.75 * y, z), (0.055 * grown, 0.45 * abs(y), 0.045 * grown),
            "6 % of the upper torso: assumed; the shape is that of the clavicle under a belt, from the neck's base outwards: assumed",
            centre=self._at(self._("shoulder_x") + 0.011 * grown, self._("shoulder_z") + 0.017 * grown, 0.5 * y),
        )  # fmt: skip
        stiff = {
            "linear_nm_per_rad": 120.0 * self.size.trunk**2,
            "stop_rad": 0.15,
            "quadratic_nm_per_rad2": 6000.0 * self.size.trunk**2,
        }
        self._joint(
            f"{side}clavicle", "ball", "upper_torso", f"{side}shoulder", breast, ASSUMED, flexure=stiff, torsion=stiff,
            friction={"viscous_nms_per_rad": 2.0 * self.size.trunk**2},
        )  # fmt: skip
        limb = masses["upper_arm"] + masses["forearm"]
        self._segment(
            f"{side}upper_arm", masses["upper_arm"], (x, y, z + 0.44 * upper),
            (self._("arm_radius"), self._("arm_radius"), 0.5 * upper + 0.3 * self._("arm_radius")), "upper arm",
        )  # fmt: skip
        palm = 0.25 * masses["forearm"]
        self._segment(
            f"{side}forearm", masses["forearm"] - palm, (x, y, z + upper + 0.43 * fore),
            (self._("forearm_radius"), self._("forearm_radius"), 0.52 * fore), "75 % of forearm with hand: assumed",
        )  # fmt: skip
        self._segment(
            f"{side}hand", palm, (x, y, z + upper + fore + 0.4 * hand), (0.5 * self._("forearm_radius"), self._("forearm_radius"), 0.5 * hand),
            "25 % of forearm with hand: assumed",
        )  # fmt: skip
        stop = {"stop_rad": 2.1, "quadratic_nm_per_rad2": 600.0, "returned_ratio": 0.7}
        self._joint(
            f"{side}shoulder", "ball", f"{side}shoulder", f"{side}upper_arm", shoulder, ASSUMED, flexure=stop,
            torsion={**stop, "stop_rad": 1.5}, friction=self._one_g(limb, 0.45 * (upper + fore)),
        )  # fmt: skip
        # the forearm bends forward: above zero
        self._stop(f"{side}elbow", 2.3, -0.05, 40.0, 300.0)
        self._joint(
            f"{side}elbow", "pin", f"{side}upper_arm", f"{side}forearm", (x, y, z + upper), ASSUMED,
            spring={"torque": f"{side}elbow_stop"}, friction=self._one_g(masses["forearm"], 0.5 * fore),
        )  # fmt: skip
        wrist = {"stop_rad": 0.9, "quadratic_nm_per_rad2": 60.0, "returned_ratio": 0.7}
        self._joint(
            f"{side}wrist", "ball", f"{side}forearm", f"{side}hand", (x, y, z + upper + fore), ASSUMED, flexure=wrist,
            torsion=wrist, friction=self._one_g(palm, 0.4 * hand),
        )  # fmt: skip

    # what presses

    def _skins(self) -> None:
        for id_, name, stiffness, damping in (
            ("head_skin", "Head on what is rigid", self.laws.skin, self.laws.skin_damping),
            ("knee_skin", "Knee on what is rigid", self.laws.knee_skin, self.laws.knee_damping),
        ):
            self.contact_laws.append(
                {
                    "kind": "hunt_crossley", "id": id_, "name": name, "exponent": 1.5,
                    "source": f"stiffness: {self.fitted}; exponent and damping: {ASSUMED}",
                    "stiffness_n_per_mn": stiffness, "damping_s_per_m": damping,
                }
            )  # fmt: skip
        self.contact_laws.append(
            {
                "kind": "kelvin_voigt", "id": "belt_flesh", "name": "Skin and foam of the pelvis under a belt", "source": ASSUMED,
                "stiffness_n_per_m": round(80e3 * self.size.trunk), "damping_ns_per_m": round(800.0 * self.size.trunk),
            }
        )  # fmt: skip
        self._function(
            "belt_abdomen_force", "Abdomen under a belt: force by depth", "m", "N", *curve(self._("lumbar_x"), self.size.trunk), SOURCE,
        )  # fmt: skip
        self.contact_laws.append(
            {
                "kind": "damped", "id": "belt_abdomen", "name": "Abdomen under a belt", "source": f"force: that of its function; damping: {ASSUMED}",
                "base": "belt_abdomen_force", "damping_ns_per_m": round(LATE_S * SOFT * self.size.trunk),
            }
        )  # fmt: skip
        self.contact_laws.append(
            {
                "kind": "kelvin_voigt", "id": "jacket", "name": "Jacket over the sternum on what is rigid",
                "source": f"281 kN/m of the 50th man (Lobdell 1973, from memory), others in proportion: {ASSUMED}",
                "stiffness_n_per_m": self.laws.jacket, "damping_ns_per_m": 0.0,
            }
        )  # fmt: skip
