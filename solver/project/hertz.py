"""Stiffness of two elastic spheres that touch, after Hertz, from their radii, moduli and Poisson's ratios."""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.base.words import Refusal
from solver.project.changes import with_value
from solver.project.contact import HuntCrossleyLaw, LankaraniLaw
from solver.project.document import Project


class HertzError(Refusal, ValueError):
    """Say why numbers make no elastic sphere."""

    __module__ = "manikin"


class Sphere(NamedTuple):
    """A sphere: radius (m; below zero that of a hollow, infinite a plane), modulus (Pa), Poisson's ratio."""

    radius_m: float
    elastic_pa: float
    poisson: float = 0.3


def hertz_stiffness(first: Sphere, second: Sphere) -> float:
    """K of F = K d^1.5 (N/m^1.5): 4/3 E* sqrt(R*), with 1/E* the sum of (1 - nu^2)/E, and 1/R* that of 1/R.

    Ma (seed 001) prints the same as 4 / (3 pi (h1 + h2)) sqrt(R1 R2 / (R1 + R2)), with h = (1 - nu^2) / (pi E).
    """
    curved, soft = 0.0, 0.0
    for one in (first, second):
        if not (
            one.elastic_pa > 0.0 and math.isfinite(one.elastic_pa) and -1.0 < one.poisson <= 0.5
        ):
            raise HertzError(
                "A modulus is above zero, and Poisson's ratio above -1 and at most 0.5."
            )
        if one.radius_m == 0.0 or math.isnan(one.radius_m):
            raise HertzError("A radius of zero is a point; a plane has one that is infinite.")
        curved += 1.0 / one.radius_m
        soft += (1.0 - one.poisson**2) / one.elastic_pa
    if curved <= 0.0:
        raise HertzError(
            "Two planes, or a ball in a hollow that is not larger, touch all over: Hertz says nothing of them."
        )
    return 4.0 / 3.0 / soft / math.sqrt(curved)


def with_hertz(project: Project, law: str, first: Sphere, second: Sphere) -> Project:
    """Give the project with the stiffness of two spheres, and the exponent 1.5, in a law of Hunt and Crossley, or Lankarani."""
    found = next((one for one in project.contact_laws if one.id == law), None)
    if not isinstance(found, HuntCrossleyLaw | LankaraniLaw):
        raise HertzError(
            "'{law}' is no law of Hunt and Crossley, or of Lankarani and Nikravesh.", law=law
        )
    stiffness = hertz_stiffness(first, second)
    project = with_value(project, f"contact_laws/{law}/stiffness_n_per_mn", stiffness)
    return with_value(project, f"contact_laws/{law}/exponent", 1.5)
