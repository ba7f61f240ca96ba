"""Loads of joints in files, and tracks from them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from solver.analysis.inverse.bodies import At
from solver.analysis.inverse.motion import JointLoads
from solver.analysis.inverse.refusal import InverseError
from solver.analysis.linear.names import speed_names, way_units
from solver.base.csv_text import as_csv, rows_of
from solver.base.units import UnitError, convert
from solver.base.whole import replaced, write_whole
from solver.engine.dynamics.tree import Array

ENDINGS = (".csv", ".npz", ".mat")
HEADING = re.compile(r"\s*(.*?)\s*(?:\[([^\]]*)\])?\s*")
AXES = ("x", "y", "z")


def save_loads(loads: JointLoads, file: Path) -> None:
    """Write loads whole: a table (.csv), for NumPy (.npz) or for MATLAB (.mat)."""
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        raise InverseError(
            "'{file}' ends in none of {endings}.", file=file.name, endings=", ".join(ENDINGS)
        )
    if ending == ".csv":
        write_whole(file, _table(loads))
        return
    data: dict[str, Any] = {
        "time": loads.time, "names": np.array(loads.names, str), "units": np.array(loads.units, str),
        "values": loads.values, "joints": np.array(loads.joints, str), "force": loads.force, "torque": loads.torque,
        "q": loads.motion.q, "v": loads.motion.v, "rates": loads.motion.rates,
    }  # fmt: skip
    with replaced(file) as part:
        if ending == ".npz":
            np.savez(part, **data)
        else:
            from scipy.io import savemat

            words = {k: v.astype(object) if v.dtype.kind == "U" else v for k, v in data.items()}
            savemat(part, words)


def columns_of(loads: JointLoads) -> list[tuple[str, str, Array]]:
    """Give all columns: along the speeds, then force and torque on the child of each joint."""
    out = [
        (n, u, loads.values[:, k])
        for k, (n, u) in enumerate(zip(loads.names, loads.units, strict=True))
    ]
    for n, joint in enumerate(loads.joints):
        for what, unit, values in (("force", "N", loads.force), ("torque", "N*m", loads.torque)):
            out += [
                (f"joints/{joint}/{what}/{a}", unit, values[:, n, k]) for k, a in enumerate(AXES)
            ]
    return out


def _table(loads: JointLoads) -> str:
    columns = columns_of(loads)
    head = ["time [s]", *(f"{name} [{unit}]" for name, unit, _ in columns)]
    rows = ([float(t), *(float(v[k]) for _, _, v in columns)] for k, t in enumerate(loads.time))
    return as_csv((head, *rows))


def read_tracks(file: Path, at: At) -> tuple[Array, dict[str, Array]]:
    """Read tracks: time first, then a column for each, by name and, in brackets, unit (SI if none is given)."""
    try:
        rows = rows_of(file.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as failure:
        raise InverseError(
            "'{file}' cannot be read: {failure}", file=str(file), failure=str(failure)
        ) from None
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    if len(rows) < 2 or len(rows[0]) < 2:
        raise InverseError(
            "'{file}' holds no tracks: a heading, time, and a column for each.", file=file.name
        )
    values = []
    for number, row in enumerate(rows[1:], 2):
        try:
            values.append([float(cell) for cell in row])
        except ValueError:
            values.append([])
        if len(values[-1]) != len(rows[0]):
            raise InverseError(
                "Line {number} of '{file}' has not one number for each heading.",
                number=number,
                file=file.name,
            )
    table = np.array(values)
    units = dict(zip(speed_names(at.compiled), way_units(at.compiled), strict=True))
    found: dict[str, Array] = {}
    for k, heading in enumerate(rows[0]):
        match = HEADING.fullmatch(heading)
        name, unit = (match[1], match[2]) if match else (heading, None)
        column = table[:, k]
        if unit and k == 0:
            column = _in_si(column, unit, "s", heading)
        elif unit:
            other = "m" if "/position/" in name else "1"
            column = _in_si(column, unit, units.get(name, other), heading)
        found["time" if k == 0 else name] = column
    return found.pop("time"), found


def _in_si(column: Array, unit: str, wanted: str, heading: str) -> Array:
    try:
        return np.asarray(convert(column, unit, wanted))
    except UnitError as failure:
        raise InverseError("'{heading}': {failure}", heading=heading, failure=failure) from None
