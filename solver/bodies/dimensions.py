"""The 32 outer dimensions of a person, by sex, weight and height, or by age for a child."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np

from solver.base.words import msgid, plural, tr
from solver.bodies.body import IN, LB, BodyError, read, tidy

Sex = Literal["male", "female", "child"]
FARTHEST = 5.0
"""Weights and heights beyond so many standard deviations are refused as slips."""
LIGHTEST = 3.0
"""Children's below so many: there some of the generator's bodies would have inertias that no body has."""
HIGH_ANKLE = 1.946
"""Men's ankle height (5.401 in) over the height of the ankle joint (2.776 in), 50th percentile."""
ALONG = (
    "shoulder_height_m", "armpit_height_m", "waist_height_m", "seated_height_m", "shoulder_to_elbow_length_m",
    "forearm_hand_length_m", "head_to_chin_height_m", "neck_circumference_m",
    "knee_height_seated_m", "ankle_height_outside_m", "foot_length_m",
)  # fmt: skip
"""A child's dimensions that follow its stature."""
LEAST_PERCENTILE, GREATEST_PERCENTILE = 0.1, 99.9
ADULT_YEARS = (18.0, 90.0)
"""Ages of adults: up to the oldest whose spine was measured."""
ADULTS = (msgid("male"), msgid("female"))


@dataclass(frozen=True, slots=True)
class Dimensions:
    """The 32 dimensions by name, SI: 'weight_kg', 'standing_height_m', 'chest_depth_m', ..."""

    sex: Sex
    values: Mapping[str, float]
    said: str
    age_years: float | None = None
    """Of a child; of an adult where it is given."""

    def __getitem__(self, name: str) -> float:
        return self.values[name]

    def with_values(self, **changes: float) -> Dimensions:
        """The same person with some dimensions as measured; the others stay as they were."""
        unknown = sorted(set(changes) - set(self.values))
        if unknown:
            known = ", ".join(dimension_names())
            raise BodyError(
                "There is no dimension '{unknown}'. There are: {known}.",
                unknown=unknown[0],
                known=known,
            )
        for name, value in changes.items():
            if not 0.0 < value < 1000.0:
                raise BodyError(
                    "The dimension '{name}' is {value:g}; it must be above zero.",
                    name=name,
                    value=value,
                )
            if self.sex == "child" and self.age_years is not None:
                _as_grown(name, value, self.age_years)
        text = self.said
        if changes:
            count = plural("one dimension as given", "{n} dimensions as given", len(changes))
            text = f"{text}, {count}"
        return Dimensions(self.sex, {**self.values, **changes}, text, self.age_years)


def ankle_height_m(d: Dimensions) -> float:
    """The height of the ankle joint above the sole (m).

    The men's dimension is taken higher up the leg than that of women and children: in the printed
    50th-percentile body it is 1.946 times the height of the joint.
    """
    height = d["ankle_height_outside_m"]
    return height / HIGH_ANKLE if d.sex == "male" else height


@functools.cache
def dimension_names() -> tuple[str, ...]:
    """List the names of the 32 dimensions, each with its unit at the end."""
    return tuple(_si(name) for name in read("dimensions")["child"]["coefficients"])


