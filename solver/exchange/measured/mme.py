"""Read tests of ISO/TS 13499 (ISO-MME): a header (.mme), an index (.chn), and a file for each channel (.001)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

import numpy as np

from solver.base.units import UnitError, convert
from solver.base.units.table import unit as unit_of
from solver.base.words import NOTHING, Note, Sentence
from solver.exchange.measured.codes import read_code
from solver.exchange.measured.files import Files, MeasuredTest, alone, opened, saturated, whole
from solver.results.layout import ResultsError
from solver.results.trajectory import Array, Channel

_SI = (
    "m/s2", "m/s", "m", "rad", "rad/s", "rad/s2", "N", "N*m", "Pa", "s", "K", "kg", "m2", "m3", "N*s",
    "W", "Hz", "m/s3", "kg/s", "kg*m2/s", "kg*m2", "N/m", "N*s/m",
)  # fmt: skip
_WRITTEN = {
    "m/(s*s)": "m/s2", "m/s/s": "m/s2", "m/s^2": "m/s2", "m/s**2": "m/s2", "m/s²": "m/s2", "rad/(s*s)": "rad/s2", "rad/s²": "rad/s2", "rad/s^2": "rad/s2",
    "rad/s**2": "rad/s2", "nm": "N*m", "knm": "kNm", "m*m": "m2", "m*m*m": "m3", "grad": "deg", "degree": "deg", "degrees": "deg", "deg/(s*s)": "deg/s2", "deg/s²": "deg/s2",
    "deg/s^2": "deg/s2", "°/s²": "deg/s2", "°/s": "deg/s", "deg_c": "degC", "celsius": "degC", "g0": "g", "gn": "g", "mm/mm": "1", "m/m": "1", "dimensionless": "1", "none": "1", "sec": "s",
}  # fmt: skip
"""How laboratories write units, in small letters, where it differs from ours."""
_HEAD = 16 * 1024
"""Characters in which the head of a channel stands."""


def described(text: str) -> str:
    """Say what a channel file holds: what its code says, its name, its unit, its code."""
    about = _head(text[:_HEAD].splitlines())
    code, name = about.get("channel code", ""), about.get("name of the channel", "")
    known = read_code(code)
    words = known.words() if known else ""
    return " · ".join(dict.fromkeys(part for part in (words, name, about.get("unit", ""), code) if part))  # fmt: skip


def read_mme_alone(file: Path) -> MeasuredTest:
    """Read one channel into SI by its file alone, with its times from the folder where they stand apart. Raises ResultsError."""
    channel, notes = _Reading(alone(file), lambda: opened(file)).channel(file.name)
    return MeasuredTest("ISO-MME", (channel,), (), tuple(notes))


def read_mme(files: Files) -> MeasuredTest:
    """Read a whole test; channels that cannot be read are left out, and it is said why. Raises ResultsError where none can."""
    heads = files.ending(".mme")
    if len(roots := sorted({str(PurePosixPath(one).parent) for one in heads})) > 1:
        raise ResultsError("'{where}' holds {count} tests ({names}): unpack it, and give the folder of one.", where=files.where, count=len(roots), names=", ".join(roots[:6]))  # fmt: skip
    reading = _Reading(files, lambda: files)
    channels, notes, why = list[Channel](), list[Note](), NOTHING
    numbered = files.numbered()
    for name in numbered:
        if reading.is_clock(name):
            continue
        try:
            channel, said = reading.channel(name)
        except ResultsError as failure:
            why = failure.said
            notes.append(Sentence("Left out: {why}", why=why))
            continue
        channels.append(channel)
        notes += said
    if not channels:
        if why:
            raise ResultsError("'{where}' has no channel that can be read. {why}", where=files.where, why=why)  # fmt: skip
        raise ResultsError("There are no channels (files ending in .001 and so on) beside '{path}'.", path=files.where)  # fmt: skip
    notes += _absent(files, numbered)
    about = _about(files.text_of(heads[0])) if heads else ()
    for name in (
        one for one in files.ending(".txt") if not one.lower().startswith(("movie", "photo"))
    ):
        about += ((PurePosixPath(name).name, files.text_of(name).strip()),)
    if len(heads) > 1:
        notes.append(Sentence("There are {count} heads of tests; that of '{file}' is told.", count=len(heads), file=heads[0]))  # fmt: skip
    return MeasuredTest("ISO-MME", tuple(channels), about, tuple(notes))


def _absent(files: Files, numbered: list[str]) -> Iterator[Note]:
    """Name channels of the index whose files are missing."""
    there = {int(PurePosixPath(one).suffix[1:]) for one in numbered}
    for index in files.ending(".chn"):
        for name, value in _about(files.text_of(index)):
            found = re.fullmatch(r"name of channel\s*(\d+)", name.lower())
            if found and int(found[1]) not in there:
                yield Sentence("The index '{file}' names channel {number} ({name}), whose file is missing.", file=index, number=int(found[1]), name=value)  # fmt: skip


def _about(text: str) -> tuple[tuple[str, str], ...]:
    """The descriptors of a head in their order, without those that have no value."""
    pairs = (line.partition(":") for line in text.splitlines() if ":" in line)
    return tuple((name.strip(), value.strip()) for name, _, value in pairs if value.strip() not in ("", "NOVALUE"))  # fmt: skip


def _head(lines: list[str]) -> dict[str, str]:
    """Give descriptors by name in small letters; one without a value is left out."""
    about: dict[str, str] = {}
    for name, value in _about("\n".join(lines)):
        about.setdefault(name.lower(), value)
    return about


class _Reading:
    """Read channels of a test, clocks once."""

    def __init__(self, files: Files, others: Callable[[], Files]) -> None:
        self._files, self._others = files, others
        self._clocks: dict[str, tuple[str, dict[str, str], Array]] | None = None

    def is_clock(self, name: str) -> bool:
        """Whether a file holds times of other channels, and none of its own."""
        about = _head(self._files.text_of(name)[:_HEAD].splitlines())
        return (
            about.get("channel code", "")[2:6].upper() == "TIRS"
            and "sampling interval" not in about
        )

    def channel(self, name: str) -> tuple[Channel, list[Note]]:
        """Read a channel, and say what was bridged or looks cut off."""
        about, values = _parts(self._files.text_of(name), name)
        file = PurePosixPath(name).name
        code = read_code(about["channel code"])
        title = about.get("name of the channel", "") or (code.words() if code else "") or about["channel code"]  # fmt: skip
        time = self._times(file, about, len(values))
        time, values, notes = whole(title, time, values)
        si, numbers = to_si(values, about.get("unit", "1"), file)
        said = about.get("number of samples", "")
        if said.isdigit() and int(said) != len(time) and not notes:
            notes.append(Sentence("'{name}' holds {count} samples, its head says {said}: the file may be cut short.", name=title, count=len(time), said=int(said)))  # fmt: skip
        notes += saturated(title, time, numbers, _range(about, si, file))
        class_ = filter_class(about.get("channel frequency class", "")) or (code.cfc if code else 0)
        axis = about.get("direction", "").lower()
        made = Channel(
            title, time, numbers, si, axis=axis if axis in ("x", "y", "z", "resultant") else (code.axis if code else axis),
            cfc=class_, filtered_to=class_, code=code.text if code else "",
        )  # fmt: skip
        return made, notes

    def _times(self, file: str, about: dict[str, str], count: int) -> Array:
        clock = about.get("reference channel name", "")
        kind = about.get("reference channel", "").lower()
        if kind == "explicit" or (clock and not kind and "sampling interval" not in about):
            return self._of_clock(file, clock, count)
        try:
            step = float(about["sampling interval"].replace(",", "."))
            first = float(about.get("time of first sample", "0").replace(",", "."))
        except (KeyError, ValueError):
            raise ResultsError(
                "'{file}' does not say its sampling interval: write the line 'Sampling interval :0.0001' into its head.",
                file=file,
            ) from None
        if not 0.0 < step < np.inf or not np.isfinite(first):
            raise ResultsError("'{file}' has a sampling interval of {step:g} s.", file=file, step=step)  # fmt: skip
        return first + step * np.arange(count, dtype=float)

    def _of_clock(self, file: str, clock: str, count: int) -> Array:
        if self._clocks is None:
            self._clocks = {}
            others = self._others()
            for name in others.numbered():
                text = others.text_of(name)
                code = _head(text[:_HEAD].splitlines()).get("channel code", "")
                if code and (code == clock or code[2:6] == "TIRS"):
                    self._clocks[code] = (name, *_parts(text, name))
        if clock not in self._clocks:
            raise ResultsError("'{file}' names '{clock}' as its times, which is not there.", file=file, clock=clock)  # fmt: skip
        name, head, values = self._clocks[clock]
        if len(values) != count:
            raise ResultsError("'{file}' and its times differ in length.", file=file)
        time = to_si(values, head.get("unit", "s"), name)[1]
        if not (np.isfinite(time).all() and (np.diff(time) > 0.0).all()):
            raise ResultsError("The times of '{file}', '{clock}', do not grow from sample to sample.", file=file, clock=clock)  # fmt: skip
        return time


def _parts(text: str, name: str) -> tuple[dict[str, str], Array]:
    """The head of a channel file, and its numbers; NOVALUE stands for one that is missing."""
    file = PurePosixPath(name).name
    lines = text.splitlines()
    begin = next((n for n, line in enumerate(lines) if line.strip() and ":" not in line), len(lines))  # fmt: skip
    about = _head(lines[:begin])
    if "channel code" not in about:
        raise ResultsError("'{file}' is no channel of an ISO-MME test: it has no code.", file=file)
    values = [line for line in lines[begin:] if line.strip()]
    try:
        return about, np.array(values, float)
    except ValueError:
        return about, np.array([_number(one, n, file) for n, one in enumerate(lines[begin:], begin + 1) if one.strip()])  # fmt: skip


def _number(word: str, line: int, file: str) -> float:
    word = word.strip().replace(",", ".")
    if word.upper() == "NOVALUE":
        return float("nan")
    try:
        return float(word)
    except ValueError:
        raise ResultsError("Line {line} of '{file}': '{word}' is no number.", line=line, file=file, word=word[:40]) from None  # fmt: skip


def to_si(values: Array, written: str, file: str) -> tuple[str, Array]:
    """Turn values into SI by their unit as laboratories write it. Raises ResultsError."""
    plain = written.strip().replace(" ", "")
    name = _WRITTEN.get(plain.lower(), plain)
    if name in ("1", "-"):
        return "1", values
    if name == "J":
        return name, values  # not the torque that has its dimension
    try:
        dimension = unit_of(name).dimension
        si = next(one for one in _SI if unit_of(one).dimension == dimension)
        return si, np.asarray(convert(values, name, si))
    except StopIteration:
        if not any(dimension):
            return "1", np.asarray(convert(values, name, "1"))
    except UnitError:
        pass
    raise ResultsError(
        "'{file}' is in '{written}', no unit known here: convert it, or leave it out.",
        file=file,
        written=written,
    )


def _range(about: dict[str, str], si: str, file: str) -> float:
    """What a channel can bear (SI), where its head says so as a number; else 0."""
    try:
        most = float(about.get("channel amplitude class", "").replace(",", "."))
        return abs(float(to_si(np.array([most]), about.get("unit", "1"), file)[1][0]))
    except (ValueError, ResultsError):
        return 0.0


def filter_class(text: str) -> int:
    """The filter class that a head tells: '1000', 'CFC 180', or a letter."""
    digits = re.search(r"\d+", text)
    found = int(digits[0]) if digits else {"A": 1000, "B": 600, "C": 180, "D": 60}.get(text[:1], 0)
    return found if found in (60, 180, 600, 1000) else 0
