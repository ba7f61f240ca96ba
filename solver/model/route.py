"""Find the route of a strap: taut in a plane through two anchors, over the surfaces of segments.

The plane contains the line between the anchors. At the angle zero its side on which the strap lies
contains the mean of the surfaces' centres; where that mean lies on the line itself, the ground axis
most across the line takes its place. A positive angle turns the plane right-handed about the
direction from the first anchor to the second, so that half a turn lays the strap behind the centres.
In the plane the strap is the shortest line around both anchors and what the plane cuts of the
surfaces, on that side of the line between the anchors.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from solver.base.words import Refusal, Sentence
from solver.engine.maths.alike import dot, into, length
from solver.engine.maths.rotation import Array
from solver.engine.maths.sections import Outline, deepest, is_inside, section
from solver.engine.maths.taut import String, Touch, taut
from solver.project.belts import AnchorPoint, StrapPoint, SurfacePoint
from solver.project.document import Project
from solver.project.geometry import PointRef, Surface, SurfaceRef
from solver.project.pose import Placed, start_pose, turn
from solver.project.problems import did_you_mean

SAME_M = 1e-6
"""Points nearer to each other are one; so are anchors."""

MOST_POINTS = 498
"""A strap has at most 500 points, two of them anchors."""

STEP = math.radians(2.0)
"""Between angles tried at first."""
FINER, PARTS = (-3, -2, -1, 1, 2, 3), 4
"""Places tried next to an angle where the length bends upwards, in fourths of that step."""

Vector = tuple[float, float, float]


class RouteError(Refusal):
    """Say in a sentence why no strap can be laid."""

    __module__ = "manikin"


@dataclass(frozen=True, slots=True)
class Wrap:
    """Where a strap follows one surface: length, and points in the segment's axes (m)."""

    surface: SurfaceRef
    length_m: float
    points_m: tuple[Vector, ...]

    def points(self) -> tuple[SurfacePoint, ...]:
        """The points for a strap."""
        return tuple(SurfacePoint(surface=self.surface, position_m=p) for p in self.points_m)


@dataclass(frozen=True, slots=True)
class Route:
    """A laid strap: wraps in order, straight lengths before, between and after them, the whole length."""

    start: PointRef
    end: PointRef
    angle_rad: float
    wraps: tuple[Wrap, ...]
    free_m: tuple[float, ...]
    length_m: float
    untouched: tuple[SurfaceRef, ...]

    def points(self) -> tuple[StrapPoint, ...]:
        """All points for a strap: anchor, points on surfaces, anchor."""
        return (
            _anchor(self.start),
            *(point for wrap in self.wraps for point in wrap.points()),
            _anchor(self.end),
        )


def route(
    project: Project,
    start: PointRef,
    end: PointRef,
    surfaces: Sequence[SurfaceRef],
    angle: float = 0.0,
    spacing: float = 0.05,
) -> Route:
    """Lay a strap of a checked project at an angle (rad), its points on a surface at most `spacing` (m) apart.

    The order of the surfaces does not matter: the strap meets them as they lie. Raises RouteError.
    """
    if not spacing > 0.0 or not math.isfinite(spacing):
        raise RouteError("The spacing is not above zero; give a length in metres, such as 0.05.")
    if not math.isfinite(angle):
        raise RouteError("The angle is no number; give one in radians.")
    site = _Site(project, start, end, surfaces)
    cut = site.cut(angle)
    if not cut:
        names = " and ".join(_name(ref) for ref in site.refs)
        raise RouteError(
            "At {degrees:.4g} degrees the plane misses {names}; turn it by another angle, or move an anchor.",
            degrees=math.degrees(angle),
            names=names,
        )
    string = taut([outline for _, outline in cut], site.width)
    if not string.touches:
        raise RouteError(
            "At {degrees:.4g} degrees the strap runs straight from anchor to anchor and touches no surface; turn it by another angle, or move an anchor.",
            degrees=math.degrees(angle),
        )
    wraps = tuple(site.wraps(angle, cut, string, spacing))
    touched = {wrap.surface for wrap in wraps}
    left = tuple(ref for ref in site.refs if ref not in touched)
    return Route(start, end, angle, wraps, string.free, string.length, left)


