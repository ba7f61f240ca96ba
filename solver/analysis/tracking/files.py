"""Files of tracks: CSV, TRC and C3D; what they lack is said in a sentence.

CSV has a row of headings, `time [s]` first, then three columns for each marker, as `M1 x [mm]`. TRC is that
of Motion Analysis and OpenSim. C3D is read and written by the library `c3d`, which is installed only where
it is asked for; markers with a residual below zero were not seen.
"""

from __future__ import annotations

import io
import re
import struct
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from solver.analysis.tracking.tracks import PLAIN, TrackError, Tracks
from solver.base.atomic import ordinary, write_atomic
from solver.base.csv_text import as_csv, rows_of
from solver.base.units import UnitError, convert
from solver.engine.maths.rotation import Array

MOST_BYTES = 512_000_000
_HEADING = re.compile(
    r"^(?P<name>.*?)[\s_.:/-]*(?P<axis>[xyzXYZ])\s*(?:[\[(](?P<unit>[^\])]*)[\])])?$"
)
_TIME = re.compile(r"^(time|t)\s*(?:[\[(](?P<unit>[^\])]*)[\])])?$", re.IGNORECASE)


def read_tracks(path: Path | str, unit: str | None = None, axes: str = PLAIN) -> Tracks:
    """Read tracks from a file, by its ending .csv, .trc or .c3d.

    `unit` stands in place of what the file says of lengths; where neither says anything it is m. `axes`
    says which axes of the file the ground's x, y and z are: `x -z y` where the file's y points up and the
    ground's z down.
    """
    file = Path(path)
    read = _READERS.get(file.suffix.lower())
    if read is None:
        raise TrackError(
            "'{file}' is no file of tracks: its name must end in .csv, .trc or .c3d.",
            file=file.name,
        )
    if unit is not None:
        _factor(unit)
    try:
        if ordinary(file).stat().st_size > MOST_BYTES:
            raise TrackError("'{file}' is larger than 512 MB.", file=file.name)
        return read(file, unit).mapped(axes)
    except OSError as failure:
        raise TrackError(
            "'{path}' cannot be read: {strerror}.", path=path, strerror=failure.strerror
        ) from None


def write_tracks(path: Path | str, tracks: Tracks, unit: str = "mm") -> Path:
    """Write tracks, in ground axes, to a file by its ending .csv, .trc or .c3d."""
    file = Path(path)
    write = _WRITERS.get(file.suffix.lower())
    if write is None:
        raise TrackError(
            "'{file}' is no file of tracks: its name must end in .csv, .trc or .c3d.",
            file=file.name,
        )
    data = write(tracks, tracks.point / _factor(unit), unit)
    try:
        write_atomic(file, data)
    except OSError as failure:
        raise TrackError(
            "'{path}' cannot be written: {strerror}.", path=path, strerror=failure.strerror
        ) from None
    return file


def _factor(unit: str) -> float:
    try:
        return float(convert(1.0, unit.strip(), "m"))
    except UnitError:
        raise TrackError("'{unit}' is no unit of length.", unit=unit) from None


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise TrackError("'{file}' is no text.", file=file.name) from None


def _number(word: str, file: Path, line: int) -> float:
    if not word.strip():
        return np.nan
    try:
        return float(word)
    except ValueError:
        raise TrackError(
            "Line {line} of '{file}': '{word}' is no number.",
            line=line,
            file=file.name,
            word=word[:40],
        ) from None


