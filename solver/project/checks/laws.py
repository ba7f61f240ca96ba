"""Check that contact laws and other curves mean something physical (third pass)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, assert_never

import numpy as np

from solver.base.words import Sentence
from solver.engine.maths.rotation import Array
from solver.project.airbags import Airbag, Leakage, MassFlowInflator
from solver.project.azimuths import (
    FunctionContour,
    GlobographicStop,
    LibraryContour,
    PolynomialContour,
)
from solver.project.belts import JunctionPoint, SurfacePoint
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, each_seen_before, finds, problem
from solver.project.contact import LankaraniLaw, StrapLaw, SurfaceLaw
from solver.project.coordinate_forces import Sided
from solver.project.forms import samples
from solver.project.joints import Friction
from solver.project.joints import Slide as JointSlide
from solver.project.problems import Problem

STRAIN, DEPTH, ANGLE = Sentence("strain"), Sentence("depth"), Sentence("angle")
_LOOKS = 64
"""How many places of a curve are looked at, its corners among them."""
_SLACK, _SLACK_BETWEEN = 0.005, 0.07
"""Parts of the work by which what is given back may differ from what is asked for: at corners of a curve, and between them."""


@finds(
    PHYSICS,
    warning={
        "law-at-zero": "A force does not begin at zero.",
        "law-starts-late": "A force curve begins beyond zero with a force.",
        "law-negative": "A force pulls where it should push.",
        "law-falls": "A force falls with growing deflection.",
        "law-never-pushes": "A force is never above zero.",
    },
)
def forces(index: Index) -> Iterator[Problem]:
    """Find force curves that do not rise from zero."""
    for law, path in index.elements("contact_laws"):
        name = getattr(law, "base", None)
        if name is not None:
            argument = STRAIN if isinstance(law, StrapLaw) else DEPTH
            yield from each_seen_before(index, _force, f"{path}/base", name, argument)
    for stop, path in index.of(GlobographicStop):
        yield from each_seen_before(index, _force, f"{path}/torque", stop.torque, ANGLE)
    for law, path, turns in _sided(index):
        argument = ANGLE if turns else DEPTH
        yield from each_seen_before(index, _force, f"{path}/above", law.above, argument)
        if law.below is not None and law.below != law.above:
            yield from each_seen_before(index, _force, f"{path}/below", law.below, argument)


@finds(
    PHYSICS,
    warning={"law-gains": "A law's unloading curve would give back more than was put in."},
    note={
        "law-returns-other": "A law cannot give back what it is to give back.",
        "law-unbounded": "The damping of a law has no bound after a slow touch.",
        "unloading-printed": "A law unloads as printed, which can make energy.",
    },
)
def returned(index: Index) -> Iterator[Problem]:
    """Find laws with memory whose unloading curve is held by its own shape (7.65, 7.66)."""
    for law, path in index.elements("contact_laws"):
        if isinstance(law, LankaraniLaw) and law.least_impact_speed_m_per_s == 0.0:
            sentence = Sentence(
                "Its damping is divided by the speed of the touch, however slow that is, as printed."
            )
            hint = "Give a least impact speed, such as 0.01 m/s."
            yield problem("law-unbounded", f"{path}/least_impact_speed_m_per_s", sentence, hint)
        if getattr(law, "unloading_law", "conserving") == "printed":
            sentence = Sentence(
                "It unloads as it is printed. That can give back more than it took, on small loops above all."
            )
            hint = "Set it to 'conserving'."
            yield problem("unloading-printed", f"{path}/unloading_law", sentence, hint)
        elif hasattr(law, "energy_ratio"):
            unit = "strain" if isinstance(law, StrapLaw) else "m"
            yield from each_seen_before(index, _returned, path, law.base, law, unit)
    for law, path, turns in _sided(index):
        for base in dict.fromkeys(filter(None, (law.above, law.below))):
            yield from _returned(index, path, base, law, "rad" if turns else "m")


def _returned(index: Index, path: str, base: str, law: Any, unit: str) -> Iterator[Problem]:
    x, y = samples(index.functions[base].form)
    if np.any(y < 0.0):
        # what pulls is told apart
        return
    corners = frozenset(x.tolist())
    x, y = _between(x, y)
    start = max(float(x[0]), 0.0) if x.size else 0.0
    noted = False
    x, y = x[x >= 0.0], y[x >= 0.0]
    works = np.append(0.0, np.cumsum(0.5 * (y[1:] + y[:-1]) * np.diff(x)))
    for at, force, work in zip(x.tolist(), y.tolist(), works.tolist(), strict=False):
        if at <= start:
            continue
        part, kept = (_value(index, v, at) for v in (law.energy_ratio, law.offset_ratio))
        area = force * (1.0 - kept) * (at - start)
        sound = 0.0 <= part <= 1.0 and 0.0 <= kept <= 1.0 and work > 0.0
        if not sound or (part, kept) == (1.0, 0.0):
            continue
        least, most = area / 3.0 / work, 2.0 * area / 3.0 / work
        slack = _SLACK if at in corners else _SLACK_BETWEEN
        if least - slack <= part <= most + slack:
            continue
        reached = least if part < least else most
        sentence = Sentence(
            "From {at:g} {unit} it is to give back {part:.0%} of the work; its unloading curve, a parabola through the offset, gives {reached:.0%}.",
            at=at,
            unit=unit,
            part=part,
            reached=reached,
        )
        hint = "Change the offset with the part returned: a larger offset gives back less."
        if reached > 1.005:
            sentence = Sentence(
                "From {at:g} {unit} it is to give back {part:.0%} of the work; its unloading curve, a parabola through the offset, would give {reached:.0%}. The offset is made larger, so that all is given back and no more.",
                at=at,
                unit=unit,
                part=part,
                reached=reached,
            )
            yield problem("law-gains", f"{path}/energy_ratio", sentence, hint)
            break
        if not noted:
            noted = True
            yield problem("law-returns-other", f"{path}/energy_ratio", sentence, hint)


def _between(x: Array, y: Array) -> tuple[Array, Array]:
    """Look between the corners of a curve as well: of a bend the work grows otherwise than the force."""
    if x.size < 2:
        return x, y
    at, pieces = np.arange(x.size, dtype=float), max(_LOOKS // (x.size - 1), 1)
    fine = np.append((at[:-1, None] + np.arange(pieces) / pieces).ravel(), at[-1])
    return np.interp(fine, at, x), np.interp(fine, at, y)


def _sided(index: Index) -> Iterator[tuple[Sided, str, bool]]:
    """The laws of coordinates that load by a curve, with their paths, and whether they turn."""
    for one, path in index.elements("coordinate_forces"):
        for i, law in enumerate(one.laws):
            if isinstance(law, Sided):
                yield law, f"{path}/laws/{i}", one.coordinate.turns


def _value(index: Index, value: float | str, at: float) -> float:
    """A constant, or a function's value; no number where it has no points."""
    if not isinstance(value, str):
        return value
    x, y = samples(index.functions[value].form)
    return float(np.interp(at, x, y)) if x.size else math.nan


