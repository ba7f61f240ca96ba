"""What has been shown of a body for the load case at hand: which measurements it was held against, and what failed.

docs/validation.md has the pages; who is pushed from where says which of them speak for a run.
"""

from __future__ import annotations

from collections.abc import Mapping

from solver.base.words import msgid, tr
from solver.bodies.certificates import changed
from solver.injury.figures import Judged
from solver.injury.judging import pushed_words
from solver.injury.parts import Occupant
from solver.injury.reference import reference
from solver.project import Project

PERSON = "person"
"""A body of the generator with a flexible spine."""

HELD: Mapping[tuple[str, str], str] = {
    ("hybrid_iii_50m", "ahead"): msgid(
        "held against one car test, a driver at 57 km/h (NHTSA 10146), whose curves were known when his restraints were chosen. Within a "
        "factor of 1.4: HIC, accelerations of head, chest and pelvis, chest deflection, loads of the neck, left femur. Not: right femur, when the head peaks"
    ),
    ("hybrid_iii_5f", "ahead"): msgid(
        "held against one car test, a rear seat in an offset crash (NHTSA 7292), on which nothing was fitted. Within a factor of 1.4: HIC, peaks of "
        "head, chest and pelvis, neck tension and shear. Not: chest deflection, times of the peaks of chest and pelvis. Airbags: nothing"
    ),
    (PERSON, "ahead"): msgid(
        "held against eight cadavers in belts at 40 km/h, hubs on the chest and volunteers at 15 g. Near them: how far pelvis and head go forward, how "
        "deep the chest is pressed, belt forces to about 2 SD. Not: height of head and chest, turn of the pelvis, bend of the spine, rebound. Airbags, "
        "knees: nothing"
    ),
    (PERSON, "side"): msgid(
        "held against hubs on chest, belly and pelvis (forces within 1.7 SD) and a sled whose plates meet seven men at 3 and 8 m/s, on which nothing "
        "was fitted. Near them: forces on chest, belly and pelvis at 3 m/s. Not: anything at 8 m/s, the thigh, times of forces, how far ribs give way, "
        "pubic load, shoulder, doors"
    ),
}  # fmt: skip
"""By body and push: what pages of docs/validation.md say."""


FLEXIBLE = "lower_ribs"
"""A segment that people with a flexible spine have, and no dummy."""


def held(project: Project, body: Occupant, judged: Judged) -> str:
    """Say what is shown of a body that is pushed like this, and what not."""
    pelvis = body.segments.get("lower_torso", "")
    ahead = pelvis.removesuffix("lower_torso")
    kind = ""
    if judged.who.how == "dummy":
        kind = reference().bodies[judged.who.size].library
        if changed(project, ahead, kind):
            return tr("changed against the library: no measurement speaks for it")
    elif any(segment.id == f"{ahead}{FLEXIBLE}" for segment in project.segments):
        kind = PERSON
    words = HELD.get((kind, judged.way))
    if words is None:
        words = msgid("held against no measurement of a whole body")
    return tr("{push}: {held}", push=pushed_words(judged.way), held=tr(words))
