"""What came out of a run: curves of any quantity, instants, injury figures, energy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from manikin.curves import Curve, curve_of, figure_of
from manikin.filming import Filmed
from manikin.model import Model
from manikin.notebook import heading, table
from manikin.telling import Told
from manikin.writing import Written
from solver import __version__
from solver.injury import Assessment, assess
from solver.project import parse
from solver.project.joint_table import row_of
from solver.results import (
    FileTrajectory,
    MemoryTrajectory,
    Quantities,
    ResultsError,
    Table,
    Trajectory,
    open_results,
    save_run,
)
from solver.results import salvage as _salvage
from solver.results.events import Event
from solver.results.impacts import Impact, impacts_of
from solver.results.layout import FRAME_GROUPS
from solver.results.selection import by_time, select
from solver.results.trajectory import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Frame:
    """One instant of a run: `time` (s), and values by `group/element/column`."""

    time: float
    tables: Mapping[str, Table]
    number: int

    def __getitem__(self, name: str) -> Array:
        """A value: `segments/head/position`, `energy/kinetic`."""
        group, _, rest = name.partition("/")
        if group not in self.tables:
            raise ResultsError(
                "There is no group '{group}'; there is {tables}.",
                group=group,
                tables=", ".join(self.tables),
            )
        table = self.tables[group]
        element, slash, column = rest.rpartition("/")
        values = table.row(element) if slash else table.columns
        if column not in values:
            raise ResultsError(
                "'{name}': there is no '{column}'; there is {values}.",
                name=name,
                column=column,
                values=", ".join(values),
            )
        found: Array = values[column][self.number]
        return found


class Run(Told, Written, Filmed):
    """A run: its motion, loads, injury figures, events and energy, in memory or in a file.

    Names of quantities are those of docs/outputs.md. A run can be pickled.

    >>> run = mk.run(mk.sample("double_pendulum"), until=0.2)
    >>> run["segments/lower[0,0,0.25]/velocity/x"].unit
    'm/s'
    >>> run["segments/lwer/velocity/x"]
    Traceback (most recent call last):
    manikin.ResultsError: No quantity fits 'segments/lwer/velocity/x': nothing fits 'lwer'. Did you mean 'lower'?
    """

    def __init__(self, trajectory: Trajectory, model: Model | None = None) -> None:
        self.trajectory = trajectory
        self._model = model
        self._injury: Assessment | None = None

    @cached_property
    def model(self) -> Model:
        """The model that was run."""
        return self._model or Model(parse(self.trajectory.project_json.decode()).project)

    @property
    def status(self) -> str:
        """Say how it ended: completed, cancelled or failed; running while it goes on."""
        return self.trajectory.status

    @property
    def message(self) -> str:
        """Say why it did not come to its end; empty where it did."""
        return self.trajectory.message

    @property
    def time(self) -> Array:
        """The times of the frames (s)."""
        return self.trajectory.time

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened, in order of time."""
        return self.trajectory.events()

    @cached_property
    def impacts(self) -> tuple[Impact, ...]:
        """Impulses of contacts and stops: how large, whether they stick, slide or turn back, what is lost, and what joints took up.

        Each has a time, the path of its contact or joint, `normal`, `across`, `loss`, `mass` and more, and by path what `joints` and
        constraints of `segments` took up at that instant.

        >>> mk.run(mk.sample("double_pendulum"), until=0.1).impacts
        ()
        """
        return impacts_of(self.events)

    @property
    def log(self) -> tuple[str, ...]:
        """Give notes and events in words, those about injury figures among them."""
        self._assess()
        return self.trajectory.log

    @property
    def warnings(self) -> tuple[str, ...]:
        """Say what the run warns of: bodies that went through others, forces beyond the end of their curve; none, where it is sound.

        >>> mk.run(mk.sample("double_pendulum"), until=0.1).warnings
        ()
        """
        mark = "warning: "
        return tuple(line.removeprefix(mark) for line in self.log if line.startswith(mark))

    @property
    def steps(self) -> Table:
        """The integrator's steps: `time`, `step`, `evaluations`, `rejected`."""
        return self.trajectory.steps()

    @property
    def energy(self) -> Table:
        """The energy account (J) at the times of the frames: `kinetic`, `balance` and so on.

        >>> run = mk.run(mk.sample("double_pendulum"), until=0.2)
        >>> bool(abs(run.energy["balance"]).max() < 1e-3)
        True
        """
        return self.trajectory.table("energy")

    @property
    def injury(self) -> Assessment:
        """The injury figures with limits and risks: `run.injury["HIC15"].value`.

        They are computed when they are first asked for.
        """
        return self._assess()

    def _assess(self) -> Assessment:
        run = self.trajectory
        if self._injury is None:
            found = self._injury = assess(run)
            if isinstance(run, MemoryTrajectory) and run.status in ("completed", "failed"):
                figures = [figure.stored() for figure in found.figures]
                run.finish(run.status, run.message, figures, (*run.notes, *found.notes))
        return self._injury

    @cached_property
    def _quantities(self) -> Quantities:
        return Quantities(self.trajectory)

    def quantities(self, *patterns: str) -> tuple[str, ...]:
        """Name the quantities that fit the patterns, all if there are none.

        >>> mk.run(mk.sample("double_pendulum"), until=0.1).quantities("segments/*/velocity/x")
        ('segments/upper/velocity/x', 'segments/lower/velocity/x')
        """
        return self._quantities.matching(patterns) if patterns else tuple(self._quantities.infos)

    def __getitem__(self, name: str) -> Curve:
        """A quantity over time, in SI. A name without its last part is enough where there is one such: the angle of a pin.

        >>> mk.run(mk.sample("double_pendulum"), until=0.1)["joints/hinge/angle"].name
        'joints/hinge/angle/1'
        """
        try:
            return curve_of(self._quantities(name))
        except ResultsError:
            parts = self._parts_of(name)
            if len(parts) != 1:
                raise
            return curve_of(self._quantities(parts[0]))

    def _parts_of(self, name: str) -> list[str]:
        """Name the quantities below a name; of a joint those of its own turns alone."""
        found = [one for one in self._quantities.infos if one.startswith(f"{name}/")]
        words = name.split("/")
        if len(words) == 3 and words[0] == "joints" and words[2] in ("angle", "rate"):
            joint = next((one for one in self.model.project.joints if one.id == words[1]), None)
            if joint is not None:
                return found[: len(row_of(joint).turns)]
        return found

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._quantities.infos

    def curves(self, *patterns: str, cfc: int | None = None, units: str = "si") -> list[Curve]:
        """All quantities that fit the patterns; with `cfc` filtered to a class of SAE J211."""
        found = select(self.trajectory, patterns, units=units, cfc=cfc, ask=self._quantities)
        return [curve_of(channel) for channel in found]

    def table(self, *patterns: str, cfc: int | None = None, units: str = "si") -> dict[str, Array]:
        """Give columns by name, `time` first, as `pandas.DataFrame` and others take them.

        >>> table = mk.run(mk.sample("double_pendulum"), until=0.1).table("segments/*/velocity/x")
        >>> list(table)
        ['time', 'segments/upper/velocity/x', 'segments/lower/velocity/x']
        """
        found = self.curves(*patterns, cfc=cfc, units=units)
        bases = by_time(found)
        if len(bases) > 1:
            names = " and ".join(f"'{base.channels[0].name}'" for base in bases[:2])
            raise ResultsError(
                "{names} have different times; ask for them one after the other.", names=names
            )
        columns = {curve.name: curve.value for curve in found}
        return {"time": bases[0].time, **columns} if bases else {}

    def plot(
        self, *patterns: str, cfc: int | None = None, title: str = "", units: str = "metric"
    ) -> Figure:
        """Draw all quantities that fit the patterns, a panel for each unit."""
        return figure_of(self.curves(*patterns, cfc=cfc), title, units)

    def frame(self, time_s: float | None = None) -> Frame:
        """The frame nearest to a time; the last if none is given.

        >>> run = mk.run(mk.sample("double_pendulum"), until=0.2)
        >>> run.frame(0.1)["segments/lower/position"].shape
        (3,)
        """
        time = self.time
        if not len(time):
            raise ResultsError("The run has no frames.")
        if time_s is not None and not time[0] <= time_s <= time[-1]:
            raise ResultsError(
                "The run goes from {time:g} to {time_2:g} s; {time_s:g} s is outside.",
                time=time[0],
                time_2=time[-1],
                time_s=time_s,
            )
        number = len(time) - 1 if time_s is None else int(np.argmin(np.abs(time - time_s)))
        tables = {group: self.trajectory.table(group) for group in FRAME_GROUPS}
        there = {
            group: table
            for group, table in tables.items()
            if table.ids or not FRAME_GROUPS[group].has_ids
        }
        return Frame(float(time[number]), there, number)

    def told(self, units: str = "metric") -> list[str]:
        """Tell what happened, a sentence a line: what fired and touched when, what made the peaks, where energy went.

        >>> mk.run(mk.sample("double_pendulum"), until=0.2).told()
        ['Energy, 3.25 J in all, came from: weight 100 %. It went to: motion at the end 100 %.']
        """
        from solver.report.explaining import story_sentences
        from solver.report.gather import Subject

        return story_sentences(Subject(self.trajectory), units)

    def save(self, path: Path | str) -> Path:
        """Write the results file (docs/results-file.md), injury figures included."""
        self._assess()
        return save_run(self.trajectory, Path(path), __version__)

    def __repr__(self) -> str:
        end = f"{1e3 * float(self.time[-1]):.6g} ms" if len(self.time) else "nothing"
        return f"<Run of '{self.model.project.title}': {self.status}, {end}>"

    def _repr_html_(self) -> str:
        said = repr(self).rpartition("': ")[2][:-1] + (f". {self.message}" if self.message else "")
        rows = [
            (one.name, f"{one.value:.4g}", "" if one.unit == "1" else one.unit, one.share_text)
            for one in self.injury
        ]
        heads = ("figure", "value", "unit", "part of the limit")
        return heading(self.model.project.title or "Run", said) + table(rows, heads)

    def __getstate__(self) -> dict[str, Any]:
        run = self.trajectory
        if isinstance(run, FileTrajectory):
            return {"path": run.path}
        return {"trajectory": run, "_model": self._model, "_injury": self._injury}

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "path" in state:
            state = {"trajectory": open_results(state["path"]), "_model": None, "_injury": None}
        vars(self).update(state)


