"""What asks for the operating system goes the other way with a stand-in, and the page of installing names all such places."""

from __future__ import annotations

import ast
import ctypes
import fcntl
import importlib.util
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

ROOT = Path(__file__).parent.parent.parent
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="stands in for other systems on Linux")


def _asks(file: Path) -> bool:
    asked = {("sys", "platform"), ("os", "name"), ("platform", "system")}
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return any(
        isinstance(n, ast.Attribute)
        and isinstance(n.value, ast.Name)
        and (n.value.id, n.attr) in asked
        for n in nodes
    )


def test_the_page_names_each_place_that_asks_for_the_system() -> None:
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:app|solver|manikin|tools)/[\w/]+\.py)`", page))
    found = {
        file.relative_to(ROOT).as_posix()
        for top in ("app", "solver", "manikin", "tools")
        for file in (ROOT / top).rglob("*.py")
        if _asks(file)
    }
    assert named == found


@LINUX
@pytest.mark.parametrize(
    ("system", "told", "folder"),
    [
        ("win32", {"LOCALAPPDATA": "/there"}, "/there/manikin"),
        ("win32", {"LOCALAPPDATA": ""}, "/there/me/AppData/Local/manikin"),
        ("darwin", {}, "/there/me/Library/Caches/manikin"),
        ("linux", {"XDG_CACHE_HOME": ""}, "/there/me/.cache/manikin"),
        ("linux", {"XDG_CACHE_HOME": "/there"}, "/there/manikin"),
    ],
)
def test_compiled_kernels_lie_where_the_system_keeps_such_things(
    system: str, told: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from solver.base import places

    monkeypatch.setenv("HOME", "/there/me")
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(places, "sys", SimpleNamespace(platform=system))
    assert places.user_cache() == Path(folder)


@LINUX
@pytest.mark.parametrize(
    ("system", "told", "folder"),
    [
        ("win32", {"LOCALAPPDATA": "/there"}, "/there/manikin"),
        ("darwin", {}, "/there/me/Library/Application Support/manikin"),
        ("linux", {"XDG_DATA_HOME": ""}, "/there/me/.local/share/manikin"),
        ("linux", {"XDG_DATA_HOME": "/there"}, "/there/manikin"),
    ],
)
def test_what_is_remembered_lies_where_qt_says(
    system: str, told: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from PySide6.QtCore import QStandardPaths

    from solver.base import places

    monkeypatch.setenv("HOME", "/there/me")
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    if system == "linux":
        where = QStandardPaths.StandardLocation.GenericDataLocation
        assert Path(QStandardPaths.writableLocation(where)) / "manikin" == Path(folder)
    monkeypatch.setattr(places, "sys", SimpleNamespace(platform=system))
    assert places.user_data() == Path(folder)


@LINUX
def test_windows_gives_its_processor_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    from solver.running import warm

    told: list[tuple[int, int]] = []
    kernel = SimpleNamespace(SetPriorityClass=lambda *a: told.append(a))
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    monkeypatch.setattr(warm, "sys", SimpleNamespace(platform="win32"))
    before = os.nice(0)
    warm._step_back()
    assert told == [(-1, 0x4000)]  # this process, BELOW_NORMAL_PRIORITY_CLASS
    assert os.nice(0) == before


class _Windows:
    """Lock one byte of a file for one handle, as Windows does, and remove no file that is open."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        self.places: list[int] = []

    def locking(self, handle: int, mode: int, count: int) -> None:
        assert (mode, count) == (self.LK_NBLCK, 1)
        self.places.append(os.lseek(handle, 0, os.SEEK_CUR))
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@LINUX
def test_a_name_belongs_to_one_run_on_windows_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from solver.results import part

    windows, order = _Windows(), []
    system = SimpleNamespace(**{**vars(os), "name": "nt"})
    system.close = lambda handle: (order.append("closed"), os.close(handle))
    monkeypatch.setattr(part, "os", system)
    monkeypatch.setattr(part, "msvcrt", windows, raising=False)
    first = part.Claim(tmp_path / "run.h5")
    with pytest.raises(part.Taken):
        part.Claim(tmp_path / "run.h5")
    # the byte that is locked lies beyond all that is read and written
    assert windows.places == [2**40, 2**40]
    unlink = Path.unlink
    monkeypatch.setattr(
        Path, "unlink", lambda self, **k: (order.append("removed"), unlink(self, **k))
    )
    order.clear()
    first.release()
    assert order == ["closed", "removed"]
    part.Claim(tmp_path / "run.h5").release()


@LINUX
def test_other_systems_always_have_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    from app import front_door

    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert not front_door._display()
    for system in ("win32", "darwin"):
        monkeypatch.setattr(front_door, "sys", SimpleNamespace(platform=system))
        assert front_door._display()


@LINUX
def test_only_glibc_is_asked_for_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    from app import memory

    found = memory._library.__wrapped__
    monkeypatch.setattr(memory, "sys", SimpleNamespace(platform="darwin"))
    assert found() is None


@LINUX
def test_only_linux_offers_to_draw_by_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    def offered() -> set[str]:
        spec = importlib.util.spec_from_file_location("elsewhere", ROOT / "app" / "preferences.py")
        assert spec is not None
        assert spec.loader is not None
        made: Any = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "elsewhere", made)
        spec.loader.exec_module(made)
        return {one.name for one in made.PREFERENCES}

    here = offered()
    assert "by_processor" in here
    monkeypatch.setattr(sys, "platform", "win32")
    assert offered() == here - {"by_processor"}


@LINUX
def test_other_systems_lack_no_library_and_draw_without_egl(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import vtkmodules.vtkRenderingCore as core
    import vtkmodules.vtkRenderingOpenGL2 as backend

    from app.scene import graphics

    made: list[str] = []

    def window(kind: str) -> Any:
        made.append(kind)
        return MagicMock()

    monkeypatch.setattr(backend, "vtkEGLRenderWindow", lambda: window("EGL"))
    monkeypatch.setattr(core, "vtkRenderWindow", lambda: window("the system's"))
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr(graphics, "_LIBRARIES", {"libnone.so.9": "none"})
    assert graphics._missing() == ["libnone.so.9"]
    graphics.off_screen_window()
    monkeypatch.setattr(graphics, "sys", SimpleNamespace(platform="darwin"))
    assert graphics._missing() == []
    graphics.off_screen_window()
    assert made == ["EGL", "the system's"]
