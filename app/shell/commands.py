"""What people do with the window itself: which panels are seen, colours and units, palette and keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.command import Command
from app.features.all import MENUS
from app.features.feature import Feature
from app.forms.units import SYSTEMS
from app.panel import MOODS
from app.settings import Settings, workspace
from app.shell.menus import Menus
from app.shell.palette import Palette
from app.shell.panels import PanelLayout
from app.widgets.asking import ask_for_item
from app.widgets.sheet import help_by_key
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.units import UnitError, given_by, is_own, spelled
from solver.base.words import msgid, tr

_KEYS = 10
"""Panels that have a key of their own, Alt with a digit."""
_KEYED = "problems editor plots injury runs compare whatif "
"""The panels below the scene that have one, as people know them."""

_SCHEMES = (
    (
        "system",
        Qt.ColorScheme.Unknown,
        msgid("As the &system"),
        msgid("Light or dark, as the system has it."),
    ),
    ("light", Qt.ColorScheme.Light, msgid("&Light"), msgid("Dark words on a light ground.")),
    ("dark", Qt.ColorScheme.Dark, msgid("&Dark"), msgid("Light words on a dark ground.")),
)
_UNITS = {"metric": msgid("Metric"), "si": "SI", "inch_pound": msgid("Inch–pound")}


class WindowCommands(Feature):
    """Bring the commands that are no feature's."""

    name = "window"

    def __init__(
        self, bench: Workbench, menus: Menus, panels: PanelLayout, preferences: Callable[[], object]
    ) -> None:
        super().__init__(bench)
        self._menus = menus
        self._add_window(preferences)
        self._add_panels(panels)
        self._add_looks()
        for menu in MENUS:
            if menu != "help":
                self._menus.add(
                    Command(
                        f"{menu}.more",
                        tr("&More…"),
                        tr("All commands of this menu: type what you look for."),
                        partial(self.palette, menu),
                    )
                )

    def palette(self, menu: str = "") -> Palette:
        """Open the command palette, of one menu alone where one is named."""
        found = Palette(self.bench, self._menus, menu)
        found.show()
        return found

    def keys(self) -> None:
        """Open the page of keyboard shortcuts."""
        KeySheet(self.bench.window, self._menus, self.bench.theme.muted).show()

    def _add_window(self, preferences: Callable[[], object]) -> None:
        window = self.bench.window
        self._menus.add(
            Command(
                "file.window",
                tr("New &window"),
                tr("Open a second window, for another project or to copy between the two."),
                self.bench.another,
                "Ctrl+Shift+N",
            ),
            Command(
                "file.close",
                tr("&Close window"),
                tr("Close this window; unsaved work is asked about."),
                window.close,
                "Ctrl+W",
            ),
            Command(
                "file.quit",
                tr("&Quit"),
                tr("Close all windows; unsaved work is asked about."),
                self.bench.application.quit,
                "Ctrl+Q",
            ),
            Command(
                "edit.preferences",
                tr("P&references…"),
                tr("Units, colours, size of text, quality of the picture, mouse buttons, files."),
                preferences,
                "Ctrl+,",
            ),
            Command(
                "file.open_written",
                tr("Open &what was written last"),
                tr(
                    "Open the report, movie or other file that was written last, in its own program."
                ),
                lambda: self._open(self.bench.last_written),
                enabled=lambda: self.bench.last_written is not None,
            ),
            Command(
                "file.show_written",
                tr("Show its fol&der"),
                tr("Show the folder of what was written last."),
                lambda: self._open(self.bench.last_written and self.bench.last_written.parent),
                enabled=lambda: self.bench.last_written is not None,
            ),
            Command(
                "help.palette",
                tr("&Find a command…"),
                tr("Type what you want to do, or the name of an element."),
                lambda: self.palette(),
                "Ctrl+K",
                also=("Ctrl+Shift+P",),
            ),
            Command(
                "help.keys",
                tr("&Keyboard shortcuts"),
                tr("All keys on one page."),
                self.keys,
                "Ctrl+F1",
            ),
        )

    def _open(self, file: Path | None) -> None:
        if file is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(file)))

    def _add_panels(self, panels: PanelLayout) -> None:
        has_project = self.bench.has_project
        self._menus.add(
            Command(
                "view.scene_alone",
                tr("The scene al&one"),
                tr("Hide the panels beside and below the scene, or bring them back."),
                panels.toggle_scene_alone,
                "F11",
                has_project,
                is_on=lambda: panels.is_scene_alone,
            ),
            Command(
                "view.below",
                tr("Panels belo&w the scene"),
                tr(
                    "Show the panels below the scene, or leave only their tabs. A click on the tab in front does the same."
                ),
                panels.toggle_below,
                "Ctrl+J",
                has_project,
                is_on=lambda: not panels.docks.is_folded,
            ),
            Command(
                "view.below_alone",
                tr("The panels &below alone"),
                tr(
                    "Give problems, editors, curves and tables all the room, or bring the scene back."
                ),
                panels.toggle_below_alone,
                "F12",
                has_project,
                is_on=lambda: panels.is_below_alone,
            ),
        )
        for panel in panels.all("left", "right", "below"):
            self._menus.add(
                Command(
                    f"view.panel.{panel.name}",
                    panel.title,
                    tr("Show this panel where it was, or hide it."),
                    partial(panels.toggle, panel.name),
                    enabled=has_project,
                    is_on=partial(panels.is_shown, panel.name),
                    choice="arranged",
                )
            )
        self._menus.add(
            Command(
                "view.arrange",
                tr("&Arrange as at first"),
                tr("Put every panel that is seen here back to its first place and size."),
                panels.arrange,
                enabled=has_project,
                choice="arranged",
            )
        )
        # there are ten keys; they stay where people know them, and later panels go without
        self._add_workspaces(panels)
        below = sorted(panels.all("below"), key=lambda one: (_KEYED + one.name).index(one.name))
        sides = [one for one in panels.all("left", "right") if one.moods == MOODS]
        others = [one for one in panels.all("left", "right") if one.moods != MOODS]
        first = _KEYS - 1 - len(sides)
        order = [*panels.all("scene"), *below[:first], *sides, *below[first:], *others]
        for key, panel in enumerate(order):
            self._menus.add(
                Command(
                    f"view.go_{panel.name}",
                    *panel.go_to,
                    partial(panels.go_to, panel.name),
                    f"Alt+{key}" if key < _KEYS else "",
                    has_project,
                    choice="panels",
                )
            )

    def _add_workspaces(self, panels: PanelLayout) -> None:
        bench, settings = self.bench, self.bench.application.settings

        def ask(title: str, words: str, then: Callable[[str], object], *, own: bool) -> None:
            names = [*settings.workspaces, *([tr("My workspace")] if own else [])]
            ask_for_item(bench.window, title, words, list(dict.fromkeys(names)), 0, then, own=own)

        def save(name: str) -> None:
            state = panels.workspace()
            if name.strip() and state is not None:
                settings.keep_layout(workspace(name.strip()), state)
                settings.keep_views(name.strip(), bench.views.looks)
                bench.say(tr("The panels of all moods are kept as {name}.", name=name.strip()))
                self._menus.refresh()

        def take(name: str) -> None:
            state = settings.layout(workspace(name))
            if state is None or not panels.take_workspace(state):
                bench.say(
                    tr("{name} does not fit this version; all stands as at first.", name=name)
                )
            bench.views.looks_asked.emit(settings.views(name))

        def delete(name: str) -> None:
            settings.forget_layout(workspace(name))
            settings.keep_views(name, ())
            bench.say(tr("{name} is deleted.", name=name))
            self._menus.refresh()

        def has_some() -> bool:
            return bench.has_project() and bool(settings.workspaces)

        named = tr("Name of the workspace:")
        for id_, title, tip, then, own in (
            ("choose", tr("&Choose a workspace…"), tr("Arrange the panels as they were saved under a name."), take, False),
            ("save", tr("&Save the workspace…"), tr("Keep under a name how the panels of all moods are arranged."), save, True),
            ("delete", tr("&Delete a workspace…"), tr("Forget an arrangement of panels; what is seen stays."), delete, False),
        ):  # fmt: skip
            plain = title.replace("&", "").rstrip("…")
            do = partial(ask, plain, named, then, own=own)
            enabled = bench.has_project if own else has_some
            self._menus.add(
                Command(
                    f"view.workspace_{id_}", title, tip, do, enabled=enabled, choice="workspaces"
                )
            )

    def _add_looks(self) -> None:
        application = self.bench.application
        for name, scheme, title, tip in _SCHEMES:
            self._menus.add(
                Command(
                    f"view.{name}",
                    tr(title),
                    tr(tip),
                    partial(application.set_scheme, scheme),
                    is_on=partial(_is, application.settings, "scheme", scheme),
                    choice="colours",
                )
            )
        for system in SYSTEMS:
            self._menus.add(
                Command(
                    f"view.units_{system}",
                    tr(_UNITS[system]),
                    tr("Units in which numbers are shown and typed; the file keeps SI."),
                    partial(application.set_units, system),
                    is_on=partial(_is, application.settings, "units", system),
                    choice="units",
                )
            )

        self._menus.add(
            Command(
                "view.units_own",
                tr("&Own…"),
                tr("Choose an own system of units, of the project or as a list such as mm, t, s."),
                self.ask_for_units,
                is_on=lambda: is_own(application.settings.units),
                choice="units",
            )
        )

    def ask_for_units(self) -> None:
        """Let people choose a system of the project, or name its units."""
        settings = self.bench.application.settings
        systems = [", ".join(one.units) for one in self.bench.document.project.unit_systems]
        now = settings.units.replace(",", ", ") if is_own(settings.units) else "mm, t, s, deg"
        offered = list(dict.fromkeys((now, *systems)))
        words = tr("One unit of each kind, as mm, t, s, deg; any factor, as 25.4*mm:")
        ask_for_item(
            self.bench.window, tr("Own units"), words, offered, 0, self.take_units, own=True
        )
        self._menus.refresh()

    def take_units(self, text: str) -> None:
        """Show numbers in an own system of units, or say why not."""
        try:
            system = spelled(text.split(","))
            given_by(system)
        except UnitError as failure:
            self.bench.notice.say(str(failure))
            return
        self.bench.application.set_units(system)


