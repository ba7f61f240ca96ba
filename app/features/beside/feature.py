"""Two runs side by side: the current one, and another in a view of its own, at the same instants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from app.command import Command
from app.elements import PROJECT
from app.features.feature import Feature
from app.scene.cube import Cube
from app.scene.key_board import KeyBoard
from app.scene.name_plate import NamePlate
from app.scene.scale_bar import ScaleBar
from app.scene.tool import Tool
from app.study.playback import Playback
from app.study.record import RunRecord
from app.workbench import Workbench
from solver.project.segments import GROUND
from solver.words import tr

if TYPE_CHECKING:
    from app.scene.viewport import Viewport


class WayOut(Tool):
    """Close the second view by Esc, where nothing else has a use for that key."""

    def __init__(self, beside: Beside) -> None:
        self._beside = beside

    def wants(self, event: QKeyEvent) -> bool:
        """Keep Esc while two runs are seen and nothing is selected."""
        return event.key() == Qt.Key.Key_Escape and self._beside.may_leave()

    def typed(self, event: QKeyEvent) -> bool:
        """Close the second view."""
        if self.wants(event):
            self._beside.close()
            return True
        return False


class Beside(Feature):
    """Open and close the second view and keep it at what the first one shows."""

    name = "beside"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._study, self._views = bench.study, bench.views
        self.record: RunRecord | None = None
        self._playback: Playback | None = None
        self._before: RunRecord | None = None
        self._plates: tuple[NamePlate, NamePlate] | None = None
        self._bar: ScaleBar | None = None
        self._views.first.tools.append(WayOut(self))
        study = self._study
        study.shown.connect(self._show)
        study.run_shown.connect(self._look)
        study.runs.listed.connect(self._look)
        study.switched.connect(lambda _: self._look())
        bench.beside_asked.connect(self.ask)
        bench.commands.add(
            Command(
                "view.beside",
                tr("&Two runs side by side"),
                tr(
                    "See another run in a view of its own, at the same instants and from the same place."
                ),
                self.toggle,
                "Shift+D",
                lambda: bench.has_project() and (self.is_open or bool(self.others())),
                is_on=lambda: self.is_open,
            )
        )

    @property
    def is_open(self) -> bool:
        """Tell whether two runs are seen."""
        return self.record is not None

    def others(self) -> list[RunRecord]:
        """List the runs that can be seen beside the current one, the newest first."""
        runs = self._study.runs
        return [r for r in reversed(runs.records) if r is not runs.current and r.has_ended]

    def may_leave(self) -> bool:
        """Tell whether Esc closes the second view now."""
        return self.is_open and self.bench.document.selection in ("", PROJECT)

    def toggle(self) -> None:
        """See the current run beside the ghost, or beside the newest other run; or alone again."""
        if self.is_open:
            self.close()
            return
        others, ghost = self.others(), self._study.ghost
        if not others:
            self.bench.say(
                tr(
                    "There is no other run that has ended: run the model once more, or open results."
                )
            )
            return
        self.open(ghost if ghost in others and ghost is not None else others[0])

    def ask(self, record: RunRecord | None) -> None:
        """Open the view of a run; None closes it."""
        if record is None:
            self.close()
        else:
            self.open(record)

    def open(self, record: RunRecord) -> None:
        """See a run beside the current one."""
        study, bench = self._study, self.bench
        if record.trajectory is None or study.runs.current is None or bench.viewport.excuse:
            return
        study.switch(True)
        self.record, self._before = record, study.runs.current
        self._playback = Playback(record.project, record.trajectory)
        view = self._opened()
        self._scale_alike()
        if study.ghost is record:
            # it is seen in a view of its own now
            study.set_ghost(None)
        view.update_project(record.project)
        view.stage.lay_floor()
        view.select(bench.document.selection, bench.document.chosen)
        study.set_second(record)
        study.look_again()
        self._name()
        bench.say(
            tr(
                "{name} is seen beside the current run, at the same instants; Esc closes it.",
                name=record.name,
            )
        )
        bench.commands.refresh()
        bench.beside_changed.emit(record)

    def close(self) -> None:
        """See the current run alone."""
        if not self.is_open:
            return
        self.record = self._playback = self._before = self._bar = None
        self._scale_alike()
        self._study.set_second(None)
        self._study.look_again()
        for plate in self._plates or ():
            plate.setParent(None)
            plate.deleteLater()
        self._plates = None
        saw_all = self._views.first.sees_all()
        self._views.close_second()
        if saw_all:
            self._views.first.fit_when_painted()
        self.bench.commands.refresh()
        self.bench.beside_changed.emit(None)

    def _opened(self) -> Viewport:
        """Open the second view with its tools, and a plate in each."""
        views = self._views
        is_new, saw_all = views.second is None, views.first.sees_all()
        view = views.open_second()
        if is_new:
            self._bar = ScaleBar(view)
            board = KeyBoard(view)
            board.only_tags = True
            view.tools = [board, self._bar, Cube(view), WayOut(self)]
            view.clicked.connect(self.bench.choose)
            self._plates = (NamePlate(views.first), NamePlate(view, closes=True))
            self._plates[1].closed.connect(self.close)
            if saw_all:
                views.first.fit_when_painted()
        return view

    def _look(self) -> None:
        """Follow what is current, listed and looked at now."""
        record, runs, second = self.record, self._study.runs, self._views.second
        if record is None or second is None or self._plates is None:
            return
        if record not in runs.records or runs.current is None:
            self.close()
            return
        if runs.current is record:
            # the other run has been chosen: they change places
            if self._before in runs.records and self._before is not None:
                self.open(self._before)
            else:
                self.close()
            return
        self._before = runs.current
        self._scale_alike()
        second.setVisible(self._study.is_on)
        self._name()

    def _scale_alike(self) -> None:
        """Let colours mean the same in both views."""
        first, second = self._study.playback, self._playback
        if first is not None:
            first.scaled_with = second
        if second is not None:
            second.scaled_with = first

    def _show(self, t: float) -> None:
        """Show the same instant, dressed and seen as the first view."""
        study, view, playback = self._study, self._views.second, self._playback
        if view is None or playback is None or study.playback is None:
            return
        playback.overlays, playback.trails = study.overlays, study.trails
        rider, turns_too = study.playback.replay.rider, study.playback.replay.turns_too
        rider = rider if rider in playback.replay.motion.names else GROUND
        if (rider, turns_too) != (playback.replay.rider, playback.replay.turns_too):
            playback.ride(rider, turns_too)
        if self._bar is not None:
            self._bar.system = study.overlays.system
        self._views.align()
        view.show_moment(playback, t)
        self._name()

    def _name(self) -> None:
        """Write on both plates which run it is, and where it has ended before the instant."""
        study = self._study
        if self._plates is None or self.record is None or study.runs.current is None:
            return
        ends = (study.playback, self._playback)
        for plate, record, playback in zip(self._plates, (study.runs.current, self.record), ends, strict=True):  # fmt: skip
            end = playback.replay.motion.end if playback is not None else 0.0
            over = study.player.time > end + 1e-9
            plate.say(record.name, tr("ended at {ms:.4g} ms", ms=1e3 * end) if over else "")
            plate.setVisible(study.is_on)
