"""Impacts of a run: what its events tell of them, gathered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from solver.results.events import IN_JOINT, OF_PAIR, OF_STOP, ON_SEGMENT, Event

Triple = tuple[float, float, float]

NONE: Triple = (0.0, 0.0, 0.0)

STATES = dict(zip(OF_PAIR, ("sticks", "slides", "reverses"), strict=True)) | {OF_STOP: "stop"}
"""Words for what became of the sliding, by the kind of event; a stop has none."""


@dataclass(frozen=True, slots=True)
class Felt:
    """What a joint, or all constraints of a segment, took up at an instant: impulse (N s) and couple (N m s), ground axes."""

    impulse: Triple
    couple: Triple


@dataclass(frozen=True, slots=True)
class Impact:
    """One impulse of a contact, or of the stop of a joint.

    Of a stop impulses are about its axis (N m s), the mass is a moment of inertia (kg m2) and speeds are rates (rad/s).
    """

    time: float
    """When it struck (s)."""
    element: str
    """Path of the contact or the joint: `contacts/knee_dash`."""
    state: str
    """`sticks`, `slides` or `reverses`: whether sliding is left, or turned back; `stop` of a joint."""
    normal: float
    """Impulse along the normal (N s)."""
    across: float
    """Impulse along the surface (N s)."""
    loss: float
    """Energy lost (J)."""
    mass: float
    """Mass that both have against each other there, along the normal (kg)."""
    approach: float
    """Speed of approach (m/s)."""
    leaves: float
    """Speed of leaving (m/s)."""
    sliding: float = 0.0
    """Sliding before (m/s)."""
    slides: float = 0.0
    """Sliding after (m/s)."""
    impulse: Triple = NONE
    """Impulse on the first surface, ground axes (N s)."""
    place: Triple = NONE
    """Where it struck, ground axes (m)."""
    joints: Mapping[str, Felt] = field(default_factory=dict)
    """What joints took up at that instant, on their children, by path."""
    segments: Mapping[str, Felt] = field(default_factory=dict)
    """What constraints did to segments at that instant, by path."""


def impacts_of(events: Iterable[Event]) -> tuple[Impact, ...]:
    """Gather the impacts that events tell, in order of time."""
    felt: dict[str, dict[float, dict[str, Felt]]] = {IN_JOINT: {}, ON_SEGMENT: {}}
    told = [event for event in events if event.kind in STATES or event.kind in felt]
    for event in told:
        if event.kind in felt:
            of = felt[event.kind].setdefault(event.time, {})
            was = of.get(event.elements[0])
            now = event.values[:6]
            if was is not None:
                # an instant may have come in parts
                now = tuple(map(sum, zip((*was.impulse, *was.couple), now, strict=True)))
            of[event.elements[0]] = Felt((now[0], now[1], now[2]), (now[3], now[4], now[5]))
    return tuple(
        _impact(event, felt[IN_JOINT].get(event.time, {}), felt[ON_SEGMENT].get(event.time, {}))
        for event in told
        if event.kind in STATES
    )


def _impact(event: Event, joints: Mapping[str, Felt], segments: Mapping[str, Felt]) -> Impact:
    v, state = event.values, STATES[event.kind]
    if event.kind == OF_STOP:
        return Impact(
            event.time, event.elements[0], state, normal=v[0], across=0.0, loss=v[1], mass=v[2],
            approach=v[3], leaves=v[4], joints=joints, segments=segments,
        )  # fmt: skip
    return Impact(
        event.time, event.elements[0], state, normal=v[0], across=v[1], loss=v[2], mass=v[3],
        approach=v[4], leaves=v[5], sliding=v[6], slides=v[7], impulse=(v[8], v[9], v[10]), place=(v[11], v[12], v[13]), joints=joints, segments=segments,
    )  # fmt: skip


COLUMNS: tuple[tuple[str, str], ...] = (
    ("time", "s"), ("element", ""), ("state", ""), ("normal", "N s"), ("across", "N s"), ("loss", "J"), ("mass", "kg"),
    ("approach", "m/s"), ("leaves", "m/s"), ("sliding", "m/s"), ("slides", "m/s"),
    ("impulse_x", "N s"), ("impulse_y", "N s"), ("impulse_z", "N s"),
    ("couple_x", "N m s"), ("couple_y", "N m s"), ("couple_z", "N m s"), ("place_x", "m"), ("place_y", "m"), ("place_z", "m"),
)  # fmt: skip
"""Columns of a table of impacts, with their units; of stops impulses are about an axis."""


def rows_of_impacts(impacts: Sequence[Impact]) -> Iterator[tuple[float | str | None, ...]]:
    """Give impacts as rows of that table, those of an instant before what joints and constraints took up at it."""
    for n, one in enumerate(impacts):
        is_stop = one.state == STATES[OF_STOP]
        numbers = (
            one.normal,
            one.across,
            one.loss,
            one.mass,
            one.approach,
            one.leaves,
            one.sliding,
            one.slides,
        )
        place = (None,) * 9 if is_stop else (*one.impulse, None, None, None, *one.place)
        yield one.time, one.element, one.state, *numbers, *place
        if n + 1 == len(impacts) or impacts[n + 1].time != one.time:
            for state, of in (("joint", one.joints), ("constraints", one.segments)):
                for path, felt in of.items():
                    yield (
                        one.time,
                        path,
                        state,
                        *(None,) * 8,
                        *felt.impulse,
                        *felt.couple,
                        *(None,) * 3,
                    )
