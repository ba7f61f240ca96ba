"""Quantities of a run under way by name, at one instant, without tables: what results would show at a frame there.

Places, velocities and angular velocities of segments, and angles and rates of pins are read from where kernels leave
them. All others are made by those that make results, for this instant and these groups alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from solver.engine.dynamics.tree import SLIDE, TURN, Array
from solver.engine.integrate.samples import Samples
from solver.model.compile import Model, Modes
from solver.project.joint_table import row_of
from solver.results.layout import FRAME_GROUPS, ResultsError
from solver.results.memory import MemoryTrajectory
from solver.results.names import XYZR, read_name
from solver.results.quantities import Quantities, QuantityInfo, component_names
from solver.results.trajectory import Channel, Table
from solver.running.outputs.channels import Channels, Last
from solver.running.outputs.frames import Frames, ids
from solver.running.outputs.kinematics import Kinematics

Read = Callable[[Samples, int], float]
"""Read a quantity from a row of samples."""

Look = Callable[[Mapping[str, Array]], float]
"""Read a quantity from the columns of its group."""


class Instant(MemoryTrajectory):
    """A run of one frame: what kernels have found last. Groups and channels are made once they are asked for."""

    def __init__(
        self, model: Model, channels: Sequence[Channels], project: Callable[[], bytes]
    ) -> None:
        super().__init__(ids(model), [spec for one in channels for spec in one.specs], project)
        self._model, self._channels = model, channels
        self._place = {spec.name: (one, n) for one in channels for n, spec in enumerate(one.specs)}
        self._last = {id(one): Last() for one in channels}
        self.frames = Frames(model)
        self._groups: dict[str, Any] = {}
        self._values: dict[int, Array] = {}
        self._row: Samples | None = None
        self._motion: Kinematics | None = None

    def stand(self, samples: Samples, row: int, modes: Modes) -> None:
        """Be a row of samples."""
        self._row = Samples(*(one[row : row + 1] for one in samples))
        self._motion = Kinematics(self._model, modes.at(1), self._row, 1)
        self._groups, self._values = {}, {}

    @property
    def time(self) -> Array:
        """The time of the frame (s)."""
        return np.zeros(1) if self._row is None else self._row.time.copy()

    def columns(self, group: str) -> Mapping[str, Array]:
        """All columns of a group."""
        if group not in self._groups:
            assert self._motion is not None
            assert self._row is not None
            self._groups[group] = self.frames.alone(group, self._motion, self._row)
        found: Mapping[str, Array] = self._groups[group]
        return found

    def table(self, group: str) -> Table:
        """One group of elements."""
        if group not in self._frames or self._motion is None:
            return super().table(group)
        return Table(self._ids[group], _Columns(self, group))

    def channel(self, name: str) -> Channel:
        """One channel."""
        spec = self.channel_spec(name)
        one, n = self._place[name]
        if id(one) not in self._values:
            assert self._motion is not None
            assert self._row is not None
            block: Any = _Groups(self)
            self._values[id(one)] = one.values(self._motion, self._row, block, self._last[id(one)])
        return Channel(
            name, self.time, self._values[id(one)][n], spec.unit, spec.quantity, spec.segment, spec.axis, spec.cfc,
        )  # fmt: skip


class _Groups(Mapping[str, Mapping[str, Array]]):
    """Give groups of an instant."""

    def __init__(self, of: Instant) -> None:
        self._of = of

    def __getitem__(self, group: str) -> Mapping[str, Array]:
        return self._of.columns(group)

    def __iter__(self) -> Iterator[str]:
        return iter(self._of._ids)

    def __len__(self) -> int:
        return len(self._of._ids)


class _Columns(Mapping[str, Array]):
    """Give columns of a group, which are made with the first of them."""

    def __init__(self, of: Instant, group: str) -> None:
        self._of, self._group = of, group

    def __getitem__(self, name: str) -> Array:
        return self._of.columns(self._group)[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._of.columns(self._group))

    def __len__(self) -> int:
        return len(self._of.columns(self._group))


class Readouts:
    """Read quantities of a run under way."""

    def __init__(
        self, model: Model, channels: Sequence[Channels], project: Callable[[], bytes]
    ) -> None:
        self._model = model
        self.instant = Instant(model, channels, project)
        self._catalogue = Quantities(self.instant)
        self._reads: dict[str, Read | None] = {}
        self._looks: dict[str, tuple[str, Look] | None] = {}
        self._ids = ids(model)

    @property
    def infos(self) -> Mapping[str, QuantityInfo]:
        """Describe all quantities, but those of the integrator's steps."""
        return {k: v for k, v in self._catalogue.infos.items() if v.group != "integrator"}

    def find(self, name: str) -> str:
        """The full name of a quantity, whose last part may be left out where there is one such.

        Raises ResultsError where there is none.
        """
        if name.split("/")[0] == "integrator":
            raise ResultsError(
                "'{name}' is of the integrator's steps, and not of an instant.", name=name
            )
        try:
            self._catalogue.about(name)
        except ResultsError:
            below = [one for one in self._catalogue.infos if one.startswith(f"{name}/")]
            words = name.split("/")
            if len(words) == 3 and words[0] == "joints" and words[2] in ("angle", "rate"):
                joints = [one for one in self._model.project.joints if one.id == words[1]]
                below = below[: sum(len(row_of(one).turns) for one in joints)]
            if len(below) != 1:
                raise
            return below[0]
        return name

    def about(self, name: str) -> QuantityInfo:
        """Describe a quantity by its full name."""
        return self._catalogue.about(name)

    def values(self, names: Sequence[str], samples: Samples, row: int, modes: Modes) -> list[float]:
        """Values by full names at a row of samples."""
        out, catalogue, stands = [], None, False
        for name in names:
            if name not in self._reads:
                self._reads[name], self._looks[name] = self._read(name), self._look(name)
            read, look = self._reads[name], self._looks[name]
            if read is not None:
                out.append(read(samples, row))
                continue
            if not stands:
                self.instant.stand(samples, row, modes)
                stands = True
            if look is not None:
                group, of = look
                out.append(of(self.instant.columns(group)))
                continue
            catalogue = catalogue or self._catalogue.grown(self.instant)
            out.append(float(catalogue(name).value[-1]))
        return out

    def _look(self, name: str) -> tuple[str, Look] | None:
        """The way to read a quantity from its group; None where it is seen from elsewhere, or a channel."""
        info = self._catalogue.infos.get(name)
        if info is None or info.group in ("channels", "segments", "integrator"):
            return None
        about, column, whole = (
            FRAME_GROUPS[info.group].columns[info.column],
            info.column,
            info.component,
        )
        rows = self._ids[info.group].index(info.element) if info.element else slice(None)
        if info.group == "energy" and not about.shape:
            return "account", lambda columns: float(columns[column][0])
        if not about.shape:
            return info.group, lambda columns: float(
                columns[column][0, rows] if info.element else columns[column][0]
            )
        parts = component_names(info.group, info.column, about)
        if whole == "resultant":
            return info.group, lambda columns: float(np.linalg.norm(columns[column][0][rows]))
        n = parts.index(whole)
        return info.group, lambda columns: float(columns[column][0][rows][n])

    def _read(self, name: str) -> Read | None:
        """The way to read a quantity at once; None where it is to be made as results are."""
        if "@" in name or "/" not in name:
            return None
        parts = read_name(name, ())
        group, element, *rest = parts.plain.split("/")
        if group == "segments" and len(rest) == 2 and rest[1] in XYZR:
            return self._of_segment(element, parts.point, *rest)
        if group == "joints" and rest and rest[0] in ("angle", "rate", "slide"):
            return self._of_pin(element, rest)
        return None

    def _of_segment(
        self, segment: str, point: tuple[float, float, float] | None, column: str, axis: str
    ) -> Read | None:
        """Motion of a segment or a point of it."""
        if column not in (
            "position",
            "velocity",
            "acceleration",
            "angular_velocity",
            "angular_acceleration",
        ):
            return None
        i, place = self._model.trees.body_of[segment], XYZR.index(axis)
        x, y, z = (np.array(point or (0.0, 0.0, 0.0)) - self._model.trees.origin[segment]).tolist()

        def vector(samples: Samples, row: int) -> list[float]:
            a, b, c, d, e, f, g, h, k = samples.R[row, i].tolist()
            if column.startswith("angular"):
                spin = samples.w if column == "angular_velocity" else samples.alpha
                u, v, w = spin[row, i].tolist()
                return [a * u + d * v + g * w, b * u + e * v + h * w, c * u + f * v + k * w]
            p, q, r = a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + k * z
            if column == "position":
                P, Q, R = samples.p[row, i].tolist()
                return [P + p, Q + q, R + r]
            u, v, w = samples.w[row, i].tolist()
            along = v * r - w * q, w * p - u * r, u * q - v * p
            if column == "velocity":
                P, Q, R = samples.velocity[row, i].tolist()
                return [P + along[0], Q + along[1], R + along[2]]
            P, Q, R = samples.acc[row, i].tolist()
            k, m, n = samples.alpha[row, i].tolist()
            j, o, s = along
            return [
                P + (m * r - n * q) + (v * s - w * o),
                Q + (n * p - k * r) + (w * j - u * s),
                R + (k * q - m * p) + (u * o - v * j),
            ]

        if axis == "resultant":
            return lambda samples, row: math.hypot(*vector(samples, row))
        return lambda samples, row: vector(samples, row)[place]

    def _of_pin(self, name: str, rest: Sequence[str]) -> Read | None:
        """An angle, a rate or a slide of a joint of pins and slides that never is anything else."""
        joint = next(one for one in self._model.project.joints if one.id == name)
        made, tree = self._model.trees.joints.get(name), self._model.system.tree
        if made is None or made.start or getattr(joint, "breakage", None) is not None:
            return None
        kinds = [tree.kind[body] for body in made.bodies]
        wanted = SLIDE if rest[0] == "slide" else TURN
        if any(kind not in (TURN, SLIDE) for kind in kinds) or row_of(joint).leading:
            return None
        mine = [body for body, kind in zip(made.bodies, kinds, strict=True) if kind == wanted]
        number = int(rest[1]) - 1 if len(rest) == 2 else 0
        if number >= len(mine) or (wanted == SLIDE and len(mine) > 1):
            return None
        if rest[0] == "rate":
            at = int(tree.at_v[mine[number]])
            return lambda samples, row: float(samples.v[row, at])
        at = int(tree.at_q[mine[number]])
        return lambda samples, row: float(samples.q[row, at])
