"""Explain a run: what happened when, with a picture of each step, what made the peaks, and the energy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from solver.analysis.acting import account, asked_of, greatest, with_own_parts
from solver.analysis.acting.messages import acceleration_text, brief, shares_text
from solver.base.units import convert, display_unit, plain, pretty
from solver.base.words import msgid, tr
from solver.engine.maths.rotation import Array
from solver.injury import Figure, occupants
from solver.injury.figures import figure_text, judged_text
from solver.project import Project
from solver.project.belts import StrapEnd, TimeTrigger
from solver.project.contact import PlaneContact
from solver.project.inertia import inertia_of
from solver.project.joint_table import is_cut
from solver.project.names import read_as_words
from solver.report.content import Cell, Picture, Step, Story, Table, figure, text
from solver.report.gather import Subject, Touch
from solver.report.scene import cameras, drawn, driven, scenes
from solver.results.trajectory import Trajectory
from solver.scene.instant import Looks

# Say where the energy of what moves freely came from, and where it went.

LOSSES = {
    "lost_in_joint_springs": msgid("springs and stops of joints"),
    "lost_in_joint_friction": msgid("friction of joints"),
    "lost_in_springs": msgid("springs and dampers"),
    "lost_in_coordinate_forces": msgid("laws of coordinates"),
    "lost_in_contacts": msgid("contacts, pressed in"),
    "lost_in_contact_friction": msgid("friction of contacts"),
    "lost_in_belts": msgid("simple belts"),
    "lost_in_harnesses": msgid("belts and their devices"),
    "lost_in_airbag_friction": msgid("friction on airbags"),
    "lost_in_impulses": msgid("impacts"),
    "lost_in_rolling": msgid("sliding constraints"),
    "lost_in_tyres": msgid("tyres and brakes"),
}
WORKS = {
    "work_of_loads": msgid("loads"),
    "work_of_winds": msgid("winds"),
    "work_of_airbags": msgid("gas of airbags"),
    "work_of_muscles": msgid("muscles and actuators"),
    "work_of_belt_planes": msgid("planes of belts"),
    "work_of_contact_geometry": msgid("edges of contacts"),
}
SAID = 0.005
"""Part of all that comes from which a row is told."""


def flows(s: Subject) -> list[tuple[str, float]]:
    """What brought energy (above zero) and what took it (J) from start to end; together they are what is left over.

    Of segments that move as prescribed the motion is no store: what their motion takes from the others goes with
    the vehicle that slows down, which is called ride-down.
    """
    table = s.run.table("energy")
    carried = _carried(s)
    kinetic = np.asarray(table["kinetic"]) - carried
    out = [(tr("motion at the start"), float(kinetic[0]))]
    gained = {
        name: float(table[name][-1] - table[name][0])
        for name in table.columns
        if np.ndim(table[name]) == 1
    }
    if driven(s.project):
        taken = gained["work_of_motions"] - float(carried[-1] - carried[0])
        words = (
            msgid("gone with the vehicle (ride-down)") if taken < 0.0 else msgid("from the vehicle")
        )
        out.append((tr(words), taken))
    out.append((tr("weight"), -gained["potential"]))
    out += [(tr(words), gained[name]) for name, words in WORKS.items()]
    out += [(tr(words), -gained[name]) for name, words in LOSSES.items()]
    out.append((tr("held in springs, flesh and webbing at the end"), -gained["strain"]))
    out.append((tr("motion at the end"), -float(kinetic[-1])))
    return out


def _carried(s: Subject) -> Array:
    """The kinetic energy of segments that move as prescribed (T,)."""
    moved = set(driven(s.project))
    out: Array = np.zeros(len(s.time))
    for segment in s.project.segments:
        if segment.id in moved and segment.id in s.run.segment_ids:
            motion = s.run.segment(segment.id)
            w = motion.angular_velocity
            out = out + 0.5 * segment.mass_kg * (motion.velocity**2).sum(axis=1)
            out = out + 0.5 * np.einsum("ti,ij,tj->t", w, inertia_of(segment), w)
    return out


def flow_table(s: Subject) -> Table | None:
    """What brought and what took energy, the largest first, each as a part of all that came."""
    found = flows(s)
    came = sum(value for _, value in found if value > 0.0)
    if came <= 0.0:
        return None
    rows: list[tuple[Cell, ...]] = []
    for sign, heading in ((1.0, tr("came from")), (-1.0, tr("went to"))):
        lines = [(words, sign * value) for words, value in found if sign * value >= SAID * came]
        for words, value in sorted(lines, key=lambda one: -one[1]):
            share = value / came
            rows.append(
                (
                    text(heading, "muted"),
                    text(words),
                    figure(value, 3),
                    Cell(f"{100.0 * share:.0f} %", share=share, number=True),
                )
            )
            heading = ""
    notes = (tr("From start to end, of all that is not moved as prescribed; what is less than {part:.1f} % is left out.", part=100.0 * SAID),)  # fmt: skip
    heads = ("", tr("energy"), tr("J"), tr("of all that came"))
    return Table(tr("Where the energy came from and went"), heads, tuple(rows), (0.16, 0.46, 0.12, 0.26), notes)  # fmt: skip


def energy_sentence(s: Subject) -> str:
    """Say the same in a sentence, with what matters most."""
    found = flows(s)
    came = sum(value for _, value in found if value > 0.0)
    if came <= 0.0:
        return ""

    def said(sign: float) -> str:
        top = sorted(((sign * v, w) for w, v in found if sign * v >= 0.05 * came), reverse=True)
        return ", ".join(f"{words} {100.0 * value / came:.0f} %" for value, words in top[:4])

    return tr("Energy, {joules} J in all, came from: {came}. It went to: {went}.", joules=figure(came, 3).text, came=said(1.0), went=said(-1.0))  # fmt: skip


# Find what happened in a run, and when: devices, first touches, greatest loads, in ordinary sentences.

EVENTS = {
    "airbag_fires": msgid("The {name} fires."),
    "airbag_full": msgid("The {name} is full."),
    "retractor_locks": msgid("The retractor of the {name} locks."),
    "harness_gives_back": msgid("The {name} gives back: the rebound begins."),
    "joint_breaks": msgid("The {name} breaks."),
    "constraint_breaks": msgid("The {name} breaks."),
    "goes_too_deep": msgid("The {name} goes deeper into something than it should."),
}
"""Kinds of events that are told, each element's first."""
FIRES = msgid("The pretensioner of the {name} fires.")
PARTS = {"lower_torso": msgid("pelvis"), "upper_torso": msgid("chest"), "head": msgid("head")}
TOUCHES = 6
"""So many first touches are told, those of the greatest forces."""
STRONG = 0.1
"""Part of the greatest contact force below which a touch is not told."""
LEAST_G = 1.0
"""Peaks below are not told."""


