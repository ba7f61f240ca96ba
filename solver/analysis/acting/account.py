"""Tell what acts on segments of a run, source by source: together it is mass times acceleration."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from solver.analysis.acting.tables import RunTables, Tables, units
from solver.bodies.library.occupants import FINER
from solver.engine.maths.profile import value
from solver.engine.maths.rotation import Array
from solver.model.modal.masses import momentum_rate
from solver.model.paths import Courses
from solver.model.route import over_sphere
from solver.project import Project
from solver.project.belts import AnchorPoint, Belt, RingPoint, Strap
from solver.project.bending.shapes import data_of
from solver.project.closures import PointOnCurve
from solver.project.contact import PlaneContact
from solver.project.coordinates import ComponentCoordinate, DistanceCoordinate
from solver.project.couplings import COUPLINGS, CoupledAxis
from solver.project.geometry import Ellipsoid
from solver.project.joint_table import carrying, row_of
from solver.project.links import Closure, EdgeOnEdge, PairSymmetry, RollSlide
from solver.project.links import FixedDistance as Fixed
from solver.project.links import ZeroDistance as Zero
from solver.project.modal import modes_of
from solver.project.pose import Placed, panel_segments, turn
from solver.project.segments import GROUND, Segment

# Hold one force on a segment over a run, and where it comes from.

SOURCES = (
    "weight", "joints", "contacts", "belts", "airbags", "springs", "muscles", "constraints", "drivers", "loads",
    "winds", "motion", "rest",
)  # fmt: skip
"""Kinds of what acts; motion is what moves a segment as prescribed, the rest what results do not tell."""


@dataclass(frozen=True, slots=True)
class Share:
    """One force on the segment: its kind, the element it comes from, and its course (T, 3) N, ground axes.

    `points` (T, 3) m are where it acts; None where that is the mass centre, or not known.
    """

    source: str
    element: str
    forces: Array
    points: Array | None = None

    def along(self, way: Array) -> Array:
        """The part of it in directions (T, 3), or in one (N)."""
        part: Array = (self.forces * way).sum(axis=-1)
        return part


# What contacts, belts and airbags push and pull with.


def of_contacts(seen: RunTables, segment: str) -> Iterator[Share]:
    """What allowed contacts press with, at their points of application."""
    planes = {plane.id: plane.segment for plane in seen.project.planes}
    contacts = {contact.id: contact for contact in seen.project.contacts}
    for id_, row in seen.rows("contacts"):
        contact = contacts[id_]
        if isinstance(contact, PlaneContact):
            ends = (contact.surface.segment, planes[contact.plane])
        else:
            ends = (contact.first.segment, contact.second.segment)
        for end, sign in zip(ends, (1.0, -1.0), strict=True):
            if end == segment:
                yield Share("contacts", f"contacts/{id_}", sign * row["force"], row["point"])


def of_straps(seen: RunTables, segment: str) -> Iterator[Share]:
    """What straps of harnesses pull with, point by point."""
    straps = {f"{h.id}.{strap.id}": strap for h in seen.project.harnesses for strap in h.straps}
    for id_, row in seen.rows("strap_points"):
        name, _, number = id_.rpartition(".")
        if _carrier(straps[name], int(number)) == segment:
            harness = name.partition(".")[0]
            yield Share("belts", f"harnesses/{harness}", row["force"], row["position"])


def _carrier(strap: Strap, number: int) -> str:
    """Name the segment on which a point of a strap lies; empty for a junction that hangs free."""
    point = strap.points[number]
    if isinstance(point, AnchorPoint | RingPoint):
        return point.segment
    return "" if point.surface is None else point.surface.segment


def of_belts(seen: RunTables, segment: str) -> Iterator[Share]:
    """The pulls of simple belts, as straight from each anchor to where they touch."""
    known = {belt.id: belt for belt in seen.project.belts}
    bodies = {(s.id, e.id): e for s in seen.project.segments for e in s.surfaces}
    for id_, row in seen.rows("belts"):
        belt = known[id_]
        on = belt.surface.segment
        anchors = (belt.anchor_a, belt.anchor_b)
        if segment not in (on, *(anchor.segment for anchor in anchors)):
            continue
        ends = [seen.points(anchor.segment, anchor.position_m) for anchor in anchors]
        touched = _touched(seen, belt, bodies[on, belt.surface.surface], ends)
        for n, anchor in enumerate(anchors):
            pull = row["tension"][:, n, None] * units(touched[n] - ends[n])
            if anchor.segment == segment:
                yield Share("belts", f"belts/{id_}", pull, ends[n])
            if on == segment:
                yield Share("belts", f"belts/{id_}", -pull, touched[n])


def _touched(
    seen: RunTables, belt: Belt, body: Ellipsoid, ends: list[Array]
) -> tuple[Array, Array]:
    """Where the belt from each anchor meets the body (T, 3), ground axes (7.3)."""
    on = belt.surface.segment
    # in the axes in which the ellipsoid is a unit sphere, its section is a circle
    scale = seen.turns(on) @ (turn(body.orientation) * np.array(body.semi_axes_m))
    centre = seen.points(on, body.centre_m)
    a, f, b = (
        np.linalg.solve(scale, (points - centre)[..., None])[..., 0]
        for points in (ends[0], seen.points(on, belt.fixed_point_m), ends[1])
    )
    lines = [over_sphere(*three) for three in zip(a, f, b, strict=True)]
    first, last = (np.array([line[n] for line in lines])[..., None] for n in (0, -1))
    return centre + (scale @ first)[..., 0], centre + (scale @ last)[..., 0]


def of_bags(seen: RunTables, segment: str) -> Iterator[Share]:
    """What bags press with, and what their panels bear of it where all of a bag's are on one segment."""
    panels = {bag.id: panel_segments(bag, seen.project) for bag in seen.project.airbags}
    for id_, row in seen.rows("airbag_contacts"):
        bag, on = id_.split(".")[:2]
        if on == segment:
            yield Share("airbags", f"airbags/{bag}", row["force"], row["point"])
        # a bag weighs little: it hands on what it presses with
        if panels[bag] == {segment}:
            yield Share("airbags", f"airbags/{bag}", -row["force"], row["point"])


