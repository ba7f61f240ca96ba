"""The outline, and what people do with the selected elements: add, copy, delete, drop, rename, undo."""

from __future__ import annotations

from collections import Counter
from functools import partial

from PySide6.QtWidgets import QApplication

from app import texts
from app.command import Command
from app.editing.copying import (
    CannotAttach,
    attached,
    duplicated,
    grouped,
    pasted,
    to_clipboard,
)
from app.editing.making import CONNECTORS, MAKERS, CannotMake, Maker, add, is_fresh
from app.editing.naming import counted, free_id, id_from, named, taken
from app.elements import PROJECT, START, find
from app.features.feature import Feature
from app.features.outline.panel import Outline
from app.panel import Panel
from app.widgets.carrying import carry
from app.workbench import Workbench
from solver.base.words import msgid, tr
from solver.editing.persons import all_of, chosen_person, person_of, person_renamed
from solver.project import Project, ProjectError
from solver.project.changes import with_value
from solver.project.references import renamed

_ADDED_NOW = msgid("Added {name}.")

_TOGETHER = {
    "flexible": ("beams", "crash_frames", "flexible_elements", "modal_bodies"),
    "drivers": ("drivers", "frame_drivers"),
    "loads": ("winds", "loads"),
    "springs": ("springs", "tension_elements"),
    "marks": ("markers", "meshes", "frames", "unit_systems"),
}
"""Lists that share a submenu, so that the menu is no higher than a small screen."""
_COUPLINGS = ("gear", "belt_drive", "rack", "screw", "coupled")
"""Constraints between axes of joints; the others are between points and frames."""
_KEYS = {"segments": "Ctrl+Shift+G", "joints.pin": "Ctrl+Shift+J", "planes": "Ctrl+Shift+L"}
_MENU = (
    "edit.cut",
    "edit.copy",
    "edit.paste",
    "edit.duplicate",
    "",
    "edit.rename",
    "edit.delete",
    "",
    "place.person",
    "place.replace",
    "place.next_seat",
    "insert.pulse_file",
    "run.sizes",
    "",
    "view.selected",
    "insert",
)
"""What a right click offers."""


