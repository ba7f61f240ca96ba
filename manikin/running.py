"""Solve models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from manikin.model import Model, the_model
from manikin.results import Run
from solver.model.own import OwnLaw

if TYPE_CHECKING:
    from solver.running.common import Solved

_SOLVED: WeakKeyDictionary[Run, Solved] = WeakKeyDictionary()
"""Runs that keep states for others like them."""


class RunFailed(Exception):
    """Say why a run could not be ended; `run` holds what was found until then."""

    __module__ = "manikin"

    def __init__(self, message: str, run: Run) -> None:
        super().__init__(message)
        self.run = run


def run(
    model: Model,
    until: float | None = None,
    run: str | None = None,
    dense: bool = False,
    progress: Callable[[float], object] | None = None,
    *,
    after: Run | None = None,
    at_s: float | None = None,
    cancel: Callable[[], bool] | None = None,
    laws: Sequence[OwnLaw] = (),
    like: Iterable[Run] | None = None,
) -> Run:
    """Check a model and solve it, until a time (s) where one is given; `run` chooses its settings by id.

    Raises ProjectError with every problem where the model has errors, SimulationError where it has no
    such run, and RunFailed where the run cannot go on. `progress` is told the part that is done.

    With `after` it goes on from an earlier run of the same model, which stays as it is: from its last checkpoint, or the last that is no
    later than `at_s`. `cancel` is asked again and again; what was found until then is given, with status cancelled. `laws` are laws of your own, which act besides (`Law`).

    With `like`, runs of models whose numbers differ, it begins where it begins to differ from one of them: of a bag or a pretensioner
    from its firing, of the law of a contact from its first touch, of a history from the first instant that is another. It is the same to
    the last bit, and for all other changes solved from the start. Runs that were solved with it, be it empty, keep the states for this.

    >>> model = mk.sample("airbag_catch")
    >>> first = mk.run(model, until=0.03, like=[])
    >>> wider = mk.run(model.with_value("airbags/bag/vents/0/area_m2", 0.008), until=0.03, like=[first])
    >>> any("nothing that differs acts sooner" in line for line in wider.log)
    True

    Recorded channels have `channel_rate_hz` of the run, 10 kHz unless asked otherwise; all else is there
    at the frames, every `frame_interval_s`. With `dense` there is a frame at each sample, so that any
    quantity can be filtered to any class.

    >>> mk.run(mk.sample("double_pendulum"), until=0.2)
    <Run of 'Double pendulum: two rods released horizontal': completed, 200 ms>
    >>> run = mk.run(mk.sample("neck_pendulum"), until=0.02, dense=True)
    >>> run["segments/head/acceleration/resultant"].filtered(1000).unit
    'm/s2'
    >>> longer = mk.run(run.model, until=0.03, after=run)
    >>> len(longer.time) > len(run.time), bool(longer.time[-1] == 0.03)
    (True, True)
    """
    from solver.running.restart import Restart
    from solver.running.simulation import Simulation

    model = the_model(model)
    if until is not None:
        model = model.until(until, run)
    if dense:
        settings = model.settings(run)
        path = f"runs/{settings.id}/frame_interval_s"
        model = model.with_value(path, 1.0 / settings.channel_rate_hz)
    if at_s is not None and after is None:
        raise TypeError("`at_s` needs `after`: the run that has checkpoints.")
    if like is not None and (after is not None or laws):
        raise TypeError("`like` goes with neither `after` nor `laws`.")
    restart = None if after is None else Restart(after.trajectory, at_s)
    solved = [_SOLVED[one] for one in like or () if one in _SOLVED]
    simulation = Simulation(model.checked(), run, restart, laws=laws, solved=solved, keeps_states=like is not None)  # fmt: skip
    memory = simulation.memory()
    outcome = simulation.go([memory], progress, cancel)
    memory.finish(outcome.status, outcome.message, (), outcome.notes)
    done = Run(memory, model)
    if like is not None:
        _SOLVED[done] = simulation.solved(memory)
    if outcome.status not in ("completed", "cancelled"):
        raise RunFailed(outcome.message, done)
    return done
