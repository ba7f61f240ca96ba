"""Check that numbers are such as physics has: none that only rounding can have left there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple, get_args, get_origin

import numpy as np
from annotated_types import Gt

from solver.base.words import Sentence
from solver.engine.maths.alike import exp
from solver.project import waves
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
from solver.project.fields import LIMIT, Part
from solver.project.forms import last_argument
from solver.project.functions import (
    CREST_SEEN,
    MOST_LINES,
    MOST_PIECES,
    Excitation,
    Form,
    Piece,
    Polynomial,
    Random,
    Sum,
    Sweep,
    Table,
    TwoRanges,
    crest_found,
    density_is_sound,
    highest_hz,
    is_sound,
    lines,
    pieces,
)
from solver.project.problems import Problem
from solver.project.waves import Wave

TINIEST = 1e-100
"""A number nearer to zero than this, zero itself left out, is no quantity of any field."""

LEAST, LEAST_LENGTH = 1e-15, 1e-6
"""What must be above zero is no smaller, in SI; lengths (m) no shorter."""


class Bound(NamedTuple):
    """Hold the name of a field, and the least value where it must be above zero."""

    name: str
    least: float
    unit: str


@cache
def _bounds(model: type[Part]) -> tuple[Bound, ...]:
    """The fields of a model that may hold numbers, read from the schema once."""
    out = []
    for name, field in model.model_fields.items():
        extra = field.json_schema_extra
        if not isinstance(extra, dict) or "unit" not in extra:
            continue
        unit = str(extra["unit"])
        limits = [*field.metadata, *_limits_of_items(field.annotation)]
        positive = any(isinstance(one, Gt) and one.gt == 0 for one in limits)
        least = (LEAST_LENGTH if unit == "m" else LEAST) if positive else TINIEST
        out.append(Bound(name, least, unit))
    return tuple(out)


def _limits_of_items(annotation: Any) -> list[Any]:
    """The limits of the items of a tuple."""
    if get_origin(annotation) is not tuple:
        return []
    out: list[Any] = []
    for item in get_args(annotation):
        for one in getattr(item, "__metadata__", ()):
            out += getattr(one, "metadata", [one])
    return out


@finds(
    TOPOLOGY,
    error={"number-tiny": "A number is so near to zero that nothing can be meant by it."},
)
def numbers(index: Index) -> Iterator[Problem]:
    """Find numbers that would leave the range of arithmetic when squared or divided by."""
    for list_ in index.walks:
        for element in () if list_.is_fine else list_.elements:
            if not element.is_fine:
                found = [
                    one
                    for model, parts in element.parts.items()
                    if _bounds(model)
                    for at in parts
                    for one in _of(*at)
                ]
                yield from found
                element.is_fine = not found
        list_.is_fine = all(element.is_fine for element in list_.elements)
    # the document's own
    yield from _of(index.whole, "")


def _of(part: Part, path: str) -> Iterator[Problem]:
    """Find the numbers of one part that are all but nothing."""
    for bound in _bounds(type(part)):
        for where, one in _tiny(getattr(part, bound.name), bound.least):
            at = "/".join(filter(None, (path, bound.name, where)))
            unit = f" {bound.unit}" if bound.unit not in ("", "1") else ""
            sentence = Sentence("{one:g}{unit} is all but nothing.", one=one, unit=unit)
            hint = (
                Sentence("Write 0, or the number that is meant.")
                if bound.least == TINIEST
                else Sentence("Give {least:g}{unit} at least.", least=bound.least, unit=unit)
            )
            yield problem("number-tiny", at, sentence, hint)


def _tiny(value: Any, least: float) -> Iterator[tuple[str, float]]:
    """The first number of a field that is too near to zero, with its place in a row."""
    if isinstance(value, float):
        if 0.0 < abs(value) < least:
            yield "", value
    elif isinstance(value, tuple) and value and isinstance(value[0], float):
        for i, one in enumerate(value):
            if 0.0 < abs(one) < least:
                yield str(i), one
                return
    elif isinstance(value, tuple) and value and isinstance(value[0], tuple):
        for i, row in enumerate(value):
            for where, found in _tiny(row, least):
                yield f"{i}/{where}", found
                return


# Check functions by themselves: their points, ends and splits (third pass).


def simple_forms(index: Index) -> Iterator[tuple[Form, str]]:
    """Give every simple form of every function with its path."""
    for fn, path in index.elements("functions"):
        if isinstance(fn.form, TwoRanges):
            yield fn.form.first, f"{path}/form/first"
            yield fn.form.second, f"{path}/form/second"
        elif isinstance(fn.form, Sum):
            for i, term in enumerate(fn.form.terms):
                yield term, f"{path}/form/terms/{i}"
        else:
            yield fn.form, f"{path}/form"


@finds(
    PHYSICS,
    error={
        "curve-lengths": "A table has more arguments than values, or fewer.",
        "curve-empty": "A table has no points.",
        "curve-falls-back": "A table's arguments do not increase.",
        "curve-equal-x": "Two points of a table have the same argument.",
        "polynomial-range": "A polynomial, a sine or an exponential ends before it begins.",
        "wave-long": "A sine or an exponential has too many cycles.",
        "wave-large": "A sine or an exponential grows beyond all bounds.",
    },
)
def forms(index: Index) -> Iterator[Problem]:
    """Find tables and polynomials that give no function."""
    for form, path in simple_forms(index):
        if isinstance(form, Polynomial | Wave) and form.x_min >= form.x_max:
            sentence = Sentence(
                "It reaches from {x_min:g} to {x_max:g}: that is nothing.",
                x_min=form.x_min,
                x_max=form.x_max,
            )
            yield problem("polynomial-range", f"{path}/x_max", sentence, "Let it end higher.")
        elif isinstance(form, Table):
            yield from _table(form, path)
        elif isinstance(form, Wave):
            yield from _wave(form, path)


def _wave(form: Wave, path: str) -> Iterator[Problem]:
    if waves.pieces(form) > waves.MOST_PIECES:
        sentence = Sentence(
            "From {x_min:g} to {x_max:g} it turns or grows by {turns:.3g} times 2 pi; at most {most:.0f} are followed.",
            x_min=form.x_min,
            x_max=form.x_max,
            turns=waves.pieces(form) / waves.PER_TURN,
            most=waves.MOST_PIECES / waves.PER_TURN,
        )
        yield problem("wave-long", f"{path}/x_max", sentence, "Let it end sooner.")
        return
    size = abs(form.amplitude) * float(exp(form.growth * max(form.x_min, form.x_max, key=lambda x: form.growth * x)))  # fmt: skip
    if not size <= LIMIT:
        sentence = Sentence("It grows to {size:.2g}; no number is larger than 1e15.", size=size)
        yield problem("wave-large", f"{path}/growth", sentence, "Let it grow less, or end sooner.")


def _table(table: Table, path: str) -> Iterator[Problem]:
    if table.csv is not None and not table.x and not table.y:
        return
    if len(table.x) != len(table.y):
        sentence = Sentence(
            "There are {count} arguments and {count_2} values.",
            count=len(table.x),
            count_2=len(table.y),
        )
        yield problem("curve-lengths", f"{path}/y", sentence, "Give one value for each argument.")
        return
    if not table.x:
        hint = "Give x and y, or name a CSV file."
        yield problem("curve-empty", f"{path}/x", "The table has no points.", hint)
        return
    steps = np.diff(np.array(table.x))
    if np.all(steps > 0.0):
        return
    i = int(np.argmax(steps <= 0.0))
    where = f"{path}/x" if table.csv is None else f"{path}/csv"
    before, after = table.x[i], table.x[i + 1]
    if before == after:
        sentence = Sentence(
            "Points {i} and {i_2} both stand at {before:g}.", i=i + 1, i_2=i + 2, before=before
        )
        hint = "For a jump, move one of them by a little."
        yield problem("curve-equal-x", where, sentence, hint)
    else:
        sentence = Sentence(
            "Point {i} stands at {after:g}, before point {i_2} at {before:g}.",
            i=i + 2,
            after=after,
            i_2=i + 1,
            before=before,
        )
        yield problem("curve-falls-back", where, sentence, "Sort the points by their arguments.")


@finds(
    PHYSICS,
    warning={"split-outside": "The split of two ranges leaves one of them without use."},
)
def splits(index: Index) -> Iterator[Problem]:
    """Find splits that lie before the first form or after the second."""
    for fn, path in index.elements("functions"):
        if not isinstance(fn.form, TwoRanges):
            continue
        first, second, split = fn.form.first, fn.form.second, fn.form.split
        start = _start(first)
        end = last_argument(second)
        where = f"{path}/form/split"
        if start is not None and split <= start:
            sentence = Sentence(
                "The first form begins at {start:g}, not below the split at {split:g}.",
                start=start,
                split=split,
            )
            yield problem("split-outside", where, sentence, "Move the split into its range.")
        elif end is not None and split >= end:
            sentence = Sentence(
                "The second form ends at {end:g}, not beyond the split at {split:g}.",
                end=end,
                split=split,
            )
            yield problem("split-outside", where, sentence, "Move the split before its end.")


def _start(form: Piece) -> float | None:
    if isinstance(form, Polynomial | Wave):
        return float(form.x_min)
    return float(form.x[0]) if isinstance(form, Table) and form.x else None


@finds(
    PHYSICS,
    note={
        "function-unused": "No element uses a function.",
        "law-unused": "No element uses a contact law.",
    },
)
def unused(index: Index) -> Iterator[Problem]:
    """Find functions and laws that nothing refers to."""
    used: dict[str, set[str]] = {"functions": set(), "contact_laws": set()}
    for ref in index.refs:
        if ref.field.to in used:
            used[ref.field.to].add(ref.value)
    for fn, path in index.elements("functions"):
        if fn.id not in used["functions"]:
            yield problem("function-unused", path, Sentence("Nothing uses '{fn}'.", fn=fn.id))
    for law, path in index.elements("contact_laws"):
        if law.id not in used["contact_laws"]:
            yield problem("law-unused", path, Sentence("Nothing uses '{law}'.", law=law.id))


# Check sweeps and random signals (third pass).


@finds(
    PHYSICS,
    error={
        "excitation-of-time": "A sweep or a random signal does not go over time.",
        "excitation-long": "A sweep or a random signal has too many cycles.",
        "excitation-ease": "A signal is still growing when it has to die away.",
        "random-density": "The density of a random signal is none.",
        "random-band": "No line of a random signal lies in its band, or too many do.",
        "random-crest": "The crest factor of a random signal cannot be met.",
    },
)
def excitations(index: Index) -> Iterator[Problem]:
    """Find signals over time that cannot be made."""
    for fn, path in index.elements("functions"):
        if not isinstance(fn.form, Sweep | Random):
            continue
        if fn.x_unit != "s":
            sentence = Sentence("It swings over time; its argument is in {unit}.", unit=fn.x_unit)
            yield problem("excitation-of-time", f"{path}/x_unit", sentence, "Let it be s.")
        yield from _common(fn.form, f"{path}/form")
        if isinstance(fn.form, Random):
            yield from _random(fn.form, f"{path}/form")


def _common(form: Sweep | Random, path: str) -> Iterator[Problem]:
    assert isinstance(form, Excitation)
    if pieces(form) > MOST_PIECES:
        sentence = Sentence(
            "{duration:g} s at up to {hz:g} Hz are {cycles:.0f} cycles; at most {most:.0f} are followed.",
            duration=form.duration_s,
            hz=highest_hz(form),
            cycles=form.duration_s * highest_hz(form),
            most=MOST_PIECES * form.duration_s * highest_hz(form) / pieces(form),
        )
        yield problem("excitation-long", f"{path}/duration_s", sentence, "Let it be shorter.")
    if 2.0 * form.ease_s > form.duration_s:
        sentence = Sentence(
            "It grows and dies away within {ease:g} s each, and lasts {duration:g} s.",
            ease=form.ease_s,
            duration=form.duration_s,
        )
        yield problem("excitation-ease", f"{path}/ease_s", sentence, "Ease it in less time.")


def _random(form: Random, path: str) -> Iterator[Problem]:
    if not density_is_sound(form):
        sentence = Sentence(
            "A density needs one value, not below zero, for each of its frequencies, and these increase."
        )
        yield problem("random-density", f"{path}/density", sentence)
        return
    if form.high_hz / form.line_hz > MOST_LINES:
        sentence = Sentence(
            "Lines {line:g} Hz apart up to {high:g} Hz are more than {most}.",
            line=form.line_hz,
            high=form.high_hz,
            most=MOST_LINES,
        )
        yield problem("random-band", f"{path}/line_hz", sentence, "Set them further apart.")
        return
    if not lines(form)[1].any():
        sentence = Sentence(
            "No multiple of {line:g} Hz lies between {low:g} and {high:g} Hz where the density is above zero.",
            line=form.line_hz,
            low=form.low_hz,
            high=form.high_hz,
        )
        yield problem("random-band", f"{path}/line_hz", sentence, "Widen the band.")
        return
    if form.crest is not None and is_sound(form):
        found = crest_found(form)
        if abs(found - form.crest) > CREST_SEEN:
            sentence = Sentence(
                "A crest factor of {crest:g} is not met: with these lines and this seed it comes to {found:.4g}.",
                crest=form.crest,
                found=found,
            )
            yield problem("random-crest", f"{path}/crest", sentence, "Try another seed or value.")
