"""Fit chest, neck and levels of the 50th-percentile man: `python -m tools.people.fit chest`, `neck`, `levels` or `neck_levels`.

The chest is fitted to the average curve of Kroell's tests at 7.15 m/s, inside its corridor, and to a largest deflection within one
standard deviation of the subjects. The neck is fitted to the heads of volunteers 1635, 1637 and 1638. Both with a pull towards the
start, where measurements say nothing. Numbers found for these two are printed and go into `solver/bodies/people` by hand, rounded.

Levels are fitted to measured curves (docs/spine-levels.md), joint by joint: at equal moments the angles of the levels that a joint stands for
are added up, and each source that has all or some of them counts alike; those that no source has turn as the mean of the others. Where one
source ends, the curve goes on by what the others rise. What was found is written to `resources/bodies/levels.json`. `neck_levels` prints
the laws of single levels that the library's neck has.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import numpy as np
from scipy.optimize import least_squares

from solver.base.places import resources
from solver.bodies.parts import Ribs
from solver.bodies.people import sizes, trunk
from solver.engine.maths.rotation import Array
from validation import levels, people, volunteers

LOBDELL = Ribs(26.3e3, 78.9e3, 0.038, 13.2e3, 175.0, 525.0, 1226.0)
LOBDELL_SKIN = 281e3
CHEST = ("stiffness", "beyond", "series", "series_damping", "damping_in", "damping_out")
DEEP_MM = 75.5
"""Largest deflection that is aimed at: one standard deviation below the subjects' mean, and a little more."""
NECK = (0.1, 0.75, 0.1, 0.9, 0.3, 0.08)
"""Start: what skin and fascia bear, damping of discs and condyles (N m s/rad), activation of extensors on the skull and of others, when they rise (s)."""
NECK_RANGES = ((0.05, 1.0), (0.4, 1.4), (0.03, 0.4), (0.4, 1.0), (0.05, 0.6), (0.04, 0.15))
"""Within the ranges of the library's neck (docs/bodies-sources.md)."""
PULL = 0.1
BEYOND_LEAST = 50e3
"""Least stiffness of ribs pressed deep (N/m): hubs alone would have it softer, and belts would sink in farther than they do."""


def chest(logs: Array) -> Array:
    """Give residuals of a chest."""
    values = np.exp(logs)
    trunk.CHEST = replace(LOBDELL, **dict(zip(CHEST, values.tolist(), strict=False)))
    trunk.SKIN = float(values[-1])
    press = people.pressed(people.KROELL)
    d, f = press.deflection, press.force
    deepest = int(np.argmax(d))
    average = people.curve_of("kroell_16mph_corridor", "average")
    ends = int(np.argmax(average[:, 0])) + 1
    grid = np.arange(8.0, 72.0, 4.0)
    going = np.interp(grid, d[: deepest + 1], f[: deepest + 1])
    lower = people.curve_of("kroell_16mph_corridor", "lower")[:4]
    upper = people.curve_of("kroell_16mph_corridor", "upper")[:3]
    low = np.where(grid > lower[-1, 0], 0.0, np.interp(grid, lower[:, 0], lower[:, 1]))
    high = np.interp(grid, upper[:, 0], upper[:, 1])
    back = np.array([58.0, 62.0, 66.0])
    found = np.interp(back, d[deepest:][::-1], f[deepest:][::-1])
    asked = np.interp(back, average[ends - 1 :, 0][::-1], average[ends - 1 :, 1][::-1])
    return np.concatenate(
        [
            (going - np.interp(grid, average[:ends, 0], average[:ends, 1])) / 1500.0,
            np.maximum(low + 120.0 - going, 0.0) / 60.0,
            np.maximum(going - high + 120.0, 0.0) / 60.0,
            (found - asked) / 1000.0,
            [2.0 * (press.deepest - DEEP_MM)],
            PULL * (logs - CHEST_START),
        ]
    )


