"""Fit the laws of a dummy to its bench tests: `python -m tools.dummies.fit hybrid_iii_50m [GROUP ...]`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import asdict, replace

import numpy as np
from scipy.optimize import least_squares

from solver.bench.running import Result, Verdict, run_test
from solver.bench.table import Asked, bench_tests
from solver.bodies.body import Body
from solver.bodies.dummies import body_of
from solver.maths.rotation import Array
from tools.dummies.__main__ import written
from tools.dummies.figures import SIZES
from tools.dummies.laws import Laws, keep, laws

GROUPS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "neck": (
        ("neck_flexion", "neck_extension"),
        (
            "disc_flexion", "disc_flexion3", "disc_extension", "disc_extension3", "disc_damping", "nod_flexion",
            "nod_flexion3", "nod_extension", "nod_extension3", "nod_damping",
        ),
    ),
    "head": (("head_drop",), ("skin",)),
    "thorax": (
        ("thorax",),
        ("ribs", "ribs_beyond", "ribs_series", "ribs_series_damping", "ribs_damping_in", "ribs_damping_out"),
    ),
    "knee": (("knee",), ("knee_skin",)),
    "lumbar": (("torso_flexion",), ("lumbar",)),
}  # fmt: skip
PULL = 0.25
"""How much it costs to leave the start, by the logarithm of the ratio: what nothing tells stays."""


FROM_MAN: Mapping[str, Mapping[str, float]] = {
    "hybrid_iii_5f": {
        "neck": 0.78,
        "head": 0.85,
        "thorax": 0.7,
        "jacket": 0.7,
        "knee": 0.65,
        "lumbar_damping": 0.58,
    },
    "hybrid_iii_95m": {"neck": 1.23, "head": 1.1, "thorax": 1.2, "jacket": 1.2, "knee": 1.2},
    "hybrid_iii_6y": {
        "neck": 0.31,
        "head": 0.8,
        "thorax": 0.3,
        "jacket": 0.3,
        "knee": 0.3,
        "lumbar_damping": 0.17,
    },
    "hybrid_iii_3y": {
        "neck": 0.49,
        "head": 0.6,
        "thorax": 0.2,
        "jacket": 0.2,
        "knee": 0.2,
        "lumbar_damping": 0.11,
    },
}
"""Where a fit of another dummy starts, in parts of the 50th man's laws, by group or single: moments and forces asked for there."""


def first_guess(id_: str) -> Laws:
    """Give the 50th man's laws in proportion."""
    known = laws("hybrid_iii_50m")
    changed = {
        name: asdict(known)[name] * factor
        for group, factor in FROM_MAN.get(id_, {}).items()
        for name in (GROUPS[group][1] if group in GROUPS else (group,))
    }
    return replace(known, **changed)


def body(id_: str, chosen: Laws) -> Body:
    """Give a dummy with some laws."""
    return body_of(written(SIZES[id_], chosen))


def late(result: Result) -> list[Verdict]:
    """Ask of a chest that its largest force comes when it is pressed deep, not with the first touch."""
    if result.test.kind != "thorax":
        return []
    by = {v.asked.figure: v.asked for v in reversed(result.verdicts)}
    force = next(by[name] for name in ("force", "force_between") if name in by)
    deep = by["deflection"].low
    assert force.low is not None
    assert force.high is not None
    assert deep is not None
    first = Asked(figure="force_between", unit="N", at=0.0, until=0.3 * deep, high=0.9 * force.low)
    last = Asked(
        figure="force_between",
        unit="N",
        at=0.7 * deep,
        until=2.0 * deep,
        low=force.low,
        high=force.high,
    )
    return [
        Verdict(asked, result.curves.figure(asked))
        if result.curves["deflection"][1].max() > 0.7e-3 * deep
        else Verdict(asked, None)
        for asked in (first, last)
    ]


def off(verdict: Verdict) -> float:
    """Give how far a figure is from the middle of its corridor, in halves of it; a limit counts near it."""
    asked, value = verdict.asked, verdict.value
    if value is None:
        return 5.0
    low, high = asked.low, asked.high
    if low is None or high is None:
        end = high if low is None else low
        assert end is not None
        beyond = (value - end) / abs(end) if low is None else (end - value) / abs(end)
        return max(0.0, 10.0 * (beyond + 0.1))
    return (2.0 * value - low - high) / (high - low)


def fit(id_: str, group: str, start: Laws) -> Laws:
    """Give the laws that bring the figures of a group nearest to the middle of their corridors."""
    kinds, names = GROUPS[group]
    asked = [t for t in bench_tests(id_) if t.kind in kinds]
    if not asked:
        return start
    first = np.log([asdict(start)[name] for name in names])

    def made(logs: Array) -> Laws:
        return replace(start, **dict(zip(names, np.exp(logs).tolist(), strict=True)))

    def residuals(logs: Array) -> Array:
        with_laws = body(id_, made(logs))
        results = [run_test(id_, test, with_laws) for test in asked]
        found = [
            off(v)
            for result in results
            for v in (*result.verdicts, *late(result))
            if not v.asked.figure.startswith(("pulse", "speed_loss", "lateral"))
        ]
        return np.array([*found, *(PULL * (logs - first))])

    done = least_squares(
        residuals, first, diff_step=np.full(len(names), 3e-3), x_scale=0.1, max_nfev=25
    )
    print(
        f"{id_} {group}: {done.cost:.3f} after {done.nfev}, worst {abs(done.fun[: -len(names)]).max():.2f}"
    )
    return made(done.x)


def main() -> None:
    """Fit groups of a dummy, one after the other."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("dummy", choices=SIZES)
    arguments.add_argument("groups", nargs="*", default=list(GROUPS))
    chosen = arguments.parse_args()
    found = laws(chosen.dummy)
    if found == Laws():
        found = first_guess(chosen.dummy)
    for group in chosen.groups:
        found = fit(chosen.dummy, group, found)
        keep(chosen.dummy, found)


if __name__ == "__main__":
    main()
