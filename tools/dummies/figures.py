"""Numbers of the Hybrid III dummies, each with where it is from.

Places are of a dummy that sits upright: x from the line of its back, forward; y to the right; z up from the seat.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

PAGES = "NHTSA, pages of the dummy family (masses of the segments, outer dimensions)"
MEMORY = "assumed: from memory of drawings 78051, not looked up"
SCALED = (
    "scaled from the 50th man by sitting height (trunk) or by stature less sitting height (limbs)"
)
GYRATION = (0.132, 0.121, 0.0965)
"""Radii of gyration of the upper torso about x, y and z by sitting height, without sternum and shoulders: with them it has 0.139, 0.120 and 0.110."""
GYRATION_FROM = (
    "radii by sitting height, with sternum and shoulders 0.139, 0.120, 0.110: between a finite element model of the 5th woman (0.140, 0.119, 0.110: "
    "OpenRadioss, ModelExchange), the 95th man of the basic sled test (0.135, 0.122, 0.112) and an elliptic cylinder of the chest's shape (0.141, 0.125, 0.110)"
)


@dataclass(frozen=True)
class Size:
    """The figures of one dummy; masses of one side."""

    id: str
    title: str
    who: str
    masses_kg: dict[str, float]
    masses_from: str
    stature_m: float
    sitting_height_m: float
    head_m: tuple[float, float, float]
    """Length, breadth and height (chin to crown)."""
    head_from: str
    places_from: str
    has_neck_test_alone: bool = False
    """Whether no other part of it is tested."""
    has_lumbar_test: bool = True
    has_tibia_cells: bool = True
    """Of adults: no instrumented leg of a child was found."""
    trunk: float = 1.0
    limbs: float = 1.0
    own: dict[str, float] = field(default_factory=dict)
    """Lengths (m) that are known of this dummy alone, in place of scaled ones."""

    @property
    def mass_kg(self) -> float:
        """The mass of the whole dummy, both sides."""
        sided = ("upper_arm", "forearm", "upper_leg", "lower_leg")
        return sum(m * (2.0 if name in sided else 1.0) for name, m in self.masses_kg.items())


LENGTHS_50 = {
    "hip_x": 0.137, "hip_z": 0.086, "hip_y": 0.079,
    "shoulder_x": 0.089, "shoulder_z": 0.513, "shoulder_y": 0.188,
    "head_back_x": 0.043, "neck": 0.124, "condyle_forward": 0.014, "condyle_up": 0.051,
    "lumbar_x": 0.105, "lumbar_z": 0.165, "waist_x": 0.090, "waist_z": 0.275,
    "chest_depth": 0.221, "chest_half_width": 0.160, "sternum_z": 0.400, "pelvis_half_width": 0.175,
    "thigh": 0.407, "shank": 0.407, "foot_length": 0.259, "foot_height": 0.086, "ankle_back": 0.065,
    "upper_arm": 0.280, "forearm": 0.250, "hand": 0.150,
    "thigh_clearance": 0.147, "thigh_radius": 0.080, "knee_radius": 0.058, "shank_radius": 0.055, "arm_radius": 0.047, "forearm_radius": 0.040,
}  # fmt: skip
"""Of the 50th man, m. Heights of hip and shoulder pivots and of a seated thigh's top, chest depth and head: remembered, as their tables are not at hand."""

LIMBS = (
    "thigh", "shank", "foot_length", "foot_height", "ankle_back", "upper_arm", "forearm", "hand", "thigh_radius",
    "knee_radius", "shank_radius", "arm_radius", "forearm_radius",
)  # fmt: skip

MAN = Size(
    id="hybrid_iii_50m",
    title="Hybrid III, 50th percentile man",
    who="49 CFR 572, subpart E",
    masses_kg={
        "head": 4.54, "neck": 1.54, "upper_torso": 17.19, "lower_torso": 23.04, "upper_arm": 2.00,
        "forearm": 2.27, "upper_leg": 5.99, "lower_leg": 5.44,
    },
    masses_from="from memory; their sum agrees with the 171.3 lb of the dummy",
    stature_m=1.753,
    sitting_height_m=0.884,
    head_m=(0.196, 0.155, 0.224),
    head_from=MEMORY,
    places_from=MEMORY,
    has_lumbar_test=False,
)  # fmt: skip


def _smaller(**more: object) -> Size:
    size = replace(MAN, **{"has_lumbar_test": True, **more})  # type: ignore[arg-type]
    legs = (size.stature_m - size.sitting_height_m) / (MAN.stature_m - MAN.sitting_height_m)
    return replace(
        size,
        trunk=size.sitting_height_m / MAN.sitting_height_m,
        limbs=legs,
        masses_from=size.masses_from if size.masses_from != MAN.masses_from else PAGES,
        places_from=SCALED,
    )


WOMAN = _smaller(
    id="hybrid_iii_5f",
    title="Hybrid III, 5th percentile woman",
    who="49 CFR 572, subpart O",
    masses_kg={
        "head": 3.733, "neck": 0.907, "upper_torso": 12.02, "lower_torso": 13.24, "upper_arm": 1.179,
        "forearm": 1.179, "upper_leg": 3.130, "lower_leg": 4.060,
    },
    stature_m=1.501,
    sitting_height_m=0.787,
    head_m=(0.183, 0.142, 0.203),
    head_from=f"{PAGES}; height scaled with the length: assumed",
)  # fmt: skip

