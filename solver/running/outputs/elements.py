"""Contacts, springs, winds, constraints and drivers: their rows of the results, and their events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from solver.engine.dynamics.tree import Array
from solver.engine.forces.contacts.arrays import S_STICKS
from solver.engine.forces.coordinates.arrays import SEEN_DRIVE, SEEN_OFF, SEEN_RATE, SEEN_WAY
from solver.engine.forces.coordinates.arrays import SEEN_LOAD as COORDINATE_LOAD
from solver.engine.forces.drivers import SEEN_DRIVE_LOAD, SEEN_POWER, SEEN_STATE, SEEN_VALUE
from solver.engine.forces.driving import BEGINS, ELSEWHERE, LETS_GO, STAYS_HELD, STRUCK
from solver.engine.forces.laws import LEFT, TOUCHED
from solver.engine.forces.system import (
    CONTACT_EVENTS,
    COORDINATE_EVENTS,
    DRIVER_EVENTS,
    WIND_EVENTS,
)
from solver.engine.integrate.samples import Samples
from solver.engine.maths.rotation import cross
from solver.model.links import (
    bushings_of,
    lines_of,
)
from solver.model.motions import drivers_of
from solver.project.blocks import Diagram, signals_of
from solver.project.coordinate_forces import CoordinateForce, CrushTube, PlasticHinge, Sided
from solver.project.coordinates import Actuator
from solver.project.document import Project
from solver.project.links import PlanarSymmetry
from solver.project.motions import DriverBase
from solver.running.outputs.kinematics import Columns, Kind, Kinematics, Source

# Allowed contacts: force, depth and point of application, and when they touch.

PAIRS = ("contact_touches", "contact_leaves", "contact_turns")
"""Events by what the kernels say has happened."""


class ContactColumns(Mapping[str, Array]):
    """Columns of contacts, made when they are asked for: of hundreds of contacts most are never read."""

    def __init__(self, row: Array) -> None:
        self._row, self._made = row, dict[str, Array]()

    def __getitem__(self, name: str) -> Array:
        if name not in self._made:
            self._made[name] = _CONTACT[name](self._row)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_CONTACT)

    def __len__(self) -> int:
        return len(_CONTACT)

    def at(self, rows: NDArray[np.intp]) -> Columns:
        """All of them, at some samples."""
        return {name: make(self._row[rows]) for name, make in _CONTACT.items()}


def _acts(row: Array) -> Array:
    # three comparisons: to look along an axis of three takes far longer
    acting = (row[:, :, 0] != 0.0) | (row[:, :, 1] != 0.0) | (row[:, :, 2] != 0.0)
    out: Array = np.where(row[:, :, S_STICKS] != 0.0, 2, 1).astype(np.int8) * acting
    return out


_CONTACT: Mapping[str, Callable[[Array], Array]] = {
    "force": lambda row: row[:, :, :3],
    "penetration": lambda row: row[:, :, 3],
    "point": lambda row: np.where(row[:, :, 3:4] > 0.0, row[:, :, 4:7], 0.0),
    "state": _acts,
}
"""The point only while they touch."""


class Contacts(Kind):
    """What allowed contacts do."""

    group = "contacts"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the contacts."""
        return tuple(c.id for c in project.contacts)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give force, depth and point."""
        return {
            name: np.array(make(samples.contacts[: seen.rows])) for name, make in _CONTACT.items()
        }

    @classmethod
    def events(cls, project: Project) -> Mapping[int, Source]:
        """Say what touches, leaves and turns."""
        paths = [f"contacts/{c.id}" for c in project.contacts]
        return {CONTACT_EVENTS: lambda n, what: (PAIRS[what], paths[n], ())}


# Springs, dampers and bushings, and tension elements: forces and lengths.


class Springs(Kind):
    """What springs and bushings do."""

    group = "springs"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the springs."""
        return tuple(s.id for s in project.springs)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give force and torque on B, and the length; only bushings have torques."""
        project, rows = self.model.project, seen.rows
        line = {e.id: k for k, e in enumerate(lines_of(project)[: len(project.springs)])}
        bushing = {e.id: k for k, e in enumerate(bushings_of(project))}
        force, torque, length = [], [], []
        for spring in project.springs:
            if spring.id in bushing:
                row = samples.bushings[:rows, bushing[spring.id]]
                force.append(row[:, :3])
                torque.append(row[:, 3:6])
                length.append(row[:, 6])
            else:
                row = samples.lines[:rows, line[spring.id]]
                force.append(row[:, :3])
                torque.append(np.zeros((rows, 3)))
                length.append(row[:, 3])
        return {
            "force": np.stack(force, 1),
            "torque": np.stack(torque, 1),
            "length": np.stack(length, 1),
        }


class TensionElements(Kind):
    """What heavy strings do."""

    group = "tension_elements"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the tension elements."""
        return tuple(t.id for t in project.tension_elements)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give tension and length."""
        project = self.model.project
        first = len(lines_of(project)) - len(project.tension_elements)
        row = samples.lines[: seen.rows, first:]
        return {"tension": np.linalg.norm(row[:, :, :3], axis=2), "length": row[:, :, 3].copy()}


# Loads by time: what they push or turn with, and their power.


class PrescribedLoads(Kind):
    """What loads by time do."""

    group = "loads"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the loads."""
        return tuple(one.id for one in project.loads)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give force or torque, whichever it is, and power."""
        rows = samples.loads[: seen.rows]
        turns = np.array([one.kind == "torque" for one in self.model.project.loads])[None, :, None]
        return {
            "force": np.where(turns, 0.0, rows[:, :, :3]),
            "torque": np.where(turns, rows[:, :, :3], 0.0),
            "power": rows[:, :, 3].copy(),
        }


# Winds: their force, and when they meet a surface.


class Winds(Kind):
    """What winds do."""

    group = "winds"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the winds."""
        return tuple(w.id for w in project.winds)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """The force on all targets together."""
        return {"force": samples.winds[: seen.rows].copy()}

    @classmethod
    def events(cls, project: Project) -> Mapping[int, Source]:
        """Say which wind meets a surface; each target has an event."""
        paths = [f"winds/{w.id}" for w in project.winds for _ in w.targets]
        return {WIND_EVENTS: lambda n, _: ("wind_meets", paths[n], ())}


