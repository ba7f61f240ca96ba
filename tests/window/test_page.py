"""A page that plays a run: its data are those of the run, and a real browser draws them."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image
from scipy.spatial.transform import Rotation
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOGeometry import vtkGLTFReader

from app.features.export.moving import moving, worn_by, worn_of
from app.features.export.page import _person
from app.features.export.saving import save_scene
from app.front_door import main
from app.run_view.cameras import FILE, CameraKey, Cameras
from app.run_view.motion import Motion
from app.run_view.replay import Replay
from app.run_view.run_store import RunStore
from app.scene.lens import FIELD_RAD, Lens, OrbitCamera
from solver.base.places import samples
from solver.project import load_project
from solver.project.pose import Placed
from solver.project.segments import GROUND
from solver.report.explaining import happenings
from solver.report.gather import Subject
from solver.results import open_results
from solver.results.trajectory import Trajectory
from solver.running.simulation import simulate
from solver.scene.people.build import people
from solver.scene.people.skin import skin_of

pytestmark = pytest.mark.window

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")  # fmt: skip


@pytest.fixture(scope="module")
def ran() -> Trajectory:
    project = load_project(samples() / "sled.json")
    run = project.runs[0].model_copy(update={"duration_s": 0.03})
    title = "</script><b>&"
    return simulate(project.model_copy(update={"runs": (run,), "title": title}))


@pytest.fixture(scope="module")
def page(ran: Trajectory, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("page") / "run.html"
    save_scene(Subject(ran).project, ran, file, "vehicle", label="The run")
    return file


def data_of(page: Path) -> Any:
    text = page.read_text(encoding="utf-8")
    return json.loads(re.findall(r'id="data">(.*?)</script>', text, re.DOTALL)[0])


def floats(text: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), "<f4")


def test_the_page_needs_nothing_beside_itself(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.findall(r'(?:src|href)="(?!data:)', text)
    assert "http" not in re.sub(r'id="data">.*?</script>|http-equiv', "", text, flags=re.DOTALL)
    # its own script may run, and no other
    policy = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    script = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert (len(policy), len(script)) == (1, 1)
    digest = base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
    assert f"default-src 'none'; script-src 'sha256-{digest}'; " in policy[0]
    # a title is only words
    assert "&lt;/script&gt;&lt;b&gt;" in text
    assert text.count("</script>") == 2


def test_what_moves_in_the_page_stands_where_the_run_has_it(ran: Trajectory, page: Path) -> None:
    data, project = data_of(page), Subject(ran).project
    assert floats(data["times"]) == pytest.approx(ran.time, abs=1e-6)
    scene = moving(project, ran, "vehicle", furnished=True)
    for mesh in data["meshes"]:
        moves = floats(mesh["moves"]).reshape(len(ran.time), mesh["bones"], 3, 4)
        points = floats(mesh["points"]).reshape(-1, 3)
        assert np.frombuffer(base64.b64decode(mesh["faces"]), "<u2").max() < len(points)
        if mesh["bones"] == 1:
            (solid,) = [one for one in scene.solids if one.name == mesh["name"]][:1]
            assert moves[-1, 0, :, 3] == pytest.approx(solid.places[-1], abs=1e-5)
    (person,) = [mesh for mesh in data["meshes"] if mesh["bones"] > 1]
    # in the skin a point of the head is carried by the head as the engine carries it
    from solver.scene.people.build import people
    from solver.scene.people.skin import skin_of

    (whom,) = people(project)
    skin, bone = skin_of(whom.figure), whom.segments.index("head")
    point = int(np.argmax(skin.weights.toarray()[:, bone]))
    row = len(ran.time) - 1
    turns, places = scene.poses["head"]
    start = skin.bones[bone]
    own = start.R_WS.T @ (skin.mesh.points[point] - start.p_W)
    owners = floats(person["owners"]).reshape(-1, 3)[point].astype(int)
    shares = floats(person["shares"]).reshape(-1, 3)[point]
    moves = floats(person["moves"]).reshape(len(ran.time), person["bones"], 3, 4)[row]
    there = sum(
        share * (moves[n] @ np.append(skin.mesh.points[point], 1.0))
        for n, share in zip(owners, shares, strict=True)
    )
    assert shares.max() > 0.99
    assert there == pytest.approx(turns[row] @ own + places[row], abs=2e-4)


def test_a_torn_skin_is_not_stretched_in_the_page() -> None:
    """Take a leg off below the knee for one instant: from then on no triangle drawn is long."""
    (person,) = people(load_project(samples() / "variseg_occupant.json"))
    skin, parts = skin_of(person.figure), [bone.part for bone in person.figure.bones]
    off = np.array([part in ("right_lower_leg", "right_foot") for part in parts])
    steps, poses = [0.0, 0.0, 1.0, 0.0], {}
    for name, place, is_off in zip(person.segments, skin.bones, off, strict=True):
        ways = place.p_W + np.outer(is_off * np.array(steps), [1.0, 0.0, 0.0])
        poses[name] = (np.repeat(place.R_WS[None], len(steps), axis=0), ways)
    scene = SimpleNamespace(times=np.arange(4.0), poses=poses)
    made = _person(scene, person, worn_of(scene, person, skin, ()))  # type: ignore[arg-type]
    faces = np.frombuffer(base64.b64decode(made["faces"]), "<u2").reshape(-1, 3)
    assert made["left"][0] == made["left"][1] == 3 * len(faces) > made["left"][2] == made["left"][3]
    places = [Placed(turns[2], ways[2]) for turns, ways in poses.values()]
    corners = skin.posed(places)[0][faces]
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    assert longest[: made["left"][2] // 3].max() < 0.08
    assert longest.max() > 0.1
    assert np.array_equal(np.sort(faces, axis=0), np.sort(skin.mesh.faces, axis=0))


def vtk_points(data: Any, count: int) -> Iterator[np.ndarray]:  # type: ignore[type-arg]
    """The points of the parts with so many of them that VTK has read."""
    walk = data.NewIterator()
    walk.InitTraversal()
    while not walk.IsDoneWithTraversal():
        part = walk.GetCurrentDataObject()
        if part.GetNumberOfPoints() == count:
            yield vtk_to_numpy(part.GetPoints().GetData())
        walk.GoToNextItem()


def test_a_glb_has_skins_that_go_with_their_bones_materials_and_a_camera_that_sees_people(
    ran: Trajectory, tmp_path: Path
) -> None:
    """Read back as bytes: what a skin's points do is what the page's do."""
    project, file = Subject(ran).project, tmp_path / "run.glb"
    save_scene(project, ran, file, "vehicle", speed=1.0)
    raw = file.read_bytes()
    length = int.from_bytes(raw[12:16], "little")
    data, block = json.loads(raw[20 : 20 + length]), raw[28 + length :]

    def numbers(index: int) -> np.ndarray:  # type: ignore[type-arg]
        one = data["accessors"][index]
        view = data["bufferViews"][one["bufferView"]]
        kind = {5126: "<f4", 5125: "<u4", 5123: "<u2"}[one["componentType"]]
        part = block[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
        return np.frombuffer(part, kind).reshape(one["count"], -1)

    scene = moving(project, ran, "vehicle", furnished=True)
    (worn,), scene = worn_by(project, scene)
    names = [node["name"] for node in data["nodes"]]
    assert [n for n in names if n.startswith(("segments/", "planes/"))] == [one.name for one in scene.solids if one.name.startswith(("segments/", "planes/"))]  # fmt: skip
    node = data["nodes"][names.index(f"{worn.name} skin")]
    skin, mesh = data["skins"][node["skin"]], data["meshes"][node["mesh"]]
    attributes = mesh["primitives"][0]["attributes"]
    points = numbers(attributes["POSITION"])
    assert points == pytest.approx(worn.skin.mesh.points, abs=1e-5)
    assert numbers(attributes["WEIGHTS_0"]).sum(axis=1) == pytest.approx(np.ones(len(points)), abs=1e-5)  # fmt: skip
    assert len(numbers(attributes["COLOR_0"])) == len(points)
    moved = {(c["target"]["node"], c["target"]["path"]): c["sampler"] for c in data["animations"][0]["channels"]}  # fmt: skip
    samplers = data["animations"][0]["samplers"]
    for k in (0, len(skin["joints"]) - 1):
        places = numbers(samplers[moved[skin["joints"][k], "translation"]]["output"])
        assert places == pytest.approx(worn.places[:, k], abs=1e-5)
    # VTK's own reader bends the skin as the bones say
    reader = vtkGLTFReader()
    reader.SetFileName(str(file))
    reader.ApplyDeformationsToGeometryOn()
    reader.SetFrameRate(1000)
    reader.UpdateInformation()
    reader.EnableAnimation(0)
    reader.UpdateInformation()
    reader.UpdateTimeStep(float(ran.time[-1]))
    rest = np.column_stack([points, np.ones(len(points))])
    moves = np.concatenate([worn.turns[-1], worn.places[-1][..., None]], axis=-1)
    there = np.einsum("nk,nkij,nj->ni", worn.shares, moves[worn.owners], rest) @ scene.up
    heights = [float(h) for part in vtk_points(reader.GetOutputDataObject(0), len(points)) for h in part[:, 1]]  # fmt: skip
    assert np.sort(heights) == pytest.approx(np.sort(there), abs=2e-3)
    looks = {one["name"]: one["pbrMetallicRoughness"] for one in data["materials"]}
    assert looks["skin"]["metallicFactor"] == 0.0
    eye = data["nodes"][names.index("camera")]
    turn = Rotation.from_quat(eye["rotation"]).as_matrix()
    angle = data["cameras"][eye["camera"]]["perspective"]["yfov"]
    heads = np.concatenate([places for _, places in scene.poses.values()])
    seen = (heads - eye["translation"]) @ turn
    assert np.all(seen[:, 2] < 0.0), "it looks along -z"
    assert np.all(np.abs(seen[:, 1] / seen[:, 2]) < np.tan(0.5 * angle))


def test_curves_and_marks_are_those_of_the_report(ran: Trajectory, page: Path) -> None:
    data = data_of(page)
    marks = [(mark["time"], mark["words"]) for mark in data["marks"]]
    assert marks == [(one.time, one.words) for one in happenings(Subject(ran))]
    belts = next(panel for panel in data["panels"] if panel["title"] == "Belts and straps")
    curve = belts["curves"][0]
    tension = ran.table("harnesses")["tension"][:, 0, 0]
    assert curve["label"].endswith("at its first end")
    assert floats(curve["y"]) == pytest.approx(1e-3 * tension, rel=1e-5, abs=1e-6)
    assert floats(curve["x"]) == pytest.approx(1e3 * ran.time, rel=1e-5)


def test_the_command_writes_it(ran: Trajectory, tmp_path: Path) -> None:
    from solver.base.places import __version__
    from solver.results import save_run

    file, out = tmp_path / "run.h5", tmp_path / "run.html"
    save_run(ran, file, __version__)
    assert main(["scene", str(file), "-o", str(out), "--ride", "vehicle"]) == 0
    with open_results(file) as run:
        assert floats(data_of(out)["times"]) == pytest.approx(run.time, abs=1e-6)


@pytest.mark.skipif(not BROWSER, reason="no browser is here: put chromium on the path")
def test_a_browser_plays_it(page: Path, tmp_path: Path) -> None:
    options = ["--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--window-size=1280,800"]  # fmt: skip
    options += ["--virtual-time-budget=3000", f"--user-data-dir={tmp_path / 'profile'}"]
    shot = tmp_path / "shot.png"
    asked = f"{page.as_uri()}#20"
    drawn = subprocess.run(
        [BROWSER, *options, "--dump-dom", asked], capture_output=True, text=True, check=True, timeout=120
    ).stdout  # fmt: skip
    assert 'data-ready="scene"' in drawn
    assert 'data-time="0.020000"' in drawn
    assert "20.0 ms" in drawn
    subprocess.run([BROWSER, *options, f"--screenshot={shot}", asked], capture_output=True, check=True, timeout=120)  # fmt: skip
    seen = np.asarray(Image.open(shot).convert("RGB")).astype(int)[150:600, 60:880]
    # skin and clothes stand before a pale ground
    warm = (seen[..., 0] - seen[..., 2] > 25).sum()
    dark = (seen.max(axis=-1) < 110).sum()
    assert warm > 1500
    assert dark > 1500


STUBS = """
Array.prototype.flatMap = function (make) { return [].concat(...this.map(make)); };
const state = { time: 0 }, window = {}, drawn = [];
const floats = (values) => values, go = () => {};
const pen = new Proxy({}, { get: (kept, name) => name === "measureText" ? (text) => ({ width: 6 * text.length })
  : name === "fillText" ? (...what) => drawn.push(what) : name in kept ? kept[name] : () => {} , set: (kept, name, value) => { kept[name] = value; return true; } });
