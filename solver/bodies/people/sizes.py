"""Sizes and masses of a person, from which its parts are put together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from solver.bodies.body import DEG, read
from solver.bodies.dimensions import NECK_PART, Dimensions, adult_dimensions, density, shares
from solver.bodies.generator import BEIER_M
from solver.bodies.parts import Origin, Parts, Ribs

FITTED = "fitted on the chests of Kroell at 7.15 m/s and of Kent at 1 m/s (docs/validation.md), other sizes by equal stress, equal velocity"
PLACES = (
    "dimensions of the generator; spine: solver/bodies/people/sizes.py; limbs: parts of the stature"
)
UPPER_ARM, FOREARM = 0.1618, 0.1545
"""Lengths between joints in parts of the stature: de Leva (1996), from memory; they go with the arm's outer lengths."""
THIGH_PART = 0.245 / (0.245 + 0.246)
"""Of the thigh in the way from hip to ankle: Drillis and Contini (1966)."""


class Sized(Parts):
    """A person while it is put together."""

    def __init__(
        self,
        d: Dimensions,
        *,
        compressing: bool = False,
        breaking_bones: bool = False,
        extensors: bool = False,
    ) -> None:
        """Begin with sizes and masses, with which joints of the spine give way along themselves, whether bones bend and break, and whether the neck has extensors."""
        self.d, self.by, self.kg = d, scaling(d), shares(d)
        self.along = ALONG if compressing else {}
        self.breaking_bones = breaking_bones
        self.extensors = extensors
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


# How laws of the 50th-percentile man are carried over to people of other sizes and ages: all rules by name, in one
# place.
#
# | rule | what follows | from | |---|---|---| | equal stress, equal velocity | mass m, stiffness E L, damping sqrt(m E
# L), depth L, of the chest | Eppinger (1976), Mertz (1984), Mertz and others (1989) | | equal stress in bending |
# moments at equal angles go with E A L: E times the mass where densities are alike, E girth^2 length for the neck | the
# same | | equal stress along a disc | stiffness E L | the same | | equal angles | ranges of motion do not change with
# size, but with age and sex (`ranges.py`) | assumed | | same time | damping of joints goes with their stiffness |
# assumed | | bone by age | E of the chest: the skull's bone, 9.9 GPa grown up | Mertz and others (2001), from memory |
# | soft tissue by age | E of joints, spine and neck: 0.9 to 10 years, then up to 1 at 18 | so that necks at 3 and 6
# years have 0.18 and 0.27 of a man's moments: Yoganandan and others give 0.18-0.19 and 0.25 from tests of tissue |
#
# What they are worth for children is open: four such rules made the chest of a seven-year-old softer than it was (Kent
# and others, 2009).

BONE_AGE = (1.0, 3.0, 6.0, 10.0, 18.0)
BONE_GPA = (3.2, 4.7, 6.6, 8.45, 9.9)
"""Of the skull's bone in bending, by age (years): Mertz and others (2001), from memory."""

SOFT_AGE, SOFT = (10.0, 18.0), (0.9, 1.0)
"""Of discs, ligaments and joints: see the table above."""


@dataclass(frozen=True, slots=True)
class Scaling:
    """How a person compares with the 50th-percentile man."""

    mass: float
    sitting: float
    """Of seated heights."""
    chest: float
    """Of the chest's depth."""
    neck: float
    """Of girth squared times length."""
    bone: float
    soft: float

    @property
    def moments(self) -> float:
        """The factor of moments of joints of limbs and trunk, at equal angles."""
        return self.soft * self.mass

    @property
    def along(self) -> float:
        """The factor of stiffness of discs along themselves: E L."""
        return self.soft * self.sitting

    @property
    def neck_moments(self) -> float:
        """The factor of moments of the neck, at equal angles."""
        return self.soft * self.neck

    @property
    def neck_section(self) -> float:
        """The factor of forces of the neck's muscles, at equal stress."""
        return self.soft * self.neck / self.sitting

    @property
    def chest_stiffness(self) -> float:
        """The factor of stiffness of the chest: E L."""
        return self.bone * self.sitting

    @property
    def chest_damping(self) -> float:
        """The factor of damping of the chest: sqrt(m k)."""
        return math.sqrt(self.mass * self.chest_stiffness)

    def ribs(self, man: Ribs) -> Ribs:
        """A person's chest from the man's."""
        stiff, damp = self.chest_stiffness, self.chest_damping
        return Ribs(
            stiffness=man.stiffness * stiff,
            beyond=man.beyond * stiff,
            knee_m=man.knee_m * self.chest,
            series=man.series * stiff,
            series_damping=man.series_damping * damp,
            damping_in=man.damping_in * damp,
            damping_out=man.damping_out * damp,
            outward=man.outward * stiff,
            growth=man.growth * damp / self.chest,
        )


