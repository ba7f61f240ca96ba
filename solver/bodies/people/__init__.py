"""People with a flexible spine, a chest that gives way and a neck, of any size the generator knows."""

from __future__ import annotations

from solver.base.words import tr
from solver.bodies.body import LEFT, RIGHT, Body, Holding, read
from solver.bodies.dimensions import Dimensions
from solver.bodies.parts import Data
from solver.bodies.people.limbs import Limbs
from solver.bodies.people.sizes import LINKS, Scaling, bone, scaling, soft
from solver.bodies.poses import STANDING, attitudes_of, with_clear_arms
from solver.project.document import Project

__all__ = ["Scaling", "bone", "human", "scaling", "soft"]


# Put a person together: pelvis, spine, chest with a sternum that slides, shoulder girdle, neck, head, limbs.

TONE = Holding(frequency_hz=3.0, damping=0.7, limit=1.0)
"""What holds head and trunk as they start: assumed. It bears no more than the weight of what is carried, held out level."""
SPINE = (
    "lower_torso",
    "lumbar_1",
    "centre_torso",
    "lumbar_2",
    "lower_ribs",
    "upper_torso",
    "neck_1",
    "neck_2",
    "neck_3",
    "head",
)


def human(
    d: Dimensions,
    *,
    title: str = "",
    compressing: bool = False,
    breaking_bones: bool = False,
    extensors: bool = False,
) -> Body:
    """Make a person with a flexible spine, standing; `pose` seats it.

    Sizes are those of the dimensions, masses of published tables, laws of the 50th-percentile man carried over by the rules
    of `solver.bodies.people.sizes`. With `compressing`, lumbar discs shorten and lengthen too; with
    `breaking_bones`, bones of arms and legs bend until they break, and flesh swings on them; with `extensors`, muscles run
    from chest and neck to neck and head.
    """
    piece = Project.model_validate(
        Person(
            d, compressing=compressing, breaking_bones=breaking_bones, extensors=extensors
        ).data()
    )
    text = d.said[0].upper() + d.said[1:]
    ids = [segment.id for segment in piece.segments]
    body = Body(
        title=title or tr("{who}, flexible spine", who=text),
        source=f"Generated: {d.said}; {read('shares')['source']}; {read('dimensions')['source']}",
        note="Spine, chest and limbs by named rules from the 50th-percentile man; docs/bodies.md says what is measured, fitted, assumed.",
        segments=piece.segments,
        joints=piece.joints,
        functions=piece.functions,
        attitudes=attitudes_of(STANDING, ids),
        pose=STANDING,
        dimensions=dict(d.values),
        sex=d.sex,
        also=Project(
            contact_laws=piece.contact_laws,
            coordinate_forces=piece.coordinate_forces,
            outputs=piece.outputs,
        ),
        rests=tuple(LINKS),
        tone=TONE,
        toned=SPINE,
    )
    return with_clear_arms(body)


class Person(Limbs):
    """Put all parts of a person together."""

    def data(self) -> Data:
        """The piece of a project."""
        self._trunk()
        self._chest()
        self._neck_and_head()
        self._cores()
        for side in (RIGHT, LEFT):
            self._side(side)
            self._girdle(side)
            self._leg(side)
            self._arm(side)
        self._skins()
        self._side_outputs()
        lists = ("functions", "contact_laws", "segments", "joints", "coordinate_forces", "outputs")
        return {name: getattr(self, name) for name in lists}
