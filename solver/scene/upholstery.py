"""Press into cushions what lies on them in a pose."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

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
_STILL = Placed(np.eye(3), np.zeros(3))


class Pressing:
    """Know which surfaces may press into which plane of a project."""

    def __init__(self, project: Project) -> None:
        surfaces = surfaces_of(project)
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

    def placed(self, pose: Pose) -> Bodies:
        """Give all that may press into a cushion where it stands; what stands nowhere is left out later."""
        places = [pose.get(segment, _STILL) for segment in self._segments]
        turns = np.array([place.R_WS for place in places]).reshape(-1, 3, 3)
        return self._own.carried(turns, np.array([place.p_W for place in places]).reshape(-1, 3))

    def near(
        self, element: str, furniture: Furniture, at: Placed, pose: Pose, bodies: Bodies
    ) -> tuple[NDArray[np.int64], Bodies]:
        """Give which of the placed bodies are close to a plane's cushion, and where they are in its axes.

        `at` is where the segment of the plane stands.
        """
        assert furniture.cushion is not None
        assert furniture.at is not None
        own_at = furniture.at
        at = Placed(at.R_WS @ own_at.R_WS, at.R_WS @ own_at.p_W + at.p_W)
        own = self._pressing.get(element, np.zeros(0, np.int64))
        own = own[[self._segments[n] in pose for n in own]] if len(own) else own
        away = (bodies.places[own] - at.p_W) @ at.R_WS
        reach = self._reaches[own] + _BESIDE_M
        long, across, _ = furniture.cushion.size
        close = (np.abs(away[:, 0]) < long + reach) & (np.abs(away[:, 1]) < across + reach)
        close &= away[:, 2] < reach
        return own[close], bodies.some(own[close]).seen_from(at)


def dented(furniture: Furniture, bodies: Bodies, *, is_rough: bool = False) -> Mesh:
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
