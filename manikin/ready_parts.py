"""Ready parts with their sources: laws, cushions, pulses, seats, interiors, bags, belts, necks."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Literal, Self

from manikin.changing import Changing, turned_by, vector
from solver.bodies.library import Entry, entries, occupant
from solver.bodies.library import entry as entry_of
from solver.bodies.library import insert as inserted
from solver.bodies.library.describe import details
from solver.bodies.library.pulses import Measured, insert_pulse, led_by
from solver.bodies.library.pulses import read_pulse as pulse_of
from solver.bodies.library.seating import hanging
from solver.editing.including import include as included
from solver.editing.including import let_go as released
from solver.editing.including import update as updated
from solver.exchange.measured.pulses import read_channel_pulse
from solver.project.geometry import Frame
from solver.project.includes import Include

Vector = tuple[float, float, float]
ORIGIN: Vector = (0.0, 0.0, 0.0)


def library(category: str | None = None) -> tuple[Entry, ...]:
    """List the library's entries, or those of a category (docs/library.md): `id`, `category`, `name`, `basis`, `source`, `note`.

    >>> [one.id for one in mk.library("cushions")][:2]
    ['torso_on_seat', 'thighs_on_seat']
    >>> mk.library("seat")
    Traceback (most recent call last):
    manikin.LibraryError: The library has no category 'seat'. Did you mean 'seats'?
    """
    return entries(category)


def library_details(name: str) -> str:
    """Describe an entry: what it holds, where its numbers come from, where its origin lies.

    >>> print(mk.library_details("lap_belt").splitlines()[0])
    lap_belt: Lap belt
    """
    return details(entry_of(name))


def read_pulse(
    path: Path | str,
    unit: str = "",
    *,
    channel: str = "",
    cfc: float | None = 60,
    time_unit: str = "s",
    columns: tuple[int | str, int | str] = (1, 2),
    begin_s: float | None = None,
    end_s: float | None = None,
    zero_until_s: float | None = None,
) -> Measured:
    r"""Read a measured acceleration over time from a CSV file or a test (`mk.read_test`), to move a segment by (`Model.add_pulse`, `Model.led_by`).

    Of a test `channel` is a code or words of a name; its file says the unit. Of a CSV file `unit` is that of the acceleration (g, m/s2); `columns` are numbers from 1 or headings. It is filtered to a
    class of SAE J211, or not at all (`cfc` None), then cut; the mean until `zero_until_s` is taken off first. `facts()` of it tells peak and
    speed change. Raises LibraryError.

    >>> _ = Path("sled.csv").write_text("t,a\n0,0\n0.05,20\n0.1,0\n")
    >>> pulse = mk.read_pulse("sled.csv", "g", cfc=None)
    >>> round(pulse.facts().speed_change, 2)
    9.81
    """
    if channel or not unit:
        return read_channel_pulse(path, channel, unit, filter_=cfc, begin_s=begin_s, end_s=end_s, zero_until_s=zero_until_s)  # fmt: skip
    return pulse_of(
        path, unit, filter_=cfc, time_unit=time_unit, columns=columns,
        begin_s=begin_s, end_s=end_s, zero_until_s=zero_until_s,
    )  # fmt: skip


class Fitted(Changing):
    """Ready parts in a model."""

    def insert(
        self,
        entry: str,
        prefix: str = "",
        *,
        to: str = "ground",
        at: Vector = ORIGIN,
        turn_rad: Vector = ORIGIN,
        on: str | None = None,
        from_speed_m_per_s: float | None = None,
        replace: bool = False,
    ) -> Self:
        """Put an entry of the library into the model; its ids are the plain ones behind `prefix` and '_'.

        `to` is the segment that carries it or, for a pulse, is moved by it; `at` (m) and `turn_rad` (yaw, pitch, roll) place its origin there. `on` is the
        prefix of the occupant that it presses on or lies over: a belt is laid over that body. `from_speed_m_per_s` is the speed at which a pulse begins;
        with `replace` a motion that the carrier has makes room. Where soles do not reach the floor a warning says so. Raises LibraryError.

        >>> model = mk.sample("frontal").insert("lap_belt", "second", to="vehicle", on="driver")
        >>> model.project.harnesses[-1].id
        'second_lap_belt'
        """
        turned = turned_by(turn_rad) if any(turn_rad) else None
        made = inserted(
            self._project, entry, prefix,
            attach_to=to, at=at, turned=turned, on=on, from_speed=from_speed_m_per_s, replace=replace,
        )  # fmt: skip
        who = None if on is None else occupant(made, on)
        if who is not None and (short := hanging(made, who)) is not None:
            warnings.warn(str(short), stacklevel=2)
        return self._with(made)

    @property
    def includes(self) -> tuple[Include, ...]:
        """What other projects were put in: `id`, `file`, `sha256`; `problems` has a note where a file has changed since."""
        return self._project.includes

    def include(
        self,
        file: Path | str,
        name: str = "",
        *,
        to: str = "ground",
        at: Vector = ORIGIN,
        turn_rad: Vector = ORIGIN,
        onto: str = "",
    ) -> Self:
        """Put all elements of a project file into the model, without its runs and studies, and remember the file.

        `name` goes before their ids with a '_' behind it; without one it is after the file. `to` is the segment that carries it in place of
        the ground, `at` (m) and `turn_rad` (yaw, pitch, roll) place its ground axes there; `at` counts from the element `onto`,
        such as planes/floor, where one is given. Raises IncludeError, or ProjectError where the file cannot be read.

        >>> mk.sample("double_pendulum").save("pendulum.json")
        >>> model = mk.new().include("pendulum.json", "left", at=(0.0, -1.0, 0.0))
        >>> [one.id for one in model.project.segments]
        ['left_upper', 'left_lower']
        >>> mk.sample("double_pendulum").with_value("segments/lower/mass_kg", 2.0).save("pendulum.json")
        >>> [one.code for one in model.problems if one.code.startswith("include")]
        ['include-changed']
        >>> model.update_include("left").value("segments/left_lower/mass_kg")
        2.0
        """
        frame = Frame(position_m=vector(at, "A place"), orientation=turned_by(turn_rad))
        return self._with(included(self._project, file, name, on=to, frame=frame, onto=onto))

    def update_include(self, name: str, *, overwrite: bool = False) -> Self:
        """Take an included project again from its file; elements of the model that refer to its elements stay.

        What was changed or taken away by hand stays where the file has that element as it was taken. Where it has another one IncludeError
        names it; with `overwrite` all becomes as the file has it.
        """
        return self._with(updated(self._project, name, overwrite=overwrite).project)

    def let_go(self, name: str) -> Self:
        """Forget the file of an included project; its elements stay. Raises IncludeError."""
        return self._with(released(self._project, name))

    def add_pulse(
        self,
        pulse: Measured,
        to: str,
        prefix: str = "",
        *,
        component: Literal["x", "y", "z"] = "x",
        scale: float = 1.0,
        from_speed_m_per_s: float = 0.0,
        replace: bool = False,
    ) -> Self:
        """Move a segment by a measured pulse (`mk.read_pulse`); a `scale` of -1 turns it round. Raises LibraryError."""
        return self._with(
            insert_pulse(
                self._project, pulse, prefix, attach_to=to, component=component,
                scale=scale, from_speed=from_speed_m_per_s, replace=replace,
            )
        )  # fmt: skip

    def led_by(
        self,
        pulse: Measured,
        segment: str,
        *,
        component: Literal["x", "y", "z"] = "x",
        scale: float = 1.0,
        from_speed_m_per_s: float | None = None,
    ) -> Self:
        """Let the motion of a vehicle or sled take a measured pulse over, or give it one; the rest of the motion stays, and the speed at which it begins where none is given. Raises LibraryError."""
        return self._with(led_by(self._project, pulse, segment, component, scale, from_speed_m_per_s))  # fmt: skip