def best_angle(
    project: Project,
    start: PointRef,
    end: PointRef,
    surfaces: Sequence[SurfaceRef],
    within: float = 0.5 * math.pi,
) -> float:
    """The angle (rad), at most `within` to either side, at which the strap is shortest and stays.

    That is the lowest of the lengths that grow to both sides: a strap that gets ever shorter until it
    slips off the surfaces has none. All angles are tried in small steps, smaller ones
    where a narrow valley may lie between them, and the lowest places refined. Raises RouteError.
    """
    site = _Site(project, start, end, surfaces)
    # all round, the ends meet: one step more shows what lies beyond them
    reach = within if within < math.pi else math.pi + STEP
    angles = np.linspace(-reach, reach, 2 * max(1, math.ceil(reach / STEP)) + 1)
    slack = 1e-9 * site.width
    lengths = np.array([site.length(angle) for angle in angles])
    # a crease is a narrow valley: it may lie between angles where the length grows more than twice as fast on one side
    slopes = np.diff(lengths)
    gentle = np.minimum(np.abs(slopes[:-1]), np.abs(slopes[1:]))
    same_way = slopes[:-1] * slopes[1:] > 0.0
    bends = np.flatnonzero(same_way & (np.diff(slopes) > gentle + slack)) + 1
    # by whole numbers, so that no place is tried twice a rounding apart
    fourths = np.unique(np.add.outer(PARTS * bends, FINER))
    between = angles[0] + (angles[1] - angles[0]) / PARTS * fourths[fourths % PARTS != 0]
    order = np.argsort(np.concatenate((angles, between)), kind="stable")
    lengths = np.concatenate((lengths, [site.length(angle) for angle in between]))[order]
    angles = np.concatenate((angles, between))[order]
    inner, left, right = lengths[1:-1], lengths[:-2], lengths[2:]
    low = (inner <= left) & (inner <= right) & (inner > site.width + slack)
    places = [1 + int(k) for k in np.flatnonzero(low)]
    if not places:
        raise RouteError(
            "Within {degrees:.4g} degrees the strap is nowhere shortest: it would slip off the surfaces; give an angle, or add a surface that holds it.",
            degrees=math.degrees(within),
        )
    found = [_lowest(site, angles[k - 1], angles[k], angles[k + 1]) for k in places]
    return min(found, key=site.length)


def angle_towards(
    project: Project,
    start: PointRef,
    end: PointRef,
    surfaces: Sequence[SurfaceRef],
    place_W: Array,
) -> float:
    """Give the angle (rad) at which the plane contains a place (m, ground axes). Raises RouteError."""
    site = _Site(project, start, end, surfaces)
    way = place_W - site.a
    return math.atan2(dot(way, np.cross(site.x, site.up)), dot(way, site.up))


def _lowest(site: _Site, low: float, middle: float, high: float) -> float:
    """Find the angle of the least length in a bracket, by parabolas and golden sections."""
    from scipy.optimize import minimize_scalar

    found = minimize_scalar(
        site.length, bounds=(low, high), method="bounded", options={"xatol": 1e-7}
    )
    return float(found.x) if found.fun < site.length(middle) else middle


@dataclass(frozen=True, slots=True)
class _Body:
    """A surface in ground axes, over its semi-axes: z = S (p - centre)."""

    ref: SurfaceRef
    centre: Array
    S: Array
    power: Array

    def z(self, p_W: Array) -> Array:
        """A point's coordinates over the semi-axes."""
        z: Array = self.S @ (p_W - self.centre)
        return z


