"""Injury figures of a run: those that its project asks for, and the usual ones of every body."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from solver.injury.criteria import CRITERIA, Signal
from solver.injury.judging import intercepts_for, judged, mass_of
from solver.injury.parts import Occupant, occupants
from solver.injury.reference import Limit, Risk, reference
from solver.injury.sensors import Sensor, wanted, way_inwards
from solver.project import Project, ProjectError, parse
from solver.project.checks.injury import usual_channel
from solver.project.injury import NEEDS, Body, InjuryOutput
from solver.project.joint_table import way_of
from solver.project.outputs import JointOutput, TouchOutput
from solver.project.touching import may_touch
from solver.results.layout import InjuryValue, ResultsError
from solver.results.trajectory import Array, Trajectory
from solver.signals import SignalError, cfc
from solver.words import NOTHING, Sentence, joined

HEAD_CLASS, BODY_CLASS = 1000, 180
"""Classes of accelerations of the head and of the rest."""


@dataclass(frozen=True, slots=True)
class Figure:
    """Hold an injury figure and every choice that it rests on."""

    name: str
    criterion: str
    title: str
    value: float
    unit: str
    t1: float
    t2: float
    channels: tuple[str, ...]
    filters: tuple[int, ...]
    body: str = ""
    part: str = ""
    remarks: tuple[Sentence, ...] = ()
    limits: tuple[Limit, ...] = ()
    risks: tuple[Risk, ...] = ()
    automatic: bool = False
    why_not: Sentence = NOTHING
    """Why it is compared with nothing although there are limits or risks; it ends the note, too."""

    @property
    def note(self) -> str:
        """Say how it came about."""
        return str(joined("; ", self.remarks))

    @property
    def no_verdict(self) -> str:
        """Say why it is compared with nothing; empty where it is compared, or nothing is known."""
        return str(self.why_not)

    @property
    def share(self) -> float | None:
        """Give the value as a part of the lowest limit; none where there is no limit."""
        return self.value / min(one.limit for one in self.limits) if self.limits else None

    def stored(self) -> InjuryValue:
        """Give the part of it that stands in a results file."""
        channel = " + ".join(self.channels)
        return InjuryValue(
            self.name, self.value, self.unit, self.t1, self.t2, channel, max(self.filters)
        )


@dataclass(frozen=True, slots=True)
class Assessment:
    """Hold all figures of a run, and why others could not be computed."""

    figures: tuple[Figure, ...]
    missing: tuple[tuple[str, Sentence], ...] = ()
    """Name and reason."""

    def __getitem__(self, name: str) -> Figure:
        """Give one figure."""
        for figure in self.figures:
            if figure.name == name:
                return figure
        raise ResultsError("There is no injury figure '{name}' in this run.", name=name)

    @property
    def reasons(self) -> Mapping[Sentence, list[str]]:
        """Give the figures that each reason stopped."""
        reasons: dict[Sentence, list[str]] = {}
        for name, why in self.missing:
            reasons.setdefault(why, []).append(name)
        return reasons

    @property
    def notes(self) -> tuple[Sentence, ...]:
        """Give a line for each reason, with the figures that it stopped."""
        return tuple(
            Sentence("note: not computed: {figures}. {why}", figures=", ".join(names), why=why)
            for why, names in self.reasons.items()
        )


@dataclass(frozen=True, slots=True)
class _Request:
    """Ask for one figure."""

    name: str
    part: str
    body: Occupant | None
    outputs: tuple[Sensor, ...]
    options: InjuryOutput
    automatic: bool


def assess(
    run: Trajectory, project: Project | None = None, only: Collection[str] | None = None
) -> Assessment:
    """Compute the injury figures of a run, or those of some names; `project` is read from the run if it is not given."""
    if project is None:
        try:
            project = parse(run.project_json.decode()).project
        except (ProjectError, UnicodeDecodeError) as failure:
            raise ResultsError(
                "The project in the results is damaged: {failure}", failure=failure
            ) from None
    signals = _Signals(run, project)
    figures, missing = [], []
    for request in _requests(project):
        if only is not None and request.name not in only:
            continue
        try:
            figure = _figure(request, signals, run, project)
        except SignalError as failure:
            missing.append((request.name, failure.said))
            continue
        figures.append(figure)
    return Assessment(tuple(figures), tuple(missing))


def figure_units(project: Project) -> Mapping[str, str]:
    """Name all figures that a run of a project may have, with their units."""
    return {one.name: CRITERIA[one.options.criterion].unit for one in _requests(project)}


def _requests(project: Project) -> Iterator[_Request]:
    """Give what the project asks for, then what bodies have beside it."""
    bodies = occupants(project)
    by_id = {output.id: output for output in project.outputs}
    asked, taken = set(), set()
    for options in project.outputs:
        if isinstance(options, InjuryOutput):
            names = (options.output, options.second)[: len(NEEDS[options.criterion])]
            outputs: tuple[Sensor, ...] = tuple(by_id[name] for name in names if name is not None)
            body, part = _place(project, outputs[0], bodies)
            asked.add((options.criterion, outputs))
            taken.add(options.id)
            yield _Request(options.id, part, body, outputs, options, False)
    for occupant in bodies:
        lead = f"{occupant.name}." if occupant.name else ""
        neck = _nearest_neck(project, occupant)
        for name, criterion, part, outputs in wanted(project, occupant):
            if (criterion, outputs) not in asked:
                options = InjuryOutput.model_construct(
                    id=name, criterion=criterion, output=outputs[0].id, neck=neck
                )
                full = lead + name
                full = f"{part}.{full}" if full in taken else full
                yield _Request(full, part, occupant, outputs, options, True)


def _nearest_neck(project: Project, body: Occupant) -> Body:
    """Name the neck that a body's automatic figures take: that of the nearest dummy in mass."""
    mass = mass_of(project, body)
    necks: tuple[Body, ...] = get_args(Body)
    return necks[0] if mass is None else reference().nearest(mass, necks)


