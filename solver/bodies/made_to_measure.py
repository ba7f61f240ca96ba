"""A person to measure, of 15 segments or with a flexible spine, from what is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

from solver.bodies.body import Body, BodyError
from solver.bodies.dimensions import Dimensions, adult_dimensions, child_dimensions
from solver.bodies.dummies import DUMMIES, LIBRARY, library_body
from solver.bodies.generator import Method, generated
from solver.bodies.people import human

CHILD_YEARS = 20.0
"""Up to this age a person follows from it, as children do."""
SEXES: Mapping[str, Literal["male", "female"]] = {"man": "male", "woman": "female"}
"""Names of grown-ups that are made for their size."""
NAMED = (*DUMMIES, *LIBRARY, *SEXES)
"""Bodies that a name says: those of the library, and man and woman of the 50th percentile with a flexible spine."""


def body_named(who: str | Body, *, breaking_bones: bool = False) -> Body:
    """A body, standing; by name one of the library, or the man or woman of the 50th percentile, whose bones may break."""
    if isinstance(who, Body):
        return who
    return _usual(who, breaking_bones) if who in SEXES else library_body(who)


@cache
def _usual(who: str, breaking_bones: bool) -> Body:
    return human(adult_dimensions(SEXES[who]), breaking_bones=breaking_bones)


def person(
    sex: Literal["male", "female"] | None = None,
    *,
    age_years: float | None = None,
    percentile: float | None = None,
    weight_kg: float | None = None,
    height_m: float | None = None,
    weight_percentile: float | None = None,
    height_percentile: float | None = None,
    dimensions: Mapping[str, float] | None = None,
    flexible: bool = False,
    compressing: bool = False,
    breaking_bones: bool = False,
    extensors: bool = False,
    method: Method | None = None,
    torque_factor: float | None = None,
) -> Body:
    """Make a person to measure: a man if no `sex` is given, a child with an age up to 20 years.

    An adult follows from weight and height, each itself or as a percentile, the 50th if it is not given; a child from
    its age. `dimensions` are those that were measured, by name, such as `chest_depth_m` (docs/bodies.md). A `flexible` person has a
    flexible spine, a chest that gives way and a neck: 33 segments; with `compressing` its lumbar discs shorten,
    too, with `breaking_bones` bones of its limbs bend until they break, with `extensors` muscles hold its neck, and its age moves how far joints go. One of 15 segments is made by a `method` (the tables', if none is named), with all
    joint torques times `torque_factor`. Raises BodyError where choices do not go together.
    """
    shares = {
        "percentile": percentile,
        "weight_percentile": weight_percentile,
        "height_percentile": height_percentile,
    }
    found: Dimensions
    if age_years is not None and age_years <= CHILD_YEARS:
        for name, given in shares.items():
            if given is not None:
                raise BodyError("A child follows from its age: leave '{name}' away.", name=name)
        found = child_dimensions(age_years, sex, weight_kg=weight_kg, height_m=height_m)
    else:
        if age_years is not None and not flexible:
            raise BodyError(
                "The age of an adult moves how far joints of a person with a flexible spine go, and nothing else: ask for one of those."
            )
        found = adult_dimensions(
            sex or "male",
            weight_kg=weight_kg,
            height_m=height_m,
            age_years=age_years,
            **shares,
        )
    found = found.with_values(**dict(dimensions or {}))
    if flexible:
        if method is not None or torque_factor is not None:
            raise BodyError(
                "A person with a flexible spine has its own method and torques: leave the method and the torques' factor away."
            )
        return human(found, compressing=compressing, breaking_bones=breaking_bones, extensors=extensors)  # fmt: skip
    if compressing:
        raise BodyError(
            "Only a person with a flexible spine has discs that shorten: ask for one of those."
        )
    if breaking_bones:
        raise BodyError(
            "Only a person with a flexible spine has bones that bend and break: ask for one of those."
        )
    if extensors:
        raise BodyError(
            "Only a person with a flexible spine has extensors of the neck: ask for one of those."
        )
    factor = 1.0 if torque_factor is None else torque_factor
    return generated(found, method=method, torque_factor=factor)
