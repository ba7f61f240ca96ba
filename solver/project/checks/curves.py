"""Check functions by themselves: their points, ends and splits (third pass)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from solver.base.words import Sentence
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, finds, problem
from solver.project.forms import last_argument
from solver.project.functions import Form, Piece, Polynomial, Table, TwoRanges
from solver.project.problems import Problem


def pieces(index: Index) -> Iterator[tuple[Form, str]]:
    """Give every simple form of every function with its path."""
    for fn, path in index.elements("functions"):
        if isinstance(fn.form, TwoRanges):
            yield fn.form.first, f"{path}/form/first"
            yield fn.form.second, f"{path}/form/second"
        else:
            yield fn.form, f"{path}/form"


@finds(
    PHYSICS,
    error={
        "curve-lengths": "A table has more arguments than values, or fewer.",
        "curve-empty": "A table has no points.",
        "curve-falls-back": "A table's arguments do not increase.",
        "curve-equal-x": "Two points of a table have the same argument.",
        "polynomial-range": "A polynomial ends before it begins.",
    },
)
def forms(index: Index) -> Iterator[Problem]:
    """Find tables and polynomials that give no function."""
    for form, path in pieces(index):
        if isinstance(form, Polynomial) and form.x_min >= form.x_max:
            sentence = Sentence(
                "It reaches from {x_min:g} to {x_max:g}: that is nothing.",
                x_min=form.x_min,
                x_max=form.x_max,
            )
            yield problem("polynomial-range", f"{path}/x_max", sentence, "Let it end higher.")
        elif isinstance(form, Table):
            yield from _table(form, path)


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
    if isinstance(form, Polynomial):
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