# What joints, springs, strings and constraints hold with.


def of_joints(seen: RunTables, segment: str) -> Iterator[Share]:
    """What joints hold with, at the segment's own point of each."""
    joints = {joint.id: joint for joint in carrying(seen.project.joints)}
    for id_, row in seen.rows("joints"):
        joint = joints.get(id_)
        if joint is None or segment not in (joint.parent, joint.child):
            continue
        sign = 1.0 if joint.child == segment else -1.0
        frame = joint.child_frame if joint.child == segment else joint.parent_frame
        where = seen.points(segment, frame.position_m)
        yield Share("joints", f"joints/{id_}", sign * row["force"], where)


def of_springs(seen: RunTables, segment: str) -> Iterator[Share]:
    """What springs, dampers, bushings and discs pull with; results tell it on end B."""
    known = {one.id: one for one in seen.project.springs}
    for id_, row in seen.rows("springs"):
        for end, sign in ((known[id_].a, -1.0), (known[id_].b, 1.0)):
            if end.segment == segment:
                yield Share("springs", f"springs/{id_}", sign * row["force"])


def of_strings(seen: RunTables, segment: str) -> Iterator[Share]:
    """What heavy strings pull with, less what their masses at the segment's end need (4.50).

    What they damp as printed (4.59) acts across them, too, which their tension does not tell apart.
    """
    tensions = {id_: row["tension"] for id_, row in seen.rows("tension_elements")}
    for one in seen.project.tension_elements:
        if segment not in (one.a.segment, one.b.segment):
            continue
        ends = [(end.segment, end.position_m) for end in (one.a, one.b)]
        at = [seen.points(*end) for end in ends]
        speeds, moved = zip(*(seen.rates(*end) for end in ends), strict=True)
        for n, mass in enumerate((one.mass_a_kg, one.mass_b_kg)):
            if ends[n][0] == segment:
                way = at[1 - n] - at[n]
                pull = tensions[one.id][:, None] * units(way)
                if one.damping_law == "printed":
                    taut = np.maximum(np.linalg.norm(way, axis=1) - one.rest_length_m, 0.0)
                    pull = one.stiffness_n_per_m * taut[:, None] * units(way)
                    pull = pull + one.damping_ns_per_m * (speeds[1 - n] - speeds[n])
                weight = (mass + one.mass_ab_kg) * np.array(seen.project.gravity_m_per_s2)
                needed = mass * moved[n] + one.mass_ab_kg * moved[1 - n]
                yield Share("springs", f"tension_elements/{one.id}", pull + weight - needed, at[n])


def of_constraints(seen: RunTables, segment: str) -> Iterator[Share]:
    """What constraints hold with; results tell it on the first segment."""
    known = {one.id: one for one in seen.project.constraints}
    planes = {plane.id: plane.segment for plane in seen.project.planes}
    couplings = dict(seen.rows("couplings"))
    for id_, row in seen.rows("constraints"):
        one = known[id_]
        if isinstance(one, COUPLINGS):
            for name, axis in (("first", one.first), ("second", one.second)):
                if not axis.turns:
                    yield from _along_axis(
                        seen, segment, id_, axis, couplings[id_][f"{name}_force"]
                    )
            continue
        for end, sign in zip(_ends(one, planes), (1.0, -1.0), strict=True):
            if end == segment:
                yield Share("constraints", f"constraints/{id_}", sign * row["force"])


