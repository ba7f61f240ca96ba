"""Pictures in reports show what the window shows: people, webbing, bags and seats; the same bytes each time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.cli.report_commands import LOOKS as OFFERED
from solver.engine.maths.rotation import from_angles, matrix
from solver.project import Project
from solver.project.pose import Placed
from solver.project.segments import GROUND
from solver.report import ReportError, make, report
from solver.report.gather import Subject
from solver.report.make import _pictures
from solver.report.panels import instants
from solver.report.scene import View, cameras, drawn, scene, scenes
from solver.results import open_results
from solver.results.trajectory import Trajectory
from solver.scene.instant import LOOKS, Instants, Looks, Surface
from solver.scene.meshes import body, faceted, sheet
from solver.scene.people.build import people
from solver.scene.raster import Camera, cut_out, fill, rendered
from solver.scene.shapes import surfaces_of, webbing
from tests.solved import stored_run

HEIGHT = 200

Solved = Callable[[str], tuple[Project, Trajectory]]


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Solved:
    folder = tmp_path_factory.mktemp("runs")
    runs: dict[str, tuple[Project, Trajectory]] = {}

    def find(name: str) -> tuple[Project, Trajectory]:
        if name not in runs:
            run = open_results(stored_run(name, folder))
            runs[name] = (Subject(run).project, run)
        return runs[name]

    return find


def mask(surfaces: list[Surface], camera: Camera) -> NDArray[np.bool_]:
    """Tell which pixels are covered."""
    image = rendered(surfaces, replace(camera, ground=None), HEIGHT)
    return np.asarray((image < 255).any(axis=2))


def test_skin_covers_what_the_engine_knows_of_a_person(solved: Solved) -> None:
    project, run = solved("frontal")
    for frame in (0, 127):
        (camera,) = cameras(project, [scene(project, run, frame)], "side")
        both = Instants(project, run, "both").at(frame)
        skin = [one for one in both if one.is_closed]
        assert len(skin) == 1, "the one driver, whose skin is closed"
        whole = replace(skin[0], opacity=1.0)
        bare = Instants(project, run, "shapes").at(frame)
        own = {f"segments/{segment}" for segment in people(project)[0].segments}
        shapes = [one for one in bare if one.element in own]
        assert len(shapes) > 15
        one, other = mask([whole], camera), mask(shapes, camera)
        # ellipsoids stand out over thighs, and at the back of a dummy's head; flesh fills the hollows between them
        assert (one & other).sum() > 0.91 * other.sum()
        assert (one & ~other).sum() < 0.14 * other.sum()


def test_pictures_show_people_or_the_shapes_that_are_asked_for(
    solved: Solved, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make, "PICTURE_HEIGHT", HEIGHT)
    project, run = solved("frontal")
    strip = [one.frame for one in instants(Subject(run))]
    made: dict[Looks, list[NDArray[np.uint8]]] = {}
    for looks in LOOKS:
        shots = scenes(project, run, strip, looks)
        views = cameras(project, shots, "side")
        made[looks] = [drawn(shot, view, HEIGHT) for shot, view in zip(shots, views, strict=True)]
        skins = [one for one in shots[0].surfaces if one.is_closed]
        assert [one.opacity for one in skins] == {"skin": [1.0], "both": [0.38], "shapes": []}[
            looks
        ]
    for picture, image in zip(
        make._pictures([Subject(run)], "shapes"), made["shapes"], strict=True
    ):
        np.testing.assert_array_equal(picture.image, image)
    for picture, image in zip(make._pictures([Subject(run)], "skin"), made["skin"], strict=True):
        np.testing.assert_array_equal(picture.image, image)
    assert np.abs(made["skin"][0].astype(int) - made["both"][0]).max() > 60
    with pytest.raises(ReportError, match="'wood' is none of skin, both, shapes"):
        report(run, looks="wood")  # type: ignore[arg-type]


def test_webbing_lies_over_the_chest_as_wide_as_it_is(solved: Solved) -> None:
    project, run = solved("frontal")
    shot = scene(project, run, 0)
    _, camera = cameras(project, [shot, shot], "front")
    belts = [one for one in shot.surfaces if one.element.startswith("harnesses/")]
    skins = [one for one in shot.surfaces if one.is_closed]
    assert belts
    with_belts = rendered([*skins, *belts], camera, HEIGHT).astype(int)
    without = rendered(skins, camera, HEIGHT).astype(int)
    on_body = mask(skins, camera)
    changed = (np.abs(with_belts - without).max(axis=2) > 60) & on_body
    pixel = (camera.high[1] - camera.low[1]) / HEIGHT
    # the shoulder belt crosses the chest from the shoulder to the buckle: some 0.45 m, seen from ahead
    assert 0.047 * 0.35 < changed.sum() * pixel**2 < 0.047 * 1.6
    chest = np.array(project_place(project, run, "upper_torso"))
    x, y = chest @ camera.right, chest @ camera.up
    column = round((x - camera.low[0]) / pixel)
    row = round((camera.high[1] - y) / pixel)
    near = changed[row - 17 : row + 17, column - 17 : column + 17]
    assert near.any(), "the belt is seen over the chest"
    # across its way it is 47 mm wide: as many pixels in each row as a band of that width that leans
    widths = near.sum(axis=1)[near.any(axis=1)] * pixel
    assert 0.035 < np.median(widths) < 0.11


def project_place(project: Project, run: Trajectory, part: str) -> NDArray[np.float64]:
    """Give where the segment of a part of the first person is."""
    person = people(project)[0]
    segment = person.segments[person.figure.number(part)]
    return np.asarray(run.segment(segment).position[0])


def test_each_run_stands_on_its_own_ground(solved: Solved, monkeypatch: pytest.MonkeyPatch) -> None:
    project, run = solved("frontal")
    shot = scene(project, run, 0)
    surfaces = [
        replace(one, points=one.points + np.array([0.0, 0.0, 0.4])) for one in shot.surfaces
    ]
    lower = replace(shot, surfaces=tuple(surfaces))
    for runs, apart in (([0, 0], 0.0), ([0, 1], 0.4)):
        high, low = (one.ground for one in cameras(project, [shot, lower], "side", runs))
        assert high is not None
        assert low is not None
        assert high.level - low.level == pytest.approx(apart)
    asked: list[Sequence[int]] = []
    monkeypatch.setattr(make, "drawn", lambda *_: np.zeros((2, 2, 3), np.uint8))
    monkeypatch.setattr(make, "cameras", lambda *those: asked.append(those[3]) or those[1])
    make._pictures([Subject(run), Subject(run)], "skin")
    assert asked == [[0, 0, 1, 1]]


def test_the_same_bytes_each_time(solved: Solved) -> None:
    project, run = solved("frontal_5f")
    shots = [scene(project, run, 90) for _ in range(2)]
    one, other = (drawn(shot, cameras(project, [shot], "side")[0], HEIGHT) for shot in shots)
    assert one.tobytes() == other.tobytes()


def test_the_head_is_seen_in_the_bag(solved: Solved) -> None:
    project, run = solved("frontal_5f")
    frame = 90
    shot = scene(project, run, frame)
    (camera,) = cameras(project, [shot], "side")
    with_head = rendered(shot.surfaces, camera, HEIGHT).astype(int)
    headless = [one for one in shot.surfaces if not one.is_closed]
    without = rendered(headless, camera, HEIGHT).astype(int)
    head = np.array(run.segment(head_of(project)).position[frame])
    pixel = (camera.high[1] - camera.low[1]) / HEIGHT
    row = round((camera.high[1] - head @ camera.up) / pixel)
    column = round((head @ camera.right - camera.low[0]) / pixel)
    seen = np.abs(with_head - without).max(axis=2)[row - 3 : row + 3, column - 3 : column + 3]
    assert seen.mean() > 12


def head_of(project: Project) -> str:
    person = people(project)[0]
    return person.segments[person.figure.number("head")]


def test_a_dashboard_is_a_veil_from_ahead_and_from_behind_it(solved: Solved) -> None:
    project, run = solved("frontal")
    around = [one for one in scene(project, run, 0).surfaces if one.front is not None]
    assert around
    for one in around:
        assert one.front is not None
        assert one.opacity_from(one.front) == one.opacity
        if one.least > -1.0:
            assert one.opacity_from(-one.front) < 0.5


@pytest.mark.parametrize("view", ["side", "front"])
@pytest.mark.parametrize("name", ["frontal", "aircraft_14g"])
def test_nothing_that_stands_around_is_between_the_eye_and_people(
    name: str, view: View, solved: Solved
) -> None:
    """The near door's edges crossed the chest of the driver. Without what stands around, all else is as it was."""
    project, run = solved(name)
    shot, bare = (scenes(project, run, [0], around=around)[0] for around in (True, False))
    (camera,) = cameras(project, [shot], view)
    back = camera.basis[:, 2]
    whole = [one.points.tobytes() for one in bare.surfaces]
    added = [one for one in shot.surfaces if one.points.tobytes() not in whole]
    assert len(added) > 3
    assert len(shot.surfaces) == len(added) + len(bare.surfaces)
    people_ = np.vstack([one.points for one in bare.surfaces if one.is_closed and not one.element])
    nearest = float((people_ @ back).max())
    before = [one for one in added if float((one.points @ back).min()) > nearest]
    if (name, view) == ("frontal", "side"):
        assert len(before) > 1, "pillars and door of the near side"
        assert [one.opacity_from(back) for one in before] == [0.0] * len(before)


