"""Events of a run as data, and the one place of the solver that makes sentences of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from solver.base.words import Note, Sentence, joined, tr

MOST_TOLD = 20
"""Events of one element that the log tells; the run's list of events has all of them."""

MOST_ELEMENTS, MOST_VALUES, FIRST_VALUES = 2, 14, 2
"""An event has at most this many elements and values; the first values stand in a column of their own in files."""

OF_PAIR = ("impact_sticks", "impact_slides", "impact_reverses")
"""Kinds of an impulse of two surfaces: no sliding is left, some is left, it is turned around."""

OF_STOP, IN_JOINT, ON_SEGMENT = "impact_of_stop", "impact_in_joint", "impact_on_segment"
"""Kinds of an impulse of a stop, and of what joints and constraints felt of all of an instant."""

QUIET = frozenset({IN_JOINT, ON_SEGMENT})
"""Kinds that no log tells: there may be one for each joint at each impact."""


@dataclass(frozen=True, slots=True)
class Event:
    """What happened when (s): its kind, the paths of its elements, the values of its kind.

    A path is `joints/neck`, or goes on to a part of the element: `joints/neck/spin`,
    `harnesses/belt/lap`.
    """

    time: float
    kind: str
    elements: tuple[str, ...] = ()
    values: tuple[float, ...] = ()

    def __deepcopy__(self, _: object) -> Event:
        # nothing of it changes
        return self


LACKING = ("impulses_wait", "impulses_frictionless", "impulses_endless", "impulses_missing")
"""Kinds by which impulses are not all that they should be, the worst last."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Describe a kind of event: its sentence, and what its values are."""

    sentence: str
    """`{0}` and `{1}` stand for the elements, `{a}` to `{d}` for the first values."""
    values: tuple[str, ...] = ()
    """Meaning and unit of each value."""


_IMPACT = (
    "impulse along the normal (N s)", "impulse along the surface (N s)", "energy lost (J)",
    "mass that both have against each other there (kg)", "speed of approach (m/s)", "speed of leaving (m/s)",
    "sliding before (m/s)", "sliding after (m/s)", "impulse on the first, x (N s)", "y (N s)", "z (N s)",
    "place, ground axes, x (m)", "y (m)", "z (m)",
)  # fmt: skip

_FELT = (
    "impulse, ground axes, x (N s)",
    "y (N s)",
    "z (N s)",
    "about x (N m s)",
    "about y (N m s)",
    "about z (N m s)",
)

KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "speeds_corrected": Kind(
            "constraints correct the speeds at the start; what that takes is in 'impulses'"
        ),
        "joint_opens": Kind("{0} opens"),
        "joint_held": Kind("{0} is held again"),
        "joint_released": Kind("{0} is released"),
        "joint_at_stop": Kind("{0} strikes its stop"),
        "joint_at_contour": Kind("{0} strikes its contour"),
        "joint_breaks": Kind("{0} breaks"),
        "joint_parts": Kind("{0} has come apart"),
        "joint_heals": Kind("{0} closes again"),
        "constraint_breaks": Kind("{0} breaks"),
        "constraint_parts": Kind("{0} has come apart"),
        "constraint_heals": Kind("{0} closes again"),
        "edge_holds": Kind("the edges of {0} hold each other"),
        "edge_slides": Kind("the edges of {0} slide"),
        "rolling_changes": Kind("{0} touches, or changes between rolling and sliding"),
        "rolling_lets_go": Kind("{0} lets go: from now on it would have to pull"),
        "contact_touches": Kind("{0} touches"),
        "contact_leaves": Kind("{0} is apart"),
        "contact_turns": Kind("{0} turns"),
        "belt_taut": Kind("{0} is taut"),
        "belt_slack": Kind("{0} is slack"),
        "belt_turns": Kind("{0} turns"),
        "stop_reached": Kind("{0} reaches its stop"),
        "stop_left": Kind("{0} leaves its stop"),
        "stop_turns": Kind("{0} turns"),
        "hinge_gives_in": Kind("{0} gives in"),
        "hinge_holds": Kind("{0} holds again"),
        "driver_begins": Kind("the driver {0} begins"),
        "driver_strikes": Kind(
            "the driver {0} begins with an impulse: its coordinate had another rate"
        ),
        "driver_begins_elsewhere": Kind(
            "the driver {0} begins away from where its pulse says, and counts from where it stands"
        ),
        "driver_strikes_elsewhere": Kind(
            "the driver {0} begins with an impulse, its coordinate had another rate, and counts from where it "
            "stands, which is not where its pulse says"
        ),
        "driver_lets_go": Kind("the driver {0} lets go"),
        "driver_holds": Kind("the driver {0} holds from now on"),
        "wind_meets": Kind("a surface meets the wind {0}"),
        "trigger_passed": Kind("the trigger of {0} is passed"),
        "trigger_fires": Kind("the trigger of {0} fires after its delay"),
        "airbag_fires": Kind("airbag {0} fires"),
        "airbag_full": Kind("airbag {0} is full"),
        "airbag_vents": Kind("airbag {0} opens a vent for good", ("number of the vent, from 0",)),
        "airbag_side_changes": Kind(
            "airbag {0} presses on another side of what has gone deep into it: its force jumps"
        ),
        "retractor_senses": Kind("the retractor of {0} senses the crash"),
        "retractor_locks": Kind("the retractor of {0} locks"),
        "harness_gives_back": Kind("{0} gives back"),
        "harness_takes_again": Kind("{0} takes again"),
        "goes_too_deep": Kind("{0} goes deeper into {1} than it should"),
        "lap_belt_pulls_up": Kind("{0} pulls {1} up, as seen from it: submarining"),
        "lap_belt_over_crest": Kind("{0} goes over the upper edge of {1}: submarining"),
        "lap_belt_slips_down": Kind("{0} slips down below the front of {1}"),
        "lap_belt_leaves": Kind("{0} leaves {1} under load: submarining"),
        "lap_belt_in_belly": Kind("{0} presses into the belly above {1}"),
        "lap_belt_snaps": Kind("{0} snaps off {1} under load"),
        "impact_sticks": Kind(
            "{0} strikes and sticks: {a:.4g} N s, {b:.4g} N s along the surface, {c:.4g} J lost, {d:.4g} kg",
            _IMPACT,
        ),
        "impact_slides": Kind(
            "{0} strikes and slides: {a:.4g} N s, {b:.4g} N s along the surface, {c:.4g} J lost, {d:.4g} kg",
            _IMPACT,
        ),
        "impact_reverses": Kind(
            "{0} strikes and slides back: {a:.4g} N s, {b:.4g} N s along the surface, {c:.4g} J lost, {d:.4g} kg",
            _IMPACT,
        ),
        OF_STOP: Kind(
            "{0} is thrown back by its stop: {a:.4g} N m s, {b:.4g} J lost, {c:.4g} kg m2",
            (
                "impulse about the axis (N m s)",
                "energy lost (J)",
                "moment of inertia about the axis (kg m2)",
                "rate of approach (rad/s)",
                "rate of leaving (rad/s)",
            ),
        ),
        IN_JOINT: Kind("{0} takes up impulses of an impact, on the child in its point", _FELT),
        ON_SEGMENT: Kind(
            "constraints of {0} take up impulses of an impact, on its joint's point", _FELT
        ),
        "impulses_wait": Kind(
            "where {0} strikes, more strike at once than take their impulses together; "
            "some follow by their place in the list"
        ),
        "impulses_frictionless": Kind(
            "where {0} strikes, stick and slip are not found; "
            "the impulses of that round act along the normals, without friction"
        ),
        "impulses_endless": Kind(
            "where {0} strikes, rounds of impulses come to no end; the laws take what is left"
        ),
        "impulses_missing": Kind(
            "where {0} strikes, no impulses are found; the laws go on without them"
        ),
        "told": Kind("{0}"),
    }
)
"""All kinds. `told` has words in place of an element: what an older file says and nobody can read."""


def named(path: str) -> Sentence:
    """Write an element, or a part of one, for a sentence."""
    words = path.split("/")
    if words[0] == "joints":
        joint = Sentence("joint '{joint}'", joint=words[1])
        if len(words) == 2:
            return joint
        if words[2] in ("first", "second"):
            return Sentence("the {which} axis of {joint}", which=Sentence(words[2]), joint=joint)
        return Sentence("the {motion} of {joint}", motion=Sentence(words[2]), joint=joint)
    if len(words) == 1:
        return Sentence("{path}", path=path)
    return Sentence("'{element}'", element=".".join(words[1:]))


