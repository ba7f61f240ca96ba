"""Find elements of a project by their paths."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from solver.project import LISTS, Project
from solver.project.fields import Part

PROJECT = ""
START = "initial"


def elements(project: Project) -> Iterator[tuple[str, Any]]:
    """Give every element with its path, in the order of the document."""
    for name in LISTS:
        for item in getattr(project, name):
            yield f"{name}/{item.id}", item


def element_path(path: str) -> str:
    """Cut a path into the document down to its element: `segments/head/mass_kg` is in segments/head."""
    words = path.split("/")
    if words[0] in LISTS and len(words) > 1:
        return "/".join(words[:2])
    return START if words[0] == START else PROJECT


def find(project: Project, path: str) -> Part | None:
    """Find an element, the start or the project itself; None where there is no such thing."""
    if path == PROJECT:
        return project
    if path == START:
        return project.initial
    name, _, wanted = path.partition("/")
    items = getattr(project, name) if name in LISTS else ()
    return next((item for item in items if item.id == wanted), None)