class Elements(Feature):
    """Turn what people ask for into steps of the document, and say what was done."""

    name = "elements"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        document = self._document = bench.document
        self._add_commands()
        self.outline = outline = Outline()
        bench.panels.add(
            Panel(
                "outline",
                outline,
                "left",
                tr("Outline"),
                go_to=(tr("&Outline"), tr("Go to the list of elements.")),
                topic="guide#building-a-model",
                asked=lambda: document.selection,
                stops=outline.tree,
            )
        )
        outline.chosen.connect(document.select_all)
        outline.renamed.connect(self.rename)
        outline.dropped.connect(self.drop)
        bench.ready.connect(self._make_menu)
        outline.add.setMenu(bench.commands.menu("insert"))
        document.opened.connect(self._on_opened)
        document.changed.connect(lambda change: outline.update_project(change.after))
        document.selected.connect(lambda _: outline.select(document.chosen))
        document.checked.connect(lambda: outline.mark(document.problems))
        bench.theme_changed.connect(outline.set_theme)
        bench.viewport.carried.connect(lambda element: carry(bench.viewport, [element]))

    def _on_opened(self) -> None:
        self.outline.show_project(self._document.project)
        self.bench.run_view.turns.add(self.outline.catch_up)

    def add(self, maker: Maker) -> None:
        """Add a new element that fits the selection, or say what has to be there first."""
        document = self._document
        try:
            made = add(document.project, maker, document.chosen)
        except CannotMake as reason:
            self.bench.say(str(reason))
            return
        name = named(made.project, [made.path])
        document.replace(made.project, tr(texts.words.ADDED, name=name), select=[made.path])
        if made.with_it:
            what = named(made.project, made.with_it)
            self.bench.say(tr("Added {name}, and for it {what}.", name=name, what=what))
        else:
            self.bench.say(tr(_ADDED_NOW, name=name))

    def delete(self) -> None:
        """Delete the selected elements; a person with the belts over it."""
        document = self._document
        one = chosen_person(document.project, document.elements)
        document.delete(
            all_of(document.project, document.elements), name=one.name if one is not None else ""
        )

    def duplicate(self) -> None:
        """Copy the selected elements beside themselves."""
        document = self._document
        paths = self._document.elements
        done = duplicated(document.project, paths)
        first = [path for path in done.paths if path.split("/")[0] == paths[0].split("/")[0]]
        text = tr("Duplicate {name}", name=named(document.project, paths))
        document.replace(done.project, text, select=first or done.paths)
        self.bench.say(tr(_ADDED_NOW, name=named(done.project, done.paths)))

    def copy(self) -> None:
        """Put the selected elements on the clipboard."""
        paths = self._document.elements
        project = self._document.project
        QApplication.clipboard().setText(to_clipboard(project, paths))
        self.bench.say(
            tr(
                "Copied {name}. Paste it here, in another window, or in another project.",
                name=named(project, paths),
            )
        )

    def cut(self) -> None:
        """Put the selected elements on the clipboard and delete them."""
        self.copy()
        self._document.delete(self._document.elements)

    def paste(self) -> None:
        """Put elements from the clipboard into the project."""
        document = self._document
        try:
            done = pasted(document.project, QApplication.clipboard().text())
        except ProjectError as failure:
            missing = failure.problems[0].code == "format-unknown"
            first = failure.problems[0]
            self.bench.say(
                tr("There is nothing to paste: copy elements first.") if missing else first.sentence
            )
            return
        name = named(done.project, done.paths)
        document.replace(done.project, tr("Paste {name}", name=name), select=done.paths)
        sentence = tr(_ADDED_NOW, name=name)
        if done.with_it:
            sentence += " " + tr(
                "{what} came along because they need it.", what=counted(done.with_it).capitalize()
            )
        self.bench.say(sentence)

    def rename(self, path: str, name: str) -> None:
        """Give an element a name; one that nobody has named yet gets an id that follows from it."""
        document = self._document
        one = person_of(document.project, path) if path.startswith("people/") else None
        if one is not None and id_from(name):
            project, root = person_renamed(document.project, one, name)
            made = person_of(project, f"segments/{root}")
            text = tr(texts.words.RENAMED, old=one.name, new=made.name if made else name)
            document.replace(project, text, select=made.paths if made else (f"segments/{root}",))
            return
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
            self.bench.say(failure.problems[0].sentence)
            return
        text = tr(texts.words.RENAMED, old=old, new=named(project, [there]))
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
            self.bench.say(str(reason))
            return
        document.replace(project, text)
        self.bench.say(f"{text}.")

    def undo(self) -> None:
        """Take the last step back and say which it was."""
        text = self._document.history.undoText()
        self._document.undo()
        self.bench.say(tr("Undone: {text}.", text=text))

    def redo(self) -> None:
        """Do the step again that was taken back, and say which it was."""
        text = self._document.history.redoText()
        self._document.redo()
        self.bench.say(tr("Done again: {text}.", text=text))

    def _make_menu(self) -> None:
        self.outline.menu = self.bench.commands.context(*_MENU)

    def find(self) -> None:
        """Go to the outline's search."""
        self.outline.search.setFocus()
        self.outline.search.selectAll()

    def _add_commands(self) -> None:
        bench, document = self.bench, self._document
        history = document.history
        bench.commands.add(
            Command(
                "edit.undo",
                tr("&Undo"),
                tr("Take the last change back."),
                self.undo,
                "Ctrl+Z",
                lambda: bench.has_project() and history.canUndo(),
                words=lambda: tr("&Undo {what}", what=history.undoText()).rstrip(),
                icon="undo",
            ),
            Command(
                "edit.redo",
                tr("&Redo"),
                tr("Do again what was undone."),
                self.redo,
                "Ctrl+Shift+Z",
                lambda: bench.has_project() and history.canRedo(),
                words=lambda: tr("&Redo {what}", what=history.redoText()).rstrip(),
                also=("Ctrl+Y",),
                icon="redo",
            ),
            Command(
                "edit.cut",
                tr("Cu&t"),
                tr("Put the selected elements on the clipboard and delete them."),
                self.cut,
                "Ctrl+X",
                bench.has_elements,
            ),
            Command(
                "edit.copy",
                tr("&Copy"),
                tr(
                    "Put the selected elements on the clipboard, with the laws and functions they need."
                ),
                self.copy,
                "Ctrl+C",
                bench.has_elements,
            ),
            Command(
                "edit.paste",
                tr("&Paste"),
                tr("Put elements from the clipboard into this project."),
                self.paste,
                "Ctrl+V",
                bench.has_project,
            ),
            Command(
                "edit.duplicate",
                tr("D&uplicate"),
                tr("Copy the selected elements beside themselves; segments with their joints."),
                self.duplicate,
                "Ctrl+D",
                bench.has_elements,
            ),
            Command(
                "edit.rename",
                tr("Re&name"),
                tr("Give the selected element another name."),
                lambda: self.outline.rename(document.selection),
                "F2",
                bench.has_elements,
            ),
            Command(
                "edit.delete",
                tr("&Delete"),
                tr("Delete the selected elements, with what cannot be without them."),
                self.delete,
                "Del",
                bench.has_elements,
            ),
            Command(
                "edit.find",
                tr("&Find an element"),
                tr("Search the outline."),
                self.find,
                "Ctrl+F",
                bench.has_project,
            ),
            Command(
                "edit.nothing",
                tr("Select &nothing"),
                tr("Select the project as a whole."),
                lambda: document.select(""),
                "Ctrl+Shift+A",
                bench.has_project,
            ),
            *(
                Command(
                    f"insert.{maker.id}",
                    maker.title,
                    maker.tip,
                    partial(self.add, maker),
                    _KEYS.get(maker.id, ""),
                    bench.has_project,
                    choice=_heading(maker),
                    icon=maker.list_name,
                )
                for maker in MAKERS
            ),
            *(
                Command(
                    f"insert.{maker.kind.replace('_', '.', 1)}",
                    maker.title,
                    maker.tip,
                    partial(self.add, maker),
                    "",
                    bench.has_project,
                    choice="connectors",
                    icon=maker.kind,
                )
                for maker in CONNECTORS
            ),
        )


def _heading(maker: Maker) -> str:
    """The submenu of lists that stand together, or of a list that has several kinds."""
    together = next((name for name, lists in _TOGETHER.items() if maker.list_name in lists), "")
    if together:
        return together
    if maker.list_name == "constraints" and maker.kind in _COUPLINGS:
        return "couplings"
    # what a band varies stands with the studies
    name = "studies" if maker.list_name == "assumed" else maker.list_name
    return tr(str(Project.model_fields[name].title)) if _KINDS[name] > 1 else ""


_KINDS = Counter(one.list_name for one in MAKERS)
"""How many kinds each list has."""
