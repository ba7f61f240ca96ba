"""What a run itself says went wrong with a body: from then on figures of that region are not judged.

A body that passed through what should stop it, a lap belt that left the pelvis, a contact whose curve was at its
end: what a figure says after that is of no real body. Thresholds are those from which a run warns (`watch`, `laps`, `ends`
of `solver.running.outputs`); nothing is looked for again, the run's events and notes tell it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from solver.base.words import NOTHING, Note, Sentence, marked, msgid
from solver.injury.added import criterion_named
from solver.injury.criteria import compute
from solver.injury.figures import Figure
from solver.injury.parts import Occupant, occupants
from solver.injury.scores import Measure, Signal
from solver.project.document import Project
from solver.project.joint_table import carrying
from solver.project.names import called
from solver.project.outputs import InjuryOutput
from solver.results.events import Event, named
from solver.results.trajectory import Trajectory

SUBMARINING = ("lap_belt_pulls_up", "lap_belt_over_crest", "lap_belt_leaves")
"""Events of a lap belt that does not hold the pelvis."""
ARM = "arm"
_REGIONS = {
    "head": "head", "neck": "head", "upper_torso": "chest", "centre_torso": "pelvis", "lower_torso": "pelvis",
    "upper_leg": "leg", "lower_leg": "leg", "foot": "leg",
}  # fmt: skip
_WORDS = {
    **dict.fromkeys(("rib", "ribs", "sternum", "thorax", "chest"), "chest"),
    **dict.fromkeys(("arm", "forearm", "hand", "shoulder", "clavicle", "elbow", "wrist"), ARM),
}
"""Regions of segments that are no part by themselves, by words of their ids."""
_THROUGH = msgid(
    "{what} went {depth:.0f} mm through {into} at {time:.4g} ms, too deep from {first:.4g} ms on"
)
_INTO = msgid(
    "{what} went {depth:.0f} mm into {into} at {time:.4g} ms, too deep from {first:.4g} ms on"
)
_BEYOND = " beyond the end of "
_JOINT = "; none goes beyond "
_SPOILT = {
    "trunk": ("head", "chest", "pelvis"),
    **dict.fromkeys(("shoulder", "elbow", "wrist"), ()),
}
"""Regions that are attached to a joint, where it is not the one of the part beyond it: a trunk carries head and chest and bears the
loads of the lumbar spine; on arms nothing is judged."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What happened to a region of a body, and from when on (s)."""

    body: str
    region: str
    first: float
    said: Sentence


def region_of_part(part: str) -> str:
    """The region of a part of a body: legs by their side; empty of what has none."""
    side = next((one for one in ("left_", "right_") if part.startswith(one)), "")
    region = _REGIONS.get(part.removeprefix(side), "")
    return f"{side}{region}" if region else ""


class Places:
    """Tell of any segment which region of which body it belongs to."""

    def __init__(self, project: Project) -> None:
        self._bodies: Sequence[Occupant] = occupants(project)
        self._parent = {one.child: one.parent for one in carrying(project.joints)}

    def of(self, segment: str) -> tuple[str, str] | None:
        """Give body and region; None of what is no part of a body and is attached to none."""
        seen: set[str] = set()
        at, region = segment, ""
        while at and at not in seen:
            seen.add(at)
            for body in self._bodies:
                if part := body.part_of(at):
                    return body.name, region or region_of_part(part)
            words = re.findall(r"[a-z]+", at.lower())
            region = region or next((_WORDS[one] for one in words if one in _WORDS), "")
            at = self._parent.get(at, "")
        return None


def faults(project: Project, run: Trajectory, notes: Sequence[Note] = ()) -> tuple[Fault, ...]:
    """What happened to regions of bodies, the earliest first; `notes` are those of a run that is not finished."""
    places = Places(project)
    by_event = {one: found for one in run.events() for found in _of_event(project, one)}
    warned = [*(notes or run.notes)]
    out = [
        Fault(*where, event.time, _words(project, event, warned))
        for event in by_event
        for where in _struck(places, by_event[event])
    ]
    out += _beyond(project, places, warned)
    out += _of_joints(places, warned)
    return tuple(sorted(out, key=lambda one: one.first))


