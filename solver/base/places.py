"""Find what is shipped with the program, in a checkout or in an installed wheel."""

from __future__ import annotations

import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent

DEFAULT_SAMPLE = "frontal"
"""The sample that is shown first."""


class NotShipped(RuntimeError):
    """Say that a shipped folder is missing: the installation is broken."""


def resources() -> Path:
    """The folder of library data."""
    return _shipped("resources")


def samples() -> Path:
    """The folder of sample projects."""
    return _shipped("sample_projects")


def docs() -> Path:
    """The folder of the guide's pages."""
    return _shipped("docs")


def is_shipped(file: Path) -> bool:
    """Whether a file came with the program: a sample or a template, which work leaves as it is."""
    try:
        return any(file.resolve().is_relative_to(one().resolve()) for one in (samples, resources))
    except NotShipped:
        return False


def _shipped(name: str) -> Path:
    for folder in (_PACKAGE / "_shipped" / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise NotShipped(
        f"The folder '{name}' is missing from the installation; install Manikin again."
    )


def user_cache() -> Path:
    """Give this user's cache folder for the program; it may not exist yet."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "manikin"


def user_data() -> Path:
    """Give the folder in which the program keeps what this user chose and made; it may not exist yet."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "manikin"


# Which version of the program this is.

try:
    __version__ = version("manikin")
except PackageNotFoundError:
    __version__ = "0+checkout"
