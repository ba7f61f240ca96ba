"""Solve one project in a thread of its own; anyone who wants to know reads its state."""

from __future__ import annotations

import math
import threading
import time
import traceback
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from solver.base.words import Sentence, tr, warned
from solver.injury import Assessment
from solver.project import Project, ProjectError
from solver.results.memory import MemoryTrajectory
from solver.results.trajectory import Trajectory

if TYPE_CHECKING:
    from solver.running.common import Solved
    from solver.running.outputs.penetration import Passage
    from solver.running.simulation import Simulation

Stage = Literal["waiting", "preparing", "solving", "ended"]


def cannot_go_on(project: Project, run: str | None, before: Trajectory | None) -> str:
    """Say why a run cannot go on from what was found before; empty where it can."""
    from solver.project.problems import SimulationError
    from solver.running.restart import Restart
    from solver.running.simulation import chosen_run

    if before is None:
        return tr("There is no run to go on from.")
    try:
        chosen = chosen_run(project, run)
        Restart(before).checked(project, chosen)
    except SimulationError as refusal:
        return str(refusal)
    if before.status == "completed" and before.time[-1] >= chosen.duration_s:
        return tr("The run has come to its end; give it a longer duration first.")
    return ""


MARKS, APART_S, SOONEST_S = 17, 0.5, 2.0
"""How many marks of the pace are kept, how far apart (s), and after how long (s) they tell one."""


