"""What happened in a run: the numbers that kernels write down as events of elements."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from solver.engine.forces.impacts import ENDLESS, FRICTIONLESS, MISSING, WAITING
from solver.engine.forces.system import ALL_EVENTS, JOINT_EVENTS, TRIGGER_EVENTS
from solver.engine.integrate.happening import START_SPEEDS
from solver.model.compile import Model
from solver.model.devices import devices_of
from solver.model.drivers import triggers_of_drivers
from solver.model.timed import triggers_of
from solver.project.document import LISTS
from solver.results.events import Event
from solver.running.outputs.harnesses import Harnesses, strap_path
from solver.running.outputs.kind import Source
from solver.running.outputs.kinds import KINDS

TRIGGERS = ("trigger_passed", "trigger_fires")
"""Kinds by what the kernels say has happened."""

IMPULSES = {
    WAITING: "impulses_wait", FRICTIONLESS: "impulses_frictionless",
    ENDLESS: "impulses_endless", MISSING: "impulses_missing",
}  # fmt: skip
"""Kinds by what the impulses of a pair or a stop lack."""


class Events:
    """Read the events of one model."""

    def __init__(self, model: Model) -> None:
        project, self._model = model.project, model
        triggered = [f"airbags/{name}" for name in (bag.id for bag in project.airbags)]
        triggered += [strap_path(s) for s, d, _ in devices_of(project) if d.pretensioner]
        triggered += [f"coordinate_forces/{one.id}" for one, _ in triggers_of(project)]
        triggered += [path for path, _ in triggers_of_drivers(project)]
        sources: dict[int, Source] = {
            JOINT_EVENTS: lambda n, _: (*model.events[n], ()),
            TRIGGER_EVENTS: lambda n, what: (TRIGGERS[what], triggered[n], ()),
        }
        for kind in KINDS:
            sources |= kind.events(project)
        first = model.system.first
        self._count = int(first[ALL_EVENTS])
        self._sources = [sources[sort] for sort in sorted(sources)]
        self._firsts = [int(first[sort]) for sort in sorted(sources)]

    def event(self, time: float, number: int, what: int) -> Event:
        """Give the event that a kernel has written down by its number."""
        if number == START_SPEEDS:
            return Event(time, "speeds_corrected")
        if not 0 <= number < self._count:
            raise IndexError(number)
        # of sorts without events, which begin where the next does, the last one has it
        sort = bisect_right(self._firsts, number) - 1
        lacking = IMPULSES.get(what)
        source, n = self._sources[sort], number - self._firsts[sort]
        if lacking is not None:
            return Event(time, lacking, (source(n, 0)[1],))
        kind, element, values = source(n, what)
        return Event(time, kind, (element,), values)

    def names(self) -> tuple[str, ...]:
        """Name all that an event may name: the elements of the project, and parts of them."""
        return tuple(dict.fromkeys(self._names()))

    def _names(self) -> Iterator[str]:
        project = self._model.project
        for list_ in LISTS:
            for item in getattr(project, list_):
                yield f"{list_}/{item.id}"
        yield from (f"segments/{s.id}/{one.id}" for s in project.segments for one in s.surfaces)
        yield from (element for _, element in self._model.events)
        yield from (strap_path(name) for name in Harnesses.ids(project))
