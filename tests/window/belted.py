"""A man of three torso parts with lap and shoulder strap of their own, as the library lays them."""

from __future__ import annotations

from solver.places import samples
from solver.project import Project, load_project


def belted() -> Project:
    """Give the sample whose belt has two straps."""
    return load_project(samples() / "rear_impact.json")
