"""Run a synthesis: dimensions with which a marker follows a path or passes points, a row for each start."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from solver.analysis.linkages.loops import Loops
from solver.analysis.linkages.serial import LinkageError
from solver.analysis.linkages.synthesis import PASSED, Found, Led, along_path, through_points
from solver.base.words import Sentence
from solver.project.document import Project
from solver.project.geometry import PointRef
from solver.project.problems import Problem, ProjectError, error
from solver.project.studies import SynthesisStudy
from solver.project.study_parts import FormulaResponse, LedPoints, MissResponse
from solver.project.varying import FormulaError, value_of
from solver.studies.drawing import ends, present
from solver.studies.evaluate import Evaluator, Stopped
from solver.studies.responses import in_order
from solver.studies.rows import Array


def led_of(project: Project, study: SynthesisStudy) -> Led:
    """What a synthesis varies, and what it leads; raises ProjectError with every path that is no dimension."""
    marker = next(one for one in project.markers if one.id == study.marker)
    point = PointRef(segment=marker.segment, position_m=marker.point_m)
    path = f"studies/{study.id}"
    own = f"markers/{marker.id}/point_m"
    problems = list[Problem]()
    slots = []
    try:
        loops = Loops(project, {"point": point})
    except LinkageError as failure:
        raise ProjectError([error("study-option", path, failure.said)]) from None
    asked = [(f"parameters/{p.id}", p.path) for p in study.parameters]
    asked += [(f"following/{n}", one.path) for n, one in enumerate(study.following)]
    for where, wanted in asked:
        name = wanted.strip("/")
        try:
            slots.append(loops.slot(f"point{name.removeprefix(own)}" if name.startswith(own) else name))  # fmt: skip
        except LinkageError as failure:
            problems.append(error("study-path", f"{path}/{where}/path", failure.said))
    if problems:
        raise ProjectError(problems)
    low, high = ends(study.parameters)
    base = np.array([loops.numbers[one.key][one.place] for one in slots])
    count = len(study.parameters)
    factor = np.array([base[n] if one.is_factor else 1.0 for n, one in enumerate(study.parameters)])
    names = [one.id for one in study.parameters]

    def values(parameters: Array) -> Array:
        own_values: Array = parameters * factor
        if not study.following:
            return own_values
        rows = [
            [value_of(one.formula, dict(zip(names, row.tolist(), strict=True))) for one in study.following]
            for row in parameters
        ]  # fmt: skip
        return np.concatenate([own_values, np.array(rows)], axis=1)

    now = np.array(present(project, study)) if count else np.zeros(0)
    assert study.crank is not None
    return Led(point, study.crank, tuple(slots), values, low, high, np.clip(now, low, high))


def designs(
    project: Project, study: SynthesisStudy, tell: Callable[[float], object] | None = None
) -> list[Found]:
    """Look from every start; raises ProjectError where the linkage cannot be gone through."""
    led, along = led_of(project, study), study.along
    points = np.array(along.points_m)
    try:
        if isinstance(along, LedPoints):
            count = len(points) - 1
            turns = along.turns
            low = (
                np.array([one.low_rad for one in turns])
                if turns
                else np.full(count, -2.0 * math.pi)
            )
            high = (
                np.array([one.high_rad for one in turns])
                if turns
                else np.full(count, 2.0 * math.pi)
            )
            return through_points(project, led, points, low, high, study.starts, study.seed, tell)
        return along_path(
            project, led, points, along.begin_rad, along.sweep_rad, along.steps, study.starts, study.seed, tell=tell
        )  # fmt: skip
    except LinkageError as failure:
        raise ProjectError(
            [error("study-option", f"studies/{study.id}/crank", failure.said)]
        ) from None


def synthesised(project: Project, study: SynthesisStudy, evaluator: Evaluator) -> dict[str, Any]:
    """Run a synthesis: a row for each start, and what stands in no column."""
    begin = time.perf_counter()

    def tell(_: float) -> None:
        if evaluator.is_cancelled():
            raise Stopped

    found = designs(project, study, tell)
    each = (time.perf_counter() - begin) / len(found)
    for one in found:
        values, why = _outputs(study, one)
        evaluator.take(tuple(one.values.tolist()), values, why, each)
    return synthesis_told([one.crank.tolist() for one in found], [one.largest_m for one in found], [one.turns for one in found])  # fmt: skip


def synthesis_told(
    crank: Sequence[Sequence[float]], largest: Sequence[float], turns: Sequence[bool]
) -> dict[str, Any]:
    """What a synthesis answers beside its table."""
    passed = [far < PASSED for far in largest]
    return {
        "ended": "completed",
        "passed": sum(passed),
        "turned": sum(a and bool(b) for a, b in zip(passed, turns, strict=True)),
        "crank_rad": [list(one) for one in crank],
    }


def _outputs(study: SynthesisStudy, one: Found) -> tuple[tuple[float, ...], str]:
    taken: Mapping[str, float] = {
        "mean": one.mean_m,
        "largest": one.largest_m,
        "turns": float(one.turns),
    }
    known = dict(zip((p.id for p in study.parameters), one.values.tolist(), strict=True))
    missing = list[Sentence]()
    for response in in_order(study.responses):
        try:
            known[response.id] = (
                taken[response.take] if isinstance(response, MissResponse)
                else value_of(response.formula, known) if isinstance(response, FormulaResponse)
                else math.nan
            )  # fmt: skip
        except FormulaError as failure:
            known[response.id] = math.nan
            missing.append(Sentence("{name}: {why}", name=response.id, why=failure.said))
    why = " ".join(word.english() for word in missing)
    return tuple(known[response.id] for response in study.responses), why
