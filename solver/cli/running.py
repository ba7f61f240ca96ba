"""Solve a project on the command line: a bar while it runs, a summary at the end."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from solver.base.words import tr
from solver.cli.common import CommandError

if TYPE_CHECKING:
    from solver.project.checks import Checked
    from solver.running.restart import Restart
    from solver.running.simulation import Outcome

WIDTH = 30


class Bar:
    """Draw how far a run has come, on a terminal only."""

    def __init__(self, quiet: bool) -> None:
        self._on = not quiet and sys.stderr.isatty()
        self._shown = -1

    def __call__(self, part: float) -> None:
        """Show the part that is done."""
        done = round(WIDTH * part)
        if self._on and done != self._shown:
            self._shown = done
            bar = "=" * done + " " * (WIDTH - done)
            print(f"\r[{bar}] {100 * part:3.0f} %", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Leave the line."""
        if self._on and self._shown >= 0:
            print(file=sys.stderr)


class Compiling:
    """Say how far compiling has come: line after line, or in one on a terminal."""

    def __call__(self, done: int, of: int) -> None:
        """Show the number of the part that is compiled next."""
        said = tr(
            "compiling the solver for this machine, only once: part {part} of {of}",
            part=min(done + 1, of), of=of,
        )  # fmt: skip
        is_seen = sys.stderr.isatty()
        end = "\n" if done == of or not is_seen else ""
        print(("\r" if is_seen else "") + said, end=end, file=sys.stderr, flush=True)


def run_project(
    project: Checked,
    output: Path,
    run: str | None,
    *,
    quiet: bool,
    as_json: bool,
    restart: Restart | None = None,
) -> int:
    """Solve into a file, print the summary and give the exit code."""
    from solver.model.refusal import SimulationError
    from solver.results import ResultsError
    from solver.running.simulation import simulate_to_file

    bar, start = Bar(quiet), time.perf_counter()
    try:
        outcome = simulate_to_file(
            project,
            output,
            run,
            progress=bar,
            compiling=None if quiet else Compiling(),
            restart=restart,
        )
    except (SimulationError, ResultsError) as failure:
        raise CommandError(str(failure)) from None
    finally:
        bar.close()
    wall = time.perf_counter() - start
    print(_as_json(outcome, wall, output) if as_json else _summary(outcome, wall, output))
    if outcome.status == "completed":
        return 0
    print(tr("error: {message}", message=outcome.message), file=sys.stderr)
    return 1


def _as_json(outcome: Outcome, wall: float, output: Path) -> str:
    return json.dumps(
        {
            "status": outcome.status,
            "message": outcome.message,
            "wall_s": round(wall, 4),
            "time_s": outcome.time,
            "steps": outcome.steps,
            "evaluations": outcome.evaluations,
            "rejected": outcome.rejected,
            "events": len(outcome.happened),
            "energy_balance": outcome.energy_balance,
            "passages": [asdict(one) for one in outcome.passages],
            "submarining": [asdict(one) for one in outcome.submarining],
            "injury": {
                value.name: {
                    "value": value.value, "unit": value.unit, "t1": value.t1, "t2": value.t2
                }
                for value in outcome.injury
            },
            "output": str(output),
        },
        indent=2,
    )  # fmt: skip


def _summary(outcome: Outcome, wall: float, output: Path) -> str:
    lines = [
        tr("status       {status}", status=tr(outcome.status)),
        tr("simulated    {time:.6g} ms in {wall:.2f} s", time=1e3 * outcome.time, wall=wall),
        tr(
            "steps        {steps}, {rejected} rejected",
            steps=outcome.steps,
            rejected=outcome.rejected,
        ),
        tr("evaluations  {evaluations}", evaluations=outcome.evaluations),
        tr(
            "energy       balanced to {energy_balance:.2g} J", energy_balance=outcome.energy_balance
        ),
    ]
    if outcome.happened:
        lines.append(tr("events       {count}", count=len(outcome.happened)))
    # what is wrong stands before what happened
    log = sorted(outcome.log, key=lambda line: not line.startswith(tr("warning")))
    lines += [f"  {line}" for line in log[:12]]
    if len(log) > 12:
        lines.append(tr("  and {count} more, in the results file", count=len(log) - 12))
    lines += [
        tr("injury       {figure} {value:.4g}", figure=v.name, value=v.value)
        + ("" if v.unit == "1" else f" {v.unit}")
        for v in outcome.injury
    ]
    return "\n".join([*lines, tr("wrote        {output}", output=output)])
