"""Show the stage in a widget: VTK draws into memory, Qt paints the picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from PySide6.QtCore import QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.elements import PROJECT
from app.guard import guard
from app.look import LIGHT, Theme
from app.scene.framing import Box, Framed, OnScreen
from app.scene.graphics import why_not
from app.scene.lens import Lens, OrbitCamera, View
from app.scene.scene_builder import REST_MS, SceneBuilder
from app.scene.screen import QUALITIES, Quality
from app.scene.tool import paint_axes
from app.scene.visibility import Visibility
from solver.base.words import tr
from solver.engine.maths.rotation import Array
from solver.project import Project

if TYPE_CHECKING:
    from app.scene.canvas import Canvas
    from app.scene.screen import Screen
    from app.scene.stage import Stage


class Moments(Protocol):
    """What can put an instant of a run on the stage."""

    def show(self, stage: Any, t: float) -> None:
        """Show an instant (s)."""


class SceneView(QWidget):
    """Show a project, or an instant of a run, from where the camera is."""

    turned = Signal()
    """The camera looks from elsewhere now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(240, 180)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent, not why_not())
        self.setAccessibleName(tr("Scene"))
        self.excuse = why_not()
        self.theme, self.is_closed = LIGHT, False
        self.quality = QUALITIES["balanced"]
        self.surroundings = True
        """Whether things around the people are seen at first."""
        self.sees_past = True
        """Whether what stands before people in a run is half seen through."""
        self.covered_px = 0
        """How much of the lower edge lies behind something; all is to be seen above it."""
        self._project = Project.empty()
        self._canvas: Canvas | None = None
        self._made: tuple[Stage, Screen] | None = None
        self._ahead = QTimer(self, singleShot=True, interval=1)
        self._ahead.timeout.connect(self.make_ahead)
        self._tailor = SceneBuilder(self)
        self._tailor.made.connect(self._dress)
        self._to_fit, self._floor_waits, self._is_late = True, False, False
        self._stood: tuple[float, ...] = ()
        self.is_own = False
        """Whether people have chosen themselves from where they look; then nothing but `fit` frames the scene."""
        self.course: tuple[Array, Array] | None = None
        self._on_screen, self._framings = OnScreen(), Framed()
        self._framed: tuple[Array, tuple[object, ...]] | None = None
        """Which course was framed last, and how."""

    def make(self) -> tuple[Stage, Screen] | None:
        """Make what draws, once: it takes a fifth of a second that the first page has no use for."""
        while self._made is None and self._make_part():
            pass
        return self._made

    def make_ahead(self) -> None:
        """Make what draws, and begin with graphics, before anybody waits for it: each part in a turn of its own."""
        if self._make_part():
            self._ahead.start()

    def canvas(self) -> Canvas | None:
        """What others may draw on while this is not seen; None where a part of it has been made just now."""
        return None if self._make_part() else self._canvas

    def _make_part(self) -> bool:
        """Make the next part of what draws; tells whether there was one left."""
        if self.excuse or self.is_closed:
            return False
        if self._canvas is None:
            from app.scene.canvas import Canvas

            self._canvas = Canvas()
            return True
        if self._made is None:
            from app.scene.screen import Screen
            from app.scene.stage import Stage

            stage = Stage(self.theme, waits_for_skins=False)
            stage.visibility.surroundings, stage.sees_past = self.surroundings, self.sees_past
            screen = Screen(stage, self, self._canvas)
            screen.set_quality(self.quality)
            screen.at_rest = self._lay_floor
            screen.waits = lambda: self._tailor.is_busy
            self._made = stage, screen
            return True
        return not self._made[1].drawn and self._canvas.begin()

    @property
    def _stage(self) -> Stage | None:
        made = self._whole()
        return None if made is None else made[0]

    def _whole(self) -> tuple[Stage, Screen] | None:
        """What draws, with another project on the stage."""
        made = self.make()
        if self._is_late:
            self._is_late = False
            if made is not None:
                made[0].show(self._project)
            self.course = None
            self.look("iso")
            self.is_own = False
        return made

    @property
    def picture(self) -> Screen | None:
        """The picture; None where nothing can be drawn."""
        made = self._whole()
        return None if made is None else made[1]

    def lay_ahead(self) -> None:
        """Lay out what the next picture shows, before it is drawn."""
        if self.picture is not None:
            if self._to_fit:
                self._fit_now()
            self.picture.lay_ahead()

    def draw_ahead(self) -> None:
        """Draw the next picture before it is painted."""
        if self.picture is not None:
            self.picture.draw_ahead()

    def set_quality(self, quality: Quality) -> None:
        """Choose between speed and smoothness."""
        self.quality = quality
        if self._made is not None:
            self._made[1].set_quality(quality)

    def see_past(self, on: bool) -> None:
        """Choose whether what stands before people in a run is half seen through."""
        self.sees_past = on
        if self._made is not None:
            self._made[0].sees_past = on
            self.refresh()

    def redraw(self) -> None:
        """Draw in another window, as after another driver was asked for."""
        if self._made is not None:
            self._made[1].redraw()

    def show_project(self, project: Project) -> None:
        """Show another project as a whole, from the front right: once there is time, or as soon as anybody asks."""
        self._project, self._is_late = project, True
        if not (self.excuse or self.is_closed):
            self._tailor.ask(project)
        self.refresh()

    def is_ready(self) -> bool:
        """Whether all is made that takes long of what is to be shown."""
        return not self._tailor.is_busy

    def catch_up(self) -> None:
        """Put another project on the stage now."""
        self._whole()

    def update_project(self, project: Project) -> None:
        """Show a changed project, or another moment's, from where one looks; the floor follows at rest."""
        self.catch_up()
        self._project = project
        if self._stage is not None:
            self._update(project)
        self._refresh_quickly()

    @property
    def project(self) -> Project:
        """The project that is shown: the document's, or that of a run."""
        return self._project

    def camera(self) -> Any:
        """Where the scene is seen from; None where nothing can be drawn."""
        return None if self._stage is None else self._stage.camera

    def preview_project(self, project: Project) -> None:
        """Show how the project would be, quickly; the document is as it was."""
        if self._stage is not None:
            self._update(project)
            self._refresh_quickly()

    def _update(self, project: Project) -> None:
        """Put a changed project on the stage; skins of bodies that have changed follow."""
        assert self._stage is not None
        self._stage.update(project)
        self._floor_waits = True
        if self._stage.cast.waits:
            self._tailor.ask(project, REST_MS)
        else:
            self._tailor.drop()

    def _dress(self) -> None:
        """Show the skins that have been made."""
        if self._made is not None and not self._is_late:
            self._made[0].dress()
            self.refresh()

    @property
    def lens(self) -> Lens | None:
        """The present view as arithmetic; None where nothing can be drawn."""
        if self._stage is None:
            return None
        if self._to_fit:
            self._fit_now()
        return Lens(self._stage.camera, float(self.width()), float(self.height()))

    @property
    def _aspect(self) -> float:
        return self.width() / max(1, self.height())

    @property
    def _below(self) -> float:
        """The part of the height that something covers."""
        return self.covered_px / max(1, self.height())

    def frame(self, course: tuple[Array, Array] | None, side: tuple[float, float] | None) -> None:
        """Show all places of a run (n, 3) at once, the second of them clear of what is written, from a side or from where one looks.

        What people have chosen themselves stays. None for what stands still, which is seen as a whole.
        """
        self.course = course
        # what another project shows is not asked for before its turn
        if course is None or self.is_own or self._stage is None:
            return
        if side is not None:
            self._stage.camera.azimuth, self._stage.camera.elevation = side
        self._to_fit = not self.isVisible()
        framed = self._framed
        if self._to_fit or (framed and framed[0] is course[0] and framed[1] == self._seen_from()):
            # a mood that is left and found again looks at it as before
            return
        self._fit_now()
        self._framed = course[0], self._seen_from()
        self._refresh_quickly()

    def _seen_from(self) -> tuple[object, ...]:
        """From where one looks, through a view of which size, past what is written over it."""
        camera = self._stage.camera if self._stage is not None else None
        turned = (camera.azimuth, camera.elevation) if camera is not None else ()
        return (*self._stands(), *turned, self.width(), self.height(), self.written_over())

    def fitted(self, camera: OrbitCamera, course: tuple[Array, Array]) -> None:
        """Set a camera so that it shows the places of a run in this view."""
        boxes, keys = self.written_over()
        size = float(self.width()), float(self.height())
        self._framings.frame(camera, size, course, boxes, keys)

    def written_over(self) -> tuple[list[Box], list[Box]]:
        """What lies over the picture wherever one looks, and where the key may stand."""
        return [], []

    def in_course(self) -> Array:
        """The pixels (n, 2) at which people are seen over the run that is shown."""
        lens = self.lens
        if self.course is None or lens is None:
            return np.zeros((0, 2))
        return self._on_screen.pixels(self.course[0], lens)

    def _fit_now(self) -> None:
        if self._stage is not None:
            if self.course is not None:
                self.fitted(self._stage.camera, self.course)
            else:
                self._stage.fit(self._aspect, below=self._below)
            self._to_fit = False
            self._stood = self._stands()
            self.turned.emit()

    @property
    def stage(self) -> Any:
        """What is in the scene; None where nothing can be drawn."""
        return self._stage

    def looks(self) -> Visibility:
        """What is hidden, seen through and cut, or will be once another project is on the stage."""
        now = None if self._made is None else self._made[0].visibility
        if now is None or self._is_late:
            return Visibility(surroundings=(now or self).surroundings)
        return now

    def visibility(self) -> Visibility | None:
        """What is hidden, seen through and cut just now; None where nothing can be drawn."""
        return None if self._stage is None else self._stage.visibility.kept()

    def hold(self, places: Array) -> None:
        """Step back from where all is seen, if places (n, 3) lie outside of the picture."""
        # where all was seen all is to be seen, whatever came into the picture since
        if self._stage is not None and (self.sees_all() or self._stood == self._stands()):
            if self._to_fit:
                self._fit_now()
            if self._stage.hold(places, self._aspect, self._below):
                self._stood = self._stands()
                self.turned.emit()
                self._refresh_quickly()

    def _stands(self) -> tuple[float, ...]:
        """What one looks at, and from how far."""
        return (
            () if self._stage is None else (*self._stage.camera.target, self._stage.camera.distance)
        )

    def show_moment(self, playback: Moments, t: float) -> None:
        """Show an instant (s) of a run whose project is in the scene."""
        if self._stage is not None:
            self._floor_waits = False
            playback.show(self._stage, t)
            if self._made is not None:
                self._made[1].instant = t
            self._refresh_quickly()

    def instant_coming(self, t: float) -> float:
        """The instant (s) whose picture is painted next, where a run is at another one by now."""
        return t if self._made is None else self._made[1].coming

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.theme = theme
        if self._made is not None:
            self._made[0].set_theme(theme)
        self.refresh()

    def select(self, element: str, chosen: Sequence[str] = ()) -> None:
        """Mark the selected element, and the others that are chosen with it."""
        if self._is_late and element == PROJECT:
            # of another project nothing is selected
            return
        if self._stage is not None and self._stage.mark(selected=element, chosen=chosen):
            self._refresh_quickly()

    def look(self, view: View) -> None:
        """Look from a named side at everything."""
        if self._stage is not None:
            self._stage.camera.look(view)
        self.fit()
        self.is_own = True

    def fit(self, element: str = "") -> None:
        """Show everything, or one element."""
        self.is_own = bool(element)
        if self._stage is not None:
            if element or self.course is None:
                self._stage.fit(self._aspect, element, self._below)
            else:
                self.fitted(self._stage.camera, self.course)
            self._stood = () if element else self._stands()
            self._to_fit = not self.isVisible()
            self.turned.emit()
        self.refresh()

    def see_as(self, other: SceneView, with_camera: bool = True) -> None:
        """Look at what is shown, hidden and cut in another view, through its camera or one's own."""
        if self._stage is not None and other._stage is not None:
            if with_camera:
                self._to_fit, self._stage.camera = False, other._stage.camera
            if self._stage.visibility is not other._stage.visibility:
                self._stage.visibility = other._stage.visibility
                self._stage.show_again()

    def turn_along(self) -> None:
        """Draw again: another view has turned the camera that both have."""
        self._refresh_quickly()

    def sees_all(self) -> bool:
        """Whether one looks from so far that everything is seen."""
        return self._stage is not None and (
            self._to_fit or self._stage.sees_all(self._aspect, self._below)
        )

    def fit_when_painted(self) -> None:
        """Show everything in the room that there is by then."""
        self._to_fit = True
        self.refresh()

    def set_parallel(self, parallel: bool) -> None:
        """Choose parallel lines that stay parallel, or perspective."""
        if self._stage is not None:
            self._stage.camera.parallel = parallel
            self.turned.emit()
        self.refresh()

    def show_joints(self, visible: bool) -> None:
        """Show or hide the joints' markers."""
        if self._stage is not None:
            self._stage.show_joints(visible)
        self.refresh()

    def show_reaches(self, joints: tuple[str, ...], system: str) -> None:
        """Show what joints may do, and write it in a system of units."""
        if self._made is not None and self._made[0].overlays.reaches.show(joints, system):
            self.refresh()

    def refresh(self) -> None:
        """Draw again as soon as Qt paints."""
        if self._made is not None:
            self._made[1].refresh()

    def follow(self, on: bool) -> None:
        """Leave finer pictures until a run that goes on has ended."""
        if self._made is not None:
            self._made[1].follow(on)

    def flow(self, on: bool) -> None:
        """Let pictures that follow each other by themselves come as fast as they can, or no longer."""
        if self._made is not None:
            self._made[1].flow(on)

    def _refresh_quickly(self) -> None:
        """Draw again while things move."""
        if self._made is not None:
            self._made[1].refresh_quickly()

    def settle(self) -> None:
        """Draw finely here and now, as for a picture that is kept."""
        if self._stage is not None and self.picture is not None:
            # nobody is asked to look at it again once it is kept
            self._stage.dress(at_once=True)
            self._tailor.drop()
            self.picture.settle()
            self.update()

    def _lay_floor(self) -> bool:
        """Let the floor follow what has moved; tells whether it had to."""
        waited, self._floor_waits = self._floor_waits, False
        if waited and self._stage is not None:
            self._stage.lay_floor()
        return waited

    def pixel_of(self, element: str) -> QPointF | None:
        """The place in the widget at which an element's middle is seen."""
        lens = self.lens
        if self._stage is None or lens is None:
            return None
        place = self._stage.place_of(element)
        return None if place is None else QPointF(*lens.pixel(place))

    def element_at(self, at: QPointF) -> str:
        """Name the element that is seen at a place in the widget; empty for none."""
        lens = self.lens
        return "" if self._stage is None or lens is None else self._stage.pick(lens, at.x(), at.y())

    def close_graphics(self) -> None:
        """Give the graphics memory back; nothing can be drawn afterwards."""
        made, self._made, self.is_closed = self._made, None, True
        self._ahead.stop()
        self._tailor.drop()
        if made is not None:
            made[1].close()
        if self._canvas is not None:
            self._canvas.close()

    def paint_over(self, painter: QPainter) -> None:
        """Paint what lies over the picture and the axes."""

    @guard
    def paintEvent(self, _: QPaintEvent) -> None:
        """Paint the picture, the axes and what lies over them; or say why there is none."""
        with QPainter(self) as painter:
            made = self._whole()
            if made is None:
                around = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
                painter.drawText(self.rect().adjusted(32, 32, -32, -32), around, self.excuse)
                return
            if self._to_fit:
                self._fit_now()
            stage, picture = made
            picture.paint(painter)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_axes(painter, stage.camera.axes(), self.height(), self.theme)
            self.paint_over(painter)

    @guard
    def resizeEvent(self, _: QResizeEvent) -> None:
        """Draw for the new size; what is framed by itself is framed again."""
        if self.course is not None and not self.is_own:
            self._to_fit = True
        self._refresh_quickly()
