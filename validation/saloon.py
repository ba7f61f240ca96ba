"""The default sample held against a car test: Hybrid III driver, 57 km/h against a rigid wall, belt, airbag and knee bag.

NHTSA vehicle crash test 10146 (2018 Toyota Camry): the measured deceleration of the rear floor moves the car, and the dummy sits
at the distances measured before the test. Curves of the driver: public data of that test, filtered to their classes.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

import manikin as mk
from solver.engine.maths.rotation import Array
from solver.injury import G
from validation import column, occupants
from validation.occupants import RATED, TO_S, Figure

FOLDER = Path(__file__).resolve().parent / "data" / "nhtsa_10146"
PICTURE = "pictures/held_10146.png"
WHO, DUMMY = "driver", "hybrid_iii_50"


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


def section() -> str:
    """The page's part."""
    mean = float(np.mean(list(ratings().values())))
    lines = [
        "## A car test: the default sample beside NHTSA 10146",
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
        f"Mean rating {mean:.2f} (asked: 0.65). Asked too: peaks within 8 ms, which {_late()}.",
        "",
        "**Left as it is, for want of a source.** *Chest*: it gives way from 17.5 ms on, when the pretensioner pulls with 1.8 kN, and is 8 mm deep when the real one begins, at 22 ms; it comes to rest 3 mm deeper. "
        "At 45 ms the belt presses back on breastbone, clavicle and abdomen with 1.8, 1.1 and 1.3 kN, at 75 ms with 1.5, 2.5 and 1.5; the bag does not press on the breastbone at all. Ribs that bear at their "
        "sides, as the real ones do (32 to 73 N/mm there: Cavanaugh and others 1988, abstract), are not in the model, and how an abdominal insert gives way at its side, where this belt "
        "crosses it, is not known. *Femurs*: they bear as much as there, but not when: most at 70 ms, of the knee bag and of shins on the dash, "
        "there 1 kN at 25 ms and 1.8 and 2.3 by 34. Both knees have the same bag here, a law without gas, which presses on each with at most 2.0 kN; what pressure stands in a knee bag was found in no public source "
        "(size, times and ports were). There, tibias bear 2.1 to 2.4 kN from 35 ms on, above as well as below: feet push on the knees. Here feet roll and slide up the toe board. Feet flat on it and square to the shanks "
        "(SAE J826: 87 degrees at least), and a heel and a ball under each were tried without the dash: tibias bear from 20 ms on, in blows, and femurs no more than 1.4; "
        "shins that lie on the bag as well bore up to 3.9 kN in two blows and left the femurs as they were. Right knees of drivers stand farther ahead (Atkinson and others 2009, abstract), "
        "by how much in this car is not in its data. *Head*: it flies freely until 45 ms, as there until 48, and has two peaks: 46 g at 65 ms and 32 at 95, there 36 at 65 and 46 at 84. The wheel slides from 57 ms on, by 78 mm, and farther than there; "
        "the bag's pressure falls from 35 to 17 kPa between the peaks. A bag that opens along the column, 25 degrees up, was tried: here nothing but a spring holds a bag to its mouth, it slipped off the head, and HIC15 was three times as large.",
        "",
        *_why(),
    ]
    return "\n".join(lines)


OLDER = {
    "functions/driver_ribs_force/form/y": (0.0, 1211.3, 15516.0),
    "coordinate_forces/driver_ribs/laws/1/damping": 390.85,
    "coordinate_forces/driver_ribs/laws/2/damping": 853.79,
    "coordinate_forces/driver_ribs/laws/3/stiffness": 12137.0,
    "coordinate_forces/driver_ribs/laws/3/damping": 182.3,
}
"""The chest that was fitted on 6.71 m/s alone."""


@cache
def with_older_chest() -> mk.Run:
    """Run the sample with the chest that was fitted on one speed."""
    return mk.run(mk.sample("frontal").with_values(OLDER))


def _late() -> str:
    """Say which peaks come more than 8 ms early or late."""
    far = [part for part, (here, there) in times().items() if abs(here - there) > 8e-3]
    return f"that of the {', '.join(far)} is not" if far else "they are"


