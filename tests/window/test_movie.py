"""Write movies of runs: every form, every refusal, nothing half done."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image

import manikin as mk
from app.features.movie.film import Film, Shot, instants
from app.features.movie.filming import Filming
from app.features.movie.writing import MovieError, Writer
from app.front_door import main
from app.run_view.motion import Motion
from app.run_view.overlays import Overlays
from app.run_view.replay import Replay
from app.scene.lens import Lens
from app.scene.visibility import Visibility
from solver.analysis.crash.build import crash, first
from solver.base.places import samples
from solver.project import load_project
from solver.project.pose import plane_corners, turn
from solver.results import open_results
from solver.running.simulation import simulate_to_file
from tests.window.solving import CATCH

pytestmark = pytest.mark.window


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("movie") / "catch.h5"
    simulate_to_file(load_project(CATCH), file)
    return file


def test_instants_cover_the_span_at_the_speed() -> None:
    times = instants(0.01, 0.11, 0.05, 30.0)
    assert len(times) == 61
    assert (times[0], times[-1]) == pytest.approx((0.01, 0.11))
    assert np.diff(times) == pytest.approx(0.05 / 30.0)


def test_an_mp4_holds_every_picture(results: Path, tmp_path: Path) -> None:
    file = tmp_path / "catch.mp4"
    arguments = ["--size", "320x180", "--speed", "0.1", "--to", "100"]
    assert main(["movie", str(results), "-o", str(file), *arguments]) == 0
    frames, seconds = imageio_ffmpeg.count_frames_and_secs(str(file))
    assert frames == 31
    assert seconds == pytest.approx(31 / 30, abs=0.05)
    assert [f.name for f in tmp_path.iterdir()] == ["catch.mp4"]


def test_gif_and_pictures_show_the_motion(results: Path, tmp_path: Path) -> None:
    common = ["--size", "160x120", "--speed", "0.1", "--to", "60", "--ride", "dash"]
    assert main(["movie", str(results), "-o", str(tmp_path / "catch.gif"), *common]) == 0
    with Image.open(tmp_path / "catch.gif") as image:
        assert image.n_frames == 19
    assert main(["movie", str(results), "-o", str(tmp_path / "catch"), *common]) == 0
    files = sorted((tmp_path / "catch").iterdir())
    assert len(files) == 19
    first, last = (np.asarray(Image.open(f)).astype(int) for f in (files[0], files[-1]))
    assert first.shape == (120, 160, 3)
    assert np.abs(first - last).max() > 40


def test_what_is_seen_beside_is_filmed(results: Path, tmp_path: Path) -> None:
    def film(name: str, *more: str) -> np.ndarray:
        common = ["--size", "160x120", "--speed", "1", "--rate", "10", "--to", "100"]
        assert main(["movie", str(results), "-o", str(tmp_path / name), *common, *more]) == 0
        return np.asarray(Image.open(tmp_path / name / "00001.png")).astype(int)

    plain = film("plain")
    for name, more in (
        ("ghost", ["--ghost"]),
        ("trail", ["--trail", "head"]),
        ("beside", ["--beside", str(results), "--ride", "head"]),
    ):
        assert np.abs(film(name, *more) - plain).max() > 20, name


@pytest.mark.parametrize(
    ("option", "overlay"),
    [("forces", "forces"), ("patches", "patches"), ("loads", "loads"), ("ghost", "start")],
)
def test_an_option_films_what_it_names(
    results: Path, tmp_path: Path, monkeypatch: Any, option: str, overlay: str
) -> None:
    shots: list[Shot] = []

    def noted(self: Film, project: Any, run: Any, shot: Shot) -> None:
        shots.append(shot)
        raise MovieError("Seen.")

    monkeypatch.setattr(Film, "__init__", noted)
    assert main(["movie", str(results), "-o", str(tmp_path / "a"), f"--{option}"]) == 1
    (shot,) = shots
    assert shot.overlays == Overlays(**{overlay: True})


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--to", "900"], "within 0 and 200"),
        (["--from", "50", "--to", "50"], "end after the start"),
        (["--trail", "nobody"], "There is no segment 'nobody'"),
        (["--reach", "nobody"], "There is no joint 'nobody'"),
        (["--ride", "nobody"], "There is no segment 'nobody'"),
        (["--size", "161x120"], "even width"),
    ],
)
def test_what_cannot_be_filmed_is_said(
    results: Path, tmp_path: Path, capsys: Any, arguments: list[str], words: str
) -> None:
    assert main(["movie", str(results), "-o", str(tmp_path / "a.mp4"), *arguments]) == 1
    assert words in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_ending_and_a_full_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MovieError, match=r"\.mp4 or \.gif"):
        Writer(tmp_path / "a.avi", (16, 16), 30.0)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    with pytest.raises(MovieError, match="not an empty folder"):
        Writer(tmp_path / "full", (16, 16), 30.0)


@pytest.mark.parametrize("name", ["a.mp4", "a.gif", "a"])
def test_a_movie_that_is_given_up_leaves_nothing(tmp_path: Path, name: str) -> None:
    writer = Writer(tmp_path / name, (64, 48), 30.0)
    writer.add(np.zeros((48, 64, 3), np.uint8))
    writer.abandon()
    assert list(tmp_path.iterdir()) == []


def test_a_camera_that_rides_sees_its_segment_at_rest(results: Path) -> None:
    with open_results(results) as run:
        project = load_project(CATCH)
        with Film(project, run, Shot((160, 120), "side", "head", shows_time=False)) as film:
            film.picture(0.06)
            placed = film._stage._pose["head"]
            start = film._playback.replay.motion.pose(0.0)["head"]
            assert placed.p_W == pytest.approx(start.p_W, abs=1e-9)
            assert pytest.approx(start.R_WS, abs=1e-9) == placed.R_WS


def test_a_camera_that_nobody_set_up_steps_back_for_what_would_leave_its_picture() -> None:
    """A man falls: he is in the picture all the time; what stays in it is seen from as near as before."""
    steps = {}
    for name, until in (("fall", 0.6), ("bouncing_ball", 0.05)):
        run, project = (
            mk.run(mk.sample(name), until=until),
            load_project(samples() / f"{name}.json"),
        )
        with Film(project, run.trajectory, Shot((160, 120), "iso", shows_time=False)) as film:
            for _ in film._steps:
                pass
            stage, ways = film._stage, film._playback.replay.ways()
            seen = Lens(stage.camera, 160.0, 120.0).pixels(ways)
            assert np.all((seen > 0.0) & (seen < (160.0, 120.0)))
            # not the middles of surfaces alone, but how far these reach
            pose = film._playback.replay.motion.pose(until)
            for one in (one for one in project.segments if one.surfaces):
                shape = one.surfaces[-1]
                end = (
                    np.array(shape.centre_m) - shape.semi_axes_m[2] * turn(shape.orientation)[:, 2]
                )
                assert np.abs(ways - pose[one.id].of(end)).max(axis=1).min() < 1e-9
            held, first = stage.camera.distance, copy(stage.camera)
            film._playback.show(stage, 0.0)
            stage.fit(160 / 120)
            steps[name] = held / stage.camera.distance
            stage.camera = first
            assert not stage.hold(ways + 1e4, 160 / 120), "nothing would be told from anything"
            assert stage.camera.distance == held
    assert steps["fall"] > 1.1
    assert steps["bouncing_ball"] == pytest.approx(1.0)


def test_a_film_leaves_away_what_people_have_hidden() -> None:
    project = load_project(samples() / "bouncing_ball.json")
    run = mk.run(mk.sample("bouncing_ball"), until=0.05)
    hidden = Visibility(hidden={"segments/ball"})
    kept = hidden.kept()
    hidden.hidden.clear()
    pictures = []
    for shown in (None, kept):
        shot = Shot((160, 120), "iso", shows_time=False, visibility=shown)
        with Film(project, run.trajectory, shot) as film:
            pictures.append(film.picture(0.0).astype(int))
            items = {item.shape.element: item.is_drawn for item in film._stage.items}
            assert items["segments/ball"] is (shown is None)
    assert np.abs(pictures[0] - pictures[1]).max() > 40


def test_a_camera_that_rides_turns_as_its_segment_does() -> None:
    run = mk.run(mk.sample("double_pendulum"), until=0.3)
    motion = Motion(run.trajectory)
    replay = Replay(run.model.project, motion)
    start, now = (motion.pose(t)["upper"] for t in (0.0, 0.3))
    assert np.abs(now.R_WS - start.R_WS).max() > 0.3
    replay.ride("upper")
    seen = replay.carried(0.3)
    assert pytest.approx(start.R_WS, abs=1e-9) == seen.R_WS @ now.R_WS
    assert seen.R_WS @ now.p_W + seen.p_W == pytest.approx(start.p_W, abs=1e-9)
    other = motion.pose(0.3)["lower"].p_W
    assert replay.way("lower")[-1] == pytest.approx(seen.R_WS @ other + seen.p_W, abs=1e-9)
    replay.ride("upper", turns_too=False)
    assert pytest.approx(np.eye(3)) == replay.carried(0.3).R_WS


def test_a_camera_does_not_turn_with_a_car_that_rolls_over_and_sees_all_of_it() -> None:
    """Ride with it without its turn, in the window and in films, unless somebody asks for its turn; its corners are in the picture."""
    project = crash(replace(first("rollover"), duration_s=0.6), rest=False)
    car = project.model_copy(
        update={
            "segments": project.segments[:1], "joints": (), "contacts": (), "harnesses": (), "coordinate_forces": (), "outputs": (),
            "planes": tuple(one for one in project.planes if one.segment == "vehicle"),
            "initial": project.initial.model_copy(update={"roots": project.initial.roots[:1], "attitudes": (), "joints": ()}),
        }
    )  # fmt: skip
    motion = Motion(mk.run(mk.Model(car)).trajectory)
    assert np.arccos(motion.turns("vehicle")[-1][2, 2]) > 1.0
    replay = Replay(car, motion)
    replay.ride("vehicle")
    assert not replay.turns_too
    assert pytest.approx(np.eye(3)) == replay.carried(0.5).R_WS
    corner, edge, other = plane_corners(car.planes[0])
    at, ways = motion.pose(float(motion.time[-1]))["vehicle"], replay.ways()
    for one in (corner, corner + edge, corner + other, corner + edge + other):
        assert np.abs(ways - at.of(one)).max(axis=1).min() < 1e-9
    replay.ride("vehicle", turns_too=True)
    assert pytest.approx(np.eye(3)) == replay.carried(0.5).R_WS @ motion.pose(0.5)["vehicle"].R_WS


def test_two_runs_are_filmed_side_by_side(results: Path, tmp_path: Path) -> None:
    def film(name: str, *more: str) -> np.ndarray:
        common = ["--size", "320x120", "--speed", "1", "--rate", "10", "--to", "100"]
        assert main(["movie", str(results), "-o", str(tmp_path / name), *common, *more]) == 0
        return np.asarray(Image.open(tmp_path / name / "00001.png")).astype(int)

    both = film("both", "--beside", str(results), "--side-by-side")
    assert both.shape == (120, 320, 3)
    assert np.abs(both[:, :158] - both[:, 162:])[40:].max() < 3, "one run twice looks the same"
    assert (both[:, 158:162] == 255).all()
    assert np.abs(both - film("one")).max() > 40


def test_side_by_side_needs_another_run(results: Path, tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "a.mp4"
    assert main(["movie", str(results), "-o", str(file), "--side-by-side"]) == 1
    assert "--beside" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


class _Greys:
    """Draw grey pictures; the third fails where that is wanted."""

    def __init__(self, fails: bool = False) -> None:
        self.fails, self.drawn, self.is_closed = fails, 0, False

    def part(self, t: float) -> Any:
        self.drawn += 1
        if self.fails and self.drawn == 3:
            raise ValueError("no picture")
        return np.full((48, 64, 3), 128, np.uint8)

    def close(self) -> None:
        self.is_closed = True


@pytest.mark.parametrize("name", ["a.mp4", "a.gif", "a"])
def test_pictures_are_written_in_another_thread(qtbot: Any, tmp_path: Path, name: str) -> None:
    film = _Greys()
    filming = Filming(film, [0.0] * 20, Writer(tmp_path / name, (64, 48), 30.0))
    with qtbot.waitSignal(filming.written, timeout=20_000) as told:
        filming.start()
    assert told.args == [tmp_path / name]
    assert [f.name for f in tmp_path.iterdir()] == [name]
    assert film.is_closed


@pytest.mark.parametrize("name", ["a.mp4", "a.gif", "a"])
def test_what_is_cancelled_or_fails_leaves_nothing(qtbot: Any, tmp_path: Path, name: str) -> None:
    film = _Greys()
    filming = Filming(film, [0.0] * 10_000, Writer(tmp_path / name, (64, 48), 30.0))
    filming.start()
    qtbot.waitUntil(lambda: film.drawn > 3, timeout=20_000)
    filming.cancel()
    assert filming.wait(20.0)
    assert film.is_closed
    assert list(tmp_path.iterdir()) == []
    filming = Filming(_Greys(fails=True), [0.0] * 9, Writer(tmp_path / name, (64, 48), 30.0))
    with qtbot.waitSignal(filming.failed, timeout=20_000) as told:
        filming.start()
    assert told.args == ["no picture"]
    assert filming.wait(20.0)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_up_while_filming_is_told(qtbot: Any, tmp_path: Path) -> None:
    class Full(Writer):
        def add(self, picture: Any) -> None:
            raise MovieError("the disk is full")

    filming = Filming(_Greys(), [0.0] * 50, Full(tmp_path / "a.mp4", (64, 48), 30.0))
    with qtbot.waitSignal(filming.failed, timeout=20_000) as told:
        filming.start()
    assert told.args == ["the disk is full"]
    assert list(tmp_path.iterdir()) == []


def test_what_moves_blurs_while_the_shutter_is_open(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = open_results(results)
    project = load_project(CATCH)
    with Film(project, run, Shot((160, 120), shows_time=False)) as film:
        sharp = film.picture(0.05)
    with Film(project, run, Shot((160, 120), shows_time=False, shutter_s=0.02)) as film:
        seen: list[float] = []
        show = film._playback.show
        monkeypatch.setattr(film._playback, "show", lambda s, t: (seen.append(t), show(s, t)))
        blurred = film.picture(0.05)
        assert np.mean(seen[1:-1]) == pytest.approx(0.05)
        assert np.ptp(seen[1:-1]) == pytest.approx(0.02 * 7 / 8)
        assert (len(seen), seen[-1]) == (10, 0.05), "words are of the instant itself"
        seen.clear()
        film.picture(float(run.time[-1]))
        assert max(seen) == run.time[-1]
    assert (np.abs(sharp.astype(int) - blurred) > 30).any(axis=-1).mean() > 0.005


def test_only_a_movie_blurs_by_motion(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = ["--still", "10", "--motion-blur"]
    assert main(["movie", str(results), "-o", str(tmp_path / "one.png"), *wanted]) != 0
    assert "Only a movie blurs by motion" in capsys.readouterr().err