class _Site:
    """Hold anchors and surfaces at the start, ground axes."""

    def __init__(
        self, project: Project, start: PointRef, end: PointRef, surfaces: Sequence[SurfaceRef]
    ) -> None:
        if not surfaces:
            raise RouteError("There is no surface to lay the strap over; name one or more.")
        self.pose = start_pose(project)
        self.refs = tuple(dict.fromkeys(surfaces))
        shapes = [shape_of(project, ref) for ref in self.refs]
        self.bodies = [_body(self.pose, ref, s) for ref, s in zip(self.refs, shapes, strict=True)]
        self.a, b = (_placed(self.pose, point) for point in (start, end))
        self.width = length(b - self.a)
        if self.width < SAME_M:
            raise RouteError("Both anchors are in one place; move one of them.")
        self.x = (b - self.a) / self.width
        self.refuse_inside(start, self.a)
        self.refuse_inside(end, b)
        self.refuse_behind(start, end)
        self.up = _across(self.x, np.mean([body.centre for body in self.bodies], axis=0) - self.a)

    def refuse_inside(self, point: PointRef, p_W: Array) -> None:
        """Refuse an anchor inside a surface."""
        for body in self.bodies:
            if is_inside(body.z(p_W), body.power, 1e-9):
                raise RouteError(
                    "The anchor on '{segment}' is inside {ref}; move it out, or leave the surface out.",
                    segment=point.segment,
                    ref=_name(body.ref),
                )

    def refuse_behind(self, start: PointRef, end: PointRef) -> None:
        """Refuse a surface on the line of the anchors but not between them: no strap gets over it."""
        for body in self.bodies:
            at = deepest(body.z(self.a), (body.S @ self.x)[:, None], body.power)
            if at is not None and not 0.0 <= at[0] <= self.width:
                point = start if at[0] < 0.0 else end
                raise RouteError(
                    "{ref} lies on the line of the anchors behind the one on '{segment}', where no strap runs over it; leave the surface out, or move an anchor.",
                    ref=_name(body.ref),
                    segment=point.segment,
                )

    def axes(self, angle: float) -> Array:
        """The plane's axes in columns: along the anchors, and to the side of the strap."""
        up = math.cos(angle) * self.up + math.sin(angle) * np.cross(self.x, self.up)
        return np.stack([self.x, up], axis=1)

    def cut(self, angle: float) -> list[tuple[SurfaceRef, Outline]]:
        """The outlines that the plane cuts of the surfaces."""
        axes = self.axes(angle)
        cuts = [(b.ref, section(b.z(self.a), b.S @ axes, b.power)) for b in self.bodies]
        return [(ref, outline) for ref, outline in cuts if outline is not None]

    def length(self, angle: float) -> float:
        """The strap's length (m) at an angle."""
        return taut([outline for _, outline in self.cut(angle)], self.width).length

    def wraps(
        self, angle: float, cut: list[tuple[SurfaceRef, Outline]], string: String, spacing: float
    ) -> Iterator[Wrap]:
        """Put points along the touches; those that fall on the point before are left out."""
        count = sum(math.ceil(touch.length / spacing) + 1 for touch in string.touches)
        if count > MOST_POINTS:
            raise RouteError(
                "At {spacing:g} m apart the strap would have {count} points on surfaces; it may have {most_points}. Give a greater spacing.",
                spacing=spacing,
                count=count,
                most_points=MOST_POINTS,
            )
        axes = self.axes(angle)
        end = np.array([self.width, 0.0])
        here = np.zeros(2)
        for touch in string.touches:
            ref, outline = cut[touch.outline]
            points = []
            for place in _spread(outline, touch, spacing):
                if min(length(place - here), length(place - end)) > SAME_M:
                    here = place
                    points.append(_local(self.pose[ref.segment], self.a + axes @ place))
            yield Wrap(ref, touch.length, tuple(points))


def _spread(outline: Outline, touch: Touch, spacing: float) -> Iterator[Array]:
    """Points from one tangent to the other, equally far apart along the outline."""
    from scipy.optimize import brentq

    pieces = max(1, math.ceil(touch.length / spacing))
    t = touch.start
    yield touch.first
    for left in range(pieces, 1, -1):
        step = outline.length(t, touch.end) / left
        t = float(brentq(lambda u, t=t, step=step: outline.length(t, u) - step, t, touch.end))
        yield outline.place(t)
    yield touch.last


