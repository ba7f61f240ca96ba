"""Show a road without edges: dark near what stands on it, and fading into the haze far away."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from app.scene.actors import poly_data, put
from app.scene.drawn import Drawn
from app.scene.paints import AMBIENT, DIFFUSE
from solver.engine.maths.rotation import Array
from solver.project.pose import Placed
from solver.scene.meshes import Mesh
from solver.scene.tones import STUFF_TONES, rgb

_RINGS, _AROUND = 14, 48
_FAR_M, _FURTHER = 60.0, 12.0
"""Where a road has faded away (m), or so many times as far as what stands on it reaches."""
_FADES = 1.6


def is_soft(item: Drawn) -> bool:
    """Tell whether a road is shown by this, and not as a slab: one without edges that is not selected."""
    made, marks = item.shape.furniture, item.marks
    return made is not None and made.is_endless and not (marks.selected or marks.faint)


class Road:
    """Hold the actor of the road; it is drawn before shadow and grid."""

    def __init__(self, renderer: Any) -> None:
        self._actor = vtkActor()
        self._actor.SetMapper(vtkPolyDataMapper())
        look = self._actor.GetProperty()
        look.SetAmbient(AMBIENT)
        look.SetDiffuse(DIFFUSE)
        look.BackfaceCullingOn()
        self._actor.ForceTranslucentOn()
        self._actor.PickableOff()
        self._actor.VisibilityOff()
        renderer.AddActor(self._actor)
        self._item: Drawn | None = None
        self._at: Placed | None = None

    def lay(self, items: Iterable[Drawn], middle: Array, reach: float) -> None:
        """Lay it below the middle of what stands on it."""
        made = ((item, item.shape.furniture) for item in items)
        self._item = next((one for one, road in made if road is not None and road.is_endless), None)
        self._at = None
        if self._item is None:
            return
        road, at = self._item.shape.furniture, self._item.at
        assert road is not None
        assert road.front is not None
        place = at.R_WS.T @ (middle - at.p_W)
        place = place - ((place - road.middle) @ road.front) * road.front
        put(self._actor, disc(place, road.front, max(_FAR_M, _FURTHER * reach)))

    def show(self, is_furnished: bool) -> None:
        """Show it where it is now, unless shapes are shown, or it is hidden or marked."""
        item = self._item
        seen = item is not None and is_furnished and item.is_drawn and is_soft(item)
        self._actor.SetVisibility(seen)
        if item is None or not seen or item.at is self._at:
            return
        self._at = item.at
        whole = np.eye(4)
        whole[:3, :3], whole[:3, 3] = item.at.R_WS, item.at.p_W
        matrix = vtkMatrix4x4()
        matrix.DeepCopy(whole.ravel().tolist())
        self._actor.SetUserMatrix(matrix)


def disc(middle: Array, front: Array, far: float) -> Any:
    """Make the data of a disc (m) that is whole in its middle and fades away to its edge."""
    one = np.cross(front, np.eye(3)[int(np.argmin(np.abs(front)))])
    one /= np.linalg.norm(one)
    other = np.cross(front, one)
    # rings stand closer where more is seen of them
    part = (np.arange(1, _RINGS + 1) / _RINGS) ** 2
    angle = 2.0 * np.pi * np.arange(_AROUND) / _AROUND
    rim = np.outer(np.cos(angle), one) + np.outer(np.sin(angle), other)
    points = np.vstack([middle, *(middle + far * p * rim for p in part)])
    k = np.arange(_AROUND)
    after = (k + 1) % _AROUND
    first = np.column_stack([np.zeros(_AROUND, int), 1 + k, 1 + after, 1 + after])
    faces = [first]
    for ring in range(_RINGS - 1):
        inner, outer = 1 + ring * _AROUND, 1 + (ring + 1) * _AROUND
        faces.append(np.column_stack([inner + k, outer + k, outer + after, inner + after]))
    normals = np.tile(front, (len(points), 1))
    data = poly_data(Mesh(points, np.vstack(faces), normals=normals), faces=True)
    colour = np.empty((len(points), 4), dtype=np.uint8)
    colour[:, :3] = np.round(255.0 * np.array(rgb(STUFF_TONES["road"])))
    left = (1.0 - np.concatenate([[0.0], np.repeat(part, _AROUND)])) ** _FADES
    colour[:, 3] = np.round(255.0 * left)
    data.GetPointData().SetScalars(numpy_to_vtk(colour, deep=True))
    return data
