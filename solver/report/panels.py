"""The curves of a report: what an engineer looks at first, of one run or two overlaid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from solver.analysis.acting.messages import brief
from solver.base.units import convert, display_unit, pretty
from solver.base.words import msgid, tr
from solver.engine.signals import SignalError
from solver.injury import body_sensors, occupants
from solver.project.joint_table import carrying
from solver.project.outputs import PointOutput
from solver.project.segments import GROUND
from solver.report.content import Panel, Span
from solver.report.gather import Subject
from solver.report.plots import Curve
from solver.report.scene import driven
from solver.results.layout import said
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
    """Give the pulse that the vehicle goes through."""
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
    label = " ".join([*names, *map(said, words)]) or shown.name
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
                        label=f"{_name(s, 'segments', segment)} {said(axis)}",
                        quantity="acceleration",
                    )
                )
    if curves:
        words = tr(title, filter=f"CFC {class_}" if filtered else tr("unfiltered"))
        out.append(Panel(words, tuple(curves), _clock(units), _spans(subjects, part, units)))


def _spans(subjects: Sequence[Subject], part: str, units: str) -> tuple[Span, ...]:
    """Give the windows of the figures of a part that count a stretch of time, of a single run."""
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
    """Give the recorded acceleration of a segment's mass centre, filtered; none where there is none.

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
