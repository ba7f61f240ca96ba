"""Any quantity of any element as a channel: what there is, and its values over time."""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from solver.base.words import Sentence, tr
from solver.engine.maths.rotation import followed, yaw_pitch_roll
from solver.project.document import Project
from solver.project.frames import Axes, OwnFrame, axes_of, plain
from solver.project.problems import did_you_mean, listed
from solver.results.formulas import calculated, is_formula
from solver.results.layout import FRAME_GROUPS, STEP_GROUP, Column, ResultsError
from solver.results.names import TURNS, XYZR, Name, read_name
from solver.results.trajectory import (
    GROUND,
    Array,
    Channel,
    PointMotion,
    Table,
    Trajectory,
    along,
    point_motion,
    turns,
)


@dataclass(frozen=True, slots=True)
class QuantityInfo:
    """Describe one quantity: its name, SI unit, what it is, and where it stands."""

    name: str
    unit: str
    meaning: str = ""
    group: str = "channels"
    element: str = ""
    column: str = ""
    component: str = ""


SEGMENT_COLUMNS: Mapping[str, tuple[str, tuple[str, ...], str]] = {
    "position": ("m", XYZR, "of the mass centre or a point, ground axes"),
    "velocity": ("m/s", XYZR, "of the mass centre or a point, ground axes"),
    "acceleration": ("m/s2", XYZR, "of the mass centre or a point, ground axes"),
    "felt": ("m/s2", XYZR, "acceleration less gravity, as a sensor shows it, segment axes"),
    "angle": ("rad", TURNS, "yaw, pitch, roll"),
    "quaternion_wxyz": ("1", ("w", "x", "y", "z"), "turns segment components into ground ones"),
    "angular_velocity": ("rad/s", XYZR, "segment axes"),
    "angular_acceleration": ("rad/s2", XYZR, "segment axes"),
}
PLACES = {
    ("contacts", "point"),
    ("airbag_contacts", "point"),
    ("point_contacts", "point"),
    ("strap_points", "position"),
    ("beam_stations", "position"),
    ("airbags", "position"),
}
_OWN_AXES = ("felt", "angular_velocity", "angular_acceleration")
TURNED = {"N", "N*m", "N*s", "N*m*s"}


def quantities(run: Trajectory) -> Quantities:
    """The catalogue of a run."""
    return Quantities(run)