@dataclass(frozen=True, slots=True)
class Happening:
    """An instant (s) and the sentence that tells what happened then; `weight` says which matter most, `about` which element it is of."""

    time: float
    words: str
    weight: int = 0
    about: str = ""


def happenings(s: Subject, units: str = "metric") -> tuple[Happening, ...]:
    """All that is told of a run, in order of time."""
    found = [*_devices(s), *_touches(s, units), *_loads(s, units), *_peaks(s, units)]
    return tuple(sorted(found, key=lambda one: one.time))


def _devices(s: Subject) -> Iterator[Happening]:
    seen = set[tuple[str, str]]()
    end = float(s.time[-1])
    for harness in s.project.harnesses:
        for strap in harness.straps:
            for device in (strap.start_device, strap.end_device):
                at = _fires_at(device)
                if at is not None and at <= end:
                    name = brief(s.project, f"harnesses/{harness.id}")
                    yield Happening(at, tr(FIRES, name=name), 2, f"harnesses/{harness.id}")
    bones, pulls = _bones(s), _pulls(s)
    for event in s.run.events():
        words = EVENTS.get(event.kind)
        if event.kind == "joint_opens" and event.elements[0] in bones:
            words = EVENTS["joint_breaks"]
        if event.kind == "harness_gives_back" and event.time < pulls.get(event.elements[0], 0.0):
            # slack and rattle before it has pulled hardest are no rebound
            continue
        if event.kind == "trigger_fires" and event.elements[0].startswith("harnesses/"):
            words = FIRES
        if words is None or not event.elements:
            continue
        element = "/".join(event.elements[0].split("/")[:2])
        if (event.kind, element) not in seen:
            seen.add((event.kind, element))
            yield Happening(event.time, tr(words, name=brief(s.project, element)), 2, element)


