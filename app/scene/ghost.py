"""Draw the bodies, belts and bags of another pose faintly beside the scene."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from app.scene.actors import Form
from app.scene.batch import Batch, Piece
from app.scene.detail import Details
from app.scene.drawn import SOFT, Drawn, move_items
from app.scene.lens import Lens
from app.scene.paints import Paint
from app.scene.strips import Strip
from solver.project import Project
from solver.project.pose import Placed
from solver.scene.placing import Pose, pose_at_start
from solver.scene.shapes import shapes
from solver.scene.tones import rgb

_KINDS = ("body", "belt", "bag", "pack")
_CLEAR = {"body": 0.24, "belt": 0.45, "bag": 0.14, "pack": 0.3}


class Ghost:
    """Hold see-through shapes of one project; they are seen, but not touched."""

    def __init__(self, renderer: Any, project: Project, tone: str) -> None:
        pose = pose_at_start(project)
        self.items = [
            Drawn(shape, pose[shape.segment])
            for shape in shapes(project, pose)
            if shape.kind in _KINDS
        ]
        red, green, blue = (round(255.0 * part) for part in rgb(tone))
        self._paints = {
            kind: Paint(colour, colour, False, None)
            for kind, clear in _CLEAR.items()
            for colour in [(red, green, blue, round(255.0 * clear))]
        }
        self._details = Details()
        self._batch = Batch(renderer, "ghost")
        self._strips = {
            item: Strip(renderer, item, edges=False)
            for item in self.items
            if item.shape.kind in SOFT
        }
        for actor in (self._batch.actor, *(strip.face for strip in self._strips.values())):
            _stand_back(actor)

    def move(
        self,
        pose: Pose,
        forms: Mapping[tuple[str, str], Form],
        bags: Mapping[str, Placed | None] | None = None,
        idle: Collection[str] = (),
    ) -> None:
        """Show another pose, as a stage does."""
        move_items(self.items, pose, forms, bags, idle)

    def draw(self, lens: Lens) -> None:
        """Write what has changed since the last picture."""
        for item, strip in self._strips.items():
            strip.show(item, self._paints[item.shape.kind])
        pieces = [
            Piece(mesh, item.at, self._paints[item.shape.kind].face)
            for item, mesh in self._details.meshes(self.items, lens).items()
            if item.is_seen
        ]
        self._batch.show(pieces, lens.camera.axes()[2])

    def remove(self) -> None:
        """Take the actors out of the scene."""
        self._batch.remove()
        for strip in self._strips.values():
            strip.remove()


def _stand_back(actor: Any) -> None:
    """Let the run itself be seen where both lie in one place, as at the start of two runs."""
    mapper = actor.GetMapper()
    mapper.SetResolveCoincidentTopologyToPolygonOffset()
    mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(2.0, 60.0)
