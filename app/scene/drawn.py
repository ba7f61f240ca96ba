"""What is known of each thing in the scene: its shape, where it is, whether it is seen."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

import numpy as np

from app.scene.form import Bags, Form, Forms
from app.scene.paints import Marks
from solver.engine.maths.rotation import Array
from solver.project.pose import Placed
from solver.scene.damage import Damaged
from solver.scene.meshes import Mesh
from solver.scene.placing import Pose
from solver.scene.shapes import Shape

STILL = Placed(np.eye(3), np.zeros(3))
SOFT = ("belt", "link", "muscle", "disc", "beam")
"""Kinds that take another form while a run goes on, in ground axes."""


@dataclass(eq=False, slots=True)
class Drawn:
    """One shape of the scene; what draws it looks at this before each picture."""

    shape: Shape
    at: Placed = STILL
    marks: Marks = field(default_factory=Marks)
    form: Form | None = None
    """What a run has made of webbing or a link; else the shape's own mesh is drawn."""
    laid: Form | None = None
    """Its form on top of a skin, where it lies on one."""
    dented: Mesh | None = None
    """The cushion that stands for a plane as what lies on it has pressed it."""
    damage: Damaged | None = None
    """Dents and cracks that a run has left in what stands for a plane."""
    tint: float | None = None
    """The pressure of a bag as a part of the scale's top, where it is coloured by it."""
    is_shown: bool = True
    is_hidden: bool = False
    """Whether people have hidden it."""
    is_covered: bool = False
    """Whether a skin is drawn instead, or nobody has asked for it: it can be measured, but not pointed at."""

    @property
    def is_seen(self) -> bool:
        """Whether it is in the picture, be it below a skin."""
        return self.is_shown and not self.is_hidden

    @property
    def is_drawn(self) -> bool:
        """Whether it is drawn by itself."""
        return self.is_seen and not self.is_covered

    @property
    def mesh(self) -> Mesh:
        """What is drawn now, in the axes of its place."""
        form = self.laid or self.form
        return self.shape.mesh if form is None else form.mesh

    @property
    def is_idle_arrow(self) -> bool:
        """Whether it is the front of a plane that nobody has chosen: with furniture it is not drawn."""
        return self.shape.kind == "arrow" and not self.marks.selected

    def is_clear(self, eye: Array) -> bool:
        """Whether an eye (m) sees through what stands for it: glass, or trim from behind."""
        furniture = self.shape.furniture
        if furniture is None:
            return False
        return furniture.is_clear or not furniture.is_faced(self.at.R_WS.T @ (eye - self.at.p_W))

    def points(self) -> Array:
        """Give its points in ground axes (m)."""
        return self.mesh.points @ self.at.R_WS.T + self.at.p_W


def move_items(
    items: Iterable[Drawn],
    pose: Pose,
    forms: Forms,
    bags: Bags | None,
    idle: Collection[str] = (),
) -> None:
    """Move shapes to a pose: webbing and links take their forms, bags their places; idle drivers hide."""
    for item in items:
        shape = item.shape
        if shape.kind in SOFT:
            form = forms.get((shape.element, shape.part))
            item.is_shown = form is not None
            item.form = form or item.form
        elif shape.kind == "bag":
            at = bags.get(shape.element) if bags is not None else None
            item.is_shown = at is not None
            item.at = at or item.at
        elif shape.segment in pose:
            if shape.kind in ("pack", "way") and bags is not None:
                is_folded = bags.get(shape.element) is None
                item.is_shown = is_folded and shape.kind == "pack"
            if shape.kind == "motor":
                item.is_shown = shape.element not in idle
            item.at = pose[shape.segment]
