"""What becomes of a study's file where two want it, where the disk is full, where bits flip, where it was made by hand."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

import manikin as mk
from solver.cli import main
from solver.studies import Progress, StudyError, open_study
from solver.studies import file as files
from solver.studies import file as journal
from solver.studies.file import is_study, kind_of, read_study
from tests.exploring import SEED
from tests.studies.test_studies_run import ROOT, same, sampled

COLUMNS = ("inputs", "outputs", "status", "phase", "test", "seconds", "curves", "residuals")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hold a finished study, and the same while it ran, with half of its rows."""
    folder = tmp_path_factory.mktemp("studies")

    def tell(progress: Progress) -> None:
        if progress.done == 3:
            shutil.copy(folder / "whole.h5", folder / "half.h5")

    mk.study(sampled(), "it", folder / "whole.h5", workers=0, progress=tell)
    return folder


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def test_two_studies_do_not_write_one_file(tmp_path: Path) -> None:
    """Neither beside one that begins, nor going on with one that is being written."""
    file, told = tmp_path / "it.h5", list[str]()

    def tell(progress: Progress) -> None:
        for resume in (False, True) if progress.done == 2 else ():
            with pytest.raises(StudyError) as refused:
                mk.study(sampled(), "it", file, workers=0, resume=resume)
            told.append(str(refused.value))

    found = mk.study(sampled(), "it", file, workers=0, progress=tell)
    assert len(told) == 2
    assert all("is being written by another study" in one for one in told)
    assert same(open_study(file), found)
    assert names(tmp_path) == ["it.h5"]


def test_what_somebody_else_puts_in_its_place_stays(tmp_path: Path) -> None:
    file = tmp_path / "it.h5"

    def tell(progress: Progress) -> None:
        if progress.done == 3 and read_study(file).state == "running":
            file.unlink()
            file.write_text("of somebody else")

    with pytest.raises(StudyError, match="was changed by somebody else") as refused:
        mk.study(sampled(), "it", file, workers=0, progress=tell)
    assert file.read_text() == "of somebody else"
    (other,) = set(tmp_path.iterdir()) - {file}
    assert other.name in str(refused.value)
    assert open_study(other).status == "completed"


