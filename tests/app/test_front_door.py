"""The front door tells commands from files, and never shows a traceback."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.front_door import main

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


def test_a_misspelt_command_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chek"]) == 2
    assert "Did you mean 'check'?" in capsys.readouterr().err


def test_two_words_are_no_project(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["a.json", "b.json"]) == 2
    assert "one project" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a display")
@pytest.mark.usefixtures("no_display")
@pytest.mark.parametrize("words", [[], ["sled.json"]])
def test_without_a_display_the_commands_are_named(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert main(words) == 2
    err = capsys.readouterr().err
    assert "no display" in err
    assert "check" in err
    assert len(err.splitlines()) == 1


def test_commands_are_passed_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["samples"]) == 0
    assert "sled" in capsys.readouterr().out
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("manikin ")


def test_a_command_in_a_process_of_its_own_seldom_looks_for_rubbish(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = gc.get_threshold()
    assert main(["samples"]) == 0
    assert gc.get_threshold() == usual, "the process is anyone who's calls it"
    monkeypatch.setattr(sys, "argv", ["manikin", "samples"])
    try:
        assert main() == 0
        assert gc.get_threshold()[0] > 100 * usual[0]
    finally:
        gc.set_threshold(*usual)
    assert "sled" in capsys.readouterr().out


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a display")
@pytest.mark.usefixtures("no_display")
def test_a_window_looks_for_rubbish_as_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = gc.get_threshold()
    monkeypatch.setattr(sys, "argv", ["manikin"])
    try:
        assert main() == 2
        assert gc.get_threshold() == usual
    finally:
        gc.set_threshold(*usual)


OPENING = """
import builtins, sys, types
from app.front_door import main
before = builtins.__import__
sys.modules["app.shell.opening"] = types.SimpleNamespace(open_window=lambda path: 0)
print(main([]), "PySide6.QtCore" in sys.modules, builtins.__import__ is before)
"""


def test_the_window_is_imported_without_the_watch_of_qt() -> None:
    done = subprocess.run(
        [sys.executable, "-c", OPENING],
        cwd=ROOT, capture_output=True, text=True, check=True,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    assert done.stdout.split() == ["0", "True", "True"]


def test_main_py_is_the_same_door() -> None:
    done = subprocess.run(
        [sys.executable, "main.py", "check", "none.json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == "error: There is no file 'none.json'. [file-missing]\n"
