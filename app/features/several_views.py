"""Several views of one run or model at once, each with a camera of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton, QWidget

from app.command import Command
from app.elements import element_label
from app.features.feature import Feature
from app.history import Change
from app.jobs.turns import Turns
from app.scene.corners import Cube, KeyBoard, NamePlate, ScaleBar
from app.scene.lens import OrbitCamera, View
from app.scene.viewport import MOST, Viewport
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.words import msgid, tr
from solver.project import Project
from solver.project.segments import GROUND

if TYPE_CHECKING:
    from app.run_view.playback import Playback

_SIDES: tuple[tuple[View, str], ...] = (
    ("iso", msgid("Oblique")),
    ("front", msgid("Front")),
    ("side", msgid("Right")),
    ("left", msgid("Left")),
    ("top", msgid("Top")),
    ("back", msgid("Rear")),
    ("bottom", msgid("Below")),
)
_FIRST = ("", "front", "side", "top")
"""How views look that are opened: the first as it is, then right of it, below it, and right of that."""
_FOLLOW = "follow:"
_SAME_RAD = 1e-6
_ABOUT = 2.5
"""So many times farther than would fill the view one follows a segment."""


class Angle:
    """How one view looks: from where people turn it, from a side, or along with a segment."""

    def __init__(self, view: Viewport) -> None:
        self.view = view
        self.followed = ""
        self.is_first = False
        self._was: Any = None
        """Where what is followed was last."""
        self._is_near = False

    def show(self, stage: Any, t: float) -> None:
        """Show an instant (s) of what plays."""
        self.playback.show(stage, t, through_keys=False)
        self.go_along(stage)

    playback: Playback
    """What plays."""

    def go_along(self, stage: Any) -> None:
        """Keep beside what is followed."""
        placed = stage.pose.get(self.followed) if self.followed else None
        if placed is None:
            self._was = None
            return
        at = placed.p_W
        if self._was is not None:
            stage.camera.target = stage.camera.target + (at - self._was)
        elif not self._is_near:
            stage.fit(1.0, f"segments/{self.followed}")
            stage.camera.distance *= _ABOUT
            self._is_near = True
        else:
            stage.camera.target = np.array(at)
        self._was = np.array(at)

    def follow(self, segment: str) -> None:
        """Go with a segment, level, whatever way one looks."""
        self.followed, self._was, self._is_near = segment, None, False
        self.view.is_own = True
        self.go_along(self.view.stage)
        self.view.refresh()

    def look(self, side: View) -> None:
        """Look from a side at everything."""
        self.followed = ""
        self.view.stage.camera.look(side)
        self.view.fit()

    @property
    def said(self) -> str:
        """How it looks, as it is kept."""
        if self.followed:
            return f"{_FOLLOW}{self.followed}"
        camera = self.view.camera()
        return "" if camera is None else side_of(camera)

    def take(self, said: str) -> None:
        """Look as it was kept; from a side where what was followed is not there."""
        segment = said.removeprefix(_FOLLOW)
        if segment != said:
            if segment in self.view.stage.pose:
                self.follow(segment)
                return
            said = "iso"
        if said in dict(_SIDES):
            self.look(said)
        elif not self.is_first:
            self.look("iso")


def side_of(camera: OrbitCamera) -> str:
    """Name the side from which a camera looks; empty for none of those that have a name."""
    other = OrbitCamera(camera.up)
    for side, _ in _SIDES:
        other.look(side)
        turn = math.remainder(camera.azimuth - other.azimuth, 2.0 * math.pi)
        if abs(turn) + abs(camera.elevation - other.elevation) < _SAME_RAD:
            return side
    return ""


class ViewPlate(QFrame):
    """Say from where a view looks, and offer other ways; another view than the first can be closed."""

    closed = Signal()

    def __init__(self, over: Viewport, menu: QMenu, closes: bool) -> None:
        super().__init__(over)
        with_properties(self, objectName="floating")
        self.setAccessibleName(tr("From where this view looks"))
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 4, 0)
        row.setSpacing(2)
        self.button = _quiet(
            tr("From where this view looks: a side, or along with the selected segment")
        )
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setMenu(menu)
        menu.setParent(self.button, menu.windowFlags())
        row.addWidget(self.button)
        if closes:
            self.cross = _quiet(tr("Close this view"))
            self.cross.setText("✕")
            self.cross.clicked.connect(self.closed)
            row.addWidget(self.cross)
        self.setFixedHeight(28)
        self.show()

    def say(self, words: str) -> None:
        """Write from where, and stand below whatever name stands there."""
        if words != self.button.text():
            self.button.setText(words)
            self.button.setAccessibleName(tr("This view: {side}", side=words))
            self.adjustSize()
        over = cast("QWidget", self.parent())
        names = [one for one in over.findChildren(NamePlate) if one.isVisibleTo(over)]
        at = QPoint(12, max((one.geometry().bottom() + 7 for one in names), default=12))
        if at != self.pos():
            self.move(at)


def _quiet(tip: str) -> QToolButton:
    button = with_properties(QToolButton(), objectName="quiet", toolTip=tip)
    button.setAccessibleName(tip)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


class SeveralViews(Feature):
    """Open and close views of what the first one shows, and keep them at it."""

    name = "views"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._views, self._turns = bench.views, Turns(self)
        self.angles: list[Angle] = []
        self._plates: list[ViewPlate] = []
        self._bars: list[ScaleBar] = []
        run_view = bench.run_view
        bench.views.looks_asked.connect(self.see)
        bench.document.opened.connect(self._on_opened)
        bench.document.changed.connect(self._on_changed)
        bench.document.selected.connect(lambda _: self._say())
        bench.viewport.previewed.connect(self._preview)
        run_view.shown.connect(self._show)
        run_view.switched.connect(self._on_switched)
        run_view.run_shown.connect(self._frame)
        bench.commands.add(
            *(
                Command(
                    f"view.views_{name}",
                    tr(title),
                    tr(tip),
                    partial(self.toggle, count),
                    key,
                    lambda: bench.has_project() and not bench.viewport.excuse,
                    is_on=partial(self._is_open, count),
                    choice="look",
                )
                for name, count, key, title, tip in (
                    ("two", 2, "Alt+Q", msgid("T&wo views"), msgid("See the run or the model from two sides at once, each with a camera of its own.")),
                    ("four", MOST + 1, "Shift+Q", msgid("Fo&ur views"), msgid("See the run or the model from four sides at once, each with a camera of its own.")),
                )
            ),
            Command(
                "view.follow_here",
                tr("View follows the selected seg&ment"),
                tr("Let the view that has the keyboard go with the selected segment, without turning with it."),
                lambda: self.follow(self._in_hand()),
                "",
                lambda: bool(self.angles) and self._segment() != GROUND,
                choice="look",
            ),
        )  # fmt: skip

    def toggle(self, count: int) -> None:
        """See so many views, or one alone again."""
        self.see(() if self._is_open(count) else _FIRST[:count])

    def see(self, looks: Sequence[str]) -> None:
        """See views that look so, the first in front; without any there is one."""
        bench, count = self.bench, min(len(looks), MOST + 1)
        if bench.viewport.excuse or not bench.has_project() or (count < 2 and not self.angles):
            return
        if count > 1 and not self.angles:
            # runs side by side have the other views
            bench.beside_asked.emit(None)
            bench.run_view.split(True)
        views = self._views
        if count < 2:
            self._close_all()
            return
        views.looks = tuple(looks[:count])
        views.open_beside(count - 1)
        del self.angles[count:], self._plates[count:], self._bars[count - 1 :]
        for view in views.all[len(self.angles) :]:
            self._dress(view)
        for angle in self.angles[1:]:
            self._fill(angle)
        for angle, look in zip(self.angles, looks, strict=False):
            angle.take(look)
        if bench.run_view.is_on:
            bench.run_view.look_again()
        bench.viewport.fit_when_painted()
        self._frame()
        bench.say(tr("Each view has a camera of its own; the button in its corner says from where it looks."))  # fmt: skip
        self._say()
        bench.commands.refresh()

    def follow(self, angle: Angle) -> None:
        """Let a view go with the selected segment."""
        if self._segment() != GROUND:
            angle.follow(self._segment())
            self._say()

    def _close_all(self) -> None:
        for plate in self._plates[:1]:
            plate.setParent(None)
            plate.deleteLater()
        self.angles, self._plates, self._bars = [], [], []
        self._views.looks = ()
        self._views.open_beside(0)
        self.bench.run_view.split(False)
        self.bench.viewport.fit_when_painted()
        self.bench.commands.refresh()

    def _close(self, angle: Angle) -> None:
        self.see([one.said for one in self.angles if one is not angle])

    def _dress(self, view: Viewport) -> None:
        """Give a view its plate, and another than the first what lies over it."""
        angle = Angle(view)
        angle.is_first = view is self._views.first
        if not angle.is_first:
            bar, board = ScaleBar(view), KeyBoard(view)
            board.only_tags = True
            view.tools = [board, bar, Cube(view)]
            view.clicked.connect(self.bench.choose)
            view.tells = self._views.first.tells
            self._bars.append(bar)
        plate = ViewPlate(view, self._menu(angle), closes=not angle.is_first)
        plate.closed.connect(partial(self._close, angle))
        view.turned.connect(self._say)
        self.angles.append(angle)
        self._plates.append(plate)

    def _menu(self, angle: Angle) -> QMenu:
        menu = QMenu()

        def fill() -> None:
            menu.clear()
            for side, words in _SIDES:
                entry = menu.addAction(tr(words))
                entry.setCheckable(True)
                entry.setChecked(angle.said == side)
                entry.triggered.connect(lambda _=False, side=side: self._look(angle, side))
            menu.addSeparator()
            segment = self._segment()
            name = element_label(self._project(), f"segments/{segment}")
            words = tr("Follow {name}", name=name) if segment != GROUND else tr("Follow the selected segment")  # fmt: skip
            entry = menu.addAction(words)
            entry.setEnabled(segment != GROUND)
            entry.setCheckable(True)
            entry.setChecked(segment != GROUND and angle.followed == segment)
            entry.triggered.connect(lambda _=False: self.follow(angle))

        menu.aboutToShow.connect(fill)
        return menu

    def _look(self, angle: Angle, side: View) -> None:
        angle.look(side)
        self._say()

    def _say(self) -> None:
        """Write on each plate from where one looks there, and keep it for workspaces."""
        if not self.angles or not self._plates:
            return
        words = dict(_SIDES)
        for angle, plate in zip(self.angles, self._plates, strict=True):
            if angle.followed:
                name = element_label(self._project(), f"segments/{angle.followed}")
                plate.say(tr("Follows {name}", name=name))
            else:
                plate.say(tr(words.get(cast("View", angle.said), msgid("Turned"))))
        self._views.looks = tuple(one.said for one in self.angles)

    def _fill(self, angle: Angle) -> None:
        """Show in a view what the first one shows."""
        document, view = self.bench.document, angle.view
        view.update_project(self._project())
        view.set_parallel(self._views.first.stage.camera.parallel)
        view.see_as(self._views.first, with_camera=False)
        view.stage.lay_floor()
        view.select(document.selection, document.chosen)

    def _project(self) -> Project:
        run_view = self.bench.run_view
        replay = run_view.replay if run_view.is_on else None
        return self.bench.document.project if replay is None else replay.project

    def _show(self, t: float) -> None:
        """Show the instant of the first view in the others."""
        playback = self.bench.run_view.playback
        if playback is None or not self.angles:
            return
        self._views.align()
        system = self.bench.run_view.overlays.system
        for bar in self._bars:
            bar.system = system
        for angle in self.angles[1:]:
            angle.playback = playback
            angle.view.show_moment(angle, t)
        if self.angles[0].followed:
            self.angles[0].go_along(self._views.first.stage)

    def _frame(self) -> None:
        """Have all of a run in the views that are at a side, as the first has."""
        course = self._views.first.course if self.bench.run_view.is_on else None
        for angle in self.angles[1:]:
            if not angle.followed:
                angle.view.frame(course, None)
        self._say()

    def _on_switched(self, on: bool) -> None:
        """Show the model, or the model of the run, in all views."""
        for angle in self.angles[1:]:
            angle.view.update_project(self._project())
        if not on:
            self._frame()

    def _on_changed(self, change: Change) -> None:
        if self.angles and not self.bench.run_view.is_on:
            for angle in self.angles[1:]:
                angle.view.update_project(change.after)

    def _preview(self, project: Project) -> None:
        for angle in self.angles[1:]:
            angle.view.preview_project(project)

    def _on_opened(self) -> None:
        """Show another project in all views, each in a turn of its own."""
        self._turns.clear()
        looks = self._views.looks
        for number, angle in enumerate(self.angles):
            self._turns.add(partial(self._begin, angle, looks[number]))

    def _begin(self, angle: Angle, look: str) -> None:
        if angle in self.angles:
            if not angle.is_first:
                self._fill(angle)
            angle.take(look)
            self._say()

    def _segment(self) -> str:
        """The selected segment; the ground for none."""
        kind, _, name = self.bench.document.selection.partition("/")
        return name if kind == "segments" else GROUND

    def _in_hand(self) -> Angle:
        view = self._views.in_hand
        return next(one for one in self.angles if one.view is view)

    def _is_open(self, count: int) -> bool:
        return len(self.angles) == count

    def end(self) -> None:
        """Let nothing follow: the window is being closed."""
        self._turns.clear()
        self.angles, self._plates = [], []
