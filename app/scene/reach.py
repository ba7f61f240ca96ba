"""Show what the selected joints may do: axes, arcs of their ranges, and a pointer where each stands."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from app import texts
from app.elements import name_of
from app.look import Theme
from app.scene.actors import poly_data, put
from app.scene.key import Tag
from app.scene.lens import Lens
from solver.base.units import convert, display_unit, pretty
from solver.base.words import tr
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.joint_table import carrying
from solver.project.posing import angles_of
from solver.scene.meshes import Mesh
from solver.scene.placing import Pose, pose_at_start
from solver.scene.reach import JointState, Limits, Reach, Reading, Tone, limits, reach
from solver.scene.tones import rgb

RADIUS_M = 0.09
"""Of an arc; it is no smaller than a part of the picture's height, so that it is told from afar too."""
_LEAST_PART, _LETTER_PART = 0.115, 0.0066
_WIDE, _BOLD, _BESIDE = 1.8, 3.6, 1.5
_FILLS: dict[Tone, int] = {
    "free": 52, "stop": 110, "shell": 46, "resisted": 56, "thin": 30, "pointer": 255, "met": 255,
}  # fmt: skip
"""How much of 255 hides what lies behind an area."""
_STROKES: dict[str, list[list[tuple[float, float]]]] = {
    "x": [[(-1, -1), (1, 1)], [(-1, 1), (1, -1)]],
    "y": [[(-1, 1), (0, 0)], [(1, 1), (-0.6, -1.3)]],
    "z": [[(-1, 1), (1, 1), (-1, -1), (1, -1)]],
}
"""Letters of axes, in halves of their width and height."""

Told = Callable[[str], JointState | None]
"""Tells how a joint of a run stands, by its id."""


class Reaches:
    """Draw the joints that are named; none of it is pointed at."""

    def __init__(self, overlay: Any) -> None:
        self.joints: tuple[str, ...] = ()
        self.system = "metric"
        self.told: Told | None = None
        """How joints of a run stand; None where the pose itself tells."""
        self.shown: dict[str, Reach] = {}
        """What was drawn last, by joint."""
        self.tags: tuple[Tag, ...] = ()
        self._known: dict[str, Limits] = {}
        self._of: Project | None = None
        self._areas, self._lines, self._needles = self._actors = (_actor(), _actor(), _actor())
        self._lines.GetProperty().SetLineWidth(_WIDE)
        self._needles.GetProperty().SetLineWidth(_BOLD)
        # what lies in one plane with a line leaves the line whole
        mapper = self._areas.GetMapper()
        mapper.SetResolveCoincidentTopologyToPolygonOffset()
        mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(1.0, 8.0)
        for actor in self._actors:
            overlay.AddActor(actor)

    def show(self, joints: tuple[str, ...], system: str) -> bool:
        """Choose the joints, and the units in which they are written; tells whether that changes anything."""
        before = (self.joints, self.system)
        self.joints, self.system = joints, system
        return before != (joints, system)

    def draw(self, project: Project, pose: Pose, lens: Lens, theme: Theme) -> None:
        """Write the joints as they stand now."""
        self.shown, self.tags = {}, ()
        for joint in carrying(project.joints) if self.joints else ():
            if joint.id in self.joints and joint.parent in pose and joint.child in pose:
                now = self._standing(project, joint.id, pose)
                if now is not None:
                    height = lens.height * lens.metres_per_pixel(
                        pose[joint.parent].of(joint.parent_frame.position_m)
                    )
                    radius = max(RADIUS_M, _LEAST_PART * height)
                    known = self._limits(project, joint)
                    made = self.shown[joint.id] = reach(project, joint, known, pose, now, radius)
                    name = name_of(joint) if len(self.joints) > 1 else ""
                    self.tags += self._said(made, name, lens, radius)
        for actor in self._actors:
            actor.SetVisibility(bool(self.shown))
        if self.shown:
            self._write(lens, theme)

    def _standing(self, project: Project, joint: str, pose: Pose) -> JointState | None:
        if self.told is not None:
            return self.told(joint)
        return JointState(angles_of(project, joint, pose))

    def _limits(self, project: Project, joint: Any) -> Limits:
        if self._of is not project:
            self._of = project
            self._known.clear()
        if joint.id not in self._known:
            start = angles_of(project, joint.id, pose_at_start(project))
            self._known[joint.id] = limits(project, joint, start)
        return self._known[joint.id]

    def _said(self, made: Reach, name: str, lens: Lens, radius: float) -> tuple[Tag, ...]:
        """Write all coordinates of a joint to the right of it; its name where others are seen too."""
        if not made.readings:
            return ()
        right, upright, _ = lens.camera.axes()
        here, other = (
            tuple((made.at + _BESIDE * radius * way).tolist()) for way in (right, upright)
        )
        lines = [name] if name else []
        words = "\n".join([*lines, *(reading_text(one, self.system) for one in made.readings)])
        return (Tag(here, words, other),)

    def _write(self, lens: Lens, theme: Theme) -> None:
        tones = _tones(theme)
        right, upright, _ = lens.camera.axes()
        lines: list[tuple[Tone, Array]] = []
        areas: list[tuple[Tone, Mesh]] = []
        for made in self.shown.values():
            lines += made.strokes
            areas += made.areas
            for letter, at in made.letters:
                size = _LETTER_PART * lens.height * lens.metres_per_pixel(at)
                for stroke in _STROKES[letter]:
                    flat = np.array(stroke) @ np.array([right, 1.2 * upright])
                    lines.append((letter, at + size * flat))
        _fill(self._areas, [(mesh.points, mesh.faces, (*tones[tone], _FILLS[tone])) for tone, mesh in areas])  # fmt: skip
        for actor, wanted in ((self._lines, False), (self._needles, True)):
            own = [(p, (*tones[t], 255)) for t, p in lines if (t in ("pointer", "met")) is wanted]
            _draw(actor, own)


