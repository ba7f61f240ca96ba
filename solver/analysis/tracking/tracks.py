"""Tracks of markers: where each was at which time, with gaps.

CSV has a row of headings, `time [s]` first, then three columns for each marker, as `M1 x [mm]`. TRC is that
of Motion Analysis and OpenSim. C3D is read and written by the library `c3d`, which is installed only where
it is asked for; markers with a residual below zero were not seen.
"""

from __future__ import annotations

import io
import re
import struct
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.base.atomic import as_csv, ordinary, rows_of, write_atomic
from solver.base.extras import needed
from solver.base.units import UnitError, convert
from solver.base.words import Refusal
from solver.engine.maths.rotation import Array

PLAIN = "x y z"
"""Axes of a file that are the ground's."""


class TrackError(Refusal, ValueError):
    """Say in one sentence what is wrong with marker data, or with what is asked of it."""

    __module__ = "manikin"


@dataclass(frozen=True, slots=True)
class Tracks:
    """Hold markers by `names`, seen at each `time` (s) at a `point` (T, N, 3; m, ground axes).

    A marker that was not seen is not a number there.
    """

    time: Array
    names: tuple[str, ...]
    point: Array

    def __post_init__(self) -> None:
        if self.point.shape != (len(self.time), len(self.names), 3):
            raise TrackError(
                "Tracks have three coordinates for each marker at each time; these have shape {shape}.",
                shape=self.point.shape,
            )
        if not len(self.time) or not self.names:
            raise TrackError("There are no tracks: no times, or no markers.")
        if not (np.isfinite(self.time).all() and (np.diff(self.time) > 0.0).all()):
            raise TrackError("The times of tracks grow from row to row; these do not.")
        twice = next((n for n in self.names if self.names.count(n) > 1), None)
        if twice is not None:
            raise TrackError("Two tracks are called '{name}'.", name=twice)

    @property
    def seen(self) -> NDArray[np.bool_]:
        """Say which marker was seen when (T, N)."""
        return np.asarray(np.isfinite(self.point).all(axis=2))

    def of(self, name: str) -> Array:
        """The track of one marker (T, 3)."""
        if name not in self.names:
            raise TrackError(
                "There is no track '{name}'; there are {names}.",
                name=name,
                names=", ".join(self.names),
            )
        found: Array = self.point[:, self.names.index(name)]
        return found

    def at(self, time_s: float) -> dict[str, Array]:
        """The markers seen at a time, straight between the two samples about it (m)."""
        t = self.time
        if not t[0] <= time_s <= t[-1]:
            raise TrackError(
                "The tracks go from {first:g} to {last:g} s; {time_s:g} s is outside.",
                first=t[0],
                last=t[-1],
                time_s=time_s,
            )
        k = int(np.clip(np.searchsorted(t, time_s, side="right") - 1, 0, max(len(t) - 2, 0)))
        if time_s == t[k] or len(t) == 1:
            here = self.point[k]
        elif time_s == t[k + 1]:
            here = self.point[k + 1]
        else:
            part = (time_s - t[k]) / (t[k + 1] - t[k])
            here = (1.0 - part) * self.point[k] + part * self.point[k + 1]
        return {n: p for n, p in zip(self.names, here, strict=True) if np.isfinite(p).all()}

    def mean(self, time_s: float, over_s: float) -> dict[str, Array]:
        """The mean place of each marker seen within half of `over_s` to either side of a time (m)."""
        if over_s == 0.0:
            return self.at(time_s)
        near = np.abs(self.time - time_s) <= 0.5 * over_s + 1e-12
        if not near.any():
            raise TrackError(
                "The tracks have no instant within {half:g} s of {time_s:g} s.",
                half=0.5 * over_s,
                time_s=time_s,
            )
        out = {}
        for name, rows in zip(self.names, np.swapaxes(self.point[near], 0, 1), strict=True):
            there = rows[np.isfinite(rows).all(axis=1)]
            if len(there):
                out[name] = there.mean(axis=0)
        return out

    def between(self, begin_s: float, end_s: float) -> Tracks:
        """The part between two times, both included."""
        kept = (self.time >= begin_s) & (self.time <= end_s)
        return replace(self, time=self.time[kept], point=self.point[kept])

    def filled(self, longest_s: float) -> Tracks:
        """Fill gaps no longer than so much by straight lines; those at the ends stay."""
        point = self.point.copy()
        seen = self.seen
        for n in range(len(self.names)):
            there = np.flatnonzero(seen[:, n])
            for a, b in pairwise(there):
                if b - a > 1 and self.time[b] - self.time[a] <= longest_s:
                    inside = np.arange(a + 1, b)
                    part = (self.time[inside] - self.time[a]) / (self.time[b] - self.time[a])
                    way = point[b, n] - point[a, n]
                    point[inside, n] = point[a, n] + part[:, None] * way
        return replace(self, point=point)

    def mapped(self, axes: str) -> Tracks:
        """The tracks in ground axes: `x -z y` says that ground's y is against the file's z."""
        return replace(self, point=self.point @ axes_map(axes).T)

    def selected(self, names: Sequence[str]) -> Tracks:
        """The tracks of some markers, in this order."""
        return replace(
            self, names=tuple(names), point=np.stack([self.of(n) for n in names], axis=1)
        )


