"""The cloth of airbags: as much of it as was sewn, around the gas that is in it, on what presses into it."""

from __future__ import annotations

import numpy as np
import pytest

from app.run_view.motion import Motion
from app.run_view.replay import Replay
from app.scene.drawn import Drawn
from app.scene.fabric import Fabric
from solver.engine.maths.rotation import Array, about_axis
from solver.project import validated
from solver.project.pose import Placed
from solver.scene.cushions import Bodies, first_met
from solver.scene.fabric import (
    CLEAR_M,
    FINE,
    MOST_CUT,
    Cloths,
    area,
    inside,
    outward,
    pillow,
    pressed,
    sewn,
    spread,
)
from solver.scene.meshes import Mesh
from solver.scene.placing import Stretched, pose_at_start
from solver.scene.shapes import shapes
from solver.scene.webbing import Body
from tests.window.seated import seated
from tests.window.test_bags import FakeRun

SEMI = np.array([0.16, 0.3, 0.3])


def volume(points: Array, faces: Array) -> float:
    """Give the volume in a closed mesh by the theorem of divergence."""
    a, b, c = points[faces].transpose(1, 0, 2)
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)


def ball(place: Array, radius: float, power: float = 2.0) -> Body:
    return Body(np.eye(3), np.asarray(place, float), np.full(3, radius), np.full(3, power))