class Quantities:
    """List the quantities of a run and give any of them as a channel over time."""

    def __init__(self, run: Trajectory) -> None:
        self._run = run
        self._tables: dict[str, Table] = {}
        self._seen: dict[tuple[object, ...], PointMotion] = {}
        self._channels: dict[str, QuantityInfo] | None = None
        self._paths: Mapping[str, QuantityInfo] | None = None
        self._all: Mapping[str, QuantityInfo] | None = None
        self._segments: frozenset[str] | None = None
        self._own: dict[str, Axes] | None = None

    def grown(self, run: Trajectory) -> Quantities:
        """Give the catalogue of the same run further on; its names do not change."""
        out = Quantities(run)
        out._channels, out._paths, out._all = self._channels, self._paths, self._all
        out._segments, out._own = self._segments, self._own
        return out

    @property
    def infos(self) -> Mapping[str, QuantityInfo]:
        """Describe all quantities, dense channels first."""
        if self._channels is None:
            self._channels = {info.name: info for info in self._recorded()}
        if self._all is None:
            self._all = {**self._channels, **self._at_frames()}
        return self._all

    def _at_frames(self) -> Mapping[str, QuantityInfo]:
        if self._paths is None:
            groups = (name for name, spec in FRAME_GROUPS.items() if spec.has_ids)
            ids = tuple((name, self._table(name).ids) for name in groups if name != "segments")
            self._paths = _listed(tuple(self._run.segment_ids), ids)
        return self._paths

    def _known(self, plain: str) -> Mapping[str, QuantityInfo]:
        """What a name could be in; to describe the recorded channels all of them are read."""
        return self._at_frames() if "/" in plain else self.infos

    def matching(self, patterns: Sequence[str]) -> tuple[str, ...]:
        """Give the full names that fit any pattern, each once, pattern by pattern.

        A star stands for anything between two slashes. A pattern without the last parts fits all that is below it.
        """
        found: dict[str, None] = {}
        for pattern in patterns:
            if self._is_formula(pattern):
                found[pattern] = None
                continue
            name = self._read(pattern)
            plain = [n for n in self._known(name.plain) if fits(n, name.plain)]
            if not plain and "/" in name.plain:
                plain = [n for n in self._known(name.plain) if fits(n, name.plain, begins=True)]
            if not plain:
                raise ResultsError(self._nothing(name.plain))
            found |= dict.fromkeys(str(name.of(n)) for n in plain)
        return tuple(found)

    def about(self, name: str) -> QuantityInfo:
        """Describe a quantity, also one with a point or seen from a segment."""
        if self._is_formula(name):
            return QuantityInfo(name, calculated(name, self).unit, tr("calculated"))
        plain = self._read(name).plain
        if plain not in self._known(plain):
            raise ResultsError(self._nothing(plain))
        return replace(self._known(plain)[plain], name=name)

    def __call__(self, name: str) -> Channel:
        """One quantity over time, in SI; of a formula what it makes of others."""
        if name in self._run.channel_names:
            return self._run.channel(name)
        if is_formula(name):
            return calculated(name, self)
        parts = self._read(name)
        known = self._known(parts.plain)
        if parts.plain not in known:
            raise ResultsError(self._nothing(parts.plain))
        info = known[parts.plain]
        if info.group == "channels":
            raise ResultsError(
                "'{name}': a recorded channel cannot be seen from elsewhere.", name=name
            )
        if parts.point is not None and info.group != "segments":
            raise ResultsError("'{name}': only segments have points.", name=name)
        time = self._run.time
        if info.group == "integrator":
            self._refuse_frame(parts)
            table = self._table("integrator")
            time, values = table["time"], table[info.column]
        elif info.group == "segments":
            values = self._segment(parts, info)
        else:
            values = self._other(parts, info)
        values = np.asarray(values, float)
        whole = info.component == "resultant"
        return Channel(
            name,
            time,
            np.linalg.norm(values, axis=1) if whole else values,
            info.unit,
            info.column,
            info.element,
            info.component,
            components=tuple(values.T) if whole else (),
        )

    def _is_formula(self, name: str) -> bool:
        return is_formula(name) and name not in self._run.channel_names

    def _read(self, name: str) -> Name:
        """Take a name apart; an id may hold an @ itself."""
        if name in self._run.channel_names or name in self._at_frames():
            return Name(name)
        # of most names nothing of the project need be read, which a run first has to write down
        known = (*self._run.segment_ids, *self.frames) if "@" in name else ()
        return read_name(name, known)

    @property
    def frames(self) -> Mapping[str, Axes]:
        """The own frames of the project that was run, by id."""
        if self._own is None:
            self._own = frames_in(self._run.project_json)
        return self._own

    def _frame(self, name: str) -> Axes:
        if self._segments is None:
            self._segments = frozenset((GROUND, *self._run.segment_ids))
        # no frame has a segment's name, and to know frames the project has to be written down
        return plain(name) if name in self._segments else self.frames.get(name) or plain(name)

    def _nothing(self, pattern: str) -> Sentence:
        """Say which word of a name is wrong, and which words could stand there."""
        words, names = pattern.split("/"), [n.split("/") for n in self.infos]
        for place, word in enumerate(words):
            left = [n for n in names if len(n) > place and fnmatch.fnmatchcase(n[place], word)]
            if not left:
                could = sorted({n[place] for n in names if len(n) > place})
                hint = did_you_mean(word, could) or Sentence(
                    "There could be {could}.", could=listed(could)
                )
                return Sentence(
                    "No quantity fits '{pattern}': nothing fits '{word}'. {hint}",
                    pattern=pattern,
                    word=word,
                    hint=hint,
                )
            names = left
        could = sorted({n[len(words)] for n in names if len(n) > len(words)})
        return Sentence(
            "No quantity fits '{pattern}': after it comes {could}.",
            pattern=pattern,
            could=listed(could),
        )

    def _table(self, group: str) -> Table:
        if group not in self._tables:
            run = self._run
            self._tables[group] = run.steps() if group == "integrator" else run.table(group)
        return self._tables[group]

    def _recorded(self) -> Iterator[QuantityInfo]:
        for name in self._run.channel_names:
            channel = self._run.channel_spec(name)
            text = f"recorded: {channel.quantity}"
            yield QuantityInfo(name, channel.unit, text, column=channel.quantity)

    def _segment(self, name: Name, info: QuantityInfo) -> Array:
        id_, column, axis = info.element, info.column, info.component
        own = column in _OWN_AXES
        seen = self._frame(name.seen_from or GROUND)
        axes = self._frame(name.axes or name.seen_from or (id_ if own else GROUND))
        if column == "felt":
            motion = self._motion(id_, name, GROUND, GROUND)
            vectors = along(turns(self._run, axes.segment), motion.acceleration - self._gravity())
            return _component(vectors, axis, XYZR, axes)
        motion = self._motion(id_, name, seen.segment, axes.segment)
        if column == "angle":
            angles, _ = followed(yaw_pitch_roll(seen.turn_in(motion.turn)), "zyx")
            return np.asarray(angles[:, TURNS.index(axis)])
        if column == "quaternion_wxyz":
            if name.seen_from:
                raise ResultsError(
                    "'{name}': quaternions are of the ground; ask for angle.", name=name
                )
            q = self._run.segment(id_).quaternion_wxyz
            return np.asarray(q[:, ("w", "x", "y", "z").index(axis)])
        vectors = getattr(motion, column)
        if column == "position" and seen.origin_m.any():
            vectors = vectors - self._from_to(seen.origin_m, seen.segment, axes.segment)
        return _component(vectors, axis, XYZR, axes, turning=column.startswith("angular"))

    def _from_to(self, arm: Array, segment: str, other: str) -> Array:
        """Give an arm of one segment along the axes of another one."""
        if segment == other:
            return arm
        return along(turns(self._run, other), turns(self._run, segment) @ arm)

    def _motion(self, id_: str, name: Name, seen_from: str, axes: str) -> PointMotion:
        key = (id_, name.point, seen_from, axes)
        if key not in self._seen:
            # the last one is enough: components of one vector are asked for in turn
            point = name.point or (0.0, 0.0, 0.0)
            self._seen = {key: point_motion(self._run, id_, point, seen_from, axes)}
        return self._seen[key]

    def _other(self, name: Name, info: QuantityInfo) -> Array:
        table, about = self._table(info.group), FRAME_GROUPS[info.group].columns[info.column]
        values = table[info.column]
        if info.element:
            values = values[:, table.ids.index(info.element)]
        if not about.shape:
            self._refuse_frame(name)
            return values
        names = component_names(info.group, info.column, about)
        if not name.seen_from:
            return _component(values, info.component, names)
        values = self._seen_vectors(name, info, about, values)
        turning = about.unit.startswith("N*m")
        axes = self._frame(name.axes or name.seen_from)
        return _component(values, info.component, names, axes, turning=turning)

    def _seen_vectors(self, name: Name, info: QuantityInfo, about: Column, values: Array) -> Array:
        """Write ground vectors along other axes; places also count from the segment."""
        seen, axes = self._frame(name.seen_from), self._frame(name.axes or name.seen_from)
        R = turns(self._run, axes.segment)
        if (info.group, info.column) in PLACES:
            if seen.segment != GROUND:
                values = values - self._run.segment(seen.segment).position
            return along(R, values) - self._from_to(seen.origin_m, seen.segment, axes.segment)
        if about.shape != (3,) or about.unit not in TURNED:
            self._refuse_frame(name)
        return along(R, values)

    def _refuse_frame(self, name: Name) -> None:
        if name.seen_from:
            raise ResultsError(
                "'{name}' has no direction; leave out '@{seen_from}'.",
                name=name,
                seen_from=name.seen_from,
            )

    def _gravity(self) -> Array:
        """Give gravity of the project that was run; files keep only what is not the default."""
        default = Project.model_fields["gravity_m_per_s2"].default
        try:
            given = json.loads(self._run.project_json).get("gravity_m_per_s2", default)
            return np.asarray(given, float).reshape(3)
        except (ValueError, AttributeError, TypeError):
            raise ResultsError("The project inside these results cannot be read.") from None


