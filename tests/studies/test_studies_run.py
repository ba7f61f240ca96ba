"""Where studies run: workers that die, kills, resuming, cancelling, a cluster; and the file they write."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

import manikin as mk
from solver.studies import Progress, StudyError, StudyResult
from solver.studies import evaluate as places
from solver.studies.file import read_study
from solver.studies.rows import Layout, RowResult, Rows, Task
from tests.studying import FAST, FORCE, STIFF, WAY, block

ROOT = Path(__file__).resolve().parent.parent.parent


def sampled(runs: int = 6, **more: Any) -> mk.Model:
    return block().add_study(
        "it", kind="sample", runs=runs, parameters=[STIFF, FAST], responses=[FORCE, WAY],
        curves=["place_x"], **more,
    )  # fmt: skip


def same(a: StudyResult, b: StudyResult) -> bool:
    """Tell whether two tables hold the same bits."""
    names = ("inputs", "outputs", "status", "phase", "test", "curves", "residuals")
    return a.rows.messages == b.rows.messages and all(
        getattr(a.rows, n).tobytes() == getattr(b.rows, n).tobytes() for n in names
    )


@pytest.fixture(scope="module")
def whole() -> StudyResult:
    return mk.study(sampled(), "it", workers=0)


def test_any_number_of_workers_gives_the_same_bits(whole: StudyResult, tmp_path: Path) -> None:
    file = tmp_path / "it.h5"
    found = mk.study(sampled(), "it", file, workers=2)
    assert found.status == "completed"
    assert same(found, whole)
    read = mk.open_study(file)
    assert same(read, whole)
    assert read.table.equals(whole.table)
    assert read.answers == whole.answers
    assert not list(tmp_path.glob(".*"))


def test_the_file_says_what_was_run(whole: StudyResult, tmp_path: Path) -> None:
    model = sampled()
    found = mk.study(model, "it", tmp_path / "it.h5", workers=0)
    read = mk.open_study(tmp_path / "it.h5")
    assert read.study == model.project.studies[0]
    assert read.project == model.project
    assert (read.seed, read.status) == (1, "completed")
    assert read.versions["numpy"] == np.__version__
    assert read.project_sha256 == found.project_sha256 == whole.project_sha256
    with h5py.File(tmp_path / "it.h5") as file:
        assert file["rows/inputs"].shape == (6, 2)
        assert file.attrs["format"] == "manikin-study"
    kept = read.keep(4)
    assert kept.parent.name == "it_runs"
    run = mk.open_run(kept)
    assert run["place_x"].value.max() == read.table["way"][4]
    assert read.design(4).segments == model.project.segments
    assert list(read.changes(4)) == [STIFF["path"], FAST["path"]]
    with pytest.raises(StudyError, match="runs 0 to 5, not 6"):
        read.changes(6)


def test_a_file_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "it.h5"
    mk.study(sampled(2), "it", file, workers=0)
    before = file.read_bytes()
    with pytest.raises(StudyError, match="is there already"):
        mk.study(sampled(2), "it", file, workers=0)
    heavier = sampled(2).with_value("segments/block/mass_kg", 3.0)
    with pytest.raises(StudyError, match="is of another model"):
        mk.study(heavier, "it", file, workers=0, resume=True)
    other = sampled(2).with_value("studies/it/responses", (WAY,))
    with pytest.raises(StudyError, match="asks for other things"):
        mk.study(other, "it", file, workers=0, resume=True)
    assert file.read_bytes() == before
    (tmp_path / "bad.h5").write_bytes(before[:1000])
    with pytest.raises(StudyError, match="is damaged: it is cut off"):
        mk.open_study(tmp_path / "bad.h5")
    with pytest.raises(StudyError, match="There is no file"):
        mk.open_study(tmp_path / "none.h5")


class Counting:
    """Count the runs that are solved in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.values: list[tuple[float, ...]] = []
        solve = places.Within.solve

        def counted(this: Any, tasks: Any, *rest: Any) -> Iterator[Any]:
            for found in solve(this, tasks, *rest):
                self.values.append(tasks[len(self.values) % len(tasks)].values)
                yield found

        monkeypatch.setattr(places.Within, "solve", counted)


def test_a_parameter_more_costs_its_runs_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "it.h5"
    model = block().add_study("it", kind="local", parameters=[STIFF], responses=[FORCE])
    mk.study(model, "it", file, workers=0)
    more = model.with_value("studies/it/parameters", (STIFF, FAST))
    counted = Counting(monkeypatch)
    found = mk.study(more, "it", file, workers=0, resume=True)
    assert len(found.rows) == 9
    assert len(counted.values) == 4
    plain = mk.study(more, "it", workers=0)
    assert same(found, plain)
    assert same(mk.open_study(file), plain)


KILLED = """
import sys, time
from tests.studies.test_studies_run import children, sampled
import manikin as mk
def tell(progress):
    if progress.done == 12:
        time.sleep(0.5)
    if progress.done == 14:
        print(*children(), flush=True)
        time.sleep(100)
mk.study(sampled(40), "it", sys.argv[1], workers=1, progress=tell)
"""


