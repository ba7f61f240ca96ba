"""Cameras that are keyed along a run: where one looks from at an instant, and whether the next is cut or glided to."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app.scene.lens import OrbitCamera
from solver.base.atomic import write_atomic
from solver.base.words import Refusal
from solver.engine.maths.rotation import Array
from solver.project.pose import Placed
from solver.project.segments import GROUND

if TYPE_CHECKING:
    from app.run_view.replay import Replay

SAME_S = 5e-5
"""Keys nearer to each other than this (s) are one."""
_OFF_M, _AHEAD_M = 0.12, 1.0
"""How far before the middle of a segment its camera is (assumed), and how far before that it looks."""
_VERSION, _BEFORE_S = 1, 1e-7
FILE = "cameras.json"
"""In the folder of a project's runs."""


class CameraError(Refusal):
    """Say in a sentence why there are no keyed cameras."""


@dataclass(frozen=True, slots=True)
class CameraKey:
    """A camera at an instant (s): target and distance (m), azimuth and elevation (rad), and what it goes with."""

    time_s: float
    target: tuple[float, float, float]
    distance: float
    azimuth: float
    elevation: float
    parallel: bool = False
    rider: str = GROUND
    turns_too: bool = True
    glides: bool = False
    """Whether it glides to the next key; else that is cut to."""

    @classmethod
    def of(cls, camera: OrbitCamera, time_s: float, rider: str, turns_too: bool) -> CameraKey:
        """Where a camera is now."""
        x, y, z = (float(v) for v in camera.target)
        return cls(
            time_s, (x, y, z), float(camera.distance), float(camera.azimuth),
            float(camera.elevation), bool(camera.parallel), rider, turns_too,
        )  # fmt: skip

    def put(self, camera: OrbitCamera) -> None:
        """Set a camera there."""
        camera.target, camera.distance = np.array(self.target), self.distance
        camera.azimuth, camera.elevation = self.azimuth, self.elevation
        camera.parallel = self.parallel


@dataclass(frozen=True, slots=True)
class Cameras:
    """The keys of a project in the order of their instants."""

    keys: tuple[CameraKey, ...] = ()

    def with_key(self, key: CameraKey) -> Cameras:
        """Have another key, in the place of one at the same instant."""
        others = [one for one in self.keys if abs(one.time_s - key.time_s) > SAME_S]
        return Cameras(tuple(sorted([*others, key], key=lambda one: one.time_s)))

    def without(self, key: CameraKey) -> Cameras:
        """Have a key no longer."""
        return Cameras(tuple(one for one in self.keys if one is not key))

    def before(self, t: float) -> CameraKey | None:
        """The last key at an instant (s) or before it; the first where there is none."""
        return next((k for k in reversed(self.keys) if k.time_s <= t + SAME_S), next(iter(self.keys), None))  # fmt: skip

    def after(self, t: float, way: int = 1) -> CameraKey | None:
        """The next key after an instant (s), or before it where `way` is -1."""
        if way > 0:
            return next((k for k in self.keys if k.time_s > t + SAME_S), None)
        return next((k for k in reversed(self.keys) if k.time_s < t - SAME_S), None)

    def toggled(self, t: float) -> Cameras:
        """Let the key before an instant (s) glide to the next, or cut."""
        key = self.before(t)
        if key is None:
            return self
        return Cameras(tuple(replace(k, glides=not k.glides) if k is key else k for k in self.keys))

    def at(self, t: float) -> CameraKey | None:
        """The camera at an instant (s); None without keys."""
        one, other = self.before(t), self.after(t)
        if one is None or other is None or not one.glides or t <= one.time_s:
            return one
        if (one.rider, one.turns_too, one.parallel) != (other.rider, other.turns_too, other.parallel):  # fmt: skip
            return one
        part = (t - one.time_s) / (other.time_s - one.time_s)
        # it starts and ends at rest
        w = part * part * (3.0 - 2.0 * part)
        turn = math.remainder(other.azimuth - one.azimuth, 2.0 * math.pi)
        x, y, z = ((1.0 - w) * a + w * b for a, b in zip(one.target, other.target, strict=True))
        return replace(
            one,
            time_s=t,
            target=(x, y, z),
            distance=one.distance ** (1.0 - w) * other.distance**w,
            azimuth=one.azimuth + w * turn,
            elevation=(1.0 - w) * one.elevation + w * other.elevation,
        )

    def write(self, file: Path) -> None:
        """Keep them; without any there is no file."""
        if not self.keys:
            file.unlink(missing_ok=True)
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        data = {"version": _VERSION, "keys": [asdict(one) for one in self.keys]}
        write_atomic(file, json.dumps(data, indent=1).encode())

    @classmethod
    def read(cls, file: Path) -> Cameras:
        """Read them; none where the file is missing, damaged or of a newer program."""
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
            if data["version"] != _VERSION:
                return cls()
            return cls(tuple(sorted(map(_read, data["keys"]), key=lambda one: one.time_s)))
        except (OSError, ValueError, TypeError, KeyError):
            return cls()


