"""Numbers of a model that are set while a run goes on, by name: targets, activations, loads, vents, triggers, drivers.

What an input stands for is a number in the arrays of a model. One that the project gives as a function of time, or
shares with others, gets a place of its own once it is set for the first time (`with_inputs`). It is held until it is set again.
Where a coordinate is driven, the driver goes on smoothly from where it is to what is asked for, by the end of the step.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from solver.base.words import NOTHING, Sentence
from solver.engine.forces.triggers import NOT_FIRED
from solver.engine.forces.tyres import BRAKE, DRIVE
from solver.engine.maths import curve, profile
from solver.engine.maths.curve import Curves
from solver.engine.maths.profile import Profiles, profile_at
from solver.model.arrays import Timed
from solver.model.compile import Model
from solver.model.motions import COMPONENTS, drivers_of
from solver.model.set_forces import Force
from solver.project.blocks import HydraulicLaw
from solver.project.coordinate_forces import HillMuscle, Muscle
from solver.project.coordinates import Actuator
from solver.project.document import LISTS, Project
from solver.project.fields import Part
from solver.project.problems import SimulationError, did_you_mean
from solver.running.outputs.frames import triggered_paths

Kind = Literal["curve", "load", "vent", "trigger", "motion", "driver", "push"]
QUANTITIES = ("position", "velocity", "acceleration")
XYZ = ("x", "y", "z")
FAR = 1e30
"""A level that nothing passes."""

PUSH_AT = re.compile(r"segments/([^/\[]+)\[([^\]]*)\]/force/([xyz])")
"""A force at a point of a segment."""


@dataclass(frozen=True, slots=True)
class Input:
    """A number that may be set while a run goes on: its name, SI unit, and what it is."""

    name: str
    unit: str
    help: str
    value: float
    """What it is at the start, where the project gives a number; else 0."""
    kind: Kind
    at: tuple[Any, ...]
    """Where it stands in the arrays."""
    goes_by_time: bool = False
    """Whether the project gives a function of time and no number, as long as it has not been set."""

    @property
    def moves(self) -> bool:
        """Whether it drives a coordinate, so that what it becomes depends on how long the step is."""
        return self.kind in ("motion", "driver")


def inputs_of(model: Model) -> dict[str, Input]:
    """All inputs of a model by name, in the order of the project; pushes on segments come last."""
    parts = (_laws, _winds, _tyres, _loads, _vents, _triggers, _driven, _pushes)
    return {one.name: one for part in parts for one in part(model)}


def find_input(known: Mapping[str, Input], project: Project, name: str) -> Input:
    """The input of that name; a push may act at any point of its segment, `segments/head[0.1,0,0]/force/x`.

    Raises SimulationError, which says why a number of the project is none, or which one may be meant.
    """
    if name in known:
        return known[name]
    found = PUSH_AT.fullmatch(name)
    plain = known.get(f"segments/{found[1]}/force/{found[3]}") if found else None
    if found and plain is not None:
        try:
            x, y, z = (float(word) for word in found[2].split(","))
            if not all(map(math.isfinite, (x, y, z))):
                raise ValueError
        except ValueError:
            raise SimulationError(
                "The point of '{name}' must be three lengths in m: [x,y,z].", name=name
            ) from None
        return replace(plain, name=name, at=(found[1], (x, y, z), "force", XYZ.index(found[3])))
    raise SimulationError(
        "There is no input '{name}'. {why}", name=name, why=_why_not(known, project, name)
    )


def _why_not(known: Mapping[str, Input], project: Project, name: str) -> Sentence:
    """Say why something is no input: it is a number of the model, or there is no such thing."""
    words = name.split("/")
    here: Any = project
    for word in words:
        if isinstance(here, tuple):
            by_id = {str(getattr(one, "id", n)): one for n, one in enumerate(here)}
            here = by_id.get(word)
        else:
            here = getattr(here, word, None) if isinstance(here, Part) else None
        if here is None:
            break
    if here is not None and words[0] in (*LISTS, "gravity_m_per_s2"):
        below = [one for one in known if one.startswith(f"{name}/")]
        if below:
            return Sentence("Below it there is {names}.", names=", ".join(below[:8]))
        return Sentence(
            "It is a part of the model that steps rely on, and to change it would put energy in that nobody counts: "
            "change the model, and go on from the state with it (Simulation.change)."
        )
    return did_you_mean(name, known) or NOTHING


def _laws(model: Model) -> Iterator[Input]:
    """Targets and gains of actuators, activations of muscles and targets of their reflexes."""
    coordinates, k = model.system.coordinates, 0
    for one in model.project.coordinate_forces:
        several = sum(isinstance(law, Timed) for law in one.laws) > 1
        for n, law in enumerate(one.laws):
            path = f"coordinate_forces/{one.id}" + (f"/laws/{n}" if several else "")
            fields: list[tuple[str, Part, str, int]] = []
            if isinstance(law, Actuator):
                names = ("target", "proportional", "derivative", "integral")
                fields = [(name, law, name, column) for column, name in enumerate(names)]
            elif isinstance(law, HydraulicLaw) and law.output is None:
                fields = [("opening", law, "opening", 0)]
            elif isinstance(law, Muscle | HillMuscle):
                fields = [("activation", law, "activation", 0)]
                if isinstance(law, HillMuscle) and law.reflex is not None:
                    fields.append(("reflex/target", law.reflex, "target", 1))
            for name, part, field, column in fields:
                if coordinates.curve[k, column] >= 0:
                    at = (("coordinates", ((k, column),)),)
                    yield _field(f"{path}/{name}", part, field, one.coordinate.turns, at)
            k += 1


def _winds(model: Model) -> Iterator[Input]:
    rows: list[list[int]] = [[] for _ in model.project.winds]
    count = 0
    for n, wind in enumerate(model.project.winds):
        for _ in wind.targets:
            rows[n].append(count)
            count += 1
    for wind, mine in zip(model.project.winds, rows, strict=True):
        names = ("pressure_x", "pressure_y", "pressure_z") if wind.kind == "pressure" else ()
        for name in (*names, "drag"):
            column = ("pressure_x", "pressure_y", "pressure_z", "drag").index(name)
            at = (("winds", tuple((row, column) for row in mine)),)
            yield _field(f"winds/{wind.id}/{name}", wind, name, False, at)


def _tyres(model: Model) -> Iterator[Input]:
    """Brakes and drives of wheels."""
    for k, tyre in enumerate(model.project.tyres):
        for name, column in (("brake_nm", BRAKE), ("drive_nm", DRIVE)):
            at = (("tyres", ((k, column),)),)
            yield _field(f"tyres/{tyre.id}/{name}", tyre, name, False, at)


def _field(name: str, part: Part, field: str, turns: bool, at: tuple[Any, ...]) -> Input:
    about: Any = type(part).model_fields[field]
    unit = str(about.json_schema_extra["unit"]).split("|")
    value = getattr(part, field)
    is_number = isinstance(value, int | float)
    start = float(value) if is_number else 0.0
    words = about.description or ""
    return Input(name, unit[-1 if turns else 0], words, start, "curve", at, not is_number)


def _loads(model: Model) -> Iterator[Input]:
    for k, load in enumerate(model.project.loads):
        unit = "N" if load.kind == "force" else "N*m"
        help_ = f"{load.kind.capitalize()} on '{load.segment}' along its direction."
        yield Input(f"loads/{load.id}/{load.kind}", unit, help_, 0.0, "load", (k,), True)


def _vents(model: Model) -> Iterator[Input]:
    n = 0
    for bag in model.project.airbags:
        for k, vent in enumerate(bag.vents):
            help_ = "Area of the vent, as a valve in it leaves open."
            name = f"airbags/{bag.id}/vents/{k}/area_m2"
            yield Input(name, "m2", help_, vent.area_m2, "vent", (n, vent.discharge))
            n += 1


def _triggers(model: Model) -> Iterator[Input]:
    paths = triggered_paths(model.project)
    for k, path in enumerate(paths):
        number = paths[:k].count(path)
        name = f"{path}/trigger" + (f"/{number}" if paths.count(path) > 1 else "")
        help_ = "Fires as soon as it is above 0.5; until then it waits, whatever the project says."
        yield Input(name, "1", help_, 0.0, "trigger", (k,))


def _driven(model: Model) -> Iterator[Input]:
    """Drivers that move from the start to the end, and components of motions."""
    for d, one in enumerate(drivers_of(model.project)):
        if not one.begins_at_once or one.until_s is not None:
            continue
        list_ = "drivers" if d < len(model.project.drivers) else "frame_drivers"
        for order, quantity in enumerate(QUANTITIES):
            yield _course(f"{list_}/{one.id}/{quantity}", one.turns, order, "driver", (d, order))
    for d, motion in enumerate(model.project.motions):
        for component in motion.components:
            c = COMPONENTS.index(component.component)
            for order, quantity in enumerate(QUANTITIES):
                name = f"motions/{motion.id}/{component.component}/{quantity}"
                yield _course(name, c > 2, order, "motion", (d, c, order))


def _course(name: str, turns: bool, order: int, kind: Kind, at: tuple[int, ...]) -> Input:
    unit = ("rad" if turns else "m") + ("", "/s", "/s2")[order]
    reached = ("is there", "has that speed", "has had that acceleration")[order]
    help_ = f"The driven coordinate {reached} at the end of the step, and goes there smoothly."
    return Input(name, unit, help_, 0.0, kind, at, True)


def _pushes(model: Model) -> Iterator[Input]:
    """A force at the mass centre and a torque, ground axes, on each segment."""
    for segment in model.project.segments:
        for kind, unit in (("force", "N"), ("torque", "N*m")):
            for axis, name in enumerate(XYZ):
                where = " at the mass centre" if kind == "force" else ""
                help_ = f"{kind.capitalize()} on the segment{where}, along the ground's {name}."
                at = (segment.id, (0.0, 0.0, 0.0), kind, axis)
                yield Input(f"segments/{segment.id}/{kind}/{name}", unit, help_, 0.0, "push", at)


# Arrays in which inputs have places of their own, and what is written there.

Kept = tuple[str, float | None, float | None]
"""Name of an input that has been set, what it holds, and when the driven coordinate is there."""


class Held:
    """The inputs that have been set of one run, where they stand in its arrays, and their values."""

    def __init__(self, base: Model) -> None:
        self._base, self._known = base, dict[str, Input]()
        self.all: dict[str, Input] = {}
        """Those that have been set, by name."""
        self.values: dict[str, float] = {}
        self._slots: dict[str, int] = {}
        self.model = base
        """The model with places for them; all other arrays are those of the base."""
        self._runs_to: dict[str, float] = {}

    @property
    def known(self) -> dict[str, Input]:
        """All inputs of the model."""
        if not self._known:
            self._known = inputs_of(self._base)
        return self._known

    def has(self, name: str) -> bool:
        """Whether there is such an input."""
        return name in self.all or name in self.known or PUSH_AT.fullmatch(name) is not None

    def find(self, name: str) -> Input:
        """The input of a name; SimulationError where there is none."""
        return self.all.get(name) or find_input(self.known, self._base.project, name)

    def hold(self, names: Sequence[str]) -> bool:
        """Give inputs places, in the order in which they were first set; says whether arrays are others now."""
        new = [name for name in names if name not in self.all]
        if not new:
            return False
        for name in new:
            one = self.find(name)
            for other in self.all.values():
                if one.moves and other.kind == one.kind and other.at[:-1] == one.at[:-1]:
                    raise SimulationError(
                        "'{one}' and '{other}' drive the same coordinate; set one of them.",
                        one=name,
                        other=other.name,
                    )
            self.all[name] = one
        before, slots = self.model.system, dict(self._slots)
        self.model = replace(self._base, system=self._extended())
        self._carry(before, slots)
        return True

    def _extended(self) -> Any:
        """The system with places for all inputs that have been set."""
        system = self._base.system
        curves, redirected = system.curves, dict[str, Any]()
        own = [one for one in self.all.values() if one.kind == "curve"]
        if own:
            for one in own:
                self._slots[one.name] = len(curves.first) - 1
                curves = _more_curves(curves)
                for holder, places in one.at:
                    rows = redirected.setdefault(holder, getattr(system, holder).curve.copy())
                    for place in places:
                        rows[place] = self._slots[one.name]
            parts = {
                holder: getattr(system, holder)._replace(curve=rows)
                for holder, rows in redirected.items()
            }
            system = system._replace(curves=curves, **parts)
        loads = [one.at[0] for one in self.all.values() if one.kind == "load"]
        if loads:
            history = _flat_ones(system.loads.history, loads)
            system = system._replace(loads=system.loads._replace(history=history))
        for kind, holder in (("driver", "drivers"), ("motion", "drives")):
            mine = [one for one in self.all.values() if one.kind == kind]
            if mine:
                made = getattr(system, holder)
                profiles, numbers = made.profiles, made.profile.copy()
                for one in mine:
                    self._slots[one.name] = len(profiles.first) - 1
                    profiles = _more_profiles(profiles, 2)
                    numbers[one.at[:-1]] = self._slots[one.name]
                system = system._replace(
                    **{holder: made._replace(profiles=profiles, profile=numbers)}
                )
        return system

    def _carry(self, before: Any, slots: Mapping[str, int]) -> None:
        """Take over what inputs held before that had places already."""
        for name in slots:
            one = self.all[name]
            if one.moves:
                holder = "drivers" if one.kind == "driver" else "drives"
                old, new = getattr(before, holder).profiles, self._profiles(one)
                a, b = old.first[slots[name]], new.first[self._slots[name]]
                for theirs, mine in ((old.start, new.start), (old.poly, new.poly)):
                    mine[b : b + 2] = theirs[a : a + 2]
        for name, value in self.values.items():
            if name in self.all and not self.all[name].moves and self.all[name].kind != "trigger":
                self._write(self.all[name], value, 0.0)

    def _profiles(self, one: Input) -> Profiles:
        holder = self.model.system.drivers if one.kind == "driver" else self.model.system.drives
        found: Profiles = holder.profiles
        return found

    def write(self, name: str, value: float, time: float) -> None:
        """Let an input that has a place hold a value from a time on (s)."""
        self._write(self.all[name], value, time)
        self.values[name] = value

    def _write(self, one: Input, value: float, time: float) -> None:
        system = self.model.system
        match one.kind:
            case "curve":
                curves = system.curves
                at = curves.first[self._slots[one.name]]
                curves.poly[at, 0] = value
            case "load":
                history = system.loads.history
                history.poly[history.first[one.at[0]], 0] = value
            case "vent":
                n, discharge = one.at
                system.bags.model.vent_hole[n] = value * discharge
            case "trigger":
                triggers, (k,) = system.triggers, one.at
                if triggers.waits[k] or triggers.fires[k] <= time:
                    # it has been passed
                    return
                triggers.fires[k] = NOT_FIRED
                triggers.level[k] = triggers.sign[k] * (-FAR if value > 0.5 else FAR)

    def go_to(self, start: float, end: float) -> None:
        """Let driven coordinates go from where they are at one time to what is asked for at another."""
        for name, one in self.all.items():
            if not one.moves or name not in self.values:
                continue
            x, v, _ = self._wanted(one, start)
            course, after = _to(one.at[-1], self.values[name], x, v, end - start)
            profiles, k = self._profiles(one), self._slots[name]
            at = profiles.first[k]
            profiles.start[at], profiles.start[at + 1] = start, end
            profiles.poly[at], profiles.poly[at + 1] = 0.0, 0.0
            profiles.poly[at, : len(course)] = course
            profiles.poly[at + 1, : len(after)] = after
            self._runs_to[name] = end

    def _wanted(self, one: Input, t: float) -> tuple[float, float, float]:
        """Where a driven coordinate is now by its profile, and its rates."""
        made = self._base.system.drivers if one.kind == "driver" else self._base.system.drives
        profiles, k = made.profiles, int(made.profile[one.at[:-1]])
        if one.name in self._runs_to:
            profiles, k = self._profiles(one), self._slots[one.name]
        x, v, a = profile_at(profiles, k, t, t)
        return float(x), float(v), float(a)

    def kept(self) -> tuple[Kept, ...]:
        """What a state has to know beside the arrays."""
        return tuple((name, self.values.get(name), self._runs_to.get(name)) for name in self.all)

    def carry_from(self, other: Held) -> None:
        """Take over what inputs of a like model hold, and where those that drive a coordinate are on their way."""
        slots = {name: slot for name, slot in other._slots.items() if name in self.all}
        self._carry(other.model.system, slots)

    def recall(self, kept: Sequence[Kept]) -> None:
        """Have the places of a state; what stands there comes with its arrays."""
        self.all, self.values, self._slots, self._runs_to = {}, {}, {}, {}
        self.model = self._base
        self.hold([name for name, _, _ in kept])
        self.values = {name: value for name, value, _ in kept if value is not None}
        self._runs_to = {name: end for name, _, end in kept if end is not None}


def push_of(one: Input, value: float, now: Force | None) -> Force:
    """The force that inputs of one point make together, with one component set again."""
    segment, point, kind, axis = one.at
    parts = list(now.value) if now is not None else [0.0, 0.0, 0.0]
    parts[axis] = value
    return Force(segment, (parts[0], parts[1], parts[2]), point, "ground", kind)


def push_name(one: Input) -> str:
    """By what name its force acts."""
    return one.name.rpartition("/")[0]


def _to(
    order: int, value: float, x: float, v: float, h: float
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Polynomials of time: from place and speed to what is wanted after a time, and then on."""
    if order == 2:
        end, speed = x + h * (v + 0.5 * h * value), v + h * value
        return (x, v, 0.5 * value), (end, speed, 0.5 * value)
    if order == 1:
        a = (value - v) / h
        return (x, v, 0.5 * a), (x + 0.5 * h * (v + value), value)
    # a cubic that comes in with the mean speed of the way
    mean = (value - x) / h
    return (x, v, 2.0 * (mean - v) / h, (v - mean) / (h * h)), (value, mean)


def _more_curves(curves: Curves) -> Curves:
    """One more curve, a constant."""
    own = curve.joined([curve.constant(0.0)])
    return Curves(
        np.append(curves.first, curves.first[-1] + 1), np.append(curves.start, own.start),
        np.vstack([curves.poly, own.poly]), np.append(curves.area, own.area),
    )  # fmt: skip


def _more_profiles(profiles: Profiles, pieces: int) -> Profiles:
    """One more profile, of some pieces of nothing."""
    own = profile.make([(float(n), [0.0], (0.0, 0.0, 0.0)) for n in range(pieces)])
    return Profiles(
        np.append(profiles.first, profiles.first[-1] + pieces), np.append(profiles.start, own.start),
        np.vstack([profiles.poly, own.poly]), np.vstack([profiles.wave, own.wave]),
    )  # fmt: skip


def _flat_ones(history: Profiles, which: Sequence[int]) -> Profiles:
    """The same profiles, but for some that are constants."""
    made = []
    for k in range(len(history.first) - 1):
        part = slice(history.first[k], history.first[k + 1])
        one = profile.Profile(history.start[part], history.poly[part], history.wave[part])
        made.append(profile.constant(0.0) if k in which else one)
    return profile.joined(made)
