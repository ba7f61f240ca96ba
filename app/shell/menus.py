"""The commands of a window, and build its menus from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from app.command import Command
from app.features.all import MENUS, SUBMENUS
from app.icons import icon
from app.look import Theme
from solver.base.words import tr

_ONE_OF = ("colours", "units")
"""Menus in menus of which one entry is on; in others each is a switch of its own."""


class Menus:
    """The commands with their entries, and keep the entries' state true."""

    def __init__(self, window: QMainWindow) -> None:
        self._window = window
        self.commands: dict[str, Command] = {}
        self._entries: dict[str, QAction] = {}
        self._filled: dict[str, QMenu] = {}
        self._menus: dict[str, QMenu] = {}
        self._choices: dict[str, QActionGroup] = {}
        self._is_built = False
        self._later = QTimer(window, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh_now)
        for name, (title, _) in MENUS.items():
            title = tr(title)
            menu = self._menus[f"{name}/"] = window.menuBar().addMenu(title)
            menu.aboutToShow.connect(self.refresh_now)

    @property
    def entries(self) -> dict[str, QAction]:
        """Give the entries by the ids of their commands, each as it is now."""
        self.catch_up()
        return self._entries

    def add(self, *commands: Command) -> None:
        """Add commands; `build` puts them into the menus."""
        for command in commands:
            self.commands[command.id] = command
            if command.fill is None:
                self._entries[command.id] = self._entry(command)
            else:
                menu = self._filled[command.id] = QMenu(command.title, self._window)
                menu.aboutToShow.connect(lambda menu=menu, fill=command.fill: fill(menu))

    def build(self, scene: QWidget) -> None:
        """Fill the menus with what is in sight; keys of the scene work only inside it."""
        seen = set[str]()
        known: dict[str, list[str]] = {}
        for id_, command in self.commands.items():
            known.setdefault(command.menu, []).append(id_)
        for name, (_, order) in MENUS.items():
            menu, ids = self._menus[f"{name}/"], list(_ordered(name, order, known[name]))
            inside = Counter(self.commands[id_].choice for id_ in ids if id_)
            for id_ in ids:
                if not id_:
                    menu.addSeparator()
                elif id_ in self._filled:
                    menu.addMenu(self._filled[id_])
                else:
                    choice = self.commands[id_].choice if id_.startswith(f"{name}.") else ""
                    # one alone needs no menu of its own
                    place = self._inside(name, choice) if choice and inside[choice] > 1 else menu
                    place.addAction(self._entries[id_])
            seen.update(id_ for id_ in ids if id_)
        for id_, command in self.commands.items():
            if command.in_scene:
                entry = self._entries[id_]
                entry.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
                scene.addAction(entry)
            elif id_ in self._entries and id_ not in seen:
                # its key works, though no menu shows it
                self._window.addAction(self._entries[id_])
        self._is_built = True
        self.refresh_now()

    def find(self, id_: str) -> Command:
        """A command."""
        return self.commands[id_]

    def refresh(self) -> None:
        """Ask every command again in a moment, however much changes until then."""
        self._later.start()

    def refresh_now(self) -> None:
        """Ask every command again whether it makes sense, whether it is on, and what it says."""
        self._later.stop()
        # most ask the same, whether there is a project
        makes_sense = cache(lambda asks: asks())
        for id_, entry in self._entries.items() if self._is_built else ():
            command = self.commands[id_]
            entry.setEnabled(makes_sense(command.enabled))
            if command.is_on is not None:
                entry.setChecked(command.is_on())
            if command.words is not None:
                entry.setText(command.words())

    def end(self) -> None:
        """Ask no more: the window closes."""
        self._is_built = False
        self._later.stop()

    def catch_up(self) -> None:
        """Ask them now if it is to be done: a key is pressed, which may mean one of them."""
        if self._later.isActive():
            self.refresh_now()

    def menu(self, name: str) -> QMenu:
        """Give one of the menus by its name."""
        return self._menus[f"{name}/"]

    def context(self, *ids: str) -> QMenu:
        """Make a menu of some commands, with a line at each empty id and whole menus by name."""
        made = QMenu(self._window)
        for id_ in ids:
            if not id_:
                made.addSeparator()
            elif id_ in self._entries:
                made.addAction(self._entries[id_])
            else:
                made.addMenu(self.menu(id_))
        return made

    def run(self, id_: str) -> None:
        """Do a command, where it makes sense."""
        self.refresh_now()
        if self._entries[id_].isEnabled():
            self._entries[id_].trigger()

    def where(self, command: Command) -> str:
        """Say in which menu a command stands: 'View › Units'."""
        words = [tr(MENUS[command.menu][0])]
        if command.choice:
            words.append(tr(SUBMENUS.get(command.choice, command.choice)))
        return " › ".join(words).replace("&", "")

    def set_theme(self, theme: Theme) -> None:
        """Draw the icons again."""
        for id_, command in self.commands.items():
            if command.icon:
                sign = icon(command.icon, theme.muted)
                self._entries[id_].setIcon(sign)
                within = self._menus.get(f"{command.menu}/{command.choice}")
                if command.choice and within is not None:
                    within.setIcon(sign)

    def _entry(self, command: Command) -> QAction:
        entry = QAction(command.title, self._window)
        if command.also:
            entry.setShortcuts([QKeySequence(key) for key in (command.key, *command.also)])
        else:
            entry.setShortcut(command.key)
        entry.setCheckable(command.is_on is not None)
        entry.setStatusTip(command.tip)
        entry.setToolTip(command.full_tip)
        if command.choice in _ONE_OF and command.is_on is not None:
            group = self._choices.setdefault(command.choice, QActionGroup(self._window))
            group.addAction(entry)
        entry.triggered.connect(lambda: self._run(command))
        return entry

    def _inside(self, name: str, inside: str) -> QMenu:
        key = f"{name}/{inside}"
        if key not in self._menus:
            self._menus[key] = self.menu(name).addMenu(tr(SUBMENUS.get(inside, inside)))
        return self._menus[key]

    def _run(self, command: Command) -> None:
        command.do()
        self.refresh()


def _ordered(name: str, order: str, known: Sequence[str]) -> Iterator[str]:
    """The ids of a menu as they are listed, of those that it has; lines as empty ids."""
    for word in order.split():
        id_ = word if word.partition(".")[0] in MENUS and "." in word else f"{name}.{word}"
        start = id_.removesuffix("*")
        if word == "|":
            yield ""
        elif start != id_:
            yield from (one for one in known if one == start or one.startswith(f"{start}."))
        else:
            yield id_
