"""What several tests share: a display, cases that stay the same, a small results file."""

from __future__ import annotations

import faulthandler
import gc
import gettext
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.memory import kept_for_good
from app.quick_qt import load_qt
from solver.base import words
from solver.results import InjuryValue, ResultsWriter
from tests import solved
from tests.exploring import choose_profile
from tests.made_up_run import CHANNELS, IDS, NAMES, PROJECT, write_run
from tools.display import open_display
from tools.words import MADE_UP, write_made_up

load_qt()
from tests.window.waiting import collect  # noqa: E402  it asks Qt for its parts

choose_profile()
_end_display = open_display()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let a worker that dies leave where each of its threads was; what it writes to its error stream is lost."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is not None:
        faulthandler.enable(_last_words(os.environ["PYTEST_XDIST_TESTRUNUID"], worker).open("w"))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Say how a worker died: less than zero is a signal, 1 may be a display that was lost."""
    words = _last_words(node.workerinput["testrunuid"], node.gateway.id)
    if error:
        code = node.gateway._io.popen.wait(10)
        trace = words.read_text() if words.exists() else ""
        DIED.append(f"{node.gateway.id} ended with {code}\n{trace}")
    words.unlink(missing_ok=True)


DIED: list[str] = []
"""What the workers that died have left; told at the end, where a reader of the last lines finds it."""


def _last_words(run: str, worker: str) -> Path:
    return Path(tempfile.gettempdir()) / f"last-words-{run}-{worker}"


def pytest_unconfigure() -> None:
    # pytest looks for garbage five times behind this: what is left is looked through once
    gc.collect()
    gc.freeze()
    _end_display()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage while tests are collected: all of it stays, and a fifth of the time went into that.

    Of the workers of a suite one is first, as it compiles what all of them read.
    """
    with kept_for_good(), _behind_the_first():
        return (yield)


@contextmanager
def _behind_the_first() -> Iterator[None]:
    if os.name != "posix" or "PYTEST_XDIST_WORKER" not in os.environ:
        yield
        return
    import fcntl

    lock = Path(tempfile.gettempdir()) / f"first-{os.environ['PYTEST_XDIST_TESTRUNUID']}"
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(file, fcntl.LOCK_SH)
        yield
    lock.unlink(missing_ok=True)


DEAREST = 10


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in which files the time of a suite went, with their set-up, and what those together take of all."""
    for told in DIED:
        terminalreporter.section("a worker died")
        terminalreporter.write_line(told)
    spent = Counter[str]()
    for reports in terminalreporter.stats.values():
        for one in reports:
            if isinstance(one, pytest.TestReport):
                spent[one.nodeid.partition("::")[0]] += one.duration
    if len(spent) <= DEAREST:
        return
    dearest, total = spent.most_common(DEAREST), sum(spent.values())
    terminalreporter.section("dearest files")
    for file, seconds in dearest:
        terminalreporter.write_line(f"{seconds:8.1f} s  {file}")
    of_these = sum(seconds for _, seconds in dearest)
    terminalreporter.write_line(f"{of_these:8.1f} s of {total:.1f} s in all {len(spent)} files")


@pytest.fixture(scope="module", autouse=True)
def garbage() -> None:
    """Look for garbage only among what a module's tests made: all of it together is millions of objects."""
    collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let the processes of a suite solve each sample once."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        solved.shared = tmp_path_factory.getbasetemp().parent


@pytest.fixture(scope="session")
def made_up_folder(shared_folder: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the made-up language, once for all processes of a suite: all of the program is read for it."""
    folder = solved.shared or tmp_path_factory.mktemp("made_up")
    return solved.once("made_up", lambda: write_made_up(folder / "locale"))


@pytest.fixture
def made_up(
    made_up_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """Let the program speak the made-up language; give a folder for files."""
    monkeypatch.setenv(words.LANGUAGE, MADE_UP)
    monkeypatch.setenv(words.LOCALES, str(made_up_folder))
    monkeypatch.setenv("LANGUAGE", "")
    before = gettext.textdomain()
    words.catalogue.cache_clear()
    yield tmp_path
    words.catalogue.cache_clear()
    gettext.textdomain(before)


@pytest.fixture(scope="session")
def written_results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a completed results file of 600 frames, to be copied."""
    folder = tmp_path_factory.mktemp("results")
    with ResultsWriter(folder / "run.h5", IDS, CHANNELS, PROJECT, "0.1.0", names=NAMES) as writer:
        write_run(writer, 600)
        writer.checkpoint(0.1, b"one")
        writer.checkpoint(0.2, b"another")
        writer.log("started")
        writer.log("Kopf trifft Polster")
        value = InjuryValue("HIC15", 412.5, "1", 0.061, 0.076, "head_resultant", 1000)
        writer.finish("completed", "", [value])
    return folder / "run.h5"


@pytest.fixture
def results_file(written_results: Path, tmp_path: Path) -> Path:
    """Give the path of a completed results file of 600 frames."""
    folder = tmp_path / "results"
    folder.mkdir()
    return Path(shutil.copy2(written_results, folder))
