"""How the people moved: who sat how at five instants, as a strip of pictures and a table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from solver.base.units import convert, display_unit, pretty
from solver.base.words import tr
from solver.engine.maths.rotation import Array, matrices
from solver.injury import occupants
from solver.injury.parts import Occupant
from solver.project.names import read_as_words
from solver.report.content import Cell, Table
from solver.report.gather import Instant, Subject
from solver.report.scene import driven

PARTS = ("lower_torso", "upper_torso", "head")
APART_S = 5e-3
"""Instants nearer to each other are one."""
COUNT = 5
BEND_DEG = -5.0
"""A spine that bends back farther than this, against its start, is told of."""


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
    told = (f"{1e3 * one.time:.0f} ms: {one.what}" for one in when[1:])
    notes = ["; ".join(told) + "."]
    notes += [tr("Angles from upright, forwards above zero; ways are seen from what carries them.")]
    return Table(tr("Posture"), heads, tuple(rows), (0.38, *([share] * len(when))), tuple(notes))


def _rows(s: Subject, body: Occupant, unit: str, shown: str) -> Iterator[tuple[str, Array]]:
    leans = {part: _lean(s, body.segments[part]) for part in PARTS}
    names = {"lower_torso": tr("pelvis"), "upper_torso": tr("chest"), "head": tr("head")}
    for part in PARTS:
        yield tr("{part} leans [°]", part=names[part]), leans[part]
    yield tr("spine bends forward [°]"), _bend(leans)
    for part in PARTS:
        way = _forward(s, body.segments[part])
        yield (
            tr("{part} forward [{unit}]", part=names[part], unit=shown),
            np.array([convert(float(v), "m", unit) for v in way]),
        )


def backwards(s: Subject) -> list[str]:
    """Tell of spines that bend backwards while belts or bags hold their owners."""
    return [said for body in occupants(s.project) if _whole(s, body) for said in _told(s, body)]


def _told(s: Subject, body: Occupant) -> list[str]:
    bend = _bend({part: _lean(s, body.segments[part]) for part in PARTS})
    pull = _pull(s)
    held = pull > 0.3 * pull.max(initial=0.0)
    if pull.max(initial=0.0) < 100.0 or not held.any():
        return []
    least = int(np.argmin(np.where(held, bend, np.inf)))
    if bend[least] > BEND_DEG:
        return []
    lead = f"{read_as_words(body.name)}: " if body.name else ""
    said = tr(
        "the spine bends backwards by {angle:.0f}° under belt load, at {time:.0f} ms; figures of the chest lie partly along it",
        angle=-bend[least], time=1e3 * float(s.time[least]),
    )  # fmt: skip
    return [lead + said]


def _bend(leans: dict[str, Array]) -> Array:
    between = leans["upper_torso"] - leans["lower_torso"]
    out: Array = between - between[0]
    return out


def _lean(s: Subject, segment: str) -> Array:
    """Give how far a segment leans forward (degrees), about the axis across the start's view ahead."""
    R = matrices(s.run.segment(segment).quaternion_wxyz)
    out: Array = -np.degrees(np.arctan2(R[:, 0, 2], R[:, 2, 2]))
    return np.degrees(np.unwrap(np.radians(out)))


def _forward(s: Subject, segment: str) -> Array:
    """Give how far a segment has gone forward (m) as seen from what is driven, or from the ground."""
    moved = s.run.segment(segment).position
    carrier = next((one for one in driven(s.project) if one in s.run.segment_ids), None)
    way = moved - (s.run.segment(carrier).position if carrier is not None else 0.0)
    out: Array = (way - way[0])[:, 0]
    return out


def _pull(s: Subject) -> Array:
    """Give the largest tension of belts and straps at each frame (N)."""
    out = np.zeros(len(s.time))
    for group in ("belts", "harnesses"):
        table = s.run.table(group)
        if table.ids:
            out = np.maximum(out, table["tension"].reshape(len(s.time), -1).max(axis=1))
    return out


def _whole(s: Subject, body: Occupant) -> bool:
    return all(body.segments.get(part) in s.run.segment_ids for part in PARTS)
