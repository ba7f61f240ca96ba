"""While pictures follow each other, no more is laid again than has moved, and with fewer points; at rest all of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QTimer

from app.look import LIGHT
from app.run_view import precomputed_belts
from app.run_view.motion import Motion
from app.run_view.player import Player
from app.run_view.replay import KEPT, Replay
from app.scene.lens import Lens
from app.scene.stage import Stage
from solver.base.places import samples
from solver.project import Project
from solver.project.pose import Placed
from solver.project.reading import load_project
from solver.results import open_results
from solver.scene.fabric import FINE, ROUGH
from tests.solved import stored_run
from tests.window.solving import solved

SAMPLE = "frontal"


class Scene:
    """Hold the soft things of a stage, and a run to show in it; nothing is drawn."""

    def __init__(self, project: Project, run: Any) -> None:
        self.stage = Stage(LIGHT)
        self.stage.show(project)
        self.replay = Replay(project, Motion(run))
        self.cloth, self.seats = self.stage._soft

    def lay(self, t: float | None, *, quick: bool) -> tuple[int, int, int]:
        """Lay what an instant has, or the one that is shown; give how many cloths, cushions and belts were laid."""
        stage, before = self.stage, self._counts()
        if t is not None:
            self.replay.show(stage, t)
        lens = Lens(stage.camera, 654.0, 380.0)
        stage.cast.lay(stage.items, stage.pose, stage.visibility, lens, quick=quick)
        for soft in stage._soft:
            soft.lay(stage.items, stage.pose, True, quick=quick, laid=stage._laid)
        one, two, three = (b - a for a, b in zip(before, self._counts(), strict=True))
        return one, two, three

    def _counts(self) -> tuple[int, int, int]:
        return self.cloth.layings, self.seats.layings, self.stage.cast.layings

    def points(self, kind: str) -> list[int]:
        """Give how many points there are of what is laid of a kind."""
        items = [item for item in self.stage.items if item.shape.kind == kind]
        made = [i.dented if kind == "plane" else i.laid and i.laid.mesh for i in items]
        return [len(mesh.points) for mesh in made if mesh is not None]


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    run = open_results(stored_run(SAMPLE, tmp_path))
    yield Scene(load_project(samples() / f"{SAMPLE}.json"), run)
    run.close()


T = 0.09
"""The driver lies in the bag and in the belt."""


def test_each_instant_is_laid_once_and_with_fewer_points(scene: Scene) -> None:
    assert scene.lay(T, quick=True) == (1, 4, 1)
    assert scene.lay(None, quick=True) == (0, 0, 0), "nothing has moved: the camera may have"
    rough = {kind: scene.points(kind) for kind in ("bag", "plane", "belt")}
    assert scene.lay(T + 1e-3, quick=True)[2] == 1
    assert scene.lay(T, quick=True)[2] == 0, "a belt's frame is kept"
    assert rough["bag"][0] - 2 < 1.1 * ROUGH[0] * ROUGH[1]
    assert scene.lay(None, quick=False) == (1, 4, 1), "at rest all is laid finely"
    assert scene.lay(None, quick=False) == (0, 0, 0)
    fine = {kind: scene.points(kind) for kind in rough}
    assert fine["bag"][0] > FINE[0] * FINE[1]
    for kind, counts in rough.items():
        assert 2.0 * sum(counts) < sum(fine[kind]), kind
    assert scene.lay(None, quick=True) == (0, 0, 0), "what is laid finely stays while one turns it"
    assert scene.points("bag") == fine["bag"]
    assert scene.points("belt") == rough["belt"], (
        "webbing was laid roughly before, and goes with the skin"
    )


def test_what_has_moved_less_than_is_seen_keeps_its_dent_in_motion_alone(scene: Scene) -> None:
    scene.lay(0.05, quick=True)
    pose, stage = scene.stage.pose, scene.stage
    for far, laid in ((5e-5, 0), (5e-3, 2)):
        moved = {
            name: Placed(at.R_WS, at.p_W + (far if name.startswith("driver") else 0.0))
            for name, at in pose.items()
        }
        before = scene.seats.layings
        scene.seats.lay(stage.items, moved, True, quick=True)
        assert scene.seats.layings - before >= laid
        assert laid or scene.seats.layings == before
    scene.seats.lay(stage.items, pose, True)
    before = scene.seats.layings
    scene.seats.lay(stage.items, dict(moved), True)
    assert scene.seats.layings > before, "at rest no difference is left away"


def test_webbing_laid_roughly_lies_as_high_on_the_clothes(scene: Scene) -> None:
    """Ridges of both are compared where they cross the trunk: no more than the finer skin's own steps apart."""
    scene.lay(T, quick=True)
    belt = next(item for item in scene.stage.items if item.shape.kind == "belt")
    assert belt.laid is not None
    rough = belt.laid.mesh.points[:, :3]
    scene.lay(None, quick=False)
    assert belt.laid is not None
    fine = belt.laid.mesh.points
    away = np.linalg.norm(rough[:, None] - fine[None, ::3], axis=2).min(axis=1)
    assert np.median(away) < 0.012
    assert away.max() < 0.06


