"""Run bench tests and judge them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from solver.base.words import tr
from solver.bodies.body import Body
from solver.bodies.dummies import dummy
from solver.engine.maths.rotation import Array
from solver.project.document import Project
from solver.project.functions import Table
from solver.project.outputs import JointOutput
from solver.project.study_parts import Asked
from solver.results.quantities import Quantities, quantities
from solver.results.trajectory import Trajectory
from solver.running.outputs.penetration import passages
from solver.running.simulation import Simulation, simulate
from solver.studies.bench.fixtures import scene
from solver.studies.bench.sideways import STRUCK
from solver.studies.bench.table import UNITS, BenchTest, bench_tests

# Figures of bench tests, from the curves of a run.

Curve = tuple[Array, Array]


class NoFigure(ValueError):
    """Say that a run has no such figure: what is asked never happened."""


@dataclass(frozen=True)
class Curves:
    """The curves of a test by name: time (s) and value (SI)."""

    test: BenchTest
    of: Mapping[str, Curve]

    def figure(self, asked: Asked) -> float:
        """One figure, SI; raises NoFigure where there is none."""
        return FIGURES[asked.figure](self, asked)

    def __getitem__(self, name: str) -> Curve:
        """A curve."""
        return self.of[name]

    @property
    def sign(self) -> float:
        """Which way a neck's moment counts: flexion up, extension down."""
        return -1.0 if self.test.kind == "neck_extension" else 1.0


def peak(curve: Curve, sign: float = 1.0) -> tuple[float, float]:
    """Give time and value of the largest, or with a sign of -1 the lowest, value; between samples by a parabola."""
    t, y = curve[0], curve[1] * sign
    at = int(np.argmax(y))
    if not 0 < at < len(y) - 1:
        return float(t[at]), float(sign * y[at])
    a, b, c = y[at - 1 : at + 2]
    bend = a - 2.0 * b + c
    off = 0.0 if bend == 0.0 else 0.5 * (a - c) / bend
    return float(t[at] + off * (t[at + 1] - t[at])), float(sign * (b - 0.25 * (a - c) * off))


def falls_to(curve: Curve, level: float, after: float) -> float:
    """When a curve first falls to a level after a time."""
    t, y = curve
    later = np.flatnonzero((t[1:] > after) & (y[1:] <= level) & (y[:-1] > level))
    if not later.size:
        raise NoFigure(tr("it does not come back to {level:g}", level=level))
    i = int(later[0])
    return float(t[i] + (y[i] - level) / (y[i] - y[i + 1]) * (t[i + 1] - t[i]))


def _rotation_back(c: Curves, _: Asked) -> float:
    return falls_to(c["rotation"], 0.0, peak(c["rotation"])[0])


def _moment_back(c: Curves, asked: Asked) -> float:
    t, y = c["moment"]
    level = abs(asked.at or 0.0)
    return falls_to((t, c.sign * y), level, peak(c["moment"], c.sign)[0])


def _moment_at(c: Curves, asked: Asked) -> float:
    """The moment when the rotation first comes to an angle."""
    found = _first_at(c["rotation"], c["moment"], np.deg2rad(asked.at or 0.0))
    if found is None:
        raise NoFigure(tr("it does not come to {at:g}°", at=asked.at or 0.0))
    return found


def _moment_within(c: Curves, _: Asked) -> float:
    """Give the largest moment while the rotation lies in its corridor."""
    t, moment = c["moment"]
    asked = next(a for a in c.test.asked if a.figure == "rotation")
    angle = np.rad2deg(np.interp(t, *c["rotation"]))
    inside = (angle >= (asked.low or 0.0)) & (angle <= (asked.high or np.inf))
    if not inside.any():
        raise NoFigure(tr("the rotation does not come into its corridor"))
    return float(c.sign * (c.sign * moment[inside]).max())


def _pulse(c: Curves, asked: Asked) -> float:
    return float(np.interp((asked.at or 0.0) * 1e-3, *c["pulse"]))


def _pulse_later(c: Curves, asked: Asked) -> float:
    t, y = c["pulse"]
    return float(y[t > (asked.at or 0.0) * 1e-3].max())


def _pulse_falls(c: Curves, asked: Asked) -> float:
    return falls_to(c["pulse"], (asked.at or 0.0) * 9.80665, 0.02)


