"""The bench of dummies: run their tests, see them, open their scenes, save their certificates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.command import Command
from app.features.certify.testing import Testing
from app.features.feature import Feature
from app.workbench import Workbench
from solver.base.words import tr
from solver.studies.bench.table import bench_tests

if TYPE_CHECKING:
    from app.features.certify.dialog import CertifyDialog
    from solver.project import Project


class Certify(Feature):
    """Open the bench; what its tests gave stays until the window is closed."""

    name = "certify"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.testing = Testing(self)
        self.testing.failed.connect(bench.tell_failed)
        self.dialog: CertifyDialog | None = None
        bench.commands.add(
            Command(
                "run.certify",
                tr("Certif&y a dummy…"),
                tr("Run the bench tests of a crash test dummy, and save its certificate."),
                self.open,
                "Ctrl+T",
            )
        )

    def open(self) -> CertifyDialog:
        """Open the bench, or bring it to the front."""
        from app.features.certify.dialog import CertifyDialog

        if self.dialog is not None:
            self.dialog.raise_()
            self.dialog.activateWindow()
            return self.dialog
        dialog = self.dialog = CertifyDialog(self.bench, self.testing)
        dialog.scene_asked.connect(self.open_scene)
        dialog.fits_asked.connect(self.open_fits)
        dialog.save_asked.connect(self.ask_where)
        dialog.finished.connect(self._on_finished)
        dialog.show()
        return dialog

    def open_scene(self, dummy: str, n: int) -> None:
        """Show a test's scene as a new model; unsaved work stays in its own window."""
        from solver.bodies.dummies import dummy as body_of
        from solver.studies.bench.fixtures import scene

        project = scene(bench_tests(dummy)[n], body_of(dummy))
        free = self._adopt(project)
        free.say(tr("{title} is a model of its own now: F5 runs the test.", title=project.title))

    def open_fits(self, dummy: str) -> None:
        """Show a dummy with the studies that its numbers were fitted by, as a new model."""
        from solver.bodies.dummies import dummy_file

        project = dummy_file(dummy)
        free = self._adopt(project)
        free.panels.open("studies")
        free.say(tr("{title} is a model of its own now, with its fits as studies.", title=project.title))  # fmt: skip

    def _adopt(self, project: Project) -> Workbench:
        """Open a model in place of the dialog; unsaved work stays in its own window."""
        if self.dialog is not None:
            self.dialog.close()
        bench = self.bench
        free = bench.another() if bench.document.has_unsaved_work else bench
        free.document.adopt(project)
        return free

    def ask_where(self, dummy: str) -> None:
        """Ask where a certificate shall stand, and write it."""
        name = self.bench.ask_name(
            f"certificate of {dummy}", tr("Save the certificate"), f"{dummy}.html",
            tr("Certificate (*.html);;Certificate as PDF (*.pdf)"),
        )  # fmt: skip
        if name:
            self.write(dummy, Path(name))

    def write(self, dummy: str, file: Path) -> None:
        """Write the certificate of what was run, in the background."""
        results = self.testing.of_dummy(dummy)

        def work() -> None:
            from solver.report.bench import certificate

            certificate(dummy, results).save(file)

        task = self.bench.write(file, work)
        task.done.connect(lambda _: self._tell(tr("Saved {file}.", file=file.name)))
        task.failed.connect(lambda failure: self._tell(str(failure)))

    def end(self) -> None:
        """Give up what runs: the window is being closed."""
        self.testing.stop()

    def _tell(self, sentence: str) -> None:
        if self.dialog is not None:
            self.dialog.say(sentence)

    def _on_finished(self, _: int) -> None:
        self.dialog = None