def test_after_a_kill_of_everything_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for half a second behind the twelfth run; all before that is in the file."""
    file = tmp_path / "it.h5"
    words = [sys.executable, "-c", KILLED, str(file)]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        (worker,) = killed.stdout.readline().split()
        killed.kill()
    read = mk.open_study(file)
    assert read.status == "running"
    done = int((read.rows.status > 0).sum())
    assert 12 <= done <= 14
    assert read.answers["done"] == done
    counted = Counting(monkeypatch)
    found = mk.study(sampled(40), "it", file, workers=0, resume=True)
    assert len(counted.values) == 40 - done
    assert found.status == "completed"
    assert same(found, mk.study(sampled(40), "it", workers=0))
    assert same(mk.open_study(file), found)
    assert (
        not Path(f"/proc/{worker}/cmdline").exists()
        or "worker" not in Path(f"/proc/{worker}/cmdline").read_text()
    )


def test_a_file_is_read_while_it_is_written(tmp_path: Path) -> None:
    file, seen = tmp_path / "it.h5", list[tuple[str, int]]()

    def tell(progress: Progress) -> None:
        if progress.done == 3:
            read = read_study(file)
            seen.append((read.state, len(read.rows)))

    mk.study(sampled(), "it", file, workers=0, progress=tell)
    assert seen == [("running", 6)]


def test_a_worker_that_dies_costs_its_run_only(whole: StudyResult) -> None:
    """The first death is made up for by another worker."""
    ended = list[int]()

    def tell(progress: Progress) -> None:
        if progress.done == 1 and not ended:
            (pid, *_) = children()
            os.kill(pid, signal.SIGKILL)
            ended.append(pid)

    found = mk.study(sampled(), "it", workers=1, progress=tell)
    assert ended
    assert same(found, whole)


def children() -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(os.getpid())], capture_output=True, text=True, check=False)  # fmt: skip
    lines = (line.split(None, 1) for line in listed.stdout.splitlines())
    return [int(pid) for pid, words in lines if "solver.studies.worker" in words]


def test_a_run_that_kills_its_workers_is_a_row(
    whole: StudyResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deadly = float(whole.rows.inputs[2, 0])
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "if 'solver.studies.worker' in ' '.join(sys.orig_argv):\n"
        "    import os\n"
        "    from solver.studies.work import Work\n"
        "    solve = Work.found\n"
        "    def found(self, task, cancel=None):\n"
        f"        if task.values[0] == {deadly!r}: os.kill(os.getpid(), 9)\n"
        "        return solve(self, task, cancel)\n"
        "    Work.found = found\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found = mk.study(sampled(), "it", workers=1)
    assert found.rows.status.tolist() == [1, 1, 3, 1, 1, 1]
    assert found.table["message"][2] == "The worker was ended in this run, twice (signal 9)."
    others = [0, 1, 3, 4, 5]
    assert np.array_equal(found.rows.outputs[others], whole.rows.outputs[others])
    assert np.isnan(found.rows.outputs[2]).all()


@pytest.mark.parametrize("workers", [0, 1])
def test_cancelling_keeps_what_there_is(workers: int, tmp_path: Path) -> None:
    file, stop = tmp_path / "it.h5", list[float]()

    def tell(progress: Progress) -> None:
        if progress.done == 2 and not stop:
            stop.append(time.monotonic())

    found = mk.study(sampled(30), "it", file, workers=workers, progress=tell, cancel=lambda: bool(stop))  # fmt: skip
    assert found.status == "cancelled" == mk.open_study(file).status
    done = found.rows.status > 0
    assert 2 <= done.sum() < 30
    assert not children()
    again = mk.study(sampled(30), "it", file, workers=0, resume=True)
    assert np.array_equal(again.rows.outputs[done], found.rows.outputs[done])
    assert again.status == "completed"


class Made:
    """Solve tasks at once: every third fails."""

    def solve(self, tasks: Sequence[Task], responses: int, cancel: Any) -> Iterator[RowResult]:
        """Give rows in any order."""
        for one in reversed(tasks):
            yield RowResult(one.number, "done" if one.number % 3 else "failed", (1.0,) * responses)

    def close(self) -> None:
        """Leave nothing behind."""


def test_progress_counts_what_the_table_holds() -> None:
    """Rows that were there, rows that come, and rows that a search asks for later."""
    rows = Rows(Layout(("k",), ("p",), ("a",), ("1",), ("1",)))
    rows.add([Task(n, (float(n),)) for n in range(7)])
    rows.put(RowResult(0, "failed", (0.0,)))
    rows.put(RowResult(1, "partly", (0.0,)))
    seen = list[tuple[int, ...]]()

    def tell(progress: Progress) -> None:
        status = progress.rows.status
        assert (progress.done, progress.failed) == ((status > 0).sum(), (status == 3).sum())
        seen.append((progress.done, progress.failed, progress.of))

    evaluator = places.Evaluator(rows, Made, None, tell)
    evaluator.solve(evaluator.waiting())
    evaluator.batch([((3.0,), 0), ((20.0,), 0), ((21.0,), 0)], "search")
    assert seen[0] == (2, 1, 7)
    assert seen[-1] == (9, 3, 9)
