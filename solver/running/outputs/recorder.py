"""Make frames and channels of blocks of samples, watch over them, and hand them to anyone who wants them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from solver.base.words import Note, Sentence, tr
from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.forces.straps.arrays import UNBALANCED
from solver.engine.forces.system import System
from solver.engine.integrate.flow import (
    EVALUATIONS,
    REJECTED,
    STEPS,
)
from solver.engine.integrate.implicit import Implicit
from solver.engine.integrate.plan import History
from solver.engine.integrate.samples import Samples
from solver.injury import Assessment
from solver.model.compile import Model, Modes
from solver.project.runs import Run
from solver.results.events import Event, lacks, log_of
from solver.results.layout import ChannelSpec, InjuryValue
from solver.results.memory import NotRecorded, Wanted
from solver.results.trajectory import Frame
from solver.running.outputs.account import Energy
from solver.running.outputs.channels import Channels, Last
from solver.running.outputs.curve_ends import CurveEnds
from solver.running.outputs.curve_range import NOTHING_J, CurveRange, Ledger, Saturation
from solver.running.outputs.curve_range import log_lines as told_of
from solver.running.outputs.elements import ContactColumns
from solver.running.outputs.failures import StepSizes
from solver.running.outputs.frames import Block, Events, Frames, Instants
from solver.running.outputs.impacts import Blow, ImpactEvents
from solver.running.outputs.kinematics import Kinematics
from solver.running.outputs.mobility import Mobility
from solver.running.outputs.mobility import log_lines as told_of_mobility
from solver.running.outputs.penetration import (
    Passage,
    PenetrationMonitor,
    Poses,
    log_lines,
    together,
)
from solver.running.outputs.submarining import Submarining, SubmariningMonitor
from solver.running.outputs.submarining import log_lines as told_of_laps

WATCHED = ("contacts", "belts", "harnesses", "strap_points", "beams")
"""Groups of which notes about a run are made (`watch`, `laps`, `ends`, `ledger`)."""

DRAGGED = 0.01
"""Part of the energy turned over, and of what moves, from which the drag in smooth rings is told."""

AT_ONCE = 200
"""Frames at which is looked together where nobody follows the run."""

SMALL = 1e75
"""Below this, products of four numbers are finite."""


class Sink(Protocol):
    """One who takes frames, samples and steps as they come."""

    def add_frames(self, time: Array, frames: Frame) -> None:
        """Take several instants; each value has one row for each of them."""

    def add_samples(self, name: str, time: Array, value: Array) -> None:
        """Take samples of one channel."""

    def add_steps(self, columns: Mapping[str, Sequence[Any]]) -> None:
        """Take steps of the integrator: time, step, evaluations, rejected."""

    def add_events(self, events: Sequence[Event]) -> None:
        """Take what happened."""

    def add_checkpoint(self, time: float, data: Callable[[], bytes]) -> None:
        """Take a state from which the run can be taken up again; its bytes are made when asked for."""


@dataclass
class Outcome:
    """Say how a run ended, and what it took."""

    status: str = "completed"
    message: str = ""
    time: float = 0.0
    steps: int = 0
    evaluations: int = 0
    rejected: int = 0
    happened: list[Event] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    """What there is to say besides."""
    injury: list[InjuryValue] = field(default_factory=list)
    assessment: Assessment | None = None
    """All about the injury figures, limits and missing ones included."""
    energy_balance: float = 0.0
    """Largest error of the energy account (J)."""
    gains: tuple[Sentence, ...] = ()
    """What gave more energy than it took, or than webbing would, in sentences."""
    guesses: tuple[Sentence, ...] = ()
    """What went beyond the curve of its force, the farthest first."""
    passages: tuple[Passage, ...] = ()
    """What passed through what, the deepest first."""
    submarining: tuple[Submarining, ...] = ()
    """What lap belts did that do not stay on the pelvis, the earliest first."""
    lacks: tuple[Sentence, ...] = ()
    """What impulses lacked, in sentences."""

    @property
    def log(self) -> tuple[str, ...]:
        """The lines of the log: notes, and events in words."""
        return log_of(self.notes, self.happened)


class Recorder:
    """Follow one run from block to block; `outcome` says how it goes.

    `model` stays as it was at the start, also while kernels are at work on a copy.
    """

    def __init__(
        self,
        model: Model,
        channels: Sequence[Channels],
        run: Run,
        wanted: Wanted | None = None,
    ) -> None:
        """Begin to follow a run; with `wanted` no more is made than that, `channels`, and what notes are made of.

        Then nobody follows it while it goes on, and what passes through what is looked for later.
        """
        self._model, self._is_read_later = model, wanted is not None
        self._is_part = wanted is not None and not wanted.is_all
        self._step_sizes = StepSizes(model, 1.0 / run.channel_rate_hz)
        only = None
        if wanted is not None and not wanted.is_all:
            only = {*wanted.groups, *WATCHED, *(name for one in channels for name in one.groups)}
        self._frames, self._events = Frames(model, only), Events(model)
        self._impacts = ImpactEvents(model)
        self._ledger, self._ends = Ledger(), CurveRange(model)
        self._saturation, self._laps = Saturation(model), SubmariningMonitor(model.project)
        self._mobility, self._beyond = Mobility(model.project), CurveEnds(model)
        self._channels, self._followed = channels, [Last() for _ in channels]
        self.outcome = Outcome(notes=list(model.notes))
        self._waiting: list[Poses] = []

    @cached_property
    def _watch(self) -> PenetrationMonitor:
        """Begin to watch with the first block, while kernels are at the next one."""
        return PenetrationMonitor(self._model.project)

    @property
    def energy(self) -> Energy:
        """The energy account, which counts from the first block."""
        return self._frames.energy

    def memory(self) -> tuple[Any, ...]:
        """What is followed on from block to block."""
        parts = (
            self._frames, self._ledger, self._ends, self._saturation, self._watch, self._step_sizes, self._laps, self._mobility,
            self._beyond,
        )  # fmt: skip
        return (*(part.memory() for part in parts), self._followed, self.outcome)

    def recall(self, memory: tuple[Any, ...]) -> None:
        """Follow on from there."""
        frames, ledger, ends, saturation, watch, pace, laps, mobility, beyond, *rest = memory
        self._followed, self.outcome = rest
        self._frames.recall(frames)
        self._ledger.recall(ledger)
        self._ends.recall(ends)
        self._saturation.recall(saturation)
        self._watch.recall(watch)
        self._step_sizes.recall(pace)
        self._laps.recall(laps)
        self._mobility.recall(mobility)
        self._beyond.recall(beyond)

    def follow(self, other: Recorder) -> None:
        """Go on behind another run of a like model: its events, and angles and signs that have been followed."""
        self.outcome.happened = list(other.outcome.happened)
        self.outcome.notes = list(other.outcome.notes)
        self._frames.follow(other._frames)

    def finished(self, counters: IntArray, system: System, implicit: Implicit) -> Outcome:
        """How the run stands now, with all that there is to say about it."""
        out = copy(self.outcome)
        out.notes, out.happened = list(out.notes), list(out.happened)
        out.steps, out.evaluations = int(counters[STEPS]), int(counters[EVALUATIONS])
        out.rejected = int(counters[REJECTED])
        out.gains = tuple(self._ledger.sentences())
        out.lacks = lacks(out.happened)
        out.notes.extend(Sentence("note: {what}", what=one) for one in (*out.gains, *out.lacks))
        out.notes.extend(self._ledger.warnings())
        self._look()
        out.passages = self._watch.found()
        out.notes.extend(log_lines(out.passages))
        out.submarining = self._laps.found()
        out.notes.extend(told_of_laps(out.submarining))
        out.notes.extend(told_of_mobility(tuple(self._mobility.sentences())))
        out.guesses = tuple(self._ends.sentences())
        out.notes.extend(told_of(out.guesses))
        out.notes.extend(self._saturation.sentences())
        out.notes.extend(self._frames.sentences())
        out.notes.extend(self._beyond.sentences())
        out.notes.extend(self._step_sizes.sentences(counters, implicit))
        balances = int(system.straps.workspace.counts[UNBALANCED])
        if balances:
            out.notes.append(
                Sentence(
                    "note: at {balances} of {evaluations} evaluations a harness came to no exact balance",
                    balances=balances,
                    evaluations=out.evaluations,
                )
            )
        dragged = float(system.straps.memory.dragged[0])
        moving = self._ledger.moving + self._ledger.turned_over
        if dragged > max(DRAGGED * moving, NOTHING_J):
            out.notes.append(
                Sentence(
                    "note: in rings without friction webbing lost {energy:.3g} J, {share:.1%} of what moves, to a drag (engine.md, Lag)",
                    energy=dragged,
                    share=dragged / moving,
                )
            )
        jammed = int(system.joints.bearings.missed[0])
        if jammed:
            out.notes.append(
                Sentence(
                    "note: at {jammed} evaluations friction of joints by their own force found no balance with it: they jam",
                    jammed=jammed,
                )
            )
        return out

    def take(self, sinks: Sequence[Sink], samples: Samples, modes: Modes, left: Instants) -> None:
        """Make frames and channels of the samples at these instants and give them to all sinks."""
        taken = len(left.times)
        if taken == 0:
            return
        out = self.outcome
        seen = Kinematics(self._model, modes, samples, taken)
        block = self._frames.block(seen, samples)
        wanted = np.flatnonzero(left.is_frame[:taken])
        bodies = self._frames.at_frames(seen, samples, wanted) if len(wanted) else {}
        values = [
            (c.specs, c.values(seen, samples, block, last))
            for c, last in zip(self._channels, self._followed, strict=True)
        ]
        lost = first_lost(seen.time, block, bodies, wanted, values)
        if self._is_part and (lost is not None or not _is_finite(samples, taken)):
            # what is not made may be the first that is lost
            raise NotRecorded("a number that is not finite")
        if lost is not None:
            taken, out.status, out.message = lost.row, "failed", lost.said
            if taken == 0:
                return
            block = _first_rows(block, taken)
            bodies = _first_rows(bodies, int(np.count_nonzero(wanted < taken)))
            wanted = wanted[wanted < taken]
        balance = float(np.max(np.abs(block["energy"]["balance"])))
        out.energy_balance = max(out.energy_balance, balance)
        self._ledger.take(block)
        self._ends.take(seen.time[:taken], block, samples)
        self._saturation.take(seen.time[:taken], samples)
        self._beyond.take(seen.time[:taken], samples)
        dense = np.flatnonzero(left.is_sample[:taken])
        chosen = {group: _at(columns, wanted) for group, columns in block.items()}
        if len(wanted) and "segments" in bodies:
            depths = chosen["contacts"]["penetration"] if "contacts" in chosen else None
            poses = Poses(seen.time[wanted], bodies["segments"], depths, chosen.get("airbags"))
            self._waiting.append(poses)
            self._mobility.look(seen.time[wanted], bodies["segments"])
            if not self._laps.is_idle:
                self._laps.look(seen.time[wanted], bodies["segments"], chosen["strap_points"])
            if not self._is_read_later or sum(len(one.time) for one in self._waiting) >= AT_ONCE:
                self._look()
        for sink in sinks:
            if len(wanted):
                sink.add_frames(seen.time[wanted], _joined(chosen, bodies))
            for specs, rows in values:
                for spec, value in zip(specs, rows, strict=True):
                    sink.add_samples(spec.name, seen.time[dense], value[dense])

    def _look(self) -> None:
        """Look at what passes through what."""
        if self._waiting:
            self._watch.look(*together(self._waiting))
            self._waiting = []

    def steps(
        self, sinks: Sequence[Sink], history: History, count: int, events: int, blows: Sequence[Blow] = ()
    ) -> None:  # fmt: skip
        """Hand over the steps and events of one call."""
        columns = {
            name: getattr(history, name)[:count].copy()
            for name in ("time", "step", "evaluations", "rejected")
        }
        self._step_sizes.take(
            *(getattr(history, name)[:count] for name in ("time", "step", "worst"))
        )
        for sink in sinks:
            sink.add_steps(columns)
        more = (*self._watch.events(), *self._laps.events())
        self.events(sinks, history, events, blows, more)

    def events(
        self, sinks: Sequence[Sink], history: History, events: int, blows: Sequence[Blow] = (),
        more: Sequence[Event] = (),
    ) -> None:  # fmt: skip
        """Hand over the events of one call, and what else has been found to happen."""
        happened = [
            self._events.event(
                float(history.event_time[n]), *(int(x) for x in history.event[n, :2])
            )
            for n in range(events)
        ]
        happened = sorted(
            (*happened, *self._impacts.events(blows), *more), key=lambda event: event.time
        )
        self.outcome.happened.extend(happened)
        for sink in sinks:
            sink.add_events(happened)


def _at(columns: Mapping[str, Array], rows: NDArray[np.intp]) -> Mapping[str, Array]:
    """Some instants of a group."""
    if isinstance(columns, ContactColumns):
        return columns.at(rows)
    return {name: column[rows] for name, column in columns.items()}


def _first_rows(block: Frame, count: int) -> Block:
    """The first instants of a block."""
    return {
        group: {name: value[:count] for name, value in columns.items()}
        for group, columns in block.items()
    }


def _joined(one: Frame, other: Frame) -> Frame:
    groups = dict.fromkeys((*one, *other))
    return {group: {**one.get(group, {}), **other.get(group, {})} for group in groups}


def _is_finite(samples: Samples, count: int) -> bool:
    """Whether all that results are made of is finite, and so small that its products are."""
    found = (one[:count].reshape(-1) for one in samples)
    # NaN is below nothing; a product by BLAS would wake threads for so little
    return all(float(np.einsum("i,i->", one, one)) < SMALL**2 for one in found)


class Lost(NamedTuple):
    """The first row of a block that is no longer finite, and a sentence about it."""

    row: int
    said: str


def first_lost(
    time: Array,
    block: Block,
    bodies: Block,
    frames: NDArray[np.intp],
    channels: Sequence[tuple[Sequence[ChannelSpec], Array]],
) -> Lost | None:
    """Find the first instant at which anything is not finite; `bodies` stand at `frames` alone."""
    rows, everywhere = len(time), np.arange(len(time))
    first, what = rows, ""
    found = [
        # what is made later is of samples that have been looked at
        *((name, group, value, everywhere) for group, of in block.items() if not isinstance(of, ContactColumns)
          for name, value in of.items()),
        *((name, group, value, frames) for group, of in bodies.items() for name, value in of.items()),
        *((specs[0].name, "channels", values.T, everywhere) for specs, values in channels if specs),
    ]  # fmt: skip
    for name, group, value, at in found:
        if value.dtype.kind != "f" or np.isfinite(value).all():
            continue
        bad = ~np.isfinite(value).reshape(len(value), -1).all(axis=1)
        row = int(at[int(np.argmax(bad))])
        if row < first:
            first, what = row, f"{name.replace('_', ' ')} ({group})"
    if first == rows:
        return None
    return Lost(
        first,
        tr(
            "At {time:.6g} ms {what} is no finite number: something in the model is far too large or too small. What came before is kept.",
            time=1e3 * float(time[first]),
            what=what,
        ),
    )
