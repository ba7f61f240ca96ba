"""Choose quantities by name, filter them, and turn them into the units of a display system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from solver.base.units import convert, display_unit
from solver.engine.signals import SignalError
from solver.results.layout import ResultsError
from solver.results.quantities import Quantities
from solver.results.trajectory import Array, Channel, Trajectory

SAME_TIME = 1e-9
"""Times closer than this (s) are one."""


@dataclass(frozen=True, slots=True)
class TimeBase:
    """Hold channels that have the same times (s)."""

    time: Array
    channels: tuple[Channel, ...]


def select(
    run: Trajectory,
    patterns: Sequence[str],
    *,
    units: str = "si",
    cfc: int | None = None,
    filtered: bool = False,
    ask: Quantities | None = None,
) -> list[Channel]:
    """Give the quantities that fit the patterns, each once, in the units of a display system.

    With `cfc` each is filtered to that class of SAE J211, with `filtered` to its own class.
    """
    ask = ask or Quantities(run)
    chosen = [ask(name) for name in ask.matching(patterns)]
    if cfc is not None or filtered:
        chosen = [_filtered(channel, cfc) for channel in chosen]
    return [in_units(channel, units) for channel in chosen]


def _filtered(channel: Channel, cfc: int | None) -> Channel:
    try:
        return channel.filtered(cfc)
    except SignalError as failure:
        raise SignalError("'{channel}': {failure}", channel=channel.name, failure=failure) from None


def in_units(channel: Channel, system: str) -> Channel:
    """Give a channel in the units of a display system; its time stays in s."""
    unit = display_unit(channel.unit, system)
    if unit == channel.unit:
        return channel
    return replace(
        channel,
        value=convert(channel.value, channel.unit, unit),
        unit=unit,
        components=tuple(convert(part, channel.unit, unit) for part in channel.components),
    )


def by_time(channels: Sequence[Channel]) -> list[TimeBase]:
    """Group channels by their times, in the order of their first."""
    groups: list[tuple[Array, list[Channel]]] = []
    for channel in channels:
        for time, members in groups:
            if time is channel.time or same_times(time, channel.time):
                members.append(channel)
                break
        else:
            groups.append((channel.time, [channel]))
    return [TimeBase(time, tuple(members)) for time, members in groups]


def same_times(a: Array, b: Array) -> bool:
    """Say whether two channels have the same times."""
    return len(a) == len(b) and bool(np.all(np.abs(a - b) < SAME_TIME))


def only_one(channels: Sequence[Channel], what: str) -> Channel:
    """Give the single channel that was chosen, or say that there are several."""
    if len(channels) != 1:
        raise ResultsError(
            "'{what}' fits {count} quantities; one is needed here.", what=what, count=len(channels)
        )
    return channels[0]


def at_times(channel: Channel, time: Array) -> Array:
    """Give a channel's values at other times, straight between its samples; no value beyond them."""
    out: Array = np.interp(time, channel.time, channel.value, left=np.nan, right=np.nan)
    return out