# What flexible elements and symmetry hold with: loads of their constraints on each segment.


class FlexibleElements(Kind):
    """Give the torque with which a flexible element holds each of its segments to its bends (4.70)."""

    group = "flexible_elements"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name all members."""
        return tuple(name for one in project.flexible_elements for name in one.names_in_results)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give torques: an inner segment has its own, the ends what all of these ask of them."""
        torque: list[Array] = []
        first = 0
        for element in self.model.project.flexible_elements:
            inner = len(element.segments) - 2
            loads = samples.bends[: seen.rows, first : first + inner]
            first += inner
            torque += [loads[:, :, :3].sum(axis=1), *(loads[:, n, 12:15] for n in range(inner))]
            torque += [loads[:, :, 6:9].sum(axis=1)]
        return {"torque": np.stack(torque, axis=1)}


class Symmetries(Kind):
    """The loads with which symmetry holds segments, about their mass centres."""

    group = "symmetry"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the entries."""
        return tuple(entry.id for entry in project.symmetry)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give force and torque on the first segment, and on the second where there is one."""
        out: dict[str, list[Array]] = {}
        for n, entry in enumerate(self.model.project.symmetry):
            if isinstance(entry, PlanarSymmetry):
                pair = entry.segment, ""
            else:
                pair = entry.first, entry.second
            for m, (name, part) in enumerate(zip(pair, ("", "_on_second"), strict=True)):
                load = samples.symmetries[: seen.rows, n, 6 * m : 6 * m + 6]
                torque, force = load[:, :3], load[:, 3:]
                if name:
                    # from the body's origin to the mass centre
                    body = self.model.trees.body_of[name]
                    arm = seen.place(name, np.zeros(3)) - samples.p[: seen.rows, body]
                    torque = torque - cross(arm, force)
                out.setdefault(f"force{part}", []).append(force)
                out.setdefault(f"torque{part}", []).append(torque)
        return {name: np.stack(values, axis=1) for name, values in out.items()}


# Drivers: where their coordinates are, and with what they move them.

TOLD = {
    BEGINS: "driver_begins", BEGINS + STRUCK: "driver_strikes", BEGINS + ELSEWHERE: "driver_begins_elsewhere",
    BEGINS + STRUCK + ELSEWHERE: "driver_strikes_elsewhere", LETS_GO: "driver_lets_go", STAYS_HELD: "driver_holds",
}  # fmt: skip
"""Kinds of events by what the kernels say has happened."""


def _columns(drivers: Sequence[DriverBase], row: Array, way: str) -> Columns:
    """Give coordinate and load, of ways and of angles apart, the power, and what is being done."""
    turns = np.array([one.turns for one in drivers], bool)
    out: Columns = {}
    for at, turned, straight in ((SEEN_VALUE, "angle", way), (SEEN_DRIVE_LOAD, "torque", "force")):
        out[turned] = np.where(turns, row[:, :, at], 0.0)
        out[straight] = np.where(turns, 0.0, row[:, :, at])
    out["power"] = row[:, :, SEEN_POWER].copy()
    out["state"] = row[:, :, SEEN_STATE].astype(np.int8)
    return out


