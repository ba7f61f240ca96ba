"""Linear equations in files: NumPy (.npz), MATLAB (.mat), or tables by commas (.csv)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from solver.analysis.linear.linearising import Linear
from solver.analysis.linear.operating_point import LinearError
from solver.base.atomic import as_csv, replaced, write_atomic

ENDINGS = (".npz", ".mat", ".csv")
PARTS = ("A", "B", "C", "D", "M", "K", "R")
AXES = ("x", "y", "z", "rx", "ry", "rz")


def save_linear(linear: Linear, file: Path) -> list[Path]:
    """Write a model's linear equations and modes whole, in the form that the ending names; give the files.

    As a table the modes are in the file named, each matrix beside it (`NAME_A.csv` and so on).
    """
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        raise LinearError(
            "'{file}' ends in none of {endings}.", file=file.name, endings=", ".join(ENDINGS)
        )
    if ending == ".csv":
        return _tables(linear, file)
    data = contents(linear)
    with replaced(file) as part:
        if ending == ".npz":
            np.savez(part, **data)
        else:
            from scipy.io import savemat

            words = {k: v.astype(object) if v.dtype.kind == "U" else v for k, v in data.items()}
            savemat(part, words)
    return [file]


def contents(linear: Linear) -> dict[str, Any]:
    """All arrays by name: A to D, M, K, R (damping), names and units, modes with their shapes."""
    modes = linear.modes
    count, n, s = len(modes), len(linear.A), len(linear.segments)
    return {
        **_matrices(linear),
        "time": np.array(linear.time),
        "error": linear.error,
        "states": np.array(linear.states, str), "state_units": np.array(linear.state_units, str),
        "inputs": np.array(linear.inputs, str), "input_units": np.array(linear.input_units, str),
        "outputs": np.array(linear.outputs, str), "output_units": np.array(linear.output_units, str),
        "segments": np.array(linear.segments, str),
        "place": linear.place, "turn": linear.turn,
        "mode_kind": np.array([m.kind for m in modes], str),
        "eigenvalue": np.array([m.eigenvalue for m in modes], complex),
        "frequency_hz": np.array([m.frequency_hz for m in modes], float),
        "damping": np.array([m.damping for m in modes], float),
        "shape": np.array([m.shape for m in modes], complex).reshape(count, s, 6),
        "mode_state": np.array([m.state for m in modes], complex).reshape(count, n),
        "energy": np.array([m.energy for m in modes], float).reshape(count, s),
        "effective_mass": np.array([m.effective for m in modes], float).reshape(count, 3),
    }  # fmt: skip


def _matrices(linear: Linear) -> dict[str, Any]:
    return {
        "A": linear.A, "B": linear.B, "C": linear.C, "D": linear.D,
        "M": linear.mass, "K": linear.stiffness, "R": linear.resistance,
    }  # fmt: skip


def _tables(linear: Linear, file: Path) -> list[Path]:
    rate = tuple(f"d/dt {name}" for name in linear.states)
    free = tuple(f"direction {k + 1}" for k in range(len(linear.mass)))
    ways = tuple(f"direction {k + 1}" for k in range(linear.stiffness.shape[1]))
    heads = {
        "A": (rate, linear.states), "B": (rate, linear.inputs), "C": (linear.outputs, linear.states),
        "D": (linear.outputs, linear.inputs), "M": (free, free), "K": (free, ways), "R": (free, free),
    }  # fmt: skip
    made = [file]
    write_atomic(file, _modes(linear))
    for name, matrix in _matrices(linear).items():
        rows, columns = heads[name]
        if matrix.size:
            beside = file.with_name(f"{file.stem}_{name}{file.suffix}")
            lines = [[row, *map(_number, values)] for row, values in zip(rows, matrix, strict=True)]
            write_atomic(beside, as_csv([["", *columns], *lines]))
            made.append(beside)
    return made


def _modes(linear: Linear) -> str:
    head = ["mode", "kind", "frequency [Hz]", "damped frequency [Hz]", "damping ratio"]
    head += ["real part [1/s]", "imaginary part [rad/s]", *(f"effective mass {a}" for a in "xyz")]
    head += [f"energy {name}" for name in linear.segments]
    for name in linear.segments:
        for axis in AXES:
            head += [f"{name} {axis} real", f"{name} {axis} imaginary"]
    lines = [head]
    for k, mode in enumerate(linear.modes):
        parts = [
            mode.frequency_hz, mode.damped_hz, mode.damping, mode.eigenvalue.real, mode.eigenvalue.imag,
            *mode.effective, *mode.energy,
        ]  # fmt: skip
        for one in mode.shape.ravel():
            parts += [one.real, one.imag]
        lines.append([str(k + 1), mode.kind, *map(_number, parts)])
    return as_csv(lines)


def _number(value: float) -> str:
    return repr(float(value))
