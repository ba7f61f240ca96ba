"""Straps: how they lie over bodies."""

from __future__ import annotations

from collections.abc import Sequence

from manikin.changing import Changing, Point, point_of
from solver.model.route import Route, RouteError, best_angle
from solver.model.route import route as route_of
from solver.project.checks import checked
from solver.project.geometry import SurfaceRef


class Strapped(Changing):
    """Lay straps over a model's bodies."""

    def route(
        self,
        first: Point | str,
        last: Point | str,
        over: Sequence[str],
        *,
        angle_rad: float = 0.0,
        shortest: bool = False,
        spacing_m: float = 0.05,
    ) -> Route:
        """Lay a strap over surfaces (`SEGMENT.SURFACE`, in any order), taut and in a plane; `points()` of it are those of a strap.

        Anchors are pairs of a segment and a place on it. `angle_rad` turns the plane about the line from the first to the last; at 0
        it goes through the mean of the surfaces' centres. `shortest` takes the angle within 90 degrees at which the strap is shortest and
        does not slip off. Raises RouteError.

        >>> shape = {"kind": "ellipsoid", "id": "body", "semi_axes_m": (0.1, 0.15, 0.3)}
        >>> model = mk.new().add_segment("trunk", mass_kg=40.0, inertia_kgm2=(1.0, 1.0, 0.3), surfaces=[shape])
        >>> behind = [("ground", (-0.2, side, 0.0)) for side in (-0.3, 0.3)]
        >>> found = model.route(*behind, ["trunk.body"])
        >>> round(found.length_m, 3), [wrap.surface.segment for wrap in found.wraps]
        (0.891, ['trunk'])
        """
        project = checked(self._project).project
        start, end = point_of(first), point_of(last)
        surfaces = [_surface(name) for name in over]
        angle = best_angle(project, start, end, surfaces) if shortest else angle_rad
        return route_of(project, start, end, surfaces, angle, spacing_m)


def _surface(name: str) -> SurfaceRef:
    segment, dot, surface = name.rpartition(".")
    if not dot:
        raise RouteError("'{name}' is not of the form SEGMENT.SURFACE.", name=name)
    return SurfaceRef(segment=segment, surface=surface)
