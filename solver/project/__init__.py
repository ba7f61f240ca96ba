"""The document: schema, files, checks. Everything else stands on it."""

from solver.project.document import LISTS, SCHEMA_VERSION, Project
from solver.project.paths import with_change
from solver.project.problems import Problem, ProjectError
from solver.project.reading import Opened, load_project, open_project, parse, validated
from solver.project.saving import save_project, to_json

__all__ = [
    "LISTS",
    "SCHEMA_VERSION",
    "Opened",
    "Problem",
    "Project",
    "ProjectError",
    "load_project",
    "open_project",
    "parse",
    "save_project",
    "to_json",
    "validated",
    "with_change",
]
