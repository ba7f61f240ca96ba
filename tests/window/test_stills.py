"""Pictures for print: fine, seen through, and sharp where they are meant to be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import manikin as mk
from app.front_door import main
from app.look import LIGHT
from app.scene import exposure as taking
from app.scene.exposure import SHIFTS, Exposure
from app.scene.lens import FIELD_RAD, OrbitCamera
from app.scene.stage import Stage
from app.scene.still import LENSES, Still, Taking, lens, shifts, unmixed
from solver.project import Project, load_project, validated
from solver.running.simulation import simulate_to_file
from tests.window.seated import seated
from tests.window.solving import CATCH, solved


@pytest.mark.parametrize("count", [1, 8, 32])
def test_parts_of_a_pixel_are_spread_evenly(count: int) -> None:
    at = np.array(shifts(count))
    assert at.shape == (count, 2)
    assert at.mean(axis=0) == pytest.approx([0.0, 0.0], abs=1e-12)
    for axis in range(2):
        assert len(set(np.floor((at[:, axis] + 0.5) * count).astype(int))) == count
    assert shifts(8) == list(SHIFTS)


def test_a_lens_is_round_and_lets_light_through_all_of_it() -> None:
    places = np.array(lens(64, 0.03))
    size = np.linalg.norm(places, axis=1)
    assert size.max() <= 0.031
    assert places.mean(axis=0) == pytest.approx([0.0, 0.0], abs=1e-12)
    # half of the area lies within the radius over the root of two
    assert np.mean(size < 0.03 / np.sqrt(2.0)) == pytest.approx(0.5, abs=0.05)
    assert lens(8, 0.0) == [(0.0, 0.0)] * 8


def test_colour_and_opacity_come_back_from_black_and_white() -> None:
    rng = np.random.default_rng(5)
    opacity = rng.uniform(0.2, 1.0, (9, 7))
    colour = rng.uniform(0.0, 255.0, (9, 7, 3))
    on_black = (opacity[..., None] * colour).astype(np.float32)
    on_white = on_black + np.float32(255.0) * (1.0 - opacity[..., None]).astype(np.float32)
    found = unmixed(on_black, on_white).astype(float)
    assert np.abs(found[..., 3] - 255.0 * opacity).max() <= 0.51
    assert np.abs(found[..., :3] - colour).max() <= 0.52
    nothing = unmixed(np.zeros((1, 1, 3), np.float32), np.full((1, 1, 3), 255.0, np.float32))
    assert nothing[0, 0, 3] == 0


def test_what_is_in_focus_stays_in_the_picture_and_the_rest_moves_by_the_parallax() -> None:
    camera = OrbitCamera(np.array([0.0, 0.0, -1.0]))
    camera.distance = 4.0
    seen: dict[str, Any] = {}

    class Eye:
        def __getattr__(self, name: str) -> Any:
            return lambda *values: seen.__setitem__(name, values)

    right, upright, towards = camera.axes()
    off, aspect, half = (0.03, -0.02), 1.5, np.tan(FIELD_RAD / 2.0)

    def where(away: float, beside: tuple[float, float], moved: tuple[float, float]) -> np.ndarray:
        """Give where a place straight ahead is, in halves of width and height; VTK moves the window."""
        place = camera.eye() - away * towards
        eye = np.array(seen["SetPosition"])
        depth = (eye - place) @ towards
        x, y = ((place - eye) @ right) / (depth * half * aspect), (place - eye) @ upright / (depth * half)  # fmt: skip
        return np.array([x - moved[0], y - moved[1]])

    moved = camera.apply(Eye(), (*off, 4.0), aspect)
    assert where(4.0, off, moved) == pytest.approx([0.0, 0.0], abs=1e-12)
    far = where(8.0, off, moved)
    assert far == pytest.approx([0.03 / (8.0 * half * aspect), -0.02 / (8.0 * half)])


@pytest.fixture
def staged() -> Iterator[tuple[Stage, Exposure]]:
    stage = Stage(LIGHT)
    exposure = Exposure(stage)
    yield stage, exposure
    exposure.close()


def rows(deep: float) -> Project:
    """Make two equal balls, one behind the other by so much."""
    ball = {"id": "s", "kind": "ellipsoid", "semi_axes_m": [0.1, 0.1, 0.1]}
    head = next(one for one in seated()["segments"] if one["id"] == "head")
    segments = [{**head, "id": name, "name": name, "surfaces": [ball]} for name in ("near", "far")]
    roots = [
        {"segment": "near", "position_m": [0.0, 0.2, 0.0]},
        {"segment": "far", "position_m": [-deep, -0.2, 0.0]},
    ]
    data = {key: seated()[key] for key in ("format", "schema_version")}
    return validated({**data, "segments": segments, "initial": {"roots": roots}})


def steepness(picture: np.ndarray, columns: slice) -> float:
    """Give the steepest change of brightness between pixels beside each other."""
    grey = picture[:, columns, :3].astype(float).mean(axis=2)
    return float(np.abs(np.diff(grey, axis=1)).max())


@pytest.mark.window
def test_focus_lies_on_what_is_named(staged: tuple[Stage, Exposure]) -> None:
    stage, exposure = staged
    stage.show(rows(2.0))
    stage.look("front", 1.5)
    size = (240, 160)
    places = {name: stage.place_of(f"segments/{name}") for name in ("near", "far")}
    eye, towards = stage.camera.eye(), stage.camera.axes()[2]
    away = {name: (eye - place) @ towards for name, place in places.items()}
    assert away["near"] < away["far"]
    found = {}
    for name in places:
        still = Still("draft", "white", "strong", f"segments/{name}")
        picture = Taking(stage, exposure, still, size).whole()
        is_left = (places[name] - places["near"] - places["far"] + places[name]) @ stage.camera.axes()[0] < 0.0  # fmt: skip
        own = slice(0, 120) if is_left else slice(120, 240)
        other = slice(120, 240) if is_left else slice(0, 120)
        found[name] = steepness(picture, own), steepness(picture, other)
    assert all(own > 1.5 * other for own, other in found.values()), found
    assert LENSES["none"] == 0.0


@pytest.mark.window
def test_a_picture_is_seen_through_where_nothing_is(staged: tuple[Stage, Exposure]) -> None:
    stage, exposure = staged
    stage.show(rows(0.5))
    stage.look("front", 1.5)
    clear = Taking(stage, exposure, Still("fine", "clear"), (240, 160)).whole()
    assert clear[0, 0, 3] == clear[-1, -1, 3] == 0
    assert (clear[..., 3] == 255).mean() > 0.02
    between = (clear[..., 3] > 40) & (clear[..., 3] < 215)
    assert between.any(), "edges are smooth, and shadows are seen through"
    solid = clear[..., 3] == 255
    scene = Taking(stage, exposure, Still("fine", "scene"), (240, 160)).whole()
    assert np.abs(scene[solid].astype(int) - clear[solid]).max() <= 2, "and nothing else changes"
    white = Taking(stage, exposure, Still("fine", "white"), (240, 160)).whole()
    assert tuple(white[-1, -1]) == (255, 255, 255, 255)
    again = Taking(stage, exposure, Still("fine", "scene"), (240, 160)).whole()
    assert np.array_equal(scene, again), "the scene is left as it was"


@pytest.mark.window
def test_the_shell_takes_a_still_or_says_why_not(tmp_path: Path, capsys: Any) -> None:
    results = tmp_path / "catch.h5"
    simulate_to_file(load_project(CATCH), results)
    file = tmp_path / "still.png"
    common = ["movie", str(results), "-o", str(file), "--size", "120x80"]
    clear = [*common, "--still", "60", "--backdrop", "clear", "--quality", "draft"]
    assert main(clear) == 0
    with Image.open(file) as image:
        assert (image.mode, image.size) == ("RGBA", (120, 80))
    capsys.readouterr()
    for arguments, word in (
        ([*common, "--backdrop", "clear"], "--still"),
        ([*clear, "--title", "x"], "title"),
        ([*common, "--still", "9000"], "within 0"),
        ([*common, "--still", "5", "--focus", "head"], "--blur"),
        ([*common, "--still", "5", "--strip", "3"], "--strip"),
        ([*common, "--still", "5", "--blur", "gentle", "--focus", "nobody"], "nobody"),
        ([*clear[:3], str(tmp_path / "still.jpg"), *clear[4:]], ".png"),
    ):
        assert main(arguments) == 1
        assert word in capsys.readouterr().err


@pytest.mark.window
def test_the_window_takes_a_picture_of_an_instant(window: Any, qtbot: Any, tmp_path: Path) -> None:
    solved(window, qtbot)
    window.bench.run_view.go(0.06)
    window.bench.document.select("segments/head")
    window.menus.run("run.still")
    from app.features.movie.dialogs import StillDialog

    dialog = window.findChild(StillDialog)
    assert dialog.focus.currentData() == "segments/head"
    assert not dialog.focus.isVisible()
    dialog.blur.setCurrentIndex(1)
    dialog.blur.activated.emit(1)
    assert dialog.focus.isVisible()
    dialog.blur.setCurrentIndex(0)
    dialog.backdrop.setCurrentIndex(2)
    dialog.backdrop.activated.emit(2)
    assert not dialog.title.isVisible()
    dialog.size_.addItem("small", (160, 90))
    dialog.size_.setCurrentIndex(dialog.size_.count() - 1)
    dialog.quality.setCurrentIndex(2)
    dialog.write(tmp_path / "out.jpg")
    assert ".png" in dialog.complaint.text()
    with qtbot.waitSignal(dialog.written, timeout=240_000):
        dialog.write(tmp_path / "out.png")
    with Image.open(tmp_path / "out.png") as image:
        assert (image.mode, image.size) == ("RGBA", (160, 90))


@pytest.mark.window
def test_the_library_takes_the_same_pictures(tmp_path: Path, capsys: Any) -> None:
    results = tmp_path / "catch.h5"
    simulate_to_file(load_project(CATCH), results)
    theirs, ours = tmp_path / "theirs.png", tmp_path / "ours.png"
    asked = ["--size", "120x80", "--quality", "draft", "--forces", "--title", "Catch", "--view", "front"]  # fmt: skip
    assert main(["movie", str(results), "-o", str(theirs), "--still", "60", *asked]) == 0
    run, size = mk.open_run(results), (120, 80)
    run.picture(ours, 0.06, size=size, quality="draft", forces=True, title="Catch", view="front")
    assert ours.read_bytes() == theirs.read_bytes()
    told: list[float] = []
    film = run.film(
        tmp_path / "catch.gif", size=size, quality="draft", start_s=0.05, end_s=0.06, speed=0.1, progress=told.append
    )  # fmt: skip
    with Image.open(film) as movie:
        # a tenth of a second of watching, and the last instant
        assert getattr(movie, "n_frames", 1) == len(told) == 4
    assert told[-1] == 1.0
    strip = run.filmstrip(tmp_path / "strip.png", 3, size=size, quality="draft")
    with Image.open(strip) as image:
        assert image.size == (3 * 120 + 2 * 4, 80)
    assert run.present(tmp_path / "catch.glb").stat().st_size > 1000
    with pytest.raises(mk.DrawError, match="no segment 'nobody'"):
        run.present(tmp_path / "catch.glb", ride="nobody")
    with pytest.raises(mk.DrawError, match="within 0"):
        run.picture(ours, 9.0)


@pytest.mark.parametrize("parallel", [False, True])
def test_a_picture_in_parts_is_the_same_picture(
    staged: tuple[Stage, Exposure], monkeypatch: pytest.MonkeyPatch, parallel: bool
) -> None:
    """Of odd sizes, moved by parts of a pixel, with sky, ground and horizon; edges of the parts match."""
    stage, exposure = staged
    stage.show(rows(0.0))
    stage.look("iso", 1.5)
    stage.camera.parallel = parallel
    whole = exposure.moved(301, 203, (0.3, -0.2)).astype(int)
    monkeypatch.setattr(taking, "MOST_PX", 128)
    parts = exposure.moved(301, 203, (0.3, -0.2)).astype(int)
    assert parts.shape == whole.shape
    off = np.abs(parts - whole).max(axis=2)
    assert np.mean(off > 6) < 0.004, "some pixels on edges may be another"
    assert np.mean(off) < 0.5
    monkeypatch.undo()
    again = exposure.moved(301, 203, (0.3, -0.2)).astype(int)
    assert np.abs(again - whole).max() <= 1, "the camera is as it was"
