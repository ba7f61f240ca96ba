"""A crash, a full disk or another run loses little of a run, and never the wrong thing."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.results import ResultsError, ResultsWriter, open_results, part, parts_of, salvage
from tests.exploring import SEED
from tests.forks import Forks
from tests.made_up_run import CHANNELS, IDS, NAMES, PROJECT, frame_at, write_run
from tests.results.crafted_parts import crafted, put_together, records
from tests.results.results_refusals import refused

ROOT = Path(__file__).parent.parent.parent


def begun(file: Path, frames: int = 0) -> ResultsWriter:
    """Begin a run and let it get so far."""
    writer = ResultsWriter(file, IDS, CHANNELS, PROJECT, "1")
    for number in range(frames):
        writer.frame(1e-3 * number, frame_at(number))
    return writer


def left(file: Path, frames: int) -> Path:
    """Give the part of a run that was killed after so many frames."""
    writer = begun(file, frames)
    writer._save()
    writer._let_go()
    return writer.part


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every frame be written as soon as it comes."""
    monkeypatch.setattr(part, "SOONEST", 0.0)
    monkeypatch.setattr(part, "PAUSE", 0.0)


@pytest.mark.seeded
def test_crafted_parts_end_in_a_sentence_or_are_saved(tmp_path: Path) -> None:
    """Every record has its checksum, and says something else: names, shapes, counts, kinds."""
    whole = left(tmp_path / "run.h5", 20)
    bad, out = tmp_path / "bad.part", tmp_path / "out.h5"
    saved = 0
    for seed in (*range(SEED, SEED + 60), 92, 393, 396):
        crafted(whole, bad, seed)
        with contextlib.suppress(ResultsError):
            salvage(bad, out)
            saved += 1
            with open_results(out) as run:
                for name in run.channel_names:
                    run.channel(name)
                for group in run.groups:
                    run.table(group)
        out.unlink(missing_ok=True)
        assert set(names(tmp_path)) == {whole.name, "bad.part"}, seed
    assert 5 < saved < 60