const canvas = { style: {}, clientWidth: 600, get clientHeight() { return parseFloat(this.style.height || "230"); }, getContext: () => pen, addEventListener: () => {} };
"""


@pytest.mark.parametrize(("count", "length"), [(2, 10), (4, 60), (12, 200)])
def test_names_of_curves_lie_not_on_each_other_nor_beyond_the_page(
    qapp: Any, count: int, length: int
) -> None:
    """Names in two columns, or below each other; the curves keep their height, however many there are."""
    from PySide6.QtQml import QJSEngine

    script = (Path(moving.__code__.co_filename).parent / "page.js").read_text(encoding="utf-8")
    part = script.split("// --- the curves")[1].split("const plots")[0]
    curves = [
        {"label": f"{n} {'x' * length}", "unit": "kN", "x": [0.0, 1.0], "y": [-2e-6, 3.0 * n]}
        for n in range(count)
    ]
    panel = json.dumps({"title": "T", "x_label": "time", "per_second": 1000.0, "curves": curves})
    engine = QJSEngine()
    out = engine.evaluate(
        f"{STUBS}{part}; plot(canvas, {panel})(); JSON.stringify([drawn, canvas.clientHeight])"
    )
    assert not out.isError(), out.toString()
    drawn, height = json.loads(out.toString())
    names = [(text, x, y) for text, x, y in drawn if " kN" in text]
    assert len(names) == count
    assert all("e−6" in text for text, _, _ in names)
    for text, x, y in names:
        right = x + 6 * len(text)
        assert right <= 600
        assert not [o for o in names if o[2] == y and x < o[1] < right]
    assert height - max(y for _, _, y in names) > 130


@pytest.fixture(scope="module")
def cameras(ran: Trajectory) -> Cameras:
    """A camera on the ground that looks past everything, one that goes along with the head and glides, and what it glides to."""
    away = CameraKey(0.0, (0.0, 40.0, 0.0), 2.0, 0.3, 0.2, rider=GROUND)
    start = Subject(ran).project.segments[-1].id
    along = CameraKey(0.0121, (0.2, 0.1, -0.6), 2.5, 1.2, 0.1, rider=start, glides=True)
    return Cameras((away, along, CameraKey(0.025, (0.1, 0.0, -0.5), 1.5, 2.0, 0.4, rider=start)))


def test_keyed_cameras_of_a_page_see_what_those_of_the_window_see(ran: Trajectory, cameras: Cameras) -> None:  # fmt: skip
    project = Subject(ran).project
    scene, replay = moving(project, ran, "vehicle", None, cameras), Replay(project, Motion(ran))
    assert scene.looks is not None
    names = [one.id for one in project.segments]
    for frame in (0, len(scene.times) // 3, len(scene.times) - 1):
        t = float(scene.times[frame])
        key = cameras.at(t)
        assert key is not None
        camera = OrbitCamera(scene.up)
        key.put(camera)
        replay.ride(key.rider, key.turns_too)
        seen = replay.seen_at(t)
        there = Lens(camera, 800.0, 500.0).pixels(np.array([seen[name].p_W for name in names]))
        row = int(np.abs(scene.looks.times - t).argmin())
        places = np.array([scene.poses[name][1][frame] for name in names])
        right, up, back = scene.looks.axes[row]
        off = places - scene.looks.targets[row]
        size = 250.0 / np.tan(0.5 * FIELD_RAD) / (scene.looks.distances[row] - off @ back)
        here = np.column_stack([400.0 + size * (off @ right), 250.0 - size * (off @ up)])
        assert here == pytest.approx(there, abs=0.05)
    cuts = np.diff(scene.looks.times) < 2e-7
    assert (cuts.sum(), scene.looks.times[1:][cuts][0]) == (2, pytest.approx(0.0121))


def test_the_camera_of_a_glb_goes_where_keyed_cameras_look_from(ran: Trajectory, cameras: Cameras, tmp_path: Path) -> None:  # fmt: skip
    """Its node at an instant, read back, sees places where the window's camera does; at a cut it jumps."""
    project, file = Subject(ran).project, tmp_path / "run.glb"
    save_scene(project, ran, file, speed=1.0, cameras=cameras, around=False)
    raw = file.read_bytes()
    length = int.from_bytes(raw[12:16], "little")
    data, block = json.loads(raw[20 : 20 + length]), raw[28 + length :]

    def numbers(index: int) -> np.ndarray:  # type: ignore[type-arg]
        one = data["accessors"][index]
        view = data["bufferViews"][one["bufferView"]]
        part = block[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
        return np.frombuffer(part, "<f4").reshape(one["count"], -1)

    (node,) = [n for n, one in enumerate(data["nodes"]) if one["name"] == "camera"]
    animation = data["animations"][0]
    paths = {c["target"]["path"]: animation["samplers"][c["sampler"]] for c in animation["channels"] if c["target"]["node"] == node}  # fmt: skip
    times = numbers(paths["translation"]["input"])[:, 0]
    assert np.all(np.diff(times) > 0.0), "glTF asks for instants that grow"
    eyes, turns = (numbers(paths[one]["output"]) for one in ("translation", "rotation"))
    replay = Replay(project, Motion(ran))
    names = [one.id for one in project.segments]
    for t in (0.005, 0.014, 0.02, 0.028):
        key = cameras.at(t)
        assert key is not None
        camera = OrbitCamera(np.array([0.0, 0.0, -1.0]))
        key.put(camera)
        replay.ride(key.rider, key.turns_too)
        seen = replay.seen_at(t)
        there = Lens(camera, 800.0, 500.0).pixels(np.array([seen[name].p_W for name in names]))
        replay.ride(GROUND)
        row = int(np.abs(times - t).argmin())
        t = float(times[row])
        places = np.array([replay.seen_at(t)[name].p_W for name in names]) - eyes[row]
        own = places @ Rotation.from_quat(turns[row]).as_matrix()
        size = 250.0 / np.tan(0.5 * FIELD_RAD) / -own[:, 2]
        here = np.column_stack([400.0 + size * own[:, 0], 250.0 - size * own[:, 1]])
        assert here == pytest.approx(there, abs=3.0)
    cut = int(np.abs(times - 0.0121).argmin())
    assert np.linalg.norm(eyes[cut + 1] - eyes[cut - 1]) > 10.0


def test_commands_take_keyed_cameras_of_a_project_or_a_file(
    ran: Trajectory, cameras: Cameras, tmp_path: Path, capsys: Any
) -> None:
    from solver.base.places import __version__
    from solver.results import save_run

    file, out, keys, project = (tmp_path / one for one in ("run.h5", "run.html", "c.json", "p.json"))  # fmt: skip
    save_run(ran, file, __version__)
    cameras.write(keys)
    project.write_text("{}", encoding="utf-8")
    assert main(["scene", str(file), "-o", str(out), "--cameras", str(project)]) == 1
    assert "No cameras are keyed" in capsys.readouterr().err
    cameras.write(RunStore(project).folder / FILE)
    assert main(["scene", str(file), "-o", str(out), "--cameras", str(project)]) == 0
    assert 'value="keyed"' in out.read_text(encoding="utf-8")
    for others in (["--ride", "vehicle"], ["-o", str(tmp_path / "run.vtkhdf")]):
        words = ["scene", str(file), "-o", str(out), "--cameras", str(keys), *others]
        assert main(words) == 1, others
    movie = ["movie", str(file), "-o", str(tmp_path / "a.png"), "--still", "20", "--size", "64x48"]
    assert main([*movie, "--cameras", str(keys), "--view", "top"]) == 1
    assert "leave view and ride away" in capsys.readouterr().err
    seen = []
    for words in ([], ["--cameras", str(keys)]):
        assert main([*movie, "--quality", "draft", *words]) == 0
        seen.append(np.asarray(Image.open(tmp_path / "a.png").convert("RGB")).astype(int))
    assert np.abs(seen[0] - seen[1]).mean() > 2.0


@pytest.mark.skipif(not BROWSER, reason="no browser is here: put chromium on the path")
def test_a_browser_looks_through_keyed_cameras(
    ran: Trajectory, cameras: Cameras, tmp_path: Path
) -> None:
    file, shot = tmp_path / "keyed.html", tmp_path / "shot.png"
    save_scene(Subject(ran).project, ran, file, cameras=cameras)
    options = ["--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--window-size=1280,800"]  # fmt: skip
    options += ["--virtual-time-budget=3000", f"--user-data-dir={tmp_path / 'profile'}"]
    subprocess.run([BROWSER, *options, f"--screenshot={shot}", f"{file.as_uri()}#10"], capture_output=True, check=True, timeout=120)  # fmt: skip
    seen = np.asarray(Image.open(shot).convert("RGB")).astype(int)[150:600, 60:880]
    assert (seen[..., 0] - seen[..., 2] > 25).sum() < 200, "it looks past everything"