def _across(x: Array, way: Array) -> Array:
    """The unit direction across x towards `way`, or along the ground axis most across."""
    across = way - dot(way, x) * x
    if length(across) < SAME_M:
        across = np.eye(3)[int(np.argmin(np.abs(x)))]
        across = across - dot(across, x) * x
    unit: Array = across / length(across)
    return unit


def shape_of(project: Project, ref: SurfaceRef) -> Surface:
    """Find a surface, or say which there are."""
    segments = {segment.id: segment for segment in project.segments}
    if ref.segment not in segments:
        raise RouteError(
            f"There is no segment '{ref.segment}'. {did_you_mean(ref.segment, segments)}".strip()
        )
    shapes = {shape.id: shape for shape in segments[ref.segment].surfaces}
    if ref.surface not in shapes:
        hint = did_you_mean(ref.surface, shapes) or Sentence(
            "It has: {shapes}.", shapes=(", ".join(shapes) or Sentence("none"))
        )
        raise RouteError(
            "'{segment}' has no surface '{surface}'. {hint}",
            segment=ref.segment,
            surface=ref.surface,
            hint=hint,
        )
    return shapes[ref.surface]


def _body(pose: dict[str, Placed], ref: SurfaceRef, shape: Surface) -> _Body:
    at = pose[ref.segment]
    S = (at.R_WS @ turn(shape.orientation)).T / np.array(shape.semi_axes_m)[:, None]
    power = np.array(getattr(shape, "powers", (2.0, 2.0, 2.0)))
    return _Body(ref, at.p_W + at.R_WS @ np.array(shape.centre_m), S, power)


def _placed(pose: dict[str, Placed], point: PointRef) -> Array:
    """An anchor in ground axes."""
    if point.segment not in pose:
        hint = did_you_mean(point.segment, pose)
        raise RouteError(f"There is no segment '{point.segment}'. {hint}".strip())
    at = pose[point.segment]
    place: Array = at.p_W + at.R_WS @ np.array(point.position_m)
    return place


def _local(at: Placed, p_W: Array) -> Vector:
    x, y, z = (float(v) for v in into(at.R_WS, p_W - at.p_W))
    return x, y, z


def _anchor(point: PointRef) -> AnchorPoint:
    return AnchorPoint(segment=point.segment, position_m=point.position_m)


def _name(ref: SurfaceRef) -> str:
    return f"'{ref.segment}.{ref.surface}'"


# Draw the line of a simple belt: over the ellipsoid where it lies on it, straight where it does not.
#
# As in the engine (section 7.3) each side is looked at by itself: from its anchor it touches the section through both
# anchors and the fixed point, or goes straight to the fixed point.

_POINTS = 17
"""On each side that lies on the surface."""


def over_sphere(a: Array, fixed: Array, b: Array) -> list[Array]:
    """The points on a unit sphere between anchors `a` and `b`, the fixed point among them."""
    normal = np.cross(a - fixed, b - fixed)
    size = length(normal)
    if size < 1e-9:
        return [fixed]
    normal /= size
    centre = dot(fixed, normal) * normal
    radius = length(fixed - centre)
    if radius < 1e-9:
        return [fixed]
    e1 = (fixed - centre) / radius
    e2 = np.cross(normal, e1)

    def side(anchor: Array, sense: float) -> list[Array]:
        """The points between tangency and the fixed point; none where the belt is off there."""
        x, y = dot(anchor - centre, e1), dot(anchor - centre, e2)
        far = math.hypot(x, y)
        if far <= radius:
            return []
        lies = math.remainder(math.atan2(y, x) - sense * math.acos(radius / far), 2.0 * math.pi)
        if sense * lies <= 0.0:
            return []
        angles = np.linspace(lies, 0.0, _POINTS)[:-1]
        return [centre + radius * (math.cos(t) * e1 + math.sin(t) * e2) for t in angles]

    return [*side(a, 1.0), fixed, *side(b, -1.0)[::-1]]
