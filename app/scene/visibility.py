"""What people have hidden, made see-through or cut open in the scene."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from solver.engine.maths.rotation import Array
from solver.scene.instant import Looks

_BODIES = ("body", "vehicle")


@dataclass
class Visibility:
    """Hold hidden and faint elements, and the section: its axis (-1 for none) and its place (m)."""

    hidden: set[str] = field(default_factory=set)
    faint: set[str] = field(default_factory=set)
    faint_bodies: bool = False
    full_bags: bool = False
    """Whether airbags are seen full in the model; a selected one always is."""
    people: Looks = "skin"
    surroundings: bool = True
    """Whether what a picture adds around people is seen."""
    axis: int = -1
    at_m: float = 0.0
    towards: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    """Direction to the eye when the section was laid: what is nearer to the eye is cut away."""

    @property
    def is_furnished(self) -> bool:
        """Whether planes and rims are seen as what they stand for."""
        return self.people != "shapes"

    def is_faint(self, element: str, kind: str) -> bool:
        """Whether an element is seen through."""
        return element in self.faint or (self.faint_bodies and kind in _BODIES)

    def kept(self) -> Visibility:
        """Give it as it is now, whatever people hide later."""
        return replace(self, hidden=set(self.hidden), faint=set(self.faint))

    def plane(self) -> Any:
        """Give VTK's plane of the section; None where nothing is cut."""
        if self.axis < 0:
            return None
        from vtkmodules.vtkCommonDataModel import vtkPlane

        normal = np.eye(3)[self.axis]
        if normal @ self.towards > 0.0:
            normal = -normal
        plane = vtkPlane()
        plane.SetOrigin(*(self.at_m * np.eye(3)[self.axis]))
        plane.SetNormal(*normal)
        return plane
