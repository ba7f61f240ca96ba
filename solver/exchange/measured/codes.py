"""What the sixteen characters of an ISO-MME channel code say (ISO/TS 13499, related electronic document B, 1.6.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from solver.base.words import msgid, tr

CODE = re.compile(r"[A-Z0-9?]{16}")
_OBJECTS = {
    "B": msgid("fixed barrier"), "C": msgid("component"), "D": msgid("dummy"), "H": msgid("linear impactor"), "M": msgid("mobile barrier"),
    "P": msgid("pendulum"), "S": msgid("sled"), "T": msgid("test rig"),
}  # fmt: skip
_POSITIONS = {
    "1": msgid("front left"), "2": msgid("front middle"), "3": msgid("front right"), "4": msgid("second row left"), "5": msgid("second row middle"),
    "6": msgid("second row right"), "7": msgid("third row left"), "8": msgid("third row middle"), "9": msgid("third row right"),
}  # fmt: skip
_MAIN = {
    "HEAD": msgid("head"), "NECK": msgid("neck"), "CESP": msgid("cervical spine"), "SHLD": msgid("shoulder"), "CLAV": msgid("clavicle"), "UPAR": msgid("upper arm"),
    "ELBJ": msgid("elbow"), "FOAR": msgid("forearm"), "WRIS": msgid("wrist"), "SHRI": msgid("shoulder rib"), "TRRI": msgid("thorax rib"), "RIBS": msgid("ribs"),
    "CHRI": msgid("chest rib"), "SPIN": msgid("spine"), "THSP": msgid("thoracic spine"), "CHST": msgid("chest"), "STRN": msgid("sternum"), "ABRI": msgid("abdominal rib"),
    "ABDO": msgid("abdomen"), "LUSP": msgid("lumbar spine"), "PELV": msgid("pelvis"), "ACTB": msgid("acetabulum"), "ILAC": msgid("iliac wing"), "ILUM": msgid("ilium"),
    "PUBC": msgid("pubic symphysis"), "SACR": msgid("sacrum"), "FEMR": msgid("femur"), "KNEE": msgid("knee"), "KNSL": msgid("knee slider"), "TIBI": msgid("tibia"),
    "ANKL": msgid("ankle"), "FOOT": msgid("foot"), "HEEL": msgid("heel"), "TOES": msgid("toes"), "OCCU": msgid("occupant"), "AIRB": msgid("airbag"),
    "APIL": msgid("A pillar"), "BPIL": msgid("B pillar"), "CPIL": msgid("C pillar"), "BCKL": msgid("buckle"), "BUMP": msgid("bumper"), "DASB": msgid("dashboard"),
    "DASH": msgid("dash panel"), "DOOR": msgid("door"), "ENGN": msgid("engine"), "FBAR": msgid("fixed barrier"), "FORA": msgid("floor over the rear axle"), "FOWE": msgid("footwell"),
    "HERE": msgid("head restraint"), "HOOD": msgid("hood"), "IMPA": msgid("impactor"), "KNBO": msgid("knee bolster"), "LOMA": msgid("load cell wall"), "MBAR": msgid("mobile barrier"),
    "POLE": msgid("pole"), "RETR": msgid("retractor"), "ROOF": msgid("roof"), "SEAT": msgid("seat"), "SEBA": msgid("seat back"), "SEBE": msgid("seat belt"),
    "SEPN": msgid("seat pan"), "SETR": msgid("seat track"), "SILB": msgid("sill"), "SLED": msgid("sled"), "STCO": msgid("steering column"), "STWL": msgid("steering wheel"),
    "TIRS": msgid("time"), "TUNN": msgid("tunnel"), "VEHC": msgid("vehicle"), "WHEL": msgid("wheel"), "ZERO": msgid("time zero"), "TEST": msgid("test signal"),
    "EKIN": msgid("kinetic energy"), "EINT": msgid("internal energy"), "EXWO": msgid("external work"), "ETOT": msgid("total energy"),
}  # fmt: skip
_FINE = {
    "UP": msgid("upper"), "LO": msgid("lower"), "MI": msgid("middle"), "LE": msgid("left"), "RI": msgid("right"), "FR": msgid("front"), "RE": msgid("rear"), "IN": msgid("inner"),
    "OU": msgid("outer"), "TP": msgid("top"), "BO": msgid("bottom"), "CG": msgid("mass centre"), "LU": msgid("left upper"), "LL": msgid("left lower"), "RU": msgid("right upper"),
    "RL": msgid("right lower"), "RD": msgid("second sensor"), "AV": msgid("mean"), "SU": msgid("sum"),
}  # fmt: skip
_DUMMIES = {
    "H3": "Hybrid III 50 %", "HF": "Hybrid III 5 %", "HM": "Hybrid III 95 %", "H2": "Hybrid II 50 %", "HA": "FAA Hybrid III 50 %", "E1": "EuroSID-1", "E2": "ES-2",
    "ER": "ES-2re", "BR": "BioRID", "BS": "BioSID", "S2": "SID-IIs", "SH": "SID-H3", "SI": "SID", "T3": "THOR", "TH": "THOR", "T5": "THOR 5 %", "WS": "WorldSID", "WF": "WorldSID 5 %",
    "Q0": "Q0", "Q1": "Q1", "Q2": "Q1.5", "Q3": "Q3", "Q6": "Q6", "QA": "Q10", "QB": "Q10", "P0": "P0", "P2": "P1.5", "P3": "P3", "P4": "P6", "P5": "P10", "Y1": "CRABI 6 months",
    "Y2": "CRABI 12 months", "Y3": "CRABI 18 months", "Y6": "Hybrid III 3 years", "Y7": "Hybrid III 6 years", "YA": "Hybrid III 10 years", "PF": "Flex-PLI", "PM": "aPLI", "MD": "MATD",
    "B1": "B1", "B2": "B2", "B3": "B3", "B4": "B4", "B5": "B5", "B6": "B6", "VF": "female 5 %", "VH": "male 50 %", "VM": "male 95 %",
}  # fmt: skip
"""Dummies and places of belts: names of their own, in every language."""
_DIMENSIONS = {
    "AC": msgid("acceleration"), "VE": msgid("velocity"), "VA": msgid("velocity"), "VD": msgid("velocity"), "DS": msgid("displacement"), "DC": msgid("distance"), "DV": msgid("displacement"),
    "FO": msgid("force"), "MO": msgid("moment"), "AN": msgid("angle"), "AV": msgid("angular velocity"), "AA": msgid("angular acceleration"), "PR": msgid("pressure"), "TE": msgid("temperature"),
    "TI": msgid("time"), "EN": msgid("energy"), "MA": msgid("mass"), "ST": msgid("strain"), "VO": msgid("voltage"), "CU": msgid("current"), "EV": msgid("event"), "IM": msgid("impulse"),
    "VU": msgid("volume"), "MF": msgid("mass flow rate"), "AR": msgid("area"), "FR": msgid("frequency"), "PO": msgid("power"), "SR": msgid("stress"),
}  # fmt: skip
_DIRECTIONS = {"X": "x", "Y": "y", "Z": "z", "R": "resultant", "1": "x", "2": "y", "3": "z"}
CLASSES = {"A": 1000, "E": 1000, "B": 600, "F": 600, "C": 180, "G": 180, "D": 60, "H": 60}
"""Filter classes by the last character; others name none of SAE J211."""


@dataclass(frozen=True, slots=True)
class Code:
    """The parts of a code."""

    text: str

    @property
    def owner(self) -> str:
        """Test object and position."""
        return self.text[:2]

    @property
    def main(self) -> str:
        """Give the main location."""
        return self.text[2:6]

    @property
    def fine(self) -> str:
        """Give the first fine location."""
        return self.text[6:8]

    @property
    def second(self) -> str:
        """Give the second fine location."""
        return self.text[8:10]

    @property
    def dummy(self) -> str:
        """Give the third fine location: which dummy, or where on a belt."""
        return self.text[10:12]

    @property
    def dimension(self) -> str:
        """What is measured."""
        return self.text[12:14]

    @property
    def axis(self) -> str:
        """Give the direction: x, y, z, resultant, or none."""
        return _DIRECTIONS.get(self.text[14], "")

    @property
    def cfc(self) -> int:
        """The filter class, 0 where it names none."""
        return CLASSES.get(self.text[15], 0)

    @property
    def place(self) -> str:
        """Where and what is measured, of any person; a mass centre and a place that is not told are one."""
        fine = "00" if self.fine == "CG" else self.fine
        return f"{self.main}{fine}{self.second}{self.dimension}{self.axis}"

    def words(self) -> str:
        """Say it in words: 'front left · head · acceleration x · Hybrid III 50 %'."""
        body = " ".join(tr(_FINE[f]) if f in _FINE else f for f in (self.fine, self.second) if f != "00")  # fmt: skip
        main = tr(_MAIN[self.main]) if self.main in _MAIN else self.main
        what = tr(_DIMENSIONS[self.dimension]) if self.dimension in _DIMENSIONS else self.dimension
        thing = tr(_OBJECTS[self.text[0]]) if self.text[0] in _OBJECTS else ""
        parts = [
            thing if not main.startswith(thing) else "",
            tr(_POSITIONS[self.text[1]]) if self.text[1] in _POSITIONS else "",
            f"{main} {body}".strip() if self.main != "0000" else body,
            f"{what} {self.axis}".strip() if self.dimension != "00" else self.axis,
            _DUMMIES.get(self.dummy, "" if self.dummy == "00" else self.dummy),
        ]
        if self.text[0] in "23456789":
            parts.insert(0, tr("vehicle {n}", n=self.text[0]))
        return " · ".join(part for part in parts if part)


def read_code(text: str) -> Code | None:
    """The parts of a code; None where it is none."""
    text = text.strip().upper()
    return Code(text) if CODE.fullmatch(text) else None
