"""Straps: made between two anchors, over which surfaces they run, and laid by the route finder."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

import numpy as np

from solver.bodies.library.belting import over_bone, points_on, sliding
from solver.bodies.library.occupants import Occupant, is_thigh, occupant
from solver.editing.bench import Bench
from solver.editing.elements import find
from solver.editing.naming import free_id
from solver.engine.maths.rotation import Array
from solver.model.route import Route, RouteError, angle_towards, best_angle, route
from solver.project import Project
from solver.project.belts import StrapPoint, SurfacePoint
from solver.project.changes import with_value
from solver.project.geometry import PointRef, SurfaceRef
from solver.project.joint_table import carrying
from solver.project.posing import members, root_of
from solver.project.segments import GROUND
from solver.scene.placing import in_ground, placeable, pose_at_start
from solver.scene.shapes import surfaces_of
from solver.scene.webbing import Body, body_of

_FRICTION = 0.25
_APART_M = 0.01
_DEEP = 0.97
"""A strap runs through a surface where it comes nearer to its centre than this, over the semi-axes."""


@dataclass(frozen=True, slots=True)
class Strapped:
    """The project with a strap, the harness that it is in, its route and its name."""

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
    """The anchor on the other side of the body that wears the strap; None where nobody is."""
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
    """What a strap lies on at the least, and the bone over whose front it goes where the body has such bones."""
    who = _wearing(project, names)
    if who is None:
        return [nearest], None
    pose, roles = pose_at_start(project), ("lower_torso", "upper_torso")
    role = min(roles, key=lambda one: _off(pose[who.surfaces[one].segment].p_W, a, b))
    return list(who.under_strap(role)), who.front(role)


def strapped(
    project: Project, chosen: tuple[str, ...], start: PointRef, end: PointRef, turn: float = 0.0
) -> Strapped:
    """The project with a new strap: in the harness that is selected, or in one of its own."""
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
    """What straps lie on where the body has bones for them; else none."""
    who = _wearing(project, names)
    if who is None:
        return ()
    return tuple(dict.fromkeys((*who.under_strap("lower_torso"), *who.under_strap("upper_torso"))))


def _wearing(project: Project, names: tuple[str, ...]) -> Occupant | None:
    """The occupant of a trunk, where it has bones for straps."""
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
    """How far a body's centre is from the line between two places."""
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


NEAR_M = 0.01
"""How far points may lie from where the route finder puts them, for a strap that counts as laid."""
SPACING_M = 0.05
_SAME_RAD = 0.01
_LOOSE = 1.25
"""Of the spacing that points have, where nothing tells how much more it may be."""


@dataclass(frozen=True, slots=True)
class Lay:
    """How a stretch is laid: its ends in the strap, surfaces, angle (rad) and spacing (m).

    `is_shortest` says that the angle is the one at which the strap is shortest and stays.
    """

    strap: int
    first: int
    last: int
    surfaces: tuple[SurfaceRef, ...]
    angle: float
    spacing: float = SPACING_M
    is_shortest: bool = False


def relaid(before: Project, after: Project, element: str) -> Project:
    """Give the project with the stretches of a harness laid again whose ends have moved.

    Only what was laid by the route finder before; points that hands have set stay. Raises RouteError.
    """
    old: Any = find(before, element)
    new: Any = find(after, element)
    out = after
    # from the last to the first, so that the numbers of points before stay what they are
    for lay in sorted(_lays(before, element), key=lambda one: (one.strap, -one.first)):
        ends = (lay.first, lay.last)
        olds, news = old.straps[lay.strap].points, new.straps[lay.strap].points
        if any(_end(olds[k]) != _end(news[k]) for k in ends):
            out = _put(out, element, lay, _route(after, new, lay))
    return out


def laid_again(project: Project, element: str) -> Project:
    """Lay all stretches of a harness over the surfaces that they touch. Raises RouteError."""
    harness: Any = find(project, element)
    known = {(lay.strap, lay.first): lay for lay in _lays(project, element)}
    wanted = [known.get((s.strap, s.first), s) for s in _stretches(project, harness)]
    out = project
    for lay in sorted(wanted, key=lambda one: (one.strap, -one.first)):
        out = _put(out, element, lay, _route(project, harness, lay))
    return out


