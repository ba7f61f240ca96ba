"""How far the fitted laws of dummies may move, and what else passes: `python -m tools.dummies.family [DUMMY ...]`.

It takes some minutes for each dummy; tests see that what it wrote belongs to today's dummies.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from solver.bodies.certificates import FAMILIES, FASTER, FURTHEST, families_of, fingerprint
from solver.engine.maths.rotation import Array
from solver.project.saving import text_of
from solver.studies.bench.labels import LAWS
from solver.studies.bench.running import Result, Verdict, run_test
from solver.studies.bench.table import BenchTest, bench_tests, dummies
from tools.dummies.__main__ import FOLDER
from tools.dummies.fit import body
from tools.dummies.laws import SIDE, Laws, laws
from tools.dummies.studies import GROUPS

SEED = 572
STEP = math.log(1.05)
"""Step of the differences that say what a law moves (logarithm)."""
FIRST = math.log(1.01)
WALK = 0.12
"""Deviation of a step of the walk among sets that pass, in each law's logarithm."""
TRIED = {"neck": 40, "thorax": 24}
"""Sets that are tried, of the groups in which several laws are fitted at once."""
CURVES = {"neck": ("rotation", "moment"), "thorax": ("force", "deflection")}
CLOSE = 1.15
"""Ratio of the shortest way that fails to the longest that does not, at which an end is known."""
LOG_FURTHEST = math.log(FURTHEST)


class Group:
    """The laws that are fitted on some tests of a dummy, and run these with other laws."""

    def __init__(self, dummy: str, group: str) -> None:
        kinds, self.names = GROUPS[group]
        self.dummy, self.group = dummy, group
        self.tests = [test for test in bench_tests(dummy) if test.kind in kinds]
        self.fitted = laws(dummy)
        self.first = self.results(np.zeros(len(self.names)))

    def made(self, logs: Array) -> Laws:
        """The laws that lie so far from the fitted ones, as logarithms."""
        known = asdict(self.fitted)
        moved = np.exp(logs).tolist()
        changed = {name: known[name] * by for name, by in zip(self.names, moved, strict=True)}
        return replace(self.fitted, **changed)

    def result(self, test: BenchTest, logs: Array) -> Result:
        """Run one test."""
        return run_test(self.dummy, test, body(self.dummy, self.made(logs)), watched=False)

    def results(self, logs: Array) -> list[Result]:
        """Run all tests."""
        return [self.result(test, logs) for test in self.tests]

    def fails(self, logs: Array) -> tuple[BenchTest, Verdict] | None:
        """The figure that is farthest outside in the first test that is not passed; none where all are."""
        for test in self.tests:
            bad = [v for v in self.result(test, logs).verdicts if not v.passed]
            if bad:
                return test, min(bad, key=lambda v: -math.inf if v.margin is None else v.margin)
        return None

    def along(self, law: int, log: float) -> Array:
        """The place where one law alone is moved."""
        logs = np.zeros(len(self.names))
        logs[law] = log
        return logs


def place(value: Verdict) -> float | None:
    """Where a figure lies, in halves of its corridor; of a limit, in parts of it."""
    low, high = value.asked.low, value.asked.high
    if value.value is None:
        return None
    if low is None or high is None:
        return value.value / abs(high if low is None else low)  # type: ignore[arg-type]
    return (2.0 * value.value - low - high) / (high - low)


def of_law(group: Group, law: int) -> dict[str, Any]:
    """How far a law may move, by what it then fails, and what it moves most."""
    sides = [group.results(group.along(law, sign * STEP)) for sign in (-1.0, 1.0)]
    slopes = list(_slopes(group, sides))
    slope, test, most = max(slopes, key=lambda one: abs(one[0]))
    found: dict[str, Any] = {
        "law": group.names[law],
        "group": group.group,
        "value": asdict(group.fitted)[group.names[law]],
        "moves": {"by": round(slope * math.log(1.1), 3), **_named(test, most)},
    }
    for end, sign in (("lower", -1.0), ("upper", 1.0)):
        way, failed = edge(group, law, sign, guess(slopes, sign))
        found[end] = {"factor": float(f"{math.exp(sign * way):.3g}")}
        if failed:
            found[end] |= _named(*failed)
    return found


def _slopes(
    group: Group, sides: Sequence[Sequence[Result]]
) -> Iterator[tuple[float, BenchTest, Verdict]]:
    """By how many halves of its corridor each figure moves with the logarithm of a law."""
    for below, middle, above in zip(sides[0], group.first, sides[1], strict=True):
        for one, at, other in zip(below.verdicts, middle.verdicts, above.verdicts, strict=True):
            low, high = place(one), place(other)
            if low is not None and high is not None:
                yield (high - low) / (2.0 * STEP), middle.test, at


def guess(slopes: Sequence[tuple[float, BenchTest, Verdict]], sign: float) -> float:
    """Give the way at which the first figure would leave its corridor, went it on as it begins."""
    ways = [LOG_FURTHEST]
    for slope, _, at in slopes:
        here = place(at)
        if here is None or slope == 0.0:
            continue
        end = 1.0 if sign * slope > 0.0 else -1.0
        if (at.asked.high is None and end > 0.0) or (at.asked.low is None and end < 0.0):
            continue
        ways.append((end - here) / (sign * slope))
    return min(max(min(ways), FIRST), LOG_FURTHEST)


def _named(test: BenchTest, value: Verdict) -> dict[str, Any]:
    return {"test": test.kind, "figure": test.asked.index(value.asked)}


