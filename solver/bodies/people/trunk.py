"""Trunk, chest, shoulder girdle, neck and head of a person."""

from __future__ import annotations

import math
from itertools import pairwise

from solver.bodies.body import RIGHT, read
from solver.bodies.dimensions import NECK_PART
from solver.bodies.generator import BEIER_M, HEAD_RADII
from solver.bodies.parts import ASSUMED, Data, Ribs, Vector
from solver.bodies.people.sizes import (
    AROUND,
    BENDS,
    FITTED,
    LINKS,
    NECK_MM,
    NECK_SHARES,
    SLICES_KG,
    STIFFENS,
    TRUNK,
    Around,
    Sized,
    damping,
    neck_muscles,
)

_BENDING = ("flexion", "extension", "sideways")

CHEST = Ribs(7.2e3, 59.0e3, 0.038, 36.0e3, 104.0, 372.0, 1190.0, growth=6300.0)
"""Of the 50th man: fitted, but for the first: as stiff as relaxed volunteers (Lobdell 1973, from memory), at rest and under a slow hub."""
SKIN = 300e3
COLLAR = 0.025
"""How far below the seventh cervical vertebra jacket and collar end (m, by sitting height): assumed."""
ABDOMEN = 26e3
"""Of the 50th man under a belt (N/m): seven subjects of 71 kg bore 2.8 to 4.7 kN at 110 to 177 mm (Ramachandra and others 2016)."""
STERNUM_KG = 0.45
"""Of the 50th man (Lobdell 1973, from memory)."""
STRESS_PA = 48.7e4
"""Greatest stress of muscles: as fitted for the library's neck, between 35 (Barrett) and 50 N/cm2 (Winters, from memory)."""
TONE, PASSIVE_STRAIN, SPEED_PER_S = 0.02, 0.6, 5.0
"""Activation of extensors at rest (assumed: 0 to 0.05); stretch at which they pull as hard unasked (Thelen 2003); best lengths a second."""


