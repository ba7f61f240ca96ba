"""A man of three torso parts with lap and shoulder strap of their own, as the library lays them."""

from __future__ import annotations

from pathlib import Path

from solver.project import Project, load_project

FILE = Path(__file__).resolve().parent.parent / "data" / "belted.json"


def belted() -> Project:
    """Give a printed man whose belt has two straps."""
    return load_project(FILE)