def event_sentence(event: Event) -> Sentence:
    """Say what happened; a kind of a later version is told by its name."""
    kind = KINDS.get(event.kind)
    names = [named(path) for path in event.elements]
    if kind is None:
        return joined(" ", [Sentence(event.kind.replace("_", " ")), *names])
    values: dict[str, object] = {str(n): name for n, name in enumerate(names)}
    return Sentence(kind.sentence, **values, **dict(zip("abcd", event.values, strict=False)))


def sentence(event: Event) -> str:
    """Say what happened, in the language of the reader."""
    return str(event_sentence(event))


def log_of(notes: Sequence[Note], events: Sequence[Event]) -> tuple[str, ...]:
    """The lines of a log: notes, then events, of each element no more than can be read."""
    return (*map(str, notes), *_lines(events))


def _lines(events: Sequence[Event]) -> Iterator[str]:
    often = Counter[tuple[str, ...]]()
    for event in events:
        if event.kind in QUIET:
            continue
        often[event.elements] += 1
        line = tr("{time:.6g} ms: {event}", time=1e3 * event.time, event=sentence(event))
        if often[event.elements] <= MOST_TOLD:
            yield line
        elif often[event.elements] == MOST_TOLD + 1:
            yield tr("{line}; what follows stands in the list of events alone", line=line)


def lacks(events: Iterable[Event]) -> tuple[Sentence, ...]:
    """Say what impulses lacked, of each element once: when first, and how often."""
    lacking = [event for event in events if event.kind in LACKING]
    often = Counter((event.kind, event.elements) for event in lacking)
    latest = {(event.kind, event.elements): event for event in reversed(lacking)}
    lines = [
        Sentence(
            "{event} (first at {time:.6g} ms, in all {count})",
            event=event_sentence(event),
            time=1e3 * event.time,
            count=often[key],
        )
        for key, event in sorted(latest.items(), key=lambda item: item[1].time)
    ]
    left = len(lines) - MOST_TOLD
    more = [Sentence("{count} more such are in the list of events", count=left)] if left > 0 else []
    return (*lines[:MOST_TOLD], *more)


_ID = r"'(?P<id>[^']+)'"
_PATTERNS: tuple[tuple[str, str], ...] = tuple(
    (re.escape(kind.sentence).replace(r"\{0\}", "(?P<name>.+?)"), name)
    for name, kind in KINDS.items()
    if name not in ("told", "goes_too_deep", *LACKING)
    and not name.startswith(("constraint_", "edge_", "lap_belt_"))
)
_OLD = re.compile(r"\S+ ms: ")
_AXIS = re.compile(rf"(?:the (?P<part>\w+)(?: axis)? of )?joint {_ID}$")
_LISTS = {
    "airbag": "airbags", "belt": "belts", "contact": "contacts", "harness": "harnesses",
    "retractor": "harnesses", "rolling": "constraints", "wind": "winds", "trigger": "airbags",
}  # fmt: skip


def is_of_event(line: str) -> bool:
    """Whether a line of an older file's log tells an event, which there has a time before it."""
    return _OLD.match(line) is not None


def read_words(time: float, words: str, belts: Sequence[str] = ()) -> Iterator[Event]:
    """The events of a step of an older file, whose words were cut to 80 bytes.

    `belts` names the simple belts, whose words are like those of contacts.
    """
    for part in words.split("; "):
        if part.startswith("what that takes"):
            continue
        yield _read(time, part, belts)


def _read(time: float, words: str, belts: Sequence[str]) -> Event:
    if words.startswith("constraints correct the speeds"):
        return Event(time, "speeds_corrected")
    for pattern, kind in _PATTERNS:
        match = re.fullmatch(pattern, words)
        path = _path(kind, match["name"]) if match else None
        if path is None:
            continue
        if kind == "contact_turns" and path.removeprefix("contacts/") in belts:
            return Event(time, "belt_turns", (path.replace("contacts/", "belts/", 1),))
        return Event(time, kind, (path,))
    return Event(time, "told", (words,))


def _path(kind: str, name: str) -> str | None:
    """The path of an element that older words name; None where they name another."""
    joint = _AXIS.match(name)
    if kind.startswith("joint_"):
        if joint is None:
            return None
        return f"joints/{joint['id']}" + (f"/{joint['part']}" if joint["part"] else "")
    found = re.fullmatch(_ID, name)
    if found is None:
        return None
    id_ = found["id"]
    if "." in id_:
        return f"harnesses/{id_.replace('.', '/', 1)}"
    return f"{_LISTS[kind.split('_')[0]]}/{id_}"
