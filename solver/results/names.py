"""How quantities are called: `segments/head[0.1,0,0]/acceleration/x@vehicle:head`.

Group, element, column and component, with slashes between; a point of a segment in brackets (m, from
the mass centre along its axes); behind `@` the segment from which it is seen, and behind `:` the
segment along whose axes it is written. A dense channel has its own name alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from solver.base.words import msgid, tr
from solver.project import Project
from solver.project.belts import Strap
from solver.project.document import LISTS
from solver.project.joint_table import JOINTS, is_free, row_of
from solver.project.memo import memoised
from solver.project.names import called, distinct, in_full, name_of
from solver.results.formulas import is_formula, labelled
from solver.results.layout import FRAME_GROUPS, ResultsError, layout_label

XYZR = ("x", "y", "z", "resultant")
TURNS = ("yaw", "pitch", "roll")

_POINT = re.compile(r"\[([^\]]*)\]")


@dataclass(frozen=True, slots=True)
class Name:
    """A name in its parts; `plain` is what stands in the list of quantities."""

    plain: str
    point: tuple[float, float, float] | None = None
    seen_from: str = ""
    axes: str = ""

    def of(self, plain: str) -> Name:
        """Give the same point and frame for another plain name."""
        return replace(self, plain=plain)

    def __str__(self) -> str:
        text = self.plain
        if self.point is not None:
            group, element, rest = self.plain.split("/", 2)
            x, y, z = (f"{v:g}" for v in self.point)
            text = f"{group}/{element}[{x},{y},{z}]/{rest}"
        if self.seen_from:
            text += f"@{self.seen_from}" + (f":{self.axes}" if self.axes else "")
        return text


def read_name(text: str, frames: Collection[str]) -> Name:
    """Take a name or pattern apart; `frames` are the segments from which things can be seen."""
    rest, mark, frame = text.partition("@")
    seen_from = axes = ""
    if mark:
        seen_from, axes = _frames(text, frame, frames)
    plain, point = rest, None
    found = _POINT.search(rest)
    # a pattern such as h[ea]d has no commas
    if found and "," in found[1]:
        point = _point(text, found[1])
        plain = rest[: found.start()] + rest[found.end() :]
    return Name(plain, point, seen_from, axes)


def _frames(text: str, frame: str, frames: Collection[str]) -> tuple[str, str]:
    known = {"ground", *frames}
    if frame in known:
        return frame, ""
    for cut in (i for i, sign in enumerate(frame) if sign == ":"):
        if frame[:cut] in known and frame[cut + 1 :] in known:
            return frame[:cut], frame[cut + 1 :]
    raise ResultsError(
        "'{text}' is seen from '{frame}', which is no segment of these results.",
        text=text,
        frame=frame,
    )


def _point(text: str, inside: str) -> tuple[float, float, float]:
    try:
        x, y, z = (float(word) for word in inside.split(","))
    except ValueError:
        raise ResultsError(
            "The point of '{text}' must be three lengths in m: [x,y,z].", text=text
        ) from None
    return x, y, z


# Write names of quantities as people say them: 'Head · acceleration · resultant'; no ids, no numbers of axes.

APART = " · "
_LISTS = {
    "strap_points": "harnesses",
    "point_contacts": "constraints",
    "couplings": "constraints",
    "closures": "constraints",
    "curve_points": "constraints",
    "actuators": "coordinate_forces",
    "beam_stations": "beams",
    "modes": "modal_bodies",
    "modal_nodes": "modal_bodies",
}
"""Lists whose elements have more than one group of results."""
COMPONENTS = {
    *XYZR, "w", "1", "2", "3", "4", "flexure", "torsion", "contour",
    *(turn.name for row in JOINTS for turn in row.turns),
}  # fmt: skip
"""Parts of what has several."""
_ENDS = {
    ("belts", "1"): msgid("at anchor A"),
    ("belts", "2"): msgid("at anchor B"),
    ("harnesses", "1"): msgid("at its start"),
    ("harnesses", "2"): msgid("at its end"),
}
"""What the two values of a column of webbing are."""
_WEBBING = ("tension", "strain", "payout", "length")
_QUATERNION = dict(zip("1234", "wxyz", strict=True))


def quantity_label(project: Project, name: str) -> str:
    """Write a quantity's name as people say it: 'Head · acceleration · resultant'; a formula's by its title."""
    if is_formula(name):
        return labelled(name, lambda one: quantity_label(project, one))
    words = name.split("/")
    if len(words) == 1:
        return _recorded(project, name)
    group = words[0]
    has_ids = group in FRAME_GROUPS and FRAME_GROUPS[group].has_ids
    element = words[1] if has_ids and len(words) > 2 else ""
    if not element:
        return APART.join(layout_label(w) for w in words[1:])
    rest = [_seen_from(project, group, element, *words[2:4])]
    return APART.join([element_name(project, group, element), *rest])


def element_name(project: Project, group: str, element: str) -> str:
    """Name an element of a table of results, and what of it: 'Three-point belt, lap'."""
    if group == "airbag_contacts":
        return _bag_contact(project, element)
    whole, _, part = element.split("[")[0].partition(".")
    item = _find(project, _LISTS.get(group, group), whole)
    if item is None:
        return element
    name = in_full(project, _LISTS.get(group, group), item)
    if not part:
        return name
    if group in ("harnesses", "strap_points"):
        return f"{name}{_of_harness(project, item.straps, part)}"
    return ", ".join([name, *(_part_of(project, one) for one in part.split("."))])


def has_component(project: Project, group: str, element: str, column: str, component: str) -> bool:
    """Whether a column holds anything there: a hinge has one angle of the three that there is room for."""
    if group != "joints" or column not in ("angle", "rate", "slide"):
        return True
    joint = _find(project, "joints", element)
    if joint is None:
        return True
    row = row_of(joint)
    if column == "slide":
        return bool(row.slides)
    # once it is broken a joint turns every way
    return (
        row.acts == "ball"
        or is_free(joint)
        or joint.breakage is not None
        or int(component) <= len(row.turns)
    )


def _find(project: Project, list_name: str, id_: str) -> Any:
    return _items(project).get(f"{list_name}/{id_}")


@memoised
def _items(project: Project) -> dict[str, Any]:
    return {f"{name}/{item.id}": item for name in LISTS for item in getattr(project, name)}


def _seen_from(project: Project, group: str, element: str, column: str, word: str = "") -> str:
    """Write column and component; 'x@vehicle' is seen from a segment or an own frame, which has a name."""
    word, at, place = (word or column).partition("@")
    if "@" in column:
        column, component = word, ""
    else:
        component = word if word != column else ""
    words = column_name(project, group, element, column, component)
    if not at:
        return words
    list_name = "frames" if _find(project, "frames", place) is not None else "segments"
    item = _find(project, list_name, place.split(":")[0])
    return f"{words} @ {place if item is None else called(project, item)}"


def column_name(project: Project, group: str, element: str, column: str, component: str) -> str:
    """Write a column with its component: 'angle · pitch', 'tension at anchor A'."""
    what = layout_label(column)
    if not component:
        return what
    if group == "joints" and column in ("angle", "rate"):
        name = _axis_of(project, element, column, int(component))
        return what if name == column else f"{what}{APART}{layout_label(name)}"
    if (group, component) in _ENDS:
        return f"{what} {tr(_ENDS[group, component])}"
    return f"{what}{APART}{layout_label(component)}"


def _axis_of(project: Project, element: str, column: str, number: int) -> str:
    """Name one of a joint's angles or rates: those of a ball are yaw, pitch and roll, and x, y and z."""
    joint = _find(project, "joints", element)
    row = None if joint is None else row_of(joint)
    if row is None or row.acts in ("ball", "nothing"):
        return (
            ("x", "y", "z")[number - 1]
            if column == "rate"
            else ("yaw", "pitch", "roll")[number - 1]
        )
    return column if len(row.turns) == 1 else row.turns[min(number, len(row.turns)) - 1].name