FULL = """
import resource, sys
from pathlib import Path
sys.dont_write_bytecode = True
import manikin as mk
from solver.studies import StudyError
from solver.base.atomic import discard
from tests.studies.test_studies_run import sampled
folder = Path(sys.argv[1])
def limit(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
def study(name, size, when, **more):
    def tell(progress):
        if progress.done == when:
            limit(size)
    try:
        mk.study(sampled(), "it", folder / name, workers=0, progress=tell, **more)
        print(name, "done")
    except StudyError as failure:
        print(name, failure)
    limit(resource.RLIM_INFINITY)
    print(*sorted(one.name for one in folder.iterdir()), flush=True)
limit(300)
study("start.h5", 300, -1)
study("middle.h5", 100, 2)
study("end.h5", 2000, 6)
print(open(folder / "end.h5", "rb").read(7))
study("end.h5", 2**40, -1, resume=True)
study("middle.h5", 2**40, -1, resume=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on file sizes")
def test_a_full_disk_is_a_sentence_and_the_study_goes_on_later(
    tmp_path: Path, folder: Path
) -> None:
    """At the start nothing is left, later all that came before; nothing ends the process by a signal."""
    done = subprocess.run([sys.executable, "-c", FULL, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False, timeout=200)  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.replace(str(tmp_path), "").splitlines()
    assert lines[:2] == ["start.h5 '/start.h5' cannot be written: File too large.", ""]
    why = "cannot be written: File too large. What came before is kept in it: make room, then go on with --resume."  # fmt: skip
    assert lines[2:4] == [f"middle.h5 '/middle.h5' {why}", "middle.h5"]
    assert lines[4:7] == [f"end.h5 '/end.h5' {why}", "end.h5 middle.h5", "b'Manikin'"]
    assert lines[7:] == ["end.h5 done", "end.h5 middle.h5", "middle.h5 done", "end.h5 middle.h5"]
    for name in ("middle.h5", "end.h5"):
        assert same(open_study(tmp_path / name), open_study(folder / "whole.h5"))


@pytest.mark.seeded
@pytest.mark.parametrize("name", ["whole.h5", "half.h5"])
def test_a_flipped_bit_is_never_a_number(folder: Path, name: str, tmp_path: Path) -> None:
    """The file is refused, or says what it said; of one that is being written rows may be missing at its end."""
    rng, data = np.random.default_rng(SEED), (folder / name).read_bytes()
    true, file, refused = read_study(folder / name), tmp_path / "flipped.h5", 0
    for _ in range(150):
        flipped = bytearray(data)
        flipped[int(rng.integers(len(data)))] ^= 1 << int(rng.integers(8))
        file.write_bytes(flipped)
        try:
            read = read_study(file)
        except StudyError:
            refused += 1
            continue
        assert (read.head, read.state, read.answers) == (true.head, true.state, true.answers)
        n = len(read.rows)
        back = read.rows.status > 0
        assert name == "half.h5" or n == len(true.rows)
        for column in COLUMNS:
            mine, theirs = getattr(read.rows, column), getattr(true.rows, column)[:n]
            if column in journal._FOUND:
                assert not (read.rows.status[~back] != 0).any()
                mine, theirs = mine[back], theirs[back]
            assert mine.tobytes() == theirs.tobytes(), column
        assert [m for m, b in zip(read.rows.messages, back, strict=True) if b] == [m for m, b in zip(true.rows.messages, back, strict=False) if b]  # fmt: skip
    assert refused > 20


def test_a_study_of_an_older_version_is_read(folder: Path, tmp_path: Path) -> None:
    """Version 1: no checksums, the state in a dataset, messages packed."""
    file, whole = tmp_path / "old.h5", read_study(folder / "whole.h5")
    with h5py.File(file, "w") as old:
        told = files._as_data(whole.head)
        for key, value in (told | {"format": "manikin-study", "format_version": 1}).items():
            old.attrs[key] = value
        old["project"] = np.frombuffer(whole.head.project, np.uint8)
        old["state"] = np.array([1], "i1")
        for column in COLUMNS[:-1]:
            old[f"rows/{column}"] = getattr(whole.rows, column)
        old.create_dataset("rows/message", data=np.array([b""] * 6, "S600"), compression="gzip")
        old["answers"] = np.frombuffer(json.dumps(whole.answers).encode(), np.uint8)
    read = open_study(file)
    assert read.status == "completed"
    assert same(read, open_study(folder / "whole.h5"))
    assert read.answers == whole.answers
    more = sampled(8)
    assert len(mk.study(more, "it", file, workers=0, resume=True).rows) == 8
    with h5py.File(file) as new:
        assert new.attrs["format_version"] == 2


def _attribute(name: str, value: object) -> Callable[[Any], None]:
    def change(file: Any) -> None:
        file.attrs[name] = value

    return change


def _column(name: str, change: Callable[[Any], Any]) -> Callable[[Any], None]:
    def changed(file: Any) -> None:
        values = change(file[name][()])
        del file[name]
        file[name] = values

    return changed


def _layout(**more: Any) -> Callable[[Any], None]:
    def change(file: Any) -> None:
        file.attrs["layout"] = json.dumps(json.loads(file.attrs["layout"]) | more)

    return change


def _resized(file: Any) -> None:
    del file["rows/curves"]
    file.create_dataset("rows/curves", (10**7, 1, 201), "f8", chunks=(4, 1, 201))


CRAFTED: tuple[Callable[[Any], None], ...] = (
    _attribute("format_version", 7),
    _attribute("seed", np.zeros(3)),
    _attribute("study", "another"),
    _attribute("versions", "[]"),
    _attribute("layout", "{"),
    _attribute("layout", "[" * 50_000),
    _layout(parameters=["k"]),
    _layout(responses=5),
    _layout(residuals=10**15),
    _layout(residuals=-1),
    _layout(tests=[]),
    _layout(durations=["a"]),
    _layout(curves=["place_x", "place_y"], curve_units=["m", "m"]),
    _column("project", lambda _: np.frombuffer(b"[]", np.uint8)),
    _column("project", lambda _: np.frombuffer(b"\xff\xfe", np.uint8)),
    _column("answers", lambda _: np.frombuffer(b"5", np.uint8)),
    _column("answers", lambda _: np.frombuffer(b"{}", np.uint8)),
    _column("answers", lambda _: np.frombuffer(b'{"kind": 5, "responses": 3}', np.uint8)),
    _column("answers", lambda _: np.frombuffer(b'{"kind": "sample", "best": [99], "responses": {"force": {}}}', np.uint8)),
    _column("rows/status", lambda old: old + 40),
    _column("rows/phase", lambda old: old - 40),
    _column("rows/test", lambda old: old + 4),
    _column("rows/inputs", lambda old: old[:-1]),
    _column("rows/inputs", lambda old: old * np.nan),
    _column("rows/outputs", lambda old: old[:, 0]),
    _column("rows/outputs", lambda old: old.astype("S8")),
    _column("rows/message", lambda old: np.zeros(len(old))),
    _column("rows/message", lambda old: old[:-1]),
    _column("rows/seconds", lambda old: old[None]),
    _resized,
)  # fmt: skip


def _answers(folder: Path) -> Any:
    with h5py.File(folder / "whole.h5") as file:
        return file["answers"][:]


@pytest.mark.parametrize("number", range(len(CRAFTED)))
def test_a_crafted_file_ends_in_a_sentence(
    folder: Path, number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command ends with 1, never with a fault of the program; answers that the table gives are not read."""
    file = tmp_path / "crafted.study.h5"
    shutil.copy(folder / "whole.h5", file)
    with h5py.File(file, "r+") as opened:
        del opened.attrs["checksum"]
        opened.attrs["format_version"] = 1
        opened["state"] = np.array([1], "i1")
        CRAFTED[number](opened)
        answers = bytes(opened["answers"][:])
    if answers.startswith(b"{") and answers != bytes(_answers(folder)):
        assert main(["study", str(file)]) == 0
        assert open_study(file).answers == open_study(folder / "whole.h5").answers
        return
    assert main(["study", str(file)]) == 1
    err = capsys.readouterr().err
    assert err.startswith("error: ")
    assert len(err.splitlines()) == 1
    assert is_study(file)


