"""Skins are made in another thread: nothing is seen half, what is no longer wanted is dropped, what is kept waits; no times."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from scipy.spatial import cKDTree

from app.features.movie.film import Film, Shot
from app.jobs.turns import Transition, Turns
from app.scene.ready import make_ready
from app.scene.scene_builder import SceneBuilder
from app.scene.screen import Screen
from solver.base.places import samples
from solver.project import Project, load_project
from solver.scene.people import skin
from solver.scene.people.build import Figure, people
from tests.window.waiting import turns, until, until_fired, until_still

pytestmark = pytest.mark.window
FIRST, SECOND = samples() / "frontal_5f.json", samples() / "sled.json"
HEAD = "segments/driver_head"


SEWN: dict[Figure, skin.Skin] = {}
"""Skins that a test of this module has made: how they come out is none of its questions."""


class Sewing:
    """Note who makes skins, in which thread; `shut` lets those wait who begin one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.by: list[threading.Thread] = []
        self.of: list[Figure] = []
        self.begun = threading.Event()
        self.open = threading.Event()
        self.open.set()
        sew = skin._skin

        def sewn(figure: Figure) -> skin.Skin:
            self.by.append(threading.current_thread())
            self.of.append(figure)
            self.begun.set()
            self.open.wait(30.0)
            if figure not in SEWN:
                SEWN[figure] = sew(figure)
            return SEWN[figure]

        skin._made.clear()
        monkeypatch.setattr(skin, "_skin", sewn)

    def shut(self) -> None:
        self.open.clear()

    @property
    def is_beside(self) -> bool:
        """Tell whether skins were made, and none by the window's thread."""
        return bool(self.by) and threading.main_thread() not in self.by


@pytest.fixture
def sewing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sewing]:
    made = Sewing(monkeypatch)
    yield made
    made.open.set()


def dressed(window: Any) -> list[Figure]:
    """Give whose skins are worn in the scene."""
    return [one.person.figure for one in window.bench.viewport.stage.cast._worn]


def figures(project: Project) -> list[Figure]:
    return [one.figure for one in people(project)]


def is_painted(window: Any) -> bool:
    return bool(window.panels.pages.updatesEnabled())