def lost(pulse: Curve) -> Curve:
    """The speed that a deceleration takes, by time."""
    t, y = pulse
    return t, np.concatenate(([0.0], np.cumsum(0.5 * (y[1:] + y[:-1]) * np.diff(t))))


def _speed_loss(c: Curves, asked: Asked) -> float:
    return float(np.interp((asked.at or 0.0) * 1e-3, *lost(c["pulse"])))


def _second_peak(c: Curves, _: Asked) -> float:
    """The largest oscillation after the main pulse, in parts of its peak."""
    y = c["head"][1]
    top = int(np.argmax(y))
    rising = np.flatnonzero(y[top + 1 :] > y[top:-1])
    # from where it first rises again; where it never does, nothing is left
    return float(y[top + int(rising[0]) :].max() / y[top]) if rising.size else 0.0


def _lateral(c: Curves, _: Asked) -> float:
    return float(np.abs(c["lateral"][1]).max())


def _inside(c: Curves, low: float, high: float) -> Array:
    """The forces of the probe while the sternum is between two deflections (m), on the way in."""
    _, x = c["deflection"]
    force = np.interp(c["deflection"][0], *c["force"])
    inwards = np.arange(len(x)) <= int(np.argmax(x))
    found: Array = force[inwards & (x >= low) & (x <= high)]
    if not found.size:
        raise NoFigure(tr("the sternum does not come to {mm:g} mm", mm=low * 1e3))
    return found


def _force_between(c: Curves, asked: Asked) -> float:
    low = (asked.at or 0.0) * 1e-3
    return float(_inside(c, low, (asked.until or 0.0) * 1e-3).max())


def _hysteresis(c: Curves, _: Asked) -> float:
    """Give the part of the work on the sternum that it does not give back."""
    t, x = c["deflection"]
    force = np.interp(t, *c["force"])
    work = np.concatenate(([0.0], np.cumsum(0.5 * (force[1:] + force[:-1]) * np.diff(x))))
    # until the probe is off again
    top = int(np.argmax(x))
    free = np.flatnonzero((force[top:] <= 0.01 * force.max()) | (x[top:] <= 0.0))
    if not free.size:
        raise NoFigure(tr("the probe does not come off"))
    return float(work[top + int(free[0])] / work[top])


def _torque_at(c: Curves, asked: Asked) -> float:
    found = _first_at(c["angle"], c["load"], np.deg2rad(asked.at or 0.0))
    if found is None:
        raise NoFigure(tr("it does not come to {at:g}°", at=asked.at or 0.0))
    return found


def _load_at(c: Curves, asked: Asked) -> float:
    found = _first_at(c["deflection"], c["load"], 1e-3 * (asked.at or 0.0))
    if found is None:
        raise NoFigure(tr("the sternum does not come to {mm:g} mm", mm=asked.at or 0.0))
    return found


def _first_at(moving: Curve, load: Curve, level: float) -> float | None:
    """A load when an angle or a way first comes to a level; none where it never does."""
    t, way = moving
    beyond = np.flatnonzero(way >= level)
    if not beyond.size:
        return None
    i = max(int(beyond[0]), 1)
    when = float(np.interp(level, way[i - 1 : i + 1], t[i - 1 : i + 1]))
    return float(np.interp(when, *load))


def _angle_at(c: Curves, asked: Asked) -> float:
    t, load = c["load"]
    beyond = np.flatnonzero(load >= (asked.at or 0.0))
    if not beyond.size:
        raise NoFigure(tr("the load does not come to {at:g} N·m", at=asked.at or 0.0))
    i = max(int(beyond[0]), 1)
    when = float(np.interp(asked.at or 0.0, load[i - 1 : i + 1], t[i - 1 : i + 1]))
    return float(np.interp(when, *c["angle"]))


def _of(c: Curves, asked: Asked) -> Curve:
    """The curve that a figure of a test from the side is of, from a time onwards."""
    t, y = c[asked.of]
    late = t >= (asked.at or 0.0) * 1e-3
    return t[late], y[late]


