"""Remember preferences, layout and recent files from one start to the next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from PySide6.QtCore import QByteArray, QSettings, Qt

from app.home import home
from app.preferences import BY_NAME, PREFERENCES, SCHEMES, Value


def workspace(name: str) -> str:
    """The name under which an arrangement of panels is remembered as a layout."""
    return f"workspace/{quote(name, safe='')}"


_SEEN_AT_FIRST = ("forces", "loads", "reach", "around")
"""What is seen beside runs until somebody chooses otherwise."""


class Settings:
    """Read and write a small file of settings; what is unreadable counts as not set."""

    def __init__(self, folder: Path | None = None) -> None:
        file = (folder or home()) / "settings.ini"
        self._store = QSettings(str(file), QSettings.Format.IniFormat)

    def value(self, name: str) -> Value:
        """A preference; the usual value where none is chosen."""
        return BY_NAME[name].read(self._text(name)) if name in BY_NAME else False

    def keep(self, name: str, value: Value) -> None:
        """Remember a preference; a value that it cannot have is left out."""
        one = BY_NAME[name]
        if one.fits(value):
            self._store.setValue(name, one.written(value))
        if name == "recent_files":
            self._store.setValue("recent", [str(file) for file in self.recent])

    def forget_preferences(self) -> None:
        """Go back to the usual value of every preference."""
        for one in PREFERENCES:
            self._store.remove(one.name)

    @property
    def scheme(self) -> Qt.ColorScheme:
        """The chosen colours."""
        return SCHEMES[str(self.value("scheme"))]

    @property
    def units(self) -> str:
        """The chosen system of units: 'metric', 'si' or 'inch_pound'."""
        return str(self.value("units"))

    def sight(self, name: str) -> bool:
        """Whether something is to be seen beside runs."""
        return (self._text(f"sights/{name}") or str(name in _SEEN_AT_FIRST).lower()) == "true"

    def keep_sight(self, name: str, on: bool) -> None:
        """Remember whether something is to be seen beside runs."""
        self._store.setValue(f"sights/{name}", "true" if on else "false")

    @property
    def recent(self) -> list[Path]:
        """List the files opened last that still exist, the newest first."""
        value: Any = self._store.value("recent", [])
        names = [value] if isinstance(value, str) else list(value or [])
        found = [file for name in names if (file := Path(str(name))).is_file()]
        return found[: int(self.value("recent_files"))]

    def add_recent(self, file: Path) -> None:
        """Put a file first in the list."""
        file = file.resolve()
        files = [file, *(one for one in self.recent if one != file)]
        kept = files[: int(self.value("recent_files"))]
        self._store.setValue("recent", [str(one) for one in kept])

    def forget_recent(self) -> None:
        """Empty the list."""
        self._store.setValue("recent", [])

    def folder(self, what: str) -> str:
        """The folder in which something was put last; empty where it is gone, or there was none."""
        kept = self._text(f"folders/{what}")
        return kept if kept and Path(kept).is_dir() else ""

    def keep_folder(self, what: str, folder: Path) -> None:
        """Remember the folder in which something was put."""
        self._store.setValue(f"folders/{what}", str(folder))

    def layout(self, name: str) -> QByteArray | None:
        """A remembered layout."""
        value = self._store.value(f"layout/{name}")
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None

    def keep_layout(self, name: str, state: QByteArray) -> None:
        """Remember a layout."""
        self._store.setValue(f"layout/{name}", state)

    def forget_layout(self, name: str) -> None:
        """Remember a layout no longer."""
        self._store.remove(f"layout/{name}")

    def keep_views(self, name: str, looks: Sequence[str]) -> None:
        """Remember from where the views of a workspace look; without several there is nothing to remember."""
        self.forget_layout(f"views/{quote(name, safe='')}")
        if looks:
            self.keep_layout(f"views/{quote(name, safe='')}", QByteArray("\n".join(looks).encode()))

    def views(self, name: str) -> tuple[str, ...]:
        """From where the views of a workspace look; empty for one view."""
        state = self.layout(f"views/{quote(name, safe='')}")
        return () if state is None else tuple(bytes(state.data()).decode("utf-8", "replace").split("\n"))  # fmt: skip

    @property
    def workspaces(self) -> list[str]:
        """Name the arrangements of panels that people have saved."""
        self._store.beginGroup("layout/workspace")
        names = sorted(unquote(key) for key in self._store.childKeys())
        self._store.endGroup()
        return names

    def _text(self, key: str) -> str:
        return str(self._store.value(key, ""))
