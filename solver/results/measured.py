"""Curves of tests that come with the program: which there are, and one of them in SI."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import numpy as np

from solver.base.places import resources
from solver.base.units.table import unit
from solver.base.words import msgid, tr
from solver.engine.maths.rotation import Array

TESTS: dict[str, str] = {
    "nhtsa_10146/driver": msgid("Driver, Hybrid III 50th, 57 km/h into a wall (NHTSA 10146)"),
    "nhtsa_7292/rear_5f": msgid("Small woman in the rear, Hybrid III 5th, offset (NHTSA 7292)"),
    "nhtsa_7292/driver_belts": msgid("Driver's belts, offset (NHTSA 7292)"),
    "nhtsa_7292/sills": msgid("Sills of the car, offset (NHTSA 7292)"),
    **{
        f"volunteers_15g/{one}": msgid("Volunteer at 15 g forward, z up (NBDL)")
        for one in ("1635", "1637", "1638", "1639", "1644")
    },
}
"""What each file of `resources/data` is of."""
_UNITS = {
    "g": ("g", "m/s2"), "dps": ("deg/s", "rad/s"), "N": ("N", "N"), "Nm": ("N*m", "N*m"), "mm": ("mm", "m"),
    "deg": ("deg", "rad"), "rad_s2": ("rad/s2", "rad/s2"),
}  # fmt: skip
RESULTANT = "resultant"
_COLUMN = re.compile(r"(\w+?)_(rad_s2|dps|Nm|N|mm|deg|g)")
_WORDS = {
    "a": msgid("acceleration"), "w": msgid("rate of turn"), "F": msgid("force"), "M": msgid("moment"), "defl": msgid("deflection"),
    "alpha": msgid("angular acceleration"), "rel": msgid("seen from"), "t1": "T1",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class MeasuredChannel:
    """One curve of a test: its file and column, what it is called, and its unit in SI."""

    test: str
    column: str
    name: str
    unit: str

    @property
    def title(self) -> str:
        """What the test is."""
        one = self.test.rpartition("/")[2]
        return f"{tr(TESTS[self.test])}{f', {one}' if one.isdecimal() else ''}"

    @property
    def whole(self) -> str:
        """Its name and what the test is, in a line."""
        return f"{self.name}, {self.title}"

    @property
    def key(self) -> str:
        """How it is called among quantities."""
        return f"{TEST}{self.test}/{self.column}"


TEST = "test:"
"""How a curve of a test begins where it stands among quantities of a run."""


def named_test(key: str) -> MeasuredChannel | None:
    """The curve of a test by its key; without a column the whole test, None for what is no test."""
    if not key.startswith(TEST):
        return None
    name = key.removeprefix(TEST)
    whole = MeasuredChannel(name, "", "", "") if name in TESTS else None
    return next((one for one in measured_channels() if one.key == key), whole)


@cache
def measured_channels() -> tuple[MeasuredChannel, ...]:
    """All curves of tests that come with the program."""
    found = []
    for test in TESTS:
        with (resources() / "data" / f"{test}.csv").open(encoding="utf-8") as file:
            columns = file.readline().strip().split(",")[1:]
        for column in columns:
            name, written = _taken_apart(column)
            if name.endswith("_ax") and all(f"{name[:-1]}{axis}_g" in columns for axis in "yz"):
                whole = f"{name[:-1]}{RESULTANT}_g"
                found.append(
                    MeasuredChannel(test, whole, _called(f"{name[:-1]}{RESULTANT}"), "m/s2")
                )
            found.append(MeasuredChannel(test, column, _called(name), _UNITS[written][1]))
    return tuple(found)


def measured_curve(one: MeasuredChannel) -> tuple[Array, Array]:
    """Times (s) and values (SI) of a curve."""
    data = np.genfromtxt(resources() / "data" / f"{one.test}.csv", delimiter=",", names=True)
    names = data.dtype.names or ()
    factor = unit(_UNITS[_taken_apart(one.column)[1]][0]).factor
    time = 1e-3 * np.asarray(data[names[0]], float)
    if one.column in names:
        return time, factor * np.asarray(data[one.column], float)
    parts = [np.asarray(data[one.column.replace(RESULTANT, axis)], float) for axis in "xyz"]
    return time, factor * np.linalg.norm(parts, axis=0)


def _taken_apart(column: str) -> tuple[str, str]:
    """The name of a column and its unit."""
    match = _COLUMN.fullmatch(column)
    assert match is not None, column
    return match[1], match[2]


def _called(name: str) -> str:
    """What a column is called: head_ax is 'head acceleration x'."""
    out = []
    for word in name.split("_"):
        parts = re.fullmatch(rf"(a|w|F|M)([xyz]|{RESULTANT})", word)
        if parts is not None:
            out += [tr(_WORDS[parts[1]]), tr(RESULTANT) if parts[2] == RESULTANT else parts[2]]
        else:
            out.append(tr(_WORDS[word]) if word in _WORDS else word)
    return " ".join(out)
