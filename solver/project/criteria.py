"""Criteria of injury: what each is, how it is computed, which sensors it needs, and which region it tells of.

Names alone are read here, for the fields of outputs; `bodies/dummies.py` looks through the entries, `injury/reference.py` reads the limits.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from solver.base.places import resources

Need = Literal[
    "acceleration", "rate", "angular_acceleration", "force", "torque", "deflection", "touch",
    "tension",
]  # fmt: skip
"""What an output must give; a deflection may come from many kinds."""

Option = Literal["lever_m", "neck", "depth_m", "scale", "age_years"]


class Criterion(NamedTuple):
    """A criterion of injury; its limits and risks stand in `resources/injury.json` under its name."""

    title: str
    unit: str
    region: str
    """Of the body; empty where its part says which, or where it is of none."""
    measure: tuple[Any, ...]
    """Function of `solver/injury/criteria.py`, and what it is given beside signals."""
    sensors: tuple[tuple[Need, int], ...]
    """What `output` and, where there are two, `second` must give, and the filter class of each; 0: that of the body part (head 1000, else 180)."""
    options: tuple[Option, ...] = ()
    """Fields of an injury output that it looks at."""
    remembers: bool = False
    """Whether it depends on what was: its last samples alone do not tell what it is at the end."""

    @property
    def needs(self) -> tuple[Need, ...]:
        """What its outputs must give."""
        return tuple(need for need, _ in self.sensors)

    @property
    def classes(self) -> tuple[int, ...]:
        """Filter classes of its signals."""
        return tuple(cfc for _, cfc in self.sensors)


CRITERIA: Mapping[str, Criterion] = MappingProxyType(
    {
        "HIC": Criterion("Head injury criterion, any window", "1", "head", ("hic",), (("acceleration", 1000),), remembers=True),
        "HIC15": Criterion("Head injury criterion, windows up to 15 ms", "1", "head", ("hic", 0.015), (("acceleration", 1000),), remembers=True),
        "HIC36": Criterion("Head injury criterion, windows up to 36 ms", "1", "head", ("hic", 0.036), (("acceleration", 1000),), remembers=True),
        "contact_HIC": Criterion("HIC between the first touch of the head and the last", "1", "head", ("contact_hic",), (("acceleration", 1000), ("touch", 0)), remembers=True),
        "contact_HIC15": Criterion("HIC15 between the first touch of the head and the last", "1", "head", ("contact_hic", 0.015), (("acceleration", 1000), ("touch", 0)), remembers=True),
        "contact_HIC36": Criterion("HIC36 between the first touch of the head and the last", "1", "head", ("contact_hic", 0.036), (("acceleration", 1000), ("touch", 0)), remembers=True),
        "HSI": Criterion("Head severity index", "1", "head", ("severity",), (("acceleration", 1000),), remembers=True),
        "CSI": Criterion("Chest severity index", "1", "chest", ("severity",), (("acceleration", 180),), remembers=True),
        "3ms": Criterion("Acceleration exceeded for 3 ms in all", "g", "", ("clip",), (("acceleration", 0),), remembers=True),
        "3ms_in_one": Criterion("Acceleration kept for 3 ms in one peak", "g", "", ("clip", True), (("acceleration", 0),), remembers=True),
        "BrIC": Criterion("Brain injury criterion", "1", "head", ("bric",), (("rate", 60),), remembers=True),
        "DAMAGE": Criterion("Brain strain by a second-order system", "1", "head", ("damage",), (("angular_acceleration", 60),), remembers=True),
        "GAMBIT": Criterion("Acceleration and angular acceleration", "1", "head", ("gambit",), (("acceleration", 1000), ("angular_acceleration", 1000))),
        "HIP": Criterion("Head impact power", "W", "head", ("impact_power",), (("acceleration", 1000), ("angular_acceleration", 1000)), remembers=True),
        "UBrIC": Criterion("Universal brain injury criterion, for strain", "1", "head", ("ubric",), (("rate", 60), ("angular_acceleration", 60)), remembers=True),
        "Nij": Criterion("Neck, axial force and bending", "1", "neck", ("nij",), (("force", 600), ("torque", 600)), options=("lever_m", "neck")),
        "Nkm": Criterion("Neck, shear and bending", "1", "neck", ("nkm",), (("force", 600), ("torque", 600)), options=("lever_m",)),
        "NIC": Criterion("Neck, relative acceleration and velocity", "m2/s2", "neck", ("nic",), (("acceleration", 180), ("acceleration", 180)), remembers=True),
        "T1_acceleration": Criterion("Acceleration of T1 forward", "g", "neck", ("forward",), (("acceleration", 60),)),
        "head_contact_time": Criterion("When the head is first touched", "s", "head", ("first_touch",), (("touch", 0),), remembers=True),
        "LNL": Criterion("Lower neck load index", "1", "neck", ("lower_load",), (("force", 600), ("torque", 600))),
        "neck_tension": Criterion("Neck tension", "N", "neck", ("along", 2), (("force", 1000),)),
        "neck_compression": Criterion("Neck compression", "N", "neck", ("along", 2, -1.0), (("force", 1000),)),
        "neck_shear": Criterion("Neck shear, forward or rearward", "N", "neck", ("either_way", 0), (("force", 1000),)),
        "neck_flexion": Criterion("Neck flexion at the condyles", "N*m", "neck", ("bent",), (("force", 600), ("torque", 600)), options=("lever_m",)),
        "neck_extension": Criterion("Neck extension at the condyles", "N*m", "neck", ("bent", -1.0), (("force", 600), ("torque", 600)), options=("lever_m",)),
        "neck_tension_by_duration": Criterion("Neck tension as a part of the limit for its duration", "1", "neck", ("lasting",), (("force", 1000),), remembers=True),
        "neck_shear_by_duration": Criterion("Neck shear as a part of the limit for its duration", "1", "neck", ("lasting",), (("force", 1000),), remembers=True),
        "lumbar_compression": Criterion("Lumbar compression", "N", "belly", ("pressed", True), (("force", 600),)),
        "chest_deflection": Criterion("Chest deflection", "m", "chest", ("deflection",), (("deflection", 600),), options=("age_years",)),
        "rib_deflection": Criterion("Rib deflection", "m", "chest", ("deflection",), (("deflection", 180),)),
        "abdomen_deflection": Criterion("Abdomen deflection", "m", "belly", ("deflection",), (("deflection", 180),)),
        "VC": Criterion("Viscous criterion", "m/s", "chest", ("viscous",), (("deflection", 180),), options=("depth_m", "scale"), remembers=True),
        "CTI": Criterion("Combined thoracic index", "1", "chest", ("combined",), (("acceleration", 180), ("deflection", 600)), remembers=True),
        "TTI": Criterion("Thoracic trauma index, with FIR100", "g", "chest", ("thoracic_trauma",), (("acceleration", 180), ("acceleration", 180)), remembers=True),
        "DRI": Criterion("Dynamic response index of the spine", "1", "belly", ("response", "z"), (("acceleration", 180),), remembers=True),
        "DRI_x": Criterion("Dynamic response index along x", "1", "belly", ("response", "x"), (("acceleration", 180),), remembers=True),
        "DRI_y": Criterion("Dynamic response index along y", "1", "belly", ("response", "y"), (("acceleration", 180),), remembers=True),
        "Brinkley_low": Criterion("Dynamic responses along all axes, low risk", "1", "belly", ("multiaxial", "low"), (("acceleration", 180),), remembers=True),
        "Brinkley_moderate": Criterion("Dynamic responses along all axes, moderate risk", "1", "belly", ("multiaxial", "moderate"), (("acceleration", 180),), remembers=True),
        "Brinkley_high": Criterion("Dynamic responses along all axes, high risk", "1", "belly", ("multiaxial", "high"), (("acceleration", 180),), remembers=True),
        "T12_3ms": Criterion("Acceleration of T12 exceeded for 3 ms in all", "g", "chest", ("clip",), (("acceleration", 180),), remembers=True),
        "spine_acceleration": Criterion("Acceleration of the lower spine", "g", "chest", ("largest",), (("acceleration", 180),)),
        "shoulder_force": Criterion("Shoulder force sideways", "N", "chest", ("either_way", 1), (("force", 600),)),
        "abdomen_force": Criterion("Abdomen force sideways", "N", "belly", ("either_way", 1), (("force", 600),)),
        "pubic_force": Criterion("Pubic force sideways", "N", "pelvis", ("either_way", 1), (("force", 600),)),
        "pubic_load": Criterion("Pubic load that bears the moment of a half of the pelvis", "N", "pelvis", ("symphysis",), (("torque", 600),), options=("lever_m",)),
        "pelvic_force": Criterion("Force of acetabulum and ilium together, sideways", "N", "pelvis", ("together", 1), (("force", 600), ("force", 600))),
        "femur_compression": Criterion("Femur compression", "N", "thighs", ("pressed", False), (("force", 600),)),
        "femur_by_duration": Criterion("Femur compression as a part of the limit for its duration", "1", "thighs", ("lasting",), (("force", 600),), remembers=True),
        "knee_slide": Criterion("Slide of the knee", "m", "thighs", ("slide",), (("deflection", 180),)),
        "tibia_index": Criterion("Tibia index", "1", "legs", ("tibia",), (("force", 600), ("torque", 600))),
        "tibia_compression": Criterion("Tibia force along it, either way", "N", "legs", ("either_way", 2), (("force", 600),)),
        "tibia_bending": Criterion("Tibia bending moment", "N*m", "legs", ("bending",), (("torque", 180),)),
        "MCL_elongation": Criterion("Elongation of the medial collateral ligament", "m", "legs", ("elongation",), (("deflection", 180),)),
        "ACL_elongation": Criterion("Elongation of a cruciate ligament", "m", "legs", ("elongation",), (("deflection", 180),)),
        "strap_tension": Criterion("Tension of a strap", "N", "", ("strap",), (("tension", 60),)),
        "strap_tension_total": Criterion("Tension of two straps together", "N", "", ("strap",), (("tension", 60), ("tension", 60))),
    }
)  # fmt: skip

FAMILIES: tuple[tuple[str, ...], ...] = (
    ("HIC15", "HIC36", "HIC"),
    ("chest_3ms",),
    ("Nij",),
    ("chest_deflection", "VC"),
    ("pelvis_3ms",),
    ("head_3ms",),
    ("DRI",),
    ("HSI",),
    ("CSI",),
)
"""What is looked for first in a crash, by the names that a body's figures have; of a family its first figure comes first."""

