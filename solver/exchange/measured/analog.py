"""Read the analog channels of a C3D file, and what its force plates bear: force, moment and centre of pressure."""

from __future__ import annotations

import struct
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from solver.base.atomic import ordinary
from solver.base.extras import needed
from solver.base.units import convert
from solver.base.words import Note, Sentence
from solver.exchange.measured.files import MeasuredTest, saturated
from solver.exchange.measured.mme import to_si
from solver.results.layout import ResultsError
from solver.results.trajectory import Array, Channel

LARGEST = 512_000_000
LEAST_N = 10.0
"""Force across a plate (N) below which its centre of pressure is not told (assumed)."""
_SIGNALS = {1: 6, 2: 6, 3: 8, 4: 6}


def read_analog(path: Path) -> MeasuredTest:
    """Read analog channels in time with the markers: the first sample is that of the first frame. Raises ResultsError."""
    with needed("c3d", ResultsError):
        import c3d
    try:
        if ordinary(path).stat().st_size > LARGEST:
            raise ResultsError("'{file}' is larger than 512 MB.", file=path.name)
        with path.open("rb") as handle, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reader = c3d.Reader(handle)
            frames = [analog.astype(float) for _, _, analog in reader.read_frames()]
            rate, first = float(reader.point_rate), int(reader.first_frame)
            labels = (
                [str(one).strip() for one in reader.analog_labels] if reader.analog_used else []
            )
            units = _texts(reader, "ANALOG:UNITS")
            length = (_texts(reader, "POINT:UNITS") or ["mm"])[0]
            plates = _plates(reader)
    except ResultsError:
        raise
    except OSError as failure:
        raise ResultsError("'{file}' cannot be read: {strerror}.", file=path, strerror=failure.strerror or "no reason given") from None  # fmt: skip
    except (ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError, NameError, RuntimeError, TypeError, ValueError, struct.error):  # fmt: skip
        raise ResultsError("'{file}' is no C3D file, or it is cut short or damaged.", file=path.name) from None  # fmt: skip
    if not frames or not labels or not frames[0].size or not rate > 0.0:
        raise ResultsError("'{file}' holds no analog channels; its markers are read as tracks (mk.tracks, 'manikin motion').", file=path.name)  # fmt: skip
    raw = np.concatenate(frames, axis=1)
    step = 1.0 / (rate * frames[0].shape[1])
    time = (first - 1) / rate + step * np.arange(raw.shape[1])
    return _curves(raw, time, labels, units, length, plates)


def _curves(raw: Array, time: Array, labels: list[str], units: list[str], length: str, plates: list[_Plate]) -> MeasuredTest:  # fmt: skip
    channels, notes = list[Channel](), list[Note]()
    for k, values in enumerate(raw):
        name = (labels[k] if k < len(labels) else "") or f"analog {k + 1}"
        unit = units[k].strip() if k < len(units) else ""
        try:
            si, numbers = to_si(values, {"Nmm": "N*mm", "uV": "V"}.get(unit, unit) or "1", name)
        except ResultsError:
            si, numbers = "1", values
            notes.append(Sentence("'{name}' is in '{unit}': its numbers are told as they stand.", name=name, unit=unit))  # fmt: skip
        channels.append(Channel(name, time, numbers, si))
        notes += saturated(name, time, numbers)
    for number, plate in enumerate(plates, 1):
        try:
            found = plate.curves(raw, time, number, units, length)
        except ResultsError as failure:
            notes.append(failure.said)
            continue
        channels += found
    if plates:
        notes.append(Sentence("Loads of plates are along the file's axes, with the sign of their channels; below {least:g} N across a plate its centre stands for the centre of pressure.", least=LEAST_N))  # fmt: skip
    return MeasuredTest("C3D", tuple(channels), (), tuple(notes))


def _texts(reader: Any, name: str) -> list[str]:
    one = reader.get(name)
    if one is None:
        return []
    return [str(text).strip() for text in np.ravel(one.string_array)] if len(one.dimensions) > 1 else [one.string_value.strip()]  # fmt: skip


def _numbers(reader: Any, name: str) -> Array:
    """The numbers of a parameter, first index first; none where there is no such parameter."""
    one = reader.get(name)
    if one is None:
        return np.zeros(0)
    real = one.bytes_per_element == 4
    if not one.dimensions:
        return np.array([float(one.float_value if real else one.int16_value)])
    found = one.float_array if real else one.int16_array
    return np.asarray(found, float).ravel().reshape(tuple(one.dimensions), order="F")


