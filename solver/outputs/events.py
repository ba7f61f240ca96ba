"""What happened in a run: the numbers that kernels write down as events of elements."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator

from solver.forces.airbags import VENT_OPENED
from solver.forces.system import (
    ALL_EVENTS,
    BAG_EVENTS,
    BELT_EVENTS,
    CONTACT_EVENTS,
    JOINT_EVENTS,
    SPOOL_EVENTS,
    STRAP_EVENTS,
    TRIGGER_EVENTS,
    WIND_EVENTS,
)
from solver.integrate.advance import START_SPEEDS
from solver.model.compile import Model
from solver.model.harness import devices_of
from solver.project.document import LISTS
from solver.results.events import Event

PAIRS = ("contact_touches", "contact_leaves", "contact_turns")
BELTS = ("belt_taut", "belt_slack", "belt_turns")
TRIGGERS = ("trigger_passed", "trigger_fires")
BAGS = ("airbag_fires", "airbag_full", "airbag_vents")
SPOOLS = ("retractor_senses", "retractor_locks")
STRAPS = ("harness_gives_back", "harness_takes_again")
"""Kinds by what the kernels say has happened."""

Source = Callable[[int, int], tuple[str, str, tuple[float, ...]]]
"""From the number of an event among those of its sort, and what happened: kind, element, values."""


class Events:
    """Read the events of one model."""

    def __init__(self, model: Model) -> None:
        project, self._model = model.project, model
        triggered = [f"airbags/{name}" for name in (bag.id for bag in project.airbags)]
        devices = [_strap(name) for name, _, _ in devices_of(project)]
        triggered += [_strap(s) for s, d, _ in devices_of(project) if d.pretensioner]
        self._bags = [
            (f"airbags/{bag.id}", n) for bag in project.airbags for n in range(2 + len(bag.vents))
        ]
        winds = [f"winds/{w.id}" for w in project.winds for _ in w.targets]
        contacts = [f"contacts/{c.id}" for c in project.contacts]
        harnesses = [f"harnesses/{h.id}" for h in project.harnesses]
        sources: dict[int, Source] = {
            JOINT_EVENTS: lambda n, _: (*model.events[n], ()),
            CONTACT_EVENTS: lambda n, what: (PAIRS[what], contacts[n], ()),
            BELT_EVENTS: lambda n, what: (BELTS[what], f"belts/{project.belts[n // 2].id}", ()),
            WIND_EVENTS: lambda n, _: ("wind_meets", winds[n], ()),
            TRIGGER_EVENTS: lambda n, what: (TRIGGERS[what], triggered[n], ()),
            BAG_EVENTS: self._bag,
            SPOOL_EVENTS: lambda n, what: (SPOOLS[what], devices[n], ()),
            STRAP_EVENTS: lambda n, what: (STRAPS[what], harnesses[n], ()),
        }
        first = model.system.first
        self._count = int(first[ALL_EVENTS])
        self._sources = list(sources.values())
        self._firsts = [int(first[sort]) for sort in sources]

    def event(self, time: float, number: int, what: int) -> Event:
        """Give the event that a kernel has written down by its number."""
        if number == START_SPEEDS:
            return Event(time, "speeds_corrected")
        if not 0 <= number < self._count:
            raise IndexError(number)
        # of sorts without events, which begin where the next does, the last one has it
        sort = bisect_right(self._firsts, number) - 1
        kind, element, values = self._sources[sort](number - self._firsts[sort], what)
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
        yield from (_strap(name) for name, _, _ in devices_of(project))

    def _bag(self, number: int, what: int) -> tuple[str, str, tuple[float, ...]]:
        element, of_bag = self._bags[number]
        return BAGS[what], element, (float(of_bag - 2),) if what == VENT_OPENED else ()


def _strap(name: str) -> str:
    """Give the path of a strap from `harness.strap`."""
    harness, _, strap = name.partition(".")
    return f"harnesses/{harness}/{strap}"
