"""Check runs, outputs, and motions in time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from solver.project.amounts import amounts
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
from solver.project.forms import last_argument, value_at
from solver.project.motions import MotionComponent
from solver.project.problems import Problem
from solver.project.runs import VectorExponential

MUCH, TOO_MUCH = 1e9, 1e11
"""Bytes from which a run stores much, and more than anybody can use."""
MOST_INSTANTS, MOST_STEPS = 1e8, 1e9
"""Instants that a run may look at, and steps that it may take."""
SAMPLES_PER_CLASS = 10


@finds(
    TOPOLOGY,
    error={
        "output-gravity-idle": "Gravity is to be felt by something else than an acceleration.",
        "output-angles-idle": "A form of angles or an axis is chosen where no such angles are written.",
        "output-axis-none": "Angles are to be counted about an axis that has no direction.",
        "output-joint-none": "A joint is followed that has nothing of the kind.",
        "vei-test-twice": "The same vector is tested twice for convergence.",
    },
    warning={
        "output-of-itself": "A segment is followed as seen from itself.",
        "vei-test-off": "A convergence test is switched off.",
    },
)
def outputs(index: Index) -> Iterator[Problem]:
    """Find outputs and tests that give nothing."""
    for output, path in index.elements("outputs"):
        if output.kind == "point" and output.with_gravity and output.quantity != "acceleration":
            sentence = f"A {output.quantity} does not feel gravity."
            yield problem(
                "output-gravity-idle", f"{path}/with_gravity", sentence, "Set it to false."
            )
        elif output.kind == "rotation":
            yield from _rotation(output, path)
        elif output.kind == "joint":
            yield from _joint(index, output, path)
        if output.kind in ("point", "rotation") and output.segment == output.relative_to:
            sentence = f"'{output.segment}' is followed as seen from itself: it does not move."
            yield problem("output-of-itself", f"{path}/relative_to", sentence, "Name another one.")
    for integrator, path in index.of(VectorExponential):
        seen: set[tuple[str, str]] = set()
        for i, test in enumerate(integrator.tests):
            where = f"{path}/tests/{i}"
            if (test.segment, test.vector) in seen:
                what = test.vector.replace("_", " ")
                sentence = f"The {what} of '{test.segment}' is tested already."
                yield problem("vei-test-twice", f"{where}/vector", sentence, "Keep one test.")
            seen.add((test.segment, test.vector))
            if test.magnitude == 0.0:
                sentence = "With a magnitude (T1) of zero this vector is never tested."
                hint = "Give the magnitude from which it counts, or remove the test."
                yield problem("vei-test-off", f"{where}/magnitude", sentence, hint)


def _rotation(output: Any, path: str) -> Iterator[Problem]:
    if output.angles != "yaw_pitch_roll" and output.quantity != "angle":
        sentence = f"An angular {output.quantity} is a vector; it has no form of angles."
        yield problem("output-angles-idle", f"{path}/angles", sentence, "Leave it out.")
    elif output.angles != "about_axis" and output.axis != type(output).model_fields["axis"].default:
        sentence = f"Angles in the form '{output.angles}' are not counted about an axis."
        hint = "Set 'angles' to 'about_axis', or leave the axis out."
        yield problem("output-angles-idle", f"{path}/axis", sentence, hint)
    elif output.angles == "about_axis" and not any(output.axis):
        sentence = "The axis is zero: it points nowhere."
        yield problem("output-axis-none", f"{path}/axis", sentence, "Give it a direction.")


def _joint(index: Index, output: Any, path: str) -> Iterator[Problem]:
    joint = index.by_id["joints"].get(output.joint)
    if joint is None:
        return
    if joint.kind == "free":
        sentence = f"'{joint.id}' is free: it has no angles and carries no load."
        hint = "Follow its segments, by outputs of kind point and rotation."
        yield problem("output-joint-none", f"{path}/joint", sentence, hint)
    elif joint.kind == "locked" and output.quantity == "angle":
        sentence = f"'{joint.id}' is locked: it has no angles."
        yield problem(
            "output-joint-none", f"{path}/quantity", sentence, "Follow its torque or force."
        )


@finds(
    PHYSICS,
    error={
        "run-frames": "Frames are further apart than the run is long.",
        "run-samples": "A run is too short for one sample of its outputs.",
        "run-step-order": "The steps of an integrator are in the wrong order.",
        "run-step-long": "A fixed step is longer than the run.",
        "run-endless": "A run takes more steps or instants than it can ever get through.",
        "run-too-large": "A run stores more than any disk or memory here holds.",
    },
    warning={
        "no-runs": "The project has no runs.",
        "run-step-over-frame": "A fixed step is longer than the time between frames.",
        "run-rate-low": "Outputs are sampled more coarsely than frames.",
        "run-large": "A run stores very much.",
        "run-filter-rate": "Outputs are sampled too coarsely for a filter class.",
    },
    note={"no-outputs": "The project has no outputs."},
)
def runs(index: Index) -> Iterator[Problem]:
    """Find runs whose steps and rates do not fit together."""
    if not index.project.runs:
        sentence = "The project has no runs: it cannot be run."
        yield problem("no-runs", "runs", sentence, "Add a run and give its duration.")
    if not index.project.outputs:
        sentence = "No outputs are written beside the motion itself."
        yield problem("no-outputs", "outputs", sentence, "Add an output to plot it.")
    classes = [output.cfc for output in index.project.outputs if output.cfc is not None]
    for run, path in index.elements("runs"):
        yield from _amounts(index, run, path)
        yield from _rates(run, path, max(classes, default=0))
        yield from _steps(run, path)


def _amounts(index: Index, run: Any, path: str) -> Iterator[Problem]:
    """Find runs that no machine gets through or holds."""
    stored = amounts(index.project, run)
    often = stored.frames > stored.samples
    where = f"{path}/{'frame_interval_s' if often else 'channel_rate_hz'}"
    hint = "Store frames further apart." if often else "Give a lower rate."
    if stored.instants > MOST_INSTANTS:
        sentence = f"The run looks at everything {stored.instants:.2g} times."
        yield problem("run-endless", where, sentence, hint)
    elif stored.on_disk > MUCH:
        code = "run-too-large" if stored.on_disk > TOO_MUCH else "run-large"
        yield problem(code, where, f"The run stores {stored.said}.", hint)
    method = run.integrator
    field = "largest_step_s" if method.kind in ("dopri", "vei") else "step_s"
    steps = run.duration_s / getattr(method, field)
    if steps > MOST_STEPS:
        sentence = f"The run takes {steps:.2g} steps at least."
        yield problem("run-endless", f"{path}/integrator/{field}", sentence, "Give a longer one.")


def _rates(run: Any, path: str, highest_class: int) -> Iterator[Problem]:
    rate, interval = run.channel_rate_hz, run.frame_interval_s
    if interval > run.duration_s:
        sentence = f"Frames are {interval:g} s apart; the run lasts {run.duration_s:g} s."
        yield problem("run-frames", f"{path}/frame_interval_s", sentence, "Give a shorter time.")
    where = f"{path}/channel_rate_hz"
    if rate * run.duration_s < 1.0:
        sentence = f"At {rate:g} samples in a second the run is over before the first."
        yield problem("run-samples", where, sentence, "Give a higher rate.")
    elif rate * interval < 1.0 - 1e-9:
        sentence = (
            f"Outputs are sampled every {1.0 / rate:g} s, frames stored every {interval:g} s."
        )
        yield problem("run-rate-low", where, sentence, "Give a higher rate.")
    elif rate < SAMPLES_PER_CLASS * highest_class:
        sentence = (
            f"Filter class {highest_class} needs {SAMPLES_PER_CLASS * highest_class} samples "
            f"in a second, not {rate:g}."
        )
        yield problem("run-filter-rate", where, sentence, "SAE J211 asks for ten times the class.")


def _steps(run: Any, path: str) -> Iterator[Problem]:
    method = run.integrator
    where = f"{path}/integrator"
    if method.kind in ("dopri", "vei"):
        low, first, high = method.smallest_step_s, method.first_step_s, method.largest_step_s
        if low > high:
            sentence = f"The smallest step, {low:g} s, is longer than the largest, {high:g} s."
            yield problem("run-step-order", f"{where}/smallest_step_s", sentence)
        elif first is not None and not low <= first <= high:
            sentence = f"The first step, {first:g} s, is not between {low:g} s and {high:g} s."
            yield problem("run-step-order", f"{where}/first_step_s", sentence)
    elif method.step_s > run.duration_s:
        sentence = f"The step is {method.step_s:g} s; the run lasts {run.duration_s:g} s."
        yield problem("run-step-long", f"{where}/step_s", sentence, "Give a shorter step.")
    elif method.step_s > run.frame_interval_s * (1.0 + 1e-9):
        sentence = f"The step is {method.step_s:g} s; frames are {run.frame_interval_s:g} s apart."
        hint = "Give a shorter step, or frames further apart."
        yield problem("run-step-over-frame", f"{where}/step_s", sentence, hint)


@finds(
    PHYSICS,
    error={"pulse-ramps": "A trapezoid rises and falls for longer than it lasts."},
    warning={"pulse-never": "A pulse begins only after the run has ended."},
    note={
        "pulse-short": "A pulse ends before the run, and not at zero.",
        "pulse-long": "A pulse goes on after the run.",
    },
)
def pulses(index: Index) -> Iterator[Problem]:
    """Compare pulses with the longest run."""
    for component, path in index.of(MotionComponent):
        pulse, where = component.pulse, f"{path}/pulse"
        if pulse.kind == "function":
            stays = component.quantity == "position"
            yield from _function_pulse(index, pulse.function, f"{where}/function", stays=stays)
        elif pulse.kind != "constant":
            yield from _shaped_pulse(index, pulse, where)
    for load, path in index.elements("loads"):
        yield from _function_pulse(index, load.history, f"{path}/history")


def _function_pulse(
    index: Index, name: str, path: str, *, stays: bool = False
) -> Iterator[Problem]:
    form, run = index.functions[name].form, index.longest_run_s
    end = last_argument(form)
    if end is None or run is None:
        return
    if end < run * (1.0 - 1e-9):
        if stays or not value_at(form, end):
            # a place that is reached is kept; nothing goes on
            return
        sentence = f"'{name}' ends at {end:g} s; the run lasts {run:g} s. Its last value holds on."
        hint = "Let it end at zero if nothing is to act after it."
        yield problem("pulse-short", path, sentence, hint)
    elif end > run * (1.0 + 1e-9):
        sentence = f"'{name}' goes on to {end:g} s; the run ends at {run:g} s."
        yield problem("pulse-long", path, sentence)


def _shaped_pulse(index: Index, pulse: Any, path: str) -> Iterator[Problem]:
    run = index.longest_run_s
    if pulse.kind == "trapezoid" and pulse.rise_ratio + pulse.fall_ratio > 1.0 + 1e-9:
        sentence = (
            f"It rises for {pulse.rise_ratio:g} and falls for {pulse.fall_ratio:g} of its duration."
        )
        hint = "Together they must be 1 at most."
        yield problem("pulse-ramps", f"{path}/fall_ratio", sentence, hint)
    if run is None:
        return
    if pulse.start_s >= run:
        sentence = f"The pulse begins at {pulse.start_s:g} s; the run ends at {run:g} s."
        yield problem("pulse-never", f"{path}/start_s", sentence, "Times are in seconds.")
    elif pulse.start_s + pulse.duration_s > run * (1.0 + 1e-9):
        end = pulse.start_s + pulse.duration_s
        sentence = f"The pulse goes on to {end:g} s; the run ends at {run:g} s."
        yield problem("pulse-long", f"{path}/duration_s", sentence)
