"""The reach of what is selected: its envelope, found in the background and shown as a see-through mesh, and all its poses."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

from app.command import Command
from app.elements import element_label
from app.features.feature import Feature
from app.jobs.task import Task
from app.widgets.sheet import fit_beside
from app.workbench import Workbench
from solver.base.words import msgid, tr
from solver.project import Project
from solver.project.geometry import PointRef

if TYPE_CHECKING:
    from app.features.poses_dialog import PosesDialog
    from solver.analysis.linkages import Envelope

_CHANGED = msgid("The model has changed meanwhile; nothing was done.")


class Given(Exception):
    """Say that the envelope is not wanted any more."""


class Reaching(Feature):
    """Show how far the selected segment or marker reaches."""

    name = "reaching"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._given: threading.Event | None = None
        bench.commands.add(
            Command(
                "place.reach_of",
                tr("&Reach of it"),
                tr("Show how far the end of the selected segment, or the selected marker, reaches while the joints of its limb go through their ranges."),
                self.find,
                enabled=lambda: self._wanted() is not None,
            ),
            Command(
                "place.poses",
                tr("All pos&es of it…"),
                tr("List the poses in which the end of the selected segment, or the selected marker, is at a place, and show each by a click."),
                self.find_poses,
                enabled=lambda: self._wanted() is not None,
            ),
        )  # fmt: skip

    def _wanted(self) -> tuple[str, str] | None:
        """What reaches: the list and id of a segment or a marker that is selected."""
        if not self.bench.has_project():
            return None
        list_, _, rest = self.bench.document.selection.partition("/")
        return (list_, rest.split("/")[0]) if list_ in ("segments", "markers") and rest else None

    def find_poses(self) -> PosesDialog | None:
        """List all poses in which the end of what is selected is at a place."""
        from app.features.poses_dialog import PosesDialog, point_of

        bench = self.bench
        point = point_of(bench.document.project, bench.document.selection)
        if point is None:
            bench.say(tr("Select a segment that a joint carries, or a marker on one."))
            return None
        bench.run_view.switch(False)
        dialog = PosesDialog(bench, point)
        dialog.setStyleSheet(bench.window.styleSheet())
        dialog.adjustSize()
        fit_beside(dialog)
        dialog.show()
        return dialog

    def find(self) -> None:
        """Look for the envelope of what is selected."""
        wanted = self._wanted()
        if wanted is None:
            return
        project = self.bench.document.project
        self.end()
        given = self._given = threading.Event()
        task = Task(partial(_found, project, *wanted, given), self)
        task.done.connect(partial(self._on_found, project, given))
        task.failed.connect(partial(self._on_failed, given))
        name = element_label(project, "/".join(wanted))
        self.bench.say(tr("Looking how far {name} reaches …", name=name))
        task.start()

    def escape(self) -> bool:
        """Give up what is sought."""
        was = self._given is not None and not self._given.is_set()
        if was:
            self.end()
            self.bench.say(tr("The search was given up."))
        return was

    def end(self) -> None:
        """Give up what is sought: the window is being closed."""
        if self._given is not None:
            self._given.set()
            self._given = None

    def _on_found(self, project: Project, given: threading.Event, found: Envelope) -> None:
        if given.is_set():
            return
        from solver.analysis.linkages import with_envelope

        self._given = None
        document = self.bench.document
        if document.project is not project:
            self.bench.say(tr(_CHANGED))
            return
        name = element_label(project, f"segments/{found.point.segment}")
        done, mesh = with_envelope(project, found, tr("Reach of {name}", name=name))
        document.replace(done, tr("Reach of {name}", name=name), select=[f"meshes/{mesh}"])
        self.bench.say(
            tr(
                "{name} reaches {volume:.3g} m³, up to {far:.3g} m from the first joint; nothing in its way was looked at.",
                name=name,
                volume=found.volume_m3,
                far=found.furthest_m,
            )
        )

    def _on_failed(self, given: threading.Event, failure: Exception) -> None:
        if given.is_set():
            return
        self._given = None
        self.bench.tell_failed(failure)


def _found(project: Project, list_: str, id_: str, given: threading.Event) -> Envelope:
    """Find the envelope of a marker, or of a segment's end."""
    from solver.analysis.linkages import reach_envelope, tip_of

    def watch(_: float) -> None:
        if given.is_set():
            raise Given

    if list_ == "markers":
        marker = next(one for one in project.markers if one.id == id_)
        point = PointRef(segment=marker.segment, position_m=marker.point_m)
    else:
        point = tip_of(project, id_)
    return reach_envelope(project, point, watch=watch)