def _along_axis(
    seen: RunTables, segment: str, id_: str, axis: CoupledAxis, force: Array
) -> Iterator[Share]:
    """What a coupling pushes with along an axis that slides; about one that turns it has a torque alone."""
    joint = next(one for one in seen.project.joints if one.id == axis.joint)
    if segment not in (joint.parent, joint.child):
        return
    where = seen.points(joint.child, joint.child_frame.position_m)
    if axis.axis == "length":
        ways = units(where - seen.points(joint.parent, joint.parent_frame.position_m))
    else:
        axes = seen.turns(joint.parent) @ turn(joint.parent_frame.orientation)
        along = next(one.axis for one in row_of(joint).slides if one.name == axis.axis)
        ways = axes[:, :, "xyz".index(along)]
    sign = 1.0 if joint.child == segment else -1.0
    yield Share("constraints", f"constraints/{id_}", sign * force[:, None] * ways, where)


def _ends(
    one: Zero | Fixed | RollSlide | EdgeOnEdge | Closure | PointOnCurve, planes: dict[str, str]
) -> tuple[str, str]:
    """Name the segments that a constraint joins, the first one first."""
    if isinstance(one, RollSlide):
        other = one.other.segment if one.other is not None else planes[one.plane or ""]
        return one.surface.segment, other
    if isinstance(one, EdgeOnEdge):
        return planes[one.plane], planes[one.on]
    return one.a.segment, one.b.segment


def of_symmetry(seen: RunTables, segment: str) -> Iterator[Share]:
    """What holds segments symmetrical."""
    known = {one.id: one for one in seen.project.symmetry}
    for id_, row in seen.rows("symmetry"):
        one = known[id_]
        first, second = (
            (one.first, one.second) if isinstance(one, PairSymmetry) else (one.segment, "")
        )
        if segment == first:
            yield Share("constraints", f"symmetry/{id_}", row["force"])
        if segment == second:
            yield Share("constraints", f"symmetry/{id_}", row["force_on_second"])


def of_tyres(seen: RunTables, segment: str) -> Iterator[Share]:
    """What roads push tyres with; what the road's segment gets is the opposite."""
    known = {one.id: one for one in seen.project.tyres}
    planes = {plane.id: plane.segment for plane in seen.project.planes}
    meshes = {mesh.id: mesh.segment for mesh in seen.project.meshes}
    for id_, row in seen.rows("tyres"):
        one, element = known[id_], f"tyres/{id_}"
        if one.wheel == segment:
            yield Share("contacts", element, row["force"], row["point"])
        elif {planes[road] for road in one.roads} | {meshes[road] for road in one.meshes} == {
            segment
        }:
            yield Share("contacts", element, -row["force"], row["point"])


# What muscles, drivers, loads and winds push with.


def _along_line(
    seen: RunTables, way: DistanceCoordinate, pull: Array, segment: str
) -> Iterator[tuple[Array, Array]]:
    """Give forces of a line that goes round obstacles, or whose points move, on a segment: a pair for each knot there may be."""
    courses = Courses(seen.project, [way])
    count, most = len(seen.time), len(way.points) + 2 * len(way.over)
    forces, places = np.zeros((most, count, 3)), np.zeros((most, count, 3))
    named = courses.needed()
    at = {name: (seen.turns(name), seen.points(name, (0.0, 0.0, 0.0))) for name in named}
    for t in range(count):
        laid = courses.laid({name: Placed(R[t], p[t]) for name, (R, p) in at.items()})
        knots = laid.knots(0)
        for k, (body, place, _) in enumerate(knots):
            if courses.segments[body] != segment:
                continue
            # along each straight leg towards its other end
            ways = [knots[m][1] - place for m, over in ((k + 1, k), (k - 1, k - 1)) if 0 <= m < len(knots) and not knots[over][2]]  # fmt: skip
            forces[k, t] = sum((pull[t] * w / max(float(np.linalg.norm(w)), 1e-12) for w in ways), np.zeros(3))  # fmt: skip
            places[k, t] = place
    for k in range(most):
        if forces[k].any():
            yield forces[k], places[k]


