"""Say what a curve shows and fetch its values, in the units that people read."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace

import numpy as np

from app.elements import called, find, name_of, spoken
from solver.maths.rotation import Array
from solver.project import Project
from solver.project.joint_table import JOINTS
from solver.results import ResultsError
from solver.results.layout import FRAME_GROUPS, said
from solver.results.quantities import Quantities
from solver.results.quantity_names import XYZR
from solver.signals.errors import SignalError
from solver.units import convert, display_unit
from solver.words import tr

_LISTS = {
    "strap_points": "harnesses",
    "point_contacts": "constraints",
    "actuators": "coordinate_forces",
}
"""Lists whose elements have more than one group of results."""

COMPONENTS = {
    *XYZR, "w", "1", "2", "3", "4", "flexure", "torsion", "contour",
    *(turn.name for row in JOINTS for turn in row.turns),
}  # fmt: skip
"""Parts of what has several."""
CLASSES = (0, 60, 180, 600, 1000)
"""Filter classes that people choose from; 0 is none."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Name a quantity to draw; `cfc` None filters a channel by its own class, 0 not at all."""

    name: str
    cfc: int | None = None

    def filtered(self, cfc: int | None) -> Wanted:
        """Give the same quantity with another filter."""
        return replace(self, cfc=cfc)


@dataclass(frozen=True, slots=True)
class Curve:
    """Hold a curve ready to draw: time in ms, values in the unit that is shown."""

    wanted: Wanted
    label: str
    unit: str
    time_ms: Array
    value: Array
    quantity: str = ""
    """What is measured, in a word or two: 'tension'."""

    def at(self, t: float) -> float:
        """Give the value at an instant (s)."""
        if not len(self.time_ms):
            return float("nan")
        return float(np.interp(1e3 * t, self.time_ms, self.value))

    def over(self, across: Curve) -> tuple[Array, Array]:
        """Give values across and up at the times of the finer of the two."""
        t = self.time_ms if len(self.time_ms) >= len(across.time_ms) else across.time_ms
        return (
            np.interp(t, across.time_ms, across.value),
            np.interp(t, self.time_ms, self.value),
        )

    def peak(self) -> tuple[float, float]:
        """Give the value farthest from zero, and when (ms)."""
        if not len(self.value):
            return float("nan"), float("nan")
        n = int(np.nanargmax(np.abs(self.value)))
        return float(self.value[n]), float(self.time_ms[n])


def curve(project: Project, quantities: Quantities, wanted: Wanted, system: str) -> Curve:
    """Fetch a curve; ResultsError says why there is none."""
    channel = quantities(wanted.name)
    try:
        channel = channel.filtered(wanted.cfc)
    except SignalError as refusal:
        if wanted.cfc is not None:
            raise ResultsError(str(refusal)) from None
    unit = display_unit(channel.unit, system)
    values = np.asarray(convert(np.asarray(channel.value, float), channel.unit, unit))
    label = spoken_name(project, wanted.name)
    if channel.cfc:
        label += " " + tr("(CFC {cfc})", cfc=channel.cfc)
    time_ms = 1e3 * np.asarray(channel.time)
    return Curve(wanted, label, unit, time_ms, values, said(channel.quantity))


def spoken_name(project: Project, name: str) -> str:
    """Write a quantity's name as people say it: 'Head · acceleration · resultant'."""
    words = name.split("/")
    if len(words) == 1:
        return _recorded(project, name)
    group = words[0]
    has_ids = group in FRAME_GROUPS and FRAME_GROUPS[group].has_ids
    element = words[1] if has_ids and len(words) > 2 else ""
    if not element:
        return " · ".join(said(w) for w in words[1:])
    if group == "airbag_contacts":
        first = _bag_contact(project, element)
    else:
        first = _element(project, group, element.split("[")[0])
    rest = (_segment_after_at(project, w) for w in words[2:])
    return " · ".join([first, *rest])


def _element(project: Project, group: str, id_: str) -> str:
    """Name an element of a table of results, and what of it: 'Three-point belt, lap'."""
    list_name = _LISTS.get(group, group)
    whole, _, part = id_.partition(".")
    item = find(project, f"{list_name}/{whole}")
    if item is None:
        return id_
    if not part:
        return called(project, item)
    return ", ".join([called(project, item), *(said(one) for one in part.split("."))])


def _segment_after_at(project: Project, word: str) -> str:
    """Write the last words of a quantity; 'x@vehicle' is seen from a segment or an own frame, which has a name."""
    word, at, seen_from = word.partition("@")
    is_frame = any(one.id == seen_from for one in project.frames)
    list_ = "frames" if is_frame else "segments"
    return f"{said(word)} @ {spoken(project, f'{list_}/{seen_from}')}" if at else said(word)


def _bag_contact(project: Project, element: str) -> str:
    """Name what an airbag does to a segment: 'Driver airbag on Head'."""
    bag, segment, *surface = element.split(".")
    one, other = (spoken(project, path) for path in (f"airbags/{bag}", f"segments/{segment}"))
    return " ".join([tr("{bag} on {segment}", bag=one, segment=other), *surface])


def _recorded(project: Project, name: str) -> str:
    """Name a recorded channel after its output: 'Head acceleration · x'."""
    for output in sorted(project.outputs, key=lambda o: -len(o.id)):
        if name == output.id or name.startswith(f"{output.id}_"):
            rest = name[len(output.id) :].strip("_")
            return " · ".join(filter(None, (name_of(output), _part(rest))))
    place, _, rest = name.partition(".")
    segment = find(project, f"segments/{place}")
    if not rest:
        return said(name)
    what, axis = rest.rsplit("_", 1) if "_" in rest else (rest, "")
    for joint in sorted(project.joints, key=lambda one: -len(one.id)):
        if what.endswith(f"_at_{joint.id}"):
            what = what.removesuffix(f"_at_{joint.id}")
            what = tr("{what} at {joint}", what=said(what), joint=name_of(joint))
            break
    else:
        what = said(what)
    first = name_of(segment) if segment is not None else place
    return " · ".join(word for word in (first, what, said(axis)) if word)


def _part(name: str) -> str:
    """Say what a channel of an output holds: 'semi axes y'."""
    what, _, axis = name.rpartition("_")
    return f"{said(what)} {said(axis)}" if what and axis in COMPONENTS else said(name)


def measured(text: str, names: Container[str]) -> list[str]:
    """Give the channels that an injury figure names: the resultant of 'head_x, _y, _z' if recorded."""
    first, *ends = text.split(", ")
    stem = first[: -len(ends[0])] if ends else first
    resultant = f"{stem}_resultant"
    if ends and resultant in names:
        return [resultant]
    return [name for name in (first, *(stem + end for end in ends)) if name in names]
