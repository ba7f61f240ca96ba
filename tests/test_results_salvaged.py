"""A crash or a full disk loses little of a run."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from solver.results import ResultsError, ResultsWriter, open_results, part_path, salvage
from tests.conftest import CHANNELS, IDS, NAMES, PROJECT, frame_at, write_run
from tests.results_refusals import refused

ROOT = Path(__file__).parent.parent


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


FULL_DISK = """
import os, resource, signal, sys
import numpy as np
from solver.results import ResultsError, ResultsWriter
from tests.conftest import CHANNELS, IDS, PROJECT, frame_at
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, 1_500_000))
writer = ResultsWriter(sys.argv[1], IDS, CHANNELS, PROJECT, "1")
try:
    for number in range(100_000):
        writer.frame(1e-3 * number, frame_at(number))
except ResultsError as failure:
    print(failure, flush=True)
    os._exit(7)  # HDF5 itself cannot end cleanly after a failed write
"""


def test_a_disk_that_fills_up_ends_the_run_cleanly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "run.h5"
    full = shutil.disk_usage(tmp_path)._replace(free=10)

    def solve() -> None:
        with ResultsWriter(file, IDS, CHANNELS, PROJECT, "1") as writer:
            for number in range(1000):
                if number == 600:
                    monkeypatch.setattr(shutil, "disk_usage", lambda _: full)
                writer.frame(1e-3 * number, frame_at(number))

    with pytest.raises(ResultsError, match="The disk is full"):
        solve()
    with open_results(file) as run:
        assert run.status == "failed"
        assert "disk is full" in run.message
        assert len(run.time) == 512


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on file sizes")
def test_a_write_that_fails_says_so_and_leaves_a_usable_part(tmp_path: Path) -> None:
    file = tmp_path / "run.h5"
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(file)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 7, done.stderr
    assert "cannot be written" in done.stdout
    with open_results(salvage(part_path(file))) as run:
        assert len(run.time) >= 256
        assert np.array_equal(
            run.table("segments")["position"][200], frame_at(200)["segments"]["position"]
        )


CRASHER = """
import sys, time
import numpy as np
from solver.results import ResultsWriter
from tests.conftest import CHANNELS, IDS, PROJECT, frame_at
writer = ResultsWriter(sys.argv[1], IDS, CHANNELS, PROJECT, "1")
print("ready", flush=True)
number = 0
while True:
    t = 1e-3 * number + np.arange(10) * 1e-4
    writer.frame(1e-3 * number, frame_at(number))
    writer.samples("neck_x", t, t ** 2)
    writer.samples("head_resultant", t, 10 * np.sin(100 * t))
    number += 1
    if number % 256 == 0:
        print(number, flush=True)
"""


def test_a_killed_run_is_salvaged(tmp_path: Path) -> None:
    for moment in range(8):
        file = tmp_path / f"run{moment}.h5"
        with subprocess.Popen(
            [sys.executable, "-c", CRASHER, str(file)], stdout=subprocess.PIPE, cwd=ROOT
        ) as run:
            assert run.stdout is not None
            for _ in range(2 + moment):
                told = run.stdout.readline()
            time.sleep(0.0013 * moment)
            run.send_signal(signal.SIGKILL)
        assert "salvage" in refused(part_path(file)) or os.name == "nt"
        done = salvage(part_path(file))
        assert done == file
        assert not part_path(file).exists()
        with open_results(file) as saved:
            assert saved.status == "failed"
            assert saved.project_json == PROJECT
            count = len(saved.time)
            assert count >= int(told), "what was flushed before is there"
            assert np.array_equal(saved.time, 1e-3 * np.arange(count))
            for group in IDS:
                for name, value in frame_at(count - 1)[group].items():
                    assert np.array_equal(saved.table(group)[name][-1], value)
            channel = saved.channel("neck_x")
            assert np.array_equal(channel.value, channel.time**2)


KILLED_AT_THE_END = """
import os, signal, sys
from solver.results import ResultsWriter, writer as module
from tests.conftest import CHANNELS, IDS, PROJECT, frame_at
moment = sys.argv[2]

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def half(file, status, *_):
    file.attrs["status"] = status
    file.attrs["message"] = "half"
    file.create_group("injury")
    file.flush()
    die()

if moment == "completing":
    module.complete = half
elif moment == "copying":
    module.shutil.copyfile = lambda a, b: (open(b, "wb").write(open(a, "rb").read(5000)), die())
elif moment == "publishing":
    module.publish = die
writer = ResultsWriter(sys.argv[1], IDS, CHANNELS, PROJECT, "1")
for number in range(700):
    writer.frame(1e-3 * number, frame_at(number))
writer.finish("completed", injury=(lambda run: die()) if moment == "figures" else ())
"""


@pytest.mark.parametrize("moment", ["figures", "copying", "completing", "publishing"])
def test_a_run_that_is_killed_at_its_end_is_salvaged_whole(tmp_path: Path, moment: str) -> None:
    file = tmp_path / "run.h5"
    done = subprocess.run(
        [sys.executable, "-c", KILLED_AT_THE_END, str(file), moment], cwd=ROOT, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert not file.exists()
    with open_results(salvage(part_path(file))) as run:
        assert len(run.time) == 700
        assert "Salvaged" in run.message
    assert [one.name for one in tmp_path.iterdir()] == ["run.h5"], "nothing is left over"


def test_a_full_disk_completes_the_part_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "run.h5"
    writer = ResultsWriter(file, IDS, CHANNELS, PROJECT, "1")
    writer.frame(0.0, frame_at(0))
    little = shutil.disk_usage(tmp_path)._replace(free=33 * 2**20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: little)
    monkeypatch.setattr(
        Path, "stat", lambda _, **__: os.stat_result((0o100644, 0, 0, 1, 0, 0, 2**30, 0, 0, 0))
    )
    assert writer._copied() == writer.part
    monkeypatch.undo()
    assert writer.finish("completed") == file
    assert [one.name for one in tmp_path.iterdir()] == ["run.h5"]


def test_salvage_leaves_finished_and_foreign_files_alone(
    tmp_path: Path, results_file: Path
) -> None:
    with pytest.raises(ResultsError, match="needs no salvage"):
        salvage(results_file, tmp_path / "x.h5")
    assert results_file.is_file()
    other = tmp_path / "x.part.h5"
    other.write_text("hello")
    with pytest.raises(ResultsError, match="not HDF5"):
        salvage(other)
    assert other.read_text() == "hello"
    (tmp_path / "x.h5").write_text("mine")
    with pytest.raises(ResultsError, match="is there already"):
        salvage(other)
    assert sorted(f.name for f in tmp_path.iterdir()) == ["results", "x.h5", "x.part.h5"]
