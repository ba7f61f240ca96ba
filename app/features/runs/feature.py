"""Solve, play and keep runs, and choose what is drawn beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from app import texts
from app.application import with_versions
from app.command import Command
from app.elements import element_label
from app.features.feature import Feature
from app.features.runs.cameras import MENU, CameraCommands
from app.features.runs.panel import RunsPanel
from app.features.runs.run_control import RunControl, SightBar, solving
from app.features.runs.timeline import Timeline
from app.jobs.task import Task
from app.panel import Panel
from app.run_view.keeping import Keeping
from app.run_view.lanes import Lane, lanes
from app.run_view.overlays import OVERLAYS, Overlays
from app.run_view.record import RunRecord
from app.scene.corners import NamePlate
from app.widgets.sheet import fit_beside
from app.workbench import Workbench
from solver import __version__
from solver.base.atomic import file_stem
from solver.base.boundary import Ended
from solver.base.words import msgid, tr
from solver.project.segments import GROUND
from solver.results import ResultsError, save_run

if TYPE_CHECKING:
    from app.features.runs.impacts_dialog import ImpactsDialog

_OVERLAYS = {
    "forces": (
        "Shift+F",
        msgid("Forces"),
        msgid("&Forces"),
        msgid(
            "Arrows of contacts, belts and airbags: 10 cm for 1 kN, twice as long for four times the force."
        ),
    ),
    "patches": (
        "Shift+U",
        msgid("Touching"),
        msgid("Contact patc&hes"),
        msgid("Where surfaces of a run touch: what the bodies' forms have in common there."),
    ),
    "loads": (
        "Shift+B",
        msgid("Loads"),
        msgid("Belt loads and bag pressure as c&olours"),
        msgid(
            "Webbing is coloured by its tension, discs by their axial load, bags by their pressure; a key tells how much."
        ),
    ),
    "start": (
        "Shift+S",
        msgid("Start"),
        msgid("Start pose as &ghost"),
        msgid("Draw the pose at the start of the run faintly."),
    ),
    "reach": (
        "Shift+I",
        msgid("Joint"),
        msgid("Reach of selected &joints"),
        msgid(
            "Axes of a selected joint, how far it goes freely, where its stops work, and a pointer where it stands."
        ),
    ),
}
"""What can be drawn beside a run: its key, the word on its button, title and tip."""
_STEPS: tuple[tuple[str, str, str, str, str, float], ...] = (
    ("shuttle_back", "J", msgid("Play &backwards, then faster"), msgid("Let time run back; each time faster."), "shuttle", -1),
    ("shuttle_hold", "K", msgid("Hol&d"), msgid("Hold the run at this instant."), "shuttle", 0),
    ("shuttle", "L", msgid("Play o&n, then faster"), msgid("Let time run on; each time faster."), "shuttle", 1),
    ("back", msgid("Left"), msgid("One frame &back"), msgid("Go back by one stored frame."), "step", -1),
    ("ahead", msgid("Right"), msgid("One frame &on"), msgid("Go on by one stored frame."), "step", 1),
    ("start", "Ctrl+Left", msgid("To the &start"), msgid("Go to the first instant of the run."), "go", 0.0),
    ("end", "Ctrl+Right", msgid("To the &end"), msgid("Go to the last instant of the run."), "go", 1e9),
)  # fmt: skip


class RunFeature(Feature):
    """Bring the list of runs, the timeline, and the corner from which runs are started."""

    name = "runs"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        run_view = self._run_view = bench.run_view
        self.keeping = Keeping(
            bench.document, run_view.runs, run_view.catalogue, run_view.turns, self
        )
        bench.commands.add(*solving(bench, self.ask_to_save, self.compare))
        self._add_playing()
        self._add_overlays()
        self.cameras = CameraCommands(bench)
        self.sights = SightBar(
            bench.viewport,
            [
                (tr(words), bench.commands.find(f"view.{name}"))
                for name, (_, words, _, _) in _OVERLAYS.items()
            ]
            + [(tr("Around"), bench.commands.find("view.around"))],
            lambda: bench.commands.context(*MENU),
        )
        self.control = RunControl(bench)
        self.timeline = Timeline(bench)
        self.panel = RunsPanel(run_view)
        self.plate = NamePlate(bench.viewport)
        self._lanes: WeakKeyDictionary[RunRecord, Sequence[Lane]] = WeakKeyDictionary()
        self._add_panels()
        self._connect()
        shown = {name: bench.settings.sight(name) for name in OVERLAYS}
        run_view.set_overlays(Overlays(**shown, system=bench.settings.units))

    def _add_panels(self) -> None:
        control, panels = self.control, self.bench.panels
        panels.add(
            Panel(
                "timeline",
                self.timeline,
                "under_scene",
                topic="guide#runs-and-playback",
                parts={"play": self.timeline.play},
            )
        )
        panels.add(
            Panel(
                "run_control",
                control,
                "corner",
                topic="guide#runs-and-playback",
                parts={
                    "run": control.run,
                    "live": control.live,
                    "model": control.moods["build"],
                    "understand": control.moods["understand"],
                },
            )
        )
        panels.add(
            Panel(
                "runs",
                self.panel,
                "below",
                tr("Runs"),
                tr("Every run with its status and main numbers"),
                go_to=(tr("&Runs"), tr("Go to the list of runs.")),
                topic="guide#keeping-runs",
                moods=("run",),
            )
        )

    def _connect(self) -> None:
        bench, run_view, panel = self.bench, self._run_view, self.panel
        self.timeline.chosen.connect(bench.document.select)
        bench.document.opened.connect(self.show_run)
        bench.document.changed.connect(lambda _: self.show_age())
        run_view.run_shown.connect(self.show_run)
        run_view.switched.connect(lambda _: self.show_run())
        run_view.switched.connect(lambda _: self._show_sights())
        run_view.switched.connect(lambda _: self._show_timeline())
        bench.mood_changed.connect(lambda _: self._show_timeline())
        self.timeline.hide()
        self.bench.sights_changed.connect(self._show_sights)
        run_view.failed.connect(self.tell_failed)
        panel.save_asked.connect(self.ask_to_save)
        panel.restore_asked.connect(self.restore)
        panel.delete_asked.connect(self.delete)
        panel.beside_asked.connect(bench.beside_asked)
        panel.report_asked.connect(bench.report_asked)
        bench.beside_changed.connect(panel.show_beside)
        self.keeping.said.connect(bench.notice.say)
        self.keeping.loaded.connect(self._on_loaded)
        self.keeping.reading.connect(self._on_reading)
        for part in (self.timeline, panel):
            bench.theme_changed.connect(part.set_theme)
        bench.units_changed.connect(self._show_units)

    def end(self) -> None:
        """Finish what is being written of kept runs."""
        self.keeping.close()

    def break_off(self, why: Ended) -> None:
        """Finish it, and keep the runs of a project that has no file: its work is kept as well."""
        self.keeping.close(gives_up=False)

    def show_run(self) -> None:
        """Show how far the current run is, and what happened in it."""
        run_view = self._run_view
        record = run_view.runs.current
        if record is None or run_view.replay is None:
            self.timeline.show_nothing(begins=record is not None)
        else:
            end = max(record.duration_s, run_view.player.end)
            self.timeline.show_run(
                end, run_view.own_end(), run_view.marks(), self._lanes_of(record)
            )
        self.show_age()

    def _lanes_of(self, record: RunRecord) -> Sequence[Lane]:
        """The states of a run's connectors, found once it has ended."""
        found = self._lanes.get(record)
        if found is None:
            found = _lanes(record)
            if record.has_ended:
                self._lanes[record] = found
        return found

    def _on_reading(self, reads: bool) -> None:
        """Say that a run is on its way, as long as there is none."""
        self.timeline.reads = self._run_view.runs.reads = reads
        if self._run_view.runs.current is None:
            self.show_run()

    def _on_loaded(self) -> None:
        """Show the run that came with a sample, and say what can be done with it."""
        record, history = self._run_view.runs.current, self.bench.document.history
        others = self._run_view.runs.records
        if record is None and others:
            text = tr("None of the runs kept is of this model as it is; F5 solves it, and Runs lists the others.")  # fmt: skip
            self.bench.say(text)
        if record is not None and record.stored:
            if not history.count():
                # who has begun to change the model goes on with that
                self._run_view.switch(True)
            text = tr("This sample comes with a run: Space plays it, F5 solves it again.")
            self.bench.say(" ".join(filter(None, (text, record.note))))

    def show_age(self) -> None:
        """Say in the scene and beside curves and figures whose they are, where that is another model."""
        run_view, record = self._run_view, self._run_view.runs.current
        is_old = record is not None and run_view.is_outdated(record)
        # an answer that is being replaced stands there for a moment
        is_others = is_old and not self.bench.live.is_pending
        self.plate.setVisible(is_others and run_view.is_on and not run_view.apart)
        words = ""
        if record is not None and is_others:
            self.plate.say(record.name, tr("of another model"))
            words = tr("Outdated: {name}. F5 solves.", name=record.name)
        self.bench.panels.remark(words)

    def compare(self) -> None:
        """Set the chosen runs beside each other; with none chosen, the last two."""
        chosen = self.panel.to_compare()
        self._run_view.compare(chosen if len(chosen) > 1 else self._ended()[-2:])

    def _is_over(self, name: str) -> bool:
        return bool(getattr(self._run_view.overlays, name))

    def toggle_overlay(self, name: str) -> None:
        """Show something beside runs, or no longer: 'forces', 'loads' or 'start'."""
        changed: Any = {name: (on := not self._is_over(name))}
        self._run_view.set_overlays(replace(self._run_view.overlays, **changed))
        self.bench.settings.keep_sight(name, on)
        self._show_sights()
        self.bench.commands.refresh()

    def _show_sights(self) -> None:
        """Show the buttons of what is seen beside a run while one is looked at."""
        self.sights.show_for(self._run_view.is_on)

    def _show_timeline(self) -> None:
        """Leave its room to the model while one builds and sees no run."""
        is_on = self._run_view.is_on or self.bench.panels.mood != "build"
        if is_on == self.timeline.isHidden():
            self.timeline.setVisible(is_on)

    def toggle_trail(self) -> None:
        """Draw the way of the selected segment, or no longer."""
        bench = self.bench
        name = bench.document.selection.partition("/")[2]
        on = self._run_view.toggle_trail(name)
        self._run_view.switch(True)
        text = element_label(bench.document.project, f"segments/{name}")
        bench.say(
            tr(
                "The way of {name} is drawn." if on else "The way of {name} is no longer drawn.",
                name=text,
            )
        )

    def ask_to_save(self, record: RunRecord | None) -> None:
        """Save the results of a run."""
        if record is None or record.trajectory is None or record.is_running:
            self.bench.say(tr("The run goes on; save it once it has ended."))
            return
        name = self.bench.ask_name(
            f"results of {record.name}",
            tr("Save the results"),
            f"{file_stem(record.name, 'run')}.h5",
            tr(texts.words.RESULTS_FILES),
        )
        if name:
            self.save(record, Path(name))

    def save(self, record: RunRecord, file: Path) -> Task:
        """Save the results of a run into a file, in the background."""
        run = record.trajectory
        assert run is not None
        return self.bench.write(file, lambda: save_run(run, file, __version__))

    def delete(self, records: Sequence[RunRecord]) -> None:
        """Delete runs, and offer to bring them back."""
        if not records:
            return
        own = [record for record in records if record.file is None]
        put_back = self.keeping.delete(records)
        words = (
            msgid("Deleted {names}.")
            if own
            else msgid("Took {names} from the list; the file stays.")
        )
        names = ", ".join(record.name for record in records)
        self.bench.notice.say(tr(words, names=names), (tr("Bring back"), put_back))

    def restore(self, record: RunRecord) -> None:
        """Make the model what it was in a run, as one step that can be undone."""
        self.bench.document.replace(
            record.project, tr("Take the model back from {name}", name=record.name)
        )

    def tell_failed(self, record: RunRecord) -> None:
        """Say why a run has failed, for as long as it takes to read it."""
        bench, solving = self.bench, record.solving
        details = solving.details if solving is not None else ""
        sentence = tr(texts.words.FAILED, name=record.name, why=record.message)
        if details:
            bench.explain(sentence, with_versions(details))
        else:
            bench.notice.say(sentence)

    def ride(self) -> None:
        """Let the camera go with the selected segment; with nothing selected, stand on the ground."""
        run_view, selection = self._run_view, self.bench.document.selection
        if run_view.replay is None:
            return
        kind, _, name = selection.partition("/")
        names = run_view.replay.motion.names
        rider = name if kind == "segments" and name in names else GROUND
        run_view.switch(True)
        run_view.ride(GROUND if run_view.replay.rider == rider else rider)
        where = run_view.replay.rider
        called = element_label(self.bench.document.project, f"segments/{where}")
        self.bench.say(
            tr("The camera goes with {name}.", name=called)
            if where != GROUND
            else tr("The camera stands on the ground.")
        )

    def list_impacts(self) -> ImpactsDialog:
        """List the impacts of the run that is seen."""
        from app.features.runs.impacts_dialog import ImpactsDialog

        dialog = ImpactsDialog(self.bench)
        dialog.setStyleSheet(self.bench.window.styleSheet())
        fit_beside(dialog)
        dialog.show()
        return dialog

    def _show_units(self, system: str) -> None:
        """Write loads in the units that are shown now."""
        self._run_view.set_overlays(replace(self._run_view.overlays, system=system))

    def _ended(self) -> list[RunRecord]:
        return [record for record in self._run_view.runs.records if record.has_ended]

    def _plays(self) -> bool:
        return self.bench.has_project() and self._run_view.replay is not None

    def _with_segment(self) -> bool:
        replay = self._run_view.replay
        kind, _, name = self.bench.document.selection.partition("/")
        return replay is not None and kind == "segments" and name in replay.motion.names

    def _add_playing(self) -> None:
        run_view = self._run_view
        self.bench.commands.add(
            Command(
                "run.play",
                tr("&Play or hold"),
                tr("Play the run in the scene, or hold it at this instant."),
                run_view.toggle_play,
                "Space",
                self._plays,
                choice="playback",
                in_scene=True,
            ),
            *(
                Command(
                    f"run.{name}",
                    tr(title),
                    tr(tip),
                    partial(getattr(run_view, do), by),
                    key,
                    self._plays,
                    choice="playback",
                    in_scene=True,
                )
                for name, key, title, tip, do, by in _STEPS
            ),
            Command(
                "run.impacts",
                tr("&Impacts…"),
                tr("List the impacts of the run: instants, impulses, energy lost, effective mass."),
                self.list_impacts,
                enabled=self._plays,
            ),
            Command(
                "run.ride",
                tr("Camera &goes with the selected segment"),
                tr("Let the camera follow a segment, so that it stands still in the picture."),
                self.ride,
                "Shift+C",
                self._plays,
            ),
        )

    def _add_overlays(self) -> None:
        bench, run_view = self.bench, self._run_view
        bench.commands.add(
            *(
                Command(
                    f"view.{name}",
                    tr(title),
                    tr(tip),
                    partial(self.toggle_overlay, name),
                    key,
                    bench.has_project,
                    is_on=partial(self._is_over, name),
                    choice="sights",
                )
                for name, (key, _, title, tip) in _OVERLAYS.items()
            ),
            Command(
                "view.trail",
                tr("&Trail of the selected segment"),
                tr("Draw the way of the segment's mass centre through the run."),
                self.toggle_trail,
                "Shift+T",
                self._with_segment,
                is_on=lambda: bench.document.selection.partition("/")[2] in run_view.trails,
                choice="sights",
            ),
        )


def _lanes(record: RunRecord) -> Sequence[Lane]:
    """The states of a run's connectors; none while it goes on, or where its file does not tell."""
    found = record.trajectory
    if found is None or record.is_running:
        return ()
    try:
        return lanes(record.project, found)
    except ResultsError:
        return ()