def _place(
    project: Project, output: Sensor, bodies: Sequence[Occupant]
) -> tuple[Occupant | None, str]:
    """Give the body and the part that an output is about."""
    segment = getattr(output, "segment", "")
    if isinstance(output, JointOutput):
        joint = next(j for j in project.joints if j.id == output.joint)
        segment = joint.child if output.in_axes_of == "child" else joint.parent
    for body in bodies:
        if part := body.part_of(segment):
            return body, part
    return None, ""


def _figure(request: _Request, signals: _Signals, run: Trajectory, project: Project) -> Figure:
    options, info = request.options, CRITERIA[request.options.criterion]
    given, labels = [], []
    for need, output, usual in zip(
        NEEDS[options.criterion], request.outputs, info.classes, strict=True
    ):
        own = HEAD_CLASS if request.part in ("head", "") else BODY_CLASS
        class_ = (output.cfc or usual or own) if options.cfc is None else int(options.cfc)
        given.append(signals.get(output, need, class_, options))
        labels.append(signals.label(output, need, options))
    body, criterion = request.body, options.criterion
    legs = intercepts_for(options, mass_of(project, body), reference().tibias)
    measure = info.compute(given, options.model_copy(update={"compared_with": legs}))
    key = {"3ms": {"head": "head_3ms", "upper_torso": "chest_3ms"}.get(request.part, ""),
           "3ms_in_one": "chest_3ms" if request.part == "upper_torso" else ""}.get(criterion, criterion)  # fmt: skip
    verdict = judged(key, measure.value, options, request.automatic, body, run, project)
    remarks: tuple[Sentence, ...] = (measure.note,)
    if verdict.why_not:
        remarks += (Sentence("no verdict: {why}", why=verdict.why_not),)
    return Figure(
        request.name, criterion, info.title, measure.value, info.unit, measure.t1, measure.t2,
        tuple(labels), tuple(s.cfc for s in given), body.name if body else "", request.part,
        remarks, verdict.limits, verdict.risks,
        request.automatic, verdict.why_not,
    )  # fmt: skip


class _Signals:
    """Read and filter what outputs gave, each once."""

    def __init__(self, run: Trajectory, project: Project) -> None:
        self._run, self._project = run, project
        self._names = frozenset(run.channel_names)
        self._joints = {joint.id: joint for joint in project.joints}
        self._raw: dict[str, tuple[Array, Array]] = {}
        self._filtered: dict[tuple[str, int], Array] = {}

    def label(self, output: Sensor, need: str, options: InjuryOutput) -> str:
        """Name the channels that are used."""
        if need == "touch":
            return f"{output.id}_force_resultant"
        if need == "deflection":
            return f"{output.id}_{self._deflection_channel(output, options)}"
        return f"{output.id}_x, _y, _z"

    def get(self, output: Sensor, need: str, class_: int, options: InjuryOutput) -> Signal:
        """Give what an output gave, filtered; a touch as it is."""
        if need == "touch":
            if isinstance(output, TouchOutput) and not any(
                may_touch(self._project, output.segment)
            ):
                raise SignalError(
                    "Nothing in the project may touch '{segment}'.", segment=output.segment
                )
            time, rows = self._read((self.label(output, need, options),), 0)
            return Signal(time, rows[0], 0)
        if need == "deflection":
            channel = self._deflection_channel(output, options)
            time, rows = self._read((f"{output.id}_{channel}",), class_)
            if channel == "penetration":
                return Signal(time, rows[0], class_)
            joint = self._joints.get(getattr(output, "joint", ""))
            inwards = -1.0 if joint is None else way_inwards(joint)
            return Signal(time, inwards * (rows[0] - rows[0][0]), class_)
        time, rows = self._read(tuple(f"{output.id}_{axis}" for axis in "xyz"), class_)
        value = np.stack(rows)
        on_child = getattr(output, "in_axes_of", "child") == "child"
        # channels hold the load on the child; the parent feels the opposite
        return Signal(time, value if on_child else -value, class_, on_child)

    def _deflection_channel(self, output: Sensor, options: InjuryOutput) -> str:
        joint = self._joints.get(getattr(output, "joint", ""))
        return options.channel or usual_channel(output, "" if joint is None else way_of(joint))

    def _read(self, names: Sequence[str], class_: int) -> tuple[Array, list[Array]]:
        rows: list[Array] = []
        time: Array = np.zeros(0)
        for name in names:
            if name not in self._raw:
                if name not in self._names:
                    raise SignalError(
                        "The run did not record '{name}': solve it again with this version, with 'body_sensors' on.",
                        name=name,
                    )
                channel = self._run.channel(name)
                self._raw[name] = channel.time, channel.value
            time, value = self._raw[name]
            if class_ and (name, class_) not in self._filtered:
                self._filtered[name, class_] = cfc(time, value, class_)
            rows.append(self._filtered[name, class_] if class_ else value)
        if len(time) < 2:
            raise SignalError("The run ended before there were two samples.")
        return time, rows