def scaling(d: Dimensions) -> Scaling:
    """Compare a person with the 50th-percentile man."""
    man = adult_dimensions("male")

    def ratio(name: str) -> float:
        return d[name] / man[name]

    sitting = ratio("seated_height_m")
    return Scaling(
        mass=ratio("weight_kg"),
        sitting=sitting,
        chest=ratio("chest_depth_m"),
        neck=ratio("neck_circumference_m") ** 2 * sitting,
        bone=bone(d.age_years),
        soft=soft(d.age_years),
    )


def bone(age_years: float | None) -> float:
    """The modulus of bone in parts of a grown-up's; no age is a grown-up."""
    if age_years is None:
        return 1.0
    return float(np.interp(age_years, BONE_AGE, BONE_GPA)) / BONE_GPA[-1]


def soft(age_years: float | None) -> float:
    """The modulus of soft tissue in parts of a grown-up's; no age is a grown-up."""
    return 1.0 if age_years is None else float(np.interp(age_years, SOFT_AGE, SOFT))


# How far joints of people go, by age and sex, in parts of the man that they are scaled from.
#
# | rule | what follows | from | |---|---|---| | limbs by sex and age | stops of hip, knee, ankle, shoulder, elbow: the
# whole range in parts of that of men of 20 to 44 years | Soucie and others (2011) | | lumbar spine by age | flexion,
# extension and sideways; twist stays | Troke and others (2001) | | neck by age | half a degree a year less in each
# plane from 20 to 59 years, shared out to both ways | Salo and others (2009) | | same parts of the range
# | levels of the spine bear the same moments there; limbs and muscles of the neck are as stiff at rest, and stiffen or
# stop elsewhere | assumed |
#
# Who has no age is 32 years old, the middle of the group that the man stands for. Beyond the ages that were measured
# their ends hold. A child, of whom the sex is not kept, has the mean of girls and boys. Thoracic spine, clavicles and
# wrists stay: nothing was found.

MAN_YEARS = 32.0
"""Age of the man that people are scaled from, and of anyone who has none."""
WAYS = ("flexion", "extension", "sideways", "twist")


@dataclass(frozen=True, slots=True)
class Ranges:
    """Hold ranges in parts of the man's: of limbs by joint, of spine and neck by way."""

    limbs: Mapping[str, float]
    lumbar: Mapping[str, float]
    neck: Mapping[str, float]

    def levels(self, joint: str, law: Bends) -> Bends:
        """The levels of a joint, which bear the same moments at the same parts of this person's range."""
        by = self._by(joint)

        def far(way: str) -> tuple[float, float, float]:
            linear, stop, beyond = getattr(law, way)
            return linear / by[way], stop * by[way], beyond / by[way] ** 2

        return replace(
            law, flexion=far("flexion"), extension=far("extension"), sideways=far("sideways"), twist=far("twist")
        )  # fmt: skip

    def around(self, joint: str, law: Around) -> Around:
        """What is around a joint: as stiff at rest, stiffening where this person's range ends."""
        by = self._by(joint)

        def far(way: str) -> tuple[float, float]:
            stiff, angle = getattr(law, way)
            return stiff, angle * by[way]

        return replace(
            law, flexion=far("flexion"), extension=far("extension"), sideways=far("sideways"), twist=far("twist")
        )  # fmt: skip

    def _by(self, joint: str) -> Mapping[str, float]:
        if joint.startswith("thoracic"):
            return dict.fromkeys(WAYS, 1.0)
        return self.lumbar if joint.startswith("lumbar") else self.neck


