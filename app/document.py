"""The open project, its history, what is wrong with it, and what is selected."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from app import texts
from app.elements import PROJECT, START, element_label, element_path, find
from app.history import Change, ReplaceProject, Version
from app.jobs.checker import Checker
from solver.base.atomic import file_stem, is_same
from solver.base.words import Refusal, tr
from solver.editing.removing import removed
from solver.project import Problem, Project, ProjectError, open_project, save_project
from solver.project.changes import with_value
from solver.project.inertia import followed
from solver.project.reading import digest_of, digest_on_disk
from solver.project.references import renamed
from solver.project.saving import text_for

if TYPE_CHECKING:
    from app.editing.quick_fixes import QuickFix

_MENDED = "{words}: {name}"


class Document(QObject):
    """Tell every panel about the same project and the same selection; every change can be undone.

    All changes go through `edit` and `replace`. A change that does not fit is refused with problems
    and leaves everything as it was.
    """

    opened = Signal()
    """Another project is shown."""
    changed = Signal(object)
    """The project is another version of the same; gives a `Change`."""
    selected = Signal(str)
    """Another element is the current one; `chosen` holds all that are selected."""
    checked = Signal()
    """`problems` are those of the present version."""
    named = Signal()
    """The file, or whether there is unsaved work, is another."""
    said = Signal(str)
    """A sentence for the status line."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path: Path | None = None
        self.project = Project.empty()
        self.notes: tuple[Problem, ...] = ()
        self.problems: tuple[Problem, ...] = ()
        self.mends: dict[Problem, QuickFix] = {}
        """What one click can do about some of the problems."""
        self.selection = PROJECT
        self.chosen: tuple[str, ...] = (PROJECT,)
        self.field = ""
        """The path of the field that was pointed at last, inside the selected element."""
        self.recovered = False
        self.stood = ""
        """Digest of the file as it was read or written here last."""
        self.draft = ""
        """What a project that was never saved is known by; its runs are kept under it."""
        self.draft_has_runs = False
        self.has_project = False
        """Whether a project was opened or begun."""
        self.history = QUndoStack(self)
        self.history.cleanChanged.connect(self._on_clean)
        self._gesture = 0
        self._checked: Project | None = None
        self._checker = Checker(self)
        self._checker.answered.connect(self._on_checked)

    # the file

    def open(self, path: Path) -> None:
        """Open a project file; raises ProjectError with all problems."""
        opened = open_project(path)
        self.adopt(opened.project, path, opened.notes, stood=opened.digest)

    def adopt(
        self,
        project: Project,
        path: Path | None = None,
        notes: Sequence[Problem] = (),
        *,
        recovered: bool = False,
        draft: str = "",
        stood: str | None = None,
    ) -> None:
        """Show another project with an empty history; `recovered` counts as unsaved work.

        `draft` is what it was known by where it was never saved; `stood` tells the file that it was made from,
        as it was then: without it that is the file as it is.
        """
        self.history.clear()
        self.draft = "" if path is not None else draft or uuid.uuid4().hex
        self.draft_has_runs = False
        self.stood = digest_on_disk(path) if stood is None and path is not None else stood or ""
        self.path, self.project, self.notes = path, project, tuple(notes)
        self.recovered, self.has_project = recovered, True
        self.problems = self.notes
        self.selection, self.chosen, self.field = PROJECT, (PROJECT,), ""
        self.opened.emit()
        self.selected.emit(PROJECT)
        self.named.emit()
        self._checker.ask(project, at_once=True)

    def save(self, path: Path, *, copy: bool = False, keep: bool = False) -> Path | None:
        """Write the project; a copy leaves name and unsaved mark alone. Raises ProjectError.

        With `keep` the file in its place is kept as a backup, whose path is given.
        """
        backup = save_project(self.project, path, keep=keep)
        if not copy or (self.path is not None and is_same(path, self.path)):
            self._hold(path, digest_of(text_for(self.project, path).encode()))
        return backup

    def take(self, theirs: Project, digest: str, text: str) -> None:
        """Let what stands on the disk be the model, as one step: undo brings back what was here."""
        self._put(theirs, text, "", self._existing(theirs, self.chosen))
        if self.path is not None:
            self._hold(self.path, digest)

    def _hold(self, path: Path, digest: str) -> None:
        """Count as what stands on the disk."""
        self.path, self.stood, self.recovered = path, digest, False
        self.history.setClean()
        self.named.emit()

    def is_written_by_others(self, path: Path) -> bool:
        """Whether a file is this project's own, and no longer what was read or written here."""
        if self.path is None or not is_same(path, self.path):
            return False
        return digest_on_disk(path) not in ("", self.stood)

    @property
    def name(self) -> str:
        """What the project is called in titles and questions: its file, or else its title."""
        return (
            self.path.name
            if self.path is not None
            else self.project.title or tr(texts.words.NEW_NAME)
        )

    @property
    def stem(self) -> str:
        """A name for a file that is made of the project, without ending: that of its file, or its title as systems take it."""
        if self.path is not None:
            return self.path.stem
        return file_stem(self.project.title, tr(texts.words.NEW_NAME))

    @property
    def elements(self) -> list[str]:
        """The selected elements: neither the project nor the start can be copied or deleted."""
        return [path for path in self.chosen if path not in (PROJECT, START)]

    @property
    def has_unsaved_work(self) -> bool:
        """Whether closing would lose something."""
        return self.recovered or not self.history.isClean()

    def look_again(self) -> None:
        """Check the present version again: files that it includes may be others."""
        self._checker.ask(self.project)

    def problems_now(self) -> tuple[Problem, ...]:
        """The problems of the present version, checking it here and now if need be."""
        if self._checked is not self.project:
            from solver.project.checks import check

            self._on_checked(self.project, check(self.project), {})
        return self.problems

    # changes

    def edit(
        self, path: str, value: Any, text: str, merge_key: str | None = None
    ) -> tuple[Problem, ...]:
        """Set the value at a path as one step of the history; gives why not, where it does not fit.

        `value` is in SI, plain or made of parts. An id is followed wherever it is referred to.
        """
        if path.endswith("/id"):
            return self.rename(path.removesuffix("/id"), value)
        try:
            project = with_value(self.project, path, value)
        except ProjectError as failure:
            return failure.problems
        self.replace(project, text, merge_key)
        return ()

    def replace(
        self,
        project: Project,
        text: str,
        merge_key: str | None = None,
        select: Sequence[str] | None = None,
        *,
        as_it_is: bool = False,
    ) -> None:
        """Make another version the present one as one step of the history.

        Steps that follow each other with the same merge key within a gesture become one. `select`
        names what is selected afterwards. Mass and moments follow a shape that is resized as long as they fill it evenly,
        unless the version is to be taken `as_it_is`.
        """
        project = project if as_it_is else followed(self.project, project)
        chosen = self._existing(project, self.chosen if select is None else select)
        if project is self.project or project == self.project:
            if select is not None:
                self._choose(chosen)
            return
        self._put(project, text, merge_key, chosen)

    def _put(
        self, project: Project, text: str, merge_key: str | None, chosen: tuple[str, ...]
    ) -> None:
        """Put a version on the history."""
        if project is self.project or project == self.project:
            return
        key = f"{merge_key}#{self._gesture}" if merge_key else ""
        if not key:
            self.end_gesture()
        old, new = Version(self.project, self.chosen), Version(project, chosen)
        self.history.push(ReplaceProject(self._show, old, new, text, key))

    def end_gesture(self) -> None:
        """End a drag: what follows is a step of its own, whatever its merge key."""
        self._gesture += 1

    def rename(self, path: str, new: str) -> tuple[Problem, ...]:
        """Give an element another id, and follow it everywhere; gives why not, where it cannot be."""
        old = path.rsplit("/", 1)[-1]
        try:
            project = renamed(self.project, path, new)
        except ProjectError as failure:
            return failure.problems
        there = path.rsplit("/", 1)[0] + f"/{new}"
        chosen = [there if one == path else one for one in self.chosen]
        self.replace(project, tr(texts.words.RENAMED, old=old, new=new), select=chosen)
        return ()

    def delete(self, paths: Sequence[str], name: str = "") -> None:
        """Take elements away, with what cannot be without them, as one step; say what went."""
        from app.editing.naming import counted, named

        done = removed(self.project, *paths)
        if not done.removed:
            return
        name = name or named(self.project, paths)
        more = [path for path in done.removed if path not in paths]
        self.replace(done.project, tr("Delete {name}", name=name), select=self._after(paths))
        sentence = tr("Deleted {name}", name=name)
        if more:
            sentence += tr("; without it these cannot be and went too: {what}", what=counted(more))
        if done.mended:
            sentence += tr("; these do without it now: {what}", what=counted(done.mended))
        self.said.emit(f"{sentence}.")

    def mend(self, problem: Problem, mend: QuickFix | None = None) -> None:
        """Do what can be done about a problem, or this of it, as one step."""
        mend = mend or self.mends.get(problem)
        if mend is not None:
            try:
                made = mend.make(self.project)
            except ProjectError as failure:
                self.said.emit(failure.problems[0].sentence)
            except Refusal as failure:
                self.said.emit(str(failure))
            else:
                self.take_mended(problem, mend, made)

    def take_mended(self, problem: Problem, mend: QuickFix, made: Project) -> None:
        """Take over what a mend has made, as one step."""
        text = _MENDED.format(
            words=mend.words, name=element_label(self.project, element_path(problem.path))
        )
        self.replace(made, text, as_it_is=problem.code.startswith("include-"))
        self.said.emit(f"{text}.")

    def undo(self) -> None:
        """Take the last step back."""
        self.end_gesture()
        self.history.undo()

    def redo(self) -> None:
        """Do the step that was taken back."""
        self.end_gesture()
        self.history.redo()

    # the selection

    def select(self, path: str, *, add: bool = False) -> None:
        """Select the element that a path leads to; the project itself where there is none.

        With `add` it joins those that are selected, or leaves them.
        """
        element = element_path(path)
        if find(self.project, element) is None:
            element = PROJECT
        self.field = path if path != element else ""
        if not add:
            self._choose((element,))
        elif element in self.chosen and len(self.chosen) > 1:
            self._choose(tuple(one for one in self.chosen if one != element))
        elif element not in self.chosen:
            self._choose((*(one for one in self.chosen if one != PROJECT), element))

    def select_all(self, paths: Sequence[str]) -> None:
        """Select several elements; the last is the current one."""
        self.field = ""
        self._choose(self._existing(self.project, paths))

    def _choose(self, chosen: tuple[str, ...]) -> None:
        if chosen != self.chosen or self.field:
            self.chosen, self.selection = chosen, chosen[-1]
            self.selected.emit(self.selection)

    def _existing(self, project: Project, paths: Sequence[str]) -> tuple[str, ...]:
        found = tuple(path for path in paths if find(project, path) is not None)
        return found or (PROJECT,)

    def _after(self, paths: Sequence[str]) -> tuple[str, ...]:
        """Find a neighbour to select when elements go: the next of the list, or the one before."""
        name = paths[-1].split("/", 1)[0]
        ids = [f"{name}/{item.id}" for item in getattr(self.project, name, ())]
        if paths[-1] not in ids:
            return self.chosen
        at = ids.index(paths[-1])
        left = [one for one in (*ids[at + 1 :], *reversed(ids[:at])) if one not in paths]
        return tuple(left[:1])

    # what follows from a change

    def _show(self, version: Version, text: str) -> None:
        change = Change(self.project, version.project, text)
        self.project = version.project
        chosen = self._existing(version.project, version.chosen)
        another = chosen != self.chosen
        self.chosen, self.selection = chosen, chosen[-1]
        self.changed.emit(change)
        if another:
            self.field = ""
            self.selected.emit(self.selection)
        self._checker.ask(version.project)

    def _on_clean(self, _: bool) -> None:
        self.named.emit()

    def _on_checked(
        self, project: Project, problems: tuple[Problem, ...], mends: dict[Problem, QuickFix]
    ) -> None:
        if project is self.project:
            self.mends = mends
            self._checked = project
            self.problems = (*problems, *self.notes)
            self.checked.emit()

    def close(self) -> None:
        """Stop the work in the background."""
        self._checker.close()
