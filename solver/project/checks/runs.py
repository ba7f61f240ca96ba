"""Check runs, outputs, and motions in time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from solver.base.words import Sentence
from solver.project.amounts import amounts
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
from solver.project.coordinates import Actuator, Reflex
from solver.project.forms import last_argument, samples, value_at
from solver.project.joint_table import is_free, is_rigid
from solver.project.motions import History, MotionComponent, PulseShape, Trapezoid
from solver.project.outputs import JointOutput, PointOutput, RotationOutput
from solver.project.problems import Problem
from solver.project.runs import Run, StepsByError, VectorExponential

MUCH, TOO_MUCH = 1e9, 1e11
"""Bytes from which a run stores much, and more than anybody can use."""
MOST_INSTANTS, MOST_STEPS = 1e8, 1e9
"""Instants that a run may look at, and steps that it may take."""
SAMPLES_PER_CLASS = 10
ROUNDED = 1e-9
"""Part of a pulse's largest value that is zero but for rounding."""


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
        if (
            isinstance(output, PointOutput)
            and output.with_gravity
            and output.quantity != "acceleration"
        ):
            sentence = Sentence("A {quantity} does not feel gravity.", quantity=output.quantity)
            yield problem(
                "output-gravity-idle", f"{path}/with_gravity", sentence, "Set it to false."
            )
        elif isinstance(output, RotationOutput):
            yield from _rotation(output, path)
        elif isinstance(output, JointOutput):
            yield from _joint(index, output, path)
        if (
            isinstance(output, PointOutput | RotationOutput)
            and output.segment == output.relative_to
        ):
            sentence = Sentence(
                "'{segment}' is followed as seen from itself: it does not move.",
                segment=output.segment,
            )
            yield problem("output-of-itself", f"{path}/relative_to", sentence, "Name another one.")
    for integrator, path in index.of(VectorExponential):
        seen: set[tuple[str, str]] = set()
        for i, test in enumerate(integrator.tests):
            where = f"{path}/tests/{i}"
            if (test.segment, test.vector) in seen:
                what = Sentence(test.vector.replace("_", " "))
                sentence = Sentence(
                    "The {what} of '{segment}' is tested already.", what=what, segment=test.segment
                )
                yield problem("vei-test-twice", f"{where}/vector", sentence, "Keep one test.")
            seen.add((test.segment, test.vector))
            if test.magnitude == 0.0:
                sentence = Sentence("With a magnitude (T1) of zero this vector is never tested.")
                hint = "Give the magnitude from which it counts, or remove the test."
                yield problem("vei-test-off", f"{where}/magnitude", sentence, hint)


def _rotation(output: RotationOutput, path: str) -> Iterator[Problem]:
    if output.angles != "yaw_pitch_roll" and output.quantity != "angle":
        sentence = Sentence(
            "An angular {quantity} is a vector; it has no form of angles.", quantity=output.quantity
        )
        yield problem("output-angles-idle", f"{path}/angles", sentence, "Leave it out.")
    elif output.angles != "about_axis" and output.axis != type(output).model_fields["axis"].default:
        sentence = Sentence(
            "Angles in the form '{angles}' are not counted about an axis.", angles=output.angles
        )
        hint = "Set 'angles' to 'about_axis', or leave the axis out."
        yield problem("output-angles-idle", f"{path}/axis", sentence, hint)
    elif output.angles == "about_axis" and not any(output.axis):
        sentence = Sentence("The axis is zero: it points nowhere.")
        yield problem("output-axis-none", f"{path}/axis", sentence, "Give it a direction.")


def _joint(index: Index, output: JointOutput, path: str) -> Iterator[Problem]:
    joint = index.by_id["joints"].get(output.joint)
    if joint is None:
        return
    if is_free(joint):
        sentence = Sentence(
            "'{joint}' is free: it has no angles and carries no load.", joint=joint.id
        )
        hint = "Follow its segments, by outputs of kind point and rotation."
        yield problem("output-joint-none", f"{path}/joint", sentence, hint)
    elif is_rigid(joint) and output.quantity == "angle":
        sentence = Sentence("'{joint}' is locked: it has no angles.", joint=joint.id)
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
        "actuator-period": "An actuator samples no more than once in a run.",
        "run-step-over-reflex": "A fixed step is longer than a reflex time, and is made shorter.",
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
        yield from _reflexes(index, run, path)


