"""Unsaved work outlives a crash: a killed process loses a few seconds at most."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from app.document import Document
from app.recovery import Recovery, left_behind, recover
from app.settings import Settings
from solver.project import to_json, validated
from solver.project.changes import value_at
from tests.window.seated import seated

PROGRAM = """
import sys
from PySide6.QtCore import QCoreApplication, QTimer
from app.document import Document
from app.recovery import Recovery
from pathlib import Path

application = QCoreApplication([])
document = Document()
document.open(Path(sys.argv[1]))
recovery = Recovery(document, every_ms=100)
document.edit("segments/head/mass_kg", 7.25, "mass")
QTimer.singleShot(0, lambda: print("edited", flush=True))
application.exec()
"""


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_a_killed_program_leaves_its_work(seated_file: Path, remembered: Path, qtbot: Any) -> None:
    before = seated_file.read_bytes()
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(seated_file)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert program.stdout is not None
        assert program.stdout.readline().strip() == "edited"
        folder = remembered / "recovery"
        qtbot.waitUntil(lambda: any(folder.glob("*.json")), timeout=20_000)
        assert left_behind() == [], "a program that runs keeps its own work"
    finally:
        program.send_signal(signal.SIGKILL)
        program.communicate()
    found = left_behind()
    assert len(found) == 1
    assert found[0].file == seated_file.resolve()
    document = Document()
    recover(found[0], document)
    assert value_at(document.project, "segments/head/mass_kg") == 7.25
    assert document.has_unsaved_work
    assert document.path == seated_file.resolve()
    assert seated_file.read_bytes() == before
    assert left_behind() == []
    document.close()


def test_work_is_kept_every_few_seconds_and_forgotten_once_saved(
    tmp_path: Path, qtbot: Any
) -> None:
    from app.recovery import EVERY_MS

    assert EVERY_MS <= 8000, "with the time to write, less than ten seconds are lost"
    document = Document()
    document.adopt(validated(seated()))
    recovery = Recovery(document, every_ms=50)
    for _ in range(2):
        with qtbot.waitSignal(recovery._timer.timeout, timeout=20_000):
            pass
    assert recovery._writing is None, "nothing to keep"
    document.edit("segments/head/mass_kg", 6.0, "mass")
    qtbot.waitUntil(recovery.place.exists, timeout=20_000)
    document.save(tmp_path / "model.json")
    qtbot.waitUntil(lambda: not recovery.place.exists(), timeout=20_000)
    document.edit("segments/head/mass_kg", 6.5, "mass")
    qtbot.waitUntil(recovery.place.exists, timeout=20_000)
    recovery.close()
    assert not recovery.place.exists()
    document.close()


def test_the_window_offers_what_was_left(window: Any, remembered: Path, qtbot: Any) -> None:
    import json

    place = remembered / "recovery" / "1-1-1.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    project = validated(seated())
    data = {"format": "manikin-recovery", "file": None, "title": project.title,
            "when": time.time(), "project": to_json(project)}  # fmt: skip
    place.write_text(json.dumps(data), encoding="utf-8")
    window.bench.begun.emit()
    assert window.notice.isVisible()
    assert "Nothing is lost" in window.notice.words.text()
    window.notice.buttons[0].click()
    assert window.bench.has_project()
    assert window.bench.document.project == project
    assert window.isWindowModified()
    assert not place.exists()


def test_a_torn_recovery_file_does_not_stand_in_the_way(remembered: Path) -> None:
    folder = remembered / "recovery"
    folder.mkdir(parents=True)
    (folder / "2-2-2.json").write_text('{"format": "manikin-rec', encoding="utf-8")
    assert left_behind() == []


def test_settings_are_remembered_and_forgive_nonsense(tmp_path: Path) -> None:
    first = Settings(tmp_path)
    first.keep("units", "inch_pound")
    file = tmp_path / "a.json"
    file.write_text("{}", encoding="utf-8")
    first.add_recent(file)
    first.add_recent(tmp_path / "gone.json")
    second = Settings(tmp_path)
    assert second.units == "inch_pound"
    assert second.recent == [file.resolve()]
    text = (tmp_path / "settings.ini").read_text(encoding="utf-8")
    (tmp_path / "settings.ini").write_text(text.replace("inch_pound", "furlongs"))
    assert Settings(tmp_path).units == "metric"
