"""Filmstrips, and moving scenes as glTF and VTKHDF, read back by VTK's own readers."""

from __future__ import annotations

import base64
import json
import struct
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import h5py
import numpy as np
import pytest
from PIL import Image
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOGeometry import vtkGLTFReader
from vtkmodules.vtkIOHDF import vtkHDFReader

from app.features.export.changing import SAME_M, Changing, phased, still
from app.features.export.gltf import points_at, stations, steady
from app.features.export.moving import STATIONS, Strip, moving
from app.features.export.saving import SceneError, save_scene
from app.features.movie.writing import GAP_PX
from app.front_door import main
from app.run_view.motion import Motion
from solver.base.places import samples
from solver.project import load_project
from solver.results import open_results
from solver.results.trajectory import Trajectory
from solver.running.simulation import simulate_to_file
from solver.scene.damage import Damaged, _broken, _dented
from solver.scene.meshes import Mesh
from solver.scene.placing import pose_at_start, up_of
from solver.scene.shapes import shapes
from tests.window.solving import CATCH, solved

pytestmark = pytest.mark.window

BELTED = samples() / "lap_belt.json"


@pytest.fixture(scope="module", params=[CATCH, BELTED], ids=["bag", "belt"])
def results(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("scene") / "run.h5"
    simulate_to_file(load_project(request.param), file)
    return file


def model_of(run: Trajectory) -> Any:
    from solver.project import parse

    return parse(run.project_json.decode()).project


def test_solids_stand_where_the_run_has_them(results: Path) -> None:
    with open_results(results) as run:
        project = model_of(run)
        scene = moving(project, run)
        motion = Motion(run)
        bodies = [s for s in scene.solids if s.name.startswith("segments/")]
        assert len(bodies) == sum(len(segment.surfaces) for segment in project.segments)
        for row in (0, len(scene.times) - 1):
            pose = motion.pose(float(scene.times[row]))
            for solid in bodies:
                placed = pose[solid.name.partition("/")[2]]
                assert solid.places[row] == pytest.approx(placed.p_W)
                assert solid.turns[row] == pytest.approx(placed.R_WS)
        for bag in (s for s in scene.solids if s.name.startswith("airbags/")):
            table = run.table("airbags")
            state = table["state"][:, 0] > 0
            assert np.all(bag.stretches[~state] == 0.0)
            assert state.any()
            assert bag.places[state] == pytest.approx(table["position"][state, 0], abs=1e-9)
            full = np.array(project.airbags[0].semi_axes_m)
            assert bag.stretches[state] * full == pytest.approx(table["semi_axes"][state, 0])


def vtk_polydata(file: Path, t: float) -> Any:
    reader = vtkHDFReader()
    reader.SetFileName(str(file))
    reader.UpdateInformation()
    reader.UpdateTimeStep(t)
    return reader.GetOutputDataObject(0)


def test_vtkhdf_is_read_by_vtk(results: Path, tmp_path: Path) -> None:
    file = tmp_path / "run.vtkhdf"
    assert main(["scene", str(results), "-o", str(file)]) == 0
    assert [f.name for f in tmp_path.iterdir()] == ["run.vtkhdf"]
    with open_results(results) as run:
        scene = moving(model_of(run), run)
    for row in (0, 37, len(scene.times) - 1):
        data = vtk_polydata(file, float(scene.times[row]))
        expected = points_at(scene, row)
        assert vtk_to_numpy(data.GetPoints().GetData()) == pytest.approx(expected, abs=1e-5)
        owners = vtk_to_numpy(data.GetCellData().GetArray("part"))
        assert len(owners) == data.GetNumberOfPolys()
    with h5py.File(file) as opened:
        names = list(opened["parts/names"].asstr())
        assert list(opened["VTKHDF/Steps/Values"]) == pytest.approx(list(scene.times))
    assert names == [s.name for s in (*scene.solids, *scene.strips)]
    assert set(owners) == set(range(len(names)))
    for number, strip in enumerate(scene.strips, len(scene.solids)):
        assert (owners == number).sum() == 2 * (strip.left.shape[1] - 1), "it is whole"
    cells = vtk_to_numpy(data.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    first = scene.solids[0]
    assert np.array_equal(cells[: len(first.mesh.faces)], first.mesh.faces)


def glb(file: Path) -> dict[str, Any]:
    raw = file.read_bytes()
    magic, version, size = struct.unpack_from("<4sII", raw)
    assert (magic, version, size) == (b"glTF", 2, len(raw))
    length, kind = struct.unpack_from("<I4s", raw, 12)
    assert kind == b"JSON"
    rest, kind = struct.unpack_from("<I4s", raw, 20 + length)
    assert kind == b"BIN\0"
    assert 28 + length + rest == len(raw)
    data = json.loads(raw[20 : 20 + length])
    assert data["buffers"][0]["byteLength"] == rest
    return dict(data)


def test_a_glb_moves_as_the_run_in_vtk(results: Path, tmp_path: Path) -> None:
    file, speed = tmp_path / "run.glb", 0.1
    assert main(["scene", str(results), "-o", str(file), "--speed", str(speed)]) == 0
    data = glb(file)
    sizes = [view["byteOffset"] + view["byteLength"] for view in data["bufferViews"]]
    assert max(sizes) <= data["buffers"][0]["byteLength"]
    with open_results(results) as run:
        project = model_of(run)
        scene = moving(project, run, furnished=True)
    reader = vtkGLTFReader()
    reader.SetFileName(str(file))
    reader.ApplyDeformationsToGeometryOn()
    reader.SetFrameRate(200)
    reader.UpdateInformation()
    assert reader.GetNumberOfAnimations() == 1
    assert reader.GetAnimationDuration(0) == pytest.approx(scene.times[-1] / speed, rel=1e-5)
    reader.EnableAnimation(0)
    reader.UpdateInformation()
    up = up_of(project)
    for row in (0, 60, 120):
        reader.UpdateTimeStep(float(scene.times[row] / speed))
        found = all_points(reader.GetOutputDataObject(0))
        expected = points_at(scene, row)
        assert len(found) == len(expected)
        # y of glTF is up; about it both may be turned, so that radii are compared
        assert np.sort(found[:, 1]) == pytest.approx(np.sort(expected @ up), abs=2e-4)
        radius = np.linalg.norm(expected - np.outer(expected @ up, up), axis=1)
        assert np.sort(np.hypot(found[:, 0], found[:, 2])) == pytest.approx(
            np.sort(radius), abs=3e-4
        )


def test_few_forms_tell_all_of_them() -> None:
    """Between forms that are written one goes straight, and is nowhere further off than is told; what stays has one form."""
    times = np.linspace(0.0, 0.1, 41)
    flat = np.array([(x, y, 0.0) for x in range(4) for y in range(5)], float)
    faces = np.array([(0, 1, 5), (1, 6, 5)])
    forms = [
        Mesh(flat - [0.0, 0.0, 0.08 * np.clip((t - 0.03) / 0.02, 0.0, 1.0) ** 2], faces)
        for t in times
    ]
    made = phased(times, np.arange(41), forms)
    assert 3 <= len(made.rows) < 15
    for k in range(3):
        there = [form.points[:, k] for form in forms]
        for n in range(len(flat)):
            here = np.interp(times, times[made.rows], made.points[:, n, k])
            assert np.abs(here - [one[n] for one in there]).max() <= SAME_M
    assert len(phased(times, np.arange(41), [forms[0]] * 41).rows) == 1


def test_a_pane_that_breaks_and_cloth_that_fills_are_in_what_is_written() -> None:
    """A dented sheet replaces the plane from its frame on, cracks come with it, a folded bag is nowhere."""
    project = load_project(samples() / "pedestrian.json")
    pose = pose_at_start(project)
    seen = shapes(project, pose)
    times = np.array([0.0, 0.01, 0.02, 0.03])
    motion = SimpleNamespace(time=times, pose=lambda t: pose)
    changing = Changing(project, SimpleNamespace(table=lambda name: None), motion, seen)  # type: ignore[arg-type]
    bonnet, pane = "planes/car_bonnet_top", "planes/car_windscreen_glass"
    planes = {one.id: one for one in project.planes}
    sheet = _dented(planes[bonnet.partition("/")[2]], ((0.0, 0.0, 0.0, 0.05),))
    web = _broken(planes[pane.partition("/")[2]], (0.0, 0.0, 0.0))
    found = {2: {bonnet: Damaged(mesh=sheet)}, 3: {bonnet: Damaged(mesh=sheet), pane: web}}
    changing._damage = SimpleNamespace(at=lambda row: found.get(row, {}))  # type: ignore[assignment]
    for row in range(4):
        changing.take(row, pose, {})
    whole = {s.element: s for s in seen if s.kind == "plane"}
    solid = still(bonnet, whole[bonnet].furniture.mesh, "#ffffff", 1.0, 4)  # type: ignore[union-attr]
    before, after = changing.parts(solid)
    assert before.shown is not None
    assert after.shown is not None
    assert before.shown.tolist() == [True, True, False, False]
    assert after.shown.tolist() == [False, False, True, True]
    assert after.mesh.points == pytest.approx(sheet.points)
    added = {made.name: made for _, made in changing.added}
    assert set(added) == {f"{pane}/glass", f"{pane}/cracks"}
    (cracks,) = changing.parts(added[f"{pane}/cracks"])
    assert cracks.shown is not None
    assert cracks.shown.tolist() == [False, False, False, True]
    assert np.ptp(cracks.points_at(2, times), axis=0).max() == 0.0


def all_points(blocks: Any) -> Any:
    walk = blocks.NewIterator()
    walk.InitTraversal()
    found = []
    while not walk.IsDoneWithTraversal():
        found.append(vtk_to_numpy(walk.GetCurrentDataObject().GetPoints().GetData()))
        walk.GoToNextItem()
    return np.vstack(found)


def test_stations_carry_both_edges() -> None:
    rng = np.random.default_rng(3)
    middle = np.cumsum(rng.normal(size=(5, STATIONS, 3)), axis=1)
    across = rng.normal(size=(5, STATIONS, 3))
    across *= 0.02 / np.linalg.norm(across, axis=2, keepdims=True)
    places, turns, half = stations(Strip("a", "#000000", middle - across, middle + across))
    assert half == pytest.approx(0.02)
    assert places == pytest.approx(middle)
    assert places + half * turns[..., 1] == pytest.approx(middle + across)
    unit = np.einsum("tnki,tnkj->tnij", turns, turns)
    assert unit == pytest.approx(np.broadcast_to(np.eye(3), unit.shape), abs=1e-9)
    assert np.linalg.det(turns) == pytest.approx(np.ones((5, STATIONS)))


def test_neighbouring_quaternions_are_on_one_side() -> None:
    q = np.array([[0, 0, 0, 1.0], [0, 0, -0.1, -0.995], [0, 0, 0.2, 0.98], [0, 0, -0.3, -0.95]])
    out = steady(q)
    assert np.all(np.sum(out[1:] * out[:-1], axis=1) > 0.0)
    assert np.abs(out) == pytest.approx(np.abs(q))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-o", "a.obj"], "must end in .html"),
        (["-o", "no/such/a.glb"], "There is no folder 'no/such'"),
        (["-o", "a.glb", "--ride", "nobody"], "There is no segment 'nobody'"),
    ],
)
def test_what_cannot_be_written_is_said(
    results: Path, tmp_path: Path, monkeypatch: Any, capsys: Any, arguments: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["scene", str(results), *arguments]) == 1
    assert words in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_run_without_instants_has_no_scene(tmp_path: Path) -> None:
    from solver.results.memory import MemoryTrajectory

    with pytest.raises(SceneError, match="no instants"):
        save_scene(load_project(CATCH), MemoryTrajectory({}, (), b"{}"), tmp_path / "a.glb")


