"""Settle a project, and put what its start feels like beside what it felt like before; no Qt."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from app.editing.trees import bodies
from app.elements import spoken
from solver.analysis.equilibrium import Health, Settlement, health, settle
from solver.base.words import msgid, tr
from solver.project import Project

_HEALTH: dict[str, str] = {
    "segments": msgid("Acceleration of mass centres"),
    "contacts": msgid("Pressed in by contacts"),
    "belts": msgid("Tension of belts"),
    "stops": msgid("Beyond the stops of joints"),
}
_LESS_THAN = "< {finest:g} {unit}"

_FINEST = 0.001
"""What is less, in the units shown, is no figure any more."""
_MOST = 12
"""Rows of one group; the largest come first."""


@dataclass(frozen=True, slots=True)
class Row:
    """Hold one line of the comparison."""

    what: str
    before: str
    after: str


def look(project: Project) -> Health:
    """Say how well a project starts."""
    return health(project)


def settled(
    project: Project,
    webbing: Literal["slack", "length"],
    in_plane: bool,
    lock: bool,
    cancel: Callable[[], bool] | None = None,
) -> Settlement:
    """Let all bodies that stand free come to rest, unless `cancel` says that nobody waits for it."""
    hold = [f"{root}.{way}" for root in bodies(project) for way in ("y", "roll", "yaw")]
    return settle(
        project,
        hold=hold if in_plane else (),
        webbing=webbing,
        lock=["all"] if lock else (),
        cancel=cancel,
    )


def compared(
    project: Project, before: Health | None, after: Health | None
) -> list[tuple[str, list[Row]]]:
    """Give groups of lines: accelerations, touches, tensions, stops."""

    def of(health: Health | None, name: str, key: str, value: str) -> dict[str, float]:
        items: Iterable[object] = () if health is None else getattr(health, name)
        return {getattr(item, key): getattr(item, value) for item in items}

    def told(amount: float, unit: str) -> str:
        if 0.0 < abs(amount) < _FINEST:
            return _LESS_THAN.format(finest=_FINEST, unit=unit)
        return f"{amount:.3g} {unit}"

    def rows(name: str, key: str, value: str, list_name: str, scale: float, unit: str) -> list[Row]:
        old, new = of(before, name, key, value), of(after, name, key, value)
        names = sorted({*old, *new}, key=lambda n: -max(abs(old.get(n, 0.0)), abs(new.get(n, 0.0))))
        out = []
        for one in names[:_MOST]:
            title = spoken(project, f"{list_name}/{one}") if list_name else one
            cells = ["", ""]
            for k, (known, values) in enumerate(((before, old), (after, new))):
                if known is not None:
                    cells[k] = told(scale * values[one], unit) if one in values else "–"
            out.append(Row(title, *cells))
        return out

    groups = [
        ("segments", rows("segments", "segment", "acceleration_g", "segments", 1.0, "g")),
        ("contacts", rows("contacts", "contact", "penetration_m", "contacts", 1e3, "mm")),
        ("belts", rows("belts", "belt", "tension_n", "belts", 1.0, "N")),
        ("stops", rows("stops", "joint", "beyond_rad", "joints", 180.0 / math.pi, "°")),
    ]  # fmt: skip
    return [(tr(_HEALTH[name]), found) for name, found in groups if found]
