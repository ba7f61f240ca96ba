"""Fit the neck to volunteers 1635, 1637 and 1638: `python -m tools.necks.fit [STEPS]`.

Least squares of all curves of `validation.volunteers` over their rated spans, each by the test's greatest
value. Prints the numbers; whoever takes them writes them into `tools.necks.__main__`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy.optimize import least_squares

import manikin as mk
from solver.maths.rotation import Array
from solver.project import Project
from tools.necks.__main__ import BRACED, NECK
from tools.necks.bones import Posture
from tools.necks.build import Neck, piece
from tools.necks.muscles import Activity
from tools.necks.tissues import Softness
from validation.volunteers import (  # fmt: skip
    DISPLACEMENTS_TO_S,
    FITTED,
    FOLDER,
    FROM_S,
    TO_S,
    Subject,
    computed,
    model,
    read,
)

RANGES = {
    "lean": (0.1, 0.65), "size": (0.95, 1.06), "bending": (1.0, 7.2), "shear": (1.0, 5.0), "stretching": (0.1, 1.0), "upper": (2.0, 60.0),
    "flexion": (0.2, 1.0), "ends": (30.0, 2000.0), "passive_strain": (0.25, 0.6), "tone_long": (0.02, 0.6), "tone": (0.01, 0.6),
    "braced_long": (0.1, 1.0), "braced": (0.05, 1.0), "delay_s": (0.04, 0.15),
}  # fmt: skip
"""Sizes within two spreads of bones; bending of discs between a disc alone (Moroney) and whole segments at
speed (Voo, 86 N m/rad); shear from a disc alone to a segment at speed; stretching from tension to compression."""
STEP = 0.04
"""Part by which each number is changed to see what it does."""


def start() -> dict[str, float]:
    """Give the numbers as they are."""
    soft = NECK.softness
    known = {
        "lean": NECK.posture.lean,
        "size": NECK.posture.size,
        "passive_strain": NECK.passive_strain,
    }
    known |= {
        name: getattr(soft, name)
        for name in ("bending", "shear", "stretching", "upper", "flexion", "ends")
    }
    return known | {name: getattr(BRACED, name) for name in ("tone_long", "tone", "braced_long", "braced", "delay_s")}  # fmt: skip


def neck_of(x: Mapping[str, float]) -> Project:
    """Give the neck of these numbers."""
    old = NECK.softness
    soft = Softness(
        x["bending"], x["shear"], x["stretching"], old.turning_damping, x["upper"], x["flexion"], old.extension, x["ends"]
    )  # fmt: skip
    active = Activity(x["tone_long"], x["tone"], x["braced_long"], x["braced"], x["delay_s"])
    return piece(Neck(Posture(x["lean"], x["size"]), soft, x["passive_strain"]), active)


def missed(x: Mapping[str, float], subjects: list[Subject]) -> Array:
    """Give by how much all curves are missed."""
    neck = neck_of(x)

    def one(subject: Subject) -> Array:
        run = mk.run(mk.Model(model(subject, neck)), until=TO_S)
        out = []
        for name, value in computed(run, subject).items():
            end = DISPLACEMENTS_TO_S if name.startswith("place") else TO_S
            at = np.flatnonzero((subject.time >= FROM_S) & (subject.time <= end))[::2]
            size = np.abs(subject.measured[name][subject.time <= TO_S]).max()
            off = value[at[at < len(value)]] - subject.measured[name][at[at < len(value)]]
            out.append(off / size / math.sqrt(len(at)))
        return np.concatenate(out)

    with ThreadPoolExecutor(2) as pool:
        return np.concatenate(list(pool.map(one, subjects)))


def main(steps: int) -> None:
    """Fit and print."""
    subjects, names = [read(FOLDER / f"{name}.csv") for name in FITTED], list(RANGES)
    low, high = (np.log([RANGES[name][k] for name in names]) for k in (0, 1))
    last: dict[str, Array] = {}

    def values(u: Array) -> dict[str, float]:
        return {name: float(math.exp(v)) for name, v in zip(names, u, strict=True)}

    def residual(u: Array) -> Array:
        try:
            last["r"] = missed(values(u), subjects)
        except (mk.RunFailed, mk.ProjectError):
            return np.full_like(last["r"], 1.0)
        return last["r"]

    def slopes(u: Array) -> Array:
        here, columns = residual(u), []
        print(
            f"{here @ here:.4f}", {name: round(v, 4) for name, v in values(u).items()}, flush=True
        )
        for i in range(len(u)):
            h = STEP if u[i] + STEP < high[i] else -STEP
            moved = u.copy()
            moved[i] += h
            columns.append((residual(moved) - here) / h)
        return np.array(columns).T

    begin = np.clip(np.log([start()[name] for name in names]), low + 1e-6, high - 1e-6)
    found = least_squares(residual, begin, slopes, bounds=(low, high), max_nfev=steps, xtol=1e-3, ftol=1e-3)  # fmt: skip
    print(values(found.x))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 8)