def _read_csv(file: Path, unit: str | None) -> Tracks:
    text = _text(file)
    head = text.partition("\n")[0]
    mark = max(",;\t", key=head.count)
    rows = rows_of(text, mark)
    headings = [word.strip() for word in rows[0]] if rows else []
    clock = _TIME.match(headings[0]) if headings else None
    if clock is None:
        raise TrackError("'{file}' does not begin with a column 'time [s]'.", file=file.name)
    try:
        seconds = float(convert(1.0, clock["unit"] or "s", "s"))
    except UnitError:
        raise TrackError("'{unit}' is no unit of time.", unit=clock["unit"]) from None
    columns: dict[str, dict[str, tuple[int, float]]] = {}
    for n, heading in enumerate(headings[1:], 1):
        found = _HEADING.match(heading)
        if found is None or not found["name"].strip():
            raise TrackError(
                "Column {number} of '{file}' is '{heading}', not a marker and its axis, as 'M1 x [mm]'.",
                number=n + 1,
                file=file.name,
                heading=heading[:40],
            )
        scale = _factor(unit or found["unit"] or "m")
        columns.setdefault(found["name"].strip(), {})[found["axis"].lower()] = (n, scale)
    short = next((name for name, three in columns.items() if len(three) != 3), None)
    if short is not None or len(headings) != 1 + 3 * len(columns):
        raise TrackError(
            "Marker '{name}' of '{file}' does not have one column each for x, y and z.",
            name=short or next(iter(columns), ""),
            file=file.name,
        )
    filled = [(n, row) for n, row in enumerate(rows[1:], 2) if any(word.strip() for word in row)]
    table = np.full((len(filled), len(headings)), np.nan)
    for at, (line, row) in enumerate(filled):
        if len(row) > len(headings):
            raise TrackError(
                "Line {line} of '{file}' has more columns than headings.", line=line, file=file.name
            )
        table[at, : len(row)] = [_number(word, file, line) for word in row]
    point = np.stack(
        [
            np.stack([scale * table[:, n] for n, scale in (three[a] for a in "xyz")], axis=1)
            for three in columns.values()
        ],
        axis=1,
    ) if columns else np.zeros((len(table), 0, 3))  # fmt: skip
    return Tracks(seconds * table[:, 0], tuple(columns), point)


def _read_trc(file: Path, unit: str | None) -> Tracks:
    lines = _text(file).splitlines()
    if len(lines) < 6 or not lines[0].startswith("PathFileType"):
        raise TrackError(
            "'{file}' is no TRC file: it does not begin with PathFileType.", file=file.name
        )
    names = tuple(word.strip() for word in lines[3].split("\t")[2:] if word.strip())
    scale = _factor(unit or _trc_unit(lines[1], lines[2]) or "m")
    rows = []
    for number, line in enumerate(lines[5:], 6):
        if not line.strip():
            continue
        words = line.split("\t")[1:]
        if len([word for word in words if word.strip()]) > 1 + 3 * len(names):
            raise TrackError(
                "Line {line} of '{file}' has more columns than headings.",
                line=number,
                file=file.name,
            )
        row = [_number(word, file, number) for word in words[: 1 + 3 * len(names)]]
        rows.append(row + [np.nan] * (1 + 3 * len(names) - len(row)))
    table = np.array(rows, float).reshape(len(rows), 1 + 3 * len(names))
    return Tracks(table[:, 0], names, scale * table[:, 1:].reshape(len(table), len(names), 3))


def _trc_unit(heads: str, values: str) -> str:
    """Give the unit of lengths: the one word among numbers; some programs part these by several tabs."""
    words = [word for word in values.split() if not _is_number(word)]
    if len(words) == 1:
        return words[0]
    return dict(zip(heads.split("\t"), values.split("\t"), strict=False)).get("Units", "").strip()


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _library() -> Any:
    try:
        import c3d
    except ImportError:
        raise TrackError("C3D files need the library 'c3d': install manikin[c3d].") from None
    return c3d