def of_laws(seen: RunTables, segment: str) -> Iterator[Share]:
    """What laws resist between points, as muscles do; those of joints stand in what these hold with."""
    known = {one.id: one for one in seen.project.coordinate_forces}
    for id_, row in seen.rows("coordinate_forces"):
        way, element = known[id_].coordinate, f"coordinate_forces/{id_}"
        resisted = row["force"][:, None]
        if isinstance(way, DistanceCoordinate):
            ends = way.points
            if segment not in {end.segment for end in (*ends, *way.over)}:
                continue
            if way.bends:
                for pull, place in _along_line(seen, way, resisted, segment):
                    yield Share("muscles", element, pull, place)
                continue
            at = [seen.points(end.segment, end.position_m) for end in ends]
            for (n, one), (m, other) in pairwise(enumerate(ends)):
                pull = resisted * units(at[m] - at[n])
                if one.segment == segment:
                    yield Share("muscles", element, pull, at[n])
                if other.segment == segment:
                    yield Share("muscles", element, -pull, at[m])
        elif isinstance(way, ComponentCoordinate):
            axes = seen.turns(way.a.segment) @ turn(way.a.frame.orientation)
            pull = resisted * axes[:, :, "xyz".index(way.axis)]
            where = seen.points(way.b.segment, way.b.position_m)
            for end, sign in ((way.b.segment, -1.0), (way.a.segment, 1.0)):
                if end == segment:
                    yield Share("muscles", element, sign * pull, where)


def of_drivers(seen: RunTables, segment: str) -> Iterator[Share]:
    """What drivers of frames push with; those of joints stand in what these hold with."""
    known = {one.id: one for one in seen.project.frame_drivers}
    for id_, row in seen.rows("frame_drivers"):
        one = known[id_]
        if one.turns or segment not in (one.moved.segment, one.seen_from.segment):
            continue
        axes = seen.turns(one.seen_from.segment) @ turn(one.seen_from.frame.orientation)
        push = row["force"][:, None] * axes[:, :, "xyz".index(one.component)]
        where = seen.points(one.moved.segment, one.moved.frame.position_m)
        for end, sign in ((one.moved.segment, 1.0), (one.seen_from.segment, -1.0)):
            if end == segment:
                yield Share("drivers", f"frame_drivers/{id_}", sign * push, where)


def of_loads(seen: RunTables, segment: str) -> Iterator[Share]:
    """Give prescribed forces by their histories."""
    loads = [one for one in seen.project.loads if one.segment == segment and one.kind == "force"]
    if not loads:
        return
    from solver.project.histories import curve_of, scaled

    functions = {one.id: one for one in seen.project.functions}
    for one in loads:
        history = scaled(curve_of(functions[one.history]), 1.0)
        sizes = np.array([value(history, float(t))[0] for t in seen.time])
        way = np.array(one.direction) / np.linalg.norm(one.direction)
        turning = segment if one.axes == "segment" else one.axes
        ways = way if turning == GROUND else seen.turns(turning) @ way
        yield Share("loads", f"loads/{one.id}", sizes[:, None] * ways, seen.points(segment, one.point_m))  # fmt: skip


def of_winds(seen: RunTables, segment: str) -> Iterator[Share]:
    """Give winds that blow on one segment alone; of others results tell only the sum."""
    known = {one.id: one for one in seen.project.winds}
    for id_, row in seen.rows("winds"):
        if {target.surface.segment for target in known[id_].targets} == {segment}:
            yield Share("winds", f"winds/{id_}", row["force"])


