"""Press into cushions what lies on them, where a scene stands now."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from app.scene.drawn import Drawn
from app.scene.furnishing import Furniture
from app.scene.meshes import Mesh
from app.scene.placing import Pose
from app.scene.shapes import surfaces_of
from app.scene.webbing import Body, Surfaces, body_of
from solver.maths.rotation import Array
from solver.project import Project
from solver.project.contact import PlaneContact
from solver.project.pose import Placed

_BESIDE_M = 0.05
"""How far from a cushion a body may be that is still looked at, for its shade."""


class Upholstery:
    """Hold which surfaces may press into which plane, and the cushions as they were drawn last."""

    def __init__(self) -> None:
        self._pressing: dict[str, list[tuple[str, str]]] = {}
        self._surfaces: Surfaces = {}
        self._lain: dict[Drawn, list[Placed]] = {}

    def update(self, project: Project) -> None:
        """Take another version of the project."""
        self._surfaces = surfaces_of(project)
        self._lain.clear()
        self._pressing = {}
        for contact in project.contacts:
            if isinstance(contact, PlaneContact):
                key = (contact.surface.segment, contact.surface.surface)
                if key in self._surfaces:
                    self._pressing.setdefault(f"planes/{contact.plane}", []).append(key)

    def lay(self, items: Iterable[Drawn], pose: Pose, is_on: bool) -> None:
        """Dent the cushions among these items; bare planes stay as they are."""
        bodies: dict[tuple[str, str], Body] = {}
        for item in items:
            furniture = item.shape.furniture
            if furniture is None or furniture.cushion is None or not (is_on and item.is_seen):
                item.dented = None
                continue
            keys = [key for key in self._pressing.get(item.shape.element, []) if key[0] in pose]
            places = [item.at, *(pose[segment] for segment, _ in keys)]
            before = self._lain.get(item)
            if (
                item.dented is not None
                and before is not None
                and len(before) == len(places)
                and all(a is b for a, b in zip(before, places, strict=True))
            ):
                continue
            self._lain[item] = places
            for key in keys:
                if key not in bodies:
                    bodies[key] = body_of(self._surfaces[key], key[0], pose)
            item.dented = _dented(furniture, item.at, [bodies[key] for key in keys])


def _dented(furniture: Furniture, at: Placed, bodies: Iterable[Body]) -> Mesh:
    """Give the mesh of a cushion, in its segment's axes, below bodies in the ground's."""
    made, own = furniture.cushion, furniture.at
    assert made is not None
    assert own is not None
    R, middle = at.R_WS @ own.R_WS, at.R_WS @ own.p_W + at.p_W
    size = np.abs(made.points).max(axis=0)
    near = []
    for body in bodies:
        one = _in_axes(body, R, middle)
        reach = _reach(one) + _BESIDE_M
        if np.all(np.abs(one.p_W[:2]) < size[:2] + reach[:2]) and one.p_W[2] < reach[2]:
            near.append(one)
    return made.pressed(near).moved(own.R_WS, own.p_W) if near else furniture.mesh


def _reach(body: Body) -> Array:
    """Give how far a body goes along each axis, at most."""
    if np.all(body.powers == 2.0):
        return np.asarray(np.sqrt(np.square(body.R_WE) @ np.square(body.axes)))
    box: Array = np.abs(body.R_WE) @ body.axes
    return box


def _in_axes(body: Body, R: Array, middle: Array) -> Body:
    """Give a body in other axes, which stand at a place in the ground."""
    return Body(R.T @ body.R_WE, R.T @ (body.p_W - middle), body.axes, body.powers)