def test_pictures_in_a_row_are_of_one_height_and_one_scale(solved: Solved) -> None:
    """A pendulum that lies level is ten times as wide as high from the side, and thin from ahead."""
    _, run = solved("pendulum")
    found = _pictures([Subject(run, "pendulum")], "skin")
    assert len(found) == 4
    assert len({one.image.shape[0] for one in found}) == 1
    for one in found:
        high, wide, _ = one.image.shape
        assert 1 / 2.05 < wide / high < 2.05
    project = solved("pendulum")[0]
    shots = scenes(project, run, (0, 10))
    side, front = (cameras(project, shots, view, height_m=3.0)[0] for view in get_args(View))
    assert side.height_m == front.height_m == 3.0


@pytest.mark.parametrize("name", ["double_pendulum", "bouncing_ball", "free_body"])
def test_models_without_people_have_pictures_too(name: str, solved: Solved) -> None:
    project, run = solved(name)
    shot = scene(project, run, 0)
    (camera,) = cameras(project, [shot], "side")
    image = drawn(shot, camera, 60)
    without = rendered(shot.surfaces[:0], camera, len(image))
    assert (image != without[: len(image), : image.shape[1]]).any(axis=2).mean() > 0.01
    assert (camera.ground is None) == (not np.any(project.gravity_m_per_s2))


