"""Find what happened when: first touches, bags that fire, devices that lock, injury windows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from app import texts
from app.elements import spoken
from solver.project import Project
from solver.results.trajectory import Trajectory

Kind = Literal["touch", "bag", "belt", "injury", "end"]

_BAG = re.compile(r"airbag '(?P<id>.+?)' (?P<what>fires|is full)")
_SPOOL = re.compile(r"the retractor of '(?P<id>.+?)' locks")
_LEADING = re.compile(r"HIC(15|36)?$")
"""Of all injury figures the timeline shows the windows of these alone."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Hold an instant (s), or a span of time, with its words and its element's path."""

    time: float
    words: str
    kind: Kind
    element: str = ""
    until: float | None = None
    short: str = ""
    """What has room below a line, where it differs: 'belt locks' for a belt with a long name."""


def marks(project: Project, trajectory: Trajectory) -> list[Mark]:
    """List what a timeline should show, in order of time."""
    found = [*_touches(project, trajectory), *_devices(project, trajectory)]
    windows = [v for v in trajectory.injury.values() if v.t2 > v.t1 and _LEADING.search(v.name)]
    limited = [value for value in windows if value.name[-1].isdigit()]
    # where HIC of limited windows is known, that of any window says nothing more
    for value in limited or windows:
        found.append(Mark(value.t1, value.name, "injury", until=value.t2))
    return sorted(found, key=lambda mark: mark.time)


def _touches(project: Project, trajectory: Trajectory) -> list[Mark]:
    """Give the first touch of each pair that is apart at the start."""
    table = trajectory.table("contacts")
    if not table.ids or not len(table["penetration"]):
        return []
    time, touching = trajectory.time, table["penetration"] > 0.0
    first = touching.argmax(axis=0)
    out = []
    for n, id_ in enumerate(table.ids):
        row = int(first[n])
        if row > 0 and touching[row, n]:
            element = f"contacts/{id_}"
            out.append(Mark(float(time[row]), spoken(project, element), "touch", element))
    return out


def _devices(project: Project, trajectory: Trajectory) -> list[Mark]:
    """Give what airbags and retractors did, from the words of the integrator's events."""
    steps = trajectory.steps()
    events = np.asarray(steps["event"])
    out, seen = [], set[str]()
    for row in np.flatnonzero(np.asarray([bool(event) for event in events])):
        text = events[row].decode() if isinstance(events[row], bytes) else str(events[row])
        time = float(steps["time"][row])
        for match in _BAG.finditer(text):
            element = f"airbags/{match['id']}"
            name = spoken(project, element)
            words, short = (
                texts.study.BAG_MARKS[match["what"]].format(name=one)
                for one in (name, _briefly(texts.study.BAG, name, project.airbags))
            )
            if words not in seen:
                seen.add(words)
                out.append(Mark(time, words, "bag", element, short=short))
        for match in _SPOOL.finditer(text):
            harness = match["id"].split(".", 1)[0]
            name = spoken(project, f"harnesses/{harness}")
            words, short = (
                texts.study.BELT_LOCKS.format(name=one)
                for one in (name, _briefly(texts.study.BELT, name, project.harnesses))
            )
            if words not in seen:
                seen.add(words)
                out.append(Mark(time, words, "belt", f"harnesses/{harness}", short=short))
    return out


def _briefly(kind: str, name: str, all_of_kind: Sequence[object]) -> str:
    """Call the only one of its kind by the kind, others by their names."""
    return kind if len(all_of_kind) == 1 else name
