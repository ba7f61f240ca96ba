"""What can be done in a window, one at a time, and by chance."""

from __future__ import annotations

import gc
import random
import re
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tools.monkey.diary import GO_WITH_WINDOWS, Diary, holders, memory_mb

_STUCK_MS = 250
"""A dialog or menu that waits for an answer longer than this gets one."""
_RUN_S = 4.0
"""So long a run is waited for."""
_LONG_S = 10.0
"""A run that goes on longer than this, with what was typed into its fields, is ended."""
_MOST_WINDOWS = 2
"""With more open at once, as files and commands open them, others are closed: memory is told by windows."""


class Monkey:
    """Use a studio's windows at random; what stands in files stays within one folder."""

    def __init__(self, application: Any, seed: int, folder: Path) -> None:
        self.application, self.folder = application, folder
        self.chance = random.Random(seed)
        self.answers = random.Random(seed + 1)
        self.diary = Diary()
        self._hands: list[tuple[int, Callable[[], str]]] = [
            (30, self._click),
            (14, self._press),
            (14, self._act),
            (16, self._in_scene),
            (6, self._type),
            (6, self._select),
            (4, self._solve),
            (2, self._open),
            (2, self._prefer),
            (1, self._another_window),
        ]

    def use(self, goes_on: Callable[[int], bool]) -> Diary:
        """Do one thing after the other while it is told to go on; gives the diary."""
        from PySide6.QtCore import QTimer
        from PySide6.QtTest import QTest

        began, looked = time.perf_counter(), -1e9
        self._idle = began
        waker = QTimer(interval=_STUCK_MS)
        waker.timeout.connect(self._answer)
        waker.start()
        weights, hands = zip(*self._hands, strict=True)
        with self._listening():
            while goes_on(len(self.diary.done)):
                (hand,) = self.chance.choices(hands, weights)
                self.diary.done.append(hand.__name__)
                # told as it goes: what is killed from outside tells nothing afterwards
                print(len(self.diary.done), hand.__name__, end=" ", flush=True)
                self.diary.done[-1] = hand()
                print(f"({self.diary.done[-1]}, {memory_mb():.0f} MB)", flush=True)
                QTest.qWait(self.chance.choice((0, 0, 5, 20)))
                self._end_long_runs()
                self._keep_few()
                if time.perf_counter() - looked > 2.0:
                    gc.collect()
                    looked = time.perf_counter()
                    self.diary.memory.append((looked - began, memory_mb()))
            self._end()
            waker.stop()
        return self.diary

    def _end(self) -> None:
        from PySide6.QtTest import QTest

        for _ in range(len(self.application.windows)):
            # without a name here, which would itself hold the window
            self._close(self.application.windows[-1])
        for _ in range(200):
            QTest.qWait(50)
            gc.collect()
            left = [one for one in gc.get_objects() if type(one).__name__ in GO_WITH_WINDOWS]
            if not left:
                return
            names = sorted(type(one).__name__ for one in left)
            del left
        self.diary.left = [
            f"{name}\n{held}" for name, held in zip(names, holders(names), strict=True)
        ]

    @contextmanager
    def _listening(self) -> Iterator[None]:
        """Write down what is raised, in any thread; files are chosen without asking."""
        from PySide6.QtCore import Qt
        from PySide6.QtGui import QDesktopServices, QDrag
        from PySide6.QtWidgets import QFileDialog

        def note(kind: Any, failure: Any, trace: Any) -> None:
            last = "; ".join(self.diary.done[-6:])
            text = "".join(traceback.format_exception(kind, failure, trace))
            self.diary.raised.append(f"after {len(self.diary.done)} ({last}):\n{text}")

        kept = sys.excepthook, threading.excepthook, sys.unraisablehook
        sys.excepthook = note
        threading.excepthook = lambda a: note(a.exc_type, a.exc_value, a.exc_traceback)
        sys.unraisablehook = lambda a: note(a.exc_type, a.exc_value, a.exc_traceback)
        # a dialog of the system, a browser and a drag wait for hands that a test does not have
        stand_ins: tuple[tuple[Any, str, Any], ...] = (
            (QFileDialog, "getOpenFileName", self._file_to_open),
            (QFileDialog, "getSaveFileName", self._file_to_save),
            (QDesktopServices, "openUrl", lambda *_: True),
            (QDrag, "exec", lambda *_: Qt.DropAction.IgnoreAction),
        )
        before = [(owner, name, getattr(owner, name)) for owner, name, _ in stand_ins]
        for owner, name, stand_in in stand_ins:
            setattr(owner, name, stand_in)
        try:
            yield
        finally:
            sys.excepthook, threading.excepthook, sys.unraisablehook = kept
            for owner, name, own in before:
                setattr(owner, name, own)

    def _file_to_open(self, _: object, __: str, ___: str = "", kinds: str = "") -> tuple[str, str]:
        ending = _ending(kinds)
        found = sorted(self.folder.rglob(f"*{ending}")) if ending else []
        return (str(self.answers.choice(found)) if found else ""), ""

    def _file_to_save(
        self, _: object, __: str, ___: str = "", kinds: str = "", ____: str = ""
    ) -> tuple[str, str]:
        ending = _ending(kinds)
        name = f"kept{self.answers.randrange(3)}{ending}"
        return (str(self.folder / name) if self.answers.random() < 0.7 else ""), ""

    def _answer(self) -> None:
        """Answer what waits for an answer: a key, a click, in the end Esc."""
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QAbstractButton, QApplication

        popup, modal = QApplication.activePopupWidget(), QApplication.activeModalWidget()
        if popup is not None:
            popup.close()
        elif modal is not None:
            buttons = [b for b in modal.findChildren(QAbstractButton) if b.isVisible()]
            if buttons and self.answers.random() < 0.6:
                QTest.mouseClick(self.answers.choice(buttons), Qt.MouseButton.LeftButton)
            else:
                QTest.keyClick(modal, Qt.Key.Key_Escape)

    def _keep_few(self) -> None:
        """Close windows at random while there are too many."""
        while len(self.application.windows) > _MOST_WINDOWS:
            self._close(self.chance.choice(self.application.windows))

    def _end_long_runs(self) -> None:
        """Cancel what would be solved for minutes and fill the memory."""
        now = time.perf_counter()
        at_work = [
            w for w in self.application.windows if w.bench.run_view.runs.running() is not None
        ]
        if not at_work:
            self._idle = now
        elif now - self._idle > _LONG_S:
            for window in at_work:
                window.bench.run_view.cancel()

    # hands

    def _open_window(self) -> None:
        from app.shell.window import new_window

        new_window(self.application)

    def _window(self) -> Any:
        if not self.application.windows:
            self._open_window()
        return self.application.windows[-1]

    def _seen(self) -> list[Any]:
        """List what can be clicked now, in the front dialog or else in the window."""
        from PySide6.QtWidgets import QApplication, QWidget

        front = QApplication.activeModalWidget() or QApplication.activePopupWidget()
        if front is None:
            mine = self._window()
            others = [
                one
                for one in QApplication.topLevelWidgets()
                if one.isVisible() and one.width() > 20 and one is not mine
            ]
            front = self.chance.choice(others) if others and self.chance.random() < 0.3 else mine
        found = [w for w in front.findChildren(QWidget) if w.isVisible() and w.isEnabled()]
        return found or [front]

    def _place(self, widget: Any) -> Any:
        from PySide6.QtCore import QPoint

        size = widget.size()
        x, y = self.chance.random(), self.chance.random()
        return QPoint(int(x * max(1, size.width())), int(y * max(1, size.height())))

    def _click(self) -> str:
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest

        widget = self.chance.choice(self._seen())
        at, sort = self._place(widget), self.chance.random()
        name = f"click {type(widget).__name__} {widget.objectName()}"
        if sort < 0.85:
            QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at)
        elif sort < 0.95:
            QTest.mouseDClick(widget, Qt.MouseButton.LeftButton, pos=at)
        else:
            QTest.mouseClick(widget, Qt.MouseButton.RightButton, pos=at)
        return name

    def _press(self) -> str:
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QApplication

        plain = ("Tab", "Return", "Escape", "Up", "Down", "Left", "Right", "Delete", "Home", "End")
        letters = ("Z", "Z", "Y", "C", "V", "X", "D", "A", "F", "L", "K", "J", "1", "2")
        key, keys = self.chance.choice(plain), Qt.KeyboardModifier.NoModifier
        if self.chance.random() < 0.5:
            key, keys = self.chance.choice(letters), Qt.KeyboardModifier.ControlModifier
        elif self.chance.random() < 0.2:
            keys = Qt.KeyboardModifier.ShiftModifier
        target = QApplication.focusWidget() or self._window()
        QTest.keyClick(target, Qt.Key[f"Key_{key}"], keys)
        return f"press {key}"

    def _act(self) -> str:
        window = self._window()
        ids = [id_ for id_ in window.menus.entries if id_ != "file.quit"]
        id_ = self.chance.choice(ids)
        window.menus.run(id_)
        return f"act {id_}"

    def _in_scene(self) -> str:
        from PySide6.QtCore import QPoint, QPointF, Qt
        from PySide6.QtGui import QWheelEvent
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QApplication

        view = self._window().bench.viewport
        if not view.isVisible():
            return "no scene"
        start, end = self._place(view), self._place(view)
        sort = self.chance.random()
        if sort < 0.4:
            QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=start)
            return "click in the scene"
        if sort < 0.6:
            turn = QPoint(0, self.chance.choice((-120, 120)))
            none = Qt.KeyboardModifier.NoModifier
            event = QWheelEvent(
                QPointF(start), QPointF(view.mapToGlobal(start)), QPoint(), turn,
                Qt.MouseButton.NoButton, none, Qt.ScrollPhase.NoScrollPhase, False,
            )  # fmt: skip
            QApplication.sendEvent(view, event)
            return "wheel in the scene"
        buttons = (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton)
        button = self.chance.choice(buttons)
        QTest.mousePress(view, button, pos=start)
        for n in range(1, 5):
            QTest.mouseMove(view, start + (end - start) * n / 4)
            QTest.qWait(1)
        QTest.mouseRelease(view, button, pos=end)
        return "drag in the scene"

    def _type(self) -> str:
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QLineEdit

        lines = [w for w in self._seen() if isinstance(w, QLineEdit) and not w.isReadOnly()]
        if not lines:
            return "nothing to type in"
        line = self.chance.choice(lines)
        text = self.chance.choice(
            ("0", "1", "-3.5", "2*25.4 mm", "1e3", "abc", "Ä §", "", "90 deg")
        )
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, text)
        QTest.keyClick(line, Qt.Key.Key_Return)
        return f"type {text!r}"

    def _select(self) -> str:
        window = self._window()
        project = window.bench.document.project
        paths = [
            f"{name}/{one.id}"
            for name in ("segments", "joints", "contacts", "belts", "harnesses", "functions")
            for one in getattr(project, name)
        ]
        if not paths or not window.bench.has_project():
            return "nothing to select"
        path = self.chance.choice(paths)
        window.bench.document.select(path)
        return f"select {path}"

    def _solve(self) -> str:
        from PySide6.QtTest import QTest

        window = self._window()
        window.menus.run("run.run")
        until = time.perf_counter() + _RUN_S
        while window.bench.run_view.runs.running() is not None and time.perf_counter() < until:
            QTest.qWait(20)
        if window.bench.run_view.runs.running() is not None:
            window.bench.run_view.cancel()
        return "solve"

    def _open(self) -> str:
        files = sorted(self.folder.glob("*.json"))
        window = self._window()
        if self.chance.random() < 0.3 or not files:
            window.features["files"].new(
                self.chance.choice(("empty", "seated_occupant", "car", "pendulum"))
            )
            return "new"
        file = self.chance.choice(files)
        window.open_file(file)
        return f"open {file.name}"

    def _prefer(self) -> str:
        from app.preferences import PREFERENCES

        one = self.chance.choice([p for p in PREFERENCES if p.choices or isinstance(p.usual, bool)])
        value = self.chance.choice(one.choices or (True, False))
        self.application.choose(one.name, value)
        return f"prefer {one.name} {value}"

    def _another_window(self) -> str:
        if len(self.application.windows) < _MOST_WINDOWS:
            self._open_window()
            return "another window"
        self._close(self.chance.choice(self.application.windows))
        return "close a window"

    def _close(self, window: Any) -> None:
        window.bench.document.history.setClean()
        window.bench.document.recovered = False
        window.close()


def _ending(kinds: str) -> str:
    """The first ending of a dialog's kinds of files, such as '.json'."""
    found = re.search(r"\*(\.\w+)", kinds)
    return found[1] if found else ""
