"""Where quantities stand in a list for people — person, part, quantity — and which ones a few words mean; no Qt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app import texts
from app.elements import find
from solver.base.words import msgid, tr
from solver.editing.persons import people
from solver.project import Project
from solver.project.memo import memoised
from solver.project.references import keys_in
from solver.results.layout import layout_label
from solver.results.names import (
    APART,
    column_name,
    element_name,
    has_component,
    output_of,
    quantity_label,
)
from solver.results.quantities import QuantityInfo

GROUPS: dict[str, str] = {
    "channels": msgid("Recorded channels"),
    "integrator": msgid("Solver"),
    "energy": msgid("Energy"),
    "strap_points": msgid("Points of straps"),
    "airbag_contacts": msgid("Airbags on segments"),
    "point_contacts": msgid("Point contacts"),
    "couplings": msgid("Couplings of axes"),
    "closures": msgid("Closures of loops"),
    "curve_points": msgid("Points on curves"),
    "actuators": msgid("Actuators"),
    "flexible_elements": msgid("Members of flexible elements"),
    "beam_stations": msgid("Sections of beams"),
    "modes": msgid("Modes of modal bodies"),
    "modal_nodes": msgid("Nodes of modal bodies"),
}
RECORDED = msgid("recorded: {quantity}")
_ALSO: Mapping[str, tuple[str, ...]] = {
    "chest": ("upper torso", "thorax", "sternum"),
    "pelvis": ("lower torso",),
    "bag": ("airbag",),
    "abdomen": ("centre torso",),
    "thigh": ("upper leg",),
    "neck": ("disc", "condyles"),
    "shin": ("lower leg",),
    "speed": ("velocity",),
    "moment": ("torque",),
    "tension": ("force",),
    "compression": ("force",),
    "shear": ("force",),
    "deflection": ("slide",),
    "depth": ("penetration",),
    "g": ("acceleration",),
}
"""What people call otherwise than the program does."""
_LEAST = 4
"""Shorter words are not looked for inside others: 'hic' is no vehicle."""
_WHOLE, _START, _INSIDE, _OTHERWISE = 4.0, 3.0, 1.0, 2.0
"""What a typed word that is a word, begins one, stands inside one, or is another name of one counts for."""
_BETTER = {"channels": 1.5, "segments": 1.0, "belts": 1.0, "harnesses": 1.0, "airbags": 1.0, "joints": 0.8, "contacts": -1.5}  # fmt: skip
_RECENT, _PART, _LENGTH = 3.0, 0.6, 0.02
_OWNED = (
    "contacts",
    "belts",
    "harnesses",
    "coordinate_forces",
    "loads",
    "springs",
    "tension_elements",
    "constraints",
    "drivers",
)
"""Lists whose elements are a person's where they are at one of its segments or joints."""
_ROWS_OF = {
    "strap_points": "harnesses",
    "point_contacts": "constraints",
    "couplings": "constraints",
    "closures": "constraints",
    "curve_points": "constraints",
    "actuators": "coordinate_forces",
    "signals": "coordinate_forces",
    "beam_stations": "beams",
    "modes": "modal_bodies",
    "modal_nodes": "modal_bodies",
}
MOST = 200
"""So many quantities are listed at most while one searches."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One quantity of the list: its branches from the top down, its own words, and all of it in a line."""

    name: str
    branches: tuple[str, ...]
    words: str
    whole: str
    info: QuantityInfo
    is_part: bool
    """Whether it is one component of a vector, which says less than the whole."""
    owned: bool = False
    """Whether its first branch is a person."""

    @property
    def about(self) -> str:
        """Say what it is, and its unit."""
        info = self.info
        meaning = RECORDED if info.group == "channels" else info.meaning
        means = tr(meaning, quantity=layout_label(info.column)) if meaning else ""
        return f"{means} ({info.unit})" if means else info.unit

    @property
    def line(self) -> str:
        """Write it where it stands among others: 'Driver · Head · acceleration · x'."""
        owner = self.branches[:1] if self.owned else ()
        return APART.join((*owner, self.whole))

    @property
    def is_recorded(self) -> bool:
        """Whether the run recorded it as a channel, rather than that it follows from its frames."""
        return self.info.group == "channels"


@dataclass(frozen=True, slots=True)
class QuantityGroup:
    """The quantities of one element, or one recorded one, and where they stand; they are worded when they are seen."""

    project: Project
    branches: tuple[str, ...]
    named: str
    """What its quantities are of; a recorded one is named as a whole."""
    infos: tuple[QuantityInfo, ...]
    owned: bool

    def entries(self) -> list[Entry]:
        """Word its quantities, those left out for which there is room alone."""
        return [self.entry(info) for info in self.infos if self._holds(info)]

    def entry(self, info: QuantityInfo) -> Entry:
        """Word one of them."""
        if info.group == "channels":
            words, whole = self.named.partition(APART)[2] or self.named, self.named
        elif info.element:
            words = column_name(self.project, info.group, info.element, info.column, info.component)
            whole = f"{self.named}{APART}{words}"
        else:
            words = whole = quantity_label(self.project, info.name)
        is_part = words.rpartition(APART)[2].rpartition(" ")[2] in "wxyz"
        return Entry(info.name, self.branches, words, whole, info, is_part, self.owned)

    def _holds(self, info: QuantityInfo) -> bool:
        return has_component(self.project, info.group, info.element, info.column, info.component)