def adult_dimensions(
    sex: Literal["male", "female"],
    *,
    percentile: float | None = None,
    weight_kg: float | None = None,
    height_m: float | None = None,
    weight_percentile: float | None = None,
    height_percentile: float | None = None,
    age_years: float | None = None,
) -> Dimensions:
    """Estimate an adult from weight and height, each given itself or as a percentile.

    `percentile` sets both; what is not given at all is the 50th percentile. The age moves how far joints of a person with a
    flexible spine go, and nothing else.
    """
    _refuse_other(sex)
    table = read("dimensions")[sex]
    weight, said_weight = _given(
        msgid("weight"), table["weight_lb"], LB, weight_kg, weight_percentile, percentile
    )
    height, said_height = _given(
        msgid("height"), table["height_in"], IN, height_m, height_percentile, percentile
    )
    values = {
        name: c0 + c_weight * weight + c_height * height
        for name, (c0, c_weight, c_height) in table["coefficients"].items()
    }
    words = [tr(sex), said_weight, said_height]
    if age_years is not None:
        if not ADULT_YEARS[0] <= age_years <= ADULT_YEARS[1]:
            raise BodyError(
                "An adult's age lies between {youngest:g} and {oldest:g} years, not at {age_years:g}.",
                youngest=ADULT_YEARS[0], oldest=ADULT_YEARS[1], age_years=age_years,
            )  # fmt: skip
        words.append(tr("{age:g} years", age=age_years))
    return Dimensions(sex, _metric(values), ", ".join(words), age_years)


def child_dimensions(
    age_years: float,
    sex: Literal["male", "female"] | None = None,
    *,
    weight_kg: float | None = None,
    height_m: float | None = None,
) -> Dimensions:
    """Estimate a child from its age, and its sex where that is given; else the mean of both.

    Weight and stature, where they are not given, are the medians of the CDC growth charts: the generator's own lines
    make a child of two years weigh 6.9 kg. Its lines give the other dimensions; those along the body follow the stature.
    """
    table = read("dimensions")["child"]
    youngest, oldest = table["age_years"]
    if not youngest <= age_years <= oldest:
        raise BodyError(
            "The children's dimensions hold from {youngest} to {oldest} years, not at {age_years:g}.",
            youngest=youngest,
            oldest=oldest,
            age_years=age_years,
        )
    if sex is not None and sex not in ADULTS:
        raise BodyError("'{sex}' is no sex: use male or female.", sex=sex)
    values = _metric({n: c0 + c1 * age_years for n, (c0, c1) in table["coefficients"].items()})
    weight, stature = grown(age_years, sex)
    also = []
    for what, name, given, unit in (
        (msgid("weight"), "weight_kg", weight_kg, "kg"),
        (msgid("height"), "standing_height_m", height_m, "m"),
    ):
        if given is not None:
            _as_grown(name, given, age_years)
            also.append(f"{tr(what)} {given:g} {unit}")
    weight = weight if weight_kg is None else weight_kg
    stature = stature if height_m is None else height_m
    taller = stature / values["standing_height_m"]
    for name in ALONG:
        values[name] = tidy(values[name] * taller)
    values |= {"weight_kg": tidy(weight), "standing_height_m": tidy(stature)}
    words = {
        None: msgid("child of {age_years:g} years"),
        "male": msgid("boy of {age_years:g} years"),
        "female": msgid("girl of {age_years:g} years"),
    }
    text = ", ".join([tr(words[sex], age_years=age_years), *also])
    return Dimensions("child", values, text, age_years)


def grown(age_years: float, sex: Literal["male", "female"] | None = None) -> tuple[float, float]:
    """The median weight (kg) and stature (m) at an age: CDC growth charts."""
    table = read("growth")
    found = np.zeros(2)
    for one in ADULTS if sex is None else (sex,):
        months = table[one]["age_months"]
        found += [
            np.interp(12.0 * age_years, months, table[one][what])
            for what in ("weight_kg", "stature_cm")
        ]
    found /= 2.0 if sex is None else 1.0
    return float(found[0]), 0.01 * float(found[1])


def adult_range(sex: Literal["male", "female"]) -> dict[str, tuple[float, float]]:
    """The least and greatest weight (kg) and height (m) of adults: beyond, the regressions are of no use."""
    _refuse_other(sex)
    table = read("dimensions")[sex]
    return {
        name: _span(table[entry], unit)
        for name, entry, unit in (
            ("weight_kg", "weight_lb", LB),
            ("standing_height_m", "height_in", IN),
        )
    }