def _of_harness(project: Project, straps: tuple[Strap, ...], part: str) -> str:
    """Say which strap, where there are several, and which of its points: ', lap, point 2 on Pelvis'."""
    id_, _, number = part.partition(".")
    strap = next((one for one in straps if one.id == id_), None)
    out = f", {layout_label(id_)}" if len(straps) > 1 else ""
    if strap is None or not number.isdecimal():
        return out
    point = strap.points[int(number)] if int(number) < len(strap.points) else None
    words = tr("point {n}", n=int(number) + 1)
    surface = getattr(point, "surface", None)
    segment = getattr(point, "segment", "") or getattr(surface, "segment", "")
    item = _find(project, "segments", segment)
    if item is not None:
        words = tr(
            "point {n} on {segment}", n=int(number) + 1, segment=in_full(project, "segments", item)
        )
    return f"{out}, {words}"


def _part_of(project: Project, id_: str) -> str:
    """Name a part of an element: a segment by its name, anything else by what it is called there."""
    item = _find(project, "segments", id_)
    return layout_label(id_) if item is None else in_full(project, "segments", item)


def _bag_contact(project: Project, element: str) -> str:
    """Name what an airbag does to a segment: 'Driver airbag on Head'."""
    bag, segment, *surface = element.split(".")
    one, other = distinct(project, "airbags", bag), distinct(project, "segments", segment)
    found = getattr(_find(project, "segments", segment), "surfaces", ())
    names = {one.id: name_of(one) for one in found}
    return " ".join(
        [
            tr("{bag} on {segment}", bag=one, segment=other),
            *(f"› {names.get(s, s)}" for s in surface),
        ]
    )


