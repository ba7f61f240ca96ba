"""What acts on a segment adds up to mass times acceleration, and is named by its source."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.study.acting import account, with_own_parts
from app.study.motion import Motion
from solver.places import samples
from solver.project import Project, load_project
from solver.results.trajectory import Trajectory
from solver.simulation import simulate

BELTED = {"sled": 0.05, "frontal_5f": 0.045, "lap_belt": 0.05, "side_impact": 0.03}


@pytest.fixture(scope="module", params=BELTED)
def ran(request: pytest.FixtureRequest) -> tuple[Project, Trajectory]:
    """Solve the first part of a sample that has belts, a bag, contacts or springs."""
    project = load_project(samples() / f"{request.param}.json")
    run = project.runs[0].model_copy(update={"duration_s": BELTED[request.param]})
    project = project.model_copy(update={"runs": (run,)})
    return project, simulate(project)


def test_all_that_acts_is_mass_times_acceleration(ran: tuple[Project, Trajectory]) -> None:
    project, run = ran
    motion = Motion(run)
    moved = {one.segment for one in project.motions} | {
        panel.segment for bag in project.airbags for panel in bag.panels
    }
    seen = set()
    for segment in project.segments:
        found = account(project, motion, (segment.id,))
        if found is None:
            continue
        largest = max(float(np.abs(share.forces).max()) for share in found.shares)
        total = np.sum([share.forces for share in found.shares], axis=0)
        inertia = segment.mass_kg * run.segment(segment.id).acceleration
        assert np.allclose(total, inertia, atol=1e-9 * largest)
        if segment.id not in moved:
            # no remainder was needed
            assert found.is_whole, segment.id
            seen |= {share.source for share in found.shares}
        parts = found.by_source(np.array([1.0, 0.0, 0.0]))
        assert np.allclose(sum(parts.values()), inertia[:, 0], atol=1e-9 * largest)
    assert {"weight", "joints"} < seen


def test_together_only_what_comes_from_outside_counts(ran: tuple[Project, Trajectory]) -> None:
    project, run = ran
    motion = Motion(run)
    (chest,) = [s.id for s in project.segments if s.id.endswith("upper_torso")] or [""]
    if not chest:
        return
    joint = next(j for j in project.joints if chest == j.child)
    pair = account(project, motion, (chest, joint.parent))
    alone = account(project, motion, (chest,))
    assert pair is not None
    assert alone is not None
    assert pair.is_whole
    assert f"joints/{joint.id}" in {share.element for share in alone.shares}
    assert f"joints/{joint.id}" not in {share.element for share in pair.shares}
    masses = {s.id: s.mass_kg for s in project.segments}
    assert pair.mass_kg == pytest.approx(masses[chest] + masses[joint.parent])


def test_a_belt_s_part_of_the_chest_s_acceleration_is_told() -> None:
    project = load_project(samples() / "frontal_5f.json")
    assert with_own_parts(project, "driver_upper_torso") == (
        "driver_upper_torso", "driver_sternum", "driver_right_shoulder", "driver_left_shoulder",
    )  # fmt: skip
    assert with_own_parts(project, "vehicle") == ("vehicle",)


def test_of_segments_that_are_not_there_nothing_is_told(ran: tuple[Project, Trajectory], tmp_path: Path) -> None:  # fmt: skip
    project, run = ran
    assert account(project, Motion(run), ("nobody",)) is None