CHEST_START = np.log([*(getattr(LOBDELL, name) for name in CHEST), LOBDELL_SKIN])


def neck(logs: Array) -> Array:
    """Give residuals of a neck."""
    sizes.FASCIA, damping, nods, people.BRACED_SKULL, people.BRACED, people.BRACED_S = np.exp(logs)
    sizes.NECK_DAMPING = {"discs": damping, "condyles": nods}
    people.held_by_muscles.cache_clear()
    out: list[float] = []
    for name in volunteers.FITTED:
        subject = volunteers.read(volunteers.FOLDER / f"{name}.csv")
        found = volunteers.computed(people.head_on_t1(subject), subject)
        pitch = found["pitch"].min() - subject.measured["pitch"].min()
        out += [1.0 - rating for rating in volunteers.ratings(found, subject).values()]
        out += [0.5 * (peak - 1.0) for peak in volunteers.peaks(found, subject)]
        out.append(float(pitch) / np.radians(30.0))
        moment = volunteers.condyles(found, subject)
        out.append(moment[0] / moment[1] - 1.0)
    return np.concatenate([out, PULL * (logs - np.log(NECK))])


MOMENTS = {"lumbar": (2.5, 5.0, 7.5, 10.0), "thoracic": (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0), "neck": (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)}  # fmt: skip
"""At which levels are fitted (N m)."""
LEAST = 0.05
"""Least stiffness at rest, in parts of greatest moment over its angle: a joint without any has no place of rest; assumed."""
PANJABI = {"flexion": 2.7, "extension": 3.3, "sideways": 3.0}
"""Bending of thoracic levels (N m for each degree, 1976, from memory), which are in none of the curves; each turns on in proportion."""


def joint_curve(stands_for: tuple[str, ...], way: str, at: tuple[float, ...]) -> tuple[Array, Array]:  # fmt: skip
    """The moments at which levels in a row were measured, and their angles (degrees) added up."""
    found: list[dict[str, float]] = []
    for moment in at:
        here = {}
        for source in levels.SOURCES:
            curves = [
                one for one in levels.curves()
                if (one.source, one.way) == (source, way) and {*levels.COVERS.get(one.level, (one.level,))} <= {*stands_for}
            ]  # fmt: skip
            angles = [one.at(moment) for one in curves]
            many = sum(len(levels.COVERS.get(one.level, (one.level,))) for one in curves)
            known = [one[0] for one in angles if one is not None]
            if many and len(known) == len(angles):
                here[source] = sum(known) * len(stands_for) / many
        found.append(here)
    out: list[float] = []
    for n, here in enumerate(found):
        if not here:
            break
        if len(here) == len(found[0]):
            out.append(float(np.mean([*here.values()])))
        else:
            rise = [angle - found[n - 1][source] for source, angle in here.items()]
            out.append(out[-1] + float(np.mean(rise)))
    return np.array(at[: len(out)]), np.array(out)


def joint_laws() -> dict[str, dict[str, list[float]]]:
    """The law of each joint in each way: N m for each degree, degrees, N m for each square of a degree beyond them."""
    laws: dict[str, dict[str, list[float]]] = {}
    for joint, stands_for in levels.STANDS_FOR.items():
        part = next((one for one in MOMENTS if joint.startswith(one)), "neck")
        laws[joint] = {}
        for way in levels.WAYS:
            moment, angle = joint_curve(stands_for, way, MOMENTS[part])
            if len(moment):
                found = levels.ended(moment, angle, LEAST * moment[-1] / angle[-1])
                numbers = (found.linear, found.stop, found.quadratic)
            else:
                numbers = (PANJABI[way] / len(stands_for), 0.0, 0.0)
            laws[joint][way] = [float(f"{v:.3g}") if v > 1e-3 else 0.0 for v in numbers]
    return laws


