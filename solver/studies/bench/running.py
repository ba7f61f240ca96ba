"""Run bench tests and judge them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from solver.bodies.body import Body
from solver.bodies.dummies import dummy
from solver.project.document import Project
from solver.project.functions import Table
from solver.project.study_tests import Asked
from solver.results.quantities import Quantities, quantities
from solver.results.trajectory import Trajectory
from solver.running.outputs.watch import passages
from solver.running.simulation import Simulation, simulate
from solver.studies.bench.figures import Curve, Curves, NoFigure
from solver.studies.bench.fixtures import scene
from solver.studies.bench.table import UNITS, BenchTest, bench_tests


@dataclass(frozen=True)
class Verdict:
    """Hold one figure, in the unit of the table, and whether it lies in its corridor."""

    asked: Asked
    value: float | None
    reason: str = ""

    @property
    def passed(self) -> bool:
        """Tell whether the figure lies in its corridor."""
        if self.value is None:
            return False
        low, high = self.asked.low, self.asked.high
        return (low is None or self.value >= low) and (high is None or self.value <= high)

    @property
    def margin(self) -> float | None:
        """Give the distance to the nearer end in halves of the corridor: 1 in the middle, below 0 outside."""
        low, high, value = self.asked.low, self.asked.high, self.value
        if value is None:
            return None
        if low is None or high is None:
            end = high if low is None else low
            assert end is not None
            return (1.0 if low is None else -1.0) * (end - value) / abs(end)
        return 2.0 * min(value - low, high - value) / (high - low)


@dataclass(frozen=True)
class Result:
    """Hold what came out of one test: curves and verdicts."""

    dummy: str
    test: BenchTest
    project: Project
    curves: Curves
    verdicts: tuple[Verdict, ...]
    passages: tuple[str, ...] = ()
    """What passed through what, as sentences: figures in their corridors say nothing of it."""

    @property
    def passed(self) -> bool:
        """Tell whether all is in its corridor."""
        return all(v.passed for v in self.verdicts)


class Cancelled(Exception):
    """Say that a test was given up."""


def run_test(
    name: str,
    test: BenchTest,
    body: Body | None = None,
    cancel: Callable[[], bool] | None = None,
    watched: bool = True,
) -> Result:
    """Run one test of a dummy of the library, or of a body made in its manner.

    Raises Cancelled where `cancel` says so; of a run that failed there are no figures. One of many is read for its
    figures alone: `watched` says whether it is looked at what passed through what.
    """
    project = scene(test, dummy(name) if body is None else body)
    run = simulate(project, cancel=cancel) if watched else _solved(project)
    if run.status == "cancelled":
        raise Cancelled
    curves = curves_of(test, project, quantities(run))
    failed = "" if run.status == "completed" else run.message
    verdicts = tuple(Verdict(a, None, failed) if failed else verdict(curves, a) for a in test.asked)
    passed = tuple(str(one.sentence()) for one in passages(project, run)) if watched else ()
    return Result(name, test, project, curves, verdicts, passed)


def _solved(project: Project) -> Trajectory:
    """Solve a scene into memory, without injury figures."""
    simulation = Simulation(project)
    memory = simulation.memory()
    outcome = simulation.go([memory])
    memory.finish(outcome.status, outcome.message, (), outcome.notes)
    return memory


def run_bench(name: str) -> list[Result]:
    """Run all tests of a dummy."""
    return [run_test(name, test) for test in bench_tests(name)]


def verdict(curves: Curves, asked: Asked) -> Verdict:
    """Judge one figure."""
    size = UNITS[asked.unit][0]
    try:
        return Verdict(asked, curves.figure(asked) / size)
    except NoFigure as failure:
        return Verdict(asked, None, str(failure))


CURVES: Mapping[str, Mapping[str, str]] = {
    "head_drop": {"head": "head_resultant", "lateral": "head_y"},
    "neck_flexion": {"rotation": "turn_angle", "moment": "condyles_y", "pulse": "arm_x"},
    "neck_extension": {"rotation": "turn_angle", "moment": "condyles_y", "pulse": "arm_x"},
    "thorax": {"force": "probe_x", "deflection": "sternum_slide"},
    "thorax_slow": {"force": "probe_x", "deflection": "sternum_slide"},
    "thorax_pressed": {"deflection": "sternum_slide"},
    "knee": {"force": "probe_x"},
    "hip": {"angle": "raising_angle", "load": "raising_torque"},
    "torso_flexion": {"angle": "leaning_angle"},
}
"""Channels of the curves of each kind of test."""


def curves_of(test: BenchTest, project: Project, of: Quantities) -> Curves:
    """Give the curves of a test from what a run of its scene recorded."""
    found = dict[str, Curve]()
    for name, channel in CURVES[test.kind].items():
        one = of(channel)
        if one.cfc:
            one = one.filtered()
        found[name] = (one.time, one.value)
    if "pulse" in found:
        ahead = -1.0 if test.kind == "neck_extension" else 1.0
        found["pulse"] = (found["pulse"][0], -ahead * found["pulse"][1])
    if "angle" in found:
        time, angle = found["angle"]
        found["angle"] = (time, angle - angle[0])
    if "force" in found:
        found["force"] = (found["force"][0], test.mass * found["force"][1])
    if "load" in found:
        # what resists the thigh's growing angle is below zero, as it drives
        found["load"] = (found["load"][0], -found["load"][1])
    for load in project.loads:
        form = next(f for f in project.functions if f.id == load.history).form
        assert isinstance(form, Table)
        found["load"] = (np.array(form.x), np.array(form.y))
    return Curves(test, found)