def reading_text(one: Reading, system: str) -> str:
    """Write a coordinate with its range, in people's units."""
    unit = display_unit(one.unit, system)
    digits = 3 if unit in ("rad", "m") else 2 if unit == "in" else 1

    def said(value: float) -> str:
        # rounding may leave a minus before nothing
        shown = f"{round(convert(value, one.unit, unit), digits) + 0.0:.{digits}f} {pretty(unit)}"
        return shown.replace(" °", "°").replace("-", "−")

    title = tr(texts.scene.COORDINATES[one.name])
    words = [f"{title} {said(one.value)}", _range(one, said)]
    where = one.range.where(one.value)
    if where != "free":
        words.append(tr("in its stop") if where == "stop" else tr("beyond its law's end"))
    if one.is_held:
        words.append(tr("held"))
    return "  ·  ".join(words)


def _range(one: Reading, said: Callable[[float], str]) -> str:
    known = one.range
    if known.is_free:
        return tr("no stop")
    low, high = known.low, known.high
    if known.is_resisted:
        low, high = known.least, known.most
        if math.isinf(low) and math.isinf(high):
            return tr("resisted from the first")
    words, resists = {"low": said(low), "high": said(high)}, known.is_resisted
    if math.isinf(high) and (math.isinf(low) or one.name == "flexure"):
        return tr("no stop")
    if math.isinf(high):
        return tr("resisted from {low}" if resists else "free from {low}", **words)
    if one.name == "flexure" or math.isinf(low):
        return tr("resisted to {high}" if resists else "free to {high}", **words)
    return tr("resisted {low} to {high}" if resists else "free {low} to {high}", **words)


@lru_cache(maxsize=8)
def _tones(theme: Theme) -> dict[Tone, tuple[int, int, int]]:
    x, y, z = theme.axes
    named: dict[Tone, str] = {
        "x": x, "y": y, "z": z, "ring": theme.muted, "free": theme.accent, "stop": theme.warning, "shell": theme.warning, "thin": theme.note,
        "end": theme.text, "resisted": theme.note, "pointer": theme.text, "met": theme.error,
    }  # fmt: skip
    out: dict[Tone, tuple[int, int, int]] = {}
    for tone, colour in named.items():
        red, green, blue = (round(255.0 * part) for part in rgb(colour))
        out[tone] = (red, green, blue)
    return out


def _actor() -> Any:
    actor = vtkActor()
    actor.SetMapper(vtkPolyDataMapper())
    actor.PickableOff()
    actor.VisibilityOff()
    actor.GetProperty().SetLighting(False)
    return actor


def _fill(actor: Any, areas: Sequence[tuple[Array, Any, tuple[int, ...]]]) -> None:
    firsts = np.cumsum([0, *(len(points) for points, _, _ in areas)])
    faces = [f + first for (_, f, _), first in zip(areas, firsts, strict=False)]
    points = [p for p, _, _ in areas] or [np.zeros((0, 3))]
    mesh = Mesh(np.vstack(points), np.vstack(faces or [np.zeros((0, 3), np.int64)]))
    counts = [len(f) for _, f, _ in areas]
    _put(actor, poly_data(mesh, faces=True), [colour for _, _, colour in areas], counts)
    actor.ForceTranslucentOn()


def _draw(actor: Any, lines: Sequence[tuple[Array, tuple[int, ...]]]) -> None:
    firsts = np.cumsum([0, *(len(points) for points, _ in lines)]).tolist()
    made = tuple(
        tuple(range(first, first + len(points)))
        for (points, _), first in zip(lines, firsts, strict=False)
    )
    mesh = Mesh(np.vstack([np.zeros((0, 3)), *(points for points, _ in lines)]), lines=made)
    _put(actor, poly_data(mesh, faces=False), [colour for _, colour in lines], [1] * len(lines))


def _put(actor: Any, data: Any, colours: Sequence[tuple[int, ...]], counts: Sequence[int]) -> None:
    each = np.repeat(np.array(colours, np.uint8).reshape(-1, 4), counts, axis=0)
    data.GetCellData().SetScalars(numpy_to_vtk(np.ascontiguousarray(each), deep=True))
    put(actor, data)
