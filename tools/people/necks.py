"""Fit the neck to volunteers 1635, 1637 and 1638: `python -m tools.people.necks [GENERATIONS [SEED]]`.

What is made small: for each subject, one less the mean rating of its curves (ISO/TS 18571), and squares of
what curves fall short of `EACH`, peaks and the moment at the condyles differ by more than `NEAR`, and joints
turn beyond `FARTHEST`. Numbers stay within `RANGES`. The search is an evolution strategy that learns which
numbers go together (Hansen and Ostermeier 2001), from the numbers as they are. Prints the best of each
generation; anyone who takes them writes them into `tools.necks.__main__`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields

import numpy as np

import manikin as mk
from solver.engine.maths.rotation import Array
from solver.engine.signals.filters import cfc
from solver.project import Project
from solver.project.fields import Vec3
from tools.necks.__main__ import BRACED, NECK
from tools.necks.bones import Posture
from tools.necks.build import Neck, piece
from tools.necks.muscles import Activity
from tools.necks.plane import head
from tools.necks.tissues import Softness
from validation.volunteers import (  # fmt: skip
    CLASS,
    FITTED,
    FOLDER,
    HEAD_ORIGIN,
    TO_S,
    Subject,
    condyles,
    peaks,
    ratings,
    read,
    rebound,
)

RANGES = {
    "lean": (0.0, 0.35), "slope": (-0.12, 0.3), "nod": (-0.2, 0.25), "size": (0.95, 1.06), "shear": (1.8, 5.0), "stretching": (0.1, 1.0),
    "turning_damping": (0.78, 2.75), "upper_damping": (0.06, 0.78), "nuchal": (50.0, 1500.0), "nuchal_strain": (0.12, 0.5), "passive_strain": (0.5, 0.7),
    "stress_pa": (35e4, 50e4), "tone_skull": (0.01, 0.6), "tone": (0.01, 0.6), "braced_skull": (0.05, 1.0), "braced": (0.05, 1.0),
    "delay_s": (0.04, 0.15),
}  # fmt: skip
"""docs/bodies-sources.md says where each range comes from."""
EACH, NEAR, BACK = 0.65, 0.1, 1.15
FARTHEST = np.radians([24.0] * 6 + [30.0] * 2)
POPULATION, SPREAD = 12, 0.07


def start() -> dict[str, float]:
    """The numbers as they are."""
    parts = (NECK.posture, NECK.softness, NECK, BRACED)
    return {
        name: next(getattr(part, name) for part in parts if hasattr(part, name)) for name in RANGES
    }


def neck_of(x: Mapping[str, float]) -> Project:
    """The neck of these numbers."""
    soft = Softness(*(x[one.name] for one in fields(Softness)))
    active = Activity(
        x["tone_skull"], x["tone"], x["braced_skull"], x["braced"], x["delay_s"], x["stress_pa"]
    )
    posture = Posture(x["lean"], x["size"], x["slope"], x["nod"])
    return piece(Neck(posture, soft, x["passive_strain"]), active)


def forecast(neck: Project, subject: Subject, place: Vec3) -> tuple[dict[str, Array], Array]:
    """The curves of a neck in its mid plane on a subject's T1, filtered as measured ones, and turns of its bones; by the place of the condyles."""
    time, found, turns = head(neck, subject, TO_S)
    x, z, pitch, _, _, spin, along, down, turn = found.T
    out_x, out_z = place[0] + HEAD_ORIGIN[0], place[2] + HEAD_ORIGIN[2]
    c, s = np.cos(pitch), np.sin(pitch)
    out_x, out_z = c * out_x + s * out_z, c * out_z - s * out_x
    curves = {
        "acceleration x": along + turn * out_z - spin**2 * out_x, "acceleration z": down - turn * out_x - spin**2 * out_z,
        "angular acceleration": turn, "place x": x + out_x, "place z": z + out_z, "pitch": pitch,
    }  # fmt: skip
    grid = subject.time[subject.time <= TO_S + 1e-9]
    for name in ("place x", "place z", "pitch"):
        curves[name] = curves[name] - curves[name][0]
    return {name: cfc(grid, np.interp(grid, time, value), CLASS) for name, value in curves.items()}, turns  # fmt: skip


