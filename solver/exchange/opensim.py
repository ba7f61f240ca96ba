"""OpenSim's files beside models: set-ups of inverse kinematics, and tables over time (.mot, .sto)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from solver.base.atomic import read_most, write_atomic
from solver.base.words import Refusal
from solver.exchange.trees.xml import LARGEST, Element, TreeError, parsed
from solver.project import Project
from solver.results import Channel, ResultsError

SAME_S = 1e-9
"""Times (s) that are no farther apart are one."""


@dataclass(frozen=True, slots=True)
class MarkerTasks:
    """What a set-up of inverse kinematics asks for: weights of squared distances by the file's names, and the weight and value (none: that of the start) of coordinates.

    Markers that it does not name do not count. `begin_s` and `end_s` are its range of time.
    """

    weights: Mapping[str, float]
    wanted: Mapping[str, tuple[float, float | None]]
    begin_s: float
    end_s: float

    def weights_of(self, project: Project) -> dict[str, float]:
        """The weight of every marker of a model."""
        return {one.id: self.weights.get(one.name, self.weights.get(one.id, 0.0)) for one in project.markers}  # fmt: skip


def read_tasks(path: Path | str) -> MarkerTasks:
    """Read a set-up of OpenSim's inverse kinematics, or its list of tasks; opens no file that it names. Raises TreeError."""
    file = Path(path)
    top = parsed(_bytes(file))
    tool = next((one for one in (top, *_below(top)) if one.tag in ("InverseKinematicsTool", "IKTaskSet")), None)  # fmt: skip
    if tool is None:
        raise TreeError("'{file}' is no set-up of inverse kinematics: it has no InverseKinematicsTool and no IKTaskSet.", file=file.name)  # fmt: skip
    tasks = next((one for one in (tool, *_below(tool)) if one.tag == "IKTaskSet"), tool)
    if tasks.given.get("file"):
        raise TreeError("The tasks of '{file}' stand in '{other}': give that file.", file=file.name, other=tasks.given["file"])  # fmt: skip
    weights, wanted = dict[str, float](), dict[str, tuple[float, float | None]]()
    for one in _below(tasks):
        name, applies = one.given.get("name", ""), one.child_text("apply", "true") != "false"
        if one.tag == "IKMarkerTask":
            weights[name] = _weight(one) if applies else 0.0
        elif one.tag == "IKCoordinateTask" and applies:
            kind = one.child_text("value_type", "default_value")
            if kind == "from_file":
                raise one.wrong("value_type", "values from a file are not read; make it manual_value")  # fmt: skip
            value = one.values("value", 1, (0.0,))[0] if kind == "manual_value" else None
            wanted[name] = (_weight(one), value)
    if not any(weights.values()):
        raise TreeError(
            "'{file}' gives no marker a weight: one IKMarkerTask or more needs <apply>true</apply> and a <weight> above zero.",
            file=file.name,
        )
    text = tool.child_text("time_range") or "-inf inf"
    try:
        begin, end = (float(word) for word in text.split())
    except ValueError:
        raise tool.wrong("time_range", "it does not hold two numbers") from None
    return MarkerTasks(weights, wanted, begin - SAME_S, end + SAME_S)


def _weight(one: Element) -> float:
    (weight,) = one.values("weight", 1, (1.0,))
    if weight < 0.0:
        raise one.wrong("weight", "it is below zero")
    return weight


def _below(one: Element) -> list[Element]:
    return [each for child in one.children for each in (child, *_below(child))]


def _bytes(file: Path, error: type[Refusal] = TreeError) -> bytes:
    try:
        return read_most(file, LARGEST)
    except (OSError, ValueError) as failure:
        why = getattr(failure, "strerror", None) or "no reason given"
        raise error("'{file}' cannot be read: {reason}.", file=str(file), reason=why) from None  # fmt: skip


# Tables over time.

DEGREE = np.pi / 180.0
UNITS = (
    (r"_(v|force_?v?)[xyz]$|_force$", "N"), (r"_p[xyz]$|_t[xyz]$|_[XYZ]$", "m"), (r"torque|_m[xyz]$|_moment$", "N*m"),
    (r"activation$|^activation", "1"),
)  # fmt: skip
"""Units of columns by how OpenSim names them; of motions all others are angles."""


def read_storage(path: Path | str) -> tuple[Channel, ...]:
    """Read the columns of a .mot or .sto file over time, into SI. Raises ResultsError.

    A column's unit follows from its name; in a motion (.mot, or a table called Coordinates) all others are angles, else numbers as they stand.
    """
    file = Path(path)
    try:
        lines = _bytes(file, ResultsError).decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ResultsError("'{file}' is no text.", file=file.name) from None
    at = next((n for n, line in enumerate(lines) if line.strip().lower() == "endheader"), None)
    if at is None:
        raise ResultsError("'{file}' is no table of OpenSim: it has no line 'endheader'.", file=file.name)  # fmt: skip
    heads = [line.strip().lower().replace(" ", "") for line in lines[:at]]
    body = [(n, line.split()) for n, line in enumerate(lines[at + 1 :], at + 2) if line.strip()]
    if len(body) < 2 or body[0][1][0].lower() != "time":
        raise ResultsError("'{file}' has no column 'time' and rows below it.", file=file.name)
    names = body[0][1][1:]
    rows = np.empty((len(body) - 1, len(names) + 1))
    for row, (number, words) in zip(rows, body[1:], strict=True):
        try:
            row[:] = [float(word) for word in words]
        except ValueError:
            raise ResultsError("Line {line} of '{file}' does not hold {count} numbers.", line=number, file=file.name, count=len(row)) from None  # fmt: skip
    late = np.isfinite(rows[:, 0]) & np.append(True, np.diff(rows[:, 0]) > 0.0)
    if not late.all():
        line = body[1 + int(np.argmin(late))][0]
        raise ResultsError("Line {line} of '{file}': its time is not above that of the row before.", line=line, file=file.name)  # fmt: skip
    is_motion = file.suffix.lower() == ".mot" or (lines[0].strip() == "Coordinates" if lines else False)  # fmt: skip
    degrees = "indegrees=yes" in heads
    found = []
    for k, name in enumerate(names, 1):
        unit = next((unit for words, unit in UNITS if re.search(words, name)), "rad" if is_motion else "1")  # fmt: skip
        factor = DEGREE if unit == "rad" and degrees else 1.0
        found.append(Channel(name, rows[:, 0], factor * rows[:, k], unit))
    return tuple(found)


def write_storage(path: Path | str, channels: Sequence[Channel], title: str = "Coordinates") -> Path:  # fmt: skip
    """Write curves with the same times as a .mot or .sto file, angles in degrees. Raises ResultsError."""
    file = Path(path)
    if not channels or any(not np.array_equal(one.time, channels[0].time) for one in channels):
        raise ResultsError("A table of OpenSim holds one curve or more, all with the same times.")
    columns = [channels[0].time, *((one.value / DEGREE if one.unit == "rad" else one.value) for one in channels)]  # fmt: skip
    names = [re.sub(r"\s+", "_", one.name) for one in channels]
    head = [title, "version=1", f"nRows={len(columns[0])}", f"nColumns={len(columns)}", "inDegrees=yes", "", "endheader"]  # fmt: skip
    rows = ["\t".join(repr(float(v)) for v in row) for row in zip(*columns, strict=True)]
    try:
        write_atomic(file, "\n".join([*head, "\t".join(["time", *names]), *rows]) + "\n")
    except OSError as failure:
        raise ResultsError("'{path}' cannot be written: {strerror}.", path=path, strerror=failure.strerror) from None  # fmt: skip
    return file