Failed = tuple[BenchTest, Verdict]


def edge(group: Group, law: int, sign: float, way: float) -> tuple[float, Failed | None]:
    """The largest way (logarithm) at which nothing fails yet, and what fails behind it; begins with a guess."""
    good, bad, told = 0.0, math.inf, None
    while bad == math.inf or good == 0.0 or bad > CLOSE * good:
        failed = group.fails(group.along(law, sign * way))
        if failed:
            bad, told = way, failed
        elif way >= LOG_FURTHEST:
            return way, None
        else:
            good = way
        if bad == math.inf:
            way = min(1.4 * way, LOG_FURTHEST)
        else:
            way = 0.5 * (good + bad) if good else bad / 1.6
    return good, told


def of_family(group: Group, tried: int) -> dict[str, Any]:
    """Walk among the sets that pass, from the fitted one, and see how far their whole curves are apart."""
    random = np.random.default_rng(SEED)
    quick = [test for test in group.tests if test.speed]
    fastest = [test.model_copy(update={"speed": FASTER * test.speed}) for test in quick]
    here = np.zeros(len(group.names))
    passing, curves = [here], list[list[Result]]()

    def keep(logs: Array, results: Sequence[Result]) -> None:
        curves.append([*results, *(group.result(test, logs) for test in fastest)])

    keep(here, group.first)
    for _ in range(tried):
        step = here + random.normal(0.0, WALK, len(here))
        if np.abs(step).max() > LOG_FURTHEST:
            continue
        results = list[Result]()
        for test in group.tests:
            results.append(group.result(test, step))
            if not results[-1].passed:
                break
        else:
            here = step
            passing.append(step)
            keep(step, results)
    away = np.exp(np.array(passing))
    spread = {
        name: [float(f"{v:.3g}") for v in (away[:, i].min(), away[:, i].max())]
        for i, name in enumerate(group.names)
    }
    told = [
        one
        for k, test in enumerate((*group.tests, *fastest))
        for one in _apart(group, test, k >= len(group.tests), [results[k] for results in curves])
    ]
    return {
        "group": group.group, "seed": SEED, "tried": tried, "passed": len(passing) - 1, "spread": spread, "curves": told,
    }  # fmt: skip


def _apart(group: Group, test: BenchTest, is_faster: bool, results: Sequence[Result]) -> list[dict[str, Any]]:  # fmt: skip
    """For each curve its peak in the fitted set, the least and largest, and how far curves are apart at most."""
    found = []
    for name in CURVES[group.group]:
        if name not in results[0].curves.of:
            continue
        time, _ = results[0].curves[name]
        all_ = np.array([np.interp(time, *one.curves[name]) for one in results])
        # a moment of extension counts downwards; what swings back beyond zero is no peak
        sign = results[0].curves.sign if name == "moment" else 1.0
        peaks = (sign * all_).max(axis=1)
        found.append(
            {
                "test": test.kind, "faster": is_faster, "curve": name, "peak": _short(peaks[0]),
                "least": _short(peaks.min()), "largest": _short(peaks.max()),
                "apart": _short(float(np.ptp(all_, axis=0).max() / peaks[0])),
            }
        )  # fmt: skip
    return found


def _short(value: float) -> float:
    return float(f"{value:.4g}")


def of_dummy(name: str, known: Mapping[str, Any], again: Sequence[str]) -> Mapping[str, Any]:
    """All of one dummy; of groups that are not looked at again what is known."""
    found: dict[str, Any] = {"of": fingerprint(name), "laws": [], "families": []}
    for which in GROUPS:
        if not any(test.kind in GROUPS[which][0] for test in bench_tests(name)):
            continue
        if which not in again:
            for list_ in ("laws", "families"):
                found[list_] += [one for one in known[list_] if one["group"] == which]
            continue
        group = Group(name, which)
        for law in range(len(group.names)):
            found["laws"].append(of_law(group, law))
            print(name, found["laws"][-1], flush=True)
        if which in TRIED:
            found["families"].append(of_family(group, TRIED[which]))
            print(name, which, found["families"][-1]["passed"], flush=True)
    return found


def walked() -> list[str]:
    """Name the dummies whose file has studies of their fit."""
    return [name for name in dummies() if name not in SIDE]


def docs_table() -> str:
    """The table of docs/dummies-fit.md: the factors between which each number may move alone."""
    names = walked()
    lines = [f"| number | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    for group in GROUPS.values():
        for law in group[1]:
            cells = []
            for name in names:
                known = families_of(name)
                assert known is not None
                one = next((m for m in known.margins if m.law == law), None)
                cells.append(f"{one.lower.factor:.2g} to {one.upper.factor:.3g}" if one else "")
            lines.append(f"| {LAWS[law][0]} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Write what was found beside the dummies; those that are not named keep what stands there."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("dummies", nargs="*", choices=[*walked(), []], default=[])
    arguments.add_argument(
        "--groups", nargs="+", choices=GROUPS, default=list(GROUPS), help="those whose laws or tests were changed; the others keep what stands there",
    )  # fmt: skip
    file = FOLDER / FAMILIES
    chosen = arguments.parse_args()
    for name in chosen.dummies or walked():
        known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        found = of_dummy(name, known.get(name, {}), chosen.groups)
        # others may have been written meanwhile
        known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        file.write_text(text_of(known | {name: found}), encoding="utf-8", newline="\n")
        print(f"wrote {name} in {FAMILIES}")


if __name__ == "__main__":
    main()