def keyed_for(file: Path) -> Cameras:
    """The cameras that are keyed in the window for a project's file, or that such a file of cameras holds; CameraError for none."""
    from app.run_view.run_store import RunStore

    if not file.is_file():
        raise CameraError("There is no file '{file}'.", file=file)
    found = Cameras.read(file)
    if not found.keys:
        found = Cameras.read(RunStore(file).folder / FILE)
    if not found.keys:
        raise CameraError("No cameras are keyed for '{file}': the window keys them along a run (Alt+K).", file=file)  # fmt: skip
    return found


@dataclass(frozen=True, slots=True)
class Looks:
    """Where keyed cameras look from at instants (s), row by row, in the axes of a scene: a cut has two rows at one instant."""

    times: Array
    targets: Array
    """What is looked at (n, 3) in m."""
    axes: Array
    """Right, upright and towards the eye (n, 3, 3)."""
    distances: Array
    parallel: Array


def looks(cameras: Cameras, replay: Replay, up: Array) -> Looks:
    """Where keyed cameras look from over a run, as a scene has it that rides as the replay does."""
    scene = replay.rider, replay.turns_too
    first, *others = (float(t) for t in replay.motion.time)
    inside = [k.time_s for k in cameras.keys if first < k.time_s <= max(others, default=first)]
    asked = [(t, t) for t in (first, *others) if all(abs(t - k) > SAME_S for k in inside)]
    # just before a key one still looks as before it
    asked += [pair for k in inside for pair in ((k - _BEFORE_S, k - 2.0 * SAME_S), (k, k))]
    camera, rows = OrbitCamera(up), []
    for t, then in sorted(asked):
        key = cameras.at(then)
        assert key is not None
        key.put(camera)
        rider = key.rider if key.rider in replay.motion.names else GROUND
        own, seen = (_carried(replay, one, t) for one in ((rider, key.turns_too), scene))
        turn = seen.R_WS @ own.R_WS.T
        target = turn @ (camera.target - own.p_W) + seen.p_W
        rows.append((t, target, np.array(camera.axes()) @ turn.T, camera.distance, camera.parallel))
    replay.rider, replay.turns_too = scene
    return Looks(*(np.array(one) for one in zip(*rows, strict=True)))


def _carried(replay: Replay, rides: tuple[str, bool], t: float) -> Placed:
    replay.rider, replay.turns_too = rides
    return replay.carried(t)


def _read(data: dict[str, Any]) -> CameraKey:
    """Read a key; raises ValueError, TypeError or KeyError for one that is none."""
    x, y, z = (float(v) for v in data["target"])
    names = ("time_s", "distance", "azimuth", "elevation")
    time_s, distance, azimuth, elevation = (float(data[name]) for name in names)
    if not all(map(math.isfinite, (x, y, z, time_s, distance, azimuth, elevation))) or distance <= 0.0:  # fmt: skip
        raise ValueError
    flags = (data["parallel"] is True, str(data["rider"]), data["turns_too"] is True, data["glides"] is True)  # fmt: skip
    return CameraKey(time_s, (x, y, z), distance, azimuth, elevation, *flags)


def put_onboard(camera: OrbitCamera, at: Placed) -> None:
    """Set a camera before the middle of a segment, looking along its x axis."""
    ahead = at.R_WS[:, 0]
    eye = at.p_W + _OFF_M * ahead
    side = np.cross(camera.ahead, camera.up)
    towards = -ahead
    camera.azimuth = math.atan2(float(towards @ side), float(towards @ camera.ahead))
    camera.elevation = math.asin(max(-1.0, min(1.0, float(towards @ camera.up))))
    camera.distance, camera.target = _AHEAD_M, eye + _AHEAD_M * ahead
