"""Motions as targets that actuators follow; loads of joints in files, and tracks from them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from solver.analysis.inverse.bodies import At, InverseError
from solver.analysis.inverse.motion import JointLoads, motion_of_run
from solver.analysis.linear.operating_point import speed_names, way_units
from solver.analysis.tracking import Followed
from solver.base.atomic import as_csv, replaced, rows_of, write_atomic
from solver.base.units import UnitError, convert
from solver.bodies.posture import JointTargets, turns_as_one
from solver.engine.dynamics.tree import Array
from solver.engine.maths.rotation import from_angles, matrices
from solver.project.geometry import Frame
from solver.project.joint_table import TURNS_OF_BALLS, is_free, law_axes, row_of
from solver.project.pose import turn
from solver.project.segments import GROUND
from solver.results.trajectory import Trajectory

# The motion of a run, or of markers, as targets that actuators follow.


def course_of_run(at: At, run: Trajectory) -> JointTargets:
    """Where all axes of joints are in the frames of a run of this model."""
    from scipy.spatial.transform import Rotation

    motion, table = motion_of_run(at, run), run.table("segments")
    R = matrices(table["quaternion_wxyz"])
    trees, project = motion.at.compiled.trees, motion.at.compiled.project

    def turned(segment: str, frame: Frame) -> Array:
        own = np.eye(3)[None] if segment == GROUND else R[:, table.ids.index(segment)]
        return np.asarray(own @ turn(frame.orientation))

    value: dict[tuple[str, str], Array] = {}
    for joint in project.joints:
        if is_free(joint):
            continue
        if turns_as_one(joint):
            parent = turned(joint.parent, joint.parent_frame)
            child = turned(joint.child, joint.child_frame)
            vector = Rotation.from_matrix(np.swapaxes(parent, 1, 2) @ child).as_rotvec()
            value |= {(joint.id, axis): vector[:, k] for k, axis in enumerate(TURNS_OF_BALLS)}
            continue
        bodies = trees.joints[joint.id].bodies
        for axis, body in zip(law_axes(joint), bodies, strict=False):
            value[joint.id, axis] = motion.q[:, trees.tree.at_q[body]]
    return JointTargets(motion.time, value)


def course_of_markers(followed: Followed) -> JointTargets:
    """Where all axes of joints are in a motion that was followed, as targets of actuators."""
    from scipy.spatial.transform import Rotation

    joints = {joint.id: joint for joint in followed.project.joints}
    columns = {(c.of, c.name): n for n, c in enumerate(followed.coordinates) if not c.root}
    value: dict[tuple[str, str], Array] = {}
    for name in dict.fromkeys(of for of, _ in columns):
        turns = row_of(joints[name]).turns
        if not turns_as_one(joints[name]):
            value |= {(of, a): followed.value[:, n] for (of, a), n in columns.items() if of == name}
        elif all((name, one.name) in columns for one in turns):
            angles = followed.value[:, [columns[name, one.name] for one in turns]]
            order = "".join(one.axis for one in turns)
            R = np.array([from_angles(tuple(a), order) for a in angles])
            vector = Rotation.from_matrix(R).as_rotvec()
            value |= {(name, axis): vector[:, k] for k, axis in enumerate(TURNS_OF_BALLS)}
    return JointTargets(followed.time, value)


# Loads of joints in files, and tracks from them.

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
        write_atomic(file, _table(loads))
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
    """All columns: along the speeds, then force and torque on the child of each joint."""
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
