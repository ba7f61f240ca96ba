"""Make of parts that consist of others what they consist of: pieces of beams behind everything else in each list.

What is solved, checked and drawn is the expanded project; what is shown, edited and saved is the other one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple
from weakref import ReferenceType, ref

import numpy as np
from pydantic import ValidationError

from solver.project.beam_pieces import (
    Holder,
    Laid,
    Pieces,
    has_twice,
    lay,
    pieces_of,
    turns_back,
    unbent,
)
from solver.project.beams import Beam
from solver.project.bending.places import Places, places_on, put_back
from solver.project.changes import words_of
from solver.project.document import Project
from solver.project.frame_pieces import FramePieces, is_sound, is_whole, pieces_of_frame
from solver.project.memo import memoised
from solver.project.pose import start_pose, turn
from solver.project.problems import Problem
from solver.project.segments import GROUND

MADE_OF = ("beams", "crash_frames")
"""Lists whose elements consist of others."""
MOVED = ("modal_bodies", "loads", "outputs")
"""Lists in which stand others for what is on bodies that bend (`bending.places`)."""
FILLED = ("segments", "joints", "springs", "constraints", "coordinate_forces")
"""Lists into which these go."""


class Cut(NamedTuple):
    """Hold a beam, how it lies unbent, and its pieces."""

    beam: Beam
    laid: Laid
    pieces: Pieces
    end: Holder | None
    """Where it is held at its end while nothing bends it."""


def expanded(project: Project) -> Project:
    """The project with the pieces of its parts, which come last in each list; one that has none is given as it is."""
    if (
        not any(getattr(project, name) for name in (*MADE_OF, "modal_bodies"))
        or project.is_expanded
    ):
        return project
    placed = places(project)
    if placed is None and not any(getattr(project, name) for name in MADE_OF):
        return project
    for last, known in _known:
        if last() is project:
            return known
    whole = project.model_copy(
        update={name: _filled(project, name) for name in FILLED}
        | {"initial": _initial(project)}
        | ({} if placed is None else {name: getattr(placed, name) for name in MOVED})
    )
    whole.mark_expanded()
    _known[:] = [(ref(project), whole), *_known[:MOST]]
    return whole


def folded(whole: Project) -> Project:
    """Give an expanded project without its pieces; what was changed of the rest, and how its pieces start, stays."""
    if not whole.is_expanded:
        return whole
    made, back = put_back(whole)
    own = {one for one, _ in parts_of(whole)} | made
    given = [start for one in _all(whole) for start in one.starts]
    lists = {name: tuple(one for one in getattr(whole, name) if one.id not in own) for name in FILLED}  # fmt: skip
    starts = tuple(one for one in whole.initial.joints if one not in given)
    initial = whole.initial.model_copy(update={"joints": starts})
    out = whole.model_copy(update={**lists, "initial": initial, **back})
    out.mark_expanded(False)
    return out


MOST = 7
"""So many others are kept: of a study's models, of a document between undo and redo."""
_known: list[tuple[ReferenceType[Project], Project]] = []


def cuts(project: Project) -> tuple[Cut, ...]:
    """The beams that can be cut, in the order in which they depend on each other; others are left out (checks say why)."""
    return _cut(project)[0]


def beyond_numbers(project: Project) -> frozenset[str]:
    """The beams and frames whose pieces would have numbers that no part may have."""
    made = frames(project)
    odd = {one.id for one in project.crash_frames if is_sound(one) and is_whole(one)} - set(made)
    return _cut(project)[1] | odd


@memoised
def _cut(project: Project) -> tuple[tuple[Cut, ...], frozenset[str]]:
    out: list[Cut] = []
    beyond: set[str] = set()
    waiting, known = list(project.beams), {GROUND, *(one.id for one in project.segments)}
    while waiting:
        ready = [one for one in waiting if known >= {one.start.segment, one.end.segment}]
        if not ready:
            break
        for beam in ready:
            waiting.remove(beam)
            try:
                end = unbent(beam)
                if end is None and beam.is_held[1]:
                    end = end_of(project, beam, out)
            except (ValueError, KeyError):
                continue
            if _can_be_laid(beam, end):
                laid = lay(beam, end)
                if float(laid.lengths.min()) > 0.0:
                    try:
                        pieces = pieces_of(beam, laid, end)
                    except (ValidationError, ArithmeticError):
                        beyond.add(beam.id)
                        continue
                    out.append(Cut(beam, laid, pieces, end))
                    known.update(beam.stations)
    return tuple(out), frozenset(beyond)