def _read_c3d(file: Path, unit: str | None) -> Tracks:
    library = _library()
    # of files without analog channels the library warns; these have none to look for
    with file.open("rb") as handle, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            reader = library.Reader(handle)
            rate = float(reader.point_rate)
            labels = [str(one).strip() for one in reader.point_labels][: reader.point_used]
            said = reader.get("POINT:UNITS")
            read_unit = said.string_value.strip() if said is not None else ""
            first = int(reader.first_frame)
            frames = [points.copy() for _, points, _ in reader.read_frames()]
        except (ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError, NameError, OSError, RuntimeError, TypeError, ValueError, struct.error) as failure:  # fmt: skip
            raise TrackError("'{file}' is no C3D file that can be read: {failure}.", file=file.name, failure=str(failure) or type(failure).__name__) from None  # fmt: skip
    if not frames or not rate > 0.0:
        raise TrackError("'{file}' holds no markers.", file=file.name)
    raw = np.array(frames, float)
    point = _factor(unit or read_unit or "m") * raw[:, : len(labels), :3]
    point[raw[:, : len(labels), 3] < 0.0] = np.nan
    time = (first - 1 + np.arange(len(point))) / rate
    return Tracks(time, tuple(labels), point)


def _csv_of(tracks: Tracks, point: Array, unit: str) -> str:
    head = ["time [s]", *(f"{n} {axis} [{unit}]" for n in tracks.names for axis in "xyz")]
    rows = (
        [float(t), *("" if np.isnan(v) else float(v) for v in row)]
        for t, row in zip(tracks.time, point.reshape(len(point), -1), strict=True)
    )
    return as_csv((head, *rows))


def _rate(tracks: Tracks) -> float:
    """Give the frames in a second, which TRC and C3D say once for all."""
    step = np.diff(tracks.time)
    if not len(step):
        return 1.0
    mean = float(step.mean())
    if np.abs(step - mean).max() > 1e-3 * mean:
        raise TrackError("The times are not evenly spaced, as this kind of file needs; write CSV.")
    return 1.0 / mean


def _trc_of(tracks: Tracks, point: Array, unit: str) -> str:
    rate, count, markers = _rate(tracks), len(tracks.time), len(tracks.names)
    facts = {
        "DataRate": f"{rate:.6f}", "CameraRate": f"{rate:.6f}", "NumFrames": count,
        "NumMarkers": markers, "Units": unit, "OrigDataRate": f"{rate:.6f}", "OrigDataStartFrame": 1,
        "OrigNumFrames": count,
    }  # fmt: skip
    lines = ["PathFileType\t4\t(X/Y/Z)\ttracks.trc"]
    lines += ["\t".join(facts), "\t".join(str(value) for value in facts.values())]
    lines.append("Frame#\tTime\t" + "\t\t\t".join(tracks.names) + "\t\t")
    lines.append("\t\t" + "\t".join(f"{a}{n}" for n in range(1, markers + 1) for a in "XYZ"))
    lines.append("")
    for n, (t, row) in enumerate(zip(tracks.time, point.reshape(count, -1), strict=True), 1):
        cells = ("" if np.isnan(v) else f"{v:.9g}" for v in row)
        lines.append(f"{n}\t{float(t)!r}\t" + "\t".join(cells))
    return "\n".join(lines) + "\n"


def _c3d_of(tracks: Tracks, point: Array, unit: str) -> bytes:
    library = _library()
    rate = _rate(tracks)
    writer = library.Writer(point_rate=rate, point_scale=-1.0, point_units=f"{unit:<4}")
    writer.set_point_labels(list(tracks.names))
    first = round(float(tracks.time[0]) * rate) + 1
    if first > 1:
        writer.set_start_frame(first)
    nothing = np.zeros((0, 0), np.float32)
    for row in point:
        frame = np.zeros((len(tracks.names), 5), np.float32)
        seen = np.isfinite(row).all(axis=1)
        frame[seen, :3] = row[seen]
        frame[~seen, 3] = -1.0
        writer.add_frames([(frame, nothing)])
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        writer.write(out)
    return out.getvalue()


_READERS: dict[str, Callable[[Path, str | None], Tracks]] = {
    ".csv": _read_csv, ".trc": _read_trc, ".c3d": _read_c3d,
}  # fmt: skip
_WRITERS: dict[str, Callable[[Tracks, Array, str], str | bytes]] = {
    ".csv": _csv_of, ".trc": _trc_of, ".c3d": _c3d_of,
}  # fmt: skip