def _is(settings: Settings, name: str, value: object) -> bool:
    return bool(getattr(settings, name) == value)


_COLUMNS = 2
Section = tuple[str, list[tuple[str, str]]]
"""A heading, and its keys with what they do."""


class KeySheet(QDialog):
    """List keys by menu, in columns."""

    def __init__(self, window: QWidget, menus: Menus, muted: str) -> None:
        super().__init__(window)
        self.setWindowTitle(tr("Keyboard shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("panel")
        inside = with_properties(QWidget(), objectName="page")
        columns = QHBoxLayout(inside)
        columns.setContentsMargins(24, 16, 24, 16)
        columns.setSpacing(40)
        halves: list[list[Section]] = [[] for _ in range(_COLUMNS)]
        heights = [0] * _COLUMNS
        for section in sheet(menus):
            at = heights.index(min(heights))
            halves[at].append(section)
            heights[at] += len(section[1]) + 2
        for half in halves:
            label = QLabel("".join(_html(section, muted) for section in half))
            label.setTextFormat(Qt.TextFormat.RichText)
            label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setWordWrap(True)
            columns.addWidget(label, 1)
        area = QScrollArea(widgetResizable=True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area)
        help_by_key(self, "guide#the-scene")
        self.resize(min(1040, window.width() - 40), min(680, window.height() - 40))


def sheet(menus: Menus) -> list[Section]:
    """The keys of each menu, then those of mouse and fields."""
    found: dict[str, list[tuple[str, str]]] = {}
    for id_, entry in menus.entries.items():
        command, shortcuts = menus.commands[id_], entry.shortcuts()
        keys = [k.toString(k.SequenceFormat.NativeText) for k in shortcuts]
        if any(keys):
            title = tr(MENUS[command.menu][0]).replace("&", "")
            words = command.plain.rstrip("…")
            if command.choice and command.is_on is None:
                words = f"{menus.where(command).rpartition(' › ')[2]}: {words.lower()}"
            found.setdefault(title, []).append((", ".join(keys), words))
    more = [
        (tr(title), [(tr(keys), tr(words)) for keys, words in rows])
        for title, rows in texts.words.MORE_KEYS
    ]
    return [*found.items(), *more]


def _html(section: Section, muted: str) -> str:
    """Write one section as a table."""
    title, rows = section
    lines = "".join(
        f"<tr><td style='padding: 2px 20px 2px 0'><b>{escape(keys)}</b></td>"
        f"<td style='padding: 2px 0'>{escape(words)}</td></tr>"
        for keys, words in rows
    )
    return f"<p style='color: {muted}'><b>{escape(title)}</b></p><table>{lines}</table>"
