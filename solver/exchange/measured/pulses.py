"""A measured acceleration as a pulse: which channels of a test can be one, and where it ends."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from solver.base.units import UnitError, convert
from solver.bodies.library.pulses import Measured, pulse_of
from solver.exchange.measured.reading import named, read_test
from solver.results.layout import ResultsError
from solver.results.trajectory import Array, Channel

OVER = 0.05
"""Part of the peak at which a pulse is over (assumed)."""


def accelerations(channels: Sequence[Channel]) -> tuple[Channel, ...]:
    """The channels that can be a pulse: accelerations, and those whose unit is not told; vehicles and sleds first."""
    fit = [one for one in channels if one.unit == "m/s2" or (one.unit == "1" and not one.code)]
    return tuple(sorted(fit, key=lambda one: (one.unit != "m/s2", one.code[2:6] not in ("SLED", "VEHC", "SILB", "TUNN", "BPIL"))))  # fmt: skip


def in_si(channel: Channel, unit: str = "") -> Array:
    """Accelerations of a channel (m/s2); `unit` says what the file does not. Raises ResultsError."""
    if channel.unit == "m/s2":
        return channel.value
    if channel.unit != "1":
        raise ResultsError("'{name}' is in {unit}, no acceleration.", name=channel.name, unit=channel.unit)  # fmt: skip
    try:
        return np.asarray(convert(channel.value, unit or "?", "m/s2"))
    except UnitError:
        raise ResultsError("'{name}' has no unit: say whether it is in g or m/s2.", name=channel.name) from None  # fmt: skip


def over_at(time: Array, value: Array) -> float:
    """When a pulse is over: the first sample behind the last that is above a twentieth of the peak at which it is zero or turns; the last sample where there is none."""
    size = np.abs(value)
    last = int(np.flatnonzero(size >= OVER * size.max())[-1])
    turns = np.flatnonzero(np.sign(value[last + 1 :]) != np.sign(value[last]))
    return float(time[last + 1 + turns[0]] if len(turns) else time[-1])


def read_channel_pulse(path: Path | str, channel: str = "", unit: str = "", **options: Any) -> Measured:  # fmt: skip
    """Read a pulse from any measured test; `channel` is a code or words, and may be left out where one alone can be a pulse. Raises ResultsError and LibraryError.

    `options` are those of `pulse_of`. What lies before time zero of the test is left out unless `begin_s` says more.
    """
    test = read_test(path)
    if channel:
        one = test.channels[named([c.name for c in test.channels], [c.code for c in test.channels], channel)]  # fmt: skip
    else:
        fit = accelerations(test.channels)
        if len(fit) != 1:
            listed = "; ".join(c.name for c in fit[:12]) or "–"
            raise ResultsError("'{file}' has {count} channels that can be a pulse; name one. There are: {listed}.", file=Path(path).name, count=len(fit), listed=listed)  # fmt: skip
        one = fit[0]
    return pulse_of(
        one.time, in_si(one, unit), Path(path).name, name=one.name, closed=True, **options
    )
