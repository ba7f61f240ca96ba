"""Read the channels of an ISO-MME test (ISO/TS 13499) as a laboratory hands it on."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from solver.base.atomic import read_most
from solver.base.units import UnitError, convert
from solver.base.units.table import unit as unit_of
from solver.results.layout import ResultsError
from solver.results.trajectory import Array, Channel

LARGEST_FILE = 64 * 2**20
_SI = (
    "m/s2", "m/s", "m", "rad", "rad/s", "rad/s2", "N", "N*m", "Pa", "s", "K", "kg", "m2", "m3", "N*s",
    "W", "Hz",
)  # fmt: skip
_WRITTEN = {
    "m/(s*s)": "m/s2", "m/s/s": "m/s2", "m/s^2": "m/s2", "rad/(s*s)": "rad/s2", "nm": "N*m",
    "m*m": "m2", "m*m*m": "m3", "grad": "deg", "degree": "deg", "deg/(s*s)": "deg/s2",
}  # fmt: skip
"""How laboratories write units, in small letters, where it differs from ours."""


def mme_channels(path: Path) -> list[Path]:
    """List the files of a test's channels, from its folder, its header or any of its files."""
    folder = path if path.is_dir() else path.parent
    for where in (folder / "Channel", folder / "CHANNEL", folder / "channel", folder):
        if where.is_dir():
            found = sorted(f for f in where.iterdir() if re.fullmatch(r"\.\d{3,4}", f.suffix))
            if found:
                return found
    raise ResultsError(
        "There are no channels (files ending in .001 and so on) beside '{path}'.", path=path
    )


def read_mme_channel(file: Path) -> Channel:
    """Read one channel into SI; its name is that which the laboratory gave, or its code."""
    about, values = _parts(file)
    count = len(values)
    if count < 2:
        raise ResultsError("'{file}' holds fewer than two samples.", file=file.name)
    name = about.get("name of the channel", "") or about.get("channel code", file.name)
    si, numbers = _to_si(values, about.get("unit", "1"), file)
    class_ = _filter_class(about.get("channel frequency class", ""))
    return Channel(
        name,
        _times(file, about, count),
        numbers,
        si,
        axis=about.get("direction", "").lower(),
        cfc=class_,
        filtered_to=class_,
    )


def described(file: Path) -> str:
    """Say what a channel file holds: name, code and unit."""
    about = _head(_text(file).splitlines())
    code, name = about.get("channel code", ""), about.get("name of the channel", "")
    return " · ".join(part for part in (name or code, about.get("unit", ""), code) if part)


def _text(file: Path) -> str:
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise ResultsError("'{file}' is larger than 64 MB.", file=file)
        raw = read_most(file, LARGEST_FILE)
    except OSError as failure:
        raise ResultsError(
            "'{file}' cannot be read: {strerror}.", file=file, strerror=failure.strerror
        ) from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _head(lines: list[str]) -> dict[str, str]:
    """Give descriptors by name in small letters; one without a value is left out."""
    about: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if colon and value.strip() not in ("", "NOVALUE"):
            about.setdefault(name.strip().lower(), value.strip())
    return about


def _parts(file: Path) -> tuple[dict[str, str], Array]:
    lines = _text(file).splitlines()
    data = [line for line in lines if ":" not in line and line.strip()]
    try:
        values = np.array([float(line.replace(",", ".")) for line in data])
    except ValueError:
        raise ResultsError("'{file}' has lines that are no numbers.", file=file.name) from None
    about = _head(lines)
    if "channel code" not in about:
        raise ResultsError(
            "'{file}' is no channel of an ISO-MME test: it has no code.", file=file.name
        )
    return about, values


def _times(file: Path, about: dict[str, str], count: int) -> Array:
    if about.get("reference channel", "implicit").lower() == "explicit":
        clock = about.get("reference channel name", "")
        for other in mme_channels(file):
            head, values = _parts(other)
            if head["channel code"] == clock:
                if len(values) != count:
                    raise ResultsError("'{file}' and its times differ in length.", file=file.name)
                return _to_si(values, head.get("unit", "s"), other)[1]
        raise ResultsError(
            "'{file}' names '{clock}' as its times, which is not there.",
            file=file.name,
            clock=clock,
        )
    try:
        step = float(about["sampling interval"])
        first = float(about.get("time of first sample", "0"))
    except (KeyError, ValueError):
        raise ResultsError("'{file}' does not say its sampling interval.", file=file.name) from None
    if not step > 0.0:
        raise ResultsError(
            "'{file}' has a sampling interval of {step:g} s.", file=file.name, step=step
        )
    return first + step * np.arange(count, dtype=float)


def _to_si(values: Array, written: str, file: Path) -> tuple[str, Array]:
    """Turn values into SI by their unit as laboratories write it."""
    plain = written.strip()
    name = _WRITTEN.get(plain.lower(), plain)
    if name in ("1", "-"):
        return "1", values
    try:
        dimension = unit_of(name).dimension
        si = next(one for one in _SI if unit_of(one).dimension == dimension)
        return si, np.asarray(convert(values, name, si))
    except (UnitError, StopIteration):
        raise ResultsError(
            "'{file}' is in '{written}', no unit known here.", file=file.name, written=written
        ) from None


def _filter_class(text: str) -> int:
    digits = re.search(r"\d+", text)
    return int(digits[0]) if digits else {"A": 1000, "B": 600, "C": 180, "D": 60}.get(text[:1], 0)