def axes_map(axes: str) -> Array:
    """The turn from the file's axes to the ground's, or say why `axes` names none."""
    words = axes.replace(",", " ").split()
    made = np.zeros((3, 3))
    for row, word in enumerate(words[:3]):
        name = word.lstrip("+-")
        if name in ("x", "y", "z"):
            made[row, "xyz".index(name)] = -1.0 if word.startswith("-") else 1.0
    if len(words) != 3 or not np.array_equal(made @ made.T, np.eye(3)):
        raise TrackError(
            "'{axes}' does not name each of x, y and z once, as in 'x -z y'.", axes=axes
        )
    if np.linalg.det(made) < 0.0:
        raise TrackError(
            "'{axes}' turns a right-handed frame into a left-handed one: everything would be mirrored.",
            axes=axes,
        )
    return made


# Files of tracks: CSV, TRC and C3D; what they lack is said in a sentence.

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
    heads = lines[3].split("\t") if "\t" in lines[3] else lines[3].split(",")
    names = tuple([word.strip() for word in heads if word.strip()][2:])
    # some programs leave the names of their last markers out; the row of axes has all
    axes = len(
        [word for word in re.split(r"[\t,\s]+", lines[4]) if re.fullmatch(r"[XYZxyz]\d+", word)]
    )
    names += tuple(f"marker {n + 1}" for n in range(len(names), axes // 3))
    scale = _factor(unit or _trc_unit(lines[1], lines[2]) or "m")
    many = 1 + 3 * len(names)
    rows = []
    for number, line in enumerate(lines[5:], 6):
        if not line.strip():
            continue
        words = _trc_words(line, many)
        if len([word for word in words if word.strip()]) > many:
            raise TrackError(
                "Line {line} of '{file}' has more columns than headings.",
                line=number,
                file=file.name,
            )
        row = [_number(word, file, number) for word in words[:many]]
        rows.append(row + [np.nan] * (many - len(row)))
    table = np.array(rows, float).reshape(len(rows), 1 + 3 * len(names))
    return Tracks(table[:, 0], names, scale * table[:, 1:].reshape(len(table), len(names), 3))


def _trc_words(line: str, many: int) -> list[str]:
    """The words of a row behind its number; some programs part all by two tabs, or by commas, some write 1,5 for 1.5."""
    words = line.split("\t")
    if len(words) < 3 and line.count(",") >= many:
        words = line.split(",")
    if len(words) > 2 and not words[1].strip():
        # a row's number and time are never missing
        words = words[::2]
    return [word.replace(",", ".") for word in words[1:]]


def _trc_unit(heads: str, values: str) -> str:
    """The unit of lengths: the one word among numbers; some programs part these by several tabs."""
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
    with needed("c3d", TrackError):
        import c3d
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
            unit_text = reader.get("POINT:UNITS")
            read_unit = unit_text.string_value.strip() if unit_text is not None else ""
            first = int(reader.first_frame)
            frames = [points.copy() for _, points, _ in reader.read_frames()]
        except (ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError, NameError, OSError, RuntimeError, TypeError, ValueError, struct.error):  # fmt: skip
            raise TrackError("'{file}' is no C3D file, or it is cut short or damaged.", file=file.name) from None  # fmt: skip
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
    """The frames in a second, which TRC and C3D say once for all."""
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
