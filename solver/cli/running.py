"""Solve a project on the command line: a bar while it runs, a summary at the end."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from solver.cli.common import CommandError

if TYPE_CHECKING:
    from solver.project.checks import Checked
    from solver.simulation import Outcome

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


def run_project(
    project: Checked, output: Path, run: str | None, *, quiet: bool, as_json: bool
) -> int:
    """Solve into a file, print the summary and give the exit code."""
    from solver.maths.kernels import are_compiled
    from solver.model.refusal import SimulationError
    from solver.results import ResultsError
    from solver.simulation import simulate_to_file

    if not are_compiled() and not quiet:
        print(
            "Compiling the solver for this machine; this is done once and takes a minute or two.",
            file=sys.stderr,
        )
    bar, start = Bar(quiet), time.perf_counter()
    try:
        outcome = simulate_to_file(project, output, run, progress=bar)
    except (SimulationError, ResultsError) as failure:
        raise CommandError(str(failure)) from None
    finally:
        bar.close()
    wall = time.perf_counter() - start
    print(_as_json(outcome, wall, output) if as_json else _summary(outcome, wall, output))
    if outcome.status == "completed":
        return 0
    print(f"error: {outcome.message}", file=sys.stderr)
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
        f"status       {outcome.status}",
        f"simulated    {1e3 * outcome.time:.6g} ms in {wall:.2f} s",
        f"steps        {outcome.steps}, {outcome.rejected} rejected",
        f"evaluations  {outcome.evaluations}",
        f"energy       balanced to {outcome.energy_balance:.2g} J",
    ]
    if outcome.happened:
        lines.append(f"events       {len(outcome.happened)}")
    # what is wrong stands before what happened
    log = sorted(outcome.log, key=lambda line: not line.startswith("warning"))
    lines += [f"  {line}" for line in log[:12]]
    if len(log) > 12:
        lines.append(f"  and {len(log) - 12} more, in the results file")
    lines += [
        f"injury       {v.name} {v.value:.4g}" + ("" if v.unit == "1" else f" {v.unit}")
        for v in outcome.injury
    ]
    return "\n".join([*lines, f"wrote        {output}"])