def missed(x: Mapping[str, float], subjects: list[Subject]) -> float:
    """By how much all is missed."""
    neck = neck_of(x)
    posture = Posture(x["lean"], x["size"], x["slope"], x["nod"])

    costs, fast, slow = [], 0.0, 0.0
    for subject in subjects:
        found, turns = forecast(neck, subject, posture.condyles)
        rated = np.array(list(ratings(found, subject, 1e-3).values()))
        moment, wanted = condyles(found, subject)
        off = np.abs(np.array([*peaks(found, subject), moment / wanted]) - 1.0) - NEAR
        far = np.abs(turns - turns[0]).max(axis=0) - FARTHEST
        costs.append(
            1.0 - rated.mean() + np.sum(np.maximum(EACH - rated, 0.0) ** 2)
            + 0.5 * np.sum(np.maximum(off, 0.0) ** 2) + np.sum(np.maximum(far, 0.0))
        )  # fmt: skip
        back, wanted = rebound(found, subject)
        fast, slow = fast + back, slow + wanted
    return float(np.mean(costs)) + 0.3 * max(fast / slow - BACK, 0.0) ** 2


def evolve(
    cost: Callable[[Array], float],
    begin: Array,
    generations: int,
    seed: int,
    tell: Callable[[float, Array], None],
) -> Array:
    """Find numbers from 0 to 1 of the smallest cost; `tell` hears of the best of each generation."""
    draw, n, half = np.random.default_rng(seed), len(begin), POPULATION // 2
    weight = math.log(half + 0.5) - np.log(np.arange(1, half + 1))
    weight /= weight.sum()
    mass = 1.0 / float(weight @ weight)
    c_path, c_step = 4.0 / (n + 4.0), (mass + 2.0) / (n + mass + 5.0)
    c_one = 2.0 / ((n + 1.3) ** 2 + mass)
    c_all = min(1.0 - c_one, 2.0 * (mass - 2.0 + 1.0 / mass) / ((n + 2.0) ** 2 + mass))
    usual = math.sqrt(n) * (1.0 - 0.25 / n + 1.0 / (21.0 * n * n))
    shape, path, walk, spread = np.eye(n), np.zeros(n), np.zeros(n), SPREAD
    middle, best, least = begin.copy(), begin.copy(), cost(begin)
    for _ in range(generations):
        size, axes = np.linalg.eigh(shape)
        root = np.sqrt(np.maximum(size, 1e-12))
        tried = np.clip(
            middle + spread * (draw.standard_normal((POPULATION, n)) * root) @ axes.T, 0.0, 1.0
        )
        costs = np.array([cost(u) for u in tried])
        order = np.argsort(costs)
        if costs[order[0]] < least:
            least, best = float(costs[order[0]]), tried[order[0]]
        tell(float(costs[order[0]]), tried[order[0]])
        steps = (tried[order[:half]] - middle) / spread
        mean = weight @ steps
        middle = middle + spread * mean
        walk = (1.0 - c_step) * walk + math.sqrt(c_step * (2.0 - c_step) * mass) * (
            axes @ ((axes.T @ mean) / root)
        )
        path = (1.0 - c_path) * path + math.sqrt(c_path * (2.0 - c_path) * mass) * mean
        shape = (1.0 - c_one - c_all) * shape + c_one * np.outer(path, path)
        shape += c_all * (steps.T * weight) @ steps
        spread *= math.exp(c_step / 2.0 * (float(np.linalg.norm(walk)) / usual - 1.0))
    return best


def main(generations: int, seed: int) -> None:
    """Fit and print."""
    subjects, names = [read(FOLDER / f"{name}.csv") for name in FITTED], list(RANGES)
    low, high = (np.array([RANGES[name][k] for name in names]) for k in (0, 1))

    def values(u: Array) -> dict[str, float]:
        return {name: float(v) for name, v in zip(names, low + u * (high - low), strict=True)}

    def cost(u: Array) -> float:
        try:
            return missed(values(u), subjects)
        except (mk.RunFailed, mk.ProjectError, mk.SignalError):
            return 9.0

    def tell(found: float, u: Array) -> None:
        print(
            f"{found:.4f}", {name: float(f"{v:.4g}") for name, v in values(u).items()}, flush=True
        )

    known = start()
    begin = np.clip((np.array([known[name] for name in names]) - low) / (high - low), 0.0, 1.0)
    best = evolve(cost, begin, generations, seed, tell)
    tell(cost(best), best)


if __name__ == "__main__":
    main(
        int(sys.argv[1]) if len(sys.argv) > 1 else 30, int(sys.argv[2]) if len(sys.argv) > 2 else 1
    )