@pytest.mark.parametrize("change", [
    {"key": "../x"}, {"key": "x" * 3000}, {"key": ""}, {"target": ""}, {"channel": {"unit": 5}},
    {"channel": {"cfc": "60"}}, {"channel": {"name": "nothing"}},
], ids=str)  # fmt: skip
def test_a_head_with_names_that_no_run_gives_is_refused(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    """A key goes into names of files, a channel's name into that of a group: nothing is made by such ones."""
    whole, bad = left(tmp_path / "run.h5", 5), tmp_path / "bad.part"
    head, *blocks = records(whole.read_bytes())
    told = json.loads(head)
    told["channels"][0] |= change.pop("channel", {})
    bad.write_bytes(put_together(json.dumps(told | change).encode(), blocks))
    with pytest.raises(ResultsError, match="is damaged at its head"):
        salvage(bad, tmp_path / "out.h5")
    assert set(names(tmp_path)) == {whole.name, "bad.part"}


def test_an_exception_ends_the_file_as_failed(tmp_path: Path) -> None:
    file = tmp_path / "run.h5"

    def solve() -> None:
        with ResultsWriter(file, IDS, CHANNELS, PROJECT, "1", names=NAMES) as writer:
            write_run(writer, 7)
            raise ZeroDivisionError("the head met nothing")

    with pytest.raises(ZeroDivisionError):
        solve()
    with open_results(file) as run:
        assert (run.status, run.message) == ("failed", "the head met nothing")
        assert len(run.time) == 7
    assert names(tmp_path) == ["run.h5"]


def test_what_comes_is_written_early_and_at_least_each_half_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(part.time, "monotonic", lambda: now[0])
    writer = begun(tmp_path / "run.h5")

    def saved() -> int:
        found = part.Part(writer.part)
        found.close()
        return found.counts[-1]

    writer.frame(0.0, frame_at(0))
    now[0] += 0.03
    writer.frame(1e-3, frame_at(1))
    assert saved() == 1, "the first frame does not wait"
    slow = writer._part.flush

    def slowly() -> None:
        slow()
        writer._part._spent = 3.0

    monkeypatch.setattr(writer._part, "flush", slowly)
    for number in range(2, 60):
        now[0] += 0.1
        writer.frame(1e-3 * number, frame_at(number))
        assert saved() >= number - 6, "no more than half a second waits, however slow the disk is"
    writer.finish("completed")


@pytest.mark.usefixtures("at_once")
def test_a_disk_that_fills_up_ends_the_run_cleanly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "run.h5"
    full = shutil.disk_usage(tmp_path)._replace(free=10)

    def solve() -> None:
        with ResultsWriter(file, IDS, CHANNELS, PROJECT, "1") as writer:
            for number in range(1000):
                if number == 60:
                    monkeypatch.setattr(shutil, "disk_usage", lambda _: full)
                writer.frame(1e-3 * number, frame_at(number))

    with pytest.raises(ResultsError, match="The disk is full"):
        solve()
    with open_results(file) as run:
        assert run.status == "failed"
        assert "disk is full" in run.message
        assert len(run.time) == 59
    assert names(tmp_path) == ["run.h5"]


LIMITED = """
import resource, sys
from solver.results import ResultsError, ResultsWriter
from tests.results.crafted_parts import crafted
from tests.exploring import SEED
from tests.made_up_run import CHANNELS, IDS, NAMES, PROJECT, frame_at, write_run
writer = ResultsWriter(sys.argv[1], IDS, CHANNELS, PROJECT, "1", names=NAMES)

def limit():
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))

try:
    with writer:
        if sys.argv[2] == "part":
            limit()
        write_run(writer, 400)
        writer._save()
        limit()
        writer.finish("completed")
except ResultsError as failure:
    print(failure)
    sys.exit(7)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on file sizes")
@pytest.mark.parametrize("part_too", [True, False])
def test_a_limit_on_the_size_of_files_says_so_and_leaves_a_usable_part(
    tmp_path: Path, part_too: bool
) -> None:
    file = tmp_path / "run.h5"
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(file), "part" if part_too else "file"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 7, done.stderr
    assert done.stderr == ""
    assert "cannot be written" in done.stdout
    found = parts_of(file)
    if found:
        assert str(found[0]) in done.stdout
    with open_results(salvage(found[0]) if found else file) as run:
        count = len(run.time)
        assert 0 < count <= 400
        assert part_too or count == 400
        position = run.table("segments")["position"]
        assert np.array_equal(position[-1], frame_at(count - 1)["segments"]["position"])
    assert not [name for name in names(tmp_path) if name.startswith(".")]


CRASHER = """
import numpy as np
from solver.results import ResultsWriter, part
from tests.made_up_run import CHANNELS, IDS, PROJECT, frame_at
part.LATEST = part.SOONEST = 0.01
def work(file):
    writer = ResultsWriter(file, IDS, CHANNELS, PROJECT, "1")
    print("ready", flush=True)
    number = 0
    while True:
        t = 1e-3 * number + np.arange(10) * 1e-4
        writer.frame(1e-3 * number, frame_at(number))
        writer.samples("neck_x", t, t ** 2)
        writer.samples("head_resultant", t, 10 * np.sin(100 * t))
        number += 1
        if number % 50 == 0:
            print(writer._part.counts[-1], flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="forks")
def test_a_killed_run_is_salvaged(tmp_path: Path) -> None:
    with Forks(CRASHER) as runs:
        for moment in range(3):
            file = tmp_path / f"run{moment}.h5"
            run = runs.begin(str(file))
            for _ in range(2 + 2 * moment):
                told = runs.told()
            time.sleep(0.0033 * moment)
            os.kill(run, signal.SIGKILL)
            assert runs.end() == -signal.SIGKILL
            holds_what_was_told(file, int(told))


def holds_what_was_told(file: Path, told: int) -> None:
    """Salvage a run, and hold it to be what was written, as far as was told at least."""
    (rest,) = parts_of(file)
    assert "salvage" in refused(rest)
    before = rest.read_bytes()
    done = salvage(rest)
    assert done == file
    assert rest.read_bytes() == before, "the part stays"
    with open_results(file) as saved:
        assert saved.status == "failed"
        assert saved.project_json == PROJECT
        count = len(saved.time)
        assert count >= told, "what was written before is there"
        assert np.array_equal(saved.time, 1e-3 * np.arange(count))
        for group in IDS:
            for name, value in frame_at(count - 1)[group].items():
                assert np.array_equal(saved.table(group)[name][-1], value)
        channel = saved.channel("neck_x")
        assert np.array_equal(channel.value, channel.time**2)
        assert len(channel.time) >= 10 * (count - 1)


KILLED_AT_THE_END = """
import os, signal
from solver.results import ResultsWriter, making, writer as module
from tests.made_up_run import CHANNELS, IDS, PROJECT, frame_at

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def half(file, status, *_):
    file.attrs["status"] = status
    file.attrs["message"] = "half"
    file.flush()
    die()

def work(file, moment):
    if moment == "completing":
        making.complete = half
    elif moment == "filling":
        making._name_axes = die
    elif moment == "publishing":
        module.publish = die
    writer = ResultsWriter(file, IDS, CHANNELS, PROJECT, "1")
    for number in range(70):
        writer.frame(1e-3 * number, frame_at(number))
    writer.finish("completed", injury=(lambda run: die()) if moment == "figures" else ())
"""


@pytest.fixture(scope="module")
def killed_at_the_end() -> Iterator[Forks]:
    with Forks(KILLED_AT_THE_END) as runs:
        yield runs


@pytest.mark.skipif(os.name == "nt", reason="forks")
@pytest.mark.parametrize("moment", ["figures", "filling", "completing", "publishing"])
def test_a_run_that_is_killed_at_its_end_is_salvaged_whole(
    tmp_path: Path, killed_at_the_end: Forks, moment: str
) -> None:
    file = tmp_path / "run.h5"
    killed_at_the_end.begin(str(file), moment)
    assert killed_at_the_end.end() == -signal.SIGKILL
    assert not file.exists()
    (rest,) = parts_of(file)
    with open_results(salvage(rest)) as run:
        assert len(run.time) == 70
        assert "Salvaged" in run.message
    left_over = [name for name in names(tmp_path) if name.startswith(".")]
    assert left_over in ([], [".run.h5.lock"]), "nothing half-written is left over"
    with begun(file, 3) as again:
        again.finish("completed")
    assert names(tmp_path) == sorted([rest.name, "run.h5"])


def test_two_runs_into_one_file_are_refused_and_both_stay_whole(tmp_path: Path) -> None:
    file, link = tmp_path / "run.h5", tmp_path / "link.h5"
    link.symlink_to(file)
    first = begun(file, 5)
    for name in (file, link):
        with pytest.raises(ResultsError, match="being written by another run"):
            begun(name)
    with begun(tmp_path / "other.h5", 2) as other:
        other.finish("completed")
    first.finish("completed")
    with open_results(file) as run:
        assert (run.status, len(run.time)) == ("completed", 5)
    with begun(link, 4) as second:
        second.finish("completed")
    assert link.is_symlink()
    with open_results(file) as run:
        assert len(run.time) == 4
    assert names(tmp_path) == ["link.h5", "other.h5", "run.h5"]


def test_a_run_that_goes_on_is_not_salvaged(tmp_path: Path) -> None:
    file = tmp_path / "run.h5"
    writer = begun(file, 5)
    writer._save()
    before = writer.part.read_bytes()
    for target in (None, tmp_path / "other.h5"):
        with pytest.raises(ResultsError, match="its run goes on"):
            salvage(writer.part, target)
    assert writer.part.read_bytes() == before
    with pytest.raises(ResultsError, match="being written by a run"):
        salvage(left(tmp_path / "killed.h5", 3), file)
    writer.finish("completed")
    with open_results(file) as run:
        assert len(run.time) == 5


def test_a_file_that_somebody_else_put_there_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "run.h5"
    file.write_text("old")
    writer = begun(file, 5)
    (tmp_path / "new").write_text("theirs")
    (tmp_path / "new").replace(file)
    with pytest.raises(ResultsError, match="changed by somebody else") as failure, writer:
        writer.finish("completed")
    assert file.read_text() == "theirs"
    (other,) = (one for one in tmp_path.glob("*.h5") if one != file)
    assert str(other) in str(failure.value)
    with open_results(other) as run:
        assert (run.status, len(run.time)) == ("completed", 5)


def test_a_part_that_was_changed_meanwhile_is_not_given_the_name(tmp_path: Path) -> None:
    file = tmp_path / "run.h5"
    one = begun(file, 5)
    one._save()
    raw = bytearray(one.part.read_bytes())
    raw[-40] ^= 4
    one.part.write_bytes(raw)
    with pytest.raises(ResultsError, match="was changed while the run went on"):
        one.finish("completed")
    assert not file.exists()
    assert one.part.exists()


def test_a_part_in_whose_place_another_was_put_is_not_given_the_name(tmp_path: Path) -> None:
    file = tmp_path / "run.h5"
    one = begun(file, 5)
    one._save()
    other = tmp_path / "other"
    other.write_bytes(one.part.read_bytes())
    other.replace(one.part)
    with pytest.raises(ResultsError, match="was changed while the run went on"):
        one.finish("completed")
    assert not file.exists()
    assert one.part.exists()


def test_a_run_after_a_killed_one_has_a_part_of_its_own(tmp_path: Path) -> None:
    rest = left(tmp_path / "run.h5", 3)
    before = rest.read_bytes()
    after = begun(tmp_path / "run.h5", 2)
    assert after.part != rest
    after.finish("completed")
    assert rest.read_bytes() == before


def test_a_part_that_holds_nothing_is_kept(tmp_path: Path) -> None:
    rest = left(tmp_path / "run.h5", 0)
    before = rest.read_bytes()
    with pytest.raises(ResultsError, match="nothing to save"):
        salvage(rest)
    assert rest.read_bytes() == before
    assert not (tmp_path / "run.h5").exists()


@pytest.mark.usefixtures("at_once")
def test_a_damaged_part_gives_what_is_before_the_damage_and_stays(tmp_path: Path) -> None:
    writer = begun(tmp_path / "run.h5", 40)
    writer._let_go()
    rest, whole = writer.part, writer.part.read_bytes()
    rng, goal = np.random.default_rng(5), tmp_path / "saved.h5"
    counts = []
    for number in range(36):
        raw = bytearray(whole)
        if number % 3 == 0:
            raw = raw[: int(rng.integers(len(raw)))]
        elif number % 3 == 1:
            raw[int(rng.integers(len(raw)))] ^= 1 << int(rng.integers(8))
        else:
            at = int(rng.integers(len(raw) - 64))
            raw[at : at + 64] = rng.bytes(64)
        rest.write_bytes(raw)
        try:
            salvage(rest, goal)
        except ResultsError:
            assert not goal.exists()
        else:
            with open_results(goal) as run:
                counts.append(len(run.time))
                assert "damaged" in run.message or len(run.time) >= 39
                for row, values in enumerate(run.table("segments")["velocity"]):
                    assert np.array_equal(values, frame_at(row)["segments"]["velocity"])
            goal.unlink()
        assert rest.read_bytes() == bytes(raw)
    assert len(set(counts)) > 10


def test_salvage_leaves_finished_and_foreign_files_alone(
    tmp_path: Path, results_file: Path
) -> None:
    with pytest.raises(ResultsError, match="needs no salvage"):
        salvage(results_file, tmp_path / "x.h5")
    assert results_file.is_file()
    cut = tmp_path / "cut.h5"
    cut.write_bytes(results_file.read_bytes()[:96])
    with pytest.raises(ResultsError, match="is HDF5"):
        salvage(cut)
    other = tmp_path / "x.part"
    other.write_text("hello")
    with pytest.raises(ResultsError, match="not a part of a run"):
        salvage(other)
    assert other.read_text() == "hello"
    rest = left(tmp_path / "y.h5", 3)
    (tmp_path / "y.h5").write_text("mine")
    with pytest.raises(ResultsError, match="is there already"):
        salvage(rest)
    with pytest.raises(ResultsError, match="no file"):
        salvage(tmp_path / "none.part")
    with pytest.raises(ResultsError, match="is a folder"):
        salvage(tmp_path)
    assert names(tmp_path) == sorted(["cut.h5", "results", "x.part", "y.h5", rest.name])


@pytest.mark.skipif(os.name == "nt", reason="no named pipes in folders")
def test_a_run_into_what_is_no_file_is_refused(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe.h5", tmp_path / "link.h5"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for name in (pipe, link):
        with pytest.raises(ResultsError, match="no ordinary file"):
            begun(name)
    assert pipe.is_fifo()
    assert names(tmp_path) == ["link.h5", "pipe.h5"]
