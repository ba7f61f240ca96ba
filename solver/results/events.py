"""Events of a run as data, and the one place of the solver that makes sentences of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

MOST_TOLD = 20
"""Events of one element that the log tells; the run's list of events has all of them."""

MOST_ELEMENTS = MOST_VALUES = 2
"""An event has at most this many elements and values."""


@dataclass(frozen=True, slots=True)
class Event:
    """Hold what happened when (s): its kind, the paths of its elements, the values of its kind.

    A path is `joints/neck`, or goes on to a part of the element: `joints/neck/spin`,
    `harnesses/belt/lap`.
    """

    time: float
    kind: str
    elements: tuple[str, ...] = ()
    values: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Kind:
    """Describe a kind of event: its sentence, and what its values are."""

    sentence: str
    """`{0}` and `{1}` stand for the elements, `{a}` and `{b}` for the values."""
    values: tuple[str, ...] = ()
    """Meaning and unit of each value."""


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
        "rolling_changes": Kind("{0} touches, or changes between rolling and sliding"),
        "contact_touches": Kind("{0} touches"),
        "contact_leaves": Kind("{0} is apart"),
        "contact_turns": Kind("{0} turns"),
        "belt_taut": Kind("{0} is taut"),
        "belt_slack": Kind("{0} is slack"),
        "belt_turns": Kind("{0} turns"),
        "wind_meets": Kind("a surface meets the wind {0}"),
        "trigger_passed": Kind("the trigger of {0} is passed"),
        "trigger_fires": Kind("the trigger of {0} fires after its delay"),
        "airbag_fires": Kind("airbag {0} fires"),
        "airbag_full": Kind("airbag {0} is full"),
        "airbag_vents": Kind("airbag {0} opens a vent for good", ("number of the vent, from 0",)),
        "retractor_senses": Kind("the retractor of {0} senses the crash"),
        "retractor_locks": Kind("the retractor of {0} locks"),
        "harness_gives_back": Kind("{0} gives back"),
        "harness_takes_again": Kind("{0} takes again"),
        "goes_too_deep": Kind("{0} goes deeper into {1} than it should"),
        "told": Kind("{0}"),
    }
)
"""All kinds. `told` has words in place of an element: what an older file says and nobody can read."""


def named(path: str) -> str:
    """Write an element, or a part of one, for a sentence."""
    words = path.split("/")
    if words[0] == "joints":
        joint = f"joint '{words[1]}'"
        if len(words) == 2:
            return joint
        axis = " axis" if words[2] in ("first", "second") else ""
        return f"the {words[2]}{axis} of {joint}"
    return f"'{'.'.join(words[1:])}'" if len(words) > 1 else path


def sentence(event: Event) -> str:
    """Say what happened; a kind of a later version is told by its name."""
    kind = KINDS.get(event.kind)
    names = [named(path) for path in event.elements]
    if kind is None:
        return " ".join([event.kind.replace("_", " "), *names])
    values = dict(zip("ab", event.values, strict=False))
    return kind.sentence.format(*names, **values)


def log_of(notes: Sequence[str], events: Sequence[Event]) -> tuple[str, ...]:
    """Give the lines of a log: notes, then events, of each element no more than can be read."""
    return (*notes, *_lines(events))


def _lines(events: Sequence[Event]) -> Iterator[str]:
    told = Counter[tuple[str, ...]]()
    for event in events:
        told[event.elements] += 1
        line = f"{1e3 * event.time:.6g} ms: {sentence(event)}"
        if told[event.elements] <= MOST_TOLD:
            yield line
        elif told[event.elements] == MOST_TOLD + 1:
            yield f"{line}; what follows stands in the list of events alone"


_ID = r"'(?P<id>[^']+)'"
_PATTERNS: tuple[tuple[str, str], ...] = tuple(
    (re.escape(kind.sentence).replace(r"\{0\}", "(?P<name>.+?)"), name)
    for name, kind in KINDS.items()
    if name not in ("told", "goes_too_deep")
)
_OLD = re.compile(r"\S+ ms: ")
_AXIS = re.compile(rf"(?:the (?P<part>\w+)(?: axis)? of )?joint {_ID}$")
_LISTS = {
    "airbag": "airbags", "belt": "belts", "contact": "contacts", "harness": "harnesses",
    "retractor": "harnesses", "rolling": "constraints", "wind": "winds", "trigger": "airbags",
}  # fmt: skip


def is_of_event(line: str) -> bool:
    """Tell whether a line of an older file's log tells an event, which there has a time before it."""
    return _OLD.match(line) is not None


def read_words(time: float, words: str, belts: Sequence[str] = ()) -> Iterator[Event]:
    """Give the events of a step of an older file, whose words were cut to 80 bytes.

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
    """Give the path of an element that older words name; None where they name another."""
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