def child_range(age_years: float) -> dict[str, tuple[float, float]]:
    """The least and greatest weight (kg) and stature (m) of children of an age, of either sex: beyond, they are slips.

    Above the median they lie FARTHEST times half as far as two standard scores, as the charts' own programs count what
    cannot be ("modified z-scores"); below, by ratios, LIGHTEST times: printed breadths are too wide for lighter ones.
    """
    table, out = read("growth"), {}
    for name, what, unit in (
        ("weight_kg", "weight_kg", 1.0),
        ("standing_height_m", "stature_cm", 0.01),
    ):
        low, high = [], []
        for sex in ADULTS:
            one = table[sex]
            middle, less, more = (
                unit * float(np.interp(12.0 * age_years, one["age_months"], one[column]))
                for column in (what, f"{what}_less", f"{what}_more")
            )
            low.append(middle * (less / middle) ** (0.5 * LIGHTEST))
            high.append(middle + 0.5 * FARTHEST * (more - middle))
        out[name] = (min(low), max(high))
    return out


def _refuse_other(sex: str) -> None:
    if sex not in ADULTS:
        raise BodyError("'{sex}' is no sex of an adult: use male or female.", sex=sex)


def _as_grown(name: str, value: float, age_years: float) -> None:
    """Refuse a weight or stature that no child of this age has."""
    least, most = child_range(age_years).get(name, (value, value))
    if not least <= value <= most:
        raise BodyError(
            "A {what} of {value:g} {unit} is out of range for a child of {age:g} years: the growth charts end at {low:.3g} and {high:.3g}.",
            what=tr(msgid("weight") if name == "weight_kg" else msgid("height")),
            value=value, unit=name[name.rindex("_") + 1 :], age=age_years, low=least, high=most,
        )  # fmt: skip


def _span(table: Mapping[str, float], unit: float) -> tuple[float, float]:
    low, high = ((table["mean"] + s * FARTHEST * table["sigma"]) * unit for s in (-1.0, 1.0))
    return max(low, 0.0), high


def _age_at(stature_m: float) -> float:
    """The age at which the median child has a stature."""
    youngest, oldest = read("dimensions")["child"]["age_years"]
    ages = np.linspace(youngest, oldest, 721)
    tall = np.array([grown(float(age))[1] for age in ages])
    if not tall[0] <= stature_m <= tall[-1]:
        raise BodyError(
            "Children of 2 to 20 years are {low:.2f} to {high:.2f} m tall here, not {stature:.2f} m.",
            low=tall[0],
            high=tall[-1],
            stature=stature_m,
        )
    return float(np.interp(stature_m, tall, ages))


def given_dimensions(sex: Sex, values: Mapping[str, float]) -> Dimensions:
    """Take measured dimensions; those that are missing follow from weight and height (or height for a child).

    An adult needs 'weight_kg' and 'standing_height_m', a child 'standing_height_m'.
    """
    if sex == "child":
        if "standing_height_m" not in values:
            raise BodyError("Give at least 'standing_height_m'; the rest can be estimated from it.")
        base = child_dimensions(_age_at(values["standing_height_m"]))
    else:
        missing = [n for n in ("weight_kg", "standing_height_m") if n not in values]
        if missing:
            raise BodyError(
                "Give at least '{missing}'; the rest can be estimated.", missing=missing[0]
            )
        base = adult_dimensions(
            sex, weight_kg=values["weight_kg"], height_m=values["standing_height_m"]
        )
    return base.with_values(**values)


