"""Skins of people: closed, as large as people are, and whole in any pose; no window, no graphics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator
from scipy.spatial import cKDTree

from solver.base.places import samples
from solver.bodies import (
    DUMMIES,
    LIBRARY,
    Body,
    adult_dimensions,
    body_project,
    child_dimensions,
    dummy,
    generated,
    human,
    insert_body,
    library_body,
)
from solver.engine.maths.rotation import Array
from solver.project import Project, load_project
from solver.project.pose import Placed
from solver.scene.around.build import pane
from solver.scene.people.body_shape import _smooth, head, trunk
from solver.scene.people.build import Figure, build, halfway, people, stood
from solver.scene.people.garments import Piece, cut, parted, pieces, trimmed
from solver.scene.people.hands import Hands, Held
from solver.scene.people.nets import Lump, ball, limb, surface, volume
from solver.scene.people.skin import Skin, Tears, coarse, skin_of

BODIES = {
    **{name: lambda name=name: library_body(name) for name in LIBRARY},
    **{name: lambda name=name: dummy(name) for name in DUMMIES},
    "generated": lambda: generated(adult_dimensions("male", percentile=50.0)),
    "woman": lambda: human(adult_dimensions("female", percentile=5.0)),
    "child": lambda: human(child_dimensions(6.0)),
}


def figure_of(body: Body) -> Figure:
    """Give the figure of a body that stands alone."""
    (person,) = people(body_project(body))
    return person.figure


def is_closed(faces: Array) -> bool:
    """Tell whether each edge is passed as often one way as the other."""
    ends = np.vstack([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]).astype(np.int64)
    size = int(ends.max()) + 1
    there, back = np.sort(ends @ [size, 1]), np.sort(ends @ [1, size])
    return bool(np.array_equal(there, back))


def turned_y(angle: float) -> Array:
    """Give the turn by an angle (degrees) that takes what hangs down ahead."""
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def bent(figure: Figure, hip: float, knee: float, neck: float, elbow: float) -> list[Placed]:
    """Bend a body: thighs raised by `hip`, knees and elbows bent, the head bowed by `neck` (degrees)."""
    links = 1 + sum(bone.part == "neck" for bone in figure.bones)
    bowed = iter(np.arange(1, links + 1) * -neck / links)

    def turned(part: str) -> Array:
        limb_ = part.partition("_")[2]
        if part in ("neck", "head"):
            return turned_y(next(bowed))
        if limb_ in ("upper_leg", "knee_block"):
            return turned_y(hip)
        if limb_ in ("lower_leg", "knee_slider", "leg_end"):
            return turned_y(hip - knee)
        if limb_ == "foot":
            return turned_y(hip - knee + 90.0)
        return turned_y(elbow) if limb_ in ("forearm", "hand") else np.eye(3)

    return stood(figure, turned)


def flipped(skin: Skin, places: list[Placed]) -> float:
    """Give the part of a posed skin whose cells look against the normals at their corners."""
    points, normals = skin.posed(places)
    a, b, c = points[skin.mesh.faces].transpose(1, 0, 2)
    across = np.cross(b - a, c - a)
    means = normals[skin.mesh.faces].mean(axis=1)
    area = np.linalg.norm(across, axis=1)
    against = (across * means).sum(axis=1) < 0.0
    return float(area[against].sum() / area.sum())


@pytest.mark.parametrize("name", BODIES)
def test_each_body_has_a_closed_skin_about_as_large_as_its_mass_tells(name: str) -> None:
    project = body_project(BODIES[name]())
    (person,) = people(project)
    figure = person.figure
    assert figure.is_dummy == (name in DUMMIES)
    skin = skin_of(figure)
    garments = [skin.mesh.faces[part] for part in skin.garments]
    assert all(is_closed(faces) for faces in garments)
    volumes = [volume(skin.mesh.points, faces) for faces in garments]
    assert min(volumes) > 0.0
    # people are about as heavy as water, dummies of steel and vinyl heavier
    mass = sum(segment.mass_kg for segment in project.segments)
    assert (0.65 if figure.is_dummy else 0.75) < 1000.0 * sum(volumes) / mass < 1.28, (
        sum(volumes),
        mass,
    )


@pytest.mark.parametrize("name", ["male-50", "hybrid_iii_50m", "woman", "child"])
def test_a_skin_follows_its_bones_without_tearing_or_turning_inside_out(name: str) -> None:
    figure = figure_of(BODIES[name]())
    skin = skin_of(figure)
    points, normals = skin.posed(halfway(figure))
    assert np.allclose(points, skin.mesh.points, atol=1e-6)
    assert np.allclose(normals, skin.mesh.normals, atol=1e-5)
    ends = skin.mesh.faces[:, :2]
    for pose in (
        bent(figure, hip=100.0, knee=120.0, neck=90.0, elbow=120.0),
        bent(figure, hip=0.0, knee=0.0, neck=-60.0, elbow=5.0),
    ):
        posed, _ = skin.posed(pose)
        before, after = (
            np.linalg.norm(at[ends[:, 0]] - at[ends[:, 1]], axis=1)
            for at in (skin.mesh.points, posed)
        )
        assert np.max(after - 3.0 * before) < 0.03
        assert flipped(skin, pose) < 0.008
        assert Tears(skin).torn(pose) == ()


def test_no_skin_hangs_between_bones_that_have_come_apart() -> None:
    """Take a leg off below the knee, a metre away: no triangle is longer than those of a bent body."""
    figure = figure_of(BODIES["male-50"]())
    skin = skin_of(figure)
    tears, pose = Tears(skin), halfway(figure)
    off = {
        n for n, bone in enumerate(figure.bones) if bone.part in ("right_lower_leg", "right_foot")
    }
    apart = [Placed(p.R_WS, p.p_W + np.array([1.0, 0, 0]) * (n in off)) for n, p in enumerate(pose)]
    torn = tears.torn(apart)
    assert [len(off & set(pair)) for pair in torn] == [1]
    points, _ = skin.posed(apart)
    a, b, c = points[skin.mesh.faces[~tears.between(torn)]].transpose(1, 0, 2)
    whole = points[skin.mesh.faces].transpose(1, 0, 2)
    assert max(np.linalg.norm(x - y, axis=1).max() for x, y in ((a, b), (b, c), (c, a))) < 0.07
    assert np.linalg.norm(whole[0] - whole[1], axis=1).max() > 0.1
    assert not tears.between(()).any()


def test_equal_bodies_share_a_skin_and_other_sizes_do_not() -> None:
    project = insert_body(Project(), library_body("male-50"), "driver")
    project = insert_body(project, library_body("male-50"), "mate")
    project = insert_body(project, library_body("male-95"), "giant")
    one, other, giant = people(project)
    assert one.segments != other.segments
    assert skin_of(one.figure) is skin_of(other.figure)
    assert skin_of(giant.figure) is not skin_of(one.figure)


def test_what_is_no_person_keeps_its_shapes() -> None:
    for name in ("double_pendulum", "neck_pendulum", "volunteer_15g", "four_bar"):
        assert not people(load_project(samples() / f"{name}.json"))
    body = body_project(library_body("male-50"))
    # axes that are not those of a body: z of a thigh does not go down it
    across = [
        s.model_copy(update={"surfaces": (s.surfaces[0].model_copy(update={"centre_m": (0.4, 0.0, 0.0)}),)})
        if s.id == "left_upper_leg"
        else s
        for s in body.segments
    ]  # fmt: skip
    assert not people(body.model_copy(update={"segments": tuple(across)}))


def test_what_lies_below_the_clothes_is_lifted_onto_them() -> None:
    figure = figure_of(library_body("male-50"))
    skin = skin_of(figure)
    pose = bent(figure, hip=80.0, knee=70.0, neck=0.0, elbow=30.0)
    posed = skin.posed(pose)
    chest = pose[figure.number("upper_torso")]
    front = np.array([[0.10, y, z] for y in (-0.08, 0.0, 0.08) for z in (-0.05, 0.05)])
    within = chest.p_W + front @ chest.R_WS.T
    before = within + np.array([0.3, 0.0, 0.0])
    lifted = skin.clothes(*posed).lifted(np.vstack([within, before]), 0.005)
    assert np.all(lifted[:6, 0] > within[:, 0])
    assert np.array_equal(lifted[6:], before)
    at, way = (np.asarray(each)[skin.cloth] for each in posed)
    for point in lifted[:6]:
        nearest = int(((at - point) ** 2).sum(axis=1).argmin())
        assert 0.001 < float((point - at[nearest]) @ way[nearest]) < 0.012


def test_lumps_run_into_each_other_and_are_cut() -> None:
    r = 0.1
    points, faces = surface([ball(np.zeros(3), (r, r, r))], 0.01)
    assert is_closed(faces)
    assert volume(points, faces) == pytest.approx(4.0 / 3.0 * np.pi * r**3, rel=0.02)
    column = limb(np.zeros(3), np.array([0.0, 0.0, 0.3]), [(0.0, 0.05), (1.0, 0.03)])
    both = surface([ball(np.zeros(3), (r, r, r)), column], 0.01)
    soft = Lump(column.distance, column.low, column.high, 0.03)
    softer = surface([ball(np.zeros(3), (r, r, r)), soft], 0.01)
    assert volume(*softer) > volume(*both) > volume(points, faces)
    half = Lump(lambda x, y, z: z + 0.0 * (x + y), np.full(3, -0.2), np.full(3, 0.2), cuts=True)
    cut = surface([ball(np.zeros(3), (r, r, r)), half], 0.01)
    assert is_closed(cut[1])
    assert volume(*cut) == pytest.approx(2.0 / 3.0 * np.pi * r**3, rel=0.05)


def test_a_head_is_the_same_on_both_sides() -> None:
    b = build(figure_of(BODIES["woman"]()))
    lumps = head(b)
    low = np.min([one.low for one in lumps], axis=0)
    high = np.max([one.high for one in lumps], axis=0)
    middle = float(b.head.middle[1])
    assert 0.5 * (low + high)[1] == pytest.approx(middle, abs=1e-9)
    x, y, z = np.random.default_rng(1).uniform(low, high, (400, 3)).T
    for sign in (True, False):
        parts = [one for one in lumps if one.cuts is sign]
        here, there = (
            np.min([one.distance(x, middle + side * (y - middle), z) for one in parts], axis=0)
            for side in (1.0, -1.0)
        )
        assert here == pytest.approx(there, abs=1e-9)


def test_a_trunk_lies_between_both_hips() -> None:
    b = build(figure_of(BODIES["woman"]()))
    left, right = b.legs
    up = np.array([0.0, 0.0, -0.04])
    one = trunk(replace(b, legs=(replace(left, hip=left.hip + up), right)))
    other = trunk(replace(b, legs=(left, replace(right, hip=right.hip + up))))
    x, y, z = np.random.default_rng(1).uniform(-0.3, 0.3, (200, 3)).T
    for here, there in zip(one, other, strict=True):
        assert here.distance(x, y, z) == pytest.approx(there.distance(x, y, z), abs=1e-12)


def test_a_pane_is_whole() -> None:
    a, b, c, d = ((0.0, 0.0, 0.0), (0.0, 0.6, 0.0), (0.3, 0.6, 0.4), (0.3, 0.0, 0.4))
    mesh = pane((a, b, c, d))
    one, two, three = mesh.points[mesh.faces].transpose(1, 0, 2)
    across = np.cross(two - one, three - one)
    assert 0.5 * np.linalg.norm(across, axis=1).sum() == pytest.approx(0.6 * 0.5)
    assert mesh.normals is not None
    assert (across @ mesh.normals[0] > 0.0).all()


def test_a_bone_without_shapes_gives_no_skin_of_its_own() -> None:
    figure = figure_of(dummy("hybrid_iii_50m"))
    bare = [n for n, bone in enumerate(figure.bones) if not bone.surfaces]
    assert bare
    weights = skin_of(figure).weights
    assert not weights[:, bare].count_nonzero()
    assert np.allclose(np.asarray(weights.sum(axis=1)), 1.0)


@pytest.mark.parametrize("name", ["male-50", "hybrid_iii_50m"])
def test_with_fewer_points_a_skin_is_where_it_was_in_any_pose(name: str) -> None:
    figure = figure_of(BODIES[name]())
    skin = skin_of(figure)
    few = coarse(skin)
    assert len(few.mesh.faces) < 0.4 * len(skin.mesh.faces)
    pose = bent(figure, hip=80.0, knee=90.0, neck=40.0, elbow=60.0)
    (points, normals), (fewer, ways) = skin.posed(pose), few.posed(pose)
    away, nearest = cKDTree(fewer).query(points)
    assert np.max(away) < 0.035, "no part of it is left out"
    # between its points it lies where the skin does, and is seen from the same side
    off = ((points - fewer[nearest]) * normals).sum(axis=1)
    assert np.percentile(np.abs(off), 95) < 0.009
    assert np.mean((ways[nearest] * normals).sum(axis=1) > 0.0) > 0.96
    whole, left = (
        sum(volume(each.mesh.points, each.mesh.faces[part]) for part in each.garments)
        for each in (skin, few)
    )
    assert 0.93 < left / whole < 1.01


def test_curves_through_values_do_not_go_beyond_them() -> None:
    """As the same interpolation of another library."""
    rng = np.random.default_rng(5)
    for count in (3, 4, 9):
        at, values = np.cumsum(rng.uniform(0.1, 1.0, count)), rng.normal(size=count)
        fine = np.linspace(at[0], at[-1], 101)
        assert np.allclose(_smooth(fine, at, values), PchipInterpolator(at, values)(fine))


@pytest.mark.parametrize("name", ["male-50", "hybrid_iii_50m", "child"])
def test_a_hem_is_one_level_line_and_stays_one_while_legs_move(name: str) -> None:
    figure = figure_of(BODIES[name]())
    b = build(figure)
    (made,) = (one for one in pieces(b) if "shirt" in one.names)
    assert is_closed(made.faces)
    # edges between shirt and trousers are those of the hem, from its inner to its outer side
    ends = np.vstack([made.faces[:, [0, 1]], made.faces[:, [1, 2]], made.faces[:, [2, 0]]])
    ends = ends[(made.names[ends[:, 0]] == "shirt") & (made.names[ends[:, 1]] == "trousers")]
    outer, inner = made.points[np.unique(ends[:, 0])], made.points[np.unique(ends[:, 1])]
    assert len(outer) > 20
    assert np.allclose(outer[:, 2], b.hem, atol=1e-9)
    assert np.allclose(inner[:, 2], b.hem, atol=1e-9)
    off = cKDTree(inner[:, :2]).query(outer[:, :2])[0]
    assert 0.0015 < np.median(off) < 0.012
    # it goes with the pelvis, not with one leg or the other
    skin = skin_of(figure)
    pose = bent(figure, hip=95.0, knee=90.0, neck=0.0, elbow=30.0)
    nearest = cKDTree(skin.mesh.points).query(outer)[1]
    pelvis = pose[0]
    own = (skin.posed(pose)[0][nearest] - pelvis.p_W) @ pelvis.R_WS
    assert np.ptp(own[:, 2]) < 0.02


def test_a_surface_is_cut_along_a_smooth_line() -> None:
    """Of a ball a cap: closed on both sides, its edge on a circle, its area that of the sphere."""
    r, at = 0.1, 0.04
    points, faces = surface([ball(np.zeros(3), (r, r, r))], 0.02)
    made = cut(points, faces, points[:, 2] - at)
    rim = made.points[np.unique(made.rim[:, :2])]
    assert np.allclose(rim[:, 2], at, atol=1e-9)
    assert np.allclose(
        np.linalg.norm(rim[:, :2], axis=1), np.hypot(r, 0) * np.sqrt(1 - 0.16), rtol=0.06
    )
    assert np.all(made.points[made.faces[~made.is_low]][..., 2] > at - 1e-9)
    assert np.all(made.points[made.faces[made.is_low]][..., 2] < at + 1e-9)
    a, b, c = made.points[made.faces[~made.is_low]].transpose(1, 0, 2)
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()
    assert area == pytest.approx(2.0 * np.pi * r * (r - at), rel=0.05)
    whole = Piece.of("shirt", points, faces)
    assert is_closed(parted(whole, points[:, 2] - at, "hair", np.full(len(points), 0.01)).faces)
    left = trimmed(whole, at - points[:, 2], np.array([0.0, 0.0, -1.0]))
    assert is_closed(left.faces)
    ball_left = np.pi * (4.0 / 3.0 * r**3 - (r - at) ** 2 * (3.0 * r - (r - at)) / 3.0)
    # its end lies a little inside
    assert 0.87 < volume(left.points, left.faces) / ball_left < 1.0


@pytest.mark.parametrize("side", [0, 1])
def test_fingers_close_around_a_rim_that_a_hand_lies_at(side: int) -> None:
    """Lay a rim 60 mm before a palm: all fingers come to lie on its tube, none within it, and the arm stays as long."""
    figure = figure_of(dummy("hybrid_iii_50m"))
    skin = skin_of(figure)
    person, names = people(body_project(dummy("hybrid_iii_50m")))[0], list(figure.bones)
    pose = dict(zip(person.segments, bent(figure, 90.0, 90.0, 0.0, 60.0), strict=True))
    made = skin.fingers
    hand = pose[person.segments[made.on[side]]]
    own, long = hand.R_WS @ made.own[side], float(made.long[side])
    palm = hand.of(made.wrist[side]) + 0.42 * long * own[:, 2]
    # a rim across the line of the arm, whose middle is on the other side of the body
    inwards = np.array([0.0, -1.0 if side == 0 else 1.0, 0.0])
    radius = 0.18
    rim = Held("rim", np.zeros(3), np.array([0.6, 0.0, -0.8]), radius, 0.0, 0.014)
    middle = palm + 0.05 * np.array([0.6, 0.0, -0.8]) + (radius - 0.02) * inwards
    pose["rim"] = Placed(np.eye(3), middle)
    hands = Hands(person, made, [rim])
    places, holds = hands.placed(pose, np.zeros(3))
    assert holds[side] == (1.0, 0.014)
    rows = skin.rows(places, holds)
    first = len(names) + 15 * side
    tied = skin.shares[:, first : first + 15].toarray()
    points, _ = skin.posed(places, holds)
    for n in range(4):
        on = points[tied[:, 3 * n : 3 * n + 3].sum(axis=1) > 0.5]
        off = np.array([np.linalg.norm(p - rim.nearest(p, pose["rim"])[0]) for p in on])
        assert off.min() > 0.014 - 0.006, "no finger lies within the tube"
        assert off.max() < 0.014 + 0.034, "each lies on it"
    ends = [
        figure.number(f"{('right', 'left')[side]}_{p}") for p in ("upper_arm", "forearm", "hand")
    ]
    before, after = (
        np.array([at(n).of(figure.bones[n].at_m) for n in ends])
        for at in (lambda n: pose[person.segments[n]], lambda n: places[n])
    )
    lengths = [np.linalg.norm(np.diff(each, axis=0), axis=1) for each in (before, after)]
    assert lengths[0] == pytest.approx(lengths[1], abs=1e-4)
    # turns stay turns
    assert np.allclose(rows[:, :3] @ rows[:, :3].transpose(0, 2, 1), np.eye(3), atol=1e-6)
    pose["rim"] = Placed(np.eye(3), middle + 1.0)
    far = hands.placed(pose, np.zeros(3))
    assert far[1] == [(0.0, 0.0), (0.0, 0.0)]
    assert all(a.R_WS is pose[s].R_WS for a, s in zip(far[0], person.segments, strict=True))


def test_fingers_at_rest_are_slightly_bent_and_the_same_on_both_sides() -> None:
    figure = figure_of(BODIES["woman"]())
    made = skin_of(figure).fingers
    rows = made.rest.reshape(2, 5, 3, 4, 3)
    for hand in range(2):
        ends = made.own[hand][:, 2] @ rows[hand, :4, 2, :3]
        bend = np.degrees(np.arccos(ends @ made.own[hand][:, 2]))
        assert np.all((bend > 40.0) & (bend < 85.0))
        assert np.all(ends @ made.own[hand][:, 1] > 0.0), "towards the palm"
    sizes = skin_of(figure).shares[:, len(figure.bones) :].sum(axis=0)
    assert np.allclose(sizes[0, :15], sizes[0, 15:])


def test_legs_that_lie_in_each_other_are_drawn_beside_each_other() -> None:
    """Cross a thigh over the other: the lines of both legs come as far apart as they are thick, bones stay as long."""
    figure = figure_of(BODIES["male-50"]())
    (person,) = people(body_project(BODIES["male-50"]()))
    hands = Hands(person, skin_of(figure).fingers, ())
    places = bent(figure, hip=80.0, knee=80.0, neck=0.0, elbow=30.0)
    pose = dict(zip(person.segments, places, strict=True))
    still, _ = hands.placed(pose, np.zeros(3))
    assert all(
        a.p_W is not None and np.array_equal(a.R_WS, b.R_WS)
        for a, b in zip(still, places, strict=True)
    )
    left = {
        n
        for n, bone in enumerate(figure.bones)
        if bone.part.startswith("left_") and bone.part.endswith(("leg", "foot"))
    }
    hip = places[figure.number("left_upper_leg")].of(
        figure.bones[figure.number("left_upper_leg")].at_m
    )
    c, s = np.cos(np.radians(18.0)), np.sin(np.radians(18.0))
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    crossed = [
        Placed(R @ p.R_WS, hip + R @ (p.p_W - hip)) if n in left else p
        for n, p in enumerate(places)
    ]
    pose = dict(zip(person.segments, crossed, strict=True))
    moved, _ = hands.placed(pose, np.zeros(3))

    def knees(at: list[Placed]) -> Array:
        numbers = [
            figure.number(f"{side}_{part}")
            for side in ("right", "left")
            for part in ("upper_leg", "lower_leg")
        ]
        return np.array([at[n].of(figure.bones[n].at_m) for n in numbers]).reshape(2, 2, 3)

    def near(at: list[Placed]) -> float:
        lines = [
            one[0] + np.linspace(0.5, 1.0, 40)[:, None] * (one[1] - one[0]) for one in knees(at)
        ]
        return float(np.linalg.norm(lines[0][:, None] - lines[1], axis=-1).min())

    thick = sum(leg.upper_m for leg in build(figure).legs)
    assert near(crossed) < 0.6 * thick < 0.75 * thick < near(moved)
    lengths = [np.linalg.norm(np.diff(knees(at), axis=1), axis=-1) for at in (crossed, moved)]
    assert np.allclose(*lengths)
    trunk = [
        n
        for n in range(len(crossed))
        if figure.bones[n].part in ("lower_torso", "upper_torso", "head")
    ]
    assert all(np.array_equal(moved[n].p_W, crossed[n].p_W) for n in trunk)