def salvage(part: Path | str, path: Path | str | None = None) -> Run:
    """Make a results file of a part file that a crash of the machine has left, and open it; the part stays as it is.

    Its name is the one that the file was to have, if no `path` is given. Raises ResultsError.
    """
    return open_run(_salvage(part, path))


def plot(
    runs: Mapping[str, Run] | Sequence[Run] | Run,
    *patterns: str,
    x: str = "time",
    cfc: int | None = None,
    filtered: bool = False,
    peaks: bool = False,
    title: str | None = None,
    units: str = "metric",
    size_in: tuple[float, float] | None = None,
) -> Figure:
    """Draw all quantities that fit the patterns, of one run or of several overlaid, against time or another quantity `x`.

    Runs may have names: `{"with bag": run, "without": other}`. `peaks` marks the peak of each curve.

    >>> run = mk.run(mk.sample("double_pendulum"), until=0.1)
    >>> place = "segments/lower/position"
    >>> figure = mk.plot({"once": run, "again": run}, f"{place}/z", x=f"{place}/x")
    >>> len(figure.axes[0].lines)
    2
    """
    from solver.report.plots.of_runs import runs_figure

    if isinstance(runs, Run):
        named = [("", runs)]
    elif isinstance(runs, Mapping):
        named = list(runs.items())
    else:
        named = [(str(n), one) for n, one in enumerate(runs, start=1)]
    return runs_figure(
        [(name, one.trajectory) for name, one in named], patterns, x,
        units=units, cfc=cfc, filtered=filtered, peaks=peaks, title=title, size=size_in,
    )  # fmt: skip


def open_run(path: Path | str) -> Run:
    """Open a results file; what a curve needs is read when it is asked for.

    Raises ResultsError where it is none.
    """
    return Run(open_results(Path(path)))