def _given(
    what: str,
    table: Mapping[str, float],
    unit: float,
    value: float | None,
    percentile: float | None,
    both: float | None,
) -> tuple[float, str]:
    """Give weight (lb) or height (in), and how it was given."""
    mean, sigma = table["mean"], table["sigma"]
    if value is not None:
        if percentile is not None:
            raise BodyError("The {what} is given twice: by itself and as a percentile.", what=what)
        found, label = value / unit, f"{tr(what)} {value:g} {'kg' if what == 'weight' else 'm'}"
        low, high = _span(table, unit)
        if not low <= value <= high:
            raise BodyError(
                "A {said} is out of range: the regressions are of no use below {low:.3g} or above {high:.3g}.",
                said=label,
                low=low,
                high=high,
            )
        return found, label
    percentile = 50.0 if percentile is None and both is None else percentile
    share = both if percentile is None else percentile
    assert share is not None
    if not LEAST_PERCENTILE <= share <= GREATEST_PERCENTILE:
        raise BodyError(
            "A percentile lies between {least_percentile:g} and {greatest_percentile:g}, not at {share:g}.",
            least_percentile=LEAST_PERCENTILE,
            greatest_percentile=GREATEST_PERCENTILE,
            share=share,
        )
    z = 0.0 if share == 50.0 else NormalDist().inv_cdf(share / 100.0)
    return mean + z * sigma, tr("{what} at percentile {share:g}", what=tr(what), share=share)


def _metric(values: Mapping[str, float]) -> dict[str, float]:
    return {
        _si(name): tidy(value * (LB if name == "weight" else IN)) for name, value in values.items()
    }


def _si(name: str) -> str:
    return "weight_kg" if name == "weight" else f"{name}_m"


# How a body's mass is shared among its parts, by published tables: adults by weight and height, children by age.

PARTS = ("head", "trunk", "upper_arm", "forearm", "upper_leg", "lower_leg", "foot")
"""Parts of the tables: the head with its neck, the forearm with its hand; limbs count twice."""
NECK_PART = 0.196
"""Mass of the neck in that of head and neck: the printed 50th-percentile man's (1.03 of 5.24 kg)."""
GROWN_UP = 18.0
"""Age (years) from which a person is shared as an adult."""
KNOWN_KG = (45.0, 110.0)
"""Weights between which the adults' regressions are used; beyond, the parts grow as the body does."""


def shares(d: Dimensions) -> dict[str, float]:
    """The mass (kg) of each part; limbs are one side, and all add up to the weight."""
    found = _child(d) if d.sex == "child" else _adult(d)
    whole = sum(mass * _sides(part) for part, mass in found.items())
    return {part: mass * d["weight_kg"] / whole for part, mass in found.items()}


def table_of(d: Dimensions) -> dict[str, float]:
    """What the table says by itself, before parts are made to add up."""
    return _child(d) if d.sex == "child" else _adult(d)


def density(part: str) -> float:
    """The density of a part (kg/m3)."""
    table: Mapping[str, float] = read("shares")["densities_kg_per_m3"]
    return float(table[part if part in table else "trunk"])


def _sides(part: str) -> float:
    return 1.0 if part in ("head", "trunk") else 2.0


def _adult(d: Dimensions) -> dict[str, float]:
    weight = min(max(d["weight_kg"], KNOWN_KG[0]), KNOWN_KG[1])
    height = 100.0 * d["standing_height_m"]
    table = read("shares")
    mean_kg, mean_cm = table["adults_at"][d.sex]
    more = d["weight_kg"] / weight
    return {
        part: more * (mean + by_weight * (weight - mean_kg) + by_height * (height - mean_cm))
        for part, (mean, by_weight, by_height) in (
            (name, table["adults"][d.sex][name]) for name in PARTS
        )
    }


def _child(d: Dimensions) -> dict[str, float]:
    table = read("shares")["children"]
    ages = table["age_years"]
    age = min(d.age_years if d.age_years is not None else GROWN_UP, GROWN_UP)
    return {part: 0.01 * d["weight_kg"] * _along(age, ages, table[part]) for part in PARTS}


def _along(age: float, ages: list[float], percents: list[float]) -> float:
    """A percentage straight between the table's ages, and along its first line below them."""
    if age < ages[0]:
        slope = (percents[1] - percents[0]) / (ages[1] - ages[0])
        return percents[0] + slope * (age - ages[0])
    return float(np.interp(age, ages, percents))
