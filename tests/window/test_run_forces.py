"""Forces and touches of a run as drawn: balance of webbing, bags, outlines of patches, their key."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from app.features.movie.film import Film, Pair, Shot
from app.look import FORCE_TONES, PRESSURE_TONES
from app.run_view.forces import Acting, Forces, Patches, between, on_plane, reaches
from app.run_view.motion import Loads, Motion
from app.run_view.overlays import Overlays
from app.scene.batches import colours_of
from app.scene.key import tone_at
from solver import simulate
from solver.base.places import samples
from solver.project import Project, load_project, validated
from solver.project.pose import Placed
from solver.results.trajectory import Trajectory, empty_table
from solver.scene.placing import Pose
from solver.scene.webbing import Body
from tests.window.solving import CATCH, solved

SLED, LAP = samples() / "sled.json", samples() / "lap_belt.json"
BALL = Body(np.eye(3), np.zeros(3), np.full(3, 0.1), np.full(3, 2.0))


def ran(file: Any, duration: float) -> tuple[Project, Trajectory]:
    project = load_project(file)
    run = project.runs[0].model_copy(update={"duration_s": duration})
    return project, simulate(project.model_copy(update={"runs": (run,)}))


@pytest.fixture(scope="module")
def caught() -> tuple[Project, Trajectory]:
    return ran(CATCH, 0.1)


def acting(project: Project, run: Trajectory, kind: Any, t: float) -> tuple[Acting, Pose]:
    motion = Motion(run)
    pose = motion.pose(t)
    return Forces(project, motion).at(kind, t, pose), pose


def test_forces_of_a_simple_belt_are_its_tensions_and_cancel() -> None:
    project, run = ran(LAP, 0.06)
    belt, t = project.belts[0], float(run.time[-1])
    found, pose = acting(project, run, "webbing", t)
    tension = run.table("belts")["tension"][-1, 0]
    assert tension.max() > 100.0
    assert np.linalg.norm(found.forces, axis=1) == pytest.approx(np.tile(tension, 2))
    assert found.forces.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-9)
    anchors = [pose[a.segment].p_W + pose[a.segment].R_WS @ a.position_m for a in (belt.anchor_a, belt.anchor_b)]  # fmt: skip
    assert found.points[:2] == pytest.approx(np.array(anchors))
    # each anchor is pulled towards the body, and what lies under the belt towards the anchors
    middle = pose[belt.surface.segment].p_W
    assert np.all(((middle - found.points[:2]) * found.forces[:2]).sum(axis=1) > 0.0)
    assert set(found.elements) == {f"belts/{belt.id}"}


def test_forces_of_straps_cancel_over_their_points() -> None:
    project, run = ran(SLED, 0.05)
    found, _ = acting(project, run, "webbing", float(run.time[-1]))
    count = sum(len(strap.points) for strap in project.harnesses[0].straps)
    assert len(found.elements) == len(found.points) == count
    size = np.linalg.norm(found.forces, axis=1).max()
    assert size > 100.0
    assert np.linalg.norm(found.forces.sum(axis=0)) < 0.02 * size
    half, pose = 0.5 * (run.time[20] + run.time[21]), None
    between_frames, pose = acting(project, run, "webbing", float(half))
    table = run.table("strap_points")["force"]
    assert between_frames.forces == pytest.approx(0.5 * (table[20] + table[21]))
    assert pose is not None


def test_a_bag_has_an_arrow_for_each_segment_that_it_presses(
    caught: tuple[Project, Trajectory],
) -> None:
    project, run = caught
    bag = project.airbags[0]
    table, touches = run.table("airbags"), run.table("airbag_contacts")
    row = int(np.linalg.norm(table["force"][:, 0], axis=1).argmax())
    found, _ = acting(project, run, "airbags", float(run.time[row]))
    assert found.elements == (f"airbags/{bag.id}",) * len(bag.touches)
    assert found.forces == pytest.approx(touches["force"][row])
    assert found.points == pytest.approx(touches["point"][row])
    folded, _ = acting(project, run, "airbags", 0.0)
    assert not folded.forces.any()


def test_an_arrow_that_begins_or_ends_between_frames_stays_where_its_force_is(
    caught: tuple[Project, Trajectory],
) -> None:
    """What does not touch has no point of its own: it stands at zero."""
    _, run = caught
    table, loads = run.table("airbag_contacts"), Loads(run)
    acts = np.linalg.norm(table["force"], axis=2) > 0.0
    row, n = (int(found[0]) for found in np.nonzero(~acts[:-1] & acts[1:]))
    assert np.linalg.norm(table["point"][row + 1, n] - table["point"][row, n]) > 0.01
    points, forces = loads.at_contacts(row, row + 1, 0.25, "airbag_contacts")
    assert points[n] == pytest.approx(table["point"][row + 1, n])
    assert forces[n] == pytest.approx(0.25 * table["force"][row + 1, n])
    points, _ = loads.at_contacts(row + 1, row, 0.25, "airbag_contacts")
    assert points[n] == pytest.approx(table["point"][row + 1, n])


def test_of_older_results_the_sum_of_a_bag_stands_on_its_surface(
    caught: tuple[Project, Trajectory], monkeypatch: pytest.MonkeyPatch
) -> None:
    project, run = caught
    whole = run.table
    monkeypatch.setattr(
        run,
        "table",
        lambda name: empty_table(name, 1) if name == "airbag_contacts" else whole(name),
    )
    project, run = caught
    table = run.table("airbags")
    row = int(np.linalg.norm(table["force"][:, 0], axis=1).argmax())
    found, _ = acting(project, run, "airbags", float(run.time[row]))
    force = table["force"][row, 0]
    assert found.forces[0] == pytest.approx(force)
    assert found.elements == (f"airbags/{project.airbags[0].id}",)
    placed, semi = Motion(run).bag(project.airbags[0].id, float(run.time[row]))  # type: ignore[misc]
    own = placed.R_WS.T @ (found.points[0] - placed.p_W) / semi
    assert np.linalg.norm(own) == pytest.approx(1.0)
    rng = np.random.default_rng(3)
    others = rng.normal(size=(500, 3))
    others /= np.linalg.norm(others, axis=1)[:, None]
    reach = ((others * semi) @ placed.R_WS.T) @ force
    assert (found.points[0] - placed.p_W) @ force >= reach.max()
    folded, _ = acting(project, run, "airbags", 0.0)
    assert folded.elements == ()


def plane_of(length: float, width: float, z: float = 0.08) -> tuple[Any, Pose]:
    """Give a plane below the ball, whose front is up (z points down)."""
    data = {
        "format": "manikin-project",
        "schema_version": 4,
        "planes": [{
            "id": "floor",
            "segment": "ground",
            "placement": {
                "kind": "frame",
                "frame": {"position_m": [0, 0, z], "orientation": {"angles_rad": [0, 0, np.pi]}},
                "length_m": length, "width_m": width,
            },
        }],
    }  # fmt: skip
    plane = validated(data).planes[0]
    return plane, {"ground": Placed(np.eye(3), np.zeros(3))}


def test_a_ball_on_a_plane_touches_in_a_circle() -> None:
    plane, pose = plane_of(1.0, 1.0)
    outline = on_plane(BALL, plane, True, pose)
    assert outline is not None
    assert outline[:, 2] == pytest.approx(np.full(32, 0.08))
    assert np.linalg.norm(outline[:, :2], axis=1) == pytest.approx(np.full(32, 0.06))
    deep = on_plane(BALL, plane_of(1.0, 1.0, -0.05)[0], True, pose)
    assert deep is not None
    assert np.linalg.norm(deep[:, :2], axis=1).max() == pytest.approx(np.sqrt(0.01 - 0.0025))
    for z in (0.11, -0.11):
        assert on_plane(BALL, plane_of(1.0, 1.0, z)[0], True, pose) is None


def test_edges_of_a_plane_bound_a_patch_unless_the_contact_has_none() -> None:
    plane, pose = plane_of(0.05, 1.0)
    outline = on_plane(BALL, plane, True, pose)
    assert outline is not None
    assert np.abs(outline[:, 0]).max() == pytest.approx(0.025)
    assert np.abs(outline[:, 1]).max() == pytest.approx(0.06)
    free = on_plane(BALL, plane, False, pose)
    assert free is not None
    assert np.abs(free[:, 0]).max() == pytest.approx(0.06)


def test_a_rounded_body_is_cut_on_its_own_surface() -> None:
    R = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    body = Body(R, np.array([0.01, 0.02, 0.0]), np.array([0.2, 0.1, 0.12]), np.array([3.0, 4.0, 2.5]))  # fmt: skip
    plane, pose = plane_of(2.0, 2.0, 0.06)
    outline = on_plane(body, plane, True, pose)
    assert outline is not None
    assert outline[:, 2] == pytest.approx(np.full(32, 0.06))
    for point in outline:
        z = R.T @ (point - body.p_W) / body.axes
        assert (np.abs(z) ** body.powers).sum() == pytest.approx(1.0, abs=1e-6)
    ways = np.random.default_rng(2).normal(size=(400, 3))
    for way in ways[:20]:
        far = body.farthest(way)
        assert (np.abs(body.unit(far)) ** body.powers).sum() == pytest.approx(1.0)
        assert way @ far >= max(way @ body.onto(body.p_W + other) for other in ways) - 1e-9


def test_two_balls_touch_in_the_circle_that_they_share() -> None:
    other = Body(np.eye(3), np.array([0.19, 0.0, 0.0]), np.full(3, 0.1), np.full(3, 2.0))
    outline = between(BALL, other, False, np.array([0.095, 0.0, 0.0]))
    assert outline is not None
    assert outline[:, 0] == pytest.approx(np.full(32, 0.095))
    shared = np.sqrt(0.01 - 0.095**2)
    assert np.linalg.norm(outline[:, 1:], axis=1) == pytest.approx(np.full(32, shared))
    assert between(BALL, other, False, np.array([0.3, 0.0, 0.0])) is None
    assert reaches(BALL, np.zeros(3), np.eye(3)[:, :2]) == pytest.approx(np.full(32, 0.1))


def test_patches_are_those_of_the_contacts_that_act(caught: tuple[Project, Trajectory]) -> None:
    project, run = ran(SLED, 0.05)
    table = run.table("contacts")
    patches = Patches(project, Motion(run))
    elements, outlines = patches.at(float(run.time[-1]))
    acts = {f"contacts/{c}" for c, f in zip(table.ids, table["force"][-1], strict=True) if f.any()}
    assert elements
    assert set(elements) <= acts
    assert outlines.shape == (len(elements), 32, 3)
    for element, outline in zip(elements, outlines, strict=True):
        point = table["point"][-1, table.ids.index(element.split("/")[1])]
        size = np.linalg.norm(outline - outline.mean(axis=0), axis=1).max()
        assert np.linalg.norm(outline.mean(axis=0) - point) < size, "it lies about the point"
    assert patches.at(float(run.time[-1]))[1] is outlines, "a frame is worked out once"


@pytest.mark.window
def test_bags_take_their_colour_and_number_from_their_pressure(
    caught: tuple[Project, Trajectory],
) -> None:
    project, run = caught
    pressure = run.table("airbags")["pressure"][:, 0]
    row = int(pressure.argmax())
    film = Film(project, run, Shot((320, 240), "side"), beside=None)
    with film:
        plain = film.picture(float(run.time[row])).astype(int)
        bag = next(i for i in film._stage.items if i.shape.kind == "bag")
        own = colours_of(bag, film._stage.theme).face
        film._playback.overlays = Overlays(loads=True)
        tinted = film.picture(float(run.time[row])).astype(int)
        key = film._stage.overlays.key
        (scale,) = key.scales
        assert scale.title == "Bag pressure (kPa)"
        part = 1e-3 * pressure[row] / float(scale.top)
        drawn = np.array(colours_of(bag, film._stage.theme).face[:3]) / 255.0
        assert drawn == pytest.approx(tone_at(PRESSURE_TONES, part), abs=3e-3)
        (tag,) = key.tags
        # there is one bag: its name says nothing, and would hide who is behind it
        assert tag.words[0].isdigit()
        assert tag.words.endswith(f"{1e-3 * pressure[row]:.1f} kPa")
        assert np.abs(tinted - plain).max() > 60
        film.picture(0.0)
        assert film._stage.overlays.key.tags == (), "a folded bag has no number"
        empty = (pressure < 0.005 * pressure.max()) & (np.arange(len(pressure)) > row)
        if empty.any():
            film.picture(float(run.time[int(np.argmax(empty))]))
            assert film._stage.overlays.key.tags == (), "nor has one that has emptied"
        film._playback.overlays = Overlays()
        film.picture(float(run.time[row]))
        assert colours_of(bag, film._stage.theme).face == own


@pytest.mark.window
def test_every_kind_of_force_has_a_form_and_a_colour_of_its_own(window: Any, qtbot: Any) -> None:
    solved(window, qtbot)
    run_view, view = window.bench.run_view, window.bench.viewport
    row = int(np.linalg.norm(run_view.runs.current.trajectory.table("airbags")["force"][:, 0], axis=1).argmax())  # fmt: skip
    run_view.go(float(run_view.replay.motion.time[row]))
    aside = view.stage.overlays
    assert {sign.tone for sign in aside.key.signs} <= set(FORCE_TONES.values())
    assert [sign.words for sign in aside.key.signs] == ["Airbags"]
    arrows = aside.arrows["airbags"]
    assert arrows.actor.GetVisibility()
    # an arrow can be pointed at: its stem stands inside the bag, which is hidden for that
    view.stage.visibility.hidden = {e for e in view.stage.middles() if not e.startswith("joints/")}
    view.stage.show_again()
    stem = arrows._points[:32].mean(axis=0)
    x, y = view.lens.pixel(stem)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPointF(x, y).toPoint())
    assert window.bench.document.selection == f"airbags/{run_view.replay.project.airbags[0].id}"


@pytest.mark.window
def test_a_selected_bag_tells_its_pressure(window: Any, qtbot: Any) -> None:
    solved(window, qtbot)
    window.menus.run("view.loads")
    window.bench.run_view.go(0.06)
    assert window.bench.viewport.stage.overlays.key.tags == ()
    window.bench.document.select("airbags/bag")
    (tag,) = window.bench.viewport.stage.overlays.key.tags
    assert "kPa" in tag.words
    window.bench.document.select("")
    assert window.bench.viewport.stage.overlays.key.tags == ()


@pytest.mark.window
def test_both_halves_of_a_movie_have_one_scale(caught: tuple[Project, Trajectory]) -> None:
    project, run = caught
    soft = project.airbags[0].model_copy(update={"vents": ()})
    other = project.model_copy(update={"airbags": (soft,)})
    more = simulate(other)
    tops = [float(r.table("airbags")["pressure"].max()) for r in (run, more)]
    assert tops[1] > 1.3 * tops[0]
    shot = Shot((640, 240), "side", overlays=Overlays(loads=True))
    with Pair(("One", project, run), ("Other", other, more), shot) as pair:
        pair.picture(0.03)
        scales = [film._stage.overlays.key.scales for film in pair._films]
    assert scales[0] == scales[1]
    assert float(scales[0][0].top) >= 1e-3 * max(tops)
