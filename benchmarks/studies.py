"""What an engineer waits for: settling, solving, injury figures and the report of the default sample."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import manikin as mk
from benchmarks.history import note
from benchmarks.timing import median_time
from solver import checked, load_project, settle, simulate
from solver.base.places import DEFAULT_SAMPLE, samples
from solver.injury import assess
from solver.project import Project
from solver.report import report
from solver.running import stepper

BELT = "functions/driver_polyester_9_tension/form/y"
AGAIN = 20


def table() -> str:
    """The table of this part."""
    project = load_project(samples() / "frontal.json")
    ready, run = checked(project), simulate(project)
    long = simulate(_lasting(project, 0.2))
    rows = [
        ("solve it", median_time(lambda: simulate(ready)), ""),
        ("settle it", median_time(lambda: settle(ready)), "< 3 s"),
        ("injury figures of it", median_time(lambda: assess(run)), ""),
        ("injury figures of 200 ms at 10 kHz", median_time(lambda: assess(long)), "< 0.3 s"),
        ("report as HTML", median_time(lambda: _written(run, "html")), "< 5 s"),
        ("report as PDF", median_time(lambda: _written(run, "pdf")), "< 5 s"),
    ]
    lines = ["## The default sample", "", "| what | time | asked |", "|---|---|---|"]
    lines += [f"| {what} | {seconds:.3g} s | {asked} |" for what, seconds, asked in rows]
    lines += ["", *_again(), "", *_samples(), ""]
    return "\n".join(lines)


def _again() -> list[str]:
    """Run the default sample again and again, each time with another belt; give the least part beside steps."""
    model = mk.sample("frontal")
    mk.run(model)
    stepped, step = [0.0, 0.0], stepper.advance  # type: ignore[attr-defined]

    def timed(*arguments: Any) -> int:
        start, worked = time.perf_counter(), time.thread_time()
        code = step(*arguments)
        stepped[0] += time.perf_counter() - start
        stepped[1] += time.thread_time() - worked
        return code

    found = []
    stepper.advance = timed  # type: ignore[attr-defined]
    try:
        for n in range(1, AGAIN + 1):
            stepped[:], start, worked = (0.0, 0.0), time.perf_counter(), time.thread_time()
            mk.run(model.with_value(BELT, (0.0, 10_000.0 + 50.0 * n, 24_000.0)))
            whole, beside = time.perf_counter() - start, time.thread_time() - worked
            found.append((1.0 - stepped[0] / whole, beside / (beside + stepped[1])))
    finally:
        stepper.advance = step  # type: ignore[attr-defined]
    waited, worked = (min(part) for part in zip(*found, strict=True))
    return [
        "Solved again with another stiffness of its belt, it spends of its time beside its steps, at the least of",
        f"{AGAIN} runs: {waited:.1%} by the clock (asked: < 5 %), which counts what else the machine does; {worked:.1%} by what",
        "the thread works that checks, compiles and starts the kernels.",
    ]


def _samples() -> list[str]:
    lines = ["| sample | simulated | solved in | steps | evaluations |", "|---|---|---|---|---|"]
    for file in sorted(samples().glob("*.json")):
        project = load_project(file)
        ready = checked(project)
        spent = median_time(lambda p=ready: simulate(p))
        steps = simulate(ready).steps()
        lasted = project.runs[0].duration_s
        if file.stem == DEFAULT_SAMPLE:
            note("solve", f"{spent / lasted:.2f}")
        lines.append(
            f"| {file.stem} | {1e3 * lasted:g} ms | {1e3 * spent:.0f} ms "
            f"| {len(steps['time'])} | {int(steps['evaluations'][-1])} |"
        )
    return lines


def _lasting(project: Project, duration_s: float) -> Project:
    run = project.runs[0].model_copy(update={"duration_s": duration_s, "channel_rate_hz": 10_000.0})
    return project.model_copy(update={"runs": (run,)})


def _written(run: object, ending: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        report(run).save(Path(folder) / f"report.{ending}")
