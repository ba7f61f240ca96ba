"""Injury figures of a run: those that its project asks for, and the usual ones of every body."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np

from solver.base.words import NOTHING, Note, Sentence
from solver.engine.signals import WEIGHTINGS, SignalError, cfc
from solver.injury.added import added_to, broken_criteria, criterion_named, limits_of
from solver.injury.criteria import LASTING, compute
from solver.injury.faults import Places, cut_off, faults, pulse_goes_on, region_of_part, spoilt
from solver.injury.figures import Assessment, Figure, Judged, key_of
from solver.injury.judging import (
    TRUNK,
    Case,
    MatchedDummy,
    Way,
    intercepts_for,
    judged,
    made_for_others,
    mass_of,
    matched_dummy,
    of_no_age,
    pushed_from,
)
from solver.injury.parts import Occupant, occupants
from solver.injury.reference import Limit, reference
from solver.injury.scores import HEAD, G, Load, Signal, rated
from solver.injury.sensors import Sensor, body_sensors, touch_of, wanted, way_inwards
from solver.project import Project, ProjectError, parse
from solver.project.checks.injury import usual_channel
from solver.project.criteria import CRITERIA, HIC
from solver.project.document import may_touch
from solver.project.joint_table import carrying, way_of
from solver.project.memo import memoised
from solver.project.outputs import InjuryOutput, JointOutput, Neck, TouchOutput
from solver.project.study_parts import (
    ChannelResponse,
    FigureResponse,
    FormulaResponse,
    MissResponse,
    RatingResponse,
    Response,
    RideResponse,
)
from solver.results.layout import ResultsError
from solver.results.selection import unit_named
from solver.results.trajectory import Array, Trajectory

HEAD_CLASS, BODY_CLASS = 1000, 180
"""Classes of accelerations of the head and of the rest."""


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
    run: Trajectory,
    project: Project | None = None,
    standards: Sequence[str] = (),
    only: Collection[str] | None = None,
    status: str | None = None,
    notes: Sequence[Note] = (),
) -> Assessment:
    """Compute the injury figures of a run, or those of some names alone, without bodies and ratings.

    `project` is read from the run if it is not given. With `standards` (ids of `resources/injury.json`, such as
    "un_r94") their limits alone are shown, and what they limit that is not measured is listed. `status` and `notes` tell
    how the run ended and what there is to say of it, if it does not know that yet.
    """
    if project is None:
        try:
            project = parse(run.project_json.decode()).project
        except (ProjectError, UnicodeDecodeError) as failure:
            raise ResultsError(
                "The project in the results is damaged: {failure}", failure=failure
            ) from None
    signals = _Signals(run, project)
    early = (status or run.status) not in ("completed", "running") and len(run.time) > 0
    until = float(run.time[-1]) if early else None
    cases = {one.name: _case(run, project, one) for one in occupants(project)}
    happened, places = () if only is not None else faults(project, run, notes), Places(project)
    whole: list[Figure] = []
    figures, missing = [], []
    loads: dict[str, dict[str, list[Load]]] = {name: {} for name in cases}
    if only is None:
        missing += [(str(one.values["name"]), one) for one in broken_criteria()]
    for request in _requests(project):
        if only is not None and request.name not in only:
            continue
        nobody = Case(None, MatchedDummy(), "", project.load_case)
        case = cases[request.body.name] if request.body else nobody
        try:
            figure = _figure(request, signals, case, project)
        except SignalError as failure:
            missing.append((request.name, failure.said))
            continue
        figure = figure if until is None else replace(figure, until=until)
        whole.append(figure)
        where = _where(request, project, places)
        figures.append(figure if where is None else spoilt(figure, *where, happened))
        if request.body:
            _keep(loads[request.body.name], figure, signals, request)
    if only is not None:
        return Assessment(tuple(figures), tuple(missing), until=until).under(standards)
    bodies = tuple(
        _judged(name, case, whole, signals.untouched(case.body)) for name, case in cases.items()
    )
    goes_on = NOTHING if until is not None else pulse_goes_on(run, project)
    ratings = [
        one
        for name, case in cases.items()
        if until is None
        for one in rated(name, case, [f for f in figures if f.body == name], loads[name], goes_on)
    ]
    given = tuple(one for one in ratings if not isinstance(one, Sentence))
    withheld = tuple(one for one in ratings if isinstance(one, Sentence))
    found = Assessment(
        tuple(figures), tuple(missing), bodies, given, until=until, withheld=withheld
    )
    return found.under(standards)


def _where(request: _Request, project: Project, places: Places) -> tuple[str, str] | None:
    """The body and the region that a figure tells of; of what is no part of a body, that of what it is attached to."""
    if request.body is not None and (region := region_of_part(request.part)):
        return request.body.name, region
    return places.of(_segment(project, request.outputs[0]))


def _keep(
    loads: dict[str, list[Load]], figure: Figure, signals: _Signals, request: _Request
) -> None:
    """Keep what ratings look at over time: loads by their duration, and the head's acceleration."""
    if figure.criterion not in LASTING and key_of(figure.criterion, figure.part) != "head_3ms":
        return
    need = criterion_named(figure.criterion).needs[0]
    given = signals.get(request.outputs[0], need, figure.filters[0], request.options)
    if figure.criterion in LASTING:
        value, name = LASTING[figure.criterion](given), figure.criterion
    else:
        value, name = np.linalg.norm(given.value, axis=0) / G, HEAD
    loads.setdefault(name, []).append(Load(given.time, value))


