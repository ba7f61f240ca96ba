"""Which quantities are offered: by an element, and beside the fields of a form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.elements import element_label
from solver.base.words import msgid, tr
from solver.project import Project
from solver.results.names import APART, column_name, element_name, has_component, quantity_label
from solver.results.quantities import QuantityInfo

_WHOLE = ("resultant", "")
"""Of the components of a column these say all."""
_BESIDE = {
    "airbags": ("airbag_contacts",),
    "constraints": ("point_contacts", "couplings", "closures", "curve_points"),
    "coordinate_forces": ("actuators", "signals"),
    "beams": ("beam_stations",),
}
"""Groups that a list has beside that of its name."""
_LEFT_OUT = ("quaternion_wxyz", "state")
"""Columns that nobody draws first."""


def offers(infos: Mapping[str, QuantityInfo], path: str) -> list[str]:
    """List the quantities of an element: of vectors the resultant, of a strap or touch each one."""
    group, _, id_ = path.partition("/")
    groups = {group, *_BESIDE.get(group, ())}
    if group == "outputs":
        return [n for n, i in infos.items() if i.group == "channels" and _is_part(n, id_, "_")]
    mine = [
        info
        for info in infos.values()
        if info.group in groups
        and info.column not in _LEFT_OUT
        and _is_part(info.element, id_, ".")
    ]
    whole = {(i.group, i.element, i.column) for i in mine if i.component in _WHOLE}
    return [
        info.name
        for info in mine
        if info.component in _WHOLE or (info.group, info.element, info.column) not in whole
    ]


def _is_part(name: str, id_: str, joint: str) -> bool:
    return name == id_ or name.startswith(id_ + joint)


_ORDER = (
    "position", "velocity", "acceleration", "angle", "angular_velocity", "tension", "payout", "pressure", "volume",
    "temperature", "force", "torque", "penetration", "slide", "way", "rate", "length", "normal", "friction", "gap", "power", "value", "stress", "bending", "end_deflection", "middle_deflection", "axial", "torsion",
)  # fmt: skip
"""Columns in the order in which people read them; others are in the list of quantities alone."""
_SAID = {
    ("segments", "velocity"): msgid("speed"),
    ("segments", "angular_velocity"): msgid("rate of turn"),
    ("contacts", "penetration"): msgid("depth"),
    ("airbags", "pressure"): msgid("pressure, gauge"),
}
"""What a whole vector, or a column, is called where it stands alone."""
_WHOLE_VECTORS = {(group, "position"): ("x", "y", "z") for group in ("segments", "airbags")}
"""Vectors whose size says nothing: their components stand in one row."""
_NOT_IN_FORMS = {("joints", "rate"), ("coordinate_forces", "angular_rate")}
_EITHER_OR = ("drivers", "frame_drivers", "coordinate_forces", "actuators", "loads")
"""Groups whose rows have columns for turns and for ways, of which one alone is used."""
MOST = 12
"""So many rows stand there at most."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One row: what it is called, and the quantities whose values stand in it."""

    words: str
    names: tuple[str, ...]
    may_be_unused: bool = False
    """Whether it is left out where it is zero throughout."""


def readings(project: Project, infos: Mapping[str, QuantityInfo], path: str) -> list[Reading]:
    """The rows of an element, those read first on top; none where results hold nothing of it."""
    if path.startswith("outputs/"):
        return [Reading(quantity_label(project, name), (name,)) for name in offers(infos, path)][
            :MOST
        ]
    rows: dict[tuple[str, str, str, str], list[QuantityInfo]] = {}
    for name in offers(infos, path):
        info = infos[name]
        if (
            info.column in _ORDER
            and (info.group, info.column) not in _NOT_IN_FORMS
            and _holds(project, info)
        ):
            # both ends of webbing are apart: each has its own course
            end = info.component if info.group in ("belts", "harnesses") else ""
            rows.setdefault((info.group, info.element, info.column, end), []).append(info)
    ranks = {column: n for n, column in enumerate(_ORDER)}
    own = element_label(project, path)
    ordered = sorted(
        rows.items(), key=lambda row: (row[0][0] != path.partition("/")[0], ranks[row[0][2]])
    )
    return [_reading(project, infos, *key[:3], found, own) for key, found in ordered][:MOST]


def _holds(project: Project, info: QuantityInfo) -> bool:
    return has_component(project, info.group, info.element, info.column, info.component)


def _reading(
    project: Project,
    infos: Mapping[str, QuantityInfo],
    group: str,
    element: str,
    column: str,
    found: list[QuantityInfo],
    own: str,
) -> Reading:
    names = tuple(info.name for info in found)
    axes = _WHOLE_VECTORS.get((group, column))
    if axes is not None:
        wanted = tuple(f"{group}/{element}/{column}/{part}" for part in axes)
        names = wanted if all(name in infos for name in wanted) else names
    known = _SAID.get((group, column))
    alone = found[0] if len(found) == 1 else None
    component = alone.component if alone is not None and alone.component != "resultant" else ""
    words = tr(known) if known else column_name(project, group, element, column, component)
    if len(names) > 1:
        each = (column_name(project, group, element, column, infos[n].component) for n in names)
        parts = [one.rpartition(APART)[2] for one in each]
        # angles have names that say what they are
        words = ", ".join(parts) if column == "angle" else f"{words} {', '.join(parts)}"
    of = element_name(project, group, element).removeprefix(own).strip(", ")
    return Reading(f"{of}{APART}{words}" if of else words, names, group in _EITHER_OR)