def angle_that_holds(
    project: Project, start: PointRef, end: PointRef, surfaces: Sequence[SurfaceRef]
) -> tuple[float, bool]:
    """The angle at which a strap is shortest and stays, or else that through the surfaces' middle."""
    try:
        return best_angle(project, start, end, surfaces), True
    except RouteError:
        return 0.0, False


_recent: deque[tuple[Project, str, tuple[Lay, ...]]] = deque(maxlen=2)
"""What was found last: while an anchor is dragged, the project before stays the same."""


def _lays(project: Project, element: str) -> tuple[Lay, ...]:
    """The stretches that the route finder has laid."""
    for known, name, lays in tuple(_recent):
        if known is project and name == element:
            return lays
    harness: Any = find(project, element)
    found = tuple(
        lay for s in _stretches(project, harness) if (lay := _as_laid(project, harness, s))
    )
    _recent.append((project, element, found))
    return found


def _stretches(project: Project, harness: Any) -> Iterator[Lay]:
    """Every stretch over bodies, at the angle of the mean of its points."""
    pose = pose_at_start(project)
    for number, strap in enumerate(harness.straps):
        ends = [k for k, point in enumerate(strap.points) if _end(point) is not None]
        for first, last in pairwise(ends):
            inner = strap.points[first + 1 : last]
            # a junction on a body joins straps: it stays where it is
            if not inner or any(type(point) is not SurfacePoint for point in inner):
                continue
            if any(point.surface.segment not in pose for point in inner):
                continue
            surfaces = tuple(dict.fromkeys(point.surface for point in inner))
            places = [in_ground(pose, p.surface.segment, p.position_m) for p in inner]
            start, end = _end(strap.points[first]), _end(strap.points[last])
            assert start is not None
            assert end is not None
            try:
                angle = angle_towards(
                    placeable(project), start, end, surfaces, np.mean(places, axis=0)
                )
            except RouteError:
                continue
            yield Lay(number, first, last, surfaces, angle)


def _as_laid(project: Project, harness: Any, stretch: Lay) -> Lay | None:
    """Give the stretch with the spacing of its points; None where the route finder lays it otherwise."""
    inner = harness.straps[stretch.strap].points[stretch.first + 1 : stretch.last]
    try:
        rough = _route(project, harness, stretch)
        spacing = _spacing(rough, inner)
        if spacing is None:
            return None
        lay = Lay(
            stretch.strap, stretch.first, stretch.last, stretch.surfaces, stretch.angle, spacing
        )
        again = _route(project, harness, lay)
    except RouteError:
        return None
    points = [point for wrap in again.wraps for point in wrap.points()]
    if len(points) != len(inner):
        return None
    for one, other in zip(points, inner, strict=True):
        away = np.array(one.position_m) - np.array(other.position_m)
        if one.surface != other.surface or float(np.linalg.norm(away)) > NEAR_M:
            return None
    start, end = again.start, again.end
    best, holds = angle_that_holds(placeable(project), start, end, stretch.surfaces)
    is_shortest = holds and abs(best - stretch.angle) < _SAME_RAD
    return Lay(lay.strap, lay.first, lay.last, lay.surfaces, lay.angle, spacing, is_shortest)


def _spacing(rough: Route, inner: Sequence[SurfacePoint]) -> float | None:
    """A spacing at which each wrap gets as many points as there are; None where none does."""
    runs = [list(run) for _, run in groupby(inner, key=lambda point: point.surface)]
    if [run[0].surface for run in runs] != [wrap.surface for wrap in rough.wraps]:
        return None
    low, high = 0.0, np.inf
    for wrap, run in zip(rough.wraps, runs, strict=True):
        pieces = len(run) - 1
        low = max(low, wrap.length_m / max(1, pieces))
        if pieces > 1:
            high = min(high, wrap.length_m / (pieces - 1))
    if not 0.0 < low < high:
        return None
    return _LOOSE * low if np.isinf(high) else 0.5 * (low + high)