def test_a_filmstrip_holds_its_instants(results: Path, tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "strip.png"
    common = ["movie", str(results), "-o", str(file), "--size", "80x96", "--to", "100"]
    assert main([*common, "--strip", "4"]) == 0
    picture = np.asarray(Image.open(file)).astype(int)
    assert picture.shape == (96, 4 * 80 + 3 * GAP_PX, 3)
    panels = [picture[:, k * (80 + GAP_PX) :][:, :80] for k in range(4)]
    assert all(np.abs(a - b).max() > 40 for a, b in pairwise(panels))
    for more, words in ((["--strip", "1"], "2 to 24"), (["--strip", "99"], "2 to 24")):
        assert main([*common, *more]) == 1
        assert words in capsys.readouterr().err
    common[3] = str(tmp_path / "strip.mp4")
    assert main([*common, "--strip", "3"]) == 1
    assert [f.name for f in tmp_path.iterdir()] == ["strip.png"]


def test_strip_and_scene_from_the_window(window: Any, qtbot: Any, tmp_path: Path) -> None:
    solved(window, qtbot)
    first = window.bench.document.project.segments[0].id
    window.bench.viewport.stage.visibility.hidden.add(f"segments/{first}")
    filming = window.features["movie"].strip(tmp_path / "strip.png", 3)
    assert filming._film.shot.visibility.hidden == {f"segments/{first}"}
    with qtbot.waitSignal(filming.written, timeout=240_000):
        pass
    with Image.open(tmp_path / "strip.png") as picture:
        assert picture.size[0] == 3 * 420 + 2 * GAP_PX
    task = window.features["export"].scene(tmp_path / "run.glb")
    with qtbot.waitSignal(task.done, timeout=240_000):
        pass
    assert glb(tmp_path / "run.glb")["animations"]
    task = window.features["export"].scene(tmp_path / "run.obj")
    with qtbot.waitSignal(task.failed, timeout=240_000):
        pass
    assert window.notice.isVisible()


def test_gltf_as_text_holds_the_same_as_binary(results: Path, tmp_path: Path) -> None:
    for name in ("run.glb", "run.gltf"):
        assert main(["scene", str(results), "-o", str(tmp_path / name)]) == 0
    text = json.loads((tmp_path / "run.gltf").read_text(encoding="utf-8"))
    head, _, inside = text["buffers"][0].pop("uri").partition(",")
    assert head == "data:application/octet-stream;base64"
    assert glb(tmp_path / "run.glb") == text
    assert (tmp_path / "run.glb").read_bytes().endswith(base64.b64decode(inside))
    reader = vtkGLTFReader()
    reader.SetFileName(str(tmp_path / "run.gltf"))
    reader.UpdateInformation()
    assert reader.GetNumberOfAnimations() == 1