def shelves(project: Project, infos: Mapping[str, QuantityInfo]) -> list[QuantityGroup]:
    """Sort quantities by what they are of: what is a person's first, then what belongs to nobody."""
    owners, kinds = _owners(project), dict[str, str]()
    of: dict[tuple[str, str], list[QuantityInfo]] = {}
    for info in infos.values():
        one = info.name if info.group == "channels" else info.element
        of.setdefault((info.group, one), []).append(info)
    found = []
    for (group, element), members in of.items():
        if group not in kinds:
            kinds[group] = _kind(group)
        owner = owners.get(_path(project, members[0]), "")
        if group == "channels":
            named = quantity_label(project, element)
            part = named.partition(APART)[0] if APART in named else ""
        else:
            named = part = element_name(project, group, element) if element else ""
        is_segment = bool(owner) and group == "segments"
        branches = (owner, "" if is_segment else kinds[group], part)
        found.append(
            QuantityGroup(
                project, tuple(filter(None, branches)), named, tuple(members), bool(owner)
            )
        )
    names = {one.name: n for n, one in enumerate(people(project))}
    return sorted(found, key=lambda shelf: names.get(shelf.branches[0], len(names)))


def entries(project: Project, infos: Mapping[str, QuantityInfo]) -> list[Entry]:
    """List the quantities that hold something, in the order of their shelves."""
    return [entry for shelf in shelves(project, infos) for entry in shelf.entries()]


def ranked(found: Iterable[Entry], text: str, recent: Iterable[str] = ()) -> list[Entry]:
    """The quantities that fit all typed words, the best first; those used lately count for more."""
    typed = text.casefold().split()
    lately = set(recent)
    scored = [
        (score + (_RECENT if entry.name in lately else 0.0), entry)
        for entry in found
        if (score := _score(entry, typed)) > 0.0
    ]
    scored.sort(key=lambda pair: -pair[0])
    return [entry for _, entry in scored[:MOST]]


def _score(entry: Entry, typed: list[str]) -> float:
    """Say how well a quantity fits; 0 where a word does not."""
    text = f"{' '.join(entry.branches)} {entry.whole}".casefold().replace("·", " ")
    words = set(text.replace(",", " ").split())
    total = 0.0
    for word in typed:
        if word in words:
            total += _WHOLE
        elif any(one.startswith(word) for one in words):
            total += _START
        elif any(other in text for other in _otherwise(word)):
            total += _OTHERWISE
        elif word in text and len(word) >= _LEAST:
            total += _INSIDE
        else:
            return 0.0
    total += _BETTER.get(entry.info.group, 0.0) - (_PART if entry.is_part else 0.0)
    return total - _LENGTH * len(entry.whole)


def _otherwise(word: str) -> list[str]:
    """What the program calls a typed word, or the beginning of one."""
    return [
        other
        for name, others in _ALSO.items()
        if name == word or (len(word) >= _LEAST and name.startswith(word))
        for other in others
    ]


def _kind(group: str) -> str:
    words = tr(GROUPS[group]) if group in GROUPS else tr(texts.elements.MANY.get(group, group)).capitalize()  # fmt: skip
    return words.replace("_", " ")


def _path(project: Project, info: QuantityInfo) -> str:
    """The element that a quantity is of; of a recorded one that of its output or sensor."""
    if info.group != "channels":
        list_name = _ROWS_OF.get(info.group, info.group)
        if info.group == "airbag_contacts":
            return f"segments/{info.element.split('.')[1]}"
        return f"{list_name}/{info.element.split('.')[0]}"
    output = output_of(project, info.name)
    if output is None:
        place = info.name.partition(".")[0]
        is_segment = find(project, f"segments/{place}") is not None
        return f"{'segments' if is_segment else 'joints'}/{place}"
    for field, list_name in (("segment", "segments"), ("joint", "joints")):
        if getattr(output, field, None):
            return f"{list_name}/{getattr(output, field)}"
    return f"{getattr(output, 'of', '')}/{getattr(output, 'element', '')}"


@memoised
def _owners(project: Project) -> dict[str, str]:
    """Say whose each element is, by the name of the person: segments, joints, contacts and belts."""
    out: dict[str, str] = {}
    of: dict[str, str] = {}
    for one in people(project):
        of |= dict.fromkeys(one.segments, one.name)
    out |= {f"segments/{segment}": name for segment, name in of.items()}
    for joint in project.joints:
        if joint.child in of:
            out[f"joints/{joint.id}"] = of[joint.child]
    for list_name in _OWNED:
        for item in getattr(project, list_name):
            mine = [
                of[key[1]]
                for key in keys_in(item)
                if key[0] in ("segments", "surfaces") and key[1] in of
            ]
            mine += [out[path] for key in keys_in(item) if (path := "/".join(key)) in out]
            if mine:
                out[f"{list_name}/{item.id}"] = mine[0]
    return out
