"""Let the body of what is selected hold its posture: actuators at its joints, as one step."""

from __future__ import annotations

from app.command import Command
from app.elements import element_label
from app.features.feature import Feature
from app.workbench import Workbench
from solver.base.words import tr
from solver.bodies.body import BodyError
from solver.bodies.posture import held
from solver.project import Project
from solver.project.posing import members, root_of


class Bracing(Feature):
    """Put actuators at the joints of the selected body, or between what is selected."""

    name = "bracing"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        bench.commands.add(
            Command(
                "place.brace",
                tr("&Brace"),
                tr(
                    "Let the body of what is selected hold its posture: actuators at its joints, or between the segments or joints that are selected."
                ),
                self.brace,
                enabled=lambda: bench.has_project() and bool(self._chosen()),
            )
        )

    def _chosen(self) -> list[str]:
        """The segments and joints that are selected."""
        paths = self.bench.document.elements
        return [path for path in paths if path.startswith(("segments/", "joints/"))]

    def brace(self) -> None:
        """Add the actuators as one step, and select them, so that their numbers can be changed together."""
        document = self.bench.document
        self.bench.run_view.switch(False)
        paths = self._chosen()
        try:
            done = held(document.project, segments_of(document.project, paths))
        except BodyError as reason:
            self.bench.say(str(reason))
            return
        before = len(document.project.coordinate_forces)
        new = [f"coordinate_forces/{one.id}" for one in done.coordinate_forces[before:]]
        name = element_label(document.project, paths[0])
        document.replace(done, tr("Brace {name}", name=name), select=new)
        self.bench.say(
            tr("{count} axes are held; their laws can be changed together.", count=len(new))
        )


def segments_of(project: Project, paths: list[str]) -> list[str]:
    """The segments between which joints are held: of one segment all of its body, else those that are meant."""
    joints = {joint.id: joint for joint in project.joints}
    found = dict.fromkeys(path.split("/")[1] for path in paths if path.startswith("segments/"))
    if len(paths) == 1 and found:
        return list(members(project, root_of(project, next(iter(found)))))
    for path in paths:
        if path.startswith("joints/"):
            joint = joints[path.split("/")[1]]
            found |= dict.fromkeys((joint.parent, joint.child))
    return list(found)
