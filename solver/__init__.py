"""Manikin without its window: projects, checks, runs, results.

from solver import load_project, check, settle, health, simulate, open_results
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from solver.base.places import __version__ as __version__

if TYPE_CHECKING:
    from solver.analysis.equilibrium import health, settle
    from solver.project import (
        Problem,
        Project,
        ProjectError,
        load_project,
        save_project,
    )
    from solver.project.checks import check, checked
    from solver.results import open_results
    from solver.running.simulation import simulate

__all__ = [
    "Problem",
    "Project",
    "ProjectError",
    "check",
    "checked",
    "health",
    "load_project",
    "open_results",
    "save_project",
    "settle",
    "simulate",
]

_HOMES = {
    "check": "solver.project.checks",
    "checked": "solver.project.checks",
    "health": "solver.analysis.equilibrium",
    "open_results": "solver.results",
    "settle": "solver.analysis.equilibrium",
    "simulate": "solver.running.simulation",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used, so that commands start fast."""
    if name not in __all__:
        raise AttributeError(f"module 'solver' has no attribute '{name}'")
    return getattr(import_module(_HOMES.get(name, "solver.project")), name)
