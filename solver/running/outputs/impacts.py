"""What impulses did, as events: of each pair and stop that struck, and of the joints and segments that felt it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.forces.struck import (
    REVERSED,
    SLID,
    STRUCK_APPROACH,
    STRUCK_COLUMNS,
    STRUCK_IMPULSE,
    STRUCK_LEAVES,
    STRUCK_LOSS,
    STRUCK_MASS,
    STRUCK_NORMAL,
    STRUCK_ROUND,
    STRUCK_STATE,
    STUCK,
    Struck,
)
from solver.engine.forces.system import Work
from solver.model.compile import Model
from solver.project.joint_table import carrying
from solver.results.events import IN_JOINT, OF_PAIR, OF_STOP, ON_SEGMENT, Event

FELT = 1e-12
"""Part of the largest impulse below which a joint or a segment feels nothing."""

KIND_OF_STATE = {STUCK: OF_PAIR[0], SLID: OF_PAIR[1], REVERSED: OF_PAIR[2]}
"""Kinds of events by the state of a pair."""


class Blow(NamedTuple):
    """What was written down of one instant: pairs and stops, and the impulses on each body."""

    time: float
    number: IntArray
    row: Array
    on_body: Array


def blows_of(work: Work) -> tuple[Blow, ...]:
    """Copy what impulses did since the kernels began, those of one instant together."""
    told: Struck = work.impacts.told
    count = int(told.written[0])
    if not count:
        return ()
    time, rounds = told.time[:count], told.row[:count, STRUCK_ROUND].astype(int)
    out = []
    for when in dict.fromkeys(time.tolist()):
        of = np.flatnonzero(time == when)
        on_body = told.on_body[np.unique(rounds[of])].sum(axis=0)
        out.append(Blow(when, told.number[of].copy(), told.row[of].copy(), on_body))
    return tuple(out)


class ImpactEvents:
    """Make events of what impulses of one model did."""

    def __init__(self, model: Model) -> None:
        project, trees = model.project, model.trees
        self._stops = [path for _, path in model.events]
        self._pairs = [f"contacts/{one.id}" for one in project.contacts]
        # a joint acts on the last of its bodies, constraints on that of a segment
        self._joints = [
            (f"joints/{one.id}", trees.joints[one.id].bodies[-1])
            for one in carrying(project.joints)
        ]
        self._segments = [
            (f"segments/{one.id}", trees.body_of[one.id])
            for one in project.segments
            if one.id in trees.body_of
        ]

    def events(self, blows: Sequence[Blow]) -> list[Event]:
        """Give the events of instants."""
        return [event for blow in blows for event in self._of(blow)]

    def _of(self, blow: Blow) -> Iterator[Event]:
        for number, row in zip(blow.number.tolist(), blow.row.tolist(), strict=True):
            if number >= 0:
                kind, path = KIND_OF_STATE[int(row[STRUCK_STATE])], self._pairs[number]
                values = (*row[STRUCK_NORMAL:STRUCK_IMPULSE], *row[STRUCK_IMPULSE:STRUCK_COLUMNS])
            else:
                kind, path = OF_STOP, self._stops[-1 - number]
                values = tuple(
                    row[k]
                    for k in (
                        STRUCK_NORMAL,
                        STRUCK_LOSS,
                        STRUCK_MASS,
                        STRUCK_APPROACH,
                        STRUCK_LEAVES,
                    )
                )
            yield Event(blow.time, kind, (path,), values)
        yield from _felt(blow, IN_JOINT, self._joints, 0)
        yield from _felt(blow, ON_SEGMENT, self._segments, 6)


def _felt(blow: Blow, kind: str, places: Sequence[tuple[str, int]], at: int) -> Iterator[Event]:
    """Give the impulses of joints, or of constraints: force, then couple."""
    least = FELT * float(np.max(np.abs(blow.on_body), initial=0.0))
    for path, body in places:
        values = blow.on_body[body, at : at + 6]
        if np.max(np.abs(values)) > least:
            yield Event(blow.time, kind, (path,), (*values[3:].tolist(), *values[:3].tolist()))
