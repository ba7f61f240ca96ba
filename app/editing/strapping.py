"""Make a strap between two anchors: over which surfaces it runs, and the harness that it makes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from app.editing.bench import Bench
from app.editing.laying import SPACING_M, angle_that_holds, line_of, rounded
from app.editing.naming import free_id
from app.editing.trees import bodies, trunk
from app.elements import find
from solver.bodies.library.belting import over_bone, points_on, sliding
from solver.bodies.library.occupants import Occupant, is_thigh, occupant
from solver.engine.maths.rotation import Array
from solver.model.route import Route, RouteError, route
from solver.project import Project
from solver.project.geometry import PointRef, SurfaceRef
from solver.scene.placing import in_ground, placeable, pose_at_start
from solver.scene.shapes import surfaces_of
from solver.scene.webbing import Body, body_of

_FRICTION = 0.25
_APART_M = 0.01
_DEEP = 0.97
"""A strap runs through a surface where it comes nearer to its centre than this, over the semi-axes."""


@dataclass(frozen=True, slots=True)
class Strapped:
    """Hold the project with a strap, the harness that it is in, its route and its name."""

    project: Project
    path: str
    found: Route
    name: str


def wearer(project: Project, place_W: Array) -> tuple[str, ...]:
    """Name the trunk of the body nearest to a place, its root first; empty where nobody is."""
    pose = pose_at_start(project)
    sound = placeable(project)
    trunks = [trunk(sound, root) for root in bodies(sound) if root in pose]
    return min(
        trunks,
        key=lambda names: min(float(np.linalg.norm(pose[n].p_W - place_W)) for n in names),
        default=(),
    )


def mirror_image(project: Project, point: PointRef) -> PointRef | None:
    """Give the anchor on the other side of the body that wears the strap; None where nobody is."""
    pose = pose_at_start(project)
    place = in_ground(pose, point.segment, point.position_m)
    names = wearer(project, place)
    if not names:
        return None
    at = pose[names[0]]
    across = at.R_WS[:, 1]
    place = place - 2.0 * float((place - at.p_W) @ across) * across
    carrier = pose[point.segment]
    return PointRef(
        segment=point.segment, position_m=rounded(carrier.R_WS.T @ (place - carrier.p_W))
    )


def laid_between(project: Project, start: PointRef, end: PointRef, turn: float = 0.0) -> Route:
    """Lay a strap over the trunk of the nearest body; `turn` (rad) turns its plane. Raises RouteError.

    It runs over the surface nearest to the line between the anchors, and over all of the trunk that
    it would else cut through.
    """
    pose = pose_at_start(project)
    a, b = (in_ground(pose, p.segment, p.position_m) for p in (start, end))
    if float(np.linalg.norm(b - a)) < _APART_M:
        raise RouteError("Both anchors are in one place; move one of them.")
    names = wearer(project, 0.5 * (a + b))
    solids = _solids(project, names)
    if not solids:
        raise RouteError("There is no body that a strap could be laid over: insert one first.")
    near = sorted(solids, key=lambda ref: _away(solids[ref], a, b))
    sound = placeable(project)
    over, bone = _first_over(project, names, near[0], a, b)
    while True:
        under, angle = over_bone(sound, start, end, over, bone)
        if angle is None:
            angle, _ = angle_that_holds(sound, start, end, over)
        found = route(sound, start, end, under, angle + turn, SPACING_M)
        line = _fine(line_of(project, found.points()))
        cut = [ref for ref in near if ref not in over and _cuts(solids[ref], line)]
        if not cut:
            return found
        over.append(cut[0])


def _first_over(
    project: Project, names: tuple[str, ...], nearest: SurfaceRef, a: Array, b: Array
) -> tuple[list[SurfaceRef], SurfaceRef | None]:
    """Give what a strap lies on at the least, and the bone over whose front it goes where the body has such bones."""
    who = _wearing(project, names)
    if who is None:
        return [nearest], None
    pose, roles = pose_at_start(project), ("lower_torso", "upper_torso")
    role = min(roles, key=lambda one: _off(pose[who.surfaces[one].segment].p_W, a, b))
    return list(who.under_strap(role)), who.front(role)


def strapped(
    project: Project, chosen: tuple[str, ...], start: PointRef, end: PointRef, turn: float = 0.0
) -> Strapped:
    """Give the project with a new strap: in the harness that is selected, or in one of its own."""
    found = laid_between(project, start, end, turn)
    names = wearer(project, _middle(project, start, end))
    name = _name_of(project, found, names)
    who = _wearing(project, names)
    anchors = found.points()
    over = [p for w in found.wraps for p in (w.points() if who is None else points_on(w, who))]
    bench = Bench(project, chosen)
    law = bench.law(webbing=True)
    points = [
        point.model_copy(
            update={
                "friction_along": _FRICTION,
                "position_m": rounded(point.position_m),
                **sliding(point, _FRICTION),
            }
        )
        if point.kind == "surface"
        else point
        for point in (anchors[0], *over, anchors[-1])
    ]
    harness: Any = next(
        (find(project, path) for path in chosen if path.startswith("harnesses/")), None
    )
    plain = {"law": law, "points": [point.model_dump() for point in points]}
    if harness is None:
        id_ = "_".join(name.lower().split())
        strap = {"id": "strap", **plain}
        id_ = bench.add("harnesses", "Harness", id_, name=name, straps=[strap])
        return Strapped(bench.project, f"harnesses/{id_}", found, name)
    taken = {strap.id for strap in harness.straps}
    strap = bench.part("Strap", id=free_id("_".join(name.lower().split()), taken), **plain)
    grown = harness.model_copy(update={"straps": (*harness.straps, strap)})
    harnesses = tuple(grown if h.id == harness.id else h for h in bench.project.harnesses)
    after = bench.project.model_copy(update={"harnesses": harnesses})
    return Strapped(after, f"harnesses/{harness.id}", found, name)


def _name_of(project: Project, found: Route, names: tuple[str, ...]) -> str:
    """Call a strap by what it runs over: the hips alone, or the chest too."""
    over = {wrap.surface.segment for wrap in found.wraps if not is_thigh(wrap.surface)}
    if over == {names[0]}:
        return "Lap belt"
    chest = {ref.segment for ref in _bones(project, names)} - set(names[:-1])
    return "Shoulder belt" if over & {names[-1], *chest} else "Strap"


def _bones(project: Project, names: tuple[str, ...]) -> tuple[SurfaceRef, ...]:
    """Give what straps lie on where the body has bones for them; else none."""
    who = _wearing(project, names)
    if who is None:
        return ()
    return tuple(dict.fromkeys((*who.under_strap("lower_torso"), *who.under_strap("upper_torso"))))


def _wearing(project: Project, names: tuple[str, ...]) -> Occupant | None:
    """Give the occupant of a trunk, where it has bones for straps."""
    who = occupant(project, names[0].removesuffix("lower_torso").rstrip("_")) if names else None
    return who if who is not None and who.front("upper_torso") is not None else None


def _middle(project: Project, start: PointRef, end: PointRef) -> Array:
    pose = pose_at_start(project)
    a, b = (in_ground(pose, p.segment, p.position_m) for p in (start, end))
    return np.asarray(0.5 * (a + b))


def _solids(project: Project, names: tuple[str, ...]) -> dict[SurfaceRef, Body]:
    pose, bones = pose_at_start(project), _bones(project, names)
    return {
        ref: body_of(surface, segment, pose)
        for (segment, id_), surface in surfaces_of(project).items()
        if (ref := SurfaceRef(segment=segment, surface=id_)) in bones
        or (not bones and segment in names)
    }


def _away(body: Body, a: Array, b: Array) -> float:
    """Give how far a body's centre is from the line between two places."""
    return _off(body.p_W, a, b)


def _off(place: Array, a: Array, b: Array) -> float:
    along = b - a
    part = float(np.clip((place - a) @ along / max(float(along @ along), 1e-12), 0.0, 1.0))
    return float(np.linalg.norm(place - a - part * along))


def _fine(line: Array) -> Array:
    """Put places between the points of a line."""
    parts = np.linspace(0.0, 1.0, 8)[:-1, None]
    pieces = [p + parts * (q - p) for p, q in pairwise(line)]
    return np.vstack([*pieces, line[-1:]])


def _cuts(body: Body, line: Array) -> bool:
    z = (line - body.p_W) @ body.R_WE / body.axes
    return bool(((np.abs(z) ** body.powers).sum(axis=1) < _DEEP).any())