def _recorded(project: Project, name: str) -> str:
    """Name a recorded channel after its output: 'Head acceleration · x'."""
    output = output_of(project, name)
    if output is not None:
        rest = name[len(output.id) :].strip("_")
        return APART.join(filter(None, (in_full(project, "outputs", output), _rest(output, rest))))
    place, _, rest = name.partition(".")
    if not rest:
        return layout_label(name)
    what, axis = rest.rsplit("_", 1) if "_" in rest else (rest, "")
    for joint in sorted(project.joints, key=lambda one: -len(one.id)):
        if what.endswith(f"_at_{joint.id}"):
            what = what.removesuffix(f"_at_{joint.id}")
            what = tr(
                "{what} at {joint}",
                what=layout_label(what),
                joint=in_full(project, "joints", joint),
            )
            break
    else:
        what = layout_label(what)
    found = (list_name for list_name in ("segments", "joints") if _find(project, list_name, place))
    first = next((distinct(project, list_name, place) for list_name in found), place)
    return APART.join(
        word for word in (first, what, layout_label(axis) if axis != what else "") if word
    )


def output_of(project: Project, name: str) -> Any:
    """The output that a recorded channel is of; None for what bodies record by themselves."""
    for output in _outputs(project):
        if name == output.id or name.startswith(f"{output.id}_"):
            return output
    return None


@memoised
def _outputs(project: Project) -> tuple[Any, ...]:
    """The outputs, those with longer ids first: one id may begin as another one is."""
    return tuple(sorted(project.outputs, key=lambda output: -len(output.id)))


def _rest(output: Any, rest: str) -> str:
    """Say what a channel of an output holds: 'semi axes y', 'tension at its end'."""
    what, _, axis = rest.rpartition("_")
    if not (what and axis in COMPONENTS):
        return layout_label(rest)
    strap, _, column = what.rpartition("_")
    group = getattr(output, "of", "")
    if (group, axis) in _ENDS and column in _WEBBING:
        words = f"{layout_label(column)} {tr(_ENDS[group, axis])}"
        return f"{layout_label(strap)} {words}" if strap and strap != "belt" else words
    if column == "wxyz":
        axis = _QUATERNION.get(axis, axis)
    return f"{layout_label(what)} {layout_label(axis)}"
