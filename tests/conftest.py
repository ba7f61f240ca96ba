"""What several tests share: a display, cases that stay the same, a small results file."""

from __future__ import annotations

import gc
import gettext
import itertools
from collections.abc import Iterator
from pathlib import Path
from shutil import copy2

import numpy as np
import pytest

from solver import words
from solver.results import ChannelSpec, InjuryValue, ResultsWriter
from solver.results.events import Event
from solver.results.layout import FRAME_GROUPS
from solver.results.trajectory import Frame, rows_of, value_shape
from tests.exploring import choose_profile
from tools.display import open_display
from tools.words import MADE_UP, write_made_up

choose_profile()
_end_display = open_display()


def pytest_unconfigure() -> None:
    _end_display()


MODULES = itertools.count()


@pytest.fixture(scope="module", autouse=True)
def garbage() -> None:
    """Look for garbage only among what a module's tests made, now and then among all: these are millions of objects."""
    if next(MODULES) % 10 == 0:
        gc.unfreeze()
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def made_up_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the made-up language."""
    return write_made_up(tmp_path_factory.mktemp("locale"))


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


IDS = {
    "segments": ("head", "neck", "Rücken"),
    "joints": ("nod",),
    "contacts": ("head-panel", "neck-panel"),
    "energy": (),
}
CHANNELS = (
    ChannelSpec("head_resultant", "m/s2", "acceleration", "head", "resultant", 1000),
    ChannelSpec("neck_x", "m", "position", "neck", "x"),
)
LONG = "Kopf-auf-Ärmel-" + "ß" * 60
"""An id of letters beyond ASCII, as long as it may be."""

NAMES = (f"contacts/{LONG}", f"harnesses/{LONG}/{LONG}", "segments/head")
EVENTS = (
    Event(3e-3, "contact_touches", NAMES[:1]),
    Event(3e-3, "retractor_locks", NAMES[1:2]),
    Event(5e-3, "airbag_vents", NAMES[2:], (1.0,)),
    Event(6e-3, "speeds_corrected"),
    Event(6e-3, "told", NAMES[:1]),
    Event(6e-3, "goes_too_deep", NAMES[1:3]),
)
PROJECT = '{\n  "format": "manikin-project",\n  "title": "Rücken"\n}\n'.encode()


def frame_at(number: int) -> Frame:
    """Give a frame whose every value is told by its number, group, column and place."""
    frame: dict[str, dict[str, np.ndarray]] = {}
    for group in IDS:
        frame[group] = {}
        for place, (name, column) in enumerate(FRAME_GROUPS[group].columns.items()):
            shape = value_shape(column, rows_of(group, IDS))
            values = np.arange(np.prod(shape, dtype=int)).reshape(shape) + 100 * place
            integer = np.dtype(column.dtype).kind == "i"
            frame[group][name] = values % 100 if integer else values + 0.001 * number
    return frame


def write_run(writer: ResultsWriter, frames: int) -> None:
    """Write frames, steps and samples of a made-up run."""
    for number in range(frames):
        writer.frame(1e-3 * number, frame_at(number))
        writer.step(time=1e-3 * number, step=1e-3, evaluations=6 * number, rejected=0)
    writer.events(EVENTS)
    time = np.arange(10 * frames) * 1e-4
    for start in range(0, len(time), 64):
        part = time[start : start + 64]
        writer.samples("head_resultant", part, 10.0 * np.sin(100.0 * part))
        writer.samples("neck_x", part, part**2)


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
    return Path(copy2(written_results, folder))
