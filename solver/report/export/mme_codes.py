"""Channel codes of ISO/TS 13499 (related electronic document B, version 1.6), from our names.

Sixteen characters: test object, position, main location (4), three fine locations (2 each), physical
dimension (2), direction, filter class. Ids are the user's own words; what they mean is read from
them, and what cannot be read is coded as undefined, with the name beside it in full.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from solver.report.export.mme_meaning import Meaning
from solver.results.trajectory import Channel

_MAIN: tuple[tuple[str, str], ...] = (
    (r"seat ?belt|lap\b|shoulder ?belt|harness|strap|webbing|belts/", "SEBE"),
    (r"air ?bag", "AIRB"),
    (r"steering ?wheel|wheel", "STWL"),
    (r"head ?rest|head ?restraint|head ?pad", "HERE"),
    (r"knee ?bolster", "KNBO"),
    (r"head ?pivot|neck|occipital|atlas", "NECK"),
    (r"head|skull", "HEAD"),
    (r"waist|lumbar|abdomen ?joint", "LUSP"),
    (r"upper ?arm|humerus", "UPAR"),
    (r"fore ?arm|lower ?arm", "FOAR"),
    (r"elbow", "ELBJ"),
    (r"wrist|hand", "WRIS"),
    (r"clavicle|collar", "CLAV"),
    (r"shoulder", "SHLD"),
    (r"upper ?leg|thigh|femur|hip\b", "FEMR"),
    (r"lower ?leg|tibia|shin\b|calf", "TIBI"),
    (r"knee", "KNEE"),
    (r"ankle", "ANKL"),
    (r"foot|feet|shoe", "FOOT"),
    (r"upper ?torso|chest|thorax|ribs?\b", "CHST"),
    (r"centre ?torso|center ?torso|middle ?torso|abdomen", "ABDO"),
    (r"lower ?torso|pelvis", "PELV"),
    (r"spine|t1\b|t12\b", "THSP"),
    (r"sternum", "STRN"),
    (r"sled", "SLED"),
    (r"vehicle|\bcar\b|cabin|aircraft", "VEHC"),
    (r"dash|instrument ?panel", "DASB"),
    (r"door", "DOOR"),
    (r"seat ?back", "SEBA"),
    (r"seat", "SEAT"),
    (r"bumper", "BUMP"),
    (r"hood|bonnet", "HOOD"),
    (r"barrier|wall", "FBAR"),
    (r"energy/kinetic", "EKIN"),
    (r"energy/strain", "EINT"),
    (r"energy/external", "EXWO"),
    (r"energy/", "ETOT"),
)
_SEAT_PARTS = {"SEBE", "AIRB", "STWL", "HERE", "KNBO", "SEBA", "SEAT", "DASB"}
_VEHICLE = {"VEHC", "SLED", "DOOR", "BUMP", "HOOD", "FBAR", "EKIN", "EINT", "EXWO", "ETOT"}

_DIMENSIONS = {
    "m/s2": "AC", "m/s": "VE", "m": "DS", "rad": "AN", "rad/s": "AV", "rad/s2": "AA", "N": "FO",
    "N*m": "MO", "Pa": "PR", "J": "EN", "s": "TI", "K": "TE", "kg": "MA", "m3": "VU", "N*s": "IM",
    "kg*m/s": "IM", "m2": "AR", "kg/s": "MF",
}  # fmt: skip
_MOTIONS = {"AC", "VE", "DS", "AN", "AV", "AA"}
_DIRECTIONS = {
    "x": "X", "y": "Y", "z": "Z", "resultant": "R", "roll": "X", "pitch": "Y", "yaw": "Z",
}  # fmt: skip
_FILTERS = {0: "0", 60: "D", 180: "C", 600: "B", 1000: "A"}

UNITS = {
    "m/s2": "m/(s*s)", "rad/s2": "rad/(s*s)", "N*m": "Nm", "m3": "m*m*m", "m2": "m*m", "N*s": "N*s",
}  # fmt: skip
"""How units of SI are written in these files where they differ from ours."""


@dataclass(frozen=True, slots=True)
class Place:
    """Say what was tested: test object, seat positions of people in the order of the model, dummy (fine location 3)."""

    test_object: str = "1"
    position: str = "134652"
    dummy: str = "00"

    def of(self, owner: int) -> str:
        """Give the position of somebody, counted from 1; who is nobody in particular sits on the first."""
        return self.position[min(max(owner, 1), len(self.position)) - 1]


def code_of(channel: Channel, place: Place, means: Meaning | None = None) -> str:
    """Give the channel code of a channel in SI, by the words of its name and by what the model says it is of."""
    means = means or Meaning(is_central="[" not in channel.name)
    words = channel.name.partition("@")[0].replace("_", " ").lower()
    main = means.main or _main(words)
    position = "0" if main in _VEHICLE or main == "0000" else place.of(means.owner)
    dummy = "00" if main in _VEHICLE | _SEAT_PARTS or main == "0000" else place.dummy
    dimension = _dimension(channel)
    is_central = means.is_central and dimension in _MOTIONS
    level = means.fine if means.fine and main == means.main else _level(words, main, is_central)
    fine = ((_side(words) or level) + "0000")[:4]
    axis = (channel.axis or "").rpartition("_")[2]
    direction = _DIRECTIONS.get(axis, "0")
    filter_class = _FILTERS.get(channel.filtered_to, "S")
    return f"{place.test_object}{position}{main}{fine}{dummy}{dimension}{direction}{filter_class}"


def _main(words: str) -> str:
    for pattern, code in _MAIN:
        if re.search(rf"(?<![a-z])(?:{pattern})", words):
            return code
    return "0000"


def _side(words: str) -> str:
    if re.search(r"\bleft\b", words):
        return "LE"
    return "RI" if re.search(r"\bright\b", words) else ""


def _level(words: str, main: str, is_central: bool) -> str:
    if main == "NECK":
        return "UP" if re.search(r"head ?pivot|upper|occipital|atlas", words) else "LO"
    if main == "HEAD" and is_central:
        return "CG"
    return "00"


def _dimension(channel: Channel) -> str:
    if channel.unit == "1" and channel.quantity == "strain":
        return "ST"
    if channel.unit == "1" and "quaternion" in channel.quantity:
        return "QU"
    return _DIMENSIONS.get(channel.unit, "00")


def told_apart(codes: list[str]) -> list[str]:
    """Give each code once: number the second fine location of codes that are the same, where they repeat."""
    out: list[str] = []
    taken: set[str] = set()
    for code in codes:
        number, made = 1, code
        while made in taken and number < 100:
            number += 1
            made = f"{code[:8]}{number:02d}{code[10:]}"
        taken.add(made)
        out.append(made)
    return out