def frames_in(project_json: bytes) -> dict[str, Axes]:
    """The own frames of the project inside results; none where it cannot be read."""
    try:
        frames = json.loads(project_json).get("frames", [])
        return axes_of([OwnFrame.model_validate(one) for one in frames])
    except (ValueError, AttributeError, TypeError):
        return {}


@lru_cache(maxsize=4)
def _listed(
    segments: tuple[str, ...], ids: tuple[tuple[str, tuple[str, ...]], ...]
) -> Mapping[str, QuantityInfo]:
    """Describe what is kept at frames; runs of one model's versions have it in common."""
    return {one.name: one for one in _at_frames_of(segments, dict(ids))}


def _at_frames_of(
    segments: Sequence[str], ids: Mapping[str, Sequence[str]]
) -> Iterator[QuantityInfo]:
    for id_ in segments:
        for column, (unit, axes, meaning) in SEGMENT_COLUMNS.items():
            for axis in axes:
                yield _info("segments", id_, column, axis, unit, meaning)
    for group, spec in FRAME_GROUPS.items():
        if group == "segments":
            continue
        for id_ in ids[group] if spec.has_ids else ("",):
            for column, about in spec.columns.items():
                for axis in component_names(group, column, about):
                    yield _info(group, id_, column, axis, about.unit, about.meaning)
    for column, about in STEP_GROUP.columns.items():
        if about.dtype in ("f8", "i8") and column != "time":
            yield _info("integrator", "", column, "", about.unit, about.meaning)


