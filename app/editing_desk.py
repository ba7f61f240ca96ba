"""What people do with the selected elements in one window: add, copy, delete, drop, rename, undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from app import texts
from app.editing.attaching import CannotAttach, attached, grouped
from app.editing.copying import duplicated, pasted, to_clipboard
from app.editing.making import CannotMake, Maker, add, is_fresh
from app.editing.naming import counted, free_id, id_from, named, taken
from app.elements import PROJECT, START, find
from solver.project import ProjectError
from solver.project.changes import with_value
from solver.project.references import renamed

if TYPE_CHECKING:
    from app.window import MainWindow


class EditingDesk:
    """Turn what people ask for into steps of the document, and say what was done."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._document = window.document

    def elements(self) -> list[str]:
        """Give the selected elements: neither the project nor the start can be copied or deleted."""
        return [path for path in self._document.chosen if path not in (PROJECT, START)]

    def add(self, maker: Maker) -> None:
        """Add a new element that fits the selection, or say what has to be there first."""
        document = self._document
        try:
            made = add(document.project, maker, document.chosen)
        except CannotMake as reason:
            self._window.say(str(reason))
            return
        name = named(made.project, [made.path])
        document.replace(made.project, texts.editing.ADDED.format(name=name), select=[made.path])
        if made.with_it:
            what = named(made.project, made.with_it)
            self._window.say(texts.editing.MADE_WITH.format(name=name, what=what))
        else:
            self._window.say(texts.editing.ADDED_NOW.format(name=name))

    def delete(self) -> None:
        """Delete the selected elements."""
        self._document.delete(self.elements())

    def duplicate(self) -> None:
        """Copy the selected elements beside themselves."""
        document = self._document
        paths = self.elements()
        done = duplicated(document.project, paths)
        first = [path for path in done.paths if path.split("/")[0] == paths[0].split("/")[0]]
        text = texts.editing.DUPLICATED.format(name=named(document.project, paths))
        document.replace(done.project, text, select=first or done.paths)
        self._window.say(texts.editing.ADDED_NOW.format(name=named(done.project, done.paths)))

    def copy(self) -> None:
        """Put the selected elements on the clipboard."""
        paths = self.elements()
        project = self._document.project
        QApplication.clipboard().setText(to_clipboard(project, paths))
        self._window.say(texts.editing.COPIED.format(name=named(project, paths)))

    def cut(self) -> None:
        """Put the selected elements on the clipboard and delete them."""
        self.copy()
        self._document.delete(self.elements())

    def paste(self) -> None:
        """Put elements from the clipboard into the project."""
        document = self._document
        try:
            done = pasted(document.project, QApplication.clipboard().text())
        except ProjectError as failure:
            missing = failure.problems[0].code == "format-unknown"
            first = failure.problems[0]
            self._window.say(texts.editing.NOTHING_TO_PASTE if missing else first.sentence)
            return
        name = named(done.project, done.paths)
        document.replace(done.project, texts.editing.PASTED.format(name=name), select=done.paths)
        sentence = texts.editing.ADDED_NOW.format(name=name)
        if done.with_it:
            sentence += " " + texts.editing.CAME_ALONG.format(
                what=counted(done.with_it).capitalize()
            )
        self._window.say(sentence)

    def rename(self, path: str, name: str) -> None:
        """Give an element a name; one that nobody has named yet gets an id that follows from it."""
        document = self._document
        item = find(document.project, path)
        if item is None:
            return
        old, list_name = named(document.project, [path]), path.split("/", 1)[0]
        project = document.project
        there = path
        try:
            if is_fresh(list_name, item) and id_from(name):
                new = free_id(id_from(name), taken(project, list_name) - {path.split("/", 1)[1]})
                project = renamed(project, path, new)
                there = f"{list_name}/{new}"
                name = "" if name == new else name
            project = with_value(project, f"{there}/name", name)
        except ProjectError as failure:
            self._window.say(failure.problems[0].sentence)
            return
        text = texts.editing.RENAMED.format(old=old, new=named(project, [there]))
        document.replace(project, text, select=[there])

    def drop(self, paths: list[str], target: str, group: str) -> None:
        """Hang elements on what they were dropped on, or put them under a heading."""
        document = self._document
        moved = [path for path in paths if path not in (PROJECT, START) and path != target]
        if not moved:
            return
        try:
            if target and target not in (PROJECT, START):
                project, text = attached(document.project, moved, target)
            else:
                project, text = grouped(document.project, moved, group)
        except CannotAttach as reason:
            self._window.say(str(reason))
            return
        document.replace(project, text)
        self._window.say(f"{text}.")

    def undo(self) -> None:
        """Take the last step back and say which it was."""
        text = self._document.history.undoText()
        self._document.undo()
        self._window.say(texts.editing.UNDONE.format(text=text))

    def redo(self) -> None:
        """Do the step again that was taken back, and say which it was."""
        text = self._document.history.redoText()
        self._document.redo()
        self._window.say(texts.editing.REDONE.format(text=text))