@dataclass(frozen=True, slots=True)
class _Plate:
    """A force plate: its kind, corners (3, 4) and origin in the file's lengths, its channels from 0, the frames without load, its calibration."""

    kind: int
    corners: Array
    origin: Array
    signals: Array
    calibration: Array
    idle: tuple[int, int]

    def curves(self, raw: Array, time: Array, number: int, units: list[str], length: str) -> list[Channel]:  # fmt: skip
        """Force, moment about the middle of the plate's top, and centre of pressure."""
        if self.kind not in (2, 4):
            raise ResultsError("Force plate {number} is of type {kind}; types 2 and 4 are worked out. Its channels are there as curves.", number=number, kind=self.kind)  # fmt: skip
        rows = self.signals.astype(int)
        if len(rows) < 6 or (rows < 0).any() or (rows >= len(raw)).any():
            raise ResultsError("Force plate {number} names channels that are not there.", number=number)  # fmt: skip
        if self.corners.shape != (3, 4) or not np.linalg.norm(np.cross(self.corners[:, 0] - self.corners[:, 1], self.corners[:, 0] - self.corners[:, 3])) > 0.0:  # fmt: skip
            raise ResultsError("The corners of force plate {number} do not span a plane.", number=number)  # fmt: skip
        six = raw[rows[:6]]
        if 0 < self.idle[0] <= self.idle[1]:
            six = six - six[:, self.idle[0] - 1 : self.idle[1]].mean(axis=1, keepdims=True)
        newton, turning = "N", f"N*{length}"
        if self.kind == 4:
            if self.calibration.shape != (6, 6):
                raise ResultsError("Force plate {number} is of type 4 and has no calibration of 6 by 6.", number=number)  # fmt: skip
            six = self.calibration @ six
        elif rows[0] < len(units):
            newton = units[rows[0]].strip() or newton
            turning = units[rows[3]].strip() if rows[3] < len(units) and units[rows[3]].strip() else turning  # fmt: skip
        force = to_si(six[:3], newton, f"plate {number}")[1]
        moment = to_si(six[3:], {"Nmm": "N*mm"}.get(turning, turning), f"plate {number}")[1]
        metre = float(convert(1.0, length, "m"))
        corners, origin = metre * self.corners, metre * self.origin
        x, y = corners[:, 0] - corners[:, 1], corners[:, 0] - corners[:, 3]
        z = np.cross(x, y)
        y = np.cross(z, x)
        R = np.stack([x / np.linalg.norm(x), y / np.linalg.norm(y), z / np.linalg.norm(z)], axis=1)
        # ORIGIN leads from where the transducer is to the middle of the top, or back; its z is below zero then
        top = moment + np.cross(force, origin, axis=0)
        borne = np.abs(force[2]) >= LEAST_N
        down = np.where(borne, force[2], 1.0)
        place = np.where(borne, np.stack([-top[1] / down, top[0] / down, np.zeros_like(down)]), 0.0)
        middle = corners.mean(axis=1)
        sides = (("force", "N", R @ force), ("moment", "N*m", R @ top), ("centre of pressure", "m", R @ place + middle[:, None]))  # fmt: skip
        return [
            Channel(f"plate {number} {what} {axis}", time, values[k], unit, axis=axis)
            for what, unit, values in sides for k, axis in enumerate("xyz")
        ]  # fmt: skip


def _plates(reader: Any) -> list[_Plate]:
    used = _numbers(reader, "FORCE_PLATFORM:USED")
    count = int(used[0]) if used.size else 0
    if not 0 < count <= 64:
        return []
    kinds, corners, origin, signals, calibration, idle = (
        _numbers(reader, f"FORCE_PLATFORM:{name}") for name in ("TYPE", "CORNERS", "ORIGIN", "CHANNEL", "CAL_MATRIX", "ZERO")
    )  # fmt: skip
    idle = np.ravel(idle)
    ends = (int(idle[0]), int(idle[1])) if idle.size >= 2 else (0, 0)

    def of(array: Array, n: int, *shape: int) -> Array:
        flat = array.ravel(order="F")
        many = int(np.prod(shape))
        return flat[n * many : (n + 1) * many].reshape(shape, order="F") if flat.size >= (n + 1) * many else np.zeros(0)  # fmt: skip

    made = []
    for n in range(min(count, kinds.size)):
        rows = signals[:, n] if signals.ndim == 2 and n < signals.shape[1] else np.ravel(signals)
        made.append(_Plate(int(np.ravel(kinds)[n]), of(corners, n, 3, 4), of(origin, n, 3), rows - 1, of(calibration, n, 6, 6), ends))  # fmt: skip
    return made
