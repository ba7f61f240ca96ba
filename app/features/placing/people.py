"""People as things: one selected as a whole, replaced, copied to the next seat, run in three sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from app.command import Command
from app.features.feature import Feature
from app.jobs.task import Task
from app.run_view.record import RunRecord
from app.widgets.sheet import fit_beside
from app.workbench import Workbench
from solver.base.words import Sentence, msgid, tr
from solver.editing.next_seat import CannotCopy, copy_to_next_seat
from solver.editing.persons import Person, chosen_person, people, person_of
from solver.project import Project, ProjectError

if TYPE_CHECKING:
    from app.features.placing.replace_dialog import ReplaceDialog
_SYSTEMS = {"inch": "inch_pound"}
_NOBODY = msgid("There is nobody in the model; Insert a body puts somebody in.")
_OTHERS = msgid(
    "This body has parts of other names than those of the library: another one cannot take its place."
)


class People(Feature):
    """Do things with whole people."""

    name = "people"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._task: Task | None = None
        self._crowd: list[RunRecord] = []
        bench.run_view.runs.ended.connect(self._on_ended)
        bench.document.opened.connect(self._on_opened)
        self._add_commands()

    def person(self) -> Person | None:
        """The person that is selected, wholly or by a part; else the only one, or the first."""
        document = self.bench.document
        one = chosen_person(document.project, document.elements)
        one = one or person_of(document.project, document.selection)
        return one or next((p for p in people(document.project) if p.is_ours), None)

    def select(self) -> None:
        """Select all of the person to whom the selected part belongs."""
        one = self.person() or next(iter(people(self.bench.document.project)), None)
        if one is None:
            self.bench.say(tr(_NOBODY))
            return
        self.bench.document.select_all(one.paths)
        self.bench.say(
            tr(
                "{name} is selected: {number} segments, {kg:.1f} kg.",
                name=one.name,
                number=len(one.segments),
                kg=one.mass_kg,
            )
        )

    def replace(self) -> ReplaceDialog | None:
        """Ask for another body, and show it in the place of the selected person."""
        from app.features.placing.replace_dialog import ReplaceDialog

        one = self._ours()
        if one is None:
            return None
        self.bench.run_view.switch(False)
        units = self.bench.settings.units
        dialog = ReplaceDialog(self.bench, _SYSTEMS.get(units, units), one)
        dialog.setStyleSheet(self.bench.window.styleSheet())
        dialog.adjustSize()
        fit_beside(dialog)
        dialog.show()
        return dialog

    def copy_beside(self) -> None:
        """Put a copy of the selected person on the next seat."""
        one, document = self._ours(), self.bench.document
        if one is None:
            return
        try:
            done = copy_to_next_seat(document.project, one)
        except CannotCopy as refusal:
            self.bench.notice.say(str(refusal))
            return
        document.replace(
            done.project, tr("Copy {name} to the next seat", name=one.name), select=done.made.paths
        )
        sentence = tr(
            "{new} sits {cm:.0f} cm beside {name}.",
            new=done.made.name,
            cm=100.0 * abs(done.aside_m),
            name=one.name,
        )
        if done.missing:
            rest = tr("Not there: {things}.", things=", ".join(done.missing))
            self.bench.notice.say(f"{sentence} {rest}")
        else:
            self.bench.say(sentence)

    def run_sizes(self) -> None:
        """Run the same crash with three sizes of person, and compare the runs."""
        one, run_view = self._ours(), self.bench.run_view
        if one is None or self._task is not None:
            return
        obstacle = run_view.obstacle()
        if obstacle:
            run_view.refused.emit()
            self.bench.say(obstacle)
            return
        project, run = self.bench.document.project, run_view.chosen_run()
        self.bench.say(
            tr("Seating three sizes of {name} … the window can be used meanwhile.", name=one.name)
        )
        self._task = Task(lambda: sized(project, one), self.bench)

        def seated(found: list[SizedModel]) -> None:
            self._task = None
            if project is not self.bench.document.project:
                self.bench.say(
                    tr("The model has changed meanwhile: ask for the three sizes again.")
                )
                return
            self._crowd = []
            for who in found:
                record = run_view.runs.start(who.project, run, show=not self._crowd)
                run_view.runs.rename(record, who.name)
                self._crowd.append(record)
            run_view.began.emit()
            self.bench.say(tr("Running three sizes of {name} …", name=one.name))
            lost = [f"{who.name}: {who.lost}" for who in found if who.lost is not None]
            if lost:
                self.bench.notice.say("\n".join(lost))

        self._task.done.connect(seated)
        self._task.failed.connect(self._on_failed)
        self._task.start()

    def _on_failed(self, failure: Exception) -> None:
        self._task = None
        if isinstance(failure, ProjectError):
            self.bench.notice.say(failure.problems[0].sentence)
        else:
            self.bench.tell_failed(failure)

    def _on_opened(self) -> None:
        self._crowd = []

    def _on_ended(self, _: RunRecord) -> None:
        """Compare the sizes once all of them are there."""
        crowd = self._crowd
        if crowd and all(record.has_ended for record in crowd):
            self._crowd = []
            known = [record for record in crowd if record in self.bench.run_view.runs.records]
            if len(known) > 1:
                self.bench.run_view.compare(known)
                names = ", ".join(record.name for record in known)
                self.bench.say(tr("Compared: {names}. Report… writes a page of it.", names=names))

    def _ours(self) -> Person | None:
        one = self.person()
        if one is None:
            self.bench.say(tr(_NOBODY))
        elif not one.is_ours:
            self.bench.say(tr(_OTHERS))
            return None
        return one

    def _has_people(self) -> bool:
        return self.bench.has_project() and bool(people(self.bench.document.project))

    def _add_commands(self) -> None:
        self.bench.commands.add(
            Command(
                "place.person",
                tr("Select the whole p&erson"),
                tr("Select all segments of the body to which the selected part belongs."),
                self.select,
                "P",
                self._has_people,
                in_scene=True,
            ),
            Command(
                "place.replace",
                tr("&Replace the person…"),
                tr(
                    "Put a body of another size or kind in its place: belts are laid again, and it comes to rest."
                ),
                self.replace,
                "Ctrl+Shift+B",
                self._has_people,
            ),
            Command(
                "place.next_seat",
                tr("&Copy the person to the next seat"),
                tr("Put a copy beside it, with a seat and a belt of its own."),
                self.copy_beside,
                "Ctrl+Shift+K",
                self._has_people,
            ),
            Command(
                "run.sizes",
                tr("Three si&zes compared"),
                tr(
                    "Run the same crash with a small woman, a mid-size man and a large man, and compare."
                ),
                self.run_sizes,
                "Shift+F9",
                self._has_people,
            ),
        )


@dataclass(frozen=True, slots=True)
class SizedModel:
    """A model with one size, what its run is called, and what of the old body it has nothing for."""

    name: str
    project: Project
    lost: Sentence | None = None


def sized(project: Project, one: Person) -> list[SizedModel]:
    """Seat each size in turn where the person sits; who is that size already, as in the library, stays as it is."""
    from solver.analysis.crash.scenes import reseated
    from solver.bodies import library_body
    from solver.bodies.certificates import changed
    from solver.bodies.dummies import Size, called, of_size
    from solver.bodies.library.occupants import ahead_of
    from solver.bodies.library.replacing import left_out

    found = []
    for who in map(of_size, get_args(Size)):
        body = library_body(who)
        is_there = len(body.segments) == len(one.segments) and not changed(
            project, ahead_of(one.prefix), who
        )
        done = project if is_there else reseated(project, one.prefix, body).project
        lost = left_out(project, done, one.prefix)
        found.append(SizedModel(f"{one.name}: {tr(called(who))}", done, lost))
    return found
