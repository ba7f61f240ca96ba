"""Frames and events of a results file from blocks of samples, and which kinds of elements have rows there."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.base.words import Sentence
from solver.engine.dynamics.tree import Array
from solver.engine.forces.impulses import ENDLESS, FRICTIONLESS, MISSING, WAITING
from solver.engine.forces.system import ALL_EVENTS, JOINT_EVENTS, TRIGGER_EVENTS
from solver.engine.integrate.happening import START_SPEEDS
from solver.engine.integrate.plan import History
from solver.engine.integrate.samples import Samples
from solver.engine.maths.rotation import cross
from solver.model.arrays import triggers_of
from solver.model.compile import Model, Modes
from solver.model.harness import devices_of
from solver.model.motions import triggers_of_drivers
from solver.project.document import LISTS, Project
from solver.project.runs import Run
from solver.results.events import Event
from solver.running.outputs.account import Energy
from solver.running.outputs.beams import Beams, BeamStations
from solver.running.outputs.constraints import (
    Closures,
    Constraints,
    Couplings,
    CurvePoints,
    PointContacts,
)
from solver.running.outputs.elements import (
    Actuators,
    ContactColumns,
    Contacts,
    CoordinateForces,
    Drivers,
    FlexibleElements,
    FrameDrivers,
    PrescribedLoads,
    Signals,
    Springs,
    Symmetries,
    TensionElements,
    Winds,
)
from solver.running.outputs.impacts import Blow
from solver.running.outputs.joints import Joints
from solver.running.outputs.kinematics import (
    Kind,
    Kinematics,
    Moving,
    Signs,
    Source,
    along,
    quaternions,
)
from solver.running.outputs.modal import ModalNodes, ModeAmplitudes, modal_momenta
from solver.running.outputs.restraints import (
    Airbags,
    Belts,
    Harnesses,
    StrapPoints,
    bag_contacts,
    contact_ids,
    strap_path,
)
from solver.running.outputs.tyres import Tyres

# The instants of a run that are sampled, and what the kernels have found at them until it is handed over.

# The instants of a run that are sampled: frames, samples of channels, and the very end.

ROWS = 256
"""Samples in a block."""


@dataclass(frozen=True)
class Instants:
    """Times to sample: which of them are frames, which are samples of channels."""

    times: Array
    is_frame: NDArray[np.bool_]
    is_sample: NDArray[np.bool_]

    def first(self, count: int) -> Instants:
        """The first of them."""
        return Instants(self.times[:count], self.is_frame[:count], self.is_sample[:count])

    def behind(self, time: float) -> Instants:
        """Those behind a time."""
        n = int(np.searchsorted(self.times, time, side="right"))
        return Instants(self.times[n:], self.is_frame[n:], self.is_sample[n:])

    def with_frame_at_end(self, time: float) -> Instants:
        """The same with a frame at the last, whose time is told again: it may be off by rounding."""
        times, is_frame = self.times.copy(), self.is_frame.copy()
        times[-1], is_frame[-1] = time, True
        return Instants(times, is_frame, self.is_sample)

    def and_frame(self, time: float) -> Instants:
        """The same and a frame behind them."""
        return Instants(
            np.append(self.times, time), np.append(self.is_frame, True), np.append(self.is_sample, False)
        )  # fmt: skip


def nearness(run: Run) -> float:
    """How near each other two instants of a run are one (s)."""
    return 1e-9 * float(min(1.0 / run.channel_rate_hz, run.frame_interval_s))


def instants(run: Run) -> Iterator[Instants]:
    """All times in blocks: the two grids merged, and the very end."""
    end, period, interval = run.duration_s, 1.0 / run.channel_rate_hz, run.frame_interval_s
    near = nearness(run)
    # of both grids no more than a block is made at once, however different they are
    span = (ROWS - 4) / (1.0 / period + 1.0 / interval)
    from_, last = 0.0, False
    while not last:
        to = from_ + span
        last = to >= end - near
        limit = end + near if last else to - near
        first_k, first_j = (int(np.ceil((from_ - near) / d)) for d in (period, interval))
        dense = np.arange(first_k, int(np.floor(limit / period)) + 1) * period
        frames = np.arange(first_j, int(np.floor(limit / interval)) + 1) * interval
        both = np.concatenate([dense, frames, [end] if last else []])
        both.sort()
        times = both[np.diff(both, prepend=-np.inf) > near]
        times = np.minimum(times, end)
        marks = [_on_grid(times, d, near) for d in (interval, period)]
        if last:
            marks[0][-1] = True
        for n in range(0, len(times), ROWS):
            part = slice(n, n + ROWS)
            yield Instants(times[part], marks[0][part], marks[1][part])
        from_ = to


def _on_grid(times: Array, period: float, near: float) -> NDArray[np.bool_]:
    out: NDArray[np.bool_] = np.abs(times - np.round(times / period) * period) <= near
    return out


# What calls of the kernels have found, gathered until it is worth handing over.

ENOUGH = 128
"""Samples from which on what was found is handed over: what is made of fewer costs nearly as much."""

SOON_S = 0.1
"""Time after which it is handed over, however little it is."""

STEPS_AT_ONCE = 400
"""Steps after which kernels hand over what they have, if their time does not come before."""

STEPS_LATER, ROWS_LATER = 4000, 3 * ROWS
"""Steps, and room for samples, in a run that nobody follows: what is made of a block costs little more for a longer one."""


class OutputBlock(NamedTuple):
    """Hold samples at these instants, the modes at each of them, and steps and events in between."""

    due: Instants
    modes: Modes
    samples: Samples
    history: History
    steps: int
    events: int
    blows: tuple[Blow, ...] = ()

    def copied(self) -> OutputBlock:
        """Give the same in arrays of its own, as long as they have to be."""
        samples: Any = self.samples
        history: Any = self.history
        taken = len(self.due.times)
        counts = [self.events if n.startswith("event") else self.steps for n in History._fields]
        return self._replace(
            samples=samples._make(one[:taken].copy() for one in samples),
            history=history._make(one[:n].copy() for one, n in zip(history, counts, strict=True)),
        )


class OutputBuffer:
    """What waits: finds of calls that came back for an event alone, while bodies stay of their kinds."""

    def __init__(self) -> None:
        self._waiting: list[OutputBlock] = []
        self._since = 0.0

    def offer(self, found: OutputBlock, may_wait: bool) -> Iterator[list[OutputBlock]]:
        """Copy what was found, and give what is to be handed over now, each together."""
        if self._waiting and not np.array_equal(self._waiting[-1].modes.kind, found.modes.kind):
            yield self.taken()
        if not self._waiting:
            self._since = time.perf_counter()
        self._waiting.append(found.copied())
        taken = sum(len(one.due.times) for one in self._waiting)
        if not may_wait or taken >= ENOUGH or time.perf_counter() - self._since > SOON_S:
            yield self.taken()

    def taken(self) -> list[OutputBlock]:
        """What waits, and wait for more."""
        waiting, self._waiting = self._waiting, []
        return waiting


def joined(found: Sequence[OutputBlock]) -> OutputBlock:
    """Give copies that follow each other as one; their bodies are of the same kinds."""
    if len(found) == 1:
        return found[0]
    due, modes, samples, histories, steps, events, blows = zip(*found, strict=True)
    return OutputBlock(
        Instants(*_rows([(one.times, one.is_frame, one.is_sample) for one in due])),
        Modes(modes[0].kind, *_rows([one[1:] for one in modes])),
        Samples(*_rows(samples)), History(*_rows(histories)), sum(steps), sum(events), tuple(chain(*blows)),
    )  # fmt: skip


def _rows(parts: Sequence[Sequence[Any]]) -> list[Any]:
    """Put arrays of one name behind each other."""
    return [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]


# All kinds of elements that have rows in the results, in the order in which these are written.

KINDS: tuple[type[Kind], ...] = (
    Joints,
    Constraints,
    PointContacts,
    Couplings,
    Closures,
    CurvePoints,
    FlexibleElements,
    Beams,
    BeamStations,
    ModeAmplitudes,
    ModalNodes,
    Symmetries,
    Springs,
    Tyres,
    TensionElements,
    Contacts,
    Airbags,
    PrescribedLoads,
    Winds,
    Belts,
    Harnesses,
    StrapPoints,
    Drivers,
    FrameDrivers,
    CoordinateForces,
    Actuators,
    Signals,
)


# What happened in a run: the numbers that kernels write down as events of elements.

TRIGGERS = ("trigger_passed", "trigger_fires")
"""Kinds by what the kernels say has happened."""

IMPULSES = {
    WAITING: "impulses_wait", FRICTIONLESS: "impulses_frictionless",
    ENDLESS: "impulses_endless", MISSING: "impulses_missing",
}  # fmt: skip
"""Kinds by what the impulses of a pair or a stop lack."""


def triggered_paths(project: Project) -> list[str]:
    """Paths of what triggers set off, in the order of their numbers."""
    out = [f"airbags/{bag.id}" for bag in project.airbags]
    out += [strap_path(s) for s, d, _ in devices_of(project) if d.pretensioner]
    out += [f"coordinate_forces/{one.id}" for one, _ in triggers_of(project)]
    return out + [path for path, _ in triggers_of_drivers(project)]


class Events:
    """Read the events of one model."""

    def __init__(self, model: Model) -> None:
        project, self._model = model.project, model
        triggered = triggered_paths(project)
        sources: dict[int, Source] = {
            JOINT_EVENTS: lambda n, _: (*model.events[n], ()),
            TRIGGER_EVENTS: lambda n, what: (TRIGGERS[what], triggered[n], ()),
        }
        for kind in KINDS:
            sources |= kind.events(project)
        first = model.system.first
        self._count = int(first[ALL_EVENTS])
        self._sources = [sources[sort] for sort in sorted(sources)]
        self._firsts = [int(first[sort]) for sort in sorted(sources)]

    def event(self, time: float, number: int, what: int) -> Event:
        """Give the event that a kernel has written down by its number."""
        if number == START_SPEEDS:
            return Event(time, "speeds_corrected")
        if not 0 <= number < self._count:
            raise IndexError(number)
        # of sorts without events, which begin where the next does, the last one has it
        sort = bisect_right(self._firsts, number) - 1
        lacking = IMPULSES.get(what)
        source, n = self._sources[sort], number - self._firsts[sort]
        if lacking is not None:
            return Event(time, lacking, (source(n, 0)[1],))
        kind, element, values = source(n, what)
        return Event(time, kind, (element,), values)

    def names(self) -> tuple[str, ...]:
        """Name all that an event may name: the elements of the project, and parts of them."""
        return tuple(dict.fromkeys(self._names()))

    def _names(self) -> Iterator[str]:
        project = self._model.project
        for list_ in LISTS:
            for item in getattr(project, list_):
                yield f"{list_}/{item.id}"
        yield from (f"segments/{s.id}/{one.id}" for s in project.segments for one in s.surfaces)
        yield from (element for _, element in self._model.events)
        yield from (strap_path(name) for name in Harnesses.ids(project))


# Make the frames of a results file from a block of samples.

Block = dict[str, Mapping[str, Array]]
"""Group, then column, then an array (T, N, ...)."""


class Frames:
    """Turn samples into the groups of a results file: all, or those of some names.

    Segments always have their motion.
    """

    def __init__(self, model: Model, only: Collection[str] | None = None) -> None:
        self._model, self._only = model, only
        self.energy, self._signs = Energy(), Signs()
        self._kinds = [
            kind(model) for kind in KINDS if kind.ids(model.project) and self._is_wanted(kind.group)
        ]

    def memory(self) -> tuple[Any, ...]:
        """What is followed on from block to block."""
        return vars(self.energy), vars(self._signs), [kind.memory() for kind in self._kinds]

    def follow(self, other: Frames) -> None:
        """Follow on from another run of a like model, where kinds of elements are the same."""
        vars(self._signs).update(vars(other._signs))
        theirs = {kind.group: kind for kind in other._kinds}
        for kind in self._kinds:
            if kind.group in theirs and kind.ids(self._model.project) == kind.ids(
                other._model.project
            ):
                kind.recall(theirs[kind.group].memory())

    def recall(self, memory: tuple[Any, ...]) -> None:
        """Follow on from there."""
        energy, signs, kinds = memory
        vars(self.energy).update(energy)
        vars(self._signs).update(signs)
        for kind, one in zip(self._kinds, kinds, strict=True):
            kind.recall(one)

    def sentences(self) -> Iterator[Sentence]:
        """Say what kinds of elements say of what was seen."""
        for kind in self._kinds:
            yield from kind.sentences()

    def at_frames(self, seen: Kinematics, samples: Samples, rows: NDArray[np.intp]) -> Block:
        """What is only wanted at frames: motion and momenta of segments, touches of airbags."""
        segments = self._model.project.segments
        if not segments:
            zero = np.zeros((len(rows), 3))
            return {"energy": {"momentum": zero, "spin": zero}}
        moving = seen.at(rows).together([segment.id for segment in segments])
        out: Block = {"segments": self._segments(moving)}
        if self._is_wanted("energy"):
            out["energy"] = self._momenta(moving, samples, rows)
        if self._is_wanted("airbag_contacts") and any(
            bag.touches for bag in self._model.project.airbags
        ):
            out["airbag_contacts"] = bag_contacts(self._model, samples, rows)
        return out

    def block(self, seen: Kinematics, samples: Samples) -> Block:
        """All other groups for one block, at every sample."""
        out: Block = {"energy": self.energy.columns(samples, seen.rows)}
        for kind in self._kinds:
            if self._only is not None and isinstance(kind, Contacts):
                out[kind.group] = ContactColumns(samples.contacts[: seen.rows])
            else:
                out[kind.group] = kind.columns(seen, samples)
        return out

    def alone(self, group: str, seen: Kinematics, samples: Samples) -> dict[str, Array]:
        """One group at every sample of a block, with what is only wanted at frames; "account" is the energy without momenta."""
        rows = np.arange(seen.rows)
        segments = [segment.id for segment in self._model.project.segments]
        if group == "segments":
            return self._segments(seen.together(segments))
        if group in ("energy", "account"):
            columns = self.energy.columns(samples, seen.rows)
            if group == "account":
                return columns
            if segments:
                return columns | self._momenta(seen.together(segments), samples, rows)
            zero = np.zeros((len(rows), 3))
            return columns | {"momentum": zero, "spin": zero}
        if group == "airbag_contacts":
            return bag_contacts(self._model, samples, rows)
        kind = next(one for one in self._kinds if one.group == group)
        return kind.columns(seen, samples)

    def _is_wanted(self, group: str) -> bool:
        return self._only is None or group in self._only

    def _segments(self, seen: Moving) -> dict[str, Array]:
        return {
            "position": seen.place,
            "quaternion_wxyz": self._signs(quaternions(seen.turn)),
            "velocity": seen.velocity,
            "angular_velocity": along(seen.turn, seen.spin),
            "acceleration": seen.acceleration,
            "angular_acceleration": along(seen.turn, seen.spin_rate),
        }

    def _momenta(self, seen: Moving, samples: Samples, rows: NDArray[np.intp]) -> dict[str, Array]:
        """Give linear and angular momentum of all segments, ground axes, about the ground's origin."""
        segments = self._model.project.segments
        mass = np.array([segment.mass_kg for segment in segments])
        J = np.array([self._model.trees.inertia[segment.id] for segment in segments])
        p, R = mass[:, None] * seen.velocity, seen.turn
        about = np.einsum("tnij,njk,tnk->tni", R, J, along(R, seen.spin))
        moved, turned = p.sum(axis=1), (cross(seen.place, p) + about).sum(axis=1)
        modals = self._model.system.tree.modals
        if len(modals.frame):
            bent = modal_momenta(modals, self._model.trees.modal_rest, samples, rows)
            moved, turned = moved + bent[0], turned + bent[1]
        return {"momentum": moved, "spin": turned}


def ids(model: Model) -> Mapping[str, tuple[str, ...]]:
    """Name the elements of each group."""
    project = model.project
    return {
        "segments": tuple(s.id for s in project.segments),
        **{kind.group: kind.ids(project) for kind in KINDS},
        "airbag_contacts": tuple(name for a in project.airbags for name in contact_ids(a)),
        "energy": (),
    }
