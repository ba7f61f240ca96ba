"""Watch whether bodies pass through what should stop them, from the poses at frames.

The engine knows forces alone: a plane that faces the other way, or a pair that nobody allowed, lets a body
through without a word. Here every allowed contact is looked at, and every pair that could meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.base.words import Sentence
from solver.engine.dynamics.tree import Array
from solver.engine.maths.hyperellipsoids import farthest
from solver.engine.maths.rotation import matrices
from solver.project.checks.shapes import Shapes, gaps_along, kept_gaps, support
from solver.project.document import Project
from solver.results.events import Event, named
from solver.results.trajectory import Trajectory
from solver.running.outputs.penetration_pairs import (
    LIMB_M,
    MonitoredPairs,
    Numbers,
    monitored_pairs,
    most_of,
)

AT_ONCE = 200_000
"""Pairs times instants that are looked at together, so that memory stays small."""

DIRECTIONS = 7
"""Directions along which the depth of a pair is measured before it is searched for."""

BAG_PA = 1000.0
"""Pressure (Pa) from which a bag is more than cloth that gives way (*assumed*)."""

MOST_TOLD = 20
"""Passages that a log tells of, the deepest."""

Kind = Literal["through", "deep"]
_SAID: Mapping[Kind, str] = {
    "through": "{what} passed through {into} by {depth:.0f} mm at {time:.4g} ms, too deep from {first:.4g} ms on; {why}",
    "deep": "{what} went {depth:.0f} mm into {into} at {time:.4g} ms, too deep from {first:.4g} ms on; {why}",
}
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Passage:
    """How one thing went into another: both, the contact that should stop it, depth (m), times (s).

    `through`: wholly behind a plane, or with its centre past the middle of what it met; `deep`: more than
    half of the smaller semi-axis, and more than the contact's law is given for (two surfaces: or more than the thicker reaches
    from its middle towards the other, or than twice what the thinner does). `what` and `into` are
    paths of elements, such as `segments/head`, `segments/car/bumper` where a segment has several surfaces,
    and `planes/seat`; `contact` is empty where no contact between both is allowed. `first_s` is the
    time at which it became so deep.
    """

    kind: Kind
    what: str
    into: str
    contact: str
    depth_m: float
    time_s: float
    first_s: float

    def sentence(self) -> Sentence:
        """Say it."""
        why = Sentence("no contact is allowed")
        if self.contact:
            why = Sentence("{contact} did not hold it", contact=named(self.contact))
        return Sentence(
            _SAID[self.kind],
            what=named(self.what),
            into=named(self.into),
            depth=1e3 * self.depth_m,
            time=1e3 * self.time_s,
            first=1e3 * self.first_s,
            why=why,
        )


@dataclass(slots=True)
class Worst:
    """The worst depth of each pair, when, and when it was first too deep."""

    depth: Array
    time: Array
    first: Array
    through: Flags

    @classmethod
    def none(cls, count: int) -> Worst:
        """Begin with nothing."""
        full = np.full
        return cls(full(count, 0.0), full(count, np.nan), full(count, np.nan), full(count, False))

    def note(self, k: Numbers, depth: Array, time: Array, through: Flags) -> Iterator[int]:
        """Take depths of pairs `k` at times that come in order; give those that are new."""
        for n, d, t, past in zip(k, depth, time, through, strict=True):
            if np.isnan(self.first[n]):
                self.first[n] = t
                yield int(n)
            if d > self.depth[n]:
                self.depth[n], self.time[n] = d, t
            self.through[n] |= past


BAGS = ("position", "quaternion_wxyz", "semi_axes", "pressure")
"""What must be known of bags."""


class Poses(NamedTuple):
    """Frames to be looked at: `position` and `quaternion_wxyz` of segments, depths of contacts (T, N), bags as they stand."""

    time: Array
    segments: Mapping[str, Array]
    depths: Array | None
    bags: Mapping[str, Array] | None = None


def together(poses: Sequence[Poses]) -> Poses:
    """Frames that follow each other as one."""
    if len(poses) == 1:
        return poses[0]
    depths = [one.depths for one in poses if one.depths is not None]
    bags = [one.bags for one in poses if one.bags is not None]
    return Poses(
        np.concatenate([one.time for one in poses]),
        _joined([one.segments for one in poses], ("position", "quaternion_wxyz")),
        np.concatenate(depths) if depths else None,
        _joined(bags, BAGS) if bags else None,
    )


def _joined(parts: Sequence[Mapping[str, Array]], names: Sequence[str]) -> dict[str, Array]:
    return {name: np.concatenate([one[name] for one in parts]) for name in names}


class PenetrationMonitor:
    """Take frames as they come, and keep the worst of every pair."""

    def __init__(self, project: Project) -> None:
        self._of: MonitoredPairs = monitored_pairs(project)
        self._pairs = Worst.none(len(self._of.pairs))
        self._planes = Worst.none(len(self._of.on_planes))
        self._inside = Worst.none(len(self._of.inside))
        self._bags = Worst.none(len(self._of.in_bags))
        self._apart: Flags | None = None
        self._limit = self._of.pair_limit.copy()
        self._clear: Flags | None = None
        self._front: Flags | None = None
        self._contacts = [c.id for c in project.contacts]
        self._new: list[Event] = []

    def memory(self) -> dict[str, Any]:
        """All that has been seen."""
        return {
            name: value for name, value in vars(self).items() if name not in ("_of", "_contacts")
        }

    def recall(self, memory: dict[str, Any]) -> None:
        """Look on from there."""
        vars(self).update(memory)

    def look(
        self,
        time: Array,
        segments: Mapping[str, Array],
        depths: Array | None,
        bags: Mapping[str, Array] | None = None,
    ) -> None:
        """Look at frames: `position` and `quaternion_wxyz` of segments, depths of contacts (T, N), bags as they stand."""
        of = self._of
        watched = len(of.pairs) + len(of.on_planes) + len(of.inside) + len(of.in_bags)
        if not len(time) or not watched:
            return
        step = max(1, AT_ONCE // max(len(of.pairs), len(of.on_planes), 1))
        for start in range(0, len(time), step):
            part = slice(start, start + step)
            p, R = segments["position"][part], matrices(segments["quaternion_wxyz"][part])
            # the ground stands last, where the number -1 finds it
            p = np.concatenate([p, np.zeros((len(p), 1, 3))], axis=1)
            R = np.concatenate([R, np.broadcast_to(np.eye(3), (len(p), 1, 3, 3))], axis=1)
            centre = p[:, of.at] + np.einsum("tnij,nj->tni", R[:, of.at], of.centre)
            turn = R[:, of.at] @ of.R_SE
            self._look_at_pairs(time[part], centre, turn)
            self._look_at_planes(time[part], centre, turn, p, R)
            if depths is not None:
                self._look_inside(time[part], depths[part])
            if bags is not None and len(of.in_bags):
                now = {name: bags[name][part] for name in BAGS}
                self._look_at_bags(time[part], centre, turn, now)

    def found(self) -> tuple[Passage, ...]:
        """What went through what, the deepest first; once what two shapes of a segment tell alike."""
        out = [
            _passage(worst, int(n), *of(int(n)))
            for worst, of in (
                (self._pairs, self._of.pair),
                (self._planes, self._of.plane),
                (self._inside, self._of.inner),
                (self._bags, self._of.bag),
            )
            for n in np.flatnonzero(np.isfinite(worst.first))
        ]
        told: dict[tuple[object, ...], Passage] = {}
        for one in sorted(out, key=lambda one: (-one.depth_m, one.first_s)):
            alike = (owner(one.what), owner(one.into), one.contact, round(one.depth_m, 3))
            told.setdefault(alike, one)
        return tuple(told.values())

    def events(self) -> list[Event]:
        """Give once what has become too deep since the last time, in order of time."""
        new, self._new = sorted(self._new, key=lambda event: event.time), []
        return new

    def _note(
        self,
        worst: Worst,
        of: Callable[[int], tuple[str, str, str]],
        k: Numbers,
        depth: Array,
        time: Array,
        through: Flags,
    ) -> None:
        for n in worst.note(k, depth, time, through):
            what, into, _ = of(n)
            self._new.append(Event(float(worst.first[n]), "goes_too_deep", (what, into)))

    def _look_at_pairs(self, time: Array, centre: Array, turn: Array) -> None:
        of, worst = self._of, self._pairs
        if not len(of.pairs):
            return
        i, j = of.pairs.T
        r = centre[:, j] - centre[:, i]
        near = of.reach[i] + of.reach[j] - np.sqrt(np.einsum("tpi,tpi->tp", r, r))
        if self._apart is None:
            k = np.flatnonzero(near[0] > 0.0)
            self._apart = np.ones(len(i), bool)
            # runs of one model begin in one pose
            if len(k):
                one, other = self._shapes(i[k], turn[0, i[k]]), self._shapes(j[k], turn[0, j[k]])
                gap = kept_gaps(r[0, k], one, other, np.zeros(len(k), bool))
                self._apart[k] = gap >= 0.0
                # a limb may lie in what it rests on, and goes deeper from there
                self._limit[k] += np.where(of.may_lie[k], np.maximum(-gap, 0.0), 0.0)
            # what is allowed is looked at however it starts
            self._apart |= of.may_lie | np.array([bool(name) for name in of.pair_contact], bool)
        t, k = np.nonzero((near > self._limit) & self._apart)
        if not len(t):
            return
        one, other = self._shapes(i[k], turn[t, i[k]]), self._shapes(j[k], turn[t, j[k]])
        deep = _may_be_deeper(r[t, k], one, other, np.maximum(self._limit[k], worst.depth[k]))
        t, k = t[deep], k[deep]
        depth, thin, thick = self._pressed(r[t, k], turn[t, i[k]], turn[t, j[k]], k)
        deep = depth > np.maximum(
            self._limit[k], np.minimum(of.pair_given[k], most_of(thin, thick))
        )
        t, k, depth = t[deep], k[deep], depth[deep]
        small = np.minimum(of.semi_axes[i[k]].min(axis=1), of.semi_axes[j[k]].min(axis=1))
        self._note(worst, of.pair, k, depth, time[t], depth > 2.0 * small)

    def _look_at_planes(self, time: Array, centre: Array, turn: Array, p: Array, R: Array) -> None:
        of, worst = self._of, self._planes
        if not len(of.on_planes):
            return
        i, j = of.on_planes.T
        R_plane = R[:, of.plane_at]
        edges = np.einsum("tpij,pej->tpei", R_plane, of.edges)
        normal = np.cross(edges[:, :, 0], edges[:, :, 1])
        area = np.linalg.norm(normal, axis=2, keepdims=True)
        normal = normal / area
        duals = np.stack([np.cross(edges[:, :, 1], normal), np.cross(normal, edges[:, :, 0])], 2)
        duals = duals / area[..., None]
        corner = p[:, of.plane_at] + np.einsum("tpij,pj->tpi", R_plane, of.corner)
        r = centre[:, i] - corner[:, j]
        height = np.einsum("tqi,tqi->tq", r, normal[:, j])
        along = np.einsum("tqi,tqei->tqe", r, duals[:, j])
        over = of.unbounded | np.all((along >= 0.0) & (along <= 1.0), axis=2)
        if self._front is None or self._clear is None:
            self._front = height[0] > 0.0
            k = np.flatnonzero(over[0] & (np.abs(height[0]) < of.reach[i]))
            self._clear = np.ones(len(i), bool)
            at_start = self._reach(i[k], turn[0, i[k]], normal[0, j[k]])
            self._clear[k] = at_start <= np.abs(height[0, k])
            self._clear |= np.array([bool(name) for name in of.plane_contact], bool)
        least = np.minimum(of.plane_limit, 2.0 * of.semi_axes[i].min(axis=1))
        t, k = np.nonzero(over & (of.reach[i] - height > np.where(of.holds, of.plane_limit, least)))
        reach = self._reach(i[k], turn[t, i[k]], normal[t, j[k]])
        # what is deepest may lie beyond an edge, with the centre still over the plane
        low = centre[t, i[k]] + self._lowest(i[k], turn[t, i[k]], normal[t, j[k]])
        along = np.einsum("ni,nei->ne", low - corner[t, j[k]], duals[t, j[k]])
        inside = of.unbounded[k] | np.all((along >= 0.0) & (along <= 1.0), axis=1)
        depth = np.where(inside, reach, 0.0) - height[t, k]
        through = (depth >= 2.0 * reach) & ~of.holds[k]
        deep = (depth > of.plane_limit[k]) | through
        t, k, depth, through = t[deep], k[deep], depth[deep], through[deep]
        clear = height > 0.0
        clear[t, k] = False
        front = self._front
        came = np.empty(height.shape, bool)
        for n in range(len(height)):
            # who goes around an edge comes from behind, until it has been clear in front
            front = clear[n] | (front & over[n])
            came[n] = front
        self._front = front
        reported = came[t, k] & self._clear[k]
        t, k, depth, through = t[reported], k[reported], depth[reported], through[reported]
        self._note(worst, of.plane, k, depth, time[t], through)

    def _look_inside(self, time: Array, depths: Array) -> None:
        for n, (contact, _, _, limit) in enumerate(self._of.inside):
            depth = depths[:, self._contacts.index(contact)]
            t = np.flatnonzero(depth > limit)
            rows, not_through = np.full(len(t), n), np.zeros(len(t), bool)
            self._note(self._inside, self._of.inner, rows, depth[t], time[t], not_through)

    def _look_at_bags(
        self, time: Array, centre: Array, turn: Array, bags: Mapping[str, Array]
    ) -> None:
        of, worst = self._of, self._bags
        i, j = of.in_bags.T
        r, semi = bags["position"][:, j] - centre[:, i], bags["semi_axes"][:, j]
        near = of.reach[i] + semi.max(axis=2) - np.sqrt(np.einsum("tpi,tpi->tp", r, r))
        t, k = np.nonzero((near > LIMB_M) & (bags["pressure"][:, j] > BAG_PA))
        if not len(t):
            return
        bag = Shapes(
            matrices(bags["quaternion_wxyz"][t, j[k]]), semi[t, k], np.full((len(t), 3), 2.0)
        )
        limb = self._shapes(i[k], turn[t, i[k]])
        deep = _may_be_deeper(r[t, k], limb, bag, np.maximum(LIMB_M, worst.depth[k]))
        t, k = t[deep], k[deep]
        if not len(t):
            return
        gap, _ = gaps_along(r[t, k], _some(limb, deep), _some(bag, deep), np.zeros(len(t), bool))
        deep = np.flatnonzero(-gap > LIMB_M)
        small = of.semi_axes[i[k[deep]]].min(axis=1)
        self._note(worst, of.bag, k[deep], -gap[deep], time[t[deep]], -gap[deep] > 2.0 * small)

    def _shapes(self, n: Numbers, turn: Array) -> Shapes:
        return Shapes(turn, self._of.semi_axes[n], self._of.powers[n])

    def _reach(self, n: Numbers, turn: Array, normal: Array) -> Array:
        if not len(n):
            return np.empty(0)
        return support(normal[:, None, :], self._shapes(n, turn))[:, 0]

    def _lowest(self, n: Numbers, turn: Array, normal: Array) -> Array:
        """The points that lie deepest behind planes, from the centres."""
        semi = self._of.semi_axes[n]
        c = np.einsum("nji,nj->ni", turn, normal) * semi
        lowest: Array = -np.einsum("nij,nj->ni", turn, farthest(c, self._of.powers[n]) * semi)
        return lowest

    def _pressed(
        self, r: Array, one: Array, other: Array, k: Numbers
    ) -> tuple[Array, Array, Array]:
        """How deep pairs are in each other, and how far the thinner and the thicker reach from their middle along that way."""
        if not len(k):
            return np.empty(0), np.empty(0), np.empty(0)
        i, j = self._of.pairs[k].T
        first, second = self._shapes(i, one), self._shapes(j, other)
        gap, along = gaps_along(r, first, second, np.zeros(len(k), bool))
        a, b = (support(along[:, None, :], shape)[:, 0] for shape in (first, second))
        return -gap, np.minimum(a, b), np.maximum(a, b)


def passages(project: Project, run: Trajectory) -> tuple[Passage, ...]:
    """Look through the frames of a run, live or from a file."""
    table = run.table("segments")
    if table.ids != tuple(segment.id for segment in project.segments):
        return ()
    watch = PenetrationMonitor(project)
    bags = run.table("airbags").columns if project.airbags else None
    watch.look(run.time, table.columns, run.table("contacts")["penetration"], bags)
    return watch.found()


def log_lines(found: Sequence[Passage]) -> Iterator[Sentence]:
    """The lines of a log about what passed through what."""
    for one in found[:MOST_TOLD]:
        yield Sentence("warning: {what}", what=one.sentence())
    if len(found) > MOST_TOLD:
        yield Sentence(
            "warning: {count} more pairs went into each other, less deep",
            count=len(found) - MOST_TOLD,
        )


def _may_be_deeper(r: Array, one: Shapes, other: Shapes, limit: Array) -> Numbers:
    """The pairs that may be deeper in each other than a limit (m): by the line of centres, then by both sets of axes."""
    distance = np.maximum(np.linalg.norm(r, axis=1, keepdims=True), 1e-12)
    left = np.flatnonzero(_at_most((r / distance)[:, None, :], r, one, other) > limit)
    r, one, other = r[left], _some(one, left), _some(other, left)
    axes = [np.swapaxes(shape.R_WE, 1, 2) for shape in (one, other)]
    return left[_at_most(np.concatenate(axes, axis=1), r, one, other) > limit[left]]


def _at_most(directions: Array, r: Array, one: Shapes, other: Shapes) -> Array:
    """Bound the depth (m) of pairs from above, along some directions."""
    reach = support(directions, one) + support(directions, other)
    depth: Array = np.min(reach - np.abs(np.einsum("pdi,pi->pd", directions, r)), axis=1)
    return depth


def _some(shapes: Shapes, rows: Numbers) -> Shapes:
    return Shapes(shapes.R_WE[rows], shapes.semi_axes[rows], shapes.powers[rows])


def owner(path: str) -> str:
    """Name the segment whose surface it is, or the plane."""
    return "/".join(path.split("/")[:2])


def _passage(worst: Worst, n: int, what: str, into: str, contact: str) -> Passage:
    kind: Kind = "through" if worst.through[n] else "deep"
    depth, time, first = (float(x[n]) for x in (worst.depth, worst.time, worst.first))
    return Passage(kind, what, into, contact, depth, time, first)
