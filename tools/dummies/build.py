"""Put a dummy together: segments, joints and the laws of its rubber, ribs and skin."""

from __future__ import annotations

import math
from typing import Any

from solver.bodies.body import LEFT, RIGHT, said
from tools.dummies.figures import ELLIPSOID, MAN, MEMORY, Size, length
from tools.dummies.laws import Laws

Vector = tuple[float, float, float]
Data = dict[str, Any]
FITTED = "fitted on the bench tests of the dummy (docs/dummies.md)"
ASSUMED = "assumed"
G = 9.80665
UP, DOWN, ACROSS = 0.0, -math.pi, math.pi / 2
"""Azimuths towards which a joint bends, from its frame's x."""


def fragment(size: Size, laws: Laws) -> Data:
    """Give a dummy as a piece of a project: upright, arms and legs hanging, its own axes in every segment."""
    return Maker(size, laws).data()


class Maker:
    """Hold what is known while a dummy is put together; places are from the middle of the hips, z down."""

    def __init__(self, size: Size, laws: Laws) -> None:
        """Begin with nothing."""
        self.size, self.laws = size, laws
        self.fitted = (
            FITTED
            if size.has_bench
            else f"50th man's in proportion (tools/dummies/fit.py): {ASSUMED}"
        )
        self.places: dict[str, Vector] = {}
        self.segments: list[Data] = []
        self.joints: list[Data] = []
        self.functions: list[Data] = []
        self.contact_laws: list[Data] = []
        self.coordinate_forces: list[Data] = []

    def data(self) -> Data:
        """Give the piece."""
        self._middle()
        self._thorax()
        self._neck()
        for side in (RIGHT, LEFT):
            self._leg(side)
            self._arm(side)
        self._skins()
        lists = ("functions", "contact_laws", "segments", "joints", "coordinate_forces")
        return {name: getattr(self, name) for name in lists}

    def _(self, name: str) -> float:
        return length(self.size, name)

    def _at(self, x: float, z: float, y: float = 0.0) -> Vector:
        """Give a place from the line of the back and the seat, from the middle of the hips."""
        return (x - self._("hip_x"), y, self._("hip_z") - z)

    # trunk

    def _middle(self) -> None:
        masses, half = self.size.masses_kg, self._("pelvis_half_width")
        abdomen = 0.12 * masses["lower_torso"]
        trunk = self.size.trunk
        self._segment(
            "lower_torso", masses["lower_torso"] - abdomen, self._at(0.118 * trunk, self._("hip_z") + 0.015 * trunk),
            (0.115 * trunk, half, 0.095 * trunk), "pelvis with its flesh and that of the upper thighs",
        )  # fmt: skip
        self._segment(
            "centre_torso", abdomen, self._at(0.118 * trunk, 0.5 * (self._("lumbar_z") + self._("waist_z"))),
            (0.105 * trunk, 0.93 * half, 0.080 * trunk), "abdomen, 12 % of the lower torso: assumed",
        )  # fmt: skip
        lumbar = self._at(self._("lumbar_x"), self._("lumbar_z"))
        waist = self._at(self._("waist_x"), self._("waist_z"))
        self._bends("lumbar", "lower_torso", "centre_torso", lumbar)
        shoulders = 2.0 * 0.06 * masses["upper_torso"]
        sternum = self._sternum_mass()
        depth = self._("chest_depth")
        self._segment(
            "upper_torso", masses["upper_torso"] - shoulders - sternum, self._at(0.42 * depth, 0.42 * self.size.trunk * 0.98),
            (0.28 * depth, self._("chest_half_width"), 0.165 * trunk), "spine box and ribs, without sternum and shoulders",
            centre=self._at(0.28 * depth, 0.415 * trunk),
        )  # fmt: skip
        self._bends("waist", "centre_torso", "upper_torso", waist)

    def _lumbar_source(self) -> str:
        """Give where the lumbar spine's numbers are from: men have no test of it."""
        if self.size.has_lumbar_test:
            return self.fitted
        return f"5th woman's by mass and sitting height: {ASSUMED}"

    def _sternum_mass(self) -> float:
        return 0.45 / 17.19 * self.size.masses_kg["upper_torso"]

    def _bends(self, id_: str, parent: str, child: str, place: Vector) -> None:
        """Add one half of the lumbar spine: rubber that bends and twists."""
        spring = {"linear_nm_per_rad": self.laws.lumbar, "cubic_nm_per_rad3": self.laws.lumbar3}
        self._joint(
            id_, "ball", parent, child, place, self._lumbar_source(),
            flexure=spring, torsion=dict(spring), friction={"viscous_nms_per_rad": self.laws.lumbar_damping},
        )  # fmt: skip

    def _thorax(self) -> None:
        depth, laws = self._("chest_depth"), self.laws
        thick = 0.15 * depth
        place = self._at(depth - thick, self._("sternum_z"))
        self._segment(
            "sternum", self._sternum_mass(), place, (thick, 0.55 * self._("chest_half_width"), 0.11 * self.size.trunk),
            "0.45 kg of the 50th man (Lobdell 1973, from memory), others by the mass of their chest",
        )  # fmt: skip
        inwards = {"angles_rad": (0.0, -math.pi / 2, 0.0)}
        self._joint(
            "sternum", "slip", "upper_torso", "sternum", place, self.fitted, rotation="none",
            parent_turn=inwards, child_turn=inwards,
        )  # fmt: skip
        knee = laws.ribs_knee
        ends = 0.15
        self._function(
            "ribs_force", "Ribs: force by deflection", "m", "N", (0.0, knee, ends),
            (0.0, laws.ribs * knee, laws.ribs * knee + laws.ribs_beyond * (ends - knee)), self.fitted,
        )  # fmt: skip
        self._function(
            "ribs_outward", "Ribs: force outwards", "m", "N", (0.0, 0.1), (0.0, 30e3), ASSUMED
        )
        self.coordinate_forces.append(
            {
                "id": "ribs", "name": "Ribs", "source": f"form of Lobdell (1973); {self.fitted}",
                "coordinate": {"kind": "joint", "joint": "sternum", "axis": "slide"}, "zero": 0.0,
                "laws": [
                    {"kind": "rest", "above": "ribs_force", "below": "ribs_outward"},
                    {"kind": "one_way_damper", "acts": "growing", "damping": laws.ribs_damping_in},
                    {"kind": "one_way_damper", "acts": "falling", "damping": laws.ribs_damping_out},
                    {"kind": "muscle", "stiffness": laws.ribs_series, "damping": laws.ribs_series_damping},
                ],
            }
        )  # fmt: skip

    # neck and head

    def _neck(self) -> None:
        size, laws = self.size, self.laws
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
            "flexion": (laws.disc_flexion, laws.disc_flexion3),
            "extension": (laws.disc_extension, laws.disc_extension3),
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
            around = [
                {"azimuth_rad": DOWN, "torque": "disc_extension"}, {"azimuth_rad": -ACROSS, "torque": "disc_sideways"},
                {"azimuth_rad": UP, "torque": "disc_flexion"}, {"azimuth_rad": ACROSS, "torque": "disc_sideways"},
            ]  # fmt: skip
            # z leans backwards in flexion; so x of the frame goes there
            turn = {"angles_rad": (math.pi, 0.0, 0.0)}
            self._joint(
                f"disc_{number}", "ball", parent, id_, bottom, self.fitted, by_azimuth={"around": around},
                torsion={"linear_nm_per_rad": 0.25 * (laws.disc_flexion + laws.disc_extension)},
                friction={"viscous_nms_per_rad": laws.disc_damping}, parent_turn=turn, child_turn=turn,
            )  # fmt: skip
            parent = id_
        x, y, z = 0.0159, 0.0240, 0.0221
        by_size = size.masses_kg["head"] / MAN.masses_kg["head"] * grown**2
        self._segment(
            "head", size.masses_kg["head"], head, (long / 2, wide / 2, high / 2), size.head_from,
            inertia=(round(x * by_size, 6), round(y * by_size, 6), round(z * by_size, 6)),
            inertia_from=f"50th man's {MEMORY}" if size is MAN else "50th man's by mass and length of the head squared: assumed",
        )  # fmt: skip
        self._signed(
            "nodding_blocks", "Nodding blocks: moment by angle",
            (laws.nod_flexion, laws.nod_flexion3), (laws.nod_extension, laws.nod_extension3),
        )  # fmt: skip
        self._joint(
            "condyles", "pin", parent, "head", condyle, self.fitted, spring={"torque": "nodding_blocks"},
            friction={"viscous_nms_per_rad": laws.nod_damping},
        )  # fmt: skip

    def _cubic(self, id_: str, name: str, a: float, b: float, source: str = "") -> None:
        self.functions.append(
            {
                "id": id_, "name": name, "source": source or self.fitted, "x_unit": "rad", "y_unit": "N*m",
                "form": {"kind": "polynomial", "coefficients": (0.0, a, 0.0, b), "x_min": 0.0, "x_max": 1.5},
            }
        )  # fmt: skip

    def _signed(
        self, id_: str, name: str, flexion: tuple[float, float], extension: tuple[float, float]
    ) -> None:
        """Add a moment by angle about y; flexion is below zero."""
        first, second = (
            {"kind": "polynomial", "coefficients": (0.0, a, 0.0, b), "x_min": low, "x_max": high}
            for (a, b), low, high in ((flexion, -1.5, 0.0), (extension, 0.0, 1.5))
        )
        form = {"kind": "two_ranges", "split": 0.0, "first": first, "second": second}
        self.functions.append(
            {
                "id": id_,
                "name": name,
                "source": self.fitted,
                "x_unit": "rad",
                "y_unit": "N*m",
                "form": form,
            }
        )

    # limbs

    def _leg(self, side: str) -> None:
        masses, y = self.size.masses_kg, self._("hip_y") * (1.0 if side == RIGHT else -1.0)
        thigh, shank = self._("thigh"), self._("shank")
        mass, radius = masses["upper_leg"], self._("thigh_radius")
        hip = (0.0, y, 0.0)
        cut = (0.0, y, 0.55 * thigh)
        knee = (0.0, y, thigh)
        self._segment(
            f"{side}upper_leg", 0.68 * mass, (0.0, y, 0.36 * thigh), (radius, radius, 0.42 * thigh),
            "68 % of the thigh, behind its load cell: assumed",
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
            f"{side}knee_slider", "slip", f"{side}knee_slider", f"{side}lower_leg", knee, ASSUMED, rotation="none",
            slide={"force": self._slider(), "viscous_ns_per_m": 200.0}, parent_turn=backwards, child_turn=backwards,
        )  # fmt: skip
        stop = {"stop_rad": 0.5, "quadratic_nm_per_rad2": 2600.0, "returned_ratio": 0.7}
        level = {"angles_rad": (0.0, math.pi / 2, 0.0)}
        self._joint(
            f"{side}ankle", "ball", f"{side}lower_leg", f"{side}foot", ankle, ASSUMED, flexure=stop,
            torsion={**stop, "stop_rad": 0.35}, friction=self._one_g(foot, 0.06 * self.size.limbs), parent_turn=level,
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
                name = said(id_).replace("Hip", "Hip: torque in")
                by = (
                    source
                    if self.size is MAN
                    else "50th man's by weight and length of the leg: assumed"
                )
                self._function(id_, name, "rad", "N*m", angles, [t * grown for t in torques], by)
        around = [
            {"azimuth_rad": DOWN, "torque": "hip_extension"}, {"azimuth_rad": -ACROSS, "torque": "hip_sideways"},
            {"azimuth_rad": UP, "torque": "hip_flexion"}, {"azimuth_rad": ACROSS, "torque": "hip_sideways"},
        ]  # fmt: skip
        self._joint(
            f"{side}hip", "ball", "lower_torso", f"{side}upper_leg", hip, "572.35 (c); the rest assumed",
            by_azimuth={"around": around}, torsion={"stop_rad": 0.6, "quadratic_nm_per_rad2": 500.0, "returned_ratio": 0.7},
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
        radius = 0.05 * self.size.trunk
        self._segment(
            f"{side}shoulder", 0.06 * masses["upper_torso"], (x, 0.75 * y, z), (radius, 0.06 * self.size.trunk, 0.8 * radius),
            "6 % of the upper torso: assumed",
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

    def _one_g(self, mass: float, arm: float) -> Data:
        """Give the friction that just holds a limb's weight (572.36 (l)), and a little that is viscous."""
        holds = mass * G * arm
        return {"coulomb_nm": round(holds, 4), "viscous_nms_per_rad": round(0.02 * holds, 5)}

    def _stop(
        self, joint: str, upper: float, lower: float, linear: float, quadratic: float
    ) -> None:
        """Add the torque of a pin that is free between two angles."""
        grown = self.size.limbs**3
        ways = (0.0, 0.1, 0.3, 0.6)
        torque = [grown * (linear * way + quadratic * way * way) for way in ways]
        angles = [*(lower - way for way in reversed(ways)), *(upper + way for way in ways)]
        values = [*(-t for t in reversed(torque)), *torque]
        self._function(
            f"{joint}_stop",
            f"{said(joint)}: torque of the stops",
            "rad",
            "N*m",
            angles,
            values,
            ASSUMED,
        )

    # what presses

    def _skins(self) -> None:
        laws = self.laws
        for id_, name, stiffness, damping in (
            ("head_skin", "Head on what is rigid", laws.skin, laws.skin_damping),
            ("knee_skin", "Knee on what is rigid", laws.knee_skin, laws.knee_damping),
        ):
            self.contact_laws.append(
                {
                    "kind": "hunt_crossley", "id": id_, "name": name, "source": self.fitted, "exponent": 1.5,
                    "stiffness_n_per_mn": stiffness, "damping_s_per_m": damping,
                }
            )  # fmt: skip
        self.contact_laws.append(
            {
                "kind": "kelvin_voigt", "id": "jacket", "name": "Jacket over the sternum on what is rigid",
                "source": f"form of Lobdell (1973); {self.fitted}", "stiffness_n_per_m": laws.jacket, "damping_ns_per_m": 0.0,
            }
        )  # fmt: skip

    # elements

    def _segment(
        self, id_: str, mass: float, place: Vector, semi: Vector | None, note: str, *, centre: Vector | None = None,
        size: Vector | None = None, inertia: Vector | None = None, inertia_from: str = ELLIPSOID, turned: bool = False,
        surface: str = "body",
    ) -> None:  # fmt: skip
        self.places[id_] = place
        extent = semi or size
        assert extent is not None
        a, b, c = extent
        inertia = inertia or (
            mass / 5 * (b * b + c * c),
            mass / 5 * (a * a + c * c),
            mass / 5 * (a * a + b * b),
        )
        shapes = []
        if semi is not None:
            off = tuple(round(p - q, 6) + 0.0 for p, q in zip(centre or place, place, strict=True))
            shapes.append(
                {
                    "kind": "ellipsoid",
                    "id": surface,
                    "name": said(id_),
                    "semi_axes_m": tuple(round(v, 5) for v in semi),
                    "centre_m": off,
                }
            )
        twin = {RIGHT: LEFT, LEFT: RIGHT}
        other = next((twin[s] + id_[len(s) :] for s in twin if id_.startswith(s)), None)
        self.segments.append(
            {
                "id": id_, "name": said(id_), "note": note, "source": f"mass: {self.size.masses_from}; {inertia_from}",
                "mass_kg": round(mass, 5), "inertia_kgm2": tuple(float(f"{v:.5g}") for v in inertia),
                "surfaces": shapes, "mirror": other,
                **({"surfaces_are": "part"} if not shapes or turned else {}),
            }
        )  # fmt: skip

    def _joint(
        self, id_: str, kind: str, parent: str, child: str, place: Vector, source: str, *,
        parent_turn: Data | None = None, child_turn: Data | None = None, **more: Any,
    ) -> None:  # fmt: skip
        frames = {}
        for name, segment, turn in (
            ("parent_frame", parent, parent_turn),
            ("child_frame", child, child_turn),
        ):
            at = tuple(
                round(p - q, 6) + 0.0 for p, q in zip(place, self.places[segment], strict=True)
            )
            if segment.endswith("foot"):
                # its own z goes to the toes, its x up
                at = (-at[2], at[1], at[0])
            frames[name] = {"position_m": at, **({"orientation": turn} if turn else {})}
        self.joints.append(
            {
                "kind": kind, "id": id_, "name": said(id_), "parent": parent, "child": child,
                "source": f"place: {self.size.places_from}; law: {source}", **frames, **more,
            }
        )  # fmt: skip

    def _function(
        self, id_: str, name: str, x_unit: str, y_unit: str, x: Any, y: Any, source: str
    ) -> None:
        form = {
            "kind": "table",
            "x": tuple(round(v, 6) for v in x),
            "y": tuple(round(v, 4) for v in y),
        }
        self.functions.append(
            {
                "id": id_,
                "name": name,
                "source": source,
                "x_unit": x_unit,
                "y_unit": y_unit,
                "form": form,
            }
        )
