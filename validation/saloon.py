"""The default sample held against a car test: Hybrid III driver, 57 km/h against a rigid wall, belt, airbag and knee bag.

NHTSA vehicle crash test 10146 (2018 Toyota Camry): the measured deceleration of the rear floor moves the car, and the dummy sits
at the distances measured before the test. Curves of the driver: public data of that test, filtered to their classes.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

import manikin as mk
from solver.base.places import resources
from solver.engine.maths.rotation import Array
from solver.injury import G
from validation import occupants
from validation.case import Verdict
from validation.occupants import RATED, TO_S, Figure

FOLDER = resources() / "data" / "nhtsa_10146"
PICTURE = "pictures/held_10146.png"
WHO, DUMMY = "driver", "hybrid_iii_50"
TITLE = "A car test: the default sample beside NHTSA 10146"


def measured() -> dict[str, Array]:
    """Read the driver's curves."""
    return occupants.read(FOLDER / "driver.csv")


@cache
def solved() -> mk.Run:
    """Run the sample."""
    return mk.run(mk.sample("frontal"))


@cache
def ratings(run: mk.Run | None = None) -> dict[str, float]:
    """Rate sizes of the accelerations by ISO 18571."""
    return occupants.ratings(run or solved(), WHO, measured())


@cache
def figures() -> tuple[Figure, ...]:
    """Give peaks and injury figures beside those of the test."""
    return occupants.figures(solved(), WHO, measured(), DUMMY)


def times() -> dict[str, tuple[float, float]]:
    """The times of the largest accelerations (s), here and in the test."""
    return occupants.times(solved(), WHO, measured())


def verdicts() -> list[Verdict]:
    """What came of it."""
    known, near = "chosen while his curves were known", sum(one.ratio <= 1.4 for one in figures())
    mean, late = float(np.mean(list(ratings().values()))), _late()
    return [
        Verdict(TITLE, known, f"{near} of {len(figures())} figures within 1.4", "all", near == len(figures())),
        Verdict(TITLE, known, f"mean rating {mean:.2f}", "0.65", mean >= 0.65),
        Verdict(TITLE, known, f"peaks late by {max(abs(a - b) for a, b in times().values()) * 1e3:.0f} ms at most", "8 ms", not late, f"the {late} has its larger peak first" if late else ""),
    ]  # fmt: skip


def section() -> str:
    """The page's part."""
    mean, late = float(np.mean(list(ratings().values()))), _late()
    lines = [
        f"## {TITLE}",
        "",
        "Hybrid III driver in a 2018 Toyota Camry, 57.09 km/h against a rigid wall, three-point belt with pretensioner and load",
        "limiter, airbag and knee bag. Taken from the test are the deceleration of the rear floor, the speed, and how far the dummy",
        "sat from wheel, dash, header and windscreen (chest to dash 519 mm, knees to dash 166). **Laws of seat, belt, bags and dash are assumed, and were chosen while the",
        "driver's curves were known: this shows that dummy and restraints together can move as they did, and foretells nothing.** Belt",
        "forces were not recorded. The car's pitch and height are left out: its rear floor moves by less than 15 mm up or down until 80 ms.",
        "",
        f"![Accelerations here and in the test]({PICTURE})",
        "",
        *occupants.table(figures()),
        "",
        *occupants.rated_table(solved(), WHO, measured()),
        "",
        f"Mean rating {mean:.2f} (asked: 0.65). Asked too: peaks within 8 ms, which {f'that of the {late} is not' if late else 'they are'}.",
        "",
        "**What holds**: sizes of accelerations, forces and deflection. **What fails**: the head has its larger peak first, at 68 ms, where the test has it at 84, as the wheel slides "
        "farther here and the bag's pressure falls between the peaks; the chest gives way 5 ms early, when the pretensioner pulls; femurs bear as much as there, but 40 ms late, of knee bag and shins, where "
        "feet pushed on the knees. HIC15 is 0.9 to 2.5 times the test's over what is printed of columns and bags: what this column bears and what this bag holds decide it, and the middles say "
        "little of this car. [What was put right and what was tried](tried.md#the-default-sample-a-driver-at-57-kmh).",
        "",
    ]
    return "\n".join(lines)


def _late() -> str:
    """Say which peaks come more than 8 ms early or late."""
    far = [part for part, (here, there) in times().items() if abs(here - there) > 8e-3]
    return ", ".join(far)


def picture(file: Path) -> None:
    """Draw the sizes of the accelerations here and in the test."""
    from matplotlib.figure import Figure as Drawing

    drawing = Drawing(figsize=(9.0, 2.8), layout="constrained")
    test = measured()
    for axes, part in zip(drawing.subplots(1, 3, sharey=True), RATED, strict=True):
        time, found = occupants.computed(solved(), WHO, part)
        axes.plot(1e3 * test["time"], test[part] / G, color="#888888", lw=2.0, label="test")
        axes.plot(1e3 * time, found["size"] / G, color="#c0392b", lw=1.5, label="here")
        axes.set(title=part, xlabel="time [ms]", xlim=(0.0, 1e3 * TO_S))
        axes.grid(visible=True, alpha=0.3)
    drawing.axes[0].set_ylabel("acceleration [g]")
    drawing.axes[0].legend(frameon=False)
    drawing.savefig(file, dpi=100)
