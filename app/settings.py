"""Remember preferences, layout and recent files from one start to the next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings, Qt

from app.home import home

_RECENT = 10
_SCHEMES = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
}


class Settings:
    """Read and write a small file of settings; what is unreadable counts as not set."""

    def __init__(self, folder: Path | None = None) -> None:
        file = (folder or home()) / "settings.ini"
        self._store = QSettings(str(file), QSettings.Format.IniFormat)

    @property
    def scheme(self) -> Qt.ColorScheme:
        """Give the chosen colours."""
        return _SCHEMES.get(self._text("scheme"), Qt.ColorScheme.Unknown)

    @scheme.setter
    def scheme(self, value: Qt.ColorScheme) -> None:
        name = next(key for key, scheme in _SCHEMES.items() if scheme == value)
        self._store.setValue("scheme", name)

    @property
    def units(self) -> str:
        """Give the chosen system of units: 'metric', 'si' or 'inch_pound'."""
        value = self._text("units")
        return value if value in ("metric", "si", "inch_pound") else "metric"

    @units.setter
    def units(self, value: str) -> None:
        self._store.setValue("units", value)

    def sight(self, name: str) -> bool:
        """Tell whether something is to be seen beside runs."""
        return self._text(f"sights/{name}") == "true"

    def keep_sight(self, name: str, on: bool) -> None:
        """Remember whether something is to be seen beside runs."""
        self._store.setValue(f"sights/{name}", "true" if on else "false")

    @property
    def recent(self) -> list[Path]:
        """List the files opened last that still exist, the newest first."""
        value: Any = self._store.value("recent", [])
        names = [value] if isinstance(value, str) else list(value or [])
        return [file for name in names if (file := Path(str(name))).is_file()]

    def add_recent(self, file: Path) -> None:
        """Put a file first in the list."""
        file = file.resolve()
        files = [file, *(one for one in self.recent if one != file)][:_RECENT]
        self._store.setValue("recent", [str(one) for one in files])

    def forget_recent(self) -> None:
        """Empty the list."""
        self._store.setValue("recent", [])

    def layout(self, name: str) -> QByteArray | None:
        """Give a remembered layout."""
        value = self._store.value(f"layout/{name}")
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None

    def keep_layout(self, name: str, state: QByteArray) -> None:
        """Remember a layout."""
        self._store.setValue(f"layout/{name}", state)

    def forget_layout(self) -> None:
        """Begin with the usual layout next time."""
        self._store.remove("layout")

    def _text(self, key: str) -> str:
        return str(self._store.value(key, ""))