def _fires_at(device: StrapEnd | None) -> float | None:
    """When a pretensioner fires that goes by time alone."""
    if device is None or device.pretensioner is None:
        return None
    trigger = device.pretensioner.trigger
    return trigger.time_s if isinstance(trigger, TimeTrigger) else None


def _bones(s: Subject) -> set[str]:
    """Name the rigid cuts in bones of people: what lets go there has broken."""
    theirs = {segment for body in occupants(s.project) for segment in body.segments.values()}
    return {
        f"joints/{joint.id}"
        for joint in s.project.joints
        if is_cut(joint) and {joint.parent, joint.child} & theirs
    }


def _pulls(s: Subject) -> dict[str, float]:
    """From when on a harness has pulled hardest (s), to the frame before."""
    found = dict[str, float]()
    for path, (_, time) in _hardest(s).items():
        frame = int(np.searchsorted(s.time, time))
        found[path] = float(s.time[max(0, frame - 1)])
    return found


def _touches(s: Subject, units: str) -> Iterator[Happening]:
    """The first touches of people with what is around them, the strongest ones."""
    touches = s.touches()
    most = max((touch.force.value for touch in touches), default=0.0)
    lines = [
        touch
        for touch in touches
        if not touch.from_start and touch.force.value >= STRONG * most and _is_outer(s, touch)
    ]
    for touch in lines[:TOUCHES]:
        name = brief(s.project, f"contacts/{touch.name}")
        words = tr(
            "First touch: {name}, later up to {force} at {ms:.0f} ms.",
            name=name, force=_force(touch.force.value, units), ms=1e3 * touch.force.time,
        )  # fmt: skip
        yield Happening(touch.first, words, 1, f"contacts/{touch.name}")


def _is_outer(s: Subject, touch: Touch) -> bool:
    """Whether a contact is with something around, not of one body's parts with each other."""
    contact = next((one for one in s.project.contacts if one.id == touch.name), None)
    if contact is None or isinstance(contact, PlaneContact):
        return contact is not None
    of = [{*body.segments.values()} for body in occupants(s.project)]
    both = {contact.first.segment, contact.second.segment}
    return not any(both <= parts for parts in of)


def _hardest(s: Subject) -> dict[str, tuple[float, float]]:
    """Of each harness and belt the greatest tension (N), of each bag the greatest pressure (Pa), and when (s)."""
    best: dict[str, tuple[float, float]] = {}
    for name, _, unit, peak in s.restraints():
        for group in ("harnesses", "belts", "airbags"):
            id_ = name.split(".")[0] if group == "harnesses" else name
            ids = {one.id for one in getattr(s.project, group)}
            if id_ in ids and unit == ("Pa" if group == "airbags" else "N"):
                key = f"{group}/{id_}"
                if unit == "N" and group == "airbags":
                    continue
                best[key] = max(best.get(key, (0.0, 0.0)), (peak.value, peak.time))
    return best


def _loads(s: Subject, units: str) -> Iterator[Happening]:
    """When each harness and belt pulls hardest, and each bag's pressure is greatest."""
    for key, (value, time) in _hardest(s).items():
        if value <= 1.0:
            continue
        name = brief(s.project, key)
        if key.startswith("airbags/"):
            unit = display_unit("Pa", units)
            size = f"{plain(convert(value, 'Pa', unit), 3)} {pretty(unit)}"
            yield Happening(
                time,
                tr("The pressure in the {name} is greatest: {size}.", name=name, size=size),
                1,
                key,
            )
        else:
            words = tr("The {name} pulls hardest: {size}.", name=name, size=_force(value, units))
            yield Happening(time, words, 2, key)