def _case(run: Trajectory, project: Project, body: Occupant) -> Case:
    """Tell who a body is, and from where it is pushed."""
    trunk = next((body.segments[part] for part in TRUNK if part in body.segments), "")
    way: Way = pushed_from(run, trunk, project.gravity_m_per_s2)
    return Case(body, matched_dummy(project, body), way, project.load_case)


def _judged(name: str, case: Case, figures: Sequence[Figure], untouched: Sentence) -> Judged:
    """Say of a body which standards have limits for it here."""
    used = {one.standard for f in figures if f.body == name for one in f.limits}
    standards = tuple(s for s in reference().standards if s in used)
    return Judged(name, case.who, case.way, standards, untouched, case.load)


def figure_units(project: Project) -> Mapping[str, str]:
    """Name all figures that a run of a project may have, with their units."""
    return {one.name: criterion_named(one.options.criterion).unit for one in _requests(project)}


def _requests(project: Project) -> Iterator[_Request]:
    """What the project asks for, then what bodies have beside it."""
    bodies = occupants(project)
    by_id = {output.id: output for output in project.outputs}
    asked, taken = set(), set()
    for options in project.outputs:
        if isinstance(options, InjuryOutput):
            names = (options.output, options.second)[: len(CRITERIA[options.criterion].sensors)]
            outputs: tuple[Sensor, ...] = tuple(by_id[name] for name in names if name is not None)
            body, part = _place(project, outputs[0], bodies)
            asked.add((options.criterion, outputs))
            taken.add(options.id)
            yield _Request(options.id, part, body, outputs, options, False)
    for occupant in bodies:
        lead = f"{occupant.name}." if occupant.name else ""
        usual = _usual_options(project, occupant)
        found = (*wanted(project, occupant), *added_to(project, occupant))
        for name, criterion, part, outputs in found:
            if (criterion, outputs) not in asked:
                options = InjuryOutput.model_construct(
                    id=name, criterion=criterion, output=outputs[0].id, **usual
                )
                full = lead + name
                full = f"{part}.{full}" if full in taken else full
                yield _Request(full, part, occupant, outputs, options, True)


def _usual_options(project: Project, body: Occupant) -> dict[str, Any]:
    """The numbers of dummies that a body's automatic figures take.

    Intercepts of the neck are those of the nearest dummy in mass; the chest's depth is that of its own.
    """
    mass = mass_of(project, body)
    necks: tuple[Neck, ...] = get_args(Neck)
    chest = reference().chests.get(matched_dummy(project, body).size)
    own = {"depth_m": chest["depth"], "scale": chest["scale"]} if chest else {}
    return {"neck": reference().nearest(mass, necks) if mass else necks[0], **own}


def _place(
    project: Project, output: Sensor, bodies: Sequence[Occupant]
) -> tuple[Occupant | None, str]:
    """The body and the part that an output is about."""
    at, seen = _segment(project, output), set[str]()
    # a load cell may lie behind a part of no name, such as a half of the pelvis
    parents = {one.child: one.parent for one in carrying(project.joints)}
    while at and at not in seen:
        for body in bodies:
            if part := body.part_of(at):
                return body, part
        seen.add(at)
        at = parents.get(at, "") if isinstance(output, JointOutput) else ""
    return None, ""


def _segment(project: Project, output: Sensor) -> str:
    """The segment that an output is about; empty where there is none."""
    if not isinstance(output, JointOutput):
        return str(getattr(output, "segment", "") or "")
    joint = next(j for j in project.joints if j.id == output.joint)
    return joint.child if output.in_axes_of == "child" else joint.parent


def _figure(request: _Request, signals: _Signals, case: Case, project: Project) -> Figure:
    options, info = request.options, criterion_named(request.options.criterion)
    criterion = options.criterion
    known = case.who.how == "dummy" and case.who.size in reference().chests
    if criterion == "VC" and request.automatic and not known:
        raise SignalError("The depth of this body's chest and its scale are not known.")
    given, labels = [], []
    for (need, usual), output in zip(info.sensors, request.outputs, strict=True):
        own = HEAD_CLASS if request.part in ("head", "") else BODY_CLASS
        class_ = (output.cfc or usual or own) if options.cfc is None else int(options.cfc)
        given.append(signals.get(output, need, class_, options))
        labels.append(signals.label(output, need, options))
    body = request.body
    legs = intercepts_for(options, case.who.mass or None, reference().tibias)
    of_legs = options.model_copy(update={"compared_with": legs})
    measure = compute(given, of_legs)
    at_end = cut_off(of_legs, given, measure)
    key = key_of(criterion, request.part)
    verdict = judged(key, measure.value, options, request.automatic, case)
    verdict = replace(verdict, limits=(*verdict.limits, *limits_of(criterion)))
    remarks = (
        measure.note,
        at_end,
        made_for_others(criterion, options, case),
        _of_motion_alone(request, signals, body),
        _likeness(verdict.limits, case, options),
        of_no_age(key, options, options.compared_with or case.who.size),
    )
    return Figure(
        request.name, criterion, info.title, measure.value, info.unit, measure.t1, measure.t2,
        tuple(labels), tuple(s.cfc for s in given), body.name if body else "", request.part,
        tuple(one for one in remarks if one), verdict.limits, verdict.risks,
        request.automatic, verdict.why_not, verdict.refused,
        until=float(given[0].time[-1]) if at_end else None,
    )  # fmt: skip


