"""Webbing as it is drawn: of one width and thickness, smooth, with as many faces as loads."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from pydantic import TypeAdapter

from app.run_view.motion import Motion
from solver.engine.maths.rotation import Array
from solver.project.belts import Strap
from solver.project.pose import Placed
from solver.results.trajectory import Table
from solver.scene.meshes import ACROSS, ROWS, Mesh, body, joined, ribbon
from solver.scene.straps import (
    FACES,
    FINER,
    THICK_M,
    _at_ring,
    corner_normals,
    dressed,
    finer,
    fittings,
    led,
    of_pieces,
    straight,
    strap,
)
from solver.scene.webbing import PARTS, Lay, StrapPath, found_lay, hang

WIDTH = 0.047


def arc(n: int = 13, radius: float = 0.2) -> tuple[Array, Array]:
    """Give a line over a quarter of a circle, and the directions away from its middle."""
    t = np.linspace(0.0, 0.5 * np.pi, n)
    out = np.column_stack([np.cos(t), np.zeros(n), np.sin(t)])
    return radius * out, out


def webbing(n: int = 13) -> Mesh:
    """Make a ribbon over an arc with a fitting at its end."""
    line, out = arc(n)
    box = body((0.02, 0.02, 0.02), around=8)
    return joined(ribbon(line, out, WIDTH), Mesh(box.points, box.faces))


def test_a_finer_line_goes_through_its_points_and_keeps_to_the_circle() -> None:
    line, _ = arc()
    fine = finer(line)
    assert len(fine) == FINER * (len(line) - 1) + 1
    assert fine[::FINER] == pytest.approx(line)
    # inside the first and the last piece; there it has nothing to lead it
    inner = np.linalg.norm(fine[FINER:-FINER], axis=1)
    assert inner == pytest.approx(0.2, abs=2e-5)
    chords = np.linalg.norm(0.5 * (line[1:] + line[:-1]), axis=1)
    assert 0.2 - chords.min() > 3e-4, "without it, it would be off by more"


def test_webbing_has_one_width_and_thickness_all_along() -> None:
    rng = np.random.default_rng(7)
    line, out = arc()
    flat = ribbon(line, out, WIDTH)
    n = len(line)
    bumpy = flat.points + 0.004 * rng.normal(size=flat.points.shape)
    one, other, middle = (bumpy[r * n : (r + 1) * n] for r in (0, 1, ROWS - 1))
    lifted = np.arange(n) != 6
    left, right, ridge = straight(one, other, middle, WIDTH, lifted)
    assert ridge[6] == pytest.approx(middle[6]), "at a ring it stays in the ring"
    assert np.linalg.norm(right - left, axis=1) == pytest.approx(WIDTH)

    def rough(points: Array) -> float:
        return float(np.linalg.norm(np.diff(points, 2, axis=0), axis=1).mean())

    assert rough(ridge) < 0.6 * rough(middle)
    mesh, stitches = strap(left, right, ridge)
    over, under = mesh.points[1::8], mesh.points[5::8]
    assert np.linalg.norm(over - under, axis=1) == pytest.approx(THICK_M)
    assert len(stitches) == 4 * n
    rows = stitches.reshape(4, n, 3)
    assert np.linalg.norm(rows[0] - rows[1], axis=1) == pytest.approx(0.8 * WIDTH, rel=1e-6)


def test_webbing_is_a_tube_whose_faces_look_outwards() -> None:
    line, out = arc()
    flat = ribbon(line, out, WIDTH)
    n = len(line)
    mesh, _ = strap(*(flat.points[r * n : (r + 1) * n] for r in (0, 1, ROWS - 1)))
    edges = Counter(
        (int(a), int(b)) for f in mesh.faces for a, b in zip(f, np.roll(f, -1), strict=True)
    )
    open_ = [edge for edge in edges if edges[edge[1], edge[0]] != 1]
    assert len(open_) == 2 * 8, "open at both ends alone"
    a, b, c = mesh.points[mesh.faces].transpose(1, 0, 2)
    faces = np.cross(b - a, c - a)
    assert mesh.normals is not None
    means = mesh.normals[mesh.faces].mean(axis=1)
    assert np.all(np.einsum("ij,ij->i", faces, means) > 0.0)


def test_loads_stay_with_their_pieces_and_fittings() -> None:
    raw = webbing()
    n = len(raw.lines[0])
    fittings = len(raw.faces) - ACROSS * (n - 1)
    tension = np.arange(1.0, n)
    loads = np.concatenate([np.repeat(tension, ACROSS), np.full(fittings, 99.0)])
    made = dressed(raw, raw.points)
    kept = of_pieces(loads, n)
    assert len(kept) == len(made.faces)
    assert np.all(kept[-fittings:] == 99.0)
    middles = made.points[made.faces].mean(axis=1)[:-fittings]
    angle = np.arctan2(middles[:, 2], middles[:, 0])
    piece = np.clip(np.floor(angle / (0.5 * np.pi / (n - 1))), 0, n - 2)
    assert np.mean(kept[:-fittings] == piece + 1.0) > 0.97
    # stitches lie on the webbing, not on the fitting
    ends = made.points[[i for line in made.lines for i in line]]
    assert np.linalg.norm(ends[:, [0, 2]], axis=1) == pytest.approx(0.2, abs=0.004)
    assert all(len(line) == 2 for line in made.lines)


def test_corner_normals_of_a_ball_are_its_own() -> None:
    ball = body((0.1, 0.1, 0.1), around=24)
    assert ball.normals is not None
    found = corner_normals(ball.points, ball.faces)
    assert np.einsum("ij,ij->i", found, ball.normals).min() > 0.99
    assert corner_normals(np.zeros((0, 3)), ball.faces[:0]).shape == (0, 3)


def bent(turn: float) -> tuple[Lay, Array]:
    """Give a line that turns by an angle (rad) at its third point, and that point."""
    ways = np.array([[1.0, 0.0, 0.0], [np.cos(turn), 0.0, np.sin(turn)]])
    line = np.array([-2.0 * ways[0], -ways[0], 0.0 * ways[0], ways[1], 2.0 * ways[1]])
    return Lay(line, np.tile([0.0, 0.0, 1.0], (5, 1))), line[2]


def test_a_ring_stands_away_from_both_legs_and_about_the_bend() -> None:
    for turn in (0.3, 1.2, 2.6):
        lay, place = bent(turn)
        R = _at_ring(lay, place)
        assert np.linalg.det(R) == pytest.approx(1.0)
        legs = lay.line[1] - place, lay.line[3] - place
        assert R[:, 0] @ legs[0] == pytest.approx(R[:, 0] @ legs[1]), "as far from one as the other"
        assert R[:, 0] @ legs[0] < 0.0
        assert abs(R[1, 1]) == pytest.approx(1.0)
    lay, place = bent(0.0)
    assert np.linalg.det(_at_ring(lay, place)) == pytest.approx(1.0), "a straight line has axes too"


def test_each_kind_of_fitting_is_seen_as_what_it_is() -> None:
    def strap(end: dict[str, Any] | None, kinds: str) -> Strap:
        place = {"a": "anchor", "r": "ring"}
        points = [
            {"kind": place[kind], "segment": "ground", "position_m": [0.1 * n, 0.0, 0.02 * n * n]}
            for n, kind in enumerate(kinds)
        ]
        made = {"id": "s", "law": "w", "points": points, "end_device": end}
        return TypeAdapter(Strap).validate_python(made)

    lay, _ = bent(0.5)
    pose = {"ground": Placed(np.eye(3), np.zeros(3))}

    def of(one: Strap) -> list[Array]:
        found = list(fittings(one, lay, WIDTH, pose))
        assert all(len(mesh.faces) == FACES for mesh in found)
        return [mesh.points for mesh in found]

    plain, ring = strap(None, "aa"), strap(None, "ara")
    assert len(of(plain)) == 2
    assert len(of(ring)) == 3
    _, anchor = of(plain)
    with_spool = of(strap({"retractor": {}}, "aa"))[1]
    pulled = of(strap({"retractor": {}, "pretensioner": {"stroke": "f"}}, "aa"))[1]
    assert (
        np.ptp(anchor, axis=0).max()
        < np.ptp(with_spool, axis=0).max()
        < np.ptp(pulled, axis=0).max()
    )


@pytest.mark.parametrize("spare", [0.002, 0.05, 0.2])
def test_slack_webbing_hangs_as_low_as_its_length_lets_it(spare: float) -> None:
    low = hang(spare)
    t = np.linspace(0.0, 1.0, 20_001)
    long = np.hypot(np.gradient(t), np.gradient(4.0 * low * t * (1.0 - t))).sum()
    assert long - 1.0 == pytest.approx(spare, rel=0.2)
    assert hang(-0.1) == hang(0.0) == 0.0
    assert hang(9.0) == hang(0.5)


def test_only_the_end_pieces_that_have_webbing_to_spare_hang() -> None:
    points = [
        {"kind": "anchor", "segment": "ground", "position_m": [0.4 * n, 0.0, 0.0]} for n in (0, 3)
    ]
    rings = [{**p, "kind": "ring", "position_m": [0.4 * n, 0.0, 0.0]} for n in (1, 2) for p in points[:1]]  # fmt: skip
    strap = TypeAdapter(Strap).validate_python(
        {"id": "s", "law": "w", "points": [points[0], *rings, points[1]]}
    )
    places = np.array([[0.4 * n, 0.0, 0.0] for n in range(4)])
    down = np.array([0.6, 0.0, 0.8])
    lay = found_lay(strap, {}, {}, StrapPath(places, (0.06, 0.0), down))
    assert lay.line[::PARTS] == pytest.approx(places), "where it is held it stays"
    assert lay.line[PARTS // 2] == pytest.approx([0.2, 0.0, 0.8 * hang(0.06) * 0.4])
    assert np.all(lay.line[PARTS:, 2] == 0.0)


def test_a_run_tells_how_much_webbing_is_spare() -> None:
    class Run:
        segment_ids, time = ("head",), np.array([0.0, 0.01])

        def table(self, group: str) -> Table:
            if group == "harnesses":
                strain = np.array([[[0.01, -0.2]], [[-0.5, 0.0]]])
                return Table(("h.s",), {"strain": strain})
            if group == "segments":
                still = np.tile([1.0, 0, 0, 0], (2, 1, 1))
                return Table(("head",), {"position": np.zeros((2, 1, 3)), "quaternion_wxyz": still})
            return Table((), {})

    motion = Motion(Run())  # type: ignore[arg-type]
    assert motion.spare("h.s", 0.0) == pytest.approx((0.0, 0.25))
    assert motion.spare("h.s", 0.01) == pytest.approx((1.0, 0.0))
    assert motion.spare("h.other", 0.0) == (0.0, 0.0)


@pytest.mark.parametrize("way", [1, -1])
def test_webbing_comes_through_a_guide_ring_without_a_twist(way: int) -> None:
    """From a retractor up to a ring and on to a shoulder: its edges do not cross, and it lies over the ring's bar."""
    places = [[0.3, 0.6, 0.8], [0.0, 0.6, -0.2], [0.25, 0.15, 0.1], [0.3, -0.2, 0.5]][::way]
    ring = 1 if way > 0 else 2
    points = [
        {"kind": "ring" if n == ring else "anchor", "segment": "ground", "position_m": at}
        for n, at in enumerate(places)
    ]
    one_strap = Strap.model_validate({"id": "s", "law": "w", "points": points})
    steps = np.linspace(0.0, 1.0, 9)[:-1, None]
    line = np.vstack(
        [*(np.array(a) + steps * (np.array(b) - a) for a, b in pairwise(places)), places[-1:]]
    )
    # what it lies on looks ahead, as a chest does, and as nothing between ring and retractor does
    outward = np.tile([1.0, 0.0, 0.0], (len(line), 1))
    lay = led(one_strap, Lay(line, outward), {"ground": Placed(np.eye(3), np.zeros(3))})
    made = ribbon(lay.line, lay.outward, 0.048)
    n = len(line)
    across = made.points[n : 2 * n] - made.points[:n]
    across /= np.linalg.norm(across, axis=1)[:, None]
    # from one station to the next it turns little, and between retractor and ring not at all
    turns = np.degrees(np.arccos(np.clip(np.abs((across[1:] * across[:-1]).sum(axis=1)), 0.0, 1.0)))
    assert turns.max() < 30.0
    wound = slice(0, 8) if way > 0 else slice(n - 8, n)
    assert np.allclose(np.abs(across[wound] @ across[wound][0]), 1.0, atol=1e-9)
    one, other = (np.subtract(places[ring + k], places[ring]) for k in (-1, 1))
    assert abs(float(across[wound][0] @ one)) < 1e-9
    assert abs(float(across[wound][0] @ other)) < 1e-9
    assert np.array_equal(lay.outward[-1 if way > 0 else 0], [1.0, 0.0, 0.0]), (
        "on a chest it lies as before"
    )
