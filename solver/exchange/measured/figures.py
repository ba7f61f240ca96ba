"""Injury figures of what was measured: channels are known by their codes, signs are those of SAE J211."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from solver.base.words import NOTHING, Note, Sentence, joined
from solver.engine.signals import SignalError, cfc
from solver.exchange.measured.codes import Code, read_code
from solver.injury import compute
from solver.injury.reference import reference
from solver.injury.scores import Signal
from solver.project.criteria import CRITERIA
from solver.project.outputs import InjuryOutput
from solver.results.trajectory import Array, Channel

_BY_SAME = {"VA": "VE", "VD": "VE", "DC": "DS", "DV": "DS"}
_SIDES = {"LE": "left", "RI": "right", "LU": "left upper", "LL": "left lower", "RU": "right upper", "RL": "right lower"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class MeasuredFigure:
    """An injury figure of a measured person: `who` by test object and position of the codes, the window (s) in which it was found."""

    who: str
    part: str
    criterion: str
    title: str
    value: float
    unit: str
    t1: float
    t2: float
    note: Note
    channels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Kind:
    """A figure: its criterion, and what its sensors are: main location, fine locations that will do, dimension."""

    criterion: str
    sensors: tuple[tuple[str, tuple[str, ...], str], ...]


_CG, _ANY = ("CG", "00"), ("00", "CG", "LE", "RI")
_KINDS = (
    *(_Kind(one, (("HEAD", _CG, "AC"),)) for one in ("HIC15", "HIC36", "HIC", "HSI", "3ms")),
    _Kind("BrIC", (("HEAD", _CG, "AV"),)), _Kind("DAMAGE", (("HEAD", _CG, "AA"),)),
    *(_Kind(one, (("NECK", ("UP",), "FO"), ("NECK", ("UP",), "MO"))) for one in ("Nij", "neck_flexion", "neck_extension")),
    *(_Kind(one, (("NECK", ("UP",), "FO"),)) for one in ("neck_tension", "neck_compression", "neck_shear", "neck_tension_by_duration", "neck_shear_by_duration")),
    *(_Kind(one, (("CHST", _CG, "AC"),)) for one in ("CSI", "3ms", "3ms_in_one")), *(_Kind(one, (("THSP", ("UP", "00"), "AC"),)) for one in ("CSI", "3ms")),
    *(_Kind(one, (("CHST", ("00", "CG"), "DS"),)) for one in ("chest_deflection", "VC")),
    *(_Kind(one, (("PELV", _CG, "AC"),)) for one in ("3ms", "DRI")), _Kind("lumbar_compression", (("LUSP", ("00", "UP", "LO"), "FO"),)), _Kind("pubic_force", (("PUBC", ("00",), "FO"),)),
    *(_Kind(one, (("FEMR", (side,), "FO"),)) for side in ("LE", "RI") for one in ("femur_compression", "femur_by_duration")),
    *(_Kind("knee_slide", (("KNSL", (side,), "DS"),)) for side in ("LE", "RI")),
    *(_Kind("tibia_index", (("TIBI", (side,), "FO"), ("TIBI", (side,), "MO"))) for side in ("LU", "LL", "RU", "RL")),
    *(_Kind("tibia_compression", (("TIBI", (side,), "FO"),)) for side in ("LU", "LL", "RU", "RL")),
)  # fmt: skip
_PARTS = {"HEAD": "head", "NECK": "neck", "CHST": "chest", "THSP": "chest", "PELV": "pelvis", "LUSP": "lumbar spine", "PUBC": "pelvis", "FEMR": "femur", "KNSL": "knee", "TIBI": "tibia"}  # fmt: skip
_SINGLE = {("FEMR", "FO"): "z", ("LUSP", "FO"): "z", ("PUBC", "FO"): "y", ("KNSL", "DS"): "x", ("CHST", "DS"): "x", ("TIBI", "FO"): "z"}  # fmt: skip
"""Sensors of one axis: others are not asked for."""
_ENOUGH = {"Nij": "xz y", "neck_flexion": "x y", "neck_extension": "x y", "neck_tension": "z", "neck_compression": "z", "neck_shear": "x", "neck_tension_by_duration": "z",
           "neck_shear_by_duration": "x", "tibia_index": "z xy"}  # fmt: skip
"""Axes that a criterion looks at, for each of its sensors; all three of others."""


def figures_of(channels: Sequence[Channel]) -> tuple[tuple[MeasuredFigure, ...], tuple[Note, ...]]:
    """Work out every injury figure whose channels are there, of every person, and say of what is not complete what is missing."""
    who: dict[str, dict[tuple[str, str, str, str], Channel]] = {}
    for channel in channels:
        code = read_code(channel.code)
        if code is None or code.second not in ("00", "01"):
            continue
        key = (code.main, code.fine, _BY_SAME.get(code.dimension, code.dimension), code.axis)
        who.setdefault(code.owner, {}).setdefault(key, channel)
    found = list[MeasuredFigure]()
    missing: dict[tuple[str, Note], list[str]] = {}
    for owner, there in sorted(who.items()):
        for kind in _KINDS:
            try:
                one = _figure(owner, kind, there)
            except (SignalError, _Missing) as failure:
                why = failure.said if isinstance(failure, SignalError) else failure.args[0]
                missing.setdefault((owner, why), []).append(kind.criterion)
                continue
            if one is not None and not any((o.who, o.part, o.criterion) == (one.who, one.part, one.criterion) for o in found):  # fmt: skip
                found.append(one)
    told = (
        Sentence("{criterion} ({who}): {why}", criterion=", ".join(criteria), who=owner, why=why)
        for (owner, why), criteria in missing.items()
    )
    return tuple(found), tuple(told)


class _Missing(Exception):
    """Say which channels a figure lacks."""


def _figure(owner: str, kind: _Kind, there: Mapping[tuple[str, str, str, str], Channel]) -> MeasuredFigure | None:  # fmt: skip
    criterion = CRITERIA[kind.criterion]
    given, used, lacks, place = [], list[Channel](), list[str](), ""
    for n, ((main, fines, dimension), class_) in enumerate(zip(kind.sensors, criterion.classes, strict=True)):  # fmt: skip
        fine = next((f for f in fines if any((main, f, dimension, axis) in there for axis in "xyz")), "")  # fmt: skip
        if not fine:
            if n == 0:
                return None
            raise _Missing(Sentence("there is no {what}", what=Code(f"??{main}{fines[0]}0000{dimension}00").words()))  # fmt: skip
        place = fine
        wanted = _wanted(kind.criterion, n, main, dimension)
        rows = {axis: there.get((main, fine, dimension, axis)) for axis in wanted}
        lacks += [axis for axis, one in rows.items() if one is None]
        if lacks:
            raise _Missing(Sentence("there is no {what}", what=Code(f"??{main}{fine}0000{dimension}{lacks[0].upper()}0").words()))  # fmt: skip
        chosen = [one for one in rows.values() if one is not None]
        used += chosen
        own = class_ or (1000 if main == "HEAD" else 180)
        time, values = _together(chosen, wanted, own)
        given.append(_signal(kind.criterion, time, values, own))
    given = _same_times(given)
    letters = next((code.dummy for one in used if (code := read_code(one.code)) is not None), "00")
    its = _own(letters)
    options = InjuryOutput.model_construct(id="measured", criterion=kind.criterion, output="measured", **its)  # fmt: skip
    measure = compute(given, options)
    part = f"{_SIDES.get(place, '')} {_PARTS[kind.sensors[0][0]]}".strip()
    notes = [measure.note] if measure.note else []
    if "lever_m" in criterion.options and not its["lever_m"]:
        notes.append(Sentence("taken at the load cell: its height above the condyles is not known of this dummy"))  # fmt: skip
    return MeasuredFigure(owner, part, kind.criterion, criterion.title, measure.value, criterion.unit, measure.t1, measure.t2, joined("; ", notes) if notes else NOTHING, tuple(one.name for one in used))  # fmt: skip


def _own(letters: str) -> dict[str, Any]:
    """What a dummy is told to have, by its letters in codes; of others the notes of figures say whose numbers they take."""
    known = reference()
    body = next((one for one in known.bodies.values() if letters and one.code == letters), None)
    if body is None:
        return {"lever_m": 0.0}
    own: dict[str, Any] = {"lever_m": body.condyles_m or 0.0}
    if body.id in known.necks:
        own["neck"] = body.id
    if body.id in known.tibias:
        own["compared_with"] = body.id
    if chest := known.chests.get(body.id):
        own |= {"depth_m": chest["depth"], "scale": chest["scale"]}
    return own


def _wanted(criterion: str, n: int, main: str, dimension: str) -> str:
    if criterion in _ENOUGH and (words := _ENOUGH[criterion].split()) and n < len(words):
        return words[n]
    return _SINGLE.get((main, dimension), "xyz")


def _together(channels: Sequence[Channel], axes: str, class_: int) -> tuple[Array, Array]:
    """Filter channels, and bring them to the times of the finest; axes that are not asked for are zero."""
    begin, end = max(c.time[0] for c in channels), min(c.time[-1] for c in channels)
    finest = max(channels, key=lambda c: len(c.time)).time
    time = finest[(finest >= begin) & (finest <= end)]
    values = np.zeros((3, len(time)))
    for axis, one in zip(axes, channels, strict=True):
        values["xyz".index(axis)] = np.interp(time, one.time, cfc(one.time, one.value, class_))
    return time, values


def _signal(criterion: str, time: Array, values: Array, class_: int) -> Signal:
    if CRITERIA[criterion].needs[0] == "deflection":
        # the sternum's way to the spine is below zero
        return Signal(time, -values[0], class_)
    # pressing is below zero in J211: on the child of a thigh, on the parent of a spine
    return Signal(time, values, class_, on_child=criterion == "lumbar_compression")


def _same_times(given: list[Signal]) -> list[Signal]:
    if len(given) < 2 or all(np.array_equal(one.time, given[0].time) for one in given):
        return given
    begin, end = max(s.time[0] for s in given), min(s.time[-1] for s in given)
    time = given[0].time[(given[0].time >= begin) & (given[0].time <= end)]
    return [replace(s, time=time, value=np.stack([np.interp(time, s.time, row) for row in np.atleast_2d(s.value)])) for s in given]  # fmt: skip


def listed(found: Sequence[MeasuredFigure]) -> Iterator[tuple[str, str, str, str]]:
    """Rows of a table: who and part, figure, value, remark."""
    for one in found:
        window = f"{1e3 * one.t1:.4g}–{1e3 * one.t2:.4g} ms" if one.t2 != one.t1 else f"{1e3 * one.t1:.4g} ms"  # fmt: skip
        unit = "" if one.unit == "1" else f" {one.unit}"
        yield f"{one.who} {one.part}", f"{one.criterion}", f"{one.value:.4g}{unit}", "; ".join(filter(None, (window, str(one.note))))  # fmt: skip
