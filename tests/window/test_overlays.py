"""See forces, belt loads, ghosts and trails beside a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.command import Command
from app.curves.curves import number
from app.features.movie.film import Film, Shot
from app.features.runs.run_control import SightBar
from app.look import LIGHT
from app.run_view import replay
from app.run_view.motion import Loads
from app.run_view.overlays import OVERLAYS, Overlays
from app.run_view.playback import Playback
from app.run_view.record import RunRecord
from app.run_view.replay import in_parts, on_faces
from app.scene.batches import colours_of
from app.scene.drawn import SOFT
from app.scene.key import Key, rounded_up
from app.scene.lens import Lens
from app.scene.overlays import LENGTH_M, Arrows, Trail, arrow_points
from app.scene.stage import Stage
from app.settings import Settings
from solver import simulate
from solver.base.places import samples
from solver.project import load_project, validated
from solver.results.memory import MemoryTrajectory
from solver.results.trajectory import Trajectory
from tests.window.solving import CATCH, solved

pytestmark = [pytest.mark.window, pytest.mark.one_window]

BELTED = samples() / "lap_belt.json"


@pytest.fixture(scope="module")
def belted() -> Trajectory:
    return simulate(load_project(BELTED))


def filmed(run: Trajectory, **shown: Any) -> Film:
    return Film(load_project(BELTED), run, Shot((320, 240), "side", shows_time=False, **shown))


def test_arrows_end_on_their_points_and_grow_with_the_root() -> None:
    rng = np.random.default_rng(7)
    points, ways = rng.normal(size=(40, 3)), rng.normal(size=(40, 3))
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    ways[:6] = np.vstack([np.eye(3), -np.eye(3)])
    size = 10.0 ** rng.uniform(0.5, 4.5, 40)
    drawn = arrow_points(points, ways * size[:, None])
    assert drawn[:, -1] == pytest.approx(points)
    along = np.einsum("nki,ni->nk", drawn - points[:, None], ways)
    length = LENGTH_M * np.sqrt(size / 1000.0)
    assert along.min(axis=1) == pytest.approx(-length)
    assert along.max(axis=1) == pytest.approx(0.0, abs=1e-12)
    across = np.linalg.norm(drawn - points[:, None] - along[..., None] * ways[:, None], axis=2)
    assert across.max(axis=1) == pytest.approx(0.11 * length)
    feet = np.sort(across[:, :16], axis=1)
    assert feet[:, 0] == pytest.approx(feet[:, -1]), "the stem is round"


def test_what_does_not_act_is_not_drawn_and_costs_no_triangles() -> None:
    from vtkmodules.vtkRenderingCore import vtkRenderer

    arrows = Arrows(vtkRenderer())
    points, forces = np.arange(900.0).reshape(300, 3), np.zeros((300, 3))
    forces[0], forces[7], forces[299] = (0.0, 0.4, 0.0), (0.0, 90.0, 0.0), (0.0, 0.0, 50.0)
    names = tuple(f"contacts/{n}" for n in range(300))
    arrows.show(names, points, forces)
    mesh = arrows.mesh()
    assert mesh is not None
    assert [arrows.element_at(k * len(mesh.faces) // 2) for k in (0, 1)] == [names[7], names[299]]
    assert mesh.points.reshape(2, -1, 3)[:, -1] == pytest.approx(points[[7, 299]])
    drawn = arrows.actor.GetMapper().GetInput()
    assert drawn.GetNumberOfPolys() <= 8 * len(mesh.faces) // 2
    rest = np.array([drawn.GetPoint(k) for k in range(len(mesh.points), drawn.GetNumberOfPoints())])
    assert rest == pytest.approx(np.tile(points[7], (len(rest), 1))), "no larger than a point"
    forces[:50, 0] = 70.0
    arrows.show(names, points, forces)
    assert arrows.elements == (*names[:50], names[299])
    assert len(arrows._points) == len(arrows.mesh().points) // 51 * 56
    arrows.show(names, points, np.zeros((300, 3)))
    assert not arrows.actor.GetVisibility()


def test_loads_between_frames_go_straight_and_points_stay_where_they_are() -> None:
    memory = MemoryTrajectory({"contacts": ("a", "b")}, (), b"{}")
    for force, point in (
        ((0, 0, 0), (9, 9, 9)),
        ((0, 0, 80.0), (1, 2, 3)),
        ((0, 0, 40.0), (3, 2, 1)),
    ):
        row = {
            "force": [force] * 2,
            "point": [point] * 2,
            "penetration": [0.0] * 2,
            "state": [0] * 2,
        }
        memory.add_frame(0.0, {"contacts": {k: np.array(v) for k, v in row.items()}})  # fmt: skip
    loads = Loads(memory)
    point, force = loads.at_contacts(0, 1, 0.25)
    assert (point[0], force[0]) == (pytest.approx([1, 2, 3]), pytest.approx([0, 0, 20.0]))
    point, force = loads.at_contacts(1, 2, 0.25)
    assert (point[1], force[1]) == (pytest.approx([1.5, 2, 2.5]), pytest.approx([0, 0, 70.0]))
    assert loads.highest_tension() == 0.0


def test_arrows_and_the_picked_element_are_those_of_the_contacts(belted: Trajectory) -> None:
    table = belted.table("contacts")
    acting = np.linalg.norm(table["force"], axis=2)
    row, n = np.unravel_index(int(acting.argmax()), acting.shape)
    with filmed(belted, overlays=Overlays(forces=True)) as film:
        film.picture(float(belted.time[row]))
        arrows = film._stage.overlays.arrows["contacts"]
        assert arrows.actor.GetVisibility()
        assert set(arrows.elements) == {f"contacts/{table.ids[k]}" for k in np.flatnonzero(acting[row] >= 1.0)}  # fmt: skip
        mesh, place = arrows.mesh(), arrows.elements.index(f"contacts/{table.ids[n]}")
        head = mesh.points.reshape(len(arrows.elements), -1, 3)[place, -1]
        assert head == pytest.approx(table["point"][row, n], abs=1e-5)
        faces = len(mesh.faces) // len(arrows.elements)
        assert arrows.element_at(place * faces) == f"contacts/{table.ids[n]}"
        film._playback.overlays = Overlays()
        film.picture(0.0)
        assert not arrows.actor.GetVisibility()


def test_webbing_is_coloured_by_its_tension(belted: Trajectory) -> None:
    tension = belted.table("belts")["tension"]
    row = int(tension.max(axis=(1, 2)).argmax())
    t = float(belted.time[row])
    with filmed(belted, overlays=Overlays(loads=True)) as film:
        coloured = film.picture(t).astype(int)
        stage = film._stage
        belt = next(
            strip for item, strip in stage.crowd.strips.items() if item.shape.kind == "belt"
        )
        data = belt.face.GetMapper().GetInput()
        values = np.array([data.GetCellData().GetScalars().GetValue(i) for i in range(data.GetNumberOfPolys())])  # fmt: skip
        assert set(np.float32(tension[row, 0])) == set(values.astype(np.float32))
        top = rounded_up(float(tension.max()))
        assert belt.face.GetMapper().GetScalarRange() == (0.0, top)
        (scale,) = stage.overlays.key.scales
        assert (scale.title, float(scale.top)) == ("Belt load (kN)", pytest.approx(1e-3 * top))
        film._playback.overlays = Overlays(loads=True, system="si")
        film.picture(t)
        (scale,) = stage.overlays.key.scales
        assert top > 1000.0
        assert (scale.title, scale.top) == ("Belt load (N)", f"{top:.0f}"), "no power of ten"
        film._playback.overlays = Overlays()
        plain = film.picture(t).astype(int)
        assert stage.overlays.key == Key()
    assert np.abs(coloured - plain).max() > 60


def test_tensions_reach_every_face() -> None:
    from solver.scene.meshes import joined, ribbon
    from solver.scene.straps import fittings
    from solver.scene.webbing import Lay

    line = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]])
    lay = Lay(line, np.tile([0.0, 0, 1], (4, 1)))
    belt = load_project(BELTED).belts[0]
    mesh = joined(ribbon(line, lay.outward, 0.05), *fittings(belt, lay, 0.05, {}))
    parts = in_parts(mesh, np.array([1.1, 0, 0]), np.array([5.0, 7.0]))
    assert list(parts) == [5.0, 7.0, 7.0]
    faces = on_faces(mesh, parts)
    assert faces is not None
    middle = mesh.points[mesh.faces].mean(axis=1)[:, 0]
    assert len(faces) == len(mesh.faces)
    assert set(faces[middle < 0.99]) == {5.0}
    assert set(faces[middle > 1.01]) == {7.0}
    assert on_faces(mesh, np.ones(9)) is None


@pytest.mark.parametrize(
    ("value", "top"),
    [(0.0, 1.0), (0.41, 0.5), (1.0, 1.0), (1.21, 1.5), (23.0, 25.0), (8100.0, 1e4)],
)
def test_the_legend_ends_at_a_plain_number(value: float, top: float) -> None:
    assert rounded_up(value) == pytest.approx(top)


def test_the_start_is_drawn_where_it_was(belted: Trajectory) -> None:
    with filmed(belted, overlays=Overlays(start=True)) as film:
        film.picture(float(belted.time[-1]))
        ghost = film._stage.overlays.ghosts["start"][1]
        start = film._playback.replay.motion.pose(0.0)
        item = next(i for i in ghost.items if i.shape.kind == "body")
        assert item.at.p_W == pytest.approx(start[item.shape.segment].p_W)
        film._playback.overlays = Overlays()
        film.picture(0.0)
        assert film._stage.overlays.ghosts == {}


def test_trails_are_the_ways_as_the_camera_sees_them(belted: Trajectory) -> None:
    project = load_project(BELTED)
    first, second = belted.segment_ids[:2]
    playback = Playback(project, belted)
    playback.ride(first)
    way = playback.replay.way(second)
    for row in (0, 40, len(way) - 1):
        t = float(belted.time[row])
        carried, pose = playback.replay.carried(t), playback.replay.motion.pose(t)
        assert way[row] == pytest.approx(carried.R_WS @ pose[second].p_W + carried.p_W, abs=1e-9)
    still = playback.replay.way(first)
    assert still == pytest.approx(np.tile(still[0], (len(still), 1)), abs=1e-9)


def test_a_trail_shows_what_has_passed(belted: Trajectory) -> None:
    name = belted.segment_ids[0]
    with filmed(belted, trails=(name,)) as film:
        film.picture(float(belted.time[30]))
        trail: Trail = film._stage.overlays.trails[name]
        assert trail._passed.GetMapper().GetInput().GetLines().GetNumberOfConnectivityIds() == 31
        film.picture(0.0)
        assert trail is film._stage.overlays.trails[name], "it is kept from frame to frame"
        assert trail._passed.GetMapper().GetInput().GetLines().GetNumberOfConnectivityIds() == 0


@pytest.mark.own_window
def test_sights_are_switched_remembered_and_gone_with_the_model(window: Any, qtbot: Any) -> None:
    solved(window, qtbot, BELTED)
    aside = window.bench.viewport._stage.overlays
    buttons = dict(zip(OVERLAYS, window.features["runs"].sights.buttons[:-1], strict=True))
    for name, button in buttons.items():
        # forces, loads and what joints may do are seen at first
        for on in (False, True) if name in ("forces", "loads", "reach") else (True, False, True):
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            assert getattr(window.bench.run_view.overlays, name) is on
            assert Settings().sight(name) is on
            assert window.menus.entries[f"view.{name}"].isChecked() is on
        window.menus.run(f"view.{name}")
        assert not button.isChecked(), "a key does what the button does, and the button tells"
        window.menus.run(f"view.{name}")
        assert button.isChecked()
        assert window.bench.commands.find(f"view.{name}").key in button.toolTip()
    assert [scale.title for scale in aside.key.scales] == ["Belt load (kN)"]
    assert [sign.words for sign in aside.key.signs] == ["Contacts", "Belts"]
    assert set(aside.ghosts) == {"start"}
    window.bench.document.select(f"segments/{window.bench.run_view.replay.motion.names[0]}")
    window.menus.run("view.trail")
    assert list(aside.trails) == [window.bench.run_view.replay.motion.names[0]]
    assert window.menus.entries["view.trail"].isChecked()
    window.bench.run_view.switch(False)
    assert not window.features["runs"].sights.isVisible()
    assert (aside.ghosts, aside.trails) == ({}, {})
    assert not any(arrows.actor.GetVisibility() for arrows in aside.arrows.values())
    assert not aside.patches.face.GetVisibility()
    assert aside.key == Key()
    window.bench.run_view.switch(True)
    assert set(aside.ghosts) == {"start"}
    window.menus.run("view.trail")
    assert aside.trails == {}


@pytest.mark.own_window
def test_another_run_is_drawn_beside(window: Any, qtbot: Any, tmp_path: Path) -> None:
    first = solved(window, qtbot)
    window.bench.document.edit("runs/0/duration_s", 0.12, "Shorten")
    qtbot.waitUntil(lambda: not window.bench.document.problems_now(), timeout=20_000)
    window.bench.run_view.run()
    qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
    run_view = window.bench.run_view
    menu = window.panels["runs"].menu_of(first)
    next(a for a in menu.actions() if a.text() == "Draw faintly over the current run").trigger()
    assert run_view.ghost is first
    run_view.go(0.06)
    assert set(window.bench.viewport._stage.overlays.ghosts) == {"beside"}
    ghost = window.bench.viewport._stage.overlays.ghosts["beside"][1]
    kinds = {item.shape.kind for item in ghost.items}
    assert "bag" in kinds
    window.bench.viewport.stage.visibility.faint.add("segments/head")
    dialog = window.features["movie"].film()
    dialog.end.setValue(10.0)
    dialog.size_.setCurrentIndex(3)
    with qtbot.waitSignal(dialog.written, timeout=240_000):
        dialog.write(tmp_path / "a.gif")
        assert dialog._filming._film.shot.visibility.faint == {"segments/head"}
    run_view.runs.remove(first)
    assert run_view.ghost is None
    assert window.bench.viewport._stage.overlays.ghosts == {}


@pytest.mark.own_window
def test_a_ghost_of_the_same_run_is_not_drawn(window: Any, qtbot: Any) -> None:
    record = solved(window, qtbot, CATCH)
    action = next(
        a
        for a in window.panels["runs"].menu_of(record).actions()
        if a.text() == "Draw faintly over the current run"
    )
    assert not action.isEnabled()
    window.bench.run_view.set_ghost(record)
    assert window.bench.viewport._stage.overlays.ghosts == {}


def test_no_contacts_no_arrows() -> None:
    from vtkmodules.vtkRenderingCore import vtkRenderer

    arrows = Arrows(vtkRenderer())
    arrows.show((), np.zeros((0, 3)), np.zeros((0, 3)))
    assert not arrows.actor.GetVisibility()


def test_long_runs_keep_the_webbing_of_some_frames_alone(
    belted: Trajectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "KEPT", 5)
    playback, stage = Playback(load_project(BELTED), belted), Stage(LIGHT)
    stage.show(load_project(BELTED))
    seen = []
    for row in (*range(12), 0):
        playback.show(stage, float(belted.time[row]))
        assert len(playback.replay._forms) <= 5
        belt = next(item for item in stage.items if item.shape.kind == "belt")
        seen.append(belt.mesh.points)
    assert seen[0] == pytest.approx(seen[-1]), "what was forgotten is laid again"


def test_a_ghost_in_the_same_place_leaves_no_stripes(window: Any, qtbot: Any) -> None:
    record = solved(window, qtbot)
    run_view = window.bench.run_view
    run_view.player.pause()
    run_view.go(0.0)

    def picture() -> Any:
        window.bench.viewport.settle()
        image = window.bench.viewport.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
        rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
        return rows[:, : 3 * image.width()].astype(int)

    alone = picture()
    other = RunRecord("Twin", record.project, opened=record.trajectory)
    run_view.runs.add(other)
    run_view.runs.show(record)
    run_view.go(0.0)
    run_view.set_ghost(other)
    assert run_view.playback.beside is not None
    assert np.mean(np.abs(picture() - alone) > 12) < 0.002


STACK: dict[str, Any] = {
    "format": "manikin-project",
    "schema_version": 4,
    "segments": [
        {"id": name, "mass_kg": 1.0, "inertia_kgm2": [0.01] * 3} for name in ("low", "high")
    ],
    "initial": {
        "roots": [
            {"segment": "low", "position_m": [0.0, 0.0, 0.0]},
            {"segment": "high", "position_m": [0.0, 0.0, -0.1]},
        ]
    },
    "springs": [
        {"id": "disc", "kind": "disc", "a": {"segment": "low", "frame": {"position_m": [0.0, 0.0, -0.045], "orientation": {"angles_rad": [0.0, 0.0, 3.141592653589793]}}}, "b": {"segment": "high", "frame": {"position_m": [0.0, 0.0, 0.045], "orientation": {"angles_rad": [0.0, 0.0, 3.141592653589793]}}}, "height_m": 0.01, "area_m2": 4e-4, "moment_y_m4": 1e-8, "moment_x_m4": 1e-8, "polar_m4": 2e-8, "elastic_pa": 1e6, "shear_pa": 4e5},
        {"id": "loose", "kind": "linear", "tension_only": True, "a": {"segment": "low"}, "b": {"segment": "high"}, "rest_length_m": 0.2, "stiffness_n_per_m": 10.0},
        {"id": "tight", "kind": "linear", "tension_only": True, "a": {"segment": "low", "position_m": [0.02, 0.0, 0.0]}, "b": {"segment": "high"}, "rest_length_m": 0.05, "stiffness_n_per_m": 10.0},
    ],
    "coordinate_forces": [
        {"id": "muscle", "side": "above", "zero": 0.3, "coordinate": {"kind": "distance", "a": {"segment": "low", "position_m": [0.0, 0.03, 0.0]}, "via": [{"segment": "low", "position_m": [0.0, 0.03, -0.05]}], "b": {"segment": "high"}}, "laws": [{"kind": "muscle", "stiffness": 10.0, "damping": 1.0, "activation": 0.5}]},
    ],
    "runs": [{"id": "run", "duration_s": 0.02, "frame_interval_s": 0.005}],
}  # fmt: skip


def test_discs_are_columns_in_the_colour_of_their_load_and_what_is_slack_pales() -> None:
    project = validated(STACK)
    run = simulate(project)
    playback, stage = Playback(project, run, Overlays(loads=True)), Stage(LIGHT)
    stage.show(project)
    t, frame = float(run.time[-1]), len(run.time) - 1
    playback.show(stage, t)
    stage.crowd.show(stage.items, LIGHT, Lens(stage.camera, 320.0, 240.0))
    items = {item.shape.element: item for item in stage.items if item.shape.kind in SOFT}
    disc = items["springs/disc"].mesh
    low, high = (run.table("segments")["position"][frame][n] for n in range(2))
    up = np.array([0.0, 0.0, 1.0])
    assert disc.points[-2] == pytest.approx(low - 0.045 * up, abs=1e-4)
    assert disc.points[-1] == pytest.approx(high + 0.045 * up, abs=1e-4)
    out = np.linalg.norm(disc.points[:20] - disc.points[-2], axis=1)
    assert out == pytest.approx(np.sqrt(4e-4 / np.pi))
    table = run.table("springs")
    load = abs(table["force"][frame][table.ids.index("disc"), 2])
    strip = stage.crowd.strips[items["springs/disc"]]
    values = strip.face.GetMapper().GetInput().GetCellData().GetScalars()
    assert [values.GetValue(n) for n in range(80)] == pytest.approx([load] * 80, rel=1e-3)
    (scale,) = stage.overlays.key.scales
    assert scale.title.startswith("Disc load")
    slack = {name for name, item in items.items() if item.form is not None and item.form.is_slack}
    assert slack == {"springs/loose", "coordinate_forces/muscle"}
    plain = colours_of(items["springs/tight"], LIGHT)
    assert not items["springs/tight"].form.is_slack  # type: ignore[union-attr]
    assert colours_of(items["springs/loose"], LIGHT).line[3] < 0.5 * plain.line[3]
    assert items["coordinate_forces/muscle"] not in stage.crowd.strips, "lines are drawn together"
    playback.overlays = Overlays()
    playback.show(stage, t)
    assert not strip.face.GetMapper().GetScalarVisibility()


def test_arrows_of_drivers_are_seen_while_they_drive() -> None:
    """Free until it begins, moved, and free again; at the start, where one works, all are seen."""
    project = load_project(samples() / "driven_limb.json")
    run = simulate(project)
    playback, stage = Playback(project, run, Overlays()), Stage(LIGHT)
    stage.show(project)
    motors = [item for item in stage.items if item.shape.kind == "motor"]
    assert len(motors) == len(project.drivers) + len(project.frame_drivers)
    assert all(item.is_shown for item in motors)
    seen = set()
    for frame in range(0, len(run.time), 7):
        playback.show(stage, float(run.time[frame]))
        states = {
            f"{group}/{id_}": state
            for group in ("drivers", "frame_drivers")
            for id_, state in zip(run.table(group).ids, run.table(group)["state"][frame], strict=True)
        }  # fmt: skip
        shown = {item.shape.element: item.is_shown for item in motors}
        assert shown == {name: state != 0 for name, state in states.items()}
        seen |= set(shown.values())
    assert seen == {True, False}
    stage.update(project)
    assert all(item.is_shown for item in stage.items if item.shape.kind == "motor")


@pytest.mark.window
def test_the_mouse_over_a_belt_tells_its_load(window: Any, qtbot: Any) -> None:
    """By the results' own table, at the instant shown; in the model there is nothing to tell."""
    record = solved(window, qtbot, BELTED)
    run_view, view = window.bench.run_view, window.bench.viewport
    table = record.trajectory.table("belts")
    row = int(table["tension"][:, 0, 0].argmax())
    run_view.go(float(record.trajectory.time[row]))
    belt = f"belts/{table.ids[0]}"
    value = table["tension"][row, 0, 0]
    assert value > 100.0
    assert view.tells(belt) == f"  ·  tension at anchor A {number(1e-3 * value)} kN"
    run_view.go(float(record.trajectory.time[0]))
    assert f" {number(1e-3 * table['tension'][0, 0, 0])} kN" in view.tells(belt)
    run_view.switch(False)
    assert view.tells(belt) == ""


@pytest.mark.parametrize("width", [430, 506, 560, 740, 1200])
def test_the_buttons_beside_a_run_leave_axes_and_scale_free(qtbot: Any, width: int) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    over.resize(width, 400)
    words = ("Forces", "Touching", "Loads", "Start", "Joint", "Around")
    bar = SightBar(over, [(word, Command(f"view.{word}", word, "", str)) for word in words])
    over.show()
    bar.show_for(True)
    assert bar.isVisible()
    # of the letters of the axes, and of the longest bar of a length with its words
    axes = QRect(0, 400 - 85, 86, 85)
    scale = QRect(width - 24 - 120 - 20, 400 - 46, 160, 46)
    place = bar.geometry()
    assert over.rect().contains(place)
    assert not place.intersects(scale)
    if width >= axes.width() + place.width():
        assert not place.intersects(axes)
    if width > 1000:
        assert place.center().x() == pytest.approx(width / 2, abs=1.5)
