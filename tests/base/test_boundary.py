"""Whatever is raised ends a command in a sentence, a report that can be sent, and exit code 3."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import manikin as mk
from app.front_door import main as front_door
from solver.base import boundary
from solver.base.places import samples
from solver.cli import COMMANDS, main, parser
from solver.results import open_results
from solver.studies import open_study
from tests.studying import STIFF, WAY, block

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
    monkeypatch.setattr("solver.cli.project_commands._samples", handler)
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
    monkeypatch.setattr("solver.cli.project_commands._samples", lambda _: forgets())
    assert main(["samples"]) == 3
    err = capsys.readouterr().err
    assert err.startswith("error: The program has a fault (KeyError: 'haed').")
    assert "forgets" in err


def test_old_reports_go(reports: Path) -> None:
    for number in range(boundary.KEPT + 5):
        boundary.failure(ValueError(str(number)))
    assert len(list(reports.iterdir())) == boundary.KEPT


ENDED = """
import signal, sys
from pathlib import Path
import solver.base.boundary
from solver.cli import main, project_commands, study_commands
from solver.results import ResultsWriter
from solver.studies.file import StudyWriter
solver.base.boundary.user_cache = lambda: Path(sys.argv[1]) / "cache"
done = []
def tell(self, progress):
    far = progress > 0.3 if isinstance(progress, float) else progress.done == 2
    if far and not done:
        done.append(1)
        signal.raise_signal(number)
def again(completes):
    def twice(*given):
        signal.raise_signal(number)
        return completes(*given)
    return twice
ResultsWriter.finish, StudyWriter.seal = again(ResultsWriter.finish), again(StudyWriter.seal)
project_commands.Bar.__call__ = study_commands.ProgressLine.__call__ = tell
for name in sys.argv[2:]:
    folder, number = Path(sys.argv[1]) / name, getattr(signal, name)
    signal.signal(number, signal.SIG_DFL)
    done.clear()
    print(main(["run", str(folder / "pendulum.json"), "-o", str(folder / "run.h5")]))
    done.clear()
    print(main(["study", str(folder / "block.json"), "-o", str(folder / "study.h5"), "--workers", "0"]))
    print(signal.getsignal(number) is signal.SIG_DFL)
"""

SIGNALS = {"SIGTERM": 143, "SIGHUP": 129}


@pytest.mark.skipif(os.name == "nt", reason="signals of other systems")
def test_who_is_asked_to_end_completes_the_file(tmp_path: Path) -> None:
    """A run and a study; a second signal, that comes while the file is completed, does not break that off."""
    model = mk.sample("double_pendulum").until(20.0)
    study = {"kind": "sample", "runs": 4, "parameters": [STIFF], "responses": [WAY]}
    for name in SIGNALS:
        (tmp_path / name).mkdir()
        model.save(tmp_path / name / "pendulum.json")
        block().add_study("it", **study).save(tmp_path / name / "block.json")
    done = subprocess.run(
        [sys.executable, "-c", ENDED, str(tmp_path), *SIGNALS], capture_output=True, text=True, check=False, timeout=200
    )  # fmt: skip
    assert done.stdout.split() == [
        word for code in SIGNALS.values() for word in (str(code), str(code), "True")
    ], done.stderr
    told = [line for line in done.stderr.splitlines() if line.startswith("It was ended")]
    assert told == [f"It was ended from outside (signal {name})." for name in SIGNALS for _ in "12"]
    for name in SIGNALS:
        folder = tmp_path / name
        with open_results(folder / "run.h5") as run:
            assert run.status == "cancelled"
            assert name in run.message
            assert 0.0 < run.time[-1] < 20.0
            assert run.checkpoints()[-1][0] >= run.time[-1]
        found = open_study(folder / "study.h5")
        assert found.status == "cancelled"
        assert (found.rows.status == 1).sum() == 2
        names = {one.name for one in folder.iterdir()}
        assert names == {"pendulum.json", "block.json", "run.h5", "study.h5"}
