"""Whatever is raised ends a command in a sentence, a report that can be sent, and exit code 3."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from app.front_door import main as front_door
from solver import boundary
from solver.cli import COMMANDS, main, parser
from solver.places import samples

SLED = str(samples() / "sled.json")


@pytest.fixture(autouse=True)
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep reports in a folder of the test."""
    monkeypatch.setattr(boundary, "user_cache", lambda: tmp_path / "cache")
    return tmp_path / "cache" / "reports"


def full() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/data/out.csv")


def forgets() -> None:
    raise KeyError("haed")


def fills_the_memory() -> None:
    raise MemoryError


def goes_too_deep() -> None:
    goes_too_deep()


def falls_in_a_thread() -> None:
    thread = threading.Thread(target=forgets)
    thread.start()
    thread.join()


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (full, "'/data/out.csv': the disk is full."),
        (forgets, "The program has a fault (KeyError: 'haed')."),
        (fills_the_memory, "not enough memory"),
        (goes_too_deep, "nested too deeply"),
        (falls_in_a_thread, "The program has a fault (KeyError: 'haed')."),
    ],
)
@pytest.mark.parametrize("door", [main, front_door])
def test_every_fault_is_a_sentence_with_a_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], reports: Path,
    fault: Any, words: str, door: Any,
) -> None:  # fmt: skip
    def handler(_: Any) -> int:
        fault()
        return 0

    before = threading.excepthook
    monkeypatch.setattr("solver.cli.file_commands._samples", handler)
    assert door(["samples"]) == boundary.FAILED == 3
    assert threading.excepthook is before
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert len(err.splitlines()) == 1
    assert "Traceback" not in err
    (file,) = reports.iterdir()
    assert str(file) in err
    text = file.read_text()
    assert "manikin samples" in text
    assert fault.__name__ in text or "forgets" in text
    assert str(Path.home()) + "/" not in text


def test_every_command_is_within_the_boundary(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The handler of each command is called by the same line."""

    def parsed(_: Any, words: list[str]) -> Any:
        return type("Arguments", (), {"command": words[0], "handler": lambda _: forgets()})

    monkeypatch.setattr(type(parser()), "parse_args", parsed)
    for name in COMMANDS:
        assert main([name]) == 3, name
        assert "KeyError" in capsys.readouterr().err


def test_without_room_for_the_report_it_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    monkeypatch.setattr("solver.cli.file_commands._samples", lambda _: forgets())
    assert main(["samples"]) == 3
    err = capsys.readouterr().err
    assert err.startswith("error: The program has a fault (KeyError: 'haed').")
    assert "forgets" in err


def test_old_reports_go(reports: Path) -> None:
    for number in range(boundary.KEPT + 5):
        boundary.failure(ValueError(str(number)))
    assert len(list(reports.iterdir())) == boundary.KEPT