NECK_LEVELS = {"C0-C1": "skull", "C1-C2": "C1", "C2-C3": "C2", "C3-C4": "C3", "C4-C5": "C4", "C5-C6": "C5", "C6-C7": "C6"}  # fmt: skip
UPPER_LEVELS = ("C0-C1", "C1-C2")


def neck_levels(way: str) -> dict[str, tuple[float, float, float]]:
    """The laws of single levels of the neck for `tools.necks.levels`, by the bone above."""
    known = {(one.source, one.level): one for one in levels.curves() if one.way == way}

    def angle(source: str, level: str, moment: float) -> float:
        found = known[source, level].at(moment)
        assert found is not None
        return found[0]

    out, at = {}, np.array(MOMENTS["neck"])
    for level, bone in NECK_LEVELS.items():
        upper = level in UPPER_LEVELS
        own = ("C0-C2",) if upper else (level,) if ("nightingale_2007", level) in known else ()
        angles: list[float] = []
        for moment in at:
            if moment <= 1.0:
                here = angle("panjabi_2001", level, moment)
                if own:
                    together = sum(
                        angle("panjabi_2001", one, moment)
                        for one in (UPPER_LEVELS if upper else own)
                    )
                    here *= 0.5 * (1.0 + angle("nightingale_2007", own[0], moment) / together)
                angles.append(here)
            else:
                on = [
                    angle("nightingale_2007", one, moment) / angle("nightingale_2007", one, 1.0)
                    for one in own or ("C4-C5", "C6-C7")
                ]
                angles.append(angles[3] * float(np.mean(on)))
        law = levels.ended(at, np.array(angles), LEAST * at[-1] / angles[-1])
        out[bone] = tuple(
            float(f"{v:.3g}") if v > 1e-3 else 0.0 for v in (law.linear, law.stop, law.quadratic)
        )
    return out  # type: ignore[return-value]


def write_levels() -> None:
    """Write what levels bear, by joint and way."""
    rows = [
        f'    "{joint}": {{\n' + ",\n".join(f'      "{way}": {json.dumps(law)}' for way, law in ways.items()) + "\n    }"
        for joint, ways in joint_laws().items()
    ]  # fmt: skip
    source = (
        "specimens without muscles and without a load, level by level (docs/spine-levels.md): Panjabi 2001, Nightingale 2007, Wilke 2017 (thoracic twist), "
        "Yamamoto 1989; thoracic bending Panjabi 1976, from memory; T12-L1 and C7-T1 as their neighbours: assumed"
    )
    note = "Man's; each way: N m for each degree, degrees up to which it is so, N m for the square of each degree beyond; made by tools/people/fit.py"
    text = f'{{\n  "source": {json.dumps(source)},\n  "note": {json.dumps(note)},\n  "joints": {{\n' + ",\n".join(rows) + "\n  }\n}\n"  # fmt: skip
    (resources() / "bodies" / "levels.json").write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    """Fit one of them."""
    if sys.argv[1:] == ["levels"]:
        write_levels()
        return
    if sys.argv[1:] == ["neck_levels"]:
        print({way: neck_levels(way) for way in ("flexion", "extension")})
        return
    if sys.argv[1:] == ["neck"]:
        low, top = np.log(NECK_RANGES).T
        found = least_squares(neck, np.log(NECK), diff_step=np.full(6, 0.03), x_scale=0.3, max_nfev=10, bounds=(low, top))  # fmt: skip
        print(np.exp(found.x))
    else:
        start, steps = CHEST_START, np.full(len(CHEST_START), 5e-3)
        low = start - 1.6
        low[1] = np.log(BEYOND_LEAST)
        found = least_squares(
            chest,
            start,
            diff_step=steps,
            x_scale=0.2,
            max_nfev=16,
            bounds=(low, start + 1.6),
        )
        print(dict(zip((*CHEST, "skin"), np.exp(found.x), strict=True)))
    print(found.cost, found.nfev)


if __name__ == "__main__":
    main()
