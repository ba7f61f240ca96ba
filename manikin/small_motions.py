"""Small motions of models and runs: matrices, modes, responses, buckling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from manikin.model import Model, the_model
from manikin.results import Run
from solver.analysis.linear import Buckling, Linear, linearise_course
from solver.analysis.linear import buckling as buckling_of
from solver.analysis.linear.operating_point import course_of, course_of_results, settled
from solver.analysis.linear.saving import save_linear as _save_linear
from solver.project.checks import Checked
from solver.running.state import State
from solver.running.stepper import Stepper


def linearise(
    model_or_run: Model | Run,
    at: float | State | None = None,
    *,
    rest: bool | Sequence[str] = False,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    run: str | None = None,
    progress: Callable[[float], object] | None = None,
) -> Linear:
    """The linear equations of small motions about an instant: x' = A x + B u, y = C x + D u.

    Of a model that is its start, the time `at` (s) of its run, a state, or, with `rest`, its settled start; `rest`
    may name what is free to settle. Of a run it is the time `at`, or its end. What is driven is shaken by
    its accelerations, which are the first inputs; docs/linear.md names inputs and outputs. `progress` is told
    the part that is done; what it raises ends the work.

    >>> found = mk.linearise(mk.sample("pendulum").start_joint("pivot", [0.1]), rest=["pivot"])
    >>> [(mode.kind, round(mode.frequency_hz, 4)) for mode in found.modes]
    [('oscillation', 0.6104)]
    >>> found.states
    ('joints/pivot/1', "joints/pivot/1'")
    """
    course = _course(model_or_run, at, rest, run)
    return linearise_course(course, inputs, outputs, still=rest is not False, progress=progress)


def save_linear(linear: Linear, path: Path | str) -> list[Path]:
    """Write linear equations and modes by the ending of the file: `.npz`, `.mat`, or `.csv` with each matrix beside it; gives the files.

    >>> found = mk.linearise(mk.sample("pendulum"), rest=["pivot"])
    >>> [file.name for file in mk.save_linear(found, "pendulum.npz")]
    ['pendulum.npz']
    """
    return _save_linear(linear, Path(path))


def buckling(
    model_or_run: Model | Run,
    loads: Sequence[str],
    at: float | State | None = None,
    *,
    rest: bool | Sequence[str] = False,
    run: str | None = None,
) -> Buckling:
    """Give the factor on some loads of the model at which its first frequency is zero.

    The model has to be at rest with and without these loads; the factor is an eigenvalue (docs/linear.md).
    """
    return buckling_of(_course(model_or_run, at, rest, run), loads, still=rest is not False)


def _course(
    of: Model | Run, at: float | State | None, rest: bool | Sequence[str], run: str | None
) -> Stepper:
    if isinstance(of, Run):
        if rest is not False or run is not None:
            raise TypeError(
                "A run is linearised at a time of its own; `rest` and `run` are for models."
            )
        if isinstance(at, State):
            return course_of(of.model.checked(), at, getattr(of.trajectory, "run_id", "") or None)
        return course_of_results(of.trajectory, at)
    model = the_model(of)
    ready = model.checked()
    if rest is False:
        return course_of(ready, 0.0 if at is None else at, run)
    if at is not None:
        raise TypeError("`rest` is a start of its own; leave out `at`.")
    free = None if rest is True else list(rest)
    project = settled(ready, free)
    return course_of(Checked(project), 0.0, run)