def _peaks(s: Subject, units: str) -> Iterator[Happening]:
    """The greatest accelerations of pelvis, chest and head, and what makes them."""
    bodies = occupants(s.project)
    for body in bodies:
        for part, name in PARTS.items():
            segment = body.segments.get(part, "")
            if segment not in s.run.segment_ids:
                continue
            found = account(s.project, s.time, s.run.table, with_own_parts(s.project, segment))
            if found is None:
                continue
            sizes = np.linalg.norm(found.acceleration, axis=1)
            frame = int(np.argmax(sizes))
            if sizes[frame] < LEAST_G * 9.80665:
                continue
            words = tr(
                "The {part} is accelerated most: {size}. What makes it: {shares}.",
                part=tr(name), size=acceleration_text(found, frame),
                shares=shares_text(s.project, found, frame, units),
            )  # fmt: skip
            lead = f"{read_as_words(body.name)}: " if len(bodies) > 1 else ""
            yield Happening(float(found.time[frame]), lead + words, 3, f"segments/{segment}")


def _force(value: float, units: str) -> str:
    unit = display_unit("N", units)
    return f"{plain(convert(value, 'N', unit), 3)} {pretty(unit)}"


def steps(found: Sequence[Happening], apart: float, most: int) -> list[list[Happening]]:
    """Join what happened within a while (s) of each other into steps, no more than so many."""
    groups: list[list[Happening]] = []
    for one in found:
        if groups and one.time - groups[-1][0].time < apart:
            groups[-1].append(one)
        else:
            groups.append([one])
    while len(groups) > most:
        # the nearest two become one
        gaps = np.array([b[0].time - a[-1].time for a, b in pairwise(groups)])
        at = int(np.argmin(gaps))
        groups[at : at + 2] = [[*groups[at], *groups[at + 1]]]
    return groups


def frames_of(time: Array, groups: Sequence[Sequence[Happening]]) -> list[int]:
    """The frame that shows each step: that of what matters most in it."""
    when = [max(group, key=lambda one: one.weight).time for group in groups]
    return [int(np.abs(time - one).argmin()) for one in when]


APART_S = 3e-3
"""What happens within this while is one step."""
STEPS = 10
PICTURE_HEIGHT = 260


def story(s: Subject, units: str = "metric", looks: Looks = "skin", around: bool = True) -> Story:
    """Tell a run as steps with pictures, and where its energy came from and went."""
    groups = steps(happenings(s, units), APART_S, STEPS)
    frames = frames_of(s.time, groups)
    shots = scenes(s.project, s.run, frames, looks, around)
    views = cameras(s.project, shots, "side") if shots else []
    lines = []
    for group, frame, shot, view in zip(groups, frames, shots, views, strict=True):
        first, last = 1e3 * group[0].time, 1e3 * group[-1].time
        when = (
            f"{first:.0f} ms" if last - first < 0.5 else tr("{first:.0f} to {last:.0f} ms", first=first, last=last)
        )  # fmt: skip
        shown = f"{1e3 * float(s.time[frame]):.0f} ms"
        caption = "" if shown == when else shown
        image = Picture(caption, drawn(shot, view, PICTURE_HEIGHT))
        lines.append(
            Step(when, tuple((f"{1e3 * one.time:.0f} ms", one.words) for one in group), image)
        )
    energy = flow_table(s)
    lead = tuple(filter(None, (energy_sentence(s),)))
    return Story(tr("What happened"), lead, tuple(lines), () if energy is None else (energy,))


def story_sentences(s: Subject, units: str = "metric") -> list[str]:
    """Tell a run in sentences alone, one a line: '62 ms: The chest is accelerated most …'."""
    lines = [f"{1e3 * one.time:.1f} ms: {one.words}" for one in happenings(s, units)]
    return [*lines, *filter(None, (energy_sentence(s),))]


def why(project: Project, run: Trajectory, figure: Figure, units: str = "metric") -> str:
    """Say what makes an injury figure: what acts on its part, at the instant in its window where that is accelerated most.

    Empty where the figure is of no single part, or the run has none of it.
    """
    found = asked_of(project, run.time, run.table, figure)
    if found is None:
        return ""
    frame = int(np.argmin(np.abs(found.time - greatest(found, figure.t1, figure.t2))))
    shares = shares_text(project, found, frame, units)
    words = f"{figure_text(figure)}, {judged_text(figure)}"
    return tr("{figure}. What makes it: {shares}", figure=words, shares=shares) if shares else ""
