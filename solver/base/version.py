"""Which version of the program this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("manikin")
except PackageNotFoundError:
    __version__ = "0+checkout"
