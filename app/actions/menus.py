"""Build the menus of a window from the list of actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from app.actions.action import Action

if TYPE_CHECKING:
    from app.window import MainWindow


class Menus:
    """Hold the menus' entries and keep their state true."""

    def __init__(self, window: MainWindow, actions: Sequence[Action]) -> None:
        self._window = window
        self._actions = {action.id: action for action in actions}
        self._menus: dict[str, QMenu] = {}
        self._choices: dict[str, QActionGroup] = {}
        self.entries: dict[str, QAction] = {action.id: self._add(action) for action in actions}
        self.refresh()

    def refresh(self) -> None:
        """Ask every action again whether it makes sense and whether it is on."""
        for id_, entry in self.entries.items():
            action = self._actions[id_]
            entry.setEnabled(action.enabled(self._window))
            if action.is_on is not None:
                entry.setChecked(action.is_on(self._window))

    def _add(self, action: Action) -> QAction:
        menu = self._menu(action.menu)
        if action.line_before:
            menu.addSeparator()
        if action.choice:
            menu = self._menu(action.menu, action.choice)
        entry = QAction(action.title, self._window)
        entry.setShortcut(action.shortcut)
        if action.in_scene:
            entry.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            self._window.scene.addAction(entry)
        entry.setCheckable(action.is_on is not None)
        if action.choice:
            group = self._choices.setdefault(action.choice, QActionGroup(self._window))
            group.addAction(entry)
        entry.triggered.connect(lambda: self._run(action))
        menu.addAction(entry)
        return entry

    def _menu(self, title: str, inside: str = "") -> QMenu:
        key = f"{title}/{inside}"
        if key not in self._menus:
            made = (
                self._menu(title).addMenu(inside)
                if inside
                else self._window.menuBar().addMenu(title)
            )
            self._menus[key] = made
        return self._menus[key]

    def _run(self, action: Action) -> None:
        action.do(self._window)
        self.refresh()