def _amounts(index: Index, run: Any, path: str) -> Iterator[Problem]:
    """Find runs that no machine gets through or holds."""
    stored = amounts(index.project, run)
    often = stored.frames > stored.samples
    where = f"{path}/{'frame_interval_s' if often else 'channel_rate_hz'}"
    hint = "Store frames further apart." if often else "Give a lower rate."
    if stored.instants > MOST_INSTANTS:
        sentence = Sentence(
            "The run looks at everything {instants:.2g} times.", instants=stored.instants
        )
        yield problem("run-endless", where, sentence, hint)
    elif stored.on_disk > MUCH:
        code = "run-too-large" if stored.on_disk > TOO_MUCH else "run-large"
        yield problem(code, where, Sentence("The run stores {said}.", said=stored.said), hint)
    method = run.integrator
    adapts = isinstance(method, StepsByError | VectorExponential)
    field = "largest_step_s" if adapts else "step_s"
    steps = run.duration_s / getattr(method, field)
    if steps > MOST_STEPS:
        sentence = Sentence("The run takes {steps:.2g} steps at least.", steps=steps)
        yield problem("run-endless", f"{path}/integrator/{field}", sentence, "Give a longer one.")


def _reflexes(index: Index, run: Run, path: str) -> Iterator[Problem]:
    """Find reflex times that steps, which may not be longer, do not fit, and periods that do not fit the run."""
    for law, where in index.of(Actuator):
        if law.period_s > 0.0:
            yield from _period(law.period_s, run, f"{where}/period_s")
    late = [(one.reflex_s, where) for one, where in index.of(Actuator)]
    late += [(one.reflex_s, where) for one, where in index.of(Reflex)]
    late = [found for found in late if found[0] > 0.0]
    if not late:
        return
    reflex_s, where = min(late)
    fixed = None if isinstance(run.integrator, StepsByError | VectorExponential) else run.integrator
    least = run.duration_s / reflex_s
    if least > MOST_STEPS:
        sentence = Sentence("The run takes {steps:.2g} steps at least.", steps=least)
        yield problem("run-endless", f"{where}/reflex_s", sentence, "Give a longer one.")
    elif fixed is not None and fixed.step_s > reflex_s:
        sentence = Sentence(
            "The step is {step_s:g} s; a reflex senses {reflex_s:g} s late, and no step is longer.",
            step_s=fixed.step_s,
            reflex_s=reflex_s,
        )
        yield problem(
            "run-step-over-reflex", f"{path}/integrator/step_s", sentence, "Give a shorter step."
        )


def _period(period_s: float, run: Run, where: str) -> Iterator[Problem]:
    """Find a sampling period of which a run has too many, or not one whole."""
    least = run.duration_s / period_s
    if least > MOST_STEPS:
        sentence = Sentence("The run takes {steps:.2g} steps at least.", steps=least)
        yield problem("run-endless", where, sentence, "Give a longer one.")
    elif least <= 1.0:
        sentence = Sentence(
            "It samples every {period_s:g} s; the run lasts {duration_s:g} s, in which it does so once.",
            period_s=period_s,
            duration_s=run.duration_s,
        )
        yield problem("actuator-period", where, sentence, "Times are in seconds.")


def _rates(run: Run, path: str, highest_class: int) -> Iterator[Problem]:
    rate, interval = run.channel_rate_hz, run.frame_interval_s
    if interval > run.duration_s:
        sentence = Sentence(
            "Frames are {interval:g} s apart; the run lasts {duration_s:g} s.",
            interval=interval,
            duration_s=run.duration_s,
        )
        yield problem("run-frames", f"{path}/frame_interval_s", sentence, "Give a shorter time.")
    where = f"{path}/channel_rate_hz"
    if rate * run.duration_s < 1.0:
        sentence = Sentence(
            "At {rate:g} samples in a second the run is over before the first.", rate=rate
        )
        yield problem("run-samples", where, sentence, "Give a higher rate.")
    elif rate * interval < 1.0 - 1e-9:
        sentence = Sentence(
            "Outputs are sampled every {rate:g} s, frames stored every {interval:g} s.",
            rate=1.0 / rate,
            interval=interval,
        )
        yield problem("run-rate-low", where, sentence, "Give a higher rate.")
    elif rate < SAMPLES_PER_CLASS * highest_class:
        sentence = Sentence(
            "Filter class {highest_class} needs {highest_class_2} samples in a second, not {rate:g}.",
            highest_class=highest_class,
            highest_class_2=SAMPLES_PER_CLASS * highest_class,
            rate=rate,
        )
        yield problem("run-filter-rate", where, sentence, "SAE J211 asks for ten times the class.")


