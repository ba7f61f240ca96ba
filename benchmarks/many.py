"""Many runs of the default sample: in two processes and on a local Dask cluster, beside one run alone."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import manikin as mk
from benchmarks.history import note
from solver.studies.drawing import present
from solver.studies.evaluate import Progress
from solver.studies.rows import Task
from solver.studies.work import setup_of, work_of
from solver.studies.worker import cleared

STUDY, RUNS, WORKERS, ALONE = "belt_and_bag", 150, 2, 5
ASKED = 1000
"""Runs for which it is asked: start and pace of fewer give what so many take."""
AWAY = 0.01
"""Part by which parameters go away from the design: all runs take what the default sample takes."""
SETTLED = 10
"""Runs that have come back before the pace is measured."""


class Spent(NamedTuple):
    """What a study has taken: until it was at work, then for each run, by the clock and by the processors."""

    start: float
    each: float
    processor: float
    """Of all processes, from the first runs on (s for each run)."""
    memory: float
    """Most of it that one of the processes has held (MB)."""

    def of_one(self, one: float) -> float:
        """The time of 1,000 runs as a part of 1,000 times one run."""
        return (self.start + ASKED * self.each) / (ASKED * one)


def model(runs: int = RUNS) -> mk.Model:
    """The default sample with one study: that of belt and bag, close about the design."""
    whole = mk.sample("frontal")
    study = next(one for one in whole.project.studies if one.id == STUDY)
    fields = study.model_dump(mode="json") | {"runs": runs, "drawing": "latin_hypercube"}
    for one, now in zip(fields["parameters"], present(whole.project, study), strict=True):
        ends = sorted((now * (1.0 - AWAY), now * (1.0 + AWAY)))
        one["spread"] = {"kind": "uniform", "low": ends[0], "high": ends[1]}
    return whole.with_value("studies", [fields])


def table(runs: int = RUNS) -> str:
    """The table of this part."""
    made = model(runs)
    one, row, processor = _alone(made)
    here = _here(made)
    rows = [
        ("one run by `mk.run`, the least of several", f"{one:.3f} s", ""),
        ("one run as a row of a study", f"{row:.3f} s, {processor:.3f} s of processors", ""),
        *_rows(f"{runs} runs in two processes", here, one, 0.54),
        ("- memory of a worker, at most", f"{here.memory:.0f} MB", "< 400 MB"),
    ]
    note("many", f"{here.of_one(one):.2f}")
    cluster = _clustered(made)
    if cluster is None:
        rows.append(("on a Dask cluster", "not measured: `distributed` is not installed", ""))
    else:
        note("cluster", f"{cluster.of_one(one):.2f}")
        rows += _rows(f"{runs} runs on a Dask cluster of two workers", cluster, one, 0.58)
    lines = [
        "## Many runs of the default sample",
        "",
        "| what | measured | asked |",
        "|---|---|---|",
    ]
    lines += [f"| {what} | {found} | {asked} |" for what, found, asked in rows]
    lines += [
        "",
        f"The study is `{STUDY}`, its numbers within {AWAY:.0%} of the design. What 1,000 runs take is made of the start",
        "and the pace of fewer. Of both cores used: one half by the ratio. Processors count all processes, the start of",
        "workers left out.",
    ]
    return "\n".join([*lines, ""])


def _rows(what: str, spent: Spent, one: float, most: float) -> Iterator[tuple[str, str, str]]:
    yield f"{what}, each", f"{spent.each:.3f} s, {spent.processor:.3f} s of processors", ""
    yield "- their start", f"{spent.start:.1f} s", ""
    ratio = spent.of_one(one)
    used = f"{ratio:.3f} ({0.5 / ratio:.0%} of both cores)"
    yield "- 1,000 runs, by 1,000 times one run", used, f"≤ {most:g} ({0.5 / most:.0%})"


def _alone(made: mk.Model) -> tuple[float, float, float]:
    """The time of one run, and of one run as a worker solves it, with what processors spend on it."""
    project = made.project
    study = project.studies[0]
    work, values = work_of(setup_of(project, study)), tuple(present(project, study))
    runs, rows, spent = list[float](), list[float](), list[float]()
    for n in range(ALONE + 2):
        start = time.perf_counter()
        mk.run(made)
        runs.append(time.perf_counter() - start)
        start, worked = time.perf_counter(), time.process_time()
        # the very same numbers would not be compiled again
        work.found(Task(n, tuple(one * (1.0 + 1e-6 * n) for one in values)))
        cleared()
        rows.append(time.perf_counter() - start)
        spent.append(time.process_time() - worked)
    gc.unfreeze()
    return min(runs[2:]), min(rows[2:]), min(spent[2:])


def _timed(made: mk.Model, **where: Any) -> Spent:
    came = list[tuple[float, float, float]]()
    begin = time.perf_counter()

    def tell(progress: Progress) -> None:
        if len(came) < progress.done:
            came.append((time.perf_counter(), *_begun()))

    with tempfile.TemporaryDirectory() as folder:
        found = mk.study(made, STUDY, Path(folder) / "many.h5", progress=tell, **where)
    assert (found.rows.status == 1).all(), found.rows.messages
    (early, worked, _), (late, at_end, _), count = came[SETTLED], came[-1], len(came) - 1 - SETTLED
    each = (late - early) / count
    memory = max(one[2] for one in came)
    return Spent(early - begin - SETTLED * each, each, (at_end - worked) / count, memory)


def _here(made: mk.Model) -> Spent:
    return _timed(made, workers=WORKERS)


def _clustered(made: mk.Model) -> Spent | None:
    with tempfile.TemporaryDirectory() as folder, _cluster(Path(folder)) as address:
        return None if address is None else _timed(made, scheduler=address)


@contextmanager
def _cluster(folder: Path) -> Iterator[str | None]:
    """The address of a scheduler with two workers, each a process of its own."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        yield None
        return
    file, begun = folder / "scheduler.json", list[subprocess.Popen[bytes]]()
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    environment |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

    def begin(*words: str) -> None:
        command = [sys.executable, "-W", "ignore", "-m", f"distributed.cli.{words[0]}", *words[1:]]
        begun.append(
            subprocess.Popen(
                command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
        )  # fmt: skip

    try:
        begin("dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        while not file.exists() or not file.read_text().strip():
            time.sleep(0.05)
        for _ in range(WORKERS):
            begin("dask_worker", "--scheduler-file", str(file), "--nthreads", "1", "--no-nanny",
                  "--no-dashboard", "--local-directory", str(folder))  # fmt: skip
        yield str(json.loads(file.read_text())["address"])
    finally:
        for one in reversed(begun):
            one.kill()
            one.wait()


def _begun() -> tuple[float, float]:
    """What processors have spent on this process and those that it has begun (s), and the most memory of one (MB)."""
    ticks, mine = os.sysconf("SC_CLK_TCK"), str(os.getpid())
    total, most = time.process_time(), 0.0
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            lines = (entry / "status").read_text().splitlines()
        except OSError:
            continue
        if fields[1] == mine:
            total += (int(fields[11]) + int(fields[12])) / ticks
            peaks = [int(line.split()[1]) for line in lines if line.startswith("VmHWM")]
            most = max([most, *(peak / 1024.0 for peak in peaks)])
    return total, most
