"""Find what happened when: first touches, bags that fire, devices that lock, injury windows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from app import texts
from app.elements import element_label, with_names
from solver.base.words import msgid, tr
from solver.injury.figures import short_figure
from solver.project import Project
from solver.project.criteria import HIC
from solver.project.outputs import InjuryOutput
from solver.results.events import LACKING, sentence
from solver.results.impacts import Impact, impacts_of
from solver.results.trajectory import Trajectory

_BELT_LOCKS = msgid("{name} locks")

Kind = Literal["touch", "bag", "belt", "injury", "end", "through", "lack", "impact", "camera"]

_DEVICES: dict[str, tuple[Kind, str, str, str]] = {
    "airbag_fires": ("bag", texts.words.BAG_FIRES, "airbags", texts.words.BAG),
    "airbag_full": ("bag", texts.words.BAG_FULL, "airbags", texts.words.BAG),
    "retractor_locks": ("belt", _BELT_LOCKS, "harnesses", texts.words.BELT),
}
"""By the kind of an event: kind of the mark, its words, list of the element, and its short name."""


@dataclass(frozen=True, slots=True)
class Mark:
    """An instant (s), or a span of time, with its words and its element's path."""

    time: float
    words: str
    kind: Kind
    element: str = ""
    until: float | None = None
    short: str = ""
    """What has room below a line, where it differs: 'belt locks' for a belt with a long name."""


def marks(project: Project, trajectory: Trajectory) -> list[Mark]:
    """List what a timeline should show, in order of time."""
    found = [
        *_touches(project, trajectory), *_devices(project, trajectory), *_through(project, trajectory),
        *_lacking(project, trajectory), *_laps(project, trajectory), *_impacts(project, trajectory),
    ]  # fmt: skip
    asked = {one.id: one.criterion for one in project.outputs if isinstance(one, InjuryOutput)}
    of = {v.name: asked.get(v.name, v.name.rpartition(".")[2]) for v in trajectory.injury.values()}
    windows = [v for v in trajectory.injury.values() if v.t2 > v.t1 and of[v.name] in HIC]
    # where HIC of limited windows is known, that of any window says nothing more
    for value in [v for v in windows if of[v.name] != HIC[-1]] or windows:
        words = short_figure(value.name, project)
        found.append(Mark(value.t1, words, "injury", until=value.t2))
    return sorted(found, key=lambda mark: mark.time)


def _touches(project: Project, trajectory: Trajectory) -> list[Mark]:
    """The first touch of each pair that is apart at the start; what is behind or beside a plane bears nothing."""
    table = trajectory.table("contacts")
    if not table.ids or not len(table["penetration"]):
        return []
    time = trajectory.time
    touching = (table["penetration"] > 0.0) & np.any(table["force"] != 0.0, axis=2)
    first = touching.argmax(axis=0)
    out = []
    for n, id_ in enumerate(table.ids):
        row = int(first[n])
        if row > 0 and touching[row, n]:
            element = f"contacts/{id_}"
            out.append(Mark(float(time[row]), element_label(project, element), "touch", element))
    return out


def _devices(project: Project, trajectory: Trajectory) -> Iterator[Mark]:
    """What airbags and retractors did first, each in its way."""
    seen = set[tuple[str, str]]()
    for event in trajectory.events():
        about = _DEVICES.get(event.kind)
        if about is None or not event.elements:
            continue
        kind, words, list_, brief = about
        element = "/".join(event.elements[0].split("/")[:2])
        if (event.kind, element) in seen:
            continue
        seen.add((event.kind, element))
        name = element_label(project, element)
        short = tr(words, name=_briefly(brief, name, getattr(project, list_)))
        yield Mark(event.time, tr(words, name=name), kind, element, short=short)


def _through(project: Project, trajectory: Trajectory) -> Iterator[Mark]:
    """What went deeper into something than it should."""
    for event in trajectory.events():
        if event.kind == "goes_too_deep":
            paths = ["/".join(path.split("/")[:2]) for path in event.elements]
            one, other = (element_label(project, path) for path in paths)
            words = tr("{one} too deep in {other}", one=one, other=other)
            yield Mark(event.time, words, "through", paths[0], short=tr("too deep"))


def _laps(project: Project, trajectory: Trajectory) -> Iterator[Mark]:
    """Where a lap belt did not stay on the pelvis."""
    for event in trajectory.events():
        if event.kind in _LAPS:
            element = "/".join(event.elements[0].split("/")[:2])
            words = with_names(project, sentence(event))
            yield Mark(event.time, words, "through", element, short=tr(_LAPS[event.kind]))


_LAPS: dict[str, str] = {
    "lap_belt_pulls_up": msgid("submarining"),
    "lap_belt_over_crest": msgid("submarining"),
    "lap_belt_slips_down": msgid("lap belt slips"),
    "lap_belt_leaves": msgid("lap belt off"),
    "lap_belt_in_belly": msgid("lap belt in belly"),
    "lap_belt_snaps": msgid("lap belt snaps"),
}


def _lacking(project: Project, trajectory: Trajectory) -> Iterator[Mark]:
    """Where impulses of an element first lacked something."""
    seen = set[tuple[str, tuple[str, ...]]]()
    for event in trajectory.events():
        if event.kind in LACKING and (event.kind, event.elements) not in seen:
            seen.add((event.kind, event.elements))
            element = "/".join(event.elements[0].split("/")[:2])
            words = tr("impulses of {name} not whole", name=element_label(project, element))
            yield Mark(event.time, words, "lack", element, short=tr("not whole"))


def _impacts(project: Project, trajectory: Trajectory) -> Iterator[Mark]:
    """The impulse of each contact and stop that lost most."""
    hardest = dict[str, Impact]()
    for impact in impacts_of(trajectory.events()):
        element = "/".join(impact.element.split("/")[:2])
        if element not in hardest or impact.loss > hardest[element].loss:
            hardest[element] = impact
    for element, impact in hardest.items():
        words = tr(
            _STRUCK[impact.state], name=element_label(project, element),
            impulse=impact.normal, across=impact.across, loss=impact.loss, mass=impact.mass,
        )  # fmt: skip
        yield Mark(impact.time, words, "impact", element, short=tr("impact"))


_STRUCK = {
    "sticks": msgid("{name} strikes and sticks: {impulse:.3g} N s, {across:.3g} across, {loss:.3g} J lost, {mass:.3g} kg"),
    "slides": msgid("{name} strikes and slides: {impulse:.3g} N s, {across:.3g} across, {loss:.3g} J lost, {mass:.3g} kg"),
    "reverses": msgid("{name} strikes and slides back: {impulse:.3g} N s, {across:.3g} across, {loss:.3g} J lost, {mass:.3g} kg"),
    "stop": msgid("{name} is thrown back by its stop: {impulse:.3g} N m s, {loss:.3g} J lost, {mass:.3g} kg m2"),
}  # fmt: skip


def _briefly(kind: str, name: str, all_of_kind: Sequence[object]) -> str:
    """Call the only one of its kind by the kind, others by their names."""
    return tr(kind) if len(all_of_kind) == 1 else name