def _route(project: Project, harness: Any, lay: Lay) -> Route:
    strap = harness.straps[lay.strap]
    start, end = _end(strap.points[lay.first]), _end(strap.points[lay.last])
    assert start is not None and end is not None  # noqa: PT018
    sound, angle = placeable(project), lay.angle
    if lay.is_shortest:
        angle, holds = angle_that_holds(sound, start, end, lay.surfaces)
        angle = angle if holds else lay.angle
    return route(sound, start, end, lay.surfaces, angle, lay.spacing)


def _put(project: Project, element: str, lay: Lay, found: Route) -> Project:
    """Put the points of a route in place of a stretch's; each keeps what its neighbour on the body had."""
    harness: Any = find(project, element)
    points = harness.straps[lay.strap].points
    inner = points[lay.first + 1 : lay.last]
    made: list[StrapPoint] = []
    for wrap in found.wraps:
        old = [point for point in inner if point.surface == wrap.surface] or list(inner)
        for k, point in enumerate(wrap.points()):
            like = old[round(k * (len(old) - 1) / max(1, len(wrap.points_m) - 1))]
            kept = {"surface": point.surface, "position_m": rounded(point.position_m)}
            made.append(like.model_copy(update=kept))
    after = (*points[: lay.first + 1], *made, *points[lay.last :])
    return with_value(project, f"{element}/straps/{lay.strap}/points", after)


def rounded(place: Sequence[float] | Array) -> tuple[float, float, float]:
    """Write a place to a hundredth of a millimetre: finer is nothing that a strap could keep."""
    x, y, z = (round(float(v), 5) + 0.0 for v in place)
    return x, y, z


def _end(point: Any) -> PointRef | None:
    """Where a point holds webbing that lies on no body; None for one on a body."""
    if getattr(point, "surface", None) is not None:
        return None
    if point.kind == "junction":
        return PointRef(segment=GROUND, position_m=point.position_m)
    return PointRef(segment=point.segment, position_m=point.position_m)


def line_of(project: Project, points: Sequence[StrapPoint]) -> Array:
    """The places of points of a strap in ground axes (n, 3)."""
    pose = pose_at_start(project)
    places = []
    for point in points:
        on: Any = getattr(point, "surface", None)
        segment = on.segment if on is not None else getattr(point, "segment", GROUND)
        places.append(in_ground(pose, segment, point.position_m))
    return np.array(places)


_WITH_ARMS = 3
"""Branches of a segment that bears a neck and two arms: the trunk ends there."""
_HEAVY = 0.4
"""Without such a segment, a branch without one of this part of the heaviest one's mass is no longer trunk."""


def bodies(project: Project) -> list[str]:
    """Name the roots of the trees that are neither driven nor fixed to the ground."""
    driven = {motion.segment for motion in project.motions}
    roots = dict.fromkeys(root_of(project, segment.id) for segment in project.segments)
    return [root for root in roots if root != GROUND and root not in driven]


def trunk(project: Project, root: str) -> tuple[str, ...]:
    """Name the segments from a root up the heaviest branch, without head and limbs: up to the one that bears the arms."""
    mass = {segment.id: segment.mass_kg or 0.0 for segment in project.segments}

    def heaviest(names: tuple[str, ...]) -> float:
        return max((mass.get(name, 0.0) for name in names), default=0.0)

    least = _HEAVY * heaviest(members(project, root))
    found, heavy, top = [root], 1, 0
    while True:
        below = [j.child for j in carrying(project.joints) if j.parent == found[-1]]
        branches = {child: members(project, child) for child in below if child not in found}
        if len(branches) >= _WITH_ARMS and len(found) > 1:
            top = len(found)
        weight = {child: sum(mass.get(n, 0.0) for n in names) for child, names in branches.items()}
        ahead = max(weight, key=lambda child: weight[child], default="")
        if not ahead:
            return tuple(found[: top or heavy])
        if heavy == len(found) and heaviest(branches[ahead]) >= least:
            heavy += 1
        found.append(ahead)