def test_triangles_fill_their_area_and_the_nearest_is_seen() -> None:
    corners = np.array([[3.2, 4.1], [90.7, 20.3], [40.4, 77.9]])
    a, b, c = corners
    area = 0.5 * abs((b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0])
    points = np.column_stack([np.vstack([corners, corners]), [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]])
    colours = np.repeat([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], 3, axis=0)
    for faces in ([[0, 1, 2], [3, 4, 5]], [[3, 4, 5], [0, 1, 2]]):
        picture, depth = np.zeros((90, 100, 3), np.float32), np.full((90, 100), -np.inf, np.float32)
        fill(points, np.array(faces), colours, False, picture, depth)
        seen = np.isfinite(depth)
        assert seen.sum() == pytest.approx(area, rel=0.01)
        assert (depth[seen] == 1.0).all(), "the nearer one"
        np.testing.assert_allclose(picture[seen], [[0.0, 0.0, 1.0]] * int(seen.sum()))
    # y goes down: these corners turn with the clock, which is the back of what is closed
    picture, depth = np.zeros((90, 100, 3), np.float32), np.full((90, 100), -np.inf, np.float32)
    fill(points, np.array([[0, 1, 2]]), colours, True, picture, depth)
    assert not np.isfinite(depth).any()
    fill(points, np.array([[0, 2, 1]]), colours, True, picture, depth)
    assert np.isfinite(depth).sum() == pytest.approx(area, rel=0.01)


CAMERA = Camera(np.array([1.0, 0, 0]), np.array([0, 0, -1.0]), (-1.0, -1.0), (1.0, 1.0))
"""One stands at y = +, to the right of a model."""
RED, BLUE = (0.9, 0.1, 0.1), (0.1, 0.1, 0.9)
TURN = from_angles((0.3, -0.4, 0.5), "zyx")


def solid(
    centre: Sequence[float], semi: Sequence[float], power: float = 2.0,
    tone: Sequence[float] = RED, opacity: float = 1.0,
) -> Surface:  # fmt: skip
    mesh = body(semi, (power,) * 3).moved(TURN, np.array(centre))
    assert mesh.normals is not None
    colours = np.tile(tone, (len(mesh.points), 1))
    return Surface(mesh.points, mesh.faces, mesh.normals, colours, opacity)


def coloured(image: NDArray[np.uint8]) -> NDArray[np.bool_]:
    return np.asarray(np.any(image < 250, axis=2))


def test_a_silhouette_has_the_area_of_the_shadow() -> None:
    semi = np.array([0.6, 0.4, 0.25])
    found = coloured(rendered([solid((0.1, 0.0, -0.2), semi)], CAMERA, 400))
    A = TURN @ np.diag(semi**2) @ TURN.T
    # the shadow of x' A^-1 x = 1 along y is the ellipse of A without that row and column
    shadow = A[np.ix_([0, 2], [0, 2])]
    assert found.sum() == pytest.approx(np.pi * np.sqrt(np.linalg.det(shadow)) * 4e4, rel=0.01)
    columns = np.flatnonzero(found.any(axis=0))
    reach = 200.0 * np.sqrt(shadow[0, 0])
    assert columns[0] == pytest.approx(200 + 20 - reach, abs=1.5)
    assert columns[-1] == pytest.approx(200 + 20 + reach, abs=1.5)


def test_great_powers_make_a_box() -> None:
    box, ball = (
        coloured(rendered([solid((0, 0, 0), (0.5, 0.5, 0.5), power)], CAMERA, 200)).sum()
        for power in (60.0, 2.0)
    )
    assert box > 1.4 * ball


