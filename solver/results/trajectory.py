"""One way to read a run, live or from a file: anyone who shows results does not care which."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from solver.base.words import Note
from solver.engine.maths.rotation import matrices
from solver.engine.signals import cfc as filter_cfc
from solver.results.events import Event
from solver.results.layout import FRAME_GROUPS, ChannelSpec, Column, InjuryValue, ResultsError

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel's samples over its own time (s)."""

    name: str
    time: Array
    value: Array
    unit: str
    quantity: str = ""
    segment: str = ""
    axis: str = ""
    cfc: int = 0
    components: tuple[Array, ...] = ()
    """Of a resultant: values of x, y and z, where the run has them."""
    filtered_to: int = 0
    """Filter class of the values, 0 while they are as the run gave them; `cfc` is what they should be filtered to."""
    code: str = ""
    """Of a measured channel: its code of ISO-MME, sixteen characters."""

    def filtered(self, cfc: int | None = None) -> Self:
        """The channel filtered to a class of SAE J211; without one, to its own.

        A channel without a class stays as it is. Of a resultant the components are filtered, as the
        standard asks, and their resultant is given. Raises `SignalError` where that cannot be done.
        """
        class_ = self.cfc if cfc is None else cfc
        if class_ == 0:
            return self
        parts = tuple(filter_cfc(self.time, part, class_) for part in self.components)
        if parts:
            value = np.sqrt(sum(part**2 for part in parts))
        else:
            value = filter_cfc(self.time, self.value, class_)
        return replace(self, value=value, cfc=class_, components=parts, filtered_to=class_)


def component_names(name: str, axis: str, names: Collection[str]) -> tuple[str, ...]:
    """Name the channels of x, y and z that belong to a resultant; none where one is missing."""
    if axis.rpartition("_")[2] != "resultant":
        return ()
    found = tuple(f"{name.removesuffix('resultant')}{end}" for end in "xyz")
    return found if all(one in names for one in found) else ()


@dataclass(frozen=True, slots=True)
class Table:
    """A group: ids of its rows, and columns of shape (T, N, ...) or (T, ...)."""

    ids: tuple[str, ...]
    columns: Mapping[str, Array]

    def __getitem__(self, name: str) -> Array:
        return self.columns[name]

    def row(self, id_: str) -> Mapping[str, Array]:
        """All columns of one element, each (T, ...)."""
        if id_ not in self.ids:
            raise ResultsError("There is no '{id_}' in these results.", id_=id_)
        number = self.ids.index(id_)
        return {name: values[:, number] for name, values in self.columns.items()}


@dataclass(frozen=True, slots=True)
class SegmentMotion:
    """A segment's motion: SI, ground axes; angular vectors in segment axes."""

    position: Array
    quaternion_wxyz: Array
    velocity: Array
    angular_velocity: Array
    acceleration: Array
    angular_acceleration: Array


@runtime_checkable
class Trajectory(Protocol):
    """A run that can be read, finished or not."""

    @property
    def status(self) -> str:
        """Give running, completed, cancelled or failed."""

    @property
    def message(self) -> str:
        """The sentence that belongs to the status."""

    @property
    def project_json(self) -> bytes:
        """The exact project that was run."""

    @property
    def time(self) -> Array:
        """The times of the frames (s)."""

    @property
    def segment_ids(self) -> tuple[str, ...]:
        """Name the segments."""

    @property
    def channel_names(self) -> tuple[str, ...]:
        """Name the dense channels."""

    @property
    def injury(self) -> Mapping[str, InjuryValue]:
        """The injury figures by name."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """Give what the run has to say besides its events."""

    @property
    def log(self) -> tuple[str, ...]:
        """The lines of the run's log: notes, and events in words."""

    def segment(self, id_: str) -> SegmentMotion:
        """One segment's motion."""

    def table(self, group: str) -> Table:
        """One group of elements over all frames."""

    def steps(self) -> Table:
        """The integrator's history."""

    def events(self) -> tuple[Event, ...]:
        """What happened, in order of time."""

    def checkpoints(self) -> tuple[tuple[float, bytes], ...]:
        """Give states from which the run can be taken up again, with their times."""

    def channel(self, name: str) -> Channel:
        """One channel."""

    def channel_spec(self, name: str) -> ChannelSpec:
        """Say what a channel holds, without reading its samples."""


Frame = Mapping[str, Mapping[str, Any]]
"""Values of one instant: group, then column, then an array (N, ...) or a scalar."""


def value_shape(column: Column, rows: int | None) -> tuple[int, ...]:
    """The shape of a column's values in one frame."""
    return column.shape if rows is None else (rows, *column.shape)


def rows_of(group: str, ids: Mapping[str, Sequence[str]]) -> int | None:
    """Count a group's rows; none where it has no ids."""
    return len(ids[group]) if FRAME_GROUPS[group].has_ids else None


