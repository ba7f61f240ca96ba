"""What makes the start quick: tiles are read without checking, and what stays is not looked through again."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, ClassVar

import pytest

from app.features.files.pages import Gallery, _read, first_sentence, shipped_samples
from app.jobs.ahead import load_ahead
from app.jobs.rubbish import RubbishHere
from app.look import LIGHT
from app.memory import kept_for_good
from app.scene.ready import make_ready
from solver.base.places import samples
from solver.project import Project, load_project
from solver.scene.people import skin
from solver.scene.people.build import Figure

_SLOW = (
    "scipy", "pandas", "numba", "h5py", "pyqtgraph", "vtkmodules", "app.scene.stage", "app.run_view.playback",
    "solver.exchange.decks", "solver.analysis.equilibrium", "solver.engine.forces.system", "solver.report.make",
    "solver.running.simulation",
)  # fmt: skip
"""What the first window has no use for, and takes some hundredths of a second or more: Numba half of one."""


def test_tiles_say_what_the_checked_projects_say(tmp_path: Path) -> None:
    tiles = {tile.file.stem: tile for tile in shipped_samples()}
    assert len(tiles) == len(list(samples().rglob("*.json")))
    for name in ("frontal", "pendulum"):
        project = load_project(samples() / f"{name}.json")
        assert tiles[name].title == project.title
        assert tiles[name].note == first_sentence(project.note.split("\n", 1)[0])
    file = tmp_path / "a.json"
    for text in ("{", "[]", '"words"', "\xff"):
        file.write_text(text, encoding="latin-1")
        assert _read(file, hash(text)) is None, text


@pytest.mark.parametrize("by_itself", [True, False])
def test_what_stays_is_not_looked_through_again(by_itself: bool) -> None:
    gc.unfreeze()
    try:
        (gc.enable if by_itself else gc.disable)()
        with kept_for_good():
            assert not gc.isenabled()
            kept = [[n] for n in range(1000)]
        assert gc.isenabled() == by_itself
        assert gc.get_freeze_count() >= len(kept)
    finally:
        gc.disable()
        gc.unfreeze()


class Loop:
    """Holds itself, so that only a look for rubbish ends it; tells in which thread it has ended."""

    ended: ClassVar[list[str]] = []

    def __init__(self) -> None:
        self.me = self

    def __del__(self) -> None:
        self.ended.append(threading.current_thread().name)


def test_rubbish_ends_in_the_thread_of_the_window(qtbot: Any) -> None:
    """Pictures of VTK that end in another one take the program along."""

    def work() -> None:
        # enough for Python to look a hundred times, and through all of it
        for _ in range(100_000):
            made = [made_before]
            made.append(made)

    made_before: list[Any] = []
    Loop.ended.clear()
    gc.enable()
    here = RubbishHere()
    try:
        Loop()
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        assert Loop.ended == []
        qtbot.waitUntil(lambda: len(Loop.ended) == 1, timeout=60_000)
        assert Loop.ended == [threading.main_thread().name]
    finally:
        here.close()
    assert gc.isenabled()
    gc.disable()


def test_the_window_makes_and_loads_nothing_large_that_it_has_no_use_for() -> None:
    """It stands on its welcome page before anything is drawn in three dimensions, plotted, solved or checked."""
    words = f"""
import sys
from PySide6.QtWidgets import QApplication
from app.shell.window import MainWindow
from solver.project import Project
application = QApplication([])
window = MainWindow()
window.show()
print([m for m in {_SLOW} if m in sys.modules])
print(window.bench.viewport._made, window.panels["plots"].plots, Project.__pydantic_complete__)
window.close()
"""
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "None [] False"]


def test_the_scene_is_made_before_anything_is_opened(qtbot: Any) -> None:
    """In a turn of its own, in the window's thread, once another has loaded what it wants."""
    made: list[tuple[bool, bool]] = []

    def make() -> None:
        here = threading.current_thread() is threading.main_thread()
        made.append((here, {"app.scene.stage", "app.scene.screen"} <= set(sys.modules)))

    # the second time all is there, and the other thread has ended before its word is heard
    for n in (1, 2):
        thread = load_ahead(make)
        if n == 2:
            thread.join()
            gc.collect()
        assert len(made) == n - 1, "it returns at once"
        qtbot.waitUntil(lambda n=n: len(made) == n, timeout=240_000)
        thread.join()
    assert made == [(True, True)] * 2


@pytest.mark.window
def test_what_tiles_show_is_made_beside_the_window(
    qtbot: Any, drawn_cards: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window's thread draws; it neither reads the project nor makes the skins."""
    made: list[str] = []
    skins: list[str] = []

    def sewn(figure: Figure) -> skin.Skin:
        skins.append(threading.current_thread().name)
        return sew(figure)

    sew = skin._skin
    monkeypatch.setattr(skin, "_skin", sewn)
    skin._made.clear()

    def noted(project: Project) -> Project:
        made.append(threading.current_thread().name)
        return make_ready(project)

    monkeypatch.setattr("app.scene.ready.make_ready", noted)
    gallery = Gallery([tile for tile in shipped_samples() if tile.file.stem == "fall"])
    qtbot.addWidget(gallery)
    qtbot.waitUntil(lambda: not gallery.draw_next(LIGHT), timeout=30_000)
    assert made == ["task"]
    assert skins == ["task"], "what is drawn is what was made"
    assert gallery.cards[0].picture.pixmap().width() > 0
    gallery.close_graphics()