def _of_motion_alone(request: _Request, signals: _Signals, body: Occupant | None) -> Sentence:
    """Say of a HIC of the whole run that the head struck nothing."""
    if request.options.criterion not in HIC or request.part != "head":
        return NOTHING
    untouched = signals.untouched(body)
    if not untouched:
        return NOTHING
    return Sentence("{untouched}: HIC of its motion alone", untouched=untouched)


def _likeness(limits: Sequence[Limit], case: Case, options: InjuryOutput) -> Sentence:
    """Say that limits are of a dummy which the body is like in mass alone, or which the project names."""
    if not any(one.sizes for one in limits):
        return NOTHING
    named = options.compared_with
    if named and named != case.who.size:
        name = reference().bodies[named].name
        return Sentence("compared with {dummy} as the project asks", dummy=name)
    if case.who.how == "mass":
        return Sentence("like {dummy} in mass alone", dummy=case.who.name)
    return NOTHING


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
        if need == "tension":
            return ", ".join(self._tensions(output))
        return f"{output.id}_x, _y, _z"

    def get(self, output: Sensor, need: str, class_: int, options: InjuryOutput) -> Signal:
        """What an output gave, filtered; a touch as it is."""
        if need == "touch":
            if isinstance(output, TouchOutput) and not any(
                may_touch(self._project, output.segment)
            ):
                raise SignalError(
                    "Nothing in the project may touch '{segment}'.", segment=output.segment
                )
            time, rows = self._read((self.label(output, need, options),), 0)
            return Signal(time, rows[0], 0)
        if need == "tension":
            time, rows = self._read(self._tensions(output), class_)
            return Signal(time, np.max(rows, axis=0), class_)
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

    def _tensions(self, output: Sensor) -> tuple[str, ...]:
        """Name the tensions that the output of a belt, a harness or a string gives, at all ends."""
        own = re.compile(rf"{re.escape(output.id)}_(.+_)?tension(_\d)?$")
        return tuple(sorted(filter(own.match, self._names))) or (f"{output.id}_tension",)

    def untouched(self, body: Occupant | None) -> Sentence:
        """Say that nothing touched a head; empty where something did, or nobody knows."""
        head = body.segments.get("head") if body else None
        if head is None:
            return NOTHING
        name = f"{touch_of(head).id}_force_resultant"
        if not any(may_touch(self._project, head)):
            return Sentence("nothing may touch the head")
        # a run that failed at its start has one sample, which is enough for this
        if name not in self._names or np.any(self._run.channel(name).value > 0.0):
            return NOTHING
        return Sentence("nothing touched the head")

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


# Give the unit of what a study asks of a run, before there is one.


def response_unit(project: Project, one: Response) -> str | None:
    """The SI unit of a response; none where no run of the project has what it asks for."""
    match one:
        case FigureResponse():
            return _figures(project).get(one.figure)
        case ChannelResponse():
            unit = unit_named(project, one.quantity, body_sensors(project))
            return None if unit is None else unit_of(unit, one)
        case RatingResponse():
            return "1"
        case RideResponse():
            return unit_felt(one)
        case FormulaResponse():
            return one.unit
        case MissResponse():
            return unit_missed(one)


@memoised
def _figures(project: Project) -> Mapping[str, str]:
    return figure_units(project)


def unit_of(unit: str, one: ChannelResponse) -> str:
    """The unit of a number of a quantity that is in a unit."""
    if one.take in ("time_of_max", "time_of_min"):
        return "s"
    if one.take == "integral":
        return "s" if unit == "1" else f"{unit}*s"
    return unit


def unit_missed(one: MissResponse) -> str:
    """The unit of how far a led point is off."""
    return "1" if one.take == "turns" else "m"


def unit_felt(one: RideResponse) -> str:
    """The unit of a measure of ride: doses have powers of a second of their own."""
    unit = WEIGHTINGS[one.weighting].unit
    match one.take:
        case "crest":
            return "1"
        case "vdv":
            return unit.replace("s2", "s^(7/4)")
        case "dose":
            return unit.replace("s2", "s^(3/2)")
        case _:
            return unit