def _of_event(project: Project, event: Event) -> Iterator[tuple[str, ...]]:
    """The segments that an event is about, if it is a fault."""
    if event.kind == "goes_too_deep":
        yield tuple(_segment(path) for path in event.elements)
    elif event.kind in SUBMARINING:
        yield (_segment(event.elements[1]),)


def _segment(path: str) -> str:
    """The segment of a path; empty of a plane."""
    words = path.split("/")
    return words[1] if words[0] == "segments" else ""


def _struck(places: Places, segments: Sequence[str]) -> list[tuple[str, str]]:
    """The regions that count: none where an arm meets its own body, as loads on arms are no figures."""
    found = [where for one in segments if one and (where := places.of(one)) is not None]
    armed = {body for body, region in found if region == ARM}
    counted = len(found) > 1 and len({body for body, _ in found}) == 1 and bool(armed)
    return [] if counted else [(b, r) for b, r in dict.fromkeys(found) if r and r != ARM]


def _words(project: Project, event: Event, notes: Sequence[Note]) -> Sentence:
    if event.kind in SUBMARINING:
        pelvis = _called(project, event.elements[1])
        return Sentence("{pelvis} submarines from {time:.4g} ms on", pelvis=pelvis, time=1e3 * event.time)  # fmt: skip
    # of what moves its segment says enough; 'rim' alone says not of what
    what = _called(project, "/".join(event.elements[0].split("/")[:2]))
    into = _called(project, event.elements[1])
    worst = _warning(event, notes)
    if worst is None:
        return Sentence(
            "{what} goes too deep into {into} from {time:.4g} ms on",
            what=what,
            into=into,
            time=1e3 * event.time,
        )
    return Sentence(
        _THROUGH if "through" in worst.template else _INTO,
        what=what,
        into=into,
        depth=worst.values["depth"],
        time=worst.values["time"],
        first=1e3 * event.time,
    )


def _warning(event: Event, notes: Sequence[Note]) -> Sentence | None:
    """Find how deep a passage became in the warning of the run."""
    what, into = (named(path) for path in event.elements)
    for note in notes:
        said = note.values.get("what") if isinstance(note, Sentence) else None
        if not isinstance(said, Sentence) or "depth" not in said.values:
            continue
        if (said.values.get("what"), said.values.get("into")) == (what, into):
            return said
    return None


def _called(project: Project, path: str) -> str:
    """Call a segment, a surface of it, or a plane."""
    group, id_, *rest = path.split("/")
    item = next((one for one in getattr(project, group) if one.id == id_), None)
    if item is None:
        return id_
    own = next((one for one in getattr(item, "surfaces", ()) if rest and one.id == rest[0]), None)
    name = called(project, item)
    return name if own is None else f"{name} › {own.name or own.id}"


def _beyond(project: Project, places: Places, notes: Sequence[Note]) -> Iterator[Fault]:
    """Give the contacts whose depth went beyond the last point of their curve."""
    by_id = {one.id: one for one in project.contacts}
    for note in marked(notes, _BEYOND):
        if not isinstance(note, Sentence) or not isinstance(note.values.get("what"), Sentence):
            continue
        contact = by_id.get(str(note.values["what"].values.get("element", "")))
        if contact is None:
            continue
        ends = [getattr(contact, end, None) for end in ("surface", "first", "second")]
        segments = [one.segment for one in ends if one is not None]
        sentence = Sentence(
            "{contact} went beyond the end of its curve from {time:.4g} ms on",
            contact=called(project, contact),
            time=note.values["first"],
        )
        for where in _struck(places, segments):
            yield Fault(*where, 1e-3 * float(note.values["first"]), sentence)


def _of_joints(places: Places, notes: Sequence[Note]) -> Iterator[Fault]:
    """What is attached to joints that went farther than such joints do."""
    for note in marked(notes, _JOINT):
        if not isinstance(note, Sentence) or (where := places.of(str(note.values["part"]))) is None:
            continue
        joint, (body, region) = note.values["joint"], where
        sentence = Sentence(
            "the {joint} at '{part}' goes farther than such joints do from {time:.4g} ms on",
            joint=joint,
            part=note.values["part"],
            time=note.values["first"],
        )
        for one in _SPOILT.get(joint.template, (region,)):
            yield Fault(body, one, 1e-3 * float(note.values["first"]), sentence)


