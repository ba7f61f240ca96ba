"""A head that bends far forward comes to rest on the chest: chin, collar and jacket of dummies and people."""

from __future__ import annotations

import numpy as np
import pytest

from solver.bodies import adult_dimensions, body_project, child_dimensions, dummy, human, pose
from solver.bodies.dummies import DUMMIES
from solver.project.checks.index import Index
from solver.project.checks.shapes import gaps, solid
from solver.project.document import Project
from solver.project.geometry import Orientation
from solver.project.motions import JointStart
from solver.project.pose import start_pose

PEOPLE = {
    "man": adult_dimensions("male"),
    "woman": adult_dimensions("female", percentile=5.0),
    "child": child_dimensions(6.0, "male"),
}
CONTACTS = {"upper_torso_collar-head_chin", "upper_torso_collar-head"}


def bent(who: str, share: float) -> tuple[Project, float]:
    """Give a body whose neck bends forward by equal shares, and by how much its head leans more than its chest (degrees)."""
    body = dummy(who) if who in DUMMIES else human(PEOPLE[who])
    project = body_project(pose(body, "seated"))
    starts = {one.joint: one for one in project.initial.joints}
    bends = [
        j for j in project.joints if j.id.startswith("disc_") or j.id in ("neck_base", "condyles")
    ]
    # necks of dummies for side impacts have two joints, others five
    share *= 2.5 if len(bends) == 2 else 1.0
    for joint in bends:
        # z of a ball's frame leans backwards in flexion; the condyles of a dummy are a pin
        values = (-share,) if joint.kind == "pin" else (0.0, share, 0.0)
        starts[joint.id] = JointStart(joint=joint.id, values=values)
    initial = project.initial.model_copy(update={"joints": tuple(starts.values())})
    project = project.model_copy(update={"initial": initial})
    placed = start_pose(project)
    lean = [
        np.degrees(np.arctan2(placed[s].R_WS[0, 2], placed[s].R_WS[2, 2]))
        for s in ("upper_torso", "head")
    ]
    return project, float((lean[0] - lean[1]) % 360.0)


def gap(project: Project) -> float:
    """Give the least distance (m) of chin and chest."""
    index = Index(project)
    chosen = [c for c in project.contacts if c.id in CONTACTS]
    assert {c.id for c in chosen} == CONTACTS
    ends = [
        [solid(index, ref.segment, ref.surface) for ref in side]
        for side in zip(*((c.first, c.second) for c in chosen), strict=True)
    ]
    return float(min(gaps(*ends, [False] * len(chosen))))


@pytest.mark.parametrize("who", [*DUMMIES, *PEOPLE])
def test_the_chin_meets_the_chest_where_the_head_is_bent_far_forward(who: str) -> None:
    """Bent by equal shares; heads of children are large for their necks, so theirs come to rest earlier."""
    low, high = (
        (35.0, 60.0)
        if who in ("hybrid_iii_6y", "hybrid_iii_3y", "child")
        else (60.0, 101.0 if who == "es_2re" else 92.0)
    )
    steps = np.radians(np.arange(0.0, 24.0, 2.0))
    meets = next(
        angle for project, angle in (bent(who, one) for one in steps) if gap(project) <= 0.0
    )
    assert low < meets < high


def test_limbs_meet_the_jacket_or_what_it_covers_but_not_both() -> None:
    """Arms that start within the jacket meet the sternum instead, so that none is left without a contact."""
    within = {
        f"{side}_upper_arm": Orientation(angles_rad=(0.0, 0.87, 0.0)) for side in ("right", "left")
    }
    for turned, arm, not_arm in (
        (within, "sternum-right_upper_arm", "upper_torso_jacket-right_upper_arm"),
        ({}, "upper_torso_jacket-right_upper_arm", "sternum-right_upper_arm"),
    ):
        project = body_project(pose(dummy("hybrid_iii_5f"), "driving", turned))
        names = {contact.id for contact in project.contacts}
        assert {"upper_torso_jacket-right_forearm", arm, "centre_torso-sternum"} <= names
        assert not {"sternum-right_forearm", "upper_torso-right_forearm", not_arm} & names