class Solving:
    """A thread that solves, what it has reached, and how to stop it.

    Nothing here knows Qt: the window's timer looks at `stage`, `fraction` and `trajectory`.
    """

    def __init__(
        self,
        project: Project,
        run: str | None = None,
        before: Trajectory | None = None,
        like: Sequence[Solved] | None = None,
    ) -> None:
        """Prepare a run; one that goes on takes over what was found before.

        One of many `like` each other begins where it differs from one of them, and others may from this one.
        """
        self.project, self.run, self.before = project, run, before
        self._like = like
        self._simulation: list[Simulation] = []
        self.solved: Solved | None = None
        """The run with its states, once it is done, for others like it."""
        self.begins_at = 0.0
        """Up to when (s) it is as one of them."""
        self.stage: Stage = "waiting"
        self.compiling: tuple[int, int] | None = None
        """How many parts of the solver are compiled, and of how many; where that is to be done first."""
        self.fraction = 0.0
        self.status, self.message, self.details = "running", "", ""
        self.trajectory: MemoryTrajectory | None = None
        self.evaluations = self.steps = self.events = 0
        self.energy_balance_J = 0.0
        self.assessment: Assessment | None = None
        self.gains: tuple[Sentence, ...] = ()
        self.passages: tuple[Passage, ...] = ()
        self.lacks: tuple[Sentence, ...] = ()
        self.warnings: tuple[Sentence, ...] = ()
        """What the run warns of: its energy account, what passed through what, belts, necks, guesses."""
        self._spent, self._since = 0.0, 0.0
        self._marks: deque[tuple[float, float]] = deque(maxlen=MARKS)
        self._stop, self._why = threading.Event(), ""
        self._go_on = threading.Event()
        self._go_on.set()
        self._thread = threading.Thread(target=self._work, name="solver", daemon=True)

    def start(self) -> None:
        """Begin; returns at once."""
        self.stage = "preparing"
        self._since = time.perf_counter()
        self._thread.start()

    def cancel(self, why: str = "") -> None:
        """Ask the run to end at its next look, for a reason that it tells; what it has found stays."""
        self._why = why
        self._stop.set()
        self._go_on.set()
        for one in self._simulation:
            one.stop()

    def pause(self) -> None:
        """Hold the run at its next look."""
        if self.is_running:
            self._spent = self.wall_s
            self._go_on.clear()

    def resume(self) -> None:
        """Let a paused run go on."""
        self._since = time.perf_counter()
        self._go_on.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end; tell whether it came."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    @property
    def is_running(self) -> bool:
        """Whether the thread works, or is paused."""
        return self.stage in ("preparing", "solving")

    @property
    def is_paused(self) -> bool:
        """Whether the run is held."""
        return self.is_running and not self._go_on.is_set()

    @property
    def wall_s(self) -> float:
        """The time spent on it, pauses left out (s)."""
        if not self.is_running or self.is_paused:
            return self._spent
        return self._spent + time.perf_counter() - self._since

    @property
    def left_s(self) -> float | None:
        """The time that is left (s) at the pace of the last seconds; infinite where it stands still.

        None until there is a pace.
        """
        marks = list(self._marks)
        now = self.wall_s, self.fraction
        if not marks or now[0] - marks[0][0] < SOONEST_S:
            return None
        done = now[1] - marks[0][1]
        return (1.0 - now[1]) * (now[0] - marks[0][0]) / done if done > 0.0 else math.inf

    def _work(self) -> None:
        try:
            self._solve()
        except BaseException as failure:  # noqa: BLE001 (a crash here must never take the window along)
            self.status, self.message = "failed", _sentence(failure)
            self.details = traceback.format_exc()
            if self.trajectory is not None:
                self.trajectory.finish("failed", self.message)
        self._spent = self.wall_s
        self.stage = "ended"

    def _solve(self) -> None:
        # curves are filtered from the first looks on: the window shall not wait for this
        import scipy.signal  # noqa: F401

        from solver.project.checks import Checked
        from solver.running.restart import Restart
        from solver.running.simulation import Simulation

        # anyone who starts a run has looked at the problems of the project (`RunView.obstacle`)
        restart = None if self.before is None else Restart(self.before)
        like = self._like
        simulation = Simulation(Checked(self.project), self.run, restart, solved=like or (), keeps_states=like is not None)  # fmt: skip
        memory = simulation.memory()
        self._simulation.append(simulation)
        self.trajectory, self.stage = memory, "solving"
        outcome = simulation.go_into(memory, self._progress, self._asked_to_stop, self._compiled)
        self.begins_at = simulation.begins_at
        if like is not None and outcome.status == "completed":
            self.solved = simulation.solved(memory)
        self._simulation.clear()
        self.evaluations, self.steps = outcome.evaluations, outcome.steps
        self.events, self.energy_balance_J = len(outcome.happened), outcome.energy_balance
        self.assessment = outcome.assessment
        self.gains = outcome.gains
        self.passages = outcome.passages
        self.lacks = outcome.lacks
        self.warnings = warned(outcome.notes)
        if outcome.status == "cancelled" and self._why:
            memory.message = outcome.message = self._why
        self.status, self.message = outcome.status, outcome.message

    def _compiled(self, done: int, of: int) -> None:
        self.compiling = done, of

    def _progress(self, fraction: float) -> None:
        if self.compiling is not None and self.fraction == 0.0:
            # what compiling took is said while it goes on, and is no part of what the run took
            self._spent, self._since = 0.0, time.perf_counter()
        self.fraction = fraction
        spent = self.wall_s
        if not self._marks or spent - self._marks[-1][0] >= APART_S:
            self._marks.append((spent, fraction))

    def _asked_to_stop(self) -> bool:
        self._go_on.wait()
        return self._stop.is_set()


def _sentence(failure: BaseException) -> str:
    """Say what went wrong; an unexpected error is called what it is."""
    from solver.project.problems import SimulationError
    from solver.results import ResultsError

    if isinstance(failure, SimulationError | ResultsError | ProjectError):
        return str(failure)
    if isinstance(failure, MemoryError):
        return tr(
            "There is not enough memory for this run. Lower the rate of its channels or frames."
        )
    return tr(
        "The solver met an error of its own: {kind}: {failure}",
        kind=type(failure).__name__,
        failure=failure,
    )