def ranges(d: Dimensions) -> Ranges:
    """Compare a person's ranges with the man's."""
    table: Any = read("ranges")
    age = MAN_YEARS if d.age_years is None else d.age_years
    sexes = ("female", "male") if d.sex == "child" else (d.sex,)
    limbs = {
        joint: sum(_whole(table, by[sex], age) for sex in sexes)
        / len(sexes)
        / _whole(table, by["male"], MAN_YEARS)
        for joint, by in table["limbs"].items()
    }
    low, neck = table["lumbar"], table["neck"]
    lumbar = {
        way: float(
            np.interp(age, low["ages"], low[way]) / np.interp(MAN_YEARS, low["ages"], low[way])
        )
        for way in WAYS
    }
    years = float(np.clip(age, *neck["ages"])) - MAN_YEARS
    less = neck["degrees_per_year"] * years
    planes = {
        "flexion": NECK_RANGE_DEG["flexion"] + NECK_RANGE_DEG["extension"],
        "sideways": 2.0 * NECK_RANGE_DEG["sideways"],
        "twist": 2.0 * NECK_RANGE_DEG["twist"],
    }
    by_plane = {way: 1.0 + less / whole for way, whole in planes.items()}
    return Ranges(limbs, lumbar, by_plane | {"extension": by_plane["flexion"]})


def _whole(table: Any, ways: list[list[float]], age: float) -> float:
    return sum(float(np.interp(age, table["ages"], way)) for way in ways)


# Spine and neck of the 50th-percentile man: where joints stand, how stiff they are, how far they go.
#
# Heights of levels, masses of slices: a public whole-body model (hyperknot/spine-sim, after Bruno and others 2015).
# Curve: lordosis L1-S1 43.5 degrees (default of a public lumbar generator), T1 tilted 20.3 degrees and the neck above
# it as measured bones lie at rest (Barrett 2016); what lies between is assumed. What levels bear stands in
# `resources/bodies/levels.json` (`python -m tools.people.fit levels`), apart from ribs, muscles and tone.

HIP_BELOW_MM = 78.5
"""Of the hip joints below the origin in which heights of levels count (Rajagopal's pelvis)."""
LEVELS_MM = {
    "lumbar_1": 22.0,
    "lumbar_2": 95.7,
    "lumbar_3": 164.7,
    "thoracic_1": 229.5,
    "thoracic_2": 311.3,
    "disc_1": 493.6,
}
"""Heights of the joints below L5, L3, L1, T11, T8 and of C7 on T1, standing."""
NECK_MM = {
    "disc_1": (0.0, 0.0),
    "disc_2": (10.0, 32.5),
    "disc_3": (11.0, 65.9),
    "condyles": (2.8, 129.2),
}
"""Of the joints C7-T1, C5-C6, C3-C4 and the condyles from the first: forward, up (Barrett 2016, chained)."""
HEAD_MM = (23.0, 55.0)
"""Of the head's mass centre from the condyles: forward, up (Barrett 2016)."""
TILT_MM = (22.0, 95.7, 164.7, 197.7, 229.5, 311.3, 400.0, 493.6)
TILT_DEG = (28.0, 6.0, -10.0, -15.5, -18.0, -8.0, 8.0, 20.3)
"""How far the spine leans forward on its way up, by height: lordosis 43.5 degrees to T12-L1, kyphosis 38; between: assumed."""
FIRST_FORWARD_MM = -44.4
"""Of the joint below L5 from the hip joints: Rajagopal's lumbar joint."""
SLICES_KG = {
    "lower_torso": 8.343, "lumbar_1": 4.2811, "centre_torso": 4.0036, "lumbar_2": 3.9992, "lower_ribs": 4.4555,
    "upper_torso": 8.8154,
}  # fmt: skip
"""Masses of the trunk's slices: pelvis, L5-L4, L3-L2, L1-T12, T11-T9, T8-T1, flesh and organs with them."""
NECK_SHARES = (0.31, 0.31, 0.38)
"""Of the neck's mass in C7-C6, C5-C4, C3-C1, from the masses of its vertebrae with flesh (Barrett 2016)."""
STIFFENS = 1.0
"""At the end of the range what is around a joint is twice as far up as a line would be: M = k a (1 + (a / range)^2); assumed."""