def _force(index: Index, path: str, name: str, argument: Sentence) -> Iterator[Problem]:
    x, y = samples(index.functions[name].form)
    if y.size == 0:
        return
    top = float(np.max(y))
    if top <= 0.0:
        sentence = Sentence("'{name}' is never above zero: it gives no force.", name=name)
        yield problem("law-never-pushes", path, sentence, "Forces are positive here.")
        return
    small = 1e-6 * top
    at_zero = float(np.interp(0.0, x, y))
    if at_zero > small:
        if x[0] > 0.0:
            sentence = Sentence(
                "'{name}' begins at {x:g} with {y:g}, which holds down to zero {argument}.",
                name=name,
                x=x[0],
                y=y[0],
                argument=argument,
            )
            hint = "Let the first point be 0, 0."
            yield problem("law-starts-late", path, sentence, hint)
        else:
            sentence = Sentence(
                "'{name}' gives {at_zero:g} at zero {argument}.",
                name=name,
                at_zero=at_zero,
                argument=argument,
            )
            yield problem("law-at-zero", path, sentence, "Let it begin at zero.")
    beyond = y[x >= 0.0] if np.any(x >= 0.0) else y
    if float(np.min(beyond)) < -small:
        sentence = Sentence(
            "'{name}' falls to {np:g}, below zero.", name=name, np=float(np.min(beyond))
        )
        yield problem("law-negative", path, sentence, "Forces are positive here.")
    elif np.any(np.diff(beyond) < -small):
        at = x[x >= 0.0][int(np.argmax(np.diff(beyond) < -small))]
        sentence = Sentence(
            "'{name}' falls with growing {argument} from {at:g} on.",
            name=name,
            argument=argument,
            at=at,
        )
        hint = "Right for a padding that collapses; otherwise look at its points."
        yield problem("law-falls", path, sentence, hint)


