"""The panel that carries an airbag: a surface or a plane, and where a bag stands on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from solver.engine.maths.rotation import Array, cross
from solver.project.airbags import Airbag
from solver.project.document import Project
from solver.project.pose import Placed, plane_corners, turn


@dataclass(frozen=True, slots=True)
class Panel:
    """Hold the segment that carries a bag, and in its axes the panel's centre (m) and axes."""

    segment: str
    centre: Array
    R: Array

    def of(self, place: Iterable[float]) -> Array:
        """Give where a place on the panel is (m, segment axes)."""
        out: Array = self.centre + self.R @ np.asarray(tuple(place))
        return out


def panel_of(bag: Airbag, project: Project) -> Panel | None:
    """Give the panel that carries a bag, its first surface, else its first plane; None where that is not found.

    A plane's centre is its middle; x is along its first edge, z out of its front.
    """
    if bag.panels:
        ref = bag.panels[0]
        for segment in project.segments:
            for shape in segment.surfaces:
                if (segment.id, shape.id) == (ref.segment, ref.surface):
                    return Panel(segment.id, np.array(shape.centre_m), turn(shape.orientation))
    plane = next((one for one in project.planes if one.id in bag.planes[:1]), None)
    if bag.panels or plane is None:
        return None
    corner, one, two = plane_corners(plane)
    front = cross(one, two)
    x, z = one / np.linalg.norm(one), front / np.linalg.norm(front)
    R = np.stack([x, cross(z, x), z], axis=1)
    return Panel(plane.segment, corner + 0.5 * (one + two), R)


def full_bag(bag: Airbag, project: Project) -> Placed | None:
    """Place the full bag in the axes of the segment that carries it; None without a panel."""
    panel = panel_of(bag, project)
    if panel is None:
        return None
    R = turn(bag.orientation)
    return Placed(R, panel.of(bag.deployment_point_m) - R[:, 0] * bag.semi_axes_m[0])


def panel_segments(bag: Airbag, project: Project) -> set[str]:
    """Name the segments of all panels of a bag."""
    planes = {plane.segment for plane in project.planes if plane.id in bag.planes}
    return planes | {ref.segment for ref in bag.panels}