def test_a_journal_that_promises_too_much_is_refused(folder: Path, tmp_path: Path) -> None:
    """7,000 curves of 5,000 runs that are only asked for are 56 GB in 150 kB."""
    file, half = tmp_path / "it.h5", read_study(folder / "half.h5")
    told = files._as_data(half.head) | {"project": half.head.project.decode()}
    curves = ["a"] * 7_000
    told["layout"] = json.dumps(json.loads(told["layout"]) | {"curves": curves, "curve_units": curves})  # fmt: skip
    records = journal.Growing(file, journal.MAGIC)
    records.add(json.dumps(told).encode())
    text = b'{"asked": 5000}'
    records.add(len(text).to_bytes(8, "little"), text, bytes(5_000 * 19))
    records.close()
    with pytest.raises(StudyError, match="promises more"):
        read_study(file)


def test_what_is_no_study_is_told(folder: Path, tmp_path: Path) -> None:
    assert kind_of(folder / "half.h5") == kind_of(folder / "whole.h5") == "study"
    (tmp_path / "other.h5").write_bytes(b"no study")
    assert not is_study(tmp_path / "other.h5")
    (tmp_path / "bad.study.h5").write_bytes((folder / "whole.h5").read_bytes()[:96])
    assert is_study(tmp_path / "bad.study.h5")
    with h5py.File(tmp_path / "open.h5", "w", libver="latest") as file:
        file.swmr_mode = True
        file.flush()
        shutil.copy(tmp_path / "open.h5", tmp_path / "killed.h5")
    with pytest.raises(StudyError, match="was left by a study of an older version"):
        read_study(tmp_path / "killed.h5")
    shutil.copy(folder / "whole.h5", tmp_path / "new.h5")
    with h5py.File(tmp_path / "new.h5", "r+") as file:
        file.attrs["format_version"] = 3
    with pytest.raises(StudyError, match="is of a newer version of Manikin"):
        read_study(tmp_path / "new.h5")
