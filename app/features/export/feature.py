"""Moving scenes for other programs."""

from __future__ import annotations

from pathlib import Path

from app import texts
from app.command import Command
from app.features.feature import Feature
from app.jobs.task import Task
from app.run_view.record import RunRecord
from app.workbench import Workbench
from solver.base.words import tr


class Export(Feature):
    """Ask where to, write, and report the end."""

    name = "export"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        bench.commands.add(
            Command(
                "run.scene",
                tr("Write the moving sc&ene…"),
                tr("Write glTF for viewers and slides, or VTKHDF for ParaView."),
                self.ask_for_scene,
                enabled=lambda: bench.has_project() and bench.run_view.replay is not None,
                choice="written",
            )
        )
        bench.commands.add(
            Command(
                "run.page",
                tr("Write a pa&ge to present…"),
                tr(
                    "Write one page that plays in any browser: the scene to turn, curves, what happened, injury figures."
                ),
                self.ask_for_page,
                "Shift+O",
                lambda: bench.has_project() and bench.run_view.replay is not None,
                choice="written",
            )
        )

    def ask_for_scene(self) -> None:
        """Write the moving scene of the current run for viewers and for ParaView."""
        if self._finished() is None:
            return
        name = self.bench.ask_name(
            "scene",
            tr("Write the moving scene"),
            "run.glb",
            tr("glTF, for viewers and slides (*.glb *.gltf);;VTKHDF, for ParaView (*.vtkhdf)"),
        )
        if name:
            self.scene(Path(name))

    def ask_for_page(self) -> None:
        """Write a page that plays the current run."""
        if self._finished() is None:
            return
        words = tr("Page for a browser (*.html)")
        name = self.bench.ask_name("page", tr("Write a page to present"), "presentation.html", words)  # fmt: skip
        if name:
            self.scene(Path(name))

    def scene(self, file: Path) -> Task | None:
        """Write the moving scene in the background; the status line reports its end."""
        run_view = self.bench.run_view
        record, replay = self._finished(), run_view.replay
        if record is None or replay is None or record.trajectory is None:
            return None
        run, rider = record.trajectory, replay.rider
        units, label, standards = self.bench.settings.units, record.name, run_view.judges.standards
        cameras = (
            run_view.cameras if run_view.is_keyed and file.suffix.lower() != ".vtkhdf" else None
        )

        around = self.bench.viewport.stage.visibility.surroundings

        def write() -> None:
            from app.features.export.saving import save_scene

            save_scene(
                record.project, run, file, rider,
                units=units, label=label, standards=standards, cameras=cameras, around=around,
            )  # fmt: skip

        return self.bench.write(file, write)

    def _finished(self) -> RunRecord | None:
        run_view = self.bench.run_view
        record = run_view.runs.current
        if run_view.playback is None or record is None or record.is_running:
            self.bench.say(tr(texts.words.NOTHING_TO_FILM))
            return None
        return record
