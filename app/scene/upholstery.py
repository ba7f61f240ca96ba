"""Press into cushions what lies on them, where a scene stands now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from app.scene.drawn import Drawn
from solver.project import Project
from solver.project.contact import PlaneContact
from solver.project.pose import Placed
from solver.scene.furnishing import Furniture
from solver.scene.meshes import Mesh
from solver.scene.placing import Pose
from solver.scene.pressing import Bodies
from solver.scene.shapes import surfaces_of
from solver.scene.webbing import body_of

_BESIDE_M = 0.05
"""How far from a cushion a body may be that is still looked at, for its shade."""
_SAME_M = 2e-4
"""In motion a cushion is laid anew where a body, or the end of it, has moved by more than this: nobody sees less."""
_STILL = Placed(np.eye(3), np.zeros(3))


@dataclass(frozen=True, eq=False, slots=True)
class _Lain:
    """Hold where a cushion and what lies on it stood when it was laid last, and whether that was done roughly."""

    pose: Pose
    at: Placed
    near: NDArray[np.int64]
    bodies: Bodies
    is_rough: bool

    def is_like(self, near: NDArray[np.int64], bodies: Bodies, most: float) -> bool:
        """Tell whether the same bodies are at the same places, within so much (m)."""
        if not np.array_equal(near, self.near):
            return False
        turned = np.abs(bodies.turns - self.bodies.turns).max(axis=(1, 2), initial=0.0)
        ends = turned * bodies.axes.max(axis=1, initial=0.0)
        moved = np.abs(bodies.places - self.bodies.places).max(axis=1, initial=0.0)
        return bool(np.all(ends + moved <= most))


class Upholstery:
    """Hold which surfaces may press into which plane, and the cushions as they were drawn last."""

    def __init__(self) -> None:
        self._pressing: dict[str, NDArray[np.int64]] = {}
        self._segments: list[str] = []
        self._own, self._reaches = Bodies.of(()), np.zeros(0)
        self._lain: dict[Drawn, _Lain] = {}
        self.layings = 0
        """How many cushions have been laid so far."""

    def update(self, project: Project) -> None:
        """Take another version of the project."""
        surfaces = surfaces_of(project)
        self._lain.clear()
        number: dict[tuple[str, str], int] = {}
        pressing: dict[str, list[int]] = {}
        for contact in project.contacts:
            if isinstance(contact, PlaneContact):
                key = (contact.surface.segment, contact.surface.surface)
                if key in surfaces:
                    own = number.setdefault(key, len(number))
                    pressing.setdefault(f"planes/{contact.plane}", []).append(own)
        self._pressing = {plane: np.array(own) for plane, own in pressing.items()}
        self._segments = [segment for segment, _ in number]
        self._own = Bodies.of([body_of(surfaces[key], key[0], {key[0]: _STILL}) for key in number])
        self._reaches = self._own.reaches()

    def lay(self, items: Iterable[Drawn], pose: Pose, is_on: bool, *, quick: bool = False) -> None:
        """Dent the cushions among these items; bare planes stay as they are.

        With `quick`, those that must be laid anew have fewer points.
        """
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
            if bodies is None:
                bodies = self._placed(pose)
            assert furniture.at is not None
            at = item.at.R_WS @ furniture.at.R_WS
            there = Placed(at, item.at.R_WS @ furniture.at.p_W + item.at.p_W)
            near, close = self._near(item, furniture, bodies, there, pose)
            if before is not None and before.is_like(near, close, _SAME_M if quick else 0.0):
                continue
            self._lain[item] = _Lain(pose, item.at, near, close, quick)
            self.layings += 1
            item.dented = _dented(furniture, close, quick)

    def _placed(self, pose: Pose) -> Bodies:
        """Give all that may press into a cushion where it stands; what stands nowhere is left out later."""
        places = [pose.get(segment, _STILL) for segment in self._segments]
        turns = np.array([place.R_WS for place in places]).reshape(-1, 3, 3)
        return self._own.carried(turns, np.array([place.p_W for place in places]).reshape(-1, 3))

    def _near(
        self, item: Drawn, furniture: Furniture, bodies: Bodies, at: Placed, pose: Pose
    ) -> tuple[NDArray[np.int64], Bodies]:
        """Give which bodies are close to a cushion that stands at a place, and where they are in its axes."""
        assert furniture.cushion is not None
        own = self._pressing.get(item.shape.element, np.zeros(0, np.int64))
        own = own[[self._segments[n] in pose for n in own]] if len(own) else own
        away = (bodies.places[own] - at.p_W) @ at.R_WS
        reach = self._reaches[own] + _BESIDE_M
        long, across, _ = furniture.cushion.size
        close = (np.abs(away[:, 0]) < long + reach) & (np.abs(away[:, 1]) < across + reach)
        close &= away[:, 2] < reach
        return own[close], bodies.some(own[close]).seen_from(at)


def _dented(furniture: Furniture, bodies: Bodies, is_rough: bool) -> Mesh:
    """Give the mesh of a cushion, in its segment's axes, below bodies in its own."""
    made, own = furniture.cushion, furniture.at
    assert made is not None
    assert own is not None
    if not len(bodies):
        return _bare(furniture) if is_rough else furniture.mesh
    made = made.rough if is_rough else made
    return made.pressed(bodies).moved(own.R_WS, own.p_W)


@lru_cache(maxsize=128)
def _bare(furniture: Furniture) -> Mesh:
    """Give the mesh of a cushion with fewer points that nobody lies on."""
    assert furniture.cushion is not None
    assert furniture.at is not None
    return furniture.cushion.rough.mesh.moved(furniture.at.R_WS, furniture.at.p_W)