def test_what_is_nearer_hides_what_is_behind() -> None:
    near, far = solid((0, 0.5, 0), (0.3,) * 3), solid((0, -0.5, 0), (0.3,) * 3, tone=BLUE)
    for order in ([near, far], [far, near]):
        middle = rendered(order, CAMERA, 100)[50, 50].astype(int)
        assert middle[0] > middle[2] + 50
    # a veil mixes by how much is seen of it, whatever comes first
    veil, alone = replace(near, opacity=0.5), rendered([far], CAMERA, 100)[50, 50].astype(int)
    for seen in ([far, veil], [veil, far]):
        mixed = rendered(seen, CAMERA, 100)[50, 50]
        np.testing.assert_allclose(mixed, 0.5 * (middle + alone), atol=2)
    flat = faceted(sheet(*np.array([[-0.9, -0.9, -0.9], [1.8, 0, 0], [0, 0, 1.8]])))
    assert flat.normals is not None
    behind = Surface(flat.points, flat.faces, flat.normals, np.tile(BLUE, (6, 1)), 0.3)
    image = rendered([near, behind], CAMERA, 100).astype(int)
    assert tuple(image[50, 50]) == tuple(middle)
    assert image[20, 20, 2] > image[20, 20, 0] + 20


def test_what_is_cut_out_looks_the_same_on_any_paper() -> None:
    seen = [solid((0, 0, 0), (0.5, 0.3, 0.4)), solid((0.4, 0.3, 0), (0.4,) * 3, 2.0, BLUE, 0.5)]
    image = cut_out(seen, CAMERA, 100).astype(float)
    part = image[..., 3:] / 255.0
    assert {0.0, 1.0} < set(part.ravel()), "some of it clear, some not, some in between"
    for paper in (0.0, 0.4, 1.0):
        laid = part * image[..., :3] + (1.0 - part) * 255.0 * paper
        np.testing.assert_allclose(laid, rendered(seen, CAMERA, 100, paper), atol=2.5)


def test_belts_are_drawn_as_long_as_they_are(solved: Solved) -> None:
    project, run = solved("lap_belt")
    (belt,) = project.belts
    for frame in (0, len(run.time) // 2, len(run.time) - 1):
        table = run.table("segments")
        q, p = table["quaternion_wxyz"][frame], table["position"][frame]
        pose = {id_: Placed(matrix(q[n]), p[n]) for n, id_ in enumerate(table.ids)}
        pose[GROUND] = Placed(np.eye(3), np.zeros(3))
        (shape,) = webbing(project, surfaces_of(project), pose)
        assert shape.element == f"belts/{belt.id}"
        one, other = (shape.mesh.points[list(line)] for line in shape.mesh.lines[:2])
        middle = 0.5 * (one + other)
        drawn_ = float(np.linalg.norm(np.diff(middle, axis=0), axis=1).sum())
        # webbing is drawn a little above what it lies on
        assert drawn_ == pytest.approx(run.table("belts")["length"][frame, 0].sum(), rel=6e-3)


def test_without_a_run_it_is_the_start_with_full_bags(solved: Solved) -> None:
    project, run = solved("frontal_5f")
    started, ran = (Instants(project, of, around=False).at(0) for of in (None, run))
    skins = [next(one for one in all_ if one.is_closed) for all_ in (started, ran)]
    np.testing.assert_allclose(skins[0].points, skins[1].points, atol=1e-4)
    bags = {f"airbags/{bag.id}": bag for bag in project.airbags}
    for element, bag in bags.items():
        size = max(
            float(np.ptp(one.points, axis=0).max()) for one in started if one.element == element
        )
        assert size == pytest.approx(2.0 * max(bag.semi_axes_m), rel=0.25)


def test_a_shadow_lies_below_what_stands_on_the_ground(solved: Solved) -> None:
    project, run = solved("pedestrian")
    shot = scene(project, run, 0)
    (camera,) = cameras(project, [shot], "side")
    person = [one for one in shot.surfaces if one.is_closed]
    lone = [replace(one, opacity=1.0) for one in person]
    image = rendered(lone, camera, HEIGHT).astype(int).sum(axis=2)
    high = [
        replace(one, points=one.points + 3.0 * np.asarray(camera.ground.up))  # type: ignore[union-attr]
        for one in lone
    ]
    lifted = rendered(high, camera, HEIGHT).astype(int).sum(axis=2)
    feet = np.flatnonzero(mask(lone, camera).any(axis=1)).max()
    below = slice(feet - 3, min(feet + 5, HEIGHT))
    assert (image[below] < lifted[below] - 60).sum() > 20


def test_the_command_offers_all_looks_that_there_are() -> None:
    assert OFFERED == LOOKS
