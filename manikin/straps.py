"""Straps: how they lie over bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from manikin.changing import Changing, Point, point_of
from solver.model.route import Route, RouteError, best_angle
from solver.model.route import route as route_of
from solver.project.checks import checked
from solver.project.geometry import PointRef, SurfaceRef
from solver.project.problems import did_you_mean
from solver.project.segments import GROUND


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

        >>> shape = mk.schema.Ellipsoid(kind="ellipsoid", id="body", semi_axes_m=(0.1, 0.15, 0.3))
        >>> model = mk.new().add_segment("trunk", mass_kg=40.0, inertia_kgm2=(1.0, 1.0, 0.3), surfaces=[shape])
        >>> behind = [("ground", (-0.2, side, 0.0)) for side in (-0.3, 0.3)]
        >>> found = model.route(*behind, ["trunk.body"])
        >>> round(found.length_m, 3), [wrap.surface.segment for wrap in found.wraps]
        (0.891, ['trunk'])
        """
        project = checked(self._project).project
        start, end = self._anchors(first, last)
        surfaces = [_surface(name) for name in over]
        angle = best_angle(project, start, end, surfaces) if shortest else angle_rad
        return route_of(project, start, end, surfaces, angle, spacing_m)

    def add_strap(
        self,
        first: Point | str,
        last: Point | str,
        *,
        harness: str | None = None,
        turn_rad: float = 0.0,
    ) -> Self:
        """Lay a strap between two anchors, pairs of a segment and a place on it, over the trunk of the nearest body.

        It is in a harness of its own, or in one that is there, with the first webbing of the model or a usual one; over
        bones where the body has such. `turn_rad` turns its plane. Raises RouteError.

        >>> anchors = [("vehicle", (-0.35, side, 0.02)) for side in (-0.25, 0.25)]
        >>> model = mk.sample("sled").without("harnesses/harness")
        >>> belted = model.add_strap(*anchors)
        >>> belted.project.harnesses[0].name
        'Lap belt'
        """
        from solver.editing.strapping import strapped

        chosen = () if harness is None else (f"harnesses/{self._harness(harness)}",)
        start, end = self._anchors(first, last)
        return self._with(strapped(self._project, chosen, start, end, turn_rad).project)

    def lay_again(self, harness: str) -> Self:
        """Lay the straps of a harness again over what they touch, from each anchor and ring to the next. Raises RouteError.

        >>> again = mk.sample("frontal").lay_again("driver_three_point_belt")
        >>> [strap.id for strap in again.project.harnesses[0].straps]
        ['belt']
        """
        from solver.editing.strapping import laid_again

        return self._with(laid_again(self._project, f"harnesses/{self._harness(harness)}"))

    def _anchors(self, *points: Point | str) -> tuple[PointRef, ...]:
        found = tuple(map(point_of, points))
        known = (GROUND, *(one.id for one in self._project.segments))
        for one in found:
            if one.segment not in known:
                hint = did_you_mean(one.segment, known) or ""
                raise RouteError(
                    "There is no segment '{name}'. {hint}", name=one.segment, hint=hint
                )
        return found

    def _harness(self, name: str) -> str:
        known = [one.id for one in self._project.harnesses]
        if name not in known:
            raise RouteError("There is no harness '{name}'; this model has {known}.", name=name, known=", ".join(known) or "none")  # fmt: skip
        return name


def _surface(name: str) -> SurfaceRef:
    segment, dot, surface = name.rpartition(".")
    if not dot:
        raise RouteError("'{name}' is not of the form SEGMENT.SURFACE.", name=name)
    return SurfaceRef(segment=segment, surface=surface)
