"""The chest by age: a risk curve at another age, and the limit that means the same risk there.

The logistic curve of US NCAP has an age in it (Laituri and others 2005): 12.597 - 0.05861 age, at 35 years the
10.5456 that the rating prints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from solver.base.words import NOTHING, Sentence
from solver.injury.reference import Limit, RiskCurve, reference
from solver.project.injury import InjuryOutput

LAW = "fmvss_208"
"""The standard whose limit is carried to other ages."""


def at_age(curve: RiskCurve, age: float | None) -> RiskCurve:
    """Give a risk curve at an age (years); one that knows no ages, or is asked for none, as it is."""
    if age is None or not curve.per_year:
        return curve
    return replace(curve, a=curve.a - curve.per_year * (age - curve.age), age=age)


def limits_at(
    limits: Sequence[Limit], curves: Sequence[RiskCurve], age: float | None
) -> tuple[Limit, ...]:
    """Give limits at which the risk is that of the law's limit at the age that its curve is for."""
    if age is None:
        return ()
    return tuple(
        _same_risk(limit, curve, age)
        for curve in curves
        for limit in limits
        if curve.per_year and limit.standard == LAW and set(limit.sizes) & set(curve.sizes)
    )


def _same_risk(limit: Limit, curve: RiskCurve, age: float) -> Limit:
    """Solve b x^n - a = b x0^n - a0 for x: the same risk at another age."""
    x0 = (limit.limit * curve.unit_factor) ** curve.exponent
    x = x0 - curve.per_year * (age - curve.age) / curve.b
    value = max(x, 0.0) ** (1.0 / curve.exponent) / curve.unit_factor
    source = (
        f"{100.0 * curve(limit.limit):.0f} % {curve.level} at {age:g} years, as the limit of {limit.source} means at "
        f"{curve.age:g}; {curve.source}"
    )
    return replace(
        limit, limit=float(f"{value:.4g}"), source=source, standard="research", seen=curve.seen, push=(curve.push,),
    )  # fmt: skip


def of_no_age(key: str, options: InjuryOutput, size: str) -> Sentence:
    """Say that an age was given for which nothing is known of such a body."""
    if options.age_years is None or any(
        one.per_year and size in one.sizes for one in reference().risks.get(key, ())
    ):
        return NOTHING
    return Sentence("nothing is known of its risk by age for this body")