LARGE = _smaller(
    id="hybrid_iii_95m",
    title="Hybrid III, 95th percentile man",
    who="no subpart of 49 CFR 572; neck after Mertz and others (1989)",
    # the segments of the 50th man times 102.5 / 77.7, but a head and a neck that grow less
    masses_kg={
        "head": 4.94, "neck": 1.98, "upper_torso": 22.83, "lower_torso": 31.13, "upper_arm": 2.66,
        "forearm": 3.01, "upper_leg": 7.94, "lower_leg": 7.20,
    },
    masses_from="total 102.5 kg (Reed and Rupp 2013); head assumed, the others in the ratios of the 50th man",
    stature_m=1.870,
    sitting_height_m=0.935,
    head_m=(0.201, 0.159, 0.230),
    head_from="50th man times 1.027, as its head is heavier: assumed",
    has_neck_test_alone=True,
    has_lumbar_test=False,
)  # fmt: skip

SIX = _smaller(
    id="hybrid_iii_6y",
    has_tibia_cells=False,
    title="Hybrid III, six years",
    who="49 CFR 572, subpart N",
    masses_kg={
        "head": 3.475, "neck": 0.544, "upper_torso": 5.557, "lower_torso": 6.237, "upper_arm": 0.476,
        "forearm": 0.621, "upper_leg": 1.452, "lower_leg": 1.247,
    },
    stature_m=1.143,
    sitting_height_m=0.635,
    head_m=(0.173, 0.142, 0.198),
    head_from=f"{PAGES}; height scaled with the length: assumed",
)  # fmt: skip

THREE = _smaller(
    id="hybrid_iii_3y",
    has_tibia_cells=False,
    title="Hybrid III, three years",
    who="49 CFR 572, subpart P",
    masses_kg={
        "head": 2.685, "neck": 0.748, "upper_torso": 3.270, "lower_torso": 3.271, "upper_arm": 0.422,
        "forearm": 0.476, "upper_leg": 0.966, "lower_leg": 0.880,
    },
    masses_from=f"{PAGES}; the torso of 6.541 kg is parted in halves: assumed",
    stature_m=0.945,
    sitting_height_m=0.546,
    head_m=(0.174, 0.137, 0.190),
    head_from="circumference 508 mm (maker's page); length, breadth and height in the ratios of the 50th man: assumed",
    own={"hip_z": 0.0445, "hip_x": 0.0620, "shoulder_z": 0.334, "shoulder_x": 0.0762, "head_back_x": 0.0516, "thigh_clearance": 0.086},
)  # fmt: skip

REMEMBERED = "from memory of UN R95, annex 6: not looked up"
MALE = replace(
    MAN,
    id="es_2re",
    title="ES-2re, side-impact dummy, mid-size man",
    who="49 CFR 572, subpart U",
    masses_kg={
        "head": 4.0, "neck": 1.0, "upper_torso": 22.4, "lower_torso": 17.0, "upper_arm": 1.3, "forearm": 0.0,
        "upper_leg": 6.66, "lower_leg": 6.04,
    },
    masses_from=f"{REMEMBERED}; a leg of 12.7 kg is parted as the Hybrid III 50th man's: assumed",
    sitting_height_m=0.909,
    head_m=(0.201, 0.155, 0.224),
    head_from=f"length and breadth {REMEMBERED}; height: assumed",
    places_from=f"{REMEMBERED}; of what is not there the Hybrid III 50th man's: assumed",
    has_tibia_cells=False,
    trunk=0.909 / MAN.sitting_height_m,
    own={
        "hip_x": 0.155, "hip_z": 0.100, "shoulder_x": 0.105, "shoulder_z": 0.565, "shoulder_y": 0.199, "arm_radius": 0.034, "chest_depth": 0.267,
        "chest_half_width": 0.1635, "pelvis_half_width": 0.183, "lumbar_z": 0.190, "waist_z": 0.351, "thigh": 0.400,
    },
)  # fmt: skip
FEMALE = replace(
    WOMAN,
    id="sid_iis",
    title="SID-IIs, side-impact dummy, small woman",
    who="49 CFR 572, subpart V",
    masses_kg={**WOMAN.masses_kg, "upper_torso": 12.2, "lower_torso": 10.92, "forearm": 0.0},
    own={"chest_half_width": 0.112, "shoulder_y": 0.152, "arm_radius": 0.036},
    masses_from="44.5 kg in all (makers' pages, from memory); parts as the Hybrid III 5th woman's, the trunk what is left, parted between thorax and pelvis so that the bench tests are passed: assumed",
    has_tibia_cells=False,
)  # fmt: skip
SIZES = {size.id: size for size in (MAN, WOMAN, LARGE, SIX, THREE, MALE, FEMALE)}


def length(size: Size, name: str) -> float:
    """A length of a dummy (m): its own, or that of the 50th man scaled."""
    known = size.own.get(name)
    if known is not None:
        return known
    return LENGTHS_50[name] * (size.limbs if name in LIMBS else size.trunk)
