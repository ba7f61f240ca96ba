"""Lay what is soft again where things have moved: cloth of airbags, and cushions of seats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.scene.drawn import Drawn
from app.scene.form import Bags, Form, Laid
from solver.project import Project
from solver.project.pose import Placed
from solver.scene.cushions import Bodies
from solver.scene.fabric import FINE, ROUGH, Cloths
from solver.scene.instant import Pressing, dented
from solver.scene.placing import Pose, Stretched


class Fabric:
    """Lay the cloth of a project's bags over what presses into them."""

    def __init__(self) -> None:
        self._cloths = Cloths(Project.empty())
        self._laid: dict[str, tuple[Any, Any, bool]] = {}
        self.layings = 0
        """How many times cloth has been laid so far."""

    def update(self, project: Project) -> None:
        """Take another version of the project."""
        self._cloths = Cloths(project)
        self._laid.clear()

    def lay(
        self,
        items: Iterable[Drawn],
        pose: Pose,
        is_on: bool,
        *,
        quick: bool = False,
        laid: Laid | None = None,
    ) -> None:
        """Give each bag that a run has opened its cloth; the others are seen as they are in the model.

        With `quick`, cloth that must be laid again has fewer points, and is kept in `laid`.
        """
        for item in items:
            if item.shape.kind != "bag":
                continue
            element = item.shape.element
            if not is_on or not item.is_seen or not isinstance(item.at, Stretched):
                item.laid = None
                continue
            at, stood, is_rough = self._laid.get(element, (None, None, True))
            stays = at is item.at and stood is pose and (quick or not is_rough)
            if item.laid is None or not stays:
                self._laid[element] = (item.at, pose, quick)
                item.laid = self._cloth(element, item.at, pose, laid if quick else None, quick)

    def lay_ahead(self, items: Iterable[Drawn], pose: Pose, bags: Bags, laid: Laid) -> None:
        """Lay the cloth of another pose with few points, and keep it in `laid`."""
        for item in items:
            at = bags.get(item.shape.element) if item.shape.kind == "bag" else None
            if isinstance(at, Stretched):
                self._cloth(item.shape.element, at, pose, laid, True)

    def _cloth(
        self, element: str, at: Placed, pose: Pose, laid: Laid | None, is_rough: bool
    ) -> Form:
        laid = {} if laid is None else laid
        key = self._cloths, element
        if key not in laid:
            self.layings += 1
            laid[key] = Form(self._cloths.laid(element, at, pose, ROUGH if is_rough else FINE))
        made: Form = laid[key]
        return made


_SAME_M = 2e-4
"""In motion a cushion is laid again where a body, or the end of it, has moved by more than this: nobody sees less."""


@dataclass(frozen=True, eq=False, slots=True)
class _CushionState:
    """Where a cushion and what lies on it stood when it was laid last, and whether that was done roughly."""

    pose: Pose
    at: Placed
    near: NDArray[np.int64]
    bodies: Bodies
    is_rough: bool

    def is_like(self, near: NDArray[np.int64], bodies: Bodies, most: float) -> bool:
        """Whether the same bodies are at the same places, within so much (m)."""
        if not np.array_equal(near, self.near):
            return False
        turned = np.abs(bodies.turns - self.bodies.turns).max(axis=(1, 2), initial=0.0)
        ends = turned * bodies.axes.max(axis=1, initial=0.0)
        moved = np.abs(bodies.places - self.bodies.places).max(axis=1, initial=0.0)
        return bool(np.all(ends + moved <= most))


class CushionBuilder:
    """Which surfaces may press into which plane, and the cushions as they were drawn last."""

    def __init__(self) -> None:
        self._pressing = Pressing(Project.empty())
        self._lain: dict[Drawn, _CushionState] = {}
        self.layings = 0
        """How many cushions have been laid so far."""

    def update(self, project: Project) -> None:
        """Take another version of the project."""
        self._pressing = Pressing(project)
        self._lain.clear()

    def lay(
        self,
        items: Iterable[Drawn],
        pose: Pose,
        is_on: bool,
        *,
        quick: bool = False,
        laid: Laid | None = None,
    ) -> None:
        """Dent the cushions among these items; bare planes stay as they are.

        With `quick`, those that must be laid again have fewer points, and are kept in `laid`.
        """
        keeps = laid if quick else None
        bodies: Bodies | None = None
        for item in items:
            furniture = item.shape.furniture
            if furniture is None or furniture.cushion is None or not (is_on and item.is_seen):
                item.dented = None
                continue
            before = self._lain.get(item) if item.dented is not None else None
            if before is not None and before.is_rough and not quick:
                before = None
            if before is not None and before.pose is pose and before.at is item.at:
                continue
            key = self._pressing, item
            if keeps is not None and key in keeps:
                self._lain[item], item.dented = keeps[key]
                continue
            if bodies is None:
                bodies = self._pressing.placed(pose)
            near, close = self._pressing.near(item.shape.element, furniture, item.at, pose, bodies)
            if before is None or not before.is_like(near, close, _SAME_M if quick else 0.0):
                self._lain[item] = _CushionState(pose, item.at, near, close, quick)
                self.layings += 1
                item.dented = dented(furniture, close, is_rough=quick)
            if keeps is not None:
                keeps[key] = self._lain[item], item.dented

    def lay_ahead(self, items: Iterable[Drawn], pose: Pose, _: Bags, laid: Laid) -> None:
        """Dent cushions in another pose with few points, and keep them in `laid`."""
        bodies = self._pressing.placed(pose)
        for item in items:
            furniture, key = item.shape.furniture, (self._pressing, item)
            at = pose.get(item.shape.segment)
            if furniture is None or furniture.cushion is None or at is None or key in laid:
                continue
            near, close = self._pressing.near(item.shape.element, furniture, at, pose, bodies)
            self.layings += 1
            made = dented(furniture, close, is_rough=True)
            laid[key] = _CushionState(pose, at, near, close, True), made
