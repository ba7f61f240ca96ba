"""Limits of regulations, risk curves and intercepts, read from `resources/injury.json`."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from solver.places import resources


@dataclass(frozen=True, slots=True)
class Limit:
    """Hold a limit in the criterion's unit; `unchecked`: not compared with the text of its source."""

    criterion: str
    limit: float
    body: str
    source: str
    unchecked: bool = False


@dataclass(frozen=True, slots=True)
class RiskCurve:
    """Give the probability of an injury of a level by the value of a criterion.

    Lognormal: Phi((ln x - a) / b); logistic: 1 / (1 + exp(a - b x)); x in the unit of the source.
    """

    criterion: str
    level: str
    form: str
    a: float
    b: float
    unit_factor: float
    source: str

    def __call__(self, value: float) -> float:
        """Give the probability at a value in the criterion's unit."""
        x = value * self.unit_factor
        if self.form == "lognormal":
            if x <= 0.0:
                return 0.0
            return 0.5 * math.erfc((self.a - math.log(x)) / (self.b * math.sqrt(2.0)))
        # written so that nothing overflows
        y = self.b * x - self.a
        return 1.0 / (1.0 + math.exp(-y)) if y >= 0.0 else math.exp(y) / (1.0 + math.exp(y))


@dataclass(frozen=True, slots=True)
class Reference:
    """Hold all that is compared with."""

    limits: Mapping[str, tuple[Limit, ...]]
    risks: Mapping[str, tuple[RiskCurve, ...]]
    necks: Mapping[str, Mapping[str, float]]


@cache
def reference() -> Reference:
    """Read the data once."""
    data: dict[str, Any] = json.loads((resources() / "injury.json").read_text(encoding="utf-8"))
    limits: dict[str, tuple[Limit, ...]] = {}
    for one in data["limits"]:
        limit = Limit(**one)
        limits[limit.criterion] = (*limits.get(limit.criterion, ()), limit)
    risks: dict[str, tuple[RiskCurve, ...]] = {}
    for one in data["risks"]:
        curve = RiskCurve(**one)
        risks[curve.criterion] = (*risks.get(curve.criterion, ()), curve)
    loads = ("tension", "compression", "flexion", "extension")
    return Reference(
        limits,
        risks,
        {one["body"]: {load: float(one[load]) for load in loads} for one in data["necks"]},
    )
