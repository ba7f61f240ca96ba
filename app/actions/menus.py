"""Build the menus of a window from the list of actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from app import texts
from app.actions.action import Action
from app.icons import icon
from app.look import Theme

if TYPE_CHECKING:
    from app.window import MainWindow

_WHOLE = ("place.body", "place.library")
"""Whole bodies and ready parts: placed by hand, and found where one looks for what can be added."""
_ONE_OF = ("colours", "units")
"""Menus in menus of which one entry is on; in others each is a switch of its own."""


class Menus:
    """Hold the menus' entries and keep their state true."""

    def __init__(self, window: MainWindow, actions: Sequence[Action]) -> None:
        self._window = window
        self.actions = {action.id: action for action in actions}
        self._menus: dict[str, QMenu] = {}
        self._choices: dict[str, QActionGroup] = {}
        self.entries: dict[str, QAction] = {action.id: self._add(action) for action in actions}
        self.recent = QMenu(texts.actions.RECENT, window)
        self.recent.aboutToShow.connect(self._list_recent)
        self._menu("file").insertMenu(self.entries["file.samples"], self.recent)
        insert = self._menu("insert")
        first = insert.actions()[0]
        insert.insertActions(first, [self.entries[id_] for id_ in _WHOLE])
        insert.insertSeparator(first)
        self.refresh()

    def refresh(self) -> None:
        """Ask every action again whether it makes sense, whether it is on, and what it says."""
        for id_, entry in self.entries.items():
            action = self.actions[id_]
            entry.setEnabled(action.enabled(self._window))
            if action.is_on is not None:
                entry.setChecked(action.is_on(self._window))
            if action.words is not None:
                entry.setText(action.words(self._window))

    def menu(self, name: str) -> QMenu:
        """Give one of the menus by its name."""
        return self._menu(name)

    def context(self, *ids: str) -> QMenu:
        """Make a menu of some actions, with a line at each empty id and whole menus by name."""
        made = QMenu(self._window)
        for id_ in ids:
            if not id_:
                made.addSeparator()
            elif id_ in self.entries:
                made.addAction(self.entries[id_])
            else:
                made.addMenu(self._menu(id_))
        return made

    def run(self, id_: str) -> None:
        """Do an action, where it makes sense."""
        self.refresh()
        if self.entries[id_].isEnabled():
            self.entries[id_].trigger()

    def set_theme(self, theme: Theme) -> None:
        """Draw the icons anew."""
        for id_, action in self.actions.items():
            if action.icon:
                sign = icon(action.icon, theme.muted)
                self.entries[id_].setIcon(sign)
                if action.choice:
                    self._menu(action.menu, action.choice).setIcon(sign)

    def _add(self, action: Action) -> QAction:
        menu = self._menu(action.menu)
        if action.line_before:
            menu.addSeparator()
        if action.choice:
            menu = self._menu(action.menu, action.choice)
        entry = QAction(action.title, self._window)
        if action.also:
            entry.setShortcuts([QKeySequence(key) for key in (action.shortcut, *action.also)])
        else:
            entry.setShortcut(action.shortcut)
        if action.in_scene:
            entry.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            self._window.scene.addAction(entry)
        entry.setCheckable(action.is_on is not None)
        entry.setStatusTip(action.tip)
        entry.setToolTip(action.full_tip)
        if action.choice in _ONE_OF and action.is_on is not None:
            group = self._choices.setdefault(action.choice, QActionGroup(self._window))
            group.addAction(entry)
        entry.triggered.connect(lambda: self._run(action))
        menu.addAction(entry)
        return entry

    def _menu(self, name: str, inside: str = "") -> QMenu:
        key = f"{name}/{inside}"
        if key not in self._menus:
            if inside:
                made = self._menu(name).addMenu(texts.actions.CHOICES.get(inside, inside))
            else:
                made = self._window.menuBar().addMenu(texts.actions.MENUS[name])
                made.aboutToShow.connect(self.refresh)
            self._menus[key] = made
        return self._menus[key]

    def _list_recent(self) -> None:
        self.recent.clear()
        settings = self._window.studio.settings
        files = settings.recent
        for number, file in enumerate(files, 1):
            entry = self.recent.addAction(f"&{number % 10}  {file.name}")
            entry.setStatusTip(str(file))
            entry.triggered.connect(lambda _=False, file=file: self._window.files.open(file))
        if files:
            self.recent.addSeparator()
            self.recent.addAction(texts.actions.FORGET_RECENT).triggered.connect(
                settings.forget_recent
            )
        else:
            self.recent.addAction(texts.actions.NO_RECENT).setEnabled(False)

    def _run(self, action: Action) -> None:
        action.do(self._window)
        self.refresh()
