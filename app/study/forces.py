"""Gather the forces of a run at an instant: of contacts, of webbing on what it touches, of airbags."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.scene.key import ForceKind
from app.study.motion import Motion
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.scene.placing import Pose
from solver.scene.shapes import surfaces_of
from solver.scene.webbing import belt_line


@dataclass(frozen=True, slots=True)
class Acting:
    """Hold forces (n, 3) N at points (n, 3) m, ground axes, each with its element."""

    elements: tuple[str, ...]
    points: Array
    forces: Array


_NONE = Acting((), np.zeros((0, 3)), np.zeros((0, 3)))


class Forces:
    """Read the forces of a run, finished or growing."""

    def __init__(self, project: Project, motion: Motion) -> None:
        self._project, self._motion = project, motion
        self._surfaces = surfaces_of(project)

    def kinds(self) -> tuple[ForceKind, ...]:
        """Name the kinds of forces that the model can have."""
        project = self._project
        found: list[ForceKind] = ["contacts"] if project.contacts else []
        if project.belts or project.harnesses:
            found.append("webbing")
        if project.airbags:
            found.append("airbags")
        return tuple(found)

    def at(self, kind: ForceKind, t: float, pose: Pose) -> Acting:
        """Give the forces of a kind at an instant (s) at which everything stands as in `pose`."""
        motion = self._motion
        if not len(motion.time):
            return _NONE
        i, w = motion.between(t)
        span = (i, min(i + 1, len(motion.time) - 1), w)
        if kind == "contacts":
            contacts = motion.loads.contacts
            if not contacts:
                return _NONE
            return Acting(
                tuple(f"contacts/{c}" for c in contacts), *motion.loads.at_contacts(*span)
            )
        parts = self._webbing(span, pose) if kind == "webbing" else self._bags(span, t)
        return _joined(list(parts))

    def _webbing(self, span: tuple[int, int, float], pose: Pose) -> Iterator[Acting]:
        """Give the forces on everything that webbing pulls or presses: anchors, rings, bodies."""
        straps = self._motion.loads.table("strap_points")
        if straps.ids:
            elements = tuple(f"harnesses/{name.rsplit('.', 2)[0]}" for name in straps.ids)
            yield Acting(elements, _mean(straps["position"], span), _mean(straps["force"], span))
        belts = self._motion.loads.table("belts")
        for row, id_ in enumerate(belts.ids):
            belt = next(belt for belt in self._project.belts if belt.id == id_)
            line = belt_line(belt, self._surfaces, pose)
            if line is None:
                continue
            ends, touched = line[[0, -1]], line[[1, -2]]
            along = touched - ends
            size = np.linalg.norm(along, axis=1, keepdims=True)
            tension = _mean(belts["tension"], span)[row][:, None]
            pull = tension * along / np.maximum(size, 1e-12)
            places, forces = np.vstack([ends, touched]), np.vstack([pull, -pull])
            yield Acting((f"belts/{id_}",) * 4, places, forces)

    def _bags(self, span: tuple[int, int, float], t: float) -> Iterator[Acting]:
        """Give the forces of bags on what they touch; of older results their sums alone."""
        loads = self._motion.loads
        touches: Any = loads.table("airbag_contacts")
        if touches.ids:
            elements = tuple(f"airbags/{name.split('.', 1)[0]}" for name in touches.ids)
            yield Acting(elements, *loads.at_contacts(*span, group="airbag_contacts"))
            return
        bags: Any = loads.table("airbags")
        for row, id_ in enumerate(bags.ids):
            found = self._motion.bag(id_, t)
            if found is None:
                continue
            placed, semi_axes = found
            force = _mean(bags["force"], span)[row]
            own = semi_axes * (placed.R_WS.T @ force)
            size = float(np.linalg.norm(own))
            out = placed.R_WS @ (semi_axes * own) / size if size > 0.0 else np.zeros(3)
            yield Acting((f"airbags/{id_}",), (placed.p_W + out)[None], force[None])


def _mean(values: Any, span: tuple[int, int, float]) -> Array:
    """Give the values between two frames, part of the way."""
    i, j, w = span
    mean: Array = (1.0 - w) * np.asarray(values[i]) + w * np.asarray(values[j])
    return mean


def _joined(parts: list[Acting]) -> Acting:
    if not parts:
        return _NONE
    return Acting(
        tuple(name for part in parts for name in part.elements),
        np.vstack([part.points for part in parts]),
        np.vstack([part.forces for part in parts]),
    )
