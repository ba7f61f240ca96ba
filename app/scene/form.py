"""What is drawn of one thing: its mesh, which VTK is asked for only where somebody draws it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from solver.engine.maths.rotation import Array
from solver.project.pose import Placed
from solver.scene.meshes import Mesh

Laid = dict[Any, Any]
"""What is laid at an instant of a run, by what it is of and who has laid it."""


@dataclass(eq=False)
class Form:
    """A mesh, the loads of its faces (N), and VTK's own data once somebody draws it."""

    mesh: Mesh
    loads: Array | None = None
    is_slack: bool = False
    """Whether what it shows bears nothing just now."""
    laid: Form | None = None
    """The same on top of skins, once somebody has laid it there."""
    roughly: Form | None = None
    """The same as it is drawn in motion."""
    lies_on: tuple[object, ...] = ()
    """The skins on which it is laid."""

    @cached_property
    def faces(self) -> Any:
        """Give VTK's data of the faces, with their loads."""
        from app.scene import actors

        data = actors.poly_data(self.mesh, faces=True)
        if self.loads is not None:
            actors.put_loads(data, self.loads)
        return data

    @cached_property
    def lines(self) -> Any:
        """Give VTK's data of the lines."""
        from app.scene import actors

        return actors.poly_data(self.mesh, faces=False)


Forms = Mapping[tuple[str, str], Form]
"""What a run has made of webbing and links, by element and part."""
Bags = Mapping[str, Placed | None]
"""Where bags are; those that are folded nowhere."""