def _info(
    group: str, element: str, column: str, axis: str, unit: str, meaning: str
) -> QuantityInfo:
    name = "/".join(word for word in (group, element, column, axis) if word)
    return QuantityInfo(name, unit, meaning, group, element, column, axis)


def fits(name: str, pattern: str, *, begins: bool = False) -> bool:
    """Whether a name fits a pattern, word by word between the slashes; or whether it begins so."""
    words, wanted = name.split("/"), pattern.split("/")
    if begins:
        words = words[: len(wanted)]
    return len(words) == len(wanted) and all(map(fnmatch.fnmatchcase, words, wanted))


def component_names(group: str, column: str, about: Column) -> tuple[str, ...]:
    """Name the components of a column; one empty name where it has a single value."""
    if not about.shape:
        return ("",)
    if group == "joints" and column in ("angle", "rate"):
        return ("1", "2", "3")
    if about.shape == (3,):
        return XYZR
    if about.shape == (4,):
        return ("w", "x", "y", "z")
    return tuple(str(k + 1) for k in range(about.shape[0]))


def _component(
    values: Array, axis: str, names: tuple[str, ...], axes: Axes | None = None, *, turning: bool = False
) -> Array:  # fmt: skip
    """One component, along an own frame's axes where one is given; for the resultant the whole vector (T, 3)."""
    if axis == "resultant":
        # along the carrier's axes: squares of parts along oblique ones do not add up
        return values
    if axes is not None and len(names) == len(XYZR):
        values = axes.axial_in(values) if turning else axes.vector_in(values)
    return np.asarray(values[:, names.index(axis)])