class Trunk(Sized):
    """Put pelvis, spine, chest, clavicles, neck and head together."""

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
            low=-self.hip_z,
            least=0.5 * (self.hip_z + s["lumbar_1"][1]),
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
            ("lower_ribs", "thoracic_1", "thoracic_2", chest, broad, 0.92),
        ):
            ahead = 0.15 if depth == belly else 0.18
            x = 0.5 * (s[low][0] + s[high][0]) + ahead * depth
            z = 0.5 * (s[low][1] + s[high][1])
            least = 0.6 * (s[high][1] - s[low][1])
            self._thick(
                name, self._slice(name), (x, z), 0.46 * depth, 0.97 * breadth, dense, least=least
            )
        t8, c7 = s["thoracic_2"], s["disc_1"]
        self.back = 0.5 * (t8[0] + c7[0]) - 0.06 * chest / 0.245
        mass = self._slice("upper_torso") - 2.0 * self._girdle_kg() - self._sternum_kg()
        middle = t8[1] + 0.44 * (c7[1] - t8[1])
        self._thick(
            "upper_torso", mass, (self.back + 0.31 * chest, middle), 0.31 * chest, broad, 0.92
        )
        bottom = t8[1] + 0.3 * (c7[1] - t8[1]) - 0.165 * self.by.sitting
        top = c7[1] - COLLAR * self.by.sitting
        self._jacket(
            (self.back + 0.5 * chest, 0.0, -0.5 * (bottom + top)),
            (0.5 * chest, broad, 0.5 * (top - bottom)),
        )
        for name in TRUNK:
            self._bends(name, self.by.moments)

    def _thick(
        self, name: str, mass: float, place: tuple[float, float], deep: float, wide: float, dense: float, *,
        low: float | None = None, least: float = 0.0,
    ) -> None:  # fmt: skip
        """Add a slice of the trunk as high as its mass asks for, or less thick where that would leave a gap.

        `low` is where its lower end is (m above the hips), if its middle is not at the place; `least` half of its least height.
        """
        high = mass / (1e3 * dense) / (4.0 / 3.0 * math.pi * deep * wide)
        if high < least:
            thin = math.sqrt(high / least)
            deep, wide, high = deep * thin, wide * thin, least
        x, z = place
        at: Vector = (x, 0.0, -z if low is None else -(low + high))
        self._segment(
            name, mass, at, (deep, wide, high), f"as high as its mass asks for at {dense:g} kg/l"
        )

    def _bends(self, name: str, factor: float) -> None:
        """Add a joint of the spine: its levels, and what stands around them."""
        parent, child = LINKS[name]
        x, z = self.spine[name]
        law, words = self.ranges.levels(name, BENDS[name]), name.replace("_", " ").capitalize()
        for way in _BENDING:
            linear, stop, beyond = getattr(law, way)
            self._ended(f"{name}_{way}", f"{words}: moment in {way}", (linear * factor, stop, beyond * factor), law.source)  # fmt: skip
        linear, stop, beyond = law.twist
        turn = {"angles_rad": (math.pi, 0.0, 0.0)}
        kind, along = self._along(name)
        self._joint(
            name, kind, parent, child, (x, 0.0, -z), law.source, **along,
            by_azimuth=self._azimuths(*(f"{name}_{way}" for way in _BENDING)),
            torsion={
                "linear_nm_per_rad": round(linear * factor, 3), "stop_rad": round(stop, 6), "quadratic_nm_per_rad2": round(beyond * factor, 2)
            },
            friction={"viscous_nms_per_rad": round(damping(name, self.extensors) * factor, 4)}, parent_turn=turn, child_turn=turn,
        )  # fmt: skip
        if name in AROUND:
            around = neck_muscles(name, extensors=True) if self.extensors and name in NECK_MM else AROUND[name]  # fmt: skip
            self._around(name, words, self.ranges.around(name, around), factor)

    def _ended(self, id_: str, name: str, law: Vector, source: str) -> None:
        """Add a moment that is soft up to an angle and grows by the square beyond it."""
        linear, stop, beyond = (round(v, n) for v, n in zip(law, (3, 6, 2), strict=True))
        far = (beyond * stop**2, linear - 2.0 * beyond * stop, beyond)
        first, second = (
            {"kind": "polynomial", "coefficients": tuple(round(v, 5) for v in numbers), "x_min": low, "x_max": high}
            for numbers, low, high in (((0.0, linear), 0.0, stop), (far, stop, 1.5))
        )  # fmt: skip
        form = second if stop == 0.0 else {"kind": "two_ranges", "split": stop, "first": first, "second": second}  # fmt: skip
        self.functions.append({"id": id_, "name": name, "source": source, "x_unit": "rad", "y_unit": "N*m", "form": form})  # fmt: skip

    def _around(self, name: str, words: str, law: Around, factor: float) -> None:
        """Add ribs or muscles beside a joint's levels, about each axis of its frame; flexion turns about y."""
        for way in (*_BENDING, "twist"):
            stiff, far = getattr(law, way)
            k = stiff * factor
            self._cubic(
                f"{name}_{law.name}_{way}", f"{words}: {law.name} in {way}", round(k, 3), round(STIFFENS * k / far**2, 3), law.source
            )  # fmt: skip
        for axis, above, below in (("x", "sideways", None), ("y", "flexion", "extension"), ("z", "twist", None)):  # fmt: skip
            sides = {"above": f"{name}_{law.name}_{above}"}
            if below:
                sides["below"] = f"{name}_{law.name}_{below}"
            self.coordinate_forces.append(
                {
                    "id": f"{name}_{law.name}_{axis}", "name": f"{words}: {law.name} about {axis}", "source": law.source,
                    "coordinate": {"kind": "joint", "joint": name, "axis": f"turn_{axis}"}, "zero": 0.0,
                    "laws": [{"kind": "rest", **sides}],
                }
            )  # fmt: skip

    def _along(self, name: str) -> tuple[str, Data]:
        """The kind of a joint, and how it gives way along itself: its z points down, so that pressing slides it up its scale."""
        if name not in self.along:
            return "ball", {}
        law, far, grown = self.along[name], 0.05, self.by.along
        self._function(
            f"{name}_along", f"{name.replace('_', ' ').capitalize()}: force along it", "m", "N", (-far, 0.0, far),
            (-far * law.drawn * grown, 0.0, far * law.pressed * grown), law.source,
        )  # fmt: skip
        damped = round(law.damping * grown, 1)
        slide = {"force": f"{name}_along", "viscous_ns_per_m": damped}
        return "slip", {"rotation": "ball", "slide": slide}

    # chest and shoulders

    def _sternum_kg(self) -> float:
        return STERNUM_KG * self.by.mass

    def _chest(self) -> None:
        depth, broad = self.d["chest_depth_m"], self.d["chest_breadth_m"] / 2.0
        thick = 0.2 * depth
        low, high = self.spine["thoracic_2"][1], self.spine["disc_1"][1]
        place: Vector = (self.back + depth - thick, 0.0, -(low + 0.2 * (high - low)))
        self._segment(
            "sternum", self._sternum_kg(), place, (thick, 0.5 * broad, 0.38 * (high - low)),
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

    def _breast(self, y: float = 0.0) -> Vector:
        """The upper end of the breastbone, or where a clavicle meets it."""
        up = self.spine["disc_1"][1] - 0.035 * self.by.sitting
        return (self.back + 0.62 * self.d["chest_depth_m"], y, -up)

    def _girdle(self, side: str) -> None:
        sign = 1.0 if side == RIGHT else -1.0
        x, y, z = self._shoulder(sign)
        breast = self._breast(0.15 * y)
        grown = self.by.sitting
        self._segment(
            f"{side}shoulder", self._girdle_kg(), (x, 0.75 * y, z - 0.02 * grown), (0.05 * grown, 0.44 * abs(y), 0.04 * grown),
            "11.5 % of the upper torso: assumed; the shape is that of the clavicle under a belt, from the neck's base outwards: assumed",
            centre=(x + 0.01 * grown, 0.58 * y, z - 0.035 * grown),
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
        self._chin(
            self.head,
            (self._breast()[0], 0.0, COLLAR * self.by.sitting - s["disc_1"][1]),
            self.by.sitting,
        )
        for name in names:
            self._bends(name, self.by.neck_moments)
        for side, sign in (("right", 1.0), ("left", -1.0)) if self.extensors else ():
            self._extensors(side, sign)

    def _extensors(self, side: str, sign: float) -> None:
        """Add muscles that run from chest and neck to neck and head: as far apart as the person is tall, as strong as the neck's section."""
        table, (x, z), grown = read("extensors"), self.spine["disc_1"], 1e-3 * self.by.sitting
        for one in table["muscles"]:
            placed = []
            for segment, ahead, right, up in one["points"]:
                place = x + grown * ahead, sign * grown * right, -(z + grown * up)
                placed.append((segment, place))
            points = [
                {"segment": segment, "position_m": tuple(round(p - q, 6) for p, q in zip(place, self.places[segment], strict=True))}
                for segment, place in placed
            ]  # fmt: skip
            long = sum(math.dist(p, q) for (_, p), (_, q) in pairwise(placed))
            coordinate: Data = {"kind": "distance", "a": points[0], "b": points[-1], "via": points[1:-1]}  # fmt: skip
            law = {
                "kind": "hill", "strength": round(1e-4 * one["section_cm2"] * STRESS_PA * self.by.neck_section, 2),
                "fibre": round(one["fibre"] * long, 5), "speed_per_s": SPEED_PER_S, "passive_strain": PASSIVE_STRAIN, "activation": TONE,
            }  # fmt: skip
            self.coordinate_forces.append(
                {
                    "id": f"{side}_{one['id']}", "name": f"{one['name']}, {side}", "group": "Neck extensors", "source": table["source"],
                    "coordinate": coordinate, "laws": [law],
                }
            )  # fmt: skip

    def _radii(self) -> Vector:
        grown = self.d["head_length_m"] / BEIER_M
        x, y, z = (self.head_kg * (k * grown) ** 2 for k in HEAD_RADII)
        return (x, y, z)

    def _skins(self) -> None:
        k, grown = self.by.chest_stiffness, self.by.sitting
        self.contact_laws.append(
            {
                "kind": "kelvin_voigt", "id": "belt_flesh", "name": "Flesh of the pelvis under a belt", "source": ASSUMED,
                "stiffness_n_per_m": round(80e3 * grown), "damping_ns_per_m": round(800.0 * grown),
            }
        )  # fmt: skip
        self.contact_laws.append(
            {
                "kind": "kelvin_voigt", "id": "belt_abdomen", "name": "Abdomen under a belt",
                "source": "derived: middle of largest forces over middle of penetrations, belts at the navel (Ramachandra and others 2016)",
                "stiffness_n_per_m": round(ABDOMEN * self.by.soft * grown), "damping_ns_per_m": 0.0,
            }
        )  # fmt: skip
        self.contact_laws.append(
            {
                "kind": "kelvin_voigt", "id": "chest_skin", "name": "Skin over sternum and ribs on what is rigid",
                "source": f"300 kN/m of the 50th man (Lobdell 1973: 281, from memory); {FITTED}",
                "stiffness_n_per_m": round(SKIN * k, 1), "damping_ns_per_m": 0.0,
            }
        )  # fmt: skip
