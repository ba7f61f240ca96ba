"""The scene's arithmetic: meshes, webbing, camera, and what is placed when references are broken."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pyvista
from hypothesis import given
from hypothesis import strategies as st
from vtkmodules.util import numpy_support

from app import texts
from app.elements import element_label, element_path, place
from app.forms.units import digits, unit_words, used_by
from app.look import DARK, LIGHT
from app.scene.floor import MOST, SPACING_M, grid, spacing_of
from app.scene.lens import Lens, OrbitCamera
from app.scene.paints import Marks, paint
from app.scene.sky import Sky, disc, is_soft
from app.scene.stage import Stage
from solver.base.places import samples
from solver.project import LISTS, load_project, validated
from solver.project.pose import plane_corners
from solver.scene.meshes import body, ribbon
from solver.scene.placing import pose_at_start, up_of
from solver.scene.shapes import shapes, surfaces_of
from solver.scene.tones import rgb
from solver.scene.webbing import (
    LIFT_M,
    PARTS,
    Body,
    StrapPath,
    belt_lay,
    body_of,
    found_lay,
    strap_stops,
)
from tests.window.seated import seated

size = st.floats(0.05, 2.0)
power = st.floats(2.0, 12.0)


@given(st.tuples(size, size, size), st.tuples(power, power, power))
def test_body_meshes_lie_on_their_surface_and_face_outwards(
    axes: tuple[float, ...], powers: tuple[float, ...]
) -> None:
    mesh = body(axes, powers, around=16)
    assert np.allclose((np.abs(mesh.points / axes) ** powers).sum(axis=1), 1.0, atol=1e-9)
    assert mesh.normals is not None
    assert ((mesh.normals * mesh.points).sum(axis=1) > 0.0).all()
    a, b, c = (mesh.points[mesh.faces[:, i]] for i in range(3))
    front = (np.cross(b - a, c - a) * (a + b + c)).sum(axis=1)
    assert (front > -1e-12).all()


def test_ribbons_keep_their_width() -> None:
    t = np.linspace(0.0, 1.5, 20)
    line = np.column_stack([np.cos(t), np.sin(t), 0 * t])
    mesh = ribbon(line, line, 0.05)
    across = mesh.points[20:40] - mesh.points[:20]
    assert np.allclose(np.linalg.norm(across, axis=1), 0.05)
    assert np.allclose(np.abs(across[:, 2]), 0.05)
    # seams lie inside of the edges, just above the face
    seams = mesh.points[60:80] - mesh.points[40:60]
    assert np.allclose(np.linalg.norm(seams, axis=1), 0.036)
    assert (np.linalg.norm(mesh.points[40:80, :2], axis=1) > 1.0005).all()
    assert np.allclose(mesh.points[80:], line), "a row between them, to lie on what is round"


def test_a_belt_leaves_its_ellipsoid_along_the_tangent() -> None:
    project = validated(seated())
    surfaces = {("pelvis", "pelvis"): project.segments[0].surfaces[0]}
    lay = belt_lay(project.belts[0], surfaces, pose_at_start(project))
    assert lay is not None
    for line in (lay.line, lay.line[::-1]):
        straight, curved = line[1] - line[0], line[2] - line[1]
        cosine = straight @ curved / np.linalg.norm(straight) / np.linalg.norm(curved)
        assert cosine > math.cos(math.radians(6.0))


@pytest.mark.parametrize("up", [(0, 0, -1), (0, 0, 1), (0, 1, 0), (1, 0, 0), (0.6, 0, -0.8)])
def test_the_vertical_stays_upright_however_one_turns(up: tuple[float, ...]) -> None:
    camera = OrbitCamera(np.array(up, float))
    for step in ((90, 40), (-300, 90), (10, 5000), (35, -9000)):
        camera.orbit(*step)
        right, upright, towards = camera.axes()
        assert np.allclose(np.cross(right, upright), towards)
        assert abs(float(right @ camera.up)) < 1e-12
        assert float(upright @ camera.up) > -1e-12


def test_the_side_view_shows_the_occupant_facing_right() -> None:
    camera = OrbitCamera(np.array([0.0, 0.0, -1.0]))
    camera.look("side")
    assert np.allclose(camera.axes()[0], [1, 0, 0])
    camera.look("top")
    assert np.allclose(camera.axes()[0], [1, 0, 0])
    camera.look("front")
    assert np.allclose(camera.axes()[2], [1, 0, 0])


@pytest.mark.parametrize("parallel", [True, False])
@pytest.mark.parametrize("aspect", [0.5, 1.6])
@pytest.mark.parametrize("below", [0.0, 0.25])
def test_fit_leaves_nothing_outside(parallel: bool, aspect: float, below: float) -> None:
    points = np.random.default_rng(4).normal(size=(50, 3))
    camera = OrbitCamera(np.array([0.0, 0.0, -1.0]))
    camera.parallel = parallel
    camera.fit(points, aspect, below)
    right, upright, towards = camera.axes()
    seen = (points - camera.target) @ np.column_stack([right, upright, towards])
    depth = camera.distance - (0.0 if parallel else seen[:, 2])
    reach = depth * math.tan(math.radians(14.0))
    assert (np.abs(seen[:, 0]) <= reach * aspect).all()
    assert (seen[:, 1] <= reach).all()
    assert (seen[:, 1] >= -reach * (1.0 - 2.0 * below)).all()
    # and no farther away than it must be, but for a margin
    sides = np.array([np.abs(seen[:, 0]) / aspect, seen[:, 1], -seen[:, 1] / (1.0 - 2.0 * below)])
    assert (sides / reach).max() > 0.88


def broken(change: Any) -> Any:
    data = seated()
    change(data)
    return validated(data)


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["joints"][0].update(parent="head"),
        lambda d: d["joints"][0].update(parent="nobody"),
        lambda d: d["joints"][1].update(child="abdomen"),
        lambda d: d["initial"]["attitudes"][0].update(relative_to="thorax", segment="thorax"),
        lambda d: d["initial"].update(
            roots=[
                {"segment": "sled", "relative_to": "pelvis"},
                {"segment": "pelvis", "relative_to": "sled"},
            ]
        ),
        lambda d: d["initial"].update(joints=[{"joint": "knee_r", "values": [1.0, 2.0]}]),
        lambda d: d["belts"][0]["surface"].update(surface="nothing"),
        lambda d: d["belts"][0]["anchor_a"].update(segment="nobody"),
        lambda d: d["planes"][0].update(segment="nobody"),
        lambda d: d["airbags"][0]["panels"][0].update(segment="nobody"),
        lambda d: d["planes"][0]["placement"].update(p3_m=d["planes"][0]["placement"]["p2_m"]),
        lambda d: d.update(gravity_m_per_s2=[0, 0, 0]),
    ],
)
def test_whatever_is_broken_the_rest_is_placed_and_drawn(change: Any) -> None:
    project = broken(change)
    pose = pose_at_start(project)
    assert set(pose) >= {segment.id for segment in project.segments}
    found = shapes(project, pose)
    assert len({shape.element for shape in found}) > 30
    assert all(np.isfinite(shape.mesh.points).all() for shape in found)
    assert np.isclose(np.linalg.norm(up_of(project)), 1.0)


def test_planes_face_as_section_2_2_says() -> None:
    corner, edge, other = plane_corners(validated(seated()).planes[2])
    assert np.allclose(corner, [0.2, 0.4, 0.47])
    assert np.cross(edge, other)[2] < 0.0


def test_every_list_has_a_word_for_one_of_it() -> None:
    assert set(texts.elements.ONE) == set(LISTS)


def test_places_are_said_in_labels() -> None:
    project = validated(seated())
    assert place(project, "segments/head/surfaces/head/semi_axes_m/0") == (
        "Head › Surfaces › head › Semi-axes › 1"
    )
    assert place(project, "") == "Project"
    assert element_path("segments/head/mass_kg") == "segments/head"
    assert element_path("schema_version") == ""
    assert element_path("initial/roots/0") == "initial"
    assert element_label(project, "segments/head") == "Head"


def test_numbers_carry_units_and_four_digits() -> None:
    assert digits(1.25e-5) == "1.25·10⁻⁵"
    assert unit_words("N*m*s/rad") == "N·m·s/rad"


def test_an_element_knows_who_names_it_and_as_what() -> None:
    project = validated(seated())
    users = {fact.value: fact.help for fact in used_by(project, "segments/pelvis")}
    assert "Surface" in users["Lap belt"]
    assert "Parent" in users["Lumbar"]


@pytest.mark.parametrize("view", ["iso", "front", "side", "top"])
def test_pictures_need_no_window(tmp_path: Path, view: Any) -> None:
    from matplotlib.image import imread

    from app.picture import picture

    file = tmp_path / "start.png"
    picture(validated(seated()), file, (320, 200), view)
    assert imread(file).shape[:2] == (200, 320)
    assert imread(file).std() > 0.02


@pytest.mark.window
def test_pictures_one_after_the_other_are_those_of_each_alone() -> None:
    from app.picture import Pictures, pixels
    from solver.base.places import samples
    from solver.project import load_project

    projects = [load_project(samples() / f"{name}.json") for name in ("sled", "pendulum", "sled")]
    pictures = Pictures()
    try:
        drawn = [pictures.draw(project, (200, 120)) for project in projects]
    finally:
        pictures.close()
    for project, one in zip(projects, drawn, strict=True):
        assert np.abs(one.astype(int) - pixels(project, (200, 120))).max() <= 2


def test_missing_libraries_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from app.scene import graphics

    monkeypatch.setattr(graphics, "_loads", lambda name: name != "libEGL.so.1")
    monkeypatch.setattr(graphics.sys, "platform", "linux")
    assert "libegl1" in graphics.why_not()


def test_the_pose_is_made_once_for_all_who_ask_and_anew_for_another_start() -> None:
    from solver.project.changes import with_value

    project = validated(seated())
    pose = pose_at_start(project)
    assert pose_at_start(with_value(project, "segments/head/mass_kg", 5.0)) is pose
    other = with_value(project, "initial/attitudes/0/orientation/angles_rad", (0.0, 0.4, 0.0))
    assert not np.allclose(pose_at_start(other)["head"].p_W, pose["head"].p_W)
    assert pose_at_start(project) is pose


def test_pictures_get_coarser_only_while_they_are_late() -> None:
    from app.scene.screen import coarser

    coarse = 1.0
    for _ in range(10):
        coarse = coarser(coarse, 0.05)
    assert coarse == 2.0
    assert coarser(coarse, 0.012) == coarse
    for _ in range(10):
        coarse = coarser(coarse, 0.003)
    assert coarse == 1.0


def test_a_strap_of_a_run_is_drawn_over_the_body_between_its_points() -> None:
    project = validated(seated())
    pose, surfaces = pose_at_start(project), surfaces_of(project)
    strap = project.harnesses[0].straps[0]
    places = np.array([place for place, _ in strap_stops(strap, surfaces, pose) or ()])
    lay = found_lay(strap, surfaces, pose, StrapPath(places))
    assert len(lay.line) == PARTS * (len(places) - 1) + 1
    at_points = lay.line[::PARTS]
    assert np.linalg.norm(at_points - places, axis=1).max() <= LIFT_M + 1e-12
    deepest, straight = 2.0, 2.0
    for k, (one, other) in enumerate(pairwise(strap.points)):
        on = getattr(one, "surface", None)
        if on is None or on != getattr(other, "surface", None):
            continue
        body = body_of(surfaces[on.segment, on.surface], on.segment, pose)
        between = lay.line[PARTS * k : PARTS * (k + 1) + 1]
        deepest = min(deepest, *body.levels(between))
        straight = min(straight, *body.levels(places[k : k + 2].mean(axis=0, keepdims=True)))
    assert straight < 0.99, "straight it would go through"
    assert deepest > 1.0


@given(st.tuples(size, size, size), st.tuples(power, power, power))
def test_levels_of_a_body_count_from_its_centre_to_its_surface(
    axes: tuple[float, ...], powers: tuple[float, ...]
) -> None:
    body_ = Body(np.eye(3), np.array([0.1, -0.2, 0.3]), np.array(axes), np.array(powers))
    on = body_.onto(body_.p_W + np.array([0.3, -0.2, 0.15]))
    for part in (0.2, 1.0, 1.7):
        assert body_.levels((body_.p_W + part * (on - body_.p_W))[None]) == pytest.approx(part)
    assert body_.levels(body_.p_W[None]) == 0.0


def test_webbing_is_seen_on_any_ground() -> None:
    for theme in (LIGHT, DARK):
        face = np.array(paint("belt", 0, Marks(), theme).face[:3], float)
        grounds = (theme.sky, theme.haze, theme.ground)
        for ground in grounds:
            assert np.abs(face - 255.0 * np.array(rgb(ground))).max() > 50.0


@pytest.mark.parametrize("reach", [3.0, 39.0, 1.6e3, 2.5e15])
def test_the_grid_of_a_huge_scene_has_few_lines(reach: float) -> None:
    """Somebody types 1000 m: lines stand wider apart, in steps of 1, 2 and 5."""
    spacing = spacing_of(reach)
    assert spacing == SPACING_M if reach / SPACING_M <= MOST else reach / spacing <= MOST
    assert f"{2.0 * spacing:.0e}"[0] in "1 2 4" or f"{spacing:.0e}"[0] in "125"
    e = np.eye(3)
    data = grid(np.zeros(3), e[0], e[1], reach, LIGHT)
    assert data.GetNumberOfPoints() < 300_000


def test_the_horizon_lies_where_level_lines_go() -> None:
    camera = OrbitCamera(np.array([0.0, 0.0, -1.0]))
    for degrees in (-10.0, 0.0, 8.0, 16.0):
        camera.elevation = np.radians(degrees)
        lens = Lens(camera, 800.0, 600.0)
        level = camera.eye() - 1e6 * (camera.axes()[2] - (camera.axes()[2] @ camera.up) * camera.up)
        assert 1.0 - lens.pixels(level[None])[0, 1] / 600.0 == pytest.approx(camera.horizon, abs=1e-3)  # fmt: skip


def test_ground_fades_into_haze_and_the_sky_begins_above_it() -> None:
    sky = Sky()
    sky.paint(LIGHT)
    seen = {}
    for horizon in (0.5, 5.0, -4.0):
        sky.face(horizon)
        points = numpy_support.vtk_to_numpy(sky._data.GetPoints().GetData())
        colours = numpy_support.vtk_to_numpy(sky._data.GetPointData().GetScalars())
        rows = np.argsort(points[:, 1], kind="stable")
        seen[horizon] = points[rows, 1], colours[rows]
    ground, haze, above = (np.round(255.0 * np.array(rgb(c))) for c in (LIGHT.ground, LIGHT.haze, LIGHT.sky))  # fmt: skip
    heights, colours = seen[0.5]
    assert (colours[heights == 0.5] == haze).all()
    # near the ground is darker than the haze, above the sky bluer, and nowhere is a step
    assert colours[0].sum() < haze.sum() - 10
    assert colours[-1, 2] - colours[-1, 0].astype(int) > haze[2] - haze[0]
    assert np.abs(np.diff(colours.astype(int), axis=0)).max() < 20
    # from high above there is ground alone, from below sky alone
    assert (seen[5.0][1] == ground).all()
    assert (seen[-4.0][1] == above).all()


def test_a_road_without_edges_fades_away_unless_it_is_selected() -> None:
    far = disc(np.array([1.0, 2.0, 0.0]), np.array([0.0, 0.0, -1.0]), 30.0)
    away = numpy_support.vtk_to_numpy(far.GetPoints().GetData()) - [1.0, 2.0, 0.0]
    alpha = numpy_support.vtk_to_numpy(far.GetPointData().GetScalars())[:, 3].astype(int)
    order = np.argsort(np.linalg.norm(away, axis=1))
    # its faces cover it once: a polygon of so many corners
    corners = int(np.sum(np.linalg.norm(away, axis=1) > 29.9))
    assert pyvista.wrap(far).area == pytest.approx(
        0.5 * corners * 900.0 * np.sin(2.0 * np.pi / corners), rel=1e-5
    )
    assert alpha[order[0]] == 255
    assert (alpha[order[-10:]] == 0).all()
    assert (np.diff(alpha[order]) <= 0).all()
    stage = Stage(LIGHT)
    stage.show(load_project(samples() / "pedestrian.json"))
    (road,) = (item for item in stage.items if is_soft(item))
    assert road.shape.element == "planes/road_ground_plane"
    # nor does a ball lie on it where a part is fixed to the car, unless somebody asks for it
    stage._mark()
    assert not [item for item in stage.items if item.shape.kind == "joint" and item.is_drawn]
    stage.mark(selected="joints/car_car_front_shape_mount")
    assert [item for item in stage.items if item.shape.kind == "joint" and item.is_drawn]
    stage.mark(selected=road.shape.element)
    assert not is_soft(road)


def test_the_ground_lies_below_what_swings() -> None:
    """Two rods of a metre start aslant and come to hang: the grid is below their end then, not below their start."""
    stage = Stage(LIGHT)
    stage.show(load_project(samples() / "double_pendulum.json"))
    assert stage._floor.middle[2] == pytest.approx(2.0, abs=0.01)
