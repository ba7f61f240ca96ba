"""A piece of a project keeps its meaning under a prefix, on another carrier, at another place."""

from __future__ import annotations

import math

import numpy as np
import pytest

from solver.base.places import samples
from solver.project import Project, load_project
from solver.project.checks import check
from solver.project.checks.index import Index
from solver.project.document import LISTS
from solver.project.geometry import Orientation
from solver.project.merging import OWN, MergeError, merged, moved, prefixed, renamed
from solver.project.motions import Initial, RootStart
from solver.project.pose import start_pose
from solver.project.reading import validated
from solver.project.segments import Segment
from tests.everything import everything


@pytest.fixture(scope="module")
def sled() -> Project:
    return load_project(samples() / "sled.json")


def test_a_prefix_reaches_every_reference() -> None:
    """In a project with one of everything, every reference points at what it did before."""
    project = validated(everything())
    new = prefixed(project, "left")
    old_index, new_index = Index(project), Index(new)
    assert [r.field.name for r in old_index.refs] == [r.field.name for r in new_index.refs]
    for before, after in zip(old_index.refs, new_index.refs, strict=True):
        expected = before.value if before.value == "ground" else f"left_{before.value}"
        if before.path.startswith("runs") or before.field.to == "runs":
            continue
        assert after.value == expected, after.path
    for name in LISTS:
        ids = [item.id for item in getattr(project, name)]
        ahead = "" if name in OWN else "left_"
        assert [item.id for item in getattr(new, name)] == [ahead + i for i in ids]
    pairs = zip(project.outputs, new.outputs, strict=True)
    named = [(a.element, b.element) for a, b in pairs if a.kind == b.kind == "element"]
    assert named
    assert all(after == f"left_{before}" for before, after in named)


def test_without_a_prefix_nothing_changes() -> None:
    project = validated(everything())
    assert prefixed(project, "") == project


def test_two_of_the_same_stand_beside_each_other(sled: Project) -> None:
    both = merged(prefixed(sled, "a"), prefixed(sled, "b"))
    assert len(both.segments) == 2 * len(sled.segments)
    assert [p.code for p in check(both) if p.severity == "error"] == []
    poses = start_pose(both)
    for name, placed in start_pose(sled).items():
        if name != "ground":
            assert np.allclose(poses[f"b_{name}"].p_W, placed.p_W)


def test_the_same_ids_are_refused_by_name(sled: Project) -> None:
    with pytest.raises(MergeError, match=r"segments: 'lower_torso'.*another prefix"):
        merged(sled, sled)


@pytest.mark.parametrize("order", ["zyx", "xyz", "zxz"])
def test_a_piece_moves_as_a_whole(sled: Project, order: str) -> None:
    """Everything that the ground carries turns and moves rigidly, and so does all that it carries."""
    by = Orientation(angles_rad=(0.3, -0.2, 0.5), order=order)  # type: ignore[arg-type]
    at = (1.0, -2.0, 0.5)
    before, after = start_pose(sled), start_pose(moved(sled, at, by))
    R = after["vehicle"].R_WS @ before["vehicle"].R_WS.T
    for name in before:
        if name == "ground":
            continue
        assert np.allclose(after[name].R_WS, R @ before[name].R_WS, atol=1e-9), name
        p = np.array(at) + R @ before[name].p_W
        assert np.allclose(after[name].p_W, p, atol=1e-9), name


def test_planes_anchors_and_velocities_move_too() -> None:
    carried = renamed(
        load_project(samples() / "lap_belt.json"),
        lambda to, name: "ground" if (to, name) == ("segments", "sled") else name,
    )
    quarter = Orientation(angles_rad=(math.pi / 2, 0.0, 0.0))
    new = moved(carried, (0.0, 0.0, 1.0), quarter)
    (belt,), (old_belt,) = new.belts, carried.belts
    x, y, z = old_belt.anchor_a.position_m
    assert belt.anchor_a.position_m == pytest.approx((-y, x, z + 1.0))
    old, now = carried.planes[0].placement, new.planes[0].placement
    assert old.kind == now.kind == "points"
    x, y, z = old.p2_m
    assert now.p2_m == pytest.approx((-y, x, z + 1.0))


def test_a_root_s_velocity_turns_with_the_piece() -> None:
    piece = Project(
        segments=(Segment(id="a", mass_kg=1.0, inertia_kgm2=(1.0, 1.0, 1.0)),),
        initial=Initial(roots=(RootStart(segment="a", velocity_m_per_s=(2.0, 0.0, 0.0)),)),
    )
    turned = moved(piece, (0.0, 0.0, 0.0), Orientation(angles_rad=(math.pi / 2, 0.0, 0.0)))
    assert turned.initial.roots[0].velocity_m_per_s == pytest.approx((0.0, 2.0, 0.0))
