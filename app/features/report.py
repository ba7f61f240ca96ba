"""Reports of one run or two, as pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QPushButton, QVBoxLayout, QWidget

from app import texts
from app.command import Command
from app.features.feature import Feature
from app.jobs.task import Task
from app.run_view.record import RunRecord
from app.widgets.sheet import ask
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.words import tr

if TYPE_CHECKING:
    from solver.studies import StudyResult


class Report(Feature):
    """Ask where to, write, and report the end."""

    name = "report"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        bench.commands.add(
            Command(
                "run.report",
                tr("Write a repor&t…"),
                tr("Write verdict, pictures, tables and curves as one page, HTML or PDF."),
                self.ask_for_report,
                "Ctrl+R",
                lambda: bench.has_project() and bench.run_view.replay is not None,
            )
        )
        bench.commands.add(
            Command(
                "run.explain",
                tr("&Explain this run…"),
                tr(
                    "Write a report that tells what happened when, with pictures, what made the peaks, and where the energy went."
                ),
                lambda: self.ask_for_report(explained=True),
                "Shift+E",
                lambda: bench.has_project() and bench.run_view.replay is not None,
            )
        )
        bench.report_asked.connect(self.ask_for_report)

    def ask_for_report(self, records: Sequence[RunRecord] = (), *, explained: bool = False) -> None:
        """Write a report of runs; without a choice of the current one and its ghost, which is not explained."""
        bench, run_view = self.bench, self.bench.run_view
        current = run_view.runs.current
        if not records and current is not None:
            beside = (
                [run_view.ghost] if run_view.ghost not in (None, current) and not explained else []
            )
            records = [r for r in (*beside, current) if r is not None]
        records = [record for record in records if record.has_ended]
        if not records:
            bench.say(tr(texts.words.NOTHING_TO_FILM))
            return
        studies = [] if explained else chosen(bench.window, bench.finished_studies())
        if studies is None:
            return
        name = bench.ask_name(
            "explained" if explained else "report",
            tr("Explain this run") if explained else tr("Write a report"),
            "explained.html" if explained else "report.html",
            tr("Report (*.html);;Report as PDF (*.pdf)"),
        )
        if name:
            self.report(records, Path(name), studies, explained=explained)

    def report(
        self,
        records: Sequence[RunRecord],
        file: Path,
        studies: Sequence[StudyResult] | None = None,
        *,
        explained: bool = False,
    ) -> Task:
        """Write a report of runs in the background, with all finished studies where none are chosen."""
        found = self.bench.finished_studies() if studies is None else studies
        found = [*found, *self.bench.finished_bands()]
        units, standards = self.bench.settings.units, self.bench.run_view.judges.standards
        visibility = self.bench.viewport.visibility()
        # pictures show people as the window does just now
        looks = "skin" if visibility is None else visibility.people
        around = visibility is None or visibility.surroundings

        def write() -> None:
            from solver.report import report

            runs = [record.trajectory for record in records if record.trajectory is not None]
            names = [r.name for r in records]
            made = report(
                *runs, labels=names, units=units, studies=found, standards=standards, explained=explained,
                looks=looks, around=around,
            )  # fmt: skip
            made.save(file)

        return self.bench.write(file, write)


class StudyBoxes(QWidget):
    """Show a box to tick for each study."""

    def __init__(self, studies: Sequence[StudyResult], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._studies = studies
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self.boxes = list[QCheckBox]()
        for one in studies:
            tip = tr("Write a section of what was varied, what came out, and how it was run")
            box = with_properties(
                QCheckBox(one.study.name or one.study.id), toolTip=tip, checked=True
            )
            self.boxes.append(box)
            column.addWidget(box)

    def chosen(self) -> list[StudyResult]:
        """The studies that are ticked."""
        return [one for one, box in zip(self._studies, self.boxes, strict=True) if box.isChecked()]


def chosen(parent: QWidget, studies: Sequence[StudyResult]) -> list[StudyResult] | None:
    """Ask which studies shall stand in a report; None where no report is wanted after all."""
    if not studies:
        return []
    boxes = StudyBoxes(studies)
    do = with_properties(
        QPushButton(tr(texts.words.WRITE)), toolTip=tr("Write the report with these studies")
    )
    title, words = tr("Write a report"), tr("Studies")
    return boxes.chosen() if ask(parent, title, "report", words, boxes, do) else None