HIC = FAMILIES[0]


def place_of(name: str) -> int:
    """The place of a figure, perhaps of one of several bodies, among those that are looked for first; others come behind."""
    names = [one for family in FAMILIES for one in family]
    own = name.rpartition(".")[2]
    return names.index(own) if own in names else len(names)


# Which bodies injury figures can be compared with: dummies of the library, then those of which limits alone are known.

_HEAD = re.compile(r'\s*\{\s*"dummy"\s*:\s*')


def entry_in(text: str) -> Any:
    """The entry that begins the file of a dummy; none where the file does not begin with one."""
    found = _HEAD.match(text)
    return json.JSONDecoder().raw_decode(text, found.end())[0] if found else None


@functools.cache
def bodies_of_the_library(kind: str) -> tuple[str, ...]:
    """Name the bodies of the library, "dummies" or those as "printed", in the order in which they are offered."""
    text = (resources() / "bodies.json").read_text(encoding="utf-8")
    return tuple(json.loads(text)[kind])


def judged_bodies() -> dict[str, str]:
    """Name the bodies with limits, and say what they are called."""
    own = {id_: str(judged.get("name", id_)) for id_, judged in _dummies().items()}
    return own | {one["id"]: one["name"] for one in injury_data()["bodies"]}


def judged_necks() -> tuple[str, ...]:
    """Name the bodies with intercepts of Nij."""
    own = (name for name, judged in _dummies().items() if judged.get("neck"))
    return (*own, *(one["body"] for one in injury_data()["necks"]))


@functools.cache
def injury_data() -> Mapping[str, Any]:
    """What `resources/injury.json` holds."""
    data: Mapping[str, Any] = json.loads((resources() / "injury.json").read_text(encoding="utf-8"))
    return data


@functools.cache
def _dummies() -> dict[str, Mapping[str, Any]]:
    """Give, unchecked, what the dummies' entries say of their limits, by the names used there."""
    found = dict[str, Mapping[str, Any]]()
    for name in bodies_of_the_library("dummies"):
        text = (resources() / "dummies" / f"{name}.json").read_text(encoding="utf-8")
        judged = (entry_in(text) or {}).get("judged_as")
        if isinstance(judged, dict) and isinstance(judged.get("id"), str):
            found[judged["id"]] = judged
    return found