def test_around_the_seam_there_is_as_much_cloth_as_two_flat_pieces_have() -> None:
    cloth = sewn((0.16, 0.3, 0.3))
    seam = 1 + (FINE[0] // 2) * FINE[1] + np.arange(FINE[1])
    # flat, its edge is as far from its middle as the way over the ellipsoid
    t = np.linspace(0.0, 0.5 * np.pi, 20_001)
    way = np.trapezoid(np.hypot(0.16 * np.sin(t), 0.3 * np.cos(t)), t)
    sewn_in = min(way / 0.3 - 1.0, MOST_CUT)
    ring = spread(cloth, SEMI, np.eye(3))[seam]
    long = np.linalg.norm(ring - np.roll(ring, 1, axis=0), axis=1).sum() / (2.0 * np.pi * 0.3) - 1.0
    # four points for each fold hold 8 / pi^2 of the length of a wave
    assert long == pytest.approx(8.0 / np.pi**2 * sewn_in, rel=0.15)
    assert cloth.dark[seam].max() < 1.0


def test_pillows_are_as_long_as_waves_and_creased_inward() -> None:
    """By numbers: no mean height, the mean square of a cosine's slope, round above and sharp below."""
    phase = np.linspace(0.0, 2.0 * np.pi, 40_001)
    high = pillow(phase)
    slope = np.diff(high) / np.diff(phase)
    assert np.trapezoid(high, phase) == pytest.approx(0.0, abs=1e-6)
    assert np.mean(slope**2) == pytest.approx(0.5, rel=1e-3)
    bend = np.abs(np.diff(slope))
    assert abs(phase[1 + int(bend.argmax())] - np.pi) < 1e-3
    assert bend[0] < 0.01 * bend.max()


def test_gathers_end_near_the_seam_and_both_pieces_stand_out_beyond_it() -> None:
    cloth = sewn((0.16, 0.3, 0.3))
    high = np.abs(np.sqrt(cloth.excess) * cloth.across[0])
    rings = high[1 : 1 + FINE[0] * FINE[1]].reshape(FINE).max(axis=1)
    seam = FINE[0] // 2
    assert rings[seam] > 4.0 * rings[[5, -6]].max()
    whole = cloth.flange[1 : 1 + FINE[0] * FINE[1]].reshape(FINE)
    assert np.all(whole[seam] > 0.0)
    assert np.count_nonzero(whole) == FINE[1]


def test_a_ball_needs_more_cloth_than_flat_pieces_give_folds_for() -> None:
    assert sewn((0.3, 0.3, 0.3)).excess.max() == MOST_CUT
    flat = sewn((0.001, 0.3, 0.3))
    assert flat.excess.max() < 0.01


@pytest.mark.parametrize("stretch", [(1.0, 1.0, 1.0), (0.7, 0.7, 0.7), (0.4, 1.0, 1.0)])
def test_cloth_holds_the_gas(stretch: tuple[float, float, float]) -> None:
    cloth = sewn((0.16, 0.3, 0.3))
    R = about_axis("y", 0.7)
    points = spread(cloth, SEMI, R @ np.diag(stretch))
    gas = 4.0 / 3.0 * np.pi * np.prod(SEMI * stretch)
    assert volume(points, cloth.faces) == pytest.approx(gas, rel=0.08)


def test_normals_of_cloth_without_folds_are_those_of_the_ellipsoid() -> None:
    cloth = sewn((0.16, 0.3, 0.3))
    normals = outward(cloth.points)
    assert np.linalg.norm(normals, axis=1) == pytest.approx(1.0)
    assert np.einsum("ij,ij->i", normals, cloth.normals).min() > np.cos(np.radians(7.0))


def test_a_slack_bag_keeps_its_cloth() -> None:
    cloth, M = sewn((0.16, 0.3, 0.3)), np.diag([0.6, 1.0, 1.0])

    def mesh_area(points: Array) -> float:
        a, b, c = points[cloth.faces].transpose(1, 0, 2)
        return float(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())

    sewn_area = mesh_area(spread(cloth, SEMI, np.eye(3)))
    bare = mesh_area(cloth.points @ M)
    slack = mesh_area(spread(cloth, SEMI, M))
    assert bare < 0.9 * sewn_area
    assert slack == pytest.approx(sewn_area, rel=0.1)
    assert area(np.array([0.2, 0.2, 0.2])) == pytest.approx(4.0 * np.pi * 0.04)


def test_cloth_lies_on_what_presses_into_it_and_nowhere_else_moves() -> None:
    cloth = sewn((0.16, 0.3, 0.3))
    free = spread(cloth, SEMI, np.eye(3))
    held = np.array([0.1, 0.0, 0.0])
    head = ball((-0.2, 0.0, 0.0), 0.1)
    laid, gap = pressed(free, held, Bodies.of([head]))
    out = np.linalg.norm(laid - head.p_W, axis=1)
    assert out.min() >= 0.1
    front = len(cloth.points) - 1
    # the ball is 60 mm deep in the bag, whose front end lies on it
    assert laid[front, 0] - free[front, 0] == pytest.approx(0.06 + CLEAR_M, abs=1e-9)
    assert gap[front] == pytest.approx(CLEAR_M, abs=1e-3)
    assert gap[0] > 0.1
    far = np.abs(free[:, 1]) > 0.2
    assert laid[far] == pytest.approx(free[far], abs=1e-15)
    assert np.all(gap >= 0.0)


def test_what_holds_the_place_inside_presses_nothing() -> None:
    free = sewn((0.16, 0.3, 0.3)).points
    laid, _ = pressed(free, np.zeros(3), Bodies.of([ball((0.0, 0.0, 0.0), 0.05)]))
    assert laid == pytest.approx(free, abs=1e-15)


def test_a_bag_that_goes_into_its_wheel_lies_on_it() -> None:
    """A flat wheel across the axis: as the engine has it the bag's held end is 30 mm behind it, the cloth is not."""
    wheel = Body(np.eye(3), np.zeros(3), np.array([0.03, 0.19, 0.19]), np.full(3, 2.0))
    out, middle = np.array([0.16, 0.0, 0.0]), np.array([-0.1, 0.0, 0.0])
    free = middle + spread(sewn((0.16, 0.3, 0.3)), SEMI, np.eye(3))
    start = inside(middle, out, Bodies.of([wheel]))
    assert start == pytest.approx([-0.038, 0.0, 0.0], abs=1e-9)
    laid, _ = pressed(free, start, Bodies.of([wheel]))
    over = np.hypot(laid[:, 1], laid[:, 2]) < 0.17
    assert free[over, 0].max() > 0.0
    assert laid[over, 0].max() < 0.0
    assert not any(wheel.is_inside(point) for point in laid)
    far = Body(np.eye(3), np.array([1.0, 0.0, 0.0]), wheel.axes, wheel.powers)
    assert inside(middle, out, Bodies.of([far])) == pytest.approx(middle + 0.6 * out)


def test_a_way_meets_a_square_body_where_the_closed_form_has_it() -> None:
    rng = np.random.default_rng(3)
    start, along = np.array([3.0, 0.4, 0.2]), rng.normal((-4.0, 0.0, 0.0), 1.0, (400, 3))
    exact = first_met(start, along, np.full(3, 2.0))
    stepped = first_met(start, along, np.full(3, 2.0 + 1e-12))
    hit = np.isfinite(exact)
    assert 50 < hit.sum() < 350
    through = np.isfinite(stepped)
    assert not np.any(through & ~hit)
    # only what is grazed may be missed
    assert (hit & ~through).sum() < 0.1 * hit.sum()
    assert stepped[through] == pytest.approx(exact[through], abs=1e-3)
    for powers in (np.full(3, 2.0), np.full(3, 4.0)):
        assert not np.isfinite(first_met(np.zeros(3), along, powers)).any(), "from inside"


def test_a_run_lays_cloth_in_the_same_rows_at_each_instant() -> None:
    project = validated(seated())
    pose = pose_at_start(project)
    replay = Replay(project, Motion(FakeRun()))  # type: ignore[arg-type]
    still = Placed(np.eye(3), np.zeros(3))
    fabric, cloths = Fabric(), Cloths(project)
    fabric.update(project)
    shape = next(s for s in shapes(project, pose) if s.kind == "bag")
    item = Drawn(shape, pose[shape.segment])
    fabric.lay([item], pose, True)
    assert item.laid is None, "in the model a bag is seen as the engine's own"
    meshes: list[Mesh] = []
    for t in (0.01, 0.02, 0.04):
        at = replay._bag(project.airbags[0], still, t)
        assert isinstance(at, Stretched)
        item.at = at
        fabric.lay([item], pose, True)
        assert item.laid is not None
        meshes.append(item.laid.mesh)
        held = cloths._bodies((*project.airbags[0].touches, *project.airbags[0].panels), pose)
        inside = [
            b.levels(item.points()).min() < 1.0 - 1e-6
            for b in held.each()
            if not b.is_inside(at.p_W)
        ]
        assert not any(inside)
    assert meshes[0].faces is meshes[1].faces is meshes[2].faces
    again = item.laid
    fabric.lay([item], pose, True)
    assert item.laid is again
    fabric.lay([item], pose, False)
    assert item.laid is None
