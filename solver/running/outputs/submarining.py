"""Watch whether lap belts stay on the front of the pelvis: submarining is reported, and never silent.

Along the pelvis' own axes (x forward, z down) a lap belt presses backwards and down while it lies on the iliac
crests. Where it pulls up by more than friction holds it would ride over them; thighs that it lies on as well press it up, so what
it pulls is looked at together with what it presses there. Where its points slide it shows where they lie. A point on the upper side of its shape has gone over the crest, one on the lower side is on its way
to the thighs, and a belt that bears load without touching the pelvis has left it. What of it lies on the belly presses
there, which no bone bears. Where it holds to a smooth pelvis until it is pulled off, it snaps away under load: the
motion from there on depends on differences as small as those of a tolerance.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from solver.base.words import Sentence
from solver.bodies.library.occupants import BELLY, THIGHS
from solver.engine.dynamics.tree import Array
from solver.engine.maths.rotation import matrices
from solver.injury.parts import occupants
from solver.project.belts import JunctionPoint, StrapPoint, SurfacePoint
from solver.project.document import Project
from solver.project.geometry import powers_of
from solver.project.pose import turn
from solver.project.segments import Segment
from solver.results.events import Event, named
from solver.results.trajectory import Trajectory
from solver.running.outputs.restraints import strap_path

PELVIS, ILIAC = "lower_torso", "iliac"
LOADED = 500.0
"""Force (N) from which a lap belt counts: below it is slack or only held in place (*assumed*)."""
LASTS = 0.003
"""Time (s) for which it has to be so (*assumed*: that of the 3 ms levels)."""
ACROSS = 0.02
"""Way (m) to both sides of the middle that a strap covers which is a lap belt: a shoulder belt ends at one."""
GRIP = 0.2
"""Friction of webbing on clothes where a strap tells no number (*assumed*: that of the library's belts)."""
STEEP = 1.0
"""Slope of the shape's normal, up over level, from which webbing lies on the upper side: 45 degrees (*assumed*)."""

SNAPS_M_PER_S, SNAPS_M = 8.0, 0.015
"""Speed and way on the pelvis, from one frame to the next, of webbing that snaps off it (*assumed*)."""

Fault = Literal[
    "lap_belt_pulls_up",
    "lap_belt_over_crest",
    "lap_belt_slips_down",
    "lap_belt_leaves",
    "lap_belt_in_belly",
    "lap_belt_snaps",
]
FAULTS: tuple[Fault, ...] = (
    "lap_belt_pulls_up",
    "lap_belt_over_crest",
    "lap_belt_slips_down",
    "lap_belt_leaves",
    "lap_belt_in_belly",
    "lap_belt_snaps",
)


SLID = ("lap_belt_over_crest", "lap_belt_slips_down")


class On(NamedTuple):
    """A point that slides: its row, and its shape by the segment: centre, semi-axes, turn, powers."""

    row: int
    centre: Array
    semi: Array
    R_SE: Array
    power: Array


@dataclass(frozen=True, slots=True)
class LapBelt:
    """A strap where it lies across a pelvis: rows of its points there, on the belly and on the thighs, and of the pieces beside these."""

    strap: str
    pelvis: str
    at: int
    on: tuple[int, ...]
    belly: tuple[int, ...]
    thighs: tuple[int, ...]
    pieces: tuple[int, ...]
    sliding: tuple[On, ...]
    inside: tuple[tuple[int, On], ...]
    """Segments of the belly, by their rows, and the shapes that points sink into."""
    friction: float
    """Across the strap, the mean of its points on the pelvis."""
    is_iliac: bool
    """Whether it lies on a shape of the iliac crests: of others nobody knows where they end."""


@dataclass(frozen=True, slots=True)
class Submarining:
    """What a lap belt did: `kind` as in the list of events, from when on (s), and the largest force then (N).

    Of one that pulls up it is the part upwards, of one that presses into the belly what it presses there, of one that
    snaps off what it bore before. `depth_m` is how deep it went into the belly at most.
    """

    kind: str
    strap: str
    pelvis: str
    time_s: float
    force_n: float
    depth_m: float = 0.0

    def sentence(self) -> Sentence:
        """Say it."""
        return Sentence(
            _SAID[self.kind],
            strap=named(self.strap),
            pelvis=named(self.pelvis),
            time=1e3 * self.time_s,
            force=1e-3 * self.force_n,
            depth=1e3 * self.depth_m,
        )


_SAID: Mapping[str, str] = {
    "lap_belt_pulls_up": "submarining: from {time:.4g} ms on {strap} pulls {pelvis} up, as seen from it, with up to "
    "{force:.2g} kN: it would ride over the iliac crests",
    "lap_belt_over_crest": "submarining: at {time:.4g} ms {strap} has gone over the upper edge of {pelvis}, "
    "under up to {force:.2g} kN",
    "lap_belt_slips_down": "at {time:.4g} ms {strap} has slipped down below the front of {pelvis}, "
    "under up to {force:.2g} kN",
    "lap_belt_leaves": "at {time:.4g} ms {strap} has left {pelvis}, though it pulls with up to {force:.2g} kN",
    "lap_belt_in_belly": "from {time:.4g} ms on {strap} presses into the belly above {pelvis}, with up to {force:.2g} kN, {depth:.0f} mm deep",
    "lap_belt_snaps": "at {time:.4g} ms {strap} snaps off {pelvis} under {force:.2g} kN: what follows depends on small differences, "
    "so compare it with a run at another tolerance",
}


def lap_belts(project: Project) -> tuple[LapBelt, ...]:
    """Find the straps that lie across a pelvis."""
    pelvises = {
        id_: _belly(id_, body.segments)
        for body in occupants(project)
        if (id_ := body.segments.get(PELVIS)) is not None
    }
    at = {segment.id: n for n, segment in enumerate(project.segments)}
    out, row = [], 0
    for harness in project.harnesses:
        for strap in harness.straps:
            rows = tuple(range(row, row + len(strap.points)))
            row += len(strap.points)
            on: dict[str, list[int]] = {}
            across: dict[str, list[float]] = {}
            shapes: dict[str, set[str]] = {}
            sliding: dict[str, list[On]] = {}
            friction: dict[str, list[float]] = {}
            for k, point in zip(rows, strap.points, strict=True):
                surface = point.surface if isinstance(point, SurfacePoint | JunctionPoint) else None
                if surface is None or surface.segment not in pelvises:
                    continue
                on.setdefault(surface.segment, []).append(k)
                shapes.setdefault(surface.segment, set()).add(surface.surface)
                across.setdefault(surface.segment, []).append(point.position_m[1])
                friction.setdefault(surface.segment, []).append(_grip(point))
                if isinstance(point, SurfacePoint) and point.follows == "body":
                    continue
                segment = project.segments[at[surface.segment]]
                sliding.setdefault(segment.id, []).append(_on(k, segment, surface.surface))
            out += [
                LapBelt(
                    strap_path(f"{harness.id}.{strap.id}"), pelvis, at[pelvis], tuple(mine),
                    tuple(_neighbours(strap.points, rows[0], mine, pelvises[pelvis])),
                    tuple(_neighbours(strap.points, rows[0], mine, _thighs(pelvis))), tuple(range(max(mine[0] - 1, rows[0]), mine[-1] + 1)), tuple(sliding.get(pelvis, ())),
                    tuple(_shapes(project, strap.points, rows[0], _neighbours(strap.points, rows[0], mine, pelvises[pelvis]))),
                    float(np.mean(friction[pelvis])), all(name == ILIAC for name in shapes[pelvis]),
                )
                for pelvis, mine in on.items()
                if min(across[pelvis]) < -ACROSS and max(across[pelvis]) > ACROSS
            ]  # fmt: skip
    return tuple(out)


def _belly(pelvis: str, segments: Mapping[str, str]) -> set[str]:
    """Name the segments of the belly of a body."""
    ahead = pelvis.removesuffix(PELVIS)
    return {*(ahead + part for part in BELLY), segments.get("centre_torso", "")}


def _thighs(pelvis: str) -> set[str]:
    """Name the thighs of a body."""
    return {pelvis.removesuffix(PELVIS) + part for part in THIGHS}


def _neighbours(
    points: Sequence[StrapPoint], first: int, mine: Sequence[int], parts: Collection[str]
) -> Iterator[int]:
    """The rows of points on other parts that no ring or anchor parts from those on the pelvis."""
    low, high = mine[0] - first, mine[-1] - first
    while low and isinstance(points[low - 1], SurfacePoint):
        low -= 1
    while high + 1 < len(points) and isinstance(points[high + 1], SurfacePoint):
        high += 1
    for k, point in enumerate(points[low : high + 1], low):
        if isinstance(point, SurfacePoint) and point.surface.segment in parts:
            yield first + k


def _shapes(
    project: Project, points: Sequence[StrapPoint], first: int, rows: Iterable[int]
) -> Iterator[tuple[int, On]]:
    """The segments, by their rows, and the shapes that points of some rows lie on."""
    for row in rows:
        point = points[row - first]
        assert isinstance(point, SurfacePoint)
        at = next(n for n, one in enumerate(project.segments) if one.id == point.surface.segment)
        yield at, _on(row, project.segments[at], point.surface.surface)


def _depth(one: On, R: Array, p: Array, place: Array) -> Array:
    """How deep a point lies in its shape, along the radius as its law counts it; nothing outside."""
    local = np.abs((np.einsum("tji,tj->ti", R, place - p) - one.centre) @ one.R_SE)
    far, scale = np.linalg.norm(local, axis=1), np.ones(len(local))
    for _ in range(30):
        parts = (scale[:, None] * local / one.semi) ** one.power
        scale -= scale * (parts.sum(axis=1) - 1.0) / np.maximum((parts * one.power).sum(axis=1), 1e-12)  # fmt: skip
    depth: Array = np.maximum(far * (scale - 1.0), 0.0)
    return depth


def _grip(point: StrapPoint) -> float:
    """The friction across the strap at a point; of one that slides nowhere, what it has along."""
    if isinstance(point, JunctionPoint):
        known: float | str | None = point.friction
    else:
        assert isinstance(point, SurfacePoint)
        slides = point.follows == "webbing" and point.friction_across is not None
        known = point.friction_across if slides else point.friction_along
    return float(known) if isinstance(known, int | float) else GRIP


def _on(row: int, segment: Segment, surface: str) -> On:
    shape: Any = next(s for s in segment.surfaces if s.id == surface)
    return On(
        row, np.array(shape.centre_m), np.array(shape.semi_axes_m), turn(shape.orientation),
        np.array(powers_of(shape)),
    )  # fmt: skip


class SubmariningMonitor:
    """Take frames as they come, and keep when each lap belt first failed to hold the pelvis."""

    def __init__(self, project: Project) -> None:
        self._of = lap_belts(project)
        self._since: dict[tuple[int, str], tuple[float, float]] = {}
        self._laid: dict[tuple[int, str], bool] = {}
        self._last: dict[int, tuple[Array, Array, Array]] = {}
        """Of each lap belt the last frame: time, places on the pelvis, tension."""
        self._begun = False
        self._found: dict[tuple[int, str], tuple[float, float]] = {}
        self._deep: dict[int, float] = {}
        """Of each lap belt how deep it went into the belly at most (m)."""
        self._new: list[Event] = []

    def memory(self) -> dict[str, Any]:
        """All that has been seen."""
        return {name: copy(value) for name, value in vars(self).items() if name != "_of"}

    def recall(self, memory: dict[str, Any]) -> None:
        """Look on from there."""
        vars(self).update({name: copy(value) for name, value in memory.items()})

    @property
    def is_idle(self) -> bool:
        """Whether there is no lap belt."""
        return not self._of

    def look(self, time: Array, segments: Mapping[str, Array], points: Mapping[str, Array]) -> None:
        """Look at frames of segments and points of straps."""
        for n, lap in enumerate(self._of):
            R = matrices(segments["quaternion_wxyz"][:, lap.at])
            force = np.einsum("tji,tnj->tni", R, points["force"][:, lap.on])
            pull = np.linalg.norm(force.sum(axis=1), axis=1)
            tension = points["tension"][:, lap.pieces].max(axis=1)
            up = -np.einsum("tj,tnj->t", R[:, :, 2], points["force"][:, (*lap.on, *lap.thighs)])
            held = lap.friction * np.hypot(*force.sum(axis=1)[:, :2].T)
            inside = np.linalg.norm(points["force"][:, lap.belly].sum(axis=1), axis=1)
            seen = {
                "lap_belt_pulls_up": (pull > LOADED) & (up > held),
                "lap_belt_leaves": (tension > LOADED) & (pull < 0.05 * tension),
                "lap_belt_in_belly": inside > LOADED,
            }
            for at, one in lap.inside:
                R_at = matrices(segments["quaternion_wxyz"][:, at])
                place = points["position"][:, one.row]
                deep = _depth(one, R_at, segments["position"][:, at], place)
                self._deep[n] = max(self._deep.get(n, 0.0), float(deep.max(initial=0.0)))
            slope = self._slope(lap, R, segments["position"][:, lap.at], points)
            load = {"lap_belt_pulls_up": up, "lap_belt_in_belly": inside}
            seen["lap_belt_over_crest"], seen["lap_belt_slips_down"] = slope > STEEP, slope < -STEEP
            self._snap(n, R, segments["position"][:, lap.at], time, points, tension)
            for kind in seen:
                if not self._begun and kind in SLID and not lap.is_iliac and seen[kind][0]:
                    self._laid[n, kind] = True
                if (n, kind) not in self._laid:
                    most = load.get(kind, np.maximum(pull, tension))
                    self._note(n, kind, time, seen[kind], most)
        self._begun = True

    def _slope(self, lap: LapBelt, R: Array, p: Array, points: Mapping[str, Array]) -> Array:
        """How steep the shapes are where the points lie that slide, the mean of all, up above zero."""
        slopes = np.zeros((len(R), max(len(lap.sliding), 1)))
        for n, one in enumerate(lap.sliding):
            local = np.einsum("tji,tj->ti", R, points["position"][:, one.row] - p) - one.centre
            inside = (local @ one.R_SE) / one.semi
            gradient = np.sign(inside) * np.abs(inside) ** (one.power - 1.0) / one.semi
            normal = gradient @ one.R_SE.T
            slopes[:, n] = -normal[:, 2] / np.maximum(np.hypot(normal[:, 0], normal[:, 1]), 1e-9)
        mean: Array = slopes.clip(-10.0, 10.0).mean(axis=1)
        return mean

    def _snap(
        self, n: int, R: Array, p: Array, time: Array, points: Mapping[str, Array], tension: Array
    ) -> None:
        """Keep when a point first jumped over the pelvis under load."""
        local = np.einsum("tji,tnj->tni", R, points["position"][:, self._of[n].on] - p[:, None])
        if n in self._last:
            before = self._last[n]
            time, local, tension = (np.concatenate(pair) for pair in zip(before, (time, local, tension), strict=True))  # fmt: skip
        self._last[n] = time[-1:].copy(), local[-1:], tension[-1:]
        way = np.linalg.norm(np.diff(local, axis=0), axis=2).max(axis=1)
        is_so = (way > SNAPS_M) & (way > SNAPS_M_PER_S * np.diff(time)) & (tension[:-1] > LOADED)
        for t, force in zip(time[:-1][is_so], tension[:-1][is_so], strict=True):
            self._tell(n, "lap_belt_snaps", float(t), float(force))

    def _tell(self, n: int, kind: str, since: float, force: float) -> None:
        """Keep the largest force, and report the first time."""
        if (n, kind) in self._found:
            first, before = self._found[n, kind]
            self._found[n, kind] = first, max(before, force)
            return
        self._found[n, kind] = since, force
        lap = self._of[n]
        self._new.append(Event(since, kind, (lap.strap, f"segments/{lap.pelvis}")))

    def _note(self, n: int, kind: str, time: Array, is_so: Array, force: Array) -> None:
        key = (n, kind)
        for t, so, f in zip(time, is_so, force, strict=True):
            if not so:
                self._since.pop(key, None)
                continue
            since, most = self._since.get(key, (float(t), 0.0))
            self._since[key] = since, (most := max(most, float(f)))
            if key in self._found or t - since >= LASTS - 1e-9:
                self._tell(n, kind, since, most)

    def events(self) -> list[Event]:
        """Give once what has been found since the last time."""
        new, self._new = sorted(self._new, key=lambda event: event.time), []
        return new

    def found(self) -> tuple[Submarining, ...]:
        """What lap belts did, the earliest first."""
        out = [
            Submarining(kind, self._of[n].strap, f"segments/{self._of[n].pelvis}", *self._found[n, kind], self._deep.get(n, 0.0))
            for n, kind in self._found
        ]  # fmt: skip
        return tuple(sorted(out, key=lambda one: one.time_s))


def submarining(project: Project, run: Trajectory) -> tuple[Submarining, ...]:
    """Look through the frames of a run, live or from a file."""
    table, points = run.table("segments"), run.table("strap_points")
    if table.ids != tuple(segment.id for segment in project.segments) or not points.ids:
        return ()
    watch = SubmariningMonitor(project)
    if len(run.time):
        watch.look(run.time, table.columns, points.columns)
    return watch.found()


def log_lines(found: tuple[Submarining, ...]) -> Iterator[Sentence]:
    """The lines of a log about lap belts."""
    for one in found:
        yield Sentence("warning: {what}", what=one.sentence())