def present(ids: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Leave out the groups that have no elements."""
    return {
        group: tuple(names)
        for group, names in ids.items()
        if names or not FRAME_GROUPS[group].has_ids
    }


def empty_table(group: str, frames: int) -> Table:
    """The table of a group without elements."""
    if group not in FRAME_GROUPS:
        raise ResultsError("There is no group '{group}' in results.", group=group)
    columns = FRAME_GROUPS[group].columns.items()
    return Table((), {name: np.zeros((frames, 0, *c.shape), c.dtype) for name, c in columns})


# What a run is: its title, its project, who made it and when.


@dataclass(frozen=True, slots=True)
class Facts:
    """What stands at the head of exported files and reports."""

    title: str
    name: str
    status: str
    message: str
    created_utc: str
    app_version: str
    """What solved it; empty for a run that is in memory."""
    project_sha256: str
    run_id: str
    """Which of the project's runs was solved; empty in files of older versions."""


def facts(run: Trajectory) -> Facts:
    """What is known of a run; the hash is that of the project's exact text."""
    path = getattr(run, "path", None)
    return Facts(
        title=str(plain_project(run).get("title") or ""),
        name=path.stem if path is not None else "run",
        status=run.status,
        message=run.message,
        created_utc=str(getattr(run, "created_utc", "")),
        app_version=str(getattr(run, "app_version", "")),
        project_sha256=hashlib.sha256(run.project_json).hexdigest(),
        run_id=str(getattr(run, "run_id", "")),
    )


def plain_project(run: Trajectory) -> dict[str, Any]:
    """The project of a run as plain data; empty where it cannot be read."""
    try:
        found = json.loads(run.project_json)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


# Motion of points of segments as seen from any segment, from the frames of a run.
#
# A segment S carries a moving frame with its origin in its mass centre. What is seen from it loses the frame's own
# velocity, turning, Coriolis and centripetal acceleration (CVS-IV Volume 1, section 2.1).

GROUND = "ground"


class HasSegments(Protocol):
    """A run whose segments can be read."""

    @property
    def time(self) -> Array:
        """The times of the frames (s)."""

    def segment(self, id_: str) -> SegmentMotion:
        """One segment's motion."""


@dataclass(frozen=True, slots=True)
class PointMotion:
    """The motion of a point and its segment, as seen from a frame, along chosen axes."""

    position: Array
    velocity: Array
    acceleration: Array
    turn: Array
    """R_FS (T, 3, 3), from the segment's axes to those of the frame it is seen from."""
    angular_velocity: Array
    angular_acceleration: Array


@dataclass(frozen=True, slots=True)
class _Seen:
    """A segment's motion in ground axes."""

    R: Array
    p: Array
    v: Array
    a: Array
    w: Array
    alpha: Array

    def at(self, point: Array) -> _Seen:
        """Go from the mass centre to a point given in segment axes."""
        arm = self.R @ point
        turning = np.cross(self.w, arm)
        return _Seen(
            self.R,
            self.p + arm,
            self.v + turning,
            self.a + np.cross(self.alpha, arm) + np.cross(self.w, turning),
            self.w,
            self.alpha,
        )


def point_motion(
    run: HasSegments,
    segment: str,
    point: Sequence[float] = (0.0, 0.0, 0.0),
    seen_from: str = GROUND,
    axes: str = "",
) -> PointMotion:
    """The motion of a point of a segment over all frames.

    The point counts from the mass centre along the segment's axes (m). Components are along the axes
    of `axes`, or of `seen_from` where that is empty; "ground" is the inertial frame.
    """
    body = _ground(run, segment).at(np.asarray(point, float))
    frame = _ground(run, seen_from)
    r = body.p - frame.p
    v = body.v - frame.v - np.cross(frame.w, r)
    a = body.a - frame.a - np.cross(frame.alpha, r) - np.cross(frame.w, np.cross(frame.w, r))
    a = a - 2.0 * np.cross(frame.w, v)
    w = body.w - frame.w
    alpha = body.alpha - frame.alpha - np.cross(frame.w, w)
    R = turns(run, axes or seen_from)
    return PointMotion(
        position=along(R, r),
        velocity=along(R, v),
        acceleration=along(R, a),
        turn=np.swapaxes(frame.R, 1, 2) @ body.R,
        angular_velocity=along(R, w),
        angular_acceleration=along(R, alpha),
    )


def turns(run: HasSegments, segment: str) -> Array:
    """Give R_WS (T, 3, 3) of a segment, or of the ground."""
    if segment == GROUND:
        return np.broadcast_to(np.eye(3), (len(run.time), 3, 3))
    return matrices(run.segment(segment).quaternion_wxyz)


def along(R_WA: Array, vectors: Array) -> Array:
    """The components of ground vectors (T, 3) along the axes of turns (T, 3, 3)."""
    out: Array = np.einsum("tji,tj->ti", R_WA, vectors)
    return out


def _ground(run: HasSegments, segment: str) -> _Seen:
    if segment == GROUND:
        zero = np.zeros((len(run.time), 3))
        return _Seen(turns(run, GROUND), zero, zero, zero, zero, zero)
    motion = run.segment(segment)
    if motion.position.ndim != 2:
        raise ResultsError("The motion of '{segment}' has an unexpected shape.", segment=segment)
    R = matrices(motion.quaternion_wxyz)
    return _Seen(
        R,
        motion.position,
        motion.velocity,
        motion.acceleration,
        np.einsum("tij,tj->ti", R, motion.angular_velocity),
        np.einsum("tij,tj->ti", R, motion.angular_acceleration),
    )
