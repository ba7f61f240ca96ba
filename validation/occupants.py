"""What a dummy's curves of a car test are compared by: accelerations rated, peaks and injury figures beside each other.

A file of curves is a table by commas with the time `t_ms` and columns as in `resources/data/nhtsa_10146/driver.csv`: SAE J211 axes, g, N, N m, mm,
filtered to their classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

import manikin as mk
from solver.engine.maths.rotation import Array
from solver.engine.signals import cfc
from solver.engine.signals.rating import rating
from solver.engine.signals.series import clip_summed
from solver.injury import G, hic, reference
from solver.injury.head import nij

TO_S = 0.14
RATED = {
    "head": ("head_acceleration", 1000),
    "chest": ("chest_acceleration", 180),
    "pelvis": ("pelvis_acceleration", 1000),
}
"""Parts whose accelerations are rated: quantity and channel class."""
LEVER_M = 0.01778
"""From the upper neck load cell to the condyles (FMVSS 208, S6.6)."""
_3_MS = 0.003


@dataclass(frozen=True)
class Figure:
    """A figure of the run beside the test's."""

    name: str
    unit: str
    here: float
    test: float

    @property
    def ratio(self) -> float:
        """How many times one is the other, above one."""
        return max(self.here / self.test, self.test / self.here)


@cache
def read(file: Path) -> dict[str, Array]:
    """Read curves, with the time in seconds, and the sizes of accelerations in m/s2."""
    data = np.genfromtxt(file, delimiter=",", names=True)
    found = {name: np.asarray(data[name], float) for name in data.dtype.names or ()}
    for part in RATED:
        rows = [found[f"{part}_a{axis}_g"] for axis in "xyz"]
        found[part] = G * np.linalg.norm(rows, axis=0)
        found[f"{part}_x"] = G * rows[0]
    return found | {"time": found["t_ms"] / 1e3}


def computed(run: mk.Run, who: str, part: str) -> tuple[Array, dict[str, Array]]:
    """The acceleration of a part (m/s2), filtered as measured: along its x, and its size."""
    name, class_ = RATED[part]
    axes = [run[f"{who}_{name}_{axis}"] for axis in "xyz"]
    rows = [cfc(np.asarray(one.time), np.asarray(one.value), class_) for one in axes]
    return np.asarray(axes[0].time), {"x": rows[0], "size": np.linalg.norm(rows, axis=0)}


def ratings(run: mk.Run, who: str, test: dict[str, Array]) -> dict[str, float]:
    """Rate sizes of the accelerations by ISO 18571."""
    out = {}
    for part in RATED:
        time, found = computed(run, who, part)
        here, there = time <= TO_S, test["time"] <= TO_S
        out[part] = rating(time[here], found["size"][here], test["time"][there], test[part][there]).whole  # fmt: skip
    return out


def times(run: mk.Run, who: str, test: dict[str, Array]) -> dict[str, tuple[float, float]]:
    """The times of the largest accelerations (s), here and in the test."""
    out = {}
    for part in RATED:
        time, found = computed(run, who, part)
        there = float(test["time"][np.argmax(test[part])])
        out[part] = float(time[np.argmax(found["size"])]), there
    return out


def foretold(run: mk.Run, who: str) -> dict[str, tuple[str, float]]:
    """Give peaks and injury figures of a run by name, with their units."""
    injury = {one.name: one.value for one in run.injury.figures}
    return {
        "HIC15": ("", injury["HIC15"]),
        "Head, 3 ms": ("g", injury["head_3ms"]),
        "Chest, 3 ms": ("g", injury["chest_3ms"]),
        "Chest deflection": ("mm", 1e3 * injury["chest_deflection"]),
        "Pelvis, 3 ms": ("g", injury["pelvis_3ms"]),
        "Left femur": ("kN", 1e-3 * injury["femur_compression_left"]),
        "Right femur": ("kN", 1e-3 * injury["femur_compression_right"]),
        "Neck tension": ("kN", 1e-3 * injury["neck_tension"]),
        "Neck shear": (
            "kN",
            1e-3 * float(np.abs(run[f"{who}_condyles.force_x"].value).max()),
        ),
        "Nij": ("", injury["Nij"]),
    }


def recorded(test: dict[str, Array], dummy: str) -> dict[str, float]:
    """The same figures of a test's curves; `dummy` is whose intercepts Nij takes."""
    t = test["time"]
    force, moment = (
        np.stack([test.get(f"neck_{kind}{axis}_{unit}", np.zeros_like(t)) for axis in "xyz"])
        for kind, unit in (("F", "N"), ("M", "Nm"))
    )
    return {
        "HIC15": hic(t, test["head"] / G, 0.015).value,
        **{
            f"{part.capitalize()}, 3 ms": clip_summed(t, test[part] / G, _3_MS).level
            for part in RATED
        },
        "Chest deflection": -test["chest_defl_mm"].min(),
        **{
            f"{side.capitalize()} femur": -1e-3 * test[f"femur_{side}_Fz_N"].min()
            for side in ("left", "right")
        },
        "Neck tension": 1e-3 * force[2].max(),
        "Neck shear": 1e-3 * np.abs(force[0]).max(),
        "Nij": nij(t, force, moment, LEVER_M, reference().necks[dummy]).value,
    }


def figures(run: mk.Run, who: str, test: dict[str, Array], dummy: str) -> tuple[Figure, ...]:
    """Give peaks and injury figures beside those of the test."""
    there = recorded(test, dummy)
    here = foretold(run, who).items()
    return tuple(Figure(name, unit, value, there[name]) for name, (unit, value) in here)


def table(shown: tuple[Figure, ...]) -> list[str]:
    """Give figures as rows of a page."""
    lines = ["| figure | here | test | ratio | within 1.4 (asked) |", "|---|---|---|---|---|"]
    for one in shown:
        inside = "yes" if one.ratio <= 1.4 else "**no**"
        lines.append(
            f"| {one.name} | {one.here:.3g} {one.unit} | {one.test:.3g} {one.unit} | {one.ratio:.2f} | {inside} |"
        )
    return lines


def rated_table(run: mk.Run, who: str, test: dict[str, Array]) -> list[str]:
    """Give ratings and times of peaks as rows of a page."""
    lines = [
        "| acceleration | rating (ISO 18571) | peak here | peak in the test |",
        "|---|---|---|---|",
    ]
    rated = ratings(run, who, test)
    for part, (here, there) in times(run, who, test).items():
        lines.append(f"| {part} | {rated[part]:.2f} | {1e3 * here:.0f} ms | {1e3 * there:.0f} ms |")
    return lines