def _steps(run: Run, path: str) -> Iterator[Problem]:
    method = run.integrator
    where = f"{path}/integrator"
    if isinstance(method, StepsByError | VectorExponential):
        low, first, high = method.smallest_step_s, method.first_step_s, method.largest_step_s
        if low > high:
            sentence = Sentence(
                "The smallest step, {low:g} s, is longer than the largest, {high:g} s.",
                low=low,
                high=high,
            )
            yield problem("run-step-order", f"{where}/smallest_step_s", sentence)
        elif first is not None and not low <= first <= high:
            sentence = Sentence(
                "The first step, {first:g} s, is not between {low:g} s and {high:g} s.",
                first=first,
                low=low,
                high=high,
            )
            yield problem("run-step-order", f"{where}/first_step_s", sentence)
    elif method.step_s > run.duration_s:
        sentence = Sentence(
            "The step is {step_s:g} s; the run lasts {duration_s:g} s.",
            step_s=method.step_s,
            duration_s=run.duration_s,
        )
        yield problem("run-step-long", f"{where}/step_s", sentence, "Give a shorter step.")
    elif method.step_s > run.frame_interval_s * (1.0 + 1e-9):
        sentence = Sentence(
            "The step is {step_s:g} s; frames are {frame_interval_s:g} s apart.",
            step_s=method.step_s,
            frame_interval_s=run.frame_interval_s,
        )
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
    given = [
        *index.of(MotionComponent),
        *index.elements("drivers"),
        *index.elements("frame_drivers"),
    ]
    for component, path in given:
        pulse, where = component.pulse, f"{path}/pulse"
        if isinstance(pulse, History):
            stays = component.quantity == "position" or getattr(component, "until_s", None)
            yield from _function_pulse(
                index, pulse.function, f"{where}/function", stays=bool(stays)
            )
        elif isinstance(pulse, PulseShape):
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
        most = max((abs(float(y)) for y in samples(form)[1]), default=0.0)
        if stays or abs(value_at(form, end) or 0.0) <= ROUNDED * most:
            # a place that is reached is kept; nothing goes on
            return
        sentence = Sentence(
            "'{name}' ends at {end:g} s; the run lasts {run:g} s. Its last value holds on.",
            name=name,
            end=end,
            run=run,
        )
        hint = "Let it end at zero if nothing is to act after it."
        yield problem("pulse-short", path, sentence, hint)
    elif end > run * (1.0 + 1e-9):
        sentence = Sentence(
            "'{name}' goes on to {end:g} s; the run ends at {run:g} s.", name=name, end=end, run=run
        )
        yield problem("pulse-long", path, sentence)


def _shaped_pulse(index: Index, pulse: PulseShape, path: str) -> Iterator[Problem]:
    run = index.longest_run_s
    if isinstance(pulse, Trapezoid) and pulse.rise_ratio + pulse.fall_ratio > 1.0 + 1e-9:
        sentence = Sentence(
            "It rises for {rise_ratio:g} and falls for {fall_ratio:g} of its duration.",
            rise_ratio=pulse.rise_ratio,
            fall_ratio=pulse.fall_ratio,
        )
        hint = "Together they must be 1 at most."
        yield problem("pulse-ramps", f"{path}/fall_ratio", sentence, hint)
    if run is None:
        return
    if pulse.start_s >= run:
        sentence = Sentence(
            "The pulse begins at {start_s:g} s; the run ends at {run:g} s.",
            start_s=pulse.start_s,
            run=run,
        )
        yield problem("pulse-never", f"{path}/start_s", sentence, "Times are in seconds.")
    elif pulse.start_s + pulse.duration_s > run * (1.0 + 1e-9):
        end = pulse.start_s + pulse.duration_s
        sentence = Sentence(
            "The pulse goes on to {end:g} s; the run ends at {run:g} s.", end=end, run=run
        )
        yield problem("pulse-long", f"{path}/duration_s", sentence)