class Drivers(Kind):
    """What drivers of joint axes do."""

    group = "drivers"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the drivers."""
        return tuple(d.id for d in project.drivers)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give coordinate, load and power of each axis."""
        drivers = self.model.project.drivers
        return _columns(drivers, samples.drivers[: seen.rows, : len(drivers)], "slide")

    @classmethod
    def events(cls, project: Project) -> Mapping[int, Source]:
        """Say which driver begins or ends, also of frames."""
        lists = ["drivers"] * len(project.drivers) + ["frame_drivers"] * len(project.frame_drivers)
        paths = [f"{name}/{one.id}" for name, one in zip(lists, drivers_of(project), strict=True)]
        return {DRIVER_EVENTS: lambda n, what: (TOLD[what], paths[n], ())}


class FrameDrivers(Kind):
    """What drivers of frames do."""

    group = "frame_drivers"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the drivers."""
        return tuple(d.id for d in project.frame_drivers)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Each component, its load and power."""
        project = self.model.project
        row = samples.drivers[: seen.rows, len(project.drivers) :]
        return _columns(project.frame_drivers, row, "way")


# Forces on coordinates: where each coordinate is, how fast it goes, what it is resisted with.

COLUMNS = (
    (SEEN_WAY, "angle", "way"),
    (SEEN_RATE, "angular_rate", "rate"),
    (COORDINATE_LOAD, "torque", "force"),
)
DRIVING = (
    (SEEN_OFF, "angle_off", "way_off"),
    (SEEN_DRIVE, "driving_torque", "driving_force"),
)


class CoordinateForces(Kind):
    """What laws of coordinates do."""

    group = "coordinate_forces"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the elements."""
        return tuple(one.id for one in project.coordinate_forces)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give value, rate and resistance, of ways and of angles apart."""
        forces = self.model.project.coordinate_forces
        return _apart(COLUMNS, forces, samples.coordinates[: seen.rows, : len(forces)])

    @classmethod
    def events(cls, project: Project) -> Mapping[int, Source]:
        """Say which stop is reached, left or gives back, and which hinge gives in or holds again."""
        paths, hinges = [], []
        for one in project.coordinate_forces:
            for law in one.laws:
                switched = isinstance(law, Actuator) and law.switch is not None
                slots = (
                    2
                    if isinstance(law, Sided)
                    else int(isinstance(law, PlasticHinge | CrushTube) or switched)
                )
                paths += [f"coordinate_forces/{one.id}"] * slots
                hinges += [isinstance(law, PlasticHinge | CrushTube)] * slots

        def source(n: int, what: int) -> tuple[str, str, tuple[float, ...]]:
            if hinges[n]:
                kind = "hinge_gives_in" if what == TOUCHED else "hinge_holds"
            else:
                kind = {TOUCHED: "stop_reached", LEFT: "stop_left"}.get(what, "stop_turns")
            return kind, paths[n], ()

        return {COORDINATE_EVENTS: source}


class Actuators(Kind):
    """What actuators go by, and what they do, of the elements that have some."""

    group = "actuators"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the elements."""
        return tuple(project.coordinate_forces[n].id for n in _with_actuators(project))

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """What is off, and load and power of what acts by itself, of ways and of angles apart."""
        forces, rows = self.model.project.coordinate_forces, _with_actuators(self.model.project)
        row = samples.coordinates[: seen.rows, rows]
        out = _apart(DRIVING, [forces[n] for n in rows], row)
        return out | {"driving_power": -row[:, :, SEEN_DRIVE] * row[:, :, SEEN_RATE]}


def _with_actuators(project: Project) -> list[int]:
    return [
        n
        for n, one in enumerate(project.coordinate_forces)
        if any(isinstance(law, Actuator | Diagram) for law in one.laws)
    ]


class Signals(Kind):
    """What signals of blocks are, and pressures of cylinders."""

    group = "signals"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name them by their element, and by their law where it has several of blocks."""
        out: list[str] = []
        for one in project.coordinate_forces:
            laws = [law for law in one.laws if isinstance(law, Diagram)]
            for n, law in enumerate(laws, 1):
                head = one.id if len(laws) == 1 else f"{one.id}.{n}"
                out += [f"{head}.{name}" for name in signals_of(law)]
        return tuple(out)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give their values."""
        return {"value": samples.signals[: seen.rows].copy()}


def _apart(
    columns: Sequence[tuple[int, str, str]], forces: Sequence[CoordinateForce], row: Array
) -> Columns:
    """Give columns of ways and of angles apart."""
    turns = np.array([one.coordinate.turns for one in forces], bool)
    out: Columns = {}
    for at, turned, straight in columns:
        out[turned] = np.where(turns, row[:, :, at], 0.0)
        out[straight] = np.where(turns, 0.0, row[:, :, at])
    return out