def _can_be_laid(beam: Beam, end: Holder | None) -> bool:
    held = beam.is_held
    if not beam.has_sound_section or beam.line_mass <= 0.0 or (held[1] and not held[0]):
        return False
    if beam.curve_m:
        return not has_twice(beam) and not turns_back(beam)
    return (end is None and beam.length_m is not None) or (end is not None and bool(np.any(end.p)))  # fmt: skip


def end_of(project: Project, beam: Beam, before: list[Cut]) -> Holder:
    """Where the frame at a beam's end is at the start, in the axes of that at its start; ValueError of rings."""
    some = project
    if before and not project.is_expanded:
        lists = {"motions", "drivers", "functions", "modal_bodies"}
        some = Project.empty().model_copy(
            update={name: getattr(project, name) for name in lists}
            | {
                "segments": (*project.segments, *(s for one in before for s in one.pieces.segments)),
                "joints": (*project.joints, *(j for one in before for j in one.pieces.joints)),
                "initial": _with_starts(project.initial, [one.pieces for one in before]),
            }
        )  # fmt: skip
    pose = start_pose(some)
    a, b = pose[beam.start.segment], pose[beam.end.segment]
    R_A = a.R_WS @ turn(beam.start.frame.orientation)
    R_B = b.R_WS @ turn(beam.end.frame.orientation)
    apart = b.of(beam.end.frame.position_m) - a.of(beam.start.frame.position_m)
    return Holder(R_A.T @ R_B, R_A.T @ apart)


@memoised
def _filled(project: Project, name: str) -> tuple[Any, ...]:
    return (*getattr(project, name), *(x for one in _all(project) for x in getattr(one, name, ())))


def _all(project: Project) -> list[Pieces | FramePieces | Places]:
    placed = places(project)
    more = [] if placed is None else [placed]
    return [*(one.pieces for one in cuts(project)), *frames(project).values(), *more]


@memoised
def places(project: Project) -> Places | None:
    """What loads and followed points on bodies that bend stand on."""
    return places_on(project)


@memoised
def frames(project: Project) -> dict[str, FramePieces]:
    """What frames of plastic hinges consist of; those that do not hold together are left out (checks say why)."""
    out: dict[str, FramePieces] = {}
    for one in project.crash_frames:
        if is_sound(one) and is_whole(one):
            try:
                out[one.id] = pieces_of_frame(one)
            except (ValidationError, ArithmeticError):
                continue
    return out


@memoised
def _initial(project: Project) -> Any:
    return _with_starts(project.initial, _all(project))


def _with_starts(initial: Any, before: Any) -> Any:
    given = {start.joint for start in initial.joints}
    starts = [start for one in before for start in one.starts if start.joint not in given]
    return initial.model_copy(update={"joints": (*initial.joints, *starts)}) if starts else initial


def told_of_parts(project: Project, problems: Iterable[Problem]) -> list[Problem]:
    """Say of a part, once, what was found of its pieces."""
    whose = dict(parts_of(project))
    out: dict[Problem, None] = {}
    problems = list(problems)
    # what is said of a field of the part need not be said of its pieces
    seen = {("/".join(words_of(one.path)[:2]), one.code) for one in problems}
    for one in problems:
        words = words_of(one.path)
        owner = whose.get(words[1]) if len(words) > 1 and words[0] in FILLED else None
        if owner is None:
            out[one] = None
        elif (owner, one.code) not in seen:
            seen.add((owner, one.code))
            out[replace(one, path=owner)] = None
    return list(out)


def parts_of(project: Project) -> Iterator[tuple[str, str]]:
    """Name each piece, and the path of the part that it belongs to."""
    for one in cuts(project):
        for station in one.beam.stations:
            yield station, f"beams/{one.beam.id}"
        for which in ("start", "end"):
            yield f"{one.beam.id}#{which}", f"beams/{one.beam.id}"
    placed = places(project)
    yield from () if placed is None else placed.owner.items()
    for id_, made in frames(project).items():
        for list_ in FILLED:
            yield from ((part.id, f"crash_frames/{id_}") for part in getattr(made, list_))
