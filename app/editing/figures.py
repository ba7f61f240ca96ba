"""Say which person is wanted and how large, and make that body; no Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from solver.base.words import msgid, tr
from solver.bodies import (
    DUMMIES,
    Body,
    Dimensions,
    adult_dimensions,
    adult_range,
    child_dimensions,
    child_range,
    generated,
    human,
    library_body,
)
from solver.bodies.people.ranges import MAN_YEARS

Who = Literal[
    "man", "woman", "child", "hybrid_iii_50m", "hybrid_iii_5f", "hybrid_iii_95m", "hybrid_iii_6y", "hybrid_iii_3y",
    "male-50", "male-95",
]  # fmt: skip
WHO: tuple[Who, ...] = get_args(Who)
_SEXES: dict[str, Literal["male", "female"]] = {"man": "male", "woman": "female"}


@dataclass(frozen=True)
class Figure:
    """Hold who is wanted and how large."""

    who: Who = "man"
    percentile: float = 50.0
    by_size: bool = False
    """Whether height and weight are given: not by percentile, nor as the age has them."""
    height_m: float = 1.75
    weight_kg: float = 78.0
    age_years: float = 6.0
    """Of a child."""
    grown_years: float = MAN_YEARS
    """Of an adult with a flexible spine: how far joints go."""
    spine: bool = True
    """Whether a generated person has a flexible spine, a chest that gives way and a neck, or 15 segments."""
    compressing: bool = False
    """Of one with a flexible spine: whether lumbar discs shorten too."""

    @property
    def is_adult(self) -> bool:
        """Tell whether it has a percentile."""
        return self.who in _SEXES

    @property
    def is_generated(self) -> bool:
        """Tell whether it is made for its size, not taken from the library."""
        return self.is_adult or self.who == "child"

    @property
    def is_dummy(self) -> bool:
        """Tell whether it is a crash test dummy, which has hands of its own."""
        return self.who in DUMMIES

    @property
    def has_hands(self) -> bool:
        """Tell whether it has hands of its own without being asked."""
        return self.is_dummy or (self.is_generated and self.spine)

    @property
    def usual(self) -> tuple[float, float]:
        """Give height (m) and weight (kg) of a generated one where neither is given."""
        sizes = _child(self) if self.who == "child" else _adult(self)
        return sizes["standing_height_m"], sizes["weight_kg"]

    @property
    def range(self) -> dict[str, tuple[float, float]]:
        """Give the least and greatest height (m) and weight (kg) of a generated one, as the generator has them."""
        if self.who == "child":
            return child_range(self.age_years)
        return adult_range(_SEXES[self.who])

    def body(self) -> Body:
        """Make the body, standing; raises BodyError, whose sentence says what would mend it."""
        if not self.is_generated:
            return library_body(self.who)
        size = {"height_m": self.height_m, "weight_kg": self.weight_kg} if self.by_size else {}
        sizes = _child(self, **size) if self.who == "child" else _adult(self, **size)
        return human(sizes, compressing=self.compressing) if self.spine else generated(sizes)


def _child(one: Figure, **size: float) -> Dimensions:
    return child_dimensions(
        one.age_years, weight_kg=size.get("weight_kg"), height_m=size.get("height_m")
    )


def _adult(one: Figure, **size: float) -> Dimensions:
    # the usual age says no more than none
    age = one.grown_years if one.spine and one.grown_years != MAN_YEARS else None
    percentile = None if size else one.percentile
    return adult_dimensions(_SEXES[one.who], percentile=percentile, age_years=age, **size)


def said(body: Body) -> str:
    """Say what a body weighs and measures."""
    height = (body.dimensions or {}).get("standing_height_m")
    words = (
        msgid("{title}: {kg:.1f} kg, {tall:.2f} m tall")
        if height and math.isfinite(height)
        else msgid("{title}: {kg:.1f} kg")
    )
    return tr(words, title=body.title, kg=body.mass_kg, tall=height)
