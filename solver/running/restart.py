"""Take up a run again: what was found until a checkpoint is taken over, and the run goes on from there."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from solver.base.places import __version__
from solver.base.words import Sentence
from solver.model.compile import longest_step
from solver.project.document import Project
from solver.project.problems import SimulationError
from solver.project.reading import parse
from solver.project.runs import Run
from solver.project.saving import to_json
from solver.results.events import Event
from solver.results.trajectory import Trajectory
from solver.running.checkpoint import from_bytes
from solver.running.outputs.recorder import Sink
from solver.running.state import State
from solver.running.stepper import Stepper

MAY_DIFFER = ("duration_s", "checkpoint_interval_s", "name", "group", "note", "source")
"""What of a run may differ when it is taken up again: its steps do not depend on it."""


_USUAL = {
    name: 1.0 if name == "duration_s" else Run.model_fields[name].default for name in MAY_DIFFER
}


@dataclass(frozen=True)
class Restart:
    """A run that has been solved, and from which time on (s) it is to be solved again; none: as late as can be."""

    before: Trajectory
    at: float | None = None

    def checked(self, project: Project, run: Run) -> State:
        """Give the state to go on from; raises SimulationError where that is not possible.

        A run that is to end sooner than before cuts steps near there that were not cut: the state is then
        one from before the last two of the longest steps.
        """
        was = parse(self.before.project_json.decode()).project
        if _model(was) != _model(project):
            raise SimulationError(
                "The run was of another model: only how long it is solved may differ. "
                "Solve this model from its start."
            )
        old = next((one for one in was.runs if one.id == run.id), None)
        if old is None or not alike_ways(old, run):
            raise SimulationError(
                "Run '{run}' was solved in another way: only its duration may differ.", run=run.id
            )
        latest = math.inf if self.at is None else self.at
        if run.duration_s < old.duration_s:
            latest = min(latest, run.duration_s - 2.1 * longest_step(run))
        found = [one for one in self.before.checkpoints() if one[0] <= latest]
        if not found:
            known = [f"{1e3 * time:.6g}" for time, _ in self.before.checkpoints()]
            if known:
                raise SimulationError(
                    "There is no checkpoint before {at:.6g} ms; there are some at {known} ms.",
                    at=1e3 * max(latest, 0.0),
                    known=", ".join(known[:8]),
                )
            raise SimulationError("These results hold no checkpoint from which a run could go on.")
        _, data = max(found, key=lambda one: one[0])
        return from_bytes(data, project)

    def take_up(
        self, course: Stepper, state: State, groups: Iterable[str], sinks: Sequence[Sink]
    ) -> None:
        """Set a run to a state, and hand over what was found before."""
        course.set_state(state, is_read=True)
        out = course.outcome
        out.status, out.message = "completed", ""
        out.notes.append(
            Sentence(
                "note: taken up again at {time:.6g} ms from earlier results", time=1e3 * state.time
            )
        )
        made_by = str(getattr(self.before, "app_version", __version__))
        if made_by != __version__:
            out.notes.append(
                Sentence(
                    "warning: what came before was solved by version {version} of the program",
                    version=made_by,
                )
            )
        for sink in sinks:
            hand_over(self.before, state, groups, out.happened, sink)
            for time, data in self.before.checkpoints():
                if time <= state.time:
                    sink.add_checkpoint(time, partial(bytes, data))


def hand_over(
    before: Trajectory, state: State, groups: Iterable[str], happened: Sequence[Event], sink: Sink
) -> None:
    """Hand over what was found up to a state."""
    count = int(np.searchsorted(before.time, state.sampled, side="right"))
    tables = {group: before.table(group).columns for group in groups}
    sink.add_frames(
        before.time[:count],
        {
            group: {name: values[:count] for name, values in columns.items()}
            for group, columns in tables.items()
        },
    )
    for name in before.channel_names:
        channel = before.channel(name)
        count = int(np.searchsorted(channel.time, state.sampled, side="right"))
        sink.add_samples(name, channel.time[:count], channel.value[:count])
    steps: Mapping[str, Any] = before.steps().columns
    count = int(np.searchsorted(steps["time"], state.time, side="right"))
    sink.add_steps({name: values[:count] for name, values in steps.items()})
    sink.add_events(happened)


def _model(project: Project) -> str:
    """Give the model with its curves inside, without its ways to solve it and what people call it."""
    bare = project.model_copy(
        update={"runs": (), "studies": (), "assumed": (), "title": "", "note": "", "source": ""}
    )
    return to_json(bare, embed_curves=True)


def alike_ways(one: Run, other: Run) -> bool:
    """Whether two runs are solved in the same way, however long."""
    return _way(one) == _way(other)


def _way(run: Run) -> Run:
    return run.model_copy(update={name: _USUAL[name] for name in MAY_DIFFER})
