"""The front door tells commands from files, and never shows a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app.front_door import main

ROOT = Path(__file__).parent.parent


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
