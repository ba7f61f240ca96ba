"""What a run counts: steps, evaluations, tries that were rejected, events, allocations. No loaded machine can shift them.

`python -m benchmarks.counts` counts and compares with `counts.json` beside it; `--write` takes what is counted
now into that file, by which `tests/running/test_counts.py` holds them.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import manikin as mk
from benchmarks.history import note
from benchmarks.occupant import sled_run
from solver.engine.jit.compiled import SHIPPED, folder_of
from solver.model.compile import Model, compile_model
from solver.project import validated
from solver.running.warm import parts

TABLE = Path(__file__).with_name("counts.json")

SAMPLES = ("frontal", "sled", "lap_belt", "airbag_catch", "four_bar", "neck_pendulum")
"""Samples that are counted in every test: short ones, and the default one."""

RESTRAINTS = ("harness", "belts")
"""What holds the occupant of the two sled runs of 150 ms, which are counted, too."""

ABOVE = 1.02
"""By what factor a count may exceed the table's: another C library rounds another way."""

_ALLOCATES = re.compile(
    rb"\0(NRT_(?:Allocate|MemInfo_alloc|Reallocate)\w*|malloc|calloc|realloc)\0"
)


def runs() -> Iterator[tuple[str, mk.Model]]:
    """Name what is counted, and give its model."""
    for name in SAMPLES:
        yield name, mk.sample(name)
    for restraint in RESTRAINTS:
        yield f"sled with {restraint}", mk.Model(validated(sled_run(restraint)))


def counted(model: mk.Model, tolerance: float | None = None) -> dict[str, int]:
    """Solve a model and count."""
    run = mk.run(model if tolerance is None else with_tolerance(model, tolerance))
    return counts_of(run) | {"allocations": allocations(compile_model(model.project))}


def counts_of(run: Any) -> dict[str, int]:
    """The counts of a run: of a results file, too."""
    steps = run.steps
    last = {name: int(steps[name][-1]) for name in ("evaluations", "rejected")}
    return {"steps": len(steps["time"]), **last, "events": len(run.events)}


def with_tolerance(model: mk.Model, tolerance: float) -> mk.Model:
    """The model with another relative tolerance, the absolute one in proportion to it."""
    run = model.project.runs[0]
    by: Any = run.integrator
    at, factor = f"runs/{run.id}/integrator", tolerance / by.relative_tolerance
    coarse = model.with_value(f"{at}/relative_tolerance", tolerance)
    return coarse.with_value(f"{at}/absolute_tolerance", by.absolute_tolerance * factor)


def allocations(model: Model) -> int:
    """In how many of the kernels that a model needs memory is asked for anywhere: none may, as they make up each step."""
    return sum(
        any(_ALLOCATES.search(file.read_bytes()) for file in _files(part.kernel))
        for part in parts()
        if part.is_needed(model)
    )


def _files(kernel: Any) -> list[Path]:
    """The machine code of a kernel on the disk."""
    code = kernel.py_func.__code__
    folder = folder_of(Path(code.co_filename).resolve())
    name = f"*.{code.co_name}-{code.co_firstlineno}.*.nbc"
    found = [*folder.glob(name), *(SHIPPED / folder.name).glob(name)]
    if not found:
        raise FileNotFoundError(f"{code.co_name} is not compiled")
    return found


def all_counted() -> dict[str, dict[str, int]]:
    """Count all."""
    return {name: counted(model) for name, model in runs()}


def kept() -> dict[str, dict[str, int]]:
    """What stands in the table."""
    found: dict[str, dict[str, int]] = json.loads(TABLE.read_text(encoding="utf-8"))
    return found


def most(count: int) -> int:
    """What a count may be, where so much stands in the table."""
    return int(count * ABOVE)


TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)
FIGURES = ("HIC15", "chest_3ms")


def table() -> str:
    """The tables of this part."""
    lines = [
        "## What runs count",
        "",
        "Counts do not depend on what else the machine does. The default sample by its tolerance, with the injury figures",
        f"that come of it; the sample as it is has {_usual():g}.",
        "",
        f"| tolerance | steps | evaluations | a step | rejected | events | {' | '.join(FIGURES)} |",
        f"|---|---|---|---|---|---|{'---|' * len(FIGURES)}",
    ]
    model = mk.sample("frontal")
    for tolerance in TOLERANCES:
        run = mk.run(with_tolerance(model, tolerance))
        one = counts_of(run)
        figures = " | ".join(f"{run.injury[name].value:.3f}" for name in FIGURES)
        each = one["evaluations"] / one["steps"]
        lines.append(
            f"| {tolerance:.0e} | {one['steps']} | {one['evaluations']} | {each:.1f} | {one['rejected']} | {one['events']} | {figures} |"
        )
        if tolerance == _usual():
            note("steps", str(one["steps"]))
            note("evaluations", str(one["evaluations"]))
    lines += ["", "What a test holds; the last column: kernels that ask for memory.", ""]
    lines += ["| run | steps | evaluations | rejected | events | allocations |", "|---|---|---|---|---|---|"]  # fmt: skip
    for name, counts in all_counted().items():
        lines.append(f"| {name} | {' | '.join(map(str, counts.values()))} |")
    return "\n".join([*lines, ""])


def _usual() -> float:
    by: Any = mk.sample("frontal").project.runs[0].integrator
    return float(by.relative_tolerance)


def main(words: list[str]) -> int:
    """Count and compare, or renew the table."""
    if words not in ([], ["--write"]):
        print(__doc__)
        return 2
    found, before = all_counted(), kept() if TABLE.exists() else {}
    worst = 0
    for name, counts in found.items():
        was = before.get(name, {})
        for what, count in counts.items():
            worst |= count > most(was.get(what, count))
            print(f"{name:<20} {what:<12} {count:>8} {was.get(what, '-'):>8}")
    if words:
        lines = [f"  {json.dumps(name)}: {json.dumps(counts)}" for name, counts in found.items()]
        TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")
        return 0
    return int(worst)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