def spoilt(figure: Figure, body: str, region: str, found: Sequence[Fault]) -> Figure:
    """Give a figure without limits and risks where its region went through something before it was over."""
    fault = next(
        (
            one
            for one in found
            if (one.body, one.region) == (body, region) and one.first < figure.t2
        ),
        None,
    )
    if fault is None:
        return figure
    refused = (*figure.refused, *((one.standard, fault.said) for one in figure.limits))
    return replace(figure, limits=(), risks=(), spoilt=fault.said, refused=refused)


# What the end of a run leaves open: figures that are largest there, and pulses that are not over.

CUT_OFF_HZ = 1.65
"""Cut-off frequency (3 dB) of a filter by its class (SAE J211-1)."""
EARLIER = 0.01
"""So long (s) before the end a figure must have been less, else it is steady: what filters add at an end (*assumed*)."""
GROWN = 0.98
"""Part of a figure that a steady one was by then at least (*assumed*)."""
FALLEN = 0.9
"""Part of its peak below which a load at the end of the run has fallen (*assumed*)."""
SMOOTH = 0.005
"""Time (s) over which the acceleration of a vehicle is averaged (*assumed*)."""
OVER = 0.2
"""Part of its largest mean from which on a vehicle is still being decelerated (*assumed*)."""


def cut_off(options: InjuryOutput, given: Sequence[Signal], measure: Measure) -> Sentence:
    """Say of a figure that it is largest where the run ends while it still rises, so that a longer run may have more.

    At the end is what lies no farther from it than a sample; of loads, a period of the filter's cut-off. What is
    steady, or has fallen by then, is not told of.
    """
    time = given[0].time
    end, step = float(time[-1]), float(time[-1] - time[-2])
    remembers = criterion_named(options.criterion).remembers
    periods = [0.0 if remembers or not one.cfc else 1.0 / (CUT_OFF_HZ * one.cfc) for one in given]
    if measure.t2 < end - max(step, *periods) - 0.5 * step:
        return NOTHING
    if not measure.t1 > time[0] or not measure.value > 0.0:
        return NOTHING

    def within(part: slice) -> float:
        """The figure of a part of the run, as a part of the whole one."""
        pieces = [_part(one, part) for one in given]
        return compute(pieces, options).value / measure.value

    before = max(int(np.searchsorted(time, end - EARLIER)), 2)
    if remembers:
        is_steady = within(slice(before)) >= GROWN
    else:
        ago = (before, (before + len(time)) // 2)
        is_steady = all(within(slice(n - 2, n)) >= GROWN for n in ago)
        is_steady = is_steady or within(slice(-2, None)) < FALLEN
    if is_steady:
        return NOTHING
    return Sentence(
        "at the end of the run, {time:.4g} ms: it may not be its largest", time=1e3 * end
    )


def _part(signal: Signal, part: slice) -> Signal:
    return replace(signal, time=signal.time[part], value=signal.value[..., part])


def pulse_goes_on(run: Trajectory, project: Project) -> Sentence:
    """Say that a run ends while a prescribed motion still decelerates what it moves; empty where none does."""
    time = np.asarray(run.time)
    if len(time) < 3:
        return NOTHING
    width = max(round(SMOOTH / float(np.median(np.diff(time)))), 1)
    moved = {one.segment for one in project.motions} & set(run.segment_ids)
    for segment in sorted(moved):
        rate = run.segment(segment).acceleration
        if len(rate) <= width:
            continue
        sums = np.cumsum(np.concatenate([np.zeros((1, 3)), rate]), axis=0)
        mean = np.linalg.norm(sums[width:] - sums[:-width], axis=1)
        if mean[-1] > OVER * mean.max() > 0.0:
            return Sentence(
                "the run ends at {time:.4g} ms, while '{segment}' is still being decelerated",
                time=1e3 * float(time[-1]),
                segment=segment,
            )
    return NOTHING
