"""Say which quantities an element offers that was carried to a plot."""

from __future__ import annotations

from collections.abc import Mapping

from solver.results.quantities import QuantityInfo

_WHOLE = ("resultant", "")
"""Of the components of a column these say all."""
_BESIDE = {
    "airbags": ("airbag_contacts",),
    "constraints": ("point_contacts",),
    "coordinate_forces": ("actuators",),
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