def test_an_opening_waits_for_skins_and_its_thread_makes_none(
    window: Any, qtbot: Any, sewing: Sewing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first picture has them, and until then what was seen before stays."""
    waited: list[bool] = []
    draw = Screen._draw

    def drawn(self: Screen) -> None:
        waited.append(self._stage.cast.waits)
        draw(self)

    window.bench.viewport.make()
    monkeypatch.setattr(Screen, "_draw", drawn)
    sewing.shut()
    window.open_file(FIRST)
    until(lambda: sewing.by)
    until_fired(window.bench.viewport._tailor._look)
    assert not is_painted(window)
    assert waited == []
    sewing.open.set()
    qtbot.waitUntil(lambda: is_painted(window), timeout=30_000)
    assert waited[0] is False
    assert sewing.is_beside
    assert sewing.of == dressed(window) == figures(window.bench.document.project)


def test_menus_do_not_ask_for_the_scene_before_its_turn(window: Any) -> None:
    view = window.bench.viewport
    view.make()
    window.open_file(FIRST)
    window.menus.refresh_now()
    assert view._is_late
    window.menus.run("view.around")
    assert not view._is_late, "who changes it does"
    assert view.looks() is view.stage.visibility
    assert not view.looks().surroundings
    window.menus.refresh_now()
    assert not window.menus._entries["view.around"].isChecked()


def test_what_is_opened_last_is_seen_whoever_was_measured_before(
    window: Any, qtbot: Any, sewing: Sewing
) -> None:
    """The skin that is under way is ended, and nothing comes of it in the scene."""
    first = load_project(FIRST)
    sewing.shut()
    window.open_file(FIRST)
    until(lambda: bool(sewing.by))
    window.open_file(SECOND)
    until_fired(window.bench.viewport._tailor._look)
    assert not is_painted(window)
    assert sewing.of == figures(first), "one after the other"
    sewing.open.set()
    qtbot.waitUntil(lambda: is_painted(window), timeout=30_000)
    project = window.bench.document.project
    assert dressed(window) == figures(project) != figures(first)
    assert not window.bench.viewport.stage.cast.waits
    assert window.bench.viewport.project is project
    assert sewing.is_beside


def test_who_asks_for_the_scene_before_has_shapes_and_then_skins(
    window: Any, qtbot: Any, sewing: Sewing
) -> None:
    """Anyone who has no skin yet is whole in shapes; no picture counts as fine; webbing lies on what is worn."""
    view = window.bench.viewport
    sewing.shut()
    window.open_file(FIRST)
    stage = view.stage
    heads = [item for item in stage.items if item.shape.element == HEAD]
    assert heads
    assert not any(item.is_covered for item in heads)
    assert dressed(window) == []
    stage.prepare(90, 60)
    belts = [item for item in stage.items if item.shape.kind == "belt"]
    before = [item.laid.mesh for item in belts]
    assert before
    view.picture.draw_ahead()
    until_still(view)
    assert not view.picture.is_fine
    sewing.open.set()
    qtbot.waitUntil(lambda: is_painted(window) and view.picture.is_fine, timeout=30_000)
    assert all(item.is_covered for item in heads)
    assert dressed(window) == figures(window.bench.document.project)
    for old, item in zip(before, belts, strict=True):
        # through half of their width people stand in webbing that lies on nobody
        far, _ = cKDTree(old.points).query(item.laid.mesh.points)
        assert far.max() > 0.01, item.shape.element
    assert sewing.is_beside


def test_a_body_that_changes_keeps_its_skin_until_the_other_is_made(
    window: Any, qtbot: Any, sewing: Sewing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.scene.scene_view.REST_MS", 3_600_000)
    view, document = window.bench.viewport, window.bench.document
    window.open_file(FIRST)
    qtbot.waitUntil(lambda: is_painted(window), timeout=30_000)
    (before,) = dressed(window)
    sewing.shut()
    head = next(s for s in document.project.segments if f"segments/{s.id}" == HEAD)
    for factor in (1.1, 1.2):
        axes = [factor * a for a in head.surfaces[0].semi_axes_m]
        document.edit(f"{HEAD}/surfaces/0/semi_axes_m", axes, "A larger head", merge_key="head")
        turns()
        assert view._tailor._rest.isActive(), "it waits for more changes"
    assert len(sewing.by) == 1
    view._tailor._rest.start(0)
    until(lambda: len(sewing.by) == 2)
    assert dressed(window) == [before]
    until_still(view)
    assert not view.picture.is_fine, "finer pictures wait for it"
    sewing.open.set()
    (after,) = figures(document.project)
    qtbot.waitUntil(lambda: dressed(window) == [after], timeout=30_000)
    assert sewing.of == [before, after], "not what was passed through"
    document.history.undo()
    assert dressed(window) == [before], "what is known is there at once"
    assert view.is_ready()
    assert sewing.is_beside


def test_an_undo_drops_what_was_under_way(window: Any, qtbot: Any, sewing: Sewing) -> None:
    document = window.bench.document
    window.open_file(FIRST)
    qtbot.waitUntil(lambda: is_painted(window), timeout=30_000)
    (before,) = dressed(window)
    sewing.shut()
    document.edit(f"{HEAD}/surfaces/0/semi_axes_m", [0.2, 0.2, 0.2], "A larger head")
    until(lambda: len(sewing.by) == 2)
    document.history.undo()
    assert window.bench.viewport.is_ready()
    sewing.open.set()
    until(lambda: not window.bench.viewport._tailor._look.isActive())
    turns()
    assert dressed(window) == [before]
    assert not window.bench.viewport.stage.cast.waits


def test_a_window_that_is_closed_drops_what_is_under_way(
    window: Any, qtbot: Any, sewing: Sewing
) -> None:
    """Its thread is one that the end of the program waits for, and it makes no second skin."""
    sewing.shut()
    window.open_file(samples() / "side_impact.json")
    until(lambda: bool(sewing.by))
    (thread,) = sewing.by
    assert not thread.daemon
    window.close()
    assert window.bench.viewport.is_ready(), "nothing is wanted any more"
    sewing.open.set()
    thread.join(30.0)
    assert not thread.is_alive()
    until(lambda: not window.bench.viewport._tailor._look.isActive())
    turns()
    assert len(sewing.by) == 1
    assert window.bench.viewport._made is None


def test_a_picture_that_is_kept_has_all_skins(
    window: Any, sewing: Sewing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However early it is asked for."""
    window.open_file(FIRST)
    view = window.bench.viewport
    assert view.stage.cast.waits
    kept: list[list[Figure]] = []
    fine = Screen.settle

    def noted(self: Screen) -> None:
        kept.append([] if self._stage.cast.waits else dressed(window))
        fine(self)

    monkeypatch.setattr(Screen, "settle", noted)
    window.features["movie"].save_picture(tmp_path / "early.png")
    assert (tmp_path / "early.png").stat().st_size > 0
    assert kept == [figures(window.bench.document.project)]


def test_a_film_waits_for_skins_in_parts_and_makes_none_in_the_thread_that_draws(
    sewing: Sewing,
) -> None:
    project = load_project(FIRST)
    sewing.shut()
    with Film(project, None, Shot(size=(90, 60))) as film:
        assert film.part(0.0) is None
        assert sewing.begun.wait(60.0)
        for _ in range(5):
            assert film.part(0.0) is None
        assert len(sewing.by) == 1
        sewing.open.set()
        film.picture(0.0)
        assert [one.person.figure for one in film._stage.cast._worn] == figures(project)
    assert sewing.is_beside


def test_two_who_want_the_same_skin_get_one(sewing: Sewing) -> None:
    (figure,) = figures(load_project(FIRST))
    sewing.shut()
    found: list[skin.Skin] = []
    threads = [
        threading.Thread(target=lambda: found.append(skin.skin_of(figure))) for _ in range(3)
    ]
    for one in threads:
        one.start()
    assert skin.known_skin(figure) is None, "to look waits for nobody"
    sewing.open.set()
    for one in threads:
        one.join(30.0)
    assert len(found) == 3
    assert found[0] is found[1] is found[2] is skin.known_skin(figure)
    assert len(sewing.by) == 1


def test_no_more_skins_are_kept_than_can_be_wanted(
    sewing: Sewing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that was looked at longest ago goes."""
    monkeypatch.setattr(skin, "_KEPT", 2)
    one, two, three = (
        figures(load_project(samples() / f"{name}.json"))[0]
        for name in ("frontal_5f", "sled", "child_seat")
    )
    skin.skin_of(one)
    skin.skin_of(two)
    assert skin.known_skin(one) is not None
    skin.skin_of(three)
    assert [skin.known_skin(each) is not None for each in (one, two, three)] == [True, False, True]


def test_what_nobody_wants_any_more_is_told_to_end(
    qtbot: Any, sewing: Sewing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two parts it asks, and makes no more of them."""
    told: list[tuple[str, bool]] = []
    begun, go = threading.Event(), threading.Event()

    def noted(project: Project, goes_on: Callable[[], bool]) -> None:
        begun.set()
        go.wait(30.0)
        told.append((project.title, goes_on()))

    first, second = load_project(FIRST), load_project(SECOND)
    make_ready(first, lambda: False)
    assert sewing.by == []
    monkeypatch.setattr("app.scene.scene_builder.make_ready", noted)
    tailor = SceneBuilder()
    tailor.ask(first)
    until(begun.is_set)
    tailor.ask(second)
    go.set()
    until(lambda: not tailor.is_busy)
    assert told == [(first.title, False), (second.title, True)]


def test_what_cannot_be_made_is_told_and_holds_up_nothing(
    qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> None:
        raise ValueError("no body")

    monkeypatch.setattr("app.scene.scene_builder.make_ready", fails)
    tailor, made = SceneBuilder(), list[bool]()
    tailor.made.connect(lambda: made.append(tailor.is_busy))
    with qtbot.captureExceptions() as told:
        tailor.ask(load_project(SECOND))
        assert tailor.is_busy
        until(lambda: bool(made))
    assert made == [False]
    assert [str(one[1]) for one in told] == ["no body"]


def test_turns_wait_until_something_is_true(qtbot: Any) -> None:
    """What comes behind waits too; a curtain that falls again waits for nothing of before."""
    turns, done, is_true, asks = Turns(), list[str](), list[bool](), list[int]()
    turns.add(lambda: done.append("a"))
    turns.wait_until(lambda: asks.append(1) or bool(is_true))
    turns.add(lambda: done.append("b"))
    until(lambda: len(asks) >= 3)
    assert done == ["a"]
    is_true.append(True)
    until(lambda: done == ["a", "b"])
    transition = Transition(lambda on: done.append(f"hold {on}"), turns)
    transition.fall()
    asks.clear()
    transition.rise_after(lambda: done.append("old"), once=lambda: bool(asks.append(1)))
    until(lambda: len(asks) >= 3)
    transition.fall()
    transition.rise_after(lambda: done.append("new"))
    until(lambda: done[-1] == "hold False")
    assert done[2:] == ["hold True", "hold True", "new", "hold False"]