@dataclass(frozen=True, slots=True)
class Bends:
    """What discs, ligaments and facets of a joint's levels bear in each way: N m/rad, up to an angle (rad), N m/rad² beyond it."""

    flexion: tuple[float, float, float]
    extension: tuple[float, float, float]
    sideways: tuple[float, float, float]
    twist: tuple[float, float, float]
    source: str


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around a joint beside its levels, ribs or muscles: stiffness (N m/rad) and range (rad) in each way."""

    name: str
    flexion: tuple[float, float]
    extension: tuple[float, float]
    sideways: tuple[float, float]
    twist: tuple[float, float]
    source: str


@dataclass(frozen=True, slots=True)
class Along:
    """The stiffness (N/m) of a joint along itself, pressed and drawn, and its damping (N s/m)."""

    pressed: float
    drawn: float
    damping: float
    source: str


def _levels(joint: str) -> Bends:
    """A joint by the levels that it stands for, their angles added up at equal moments."""
    table = read("levels")
    ways = (table["joints"][joint][way] for way in WAYS)
    found = [(linear / DEG, stop * DEG, beyond / DEG**2) for linear, stop, beyond in ways]
    return Bends(found[0], found[1], found[2], found[3], table["source"])


DAMPED_S = 0.03
"""Damping of joints of the trunk over their stiffness in flexion (s), that of lumbar ones as under a load: assumed."""
SEGMENTS = 2
"""Lumbar motion segments that a joint stands for."""
LUMBAR_DAMPING = DAMPED_S * 2.11 * 3.0 / DEG / SEGMENTS
"""N m s/rad, by 3 N m for each degree (PMC4844119), 2.11 times that under 500 N (Gardner-Morse and Stokes 2004)."""


def _cage(stiffer: float, why: str) -> Around:
    """What ribs add to a joint of the thoracic spine, in parts of Panjabi's levels under their load, four in a row."""
    ways = zip((2.7, 3.3, 3.0, 2.6), (1.7, 1.7, 1.7, 0.5), (4.0, 3.0, 6.0, 7.0), strict=True)
    found = [(stiffer * k * loaded / DEG / 4.0, 4.0 * degrees * DEG) for k, loaded, degrees in ways]
    source = f"{stiffer:g} times Panjabi's levels (1976, from memory, bending times 1.7 for its load, four in a row) for {why}"
    return Around("ribs", found[0], found[1], found[2], found[3], source)


NECK_RANGE_DEG = {"flexion": 50.0, "extension": 80.0, "sideways": 45.0, "twist": 80.0}
_NECK_MOMENT = 14.6
"""Moment at the end of the range (N m): 10 as relaxed people bear (McGill 1994), times 1.46 for speed (Voo 1998)."""
_NECK_PARTS = {
    # of flexion and extension, sideways, twist: Barrett's shares of motion
    "disc_1": (0.183, 0.221, 0.112), "disc_2": (0.234, 0.218, 0.129), "disc_3": (0.186, 0.223, 0.116), "condyles": (0.398, 0.338, 0.643),
}  # fmt: skip


FITTED_NECK = {"discs": (0.956, 3.83), "condyles": (3.30, 0.396)}
"""Moments in flexion and extension in parts of those above, and damping (N m s/rad), of a neck without extensors: fitted on the heads of three volunteers at 15 g."""
FITTED_RANGE = 0.653
"""Of its flexion and extension: muscles end them before the joints do."""
FASCIA = 0.075
"""Of the neck's moments in flexion and extension, what skin and fascia bear beside extensors (`resources/bodies/extensors.json`): fitted on the heads of three volunteers at 15 g."""
NECK_DAMPING = {"discs": 0.4, "condyles": 0.05}
"""Fitted with it (N m s/rad): two levels in a row have 0.4 to 1.4 (Mortensen), the upper ones 0.03 and more, as the library's neck."""


def neck_muscles(name: str, extensors: bool = False) -> Around:
    """What muscles, skin and fascia bear at a joint of the neck, beside extensors or with them: its part of the range, and the neck's moment at its end."""
    bend, side, twist = _NECK_PARTS[name]

    def way(kind: str, part: float) -> tuple[float, float]:
        far = NECK_RANGE_DEG[kind] * part * DEG
        return _NECK_MOMENT / ((1.0 + STIFFENS) * far), far

    def bending(kind: str) -> tuple[float, float]:
        stiff, far = way(kind, bend)
        if extensors:
            return FASCIA * stiff, far
        return FITTED_NECK[_neck_part(name)][0] * stiff, FITTED_RANGE * far

    return Around(
        "muscles", bending("flexion"), bending("extension"), way("sideways", side), way("twist", twist),
        "flexion, extension and damping: fitted on volunteers 1635, 1637, 1638 at 15 g (docs/bodies.md), from 14.6 N m at the end of "
        "the neck's range: 10 as relaxed people bear (McGill 1994), 1.46 times that when fast (Voo 1998); shares of joints: Barrett (2016)",
    )  # fmt: skip