TOLD = 1e-6
"""Part of the largest force up to which all that acts has been told."""
_KINDS = (
    of_joints, of_contacts, of_tyres, of_straps, of_belts, of_bags, of_springs, of_strings, of_laws, of_constraints,
    of_symmetry, of_drivers, of_loads, of_winds,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Account:
    """All that acts on one segment, or on some together, over a run: the shares add up to mass times acceleration."""

    segments: tuple[str, ...]
    mass_kg: float
    time: Array
    acceleration: Array
    """Of the mass centre of all of them (T, 3), ground axes."""
    place: Array
    """That mass centre (T, 3) m."""
    shares: tuple[Share, ...]
    slide: Array | None = None
    """The way (T, 3) along which it is asked what presses; None: that of the acceleration."""

    @property
    def is_whole(self) -> bool:
        """Whether results tell of all that acts."""
        return not any(share.source == "rest" for share in self.shares)

    def by_source(self, way: Array) -> dict[str, Array]:
        """The sum of each source in directions (T, 3), or in one (N), in the order of `SOURCES`."""
        out: dict[str, Array] = {}
        for source in SOURCES:
            parts = [share.along(way) for share in self.shares if share.source == source]
            if parts:
                out[source] = np.sum(parts, axis=0)
        return out


def account(project: Project, time: Array, tables: Tables, segments: Sequence[str]) -> Account | None:  # fmt: skip
    """Find all that acts on segments together; what they do to each other is left out.

    None where the run has none of them, or they have no mass.
    """
    table = tables("segments")
    parts = [one for one in project.segments if one.id in segments and one.id in table.ids]
    seen = RunTables(project, np.asarray(time)[: len(table["position"])], tables)
    bent = list(_bent(seen, {part.id for part in parts}))
    mass = sum(part.mass_kg for part in parts) + sum(own for own, _, _ in bent)
    if mass <= 0.0:
        return None
    rows = [seen.table("segments").row(part.id) for part in parts]
    masses = np.array([part.mass_kg for part in parts])
    inertia: Array = np.tensordot(masses, [row["acceleration"] for row in rows], axes=1)
    place: Array = np.tensordot(masses, [row["position"] for row in rows], axes=1)
    for _, first, rate in bent:
        place, inertia = place + first, inertia + rate
    found = [share for part in parts for share in _shares(seen, part) if np.any(share.forces)]
    largest = max([float(np.abs(one.forces).max()) for one in found], default=0.0)
    shares = _outer(found, TOLD * largest)
    left = inertia - np.sum([share.forces for share in shares], axis=0) if shares else inertia
    most = max(largest, float(np.abs(inertia).max(initial=0.0)))
    if float(np.abs(left).max(initial=0.0)) > TOLD * most:
        shares.append(_left(project, {part.id for part in parts}, left))
    names = tuple(part.id for part in parts)
    return Account(names, mass, seen.time, inertia / mass, place / mass, tuple(shares))


def _left(project: Project, segments: set[str], left: Array) -> Share:
    """What is left over: the force of the motion that moves a segment, or what results do not tell."""
    moving = [one for one in project.motions if one.segment in segments]
    return Share("motion", f"motions/{moving[0].id}", left) if moving else Share("rest", "", left)


def _outer(shares: list[Share], least: float) -> list[Share]:
    """Leave out what some segments do to each other: of one element, and nothing together."""
    total: dict[tuple[str, str], Array] = {}
    for share in shares:
        key = (share.source, share.element)
        total[key] = total.get(key, np.zeros(3)) + share.forces
    return [
        share for share in shares if float(np.abs(total[share.source, share.element]).max()) > least
    ]


def _bent(seen: RunTables, segments: Collection[str]) -> Iterator[tuple[float, Array, Array]]:
    """Give of the modal bodies of segments mass, first moment (T, 3) about the ground's origin, and rate of momentum (T, 3)."""
    for body in seen.project.modal_bodies:
        if body.segment in segments:
            row, turns = seen.table("segments").row(body.segment), seen.turns(body.segment)
            modes = [seen.table("modes").row(f"{body.id}.{n + 1}") for n in range(modes_of(body))]
            q, rate, faster = (
                np.stack([one[name] for one in modes], axis=1)
                for name in ("amplitude", "rate", "acceleration")
            )
            made = momentum_rate(body, turns, row, (q, rate, faster))
            yield made.mass, made.first + made.mass * row["position"], made.rate


def _shares(seen: RunTables, part: Segment) -> Iterator[Share]:
    g, count = np.array(seen.project.gravity_m_per_s2), len(seen.time)
    yield Share("weight", f"segments/{part.id}", np.tile(part.mass_kg * g, (count, 1)))
    for body in seen.project.modal_bodies:
        if body.segment == part.id:
            weight = np.tile(data_of(body).mass * g, (count, 1))
            yield Share("weight", f"modal_bodies/{body.id}", weight)
    for kind in _KINDS:
        yield from kind(seen, part.id)


def with_own_parts(project: Project, segment: str) -> tuple[str, ...]:
    """Name a segment and those that belong to the same part of a body, such as a chest's sternum and shoulders."""
    names = {one.id for one in project.segments}
    for role, finer in FINER.items():
        if segment == role or segment.endswith(f"_{role}"):
            ahead = segment[: -len(role)]
            return (segment, *(f"{ahead}{part}" for part in finer if f"{ahead}{part}" in names))
    return (segment,)


def greatest(account: Account, begin_s: float, end_s: float) -> float:
    """The instant (s) between two at which what is accounted for is accelerated most; the first of them where no frame lies between."""
    inside = (account.time >= begin_s - 1e-9) & (account.time <= end_s + 1e-9)
    if not inside.any():
        return begin_s
    sizes = np.where(inside, np.linalg.norm(account.acceleration, axis=1), -1.0)
    return float(account.time[int(np.argmax(sizes))])