FIGURES: Mapping[str, Callable[[Curves, Asked], float]] = {
    "rotation": lambda c, _: peak(c["rotation"])[1],
    "rotation_time": lambda c, _: peak(c["rotation"])[0],
    "rotation_back": _rotation_back,
    "moment": lambda c, _: peak(c["moment"], c.sign)[1],
    "moment_at": _moment_at,
    "moment_within": _moment_within,
    "moment_time": lambda c, _: peak(c["moment"], c.sign)[0],
    "moment_back": _moment_back,
    "pulse_g": _pulse,
    "pulse_later": _pulse_later,
    "pulse_falls": _pulse_falls,
    "speed_loss": _speed_loss,
    "peak": lambda c, _: peak(c["head"])[1],
    "second_peak": _second_peak,
    "lateral": _lateral,
    "force": lambda c, _: peak(c["force"])[1],
    "force_between": _force_between,
    "deflection": lambda c, _: peak(c["deflection"])[1],
    "hysteresis": _hysteresis,
    "load_at": _load_at,
    "torque_at": _torque_at,
    "angle_at": _angle_at,
    "start": lambda c, _: float(np.interp(0.99, *c["angle"])),
    "rotation_after": lambda c, _: _rotation_back(c, _) - peak(c["rotation"])[0],
    "peak_after": lambda c, asked: peak(_of(c, asked))[1],
    "peak_time": lambda c, asked: peak(_of(c, asked))[0],
    "returns": lambda c, _: abs(float(c["angle"][1][-1] - np.interp(0.99, *c["angle"]))),
}
"""Figures by their name in the table."""

OF_INPUT = ("pulse_g", "pulse_later", "pulse_falls", "speed_loss")
"""Figures of what is done to the dummy: nothing in it moves them."""


@dataclass(frozen=True)
class Verdict:
    """One figure, in the unit of the table, and whether it lies in its corridor."""

    asked: Asked
    value: float | None
    reason: str = ""

    @property
    def passed(self) -> bool:
        """Whether the figure lies in its corridor."""
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
    """What came out of one test: curves and verdicts."""

    dummy: str
    test: BenchTest
    project: Project
    curves: Curves
    verdicts: tuple[Verdict, ...]
    passages: tuple[str, ...] = ()
    """What passed through what, as sentences: figures in their corridors say nothing of it."""

    @property
    def passed(self) -> bool:
        """Whether all is in its corridor."""
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


_SWUNG = {"rotation": "turn_angle", "moment": "top_x", "pulse": "arm_y"}
_RIB = {"middle_rib": "middle_rib_slide"}
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
    "head_side": {"head": "head_resultant", "lateral": "head_x"},
    "neck_side": _SWUNG,
    "lumbar_side": _SWUNG,
    "rib_drop": _RIB,
    "rib_drop_low": _RIB,
}
"""Channels of the curves of each kind of test."""


def _side_curves(project: Project) -> Mapping[str, str]:
    """Name the channels of a test in which a probe strikes a dummy from the left."""
    ways = {joint.id: "slide" if joint.kind == "slip" else "angle" for joint in project.joints}
    found = {"probe": "probe_y"}
    for output in project.outputs:
        if isinstance(output, JointOutput):
            found[output.id] = (
                f"{output.id}_{ways[output.joint] if output.quantity == 'angle' else 'y'}"
            )
        elif output.id in ("T1", "T12", "pelvis"):
            found[output.id] = f"{output.id}_y"
    return found


def _either_way(found: Mapping[str, Curve], mass: float) -> dict[str, Curve]:
    """Count all loads and accelerations up, and give the force of the probe."""
    made = {
        name: (t, np.abs(y) if name in ("T1", "T12", "pelvis", "load") else y)
        for name, (t, y) in found.items()
    }
    t, y = found["probe"]
    made["probe"] = (t, -y)
    return {"force": (t, -mass * y), **made}


def curves_of(test: BenchTest, project: Project, of: Quantities) -> Curves:
    """Give the curves of a test from what a run of its scene recorded."""
    found = dict[str, Curve]()
    for name, channel in (CURVES.get(test.kind) or _side_curves(project)).items():
        one = of(channel)
        if one.cfc:
            one = one.filtered()
        found[name] = (one.time, one.value)
    if test.kind in ("neck_side", "lumbar_side"):
        # what resists the headform's turn is below zero
        found["moment"] = (found["moment"][0], -found["moment"][1])
    if "pulse" in found:
        ahead = 1.0 if test.kind == "neck_flexion" else -1.0
        found["pulse"] = (found["pulse"][0], -ahead * found["pulse"][1])
    if test.kind in STRUCK:
        return Curves(test, _either_way(found, test.mass))
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
