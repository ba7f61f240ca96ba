"""The tool that lays a strap by two clicks: anchor, anchor; between them it is shown as it would lie."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen

from app import texts
from app.document import Document
from app.elements import element_label, find
from app.scene.handles import paint_dot
from app.scene.lens import Lens
from app.scene.picking import Sight, all_at, meant
from app.scene.tool import Tool, paint_label
from app.scene.viewport import Viewport
from solver.base.units import display_unit, show
from solver.base.words import tr
from solver.editing.bench import Bench, CannotMake
from solver.editing.strapping import Strapped, mirror_image, rounded, strapped, wearer
from solver.engine.maths.rotation import Array
from solver.model.route import RouteError
from solver.project import Project, ProjectError
from solver.project.geometry import PointRef
from solver.project.segments import GROUND
from solver.scene.placing import in_ground, pose_at_start
from solver.scene.shapes import surfaces_of
from solver.scene.webbing import body_of

_STEP_RAD = math.radians(2.0)


class Strapping(Tool):
    """Take two clicks; a drag turns the view as ever."""

    def __init__(
        self,
        document: Document,
        view: Viewport,
        say: Callable[[str], None],
        ended: Callable[[], None],
    ) -> None:
        self._document, self._view, self._say = document, view, say
        self._ended = ended
        self.system = "metric"
        self.is_on = False
        self.first: PointRef | None = None
        self._here: PointRef | None = None
        self._turn = 0.0
        self._made: Strapped | None = None
        self._excuse = ""

    @property
    def is_busy(self) -> bool:  # type: ignore[override]
        """Whether anchors are asked for."""
        return self.is_on

    def toggle(self) -> None:
        """Begin to ask for anchors, or leave it."""
        if self.is_on:
            self.leave()
            return
        self.is_on = True
        self._view.setFocus()
        self._look(self._view.mouse)

    @property
    def hint(self) -> str:  # type: ignore[override]
        """Say which anchor is asked for."""
        if not self.is_on:
            return ""
        return (
            tr(
                "Click the first anchor: on a plane or the vehicle, on another anchor, or beside the body; Esc leaves."
            )
            if self.first is None
            else tr(
                "Click the second anchor; Enter takes the mirror image of the first, ↑ and ↓ turn the strap, Esc leaves."
            )
        )

    def leave(self, said: str = "") -> None:
        """Ask for no more anchors; without words, say that nothing was laid."""
        if not self.is_on:
            return
        showed = self._made is not None
        self.is_on, self.first, self._here, self._made = False, None, None, None
        self._turn, self._excuse = 0.0, ""
        if showed:
            self._view.update_project(self._document.project)
        self._say(said or tr("No strap was laid."))
        self._ended()
        self._view.update()

    def moved(self, event: QMouseEvent) -> bool:
        """Show what a click would do; a drag turns the view as ever."""
        if self.is_on:
            self._look(event.position())
        return self.is_on

    def clicked(self, event: QMouseEvent) -> bool:
        """Take the anchor that was clicked."""
        if self.is_on:
            self._look(event.position())
            self._take()
            return True
        return False

    def wants(self, event: QKeyEvent) -> bool:
        """Keep Esc, Enter and the arrows up and down."""
        keys = (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Up, Qt.Key.Key_Down)  # fmt: skip
        return self.is_on and event.key() in keys

    def typed(self, event: QKeyEvent) -> bool:
        """Leave, take the mirror image, or turn the strap's plane."""
        if not self.wants(event):
            return False
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.leave()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._turn += _STEP_RAD if key == Qt.Key.Key_Up else -_STEP_RAD
            self._lay()
        elif self.first is not None:
            self._here = mirror_image(self._document.project, self.first)
            self._lay()
            self._take()
        return True

    def _look(self, at: QPointF) -> None:
        """Find the anchor under the mouse, and lay the strap to it."""
        lens = self._view.lens
        if lens is not None:
            project, stage = self._document.project, self._view.stage
            self._here = anchor_at(project, stage, lens, at.x(), at.y(), self.first)
            self._lay()

    def _lay(self) -> None:
        """Show the strap between the first anchor and the one under the mouse, or know why not."""
        if self.first is None or self._here is None:
            self._view.update()
            return
        document = self._document
        try:
            self._made = strapped(
                document.project, document.chosen, self.first, self._here, self._turn
            )
            self._excuse = ""
            self._view.preview_project(self._made.project)
        except (RouteError, CannotMake) as reason:
            self._excuse = str(reason)
        except ProjectError as failure:
            self._excuse = failure.problems[0].sentence
        if self._excuse and self._made is not None:
            self._made = None
            self._view.preview_project(document.project)
        self._view.update()

    def _take(self) -> None:
        """Take the first anchor, or make the strap one step of the history."""
        if self._here is None:
            return
        if self.first is None:
            self.first = self._here
            self._view.update()
            return
        made = self._made
        if made is None:
            self._say(self._excuse)
            return
        over = dict.fromkeys(wrap.surface.segment for wrap in made.found.wraps)
        words = ", ".join(element_label(made.project, f"segments/{name}") for name in over)
        label = tr(
            "Added {name}: {length} over {over}. Drag its anchors by their dots.",
            name=made.name,
            length=self._length(made),
            over=words,
        )
        self._made = None
        self.leave(label)
        text = tr("Add {name}", name=made.name)
        self._document.replace(made.project, text, select=[made.path])

    def _length(self, made: Strapped) -> str:
        return show(round(made.found.length_m, 3), "m", display_unit("m", self.system), digits=5)

    def paint(self, painter: QPainter) -> None:
        """Draw the anchors, and say what a click would do."""
        lens = self._view.lens
        if not self.is_on or lens is None or self._here is None:
            return
        theme, mouse = self._view.theme, self._view.mouse
        places = [self._place(p) for p in (self.first, self._here) if p is not None]
        seen = [lens.pixel(place) for place in places]
        if len(seen) == 2 and self._made is None:
            painter.setPen(QPen(QColor(theme.error), 1.4, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(*seen[0]), QPointF(*seen[1]))
        for at in seen:
            paint_dot(painter, np.asarray(at), theme, True, False)
        paint_label(painter, self._words(), mouse, self._view.rect(), theme)

    def _words(self) -> str:
        assert self._here is not None
        on = tr(texts.elements.GROUND) if self._here.segment == GROUND else element_label(
            self._document.project, f"segments/{self._here.segment}"
        )  # fmt: skip
        if self.first is None:
            return tr("First anchor on {name}", name=on)
        what = self._excuse
        if self._made is not None:
            what = tr(texts.scene.LENGTH, length=self._length(self._made))
        return tr("Second anchor on {name}   {what}", name=on, what=what)

    def _place(self, point: PointRef) -> Array:
        return in_ground(pose_at_start(self._document.project), point.segment, point.position_m)


_NEAR_PX = 9.0
_BESIDE_M = 0.06
"""How far beside the hips an anchor in the free stands."""
_ALONG = 0.35
"""Cosine between eye and the body's side from which on a click means a place beside the hips."""
_CARRIERS = ("plane", "vehicle")


def anchor_at(
    project: Project, stage: Any, lens: Lens, x: float, y: float, other: PointRef | None = None
) -> PointRef:
    """The anchor for a pixel; the second one, in the free, stands on the other side of the body."""
    for point in anchors(project):
        if float(np.linalg.norm(lens.pixel(_place(project, point)) - (x, y))) < _NEAR_PX:
            return point
    items = [item for item in stage.items if item.shape.kind in _CARRIERS]
    is_furnished = stage.visibility.is_furnished
    found = all_at(items, Sight.at(lens, x, y), is_furnished=is_furnished)
    hit = meant(one for one in found if not one.is_clear)
    if hit is not None:
        return _on(project, _carrier(project, hit.element), hit.hit.place)
    return _on(project, Bench(project).carrier(), _in_the_free(project, lens, x, y, other))


def anchors(project: Project) -> Iterator[PointRef]:
    """List the anchors and rings that are there."""
    pose = pose_at_start(project)
    for belt in project.belts:
        yield from (a for a in (belt.anchor_a, belt.anchor_b) if a.segment in pose)
    for harness in project.harnesses:
        for strap in harness.straps:
            for point in strap.points:
                if point.kind in ("anchor", "ring") and point.segment in pose:
                    yield PointRef(segment=point.segment, position_m=point.position_m)


def _carrier(project: Project, element: str) -> str:
    list_name, _, name = element.partition("/")
    plane: Any = find(project, element)
    return plane.segment if list_name == "planes" else name


def _on(project: Project, segment: str, place: Array) -> PointRef:
    at = pose_at_start(project)[segment]
    return PointRef(segment=segment, position_m=rounded(at.R_WS.T @ (place - at.p_W)))


def _place(project: Project, point: PointRef) -> Array:
    return in_ground(pose_at_start(project), point.segment, point.position_m)


def _in_the_free(project: Project, lens: Lens, x: float, y: float, first: PointRef | None) -> Array:
    """The place at a pixel beside the hips of the body, or level with them where one looks along."""
    start, way = lens.ray(x, y)
    names = wearer(project, lens.camera.target)
    if not names:
        return start + lens.camera.distance * way
    pose = pose_at_start(project)
    at, across = pose[names[0]], pose[names[0]].R_WS[:, 1]
    if abs(float(way @ across)) < _ALONG:
        towards = lens.camera.axes()[2]
        return _met(start, way, at.p_W, towards)
    bodies = [
        body_of(s, names[0], pose) for (n, _), s in surfaces_of(project).items() if n == names[0]
    ]
    half = max((float((b.farthest(across) - at.p_W) @ across) for b in bodies), default=0.1)
    side = -np.sign(float(way @ across))
    if first is not None:
        side = -np.sign(float((_place(project, first) - at.p_W) @ across)) or side
    return _met(start, way, at.p_W + side * (half + _BESIDE_M) * across, across)


def _met(start: Array, way: Array, through: Array, normal: Array) -> Array:
    met: Array = start + float((through - start) @ normal) / float(way @ normal) * way
    return met
