"""One-click mends: what can be done about a problem without asking anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.editing.making import add, maker
from app.editing.naming import free_id, taken
from app.editing.parts import as_kind
from app.editing.shape import field_of
from solver.base.words import tr
from solver.bodies.library.inserting import suggested, with_suggested
from solver.editing.including import let_go, update
from solver.editing.removing import removed
from solver.project import LISTS, Problem, Project, ProjectError
from solver.project.changes import value_at, with_value, words_of
from solver.project.checks.people import carrier_of
from solver.project.checks.registry import OPEN_AT_START
from solver.project.fields import Part
from solver.project.inertia import balanced
from solver.project.problems import DID_YOU_MEAN
from solver.scene.placing import in_ground, pose_at_start
from solver.scene.webbing import body_of

Make = Callable[[Project, str], Project]


@dataclass(frozen=True, slots=True)
class QuickFix:
    """The words of a button and what it does; `second` is another way, `takes_long` has it done beside the window."""

    words: str
    make: Callable[[Project], Project]
    second: QuickFix | None = None
    takes_long: bool = False


def quick_fix_for(project: Project, problem: Problem) -> QuickFix | None:
    """The mend of a problem where there is a clear one."""
    if problem.mend.template == DID_YOU_MEAN:
        name = str(problem.mend.values["word"])
        return QuickFix(tr("Use '{name}'", name=name), lambda p: with_value(p, problem.path, name))
    if problem.code in OPEN_AT_START:
        return QuickFix(
            tr("Close the loops"), _assembled, _at_once(project, problem), takes_long=True
        )
    if problem.code in ("include-changed", "include-gone"):
        return _included(problem)
    return _at_once(project, problem)


def _included(problem: Problem) -> QuickFix:
    """Take an included project again from its file, which is read only when that is wanted; or let go of the file."""
    name = problem.path.rpartition("/")[2]
    away = QuickFix(tr("Let go of the file"), lambda p: let_go(p, name))
    if problem.code == "include-gone":
        return away
    return QuickFix(tr("Update it"), lambda p: update(p, name).project, away, takes_long=True)


def _at_once(project: Project, problem: Problem) -> QuickFix | None:
    """A mend that is made to see whether there is one."""
    row = _MENDS.get(problem.code)
    if row is None:
        return None
    words, make = row
    try:
        made = make(project, problem.path)
    except (ProjectError, StopIteration, LookupError, AttributeError, TypeError, ValueError):
        return None
    return None if made == project else QuickFix(tr(words), lambda p: make(p, problem.path))


def _delete(project: Project, path: str) -> Project:
    """Delete the element that a path lies in."""
    return removed(project, "/".join(words_of(path)[:2])).project


def _drop(project: Project, path: str) -> Project:
    """Take the innermost entry of a list out that a path lies in."""
    words = words_of(path)
    for end in range(len(words), 0, -1):
        holder = value_at(project, "/".join(words[: end - 1])) if end > 1 else project
        if isinstance(holder, tuple) and words[end - 1].isdecimal():
            index = int(words[end - 1])
            left = (*holder[:index], *holder[index + 1 :])
            return with_value(project, "/".join(words[: end - 1]), left)
    raise LookupError(path)


def _reset(project: Project, path: str) -> Project:
    """Give a field its usual value."""
    words = words_of(path)
    holder: Any = value_at(project, "/".join(words[:-1]))
    field = type(holder).model_fields[words[-1]]
    return with_value(project, path, field.get_default(call_default_factory=True))


def _none(project: Project, path: str) -> Project:
    """Take the innermost optional part off that a path lies in."""
    words = words_of(path)
    while words:
        holder = value_at(project, "/".join(words[:-1]))
        if isinstance(holder, Part) and type(holder).model_fields[words[-1]].default is None:
            return with_value(project, "/".join(words), None)
        words.pop()
    raise LookupError(path)


def _rename_second(project: Project, path: str) -> Project:
    """Give the second of two elements of one id another id."""
    words = words_of(path.removesuffix("/id"))
    holder = "/".join(words[:-1])
    items = value_at(project, holder)
    used = {one.id for one in items} | (taken(project, holder) if holder in LISTS else set())
    places = [i for i, one in enumerate(items) if one.id == words[-1]]
    at = places[1]
    second = items[at].model_copy(update={"id": free_id(words[-1], used)})
    changed = (*items[:at], second, *items[at + 1 :])
    if holder in LISTS:
        return project.model_copy(update={holder: changed})
    return with_value(project, holder, changed)


def _go_along(project: Project, path: str) -> Project:
    """Let what whom a belt holds starts with carry an end of the belt, where it is now."""
    words = words_of(path)
    holder = "/".join(words[:-1])
    carrier = carrier_of(project, value_at(project, "/".join(words[:2])))
    point: Any = value_at(project, holder)
    at = pose_at_start(project)[str(carrier)]
    place = at.R_WS.T @ (np.array(point.position_m) - at.p_W)
    local = tuple(round(float(c), 9) + 0.0 for c in place)
    moved = point.model_copy(update={"segment": carrier, "position_m": local})
    return with_value(project, holder, moved)


def _let_touch(project: Project, _: str) -> Project:
    """Add the contacts that parts of the library have with the occupant."""
    return with_suggested(project, suggested(project))


def _mutual(project: Project, path: str) -> Project:
    words = words_of(path)
    twin = value_at(project, path)
    return with_value(project, f"segments/{twin}/mirror", words[1])


def _add(id_: str) -> Make:
    return lambda project, _: add(project, maker(id_)).project


def _table(change: Callable[[Any, Any], tuple[Any, Any]]) -> Make:
    def make(project: Project, path: str) -> Project:
        words = words_of(path)
        while words and not hasattr(value_at(project, "/".join(words)), "x"):
            words.pop()
        where = "/".join(words)
        table = value_at(project, where)
        x, y = change(table.x, table.y)
        return with_value(with_value(project, f"{where}/x", tuple(x)), f"{where}/y", tuple(y))

    return make


def _sorted(x: Any, y: Any) -> tuple[Any, Any]:
    order = sorted(range(len(x)), key=lambda i: x[i])
    return [x[i] for i in order], [y[i] for i in order]


def _cut(x: Any, y: Any) -> tuple[Any, Any]:
    n = min(len(x), len(y))
    return x[:n], y[:n]


def _triangle(project: Project, path: str) -> Project:
    """Bring the largest moment of inertia down to the sum of the others."""
    segment = "/".join(words_of(path)[:2])
    return with_value(project, segment, balanced(value_at(project, segment)))


def _onto(project: Project, path: str) -> Project:
    """Move the fixed point of a belt onto its ellipsoid."""
    belt: Any = value_at(project, "/".join(words_of(path)[:2]))
    segment = value_at(project, f"segments/{belt.surface.segment}")
    surface = next(s for s in segment.surfaces if s.id == belt.surface.surface)
    pose = pose_at_start(project)
    at = pose[segment.id]
    point = body_of(surface, segment.id, pose).onto(in_ground(pose, segment.id, belt.fixed_point_m))
    local = tuple(round(float(c), 9) + 0.0 for c in at.R_WS.T @ (point - at.p_W))
    return with_value(project, f"belts/{belt.id}/fixed_point_m", local)


def _assembled(project: Project) -> Project:
    """Close all loops by the least movement of the start; no dimension changes."""
    from solver.analysis.equilibrium.assembly import closed

    return closed(project).project


def _together(project: Project, path: str) -> Project:
    """Move point B of a constraint to where point A is."""
    where = "/".join(words_of(path)[:2])
    item: Any = value_at(project, where)
    pose = pose_at_start(project)
    at = pose[item.b.segment]
    point = in_ground(pose, item.a.segment, item.a.position_m)
    local = tuple(round(float(c), 9) + 0.0 for c in at.R_WS.T @ (point - at.p_W))
    return with_value(project, f"{where}/b/position_m", local)


def _once(project: Project, path: str) -> Project:
    """Leave repeated entries of a list out."""
    return with_value(project, path, tuple(dict.fromkeys(value_at(project, path))))


def _zero(project: Project, path: str) -> Project:
    """Turn a distance of nothing into two points in one place."""
    models = field_of(Project, "constraints").models
    return as_kind(project, "/".join(words_of(path)[:2]), models, "zero_distance")


def _as_number(project: Project, path: str) -> Project:
    return with_value(project, path, float(value_at(project, path)))


def _as_started(project: Project, path: str) -> Project:
    return with_value(project, f"{'/'.join(words_of(path)[:2])}/distance_m", None)


def _finer_frames(project: Project, path: str) -> Project:
    where = "/".join(words_of(path)[:2])
    return with_value(
        project, f"{where}/frame_interval_s", value_at(project, where).duration_s / 100.0
    )


def _shorter_step(project: Project, path: str) -> Project:
    where = "/".join(words_of(path)[:2])
    run: Any = value_at(project, where)
    return with_value(project, f"{where}/integrator/step_s", min(run.frame_interval_s, run.duration_s) / 10.0)  # fmt: skip


def _swap_friction(project: Project, path: str) -> Project:
    where = "/".join(words_of(path)[:2])
    item: Any = value_at(project, where)
    return with_value(project, f"{where}/static_friction", item.sliding_friction)


def _for(codes: str, words: str, make: Make) -> dict[str, tuple[str, Make]]:
    return dict.fromkeys(codes.split(), (words, make))


_MENDS: dict[str, tuple[str, Make]] = {
    **_for("id-twice surface-id-twice strap-id-twice", "Rename the second", _rename_second),
    **_for("mirror-one-sided", "Make it mutual", _mutual),
    **_for("mirror-itself", "Name no twin", _reset),
    **_for(
        "root-carried root-twice attitude-twice attitude-and-joint joint-start-twice ground-start",
        "Remove this start",
        _drop,
    ),
    **_for("joint-start-count", "Start at zero", _reset),
    **_for(
        "contact-twice contact-rigid contact-driven contact-same-segment contact-own-plane "
        "contact-itself spring-same-segment tension-same-segment ground-loaded load-no-effect "
        "constraint-same-segment constraint-rigid function-unused law-unused motion-twice "
        "symmetry-itself symmetry-twice symmetry-driven ground-driven ground-symmetry",
        "Delete it",
        _delete,
    ),
    **_for(
        "airbag-panel-twice airbag-touches-twice airbag-touches-panel "
        "wind-target-twice wind-own-shield vei-test-twice vei-test-off motion-component-twice "
        "ground-member",
        "Remove this entry",
        _drop,
    ),
    **_for("breakage-none device-empty breakage-free", "Take it off", _none),
    **_for(
        "contact-edge-idle output-gravity-idle output-angles-idle motion-start-unused "
        "injury-option-idle vent-stays-idle spring-stop-idle slide-release-idle "
        "output-of-itself moves-with-itself roll-slide-inside wind-ignored wind-shields-ignored",
        "Set it back",
        _reset,
    ),
    **_for("roll-slide-friction", "Raise static friction", _swap_friction),
    **_for("anchor-stays", "Let it go along", _go_along),
    **_for("plane-untouched", "Add the library's contacts", _let_touch),
    **_for("no-runs", "Add a run", _add("runs")),
    **_for("no-segments", "Add a segment", _add("segments")),
    **_for("curve-falls-back", "Sort the points", _table(_sorted)),
    **_for("curve-lengths", "Leave out the rest", _table(_cut)),
    **_for("inertia-triangle", "Lower it to the limit", _triangle),
    **_for("belt-point-off", "Move it onto the ellipsoid", _onto),
    **_for("points-apart", "Move point B in its segment", _together),
    **_for("distance-start", "Hold the distance at the start", _as_started),
    **_for("distance-none", "Hold the points together", _zero),
    **_for("body-member-twice", "Name each once", _once),
    **_for("unknown-function", "Take it as a number", _as_number),
    **_for("run-frames", "Store a hundred frames", _finer_frames),
    **_for("run-step-over-frame run-step-long", "Shorten the step", _shorter_step),
}