def _why() -> list[str]:
    """Say what was put right, and what ends of the printed ranges do."""
    lines = [
        "### What was put right",
        "",
        "**The column gives.** Makers' manuals print that pins shear at 3 kN and 3 to 7 kN over 70 mm follow (BMW 760Li 2003), and some 2 kN to begin and at most "
        "95 mm (Volvo XC70 2009, S60 2011); that of an earlier Camry (AHV40) reports a bracket that breaks away and a tube that slides with friction, without figures. "
        "The sample has the middle, 4.5 kN and 82 mm, chosen by that rule alone (what 3 to 6 kN would do had been seen before), and friction, so that nothing comes back. Wheel 2.2 kg (assumed), bag 1.2 kg "
        f"(TRW 2013). The test's data file has the column's middle 2838 mm ahead of the car's rear before and 2902 mm after: {1e3 * column.MEASURED_M:.0f} mm, found when all below stood. "
        "**The bag bears on the upper arms** too, which lie before it. **The chest** was fitted on one speed of the bench; "
        "[two more tests](dummies.md#chests-at-three-speeds), at 3 m/s and pressed slowly, showed it too soft at low speeds, and it is fitted on all three.",
        "",
        "**He sits as far from wheel and dash as was measured.** Distances held before he settled; as he does, chest and knees slide 24 mm ahead, and so near he had stayed. **The knee bag reaches the knees**: "
        "18 l, as one that was tested (Schroeder and Bosch, ESV), over 60 by 35 cm (assumed) are 164 mm thick, of 166 to the dash; 126 were assumed. Its law is as it was, the dash behind it 38 mm farther.",
        "",
        "**Shins and hands meet the dash.** Nothing stood before shins: those of a small woman close to the wheel swung up through the knee bag until her feet were above her knees. The dash is "
        "two rounded boxes now: their faces are 519 mm ahead of the chest and 166 mm ahead of the knees, as the test's data file has them (the windscreen 642 mm ahead of the head); "
        "both are 24 cm high, the lower one about the knees (assumed), and have the law that the passenger's panel had (assumed). Distances alone chose these places, and none was changed once its figures were seen; "
        "a first try with one box that was as low, 657 mm ahead of the hips all the way up, had given femurs of 1.6 and 1.8 kN. The right femur, which had been 1.65 times too low, is within 1.4. By the same rule [the woman beside him](#the-small-woman-beside-that-driver-foretold) "
        "has a lower dash 126 mm ahead of her knees: her femurs, foretold with 0.74 and 1.15 kN before, bear 1.16 and 1.41; printed are 1.18 and 1.38.",
        "",
        "**Airbag and pretensioner** have the middle of what is printed: 45 l (30 to 60, Autoliv), an inflator with ports of 125 mm2 (a driver's: 50 to 200, Daicel, patent), both fired at 17.5 ms (sensors decide within 15 to 20, "
        "safemotorist.com; a rule of thumb, from memory, has a bag fired 30 ms before a free head has flown five inches, here 17 ms). The bag assumed before had 400 mm2, by which pressure in a tank of 60 l would have risen by 270 kPa in 10 ms, where skin is hurt from "
        "160 to 180 on (Sugimoto, Shindo and Reed, ESV 1994); it was full at 23 ms, and stopped a head that flew freely until 48 ms in the test. Gas and vents are as they were, assumed. "
        "Other values, ends of these ranges among them, had been seen before the rule was taken. One at a time, on the sample:",
        "",
        "| | HIC15 | head, 3 ms | chest, 3 ms | deflection | left, right femur | neck tension, shear | wheel slides | head peaks | rating of head, chest, pelvis |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    runs = {
        "**the sample**": solved(),
        "chest fitted on one speed": with_older_chest(),
        "the bag leaves out arms": column.solved(*column.MIDDLE, arms=False),
        "wheel fixed": column.solved(*column.FIXED),
        "no dash: shins meet nothing": column.without_dash(),
        "lower dash 5 cm lower": column.with_dash(lower=0.05),
        "lower dash 5 cm higher": column.with_dash(lower=-0.05),
        "dash half as stiff": column.with_dash(factor=0.5),
        "dash twice as stiff": column.with_dash(factor=2.0),
        "knee bag 126 mm thick": column.with_thin_knee_bag(),
        "the same, and as near as he had settled": column.as_before(),
        "bag and pretensioner of before": column.changed(column.OLD_BAG),
        "column, the softest printed: 2 kN, 95 mm": column.solved(*column.ENDS[0]),
        "column, the stiffest: 7 kN, 70 mm": column.solved(*column.ENDS[1]),
        "bag of 30 l": column.with_bag(litres=30.0),
        "bag of 60 l": column.with_bag(litres=60.0),
        "ports of 50 mm2": column.with_bag(ports_m2=50e-6),
        "ports of 200 mm2": column.with_bag(ports_m2=200e-6),
        "both fired at 15 ms": column.with_bag(fires_s=0.015),
        "both fired at 20 ms": column.with_bag(fires_s=0.02),
    }
    for name, run in runs.items():
        of = {one.name: one.value for one in run.injury.figures}
        rated = ", ".join(f"{value:.2f}" for value in ratings(run).values())
        peak, _ = occupants.times(run, WHO, measured())["head"]
        lines.append(
            f"| {name} | {of['HIC15']:.0f} | {of['head_3ms']:.0f} g | {of['chest_3ms']:.0f} g | {1e3 * of['chest_deflection']:.0f} mm "
            f"| {1e-3 * of['femur_compression_left']:.2f}, {1e-3 * of['femur_compression_right']:.2f} kN "
            f"| {1e-3 * of['neck_tension']:.2f}, {1e-3 * of['neck_shear']:.2f} kN | {1e3 * column.way(run):.0f} mm | {1e3 * peak:.0f} ms | {rated} |"
        )
    return [
        *lines,
        f"| in the test | 141 | 42 g | 41 g | 23 mm | 1.92, 2.34 kN | 1.17, 0.51 kN | {1e3 * column.MEASURED_M:.0f} mm | 84 ms | |",
        "",
        "HIC15 is 0.9 to 2.5 times the test's over the printed ranges: what this column bears and what this bag holds decide it, and the middles say little of this car. "
        "The printed law of a bag lets a head press on 0.11 m2, four times the section of the "
        "head, because a flat bag is nearly level where the head meets it; the chest, with four times the mass, presses on no more.",
        "",
    ]  # fmt: skip


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
