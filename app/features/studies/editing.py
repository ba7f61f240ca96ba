"""What people change in studies: begun, varied, asked, given goals; each is a step of the document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from PySide6.QtWidgets import QApplication

from app.features.feature import Feature
from app.features.studies.making import (
    Kind,
    find,
    kind_of,
    with_parameter,
    with_response,
    with_study,
    without,
)
from app.forms.lines import NumberLine
from app.forms.pins import Pin, pin, words
from app.forms.units import Units
from app.widgets.carrying import FIGURE
from app.workbench import Workbench
from solver.base.words import tr
from solver.project import Project, ProjectError
from solver.project.studies import Study

T = TypeVar("T")


class Editing(Feature):
    """Change the study that is shown."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.current = ""
        self._units = Units("metric")

    def begin(self, kind: Kind) -> None:
        """Add a study of a kind; it varies what is pinned as sliders."""
        self._begin(kind, self.bench.pinned())

    def _begin(self, kind: Kind, pins: Sequence[Pin]) -> bool:
        varied = [(one.path, one.low, one.high) for one in pins]
        made = self._made(lambda project: with_study(project, kind, varied))
        if made is not None:
            project, self.current = made
            self.bench.document.replace(project, tr("Add a study: {title}", title=kind.title))
        return made is not None

    def vary_field(self) -> None:
        """Vary the number that has the keyboard, or else the field pointed at last."""
        line = QApplication.focusWidget() or self.bench.window.focusWidget()
        if isinstance(line, NumberLine) and line.path():
            self._vary_all([line.path()])
        else:
            self._vary_all([self.bench.document.field])

    def ask(self, kind: str, names: Sequence[str]) -> None:
        """Ask for injury figures or quantities in the study that is shown."""
        for name in names:
            asked = (
                {"kind": "injury", "figure": name} if kind == FIGURE
                else {"kind": "channel", "quantity": name, "take": "largest"}
            )  # fmt: skip
            self._replace(
                partial(with_response, study=self.current, asked=asked),
                tr("Ask for {what} in a study", what=name),
            )

    def _vary_all(self, paths: Sequence[str]) -> None:
        project = self.bench.document.project
        pins = [one for path in paths if (one := pin(project, path, self._units)) is not None]
        if not pins:
            self.bench.say(
                tr("Put the cursor into a number of the inspector first; a study can then vary it.")
            )
            return
        self._vary(pins)

    def _vary_pinned(self) -> None:
        pins = self.bench.pinned()
        if not pins:
            return self.bench.say(tr("No number is pinned as a slider yet; see What-if."))
        self._vary(pins)

    def _vary(self, pins: Sequence[Pin]) -> None:
        """Vary fields, in a new study of robustness where none is shown."""
        if self._study() is None and not self._begin(kind_of("sample"), ()):
            return
        for one in pins:
            field = words(self.bench.document.project, one.path)
            self._replace(
                partial(with_parameter, study=self.current, path=one.path, low=one.low, high=one.high),
                tr("Vary {field} in a study", field=field),
            )  # fmt: skip
        self.bench.panels.open("studies")

    def _remove(self, name: str, place: int) -> None:
        self._replace(
            lambda project: without(project, self.current, name, place), tr("Take an entry out of a study")
        )  # fmt: skip

    def _open_entry(self, name: str, place: int) -> None:
        """Show an entry in the inspector, under its id as the form has it."""
        study = self._study()
        ids = [one.id for one in getattr(study, name)]
        word = ids[place] if ids.count(ids[place]) == 1 else str(place)
        self.bench.document.select(f"studies/{self.current}/{name}/{word}")

    def _aim(self, place: int, goal: str) -> None:
        """Give a response another goal."""
        self.bench.document.edit(f"studies/{self.current}/responses/{place}/goal", goal, tr("Change the goal"))  # fmt: skip

    def _replace(self, change: Callable[[Project], Project], text: str) -> None:
        made = self._made(change)
        if made is not None and made is not self.bench.document.project:
            self.bench.document.replace(made, text)

    def _made(self, change: Callable[[Project], T]) -> T | None:
        """Do a change; say what does not fit."""
        try:
            return change(self.bench.document.project)
        except ProjectError as failure:
            self.bench.say(str(failure.problems[0].sentence))
            return None

    def _study(self) -> Study | None:
        return find(self.bench.document.project, self.current)
