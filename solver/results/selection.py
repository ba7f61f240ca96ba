"""Choose quantities by name, filter them, and turn them into the units of a display system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from solver.base.units import convert, display_unit
from solver.engine.signals import SignalError
from solver.project import Project
from solver.project.joint_table import row_of
from solver.project.outputs import (
    BodyOutput,
    ElementOutput,
    InjuryOutput,
    JointOutput,
    Output,
    PointOutput,
    RotationOutput,
    TouchOutput,
)
from solver.results.layout import FRAME_GROUPS, STEP_GROUP, Column, ResultsError
from solver.results.quantities import SEGMENT_COLUMNS, Quantities
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
    """The quantities that fit the patterns, each once, in the units of a display system.

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
    """A channel in the units of a display system; its time stays in s."""
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
    """Whether two channels have the same times."""
    return len(a) == len(b) and bool(np.all(np.abs(a - b) < SAME_TIME))


def only_one(channels: Sequence[Channel], what: str) -> Channel:
    """The single channel that was chosen, or say that there are several."""
    if len(channels) != 1:
        raise ResultsError(
            "'{what}' fits {count} quantities; one is needed here.", what=what, count=len(channels)
        )
    return channels[0]


def at_times(channel: Channel, time: Array) -> Array:
    """A channel's values at other times, straight between its samples; no value beyond them."""
    out: Array = np.interp(time, channel.time, channel.value, left=np.nan, right=np.nan)
    return out


# Give the unit of a quantity by its name, before there is a run that holds it.

UNITS = {
    ("point", "position"): "m",
    ("point", "velocity"): "m/s",
    ("point", "acceleration"): "m/s2",
    ("rotation", "angle"): "rad",
    ("rotation", "velocity"): "rad/s",
    ("rotation", "acceleration"): "rad/s2",
    ("joint", "angle"): "rad",
    ("joint", "torque"): "N*m",
    ("joint", "force"): "N",
}
"""Units of recorded channels, by kind and quantity of their output."""
BODY_UNITS = {"position": "m", "velocity": "m/s", "momentum": "kg*m/s", "spin": "kg*m2/s"}
"""Units of the vectors of several segments together."""
MORE_GROUPS = {
    "constraints": ("point_contacts", "couplings", "closures", "curve_points"),
    "coordinate_forces": ("actuators",),
}
"""More groups of results of an element's channels, by its list."""


def unit_named(
    project: Project, name: str, sensors: Iterable[Output | TouchOutput] = ()
) -> str | None:
    """Give the SI unit of a quantity of a project or of its bodies' sensors; none where no run can have it."""
    if "/" in name:
        return _of_frames(name)
    outputs = (one for one in (*project.outputs, *sensors) if name.startswith(f"{one.id}_"))
    # one id may begin as another one is
    output = max(outputs, key=lambda one: len(one.id), default=None)
    return None if output is None else _recorded(project, output, name[len(output.id) + 1 :])


def _of_frames(name: str) -> str | None:
    """Read it from the layout: group, element where the group has some, and column."""
    group, *words = name.split("/")
    spec = STEP_GROUP if group == "integrator" else FRAME_GROUPS.get(group)
    if spec is None:
        return None
    place = 1 if spec.has_ids else 0
    column = words[place].partition("@")[0] if len(words) > place else ""
    if group == "segments":
        return SEGMENT_COLUMNS[column][0] if column in SEGMENT_COLUMNS else None
    return spec.columns[column].unit if column in spec.columns else None


def _recorded(project: Project, output: Output | TouchOutput, rest: str) -> str | None:
    match output:
        case JointOutput(quantity="angle"):
            joint = next((one for one in project.joints if one.id == output.joint), None)
            turns = () if joint is None else row_of(joint).turns
            is_turn = any(turn.name == rest for turn in turns)
            return UNITS["joint", "angle"] if is_turn else "m"
        case PointOutput() | RotationOutput() | JointOutput():
            return UNITS[output.kind, output.quantity]
        case BodyOutput():
            return "J" if rest == "kinetic_energy" else BODY_UNITS.get(rest.rpartition("_")[0])
        case TouchOutput():
            return "N"
        case ElementOutput():
            return _of_element(output.of, rest)
        case InjuryOutput():
            return None


def _of_element(of: str, rest: str) -> str | None:
    """Find the column whose name a channel ends with; before it stands the strap of a harness."""
    groups = [of, *MORE_GROUPS.get(of, ())]
    columns = [c for group in groups for c in FRAME_GROUPS[group].columns.items()]
    found = {
        ending: column.unit
        for name, column in columns
        for ending in _endings(name, column)
        if rest == ending or rest.endswith(f"_{ending}")
    }
    return found[max(found, key=len)] if found else None


def _endings(name: str, column: Column) -> Iterator[str]:
    if not column.shape:
        yield name
    elif column.shape == (3,):
        yield from (f"{name}_{axis}" for axis in ("x", "y", "z", "resultant"))
    else:
        yield from (f"{name}_{k + 1}" for k in range(column.shape[0]))
