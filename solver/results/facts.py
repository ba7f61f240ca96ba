"""What a run is: its title, its project, who made it and when."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from solver.results.trajectory import Trajectory


@dataclass(frozen=True, slots=True)
class Facts:
    """Hold what stands at the head of exported files and reports."""

    title: str
    name: str
    status: str
    message: str
    created_utc: str
    app_version: str
    """What solved it; empty for a run that is in memory."""
    project_sha256: str
    run_id: str
    """Which of the project's runs was solved; empty in files of older versions."""


def facts(run: Trajectory) -> Facts:
    """Give what is known of a run; the hash is that of the project's exact text."""
    path = getattr(run, "path", None)
    return Facts(
        title=str(plain_project(run).get("title") or ""),
        name=path.stem if path is not None else "run",
        status=run.status,
        message=run.message,
        created_utc=str(getattr(run, "created_utc", "")),
        app_version=str(getattr(run, "app_version", "")),
        project_sha256=hashlib.sha256(run.project_json).hexdigest(),
        run_id=str(getattr(run, "run_id", "")),
    )


def plain_project(run: Trajectory) -> dict[str, Any]:
    """Give the project of a run as plain data; empty where it cannot be read."""
    try:
        found = json.loads(run.project_json)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
