"""Go through samples in exact steps, from their start to their end, and say where one does not stand at its time.

`python -m benchmarks.exact_times` takes all samples, in steps of 0.1, 0.5, 1 and 2 ms;
`python -m benchmarks.exact_times sled frontal --steps 0.5,1 --until 0.1` some of them, some steps, for a while.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import NamedTuple

import manikin as mk


class Found(NamedTuple):
    """How many steps were taken, and which of them did not end at their time."""

    steps: int
    missed: list[float]


def gone_through(sample: str, step: float, until: float) -> Found:
    """Take one sample through in exact steps of that length (s)."""
    sim = mk.Simulation(mk.sample(sample))
    end, missed, k = min(sim.duration, until), list[float](), 0
    while (wanted := (k + 1) * step) <= end:
        k += 1
        sim.step_to(wanted, exactly=True)
        if not sim.at == sim.time == sim.state.time == wanted:
            missed.append(wanted)
    return Found(k, missed)


def main(words: list[str]) -> int:
    """Go through what is named; gives 1 where a time was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("samples", nargs="*")
    parser.add_argument("--steps", default="2,1,0.5,0.1", help="ms, with commas between")
    parser.add_argument("--until", type=float, default=10.0, help="s")
    asked = parser.parse_args(words)
    worst = 0
    for sample in asked.samples or mk.samples():
        for step in asked.steps.split(","):
            began = time.process_time()
            try:
                found = gone_through(sample, 1e-3 * float(step), asked.until)
            except (mk.SimulationError, mk.RunFailed) as failure:
                print(f"{sample}, {step} ms: {failure}", flush=True)
                worst = 1
                continue
            took = time.process_time() - began
            said = "all stand" if not found.missed else f"missed {found.missed[:5]}"
            print(f"{sample}, {step} ms: {found.steps} steps, {said}, {took:.1f} s", flush=True)
            worst = max(worst, bool(found.missed))
    return int(worst)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