@finds(
    PHYSICS,
    error={
        "ratio-range": "A ratio leaves the range from 0 to 1.",
        "friction-negative": "A coefficient of friction is below zero.",
        "temperature-range": "A gas temperature is not above zero.",
        "flow-negative": "An inflator draws gas in.",
    },
)
def ratios(index: Index) -> Iterator[Problem]:
    """Find ratios and coefficients out of their range, as numbers and as functions."""
    for law, path in index.elements("contact_laws"):
        for field in ("energy_ratio", "offset_ratio"):
            if hasattr(law, field):
                yield from _ratio(index, getattr(law, field), f"{path}/{field}")
        if hasattr(law, "friction"):
            yield from _not_negative(index, law.friction, f"{path}/friction")
    for law, path, _ in _sided(index):
        yield from _ratio(index, law.energy_ratio, f"{path}/energy_ratio")
        yield from _ratio(index, law.offset_ratio, f"{path}/offset_ratio")
    for point, path in index.of(SurfacePoint):
        for field in ("friction_along", "friction_across"):
            if getattr(point, field) is not None:
                yield from _not_negative(index, getattr(point, field), f"{path}/{field}")
    for joined, path in index.of(JunctionPoint):
        yield from _not_negative(index, joined.friction, f"{path}/friction")
    for tyre, path in index.elements("tyres"):
        yield from _not_negative(index, tyre.friction, f"{path}/friction")
    for leak, path in index.of(Leakage):
        yield from _ratio(index, leak.ratio, f"{path}/ratio")
    for inflator, path in index.of(MassFlowInflator):
        low, _ = range_of(index, inflator.temperature)
        if low <= 0.0:
            sentence = Sentence("The gas temperature falls to {low:g} K.", low=low)
            hint = "Temperatures are absolute: add 273.15 to degrees Celsius."
            yield problem("temperature-range", f"{path}/temperature", sentence, hint)
        low, _ = range_of(index, inflator.flow)
        if low < 0.0:
            sentence = Sentence("'{flow}' falls to {low:g} kg/s.", flow=inflator.flow, low=low)
            yield problem("flow-negative", f"{path}/flow", sentence, "Use a vent to let gas out.")


def range_of(index: Index, value: float | str) -> tuple[float, float]:
    """The least and greatest value of a constant or a function."""
    if not isinstance(value, str):
        return value, value
    _, y = samples(index.functions[value].form)
    return (float(np.min(y)), float(np.max(y))) if y.size else (0.5, 0.5)


def _ratio(index: Index, value: float | str, path: str) -> Iterator[Problem]:
    low, high = range_of(index, value)
    if low < -1e-12 or high > 1.0 + 1e-12:
        worst = low if low < -1e-12 else high
        sentence = Sentence(
            "The ratio reaches {worst:g}; it must stay between 0 and 1.", worst=worst
        )
        if isinstance(value, str):
            sentence = Sentence(
                "'{value}' reaches {worst:g}; the ratio must stay between 0 and 1.",
                value=value,
                worst=worst,
            )
        yield problem("ratio-range", path, sentence)


def _not_negative(index: Index, value: float | str, path: str) -> Iterator[Problem]:
    low, _ = range_of(index, value)
    if low < 0.0:
        sentence = Sentence("The coefficient of friction is {low:g}.", low=low)
        if isinstance(value, str):
            sentence = Sentence("'{value}' falls to {low:g}, below zero.", value=value, low=low)
        yield problem("friction-negative", path, sentence, "Friction is zero or more.")


@finds(
    PHYSICS,
    error={"contour-range": "A globographic contour leaves the range from 0 to 180 degrees."},
)
def contours(index: Index) -> Iterator[Problem]:
    """Find contours that are no angle on a sphere."""
    for stop, path in index.of(GlobographicStop):
        match contour := stop.contour:
            case LibraryContour():
                continue
            case PolynomialContour():
                field, angles = "coefficients", _polynomial(contour.coefficients)
            case FunctionContour():
                field, angles = "angle", samples(index.functions[contour.angle].form)[1]
            case _:
                assert_never(contour)
        worst = _worst_angle(angles)
        if worst is not None:
            sentence = Sentence(
                "The stop angle reaches {degrees:.1f} degrees.", degrees=np.degrees(worst)
            )
            hint = "It must stay between 0 and 180 degrees at every azimuth."
            yield problem("contour-range", f"{path}/contour/{field}", sentence, hint)


def _polynomial(coefficients: tuple[float, ...]) -> Any:
    """Evaluate section 6.2.6 at every degree of azimuth."""
    azimuth = np.radians(np.arange(360.0))
    c, s = np.cos(azimuth), np.sin(azimuth)
    pairs = np.zeros(len(coefficients) + len(coefficients) % 2)
    pairs[: len(coefficients)] = coefficients
    power = np.ones_like(c)
    total = np.zeros_like(c)
    for first, second in pairs.reshape(-1, 2):
        total += power * (first + second * s)
        power = power * c
    return total


