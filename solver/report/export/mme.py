"""A test in the multimedia exchange format of ISO/TS 13499: a folder with a header and channels."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from solver.project import ProjectError, parse
from solver.report.export.errors import ExportError, writing
from solver.report.export.mme_codes import UNITS, Place, code_of, told_apart
from solver.report.export.mme_meaning import Meaning, meaning
from solver.results.selection import by_time
from solver.results.trajectory import Array, Channel, Facts, Trajectory, facts

WIDTH = 28
"""Columns of a descriptor before its colon."""
EVEN = 1e-6
"""Part of an interval by which times of even samples may miss."""
MOST = 999
"""Channels that a test can have: the number is the ending of the file."""


def write_mme(
    folder: Path,
    run: Trajectory,
    channels: Sequence[Channel],
    place: Place | None = None,
    codes: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Write a test; give the code of each channel by name.

    Channels must be in SI. `codes` overrides the code of a channel. Channels whose samples are not
    evenly spaced get a channel of their times, to which they refer.
    """
    place = place or Place()
    given = codes or {}
    if not re.fullmatch(r"[0-9]+/[A-Z0-9?]{2}", f"{place.position}/{place.dummy}"):
        raise ExportError("Positions are digits, and a dummy is two capitals or digits, as H3.")
    for name, code in given.items():
        if not re.fullmatch(r"[A-Z0-9?]{16}", code):
            raise ExportError(
                "'{code}' of '{name}' is no channel code: 16 capitals and digits.",
                code=code,
                name=name,
            )
    about, chosen, clocks = facts(run), list(channels), dict[int, int]()
    for base in by_time(channels):
        if _interval(base.time) is None and len(base.time) > 1:
            clock = Channel("time", base.time, base.time, "s", "time")
            clocks |= {id(c): len(chosen) for c in base.channels}
            chosen.append(clock)
    if not 0 < len(chosen) <= MOST:
        raise ExportError(
            "An ISO-MME test has 1 to {most} channels; {count} were chosen.",
            most=MOST,
            count=len(chosen),
        )
    means = _meanings(run, chosen)
    # of two that are alike that comes first which a sensor shows
    order = sorted(range(len(chosen)), key=lambda n: not (found := means[n]) or not found.is_felt)
    codes_ = told_apart(
        [given.get(chosen[n].name) or _code(chosen[n], place, means[n]) for n in order]
    )
    made = [code for _, code in sorted(zip(order, codes_, strict=True))]
    name = re.sub(r"[^A-Za-z0-9_-]", "_", folder.name) or "test"
    with writing(folder) as part:
        (part / "Channel").mkdir(parents=True, exist_ok=True)
        _write(part / f"{name}.mme", _test(about, place))
        _write(part / "Channel" / f"{name}.chn", _index(chosen, made))
        for number, (channel, code) in enumerate(zip(chosen, made, strict=True), start=1):
            clock_code = made[clocks[id(channel)]] if id(channel) in clocks else ""
            lines = _channel(channel, code, place, clock_code)
            _write(part / "Channel" / f"{name}.{number:03d}", lines)
    return {channel.name: code for channel, code in zip(chosen, made, strict=True)}


def _meanings(run: Trajectory, channels: Sequence[Channel]) -> list[Meaning | None]:
    """Say what channels are of, where the project of the run can be read."""
    try:
        project = parse(run.project_json.decode()).project
    except (ProjectError, UnicodeDecodeError):
        return [None] * len(channels)
    return [meaning(project, channel) for channel in channels]


def _code(channel: Channel, place: Place, means: Meaning | None) -> str:
    if channel.quantity == "time" and channel.unit == "s":
        return f"{place.test_object}0TIRS000000TI00"
    return code_of(channel, place, means)


def _line(name: str, value: object) -> str:
    text = " ".join(str(value).split()) or "NOVALUE"
    return f"{name:<{WIDTH}}:{text}"


def _write(path: Path, lines: Sequence[str]) -> None:
    path.write_text("".join(f"{line}\r\n" for line in lines), encoding="utf-8", newline="")


def _test(about: Facts, place: Place) -> list[str]:
    day = about.created_utc.partition("T")[0]
    return [
        _line("Data format edition number", "1.6"),
        _line("Laboratory name", "NOVALUE"),
        _line("Customer name", "NOVALUE"),
        _line("Customer test ref. number", about.name),
        _line("Title", about.title),
        _line("Timestamp", about.created_utc.replace("T", " ")[:19]),
        _line("Type of the test", "Simulation"),
        _line("Date of the test", day),
        _line("Number of test objects", "1"),
        _line("Name of test object 1", "NOVALUE"),
        _line("Class of test object 1", place.test_object),
        _line("Comments", f"Computed with Manikin {about.app_version}; status {about.status}"),
        _line("Comments", f"SHA-256 of the project {about.project_sha256}"),
    ]


def _index(channels: Sequence[Channel], codes: Sequence[str]) -> list[str]:
    lines = [
        _line("Instrumentation standard", "SAE J211, issued 1995-03"),
        _line("Number of channels", len(channels)),
    ]
    for number, (channel, code) in enumerate(zip(channels, codes, strict=True), start=1):
        lines.append(_line(f"Name of channel {number:03d}", f"{code} / {channel.name}"))
    return lines


def _channel(channel: Channel, code: str, place: Place, clock: str) -> list[str]:
    time, value = channel.time, channel.value
    if not np.all(np.isfinite(value)):
        raise ExportError("'{channel}' has numbers that are not finite.", channel=channel.name)
    top, low = int(np.argmax(value)), int(np.argmin(value))
    even = _interval(time)
    return [
        _line("Channel code", code),
        _line("Customer channel code", channel.name),
        _line("Reference channel", "explicit" if clock else "implicit"),
        _line("Reference channel name", clock or "NOVALUE"),
        _line("Data source", "simulation"),
        _line("Test object number", place.test_object),
        _line("Name of the channel", channel.name),
        _line("Location", channel.segment),
        _line("Direction", channel.axis),
        _line("Channel frequency class", channel.filtered_to or "NOVALUE"),
        _line("Reference system", "NOVALUE"),
        _line("Unit", UNITS.get(channel.unit, channel.unit or "1")),
        _line("Sampling interval", "NOVALUE" if even is None else repr(even)),
        _line("Time of first sample", "NOVALUE" if clock else repr(float(time[0]))),
        _line("Number of samples", len(value)),
        _line("First global maximum value", f"{value[top]:.9E}"),
        _line("Time of maximum value", f"{time[top]:.9E}"),
        _line("First global minimum value", f"{value[low]:.9E}"),
        _line("Time of minimum value", f"{time[low]:.9E}"),
        _line("Dimension", code[12:14]),
        *(f"{number:.9E}" for number in value),
    ]


def _interval(time: Array) -> float | None:
    """Give the interval of even samples (s), or none where they are not even."""
    if len(time) < 2:
        return None
    step = float(time[-1] - time[0]) / (len(time) - 1)
    if np.max(np.abs(time - time[0] - step * np.arange(len(time)))) > EVEN * step:
        return None
    return float(f"{step:.12g}")
