"""Open windows on a real display where there is one; without one only the logic is tested."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

HAS_DISPLAY = sys.platform != "linux" or bool(os.environ.get("DISPLAY"))
if not HAS_DISPLAY:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"

from tests.window.playing import set_the_stage  # noqa: E402
from tests.window.seated import seated  # noqa: E402


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("window") and not HAS_DISPLAY:
            item.add_marker(pytest.mark.skip(reason="no DISPLAY: windows need one (Xvfb will do)"))


@pytest.fixture(scope="module", autouse=True)
def fine_in_two(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let a fine picture be made of two, not of eight, but where a module says that it `DRAWS_FINELY`.

    What rests is drawn finely wherever a test waits for anything: that was most of what is drawn. Cards of the
    welcome are not drawn, also between the tests that share a window; `drawn_cards` brings them back.
    """
    from app.features.files.pages import Gallery
    from app.scene import exposure

    with pytest.MonkeyPatch.context() as patch:
        if not getattr(request.module, "DRAWS_FINELY", False):
            patch.setattr(exposure, "SHIFTS", exposure.SHIFTS[:2])
        DRAWING.setdefault("next", Gallery.draw_next)
        patch.setattr(Gallery, "draw_next", lambda *_: False)
        yield


DRAWING: dict[str, Any] = {}
"""How the program draws cards."""


@pytest.fixture(scope="package", autouse=True)
def rubbish_here() -> Iterator[None]:
    """Look for rubbish in no thread but the window's, as the program does (`app/jobs/rubbish`), and between tests alone."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Path:
    """Keep what windows remember in a folder of the test's own.

    Samples come without their stored runs, which take time; `stored_runs` brings them back.
    """
    folder = tmp_path / "home"
    monkeypatch.setenv("MANIKIN_HOME", str(folder))
    if "stored_runs" not in request.fixturenames:
        monkeypatch.setattr("app.run_view.run_store.stored_file", lambda _: None)
    return folder


@pytest.fixture
def stored_runs() -> None:
    """Let samples come with their stored runs."""


@pytest.fixture
def studied_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let studies of small models solve their runs in this process: each worker takes seconds to begin."""
    from solver import studies

    monkeypatch.setattr(studies, "run_study", partial(studies.run_study, workers=0))


@pytest.fixture
def drawn_cards(fine_in_two: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the welcome draw the samples."""
    from app.features.files.pages import Gallery

    monkeypatch.setattr(Gallery, "draw_next", DRAWING["next"])


@pytest.fixture
def seated_file(tmp_path: Path) -> Path:
    file = tmp_path / "seated.json"
    file.write_text(json.dumps(seated()), encoding="utf-8")
    return file


@pytest.fixture
def window(qtbot: Any, request: pytest.FixtureRequest, lasting: Lasting) -> Iterator[Any]:
    """Open the main window, and find nothing of it left afterwards.

    Tests marked `one_window` find that of their module, with everything where it is at first; those marked
    `own_window` among them have one of their own. Each opens a project of its own; what it changes in preferences or
    switches on in menus would be seen.
    """
    node = request.node
    if not node.get_closest_marker("one_window") or node.get_closest_marker("own_window"):
        lasting.end()
        yield from opened()
        return
    main = lasting.open()
    first = at_first(main)
    yield main
    try:
        main.bench.run_view.player.pause()
        main.bench.run_view.cancel()
        qtbot.waitUntil(lambda: main.bench.run_view.runs.running() is None, timeout=240_000)
        put_back(main)
        assert at_first(main) == first, "a test that changes what lasts needs a window of its own"
    except BaseException:
        lasting.end()  # the next test is not to suffer from it
        raise


def at_first(main: Any) -> tuple[Any, ...]:
    """Tell what is chosen in a window for good: preferences, and what its menus have switched on."""
    from app.preferences import PREFERENCES

    settings = main.application.settings
    chosen = {one.name: settings.value(one.name) for one in PREFERENCES}
    entries = main.menus.entries.items()
    return chosen, {id_: e.isChecked() for id_, e in entries if e.isCheckable()}


class Lasting:
    """One main window for several tests, opened when the first of them asks for it."""

    def __init__(self, home: Path) -> None:
        self._home, self._main, self._rest = home, None, iter(())

    def open(self) -> Any:
        """Give the window."""
        if self._main is None:
            self._rest = self._opened()
            self._main = next(self._rest)
        return self._main

    def end(self) -> None:
        """Close it, if it is there."""
        self._main = None
        for _ in self._rest:
            pass

    def _opened(self) -> Iterator[Any]:
        main = opened()
        with self._at_home():
            made = [next(main)]
        yield made.pop()
        with self._at_home():
            for _ in main:
                pass

    @contextmanager
    def _at_home(self) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("MANIKIN_HOME", str(self._home))
            yield


@pytest.fixture(scope="module")
def lasting(
    fine_in_two: None, qapp: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Lasting]:
    """Hold the window that several tests of a module share, one after the other."""
    made = Lasting(tmp_path_factory.mktemp("home"))
    yield made
    made.end()


@pytest.fixture(scope="module")
def lasting_window(lasting: Lasting) -> Any:
    """Open one main window for several tests, in which they open one project after the other."""
    return lasting.open()


def put_back(main: Any) -> None:
    """Show the empty project of a new window, nothing unsaved, and all panels where they are at first."""
    from app.panel import MOODS
    from solver.project import Project

    document = main.bench.document
    document.history.setClean()
    document.recovered = False
    document.adopt(Project())
    document.has_project = False
    for mood in reversed(MOODS):
        main.panels.show_mood(mood)
        main.panels.docks.arrange()
        main.panels.fold(mood != MOODS[0])
    main.features["files"].show_welcome()


def opened() -> Iterator[Any]:
    """Open the main window, and find nothing of it left afterwards."""
    from PySide6.QtTest import QTest

    from app.shell.window import MainWindow
    from tests.window.waiting import collect

    assert not _left(), "an earlier test left a window"
    set_the_stage()
    main = MainWindow()
    main.show()
    assert QTest.qWaitForWindowExposed(main, 20_000)
    yield main
    main.bench.document.history.setClean()
    main.bench.document.recovered = False
    main.close()
    main.deleteLater()
    del main
    collect()
    assert not _left(), "something of the window is left"


def _left() -> list[Any]:
    """Give the windows that are there although what was to be deleted had time for it."""
    from PySide6.QtWidgets import QApplication

    from tests.window.waiting import until

    with contextlib.suppress(AssertionError):
        until(lambda: not QApplication.topLevelWidgets(), 20.0)
    return list(QApplication.topLevelWidgets())


@pytest.fixture
def document(qapp: Any) -> Iterator[Any]:
    """Hold the seated occupant in a document without a window."""
    from app.document import Document
    from solver.project import validated

    made = Document()
    made.adopt(validated(seated()))
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def inspector(document: Any, qtbot: Any) -> Iterator[Any]:
    """Show an inspector alone, and find nothing of it left afterwards."""
    from PySide6.QtWidgets import QApplication

    from app.features.inspector.panel import Inspector
    from tests.window.waiting import collect, until_active

    made = Inspector(document)
    document.selected.connect(made.show_element)
    document.changed.connect(made.update_project)
    document.checked.connect(made.show_problems)
    made.resize(384, 700)
    made.show()
    made.activateWindow()
    until_active(made)
    made.show_element()
    yield made
    made.close()
    made.deleteLater()
    del made
    collect()
    qtbot.waitUntil(lambda: not QApplication.topLevelWidgets(), timeout=20_000)
