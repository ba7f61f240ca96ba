"""The curves of a report: what an engineer looks at first, of one run or two overlaid."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from solver.analysis.acting.messages import brief
from solver.base.units import convert, display_unit, pretty
from solver.base.words import msgid, tr
from solver.engine.maths.rotation import Array, matrices
from solver.engine.signals import SignalError
from solver.injury import body_sensors, occupants
from solver.injury.parts import Occupant
from solver.project.joint_table import carrying
from solver.project.names import read_as_words
from solver.project.outputs import PointOutput
from solver.project.segments import GROUND
from solver.report.content import Cell, Panel, Span, Table
from solver.report.gather import Instant, Subject
from solver.report.plots import Curve
from solver.report.scene import driven
from solver.results.layout import layout_label
from solver.results.selection import in_units
from solver.results.trajectory import Channel

PARTS = (
    ("head", msgid("Head acceleration, {filter}"), 1000),
    ("upper_torso", msgid("Chest acceleration, {filter}"), 180),
    ("lower_torso", msgid("Pelvis acceleration, {filter}"), 180),
)
"""Parts, titles of their curves, and the usual filter class of their accelerations."""
WINDOWS = ("HIC15", "3ms")
"""Criteria whose windows are shown on the accelerations."""
LONGEST = 0.0151
"""A window longer than this (s) is a sum of several stretches."""
STRONGEST = 6
ENDS = {"1": msgid("at its first end"), "2": msgid("at its last end")}
MOST_PANELS = 16


def pulse_panel(subjects: Sequence[Subject], units: str) -> Panel | None:
    """The pulse that the vehicle goes through."""
    curves = [_curve(c, s, units, len(subjects)) for s in subjects for c in s.pulse]
    if not curves:
        return None
    changes = []
    for s in subjects:
        change = s.speed_change()
        if change is not None:
            changes.append(tr("Δv {change:.1f} km/h", change=3.6 * abs(change)))
    return Panel(
        tr("Pulse, {change}", change=tr(" and ").join(dict.fromkeys(changes))),
        tuple(curves),
        _clock(units),
    )


def panels(subjects: Sequence[Subject], units: str) -> tuple[Panel, ...]:
    """Give accelerations, paths, neck, femurs, belts, contacts, bags, energy."""
    out: list[Panel] = []
    for part, title, class_ in PARTS:
        _accelerations(out, part, title, class_, subjects, units)
    _add(out, tr("Head travel, seen from the vehicle"), subjects, units, _head_path)
    if out and out[-1].title == tr("Head travel, seen from the vehicle"):
        moved = (replace(c, y=c.y - c.y[0], quantity=msgid("travel")) for c in out[-1].curves)
        out[-1] = replace(out[-1], curves=tuple(moved))
    _add(out, tr("Neck force, on the head"), subjects, units, _neck("force"))
    _add(out, tr("Neck moment, on the head"), subjects, units, _neck("torque"))
    _add(out, tr("Hip force along the thighs"), subjects, units, _thighs)
    _add(out, tr("Belts and straps"), subjects, units, _tensions)
    _add(out, tr("Strongest contacts"), subjects, units, _contacts)
    _add(out, tr("Airbag pressure"), subjects, units, _bags("pressure"))
    _add(out, tr("Airbag force on occupants"), subjects, units, _bags("force/resultant"))
    _add(out, tr("Pitch of head, chest, pelvis"), subjects, units, _pitches)
    _add(out, tr("Energy"), subjects, units, _energy)
    _add(out, tr("Energy left over"), subjects, units, lambda s: ["energy/balance"])
    return tuple(out[:MOST_PANELS])


def _add(
    out: list[Panel],
    title: str,
    subjects: Sequence[Subject],
    units: str,
    names: Callable[[Subject], list[str]],
) -> None:
    curves = []
    for s in subjects:
        for name in names(s):
            curves.append(_curve(s.ask(name), s, units, len(subjects)))
    if curves:
        out.append(Panel(title, tuple(curves), _clock(units)))


def _clock(units: str) -> str:
    return tr("time [{unit}]", unit=pretty(display_unit("s", units)))


def _curve(channel: Channel, s: Subject, units: str, count: int) -> Curve:
    shown = in_units(channel, units)
    time = convert(shown.time, "s", display_unit("s", units))
    group, *words = shown.name.partition("@")[0].split("/")
    names = [_name(s, group, words.pop(0))] if len(words) > 1 else []
    if group in ("belts", "harnesses") and words[-1] in ENDS:
        words = [*words[:-1], tr(ENDS[words[-1]])]
    label = " ".join([*names, *map(layout_label, words)]) or shown.name
    return Curve(time, shown.value, shown.unit, label, s.label if count > 1 else "", shown.quantity)


def _name(s: Subject, group: str, id_: str) -> str:
    """Call an element as people do; a strap by its harness."""
    return brief(s.project, f"{group}/{id_.partition('.')[0] if group == 'harnesses' else id_}")


def _segments(s: Subject, part: str) -> list[str]:
    found = [body.segments.get(part) for body in occupants(s.project)]
    return [name for name in found if name is not None and name in s.run.segment_ids]


def _accelerations(
    out: list[Panel],
    part: str,
    title: str,
    class_: int,
    subjects: Sequence[Subject],
    units: str,
) -> None:
    """Show what a sensor shows: recorded and filtered where it was, else at the frames."""
    curves, filtered = [], True
    for s in subjects:
        segments = _segments(s, part)
        axes = ("x", "z", "resultant") if len(subjects) == len(segments) == 1 else ("resultant",)
        for segment in segments:
            for axis in axes:
                channel = _recorded(s, segment, axis, class_)
                filtered = filtered and channel is not None
                channel = channel or s.ask(f"segments/{segment}/felt/{axis}")
                curve = _curve(channel, s, units, len(subjects))
                curves.append(
                    replace(
                        curve,
                        label=f"{_name(s, 'segments', segment)} {layout_label(axis)}",
                        quantity="acceleration",
                    )
                )
    if curves:
        words = tr(title, filter=f"CFC {class_}" if filtered else tr("unfiltered"))
        out.append(Panel(words, tuple(curves), _clock(units), _spans(subjects, part, units)))


def _spans(subjects: Sequence[Subject], part: str, units: str) -> tuple[Span, ...]:
    """The windows of the figures of a part that count a stretch of time, of a single run."""
    if len(subjects) > 1:
        return ()
    clock = display_unit("s", units)
    found = {
        f.criterion: Span(convert(f.t1, "s", clock), convert(f.t2, "s", clock), f.name)
        for f in subjects[0].assessment.figures
        if f.part == part and f.criterion in WINDOWS and 0.0 < f.t2 - f.t1 <= LONGEST
    }
    return tuple(found[criterion] for criterion in WINDOWS if criterion in found)


def _recorded(s: Subject, segment: str, axis: str, class_: int) -> Channel | None:
    """The recorded acceleration of a segment's mass centre, filtered; none where there is none.

    What a sensor shows is taken before what has no gravity in it.
    """
    names = [
        (not output.with_gravity, f"{output.id}_{axis}")
        for output in (*s.project.outputs, *body_sensors(s.project))
        if isinstance(output, PointOutput)
        and (output.segment, output.quantity) == (segment, "acceleration")
        and (output.relative_to, output.axes, output.frame) == (GROUND, "segment", None)
        and output.point_m == (0.0, 0.0, 0.0)
    ]
    for _, name in sorted(n for n in names if n[1] in s.run.channel_names):
        try:
            return s.run.channel(name).filtered(class_)
        except SignalError:
            return None
    return None


def _head_path(s: Subject) -> list[str]:
    seen = next((d for d in driven(s.project) if d in s.run.segment_ids), "ground")
    return [f"segments/{h}/position/{axis}@{seen}" for h in _segments(s, "head") for axis in "xz"]


def _pitches(s: Subject) -> list[str]:
    return [f"segments/{n}/angle/pitch" for part, _, _ in PARTS for n in _segments(s, part)]


def _neck(column: str) -> Callable[[Subject], list[str]]:
    def names(s: Subject) -> list[str]:
        heads = set(_segments(s, "head"))
        axes = ("x", "z") if column == "force" else ("y",)
        return [
            f"joints/{joint.id}/{column}/{axis}@ground:{joint.child}"
            for joint in carrying(s.project.joints)
            if joint.child in heads
            for axis in axes
        ]

    return names


def _thighs(s: Subject) -> list[str]:
    thighs = {id_ for lead in ("left_", "right_", "") for id_ in _segments(s, f"{lead}upper_leg")}
    return [
        f"joints/{joint.id}/force/z@ground:{joint.child}"
        for joint in carrying(s.project.joints)
        if joint.child in thighs
    ]


def _tensions(s: Subject) -> list[str]:
    ids = [("belts", n) for n in s.run.table("belts").ids]
    ids += [("harnesses", n) for n in s.run.table("harnesses").ids]
    return [f"{group}/{name}/tension/{end}" for group, name in ids for end in (1, 2)][:12]


def _contacts(s: Subject) -> list[str]:
    return [f"contacts/{touch.name}/force/resultant" for touch in s.touches()[:STRONGEST]]


def _bags(column: str) -> Callable[[Subject], list[str]]:
    return lambda s: [f"airbags/{name}/{column}" for name in s.run.table("airbags").ids]


def _energy(s: Subject) -> list[str]:
    return [f"energy/{name}" for name in ("kinetic", "external", "dissipated", "strain")]


# How the people moved: who sat how at five instants, as a strip of pictures and a table.

POSTURE_PARTS = ("lower_torso", "upper_torso", "head")
APART_S = 5e-3
"""Instants nearer to each other are one."""
COUNT = 5
BEND_DEG = -5.0
"""A spine that bends back farther than this, against its start, is reported."""


def instants(s: Subject) -> tuple[Instant, ...]:
    """Give start, largest belt load, greatest head acceleration, farthest head and end, in their order, each once."""
    last = len(s.time) - 1
    found = [(0, tr("start")), (s.peak.frame, s.peak.what), (last, tr("end of the run"))]
    pull = _pull(s)
    if pull.max(initial=0.0) > 1.0:
        found.append((int(np.argmax(pull)), tr("largest belt load")))
    body = next(iter(occupants(s.project)), None)
    if body is not None and body.segments.get("head") in s.run.segment_ids:
        found.append((int(np.argmax(_forward(s, body.segments["head"]))), tr("head farthest")))
    out: list[Instant] = []
    for frame, what in sorted(found):
        time = float(s.time[frame])
        if out and time - out[-1].time < APART_S:
            both = f"{out[-1].what}, {what}" if out[-1].frame else out[-1].what
            out[-1] = Instant(out[-1].frame, out[-1].time, both)
        else:
            out.append(Instant(frame, time, what))
    if 1 < len(out) < COUNT:
        half = int(np.argmin(np.abs(s.time - 0.5 * (out[0].time + out[1].time))))
        out.insert(1, Instant(half, float(s.time[half]), tr("on the way")))
    return tuple(out)


def posture_table(s: Subject, units: str) -> Table | None:
    """Give lean and way of pelvis, chest and head at the instants; none where nobody is."""
    bodies = [body for body in occupants(s.project) if _whole(s, body)]
    if not bodies:
        return None
    when = instants(s)
    at = [one.frame for one in when]
    unit = display_unit("m", units)
    rows = []
    for body in bodies:
        lead = f"{read_as_words(body.name)}: " if len(bodies) > 1 else ""
        for words, values in _rows(s, body, unit, pretty(unit)):
            rows.append((Cell(lead + words), *(Cell(f"{values[k]:.0f}", number=True) for k in at)))
    heads = (tr("at [ms]"), *(f"{1e3 * one.time:.0f}" for one in when))
    share = 0.62 / len(when)
    lines = (f"{1e3 * one.time:.0f} ms: {one.what}" for one in when[1:])
    notes = ["; ".join(lines) + "."]
    notes += [tr("Angles from upright, forwards above zero; ways are seen from what carries them.")]
    return Table(tr("Posture"), heads, tuple(rows), (0.38, *([share] * len(when))), tuple(notes))


def _rows(s: Subject, body: Occupant, unit: str, shown: str) -> Iterator[tuple[str, Array]]:
    leans = {part: _lean(s, body.segments[part]) for part in POSTURE_PARTS}
    names = {"lower_torso": tr("pelvis"), "upper_torso": tr("chest"), "head": tr("head")}
    for part in POSTURE_PARTS:
        yield tr("{part} leans [°]", part=names[part]), leans[part]
    yield tr("spine bends forward [°]"), _bend(leans)
    for part in POSTURE_PARTS:
        way = _forward(s, body.segments[part])
        yield (
            tr("{part} forward [{unit}]", part=names[part], unit=shown),
            np.array([convert(float(v), "m", unit) for v in way]),
        )


def backwards(s: Subject) -> list[str]:
    """Tell of spines that bend backwards while belts or bags hold their owners."""
    return [line for body in occupants(s.project) if _whole(s, body) for line in _told(s, body)]


def _told(s: Subject, body: Occupant) -> list[str]:
    bend = _bend({part: _lean(s, body.segments[part]) for part in POSTURE_PARTS})
    pull = _pull(s)
    held = pull > 0.3 * pull.max(initial=0.0)
    if pull.max(initial=0.0) < 100.0 or not held.any():
        return []
    least = int(np.argmin(np.where(held, bend, np.inf)))
    if bend[least] > BEND_DEG:
        return []
    lead = f"{read_as_words(body.name)}: " if body.name else ""
    text = tr(
        "the spine bends backwards by {angle:.0f}° under belt load, at {time:.0f} ms; figures of the chest lie partly along it",
        angle=-bend[least], time=1e3 * float(s.time[least]),
    )  # fmt: skip
    return [lead + text]


def _bend(leans: dict[str, Array]) -> Array:
    between = leans["upper_torso"] - leans["lower_torso"]
    out: Array = between - between[0]
    return out


def _lean(s: Subject, segment: str) -> Array:
    """How far a segment leans forward (degrees), about the axis across the start's view ahead."""
    R = matrices(s.run.segment(segment).quaternion_wxyz)
    out: Array = -np.degrees(np.arctan2(R[:, 0, 2], R[:, 2, 2]))
    return np.degrees(np.unwrap(np.radians(out)))


def _forward(s: Subject, segment: str) -> Array:
    """How far a segment has gone forward (m) as seen from what is driven, or from the ground."""
    moved = s.run.segment(segment).position
    carrier = next((one for one in driven(s.project) if one in s.run.segment_ids), None)
    way = moved - (s.run.segment(carrier).position if carrier is not None else 0.0)
    out: Array = (way - way[0])[:, 0]
    return out


def _pull(s: Subject) -> Array:
    """The largest tension of belts and straps at each frame (N)."""
    out = np.zeros(len(s.time))
    for group in ("belts", "harnesses"):
        table = s.run.table(group)
        if table.ids:
            out = np.maximum(out, table["tension"].reshape(len(s.time), -1).max(axis=1))
    return out


def _whole(s: Subject, body: Occupant) -> bool:
    return all(body.segments.get(part) in s.run.segment_ids for part in POSTURE_PARTS)
