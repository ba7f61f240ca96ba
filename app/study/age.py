"""Tell whether a run is of the model as it stands."""

from __future__ import annotations

from app.study.record import RunRecord
from solver.project import Project


class Age:
    """Compare runs with a model; its text is made once, where it is needed."""

    def __init__(self) -> None:
        self._text_of: Project | None = None
        self._text = b""

    def is_outdated(self, record: RunRecord, project: Project) -> bool:
        """Tell whether a model has changed since a run.

        A run read from a file holds its curves inside; its text is compared, not its parts.
        """
        if record.project is project or record.project == project:
            return False
        if record.opened is None or not _has_csv(project):
            return True
        if self._text_of is not project:
            from solver.simulation import project_bytes

            self._text_of, self._text = project, project_bytes(project)
        return record.opened.project_json != self._text


def _has_csv(project: Project) -> bool:
    return any(getattr(one.form, "csv", None) is not None for one in project.functions)
