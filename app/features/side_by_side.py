"""Runs side by side: the current one, and up to three others in views of their own, at the same instants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from app.command import Command
from app.elements import PROJECT
from app.features.feature import Feature
from app.run_view.record import RunRecord
from app.scene.corners import Cube, KeyBoard, NamePlate, ScaleBar
from app.scene.tool import Tool
from app.scene.viewport import MOST
from app.workbench import Workbench
from solver.base.words import tr
from solver.project.segments import GROUND

if TYPE_CHECKING:
    from app.run_view.playback import Playback
    from app.scene.viewport import Viewport


@dataclass(eq=False, slots=True)
class Other:
    """A run beside the current one, its view, and what lies over that."""

    view: Viewport
    plate: NamePlate
    bar: ScaleBar
    record: RunRecord
    playback: Playback


class CloseOnEscape(Tool):
    """Close the other views by Esc, where nothing else has a use for that key."""

    def __init__(self, beside: SideBySide) -> None:
        self._beside = beside

    def wants(self, event: QKeyEvent) -> bool:
        """Keep Esc while several runs are seen and nothing is selected."""
        return event.key() == Qt.Key.Key_Escape and self._beside.may_leave()

    def typed(self, event: QKeyEvent) -> bool:
        """Close the other views."""
        if self.wants(event):
            self._beside.close()
            return True
        return False


class SideBySide(Feature):
    """Open and close the other views and keep them at what the first one shows."""

    name = "beside"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._run_view, self._views = bench.run_view, bench.views
        self.shown: list[Other] = []
        self._before: RunRecord | None = None
        self._plate: NamePlate | None = None
        self._views.first.tools.append(CloseOnEscape(self))
        run_view = self._run_view
        run_view.shown.connect(self._show)
        run_view.run_shown.connect(self._look)
        run_view.runs.listed.connect(self._look)
        run_view.switched.connect(lambda _: self._look())
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
                is_on=lambda: len(self.shown) == 1,
            ),
            Command(
                "view.beside_four",
                tr("Fou&r runs side by side"),
                tr(
                    "See up to three more runs, those that are compared or else the newest, each in a view of its own, at the same instants."
                ),
                self.toggle_four,
                "Alt+Shift+D",
                lambda: bench.has_project() and (self.is_open or len(self.others()) > 1),
                is_on=lambda: len(self.shown) > 1,
            ),
        )

    @property
    def is_open(self) -> bool:
        """Whether several runs are seen."""
        return bool(self.shown)

    @property
    def record(self) -> RunRecord | None:
        """The first run beside the current one."""
        return self.shown[0].record if self.shown else None

    @property
    def plates(self) -> tuple[NamePlate, ...]:
        """The plates of all views, the first one's in front."""
        return (*((self._plate,) if self._plate else ()), *(one.plate for one in self.shown))

    def others(self) -> list[RunRecord]:
        """List the runs that can be seen beside the current one, the newest first."""
        runs = self._run_view.runs
        return [r for r in reversed(runs.records) if r is not runs.current and r.has_ended]

    def may_leave(self) -> bool:
        """Whether Esc closes the other views now."""
        return self.is_open and self.bench.document.selection in ("", PROJECT)

    def toggle(self) -> None:
        """See the current run beside the ghost, or beside the newest other run; or alone again."""
        if self.is_open:
            self.close()
            return
        others, ghost = self.others(), self._run_view.ghost
        if not others:
            self.bench.say(
                tr(
                    "There is no other run that has ended: run the model once more, or open results."
                )
            )
            return
        self.open(ghost if ghost in others and ghost is not None else others[0])

    def toggle_four(self) -> None:
        """See the current run with those it is compared with, or else the newest; or alone again."""
        if len(self.shown) > 1:
            self.close()
            return
        compared, others = self._run_view.compared, self.others()
        wanted = [one for one in others if one in compared] or others
        self.see(wanted[:MOST])

    def ask(self, record: RunRecord | None) -> None:
        """Open the view of a run; None closes it."""
        if record is None:
            self.close()
        else:
            self.open(record)

    def open(self, record: RunRecord) -> None:
        """See one run beside the current one."""
        self.see([record])

    def see(self, records: Sequence[RunRecord]) -> None:
        """See runs beside the current one, each in a view of its own."""
        run_view, bench = self._run_view, self.bench
        ready = all(record.trajectory is not None for record in records)
        if not (records and ready) or run_view.runs.current is None or bench.viewport.excuse:
            return
        # views of one run give way
        bench.views.looks_asked.emit(())
        run_view.switch(True)
        self._before = run_view.runs.current
        self._open_views(records)
        self._scale_alike()
        if run_view.ghost in records:
            # it is seen in a view of its own now
            run_view.set_ghost(None)
        for one in self.shown:
            one.view.update_project(one.record.project)
            one.view.stage.lay_floor()
            one.view.select(bench.document.selection, bench.document.chosen)
        run_view.set_apart(records)
        run_view.look_again()
        self._name()
        if len(records) == 1:
            words = tr("{name} is seen beside the current run, at the same instants; Esc closes it.", name=records[0].name)  # fmt: skip
        else:
            words = tr("{n} runs are seen beside the current one, at the same instants; Esc closes them.", n=len(records))  # fmt: skip
        bench.say(words)
        bench.commands.refresh()
        bench.beside_changed.emit(records[0])

    def close(self, closed: Other | None = None) -> None:
        """See the others without one of them, or the current run alone."""
        if not self.is_open:
            return
        left = [one.record for one in self.shown if closed is not None and one is not closed]
        if left:
            self.see(left)
            return
        saw_all = self._views.first.sees_all()
        self.shown, self._before = [], None
        self._scale_alike()
        self._run_view.set_apart(())
        self._run_view.look_again()
        if self._plate is not None:
            self._plate.setParent(None)
            self._plate.deleteLater()
        self._plate = None
        self._views.open_beside(0)
        if saw_all:
            self._views.first.fit_when_painted()
        self.bench.commands.refresh()
        self.bench.beside_changed.emit(None)

    def _open_views(self, records: Sequence[RunRecord]) -> None:
        """Give each run a view with its tools and a plate."""
        views = self._views
        saw_all, before = views.first.sees_all(), len(views.others)
        views.open_beside(len(records))
        if self._plate is None:
            self._plate = NamePlate(views.first)
        del self.shown[len(records) :]
        for n, (view, record) in enumerate(zip(views.others, records, strict=True)):
            from app.run_view.playback import Playback

            playback = Playback(record.project, record.trajectory)  # type: ignore[arg-type]
            if n < len(self.shown):
                self.shown[n].record, self.shown[n].playback = record, playback
                continue
            bar, board = ScaleBar(view), KeyBoard(view)
            board.only_tags = True
            view.tools = [board, bar, Cube(view), CloseOnEscape(self)]
            view.clicked.connect(self.bench.choose)
            one = Other(view, NamePlate(view, closes=True), bar, record, playback)
            one.plate.closed.connect(lambda one=one: self.close(one))
            self.shown.append(one)
        if saw_all and len(records) != before:
            views.first.fit_when_painted()

    def _look(self) -> None:
        """Follow what is current, listed and looked at now."""
        runs = self._run_view.runs
        if not self.shown:
            return
        records = [one.record for one in self.shown]
        left = [one for one in records if one in runs.records]
        if runs.current in left:
            # another one of them has been chosen: they change places
            before = (self._before,) if self._before in runs.records and self._before else ()
            at = left.index(runs.current)
            left[at : at + 1] = [one for one in before if one not in left]
        if not left or runs.current is None:
            self.close()
            return
        if left != records:
            self.see(left)
            return
        self._before = runs.current
        self._scale_alike()
        self._views.show_others(self._run_view.is_on)
        self._name()

    def _scale_alike(self) -> None:
        """Let colours mean the same in all views."""
        first = self._run_view.playback
        all_ = [*([first] if first is not None else []), *(one.playback for one in self.shown)]
        for playback in all_:
            playback.scaled_with = tuple(one for one in all_ if one is not playback)

    def _show(self, t: float) -> None:
        """Show the same instant, dressed and seen as the first view."""
        run_view = self._run_view
        if run_view.playback is None or not self.shown:
            return
        wanted, turns_too = run_view.playback.replay.rider, run_view.playback.replay.turns_too
        self._views.align()
        for one in self.shown:
            playback = one.playback
            playback.overlays, playback.trails = run_view.overlays, run_view.trails
            playback.joints = run_view.playback.joints
            rider = wanted if wanted in playback.replay.motion.names else GROUND
            if (rider, turns_too) != (playback.replay.rider, playback.replay.turns_too):
                playback.ride(rider, turns_too)
            one.bar.system = run_view.overlays.system
            one.view.show_moment(playback, t)
        self._name()

    def _name(self) -> None:
        """Write on all plates which run it is, and where it has ended before the instant."""
        run_view, current = self._run_view, self._run_view.runs.current
        if self._plate is None or current is None:
            return
        rows = [(self._plate, current, run_view.playback)]
        rows += [(one.plate, one.record, one.playback) for one in self.shown]
        for plate, record, playback in rows:
            end = playback.replay.motion.end if playback is not None else 0.0
            over = run_view.player.time > end + 1e-9
            plate.say(record.name, tr("ended at {ms:.4g} ms", ms=1e3 * end) if over else "")
            plate.setVisible(run_view.is_on)
