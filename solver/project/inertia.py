"""Inertia: of a segment as a tensor, and of an evenly filled surface (Dirichlet's integrals)."""

from __future__ import annotations

import math

import numpy as np

from solver.base.words import Sentence
from solver.engine.maths.rotation import Array, from_angles
from solver.project.changes import value_at
from solver.project.document import Project
from solver.project.geometry import Surface, powers_of
from solver.project.problems import ProjectError, error
from solver.project.segments import Segment

# The inertia of a segment as a tensor, from moments and products about its axes of inertia.


def inertia_of(segment: Segment) -> Array:
    """A segment's inertia (3, 3) about its mass centre, segment axes."""
    R_SA = from_angles(segment.principal_axes.angles_rad, segment.principal_axes.order)
    return R_SA @ about_axes(segment) @ R_SA.T


def about_axes(segment: Segment) -> Array:
    """A segment's inertia (3, 3) about its mass centre, in its axes of inertia.

    The tensor's entry off the diagonal is less the integral of the product of two coordinates.
    """
    sign = -1.0 if segment.products_are == "integrals" else 1.0
    xy, xz, yz = (sign * product for product in segment.products_kgm2)
    x, y, z = segment.inertia_kgm2
    return np.array([[x, xy, xz], [xy, y, yz], [xz, yz, z]])


def principal_moments(segment: Segment) -> tuple[float, float, float]:
    """The moments (kg*m2) about the principal axes, least first."""
    if not any(segment.products_kgm2):
        small, middle, large = sorted(segment.inertia_kgm2)
        return small, middle, large
    small, middle, large = (float(v) for v in np.linalg.eigvalsh(about_axes(segment)))
    return small, middle, large


def balanced(segment: Segment) -> Segment:
    """Bring the largest principal moment down to the sum of the two others, which no body's is above."""
    if not any(segment.products_kgm2):
        values = list(segment.inertia_kgm2)
        at = int(np.argmax(values))
        values[at] = sum(value for k, value in enumerate(values) if k != at)
        return segment.model_copy(update={"inertia_kgm2": tuple(values)})
    moments, R = np.linalg.eigh(about_axes(segment))
    J = about_axes(segment) - (moments[2] - moments[0] - moments[1]) * np.outer(R[:, 2], R[:, 2])
    sign = 1.0 if segment.products_are == "entries" else -1.0
    products = tuple(sign * float(J[a, b]) for a, b in ((0, 1), (0, 2), (1, 2)))
    moved = {"inertia_kgm2": tuple(float(v) for v in np.diag(J)), "products_kgm2": products}
    return segment.model_copy(update=moved)


# Mass and moments of inertia of an evenly filled surface (Dirichlet's integrals).


def volume(surface: Surface) -> float:
    """The volume (m3) inside a surface."""
    powers = powers_of(surface)
    shape = math.prod(math.gamma(1.0 + 1.0 / p) for p in powers)
    shape /= math.gamma(1.0 + sum(1.0 / p for p in powers))
    return 8.0 * math.prod(surface.semi_axes_m) * shape


def mean_squares(surface: Surface) -> tuple[float, float, float]:
    """The mean squares (m2) of the coordinates inside a surface, along its axes (Dirichlet's integrals)."""
    powers = powers_of(surface)
    whole = 1.0 + sum(1.0 / p for p in powers)
    x, y, z = (
        semi**2
        * (math.gamma(3.0 / p) / math.gamma(1.0 / p))
        * (math.gamma(whole) / math.gamma(whole + 2.0 / p))
        for semi, p in zip(surface.semi_axes_m, powers, strict=True)
    )
    return x, y, z


def largest_surface(segment: Segment) -> Surface | None:
    """The surface that holds most of a segment; None where it has none."""
    return max(segment.surfaces, key=volume, default=None)


def filled(segment: Segment, density_kg_per_m3: float | None = None) -> Segment:
    """Give a segment the moments of its largest surface, evenly filled; and its mass, of a density.

    Without one the mass stays. The moments are about the surface's own centre, taken as the mass centre.
    """
    surface = largest_surface(segment)
    if surface is None:
        return segment
    mass = segment.mass_kg
    if density_kg_per_m3 is not None:
        mass = density_kg_per_m3 * volume(surface)
    x, y, z = mean_squares(surface)
    made: Segment = segment.model_copy(
        update={
            "mass_kg": mass,
            "inertia_kgm2": (mass * (y + z), mass * (z + x), mass * (x + y)),
            "principal_axes": surface.orientation,
            "products_kgm2": (0.0, 0.0, 0.0),
            "products_are": "entries",
        }
    )
    return made


def with_filled(project: Project, segment: str, density_kg_per_m3: float | None = None) -> Project:
    """A project in which a segment is filled; raises ProjectError where there is nothing to fill."""
    old = value_at(project, f"segments/{segment}")
    if not old.surfaces:
        sentence = Sentence("'{segment}' has no surface that could be filled.", segment=segment)
        raise ProjectError([error("set-path", f"segments/{segment}/surfaces", sentence)])
    if density_kg_per_m3 is not None and not 0.0 < density_kg_per_m3 < math.inf:
        sentence = Sentence("A density is above zero.")
        raise ProjectError([error("field-range", f"segments/{segment}/mass_kg", sentence)])
    made = filled(old, density_kg_per_m3)
    segments = tuple(made if one.id == segment else one for one in project.segments)
    return project.model_copy(update={"segments": segments})


# Mass and moments of a shape that is resized.

_EVEN = 1e-6


def is_filled(segment: Segment) -> bool:
    """Whether mass and moments are those of the largest surface, evenly filled: nobody has typed others."""
    if not segment.surfaces or segment.mass_kg <= 0.0:
        return False
    even = filled(segment)
    return (
        np.allclose(even.inertia_kgm2, segment.inertia_kgm2, rtol=_EVEN, atol=0.0)
        and even.principal_axes == segment.principal_axes
        and not any(segment.products_kgm2)
    )


def followed(before: Project, after: Project) -> Project:
    """The later project with mass and moments of resized segments at the density that they had, where they were filled evenly."""
    if before.segments is after.segments:
        return after
    old = {segment.id: segment for segment in before.segments}
    segments = tuple(_follow(old.get(one.id, one), one) for one in after.segments)
    if all(a is b for a, b in zip(segments, after.segments, strict=True)):
        return after
    return after.model_copy(update={"segments": segments})


def _follow(old: Segment, new: Segment) -> Segment:
    """A segment whose largest surface alone has changed, filled as before."""
    if old is new or old.surfaces == new.surfaces or not new.surfaces:
        return new
    mass = ("mass_kg", "inertia_kgm2", "principal_axes", "products_kgm2")
    if any(getattr(old, name) != getattr(new, name) for name in mass) or not is_filled(old):
        return new
    before, after = largest_surface(old), largest_surface(new)
    if before is None or after is None or before.id != after.id or _form(before) == _form(after):
        return new
    # rounded, so that many drags in a row do not wear it off
    return filled(new, float(f"{old.mass_kg / volume(before):.9g}"))


def _form(surface: Surface) -> tuple[object, ...]:
    return surface.semi_axes_m, powers_of(surface), surface.orientation
