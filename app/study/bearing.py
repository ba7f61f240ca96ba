"""Tell what discs bear, which lines bear nothing, and which drivers do nothing, at the frames of a run."""

from __future__ import annotations

import numpy as np

from app.study.motion import Motion
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.coordinate_forces import (
    CoordinateForce,
    HillMuscle,
    Muscle,
)
from solver.project.coordinates import (
    DistanceCoordinate,
)
from solver.project.links import Disc, LinearSpring, TabulatedSpring
from solver.project.pose import turn

FREE = 0
"""State of a driver, in results, that leaves its coordinate free."""


class Bearing:
    """Read the loads of discs, springs, strings and lines of muscles, and what drivers do, in a run, finished or growing."""

    def __init__(self, project: Project, motion: Motion) -> None:
        self._motion = motion
        self._discs = [spring for spring in project.springs if isinstance(spring, Disc)]
        self._lines = {
            "springs": [s.id for s in project.springs if _may_be_slack(s)],
            "tension_elements": [t.id for t in project.tension_elements],
            "coordinate_forces": [f.id for f in project.coordinate_forces if _may_be_slack(f)],
        }
        self._drivers = {
            "drivers": [one.id for one in project.drivers],
            "frame_drivers": [one.id for one in project.frame_drivers],
        }
        self._axial: dict[str, Array] = {}
        self._slack: dict[str, tuple[list[str], Array]] = {}

    def refresh(self) -> None:
        """Look again at a run that has grown."""
        self._axial.clear()
        self._slack.clear()

    def axial(self, disc: str, frame: int) -> float | None:
        """Give the load along a disc (N), without its sign; None where the run does not tell."""
        loads = self._loads().get(disc)
        return None if loads is None or frame >= len(loads) else float(loads[frame])

    def highest(self) -> float:
        """Give the highest load along any disc so far (N); 0 without discs."""
        return max(
            (float(loads.max()) for loads in self._loads().values() if loads.size), default=0.0
        )

    def slack(self, frame: int) -> frozenset[str]:
        """Name the elements that could pull and bear nothing at a frame."""
        found: set[str] = set()
        for group, ids in self._lines.items():
            if not ids:
                continue
            if group not in self._slack:
                self._slack[group] = self._without_load(group, ids)
            names, bare = self._slack[group]
            if frame < len(bare):
                found.update(f"{group}/{names[n]}" for n in np.flatnonzero(bare[frame]))
        return frozenset(found)

    def idle(self, frame: int) -> frozenset[str]:
        """Name the drivers that leave free, at a frame, what they drive at other times."""
        found: set[str] = set()
        for group, ids in self._drivers.items():
            if not ids:
                continue
            table = self._motion.loads.table(group)
            states = table["state"]
            if frame < len(states):
                free = {table.ids[n] for n in np.flatnonzero(states[frame] == FREE)}
                found.update(f"{group}/{id_}" for id_ in ids if id_ in free)
        return frozenset(found)

    def _without_load(self, group: str, ids: list[str]) -> tuple[list[str], Array]:
        table = self._motion.loads.table(group)
        names = [name for name in ids if name in table.ids]
        load = table["tension" if group == "tension_elements" else "force"]
        load = load[:, [table.ids.index(name) for name in names]]
        return names, ~np.any(load.reshape(*load.shape[:2], -1), axis=2)

    def _loads(self) -> dict[str, Array]:
        if self._discs and not self._axial:
            table = self._motion.loads.table("springs")
            force = table["force"]
            for disc in self._discs:
                if disc.id not in table.ids or disc.a.segment not in self._motion.names:
                    continue
                turns = self._motion.turns(disc.a.segment)
                count = min(len(turns), len(force))
                axis = turns[:count] @ turn(disc.a.frame.orientation)[:, 2]
                along = np.einsum("fk,fk->f", force[:count, table.ids.index(disc.id)], axis)
                self._axial[disc.id] = np.abs(along)
        return self._axial


def _may_be_slack(item: object) -> bool:
    match item:
        case LinearSpring() | TabulatedSpring():
            return item.tension_only
        case CoordinateForce():
            pulls = any(isinstance(law, Muscle | HillMuscle) for law in item.laws)
            return isinstance(item.coordinate, DistanceCoordinate) and (
                item.side != "both" or pulls
            )
        case _:
            return False