def _worst_angle(angles: Any) -> float | None:
    if angles.size == 0:
        return None
    low, high = float(np.min(angles)), float(np.max(angles))
    if low < -1e-9:
        return low
    return high if high > np.pi + 1e-9 else None


@finds(
    PHYSICS,
    warning={"ramp-tiny": "Friction becomes full at almost no speed."},
)
def ramps(index: Index) -> Iterator[Problem]:
    """Find friction whose ramp is so short that steps become tiny."""
    hint = "A longer ramp lets the run take longer steps."
    for friction, path in index.of(Friction):
        if (friction.coulomb_nm or friction.coefficient) and friction.full_rate_rad_per_s < 1e-4:
            sentence = Sentence(
                "Friction is full at {full_rate_rad_per_s:g} rad/s already.",
                full_rate_rad_per_s=friction.full_rate_rad_per_s,
            )
            yield problem("ramp-tiny", f"{path}/full_rate_rad_per_s", sentence, hint)
    for slide, path in index.of(JointSlide):
        if (slide.coulomb_n or slide.coefficient) and slide.full_rate_m_per_s < 1e-5:
            sentence = Sentence(
                "Friction is full at {full_rate_m_per_s:g} m/s already.",
                full_rate_m_per_s=slide.full_rate_m_per_s,
            )
            yield problem("ramp-tiny", f"{path}/full_rate_m_per_s", sentence, hint)
    for law, path in index.elements("contact_laws"):
        is_printed = getattr(law, "friction_law", "") == "printed"
        if is_printed and law.friction != 0.0 and law.friction_ramp_m_per_s < 1e-5:
            sentence = Sentence(
                "Friction is full at {friction_ramp_m_per_s:g} m/s already.",
                friction_ramp_m_per_s=law.friction_ramp_m_per_s,
            )
            yield problem("ramp-tiny", f"{path}/friction_ramp_m_per_s", sentence, hint)
    for bag, path in index.of(Airbag):
        if (
            bag.friction_law == "printed"
            and bag.friction > 0.0
            and bag.friction_ramp_m_per_s < 1e-5
        ):
            sentence = Sentence(
                "Friction is full at {friction_ramp_m_per_s:g} m/s already.",
                friction_ramp_m_per_s=bag.friction_ramp_m_per_s,
            )
            yield problem("ramp-tiny", f"{path}/friction_ramp_m_per_s", sentence, hint)


BRISTLES = ("friction_stiffness_ratio", "friction_damping_ratio", "static_friction_ratio")
"""What only bristles heed."""


@finds(
    PHYSICS,
    warning={"friction-idle": "Something is said of bristles where friction has none."},
)
def bristles(index: Index) -> Iterator[Problem]:
    """Find numbers of bristles where friction goes by speed alone."""
    for one, path in [*index.elements("contact_laws"), *index.of(Airbag)]:
        if not isinstance(one, SurfaceLaw | Airbag):
            continue
        fields = type(one).model_fields
        said = [n for n in BRISTLES if n in fields and getattr(one, n) != fields[n].default]
        if said and one.friction_law == "printed":
            sentence = Sentence("Friction as printed has no bristles, so this does nothing.")
            hint = "Choose the friction law 'bristle', or leave the default here."
            yield problem("friction-idle", f"{path}/{said[0]}", sentence, hint)


@finds(
    PHYSICS,
    warning={"restitution-idle": "Poisson's law of restitution has nothing to give back."},
)
def poisson(index: Index) -> Iterator[Problem]:
    """Find Poisson's law where no restitution is given, or one that goes on in."""
    for law, path in index.elements("contact_laws"):
        if getattr(law, "restitution_law", "") != "poisson":
            continue
        if law.restitution is None:
            sentence = Sentence("There is no restitution, so the law of restitution does nothing.")
            hint = "Give a restitution, or leave the law at its default."
            yield problem("restitution-idle", f"{path}/restitution_law", sentence, hint)
        elif law.restitution < 0.0:
            sentence = Sentence(
                "By Poisson's law a restitution of {restitution:g} is taken as 0: an impulse cannot be given back that has not pressed.",
                restitution=law.restitution,
            )
            hint = "Give a restitution from 0 to 1, or choose Newton's law."
            yield problem("restitution-idle", f"{path}/restitution", sentence, hint)