def _neck_part(name: str) -> str:
    return "condyles" if name == "condyles" else "discs"


def damping(name: str, extensors: bool = False) -> float:
    """The damping of a joint of spine or neck (N m s/rad)."""
    if name in _NECK_PARTS:
        part = _neck_part(name)
        return NECK_DAMPING[part] if extensors else FITTED_NECK[part][1]
    return DAMPED_S * AROUND[name].flexion[0] if name in AROUND else LUMBAR_DAMPING


AROUND = {
    "thoracic_1": _cage(6.0, "floating ribs: assumed"),
    "thoracic_2": _cage(
        40.0,
        "ribs that tie it to the sternum: fitted on the mass that a hub on the chest finds behind it",
    ),
    **{name: neck_muscles(name) for name in _NECK_PARTS},
}
"""What bears beside discs and ligaments; lumbar joints have none but tone."""
PRESSED_N_PER_M, DRAWN_N_PER_M = 2.02e6, 0.45e6
"""Of a lumbar segment along itself. Pressed: Kemper and others (2007), drawn down to rest; drawn: middle of nine spines at 1 to 2 mm."""
PRESSED_S = 0.003
"""Damping over that stiffness: what Kemper's rates add at a millimetre."""
_PRESSED = Along(
    PRESSED_N_PER_M / SEGMENTS, DRAWN_N_PER_M / SEGMENTS, PRESSED_S * PRESSED_N_PER_M / SEGMENTS,
    "pressed: segments at 7 to 73 lengths a second (Kemper and others 2007, from memory); drawn: spines from T12 to L5 (Demetropoulos and "
    "others 1998); two segments in a row",
)  # fmt: skip
ALONG = {"lumbar_1": _PRESSED, "lumbar_2": _PRESSED, "lumbar_3": _PRESSED}
"""Joints that give way along themselves, where discs do: a run may take half as long again."""
TRUNK = ("lumbar_1", "lumbar_2", "lumbar_3", "thoracic_1", "thoracic_2")
LINKS = {
    "lumbar_1": ("lower_torso", "lumbar_1"), "lumbar_2": ("lumbar_1", "centre_torso"), "lumbar_3": ("centre_torso", "lumbar_2"),
    "thoracic_1": ("lumbar_2", "lower_ribs"), "thoracic_2": ("lower_ribs", "upper_torso"), "disc_1": ("upper_torso", "neck_1"),
    "disc_2": ("neck_1", "neck_2"), "disc_3": ("neck_2", "neck_3"), "condyles": ("neck_3", "head"),
}  # fmt: skip
"""Joints from the pelvis up, each with its two segments."""
BENDS = {name: _levels(name) for name in LINKS}


def joints_m(d: Dimensions, crown_m: float, hip_m: float) -> dict[str, tuple[float, float]]:
    """Give joints forward and up from the hip joints, so that a person sits upright as tall as asked.

    `crown_m` is the crown's height above the condyles, `hip_m` that of the hip joints above the seat.
    """
    man = 1e-3 * (LEVELS_MM["disc_1"] + HIP_BELOW_MM + NECK_MM["condyles"][1])
    grown = (d["seated_height_m"] - hip_m - crown_m) / man
    found = {}
    for name, height in LEVELS_MM.items():
        found[name] = (1e-3 * _forward(height) * grown, 1e-3 * (height + HIP_BELOW_MM) * grown)
    x, z = found["disc_1"]
    for name, (ahead, up) in NECK_MM.items():
        found[name] = (x + 1e-3 * ahead * grown, z + 1e-3 * up * grown)
    return found


def _forward(height: float) -> float:
    """Follow the curve from the joint below L5 (mm)."""
    at = np.linspace(LEVELS_MM["lumbar_1"], height, 200)
    lean = np.tan(np.radians(np.interp(at, TILT_MM, TILT_DEG)))
    return FIRST_FORWARD_MM + float(np.trapezoid(lean, at))