def test_what_is_laid_ahead_is_what_is_laid_when_it_is_shown(scene: Scene) -> None:
    def seen(t: float) -> Any:
        scene.lay(t, quick=True)
        belt = next(item for item in scene.stage.items if item.shape.kind == "belt")
        return belt.laid and belt.laid.mesh.points

    times = [n * 1e-3 for n in (90, 91)]
    at_once = [seen(t) for t in times]
    stood, now = scene.replay.stood, scene.stage.pose
    scene.replay._forms.clear()
    scene.replay._moments.clear()
    for _ in times:
        assert scene.replay.lay_ahead(scene.stage, T, 1e-3)
    assert scene.replay.stood is stood
    assert scene.stage.pose is now, "nothing is shown otherwise"
    before = scene._counts()
    for t, points in zip(times, at_once, strict=True):
        np.testing.assert_array_equal(seen(t), points)
    assert scene._counts() == before
    frames = len(scene.replay.motion.time)
    while scene.replay.lay_ahead(scene.stage, T, 1e-3):
        pass
    assert len(scene.replay._forms) == len(scene.replay._moments) == min(frames, KEPT)


@pytest.mark.window
def test_a_run_that_rests_is_laid_ahead(
    lasting_window: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(precomputed_belts, "_REST_MS", 20)
    run_view = lasting_window.bench.run_view
    solved(lasting_window, qtbot)
    run_view.player.pause()
    run_view.replay._forms.clear()
    run_view.replay._moments.clear()
    run_view.player.go(0.05)
    qtbot.waitUntil(lambda: len(run_view.replay._forms) > 3, timeout=20_000)
    near = run_view.replay.motion.near(0.05)
    assert set(run_view.replay._forms) <= set(range(near, near + len(run_view.replay._forms)))
    run_view.player.play()
    assert not any(
        t.isActive()
        for t in run_view.findChild(precomputed_belts.PrecomputedBelts).findChildren(QTimer)
    )
    run_view.player.pause()


def test_a_run_that_plays_again_lays_nothing_again_and_sends_no_more_than_moves(
    scene: Scene,
) -> None:
    """Counts of what is laid, and what VTK is told that it has changed, at instants that come again."""
    stage, player = scene.stage, Player()
    player.set_range(scene.replay.motion.end, scene.replay.motion.frame_s)
    times = [(160 + n) * player.pitch for n in range(3)]
    scene.replay.ride("vehicle", turns_too=True)

    def sent(t: float) -> tuple[int, ...]:
        scene.replay.show(stage, t)
        stage.prepare(654, 380, quick=True)
        return tuple(batch._data.GetMTime() for batch in stage.crowd._batches.values())

    for t in times:
        sent(t)
    before = scene._counts()
    again = [sent(t) for t in (*times, times[-1])]
    assert scene._counts() == before
    thick = list(stage.crowd._batches).index("thick")
    assert len({one[thick] for one in again}) == 1, "nothing of it moves"
    assert again[-1] == again[-2], "the same instant is not sent twice"
    assert again[0] != again[1]
    scene.replay._moments.clear()
    sent(times[0])
    assert scene._counts() != before, "what nobody keeps is laid again"


def test_a_car_that_the_camera_rides_on_stands_still_to_the_last_digit(scene: Scene) -> None:
    scene.replay.ride("vehicle", turns_too=True)
    places = []
    for t in (0.02, 0.05, 0.09):
        scene.replay.show(scene.stage, t)
        places.append(scene.stage.pose["vehicle"])
        now, stood = scene.replay.now, scene.replay.stood["vehicle"]
        np.testing.assert_allclose(now.R_WS @ stood.p_W + now.p_W, places[0].p_W, atol=1e-12)
        np.testing.assert_allclose(now.R_WS @ stood.R_WS, places[0].R_WS, atol=1e-12)
    assert places[0] is places[1] is places[2]


def test_time_that_runs_stops_at_instants_that_come_again_and_loses_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    player, seen = Player(), list[float]()
    player.set_range(0.2, 1e-3)
    player.moved.connect(seen.append)
    player._way = 1
    clock = iter([7_000_000, 23_000_000, 11_000_000, 1_000_000, 40_000_000])
    monkeypatch.setattr(player, "_clock", FakeClock(clock))
    for _ in range(5):
        player._tick()
    assert player.pitch == pytest.approx(5e-4), (
        "0.05 of the time, 60 pictures a second, frames of 1 ms"
    )
    np.testing.assert_allclose(np.array(seen) / player.pitch, np.round(np.array(seen) / player.pitch), atol=1e-9)  # fmt: skip
    assert player.time + player._over == pytest.approx(0.05 * 82e-3)
    assert abs(player._over) <= 0.5 * player.pitch + 1e-12
    assert len(seen) == len(set(seen)) < 5, "an instant that is shown is not shown again"


class FakeClock:
    def __init__(self, each: Iterator[int]) -> None:
        self._each = each

    def nsecsElapsed(self) -> int:
        return next(self._each)

    def restart(self) -> None:
        pass
