"""Let one window look and behave as its person prefers, at once whenever a preference changes."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QHeaderView

from app.fonts import em
from app.look import Theme, theme_for
from app.preferences import BUTTONS, TEXT_SIZES_PX
from app.scene.screen import QUALITIES
from app.settings import Settings
from app.shell.panels import PanelLayout
from app.style import palette, style_sheet
from app.workbench import Workbench


def _system_is_strong() -> bool:
    """Whether the system asks for high contrast; Qt before 6.10 does not say."""
    hints = getattr(QApplication.styleHints(), "accessibility", None)
    asked = getattr(hints(), "contrastPreference", None) if hints is not None else None
    return asked is not None and asked() == Qt.ContrastPreference.HighContrast


def chosen_theme(settings: Settings) -> Theme:
    """The colours that the person has chosen, or else the system."""
    scheme = settings.scheme
    if scheme == Qt.ColorScheme.Unknown:
        scheme = QApplication.styleHints().colorScheme()
    safe, strong = (bool(settings.value(name)) for name in ("safe_colours", "high_contrast"))
    return theme_for(scheme == Qt.ColorScheme.Dark, safe, strong or _system_is_strong())


def _text_px(settings: Settings) -> int:
    return TEXT_SIZES_PX[str(settings.value("text_size"))]


def give_colours_and_letters(settings: Settings) -> None:
    """All windows the colours and the size of text; before one is made, as Qt goes through all that is there."""
    QApplication.setPalette(palette(chosen_theme(settings)))
    font, px = QApplication.font(), _text_px(settings)
    if font.pixelSize() != px:
        font.setPixelSize(px)
        QApplication.setFont(font)


class Appearance(QObject):
    """A window to the preferences."""

    def __init__(self, bench: Workbench, panels: PanelLayout) -> None:
        super().__init__(bench)
        self._bench, self._settings, self._panels = bench, bench.settings, panels
        self._shown: tuple[Theme, int] | None = None
        self._em = em()
        self._do = {
            "scheme": self.show_theme,
            "safe_colours": self.show_theme,
            "high_contrast": self.show_theme,
            "text_size": self.show_theme,
            "quality": self._set_quality,
            "by_processor": self._redraw,
            "sees_past": self._see_past,
            "turn_with": self._set_mouse,
            "wheel_ahead": self._set_mouse,
            "units": self._show_units,
        }
        bench.application.changed.connect(self._on_changed)
        QApplication.styleHints().colorSchemeChanged.connect(self.show_theme)
        self.show_theme()
        self.look_alike()
        bench.views.opened.connect(self.look_alike)
        self._show_units()

    def close(self) -> None:
        """Follow the preferences no more."""
        self._bench.application.changed.disconnect(self._on_changed)
        QApplication.styleHints().colorSchemeChanged.disconnect(self.show_theme)

    def theme(self) -> Theme:
        """The colours that the person has chosen, or else the system."""
        return chosen_theme(self._settings)

    def text_px(self) -> int:
        """The height of the usual text."""
        return _text_px(self._settings)

    def show_preferences(self) -> None:
        """Open the page of preferences, or bring the open one to the front."""
        from app.shell.preferences import PreferencesDialog

        for open_one in self._bench.window.findChildren(PreferencesDialog):
            open_one.raise_()
            open_one.activateWindow()
            return
        PreferencesDialog(self._bench).show()

    def show_theme(self) -> None:
        """Show colours and size of text everywhere in the window."""
        theme, px = self.theme(), self.text_px()
        # the system tells of what was chosen here as well: a window full of things takes a while
        if (theme, px) == self._shown:
            return
        self._shown = theme, px
        give_colours_and_letters(self._settings)
        self._bench.window.setStyleSheet(style_sheet(theme, px))
        # another window may have set the letters of both already
        before, self._em = self._em, em()
        self._widen_columns(self._em / before)
        self._bench.set_theme(theme)

    def _widen_columns(self, ratio: float) -> None:
        """Let columns of tables follow the size of text."""
        # panels that were not seen yet are not in the window
        places = {self._bench.window, *self._panels.widgets()} if ratio != 1.0 else ()
        for header in {one for place in places for one in place.findChildren(QHeaderView)}:
            if header.orientation() == Qt.Orientation.Horizontal:
                for n in range(header.count()):
                    if header.sectionResizeMode(n) == QHeaderView.ResizeMode.Interactive:
                        header.resizeSection(n, round(ratio * header.sectionSize(n)))

    def _on_changed(self, name: str) -> None:
        do = self._do.get(name)
        if do is not None:
            do()
        self._bench.preference_changed.emit(name)

    def _set_quality(self) -> None:
        quality = QUALITIES[str(self._settings.value("quality"))]
        for view in self._bench.views.all:
            view.set_quality(quality)

    def _redraw(self) -> None:
        for view in self._bench.views.all:
            view.redraw()

    def _set_mouse(self) -> None:
        for view in self._bench.views.all:
            view.turn_button = BUTTONS[str(self._settings.value("turn_with"))]
            view.wheel_nearer = 1.0 if self._settings.value("wheel_ahead") == "nearer" else -1.0

    def _see_past(self) -> None:
        for view in self._bench.views.all:
            view.see_past(self._settings.value("sees_past") is True)

    def look_alike(self) -> None:
        """Let all views of the scene look and behave alike."""
        self._see_past()
        self._set_quality()
        self._set_mouse()

    def _show_units(self) -> None:
        self._bench.units_changed.emit(self._settings.units)
